// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A block as it would be with some of its pieces computed in other ways: an order, and a problem to time it by.
//!
//! Before: decisions name at most one way for each shape. After: each op of the block that is not replaced stands where it
//! stood, or later where it now needs something later; each op to be made stands where its value was computed, or before its
//! first user where the value is new; all dependences of the block hold, and what must come before or after a collective that is replaced comes before or after all collectives of
//! its piece. Where that is a circle there is no draft. Nothing in the IR is touched.
//!
//! All collectives are asynchronous in the problem, blocking ones too: what a program costs is what it costs when its
//! collectives overlap, which `comm-asyncify` and a schedule see to afterwards.
//!
//! O(n log n) for n ops and dependences.

use std::{cmp::Reverse, collections::BinaryHeap};

use comm_schedule::{Kind as NodeKind, Node, NodeId, Problem};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    estimate::Estimate,
    pieces::Piece,
    shapes::{Shape, Way},
    steps::{Action, Source},
    terms::Terms,
};
use crate::{mlir::Value, problem::BlockProblem};

/// What stands at a place of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// The op at this position of the block.
    Old(usize),
    /// What this step of this piece makes.
    New { piece: usize, step: usize },
}

/// A block with its decisions.
pub(super) struct Draft {
    pub(super) order: Vec<Item>,
    pub(super) problem: Problem,
}

/// What drafts of one block share.
pub(super) struct Drafts<'a> {
    pub(super) block: &'a BlockProblem,
    pub(super) terms: &'a Terms,
    pub(super) pieces: &'a [Piece],
    pub(super) shapes: &'a [Shape],
    pub(super) estimate: &'a Estimate<'a>,
}

/// A way for each shape, by its number; none to leave it as it is.
pub(super) type Decisions = Vec<Option<usize>>;

impl<'a> Drafts<'a> {
    /// The way that was decided on for each piece.
    pub(super) fn ways(&self, decisions: &Decisions) -> Vec<Option<&'a Way>> {
        let mut ways = vec![None; self.pieces.len()];
        for (shape, decision) in self.shapes.iter().zip(decisions) {
            for &piece in &shape.pieces {
                ways[piece] = decision.map(|way| &shape.ways[way]);
            }
        }
        ways
    }

    /// The block with these decisions; nothing where they leave no order.
    pub(super) fn draft(&self, decisions: &Decisions) -> Option<Draft> {
        let ways = self.ways(decisions);
        let mut graph = Graph::new(self, &ways);
        graph.connect();
        let order = graph.order()?;
        let problem = graph.problem(&order);
        let order = order
            .into_iter()
            .filter_map(|vertex| graph.item(vertex))
            .collect();
        Some(Draft { order, problem })
    }
}

/// An op to be made: a step of a piece.
#[derive(Clone, Copy)]
struct Made<'a> {
    piece: usize,
    step: usize,
    way: &'a Way,
}

/// Where a vertex should stand: a node's position, whether it is a node of that position itself, and its number.
type Key = (usize, bool, usize);

/// Vertices: the nodes of the block's problem by their ids, then the ops to be made.
struct Graph<'g, 'a> {
    drafts: &'g Drafts<'a>,
    ways: &'g [Option<&'a Way>],
    old: usize,
    made: Vec<Made<'a>>,
    /// Vertex of each step of each piece that is decided on.
    steps: Vec<Vec<usize>>,
    is_dropped: Vec<bool>,
    /// The piece of each node that is a start, a wait or a blocking collective of a piece that is decided on.
    piece_of: FxHashMap<usize, usize>,
    /// For dropped nodes whose values are needed: the vertex that computes them.
    instead: FxHashMap<usize, Option<usize>>,
    deps: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    outside: usize,
}

impl<'g, 'a> Graph<'g, 'a> {
    fn new(drafts: &'g Drafts<'a>, ways: &'g [Option<&'a Way>]) -> Self {
        let old = drafts.block.problem.len();
        let mut graph = Self {
            drafts,
            ways,
            old,
            made: Vec::new(),
            steps: vec![Vec::new(); ways.len()],
            is_dropped: vec![false; old],
            piece_of: FxHashMap::default(),
            instead: FxHashMap::default(),
            deps: vec![Vec::new(); old],
            after: vec![Vec::new(); old],
            outside: drafts.block.node_at(0).index(),
        };
        for (number, way) in ways.iter().enumerate() {
            if let Some(way) = way {
                graph.number(number, way);
            }
        }
        graph
    }

    /// Numbers the steps of a piece and marks what it drops.
    fn number(&mut self, piece: usize, way: &'a Way) {
        let (pieces, terms) = (self.drafts.pieces, self.drafts.terms);
        let positions = &pieces[piece].positions;
        for &position in positions {
            let Some(term) = terms.at(position) else { continue };
            let is_constant = matches!(term.op, comm_algebra::Op::Constant { .. });
            for position in term.start.into_iter().chain([position]) {
                let node = self.node(position);
                // Others may read a constant.
                self.is_dropped[node] |= !is_constant;
                if term.op.is_collective() {
                    self.piece_of.insert(node, piece);
                }
            }
        }
        for (number, step) in way.steps.steps.iter().enumerate() {
            let vertex = match step.action {
                Action::Keep(index) => {
                    let position = positions[index];
                    let start = terms.at(position).and_then(|term| term.start);
                    for position in start.into_iter().chain([position]) {
                        let node = self.node(position);
                        self.is_dropped[node] = false;
                    }
                    self.node(position)
                }
                Action::Make(..) => {
                    self.made.push(Made {
                        piece,
                        step: number,
                        way,
                    });
                    self.deps.push(Vec::new());
                    self.after.push(Vec::new());
                    self.old + self.made.len() - 1
                }
            };
            self.steps[piece].push(vertex);
        }
        for (&position, &source) in pieces[piece].results.iter().zip(&way.steps.results) {
            let vertex = self.vertex(piece, source);
            let node = self.node(position);
            self.instead.insert(node, vertex);
        }
    }

    fn node(&self, position: usize) -> usize {
        self.drafts.block.node_at(position).index()
    }

    /// The vertex of a value of a piece; nothing for one from outside the block.
    fn vertex(&self, piece: usize, source: Source) -> Option<usize> {
        match source {
            Source::Step(step) => self.steps[piece].get(step).copied(),
            Source::Argument(number) => self.node_of(self.drafts.pieces[piece].arguments[number]),
        }
    }

    /// The node that yields a value; nothing for one from outside the block.
    fn node_of(&self, value: Value) -> Option<usize> {
        let position = self.drafts.terms.position(value.defining_op()?)?;
        Some(self.node(position))
    }

    /// What stands for a node of the old problem.
    fn resolved(&self, node: usize) -> Option<usize> {
        // A value that replaces another may be replaced itself: an argument of one piece is a result of another. Values
        // are never more often replaced than there are pieces.
        let mut node = node;
        for _ in 0..=self.ways.len() {
            if node >= self.old || !self.is_dropped[node] {
                return Some(node);
            }
            node = (*self.instead.get(&node)?)?;
        }
        None
    }

    /// Finds the dependences of all vertices.
    fn connect(&mut self) {
        let problem = &self.drafts.block.problem;
        let kept = self.kept_operands();
        for node in (0..self.old).filter(|&node| !self.is_dropped[node]) {
            let id = NodeId(node as u32);
            let mut deps: Vec<usize> = Vec::with_capacity(problem.deps(id).len());
            let replaced = kept.get(&node);
            for dep in problem.deps(id) {
                let substitute = replaced.and_then(|pairs| pairs.iter().find(|(old, _)| *old == dep.index()));
                let now = substitute.map_or(dep.index(), |&(_, new)| new);
                deps.extend(self.resolved(now));
            }
            self.deps[node] = deps;
            let mut after = Vec::new();
            let mut seen = FxHashSet::default();
            for before in problem.after(id) {
                self.expand(before.index(), &mut after, &mut seen);
            }
            after.retain(|&before| before != node);
            self.after[node] = after;
        }
        for made in 0..self.made.len() {
            let vertex = self.old + made;
            let Made { piece, step, way } = self.made[made];
            let step = &way.steps.steps[step];
            let operands = step
                .operands
                .iter()
                .filter_map(|&source| self.vertex(piece, source));
            self.deps[vertex] = operands.filter_map(|vertex| self.resolved(vertex)).collect();
            if matches!(&step.action, Action::Make(op, _) if op.is_collective()) {
                self.after[vertex] = self.before_collectives(piece);
            }
        }
        self.close();
    }

    /// For ops that are kept, the nodes that they read and the vertices of the same values now.
    fn kept_operands(&self) -> FxHashMap<usize, Vec<(usize, usize)>> {
        let mut kept = FxHashMap::default();
        for (piece, way) in self.ways.iter().enumerate() {
            let Some(way) = way else { continue };
            for step in &way.steps.steps {
                let Action::Keep(index) = step.action else {
                    continue;
                };
                let position = self.drafts.pieces[piece].positions[index];
                let Some(term) = self.drafts.terms.at(position) else {
                    continue;
                };
                let pairs: Vec<(usize, usize)> = term
                    .operands
                    .iter()
                    .zip(&step.operands)
                    .filter_map(|(&value, &source)| Some((self.node_of(value)?, self.vertex(piece, source)?)))
                    .collect();
                for position in term.start.into_iter().chain([position]) {
                    kept.insert(self.node(position), pairs.clone());
                }
            }
        }
        kept
    }

    /// What must follow a node follows this: the node, or where it is dropped all collectives that are made for its piece
    /// and what the node followed.
    fn expand(&self, node: usize, into: &mut Vec<usize>, seen: &mut FxHashSet<usize>) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            if !self.is_dropped[node] {
                into.push(node);
                continue;
            }
            if let Some(&piece) = self.piece_of.get(&node) {
                into.extend(self.made_collectives(piece));
            }
            let after = self.drafts.block.problem.after(NodeId(node as u32));
            stack.extend(after.iter().map(|id| id.index()));
        }
        into.sort_unstable();
        into.dedup();
    }

    fn made_collectives(&self, piece: usize) -> impl Iterator<Item = usize> + '_ {
        let steps = self.ways[piece].map(|way| &way.steps.steps);
        let steps = steps.into_iter().flatten().zip(&self.steps[piece]);
        steps
            .filter(|(step, _)| matches!(&step.action, Action::Make(op, _) if op.is_collective()))
            .map(|(_, &vertex)| vertex)
    }

    /// What the collectives follow that are made for a piece: all that its own collectives followed.
    fn before_collectives(&self, piece: usize) -> Vec<usize> {
        let mut before = Vec::new();
        let mut seen = FxHashSet::default();
        let own: Vec<usize> = self.made_collectives(piece).collect();
        for &position in &self.drafts.pieces[piece].positions {
            let Some(term) = self.drafts.terms.at(position) else {
                continue;
            };
            for position in term.start.into_iter().chain([position]) {
                let node = self.node(position);
                if self.piece_of.get(&node) == Some(&piece) {
                    for after in self.drafts.block.problem.after(NodeId(node as u32)) {
                        self.expand(after.index(), &mut before, &mut seen);
                    }
                }
            }
        }
        before.retain(|vertex| !own.contains(vertex));
        before
    }

    /// Puts the terminator behind all that nothing else follows.
    fn close(&mut self) {
        let Some(terminator) = self.drafts.block.block.terminator() else {
            return;
        };
        let Some(position) = self.drafts.terms.position(terminator) else {
            return;
        };
        let last = self.node(position);
        let mut is_followed = vec![false; self.deps.len()];
        for (vertex, (deps, after)) in self.deps.iter().zip(&self.after).enumerate() {
            if vertex != last {
                deps.iter()
                    .chain(after)
                    .for_each(|&before| is_followed[before] = true);
            }
        }
        let ends = (self.outside..self.deps.len()).filter(|&vertex| {
            let is_here = vertex >= self.old || !self.is_dropped[vertex];
            is_here && vertex != last && !is_followed[vertex]
        });
        self.after[last].extend(ends);
        self.after[last].sort_unstable();
        self.after[last].dedup();
    }

    /// All vertices: old ones in their order as far as they can be, made ones before their first users.
    fn order(&self) -> Option<Vec<usize>> {
        let count = self.deps.len();
        let is_here = |vertex: usize| vertex >= self.old || !self.is_dropped[vertex];
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut missing = vec![0u32; count];
        for vertex in (0..count).filter(|&vertex| is_here(vertex)) {
            for &before in self.deps[vertex].iter().chain(&self.after[vertex]) {
                users[before].push(vertex);
                missing[vertex] += 1;
            }
        }
        // Steps are numbered operands first, so users have their keys before operands ask for them.
        let mut keys: Vec<Key> = (0..count).map(|vertex| (vertex, true, vertex)).collect();
        for vertex in (self.old..count).rev() {
            let first_user = users[vertex].iter().map(|&user| keys[user].0).min();
            let place = self.place(self.made[vertex - self.old]).or(first_user);
            keys[vertex] = (place.unwrap_or(self.old), false, vertex);
        }
        let mut ready: BinaryHeap<Reverse<(Key, usize)>> = (0..count)
            .filter(|&vertex| is_here(vertex) && missing[vertex] == 0)
            .map(|vertex| Reverse((keys[vertex], vertex)))
            .collect();
        let mut order = Vec::with_capacity(count);
        while let Some(Reverse((_, vertex))) = ready.pop() {
            order.push(vertex);
            for &user in &users[vertex] {
                missing[user] -= 1;
                if missing[user] == 0 {
                    ready.push(Reverse((keys[user], user)));
                }
            }
        }
        let expected = (0..count).filter(|&vertex| is_here(vertex)).count();
        (order.len() == expected).then_some(order)
    }

    /// The node that began to compute what an op to be made computes, if there was one.
    fn place(&self, made: Made<'_>) -> Option<usize> {
        let index = made.way.steps.steps[made.step].instead?;
        let position = *self.drafts.pieces[made.piece].positions.get(index)?;
        let start = self.drafts.terms.at(position)?.start;
        Some(self.node(start.unwrap_or(position)))
    }

    /// What a vertex is to the block; nothing for a value from outside.
    fn item(&self, vertex: usize) -> Option<Item> {
        if vertex >= self.old {
            let Made { piece, step, .. } = self.made[vertex - self.old];
            return Some(Item::New { piece, step });
        }
        Some(Item::Old(vertex.checked_sub(self.outside)?))
    }

    fn problem(&self, order: &[usize]) -> Problem {
        let old = &self.drafts.block.problem;
        let mut new = Problem::with_streams_of(old, order.len());
        // Of each vertex the node of its value, and the node that starts it.
        let mut ids = vec![(NodeId(0), NodeId(0)); self.deps.len()];
        for &vertex in order {
            let deps: Vec<NodeId> = self.deps[vertex].iter().map(|&dep| ids[dep].0).collect();
            let after: Vec<NodeId> = self.after[vertex].iter().map(|&before| ids[before].0).collect();
            ids[vertex] = if vertex < self.old {
                self.push_old(&mut new, vertex, deps, &after, &ids)
            } else {
                let made = self.made[vertex - self.old];
                self.drafts
                    .estimate
                    .push(&mut new, made.way, made.step, &deps, &after)
            };
        }
        for id in old.live_out() {
            if let Some(vertex) = self.resolved(id.index()) {
                new.push_live_out(ids[vertex].0);
            }
        }
        new
    }

    fn push_old(
        &self,
        new: &mut Problem,
        vertex: usize,
        mut deps: Vec<NodeId>,
        after: &[NodeId],
        ids: &[(NodeId, NodeId)],
    ) -> (NodeId, NodeId) {
        let old = &self.drafts.block.problem;
        let id = NodeId(vertex as u32);
        let node = old.node(id);
        let made = match (node.kind, node.collective, node.stream) {
            (NodeKind::Blocking, Some(collective), Some(stream)) => {
                let start = Node::start(collective, stream).ns(node.ns).bytes(node.bytes);
                let start = new.push(start.deps(&deps).after(after));
                deps.insert(0, start);
                (new.push(Node::wait(start).deps(&deps)), start)
            }
            _ => {
                let of = node.of.map(|start| ids[start.index()].0);
                let made = new.push(Node {
                    deps: &deps,
                    after,
                    of,
                    ..node
                });
                (made, made)
            }
        };
        new.note_as(made.1, old, id);
        made
    }
}
