// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Why a run goes no further: a cycle of streams that wait for each other.
//!
//! Before: partners are matched, so every wait is for a step that exists and is not done, on a stream that is not at its end.
//! Following these from any stream comes to a cycle.

use crate::{
    Action, Fault, StepId, Trace,
    fault::{Place, Waiting},
    matching::{Matching, Partner, describe},
    simulate::Progress,
};

/// The cycle that stops a run that can go no further; nothing where all streams are at their end. O(streams x members).
pub(crate) fn find(trace: &Trace, matching: &Matching, progress: &Progress) -> Option<Fault> {
    let mut stream = (0..progress.queues.len()).find(|&stream| progress.next(stream).is_some())?;
    let mut path: Vec<(usize, Waiting)> = Vec::new();
    loop {
        if let Some(start) = path.iter().position(|(visited, _)| *visited == stream) {
            return Some(Fault::Deadlock {
                cycle: path.drain(start..).map(|(_, waiting)| waiting).collect(),
            });
        }
        let at = progress.next(stream)?;
        let (for_step, reason) = wait_of(trace, matching, progress, at)?;
        path.push((
            stream,
            Waiting {
                at: Place::of(trace, at),
                for_step: Place::of(trace, for_step),
                reason,
            },
        ));
        stream = trace.step(for_step).stream.0 as usize;
    }
}

/// For which step a step waits, and why.
fn wait_of(trace: &Trace, matching: &Matching, progress: &Progress, at: StepId) -> Option<(StepId, String)> {
    let rank = at.rank as usize;
    let passed = progress.passed[rank];
    if progress.gates.before[rank][at.position as usize] > passed {
        let gate = progress.gates.blocking[rank][passed as usize];
        let place = Place::of(trace, gate);
        return Some((gate, format!("to be issued, after what {place} waits for")));
    }
    let step = trace.step(at);
    match (&step.action, matching.partner(at)) {
        (Action::WaitEvent(event), _) => {
            let record = matching.events[event].step?;
            let place = Place::of(trace, record);
            Some((record, format!("for an event that {place} is to record")))
        }
        (Action::Drain, _) => {
            let behind = progress.behind(trace, at)?;
            Some((
                behind,
                format!(
                    "for all issued before, and {} is not done",
                    Place::of(trace, behind)
                ),
            ))
        }
        (Action::WaitSignal { channel, epoch, .. }, Partner::Signal(signal)) => {
            let put = matching.signals[signal as usize];
            let signal = describe(*channel, *epoch);
            let place = Place::of(trace, put);
            Some((put, format!("for {signal} that {place} is to put")))
        }
        (action, Partner::Meeting(meeting)) => {
            let absent = |id: &&StepId| progress.next(trace.step(**id).stream.0 as usize) != Some(**id);
            let gated = |id: &&StepId| {
                let before = progress.gates.before[id.rank as usize][id.position as usize];
                before > progress.passed[id.rank as usize]
            };
            let members = &matching.meetings[meeting as usize];
            let missing = *members.iter().find(|id| absent(id) || gated(id))?;
            let what = match action {
                Action::Barrier { channel, .. } => format!("at the barrier of channel {channel}"),
                _ => "in the collective".to_owned(),
            };
            Some((missing, format!("{what} for {}", Place::of(trace, missing))))
        }
        _ => None,
    }
}
