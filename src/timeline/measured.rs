// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What really happened, beside the model: a trace of the run-time and a picture of the same program.
//!
//! A trace is what `comm-runner --trace` writes (trace-event format). An op of the picture and a span of the trace are the same
//! where they have one source location and are of one kind, a collective or computation. Folders in locations do not count,
//! since a trace may be read elsewhere than it was made. What the lowering adds, such as fills of buffers at the location of
//! another op, is part of that op's time.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
    path::Path,
};

use comm_schedule::{Kind, picture::Picture};
use serde_json::Value;

/// Begin and end of the spans of each rank, in nanoseconds since the first span of the rank.
type Spans = BTreeMap<u64, Vec<(f64, f64)>>;

/// Spans of a trace, by what they are compared by.
pub(super) struct Trace {
    /// By location, for collectives or for computation.
    by_place: HashMap<(String, bool), Spans>,
    ranks: usize,
}

/// Reads a trace. Fails with what is wrong with it.
pub(super) fn read(text: &str) -> Result<Trace, String> {
    let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let events = document.get("traceEvents").and_then(Value::as_array);
    let events = events.ok_or("expected an object with an array 'traceEvents'")?;
    let mut spans = Vec::new();
    let mut begins: BTreeMap<u64, f64> = BTreeMap::new();
    for event in events.iter().filter(|event| event["ph"] == "X") {
        let number = |name: &str| {
            event[name]
                .as_f64()
                .ok_or_else(|| format!("a span without a number '{name}': {event}"))
        };
        let rank = event["pid"]
            .as_u64()
            .ok_or_else(|| format!("a span without a rank: {event}"))?;
        let begin = 1e3 * number("ts")?;
        let end = begin + 1e3 * number("dur")?;
        let is_collective = match event["cat"].as_str() {
            Some("collective") => true,
            Some("compute" | "copy") => false,
            _ => continue,
        };
        let first = begins.entry(rank).or_insert(begin);
        *first = first.min(begin);
        let place = bare(event["args"]["location"].as_str().unwrap_or_default());
        spans.push((rank, (place, is_collective), begin, end));
    }
    if spans.is_empty() {
        return Err("it has no spans of collectives or computation".to_owned());
    }
    let mut by_place: HashMap<(String, bool), Spans> = HashMap::new();
    for (rank, place, begin, end) in spans {
        let origin = begins[&rank];
        let ranks = by_place.entry(place).or_default();
        ranks
            .entry(rank)
            .or_default()
            .push((begin - origin, end - origin));
    }
    Ok(Trace {
        by_place,
        ranks: begins.len(),
    })
}

/// A location without folders: `a/b.mlir:3:4` is `b.mlir:3:4`.
fn bare(location: &str) -> String {
    let part = |part: &str| {
        let open = part.len() - part.trim_start_matches('(').len();
        let name = part[open..].rsplit('/').next().unwrap_or_default();
        format!("{}{name}", &part[..open])
    };
    location.split(' ').map(part).collect::<Vec<_>>().join(" ")
}

/// Location of an op of a program that was read from `path`, as it is in a trace. The parser calls the file `-`.
pub(super) fn place(text: &str, path: &Path) -> String {
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let part = |part: &str| {
        let open = part.len() - part.trim_start_matches('(').len();
        match part[open..].strip_prefix("-:") {
            Some(rest) => format!("{}{name}:{rest}", &part[..open]),
            None => part.to_owned(),
        }
    };
    bare(&text.split(' ').map(part).collect::<Vec<_>>().join(" "))
}

/// Totals of one kind of op.
#[derive(Default)]
struct Total {
    count: usize,
    modelled_ns: f64,
    measured_ns: f64,
    missing: usize,
}

/// The table: each op of the picture with its begin and end in the model and in the trace, where the median of the ranks counts,
/// and totals by kind of op. `places` are the locations of the nodes.
pub(super) fn table(picture: &Picture<'_>, places: &[String], trace: &Trace) -> String {
    let mut bars: Vec<_> = picture.lanes.iter().flat_map(|lane| &lane.bars).collect();
    bars.sort_by_key(|bar| (bar.begin_ns, bar.end_ns, bar.node));
    let mut rows = Vec::new();
    let mut totals: BTreeMap<String, Total> = BTreeMap::new();
    for bar in bars {
        let is_collective = match picture.problem.kind(bar.node) {
            Kind::Start | Kind::Blocking => true,
            Kind::Compute => false,
            _ => continue,
        };
        let name = picture.problem.name(bar.node);
        let place = places.get(bar.node.index()).cloned().unwrap_or_default();
        let measured = trace.by_place.get(&(place, is_collective)).map(median);
        let total = totals
            .entry(name.split(' ').next().unwrap_or_default().to_owned())
            .or_default();
        total.count += 1;
        total.modelled_ns += (bar.end_ns - bar.begin_ns) as f64;
        match measured {
            Some((_, _, busy)) => total.measured_ns += busy,
            None => total.missing += 1,
        }
        rows.push((name, (bar.begin_ns as f64, bar.end_ns as f64), measured));
    }
    let width = rows
        .iter()
        .map(|(name, ..)| name.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(12, 40);
    let mut text = format!(
        "\nModelled and measured, in microseconds; the median of {} ranks\n",
        trace.ranks
    );
    let _ = writeln!(
        text,
        "{:width$}  {:>23}  {:>23}",
        "op", "modelled begin, end", "measured begin, end"
    );
    for (name, (begin, end), measured) in rows {
        let name: String = name.chars().take(width).collect();
        let _ = write!(text, "{name:width$}  {:>11.3} {:>11.3}", begin / 1e3, end / 1e3);
        let _ = match measured {
            Some((begin, end, _)) => writeln!(text, "  {:>11.3} {:>11.3}", begin / 1e3, end / 1e3),
            None => writeln!(text, "  {:>23}", "not in the trace"),
        };
    }
    let _ = writeln!(
        text,
        "{:width$}  {:>11} {:>11}  {:>11}",
        "kind", "number", "modelled", "measured"
    );
    for (kind, total) in totals {
        let kind: String = kind.chars().take(width).collect();
        let _ = write!(
            text,
            "{kind:width$}  {:>11} {:>11.3}  {:>11.3}",
            total.count,
            total.modelled_ns / 1e3,
            total.measured_ns / 1e3
        );
        let _ = match total.missing {
            0 => writeln!(text),
            missing => writeln!(text, "  ({missing} not in the trace)"),
        };
    }
    text
}

/// Of the spans at one place: first begin, last end, and time in them, each the median over the ranks.
fn median(ranks: &Spans) -> (f64, f64, f64) {
    fn middle(ranks: &Spans, figure: impl Fn(&[(f64, f64)]) -> f64) -> f64 {
        let mut figures: Vec<f64> = ranks.values().map(|spans| figure(spans)).collect();
        figures.sort_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied().unwrap_or_default()
    }
    (
        middle(ranks, |spans| {
            spans.iter().map(|span| span.0).fold(f64::INFINITY, f64::min)
        }),
        middle(ranks, |spans| spans.iter().map(|span| span.1).fold(0.0, f64::max)),
        middle(ranks, |spans| spans.iter().map(|span| span.1 - span.0).sum()),
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{bare, median, place, read};

    #[test]
    fn folders_in_locations_do_not_count() {
        assert_eq!(bare("/a/b c/d.mlir:1:2"), "b d.mlir:1:2");
        assert_eq!(bare("layer (x/y.py:3:4)"), "layer (y.py:3:4)");
        assert_eq!(place("-:5:8", Path::new("x/step.mlir")), "step.mlir:5:8");
        assert_eq!(place("w (-:5:8)", Path::new("step.mlir")), "w (step.mlir:5:8)");
    }

    #[test]
    fn a_trace_has_spans_with_a_rank_and_times() {
        let span = |cat: &str, pid: u64, ts: f64, dur: f64| {
            format!(
                "{{\"ph\": \"X\", \"cat\": \"{cat}\", \"pid\": {pid}, \"ts\": {ts}, \"dur\": {dur}, \"args\": \
                 {{\"location\": \"f.mlir:1:1\"}}}}"
            )
        };
        let text = format!(
            "{{\"traceEvents\": [{}, {}, {}, {}]}}",
            span("compute", 0, 10.0, 1.0),
            span("compute", 0, 12.0, 2.0),
            span("compute", 1, 5.0, 9.0),
            span("wait", 1, 1.0, 1.0)
        );
        let trace = read(&text).expect("a trace");
        assert_eq!(trace.ranks, 2);
        let spans = &trace.by_place[&("f.mlir:1:1".to_owned(), false)];
        assert_eq!(median(spans), (0.0, 9000.0, 9000.0));
        for wrong in [
            "[]",
            "{\"traceEvents\": []}",
            "{\"traceEvents\": [{\"ph\": \"X\"}]}",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
