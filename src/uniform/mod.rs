// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which values are the same on all devices.
//!
//! *Uniform* are constants, function arguments marked `comm.uniform`, what an all-gather, all-reduce or broadcast over
//! one group of all devices yields, what pure ops compute from uniform values, and what regions, loops and branches make
//! of them where their conditions are uniform too. Arguments of private functions are uniform where every call passes
//! uniform values. Every other value is *divergent*: it may differ between devices. "All devices" are those that the
//! analysed op speaks of: no other device takes part in its collectives, so none can be left waiting.
//!
//! The analysis is optimistic: it takes all values for uniform and withdraws that until nothing changes, so values carried
//! by loops are found. One round over a function costs O(its ops), and the number of rounds is bounded by the nesting of its
//! loops; where one changes anything, the functions that it calls or that call it get another (a worklist, as in Kildall,
//! "A Unified Approach to Global Program Optimization"), so a chain of calls costs O(ops) whatever its length. Arguments
//! of blocks between a divergent branch and the block where its paths meet are divergent, and so are that block's.

mod calls;
mod devices;

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet, VecDeque};

use crate::{
    collective::{Collective, is_wait},
    control::{Control, between, branch_condition, joins, successor_operands},
    mlir::{Attr, Block, Op, Value},
    op_facts::is_pure,
};
use calls::{Calls, Units};
use devices::Devices;

/// Ops without operands that yield the same on every device. Others without operands (positions of a process or of a
/// thread, for the most part) may not.
const UNIFORM_SOURCES: &[&str] = &[
    "arith.constant",
    "complex.constant",
    "func.constant",
    "index.constant",
    "stablehlo.constant",
    "stablehlo.iota",
    "tensor.empty",
    "torch.constant.bool",
    "torch.constant.float",
    "torch.constant.int",
    "torch.constant.none",
];

/// Dialects whose pure ops may ask for this thread or process.
const DEVICE_DIALECTS: &[&str] = &["gpu.", "mpi.", "nvvm.", "rocdl.", "shard.", "spirv.", "xegpu."];

/// Tells of an op in `function` whether devices may differ in what they run in its regions. Few functions have control flow,
/// and the analysis costs about as much as a sort, so it runs when it is first needed.
pub(crate) fn divergence(function: Op) -> impl Fn(Op) -> bool {
    let uniformity = LazyCell::new(move || Uniformity::of(function));
    let directs = move |op: Op| Control::directs(op) && uniformity.is_divergent_control_flow(op);
    move |op| op.num_regions() > 0 && op.walk().into_iter().any(&directs)
}

/// How many devices an op speaks of with all that is nested in it; see [`Uniformity::devices`]. O(ops).
pub(crate) fn device_count(root: Op) -> usize {
    Devices::of(&root.walk()).count
}

/// The analysis of an op with all that is nested in it.
pub(crate) struct Uniformity {
    divergent: HashSet<Value>,
    devices: usize,
}

impl Uniformity {
    /// Whether a value is the same on all devices.
    pub(crate) fn is_uniform(&self, value: Value) -> bool {
        !self.divergent.contains(&value)
    }

    /// Analyses a function or a module. Callees are looked into where they are inside `root`.
    pub(crate) fn of(root: Op) -> Self {
        let ops = root.walk();
        let devices = Devices::of(&ops);
        let mut analysis = Self {
            divergent: HashSet::new(),
            devices: devices.count,
        };
        if devices.count <= 1 {
            return analysis;
        }
        let calls = Calls::of(&ops);
        let units = Units::of(&ops, &calls);
        let mut pending: VecDeque<usize> = (0..units.ops.len()).collect();
        let mut is_pending = vec![true; units.ops.len()];
        while let Some(unit) = pending.pop_front() {
            is_pending[unit] = false;
            if !analysis.settle(&units.ops[unit], &calls, &devices) {
                continue;
            }
            for &neighbour in &units.neighbours[unit] {
                if !std::mem::replace(&mut is_pending[neighbour], true) {
                    pending.push_back(neighbour);
                }
            }
        }
        analysis
    }

    /// Visits ops until nothing changes. Says whether anything did.
    fn settle(&mut self, ops: &[Op], calls: &Calls, devices: &Devices) -> bool {
        let first = self.divergent.len();
        loop {
            let before = self.divergent.len();
            for &op in ops {
                self.visit(op, calls, devices);
            }
            if self.divergent.len() == before {
                return before > first;
            }
        }
    }

    /// How many devices the analysed op speaks of: the largest rank that it names and one, or the devices of its largest
    /// mesh; at least 1.
    pub(crate) fn devices(&self) -> usize {
        self.devices
    }

    /// Whether an op directs control by a value that may differ between devices, so that they may run its regions
    /// unequally often.
    pub(crate) fn is_divergent_control_flow(&self, op: Op) -> bool {
        if op.num_regions() == 0 {
            return false;
        }
        match Control::of(op) {
            Control::Branch(branch) => !self.is_uniform(branch.condition),
            Control::For {
                lower, upper, step, ..
            } => self.any_divergent([lower, upper, step]),
            Control::While(parts) => !self.is_uniform(parts.condition),
            Control::Affine | Control::Unordered => self.any_divergent(op.operands()),
            Control::Once | Control::Unknown => false,
        }
    }

    fn any_divergent(&self, values: impl IntoIterator<Item = Value>) -> bool {
        values.into_iter().any(|value| !self.is_uniform(value))
    }

    fn mark(&mut self, values: impl IntoIterator<Item = Value>) {
        self.divergent.extend(values);
    }

    /// Marks `to[i]` where `from[i]` is divergent, or wherever `all` says so or `from` has no such entry.
    fn flow(&mut self, from: &[Value], to: impl IntoIterator<Item = Value>, all: bool) {
        for (index, value) in to.into_iter().enumerate() {
            if all || from.get(index).is_none_or(|&source| !self.is_uniform(source)) {
                self.divergent.insert(value);
            }
        }
    }

    /// Withdraws what an op makes divergent.
    fn visit(&mut self, op: Op, calls: &Calls, devices: &Devices) {
        for index in 0..op.num_regions() {
            self.visit_blocks(op.region(index));
        }
        if op.name() == "func.func" {
            return self.visit_function(op, calls);
        }
        if op.num_regions() > 0 {
            return self.visit_regions(op);
        }
        if op.name() == "func.call" {
            return match calls.callee(op) {
                Some(callee) => self.flow_from_ends(&callee.region(0).collect::<Vec<_>>(), op),
                None => self.mark(op.results()),
            };
        }
        if Collective::new(op).is_some() {
            if !devices.equalizes(op) {
                self.mark(op.results());
            }
            return;
        }
        if is_wait(op) {
            return self.flow_all(op, |op| vec![op.operand(0)]);
        }
        let named = |list: &[&str]| list.contains(&op.name());
        // A custom call may ask too, or cut this device's shard out of what all have.
        let may_ask = op.name() == "stablehlo.custom_call"
            || DEVICE_DIALECTS.iter().any(|prefix| op.name().starts_with(prefix));
        if may_ask || !is_pure(op) || (op.num_operands() == 0 && !named(UNIFORM_SOURCES)) {
            return self.mark(op.results());
        }
        self.flow_all(op, |op| op.operands().collect());
    }

    /// Marks all results where one of the sources is divergent.
    fn flow_all(&mut self, op: Op, sources: impl FnOnce(Op) -> Vec<Value>) {
        if self.any_divergent(sources(op)) {
            self.mark(op.results());
        }
    }

    fn visit_function(&mut self, function: Op, calls: &Calls) {
        let Some(entry) = function.region(0).next() else {
            return;
        };
        let attributes = function
            .attr("arg_attrs")
            .and_then(Attr::as_array)
            .unwrap_or_default();
        let is_marked = |index: usize| {
            attributes
                .get(index)
                .and_then(|attrs| attrs.entry("comm.uniform"))
                .is_some()
        };
        let callers = calls.all_callers(function);
        for (index, argument) in entry.arguments().enumerate() {
            let uniform = is_marked(index)
                || callers.is_some_and(|calls| {
                    calls
                        .iter()
                        .all(|call| index < call.num_operands() && self.is_uniform(call.operand(index)))
                });
            if !uniform {
                self.divergent.insert(argument);
            }
        }
    }

    /// Blocks that only some devices may run, or unequally often, and blocks where such paths meet.
    fn divergent_blocks(&self, blocks: &[Block]) -> (HashSet<Block>, HashSet<Block>) {
        let (mut inside, mut meeting) = (HashSet::new(), HashSet::new());
        let branches: Vec<(Block, Op)> = blocks
            .iter()
            .filter_map(|&block| Some((block, block.terminator()?)))
            .filter(|(_, terminator)| {
                terminator.successors().nth(1).is_some()
                    && match branch_condition(*terminator) {
                        Some(condition) => !self.is_uniform(condition),
                        None => self.any_divergent(terminator.operands()),
                    }
            })
            .collect();
        if branches.is_empty() {
            return (inside, meeting);
        }
        let joins = joins(blocks);
        // Together where they meet: of many early exits each would reach nearly all blocks.
        let mut by_join: HashMap<Option<Block>, Vec<Op>> = HashMap::new();
        for (block, terminator) in branches {
            by_join
                .entry(joins.get(&block).copied())
                .or_default()
                .push(terminator);
        }
        for (join, branches) in by_join {
            inside.extend(between(&branches, join));
            meeting.extend(join);
        }
        (inside, meeting)
    }

    /// Block arguments of a region of several blocks, from what branches pass.
    fn visit_blocks(&mut self, blocks: impl Iterator<Item = Block>) {
        let blocks: Vec<Block> = blocks.collect();
        if blocks.len() < 2 {
            return;
        }
        let (inside, meeting) = self.divergent_blocks(&blocks);
        for terminator in blocks.iter().filter_map(|block| block.terminator()) {
            let passed = successor_operands(terminator).unwrap_or_default();
            for (index, successor) in terminator.successors().enumerate() {
                let values = passed.get(index).map(Vec::as_slice).unwrap_or_default();
                let divergent = inside.contains(&successor) || meeting.contains(&successor);
                self.flow(values, successor.arguments(), divergent);
            }
        }
    }

    /// What the ends of a region hand to the results of an op.
    fn flow_from_ends(&mut self, blocks: &[Block], op: Op) {
        let inside = self.divergent_blocks(blocks).0;
        let ends: Vec<(Block, Op)> = blocks
            .iter()
            .filter_map(|&block| Some((block, block.terminator()?)))
            .filter(|(_, terminator)| terminator.successors().next().is_none())
            .collect();
        if ends.is_empty() {
            return self.mark(op.results());
        }
        for (block, terminator) in ends {
            let values: Vec<Value> = terminator.operands().collect();
            self.flow(&values, op.results(), inside.contains(&block));
        }
    }

    fn visit_regions(&mut self, op: Op) {
        let yielded = |block: Block| -> Vec<Value> {
            block
                .terminator()
                .map(|terminator| terminator.operands().collect())
                .unwrap_or_default()
        };
        match Control::of(op) {
            Control::Branch(branch) => {
                let divergent = !self.is_uniform(branch.condition);
                for block in op.blocks() {
                    self.flow(&yielded(block), op.results(), divergent);
                }
            }
            Control::For {
                lower,
                upper,
                step,
                body,
            } => {
                let divergent = self.any_divergent([lower, upper, step]);
                if divergent {
                    self.mark(body.arguments());
                }
                let initial: Vec<Value> = op.operands().skip(3).collect();
                for values in [initial, yielded(body)] {
                    self.flow(&values, body.arguments().skip(1), divergent);
                    self.flow(&values, op.results(), divergent);
                }
            }
            Control::While(parts) => {
                let divergent = !self.is_uniform(parts.condition);
                let initial: Vec<Value> = op.operands().collect();
                self.flow(&initial, parts.before.arguments(), divergent);
                self.flow(&parts.next, parts.before.arguments(), divergent);
                self.flow(&parts.forwarded, parts.body.arguments(), divergent);
                self.flow(&parts.forwarded, op.results(), divergent);
            }
            Control::Once => {
                let blocks: Vec<Block> = op.blocks().collect();
                if let Some(entry) = blocks.first() {
                    // Shards of the operands, where there are arguments at all.
                    self.mark(entry.arguments());
                }
                self.flow_from_ends(&blocks, op);
            }
            Control::Affine | Control::Unordered | Control::Unknown => self.visit_opaque_regions(op),
        }
    }

    /// An op whose regions run nobody here knows how: all or nothing.
    fn visit_opaque_regions(&mut self, op: Op) {
        if op.num_results() == 0 && op.blocks().all(|block| block.arguments().len() == 0) {
            // Nothing to mark: a module, for one.
            return;
        }
        let known = matches!(Control::of(op), Control::Affine | Control::Unordered);
        let nested = op.walk();
        let divergent =
            !(known || is_pure(op)) || nested.iter().any(|inner| self.any_divergent(inner.operands()));
        if divergent {
            self.mark(op.results());
            for block in op.blocks() {
                self.mark(block.arguments());
            }
        }
    }
}
