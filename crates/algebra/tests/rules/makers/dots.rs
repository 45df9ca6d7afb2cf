// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makers for products.

use comm_algebra::{Dot, NodeId, Op};

use super::Maker;
use crate::make::Make;

/// A product of random dimensions, and shapes of its operands.
pub fn product_shapes(m: &mut Make, multiple: usize) -> (Dot, Vec<usize>, Vec<usize>) {
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

pub fn dots(name: &str, forward: bool) -> Maker {
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
        _ => super::local::local(name),
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
