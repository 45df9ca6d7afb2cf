// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! LB2: heads and tails raised by what one machine has to do before or after, and limits that this refutes.
//!
//! Of the jobs that end before a job begins, those on one machine need the length of Jackson's schedule, with their own
//! heads and with the longest paths to the job as tails; the same holds for what begins after it ends. Raising all heads
//! and tails so, and bounding each machine again, is the one-machine bound of the second level.
//!
//! A limit on the step time says more: of two jobs on one machine that cannot both meet it in one of the orders, the
//! other order is forced (immediate selection, Carlier and Pinson 1989), and [edge finding](mod@super::jackson) raises heads
//! and tails. Repeated until nothing changes, that either contradicts itself, so that every order takes longer, or says
//! nothing. The least limit that is not contradicted is found by bisection (a *destructive* bound, Klein and Scholl
//! 1999).
//!
//! Jobs on one link that must be *issued* one after another also run in that order, although no data passes: the
//! relation that longest paths alone do not see.
//!
//! All is computed in rounds in which every rule sees the state before the round, so the result does not depend on the
//! numbering of the nodes. A round costs O(e j + j^2 log j) for j jobs and e edges between events, and memory for the
//! distances from all jobs to all events. Steps count pairs of a job and an edge and pairs of jobs.

use super::events::Events;
use super::jackson::{Task, jackson, raised_heads};

/// No path. Small enough that adding any path to it stays below zero, see [`LARGEST`].
const NO_PATH: i64 = i64::MIN / 2;

/// The largest sum of durations for which distances cannot be mistaken.
const LARGEST: u64 = 1 << 61;

/// The most distances kept at once, to bound memory: 128 MiB.
const MOST_DISTANCES: u64 = 1 << 24;

/// What is known of the jobs: see the [module](self) documentation.
#[derive(Clone)]
struct Relaxation<'a> {
    events: &'a Events,
    /// The job of each begin, and of each end, of an event.
    begin_of: Vec<Option<u32>>,
    end_of: Vec<Option<u32>>,
    /// By job, what ends before it begins beyond what the events say.
    before: Vec<Vec<u32>>,
    /// By job, what is known of heads and tails beyond paths and machines.
    head_floors: Vec<u64>,
    tail_floors: Vec<u64>,
    /// By job, as of the last round.
    heads: Vec<u64>,
    tails: Vec<u64>,
    /// For each job, the longest path from the end of each job to its begin.
    distances: Vec<i64>,
}

/// A bound on the step time that is at least `known`, or `None` when that takes more than `steps`.
pub(super) fn bound(events: &Events, known: u64, steps: u64) -> Option<u64> {
    let total: u64 = events.jobs.iter().map(|job| job.ns).sum();
    let distances = events.len() as u64 * events.jobs.len() as u64;
    if total > LARGEST || distances > MOST_DISTANCES.min(steps) {
        return None;
    }
    let mut steps = steps;
    let mut relaxation = Relaxation::new(events);
    if !relaxation.pay_round(&mut steps) {
        return None;
    }
    let is_acyclic = relaxation.round();
    debug_assert!(is_acyclic, "dependences have no cycle");
    let mut least = known.max(relaxation.length());
    // Every order takes at least `least`; far limits are seldom refuted, so try near ones first.
    let mut stride = (least / 256).max(1);
    let mut most = total;
    while least < most {
        let limit = (least + stride - 1).min(most - 1);
        match relaxation.refutes(limit, &mut steps) {
            Some(true) => {
                least = limit + 1;
                stride = stride.saturating_mul(2);
            }
            Some(false) => {
                most = limit;
                stride = ((most - least) / 2).max(1);
            }
            None => break,
        }
    }
    Some(least)
}

impl<'a> Relaxation<'a> {
    fn new(events: &'a Events) -> Self {
        let jobs = events.jobs.len();
        let (mut begin_of, mut end_of) = (vec![None; events.len()], vec![None; events.len()]);
        for (index, job) in events.jobs.iter().enumerate() {
            begin_of[job.begin as usize] = Some(index as u32);
            end_of[job.end as usize] = Some(index as u32);
        }
        Relaxation {
            events,
            begin_of,
            end_of,
            before: issued_before(events),
            head_floors: vec![0; jobs],
            tail_floors: vec![0; jobs],
            heads: vec![0; jobs],
            tails: vec![0; jobs],
            distances: vec![NO_PATH; jobs * jobs],
        }
    }

    /// Takes the cost of a round from the steps, if they suffice.
    fn pay_round(&self, steps: &mut u64) -> bool {
        let jobs = self.events.jobs.len() as u64;
        let edges =
            self.events.edge_count() as u64 + self.before.iter().map(|list| list.len() as u64).sum::<u64>();
        match steps.checked_sub(jobs * (edges + jobs)) {
            Some(left) => {
                *steps = left;
                true
            }
            None => false,
        }
    }

    /// The longest of all paths and of the schedules of all machines.
    fn length(&self) -> u64 {
        let jobs = || (0..self.events.jobs.len()).map(|job| self.task(job));
        let path = jobs()
            .map(|task| task.head + task.ns + task.tail)
            .max()
            .unwrap_or(0);
        let machine = |jobs: &Vec<u32>| {
            let mut tasks: Vec<_> = jobs.iter().map(|&job| self.task(job as usize)).collect();
            jackson(&mut tasks)
        };
        self.events
            .machines
            .iter()
            .map(machine)
            .max()
            .unwrap_or(0)
            .max(path)
    }

    fn task(&self, job: usize) -> Task {
        Task {
            head: self.heads[job],
            ns: self.events.jobs[job].ns,
            tail: self.tails[job],
        }
    }

    fn distance(&self, from: usize, to: usize) -> Option<u64> {
        u64::try_from(self.distances[to * self.events.jobs.len() + from]).ok()
    }

    /// An order of the events in which everything stands after what it follows; `None` if there is a cycle.
    fn topological(&self) -> Option<Vec<u32>> {
        let events = self.events;
        let mut missing: Vec<u32> = (0..events.len())
            .map(|event| events.predecessors(event).len() as u32)
            .collect();
        let mut followers: Vec<Vec<u32>> = vec![Vec::new(); events.len()];
        for event in 0..events.len() {
            for &(from, _) in events.predecessors(event) {
                followers[from as usize].push(event as u32);
            }
        }
        for (job, before) in events.jobs.iter().zip(&self.before) {
            missing[job.begin as usize] += before.len() as u32;
            for &other in before {
                followers[events.jobs[other as usize].end as usize].push(job.begin);
            }
        }
        let mut order: Vec<u32> = (0..events.len() as u32)
            .filter(|&event| missing[event as usize] == 0)
            .collect();
        let mut next = 0;
        while let Some(&event) = order.get(next) {
            next += 1;
            for &follower in &followers[event as usize] {
                missing[follower as usize] -= 1;
                if missing[follower as usize] == 0 {
                    order.push(follower);
                }
            }
        }
        (order.len() == events.len()).then_some(order)
    }

    /// Computes distances, heads and tails anew; false if there is a cycle.
    fn round(&mut self) -> bool {
        let Some(order) = self.topological() else {
            return false;
        };
        let events = self.events;
        let jobs = events.jobs.len();
        let mut rows = vec![NO_PATH; events.len() * jobs];
        let mut row = vec![NO_PATH; jobs];
        let mut heads = vec![0u64; events.len()];
        for &event in &order {
            let event = event as usize;
            row.fill(NO_PATH);
            let mut head = 0;
            let mut follow = |from: usize, delay: u64| {
                head = head.max(heads[from] + delay);
                for (to, &path) in row.iter_mut().zip(&rows[from * jobs..(from + 1) * jobs]) {
                    *to = (*to).max(path + delay as i64);
                }
            };
            events
                .predecessors(event)
                .iter()
                .for_each(|&(from, delay)| follow(from as usize, delay));
            if let Some(job) = self.begin_of[event].map(|job| job as usize) {
                for &other in &self.before[job] {
                    follow(events.jobs[other as usize].end as usize, 0);
                }
                self.distances[job * jobs..(job + 1) * jobs].copy_from_slice(&row);
                head = head.max(self.head_floors[job]);
                head = head.max(self.one_sided(|other| {
                    let tail = u64::try_from(row[other]).ok()?;
                    Some((self.heads[other], tail))
                }));
                self.heads[job] = head;
            }
            if let Some(job) = self.end_of[event] {
                row[job as usize] = 0;
            }
            heads[event] = head;
            rows[event * jobs..(event + 1) * jobs].copy_from_slice(&row);
        }
        self.reduce();
        self.round_of_tails(&order);
        true
    }

    fn round_of_tails(&mut self, order: &[u32]) {
        let events = self.events;
        let mut tails = vec![0u64; events.len()];
        for &event in order.iter().rev() {
            let event = event as usize;
            if let Some(job) = self.end_of[event].map(|job| job as usize) {
                let raised = self.one_sided(|other| Some((self.distance(job, other)?, self.tails[other])));
                tails[event] = tails[event].max(self.tail_floors[job]).max(raised);
                self.tails[job] = tails[event];
            }
            let mut reach = |from: usize, delay: u64| tails[from] = tails[from].max(tails[event] + delay);
            events
                .predecessors(event)
                .iter()
                .for_each(|&(from, delay)| reach(from as usize, delay));
            if let Some(job) = self.begin_of[event] {
                for &other in &self.before[job as usize] {
                    reach(events.jobs[other as usize].end as usize, 0);
                }
            }
        }
    }

    /// The longest of the schedules of all machines with the jobs that `sides` gives a head and a tail.
    fn one_sided(&self, sides: impl Fn(usize) -> Option<(u64, u64)>) -> u64 {
        let mut longest = 0;
        let mut tasks = Vec::new();
        for machine in &self.events.machines {
            tasks.clear();
            tasks.extend(machine.iter().filter_map(|&job| {
                let (head, tail) = sides(job as usize)?;
                Some(Task {
                    head,
                    ns: self.events.jobs[job as usize].ns,
                    tail,
                })
            }));
            longest = longest.max(jackson(&mut tasks));
        }
        longest
    }

    /// Drops what `before` says of jobs that end before another job of the same list begins.
    fn reduce(&mut self) {
        for job in 0..self.before.len() {
            let mut list = std::mem::take(&mut self.before[job]);
            let whole = list.clone();
            list.retain(|&other| {
                let is_between = |&mid: &u32| self.distance(other as usize, mid as usize).is_some();
                !whole.iter().any(is_between)
            });
            self.before[job] = list;
        }
    }

    /// Whether no order takes `limit` or less; `None` when the steps are used up before that is known.
    fn refutes(&self, limit: u64, steps: &mut u64) -> Option<bool> {
        let mut state = self.clone();
        loop {
            if state.length() > limit {
                return Some(true);
            }
            match state.select(limit) {
                None => return Some(true),
                Some(false) => return Some(false),
                Some(true) => {}
            }
            if !state.pay_round(steps) {
                return None;
            }
            if !state.round() {
                return Some(true);
            }
        }
    }

    /// Applies immediate selection and edge finding once. Whether anything is new; `None` at a contradiction.
    fn select(&mut self, limit: u64) -> Option<bool> {
        let events = self.events;
        let mut is_new = false;
        let mut selected: Vec<(usize, u32)> = Vec::new();
        for machine in &events.machines {
            let tasks: Vec<_> = machine.iter().map(|&job| self.task(job as usize)).collect();
            let mirrored: Vec<_> = tasks
                .iter()
                .map(|task| Task {
                    head: task.tail,
                    tail: task.head,
                    ..*task
                })
                .collect();
            let heads = raised_heads(&tasks, limit)?;
            let tails = raised_heads(&mirrored, limit)?;
            for (position, &job) in machine.iter().enumerate() {
                let job = job as usize;
                is_new |= heads[position] > tasks[position].head || tails[position] > tasks[position].tail;
                self.head_floors[job] = self.head_floors[job].max(heads[position]);
                self.tail_floors[job] = self.tail_floors[job].max(tails[position]);
            }
            for (first, &job) in tasks.iter().zip(machine) {
                for (second, &other) in tasks.iter().zip(machine) {
                    let is_open = job != other
                        && self.distance(job as usize, other as usize).is_none()
                        && self.distance(other as usize, job as usize).is_none();
                    if is_open && first.head + first.ns + second.ns + second.tail > limit {
                        selected.push((job as usize, other));
                    }
                }
            }
        }
        is_new |= !selected.is_empty();
        for (job, other) in selected {
            self.before[job].push(other);
        }
        Some(is_new)
    }
}

/// For each job, the jobs of the same link that must be issued before it.
fn issued_before(events: &Events) -> Vec<Vec<u32>> {
    let words = events.jobs.len().div_ceil(64);
    let mut issued = vec![0u64; events.len() * words];
    let mut jobs_after: Vec<Vec<u32>> = vec![Vec::new(); events.len()];
    for (index, job) in events.jobs.iter().enumerate() {
        jobs_after[events.after(job.node)].push(index as u32);
    }
    for (event, jobs) in jobs_after.iter().enumerate() {
        let (done, rest) = issued.split_at_mut(event * words);
        for &(from, _) in events.predecessors(event) {
            let from = from as usize;
            rest.iter_mut()
                .zip(&done[from * words..(from + 1) * words])
                .for_each(|(to, &word)| *to |= word);
        }
        for &job in jobs {
            rest[job as usize / 64] |= 1 << (job % 64);
        }
    }
    let mut before = vec![Vec::new(); events.jobs.len()];
    for link in &events.machines[1..] {
        for &job in link {
            let issue = events.issue(events.jobs[job as usize].node);
            let is_issued = |&&other: &&u32| {
                other != job && issued[issue * words + other as usize / 64] >> (other % 64) & 1 == 1
            };
            before[job as usize].extend(link.iter().filter(is_issued));
        }
    }
    before
}
