// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The order of pulls and consumers on streams, by barriers and by signals.

use super::{
    super::streams::{Lane, Order, Team},
    Gather, Knobs, Use,
};
use crate::mlir::{PassResult, Value};

impl Gather<'_> {
    /// `two-stream`, and with `is_eager` `two-stream-eager`. Before and after: nobody uses the workspace.
    pub(in super::super) fn two_stream(
        mut self,
        team: &Team,
        usage: Use,
        knobs: Knobs,
        is_eager: bool,
    ) -> PassResult {
        let pulls = self.pulls(knobs);
        self.allocate_scratch(Lane::Current)?;
        self.allocate_scratch(Lane::Other)?;
        let whole_factor = self.whole_factor()?;
        let landing = self.landing(pulls.len().min(2), knobs.parts)?;
        let emit = self.emit.clone();
        let mut order = Order::new();
        let offers = if is_eager { Lane::Other } else { Lane::Current };
        if is_eager {
            order.join(team, &emit, Lane::Other, &[])?;
        }
        self.offer(team, usage, offers)?;
        team.barrier(&emit, 1, offers)?;
        order.issued(offers);
        let mut arrived = None;
        if !is_eager {
            order.join(team, &emit, Lane::Other, &[])?;
        } else if pulls.len() > 1 {
            arrived = Some(team.record(&emit, Lane::Other)?);
        }

        // Where consumers are independent, the second stream gets its work before `current`, whose launches hold up a
        // device whose own thread is that stream.
        let lane_of = |step: usize| {
            if step.is_multiple_of(2) {
                Lane::Other
            } else {
                Lane::Current
            }
        };
        let mut steps: Vec<usize> = (0..pulls.len()).collect();
        if !self.is_chained() {
            steps.sort_by_key(|&step| step % 2);
        }
        let early = if self.is_chained() {
            0
        } else {
            pulls.len().div_ceil(2)
        };
        let last = pulls.len() - 1;
        let mut own_is_done = false;
        for (issued, step) in steps.into_iter().enumerate() {
            let pull = pulls[step];
            let lane = lane_of(step);
            if issued == early && lane == Lane::Current {
                self.launch_own(team)?;
                order.issued(Lane::Current);
                own_is_done = true;
            }
            if lane == Lane::Current
                && let Some(arrived) = arrived.take()
            {
                team.wait_event(&emit, arrived, Lane::Current, &[])?;
            }
            let position = team.peer(&emit, pull.distance)?;
            let targets = self.targets_of(position, pull, knobs.parts, &landing, step)?;
            self.pull(team, usage, (position, pull), knobs.parts, &targets, lane)?;
            if !own_is_done && self.is_chained() {
                self.launch_own(team)?;
                order.issued(Lane::Current);
                own_is_done = true;
            }
            if self.is_chained() {
                order.join(team, &emit, lane, &[])?;
            }
            self.launch(team, lane, (position, pull), knobs.parts, &targets, step == last)?;
            order.issued(lane);
        }
        if !own_is_done {
            self.launch_own(team)?;
            order.issued(Lane::Current);
        }
        if self.keep_own(team, lane_of(last))? {
            order.issued(lane_of(last));
        }
        let mut kept = self.form.gathered.clone();
        kept.extend(landing.into_iter().flatten());
        order.join(team, &emit, Lane::Current, &kept)?;
        self.launch_finish(team, whole_factor)?;
        team.barrier(&emit, 0, Lane::Current)
    }

    /// `signal`. Before: nobody uses this part of the workspace. After: `current` knows all that this device has done; peers
    /// may still read.
    pub(in super::super) fn signal(mut self, team: &Team, usage: Use, knobs: Knobs) -> PassResult {
        let pulls = self.pulls(knobs);
        self.allocate_scratch(Lane::Current)?;
        let whole_factor = self.whole_factor()?;
        let is_bounded = self.wholes.iter().any(Option::is_none);
        let ahead = if is_bounded {
            knobs.depth.clamp(1, pulls.len())
        } else {
            pulls.len()
        };
        let landing = self.landing(ahead, knobs.parts)?;
        let emit = self.emit.clone();
        Order::new().join(team, &emit, Lane::Other, &[])?;
        self.offer(team, usage, Lane::Other)?;
        let mut positions = Vec::new();
        for pull in &pulls {
            positions.push(match positions.last() {
                Some(&position) if pull.part > 0 => position,
                _ => team.peer(&emit, pull.distance)?,
            });
        }
        for (pull, &position) in pulls.iter().zip(&positions) {
            if pull.part == 0 {
                team.put(&emit, position, 0, usage.epoch, Lane::Other)?;
            }
        }
        // Chunks that were pulled so far, and the events of their arrivals.
        let mut pulled: Vec<(Vec<Value>, Option<Value>)> = Vec::new();
        let pull_next = |gather: &Self, step: usize, consumed: Option<Value>| {
            if step + 1 == pulls.len() {
                gather.keep_own(team, Lane::Other)?;
            }
            let (pull, position) = (pulls[step], positions[step]);
            if let Some(consumed) = consumed {
                team.wait_event(&emit, consumed, Lane::Other, &[])?;
            }
            if pull.part == 0 {
                team.wait_signal(&emit, position, 0, usage.epoch, Lane::Other)?;
            }
            let targets = gather.targets_of(position, pull, knobs.parts, &landing, step)?;
            gather.pull(team, usage, (position, pull), knobs.parts, &targets, Lane::Other)?;
            // Where no chunk has a consumer all are awaited as one.
            let is_awaited = gather.has_consumers() || step + 1 == pulls.len();
            let arrived = is_awaited.then(|| team.record(&emit, Lane::Other)).transpose()?;
            PassResult::Ok((targets, arrived))
        };
        for step in 0..ahead {
            pulled.push(pull_next(&self, step, None)?);
        }
        self.launch_own(team)?;
        let last = pulls.len() - 1;
        for step in 0..pulls.len() {
            let (chunk, arrived) = pulled[step].clone();
            let kept: &[Value] = if step == last { &self.form.gathered } else { &[] };
            if let Some(arrived) = arrived {
                team.wait_event(&emit, arrived, Lane::Current, kept)?;
            }
            self.launch(
                team,
                Lane::Current,
                (positions[step], pulls[step]),
                knobs.parts,
                &chunk,
                step == last,
            )?;
            if step + ahead < pulls.len() {
                let consumed = team.record(&emit, Lane::Current)?;
                pulled.push(pull_next(&self, step + ahead, Some(consumed))?);
            }
        }
        self.launch_finish(team, whole_factor)
    }
}
