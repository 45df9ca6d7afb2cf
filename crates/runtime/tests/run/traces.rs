// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What traces record.

use comm_runtime::{At, Category, Element, Options, RankTrace, Reduction, Span, Tensor, World, chrome_trace};

fn traced() -> Vec<RankTrace> {
    let world = World::new(Options {
        trace: true,
        ..Options::default()
    });
    let outcome = world.run(2, |rank| {
        let (compute, link) = (rank.stream("compute")?, rank.stream("link")?);
        let group = rank.group(&[0, 1])?;
        let mut value = [1f64; 6];
        let tensor = [Tensor::contiguous(value.as_mut_ptr().cast(), Element::F64, &[6])];
        rank.launch(compute, "matmul", At::from("t.mlir:1:1"), || Ok(()))?;
        let made = rank.record(compute)?;
        rank.wait_event(link, made, At::from("t.mlir:2:1"))?;
        // SAFETY: the array outlives the streams' work.
        unsafe {
            rank.all_reduce(
                link,
                group,
                Reduction::Sum,
                &tensor,
                &tensor,
                At::from("t.mlir:3:1"),
            )?
        };
        rank.begin_span("outer", "t.mlir:4:1");
        rank.begin_span("inner", "t.mlir:5:1");
        rank.end_span();
        rank.end_span();
        rank.synchronize(link, At::from("t.mlir:6:1"))
    });
    outcome.traces
}

#[test]
fn every_op_is_recorded_on_its_stream() {
    let traces = traced();
    assert_eq!(traces.len(), 2);
    for (rank, trace) in traces.iter().enumerate() {
        assert_eq!(trace.rank, rank);
        assert_eq!(trace.lanes, ["host", "compute", "link"]);
        let seen: Vec<_> = trace
            .spans
            .iter()
            .map(|span| (span.lane, &*span.name, span.category, &*span.location, span.bytes))
            .collect();
        assert_eq!(
            seen,
            [
                (0, "outer", Category::Compute, "t.mlir:4:1", 0),
                (0, "inner", Category::Compute, "t.mlir:5:1", 0),
                (0, "synchronize", Category::Wait, "t.mlir:6:1", 0),
                (1, "matmul", Category::Compute, "t.mlir:1:1", 0),
                (2, "wait_event", Category::Wait, "t.mlir:2:1", 0),
                (2, "all_reduce", Category::Collective, "t.mlir:3:1", 48),
            ]
        );
        for span in &trace.spans {
            assert!(
                span.issued_ns <= span.begin_ns && span.begin_ns <= span.end_ns && span.is_well,
                "{span:?}"
            );
        }
        let lane = |lane: usize| trace.spans.iter().filter(move |span| span.lane == lane);
        let one_by_one = |a: &Span, b: &Span| a.end_ns <= b.begin_ns;
        assert!(lane(2).zip(lane(2).skip(1)).all(|(a, b)| one_by_one(a, b)));
    }
}

#[test]
fn nothing_is_recorded_unless_asked_for() {
    let outcome = World::default().run(1, |rank| {
        let stream = rank.current_stream()?;
        rank.launch(stream, "work", At::default(), || Ok(()))?;
        rank.synchronize(stream, At::default())
    });
    assert_eq!(outcome.traces[0].spans, []);
}

#[test]
fn the_file_has_a_thread_for_each_stream() {
    let traces = traced();
    let file: serde_json::Value = serde_json::from_str(&chrome_trace(&traces)).unwrap();
    let events = file["traceEvents"].as_array().unwrap();
    let named = |what: &str| {
        let of = events.iter().filter(|event| event["name"] == what);
        of.map(|event| event["args"]["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(named("process_name"), ["rank 0", "rank 1"]);
    assert_eq!(
        named("thread_name"),
        ["host", "compute", "link", "host", "compute", "link"]
    );
    let bars: Vec<_> = events.iter().filter(|event| event["ph"] == "X").collect();
    assert_eq!(bars.len(), 12);
    let reduce = bars
        .iter()
        .find(|event| event["name"] == "all_reduce" && event["pid"] == 1)
        .unwrap();
    assert_eq!(reduce["tid"], 2);
    assert_eq!(reduce["cat"], "collective");
    assert_eq!(reduce["args"]["location"], "t.mlir:3:1");
    assert_eq!(reduce["args"]["bytes"], 48);
    let span = traces[1]
        .spans
        .iter()
        .find(|span| &*span.name == "all_reduce")
        .unwrap();
    assert_eq!(reduce["ts"].as_f64().unwrap(), span.begin_ns as f64 / 1000.0);
    assert_eq!(
        reduce["dur"].as_f64().unwrap(),
        (span.end_ns - span.begin_ns) as f64 / 1000.0
    );
}

#[test]
fn a_failed_op_is_recorded_as_failed() {
    let world = World::new(Options {
        trace: true,
        ..Options::default()
    });
    let outcome = world.run(1, |rank| {
        let stream = rank.current_stream()?;
        rank.launch(stream, "bad", At::default(), || Err("no".to_owned()))?;
        rank.launch(stream, "never", At::default(), || Ok(())).ok();
        Ok(())
    });
    let spans: Vec<_> = outcome.traces[0]
        .spans
        .iter()
        .map(|span| (&*span.name, span.is_well))
        .collect();
    assert_eq!(spans, [("bad", false)]);
}
