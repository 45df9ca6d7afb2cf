// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How messages are told and heard, and how everything that waits makes them progress.

use std::{
    sync::{PoisonError, atomic::Ordering},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use super::{
    Mpi, PATIENCE,
    meeting::key,
    message::{self, Failure, Message},
    rooms::Posted,
};
use crate::{
    core::monitor::Monitor,
    error::{Error, Fault, Missing, Site},
    sync::Deadline,
    transport::Channel,
};

/// How long to sleep between two looks: not at all at first, then longer and longer.
pub(super) struct Backoff {
    looks: u32,
    most: Duration,
}

impl Backoff {
    pub(super) fn new(most: Duration) -> Self {
        Self { looks: 0, most }
    }

    pub(super) fn reset(&mut self) {
        self.looks = 0;
    }

    pub(super) fn next(&mut self) -> Duration {
        /// Looks between which only the processor is offered to others.
        const EAGER: u32 = 16;
        self.looks += 1;
        match self.looks.checked_sub(EAGER) {
            None => {
                thread::yield_now();
                Duration::ZERO
            }
            Some(more) => (Duration::from_micros(10) * (1 << more.min(16))).min(self.most),
        }
    }
}

/// Longest sleep of who waits for something.
const WAITING: Duration = Duration::from_micros(200);
/// Longest sleep of the thread that polls when nobody waits.
const IDLE: Duration = Duration::from_millis(1);

impl Mpi {
    /// Polls until `is_over`.
    pub(super) fn attend(&self, is_over: impl Fn() -> bool) {
        let mut backoff = Backoff::new(IDLE);
        while !is_over() {
            if self.poll() {
                backoff.reset();
            } else {
                thread::sleep(backoff.next());
            }
        }
    }

    /// Asks `come`, which may wait for so long itself, until it gives something or a time has passed; polls between.
    pub(super) fn polling<R>(
        &self,
        timeout: Option<Duration>,
        mut come: impl FnMut(Duration) -> Option<R>,
    ) -> Option<R> {
        let (begun, mut backoff) = (Instant::now(), Backoff::new(WAITING));
        loop {
            if self.poll() {
                backoff.reset();
            }
            let rest = timeout.map(|timeout| timeout.saturating_sub(begun.elapsed()));
            let pause = rest.map_or(WAITING, |rest| rest).min(backoff.next());
            if let Some(come) = come(pause) {
                return Some(come);
            }
            if rest.is_some_and(|rest| rest.is_zero()) {
                return None;
            }
        }
    }

    /// Waits on a monitor, as [`Monitor::wait`], and polls.
    pub(super) fn wait<T, R>(
        &self,
        monitor: &Monitor<T>,
        timeout: Option<Duration>,
        mut ready: impl FnMut(&mut T) -> Option<R>,
    ) -> Option<R> {
        self.polling(timeout, |pause| monitor.wait(Deadline::after(pause), &mut ready))
    }

    /// Hears what has come; whether anything has.
    fn poll(&self) -> bool {
        let polled = self.endpoint.poll(&mut |from, bytes| self.hear(from, bytes));
        polled.unwrap_or_else(|message| {
            self.lost(message);
            false
        })
    }

    /// MPI does not work: the ranks cannot be told.
    fn lost(&self, message: String) {
        let site = Site::new(self.rank(), "program", "");
        self.alarm.raise(Error::new(site, Fault::Resources(message)));
    }

    /// Tells ranks something; this one is left out.
    pub(super) fn tell(&self, ranks: &[usize], message: &Message) {
        let told = message::frame(self.run, message, 0).and_then(|(frame, _)| {
            let others = ranks.iter().filter(|&&rank| rank != self.rank());
            others
                .copied()
                .try_for_each(|rank| self.endpoint.send(rank, frame.clone()))
        });
        if let Err(message) = told {
            self.lost(message);
        }
    }

    pub(super) fn tell_others(&self, message: &Message) {
        self.tell(&self.others().collect::<Vec<_>>(), message);
    }

    /// Raises the alarm here and on all other ranks, unless it was raised before.
    pub(super) fn raise(&self, error: Error) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let failure = Failure {
            at: now.as_nanos() as u64,
            error: error.clone(),
        };
        if self.is_first(&failure) {
            // Before anything that this rank does on account of the alarm.
            self.tell_others(&Message::Failed(failure));
            self.alarm.raise(error);
        }
    }

    fn is_first(&self, failure: &Failure) -> bool {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = first.is_none();
        first.get_or_insert_with(|| failure.clone());
        is_first
    }

    /// Asks ranks what they are doing. One that does not answer in time is said not to.
    pub(super) fn ask(&self, ranks: &[usize]) -> Vec<Missing> {
        let number = self.inquiries.fetch_add(1, Ordering::SeqCst);
        self.tell(ranks, &Message::Inquiry { number });
        let others = || ranks.iter().filter(|&&rank| rank != self.rank());
        self.wait(&self.heard, Some(PATIENCE), |heard| {
            let all = others().all(|&rank| heard.answers.contains_key(&(number, rank)));
            all.then_some(())
        });
        let missing = |&rank: &usize| {
            let answer = self.heard.update(|heard| heard.answers.remove(&(number, rank)));
            let doing = match answer {
                Some(doing) => doing,
                None if rank == self.rank() => self.board.describe(rank),
                None => "does not answer".to_owned(),
            };
            Missing { rank, doing }
        };
        ranks.iter().map(missing).collect()
    }

    /// A counter of this rank has been raised.
    pub(super) fn signal(&self, from: usize, channel: Channel, epoch: u64) {
        // Its owner has checked that it grows.
        self.pad.put((channel, from), epoch).unwrap_or_default();
    }

    /// Takes notice of a message. Sends at most, and waits for nothing.
    pub(super) fn hear(&self, from: usize, frame: Vec<u8>) {
        match message::parse(&frame) {
            Err(message) => self.lost(format!("a message from rank {from}: {message}")),
            Ok((run, ..)) if run > self.run => self.endpoint.keep(from, frame),
            Ok((run, ..)) if run < self.run => {}
            Ok((_, message, start)) => self.take(from, message, frame, start),
        }
    }

    fn take(&self, from: usize, message: Message, frame: Vec<u8>, start: usize) {
        match message {
            Message::Join(join) => self.heard.update(|heard| drop(heard.joined.insert(from, join))),
            Message::Post(post) => {
                let Some(call) = post.call(self.endpoint.ranks()) else {
                    return self.lost(format!("rank {from} posts to a group that is none"));
                };
                let (key, offer) = (key(&call), post.offer);
                let call = call.into();
                self.enter_room(&key, from, Posted { call, offer });
            }
            Message::Part { key, step, total } => self.rooms.update(|rooms| {
                rooms
                    .entry(key)
                    .or_default()
                    .part(step, from, frame, start, total)
            }),
            Message::Passed { key } => self
                .rooms
                .update(|rooms| rooms.entry(key).or_default().pass(from)),
            Message::Signal { channel, epoch } => self.signal(from, channel, epoch),
            Message::Failed(failure) => {
                if self.is_first(&failure) {
                    self.alarm.raise(failure.error);
                }
            }
            Message::Inquiry { number } => {
                let doing = self.board.describe(self.rank());
                self.tell(&[from], &Message::Answer { number, doing });
            }
            Message::Answer { number, doing } => self
                .heard
                .update(|heard| drop(heard.answers.insert((number, from), doing))),
            Message::Departed => self.alarm.depart(from),
            Message::Ended(end) => self.heard.update(|heard| drop(heard.ended.insert(from, *end))),
        }
    }
}
