// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which values may be views of one buffer.
//!
//! Values that may share memory are in one class. An op with buffers as operands and as results may yield views of
//! any operand; loops and branches carry buffers position by position. Buffers that an op allocates, arguments of
//! functions (as one-shot-bufferize calls them) and results of collectives are new. Classes know no order: one `arith.select`
//! puts an argument and an allocation into one. So a value also knows the op that made its memory, where that is one op.
//! Near-linear in the values.

use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

use crate::{
    collective::{Collective, is_wait},
    ffi::effect,
    mlir::{Block, Op, Value},
};

/// A buffer in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buffer {
    /// Values are numbered in the order of the text. Memory that an op makes is seen through no value above it, in a loop
    /// neither, where a value above it may be the memory of an earlier iteration.
    number: usize,
    /// The same for values that may be views of one memory.
    class: usize,
    /// The value with which an op made the memory, where it is known.
    origin: Option<usize>,
}

impl Buffer {
    /// Whether both may be views of one memory.
    pub(super) fn may_overlap(self, other: Buffer) -> bool {
        self.class == other.class
            && match (self.origin, other.origin) {
                (Some(one), Some(another)) => one == another,
                (Some(origin), None) => other.number >= origin,
                (None, Some(origin)) => self.number >= origin,
                (None, None) => true,
            }
    }
}

/// Classes of the buffers of a function.
pub(super) struct Aliases {
    numbers: FxHashMap<usize, usize>,
    classes: UnionFind<usize>,
    /// By number: the value with which the memory was made, where it is known.
    origins: Vec<Option<usize>>,
}

impl Aliases {
    pub(super) fn of(function: Op) -> Self {
        let ops = function.walk();
        let mut numbers = FxHashMap::default();
        for value in ops
            .iter()
            .flat_map(|op| op.results().chain(op.blocks().flat_map(Block::arguments)))
        {
            if value.ty().is_buffer() {
                let next = numbers.len();
                numbers.insert(id(value), next);
            }
        }
        let classes = UnionFind::new(numbers.len());
        let origins = vec![None; numbers.len()];
        let mut aliases = Self {
            numbers,
            classes,
            origins,
        };
        // Values are made before they are used, so the origins of operands are known.
        for op in ops {
            aliases.connect(op);
            aliases.trace(op);
        }
        aliases
    }

    /// A value as a buffer; nothing for other values.
    pub(super) fn buffer(&self, value: Value) -> Option<Buffer> {
        let &number = self.numbers.get(&id(value))?;
        Some(Buffer {
            number,
            class: self.classes.find(number),
            origin: self.origins[number],
        })
    }

    fn union(&mut self, a: Value, b: Value) {
        if let (Some(&a), Some(&b)) = (self.numbers.get(&id(a)), self.numbers.get(&id(b))) {
            self.classes.union(a, b);
        }
    }

    fn union_pairs(&mut self, a: impl Iterator<Item = Value>, b: impl Iterator<Item = Value>) {
        for (a, b) in a.zip(b) {
            self.union(a, b);
        }
    }

    /// What an op makes of its operands.
    fn connect(&mut self, op: Op) {
        match op.name() {
            "scf.for" => {
                // Lower bound, upper bound and step come before what is carried; the induction variable likewise.
                for block in op.blocks() {
                    self.union_pairs(block.arguments().skip(1), op.operands().skip(3));
                    self.union_pairs(op.results(), op.operands().skip(3));
                    if let Some(end) = block.terminator() {
                        self.union_pairs(op.results(), end.operands());
                    }
                }
            }
            "scf.while" => self.connect_while(op),
            "scf.if" | "scf.execute_region" | "scf.index_switch" => {
                for end in op.blocks().filter_map(Block::terminator) {
                    self.union_pairs(op.results(), end.operands());
                }
            }
            _ if Collective::new(op).is_some() || is_wait(op) || op.name() == "func.func" => {}
            _ => self.connect_all(op),
        }
    }

    fn connect_while(&mut self, op: Op) {
        let (Some(before), Some(after)) = (op.region(0).next(), op.region(1).next()) else {
            return;
        };
        self.union_pairs(before.arguments(), op.operands());
        if let Some(condition) = before.terminator() {
            self.union_pairs(after.arguments(), condition.operands().skip(1));
            self.union_pairs(op.results(), condition.operands().skip(1));
        }
        if let Some(end) = after.terminator() {
            self.union_pairs(before.arguments(), end.operands());
        }
    }

    /// Where the results of an op are from.
    fn trace(&mut self, op: Op) {
        let is_collective = Collective::new(op).is_some() || is_wait(op);
        let allocated = allocated(op);
        let mut operands = op.operands().filter(|operand| operand.ty().is_buffer());
        let source = match (operands.next(), operands.next()) {
            (Some(only), None) if op.num_regions() == 0 => self.numbers.get(&id(only)).copied(),
            _ => None,
        };
        for result in op.results() {
            let Some(&number) = self.numbers.get(&id(result)) else {
                continue;
            };
            self.origins[number] = if is_collective || allocated.contains(&id(result)) {
                Some(number)
            } else {
                source.and_then(|source| self.origins[source])
            };
        }
    }

    /// Any result may be a view of any operand, unless the op allocates it; so may arguments of its regions.
    fn connect_all(&mut self, op: Op) {
        let allocated = allocated(op);
        let made: Vec<Value> = op
            .results()
            .filter(|&result| !allocated.contains(&id(result)))
            .chain(op.blocks().flat_map(Block::arguments))
            .filter(|value| value.ty().is_buffer())
            .collect();
        if let Some(&first) = made.first() {
            for other in op.operands().chain(made) {
                self.union(first, other);
            }
        }
    }
}

/// Identities of the results that an op allocates.
fn allocated(op: Op) -> Vec<usize> {
    op.value_effects()
        .into_iter()
        .filter(|(bit, _)| bit & effect::ALLOCATE != 0)
        .filter_map(|(_, value)| value.map(id))
        .collect()
}

/// Identity of a value.
fn id(value: Value) -> usize {
    value.raw().ptr as usize
}
