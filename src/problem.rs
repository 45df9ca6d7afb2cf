// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From a block to a dependence problem of the scheduler, and back from an order to moves.
//!
//! Nodes are the block's ops in their order; a value from outside the block (an argument, a value of an enclosing region)
//! is no node, so what is computed from such values alone has no dependences. Uses in nested regions count as uses by
//! the op that holds the region.
//!
//! Order-only dependences are made here for what SSA form does not show: fences (see [`op_facts::is_fence`]) against
//! all communication, and the order among all-to-all, permute and broadcast. Memory effects need none, since the ops
//! that have them keep their order as anchors, and those that write are fences.
//!
//! A start whose wait is in another block, and such a wait, stay where they are: they are computation here.
//!
//! Building costs O(ops + operands) including nested ones.

use std::collections::HashMap;

use comm_schedule::{Class, Collective as Kind, Node, NodeId, Problem};

use crate::{
    collective::{self, Collective, is_wait},
    groups::Streams,
    mlir::{Block, Op, PassResult},
    op_facts::{self, Work},
};

/// A block and its problem: node `i` is op `i`.
pub(crate) struct BlockProblem {
    pub(crate) problem: Problem,
    pub(crate) ops: Vec<Op>,
}

impl BlockProblem {
    /// The problem of a block. Fails, after an error at the op, where the groups of a collective cannot be resolved.
    /// `is_divergent` tells of control flow whether its condition may differ between devices.
    pub(crate) fn new(
        block: Block,
        streams: &mut Streams,
        is_divergent: impl Fn(Op) -> bool,
    ) -> PassResult<Self> {
        let ops: Vec<Op> = block.ops().collect();
        let mut builder = Builder {
            ids: ops
                .iter()
                .enumerate()
                .map(|(index, op)| (*op, NodeId(index as u32)))
                .collect(),
            problem: Problem::with_capacity(ops.len(), 2 * ops.len()),
            streams,
            fences: Fences::default(),
            last_other: None,
            deps: Vec::new(),
            after: Vec::new(),
        };
        for &op in &ops {
            builder.push(op, &is_divergent)?;
        }
        Ok(Self {
            problem: builder.problem,
            ops,
        })
    }

    /// Puts the ops into an order. Ops that are where they belong are not touched. O(ops).
    pub(crate) fn apply(&self, order: &[NodeId]) {
        let mut cursor = self.ops.first().copied();
        for id in order {
            let op = self.ops[id.index()];
            match cursor {
                Some(at) if at == op => cursor = op.next(),
                Some(at) => op.move_before(at),
                None => {}
            }
        }
    }
}

/// Communication since the last fence.
#[derive(Default)]
struct Fences {
    last: Option<NodeId>,
    since: Vec<NodeId>,
}

struct Builder<'s> {
    ids: HashMap<Op, NodeId>,
    problem: Problem,
    streams: &'s mut Streams,
    fences: Fences,
    last_other: Option<NodeId>,
    deps: Vec<NodeId>,
    after: Vec<NodeId>,
}

impl Builder<'_> {
    fn push(&mut self, op: Op, is_divergent: &impl Fn(Op) -> bool) -> PassResult {
        self.collect_deps(op);
        self.after.clear();
        let id = NodeId(self.problem.len() as u32);
        let bytes = op
            .results()
            .map(|result| result.ty().bytes())
            .fold(0, u64::saturating_add);
        let start = self.start_of(op);
        let mut node = if let Some(start) = start {
            Node::wait(start)
        } else if let Some((collective, kind)) = self.movable_collective(op) {
            let stream = self.problem.stream(self.streams.name(collective)?);
            if kind.class() == Class::Other
                && let Some(last) = self.last_other.replace(id)
            {
                self.after.push(last);
            }
            if collective.is_async() {
                Node::start(kind, stream)
            } else {
                Node::blocking(kind, stream)
            }
        } else {
            self.computation(op, is_divergent)
        };
        let communicates = start.is_some() || Collective::new(op).is_some() || is_wait(op);
        if node.fence {
            self.after.append(&mut self.fences.since);
            self.fences.last = Some(id);
        } else if communicates {
            self.after.extend(self.fences.last);
            self.fences.since.push(id);
        }
        if !matches!(node.kind, comm_schedule::Kind::Wait | comm_schedule::Kind::View) {
            node = node.bytes(bytes);
        }
        self.problem.push(node.deps(&self.deps).after(&self.after));
        Ok(())
    }

    /// Nodes whose values the op or an op in it uses, in order of the text.
    fn collect_deps(&mut self, op: Op) {
        self.deps.clear();
        let mut add = |op: Op| {
            self.deps.extend(
                op.operands()
                    .filter_map(|operand| operand.defining_op())
                    .filter_map(|op| self.ids.get(&op)),
            );
        };
        if op.num_regions() == 0 {
            add(op);
        } else {
            op.walk().into_iter().for_each(&mut add);
        }
    }

    /// The start in this block that the op waits for.
    fn start_of(&self, op: Op) -> Option<NodeId> {
        if !is_wait(op) {
            return None;
        }
        self.ids.get(&op.operand(0).defining_op()?).copied()
    }

    /// The op as a collective that may move: one whose wait, if it has any, is in this block.
    fn movable_collective(&self, op: Op) -> Option<(Collective, Kind)> {
        let collective = Collective::new(op)?;
        if collective
            .wait()
            .is_some_and(|wait| !self.ids.contains_key(&wait))
        {
            return None;
        }
        Some((
            collective,
            match collective.kind {
                collective::Kind::AllGather => Kind::AllGather,
                collective::Kind::ReduceScatter => Kind::ReduceScatter,
                collective::Kind::AllReduce => Kind::AllReduce,
                collective::Kind::AllToAll => Kind::AllToAll,
                collective::Kind::Permute => Kind::Permute,
                collective::Kind::Broadcast => Kind::Broadcast,
            },
        ))
    }

    fn computation(&self, op: Op, is_divergent: &impl Fn(Op) -> bool) -> Node<'static> {
        if op_facts::is_fence(op) || is_divergent(op) {
            return Node::compute().fence(true);
        }
        match op_facts::work(op) {
            _ if !op_facts::is_pure(op) => Node::compute(),
            Work::View => Node::view(),
            Work::Cheap => Node::compute().cheap(true),
            Work::Real => Node::compute(),
        }
    }
}
