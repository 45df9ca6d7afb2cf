// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm.matmul_reduce_scatter` in each schedule.
//!
//! What a device makes for others it puts into slots of its workspace, from where they pull it; its own chunk it makes last.
//!
//! - `two-stream` (and `two-stream-eager`): chunks for the positions p+1, p+2, ... on two streams in turn, each in the slot of
//!   its stream, with a barrier when the slots are filled and, where the slot is used again, one when they are read
//!   (PyTorch's pipelined produce and all-to-all). Contributions are stacked and combined at the end, so in any order.
//! - `signal`: chunks for p-1, p-2, ..., so that contributions come in the order in which the op combines them, p+1, p+2, ...:
//!   each is combined as soon as it is there. A signal says that a slot is filled; another one, the credit, that it may be
//!   filled again. An `ordered` op combines by position, so that its contributions are stacked.
//!
//! With n chunks of c bytes of what is sent, of which the longest part has p, the workspace has `depth` slots of p bytes
//! (`two-stream`: two). Beside it, `signal` has one landing chunk of c bytes, the own chunk, and, for n > 2, an accumulator,
//! which is the result where there is no epilogue; stacked contributions take n chunks.

use super::{
    compute::{Besides, Place, apply, combine, contract, fill},
    emit::{Emit, Number, aligned, bytes},
    form::ScatterForm,
    gather::{Knobs, Use},
    parts::{self, Parts},
    streams::{Lane, Order, Team},
};
use crate::mlir::{Failed, PassResult, Value};

/// Bytes of the workspace that an op needs in groups of `size`: its slots, each aligned to 64 bytes.
pub(super) fn workspace_bytes(form: &ScatterForm, size: i64, slots: usize, parts: Parts) -> PassResult<i64> {
    let steps = ((size - 1) * parts.count) as usize;
    Ok(slot_bytes(form, parts)? * slots.clamp(1, steps.max(1)) as i64)
}

/// A slot holds any of the parts.
fn slot_bytes(form: &ScatterForm, parts: Parts) -> PassResult<i64> {
    let mut shape = form.chunk()?;
    shape[form.dim] = parts.longest(shape[form.dim]);
    Ok(aligned(bytes(&shape, form.sent)))
}

/// Of how many units a chunk is made, so that no block of scales is cut.
pub(super) fn units(form: &ScatterForm) -> PassResult<i64> {
    let extent = form.chunk()?[form.dim];
    let maps = form.partial.maps.iter().chain(&form.epilogue.maps);
    let blocks: Vec<(i64, i64)> = maps
        .filter_map(|map| map.as_divided_dims())
        .flatten()
        .flatten()
        .filter(|&(read, _)| read == form.dim)
        .map(|(_, by)| (extent, by))
        .collect();
    Ok(parts::units(&[extent], &blocks))
}

/// A chunk for a peer, or a part of it, and at the same time the one that comes from the opposite peer.
#[derive(Clone, Copy)]
struct Step {
    distance: i64,
    part: i64,
}

/// Where contributions are until they are combined.
enum Received {
    /// One buffer each, in the order of steps, and the own one.
    Each(Vec<Value>, Value),
    /// By position, in one buffer.
    Stacked(Value),
}

/// Lowers one op.
pub(super) struct Scatter<'a> {
    form: &'a ScatterForm,
    emit: Emit,
    target: Value,
    /// By stream: the accumulator, where it is of another type than what is sent.
    sums: [Option<Value>; 2],
    size: i64,
    parts: Parts,
    extent: i64,
}

impl<'a> Scatter<'a> {
    /// Allocates what the op yields, and replaces that.
    pub(super) fn new(form: &'a ScatterForm, emit: &Emit, size: i64, parts: Parts) -> PassResult<Self> {
        let emit = emit.before(form.op);
        let target = emit.alloc(&form.chunk()?, form.result.ty().element())?;
        form.result.replace_uses_with(target);
        Ok(Self {
            extent: form.chunk()?[form.dim],
            form,
            target,
            sums: [None; 2],
            size,
            parts,
            emit,
        })
    }

    fn allocate_sum(&mut self, lane: Lane) -> PassResult {
        if self.form.accumulated != self.form.sent {
            let sum = self.emit.alloc(&self.form.chunk()?, self.form.accumulated)?;
            self.sums[lane as usize] = Some(sum);
        }
        Ok(())
    }

    fn steps(&self) -> Vec<Step> {
        (1..self.size)
            .flat_map(|distance| (0..self.parts.count).map(move |part| Step { distance, part }))
            .collect()
    }

    /// Sizes of what is sent, of this extent.
    fn shape_of(&self, len: i64) -> PassResult<Vec<i64>> {
        let mut shape = self.form.chunk()?;
        shape[self.form.dim] = len;
        Ok(shape)
    }

    fn place(&self, position: Number, part: i64) -> Place {
        Place {
            position,
            extent: self.extent,
            begin: self.parts.begin(part, self.extent),
            len: self.parts.len(part, self.extent),
        }
    }

    fn own_place(&self, team: &Team) -> Place {
        Place {
            position: Number::Value(team.position),
            extent: self.extent,
            begin: 0,
            len: self.extent,
        }
    }

    /// Makes what is sent to a place.
    fn produce(&self, emit: &Emit, lane: Lane, place: Place, target: Value) -> PassResult {
        let form = self.form;
        let sum = match self.sums[lane as usize] {
            Some(sum) => emit.slice(sum, form.dim, Number::Known(0), place.len)?,
            None => target,
        };
        fill(emit, sum)?;
        for (left, right, contraction) in &form.products {
            let turn = contraction.maps[2][form.dim];
            let [left, right] =
                [(0, *left), (1, *right)].map(|(of, whole)| match contraction.dim(of, turn) {
                    Some(dim) => place.of(emit, whole, dim),
                    None => Ok(whole),
                });
            contract(emit, contraction, left?, right?, sum)?;
        }
        if form.partial.block.is_some() {
            apply(
                emit,
                &Besides::new(&form.partial, Some((form.dim, place))),
                sum,
                target,
            )?;
        }
        Ok(())
    }

    /// Combines contributions, from the left, to a part of the result or all of it.
    fn finish(
        &self,
        emit: &Emit,
        contributions: &[Value],
        target: Value,
        begin: i64,
        len: i64,
    ) -> PassResult {
        let place = Place {
            position: Number::Known(0),
            extent: self.extent,
            begin,
            len,
        };
        let form = self.form;
        let besides = Besides::new(&form.epilogue, Some((form.dim, place)));
        let finish = Some((self.size, &besides));
        combine(emit, &form.kind, form.reduced, contributions, target, finish)
    }

    /// A device alone in its group: no stream, no symmetric memory.
    pub(super) fn alone(mut self) -> PassResult {
        self.allocate_sum(Lane::Current)?;
        let emit = self.emit.clone();
        let place = self.place(Number::Known(0), 0);
        let is_result = self.form.epilogue.block.is_none() && self.form.sent == self.target.ty().element();
        if is_result {
            return self.produce(&emit, Lane::Current, place, self.target);
        }
        let own = emit.alloc(&self.form.chunk()?, self.form.sent)?;
        self.produce(&emit, Lane::Current, place, own)?;
        self.finish(&emit, &[own], self.target, 0, self.extent)
    }

    /// What a step puts into a slot of somebody's part of the workspace.
    fn slot(&self, part: Value, usage: Use, slot: usize, step: Step) -> PassResult<Value> {
        let offset = slot as i64 * slot_bytes(self.form, self.parts)?;
        let begin = self.emit.add(usage.begin, Number::Known(offset))?;
        let shape = self.shape_of(self.parts.len(step.part, self.extent))?;
        self.emit.view(part, begin, &shape, self.form.sent)
    }

    /// Makes, on a stream, what the peer at `position` is to get, in a slot.
    fn launch(
        &self,
        team: &Team,
        lane: Lane,
        (position, step): (Number, Step),
        slot: Value,
        name: &str,
    ) -> PassResult {
        let name = match self.parts.count {
            1 => name.to_owned(),
            _ => format!("{name} part {}", step.part),
        };
        team.launch(&self.emit, &name, lane, |emit| {
            self.produce(emit, lane, self.place(position, step.part), slot)
        })
    }

    fn launch_own(&self, team: &Team, own: Value) -> PassResult {
        team.launch(&self.emit, "own", Lane::Current, |emit| {
            self.produce(emit, Lane::Current, self.own_place(team), own)
        })
    }

    fn pull(
        &self,
        team: &Team,
        (source, step): (Number, Step),
        usage: Use,
        slot: usize,
        target: Value,
    ) -> PassResult {
        let part = team.part(&self.emit, Some(source))?;
        let there = self.slot(part, usage, slot, step)?;
        team.copy(&self.emit, there, target, Lane::Other)
    }

    /// Memory for all contributions.
    fn receive_all(&self) -> PassResult<Received> {
        let mut shape = self.form.chunk()?;
        if self.form.ordered {
            shape[self.form.dim] *= self.size;
            return Ok(Received::Stacked(self.emit.alloc(&shape, self.form.sent)?));
        }
        let each = (1..self.size).map(|_| self.emit.alloc(&shape, self.form.sent));
        let each = each.collect::<PassResult<_>>()?;
        Ok(Received::Each(each, self.emit.alloc(&shape, self.form.sent)?))
    }

    /// Where the contribution from the peer at `position` goes, whose chunk came `index`-th.
    fn target_of(&self, received: &Received, index: usize, position: Number, part: i64) -> PassResult<Value> {
        let place = self.place(position, part);
        match received {
            Received::Stacked(stack) => place.of(&self.emit, *stack, self.form.dim),
            Received::Each(each, _) => {
                self.emit
                    .slice(each[index], self.form.dim, Number::Known(place.begin), place.len)
            }
        }
    }

    /// Combines all contributions. `distance_of` says how far behind this device the sender of the `index`-th is.
    fn launch_finish(&self, team: &Team, received: &Received, distances: &[i64]) -> PassResult {
        team.launch(&self.emit, "reduce", Lane::Current, |emit| {
            let contributions: Vec<Value> = match received {
                Received::Stacked(stack) => (0..self.size)
                    .map(|position| {
                        let begin = Number::Known(position * self.extent);
                        emit.slice(*stack, self.form.dim, begin, self.extent)
                    })
                    .collect::<PassResult<_>>()?,
                Received::Each(each, own) => {
                    let mut order: Vec<usize> = (0..each.len()).collect();
                    order.sort_by_key(|&index| distances[index]);
                    order.into_iter().map(|index| each[index]).chain([*own]).collect()
                }
            };
            self.finish(emit, &contributions, self.target, 0, self.extent)
        })
    }

    fn own_target(&self, team: &Team, received: &Received) -> PassResult<Value> {
        match received {
            Received::Stacked(stack) => self.own_place(team).of(&self.emit, *stack, self.form.dim),
            Received::Each(_, own) => Ok(*own),
        }
    }

    /// `two-stream`. Before and after: nobody uses the workspace.
    pub(super) fn two_stream(mut self, team: &Team, usage: Use) -> PassResult {
        let steps = self.steps();
        self.allocate_sum(Lane::Current)?;
        if steps.len() > 1 || self.sums[0].is_some() {
            self.allocate_sum(Lane::Other)?;
        }
        let received = self.receive_all()?;
        let emit = self.emit.clone();
        let mut order = Order::new();
        order.join(team, &emit, Lane::Other, &[])?;
        let local = team.part(&emit, None)?;
        let mut indices: Vec<usize> = (0..steps.len()).collect();
        // The second stream first, as for gathers.
        indices.sort_by_key(|&index| index % 2);
        for index in indices {
            let step = steps[index];
            let (lane, channel) = if index.is_multiple_of(2) {
                (Lane::Other, 1)
            } else {
                (Lane::Current, 0)
            };
            let receiver = team.peer(&emit, step.distance)?;
            let sender = team.peer(&emit, -step.distance)?;
            let slot = self.slot(local, usage, index % 2, step)?;
            let name = format!("chunk {}", step.distance);
            self.launch(team, lane, (receiver, step), slot, &name)?;
            team.barrier(&emit, channel, lane)?;
            let target = self.target_of(&received, step.distance as usize - 1, sender, step.part)?;
            let part = team.part(&emit, Some(sender))?;
            let there = self.slot(part, usage, index % 2, step)?;
            team.copy(&emit, there, target, lane)?;
            order.issued(lane);
            if index + 2 < steps.len() {
                team.barrier(&emit, channel, lane)?;
            }
        }
        self.launch_own(team, self.own_target(team, &received)?)?;
        let factors = self.form.products.iter();
        let mut kept: Vec<Value> = factors.flat_map(|&(left, right, _)| [left, right]).collect();
        kept.extend(&self.form.partial.operands);
        order.join(team, &emit, Lane::Current, &kept)?;
        team.barrier(&emit, 0, Lane::Current)?;
        // The sender at distance d before this device is the one at n - d behind it.
        let distances: Vec<i64> = (1..self.size).map(|distance| self.size - distance).collect();
        self.launch_finish(team, &received, &distances)
    }

    /// `signal`. Before: nobody uses this part of the workspace. After: `current` knows all that this device has done; peers
    /// may still read.
    pub(super) fn signal(mut self, team: &Team, usage: Use, knobs: Knobs) -> PassResult {
        self.allocate_sum(Lane::Current)?;
        let steps = self.steps();
        let depth = knobs.depth.clamp(1, steps.len());
        let received = if self.form.ordered {
            Some(self.receive_all()?)
        } else {
            None
        };
        let running = Running::new(&self, received.is_some())?;
        let emit = self.emit.clone();
        Order::new().join(team, &emit, Lane::Other, &[])?;
        let local = team.part(&emit, None)?;
        let mut peers = Vec::new();
        for distance in 1..self.size {
            // Who is to get the chunk of this step, and from whom one comes.
            peers.push((team.peer(&emit, -distance)?, team.peer(&emit, distance)?));
        }
        let peers_of = |step: Step| peers[step.distance as usize - 1];

        // One pull: `combined` is the event after which its landing chunk is free.
        let pull = |index: usize, combined: Option<Value>, target: Value| -> PassResult {
            let step = steps[index];
            let (_, sender) = peers_of(step);
            if let Some(combined) = combined {
                team.wait_event(&emit, combined, Lane::Other, &[])?;
            }
            team.wait_signal(&emit, sender, 2 * step.part, usage.epoch, Lane::Other)?;
            self.pull(team, (sender, step), usage, index % depth, target)?;
            if index + depth < steps.len() {
                team.put(&emit, sender, 2 * step.part + 1, usage.epoch, Lane::Other)?;
            }
            Ok(())
        };
        // Events of arrivals, by step; where contributions are stacked, one of all of them.
        let mut arrived = Vec::new();
        let parts = self.parts.count as usize;
        if let Some(received) = &received {
            for (index, &step) in steps.iter().enumerate() {
                let (_, sender) = peers_of(step);
                let target = self.target_of(received, index, sender, step.part)?;
                pull(index, None, target)?;
            }
            arrived.push(team.record(&emit, Lane::Other)?);
        } else {
            // Each part has a place to land in, which that of the next chunk takes again.
            for (index, &step) in steps[..parts].iter().enumerate() {
                pull(index, None, running.landing(&self, step)?)?;
                arrived.push(team.record(&emit, Lane::Other)?);
            }
        }
        // What comes last is combined with the own contribution, for which nobody is to wait.
        let last = steps.len() - parts;
        for (index, &step) in steps.iter().enumerate() {
            let (receiver, _) = peers_of(step);
            if index >= depth {
                let earlier = steps[index - depth];
                let (receiver, _) = peers_of(earlier);
                team.wait_signal(&emit, receiver, 2 * earlier.part + 1, usage.epoch, Lane::Current)?;
            }
            let name = format!("chunk {}", step.distance);
            let slot = self.slot(local, usage, index % depth, step)?;
            self.launch(team, Lane::Current, (receiver, step), slot, &name)?;
            team.put(&emit, receiver, 2 * step.part, usage.epoch, Lane::Current)?;
            if received.is_none() && (1..=last).contains(&index) {
                team.wait_event(&emit, arrived[index - 1], Lane::Current, &[])?;
                running.combine(&self, team, steps[index - 1])?;
                let combined = team.record(&emit, Lane::Current)?;
                let next = index - 1 + parts;
                pull(next, Some(combined), running.landing(&self, steps[next])?)?;
                arrived.push(team.record(&emit, Lane::Other)?);
            }
        }
        match &received {
            Some(received) => {
                self.launch_own(team, self.own_target(team, received)?)?;
                team.wait_event(&emit, arrived[0], Lane::Current, &[])?;
                self.launch_finish(team, received, &[])
            }
            None => {
                self.launch_own(team, running.own()?)?;
                for index in last..steps.len() {
                    team.wait_event(&emit, arrived[index], Lane::Current, &[])?;
                    running.combine(&self, team, steps[index])?;
                }
                Ok(())
            }
        }
    }
}

/// The incremental reduction.
struct Running {
    /// Where the next contribution lands.
    landing: Option<Value>,
    /// The sum so far, for groups of more than two.
    sum: Option<Value>,
    /// This device's own contribution.
    own: Option<Value>,
}

impl Running {
    fn new(scatter: &Scatter<'_>, is_stacked: bool) -> PassResult<Self> {
        let mut running = Self {
            landing: None,
            sum: None,
            own: None,
        };
        if is_stacked {
            return Ok(running);
        }
        let (form, emit) = (scatter.form, &scatter.emit);
        running.landing = Some(emit.alloc(&form.chunk()?, form.sent)?);
        running.own = Some(emit.alloc(&form.chunk()?, form.sent)?);
        if scatter.size > 2 {
            running.sum = Some(if form.epilogue.block.is_none() {
                scatter.target
            } else {
                emit.alloc(&form.chunk()?, form.reduced)?
            });
        }
        Ok(running)
    }

    /// Where the contribution of a step lands.
    fn landing(&self, scatter: &Scatter<'_>, step: Step) -> PassResult<Value> {
        let landing = self.landing.ok_or(Failed)?;
        let place = scatter.place(Number::Known(0), step.part);
        place.of(&scatter.emit, landing, scatter.form.dim)
    }

    fn own(&self) -> PassResult<Value> {
        self.own.ok_or(Failed)
    }

    /// Combines what has landed with the sum so far; that of the last chunk with the own contribution as well.
    fn combine(&self, scatter: &Scatter<'_>, team: &Team, step: Step) -> PassResult {
        let is_last = step.distance == scatter.size - 1;
        let (form, landing) = (scatter.form, self.landing(scatter, step)?);
        let (parts, extent) = (scatter.parts, scatter.extent);
        let (begin, len) = (parts.begin(step.part, extent), parts.len(step.part, extent));
        team.launch(&scatter.emit, "reduce", Lane::Current, |emit| {
            let part = |whole: Value| emit.slice(whole, form.dim, Number::Known(begin), len);
            let sum = self.sum.map(part).transpose()?;
            let earlier = sum.filter(|_| step.distance > 1);
            let mut contributions: Vec<Value> = earlier.into_iter().chain([landing]).collect();
            if !is_last {
                let sum = sum.ok_or(Failed)?;
                return combine(emit, &form.kind, form.reduced, &contributions, sum, None);
            }
            contributions.push(part(self.own()?)?);
            let target = match sum {
                Some(sum) if self.sum == Some(scatter.target) => sum,
                _ => part(scatter.target)?,
            };
            scatter.finish(emit, &contributions, target, begin, len)
        })
    }
}
