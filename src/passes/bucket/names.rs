// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a collective belongs to, by the names that a front end leaves in the program.
//!
//! In this order: `comm.bucket` on the op; `comm.bucket` on the function argument that it communicates; the name in its
//! location; the name in that argument's location. The argument is found through ops of one operand, such as a convert
//! before a gather. A name is a path: components separated by dots, slashes or brackets.

use super::super::BucketLevel;
use crate::mlir::{Attr, Op, Value, argument_name, location_name};

/// Names of the collectives of a function.
pub(super) struct Names {
    level: BucketLevel,
    function: Op,
    arguments: Vec<Attr>,
}

impl Names {
    pub(super) fn new(function: Op, level: BucketLevel) -> Self {
        let attributes = function.attr("arg_attrs").and_then(Attr::as_array);
        Self {
            level,
            function,
            arguments: attributes.unwrap_or_default(),
        }
    }

    /// The layer or block that a collective belongs to, where somebody says so.
    pub(super) fn of(&self, op: Op) -> Option<String> {
        let text = |attr: Option<Attr>| attr.and_then(|attr| attr.as_str().map(str::to_owned));
        let argument = op.operands().next().and_then(|value| self.argument(value));
        let of_argument = || {
            let attributes = self.arguments.get(argument?.index())?;
            text(attributes.entry("comm.bucket"))
        };
        let path = text(op.discardable_attr("comm.bucket"))
            .or_else(of_argument)
            .or_else(|| location_name(op))
            .or_else(|| argument_name(argument?))?;
        owner(&path, self.level)
    }

    /// The function's argument that a value is made of.
    fn argument(&self, mut value: Value) -> Option<Value> {
        while let Some(op) = value.defining_op() {
            if op.num_operands() != 1 || op.num_regions() > 0 {
                return None;
            }
            value = op.operand(0);
        }
        let block = value.argument_of()?;
        (block.parent_op() == Some(self.function)).then_some(value)
    }
}

/// The layer or block that owns the parameter of this path; nothing for an empty one.
fn owner(path: &str, level: BucketLevel) -> Option<String> {
    let is_separator = |c: char| matches!(c, '.' | '/' | '[' | ']' | '\'' | '"' | ' ');
    let parts: Vec<&str> = path.split(is_separator).filter(|part| !part.is_empty()).collect();
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    let length = match (level, parts.iter().position(is_number)) {
        (BucketLevel::Block, Some(number)) => number + 1,
        _ => parts.len().saturating_sub(1).max(1),
    };
    let owner = parts.get(..length)?.join(".");
    (!owner.is_empty()).then_some(owner)
}

#[cfg(test)]
mod tests {
    use super::{BucketLevel, owner};

    #[test]
    fn paths_name_layers_and_blocks() {
        let layer = |path| owner(path, BucketLevel::Layer);
        let block = |path| owner(path, BucketLevel::Block);
        let both = |path| (layer(path).unwrap(), block(path).unwrap());
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(
            both("params['blocks'][3]['mlp']['w']"),
            pair("params.blocks.3.mlp", "params.blocks.3")
        );
        assert_eq!(
            both("model.layers.10.attention.wq.weight"),
            pair("model.layers.10.attention.wq", "model.layers.10")
        );
        assert_eq!(both("embed.weight"), pair("embed", "embed"));
        assert_eq!(both("norm"), pair("norm", "norm"));
        assert_eq!(layer(""), None);
        assert_eq!(block("['']"), None);
    }
}
