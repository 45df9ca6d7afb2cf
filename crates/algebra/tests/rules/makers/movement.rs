// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makers for elementwise functions and permutes.

use comm_algebra::{Element, NodeId, Op};

use super::Maker;
use crate::make::Make;

pub fn movement(name: &str, forward: bool) -> Maker {
    match (name, forward) {
        ("C4", true) => |m| {
            let g = m.group();
            let extent = m.size(g);
            let (dim, h) = (m.dim(2), m.binary());
            let x = m.value(&[extent, extent]);
            let a = m.gather(dim, g, x)?;
            let (split, second) = (m.same(dim, 2), m.like(g));
            let mut part = m.shape_of(a);
            part[split] /= m.size(g);
            let y = m.value(&part);
            let b = m.gather(split, second, y)?;
            m.map(h, &[a, b])
        },
        ("C4", false) => |m| {
            let (g, shape, h) = (m.group(), m.shape(2, 1), m.binary());
            let (x, y, dim) = (m.value(&shape), m.value(&shape), m.dim(2));
            let inner = m.map(h, &[x, y])?;
            m.gather(dim, g, inner)
        },
        ("C5", true) => |m| {
            let (g, shape, h) = (m.group(), m.shape(2, 1), m.binary());
            let (x, dim) = (m.value(&shape), m.dim(2));
            let gathered = m.gather(dim, g, x)?;
            let whole = m.shape_of(gathered);
            let r = m.equal(&whole, g);
            let operands = if m.chance(50) {
                [gathered, r]
            } else {
                [r, gathered]
            };
            m.map(h, &operands)
        },
        ("C5", false) => |m| {
            let (g, h) = (m.group(), m.binary());
            let size = m.size(g);
            let whole = [size * 2, size * 2];
            let (dim, outer) = (m.dim(2), m.dim(2));
            let r = m.equal(&whole, g);
            let second = m.like(g);
            let part = m.shard(dim, second, r)?;
            let shape = m.shape_of(part);
            let x = m.value(&shape);
            let operands = if m.chance(50) { [part, x] } else { [x, part] };
            let inner = m.map(h, &operands)?;
            let outer = if m.chance(80) { dim } else { outer };
            m.gather(outer, g, inner)
        },
        ("C33", true) => |m| {
            let x = moved(m)?;
            unary_or_convert(m, x)
        },
        ("C33", false) => |m| {
            let (g, op) = moving(m);
            let shape = m.shape(2, m.size(g));
            let x = m.value(&shape);
            let inner = unary_or_convert(m, x)?;
            m.op(op, &[inner])
        },
        ("C23", true) => |m| {
            let shape = m.shape(2, 1);
            let x = m.value(&shape);
            if m.chance(5) {
                let same = (0..m.devices() as u32).map(|device| (device, device)).collect();
                return m.op(Op::permute(same), &[x]);
            }
            let (first, second) = (m.pairs(None), m.pairs(None));
            let inner = m.op(first, &[x])?;
            m.op(second, &[inner])
        },
        ("C24", true) => |m| {
            let (g, kind, shape) = (m.group(), m.kind(), m.shape(2, 1));
            let x = m.value(&shape);
            let pairs = m.pairs(Some(g));
            let inner = m.op(pairs, &[x])?;
            m.reduce(kind, g, inner)
        },
        ("C24g", true) => |m| {
            let (g, dim, shape) = (m.group(), m.dim(2), m.shape(2, 1));
            let x = m.value(&shape);
            let pairs = m.pairs(Some(g));
            let inner = m.op(pairs, &[x])?;
            m.gather(dim, g, inner)
        },
        _ => super::layout::layout(name, forward),
    }
}

fn moving(m: &mut Make) -> (comm_algebra::GroupId, Op) {
    let (g, dim, other) = (m.group(), m.dim(2), m.dim(2));
    let op = match m.random.u32(..5) {
        0 => Op::AllGather { dim, group: g },
        1 => Op::AllToAll {
            split: dim,
            concat: other,
            group: g,
        },
        2 => Op::Broadcast {
            root: m.random.usize(..m.size(g)),
            group: g,
        },
        _ => m.pairs(None),
    };
    (g, op)
}

fn moved(m: &mut Make) -> Option<NodeId> {
    let (g, op) = moving(m);
    let shape = m.shape(2, m.size(g));
    let x = m.value(&shape);
    m.op(op, &[x])
}

fn unary_or_convert(m: &mut Make, x: NodeId) -> Option<NodeId> {
    if m.chance(30) {
        let element = [Element::F32, Element::Bf16, Element::I32][m.random.usize(..3)];
        return m.op(Op::Convert(element), &[x]);
    }
    let h = m.unary();
    m.map(h, &[x])
}
