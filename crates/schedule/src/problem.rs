// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A scheduling problem: the nodes of one block in source order, with what they depend on.
//!
//! A [`Problem`] is a plain table. It is filled with [`Problem::push`], which accepts anything, and validated once by
//! [`Problem::check`]; everything else in this crate expects a checked problem, and the functions that a
//! user calls run the check themselves. Rows are kept in parallel arrays, dependences in two shared ones, and names
//! only when there are any, so that a block of a million operations builds in a fraction of a second.
//!
//! The module deliberately knows no scheduler: which node may move, and where to, is decided elsewhere.

use crate::node::{Class, Collective, Kind, LinkId, Node, NodeId, StreamId};
use std::collections::HashMap;

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
    /// The link of each stream, and the names of the links.
    link_of: Vec<LinkId>,
    links: Vec<String>,
    /// Streams that compute nodes occupy, by node.
    occupied: Vec<(NodeId, StreamId)>,
    names: Vec<Box<str>>,
    keys: Vec<u64>,
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

    /// A problem without nodes, with the streams and links of another, which keep their ids, and room for `nodes` nodes.
    pub fn with_streams_of(other: &Problem, nodes: usize) -> Self {
        let mut problem = Self::with_capacity(nodes, other.deps.len());
        for (name, link) in other.streams.iter().zip(&other.link_of) {
            let stream = problem.stream(name);
            problem.set_link(stream, other.link_name(*link));
        }
        problem
    }

    /// Gives a node the name, the key and the occupied streams of node `id` of another problem with the same streams.
    pub fn note_as(&mut self, node: NodeId, other: &Problem, id: NodeId) {
        if !other.name(id).is_empty() {
            self.set_name(node, other.name(id));
        }
        if other.key(id) != 0 {
            self.set_key(node, other.key(id));
        }
        for stream in other.occupied(id) {
            self.occupy(node, stream);
        }
    }

    /// The stream called `name`, made when it is new. A new stream runs on the link of the same name.
    pub fn stream(&mut self, name: &str) -> StreamId {
        if let Some(&id) = self.stream_ids.get(name) {
            return id;
        }
        let id = StreamId(self.streams.len() as u32);
        self.streams.push(name.to_owned());
        let link = self.link(name);
        self.link_of.push(link);
        self.stream_ids.insert(name.to_owned(), id);
        id
    }

    fn link(&mut self, name: &str) -> LinkId {
        let known = self.links.iter().position(|link| link == name);
        let index = known.unwrap_or_else(|| {
            self.links.push(name.to_owned());
            self.links.len() - 1
        });
        LinkId(index as u32)
    }

    /// Lets `stream` run on the link called `link`, made when it is new. Streams that share a link take turns on it in
    /// the order of issue.
    ///
    /// # Panics
    /// When the problem has no such stream.
    pub fn set_link(&mut self, stream: StreamId, link: &str) {
        self.link_of[stream.index()] = self.link(link);
    }

    /// Says that a compute node, an op with regions, communicates on `stream` within itself: while it runs, nothing else
    /// does on the link of that stream.
    pub fn occupy(&mut self, node: NodeId, stream: StreamId) {
        if let Err(at) = self.occupied.binary_search(&(node, stream)) {
            self.occupied.insert(at, (node, stream));
        }
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

    /// Gives a node a key that is equal for nodes that are the same operation; 0, which all nodes start with, tells
    /// nothing. Read only to order nodes that nothing else tells apart, see [`sort`](crate::sort()).
    ///
    /// # Panics
    /// When the problem has no such node.
    pub fn set_key(&mut self, node: NodeId, key: u64) {
        assert!(
            node.index() < self.len(),
            "{node} is no node of a problem of {} nodes",
            self.len()
        );
        if self.keys.len() <= node.index() {
            self.keys.resize(self.len(), 0);
        }
        self.keys[node.index()] = key;
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

    /// Duration in nanoseconds.
    #[inline]
    pub fn ns(&self, id: NodeId) -> u64 {
        self.rows[id.index()].ns
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

    /// How schedulers treat the collective of a start or a blocking node, when it is known.
    #[inline]
    pub fn class(&self, id: NodeId) -> Option<Class> {
        self.collective(id).map(Collective::class)
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

    /// The key of a node, 0 when it has none.
    pub fn key(&self, id: NodeId) -> u64 {
        self.keys.get(id.index()).copied().unwrap_or(0)
    }

    /// All streams, by number.
    pub fn streams(&self) -> impl ExactSizeIterator<Item = StreamId> + use<> {
        (0..self.streams.len() as u32).map(StreamId)
    }

    /// The number of streams.
    pub fn stream_count(&self) -> usize {
        self.streams.len()
    }

    /// The name of a stream.
    pub fn stream_name(&self, stream: StreamId) -> &str {
        &self.streams[stream.index()]
    }

    /// The link that a stream runs on.
    #[inline]
    pub fn link_of(&self, stream: StreamId) -> LinkId {
        self.link_of[stream.index()]
    }

    /// The number of links, those that no stream runs on any more included.
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// The name of a link.
    pub fn link_name(&self, link: LinkId) -> &str {
        &self.links[link.index()]
    }

    /// The streams that a compute node occupies, see [`Problem::occupy`]. O(log of the number of all such pairs).
    pub fn occupied(&self, id: NodeId) -> impl Iterator<Item = StreamId> + '_ {
        let begin = self.occupied.partition_point(|(node, _)| *node < id);
        self.occupied[begin..]
            .iter()
            .take_while(move |(node, _)| *node == id)
            .map(|(_, stream)| *stream)
    }

    /// All pairs of a node and a stream that it occupies, by node.
    pub(crate) fn occupied_pairs(&self) -> &[(NodeId, StreamId)] {
        &self.occupied
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
        let mut result = Problem::with_streams_of(self, self.len());
        for &id in order {
            let node = self.node(id);
            let moved = result.push(Node {
                deps: &renumber(node.deps),
                after: &renumber(node.after),
                of: node.of.map(|start| position[start.index()]),
                ..node
            });
            result.note_as(moved, self, id);
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
