// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Numbers for streams that tell them apart by what is done on them: neither their names nor the order in which a problem
//! mentions them shows.
//!
//! Colours of nodes and of streams refine each other (colour refinement of Weisfeiler and Leman): a stream's colour is made
//! of the colours of the nodes on it and of the streams that share its link, a node's of the colours of its streams. When
//! that comes to rest and streams are still alike, one of them gets a colour of its own, and so on. Streams that are alike
//! until then are interchangeable, so it does not matter which one, except in problems that colour refinement cannot tell
//! apart; there, as beyond a fixed number of rounds, source order decides.

use crate::node::StreamId;
use crate::problem::Problem;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Rounds of refinement at most; each costs as much as one look at all nodes. Problems have a few streams, and hardly ever
/// two alike.
const MOST_ROUNDS: usize = 32;

/// A colour for each stream. `nodes` colours all nodes, given colours of the streams; it is asked at most a fixed number of
/// times, and not at all where there are not two streams to tell apart.
pub(crate) fn stream_numbers(problem: &Problem, nodes: impl Fn(&[u64]) -> Vec<u64>) -> Vec<u64> {
    let mut streams = StreamColours::new(problem);
    streams.refine(problem, &nodes);
    while !streams.are_told_apart() && streams.rounds_left > 0 {
        streams.split();
        if streams.refine_once(problem, &nodes) {
            streams.refine(problem, &nodes);
        }
    }
    streams.tell_apart_by_use();
    streams.colours
}

/// Colours of streams, of which some may still be alike.
pub(crate) struct StreamColours {
    /// The streams that something uses, in the order of their first use.
    used: Vec<StreamId>,
    colours: Vec<u64>,
    /// How many different colours the streams in use have.
    classes: usize,
    rounds_left: usize,
}

impl StreamColours {
    /// All streams alike.
    pub(crate) fn new(problem: &Problem) -> Self {
        let used = by_first_use(problem);
        StreamColours {
            classes: used.len().min(1),
            used,
            colours: vec![0; problem.stream_count()],
            rounds_left: MOST_ROUNDS,
        }
    }

    /// The colour of each stream.
    pub(crate) fn colours(&self) -> &[u64] {
        &self.colours
    }

    /// Whether no two streams are alike.
    fn are_told_apart(&self) -> bool {
        self.classes == self.used.len()
    }

    /// Refines the colours, and those that `nodes` gives to nodes, until they come to rest or the rounds are used up.
    pub(crate) fn refine(&mut self, problem: &Problem, nodes: impl Fn(&[u64]) -> Vec<u64>) {
        while !self.are_told_apart() && self.rounds_left > 0 && self.refine_once(problem, &nodes) {}
    }

    /// One round. Whether more streams are told apart than before.
    fn refine_once(&mut self, problem: &Problem, nodes: impl Fn(&[u64]) -> Vec<u64>) -> bool {
        self.rounds_left -= 1;
        self.colours = refined(problem, &self.used, &self.colours, &nodes(&self.colours));
        let before = std::mem::replace(&mut self.classes, count(&self.colours, &self.used));
        self.classes != before
    }

    /// Whether another stream in use has the same colour.
    pub(crate) fn is_alike(&self, stream: StreamId) -> bool {
        let colour = self.colours[stream.index()];
        let is_like = |other: &StreamId| *other != stream && self.colours[other.index()] == colour;
        !self.are_told_apart() && self.used.iter().any(is_like)
    }

    /// Gives the first of the streams with the least colour that several have a colour of its own.
    fn split(&mut self) {
        let mut sorted: Vec<u64> = self
            .used
            .iter()
            .map(|stream| self.colours[stream.index()])
            .collect();
        sorted.sort_unstable();
        let alike = sorted.windows(2).find(|pair| pair[0] == pair[1]);
        let mut used = self.used.iter();
        if let Some(first) =
            alike.and_then(|pair| used.find(|stream| self.colours[stream.index()] == pair[0]))
        {
            self.colours[first.index()] = number((self.colours[first.index()], "first"));
            self.classes += 1;
        }
    }

    /// Gives every stream a colour of its own by its first use, unless they have one.
    fn tell_apart_by_use(&mut self) {
        if !self.are_told_apart() {
            for (place, stream) in self.used.iter().enumerate() {
                self.colours[stream.index()] = number((self.colours[stream.index()], place));
            }
        }
    }
}

/// The streams that something uses, in the order in which the source does: those that a collective is on before others.
fn by_first_use(problem: &Problem) -> Vec<StreamId> {
    let mut is_used = vec![false; problem.stream_count()];
    let mut used = Vec::new();
    let issued = problem.ids().filter_map(|id| problem.stream_of(id));
    let occupied = problem.occupied_pairs().iter().map(|(_, stream)| *stream);
    for stream in issued.chain(occupied) {
        if !std::mem::replace(&mut is_used[stream.index()], true) {
            used.push(stream);
        }
    }
    used
}

/// The colours of streams after one more round.
fn refined(problem: &Problem, used: &[StreamId], colours: &[u64], nodes: &[u64]) -> Vec<u64> {
    let issued = problem.ids().filter_map(|id| {
        let stream = problem.stream_of(id)?;
        Some((stream, number((nodes[id.index()], "issued"))))
    });
    let occupied = problem.occupied_pairs().iter();
    let occupied = occupied.map(|&(id, stream)| (stream, number((nodes[id.index()], "occupied"))));
    let mut uses = vec![0u64; colours.len()];
    for (stream, colour) in issued.chain(occupied) {
        uses[stream.index()] = uses[stream.index()].wrapping_add(colour);
    }
    let own = |stream: StreamId| number((colours[stream.index()], uses[stream.index()]));
    let mut links = vec![0u64; problem.link_count()];
    for &stream in used {
        let link = &mut links[problem.link_of(stream).index()];
        *link = link.wrapping_add(own(stream));
    }
    let mut refined = vec![0u64; colours.len()];
    for &stream in used {
        refined[stream.index()] = number((own(stream), links[problem.link_of(stream).index()]));
    }
    refined
}

/// How many different colours the streams in use have.
fn count(colours: &[u64], used: &[StreamId]) -> usize {
    let mut different: Vec<u64> = used.iter().map(|stream| colours[stream.index()]).collect();
    different.sort_unstable();
    different.dedup();
    different.len()
}

/// A number for a value. The hasher's keys are fixed: the numbers are the same in every run.
pub(crate) fn number(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
