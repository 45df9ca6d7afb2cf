// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What there is to see of one order.
//!
//! The bars of computation lie one after another; every stretch of the step without one is a [`Gap`]. A gap has a cause:
//! the collective that a wait or a blocking collective waits for, the one that keeps the link of an op with regions busy,
//! or, after the last computation, the one that ends the step. What limits that collective is what [`explain`] says of it
//! without limits on memory or on what is in flight, for an order does not tell them. O((n + e) log n).

use super::category::Category;
use super::label;
use crate::bounds::Bound;
use crate::check::ProblemError;
use crate::explain::{Cause, explain};
use crate::memory;
use crate::node::{Kind, NodeId, StreamId};
use crate::problem::Problem;
use crate::schedule::ScheduleOptions;
use crate::timing::{Timeline, timeline};
use crate::verify::{VerifyError, verify};
use thiserror::Error;

/// Why an order cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The problem is not well formed.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The order is none of the problem.
    #[error(transparent)]
    Order(#[from] VerifyError),
}

/// A stretch of time on one stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bar {
    /// What runs.
    pub node: NodeId,
    /// When it begins.
    pub begin_ns: u64,
    /// When it ends, which is later.
    pub end_ns: u64,
    /// How it is shown.
    pub category: Category,
}

/// One stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// The name of the stream.
    pub title: String,
    /// The name of its link, when other streams share the link.
    pub link: Option<String>,
    /// What runs on it, by time.
    pub bars: Vec<Bar>,
}

/// A stretch of time in which nothing is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// When computation stops.
    pub begin_ns: u64,
    /// When it goes on, or the step ends.
    pub end_ns: u64,
    /// The collective whose end is waited for.
    pub collective: NodeId,
    /// For how long the collective runs.
    pub runs_ns: u64,
    /// How long before the gap the collective was issued.
    pub lead_ns: u64,
    /// For how long it stood behind other collectives after that.
    pub queued_ns: u64,
    /// What keeps it from hiding more.
    pub cause: Cause,
}

impl Gap {
    /// Its length.
    pub fn ns(&self) -> u64 {
        self.end_ns - self.begin_ns
    }
}

/// From when on how much memory is live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryStep {
    /// From when on.
    pub at_ns: u64,
    /// How many bytes, arguments apart.
    pub bytes: u64,
}

/// A place where computation awaits a collective, at once or later than it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Await {
    /// The wait, or the blocking collective itself.
    pub node: NodeId,
    /// What is awaited.
    pub collective: NodeId,
    /// The clock of computation there.
    pub at_ns: u64,
    /// For how long computation is held up.
    pub exposed_ns: u64,
}

/// What a compute node that stands for others, such as a loop, holds inside: nothing of it is drawn, but it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inside {
    /// The node.
    pub node: NodeId,
    /// For how much of its duration nothing is computed.
    pub exposed_ns: u64,
    /// Most bytes that are live inside of it at once, beyond those around it.
    pub peak_bytes: u64,
}

/// What there is to see of one order. See the [module](super) documentation.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// What is drawn.
    pub problem: &'a Problem,
    /// What tells it from other pictures.
    pub title: String,
    /// Computation first, then one lane for each stream that anything is issued on.
    pub lanes: Vec<Lane>,
    /// The stretches without computation, by time.
    pub gaps: Vec<Gap>,
    /// Where computation awaits something, by time.
    pub awaits: Vec<Await>,
    /// Live memory, by time; of several steps at one time all but the last stand for that moment only.
    pub memory: Vec<MemoryStep>,
    /// When each node was issued, by node: the clock of computation before it.
    pub issued_ns: Vec<u64>,
    /// When the step ends.
    pub step_ns: u64,
    /// Sum of the durations of computation, without what is exposed inside of it.
    pub compute_ns: u64,
    /// What nodes hold inside, by node.
    pub inside: Vec<Inside>,
    /// A lower bound on the step time of any order of these nodes, when one is known. Of nodes that stand for others it
    /// takes the durations as they are.
    pub bound: Option<Bound>,
}

impl<'a> Picture<'a> {
    /// The picture of `order`, with a title to tell it from others.
    pub fn new(title: &str, problem: &'a Problem, order: &[NodeId]) -> Result<Self, PictureError> {
        Self::with_inside(title, problem, order, &[])
    }

    /// As [`Picture::new`], where some compute nodes stand for others; of several entries for one the first counts. What is exposed inside is
    /// exposed time of the step, and what is live inside adds to what is live at the place of the node.
    pub fn with_inside(
        title: &str,
        problem: &'a Problem,
        order: &[NodeId],
        inside: &[Inside],
    ) -> Result<Self, PictureError> {
        problem.check()?;
        verify(problem, order)?;
        let live = memory::profile(problem, order);
        let mut builder = Builder::new(title, problem, order);
        let mut inside_bytes = vec![0; problem.len()];
        let mut inside = inside.to_vec();
        inside.sort_by_key(|inside| inside.node);
        inside.dedup_by_key(|inside| inside.node);
        for inside in inside {
            builder.inside(inside);
            if let Some(bytes) = inside_bytes.get_mut(inside.node.index()) {
                *bytes = inside.peak_bytes;
            }
        }
        for (&id, &bytes) in order.iter().zip(&live) {
            builder.issue(id, bytes.saturating_add(inside_bytes[id.index()]));
        }
        Ok(builder.finish())
    }

    /// With a lower bound to compare the step with.
    pub fn with_bound(self, bound: Bound) -> Self {
        Picture {
            bound: Some(bound),
            ..self
        }
    }

    /// The part of the step in which nothing is computed.
    pub fn exposed_ns(&self) -> u64 {
        self.step_ns - self.compute_ns
    }

    /// The part of that which no gap shows, since it lies inside of nodes.
    pub fn exposed_inside_ns(&self) -> u64 {
        self.inside.iter().map(|inside| inside.exposed_ns).sum()
    }

    /// How many compute nodes stand for others that communicate: another order inside of them can make them shorter, which
    /// no bound on the order around them knows.
    pub fn communicating_inside(&self) -> usize {
        let problem = self.problem;
        let communicates = |id: &NodeId| {
            let is_exposed = self.inside_of(*id).is_some_and(|inside| inside.exposed_ns > 0);
            is_exposed || problem.occupied(*id).next().is_some()
        };
        let nodes = problem.ids().filter(|id| problem.kind(*id) == Kind::Compute);
        nodes.filter(communicates).count()
    }

    /// What a node holds inside.
    pub(super) fn inside_of(&self, id: NodeId) -> Option<&Inside> {
        let index = self.inside.binary_search_by_key(&id, |inside| inside.node);
        index.ok().map(|index| &self.inside[index])
    }

    /// The first step of memory that no other exceeds.
    pub fn peak(&self) -> MemoryStep {
        let first = MemoryStep { at_ns: 0, bytes: 0 };
        self.memory.iter().fold(
            first,
            |most, step| if step.bytes > most.bytes { *step } else { most },
        )
    }

    /// The name of a node, made fit to be shown.
    pub(super) fn name(&self, id: NodeId) -> String {
        label::name(self.problem, id)
    }
}

/// A picture in the making.
struct Builder<'a> {
    picture: Picture<'a>,
    times: Timeline,
    /// The clock of computation.
    clock: u64,
    /// The lane of each stream.
    lane_of: Vec<usize>,
    /// What ran last on each link, and what ends last on any.
    last_on_link: Vec<Option<NodeId>>,
    last: Option<NodeId>,
    /// What limits each collective, by node.
    causes: Vec<Cause>,
}

impl<'a> Builder<'a> {
    fn new(title: &str, problem: &'a Problem, order: &[NodeId]) -> Self {
        let times = timeline(problem, order);
        let mut causes = vec![Cause::Nothing; problem.len()];
        for explanation in explain(problem, order, &times, &ScheduleOptions::default()) {
            causes[explanation.node.index()] = explanation.cause;
        }
        let (lanes, lane_of) = empty_lanes(problem);
        Builder {
            picture: Picture {
                problem,
                title: label::clean(title),
                lanes,
                gaps: Vec::new(),
                awaits: Vec::new(),
                memory: Vec::new(),
                issued_ns: vec![0; problem.len()],
                step_ns: times.step_ns,
                compute_ns: times.compute_ns,
                inside: Vec::new(),
                bound: None,
            },
            times,
            clock: 0,
            lane_of,
            last_on_link: vec![None; problem.link_count()],
            last: None,
            causes,
        }
    }

    /// Nothing is exposed for longer inside of a node than it takes.
    fn inside(&mut self, inside: Inside) {
        let problem = self.picture.problem;
        let node = inside.node;
        if node.index() >= problem.len() || problem.kind(node) != Kind::Compute {
            return;
        }
        let exposed_ns = inside.exposed_ns.min(problem.ns(node));
        self.picture.compute_ns -= exposed_ns;
        self.picture.inside.push(Inside { exposed_ns, ..inside });
    }

    fn issue(&mut self, id: NodeId, live_bytes: u64) {
        let problem = self.picture.problem;
        self.picture.issued_ns[id.index()] = self.clock;
        self.memory(live_bytes);
        match problem.kind(id) {
            Kind::Compute => {
                let begin = self.times.begin_ns[id.index()];
                let links = problem.occupied(id).map(|stream| problem.link_of(stream).index());
                let mut busy = links.filter_map(|link| self.last_on_link[link]);
                // The one of several that `explain` counts the time for.
                if let Some(holder) = busy.find(|node| self.times.end_ns[node.index()] == begin) {
                    self.gap(holder, begin);
                }
                self.bar(0, id, Category::Compute);
                for stream in problem.occupied(id) {
                    self.bar(self.lane_of[stream.index()], id, Category::Occupied);
                    self.last_on_link[problem.link_of(stream).index()] = Some(id);
                }
                self.clock = self.times.end_ns[id.index()];
            }
            Kind::Start | Kind::Blocking => {
                let stream = problem.stream_of(id).expect("a checked problem");
                self.bar(self.lane_of[stream.index()], id, Category::of(problem, id));
                self.last_on_link[problem.link_of(stream).index()] = Some(id);
                // What takes no time holds nothing up, even if it comes last of all.
                let end = self.times.end_ns[id.index()];
                let is_last = |last: NodeId| self.times.end_ns[last.index()] <= end;
                if problem.ns(id) > 0 && self.last.is_none_or(is_last) {
                    self.last = Some(id);
                }
                if problem.kind(id) == Kind::Blocking {
                    self.await_collective(id, id);
                }
            }
            Kind::Wait => self.await_collective(id, problem.of(id).expect("a checked problem")),
            Kind::View | Kind::Arg => {}
        }
    }

    /// A wait that does not move the clock is drawn nowhere: it holds nothing up.
    fn await_collective(&mut self, id: NodeId, collective: NodeId) {
        let exposed_ns = self.times.exposed_ns[id.index()];
        self.picture.awaits.push(Await {
            node: id,
            collective,
            at_ns: self.clock,
            exposed_ns,
        });
        self.gap(collective, self.clock + exposed_ns);
    }

    /// Computation stands still until `end_ns`, when `collective` ends.
    fn gap(&mut self, collective: NodeId, end_ns: u64) {
        if end_ns <= self.clock {
            return;
        }
        let issued_ns = self.picture.issued_ns[collective.index()];
        self.picture.gaps.push(Gap {
            begin_ns: self.clock,
            end_ns,
            collective,
            runs_ns: self.picture.problem.ns(collective),
            lead_ns: self.clock - issued_ns,
            queued_ns: self.times.begin_ns[collective.index()] - issued_ns,
            cause: self.causes[collective.index()],
        });
        self.clock = end_ns;
    }

    fn bar(&mut self, lane: usize, node: NodeId, category: Category) {
        let (begin_ns, end_ns) = (self.times.begin_ns[node.index()], self.times.end_ns[node.index()]);
        if end_ns > begin_ns {
            self.picture.lanes[lane].bars.push(Bar {
                node,
                begin_ns,
                end_ns,
                category,
            });
        }
    }

    /// Of all steps at one time the largest and the last are kept.
    fn memory(&mut self, bytes: u64) {
        let step = MemoryStep {
            at_ns: self.clock,
            bytes,
        };
        let steps = &mut self.picture.memory;
        let known = steps
            .iter()
            .rev()
            .take(2)
            .take_while(|known| known.at_ns == step.at_ns)
            .count();
        match (known, steps.len()) {
            (2, length) => {
                if steps[length - 1].bytes > steps[length - 2].bytes {
                    steps.remove(length - 2);
                } else {
                    steps.pop();
                }
                steps.push(step);
            }
            _ if steps.last().is_some_and(|last| last.bytes == bytes) => {}
            _ => steps.push(step),
        }
    }

    fn finish(mut self) -> Picture<'a> {
        if let Some(last) = self.last {
            self.gap(last, self.times.step_ns);
        }
        self.picture
    }
}

/// A lane for computation and one for each stream that a node names, and the lane of each stream.
fn empty_lanes(problem: &Problem) -> (Vec<Lane>, Vec<usize>) {
    let mut is_used = vec![false; problem.stream_count()];
    for id in problem.ids() {
        for stream in problem.stream_of(id).into_iter().chain(problem.occupied(id)) {
            is_used[stream.index()] = true;
        }
    }
    let streams = || (0..problem.stream_count() as u32).map(StreamId);
    let mut sharers = vec![0; problem.link_count()];
    for stream in streams().filter(|stream| is_used[stream.index()]) {
        sharers[problem.link_of(stream).index()] += 1;
    }
    let mut lanes = vec![Lane {
        title: "compute".to_owned(),
        link: None,
        bars: Vec::new(),
    }];
    let mut lane_of = vec![0; problem.stream_count()];
    for stream in streams().filter(|stream| is_used[stream.index()]) {
        lane_of[stream.index()] = lanes.len();
        let link = problem.link_of(stream);
        lanes.push(Lane {
            title: label::clean(problem.stream_name(stream)),
            link: (sharers[link.index()] > 1).then(|| label::clean(problem.link_name(link))),
            bars: Vec::new(),
        });
    }
    (lanes, lane_of)
}
