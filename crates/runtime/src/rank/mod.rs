// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The context of a rank: what its program calls.
//!
//! Everything that is issued on a stream returns at once; only what says so waits.
//!
//! **Errors are final.** An error that a call returns, or that an op ends with, is reported to all ranks; from then on
//! nothing begins, and every call that issues something returns an error. Before a call returns one it waits until what
//! was issued has ended, which takes no longer than the op that is under way: a program may give up its memory and return.
//!
//! One thread issues the ops of a rank. Launched functions may compute, and call [`matmul`](crate::matmul), but issue
//! nothing: the order of collectives would depend on how streams run.

mod collectives;
pub(crate) mod current;
mod memory;
mod streams;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
    time::{Duration, Instant},
};

use crate::{
    core::event,
    error::{Error, Fault, Site},
    group::Members,
    handles::{Group, Table},
    options::Options,
    stream::{Shared, Stream},
    trace::{Category, HOST, Issued, RankTrace, Recorder},
    transport::{Symmetric, Transport},
};

/// Where an op is in the source, and how long it waits for other ranks.
#[derive(Clone, Copy, Debug, Default)]
pub struct At<'a> {
    /// The place, in the words of the program.
    pub location: &'a str,
    /// Instead of the world's timeout.
    pub timeout: Option<Duration>,
}

impl<'a> From<&'a str> for At<'a> {
    fn from(location: &'a str) -> Self {
        Self {
            location,
            timeout: None,
        }
    }
}

impl At<'_> {
    /// The same place with a timeout of its own.
    pub fn within(self, timeout: Duration) -> Self {
        Self {
            timeout: Some(timeout),
            ..self
        }
    }
}

/// A group and the number of calls that this rank has issued in its set of ranks.
#[derive(Clone)]
struct Joined {
    members: Arc<Members>,
    issued: Arc<AtomicU64>,
}

#[derive(Default)]
struct Sets {
    groups: BTreeMap<Vec<usize>, Group>,
    counters: BTreeMap<Vec<usize>, Arc<AtomicU64>>,
}

/// A span of the program's own computation that has begun.
struct Begun {
    issued: Issued,
    begin: Instant,
}

/// One rank of a world, in its own thread.
pub struct Rank {
    shared: Arc<Shared>,
    timeout: Duration,
    sets: Mutex<Sets>,
    groups: Table<Joined>,
    streams: Table<Arc<Stream>>,
    names: Mutex<BTreeMap<String, crate::handles::Stream>>,
    events: Table<Arc<event::Event<Error>>>,
    buffers: Table<Arc<Symmetric>>,
    last: Mutex<Option<Site>>,
    spans: Mutex<Vec<Begun>>,
}

impl Rank {
    pub(crate) fn new(
        rank: usize,
        transport: Arc<dyn Transport>,
        recorder: Recorder,
        options: &Options,
    ) -> Self {
        Self {
            shared: Arc::new(Shared::new(rank, transport, recorder, options.stack_bytes)),
            timeout: options.timeout,
            sets: Mutex::default(),
            groups: Table::new(),
            streams: Table::new(),
            names: Mutex::default(),
            events: Table::new(),
            buffers: Table::new(),
            last: Mutex::new(None),
            spans: Mutex::default(),
        }
    }

    /// This rank, from 0.
    pub fn index(&self) -> usize {
        self.shared.rank
    }

    /// Number of ranks.
    pub fn ranks(&self) -> usize {
        self.shared.transport.ranks()
    }

    /// The first failure of this rank, if there was one. Errors that calls returned count when they were reported,
    /// see [`Rank::fail`].
    pub fn failure(&self) -> Option<Error> {
        self.shared.first_failure()
    }

    /// Whether anything has failed, on this rank or on another. A loop that waits for a value asks this, since a value
    /// that others would have sent does not come after a failure.
    pub fn has_world_failed(&self) -> bool {
        self.shared.transport.failure().is_some()
    }

    /// Makes a failure of the program final.
    pub fn fail(&self, message: &str, location: &str) -> Error {
        let site = self.site("program", location);
        self.settle(Error::new(site, Fault::Program(message.to_owned())))
    }

    pub(crate) fn report(&self, error: &Error) {
        self.shared.failed(error);
    }

    /// Makes an error final: reports it, and waits until the streams have ended what was issued.
    pub(crate) fn settle(&self, error: Error) -> Error {
        self.report(&error);
        for event in self.record_all() {
            // Its failure is a consequence.
            drop(event.wait());
        }
        error
    }

    fn refuse(&self, site: Site, message: impl Into<String>) -> Error {
        self.settle(Error::invalid(site, message))
    }

    /// The group of these ranks, this one among them; the same list gives the same handle.
    ///
    /// # Errors
    /// A rank that is twice in the list or not in the world, or this rank is not in it.
    pub fn group(&self, ranks: &[usize]) -> Result<Group, Error> {
        let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(group) = sets.groups.get(ranks) {
            return Ok(*group);
        }
        let members = Members::new(ranks, self.ranks(), self.index());
        let members = members.map_err(|message| self.refuse(self.site("group", ""), message))?;
        let counter = sets
            .counters
            .entry(members.sorted().to_vec())
            .or_default()
            .clone();
        let joined = Joined {
            members: Arc::new(members),
            issued: counter,
        };
        let group = self.groups.add(|_| Ok::<_, Error>(joined))?;
        sets.groups.insert(ranks.to_vec(), group);
        Ok(group)
    }

    /// This rank's group among several of one size, given one after the other.
    ///
    /// # Errors
    /// This rank is in none of them; the size is 0 or does not divide the number of ranks given; and those of
    /// [`Rank::group`].
    pub fn group_among(&self, ranks: &[usize], size: usize) -> Result<Group, Error> {
        let invalid = |message: String| self.refuse(self.site("group", ""), message);
        if size == 0 || !ranks.len().is_multiple_of(size) {
            let message = format!("{} ranks do not make groups of {size}", ranks.len());
            return Err(invalid(message));
        }
        match ranks.chunks(size).find(|group| group.contains(&self.index())) {
            Some(group) => self.group(group),
            None => Err(invalid(format!(
                "rank {} is in none of the groups of {size} in {ranks:?}",
                self.index()
            ))),
        }
    }

    /// This rank's position in a group.
    ///
    /// # Errors
    /// There is no such group.
    pub fn position(&self, group: Group) -> Result<usize, Error> {
        let site = self.site("group", "");
        let joined = self
            .groups
            .get(group)
            .map_err(|message| self.refuse(site, message))?;
        Ok(joined.members.position(self.index()).unwrap_or_default())
    }

    /// The rank at a position of a group.
    ///
    /// # Errors
    /// There is no such group, or no such position in it.
    pub fn group_rank(&self, group: Group, position: usize) -> Result<usize, Error> {
        let site = self.site("group", "");
        let joined = self.find_group(group, &site)?;
        let rank = joined.members.ranks().get(position).copied();
        rank.ok_or_else(|| {
            let message = format!("{position} is no position in the group {}", joined.members);
            self.refuse(site, message)
        })
    }

    /// Begins a span of the program's own computation, for the trace; spans nest.
    pub fn begin_span(&self, name: &str, location: &str) {
        let begun = Begun {
            issued: self.issued(self.site(name, location), Category::Compute, 0),
            begin: Instant::now(),
        };
        self.spans
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(begun);
    }

    /// Ends the span that began last.
    pub fn end_span(&self) {
        let begun = self.spans.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(begun) = begun {
            self.shared.recorder.ended(HOST, &begun.issued, begun.begin, true);
        }
    }

    fn site(&self, op: &str, location: &str) -> Site {
        Site::new(self.index(), op, location)
    }

    fn issued(&self, site: Site, category: Category, bytes: usize) -> Issued {
        Issued {
            site,
            category,
            bytes,
            at: Instant::now(),
        }
    }

    /// Issues something at a place, unless there was a failure.
    fn begin(&self, op: &str, location: &str) -> Result<Site, Error> {
        let site = self.site(op, location);
        self.shared.check(&site).map_err(|error| self.settle(error))?;
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(site.clone());
        Ok(site)
    }

    fn timeout(&self, at: At<'_>) -> Duration {
        at.timeout.unwrap_or(self.timeout)
    }

    /// The program, for an error that is in no op of its own: named with the last op that it issued.
    pub(crate) fn program(&self) -> Site {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match last {
            Some(last) => Site {
                op: format!("program, after it issued {}", last.op).into(),
                ..last
            },
            None => self.site("program", ""),
        }
    }

    /// Waits until all streams have done what was issued, and tells the others that nothing more will come.
    pub(crate) fn close(&self) -> RankTrace {
        for stream in self.streams.all() {
            stream.close();
        }
        self.shared.transport.depart(self.index());
        self.shared.recorder.trace(self.index())
    }
}
