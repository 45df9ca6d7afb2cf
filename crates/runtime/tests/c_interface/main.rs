// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The C interface: its header, a C program that uses it, and wrong arguments.

mod arguments;
mod header;
mod program;
