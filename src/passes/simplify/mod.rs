// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Rewriting by the algebra of collectives.

mod vocabulary;
