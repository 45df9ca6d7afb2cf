# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `make demo` and `make test` do all set-up by themselves on Debian 12 with git, make and a Rust toolchain.

# Where rustup puts cargo, for a shell that has not read its profile since the installation.
export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: help demo test lint tsan docs bench setup

help:
	@echo "make demo   build (minutes, the first time), and show the scheduling of a real training step"
	@echo "make test   build, and run all tests"
	@echo "make lint   formatting, clippy and rustdoc, warnings as errors"
	@echo "make tsan   the run-time's tests under ThreadSanitizer; needs a nightly toolchain with rust-src"
	@echo "make docs   the API documentation, in target/doc"
	@echo "make bench  the benchmarks"

setup:
	@sh tools/setup.sh

demo: setup
	@echo "Building the tools and libmlir_comm.so, which takes several minutes the first time; cargo says what it is at."
	cargo build --release --workspace --lib --bins
	@sh tools/demo.sh target/release

# All with the backend `mpi`, and with what tests depend on, so that cargo compiles everything once. The regression tests call the tools of every crate, and cargo builds for a test only those of its own package.
mpi := --features mlir-comm/mpi,comm-runtime/mpi

test: setup
	cargo build --workspace --lib --bins --tests $(mpi)
	cargo test --workspace --no-fail-fast $(mpi)

lint: export MLIR_COMM_CHECK_ONLY := 1
lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets $(mpi) -- -D warnings
	cargo clippy -p comm-runtime --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --lib --examples $(mpi)

# The standard library is built with it, too, or locks that threads wait for would look like races. Beside the model checker,
# which explores a small core in all interleavings, this watches the whole run-time in one.
tsan: setup
	TSAN_OPTIONS=allocator_may_return_null=1 RUSTFLAGS=-Zsanitizer=thread cargo +nightly test -p comm-runtime -Zbuild-std --target x86_64-unknown-linux-gnu \
	    --target-dir target/tsan --lib --test run

docs: setup
	cargo doc --workspace --no-deps
	@echo "target/doc/mlir_comm/index.html"

bench: setup
	cargo bench --workspace
