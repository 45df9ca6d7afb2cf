// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Ops of one rank.

use comm_runtime::Element;

use super::{
    super::program::{Binary, Op, Shaped, Value},
    Generator, choose,
};

impl Generator {
    pub(super) fn scale(&mut self) -> Option<()> {
        let value = self.pick();
        let value = self.within(value, Shaped::limit(self.shaped(value).element) / 4)?;
        let factor = self.rng.i64(2..=4);
        self.times(value, factor).map(drop)
    }

    pub(super) fn binary(&mut self) -> Option<()> {
        let left = self.pick();
        let shaped = self.shaped(left);
        let (element, shape) = (shaped.element, shaped.shape);
        let right = self.pick_like(|other| other.element == element && other.shape == shape)?;
        let functions = [
            Binary::Add,
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::Min,
            Binary::Max,
        ];
        let function = *choose(&mut self.rng, &functions);
        let limit = Shaped::limit(element);
        let most = match function {
            Binary::Mul => limit.isqrt(),
            _ => limit / 2,
        };
        let left = self.within(left, most)?;
        let right = self.within(right, most)?;
        let (a, b) = (self.shaped(left), self.shaped(right));
        let bound = match function {
            Binary::Mul => a.bound * b.bound,
            Binary::Min | Binary::Max => a.bound.max(b.bound),
            Binary::Add | Binary::Sub => a.bound + b.bound,
        };
        let roundings = a.roundings + b.roundings + 1;
        let op = Op::Binary {
            function,
            operands: [left, right],
            in_place: self.rng.bool(),
        };
        self.add(
            op,
            Shaped {
                bound,
                roundings,
                ..a
            },
        )
        .map(drop)
    }

    pub(super) fn transpose(&mut self) -> Option<()> {
        let value = self.pick();
        let mut shaped = self.shaped(value);
        let mut order: Vec<usize> = (0..shaped.shape.len()).collect();
        if order.len() < 2 {
            return None;
        }
        self.rng.shuffle(&mut order);
        shaped.shape = order.iter().map(|&dim| shaped.shape[dim]).collect();
        self.add(Op::Transpose(value, order), shaped).map(drop)
    }

    pub(super) fn product(&mut self) -> Option<()> {
        let left = self.pick_like(|shaped| shaped.shape.len() >= 2)?;
        let a = self.shaped(left);
        let rank = a.shape.len();
        let (rows, depth) = (a.shape[rank - 2], a.shape[rank - 1]);
        let right = self.pick_like(|other| {
            other.element == a.element
                && other.shape.len() == rank
                && other.shape[..rank - 2] == a.shape[..rank - 2]
                && other.shape[rank - 2] == depth
        })?;
        let limit = Shaped::limit(a.element) / 2;
        let left = self.within(left, (limit / depth as i64).isqrt())?;
        let right = self.within(right, (limit / depth as i64).isqrt())?;
        let (a, b) = (self.shaped(left), self.shaped(right));
        let mut shape = a.shape;
        shape[rank - 2] = rows;
        shape[rank - 1] = b.shape[rank - 1];
        let (element, mut bound) = (a.element, a.bound * b.bound * depth as i64);
        let mut roundings = a.roundings + b.roundings + depth as u64;
        let mut onto = None;
        if self.rng.u8(0..3) == 0 {
            onto = self.pick_like(|other| other.element == element && other.shape == shape);
            if let Some(value) = onto {
                let value = self.within(value, limit)?;
                onto = Some(value);
                bound += self.shaped(value).bound;
                roundings += self.shaped(value).roundings + 1;
            }
        }
        let op = Op::Product {
            factors: [left, right],
            onto,
        };
        let shaped = Shaped {
            element,
            shape,
            bound,
            roundings,
        };
        self.add(op, shaped).map(drop)
    }

    pub(super) fn sum(&mut self) -> Option<()> {
        let value = self.pick_like(|shaped| shaped.shape.len() >= 2)?;
        let limit = Shaped::limit(self.shaped(value).element);
        let mut shaped = self.shaped(value);
        let dim = self.rng.usize(..shaped.shape.len());
        let length = shaped.shape.remove(dim);
        let value = self.within(value, limit / length as i64)?;
        shaped.bound = self.shaped(value).bound * length as i64;
        shaped.roundings += length as u64;
        self.add(Op::Sum(value, dim), shaped).map(drop)
    }

    pub(super) fn slice(&mut self) -> Option<()> {
        let from = self.pick();
        let mut shaped = self.shaped(from);
        let dim = self.dims(&[from], |length| length >= 2)?[0];
        let offset = self.rng.usize(1..shaped.shape[dim]);
        shaped.shape[dim] -= offset;
        self.add(Op::Slice { from, dim, offset }, shaped).map(drop)
    }

    pub(super) fn insert(&mut self) -> Option<()> {
        let part = self.pick();
        let small = self.shaped(part);
        let dim = self.rng.usize(..small.shape.len());
        let into = self.pick_like(|other| {
            let is_equal = |at: usize| other.shape[at] == small.shape[at];
            other.element == small.element
                && other.shape.len() == small.shape.len()
                && other.shape[dim] > small.shape[dim]
                && (0..small.shape.len()).all(|at| at == dim || is_equal(at))
        })?;
        let mut shaped = self.shaped(into);
        let offset = self.rng.usize(..=shaped.shape[dim] - small.shape[dim]);
        shaped.bound = shaped.bound.max(small.bound);
        shaped.roundings = shaped.roundings.max(small.roundings);
        let op = Op::Insert {
            part,
            into,
            dim,
            offset,
        };
        self.add(op, shaped).map(drop)
    }

    pub(super) fn shard(&mut self) -> Option<()> {
        let from = self.pick();
        let groups = self.rng.usize(..self.program.groups.len());
        self.shard_of(from, groups)
    }

    pub(super) fn shard_of(&mut self, from: Value, groups: usize) -> Option<()> {
        let size = self.program.groups[groups].size();
        let dim = self.dims(&[from], |length| length.is_multiple_of(size))?[0];
        let mut shaped = self.shaped(from);
        shaped.shape[dim] /= size;
        self.add(Op::Shard { from, dim, groups }, shaped).map(drop)
    }

    pub(super) fn convert(&mut self) -> Option<()> {
        let value = self.pick();
        let mut shaped = self.shaped(value);
        shaped.element = match shaped.element {
            Element::F32 => *choose(
                &mut self.rng,
                &[Element::F64, Element::F16, Element::Bf16, Element::I32],
            ),
            _ => Element::F32,
        };
        if self.style.is_smooth && !shaped.element.is_float() {
            return None;
        }
        shaped.roundings += 1;
        let value = self.within(value, Shaped::limit(shaped.element))?;
        shaped.bound = self.shaped(value).bound;
        self.add(Op::Convert(value), shaped).map(drop)
    }
}
