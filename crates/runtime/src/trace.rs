// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What really happened: when each op was issued, began and ended, on each stream of each rank.
//!
//! Times are nanoseconds of a monotonic clock since the world began. [`chrome_trace`] writes them in the trace-event
//! format that Perfetto and the trace viewer of Chrome open ("Trace Event Format", 2016): a rank is a process, a
//! stream a thread.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use serde_json::{Value, json};

use crate::error::Site;

/// What kind of op a span is.
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Category {
    /// Computation: launched, or marked by the program.
    Compute,
    /// A copy.
    Copy,
    /// A collective that moves data.
    Collective,
    /// A barrier or a signal.
    Synchronization,
    /// A wait for an event or a stream.
    Wait,
    /// Allocation of symmetric memory and its end.
    Memory,
}

impl Category {
    /// In lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Copy => "copy",
            Self::Collective => "collective",
            Self::Synchronization => "synchronization",
            Self::Wait => "wait",
            Self::Memory => "memory",
        }
    }
}

/// An op that ran.
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Index of its stream in [`RankTrace::lanes`].
    pub lane: usize,
    /// The op.
    pub name: Arc<str>,
    /// Its kind.
    pub category: Category,
    /// Where it is in the source; may be empty.
    pub location: Arc<str>,
    /// Bytes that it reads, 0 where that has no meaning.
    pub bytes: u64,
    /// When the program issued it.
    pub issued_ns: u64,
    /// When it began.
    pub begin_ns: u64,
    /// When it ended.
    pub end_ns: u64,
    /// Whether it succeeded.
    pub is_well: bool,
}

/// What one rank did.
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankTrace {
    /// The rank.
    pub rank: usize,
    /// Names of its streams. The first is the program itself, `host`.
    pub lanes: Vec<String>,
    /// Ops by lane, then by time.
    pub spans: Vec<Span>,
}

#[derive(Debug)]
struct Recorded {
    lanes: Vec<String>,
    spans: Vec<Span>,
}

/// Collects the spans of a rank.
#[derive(Debug)]
pub(crate) struct Recorder {
    start: Instant,
    is_on: bool,
    recorded: Mutex<Recorded>,
}

/// The lane of the program itself.
pub(crate) const HOST: usize = 0;

/// An op, as far as it is known before it begins.
#[derive(Clone, Debug)]
pub(crate) struct Issued {
    pub(crate) site: Site,
    pub(crate) category: Category,
    pub(crate) bytes: usize,
    pub(crate) at: Instant,
}

impl Recorder {
    pub(crate) fn new(start: Instant, is_on: bool) -> Self {
        Self {
            start,
            is_on,
            recorded: Mutex::new(Recorded {
                lanes: vec!["host".to_owned()],
                spans: Vec::new(),
            }),
        }
    }

    fn with<R>(&self, change: impl FnOnce(&mut Recorded) -> R) -> R {
        change(&mut self.recorded.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn add_lane(&self, name: &str) -> usize {
        self.with(|recorded| {
            recorded.lanes.push(name.to_owned());
            recorded.lanes.len() - 1
        })
    }

    /// An op began at `begin` and ends now.
    pub(crate) fn ended(&self, lane: usize, issued: &Issued, begin: Instant, is_well: bool) {
        if !self.is_on {
            return;
        }
        let ns = |time: Instant| time.saturating_duration_since(self.start).as_nanos() as u64;
        let span = Span {
            lane,
            name: issued.site.op.clone(),
            category: issued.category,
            location: issued.site.location.clone(),
            bytes: issued.bytes as u64,
            issued_ns: ns(issued.at),
            begin_ns: ns(begin),
            end_ns: ns(Instant::now()),
            is_well,
        };
        self.with(|recorded| recorded.spans.push(span));
    }

    pub(crate) fn trace(&self, rank: usize) -> RankTrace {
        self.with(|recorded| {
            let mut spans = recorded.spans.clone();
            spans.sort_by_key(|span| (span.lane, span.begin_ns, std::cmp::Reverse(span.end_ns)));
            RankTrace {
                rank,
                lanes: recorded.lanes.clone(),
                spans,
            }
        })
    }
}

/// Traces as one file in JSON. O(spans).
pub fn chrome_trace(traces: &[RankTrace]) -> String {
    let mut events = Vec::new();
    for trace in traces {
        let pid = trace.rank;
        events.push(name("process_name", pid, 0, &format!("rank {pid}")));
        events.push(
            json!({ "ph": "M", "name": "process_sort_index", "pid": pid, "args": { "sort_index": pid } }),
        );
        for (tid, lane) in trace.lanes.iter().enumerate() {
            events.push(name("thread_name", pid, tid, lane));
            events.push(
                json!({ "ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid,
                "args": { "sort_index": tid } }),
            );
        }
        events.extend(trace.spans.iter().map(|span| event(pid, span)));
    }
    json!({ "displayTimeUnit": "ns", "traceEvents": events }).to_string()
}

fn name(what: &str, pid: usize, tid: usize, name: &str) -> Value {
    json!({ "ph": "M", "name": what, "pid": pid, "tid": tid, "args": { "name": name } })
}

/// Times are microseconds, as the format wants.
fn event(pid: usize, span: &Span) -> Value {
    let microseconds = |ns: u64| ns as f64 / 1000.0;
    json!({ "ph": "X", "cat": span.category.name(), "pid": pid, "tid": span.lane, "name": &*span.name,
        "ts": microseconds(span.begin_ns), "dur": microseconds(span.end_ns.saturating_sub(span.begin_ns)),
        "args": { "location": &*span.location, "bytes": span.bytes, "issued_us": microseconds(span.issued_ns),
            "succeeded": span.is_well } })
}
