// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `mlir-opt` with the `comm` dialect and its passes.

fn main() -> std::process::ExitCode {
    mlir_comm::drivers::opt_main(std::env::args_os())
}
