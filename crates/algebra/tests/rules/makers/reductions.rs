// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makers for reductions.

use comm_algebra::{Element, Factor, Function, Kind, NodeId, Op, Type};

use super::Maker;
use crate::make::Make;

/// A reduce-scatter or an all-reduce.
fn reduction(m: &mut Make, kind: Kind, dim: usize, g: comm_algebra::GroupId, x: NodeId) -> Option<NodeId> {
    if m.chance(50) {
        m.reduce(kind, g, x)
    } else {
        m.scatter(kind, dim, g, x)
    }
}

pub fn reductions(name: &str, forward: bool) -> Maker {
    match (name, forward) {
        ("C1", true) => |m| {
            let (g, kind) = (m.group(), m.sum());
            let shape = m.shape(2, m.size(g));
            let (x, dim, h) = (m.value(&shape), m.dim(2), linear(m));
            let inner = m.map(h, &[x])?;
            reduction(m, kind, dim, g, inner)
        },
        ("C1", false) => |m| {
            let (g, kind) = (m.group(), m.sum());
            let shape = m.shape(2, m.size(g));
            let (x, dim, h) = (m.value(&shape), m.dim(2), linear(m));
            let inner = reduction(m, kind, dim, g, x)?;
            m.map(h, &[inner])
        },
        ("C1m", true) => |m| {
            let (g, kind, h) = (m.group(), m.sum(), product(m));
            let shape = m.shape(2, 1);
            let (x, c) = (m.value(&shape), m.equal(&shape, g));
            let operands = if m.chance(50) { [x, c] } else { [c, x] };
            let inner = m.map(h, &operands)?;
            m.reduce(kind, g, inner)
        },
        ("C1m", false) => |m| {
            let (g, kind, h) = (m.group(), m.sum(), product(m));
            let shape = m.shape(2, 1);
            let (x, c) = (m.value(&shape), m.equal(&shape, g));
            let reduced = m.reduce(kind, g, x)?;
            let operands = if m.chance(50) { [reduced, c] } else { [c, reduced] };
            m.map(h, &operands)
        },
        ("C1x", true) => |m| {
            let (g, kind) = (m.group(), m.extreme());
            let shape = m.shape(2, m.size(g));
            let (x, dim, h) = (m.value(&shape), m.dim(2), m.unary());
            let inner = m.map(h, &[x])?;
            reduction(m, kind, dim, g, inner)
        },
        ("C1x", false) => |m| {
            let (g, kind) = (m.group(), m.extreme());
            let shape = m.shape(2, m.size(g));
            let (x, dim, h) = (m.value(&shape), m.dim(2), m.unary());
            let inner = reduction(m, kind, dim, g, x)?;
            m.map(h, &[inner])
        },
        ("C1n", true) => |m| {
            let (g, kind) = (m.group(), m.extreme());
            let shape = m.shape(2, 1);
            let x = m.value(&shape);
            let inner = m.map(Function::Negate, &[x])?;
            m.reduce(kind, g, inner)
        },
        ("C1n", false) => |m| {
            let (g, kind) = (m.group(), m.extreme());
            let shape = m.shape(2, 1);
            let x = m.value(&shape);
            let inner = m.reduce(kind, g, x)?;
            m.map(Function::Negate, &[inner])
        },
        ("C2", true) => |m| {
            let (g, kind, shape) = (m.group(), m.kind(), m.shape(2, 1));
            let (x, y) = (m.value(&shape), m.value(&shape));
            let a = m.reduce(kind, g, x)?;
            let (other, second) = (m.same_kind(kind), m.like(g));
            let b = m.reduce(other, second, y)?;
            let h = m.combining(kind);
            m.map(h, &[a, b])
        },
        ("C2", false) => |m| {
            let (g, kind, shape) = (m.group(), m.kind(), m.shape(2, 1));
            let (x, y, h) = (m.value(&shape), m.value(&shape), m.combining(kind));
            let inner = m.map(h, &[x, y])?;
            m.reduce(kind, g, inner)
        },
        ("C3", true) => |m| {
            let (g, kind) = (m.group(), m.kind());
            let extent = m.size(g);
            let shape = [extent, extent];
            let (x, y, dim) = (m.value(&shape), m.value(&shape), m.dim(2));
            let a = m.scatter(kind, dim, g, x)?;
            let (other, second, split) = (m.same_kind(kind), m.like(g), m.same(dim, 2));
            // Along another dimension the parts have one shape only if the whole is twice as long there.
            let y = if split == dim {
                y
            } else {
                let mut shape = m.shape_of(a);
                shape[split] *= extent;
                m.value(&shape)
            };
            let b = m.scatter(other, split, second, y)?;
            let h = m.combining(kind);
            m.map(h, &[a, b])
        },
        ("C3", false) => |m| {
            let (g, kind) = (m.group(), m.kind());
            let shape = m.shape(2, m.size(g));
            let (x, y, h, dim) = (m.value(&shape), m.value(&shape), m.combining(kind), m.dim(2));
            let inner = m.map(h, &[x, y])?;
            m.scatter(kind, dim, g, inner)
        },
        ("C28", true) => |m| {
            let (g, kind) = (m.group(), m.kind());
            let size = m.size(g);
            let all = m.chance(50);
            let shape = [size, size];
            let (dim, h) = (m.dim(2), m.combining(kind));
            let x = m.value(&shape);
            let first = if all {
                m.reduce(kind, g, x)?
            } else {
                m.scatter(kind, dim, g, x)?
            };
            let result = m.shape_of(first);
            let (other, second, split) = (m.same_kind(kind), m.like(g), m.same(dim, 2));
            let last = if all {
                let y = m.value(&shape);
                m.reduce(other, second, y)?
            } else {
                let mut shape = result.clone();
                shape[split] *= size;
                let y = m.value(&shape);
                m.scatter(other, split, second, y)?
            };
            let start = m.value(&result);
            let sum = m.map(h, &[start, first])?;
            m.map(h, &[sum, last])
        },
        ("C26", true) => |m| {
            let (g, kind) = (m.group(), m.kind());
            let shape = m.shape(2, m.size(g));
            let (w, x) = (m.equal(&shape, g), m.value(&shape));
            let reduced = m.reduce(kind, g, x)?;
            // A quotient may magnify the rounding of a sum without bound.
            let h = m.binary();
            let h = if h == Function::Divide {
                Function::Multiply
            } else {
                h
            };
            let operands = if m.chance(50) { [w, reduced] } else { [reduced, w] };
            if m.chance(20) {
                let h = m.unary();
                return m.map(h, &[reduced]);
            }
            m.map(h, &operands)
        },
        ("P1", true) => |m| {
            let (g, wide, narrow) = float_pair(m);
            let (kind, dim) = (m.kind(), m.dim(2));
            let shape = m.shape(2, m.size(g));
            let x = m.typed(Type::new(wide, &shape), &[]);
            let inner = reduction(m, kind, dim, g, x)?;
            m.op(Op::Convert(narrow), &[inner])
        },
        ("P1", false) => |m| {
            let (g, wide, narrow) = float_pair(m);
            let (kind, dim) = (m.kind(), m.dim(2));
            let shape = m.shape(2, m.size(g));
            let x = m.typed(Type::new(wide, &shape), &[]);
            let inner = m.op(Op::Convert(narrow), &[x])?;
            reduction(m, kind, dim, g, inner)
        },
        _ => super::movement::movement(name, forward),
    }
}

fn linear(m: &mut Make) -> Function {
    if m.chance(60) {
        let factors = [2.0, -1.0, 0.5, 3.0, 0.1];
        let whole = if m.element.is_float() { 5 } else { 2 };
        return Function::Scale(Factor::new(factors[m.random.usize(..whole)]));
    }
    m.unary()
}

fn product(m: &mut Make) -> Function {
    if m.chance(70) {
        Function::Multiply
    } else {
        m.binary()
    }
}

/// Two floating-point types, and a group.
fn float_pair(m: &mut Make) -> (comm_algebra::GroupId, Element, Element) {
    let types = [Element::F64, Element::F32, Element::F16, Element::Bf16];
    let g = m.group();
    m.element = types[m.random.usize(..4)];
    (g, m.element, types[m.random.usize(..4)])
}
