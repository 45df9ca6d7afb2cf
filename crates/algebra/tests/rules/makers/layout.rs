// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makers for layout.

use comm_algebra::{Kind, NodeId, Op};

use super::Maker;
use crate::make::Make;

pub fn layout(name: &str, forward: bool) -> Maker {
    match (name, forward) {
        ("C1t", true) => |m| {
            let (g, kind, shape) = (m.group(), m.kind(), m.shape(2, 2));
            let (x, op) = (m.value(&shape), m.layout(&shape));
            let inner = m.op(op, &[x])?;
            m.reduce(kind, g, inner)
        },
        ("C1t", false) => |m| {
            let (g, kind, shape) = (m.group(), m.kind(), m.shape(2, 2));
            let (x, op) = (m.value(&shape), m.layout(&shape));
            let inner = m.reduce(kind, g, x)?;
            m.op(op, &[inner])
        },
        ("C1r", true) => |m| {
            let (g, kind, shape) = (m.group(), m.kind(), m.shape(2, 2));
            let (x, dim, other) = (m.value(&shape), m.dim(2), m.same_kind(kind));
            let inner = m.op(Op::Reduce { kind: other, dim }, &[x])?;
            m.reduce(kind, g, inner)
        },
        ("C1r", false) => |m| {
            let (g, kind, shape) = (m.group(), m.kind(), m.shape(2, 2));
            let (x, dim, other) = (m.value(&shape), m.dim(2), m.same_kind(kind));
            let inner = m.reduce(other, g, x)?;
            m.op(Op::Reduce { kind, dim }, &[inner])
        },
        ("C1c", true) => |m| {
            let (g, kind, shape, dim) = (m.group(), m.kind(), m.shape(2, 1), m.dim(2));
            let (x, y) = (m.value(&shape), m.value(&shape));
            let a = m.reduce(kind, g, x)?;
            let (other, second) = (m.same_kind(kind), m.like(g));
            let b = m.reduce(other, second, y)?;
            m.op(Op::Concat(dim), &[a, b])
        },
        ("C1c", false) => |m| {
            let (g, kind, shape, dim) = (m.group(), m.kind(), m.shape(2, 1), m.dim(2));
            let (x, y) = (m.value(&shape), m.value(&shape));
            let inner = m.op(Op::Concat(dim), &[x, y])?;
            m.reduce(kind, g, inner)
        },
        ("C6" | "C7", true) => match name {
            "C6" => |m| {
                let (g, kind, shape, dim) = (m.group(), m.kind(), m.shape(2, 1), m.dim(2));
                let x = m.value(&shape);
                let inner = m.gather(dim, g, x)?;
                let dim = m.same(dim, 2);
                m.op(Op::Reduce { kind, dim }, &[inner])
            },
            _ => |m| {
                let (g, kind, shape, dim) = (m.group(), m.kind(), m.shape(3, 1), m.dim(3));
                let x = m.value(&shape);
                let inner = m.gather(dim, g, x)?;
                let dim = m.other(dim, 3);
                m.op(Op::Reduce { kind, dim }, &[inner])
            },
        },
        ("C7", false) => |m| {
            let (g, kind, shape, dim) = (m.group(), m.kind(), m.shape(3, 1), m.dim(3));
            let x = m.value(&shape);
            let inner = m.op(Op::Reduce { kind, dim }, &[x])?;
            let dim = m.dim(2);
            m.gather(dim, g, inner)
        },
        ("C12", true) => |m| {
            let (g, kind) = (m.group(), m.kind());
            let shape = m.shape(3, m.size(g));
            let (x, dim, permutation) = (m.value(&shape), m.dim(3), m.permutation(3));
            let inner = dimensional(m, kind, dim, g, x, true)?;
            m.op(Op::Transpose(permutation), &[inner])
        },
        ("C12", false) => |m| {
            let (g, kind) = (m.group(), m.kind());
            let shape = m.shape(3, m.size(g));
            let (x, dim, permutation) = (m.value(&shape), m.dim(3), m.permutation(3));
            let inner = m.op(Op::Transpose(permutation), &[x])?;
            dimensional(m, kind, dim, g, inner, true)
        },
        ("C13", true) => |m| {
            let (g, kind) = (m.group(), m.kind());
            let shape = m.shape(3, m.size(g));
            let (x, dim) = (m.value(&shape), m.dim(3));
            let inner = dimensional(m, kind, dim, g, x, false)?;
            let shape = m.shape_of(inner);
            let reshaped = m.reshaped(&shape);
            m.op(Op::Reshape(reshaped), &[inner])
        },
        ("C13", false) => |m| {
            let (g, kind) = (m.group(), m.kind());
            let shape = m.shape(3, m.size(g));
            let x = m.value(&shape);
            let reshaped = m.reshaped(&shape);
            let dim = m.dim(reshaped.len());
            let inner = m.op(Op::Reshape(reshaped), &[x])?;
            dimensional(m, kind, dim, g, inner, false)
        },
        ("C15", true) => |m| {
            let (g, shape, dim) = (m.group(), m.shape(2, 1), m.dim(2));
            let x = m.value(&shape);
            let inner = m.gather(dim, g, x)?;
            let shape = m.shape_of(inner);
            let op = m.repeated(&shape);
            m.op(op, &[inner])
        },
        ("C15", false) => |m| {
            let (g, shape, dim) = (m.group(), m.shape(2, 1), m.dim(3));
            let x = m.value(&shape);
            let op = m.repeated(&shape);
            let inner = m.op(op, &[x])?;
            m.gather(dim, g, inner)
        },
        ("C30", true) => |m| {
            let (g, shape, dim) = (m.group(), m.shape(2, 2), m.dim(2));
            let x = m.value(&shape);
            let inner = m.gather(dim, g, x)?;
            let cut = m.other(dim, 2);
            // Inside the part, so that a slice of the wrong dimension is still a slice.
            let end = m.random.usize(1..=shape[cut]);
            m.op(
                Op::Slice {
                    dim: cut,
                    start: end / 2,
                    end,
                },
                &[inner],
            )
        },
        ("C30", false) => |m| {
            let (g, shape, dim) = (m.group(), m.shape(2, 2), m.dim(2));
            let x = m.value(&shape);
            let end = m.random.usize(1..=shape[dim]);
            let inner = m.op(
                Op::Slice {
                    dim,
                    start: end / 2,
                    end,
                },
                &[x],
            )?;
            let dim = m.other(dim, 2);
            m.gather(dim, g, inner)
        },
        ("C31", true) => |m| {
            let (g, dim) = (m.group(), m.dim(2));
            let extent = m.size(g);
            let x = m.value(&[extent, extent]);
            let a = m.gather(dim, g, x)?;
            let (split, second) = (m.same(dim, 2), m.like(g));
            let mut part = m.shape_of(a);
            part[split] /= m.size(g);
            let y = m.value(&part);
            let b = m.gather(split, second, y)?;
            let joined = m.other(dim, 2);
            m.op(Op::Concat(joined), &[a, b])
        },
        ("C31", false) => |m| {
            let (g, shape, dim) = (m.group(), m.shape(2, 1), m.dim(2));
            let (x, y) = (m.value(&shape), m.value(&shape));
            let inner = m.op(Op::Concat(dim), &[x, y])?;
            let dim = m.other(dim, 2);
            m.gather(dim, g, inner)
        },
        _ => super::dots::dots(name, forward),
    }
}

/// A collective or shard that names a dimension.
fn dimensional(
    m: &mut Make,
    kind: Kind,
    dim: usize,
    g: comm_algebra::GroupId,
    x: NodeId,
    exchange: bool,
) -> Option<NodeId> {
    match m.random.u32(..if exchange { 4 } else { 3 }) {
        0 => m.gather(dim, g, x),
        1 => m.scatter(kind, dim, g, x),
        2 => m.shard(dim, g, x),
        _ => {
            let concat = m.dim(3);
            m.exchange(dim, concat, g, x)
        }
    }
}
