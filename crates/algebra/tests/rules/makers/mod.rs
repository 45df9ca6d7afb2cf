// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! For every law a maker of programs whose result is near its left side. Group A here, the others in files of their own.

mod dots;
mod layout;
mod local;
mod movement;
mod reductions;
mod two_groups;

use comm_algebra::{NodeId, Op, rules::Direction};

use crate::make::Make;

pub type Maker = fn(&mut Make) -> Option<NodeId>;

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
        ("A2", false) | ("A7x", true) => |m| {
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
        ("A7", true) => |m| {
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
        _ => two_groups::two_groups(name, forward),
    }
}
