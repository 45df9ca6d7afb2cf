// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The timing engine: when each task of a program begins and ends.
//!
//! A task is *ready* when the task issued before it on its stream, all that it waits for, and all that is issued before it
//! on a resource granted in the order of issue have ended. A ready task joins the queue of each resource that is granted
//! by readiness, and begins when it is first in all of them and all have room; it then takes all at once, so no two
//! tasks ever hold what the other needs. At one point in time, first everything ends that ends then and everything begins
//! that needs no such resource, to a fixed point; then tasks are granted their resources one by one, by the time since
//! which they are ready, then by issue. So a program has one timeline, whatever the order of its rows in memory.
//!
//! Before: anything. After: every task has ended, or the error names tasks that wait for each other. The simulation is
//! event-driven (one step for each point in time at which something ends) and takes O((n + e) log n) for n tasks with e
//! waits and uses, when the uses of one task are few.
//!
//! **Contention.** All running computations proceed at one rate, and so do all communications. Each of the two therefore
//! has one clock of *work*, and a task ends when that clock has advanced by the work of the task: a change of rate costs
//! nothing. (The device is the virtual time of fair queueing: Parekh and Gallager, *A generalized processor sharing
//! approach to flow control*, 1993.) Work is counted in units of which a slowed-down task does 2^32 a nanosecond and one
//! that is not slowed down 2^32 times the factor, which is an integer. Hence clocks are exact, and the one rounding is
//! that a task ends at the next whole nanosecond, until when it counts as running.
//!
//! The engine does not decide any order and knows no memory.

use super::contention::Contention;
use super::tasks::{Grant, TaskError, TaskId, TaskProgram};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// When tasks run, in nanoseconds; arrays have one element a task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TaskTimes {
    /// When all tasks issued before it on its stream have ended; the task may still wait for events and resources.
    pub head_ns: Vec<u64>,
    /// When it begins.
    pub begin_ns: Vec<u64>,
    /// When it ends.
    pub end_ns: Vec<u64>,
    /// When the last task has ended.
    pub step_ns: u64,
}

/// Times a program of tasks. See the [module](self) documentation.
pub fn simulate(program: &TaskProgram, contention: &Contention) -> Result<TaskTimes, TaskError> {
    program.check()?;
    let order = Precedence::new(program);
    let mut engine = Engine::new(program, &order, contention)?;
    engine.run();
    if let Some(stuck) = program.ids().find(|id| engine.missing[id.index()] > 0) {
        return Err(TaskError::Cycle {
            tasks: order.cycle(stuck, &engine.missing),
        });
    }
    let ends = &engine.end_ns;
    let head = |id: TaskId| order.on_stream[id.index()].map_or(0, |previous| ends[previous.index()]);
    Ok(TaskTimes {
        head_ns: program.ids().map(head).collect(),
        step_ns: ends.iter().copied().max().unwrap_or(0),
        begin_ns: engine.begin_ns,
        end_ns: engine.end_ns,
    })
}

/// What has to end before each task is ready.
struct Precedence {
    /// The task before it on its stream.
    on_stream: Vec<Option<TaskId>>,
    /// All that has to end before a task, task by task; the same task may stand there more than once.
    before: Lists,
    /// The same, read backwards.
    behind: Lists,
}

/// A list of tasks for each task.
struct Lists {
    begins: Vec<usize>,
    items: Vec<TaskId>,
}

impl Lists {
    fn of(&self, id: TaskId) -> &[TaskId] {
        &self.items[self.begins[id.index()]..self.begins[id.index() + 1]]
    }
}

impl Precedence {
    fn new(program: &TaskProgram) -> Self {
        let mut on_stream = Vec::with_capacity(program.len());
        let mut last_on_stream = vec![None; program.stream_count()];
        let mut last_turn = vec![None; program.resources().len()];
        let mut before = Lists {
            begins: vec![0],
            items: Vec::new(),
        };
        for id in program.ids() {
            let task = program.task(id);
            let previous = last_on_stream[task.stream.index()].replace(id);
            on_stream.push(previous);
            before.items.extend(previous);
            before.items.extend_from_slice(task.waits);
            for used in task.uses {
                if program.resources()[used.resource.index()].grant() == Grant::Issue {
                    before.items.extend(last_turn[used.resource.index()].replace(id));
                }
            }
            before.begins.push(before.items.len());
        }
        let behind = reversed(program, &before);
        Precedence {
            on_stream,
            before,
            behind,
        }
    }

    /// A cycle that keeps `stuck` from getting ready. Whatever is not ready has something before it that is not, so going
    /// back from one to the next must come to a task a second time.
    fn cycle(&self, stuck: TaskId, missing: &[u32]) -> Vec<TaskId> {
        let mut step = vec![None; missing.len()];
        let mut path = Vec::new();
        let mut at = stuck;
        loop {
            if let Some(first) = step[at.index()].replace(path.len()) {
                return path.split_off(first);
            }
            path.push(at);
            let next = self.before.of(at).iter().find(|id| missing[id.index()] > 0);
            at = *next.expect("resources alone hold nothing up for ever");
        }
    }
}

fn reversed(program: &TaskProgram, lists: &Lists) -> Lists {
    let mut begins = vec![0; program.len() + 1];
    for item in &lists.items {
        begins[item.index() + 1] += 1;
    }
    for index in 0..program.len() {
        begins[index + 1] += begins[index];
    }
    let mut next = begins.clone();
    let mut items = vec![TaskId(0); lists.items.len()];
    for id in program.ids() {
        for item in lists.of(id) {
            items[next[item.index()]] = id;
            next[item.index()] += 1;
        }
    }
    Lists { begins, items }
}

/// The running tasks of one kind of work, and how much of it a task that ran from the start would have done.
struct Running {
    done: u128,
    /// What `done` has to be when the task ends.
    ends: BinaryHeap<Reverse<(u128, TaskId)>>,
    /// Units of work in a nanosecond of a duration: what is done in it when nothing slows it down.
    full_rate: u64,
    /// Units of work done in a nanosecond beside the other kind of work.
    slow_rate: u64,
}

/// A resource that is granted by readiness.
struct Granted {
    room: u32,
    /// Ready tasks that have not begun, by the time since which they are ready, then by issue.
    queue: BinaryHeap<Reverse<(u64, TaskId)>>,
}

struct Engine<'a> {
    program: &'a TaskProgram,
    order: &'a Precedence,
    /// How many of the tasks before a task have not ended.
    missing: Vec<u32>,
    begin_ns: Vec<u64>,
    end_ns: Vec<u64>,
    now: u64,
    /// Tasks that are ready and have not been looked at.
    ready: BinaryHeap<Reverse<TaskId>>,
    /// Tasks that may have become able to begin since they joined their queues.
    candidates: BinaryHeap<Reverse<(u64, TaskId)>>,
    resources: Vec<Granted>,
    /// By kind of work: computation, communication, synchronisation.
    running: [Running; 3],
}

impl<'a> Engine<'a> {
    fn new(
        program: &'a TaskProgram,
        order: &'a Precedence,
        contention: &Contention,
    ) -> Result<Self, TaskError> {
        let [compute, communication] = contention.fixed();
        // As long as the program is not over some task runs, and it does at least `slow_rate` units a nanosecond.
        let total: u128 = program
            .ids()
            .map(|id| u128::from(program.task(id).duration_ns))
            .sum();
        let fits = |ns: u128| u64::try_from(ns).is_ok();
        let slowest = u128::from(compute.max(communication));
        let longest = |total: u128| total * slowest / u128::from(Contention::ONE) + program.len() as u128 + 1;
        if !fits(total) || !fits(longest(total)) {
            return Err(TaskError::TooLong);
        }
        let running = |full_rate, slow_rate| Running {
            done: 0,
            ends: BinaryHeap::new(),
            full_rate,
            slow_rate,
        };
        let missing: Vec<u32> = program.ids().map(|id| order.before.of(id).len() as u32).collect();
        Ok(Engine {
            ready: program
                .ids()
                .filter(|id| missing[id.index()] == 0)
                .map(Reverse)
                .collect(),
            program,
            order,
            missing,
            begin_ns: vec![0; program.len()],
            end_ns: vec![0; program.len()],
            now: 0,
            candidates: BinaryHeap::new(),
            resources: program
                .resources()
                .iter()
                .map(|resource| Granted {
                    room: resource.capacity(),
                    queue: BinaryHeap::new(),
                })
                .collect(),
            running: [
                running(compute, Contention::ONE),
                running(communication, Contention::ONE),
                running(1, 1),
            ],
        })
    }

    fn run(&mut self) {
        loop {
            if let Some(Reverse(id)) = self.ready.pop() {
                self.join(id);
            } else if let Some(Reverse((since, id))) = self.candidates.pop() {
                if self.is_granted(since, id) {
                    self.begin(id);
                }
            } else if !self.advance() {
                return;
            }
        }
    }

    /// The positions of the resources that the task is granted by readiness, with how much of each.
    fn granted(&self, id: TaskId) -> impl Iterator<Item = (usize, u32)> + use<'a> {
        let resources = self.program.resources();
        let uses = self.program.task(id).uses.iter();
        uses.filter(|used| resources[used.resource.index()].grant() == Grant::Readiness)
            .map(|used| (used.resource.index(), used.parts))
    }

    /// A task is ready.
    fn join(&mut self, id: TaskId) {
        let mut is_free = true;
        for (index, _) in self.granted(id) {
            self.resources[index].queue.push(Reverse((self.now, id)));
            is_free = false;
        }
        if is_free {
            self.begin(id);
        } else {
            self.candidates.push(Reverse((self.now, id)));
        }
    }

    fn is_granted(&self, since: u64, id: TaskId) -> bool {
        self.granted(id).all(|(index, parts)| {
            let resource = &self.resources[index];
            resource.queue.peek() == Some(&Reverse((since, id))) && resource.room >= parts
        })
    }

    /// A task begins; it is first in all its queues.
    fn begin(&mut self, id: TaskId) {
        self.begin_ns[id.index()] = self.now;
        for (index, parts) in self.granted(id) {
            let resource = &mut self.resources[index];
            resource.queue.pop();
            resource.room -= parts;
            self.candidates.extend(resource.queue.peek());
        }
        let task = self.program.task(id);
        if task.duration_ns == 0 {
            return self.end(id);
        }
        let running = &mut self.running[task.work as usize];
        let work = u128::from(task.duration_ns) * u128::from(running.full_rate);
        running.ends.push(Reverse((running.done + work, id)));
    }

    fn end(&mut self, id: TaskId) {
        self.end_ns[id.index()] = self.now;
        for (index, parts) in self.granted(id) {
            let resource = &mut self.resources[index];
            resource.room += parts;
            self.candidates.extend(resource.queue.peek());
        }
        for &next in self.order.behind.of(id) {
            self.missing[next.index()] -= 1;
            if self.missing[next.index()] == 0 {
                self.ready.push(Reverse(next));
            }
        }
    }

    /// Goes to the next point in time at which a task ends, and says whether there is one.
    fn advance(&mut self) -> bool {
        let [compute, communication, _] = &self.running;
        let is_contended = !compute.ends.is_empty() && !communication.ends.is_empty();
        let rate = |running: &Running| {
            u128::from(if is_contended {
                running.slow_rate
            } else {
                running.full_rate
            })
        };
        let next = self.running.iter().filter_map(|running| {
            let Reverse((end, _)) = running.ends.peek()?;
            Some((end - running.done).div_ceil(rate(running)))
        });
        let Some(step) = next.min() else {
            return false;
        };
        self.now += step as u64;
        for running in &mut self.running {
            running.done += rate(running) * step;
        }
        for work in 0..self.running.len() {
            while let Some(&Reverse((end, id))) = self.running[work].ends.peek()
                && end <= self.running[work].done
            {
                self.running[work].ends.pop();
                self.end(id);
            }
        }
        true
    }
}
