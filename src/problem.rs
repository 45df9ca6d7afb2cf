// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From a block to a dependence problem of the scheduler, and back from an order to moves.
//!
//! Nodes are the values that the block takes from outside (its arguments, values of enclosing regions), in the order of
//! their first use, then the block's ops in their order. Without the former, computation of arguments would look like a
//! constant, and two collectives that nobody awaits could not be told apart by what they read. Uses in nested regions
//! count as uses by the op that holds the region.
//!
//! Order-only dependences are made here for what SSA form does not show: fences (see [`op_facts::is_fence`]) against
//! all communication, and the order among all-to-all, permute and broadcast. Where computation keeps its order
//! ([`Movable::Communication`]), memory effects need none, since the ops that have them are part of it, and those that
//! write are fences. Where all ops may move ([`Movable::All`]), fences also keep their order among each other and
//! against every op that is not known to be pure; such ops (they read or allocate) commute with each other and with
//! communication; and the terminator follows what nobody else follows. No pair of these needs an edge of its own: every op
//! has one to the last fence, and a fence has one to each op since the last, so there are at most two an op.
//!
//! A start whose wait is in another block, and such a wait, are computation here, and the start keeps its order among
//! all-to-all, permute and broadcast. Where all ops may move, values that another block of the region uses are live out. A
//! block that uses values before it defines them (a graph region, an unreachable block) has no problem.
//!
//! Building costs O(ops + operands) including nested ones.

use std::{
    collections::hash_map::Entry,
    hash::{Hash, Hasher},
};

use comm_schedule::{Class, Node, NodeId, Problem};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::{
    collective::{Collective, is_wait},
    fingerprint,
    groups::Streams,
    mlir::{Block, Op, PassResult, Ty, Value},
    op_facts::{self, Interference, Work},
};

/// What may move in a problem.
pub(crate) enum Movable<'a> {
    /// Communication, with the views and cheap ops that serve it. Computation keeps its order, and nothing has a duration.
    Communication,
    /// All ops. The function tells how long an op takes, in nanoseconds; it is not asked about waits, views and
    /// terminators, which take no time. Where it fails, it has emitted an error.
    All(&'a mut dyn FnMut(Op) -> PassResult<u64>),
}

/// A block and its problem. The values from outside are the first nodes, the ops the rest.
pub(crate) struct BlockProblem {
    pub(crate) block: Block,
    pub(crate) problem: Problem,
    pub(crate) ops: Vec<Op>,
    outside: usize,
}

impl BlockProblem {
    /// The problem of a block; nothing where it uses values before it defines them. Fails, after an error at the op, where
    /// the groups of a collective cannot be resolved. `is_divergent` tells of an op with regions whether devices may differ in
    /// what they run in it.
    pub(crate) fn new(
        block: Block,
        streams: &mut Streams,
        is_divergent: impl Fn(Op) -> bool,
        movable: Movable<'_>,
    ) -> PassResult<Option<Self>> {
        let ops: Vec<Op> = block.ops().collect();
        let terminator = match movable {
            Movable::Communication => None,
            Movable::All(_) => block.terminator(),
        };
        let mut builder = Builder {
            block,
            ids: FxHashMap::with_capacity_and_hasher(ops.len(), Default::default()),
            outside: FxHashMap::default(),
            is_inside: FxHashMap::default(),
            problem: Problem::with_capacity(ops.len(), 2 * ops.len()),
            streams,
            movable,
            terminator,
            fences: Fences::default(),
            last_other: None,
            is_followed: Vec::new(),
            deps: Vec::new(),
            after: Vec::new(),
            bytes: FxHashMap::default(),
            uses_before_definition: false,
        };
        for &op in &ops {
            builder.push_outside_values(op);
        }
        let outside = builder.problem.len();
        builder.ids.extend(
            ops.iter()
                .enumerate()
                .map(|(index, op)| (*op, NodeId((outside + index) as u32))),
        );
        for &op in &ops {
            builder.push(op, &is_divergent)?;
        }
        if builder.uses_before_definition {
            return Ok(None);
        }
        if matches!(builder.movable, Movable::All(_)) {
            builder.push_live_out(&ops);
        }
        let mut problem = builder.problem;
        for op in unneeded(&ops) {
            problem.set_key(NodeId((outside + op) as u32), fingerprint::of(ops[op])?);
        }
        Ok(Some(Self {
            block,
            problem,
            ops,
            outside,
        }))
    }

    /// The node that stands for an op of the block, by the op's position when the problem was made.
    pub(crate) fn node_at(&self, position: usize) -> NodeId {
        NodeId((self.outside + position) as u32)
    }

    /// The op that a node stands for; nothing for a value from outside.
    pub(crate) fn op(&self, id: NodeId) -> Option<Op> {
        self.ops.get(id.index().checked_sub(self.outside)?).copied()
    }

    /// Puts the ops into an order. Ops that are where they belong are not touched. O(ops).
    pub(crate) fn apply(&self, order: &[NodeId]) {
        arrange(self.block, order.iter().filter_map(|id| self.op(*id)));
    }

    /// Puts the ops back where they were when the problem was made.
    pub(crate) fn restore(&self) {
        arrange(self.block, self.ops.iter().copied());
    }
}

/// Puts the ops of a block into an order that names them all. Ops that are where they belong are not touched. O(ops).
pub(crate) fn arrange(block: Block, order: impl Iterator<Item = Op>) {
    let mut cursor = block.first_op();
    for op in order {
        match cursor {
            Some(at) if at == op => cursor = op.next(),
            Some(at) => op.move_before(at),
            None => {}
        }
    }
}

/// What a fence keeps its order with, since the last fence.
#[derive(Default)]
struct Fences {
    last: Option<NodeId>,
    since: Vec<NodeId>,
}

struct Builder<'s, 'm> {
    block: Block,
    ids: FxHashMap<Op, NodeId>,
    outside: FxHashMap<Value, NodeId>,
    /// Whether a block is this one or nested in it.
    is_inside: FxHashMap<Block, bool>,
    problem: Problem,
    streams: &'s mut Streams,
    movable: Movable<'m>,
    /// The op that stays last, where all others may move.
    terminator: Option<Op>,
    fences: Fences,
    last_other: Option<NodeId>,
    /// Of each node whether another depends on it. Kept only where there is a terminator to follow the rest.
    is_followed: Vec<bool>,
    deps: Vec<NodeId>,
    after: Vec<NodeId>,
    /// Sizes by the identity of types.
    bytes: FxHashMap<usize, u64>,
    uses_before_definition: bool,
}

/// More than any device has; what is larger counts as this, so that sums stay in range.
pub(crate) const MOST_BYTES: u64 = 1 << 40;

/// More than any step takes (twelve days); what is longer counts as this, as above.
pub(crate) const MOST_NANOSECONDS: u64 = 1 << 50;

impl Builder<'_, '_> {
    fn push(&mut self, op: Op, is_divergent: &impl Fn(Op) -> bool) -> PassResult {
        self.collect_deps(op);
        self.after.clear();
        let id = NodeId(self.problem.len() as u32);
        let bytes = op
            .results()
            .map(|result| self.bytes_of(result.ty()))
            .fold(0, u64::saturating_add);
        let start = self.start_of(op);
        let mut interference = Interference::Some;
        let mut node = if let Some(start) = start {
            Node::wait(start)
        } else if let Some(collective) = self.movable_collective(op) {
            let kind = collective.kind;
            let stream = self.problem.stream(self.streams.name(collective)?);
            self.keep_order_of_others(kind, id);
            if collective.is_async() {
                Node::start(kind, stream)
            } else {
                Node::blocking(kind, stream)
            }
        } else {
            if let Some(collective) = Collective::new(op) {
                // One that is awaited in another block: where computation keeps its order, this one does too, but others of its
                // class that are awaited here would move past it.
                self.keep_order_of_others(collective.kind, id);
            }
            interference = op_facts::interference(op);
            computation(op, interference, is_divergent)
        };
        self.order_with_fences(id, &node, interference, op);
        if !matches!(node.kind, comm_schedule::Kind::Wait | comm_schedule::Kind::View) {
            node = node.bytes(bytes.min(MOST_BYTES));
            if let Movable::All(duration) = &mut self.movable
                && self.terminator != Some(op)
            {
                node = node.ns(duration(op)?.min(MOST_NANOSECONDS));
            }
        }
        if self.terminator.is_some() {
            self.is_followed.resize(id.index() + 1, false);
            for &dep in self.deps.iter().chain(&self.after) {
                self.is_followed[dep.index()] = true;
            }
        }
        if self.terminator == Some(op) {
            // It follows every node that no other follows, and so all.
            let rest = self.is_followed[..id.index()].iter().enumerate();
            let rest = rest.filter(|(_, followed)| !**followed);
            self.after.extend(rest.map(|(index, _)| NodeId(index as u32)));
        }
        self.problem.push(node.deps(&self.deps).after(&self.after));
        Ok(())
    }

    /// Size of a value of this type. Blocks have few types and many values.
    fn bytes_of(&mut self, ty: Ty) -> u64 {
        *self.bytes.entry(ty.id()).or_insert_with(|| ty.bytes())
    }

    /// All-to-alls, permutes and broadcasts keep their order.
    fn keep_order_of_others(&mut self, kind: comm_schedule::Collective, id: NodeId) {
        if kind.class() == Class::Other
            && let Some(last) = self.last_other.replace(id)
        {
            self.after.push(last);
        }
    }

    /// Order-only dependences on and of fences.
    fn order_with_fences(&mut self, id: NodeId, node: &Node, interference: Interference, op: Op) {
        let moves_all = matches!(self.movable, Movable::All(_));
        if node.fence {
            if moves_all && self.fences.since.is_empty() {
                self.after.extend(self.fences.last);
            }
            self.after.append(&mut self.fences.since);
            self.fences.last = Some(id);
        } else if interference == Interference::Some
            && (moves_all || Collective::new(op).is_some() || is_wait(op))
        {
            self.after.extend(self.fences.last);
            self.fences.since.push(id);
        }
    }

    /// Makes nodes of what the op, or an op in it, takes from outside the block.
    fn push_outside_values(&mut self, op: Op) {
        for_each_operand(op, |value| {
            if !self.is_from_inside(value)
                && let Entry::Vacant(entry) = self.outside.entry(value)
            {
                entry.insert(NodeId(self.problem.len() as u32));
                self.problem
                    .push(Node::arg().bytes(value.ty().bytes().min(MOST_BYTES)));
            }
        });
    }

    /// Whether a value is defined in the block or in an op of it.
    fn is_from_inside(&mut self, value: Value) -> bool {
        let (definition, is_argument) = match value.defining_op() {
            Some(op) => (op.parent_block(), false),
            None => (value.argument_of(), true),
        };
        let Some(definition) = definition else {
            return false;
        };
        if definition == self.block {
            return !is_argument;
        }
        self.is_block_inside(definition)
    }

    /// Whether another block than this one is nested in it.
    fn is_block_inside(&mut self, other: Block) -> bool {
        if let Some(&known) = self.is_inside.get(&other) {
            return known;
        }
        // Every block on the way out is answered at once, so that all blocks together cost one walk.
        let mut way = Vec::new();
        let mut at = Some(other);
        let inside = loop {
            let Some(block) = at else { break false };
            if block == self.block {
                break true;
            }
            if let Some(&known) = self.is_inside.get(&block) {
                break known;
            }
            way.push(block);
            at = block.parent_op().and_then(Op::parent_block);
        };
        self.is_inside
            .extend(way.into_iter().map(|block| (block, inside)));
        inside
    }

    /// Marks what other blocks of the region use, in an order that does not depend on that of the ops unless two are computed
    /// alike: the scheduler takes the order for a property of the program.
    fn push_live_out(&mut self, ops: &[Op]) {
        let region = self.block.region_id();
        let blocks = self.block.parent_op().into_iter().flat_map(Op::blocks);
        if blocks
            .filter(|block| block.region_id() == region)
            .nth(1)
            .is_none()
        {
            return;
        }
        let mut numbers: FxHashMap<Value, u64> = FxHashMap::default();
        let mut live_out = Vec::new();
        for &op in ops {
            let mut hasher = FxHasher::default();
            op.name().hash(&mut hasher);
            for_each_operand(op, |value| {
                let from_outside = || value.index() as u64;
                numbers
                    .get(&value)
                    .copied()
                    .unwrap_or_else(from_outside)
                    .hash(&mut hasher);
            });
            let number = hasher.finish();
            let mut is_used_outside = false;
            for result in op.results() {
                numbers.insert(result, number.wrapping_add(1 + result.index() as u64));
                is_used_outside |= result.uses().any(|user| !self.is_op_inside(user.op()));
            }
            if is_used_outside {
                live_out.push((number, self.ids[&op]));
            }
        }
        live_out.sort_unstable();
        for (_, id) in live_out {
            self.problem.push_live_out(id);
        }
    }

    /// Whether an op is in the block or in an op of it.
    fn is_op_inside(&mut self, op: Op) -> bool {
        op.parent_block()
            .is_some_and(|block| block == self.block || self.is_block_inside(block))
    }

    /// Nodes whose values the op or an op in it uses, in order of the text.
    fn collect_deps(&mut self, op: Op) {
        self.deps.clear();
        let own = self.problem.len();
        for_each_operand(op, |value| {
            let id = match value.defining_op() {
                Some(op) => self.ids.get(&op).or_else(|| self.outside.get(&value)),
                None => self.outside.get(&value),
            };
            self.uses_before_definition |= id.is_some_and(|id| id.index() >= own);
            self.deps.extend(id.filter(|id| id.index() < own));
        });
    }

    /// The start in this block that the op waits for.
    fn start_of(&self, op: Op) -> Option<NodeId> {
        if !is_wait(op) {
            return None;
        }
        self.ids.get(&op.operand(0).defining_op()?).copied()
    }

    /// The op as a collective that may move: one whose wait, if it has any, is in this block.
    fn movable_collective(&self, op: Op) -> Option<Collective> {
        let collective = Collective::new(op)?;
        let awaited_elsewhere = collective
            .wait()
            .is_some_and(|wait| !self.ids.contains_key(&wait));
        (!awaited_elsewhere).then_some(collective)
    }
}

/// An op that is no collective that may move, and no wait for one.
fn computation(op: Op, interference: Interference, is_divergent: &impl Fn(Op) -> bool) -> Node<'static> {
    if interference == Interference::Fence || is_divergent(op) {
        return Node::compute().fence(true);
    }
    // An op that MLIR does not know may be what ends the block.
    if interference == Interference::Some || op.next().is_none() && !op.is_registered() {
        return Node::compute();
    }
    match op_facts::work(op) {
        Work::View => Node::view(),
        Work::Cheap => Node::compute().cheap(true),
        Work::Real => Node::compute(),
    }
}

/// Positions of ops whose results nobody needs, directly or through other such ops. Nothing but what they are orders
/// them, so they are the ones that must be told apart.
fn unneeded(ops: &[Op]) -> Vec<usize> {
    let mut found = FxHashSet::default();
    let mut positions = Vec::new();
    for (position, &op) in ops.iter().enumerate().rev() {
        if op.num_results() > 0 && op.num_regions() == 0 && op.uses().all(|user| found.contains(&user.op())) {
            found.insert(op);
            positions.push(position);
        }
    }
    positions
}

/// Operands of an op and of all ops in it, in order of the text.
pub(crate) fn for_each_operand(op: Op, mut visit: impl FnMut(Value)) {
    if op.num_regions() == 0 {
        op.operands().for_each(visit);
    } else {
        op.walk()
            .into_iter()
            .for_each(|op| op.operands().for_each(&mut visit));
    }
}
