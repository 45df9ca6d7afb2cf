// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A problem without what a scheduler need not decide: units, in canonical order.
//!
//! Arguments take no time and own no bytes that count, and a view is best made as soon as what it shows is there. What
//! is left are the units: computations, starts, waits, blocking collectives, and the few views that are kept because
//! passing through them would make lists long. Dependences and buffers are those of the problem, seen through the views.
//!
//! Units are numbered in canonical order, which is a linear extension. All that schedulers decide is decided on those
//! numbers, so it depends neither on source order nor on names. [`Units::order`] turns an order of units into one of
//! nodes. Building is O(n + e) and the sorts of `canonical`.

use super::canonical::Canonical;
use super::lists::Lists;
use crate::graph::DependenceGraph;
use crate::node::{Kind, LinkId, NodeId, StreamId};
use crate::problem::Problem;
use crate::timing::stream_waits;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Stands for "no unit".
pub(crate) const NONE: u32 = u32::MAX;

/// A view of more units than this is a unit itself.
const MOST_SOURCES: usize = 4;

/// What a unit does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnitKind {
    Compute,
    Start,
    /// A wait that moves the clock of computation.
    Wait,
    /// A wait of one stream for another.
    StreamWait,
    Blocking,
    /// A blocking collective whose result only other collectives read.
    StreamBlocking,
    View,
}

/// See the [module](self) documentation. Every array and list has one element a unit.
#[derive(Clone, Debug)]
pub(crate) struct Units {
    pub(crate) kind: Vec<UnitKind>,
    /// Duration; zero for waits and views.
    pub(crate) ns: Vec<u64>,
    /// Bytes that the unit's result owns.
    pub(crate) bytes: Vec<u64>,
    /// The stream of a start or a blocking collective, else `NONE`.
    pub(crate) stream: Vec<u32>,
    /// The link of that stream, else `NONE`.
    pub(crate) link: Vec<u32>,
    /// The start of a wait and the wait of a start, else `NONE`.
    pub(crate) partner: Vec<u32>,
    /// What must stand earlier, ascending.
    pub(crate) before: Lists,
    /// What must stand later, ascending.
    pub(crate) after: Lists,
    /// Of starts and blocking collectives: the waits that do not move the clock of computation, and views of them, whose results they
    /// read; of views likewise.
    pub(crate) stream_reads: Lists,
    /// Links that a computation occupies.
    pub(crate) occupied: Lists,
    /// Buffers that the unit needs, by the unit that owns them. A buffer lives until all units that list it have run and all buffers that
    /// list it in `holds` are free.
    pub(crate) reads: Lists,
    /// Of a view that is a unit: the buffers that it keeps alive as long as it lives itself.
    pub(crate) holds: Lists,
    /// For each buffer how many readers and holders it has; one more if it is live out.
    pub(crate) references: Vec<u32>,
    pub(crate) stream_count: usize,
    pub(crate) link_count: usize,
    /// The unit of each node; the node of each unit.
    unit_of: Vec<u32>,
    nodes: Vec<NodeId>,
    /// All nodes in canonical order, and the place of each in it.
    canonical: Vec<NodeId>,
    ranks: Vec<u32>,
}

impl Units {
    /// The units of a checked problem.
    pub(crate) fn new(problem: &Problem, graph: &DependenceGraph) -> Units {
        let canonical = Canonical::new(problem, graph);
        let mut builder = Builder::new(problem, graph, canonical.streams);
        let mut sources = Sources::default();
        for &id in &canonical.order {
            builder.push(id, &mut sources);
        }
        builder.finish(canonical.order)
    }

    /// The same units with time running backwards, as far as clocks are concerned: a wait starts its collective, the start
    /// awaits it. Unit `u` is unit `len() - 1 - u` there. Memory means nothing in it.
    pub(crate) fn reversed(&self) -> Units {
        let count = self.len() as u32;
        let mut reversed = Units {
            kind: Vec::with_capacity(self.len()),
            ns: Vec::with_capacity(self.len()),
            bytes: vec![0; self.len()],
            stream: vec![NONE; self.len()],
            link: Vec::with_capacity(self.len()),
            partner: Vec::with_capacity(self.len()),
            before: self.after.mirrored(),
            after: self.before.mirrored(),
            stream_reads: Lists::default(),
            occupied: Lists::default(),
            reads: Lists::default(),
            holds: Lists::default(),
            references: vec![0; self.len()],
            stream_count: self.stream_count,
            link_count: self.link_count,
            unit_of: Vec::new(),
            nodes: self.nodes.iter().rev().copied().collect(),
            canonical: Vec::new(),
            ranks: Vec::new(),
        };
        for unit in (0..count).rev() {
            let index = unit as usize;
            let partner = self.partner[index];
            let is_stream_wait = |unit: &u32| self.kind[*unit as usize] == UnitKind::StreamWait;
            let (kind, ns, link) = match self.kind[index] {
                UnitKind::Wait | UnitKind::StreamWait => (
                    UnitKind::Start,
                    self.ns[partner as usize],
                    self.link[partner as usize],
                ),
                // Nobody awaits it, so nothing starts it in reverse.
                UnitKind::Start if partner == NONE => (UnitKind::Start, self.ns[index], self.link[index]),
                UnitKind::Start => {
                    let before = self.before.of(unit);
                    let follows_streams = !before.is_empty() && before.iter().all(is_stream_wait);
                    (
                        if follows_streams {
                            UnitKind::StreamWait
                        } else {
                            UnitKind::Wait
                        },
                        0,
                        NONE,
                    )
                }
                kind => (kind, self.ns[index], self.link[index]),
            };
            reversed.kind.push(kind);
            reversed.ns.push(ns);
            reversed.link.push(link);
            reversed.partner.push(if partner == NONE {
                NONE
            } else {
                count - 1 - partner
            });
            let reads = match kind {
                UnitKind::Start => reversed.before.of(count - 1 - unit),
                _ => &[],
            };
            reversed.stream_reads.push(reads.iter().copied());
            reversed.occupied.push(self.occupied.of(unit).iter().copied());
            reversed.reads.push([]);
            reversed.holds.push([]);
        }
        reversed
    }

    /// Bytes of all results together.
    pub(crate) fn total_bytes(&self) -> u64 {
        self.bytes.iter().sum()
    }

    /// The number of units.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node of a unit.
    pub(crate) fn node(&self, unit: u32) -> NodeId {
        self.nodes[unit as usize]
    }

    /// The unit of a node, if it is one.
    pub(crate) fn unit(&self, id: NodeId) -> Option<u32> {
        let unit = self.unit_of[id.index()];
        (unit != NONE).then_some(unit)
    }

    /// The units in the order in which their nodes stand.
    pub(crate) fn of_order(&self, order: impl Iterator<Item = NodeId>) -> Vec<u32> {
        order.filter_map(|id| self.unit(id)).collect()
    }

    /// An order of nodes in which the units stand in the order given: arguments first, views as soon as they can be.
    pub(crate) fn order(&self, problem: &Problem, graph: &DependenceGraph, units: &[u32]) -> Vec<NodeId> {
        let mut missing: Vec<u32> = problem
            .ids()
            .map(|id| (problem.deps(id).len() + problem.after(id).len()) as u32)
            .collect();
        let mut order = Vec::with_capacity(problem.len());
        // A node and the views that can be made with it, in canonical order.
        let mut ready: BinaryHeap<Reverse<(u32, NodeId)>> = BinaryHeap::new();
        let mut emit = |id: NodeId| {
            ready.push(Reverse((self.ranks[id.index()], id)));
            while let Some(Reverse((_, id))) = ready.pop() {
                order.push(id);
                for (user, _) in graph.users(id) {
                    missing[user.index()] -= 1;
                    if missing[user.index()] == 0 && self.unit_of[user.index()] == NONE {
                        ready.push(Reverse((self.ranks[user.index()], user)));
                    }
                }
            }
        };
        let is_arg = |id: &&NodeId| problem.kind(**id) == Kind::Arg;
        self.canonical.iter().filter(is_arg).for_each(|id| emit(*id));
        let is_first = |id: &&NodeId| {
            problem.kind(**id) == Kind::View
                && self.unit(**id).is_none()
                && problem.deps(**id).is_empty()
                && problem.after(**id).is_empty()
        };
        self.canonical.iter().filter(is_first).for_each(|id| emit(*id));
        for &unit in units {
            emit(self.node(unit));
        }
        order
    }
}

struct Builder<'a> {
    problem: &'a Problem,
    graph: &'a DependenceGraph,
    /// Numbers of streams that do not depend on source order.
    stream_numbers: Vec<u64>,
    is_stream_wait: Vec<bool>,
    is_live_out: Vec<bool>,
    units: Units,
    links: Links,
    /// What stands behind a node that is no unit, as lists in one array: units to follow, buffers to keep alive, and stream waits.
    before: Spans,
    buffers: Spans,
    streams: Spans,
}

/// Links by the order of their first use, which source order does not show in.
struct Links {
    numbers: Vec<u32>,
    used: u32,
}

impl Links {
    fn number(&mut self, link: LinkId) -> u32 {
        let number = &mut self.numbers[link.index()];
        if *number == NONE {
            *number = self.used;
            self.used += 1;
        }
        *number
    }
}

/// One list a node, in one array, made in any order.
#[derive(Default)]
struct Spans {
    span_of: Vec<(u32, u32)>,
    items: Vec<u32>,
}

impl Spans {
    fn of(&self, id: NodeId) -> &[u32] {
        let (begin, end) = self.span_of[id.index()];
        &self.items[begin as usize..end as usize]
    }

    fn set(&mut self, id: NodeId, items: &[u32]) {
        let begin = self.items.len() as u32;
        self.items.extend_from_slice(items);
        self.span_of[id.index()] = (begin, self.items.len() as u32);
    }

    /// The lists of several nodes as one, ascending, without repetition.
    fn union_into(&self, ids: impl Iterator<Item = NodeId>, union: &mut Vec<u32>) {
        union.clear();
        for id in ids {
            union.extend_from_slice(self.of(id));
        }
        union.sort_unstable();
        union.dedup();
    }
}

/// What a node takes from those that it depends on, as in [`Builder`]. Kept to be filled again and again.
#[derive(Default)]
struct Sources {
    before: Vec<u32>,
    buffers: Vec<u32>,
    streams: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(problem: &'a Problem, graph: &'a DependenceGraph, stream_numbers: Vec<u64>) -> Self {
        let spans = || Spans {
            span_of: vec![(0, 0); problem.len()],
            items: Vec::new(),
        };
        let mut is_live_out = vec![false; problem.len()];
        for id in problem.live_out() {
            is_live_out[id.index()] = true;
        }
        Builder {
            problem,
            graph,
            stream_numbers,
            is_stream_wait: stream_waits(problem),
            links: Links {
                numbers: vec![NONE; problem.link_count()],
                used: 0,
            },
            is_live_out,
            units: Units {
                kind: Vec::new(),
                ns: Vec::new(),
                bytes: Vec::new(),
                stream: Vec::new(),
                link: Vec::new(),
                partner: Vec::new(),
                before: Lists::default(),
                after: Lists::default(),
                stream_reads: Lists::default(),
                occupied: Lists::default(),
                reads: Lists::default(),
                holds: Lists::default(),
                references: Vec::new(),
                stream_count: problem.stream_count(),
                link_count: problem.link_count(),
                unit_of: vec![NONE; problem.len()],
                nodes: Vec::new(),
                canonical: Vec::new(),
                ranks: Vec::new(),
            },
            before: spans(),
            buffers: spans(),
            streams: spans(),
        }
    }

    /// Pushes a node after all that it depends on.
    fn push(&mut self, id: NodeId, sources: &mut Sources) {
        let problem = self.problem;
        let deps = || problem.deps(id).iter().copied();
        let Sources {
            before,
            buffers,
            streams,
        } = sources;
        self.before
            .union_into(deps().chain(problem.after(id).iter().copied()), before);
        self.buffers.union_into(deps(), buffers);
        self.streams.union_into(deps(), streams);
        let kind = match problem.kind(id) {
            Kind::Arg => return,
            Kind::View if !self.is_view_kept(id, before.len().max(buffers.len())) => {
                self.before.set(id, before);
                self.buffers.set(id, buffers);
                self.streams.set(id, streams);
                if self.is_live_out[id.index()] {
                    self.keep(buffers);
                }
                return;
            }
            Kind::View => UnitKind::View,
            Kind::Compute => UnitKind::Compute,
            Kind::Start => UnitKind::Start,
            Kind::Wait if self.is_stream_wait[id.index()] => UnitKind::StreamWait,
            Kind::Wait => UnitKind::Wait,
            Kind::Blocking if self.is_stream_wait[id.index()] => UnitKind::StreamBlocking,
            Kind::Blocking => UnitKind::Blocking,
        };
        self.push_unit(id, kind, before, buffers, streams);
    }

    /// Whether a view is a unit: passing through it would make lists long, or it reads several nodes only to be dead.
    fn is_view_kept(&self, id: NodeId, sources: usize) -> bool {
        sources > MOST_SOURCES
            || sources > 1 && self.graph.readers(id).next().is_none() && !self.is_live_out[id.index()]
    }

    fn push_unit(&mut self, id: NodeId, kind: UnitKind, before: &[u32], buffers: &[u32], streams: &[u32]) {
        let problem = self.problem;
        let unit = self.units.nodes.len() as u32;
        let takes_time = matches!(
            kind,
            UnitKind::Compute | UnitKind::Start | UnitKind::Blocking | UnitKind::StreamBlocking
        );
        let is_wait = matches!(kind, UnitKind::Wait | UnitKind::StreamWait);
        let start = problem
            .of(id)
            .filter(|_| is_wait)
            .map(|start| self.units.unit_of[start.index()]);
        let units = &mut self.units;
        units.unit_of[id.index()] = unit;
        units.nodes.push(id);
        units.kind.push(kind);
        units.ns.push(if takes_time { problem.ns(id) } else { 0 });
        units.bytes.push(if takes_time { problem.bytes(id) } else { 0 });
        units.references.push(0);
        let stream = problem.stream_of(id);
        units.stream.push(stream.map_or(NONE, |stream| stream.0));
        let links = &mut self.links;
        let mut link = |stream: StreamId| links.number(problem.link_of(stream));
        units.link.push(stream.map_or(NONE, &mut link));
        units.partner.push(start.unwrap_or(NONE));
        units.before.push(before.iter().copied());
        let stream_reads = match kind {
            UnitKind::Start | UnitKind::Blocking | UnitKind::StreamBlocking | UnitKind::View => streams,
            _ => &[],
        };
        units.stream_reads.push(stream_reads.iter().copied());
        let mut occupied: Vec<StreamId> = problem.occupied(id).collect();
        // By number, since ids are given in source order.
        occupied.sort_unstable_by_key(|stream| self.stream_numbers[stream.index()]);
        let mut occupied: Vec<u32> = occupied.into_iter().map(&mut link).collect();
        occupied.sort_unstable();
        occupied.dedup();
        units.occupied.push(occupied);

        let mut joined = Vec::new();
        let mut reads = buffers;
        let mut holds: &[u32] = &[];
        if let Some(start) = start {
            // What a start reads lives to its wait; so does what the start owns.
            units.partner[start as usize] = unit;
            joined.extend_from_slice(buffers);
            joined.extend_from_slice(units.reads.of(start));
            joined.push(start);
            joined.sort_unstable();
            joined.dedup();
            reads = &joined;
        }
        if kind == UnitKind::View {
            holds = buffers;
        }
        for &buffer in reads.iter().chain(holds) {
            units.references[buffer as usize] += 1;
        }
        units.reads.push(reads.iter().copied());
        units.holds.push(holds.iter().copied());

        let owner = start.unwrap_or(unit);
        self.before.set(id, &[unit]);
        self.buffers.set(id, &[owner]);
        let passes_stream = matches!(kind, UnitKind::StreamWait | UnitKind::StreamBlocking)
            || kind == UnitKind::View && !streams.is_empty();
        if passes_stream {
            self.streams.set(id, &[unit]);
        }
        if self.is_live_out[id.index()] {
            self.keep(&[owner]);
        }
    }

    /// Keeps buffers alive to the end.
    fn keep(&mut self, buffers: &[u32]) {
        for &buffer in buffers {
            self.units.references[buffer as usize] += 1;
        }
    }

    fn finish(self, canonical: Vec<NodeId>) -> Units {
        let mut units = self.units;
        units.link_count = self.links.used as usize;
        units.after = units.before.inverse();
        units.ranks = vec![0; canonical.len()];
        for (rank, id) in canonical.iter().enumerate() {
            units.ranks[id.index()] = rank as u32;
        }
        units.canonical = canonical;
        units
    }
}
