// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makers for local ops.

use comm_algebra::{Element, Factor, Function, Op, Type};

use super::Maker;
use super::dots::product_shapes;

pub fn local(name: &str) -> Maker {
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
