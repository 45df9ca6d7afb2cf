// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! For each collective of a timed order: how much of it is hidden, how much is exposed, and what limits it.
//!
//! *Hidden* is the part of its run in which something is computed. *Exposed* is how long its wait holds computation up, and
//! how long an op with regions that needs its link does; of a collective that no wait of computation awaits (its result only feeds other collectives, or nothing), it is the
//! part of its run in which nothing is computed. The two need not add up to its duration: a wait may also stand for the
//! time in which the link is busy with others.
//!
//! The cause is read off the order, not off the search that found it: where the collective begins, what holds that
//! moment back (the end of its operand, an op that it may not move across, the link, or the place of its start), and, where
//! only its place does, whether a limit would be exceeded had it started as soon as its operand allows. Of several limits
//! the one counts that would be exceeded first on the way there. Views and cheap ops between the operand and the computation
//! behind it hold nothing back, since they can move too. A collective that begins as early as it may is held back at its
//! other end where its wait may not move behind an op, although its result is needed later.
//!
//! O(e + n (log n)^2). Nothing here decides an order.

mod fences;
mod flight;
mod range_max;

use crate::memory;
use crate::node::{Kind, NodeId};
use crate::problem::Problem;
use crate::schedule::ScheduleOptions;
use crate::timing::{Timeline, stream_waits};
use fences::Fences;
use flight::Flights;
use range_max::RangeMax;
use std::fmt;
use std::ops::Range;

/// What limits a collective.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// Nothing: it is hidden.
    Nothing,
    /// It begins as soon as its operand is there, and its result is needed before it ends.
    Operand,
    /// It begins with the step, and its result is needed before it ends.
    Consumer,
    /// It may not move across an op, although no value says so: its start not ahead of a fence or of an earlier all-to-all,
    /// permute or broadcast, or its wait not behind a fence.
    Fence,
    /// It begins when the link becomes free.
    Link,
    /// An earlier start would exceed the memory limit.
    Memory,
    /// An earlier start would exceed a limit in flight.
    InFlight,
    /// It could begin earlier, but no better order was found.
    Order,
    /// It is started and awaited in one.
    Blocking,
}

impl Cause {
    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Nothing => "nothing",
            Cause::Operand => "operand",
            Cause::Consumer => "consumer",
            Cause::Fence => "fence",
            Cause::Link => "link",
            Cause::Memory => "memory",
            Cause::InFlight => "in-flight",
            Cause::Order => "order",
            Cause::Blocking => "blocking",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Nothing => "nothing",
            Cause::Operand => "its operand, which is not there earlier",
            Cause::Consumer => "its consumer, although it begins with the step",
            Cause::Fence => "an op that it may not move across",
            Cause::Link => "the link, which is busy until it begins",
            Cause::Memory => "the memory limit, which an earlier start would exceed",
            Cause::InFlight => "the limit in flight, which an earlier start would exceed",
            Cause::Order => "the order: it could begin earlier, but no better order was found",
            Cause::Blocking => "being blocking",
        })
    }
}

/// What is said of one collective. See the [module](self) documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The start or the blocking collective.
    pub node: NodeId,
    /// How long something is computed while it runs.
    pub hidden_ns: u64,
    /// How long computation is held up for it.
    pub exposed_ns: u64,
    /// What keeps the exposed time from being less.
    pub cause: Cause,
    /// The op that it may not move across, where that is the cause.
    pub fence: Option<NodeId>,
}

/// Explains all collectives of an order that [`timeline`](crate::timeline()) timed, in that order. `options` are those
/// that the order was made under.
pub fn explain(
    problem: &Problem,
    order: &[NodeId],
    timeline: &Timeline,
    options: &ScheduleOptions,
) -> Vec<Explanation> {
    let computing = Computing::new(problem, order, timeline);
    let places = Places::new(problem, order, timeline);
    let fences = Fences::new(problem, order);
    let limits = Limits::new(problem, order, options);
    let waits = problem.waits();
    // When each link becomes free, and the explanation of what used it last, if that is a collective.
    let mut links: Vec<(u64, Option<usize>)> = vec![(0, None); problem.link_count()];
    let mut explanations: Vec<Explanation> = Vec::new();
    for (position, &id) in order.iter().enumerate() {
        let index = id.index();
        let (begin, end) = (timeline.begin_ns[index], timeline.end_ns[index]);
        if problem.kind(id) == Kind::Compute {
            let held_up = begin - places.clock_at[position];
            let mut last = None;
            for stream in problem.occupied(id) {
                let (free, collective) = &mut links[problem.link_of(stream).index()];
                if *free == begin {
                    last = last.or(*collective);
                }
                (*free, *collective) = (end, None);
            }
            if let Some(last) = last {
                explanations[last].exposed_ns += held_up;
            }
        }
        let Some(stream) = problem.stream_of(id) else {
            continue;
        };
        let link = &mut links[problem.link_of(stream).index()];
        let (free, _) = std::mem::replace(link, (end, Some(explanations.len())));
        let hidden_ns = computing.between(begin, end);
        let awaiting = waits[index].or((problem.kind(id) == Kind::Blocking).then_some(id));
        let exposed_ns = match awaiting.filter(|wait| !places.is_stream_wait[wait.index()]) {
            Some(wait) => timeline.exposed_ns[wait.index()],
            None => (end - begin) - hidden_ns,
        };
        let mut fence = None;
        let cause = if problem.kind(id) == Kind::Blocking {
            Cause::Blocking
        } else {
            let earliest = places.earliest(problem, id);
            let (issued, ready) = (places.clock_at[position], places.clock_at[earliest]);
            if begin > issued.max(free) {
                // It reads what another collective yields.
                Cause::Operand
            } else if free == begin && ready < begin {
                Cause::Link
            } else if ready < issued {
                limits.cause(problem, id, earliest, position)
            } else if let Some(held_by) = places
                .fence_before(problem, id)
                .or_else(|| fences.behind(waits[id.index()]?, &places, &computing))
            {
                fence = Some(held_by);
                Cause::Fence
            } else if issued == 0 {
                Cause::Consumer
            } else {
                Cause::Operand
            }
        };
        explanations.push(Explanation {
            node: id,
            hidden_ns,
            exposed_ns,
            cause,
            fence,
        });
    }
    for explanation in explanations.iter_mut().filter(|one| one.exposed_ns == 0) {
        explanation.cause = Cause::Nothing;
        explanation.fence = None;
    }
    explanations
}

/// When something is computed.
struct Computing {
    begins: Vec<u64>,
    ends: Vec<u64>,
    /// Time computed before each of them, and in the end all of it.
    before: Vec<u64>,
}

impl Computing {
    fn new(problem: &Problem, order: &[NodeId], timeline: &Timeline) -> Self {
        let (mut begins, mut ends, mut before) = (Vec::new(), Vec::new(), vec![0]);
        let mut sum = 0;
        for &id in order {
            if problem.kind(id) == Kind::Compute && problem.ns(id) > 0 {
                let (begin, end) = (timeline.begin_ns[id.index()], timeline.end_ns[id.index()]);
                sum += end - begin;
                begins.push(begin);
                ends.push(end);
                before.push(sum);
            }
        }
        Computing { begins, ends, before }
    }

    /// The time computed in `from..to`.
    fn between(&self, from: u64, to: u64) -> u64 {
        self.until(to) - self.until(from)
    }

    fn until(&self, time: u64) -> u64 {
        let count = self.begins.partition_point(|&begin| begin < time);
        match count.checked_sub(1) {
            None => 0,
            Some(last) => self.before[last] + (time.min(self.ends[last]) - self.begins[last]),
        }
    }
}

/// Where nodes could be issued, and when.
struct Places {
    /// The clock of computation before the node at each position, and in the end behind all.
    clock_at: Vec<u64>,
    /// For each node how many nodes of the order come before the first that may read it.
    ready: Vec<usize>,
    is_stream_wait: Vec<bool>,
}

impl Places {
    fn new(problem: &Problem, order: &[NodeId], timeline: &Timeline) -> Self {
        let mut places = Places {
            clock_at: Vec::with_capacity(order.len() + 1),
            ready: vec![0; problem.len()],
            is_stream_wait: stream_waits(problem),
        };
        let mut clock = 0;
        for (position, &id) in order.iter().enumerate() {
            let index = id.index();
            places.clock_at.push(clock);
            let moves_clock = match problem.kind(id) {
                Kind::Compute => true,
                Kind::Wait | Kind::Blocking => !places.is_stream_wait[index],
                Kind::Start | Kind::View | Kind::Arg => false,
            };
            if moves_clock {
                clock = timeline.end_ns[index];
            }
            places.ready[index] = match problem.kind(id) {
                Kind::Arg => 0,
                Kind::View => places.earliest(problem, id),
                Kind::Compute if problem.is_cheap(id) => places.earliest(problem, id),
                _ => position + 1,
            };
        }
        places.clock_at.push(clock);
        places
    }

    /// The op that a node follows for another reason than a value, where all that it reads is there at an earlier time.
    fn fence_before(&self, problem: &Problem, id: NodeId) -> Option<NodeId> {
        let ready = |node: &NodeId| self.ready[node.index()];
        let by_value = problem.deps(id).iter().map(ready).max().unwrap_or(0);
        let fence = problem.after(id).iter().copied().max_by_key(ready)?;
        (self.clock_at[by_value] < self.clock_at[ready(&fence)]).then_some(fence)
    }

    /// The first position at which a node could be issued; nothing it depends on stands behind it.
    fn earliest(&self, problem: &Problem, id: NodeId) -> usize {
        let deps = problem.deps(id).iter().chain(problem.after(id));
        deps.map(|dep| self.ready[dep.index()]).max().unwrap_or(0)
    }
}

/// What the limits leave free along the order.
struct Limits {
    memory: Option<(u64, RangeMax)>,
    flights: Flights,
}

impl Limits {
    fn new(problem: &Problem, order: &[NodeId], options: &ScheduleOptions) -> Self {
        Limits {
            memory: options
                .memory_limit
                .map(|limit| (limit, RangeMax::new(memory::profile(problem, order)))),
            flights: Flights::new(problem, order, options),
        }
    }

    /// Why a start at `position` does not stand at `earliest`. Of two limits the one that is exceeded nearer to its place
    /// keeps it there; of two at one place, memory.
    fn cause(&self, problem: &Problem, start: NodeId, earliest: usize, position: usize) -> Cause {
        let bytes = problem.bytes(start);
        let exceeds_memory = |from: usize| {
            let exceeds = |(limit, profile): &(u64, RangeMax)| {
                profile.over(from..position).saturating_add(bytes) > *limit
            };
            self.memory.as_ref().is_some_and(exceeds)
        };
        let exceeds_in_flight = |from: usize| self.flights.would_exceed(problem, start, from..position);
        let by_memory = first_allowed(earliest..position, exceeds_memory);
        let in_flight = first_allowed(earliest..position, exceeds_in_flight);
        if by_memory.max(in_flight) == earliest {
            Cause::Order
        } else if by_memory >= in_flight {
            Cause::Memory
        } else {
            Cause::InFlight
        }
    }
}

/// The first place at which a limit is kept that is kept at all places behind it; the end of the range where it is kept at none.
fn first_allowed(places: Range<usize>, is_exceeded: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (places.start, places.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_exceeded(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
