// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! For every law a maker of programs whose result is near its left side.

use comm_algebra::{Dot, Element, Factor, Function, Kind, NodeId, Op, Type, rules::Direction};

use crate::make::Make;

type Maker = fn(&mut Make) -> Option<NodeId>;

/// The maker for a law.
pub fn maker(name: &str, direction: Direction) -> Maker {
    let forward = direction == Direction::Forward;
    match (name, forward) {
        ("A0", true) => |m| {
            let size = if m.chance(75) { 1 } else { 2 };
            let g = m.group_of(size);
            let shape = m.shape(2, size);
            let (x, kind) = (m.value(&shape), m.kind());
            let (dim, other) = (m.dim(2), m.dim(2));
            match m.random.u32(..6) {
                0 => m.gather(dim, g, x),
                1 => m.scatter(kind, dim, g, x),
                2 => m.reduce(kind, g, x),
                3 => m.exchange(dim, other, g, x),
                4 => m.shard(dim, g, x),
                _ => m.op(Op::Broadcast { root: 0, group: g }, &[x]),
            }
        },
        ("A1" | "B1" | "B10" | "B12", true) | ("B1", false) => match (name, forward) {
            ("A1", _) => |m| {
                let (g, rank) = (m.group(), m.random.usize(1..=3));
                let shape = m.shape(rank, m.size(g));
                let (x, kind) = (m.value(&shape), m.kind());
                m.reduce(kind, g, x)
            },
            ("B1", true) => |m| {
                let (a, b) = m.two();
                let shape = m.shape(2, 1);
                let (x, kind) = (m.value(&shape), m.kind());
                let inner = m.reduce(kind, a, x)?;
                let kind = m.same_kind(kind);
                m.reduce(kind, b, inner)
            },
            ("B10", _) => |m| {
                let (g, shape) = (m.group(), m.shape(2, 1));
                let (x, kind) = (m.equal(&shape, g), m.kind());
                m.reduce(kind, g, x)
            },
            _ => |m| {
                let (a, b) = m.two();
                let whole = m.whole(b, a)?;
                let shape = m.shape(2, m.size(a));
                let (x, kind) = (m.value(&shape), m.kind());
                m.reduce(kind, whole, x)
            },
        },
        ("A1", false) => |m| {
            let (g, rank) = (m.group(), m.random.usize(1..=2));
            let shape = m.shape(rank, m.size(g));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(rank));
            let inner = m.scatter(kind, dim, g, x)?;
            let (dim, g) = (m.same(dim, rank), m.like(g));
            m.gather(dim, g, inner)
        },
        ("A2", true) => |m| {
            let g = m.group();
            let shape = m.shape(2, m.size(g));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.reduce(kind, g, x)?;
            let g = m.like(g);
            m.shard(dim, g, inner)
        },
        ("A2" | "A7", _) if (name, forward) != ("A7", false) => |m| {
            let g = m.group();
            let shape = m.shape(2, m.size(g));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            m.scatter(kind, dim, g, x)
        },
        ("A3", true) => |m| {
            let g = m.group();
            let shape = m.shape(2, m.size(g));
            let (x, dim) = (m.value(&shape), m.dim(2));
            let inner = m.gather(dim, g, x)?;
            let (dim, g) = (m.same(dim, 2), m.like(g));
            m.shard(dim, g, inner)
        },
        ("A4", true) => |m| {
            let g = m.group();
            let shape = m.shape(2, m.size(g));
            let (x, dim) = (m.equal(&shape, g), m.dim(2));
            let inner = m.shard(dim, g, x)?;
            let (dim, g) = (m.same(dim, 2), m.like(g));
            m.gather(dim, g, inner)
        },
        ("A7", false) => |m| {
            let (g, kind) = (m.group(), m.kind());
            let shape = m.shape(3, m.size(g));
            let (x, split) = (m.value(&shape), m.dim(3));
            let concat = m.other(split, 3);
            let inner = m.exchange(split, concat, g, x)?;
            let dim = m.same(concat, 3);
            m.op(Op::Reduce { kind, dim }, &[inner])
        },
        ("A8", true) => |m| {
            let g = m.group();
            let shape = m.shape(2, m.size(g));
            let (x, dim) = (m.value(&shape), m.dim(2));
            let inner = m.gather(dim, g, x)?;
            let (dim, g) = (m.other(dim, 2), m.like(g));
            m.shard(dim, g, inner)
        },
        ("A8", false) => |m| {
            let g = m.group();
            let shape = m.shape(2, m.size(g));
            let (x, split) = (m.value(&shape), m.dim(2));
            let concat = m.other(split, 2);
            m.exchange(split, concat, g, x)
        },
        ("A9", true) => |m| {
            let g = m.group();
            let shape = m.shape(2, m.size(g));
            let (x, split) = (m.value(&shape), m.dim(2));
            let concat = m.other(split, 2);
            let inner = m.exchange(split, concat, g, x)?;
            let (first, second) = (m.same(concat, 2), m.same(split, 2));
            let g = m.like(g);
            m.exchange(first, second, g, inner)
        },
        ("A10", true) => |m| {
            let g = m.group();
            let shape = m.shape(2, m.size(g) * 2);
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.scatter(kind, dim, g, x)?;
            let split = m.other(dim, 2);
            let (concat, g) = (m.same(dim, 2), m.like(g));
            m.exchange(split, concat, g, inner)
        },
        ("A11", true) => |m| {
            let g = m.group();
            let shape = m.shape(2, m.size(g));
            let (x, split) = (m.value(&shape), m.dim(2));
            let concat = m.other(split, 2);
            let inner = m.exchange(split, concat, g, x)?;
            let (dim, g) = (m.same(split, 2), m.like(g));
            m.gather(dim, g, inner)
        },
        ("A11", false) => |m| {
            let g = m.group();
            let shape = m.shape(2, m.size(g));
            let (x, dim) = (m.value(&shape), m.dim(2));
            m.gather(dim, g, x)
        },
        _ => two_groups(name, forward),
    }
}

fn two_groups(name: &str, forward: bool) -> Maker {
    match (name, forward) {
        ("B2", true) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, 1);
            let (x, dim) = (m.value(&shape), m.dim(2));
            let inner = m.gather(dim, a, x)?;
            let dim = m.same(dim, 2);
            m.gather(dim, b, inner)
        },
        ("B2", false) => |m| {
            let (a, b) = m.two();
            let whole = m.whole(a, b)?;
            let shape = m.shape(2, 1);
            let (x, dim) = (m.value(&shape), m.dim(2));
            m.gather(dim, whole, x)
        },
        ("B3", true) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(a) * m.size(b));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.scatter(kind, dim, a, x)?;
            let (kind, dim) = (m.same_kind(kind), m.same(dim, 2));
            m.scatter(kind, dim, b, inner)
        },
        ("B3", false) => |m| {
            let (a, b) = m.two();
            let whole = m.whole(a, b)?;
            let shape = m.shape(2, m.size(whole));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            m.scatter(kind, dim, whole, x)
        },
        ("B3s", true) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(a) * m.size(b));
            let (x, dim) = (m.value(&shape), m.dim(2));
            let inner = m.shard(dim, a, x)?;
            let dim = m.same(dim, 2);
            m.shard(dim, b, inner)
        },
        ("B3s", false) => |m| {
            let (a, b) = m.two();
            let whole = m.whole(a, b)?;
            let shape = m.shape(2, m.size(whole));
            let (x, dim) = (m.value(&shape), m.dim(2));
            m.shard(dim, whole, x)
        },
        ("B4", true) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, 1);
            let (x, dim) = (m.value(&shape), m.dim(2));
            let inner = m.gather(dim, a, x)?;
            let dim = m.other(dim, 2);
            m.gather(dim, b, inner)
        },
        ("B5", true) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, 1);
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.gather(dim, a, x)?;
            m.reduce(kind, b, inner)
        },
        ("B5", false) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, 1);
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.reduce(kind, a, x)?;
            m.gather(dim, b, inner)
        },
        ("B6", true) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(b));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.reduce(kind, a, x)?;
            let kind = m.same_kind(kind);
            m.scatter(kind, dim, b, inner)
        },
        ("B6" | "B13", false) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(a));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.scatter(kind, dim, a, x)?;
            let kind = m.same_kind(kind);
            m.reduce(kind, b, inner)
        },
        ("B6s", true) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(b));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.reduce(kind, a, x)?;
            m.shard(dim, b, inner)
        },
        ("B6s", false) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(a));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.shard(dim, a, x)?;
            m.reduce(kind, b, inner)
        },
        ("B7", true) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(b));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.gather(dim, a, x)?;
            let dim = m.other(dim, 2);
            m.scatter(kind, dim, b, inner)
        },
        ("B7", false) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(a));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.scatter(kind, dim, a, x)?;
            let dim = m.other(dim, 2);
            m.gather(dim, b, inner)
        },
        ("B7s", true) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(b));
            let (x, dim) = (m.value(&shape), m.dim(2));
            let inner = m.gather(dim, a, x)?;
            let dim = m.other(dim, 2);
            m.shard(dim, b, inner)
        },
        ("B7s", false) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(a));
            let (x, dim) = (m.value(&shape), m.dim(2));
            let inner = m.shard(dim, a, x)?;
            let dim = m.other(dim, 2);
            m.gather(dim, b, inner)
        },
        ("B9", true) => |m| {
            let (g, shape) = (m.group(), m.shape(2, 1));
            let (x, kind) = (m.value(&shape), m.kind());
            let inner = m.reduce(kind, g, x)?;
            let (kind, g) = (m.same_kind(kind), m.like(g));
            m.reduce(kind, g, inner)
        },
        ("B11", true) => |m| {
            let (g, shape) = (m.group(), m.shape(2, 1));
            let (x, dim) = (m.equal(&shape, g), m.dim(2));
            m.gather(dim, g, x)
        },
        ("B12", false) => |m| {
            let (a, b) = m.two();
            let shape = m.shape(2, m.size(a));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let scattered = m.scatter(kind, dim, a, x)?;
            let reduced = {
                let kind = m.same_kind(kind);
                m.reduce(kind, b, scattered)?
            };
            let (dim, a) = (m.same(dim, 2), m.like(a));
            m.gather(dim, a, reduced)
        },
        ("B13", true) => |m| {
            let (a, b) = m.two();
            let whole = m.whole(b, a)?;
            let shape = m.shape(2, m.size(a));
            let (x, kind, dim) = (m.value(&shape), m.kind(), m.dim(2));
            let inner = m.reduce(kind, whole, x)?;
            m.shard(dim, a, inner)
        },
        _ => reductions(name, forward),
    }
}

/// A reduce-scatter or an all-reduce.
fn reduction(m: &mut Make, kind: Kind, dim: usize, g: comm_algebra::GroupId, x: NodeId) -> Option<NodeId> {
    if m.chance(50) {
        m.reduce(kind, g, x)
    } else {
        m.scatter(kind, dim, g, x)
    }
}

fn reductions(name: &str, forward: bool) -> Maker {
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
        _ => movement(name, forward),
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

fn movement(name: &str, forward: bool) -> Maker {
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
        _ => layout(name, forward),
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

fn layout(name: &str, forward: bool) -> Maker {
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
        _ => dots(name, forward),
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

/// A product of random dimensions, and shapes of its operands.
fn product_shapes(m: &mut Make, multiple: usize) -> (Dot, Vec<usize>, Vec<usize>) {
    let mut extent = || if m.random.bool() { multiple } else { multiple * 2 };
    let (batch, rows, inner, columns) = (extent(), extent(), extent(), extent());
    let element = m.element;
    match m.random.u32(..4) {
        0 => (
            Dot {
                batch: vec![],
                contract: vec![(1, 0)],
                element,
            },
            vec![rows, inner],
            vec![inner, columns],
        ),
        1 => (
            Dot {
                batch: vec![],
                contract: vec![(0, 0)],
                element,
            },
            vec![inner, rows],
            vec![inner, columns],
        ),
        2 => (
            Dot {
                batch: vec![],
                contract: vec![(0, 1)],
                element,
            },
            vec![inner, rows],
            vec![columns, inner],
        ),
        _ => (
            Dot {
                batch: vec![(0, 1)],
                contract: vec![(2, 0)],
                element,
            },
            vec![batch, rows, inner],
            vec![inner, batch, columns],
        ),
    }
}

/// The whole of a part along one dimension, and the reverse.
fn scaled(shape: &[usize], dim: usize, factor: usize, grow: bool) -> Vec<usize> {
    let mut shape = shape.to_vec();
    shape[dim] = if grow {
        shape[dim] * factor
    } else {
        shape[dim] / factor
    };
    shape
}

fn dots(name: &str, forward: bool) -> Maker {
    match (name, forward) {
        ("C1d", true) => |m| {
            let (g, kind) = (m.group(), m.sum());
            let (dot, left, right) = product_shapes(m, 1);
            let swap = m.chance(50);
            let x = if swap { m.equal(&left, g) } else { m.value(&left) };
            let w = if swap { m.value(&right) } else { m.equal(&right, g) };
            let inner = m.dot(&dot, 0, x, w)?;
            m.reduce(kind, g, inner)
        },
        ("C1d", false) => |m| {
            let (g, kind, side) = (m.group(), m.sum(), m.random.usize(..2));
            let (dot, left, right) = product_shapes(m, 1);
            let shapes = [left, right];
            let x = m.value(&shapes[side]);
            let w = m.equal(&shapes[1 - side], g);
            let reduced = m.reduce(kind, g, x)?;
            m.dot(&dot, side, reduced, w)
        },
        ("C8" | "C9" | "C10", true) => match name {
            "C8" => |m| gathered_operand(m, 0),
            "C9" => |m| gathered_operand(m, 1),
            _ => |m| {
                let side = m.random.usize(..2);
                gathered_operand(m, side)
            },
        },
        ("C8" | "C9", false) => |m| {
            let g = m.group();
            let (dot, left, right) = product_shapes(m, 1);
            let (x, w) = (m.equal(&left, g), m.equal(&right, g));
            let inner = m.dot(&dot, 0, x, w)?;
            let dim = m.dim(m.shape_of(inner).len());
            m.gather(dim, g, inner)
        },
        ("C8b" | "D8", true) => |m| {
            let g = m.group();
            let (dot, left, right) = product_shapes(m, 1);
            let pairs: Vec<(usize, usize)> = dot.batch.iter().chain(&dot.contract).copied().collect();
            let (l, r) = pairs[m.random.usize(..pairs.len())];
            let (x, y, second) = (m.value(&left), m.value(&right), m.like(g));
            let a = m.gather(l, g, x)?;
            let b = m.gather(r, second, y)?;
            m.dot(&dot, 0, a, b)
        },
        ("C8b", false) => |m| {
            let g = m.group();
            let (dot, left, right) = product_shapes(m, 1);
            let (x, y) = (m.value(&left), m.value(&right));
            let inner = m.dot(&dot, 0, x, y)?;
            m.gather(0, g, inner)
        },
        ("C10", false) => |m| {
            let (g, kind, side) = (m.group(), m.sum(), m.random.usize(..2));
            let (dot, left, right) = product_shapes(m, 1);
            let shapes = [left, right];
            let (l, r) = dot.contract[0];
            let own = [l, r][1 - side];
            let whole = scaled(&shapes[1 - side], own, m.size(g), true);
            let (x, w) = (m.value(&shapes[side]), m.equal(&whole, g));
            let second = m.like(g);
            let shard = m.shard(own, second, w)?;
            let inner = m.dot(&dot, side, x, shard)?;
            m.reduce(kind, g, inner)
        },
        ("C11", true) => |m| {
            let (g, kind) = (m.group(), m.sum());
            let (dot, left, right) = product_shapes(m, m.size(g));
            let swap = m.chance(50);
            let x = if swap { m.equal(&left, g) } else { m.value(&left) };
            let w = if swap { m.value(&right) } else { m.equal(&right, g) };
            let inner = m.dot(&dot, 0, x, w)?;
            let dim = m.dim(m.shape_of(inner).len());
            m.scatter(kind, dim, g, inner)
        },
        ("C11", false) => |m| {
            let (g, kind, side) = (m.group(), m.sum(), m.random.usize(..2));
            let (dot, left, right) = product_shapes(m, 1);
            let shapes = [left, right];
            let sides = [comm_algebra::Side::Left, comm_algebra::Side::Right];
            let dim = dot.free(sides[side], shapes[side].len())[0];
            let whole = scaled(&shapes[side], dim, m.size(g), true);
            let (w, x) = (m.equal(&whole, g), m.value(&shapes[1 - side]));
            let second = m.like(g);
            let shard = m.shard(dim, second, w)?;
            let reduced = m.reduce(kind, g, x)?;
            m.dot(&dot, side, shard, reduced)
        },
        ("C32", true) => |m| {
            let side = m.random.usize(..2);
            let (dot, left, right) = product_shapes(m, 1);
            let shapes = [left, right];
            let shared = m.value(&shapes[side]);
            let (a, b) = (m.value(&shapes[1 - side]), m.value(&shapes[1 - side]));
            let (a, b) = (m.dot(&dot, side, shared, a)?, m.dot(&dot, side, shared, b)?);
            let dim = m.dim(m.shape_of(a).len());
            m.op(Op::Concat(dim), &[a, b])
        },
        ("C32", false) => |m| {
            let side = m.random.usize(..2);
            let (dot, left, right) = product_shapes(m, 1);
            let shapes = [left, right];
            let sides = [comm_algebra::Side::Left, comm_algebra::Side::Right];
            let dim = dot.free(sides[1 - side], shapes[1 - side].len())[0];
            let shared = m.value(&shapes[side]);
            let (a, b) = (m.value(&shapes[1 - side]), m.value(&shapes[1 - side]));
            let joined = m.op(Op::Concat(dim), &[a, b])?;
            m.dot(&dot, side, shared, joined)
        },
        _ => local(name),
    }
}

/// A product with one operand gathered along any of its dimensions.
fn gathered_operand(m: &mut Make, side: usize) -> Option<NodeId> {
    let g = m.group();
    let (dot, left, right) = product_shapes(m, m.size(g));
    let shapes = [left, right];
    let dim = m.dim(shapes[side].len());
    let part = scaled(&shapes[side], dim, m.size(g), false);
    let (x, w) = (m.value(&part), m.equal(&shapes[1 - side], g));
    let gathered = m.gather(dim, g, x)?;
    m.dot(&dot, side, gathered, w)
}

fn local(name: &str) -> Maker {
    match name {
        "L1" => |m| {
            let (shape, first, second) = (m.shape(3, 1), m.permutation(3), m.permutation(3));
            let x = m.value(&shape);
            let inner = m.op(Op::Transpose(first), &[x])?;
            m.op(Op::Transpose(second), &[inner])
        },
        "L2" => |m| {
            let shape = m.shape(2, 2);
            let x = m.value(&shape);
            let first = m.reshaped(&shape);
            let inner = m.op(Op::Reshape(first.clone()), &[x])?;
            let second = m.reshaped(&first);
            m.op(Op::Reshape(second), &[inner])
        },
        "L3" => |m| {
            let all = [
                Element::F64,
                Element::F32,
                Element::F16,
                Element::Bf16,
                Element::I64,
                Element::I8,
            ];
            let (shape, middle, last) = (m.shape(2, 1), all[m.random.usize(..6)], all[m.random.usize(..6)]);
            let x = m.value(&shape);
            let inner = m.op(Op::Convert(middle), &[x])?;
            m.op(Op::Convert(last), &[inner])
        },
        "L4" => |m| {
            let (kind, dim) = (m.kind(), m.dim(3));
            let mut shape = m.shape(3, 1);
            shape[dim] = 1;
            let x = m.value(&shape);
            m.op(Op::Reduce { kind, dim }, &[x])
        },
        "L5" => |m| {
            let g = m.group();
            let size = m.size(g);
            let shape = [size, size * 2];
            let (x, y) = (m.value(&shape), m.value(&shape));
            let inner = match m.random.u32(..9) {
                0 => {
                    let h = m.binary();
                    m.map(h, &[x, y])?
                }
                1 => m.op(Op::Convert(Element::F32), &[x])?,
                2 => m.op(Op::constant(3.0, Type::new(m.element, &shape)), &[])?,
                3 => m.op(Op::Transpose(vec![1, 0]), &[x])?,
                4 => m.op(
                    Op::BroadcastInDim {
                        shape: vec![size, size, size * 2],
                        dims: vec![0, 2],
                    },
                    &[x],
                )?,
                5 => {
                    let (kind, dim) = (m.kind(), m.dim(2));
                    m.op(Op::Reduce { kind, dim }, &[x])?
                }
                6 => {
                    let dim = m.dim(2);
                    m.op(
                        Op::Slice {
                            dim,
                            start: 1,
                            end: shape[dim],
                        },
                        &[x],
                    )?
                }
                7 => {
                    let dim = m.dim(2);
                    m.op(Op::Concat(dim), &[x, y])?
                }
                _ => {
                    let (dot, left, right) = product_shapes(m, size);
                    let (x, y) = (m.value(&left), m.value(&right));
                    m.dot(&dot, 0, x, y)?
                }
            };
            let dim = m.dim(m.shape_of(inner).len());
            m.shard(dim, g, inner)
        },
        "L6" => |m| {
            let factors = [2.0, 3.0, -1.0, 0.5, 0.3, 2.5];
            let shape = m.shape(2, 1);
            let x = m.value(&shape);
            let mut scale = || Function::Scale(Factor::new(factors[m.random.usize(..6)]));
            let (first, second) = (scale(), scale());
            let inner = m.map(first, &[x])?;
            m.map(second, &[inner])
        },
        other => panic!("no maker for rule {other}"),
    }
}
