// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A linear proxy for the time that an op takes, by which few programs are picked out of many for a real cost model.
//!
//! Bytes on the wire follow the textbook algorithms that use bandwidth best (ring or pairwise exchange): with `g`
//! members, an all-gather sends `(g-1)/g` of its result, a reduce-scatter `(g-1)/g` of its operand, an all-reduce twice
//! that. Overlap is not seen here, which is why the caller gets alternatives and not one answer.

use crate::{groups::Groups, op::Op, types::Type};

/// Prices, in any one unit. The defaults are femtoseconds on a machine of 50 GB/s links, 400 Tflop/s and 3 TB/s memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prices {
    /// Of a byte that a device sends.
    pub byte: u64,
    /// Of starting a collective.
    pub launch: u64,
    /// Of a multiplication or an addition in a product.
    pub flop: u64,
    /// Of a byte that a local op reads or writes.
    pub local_byte: u64,
    /// Of a local op, whatever it does.
    pub local_launch: u64,
}

impl Default for Prices {
    fn default() -> Self {
        Self {
            byte: 20_000,
            launch: 5_000_000_000,
            flop: 3,
            local_byte: 333,
            local_launch: 1_000_000,
        }
    }
}

impl Prices {
    /// With this price of a byte.
    pub fn byte(mut self, price: u64) -> Self {
        self.byte = price;
        self
    }

    /// With this price of starting a collective.
    pub fn launch(mut self, price: u64) -> Self {
        self.launch = price;
        self
    }

    /// With this price of an operation in a product.
    pub fn flop(mut self, price: u64) -> Self {
        self.flop = price;
        self
    }

    /// With this price of a byte in a local op.
    pub fn local_byte(mut self, price: u64) -> Self {
        self.local_byte = price;
        self
    }
}

/// What an op needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Bytes that each device sends.
    pub sent: u64,
    /// Collectives.
    pub collectives: u64,
    /// Multiplications and additions of products.
    pub flops: u64,
    /// Bytes read and written by local ops that compute or copy. Reshapes, constants and arguments cost nothing.
    pub local: u64,
    /// Such ops.
    pub locals: u64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.sent = self.sent.saturating_add(other.sent);
        self.collectives += other.collectives;
        self.flops = self.flops.saturating_add(other.flops);
        self.local = self.local.saturating_add(other.local);
        self.locals += other.locals;
    }
}

impl Work {
    /// The price of it all.
    pub fn price(&self, prices: &Prices) -> u128 {
        let part = |amount: u64, price: u64| u128::from(amount) * u128::from(price);
        part(self.sent, prices.byte)
            + part(self.collectives, prices.launch)
            + part(self.flops, prices.flop)
            + part(self.local, prices.local_byte)
            + part(self.locals, prices.local_launch)
    }

    /// Whether it needs at least as much of everything as another.
    pub fn needs_all_of(&self, other: &Self) -> bool {
        let parts = |work: &Self| [work.sent, work.collectives, work.flops, work.local, work.locals];
        parts(self)
            .iter()
            .zip(parts(other))
            .all(|(own, other)| *own >= other)
    }

    /// What an op needs, of operands and to a result of these types.
    pub fn of(op: &Op, operands: &[&Type], result: &Type, groups: &Groups) -> Self {
        let read = operands
            .iter()
            .fold(0u64, |sum, ty| sum.saturating_add(ty.bytes()));
        let members = op.group().map_or(1, |group| groups.size(group)) as u64;
        let share = |bytes: u64| (u128::from(bytes) * u128::from(members - 1) / u128::from(members)) as u64;
        let sent = match op {
            Op::AllGather { .. } => share(result.bytes()),
            Op::ReduceScatter { .. } | Op::AllToAll { .. } => share(read),
            Op::AllReduce { .. } => share(read).saturating_mul(2),
            Op::Permute { .. } => read,
            Op::Broadcast { .. } => share(read),
            _ => return Self::local(op, operands, read, result),
        };
        Self {
            sent,
            collectives: 1,
            ..Self::default()
        }
    }

    fn local(op: &Op, operands: &[&Type], read: u64, result: &Type) -> Self {
        let written = result.bytes();
        let moved = |bytes: u64| Self {
            local: bytes,
            locals: 1,
            ..Self::default()
        };
        match op {
            Op::Argument(_) | Op::Constant { .. } | Op::Reshape(_) => Self::default(),
            // The part that is kept.
            Op::Shard { .. } | Op::Slice { .. } => moved(written.saturating_mul(2)),
            Op::Dot(dot) => {
                let summed = dot
                    .contract
                    .iter()
                    .filter_map(|&(left, _)| operands.first()?.shape.get(left));
                let summed = summed.fold(1u64, |product, &extent| product.saturating_mul(extent as u64));
                Self {
                    flops: result.count().saturating_mul(summed).saturating_mul(2),
                    ..moved(read.saturating_add(written))
                }
            }
            _ => moved(read.saturating_add(written)),
        }
    }
}

/// What a program needs. Nodes that no result needs are counted too.
pub fn work(program: &crate::Program) -> Work {
    let mut sum = Work::default();
    for node in program.nodes() {
        let operands: Vec<&Type> = node.operands.iter().map(|&id| &program.node(id).ty).collect();
        sum += Work::of(&node.op, &operands, &node.ty, program.groups());
    }
    sum
}
