// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A scheduling problem: the nodes of one block in source order, with what they depend on.
//!
//! A [`Problem`] is a plain table. It is filled with [`Problem::push`], which accepts anything, and validated once by
//! [`Problem::check`](crate::check); everything else in this crate expects a checked problem, and the functions that a
//! user calls run the check themselves. Rows are kept in parallel arrays, dependences in two shared ones, and names
//! only when there are any, so that a block of a million operations builds in a fraction of a second.
//!
//! The module deliberately knows no scheduler: which node may move, and where to, is decided elsewhere.

use std::collections::HashMap;
use std::fmt;

/// Identifies a node: its position in the source order of its problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The position as an index into arrays with one element a node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Identifies a communication stream of a problem; [`Problem::stream_name`] gives its name back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StreamId(pub u32);

impl StreamId {
    /// The stream as an index into arrays with one element a stream.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node does, as far as a schedule is concerned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Runs on the compute stream.
    Compute,
    /// Starts a collective on a communication stream; its result is a future.
    Start,
    /// Awaits the collective that its start began.
    Wait,
    /// A collective that is started and awaited in one.
    Blocking,
    /// Gives another shape or name to the bytes of its operands; costs nothing.
    View,
    /// An argument of the block.
    Arg,
}

impl Kind {
    /// The name used in JSON and in text.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Compute => "compute",
            Kind::Start => "start",
            Kind::Wait => "wait",
            Kind::Blocking => "blocking",
            Kind::View => "view",
            Kind::Arg => "arg",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Kind> {
        [
            Kind::Compute,
            Kind::Start,
            Kind::Wait,
            Kind::Blocking,
            Kind::View,
            Kind::Arg,
        ]
        .into_iter()
        .find(|kind| kind.name() == name)
    }
}

/// Which collective a start or a blocking node performs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Collective {
    /// Concatenates the shards of all devices of the group.
    AllGather,
    /// Reduces and leaves each device its shard.
    ReduceScatter,
    /// Reduces and leaves each device the whole.
    AllReduce,
    /// Exchanges a shard with every device of the group.
    AllToAll,
    /// Sends along (source, target) pairs.
    Permute,
    /// Sends one device's value to all.
    Broadcast,
}

impl Collective {
    /// The name used in JSON and in text.
    pub fn name(self) -> &'static str {
        match self {
            Collective::AllGather => "all_gather",
            Collective::ReduceScatter => "reduce_scatter",
            Collective::AllReduce => "all_reduce",
            Collective::AllToAll => "all_to_all",
            Collective::Permute => "permute",
            Collective::Broadcast => "broadcast",
        }
    }

    /// The collective of that name.
    pub fn from_name(name: &str) -> Option<Collective> {
        use Collective::*;
        [AllGather, ReduceScatter, AllReduce, AllToAll, Permute, Broadcast]
            .into_iter()
            .find(|collective| collective.name() == name)
    }

    /// How schedulers treat it.
    pub fn class(self) -> Class {
        match self {
            Collective::AllGather => Class::Gather,
            Collective::ReduceScatter | Collective::AllReduce => Class::Reduction,
            Collective::AllToAll | Collective::Permute | Collective::Broadcast => Class::Other,
        }
    }
}

/// The three groups of collectives that a sort places by different rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// All-gathers.
    Gather,
    /// Reduce-scatters and all-reduces.
    Reduction,
    /// All other collectives.
    Other,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Gather => "gather",
            Class::Reduction => "reduction",
            Class::Other => "other",
        })
    }
}

/// One row of a problem, both as given to [`Problem::push`] and as read back by [`Problem::node`].
///
/// ```
/// use comm_schedule::{Collective, Node, Problem};
/// let mut problem = Problem::new();
/// let link = problem.stream("dp");
/// let shard = problem.push(Node::arg().bytes(64));
/// let start = problem.push(Node::start(Collective::AllGather, link).bytes(256).deps(&[shard]));
/// let whole = problem.push(Node::wait(start).deps(&[start, shard]));
/// let matmul = problem.push(Node::compute().ns(1000).deps(&[whole]));
/// problem.push(Node::compute().deps(&[matmul]));
/// assert!(problem.check().is_ok());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node<'a> {
    /// What the node does.
    pub kind: Kind,
    /// Duration in nanoseconds.
    pub ns: u64,
    /// Bytes of the results.
    pub bytes: u64,
    /// Nodes whose results it reads, in operand order. A wait reads its start first, then the operands it keeps.
    pub deps: &'a [NodeId],
    /// Nodes it must follow although it reads nothing from them.
    pub after: &'a [NodeId],
    /// The start that a wait awaits.
    pub of: Option<NodeId>,
    /// The communication stream of a start or a blocking collective.
    pub stream: Option<StreamId>,
    /// The collective of a start or a blocking node. Without it a scheduler leaves the node in place.
    pub collective: Option<Collective>,
    /// A compute node whose cost is no reason to keep it in place: a convert, a transpose, a scaling, a constant.
    pub cheap: bool,
    /// A compute node with effects that nobody knows: never cheap, and ordered with communication by `after` edges.
    pub fence: bool,
}

impl<'a> Node<'a> {
    fn of_kind(kind: Kind) -> Self {
        Node {
            kind,
            ns: 0,
            bytes: 0,
            deps: &[],
            after: &[],
            of: None,
            stream: None,
            collective: None,
            cheap: false,
            fence: false,
        }
    }

    /// A compute node.
    pub fn compute() -> Self {
        Self::of_kind(Kind::Compute)
    }

    /// An argument.
    pub fn arg() -> Self {
        Self::of_kind(Kind::Arg)
    }

    /// A view of what will be given as `deps`.
    pub fn view() -> Self {
        Self::of_kind(Kind::View)
    }

    /// The start of a collective on `stream`.
    pub fn start(collective: Collective, stream: StreamId) -> Self {
        Node {
            collective: Some(collective),
            stream: Some(stream),
            ..Self::of_kind(Kind::Start)
        }
    }

    /// A collective on `stream` that is started and awaited in one.
    pub fn blocking(collective: Collective, stream: StreamId) -> Self {
        Node {
            collective: Some(collective),
            stream: Some(stream),
            ..Self::of_kind(Kind::Blocking)
        }
    }

    /// The wait of `start`; `deps` must still be given, with `start` first.
    pub fn wait(start: NodeId) -> Self {
        Node {
            of: Some(start),
            ..Self::of_kind(Kind::Wait)
        }
    }

    /// With a duration.
    pub fn ns(self, ns: u64) -> Self {
        Node { ns, ..self }
    }

    /// With the bytes of its results.
    pub fn bytes(self, bytes: u64) -> Self {
        Node { bytes, ..self }
    }

    /// With data dependences, in operand order.
    pub fn deps(self, deps: &'a [NodeId]) -> Self {
        Node { deps, ..self }
    }

    /// With order-only dependences.
    pub fn after(self, after: &'a [NodeId]) -> Self {
        Node { after, ..self }
    }

    /// Marked cheap, or not.
    pub fn cheap(self, cheap: bool) -> Self {
        Node { cheap, ..self }
    }

    /// Marked as a fence, or not.
    pub fn fence(self, fence: bool) -> Self {
        Node { fence, ..self }
    }
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Row {
    kind: Kind,
    collective: Option<Collective>,
    cheap: bool,
    fence: bool,
    of: u32,
    stream: u32,
    ns: u64,
    bytes: u64,
    deps_end: u32,
    after_end: u32,
}

/// The nodes of one block in source order. See the [module](self) documentation.
#[derive(Clone, Default, Debug)]
pub struct Problem {
    rows: Vec<Row>,
    deps: Vec<NodeId>,
    after: Vec<NodeId>,
    streams: Vec<String>,
    stream_ids: HashMap<String, StreamId>,
    names: Vec<Box<str>>,
    live_out: Vec<NodeId>,
}

impl Problem {
    /// A problem without nodes.
    pub fn new() -> Self {
        Self::default()
    }

    /// A problem without nodes, with room for `nodes` nodes and `deps` dependences.
    pub fn with_capacity(nodes: usize, deps: usize) -> Self {
        Problem {
            rows: Vec::with_capacity(nodes),
            deps: Vec::with_capacity(deps),
            ..Self::default()
        }
    }

    /// The stream called `name`, made when it is new.
    pub fn stream(&mut self, name: &str) -> StreamId {
        if let Some(&id) = self.stream_ids.get(name) {
            return id;
        }
        let id = StreamId(self.streams.len() as u32);
        self.streams.push(name.to_owned());
        self.stream_ids.insert(name.to_owned(), id);
        id
    }

    /// Appends a node and returns its id, which is the number of nodes before it. Nothing is validated here.
    ///
    /// # Panics
    /// When the problem would hold 2^32 - 1 nodes or dependences or more.
    pub fn push(&mut self, node: Node<'_>) -> NodeId {
        let id = NodeId(narrow(self.rows.len()));
        self.deps.extend_from_slice(node.deps);
        self.after.extend_from_slice(node.after);
        self.rows.push(Row {
            kind: node.kind,
            collective: node.collective,
            cheap: node.cheap,
            fence: node.fence,
            of: node.of.map_or(NONE, |start| start.0),
            stream: node.stream.map_or(NONE, |stream| stream.0),
            ns: node.ns,
            bytes: node.bytes,
            deps_end: narrow(self.deps.len()),
            after_end: narrow(self.after.len()),
        });
        id
    }

    /// Names a node, for messages and text; sorts never read names.
    ///
    /// # Panics
    /// When the problem has no such node.
    pub fn set_name(&mut self, node: NodeId, name: &str) {
        assert!(
            node.index() < self.len(),
            "{node} is no node of a problem of {} nodes",
            self.len()
        );
        if self.names.len() <= node.index() {
            self.names.resize_with(self.len(), Box::default);
        }
        self.names[node.index()] = name.into();
    }

    /// Marks the results of `node` as used after the block. The order of the calls counts like operand order.
    pub fn push_live_out(&mut self, node: NodeId) {
        self.live_out.push(node);
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All ids in source order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.rows.len() as u32).map(NodeId)
    }

    /// The row of a node.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        let row = &self.rows[id.index()];
        Node {
            kind: row.kind,
            ns: row.ns,
            bytes: row.bytes,
            deps: self.deps(id),
            after: self.after(id),
            of: self.of(id),
            stream: self.stream_of(id),
            collective: row.collective,
            cheap: row.cheap,
            fence: row.fence,
        }
    }

    /// What the node does.
    #[inline]
    pub fn kind(&self, id: NodeId) -> Kind {
        self.rows[id.index()].kind
    }

    /// Data dependences in operand order.
    #[inline]
    pub fn deps(&self, id: NodeId) -> &[NodeId] {
        let begin = if id.0 == 0 {
            0
        } else {
            self.rows[id.index() - 1].deps_end
        };
        &self.deps[begin as usize..self.rows[id.index()].deps_end as usize]
    }

    /// Order-only dependences.
    #[inline]
    pub fn after(&self, id: NodeId) -> &[NodeId] {
        let begin = if id.0 == 0 {
            0
        } else {
            self.rows[id.index() - 1].after_end
        };
        &self.after[begin as usize..self.rows[id.index()].after_end as usize]
    }

    /// Bytes of the results.
    #[inline]
    pub fn bytes(&self, id: NodeId) -> u64 {
        self.rows[id.index()].bytes
    }

    /// The start that a wait awaits.
    #[inline]
    pub fn of(&self, id: NodeId) -> Option<NodeId> {
        let of = self.rows[id.index()].of;
        (of != NONE).then_some(NodeId(of))
    }

    /// The stream of a start or a blocking collective.
    #[inline]
    pub fn stream_of(&self, id: NodeId) -> Option<StreamId> {
        let stream = self.rows[id.index()].stream;
        (stream != NONE).then_some(StreamId(stream))
    }

    /// The collective of a start or a blocking node, when it is known.
    #[inline]
    pub fn collective(&self, id: NodeId) -> Option<Collective> {
        self.rows[id.index()].collective
    }

    /// A cheap compute node without unknown effects.
    #[inline]
    pub fn is_cheap(&self, id: NodeId) -> bool {
        let row = &self.rows[id.index()];
        row.kind == Kind::Compute && row.cheap && !row.fence
    }

    /// The name of a node, empty when it has none.
    pub fn name(&self, id: NodeId) -> &str {
        self.names.get(id.index()).map_or("", |name| name)
    }

    /// The number of streams.
    pub fn stream_count(&self) -> usize {
        self.streams.len()
    }

    /// The name of a stream.
    pub fn stream_name(&self, stream: StreamId) -> &str {
        &self.streams[stream.index()]
    }

    /// What is used after the block.
    pub fn live_out(&self) -> &[NodeId] {
        &self.live_out
    }

    /// The number of order-only dependences.
    pub fn after_count(&self) -> usize {
        self.after.len()
    }

    /// The number of data dependences.
    pub fn deps_count(&self) -> usize {
        self.deps.len()
    }

    /// The wait of each start, by the start's index. Of several waits of one start (an error that `check` reports)
    /// the last counts.
    pub fn waits(&self) -> Vec<Option<NodeId>> {
        let mut waits = vec![None; self.len()];
        for id in self.ids() {
            if let Some(slot) = self.of(id).and_then(|start| waits.get_mut(start.index())) {
                *slot = Some(id);
            }
        }
        waits
    }

    /// The same nodes in another order, with ids renumbered: a problem whose source order is `order`.
    ///
    /// `order` must be a permutation of the nodes; [`verify`](crate::verify()) tells.
    pub fn reordered(&self, order: &[NodeId]) -> Problem {
        let mut position = vec![NodeId(0); self.len()];
        for (index, &id) in order.iter().enumerate() {
            position[id.index()] = NodeId(index as u32);
        }
        let renumber = |ids: &[NodeId]| ids.iter().map(|id| position[id.index()]).collect::<Vec<_>>();
        let mut result = Problem::with_capacity(self.len(), self.deps.len());
        for name in &self.streams {
            result.stream(name);
        }
        for &id in order {
            let node = self.node(id);
            let moved = result.push(Node {
                deps: &renumber(node.deps),
                after: &renumber(node.after),
                of: node.of.map(|start| position[start.index()]),
                ..node
            });
            if !self.name(id).is_empty() {
                result.set_name(moved, self.name(id));
            }
        }
        result.live_out = renumber(&self.live_out);
        result
    }
}

fn narrow(length: usize) -> u32 {
    u32::try_from(length)
        .ok()
        .filter(|&length| length != NONE)
        .expect("fewer than 2^32 - 1 nodes and dependences")
}
