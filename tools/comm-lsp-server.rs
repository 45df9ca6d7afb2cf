// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `mlir-lsp-server` with the `comm` dialect.

fn main() -> std::process::ExitCode {
    mlir_comm::drivers::lsp_server_main(std::env::args_os())
}
