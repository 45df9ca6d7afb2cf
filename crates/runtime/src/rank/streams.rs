// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Streams and events of a rank, and the ops on streams that need no other rank.

use std::{
    sync::{Arc, PoisonError},
    time::Instant,
};

use super::{At, Rank};
use crate::{
    core::event,
    error::{Error, Fault, Site},
    handles::{Event, Stream},
    stream::{self, Run},
    strided,
    tensor::Tensor,
    trace::{Category, HOST, Issued},
};

impl Rank {
    /// The stream that the program uses when it names none: one called `current`.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn current_stream(&self) -> Result<Stream, Error> {
        self.stream("current")
    }

    /// The stream of this name; it is made at its first use.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn stream(&self, name: &str) -> Result<Stream, Error> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stream) = names.get(name) {
            return Ok(*stream);
        }
        let stream = self.create_stream(name)?;
        names.insert(name.to_owned(), stream);
        Ok(stream)
    }

    /// A new stream; the name is for traces alone.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn create_stream(&self, name: &str) -> Result<Stream, Error> {
        let start = |handle: Stream| stream::Stream::new(handle.0, name, self.shared.clone()).map(Arc::new);
        self.streams.add(start).map_err(|error| {
            let fault = Fault::Resources(format!("no thread for stream {name}: {error}"));
            self.settle(Error::new(self.site("create_stream", ""), fault))
        })
    }

    /// Ends a stream, after what was issued on it.
    ///
    /// # Errors
    /// There is no such stream.
    pub fn destroy_stream(&self, stream: Stream) -> Result<(), Error> {
        let site = self.site("destroy_stream", "");
        let ended = self
            .streams
            .take(stream)
            .map_err(|message| self.refuse(site, message))?;
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.retain(|_, named| *named != stream);
        drop(names);
        ended.close();
        Ok(())
    }

    fn find_stream(&self, stream: Stream, site: &Site) -> Result<Arc<stream::Stream>, Error> {
        let found = self.streams.get(stream);
        found.map_err(|message| self.refuse(site.clone(), message))
    }

    fn find_event(&self, event: Event, site: &Site) -> Result<Arc<event::Event<Error>>, Error> {
        let found = self.events.get(event);
        found.map_err(|message| self.refuse(site.clone(), message))
    }

    /// Puts an op on a stream.
    pub(super) fn issue(
        &self,
        stream: Stream,
        site: Site,
        category: Category,
        bytes: usize,
        run: Run,
    ) -> Result<(), Error> {
        let stream = self.find_stream(stream, &site)?;
        stream.issue(self.issued(site, category, bytes), run);
        Ok(())
    }

    /// Does something here and now, as an op of the program itself.
    pub(super) fn here<R>(
        &self,
        site: Site,
        category: Category,
        bytes: usize,
        op: impl FnOnce() -> Result<R, Error>,
    ) -> Result<R, Error> {
        let issued: Issued = self.issued(site, category, bytes);
        let done = self.shared.run(0, HOST, &issued, op);
        done.map_err(|error| self.settle(error))
    }

    /// Computes on a stream. A message that `work` returns, or a panic, is a failure of the op.
    ///
    /// # Errors
    /// There is no such stream, or there was a failure.
    pub fn launch(
        &self,
        stream: Stream,
        name: &str,
        at: At<'_>,
        work: impl FnOnce() -> Result<(), String> + Send + 'static,
    ) -> Result<(), Error> {
        let site = self.begin(name, at.location)?;
        let failed = site.clone();
        let run = move || work().map_err(|message| Error::new(failed, Fault::Program(message)));
        self.issue(stream, site, Category::Compute, 0, Box::new(run))
    }

    /// Copies a tensor on a stream, to one of the same shape and element type. Either may be in another rank's
    /// symmetric memory.
    ///
    /// # Errors
    /// They differ, or overlap; there is no such stream; or there was a failure.
    ///
    /// # Safety
    /// Both are valid until the op has ended, and no other access to them conflicts with it meanwhile, on any rank.
    pub unsafe fn copy(
        &self,
        stream: Stream,
        target: &Tensor,
        source: &Tensor,
        at: At<'_>,
    ) -> Result<(), Error> {
        let site = self.begin("copy", at.location)?;
        if target.sizes != source.sizes || target.element != source.element {
            return Err(self.refuse(site, format!("copies {source} to {target}")));
        }
        if target != source && target.overlaps(source) {
            return Err(self.refuse(site, "the source overlaps the target"));
        }
        let (target, source, shared) = (target.clone(), source.clone(), self.shared.clone());
        let (bytes, own) = (source.bytes(), site.clone());
        let run = move || {
            let begun = Instant::now();
            // SAFETY: the caller of `copy` answers for both.
            unsafe { strided::copy(&target, &source) };
            shared.transport.copied(&own, &target, &source, begun)
        };
        self.issue(stream, site, Category::Copy, bytes, Box::new(run))
    }

    /// An event that happens when all that was issued on a stream has ended.
    ///
    /// # Errors
    /// There is no such stream.
    pub fn record(&self, stream: Stream) -> Result<Event, Error> {
        let stream = self.find_stream(stream, &self.site("record", ""))?;
        let event = Arc::new(event::Event::new());
        let handle = self.events.add(|_| Ok::<_, Error>(event.clone()))?;
        stream.record(event);
        Ok(handle)
    }

    /// Lets a stream wait for an event of this rank.
    ///
    /// # Errors
    /// There is no such stream or event, or there was a failure.
    pub fn wait_event(&self, stream: Stream, event: Event, at: At<'_>) -> Result<(), Error> {
        let site = self.begin("wait_event", at.location)?;
        let event = self.find_event(event, &site)?;
        self.issue(stream, site, Category::Wait, 0, Box::new(move || event.wait()))
    }

    /// Waits here for an event.
    ///
    /// # Errors
    /// There is no such event, or its stream had failed before it.
    pub fn synchronize_event(&self, event: Event, at: At<'_>) -> Result<(), Error> {
        let site = self.site("synchronize_event", at.location);
        let event = self.find_event(event, &site)?;
        self.here(site, Category::Wait, 0, || event.wait())
    }

    /// Whether an event has happened.
    ///
    /// # Errors
    /// There is no such event, or its stream had failed before it.
    pub fn query_event(&self, event: Event) -> Result<bool, Error> {
        let event = self.find_event(event, &self.site("query_event", ""))?;
        match event.outcome() {
            None => Ok(false),
            Some(outcome) => outcome.map(|()| true).map_err(|error| self.settle(error)),
        }
    }

    /// Forgets an event; streams that wait for it still do.
    ///
    /// # Errors
    /// There is no such event.
    pub fn release_event(&self, event: Event) -> Result<(), Error> {
        let site = self.site("release_event", "");
        let taken = self.events.take(event);
        taken.map(drop).map_err(|message| self.refuse(site, message))
    }

    /// Waits here until all that was issued on a stream has ended.
    ///
    /// # Errors
    /// There is no such stream, or it has failed.
    pub fn synchronize(&self, stream: Stream, at: At<'_>) -> Result<(), Error> {
        let site = self.site("synchronize", at.location);
        let stream = self.find_stream(stream, &site)?;
        let event = Arc::new(event::Event::new());
        stream.record(event.clone());
        self.here(site, Category::Wait, 0, || event.wait())
    }

    /// Waits here for all streams.
    ///
    /// # Errors
    /// One of them has failed.
    pub fn synchronize_all(&self, at: At<'_>) -> Result<(), Error> {
        let site = self.site("synchronize_all", at.location);
        let events = self.record_all();
        self.here(site, Category::Wait, 0, || {
            events.iter().try_for_each(|event| event.wait())
        })
    }

    /// An event at the end of each stream.
    pub(super) fn record_all(&self) -> Vec<Arc<event::Event<Error>>> {
        let record = |stream: &Arc<stream::Stream>| {
            let event = Arc::new(event::Event::new());
            stream.record(event.clone());
            event
        };
        self.streams.all().iter().map(record).collect()
    }
}
