// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which steps go together: barriers and collectives by group and order of issue, signals by epoch, waits with the recording
//! of their event. The trace alone decides it, whatever the interleaving.
//!
//! Invariant after success: every wait has the partners that can end it, every signal is put once and awaited once, and the
//! members of a collective agree on its form.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::{Action, Event, Fault, Group, MOST_FAULTS, Pad, Rank, StepId, Trace, fault::Place};

/// A barrier or collective in which all members take part, or a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Partner {
    /// The step needs none.
    None,
    /// Number in [`Matching::meetings`].
    Meeting(u32),
    /// Number in [`Matching::signals`].
    Signal(u32),
}

/// An event: who records it, and how many wait for it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recording {
    pub(crate) step: Option<StepId>,
    pub(crate) waits: u32,
}

/// See the [module](self) documentation.
pub(crate) struct Matching {
    /// By rank and position.
    pub(crate) partners: Vec<Vec<Partner>>,
    /// Steps of each barrier and collective, one a member.
    pub(crate) meetings: Vec<Vec<StepId>>,
    /// The put of each signal.
    pub(crate) signals: Vec<StepId>,
    pub(crate) events: FxHashMap<Event, Recording>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MeetingKey {
    Barrier(Group, i64),
    Collective(Group),
}

impl MeetingKey {
    fn group(self) -> Group {
        match self {
            Self::Barrier(group, _) | Self::Collective(group) => group,
        }
    }

    fn describe(self, trace: &Trace) -> String {
        let members = trace.members(self.group());
        match self {
            Self::Barrier(_, channel) => format!("barrier of {members:?} on channel {channel}"),
            Self::Collective(_) => format!("collective of {members:?}"),
        }
    }
}

/// A counter: the pad, channel, sender and receiver.
pub(crate) type Counter = (Pad, i64, Rank, Rank);

/// Puts and waits of a counter, by epoch.
#[derive(Default)]
struct Signals {
    puts: BTreeMap<i64, StepId>,
    waits: BTreeMap<i64, StepId>,
}

impl Matching {
    pub(crate) fn of(trace: &Trace) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut matching = Self {
            partners: trace
                .steps
                .iter()
                .map(|steps| vec![Partner::None; steps.len()])
                .collect(),
            meetings: Vec::new(),
            signals: Vec::new(),
            events: FxHashMap::default(),
        };
        let mut meetings: BTreeMap<MeetingKey, BTreeMap<Rank, Vec<StepId>>> = BTreeMap::new();
        let mut counters: BTreeMap<Counter, Signals> = BTreeMap::new();
        let mut event_waits = Vec::new();
        for (rank, steps) in (0..).zip(&trace.steps) {
            for (position, step) in (0..).zip(steps) {
                let id = StepId { rank, position };
                let mut meet =
                    |key: MeetingKey| meetings.entry(key).or_default().entry(rank).or_default().push(id);
                match step.action {
                    Action::Work | Action::Drain => {}
                    Action::Record(event) => {
                        let recording = matching.events.entry(event).or_default();
                        match recording.step {
                            Some(first) => faults.push(Fault::EventRecordedTwice {
                                first: Place::of(trace, first),
                                second: Place::of(trace, id),
                            }),
                            None => recording.step = Some(id),
                        }
                    }
                    Action::WaitEvent(event) => {
                        matching.events.entry(event).or_default().waits += 1;
                        event_waits.push((event, id));
                    }
                    Action::Barrier { group, channel } => meet(MeetingKey::Barrier(group, channel)),
                    Action::Collective { group, .. } => meet(MeetingKey::Collective(group)),
                    Action::Put {
                        pad,
                        channel,
                        to,
                        epoch,
                    } => {
                        let signals = counters.entry((pad, channel, rank, to)).or_default();
                        if epoch < 1 {
                            let at = Place::of(trace, id);
                            let signal = describe(channel, epoch);
                            faults.push(Fault::EpochTooSmall { at, signal });
                        } else if let Some(&first) = signals.puts.get(&epoch) {
                            faults.push(Fault::SignalPutTwice {
                                first: Place::of(trace, first),
                                second: Place::of(trace, id),
                                signal: describe(channel, epoch),
                            });
                        } else {
                            signals.puts.insert(epoch, id);
                        }
                    }
                    Action::WaitSignal {
                        pad,
                        channel,
                        from,
                        epoch,
                    } => {
                        let signals = counters.entry((pad, channel, from, rank)).or_default();
                        if epoch < 1 {
                            let at = Place::of(trace, id);
                            let signal = describe(channel, epoch);
                            faults.push(Fault::EpochTooSmall { at, signal });
                        } else if let Some(&first) = signals.waits.get(&epoch) {
                            faults.push(Fault::SignalAwaitedTwice {
                                first: Place::of(trace, first),
                                second: Place::of(trace, id),
                                signal: describe(channel, epoch),
                            });
                        } else {
                            signals.waits.insert(epoch, id);
                        }
                    }
                }
            }
        }
        for (event, id) in event_waits {
            let recorded = matching.events[&event].step;
            if recorded.is_none_or(|step| step.rank != id.rank) {
                faults.push(Fault::EventNotRecorded {
                    at: Place::of(trace, id),
                });
            }
        }
        matching.match_meetings(trace, &meetings, &mut faults);
        matching.match_signals(trace, &counters, &mut faults);
        if faults.is_empty() {
            Ok(matching)
        } else {
            faults.truncate(MOST_FAULTS);
            Err(faults)
        }
    }

    fn match_meetings(
        &mut self,
        trace: &Trace,
        meetings: &BTreeMap<MeetingKey, BTreeMap<Rank, Vec<StepId>>>,
        faults: &mut Vec<Fault>,
    ) {
        for (&key, issued) in meetings {
            let members = trace.members(key.group());
            for (rank, steps) in issued {
                if !members.contains(rank) {
                    faults.push(Fault::NotAMember {
                        at: Place::of(trace, steps[0]),
                        what: key.describe(trace),
                    });
                }
            }
            let of = |rank: Rank| issued.get(&rank).map_or(&[][..], Vec::as_slice);
            let most = members.iter().max_by_key(|&&rank| of(rank).len());
            let least = members.iter().min_by_key(|&&rank| of(rank).len());
            let (Some(&most), Some(&least)) = (most, least) else {
                continue;
            };
            for number in 0..of(least).len() {
                let steps: Vec<StepId> = members.iter().map(|&rank| of(rank)[number]).collect();
                let first = steps[0];
                let differs = steps
                    .iter()
                    .find(|&&step| trace.step(step).action != trace.step(first).action);
                if let Some(&second) = differs {
                    faults.push(Fault::DifferentCollectives {
                        first: Place::of(trace, first),
                        second: Place::of(trace, second),
                        group: format!("{members:?}"),
                        number,
                    });
                }
                let meeting = self.meetings.len() as u32;
                for &step in &steps {
                    self.set(step, Partner::Meeting(meeting));
                }
                self.meetings.push(steps);
            }
            if let Some(&waits) = of(most).get(of(least).len()) {
                faults.push(Fault::MissingMember {
                    at: Place::of(trace, waits),
                    what: key.describe(trace),
                    number: of(least).len(),
                    absent: least,
                    issued: of(least).len(),
                });
            }
        }
    }

    fn match_signals(
        &mut self,
        trace: &Trace,
        counters: &BTreeMap<Counter, Signals>,
        faults: &mut Vec<Fault>,
    ) {
        for (&(_, channel, sender, receiver), signals) in counters {
            for (&epoch, &put) in &signals.puts {
                let Some(&wait) = signals.waits.get(&epoch) else {
                    faults.push(Fault::UnawaitedSignal {
                        at: Place::of(trace, put),
                        signal: describe(channel, epoch),
                        receiver,
                    });
                    continue;
                };
                let signal = self.signals.len() as u32;
                self.signals.push(put);
                self.set(put, Partner::Signal(signal));
                self.set(wait, Partner::Signal(signal));
            }
            for (&epoch, &wait) in &signals.waits {
                if signals.puts.contains_key(&epoch) {
                    continue;
                }
                let later = signals.puts.range(epoch..).next();
                faults.push(Fault::SignalNotPut {
                    at: Place::of(trace, wait),
                    signal: describe(channel, epoch),
                    sender,
                    outcome: match later {
                        Some((later, _)) => format!("only its epoch {later} would end the wait"),
                        None => "it waits for ever".to_owned(),
                    },
                });
            }
        }
    }

    fn set(&mut self, step: StepId, partner: Partner) {
        self.partners[step.rank as usize][step.position as usize] = partner;
    }

    pub(crate) fn partner(&self, step: StepId) -> Partner {
        self.partners[step.rank as usize][step.position as usize]
    }
}

/// A signal in words.
pub(crate) fn describe(channel: i64, epoch: i64) -> String {
    format!("epoch {epoch} of channel {channel}")
}
