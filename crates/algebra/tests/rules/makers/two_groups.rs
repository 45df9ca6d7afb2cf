// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makers for group B.

use super::Maker;

pub fn two_groups(name: &str, forward: bool) -> Maker {
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
        _ => super::reductions::reductions(name, forward),
    }
}
