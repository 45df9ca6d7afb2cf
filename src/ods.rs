// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Typed builders and views of the ops, generated from `dialect/CommOps.td` by melior's macro.
//!
//! Result types are given, not inferred; [`crate::dialect::future_type`] makes the type of a started collective.
//!
//! ```
//! use melior::ir::{BlockLike, Location, Type, attribute::DenseI64ArrayAttribute, operation::OperationLike};
//! use mlir_comm::{dialect, ods::comm};
//!
//! let context = mlir_comm::context();
//! let location = Location::unknown(&context);
//! let shard = Type::parse(&context, "tensor<2xf32>").unwrap();
//! let full = Type::parse(&context, "tensor<8xf32>").unwrap();
//! let block = melior::ir::Block::new(&[(shard, location)]);
//! let start = comm::AllGatherOperation::builder(&context, location)
//!     .results(&[dialect::future_type(&[full])])
//!     .inputs(&[block.argument(0).unwrap().into()])
//!     .dims(DenseI64ArrayAttribute::new(&context, &[0]).into())
//!     .groups(dialect::groups(location, &[&[0, 1, 2, 3]]).unwrap())
//!     .build();
//! assert!(start.as_operation().verify());
//! ```
#![allow(missing_docs, clippy::all)]

mel::dialect! {
    name: "comm",
    files: ["CommOps.td"],
    include_directory_env_vars: ["COMM_DIALECT_DIR"],
}
