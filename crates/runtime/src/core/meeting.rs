// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Members of a group meet, look at each other's data, and part.
//!
//! A group meets again and again; a meeting is known by its number. A member *arrives* with a post (what it issued,
//! and where its data is) and gets the posts of all. From then on the data of all members may be read, until every
//! member has *passed* for the last time.
//!
//! Invariants:
//! - Either every member that arrives gets the posts, or none does: what ends a meeting early is written in it under
//!   its lock, unless it is complete already. So nobody reads data of a member that has given up and may have freed
//!   it.
//! - A complete meeting is not interrupted: between arriving and the last pass members do bounded work only, so
//!   passing needs no deadline. A member whose work fails still passes, and says so.

use std::{collections::BTreeMap, sync::Arc};

use super::{alarm::Alarm, monitor::Monitor};
use crate::sync::Deadline;

/// Why a meeting did not take place. Members are named by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop<P> {
    /// Two members came for different things.
    Mismatch([(usize, P); 2]),
    /// A deadline passed, that of the first member, without the others.
    Late {
        /// Who gave up, and for what it had come.
        waiting: (usize, P),
        /// Who was missing then, and what was said of each.
        missing: Vec<(usize, String)>,
    },
    /// A member is gone without having come.
    Gone(usize),
    /// The alarm was raised.
    Interrupted,
}

#[derive(Debug)]
struct Slot<P> {
    posts: Vec<Option<P>>,
    table: Option<Arc<[P]>>,
    stop: Option<Stop<P>>,
    passed: usize,
    parted: usize,
    is_broken: bool,
}

impl<P: Clone> Slot<P> {
    fn new(members: usize) -> Self {
        Self {
            posts: vec![None; members],
            table: None,
            stop: None,
            passed: 0,
            parted: 0,
            is_broken: false,
        }
    }

    fn missing(&self) -> impl Iterator<Item = usize> + '_ {
        let posts = self.posts.iter().enumerate();
        posts.filter_map(|(position, post)| post.is_none().then_some(position))
    }

    fn outcome(&self) -> Option<Result<Arc<[P]>, Stop<P>>> {
        let table = self.table.clone().map(Ok);
        table.or_else(|| self.stop.clone().map(Err))
    }

    /// Ends the meeting, unless it is complete or ended already; what holds then.
    fn end(&mut self, stop: Stop<P>) -> Result<Arc<[P]>, Stop<P>> {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        self.stop = Some(stop.clone());
        Err(stop)
    }
}

/// The meetings of one group.
pub(crate) struct Meeting<P, F> {
    ranks: Vec<usize>,
    slots: Arc<Monitor<BTreeMap<u64, Slot<P>>>>,
    alarm: Arc<Alarm<F>>,
}

impl<P: Clone + Send + Sync + 'static, F: Clone> Meeting<P, F> {
    /// Of these ranks.
    pub(crate) fn new(ranks: Vec<usize>, alarm: Arc<Alarm<F>>) -> Self {
        let slots = Arc::new(Monitor::new(BTreeMap::new()));
        alarm.watch(Arc::downgrade(&slots) as _);
        Self { ranks, slots, alarm }
    }

    /// Arrives at meeting `number` as member `position` with a post, and waits for the others; `agree` tells whether two
    /// posts are of one thing, and `describe` says something of a member that is missing when the deadline passes: once,
    /// so that all members report the same.
    ///
    /// # Errors
    /// See [`Stop`]; then no member meets.
    pub(crate) fn arrive(
        &self,
        number: u64,
        position: usize,
        post: P,
        agree: impl FnOnce(&P, &P) -> bool,
        deadline: Deadline,
        describe: impl Fn(usize) -> String,
    ) -> Result<Arc<[P]>, Stop<P>> {
        let members = self.ranks.len();
        let own = post.clone();
        self.slots.update(|slots| {
            let slot = slots.entry(number).or_insert_with(|| Slot::new(members));
            if let Some(stop) = &slot.stop {
                return Err(stop.clone());
            }
            let first = slot.posts.iter().position(Option::is_some);
            if let Some((first, theirs)) = first.and_then(|first| Some((first, slot.posts[first].clone()?)))
                && !agree(&theirs, &post)
            {
                slot.end(Stop::Mismatch([(first, theirs), (position, post)]))?;
                return Ok(());
            }
            slot.posts[position] = Some(post);
            if slot.missing().next().is_none() {
                slot.table = Some(slot.posts.iter().flatten().cloned().collect());
            }
            Ok(())
        })?;
        let met = self.slots.wait(deadline, |slots| {
            let slot = slots.entry(number).or_insert_with(|| Slot::new(members));
            if let Some(outcome) = slot.outcome() {
                return Some(outcome);
            }
            if self.alarm.failure().is_some() {
                return Some(slot.end(Stop::Interrupted));
            }
            let gone = slot
                .missing()
                .find(|&other| self.alarm.is_gone(self.ranks[other]));
            gone.map(|other| slot.end(Stop::Gone(other)))
        });
        met.unwrap_or_else(|| {
            self.slots.update(|slots| {
                let slot = slots.entry(number).or_insert_with(|| Slot::new(members));
                let missing = slot.missing().map(|other| (other, describe(other))).collect();
                slot.end(Stop::Late {
                    waiting: (position, own),
                    missing,
                })
            })
        })
    }

    /// Waits until all members have passed `time` times, the first time being 1; `is_well` says whether this member's
    /// work succeeded so far, and what comes back whether that of all did. With `is_last` the member parts: its data
    /// is its own again afterwards.
    pub(crate) fn pass(&self, number: u64, time: usize, is_well: bool, is_last: bool) -> bool {
        let members = self.ranks.len();
        self.slots.update(|slots| {
            if let Some(slot) = slots.get_mut(&number) {
                slot.passed += 1;
                slot.is_broken |= !is_well;
            }
        });
        let passed = self.slots.wait(Deadline::NEVER, |slots| {
            let Some(slot) = slots.get_mut(&number) else {
                return Some(false);
            };
            if slot.passed < members * time {
                return None;
            }
            let is_well = !slot.is_broken;
            if is_last {
                slot.parted += 1;
                if slot.parted == members {
                    slots.remove(&number);
                }
            }
            Some(is_well)
        });
        passed.unwrap_or(false)
    }
}
