# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `make demo` and `make test` do all set-up by themselves on Debian 12 with git, make and a Rust toolchain.

# Where rustup puts cargo, for a shell that has not read its profile since the installation.
export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: help demo test lint docs bench setup

help:
	@echo "make demo   build (minutes, the first time), and show the scheduling of a real training step"
	@echo "make test   build, and run all tests"
	@echo "make lint   formatting, clippy and rustdoc, warnings as errors"
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

docs: setup
	cargo doc --workspace --no-deps
	@echo "target/doc/mlir_comm/index.html"

bench: setup
	cargo bench --workspace
