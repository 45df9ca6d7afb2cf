// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Streams: workers that run one op after the other, in the order in which they were issued.
//!
//! Invariants: an op begins when the one before it has ended. The first op that fails poisons its stream and raises
//! the alarm of the world; what stands behind it is not run, and events recorded behind it fail with the same error.
//! A recorded event always comes, because whatever stands before it ends. After a failure anywhere no op begins.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    thread::{Builder, JoinHandle},
    time::Instant,
};

use crate::{
    core::{event::Event, queue::Queue},
    error::{Error, Fault, Site, panic_message},
    trace::{Issued, Recorder},
    transport::Transport,
};

/// What an op does.
pub(crate) type Run = Box<dyn FnOnce() -> Result<(), Error> + Send>;

enum Item {
    Op(Issued, Run),
    Record(Arc<Event<Error>>),
}

/// What the streams of a rank share.
pub(crate) struct Shared {
    pub(crate) rank: usize,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) recorder: Recorder,
    stack_bytes: usize,
    first: Mutex<Option<Error>>,
}

impl Shared {
    pub(crate) fn new(
        rank: usize,
        transport: Arc<dyn Transport>,
        recorder: Recorder,
        stack_bytes: usize,
    ) -> Self {
        Self {
            rank,
            transport,
            recorder,
            stack_bytes,
            first: Mutex::new(None),
        }
    }

    /// Keeps the rank's first failure, and tells all ranks.
    pub(crate) fn failed(&self, error: &Error) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| error.clone());
        drop(first);
        self.transport.fail(error.clone());
    }

    /// The rank's first failure.
    pub(crate) fn first_failure(&self) -> Option<Error> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Nothing begins after a failure.
    pub(crate) fn check(&self, site: &Site) -> Result<(), Error> {
        match self.transport.failure() {
            None => Ok(()),
            Some(first) if first.site().rank == self.rank => Err(first),
            Some(first) => Err(Error::elsewhere(site.clone(), &first)),
        }
    }

    /// Runs an op here and now, seen by messages and traces.
    pub(crate) fn run<R>(
        &self,
        stream: u64,
        lane: usize,
        issued: &Issued,
        op: impl FnOnce() -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.transport.enter(self.rank, stream, &issued.site);
        let begin = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(op)).unwrap_or_else(|panic| {
            let fault = Fault::Panic(panic_message(&*panic));
            Err(Error::new(issued.site.clone(), fault))
        });
        self.recorder.ended(lane, issued, begin, outcome.is_ok());
        self.transport.leave(self.rank, stream);
        outcome
    }
}

/// A stream and its worker.
pub(crate) struct Stream {
    queue: Arc<Queue<Item>>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

impl Stream {
    /// Starts a worker.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub(crate) fn new(number: u64, name: &str, shared: Arc<Shared>) -> std::io::Result<Self> {
        let queue = Arc::new(Queue::new());
        let lane = shared.recorder.add_lane(name);
        let thread = Builder::new()
            .name(format!("rank{}.{number:x}", shared.rank))
            .stack_size(shared.stack_bytes);
        let items = queue.clone();
        let worker = thread.spawn(move || work(&items, number, lane, &shared))?;
        Ok(Self {
            queue,
            worker: Mutex::new(Some(worker)),
        })
    }

    /// Issues an op. A closed stream, whose rank has ended, runs nothing.
    pub(crate) fn issue(&self, issued: Issued, run: Run) {
        drop(self.queue.push(Item::Op(issued, run)));
    }

    /// Issues the completion of an event.
    pub(crate) fn record(&self, event: Arc<Event<Error>>) {
        if let Err(Item::Record(event)) = self.queue.push(Item::Record(event)) {
            event.complete(Ok(()));
        }
    }

    /// Waits until all that was issued has ended, and ends the worker.
    pub(crate) fn close(&self) {
        self.queue.close();
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(worker) = worker {
            // A worker catches the panics of its ops and has none of its own.
            drop(worker.join());
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.close();
    }
}

fn work(items: &Queue<Item>, number: u64, lane: usize, shared: &Shared) {
    let mut state = Ok(());
    while let Some(item) = items.pop() {
        match item {
            Item::Record(event) => event.complete(state.clone()),
            Item::Op(issued, run) => {
                if state.is_ok() {
                    state = shared
                        .check(&issued.site)
                        .and_then(|()| shared.run(number, lane, &issued, run));
                    if let Err(error) = &state {
                        shared.failed(error);
                    }
                }
            }
        }
    }
}
