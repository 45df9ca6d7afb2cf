// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What each node is to the sort: an anchor, communication to be placed, or something that moves along with it.
//!
//! *Private chains* are the cheap nodes that dress the operand or the result of a collective:
//! - before a reduction: cheap nodes all of whose uses end, through views and nodes of the chain, in that reduction;
//! - before a gather: the same, when the value derives from arguments and constants alone. (Casting a shard before it
//!   is gathered is usual in mixed precision. Were the cast an anchor, its place in the source would hold the gather
//!   below the computation before it.)
//! - after gathers: cheap nodes that read nothing but results of gathers, nodes of such chains, views, and values that
//!   derive from arguments and constants through cheap nodes. They may have any number of users: if one more user of
//!   a converted weight made the convert an anchor, a convert that stands early in the source would drag its gather
//!   to the front. For the same reason packing the results of several gathers is part of their chains.
//!
//! A view that nobody uses ends in no collective, so it makes what it views public. What is marked live out is public.
//!
//! A wait of a reduction or of another collective is *free* when all its uses, through views, are operands of
//! collectives: it orders streams among each other and does not stop computation.
//!
//! Nothing here depends on the source order of nodes that are no anchors. Two passes over the nodes, O(n + e).

use super::options::{AllGather, ReduceScatter, SortOptions};
use crate::graph::DependenceGraph;
use crate::in_flight::{shard_values, slot_gathers};
use crate::node::{Class, Kind, NodeId};
use crate::problem::Problem;

/// What a node is to the sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// An argument: stands before everything else.
    Arg,
    /// Keeps its order relative to all other anchors.
    Anchor,
    /// A view, or a cheap node of a private chain: stands before its first user.
    Pure,
    /// The start of a gather that is placed.
    GatherStart,
    /// The wait of a gather that is placed.
    GatherWait,
    /// A blocking gather that is placed: it stands where its wait would.
    GatherBlocking,
    /// The start of a reduction or another collective that is placed.
    EarlyStart,
    /// A blocking reduction or other collective that is placed: it stands where its start would.
    EarlyBlocking,
    /// A wait that stands before the first anchor that needs it.
    LazyWait,
    /// A wait that orders streams alone and stands before its first user.
    FreeWait,
}

/// The roles of all nodes of a problem, and what follows from them.
#[derive(Debug)]
pub struct Classes {
    /// The role of each node.
    pub roles: Vec<Role>,
    /// Whether each node is the start of a gather that takes a slot.
    pub slots: Vec<bool>,
    /// The wait of each start.
    pub waits: Vec<Option<NodeId>>,
    /// All anchors in source order.
    pub anchors: Vec<NodeId>,
    /// The last anchor, when nothing has to follow it: what nobody needs stands before it.
    pub terminator: Option<NodeId>,
}

impl Classes {
    /// Classifies the nodes of a checked problem.
    pub fn new(problem: &Problem, graph: &DependenceGraph, options: &SortOptions) -> Self {
        let placed = |id: NodeId| match problem.class(id) {
            Some(Class::Gather) => options.all_gather != AllGather::Keep,
            Some(Class::Reduction) => options.reduce_scatter != ReduceScatter::Keep,
            Some(Class::Other) => true,
            None => false,
        };
        let before = operand_chains(problem, graph, &placed);
        let after = result_chains(problem, &placed);
        let feeds = uses_of_waits(problem, graph);
        let is_gather = |id| problem.class(id) == Some(Class::Gather);
        let role = |id: NodeId| {
            let start = problem.of(id).unwrap_or(id);
            match problem.kind(id) {
                Kind::Arg => Role::Arg,
                Kind::View => Role::Pure,
                Kind::Compute if before[id.index()] || after[id.index()] => Role::Pure,
                Kind::Compute => Role::Anchor,
                _ if !placed(start) => Role::Anchor,
                Kind::Start if is_gather(id) => Role::GatherStart,
                Kind::Blocking if is_gather(id) => Role::GatherBlocking,
                Kind::Wait if is_gather(start) => Role::GatherWait,
                Kind::Start => Role::EarlyStart,
                Kind::Blocking => Role::EarlyBlocking,
                Kind::Wait if feeds[id.index()] == Feeds::Collectives => Role::FreeWait,
                Kind::Wait => Role::LazyWait,
            }
        };
        let roles: Vec<Role> = problem.ids().map(role).collect();
        let anchors: Vec<NodeId> = problem
            .ids()
            .filter(|id| roles[id.index()] == Role::Anchor)
            .collect();
        let terminator = anchors.last().copied().filter(|&last| graph.is_sink(last));
        Classes {
            roles,
            slots: slot_gathers(problem),
            waits: problem.waits(),
            anchors,
            terminator,
        }
    }

    /// The role of a node.
    #[inline]
    pub fn role(&self, id: NodeId) -> Role {
        self.roles[id.index()]
    }
}

/// In which collective all uses of a value end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Unused,
    One(NodeId),
    Public,
}

impl Owner {
    fn join(self, other: Owner) -> Owner {
        match (self, other) {
            (Owner::Unused, owner) | (owner, Owner::Unused) => owner,
            (a, b) if a == b => a,
            _ => Owner::Public,
        }
    }
}

/// The cheap nodes that stand in a private chain before a reduction or a gather.
fn operand_chains(problem: &Problem, graph: &DependenceGraph, placed: &impl Fn(NodeId) -> bool) -> Vec<bool> {
    let shard = shard_values(problem);
    let mut owners = vec![Owner::Unused; problem.len()];
    for &id in problem.live_out() {
        owners[id.index()] = Owner::Public;
    }
    for id in problem.ids().rev() {
        let end_of_use = |user: NodeId| match problem.kind(user) {
            Kind::Start | Kind::Blocking if placed(user) && problem.class(user) != Some(Class::Other) => {
                Owner::One(user)
            }
            // A kept operand of the wait: the use is that of the start. The start itself has no owner to ask for.
            Kind::Wait if problem.of(user) != Some(id) => match problem.of(user) {
                Some(start) if placed(start) && problem.class(start) != Some(Class::Other) => {
                    Owner::One(start)
                }
                _ => Owner::Public,
            },
            Kind::View | Kind::Compute => owners[user.index()],
            _ => Owner::Public,
        };
        let owner = graph
            .readers(id)
            .map(end_of_use)
            .fold(owners[id.index()], Owner::join);
        let dresses = problem.kind(id) == Kind::View || problem.is_cheap(id);
        owners[id.index()] = match owner {
            Owner::One(start)
                if dresses && (problem.class(start) != Some(Class::Gather) || shard[id.index()]) =>
            {
                owner
            }
            _ => Owner::Public,
        };
    }
    problem
        .ids()
        .map(|id| problem.is_cheap(id) && owners[id.index()] != Owner::Public)
        .collect()
}

/// Where a value comes from, as far as chains behind gathers are concerned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Constant,
    Gathered,
    Computed,
}

/// The cheap nodes that stand in a chain after gathers.
fn result_chains(problem: &Problem, placed: &impl Fn(NodeId) -> bool) -> Vec<bool> {
    let gathers = |id: NodeId| placed(id) && problem.class(id) == Some(Class::Gather);
    let mut origins = vec![Origin::Computed; problem.len()];
    for id in problem.ids() {
        let deps = problem.deps(id);
        let joined = || {
            deps.iter()
                .map(|dep| origins[dep.index()])
                .max()
                .unwrap_or(Origin::Constant)
        };
        origins[id.index()] = match problem.kind(id) {
            Kind::Arg => Origin::Constant,
            Kind::View => joined(),
            Kind::Compute if problem.node(id).fence => Origin::Computed,
            Kind::Compute if deps.is_empty() => Origin::Constant,
            Kind::Compute if problem.is_cheap(id) => joined(),
            Kind::Blocking if gathers(id) => Origin::Gathered,
            Kind::Wait if problem.of(id).is_some_and(gathers) => Origin::Gathered,
            _ => Origin::Computed,
        };
    }
    problem
        .ids()
        .map(|id| problem.is_cheap(id) && origins[id.index()] == Origin::Gathered)
        .collect()
}

/// What reads a value, through views.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Feeds {
    Nothing,
    Collectives,
    Computation,
}

fn uses_of_waits(problem: &Problem, graph: &DependenceGraph) -> Vec<Feeds> {
    let mut feeds = vec![Feeds::Nothing; problem.len()];
    for &id in problem.live_out() {
        feeds[id.index()] = Feeds::Computation;
    }
    for id in problem.ids().rev() {
        let use_of = |user: NodeId| match problem.kind(user) {
            Kind::Start | Kind::Blocking => Feeds::Collectives,
            // Keeping an operand of a start alive is part of the use by the start.
            Kind::Wait => Feeds::Nothing,
            Kind::View => feeds[user.index()],
            _ => Feeds::Computation,
        };
        feeds[id.index()] = graph.readers(id).map(use_of).fold(feeds[id.index()], Feeds::max);
    }
    feeds
}
