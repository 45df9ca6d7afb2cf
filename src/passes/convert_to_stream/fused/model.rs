// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How long a fused op takes in each schedule, by the timing model of stream programs.
//!
//! An op is expanded to the tasks of one device: consumers and producers fill the compute units, so that two of them do not
//! run side by side; pulls share one link. All devices are taken to be in phase, so a signal or a barrier of the others comes
//! when this device's own would. A pull takes a collective's time divided by its steps, and no less than a launch, a signal a
//! launch, a barrier an all-reduce of next to nothing.
//!
//! Not modelled: devices that are late, which `signal` alone can hide, and elementwise regions, which cost the same in all.

use comm_schedule::{
    Collective as Kind, Contention, Machine,
    timing::{
        engine::simulate,
        tasks::{Grant, Resource, ResourceId, Task, TaskId, TaskProgram, TaskStream, Use, Work},
    },
};

use super::{
    super::options::Schedule,
    emit::{bytes, sizes},
    form::{Contraction, GatherForm, ScatterForm},
    gather::Knobs,
};
use crate::{
    cost::element_of,
    mlir::{PassResult, Ty, Value},
};

/// What one op costs in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Load {
    size: u64,
    /// A product of one chunk, as (operations, bytes); element type of its factors.
    flops: u64,
    bytes: u64,
    element: comm_schedule::machine::Element,
    /// What one device offers to each other one.
    sent_bytes: u64,
    /// Whether gathered chunks are kept or added to each other, in this order.
    is_chained: bool,
    scatters: bool,
}

impl Load {
    pub(super) fn of_gather(form: &GatherForm, size: i64) -> PassResult<Self> {
        let mut load = Self::new(size, false);
        for &shard in &form.gathered {
            load.sent_bytes += bytes(&sizes(shard)?, shard.ty().element()) as u64;
        }
        for product in &form.products {
            load.is_chained |= product.placed.is_none();
            load.add(
                &product.contraction,
                [form.gathered[0], product.factor, product.result],
                size,
            )?;
        }
        Ok(load)
    }

    pub(super) fn of_scatter(form: &ScatterForm, size: i64) -> PassResult<Self> {
        let mut load = Self::new(size, true);
        load.sent_bytes = bytes(&form.chunk()?, form.sent) as u64;
        for (left, right, contraction) in &form.products {
            load.add(contraction, [*left, *right, form.result], size)?;
        }
        Ok(load)
    }

    fn new(size: i64, scatters: bool) -> Self {
        Self {
            size: size as u64,
            flops: 0,
            bytes: 0,
            element: comm_schedule::machine::Element::F32,
            sent_bytes: 0,
            is_chained: false,
            scatters,
        }
    }

    /// Adds a product of one chunk: of a gather the first factor is a chunk, of a scatter the result.
    fn add(&mut self, contraction: &Contraction, values: [Value; 3], size: i64) -> PassResult {
        let mut extents = vec![1u64; contraction.loops];
        for (map, value) in contraction.maps.iter().zip(values) {
            for (&turn, extent) in map.iter().zip(sizes(value)?) {
                let smallest = extents[turn] == 1 || (extent as u64) < extents[turn];
                if smallest {
                    extents[turn] = extent as u64;
                }
            }
        }
        let flops = extents
            .iter()
            .fold(2u64, |product, &extent| product.saturating_mul(extent));
        self.flops = self.flops.saturating_add(flops);
        for value in values {
            let whole = bytes(&sizes(value)?, value.ty().element()) as u64;
            self.bytes += whole / size as u64;
        }
        let widest = values[..2]
            .iter()
            .map(|value| value.ty().element())
            .max_by_key(|ty: &Ty| ty.element_bits());
        if let Some(widest) = widest {
            self.element = element_of(widest);
        }
        Ok(())
    }
}

/// Time of an op in a schedule, in nanoseconds.
pub(super) fn time(machine: &Machine, load: Load, schedule: Schedule, knobs: Knobs) -> u64 {
    let mut expansion = Expansion::new(machine, load, knobs);
    match (load.scatters, schedule) {
        (false, Schedule::Signal) => expansion.gather_by_signals(),
        (false, _) => expansion.gather_by_barriers(schedule == Schedule::TwoStreamEager),
        (true, Schedule::Signal) => expansion.scatter_by_signals(),
        (true, _) => expansion.scatter_by_barriers(),
    }
    // An expansion waits for earlier tasks only, so it has no cycle.
    simulate(&expansion.program, &Contention::default()).map_or(u64::MAX, |times| times.step_ns)
}

struct Expansion {
    program: TaskProgram,
    current: TaskStream,
    other: TaskStream,
    units: ResourceId,
    link: ResourceId,
    steps: usize,
    parts: usize,
    depth: usize,
    is_chained: bool,
    chunk_ns: u64,
    part_ns: u64,
    pull_ns: u64,
    offer_ns: u64,
    add_ns: u64,
    signal_ns: u64,
    barrier_ns: u64,
}

impl Expansion {
    fn new(machine: &Machine, load: Load, knobs: Knobs) -> Self {
        let mut program = TaskProgram::new();
        // The longest part stands for all.
        let parts = knobs.parts;
        let round = machine.collective_ns(
            Kind::AllGather,
            load.size,
            parts.share(load.sent_bytes.saturating_mul(load.size)),
            None,
        );
        let floor = machine.launch_floor_ns();
        Self {
            current: program.stream(),
            other: program.stream(),
            units: program.resource(Resource::Exclusive {
                grant: Grant::Readiness,
            }),
            link: program.resource(Resource::Exclusive {
                grant: Grant::Readiness,
            }),
            steps: (load.size as usize - 1) * parts.count as usize,
            parts: parts.count as usize,
            depth: knobs.depth.max(1),
            is_chained: load.is_chained,
            chunk_ns: machine.matmul_ns(load.flops, load.element, load.bytes),
            part_ns: machine.matmul_ns(parts.share(load.flops), load.element, parts.share(load.bytes)),
            pull_ns: (round / (load.size - 1)).max(floor),
            offer_ns: machine.memory_ns(load.sent_bytes * 2),
            add_ns: machine.memory_ns(parts.share(load.sent_bytes * 3)),
            signal_ns: floor,
            barrier_ns: machine.collective_ns(Kind::AllReduce, load.size, 4, None),
            program,
        }
    }

    fn push(
        &mut self,
        stream: TaskStream,
        work: Work,
        duration_ns: u64,
        on: Option<ResourceId>,
        waits: &[TaskId],
    ) -> TaskId {
        let uses: Vec<Use> = on
            .into_iter()
            .map(|resource| Use { resource, parts: 1 })
            .collect();
        self.program.push(Task {
            stream,
            work,
            duration_ns,
            uses: &uses,
            waits,
        })
    }

    fn compute(&mut self, stream: TaskStream, duration_ns: u64, waits: &[TaskId]) -> TaskId {
        self.push(stream, Work::Computation, duration_ns, Some(self.units), waits)
    }

    fn pull(&mut self, stream: TaskStream, waits: &[TaskId]) -> TaskId {
        self.push(stream, Work::Communication, self.pull_ns, Some(self.link), waits)
    }

    fn offer(&mut self, stream: TaskStream) -> TaskId {
        self.push(stream, Work::Communication, self.offer_ns, None, &[])
    }

    fn meet(&mut self, stream: TaskStream, waits: &[TaskId]) -> TaskId {
        self.push(stream, Work::Synchronisation, self.barrier_ns, None, waits)
    }

    fn lane(&self, step: usize) -> TaskStream {
        if step.is_multiple_of(2) {
            self.other
        } else {
            self.current
        }
    }

    fn gather_by_barriers(&mut self, is_eager: bool) {
        let offers = if is_eager { self.other } else { self.current };
        self.offer(offers);
        let met = self.meet(offers, &[]);
        let mut consumed = None;
        let mut own = None;
        for step in 0..self.steps {
            let lane = self.lane(step);
            self.pull(lane, &[met]);
            let own = *own.get_or_insert_with(|| self.compute(self.current, self.chunk_ns, &[]));
            let after = consumed.unwrap_or(own);
            let waits: &[TaskId] = if self.is_chained { &[after] } else { &[] };
            consumed = Some(self.compute(lane, self.part_ns, waits));
        }
        let last: Vec<TaskId> = self.program.ids().rev().take(2).collect();
        self.meet(self.current, &last);
    }

    fn gather_by_signals(&mut self) {
        self.offer(self.other);
        let put = self.push(self.other, Work::Synchronisation, self.signal_ns, None, &[]);
        self.compute(self.current, self.chunk_ns, &[]);
        let mut consumed: Vec<TaskId> = Vec::new();
        for step in 0..self.steps {
            let free = step.checked_sub(self.depth).map(|earlier| consumed[earlier]);
            let waits: Vec<TaskId> = std::iter::once(put).chain(free).collect();
            let pulled = self.pull(self.other, &waits);
            let part_ns = self.part_ns;
            consumed.push(self.compute(self.current, part_ns, &[pulled]));
        }
    }

    fn scatter_by_barriers(&mut self) {
        for step in 0..self.steps {
            let lane = self.lane(step);
            self.compute(lane, self.part_ns, &[]);
            self.meet(lane, &[]);
            self.pull(lane, &[]);
            if step + 2 < self.steps {
                self.meet(lane, &[]);
            }
        }
        let before: Vec<TaskId> = self.program.ids().rev().take(2).collect();
        self.compute(self.current, self.chunk_ns, &[]);
        self.meet(self.current, &before);
        let add_ns = self.add_ns * self.steps as u64;
        self.compute(self.current, add_ns, &[]);
    }

    fn scatter_by_signals(&mut self) {
        let mut pulled: Vec<TaskId> = Vec::new();
        let mut added: Vec<TaskId> = Vec::new();
        for step in 0..self.steps {
            let credit: Vec<TaskId> = step
                .checked_sub(self.depth)
                .map(|earlier| pulled[earlier])
                .into_iter()
                .collect();
            self.compute(self.current, self.part_ns, &credit);
            let filled = self.push(self.current, Work::Synchronisation, self.signal_ns, None, &[]);
            let add_ns = self.add_ns;
            if step > 0 && step + self.parts <= self.steps {
                added.push(self.compute(self.current, add_ns, &[pulled[step - 1]]));
            }
            // Its place to land in is that of the same part of the chunk before.
            let free = step.checked_sub(self.parts).map(|earlier| added[earlier]);
            let waits: Vec<TaskId> = std::iter::once(filled).chain(free).collect();
            pulled.push(self.pull(self.other, &waits));
        }
        self.compute(self.current, self.chunk_ns, &[]);
        for &last in &pulled[self.steps - self.parts..] {
            let add_ns = self.add_ns;
            self.compute(self.current, add_ns, &[last]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::parts::Parts, *};

    fn load(scatters: bool, rows: u64) -> Load {
        Load {
            size: 4,
            flops: 2 * rows * 4096 * 4096,
            bytes: 2 * (rows * 8192 + 4096 * 4096),
            element: comm_schedule::machine::Element::Bf16,
            sent_bytes: rows * 4096 * 2,
            is_chained: false,
            scatters,
        }
    }

    /// Signals take no longer than barriers, with the own chunk at once or not, whatever the size.
    #[test]
    fn signals_are_never_slower() {
        let machine = Machine::preset("h100-8").unwrap();
        let knobs = Knobs {
            depth: 2,
            parts: Parts::whole(),
            descending: false,
        };
        for scatters in [false, true] {
            for rows in [64, 512, 2048, 8192] {
                let [signal, eager, plain] =
                    [Schedule::Signal, Schedule::TwoStreamEager, Schedule::TwoStream]
                        .map(|schedule| time(&machine, load(scatters, rows), schedule, knobs));
                assert!(signal <= eager, "{scatters} {rows}: {signal} {eager}");
                assert!(eager <= plain, "{scatters} {rows}: {eager} {plain}");
            }
        }
    }

    /// Where products take longer than transfers, all but the first transfer is hidden: the time is that of the products and
    /// what is in front of them.
    #[test]
    fn signals_hide_all_transfers_under_long_products() {
        let machine = Machine::preset("h100-8").unwrap();
        let load = load(false, 8192);
        let knobs = Knobs {
            depth: 2,
            parts: Parts::whole(),
            descending: false,
        };
        let product = machine.matmul_ns(load.flops, load.element, load.bytes);
        let gather = machine.collective_ns(Kind::AllGather, 4, load.sent_bytes * 4, None) / 3;
        assert!(gather < product);
        assert_eq!(time(&machine, load, Schedule::Signal, knobs), 4 * product);
    }
}
