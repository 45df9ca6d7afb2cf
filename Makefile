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

# The regression tests call the tools of every crate, and cargo builds for a test only those of its own package. Tests under
# MPI come last: they build the run-time's library with it.
test: setup
	cargo build --workspace --bins
	cargo test --workspace --no-fail-fast
	cargo test -p comm-runtime --features mpi --lib --test c_interface --test mpi --no-fail-fast
	cargo test -p mlir-comm --features mpi --test runner_mpi --no-fail-fast

lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy -p comm-runtime --features mpi --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

docs: setup
	cargo doc --workspace --no-deps
	@echo "target/doc/mlir_comm/index.html"

bench: setup
	cargo bench --workspace
