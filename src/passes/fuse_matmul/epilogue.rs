// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which elementwise ops after a value can be taken along with it.

use rustc_hash::FxHashSet;

use super::{
    elementwise::{Index, Pointwise, Tracer, identity, is_elementwise},
    placement::Placement,
};
use crate::mlir::{Op, Value};

/// Elementwise ops that are taken along at most: an activation is a handful.
const MOST: usize = 24;

/// Ops after a value that become its epilogue.
#[derive(Clone, Debug)]
pub(super) struct Epilogue {
    /// All of them, in order.
    pub(super) ops: Vec<Op>,
    /// What replaces the value.
    pub(super) result: Value,
    pub(super) pointwise: Pointwise,
}

impl Epilogue {
    /// None: the value stays what it is.
    pub(super) fn none(value: Value) -> Self {
        Self {
            ops: Vec::new(),
            result: value,
            pointwise: Pointwise::default(),
        }
    }

    /// The most ops after `value` that compute elementwise, read nothing that is made after `anchor` but what is cheap, and
    /// of which one result alone is used by others. Nothing is read along the dimension `alone`. O(`MOST`² · ops read).
    pub(super) fn after(
        value: Value,
        anchor: Op,
        placement: &Placement,
        forbidden: &FxHashSet<Op>,
        alone: Option<usize>,
    ) -> Self {
        let mut best = Self::none(value);
        let Some(shape) = value.ty().shape() else {
            return best;
        };
        let whole = identity(shape.len());
        let mut inside: Vec<Op> = Vec::new();
        let mut forbidden = forbidden.clone();
        forbidden.extend(value.defining_op());
        while inside.len() < MOST {
            let values = || std::iter::once(value).chain(inside.iter().map(|op| op.result(0)));
            let users = values().flat_map(Value::uses).map(|r#use| r#use.op());
            let next = users
                .filter(|user| !inside.contains(user))
                .filter_map(|user| placement.in_block(user).filter(|(_, op)| *op == user))
                .min_by_key(|(position, _)| *position);
            let Some((_, next)) = next else { break };
            if !is_elementwise(next) || next.result(0).ty().shape() != value.ty().shape() {
                break;
            }
            inside.push(next);
            forbidden.insert(next);
            let is_inside = |op: Op| inside.contains(&op);
            let first = |other: Value, indices: &[Index]| (other == value && indices == whole).then_some(0);
            let traced = Tracer::new(&is_inside, &first).trace(next.result(0), &whole);
            let reads_there = |pointwise: &Pointwise| {
                let read = pointwise.operands.iter().map(|(value, _)| *value);
                alone.is_none_or(|alone| !pointwise.reads_along(alone))
                    && placement.hoisted(read, anchor, &forbidden).is_some()
            };
            let Some(pointwise) = traced.filter(reads_there) else {
                break;
            };
            let is_used_outside = |value: Value| value.uses().any(|r#use| !inside.contains(&r#use.op()));
            let mut outside = std::iter::once(value)
                .chain(inside.iter().map(|op| op.result(0)))
                .filter(|value| is_used_outside(*value));
            if outside.next() == Some(next.result(0)) && outside.next().is_none() {
                best = Self {
                    ops: inside.clone(),
                    result: next.result(0),
                    pointwise,
                };
            }
        }
        best
    }
}
