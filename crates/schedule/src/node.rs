// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a node of a problem is: its kind, its collective and its class, and one row of the table.
//!
//! A [`Node`] is plain data that borrows its lists; a [`Problem`](crate::Problem) stores it. No value here is checked:
//! a row may say things that have no meaning together, which [`Problem::check`](crate::Problem::check) reports.

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

/// Identifies a communication stream of a problem; [`Problem::stream_name`](crate::Problem::stream_name) gives its name back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StreamId(pub u32);

impl StreamId {
    /// The stream as an index into arrays with one element a stream.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Identifies a link of a problem, on which one collective runs at a time; [`Problem::link_of`](crate::Problem::link_of)
/// gives the link of a stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LinkId(pub u32);

impl LinkId {
    /// The link as an index into arrays with one element a link.
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

/// One row of a problem, both as given to [`Problem::push`](crate::Problem::push) and as read back by [`Problem::node`](crate::Problem::node).
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
