// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Pictures in the trace-event format that Perfetto and the trace viewer of Chrome open ("Trace Event Format", 2016).
//!
//! A picture is a process, a lane is a thread. Bars are complete events; the gaps of computation are complete events too,
//! named after what they wait for; live memory is a counter; an arrow leads from each collective to the place
//! that awaits it. Times are microseconds, as the format wants. Nothing is merged.

use super::model::{Bar, Picture};
use crate::node::Kind;
use serde_json::{Value, json};

/// All pictures as one trace.
pub fn trace(pictures: &[Picture<'_>]) -> String {
    let mut events = Vec::new();
    for (index, picture) in pictures.iter().enumerate() {
        Process {
            picture,
            pid: index + 1,
            events: &mut events,
        }
        .write();
    }
    json!({ "displayTimeUnit": "ns", "traceEvents": events }).to_string()
}

fn microseconds(ns: u64) -> Value {
    json!(ns as f64 / 1000.0)
}

struct Process<'a, 'b> {
    picture: &'a Picture<'a>,
    pid: usize,
    events: &'b mut Vec<Value>,
}

impl Process<'_, '_> {
    fn write(&mut self) {
        let picture = self.picture;
        self.name("process_name", 0, &picture.title);
        for (tid, lane) in picture.lanes.iter().enumerate() {
            let title = match &lane.link {
                Some(link) => format!("{} on link {link}", lane.title),
                None => lane.title.clone(),
            };
            self.name("thread_name", tid, &title);
            self.events.push(
                json!({ "ph": "M", "name": "thread_sort_index", "pid": self.pid, "tid": tid,
                "args": { "sort_index": tid } }),
            );
            for bar in &lane.bars {
                self.bar(tid, bar);
            }
        }
        for gap in &picture.gaps {
            self.events
                .push(json!({ "ph": "X", "cat": "exposed", "pid": self.pid, "tid": 0,
                "name": format!("exposed: {}", picture.name(gap.collective)), "cname": "terrible",
                "ts": microseconds(gap.begin_ns), "dur": microseconds(gap.ns()),
                "args": { "waits_for": picture.name(gap.collective), "runs_us": microseconds(gap.runs_ns),
                    "issued_before_us": microseconds(gap.lead_ns), "queued_us": microseconds(gap.queued_ns),
                    "limited_by": gap.cause.name() } }));
        }
        for step in &picture.memory {
            self.events.push(
                json!({ "ph": "C", "name": "live memory", "pid": self.pid, "tid": 0,
                "ts": microseconds(step.at_ns), "args": { "bytes": step.bytes } }),
            );
        }
        self.arrows();
    }

    fn name(&mut self, what: &str, tid: usize, name: &str) {
        self.events
            .push(json!({ "ph": "M", "name": what, "pid": self.pid, "tid": tid, "args": { "name": name } }));
    }

    fn bar(&mut self, tid: usize, bar: &Bar) {
        let picture = self.picture;
        let problem = picture.problem;
        let id = bar.node;
        let mut args =
            json!({ "kind": problem.kind(id).name(), "bytes": problem.bytes(id), "node": id.index() });
        if problem.kind(id) != Kind::Compute {
            args["issued_us"] = microseconds(picture.issued_ns[id.index()]);
            args["collective"] = json!(bar.category.name());
        }
        if let Some(inside) = picture.inside_of(id).filter(|_| tid == 0) {
            args["exposed_inside_us"] = microseconds(inside.exposed_ns);
        }
        // What the node reads through waits is what it may have had to wait for.
        let waits = problem
            .deps(id)
            .iter()
            .filter(|dep| problem.kind(**dep) == Kind::Wait);
        let waits: Vec<_> = waits.map(|wait| picture.name(*wait)).collect();
        if !waits.is_empty() {
            args["waits"] = json!(waits);
        }
        self.events.push(
            json!({ "ph": "X", "cat": bar.category.name(), "pid": self.pid, "tid": tid,
            "name": picture.name(id), "ts": microseconds(bar.begin_ns),
            "dur": microseconds(bar.end_ns - bar.begin_ns), "args": args }),
        );
    }

    /// Both ends of an arrow must lie in events of their threads, which the wait of one stream for another does not, nor
    /// one at the end of the step.
    fn arrows(&mut self) {
        let picture = self.picture;
        let mut runs = vec![None; picture.problem.len()];
        for (tid, lane) in picture.lanes.iter().enumerate().skip(1) {
            for bar in &lane.bars {
                runs[bar.node.index()] = Some((tid, bar));
            }
        }
        for (index, awaited) in picture.awaits.iter().enumerate() {
            let Some((tid, bar)) = runs[awaited.collective.index()] else {
                continue;
            };
            let is_met = bar.end_ns <= awaited.at_ns + awaited.exposed_ns;
            let at_ns = awaited.at_ns.max(bar.begin_ns);
            if !is_met || at_ns >= picture.step_ns {
                continue;
            }
            let id = format!("{}.{index}", self.pid);
            self.events.push(
                json!({ "ph": "s", "cat": "wait", "name": "wait", "id": id, "pid": self.pid, "tid": tid,
                "ts": microseconds(bar.begin_ns) }),
            );
            self.events.push(
                json!({ "ph": "f", "bp": "e", "cat": "wait", "name": "wait", "id": id, "pid": self.pid,
                "tid": 0, "ts": microseconds(at_ns) }),
            );
        }
    }
}
