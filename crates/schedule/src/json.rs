// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Problems as JSON.
//!
//! ```json
//! {"nodes": [{"id": "w", "name": "w", "kind": "arg", "bytes": 64},
//!            {"id": 1, "kind": "start", "collective": "all_gather", "stream": "dp", "ns": 900, "bytes": 256, "deps": ["w"]},
//!            {"id": 2, "kind": "wait", "of": 1, "deps": [1, "w"]},
//!            {"id": 3, "kind": "compute", "ns": 1000, "deps": [2]}],
//!  "live_out": [3]}
//! ```
//! Nodes stand in source order. An id is any number or string, unique in the file. `kind` is one of `compute`,
//! `start`, `wait`, `blocking`, `view`, `arg`; `deps` are data dependences in operand order, `after` order-only ones.
//! Everything but `id` and `kind` may be left out. The sorts read three more keys: `collective` (of a start or a
//! blocking node), `cheap` and `fence` (of a compute node).
//!
//! The timing model reads two more. `links`, an object at the top, gives the link of each stream that does not run on one of
//! its own name: `{"links": {"tp": "nvlink", "dp": "nvlink"}}`. `occupies`, of a compute node, lists the streams that it
//! communicates on within itself: `"occupies": ["dp"]`.
//!
//! Keys that are not known, on a node and at the top, are kept: a [`Document`] written back has them still, also after
//! its nodes were reordered. [`Document::unknown_keys`] tells of them, since one may be misspelt; `name`, `reference` and
//! `result` at the top are for whoever wrote the file. `docs/problem.md` describes the format for users. Reading validates references; the rest is left to [`Document::check`].

use crate::check::ProblemError;
use crate::node::{Collective, Kind, Node, NodeId, StreamId};
use crate::problem::Problem;
use serde::{Deserialize, Deserializer, Serialize, de::Visitor};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use thiserror::Error;

/// A problem with what its JSON says beyond it.
#[derive(Clone, Debug)]
pub struct Document {
    problem: Problem,
    ids: Vec<ExternalId>,
    node_extras: Vec<Map<String, Value>>,
    extras: Map<String, Value>,
}

/// Why a text is no problem.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JsonError {
    /// Not JSON, or not of the form described in [`json`](self).
    #[error("not a problem: {0}")]
    Syntax(#[from] serde_json::Error),
    /// Two nodes with one id.
    #[error("node {id}: stands at positions {first} and {second}, but an id names one node")]
    DuplicateId {
        /// The id.
        id: ExternalId,
        /// The position of the first node.
        first: usize,
        /// The position of the second node.
        second: usize,
    },
    /// A reference to an id that no node has.
    #[error("node {id}: `{key}` names {reference}, which no node has for an id")]
    UnknownId {
        /// The node with the reference.
        id: ExternalId,
        /// The key that holds it.
        key: &'static str,
        /// The reference.
        reference: ExternalId,
    },
    /// `live_out` names an id that no node has.
    #[error("`live_out` names {0}, which no node has for an id")]
    UnknownLiveOut(ExternalId),
    /// A word where one of a few is expected.
    #[error("node {id}: `{key}` is {found:?}, expected one of: {expected}")]
    UnknownWord {
        /// The node.
        id: ExternalId,
        /// The key.
        key: &'static str,
        /// The word.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// References are valid, but what they say has no meaning.
    #[error(transparent)]
    Problem(ProblemError<String>),
    /// More nodes or dependences than ids can name.
    #[error("the problem has {0} nodes and dependences, more than a 32-bit id can name")]
    TooLarge(usize),
}

/// Keys at the top that are notes to the reader: what the problem is, what others made of it, and what a schedule came to.
const NOTES: &[&str] = &["name", "reference", "result"];

/// A key that this format does not know, and that is kept without effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownKey<'a> {
    /// The key.
    pub key: &'a str,
    /// The first node that has it; nothing for a key at the top.
    pub node: Option<&'a ExternalId>,
}

impl fmt::Display for UnknownKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node {
            Some(node) => write!(f, "node {node}: ")?,
            None => f.write_str("at the top: ")?,
        }
        write!(f, "the key `{}` is not known and has no effect", self.key)
    }
}

/// The id of a node in a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "an id is a number or a string")]
pub enum ExternalId {
    /// A number.
    Number(serde_json::Number),
    /// A string.
    Text(String),
}

impl fmt::Display for ExternalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExternalId::Number(number) => number.fmt(f),
            ExternalId::Text(text) => write!(f, "{text:?}"),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with a list `nodes`")]
struct RawDocument {
    nodes: Vec<RawNode>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    live_out: Vec<ExternalId>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    links: BTreeMap<String, String>,
    #[serde(flatten)]
    extras: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "a node, which is an object with an `id` and a `kind`")]
struct RawNode {
    id: ExternalId,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    kind: String,
    #[serde(default, deserialize_with = "natural", skip_serializing_if = "is_zero")]
    ns: u64,
    #[serde(default, deserialize_with = "natural", skip_serializing_if = "is_zero")]
    bytes: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deps: Vec<ExternalId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    after: Vec<ExternalId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<ExternalId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stream: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    collective: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    cheap: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    fence: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    occupies: Vec<String>,
    #[serde(flatten)]
    extras: Map<String, Value>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// An unsigned number. What else stands there is refused in words that do not name a type of Rust.
fn natural<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    struct Natural;

    impl Visitor<'_> for Natural {
        type Value = u64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a whole number from 0 to {}", u64::MAX)
        }

        fn visit_u64<E>(self, number: u64) -> Result<u64, E> {
            Ok(number)
        }
    }

    deserializer.deserialize_u64(Natural)
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl Document {
    /// Reads a problem. A byte order mark before it is skipped.
    pub fn parse(text: &str) -> Result<Document, JsonError> {
        let raw: RawDocument = serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text))?;
        let references = raw
            .nodes
            .iter()
            .map(|node| node.deps.len() + node.after.len() + 1)
            .sum::<usize>();
        if references >= u32::MAX as usize {
            return Err(JsonError::TooLarge(references));
        }
        let mut positions: HashMap<ExternalId, NodeId> = HashMap::with_capacity(raw.nodes.len());
        for (position, node) in raw.nodes.iter().enumerate() {
            if let Some(first) = positions.insert(node.id.clone(), NodeId(position as u32)) {
                let (id, first) = (node.id.clone(), first.index());
                return Err(JsonError::DuplicateId {
                    id,
                    first,
                    second: position,
                });
            }
        }

        let mut document = Document {
            problem: Problem::with_capacity(raw.nodes.len(), references),
            ids: Vec::with_capacity(raw.nodes.len()),
            node_extras: Vec::with_capacity(raw.nodes.len()),
            extras: raw.extras,
        };
        for node in raw.nodes {
            document.push(node, &positions)?;
        }
        for (stream, link) in &raw.links {
            let stream = document.problem.stream(stream);
            document.problem.set_link(stream, link);
        }
        for id in raw.live_out {
            let node = positions.get(&id).copied().ok_or(JsonError::UnknownLiveOut(id))?;
            document.problem.push_live_out(node);
        }
        Ok(document)
    }

    fn push(&mut self, node: RawNode, positions: &HashMap<ExternalId, NodeId>) -> Result<(), JsonError> {
        let find = |key: &'static str, reference: &ExternalId| {
            positions
                .get(reference)
                .copied()
                .ok_or_else(|| JsonError::UnknownId {
                    id: node.id.clone(),
                    key,
                    reference: reference.clone(),
                })
        };
        let unknown_word = |key, found: &str, expected| JsonError::UnknownWord {
            id: node.id.clone(),
            key,
            found: found.to_owned(),
            expected,
        };
        let kind = Kind::from_name(&node.kind)
            .ok_or_else(|| unknown_word("kind", &node.kind, "compute, start, wait, blocking, view, arg"))?;
        let expected = "all_gather, reduce_scatter, all_reduce, all_to_all, permute, broadcast";
        let collective = match &node.collective {
            Some(word) => {
                Some(Collective::from_name(word).ok_or_else(|| unknown_word("collective", word, expected))?)
            }
            None => None,
        };
        let deps = node
            .deps
            .iter()
            .map(|id| find("deps", id))
            .collect::<Result<Vec<_>, _>>()?;
        let after = node
            .after
            .iter()
            .map(|id| find("after", id))
            .collect::<Result<Vec<_>, _>>()?;
        let of = node.of.as_ref().map(|id| find("of", id)).transpose()?;
        let stream = node.stream.as_deref().map(|name| self.problem.stream(name));
        let id = self.problem.push(Node {
            kind,
            ns: node.ns,
            bytes: node.bytes,
            deps: &deps,
            after: &after,
            of,
            stream,
            collective,
            cheap: node.cheap,
            fence: node.fence,
        });
        if !node.name.is_empty() {
            self.problem.set_name(id, &node.name);
        }
        for name in &node.occupies {
            let stream = self.problem.stream(name);
            self.problem.occupy(id, stream);
        }
        self.ids.push(node.id);
        self.node_extras.push(node.extras);
        Ok(())
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// As [`Problem::check`], with nodes named by the ids of the file.
    pub fn check(&self) -> Result<(), JsonError> {
        let name = |node: NodeId| format!("node {}", self.id(node));
        self.problem
            .check()
            .map_err(|error| JsonError::Problem(error.with_names(name)))
    }

    /// Keys that are not known: those at the top, then those of nodes, each once, in the order of their text. O(keys log keys).
    pub fn unknown_keys(&self) -> Vec<UnknownKey<'_>> {
        let at_top = self.extras.keys().filter(|key| !NOTES.contains(&key.as_str()));
        let mut first: BTreeMap<&str, &ExternalId> = BTreeMap::new();
        for (extras, id) in self.node_extras.iter().zip(&self.ids) {
            for key in extras.keys() {
                first.entry(key).or_insert(id);
            }
        }
        let at_top = at_top.map(|key| UnknownKey { key, node: None });
        let of_nodes = first
            .into_iter()
            .map(|(key, id)| UnknownKey { key, node: Some(id) });
        at_top.chain(of_nodes).collect()
    }

    /// The id that the file gives a node.
    pub fn id(&self, node: NodeId) -> &ExternalId {
        &self.ids[node.index()]
    }

    /// The document with its nodes in the order of `order`, a permutation of them; ids and unknown keys stay with
    /// their nodes.
    pub fn reordered(&self, order: &[NodeId]) -> Document {
        Document {
            problem: self.problem.reordered(order),
            ids: order.iter().map(|id| self.ids[id.index()].clone()).collect(),
            node_extras: order
                .iter()
                .map(|id| self.node_extras[id.index()].clone())
                .collect(),
            extras: self.extras.clone(),
        }
    }

    /// Puts a value at the top of the document, in place of what that key held.
    pub fn set_extra(&mut self, key: &str, value: Value) {
        self.extras.insert(key.to_owned(), value);
    }

    /// The document as JSON.
    pub fn to_json(&self) -> Result<String, JsonError> {
        let external = |ids: &[NodeId]| {
            ids.iter()
                .map(|id| self.ids[id.index()].clone())
                .collect::<Vec<_>>()
        };
        let name_of = |stream: StreamId| self.problem.stream_name(stream).to_owned();
        let raw_node = |id: NodeId| {
            let node = self.problem.node(id);
            let mut occupies: Vec<String> = self.problem.occupied(id).map(name_of).collect();
            // Numbers of streams depend on the order of nodes, names do not.
            occupies.sort_unstable();
            RawNode {
                id: self.ids[id.index()].clone(),
                name: self.problem.name(id).to_owned(),
                kind: node.kind.name().to_owned(),
                ns: node.ns,
                bytes: node.bytes,
                deps: external(node.deps),
                after: external(node.after),
                of: node.of.map(|start| self.ids[start.index()].clone()),
                stream: node.stream.map(name_of),
                collective: node.collective.map(|collective| collective.name().to_owned()),
                cheap: node.cheap,
                fence: node.fence,
                occupies,
                extras: self.node_extras[id.index()].clone(),
            }
        };
        let link_of = |stream: StreamId| self.problem.link_name(self.problem.link_of(stream));
        let raw = RawDocument {
            nodes: self.problem.ids().map(raw_node).collect(),
            live_out: external(self.problem.live_out()),
            links: self
                .problem
                .streams()
                .filter(|stream| link_of(*stream) != self.problem.stream_name(*stream))
                .map(|stream| (name_of(stream), link_of(stream).to_owned()))
                .collect(),
            extras: self.extras.clone(),
        };
        Ok(serde_json::to_string_pretty(&raw)?)
    }
}
