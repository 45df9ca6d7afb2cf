// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Problems as JSON: what is kept, and what is refused.

mod common;

use comm_schedule::json::{Document, JsonError};
use comm_schedule::{Collective, Kind, NodeId, SortOptions, sort, text, timeline};
use serde_json::{Value, json};

fn sample() -> Value {
    json!({
        "generator": {"by": "hand"},
        "nodes": [
            {"id": "w", "name": "weight", "kind": "arg", "bytes": 64, "layout": [1, 0]},
            {"id": 70, "name": "x", "kind": "arg"},
            {"id": -1, "kind": "start", "collective": "all_gather", "stream": "dp", "ns": 900, "bytes": 256, "deps": ["w"]},
            {"id": 2, "kind": "wait", "of": -1, "deps": [-1, "w"], "loc": "a.py:3"},
            {"id": "norm", "kind": "compute", "ns": 10, "cheap": true, "deps": [70]},
            {"id": 3, "kind": "compute", "ns": 1000, "fence": true, "deps": ["norm", 2], "after": [-1]},
            {"id": 4, "kind": "compute", "occupies": ["pp", "tp"], "deps": [3]},
        ],
        "live_out": [3],
        "links": {"dp": "nvlink", "pp": "nvlink", "unused": "dp"},
    })
}

#[test]
fn everything_that_is_read_is_written_again() {
    let document = Document::parse(&sample().to_string()).expect("a problem");
    let problem = document.problem();
    problem.check().expect("well formed");
    assert_eq!(problem.len(), 7);
    let start = problem.node(NodeId(2));
    assert_eq!(
        (start.kind, start.collective, start.ns, start.bytes),
        (Kind::Start, Some(Collective::AllGather), 900, 256)
    );
    assert_eq!(start.stream.map(|stream| problem.stream_name(stream)), Some("dp"));
    assert_eq!(problem.of(NodeId(3)), Some(NodeId(2)));
    assert_eq!(problem.deps(NodeId(5)), [NodeId(4), NodeId(3)]);
    assert_eq!(problem.after(NodeId(5)), [NodeId(2)]);
    assert!(problem.is_cheap(NodeId(4)) && problem.node(NodeId(5)).fence);
    assert_eq!((problem.name(NodeId(0)), problem.name(NodeId(2))), ("weight", ""));
    assert_eq!(problem.live_out(), [NodeId(5)]);
    let occupied: Vec<_> = problem
        .occupied(NodeId(6))
        .map(|stream| problem.stream_name(stream))
        .collect();
    assert_eq!(occupied, ["pp", "tp"]);
    let links = problem.streams().map(|stream| {
        (
            problem.stream_name(stream),
            problem.link_name(problem.link_of(stream)),
        )
    });
    assert_eq!(
        links.collect::<Vec<_>>(),
        [("dp", "nvlink"), ("pp", "nvlink"), ("tp", "tp"), ("unused", "dp")]
    );
    assert_eq!(document.id(NodeId(2)).to_string(), "-1");
    assert_eq!(
        serde_json::from_str::<Value>(&document.to_json().unwrap()).unwrap(),
        sample()
    );
}

#[test]
fn a_sorted_document_keeps_ids_and_unknown_keys_with_their_nodes() {
    let document = Document::parse(&sample().to_string()).unwrap();
    let order = sort(document.problem(), &SortOptions::default()).unwrap().order;
    let sorted = document.reordered(&order);
    let mut expected = sample();
    let nodes = expected["nodes"].as_array_mut().unwrap();
    // The gather and its wait move behind the anchor that does not need them.
    let norm = nodes.remove(4);
    nodes.insert(2, norm);
    assert_eq!(
        serde_json::from_str::<Value>(&sorted.to_json().unwrap()).unwrap(),
        expected
    );
    let again = Document::parse(&sorted.to_json().unwrap()).unwrap();
    assert_eq!(
        text::order(
            again.problem(),
            &sort(again.problem(), &SortOptions::default()).unwrap().order
        ),
        text::order(sorted.problem(), &sorted.problem().ids().collect::<Vec<_>>())
    );
}

#[test]
fn links_and_occupied_streams_stay_through_any_order() {
    let mut value = sample();
    let nodes = value["nodes"].as_array_mut().unwrap();
    // In an order in which streams are met differently, and with a link that needs no mention.
    nodes[4]["occupies"] = json!(["tp"]);
    nodes[6]["occupies"] = json!(["tp", "pp", "tp"]);
    value["links"]["tp"] = json!("tp");
    let document = Document::parse(&value.to_string()).unwrap();
    let order = [1, 4, 0, 2, 3, 5, 6].map(NodeId);
    let reordered = document.reordered(&order);
    let mut expected = sample();
    let nodes = expected["nodes"].as_array_mut().unwrap();
    nodes[4]["occupies"] = json!(["tp"]);
    *nodes = order.map(|id| nodes[id.index()].clone()).to_vec();
    let written = reordered.to_json().unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), expected);
    assert_eq!(Document::parse(&written).unwrap().to_json().unwrap(), written);
    let source: Vec<_> = reordered.problem().ids().collect();
    assert_eq!(
        timeline(reordered.problem(), &source).step_ns,
        timeline(document.problem(), &order).step_ns
    );
}

#[test]
fn only_computation_occupies_streams() {
    let mut value = sample();
    value["nodes"][3]["occupies"] = json!(["dp"]);
    let document = Document::parse(&value.to_string()).unwrap();
    assert_eq!(
        document.problem().check().unwrap_err().to_string(),
        "#3: `occupies` has no meaning on a node of kind wait"
    );
}

fn refused(change: impl FnOnce(&mut Value)) -> String {
    let mut value = sample();
    change(&mut value);
    Document::parse(&value.to_string())
        .expect_err("not a problem")
        .to_string()
}

#[test]
fn what_is_refused_is_named() {
    assert_eq!(
        refused(|value| value["nodes"][4]["id"] = json!("w")),
        "node \"w\": stands at positions 0 and 4, but an id names one node"
    );
    assert_eq!(
        refused(|value| value["nodes"][5]["deps"][0] = json!(99)),
        "node 3: `deps` names 99, which no node has for an id"
    );
    assert_eq!(
        refused(|value| value["nodes"][5]["after"][0] = json!("?")),
        "node 3: `after` names \"?\", which no node has for an id"
    );
    assert_eq!(
        refused(|value| value["nodes"][3]["of"] = json!(5)),
        "node 2: `of` names 5, which no node has for an id"
    );
    assert_eq!(
        refused(|value| value["live_out"][0] = json!(5)),
        "`live_out` names 5, which no node has for an id"
    );
    assert_eq!(
        refused(|value| value["nodes"][0]["kind"] = json!("args")),
        "node \"w\": `kind` is \"args\", expected one of: compute, start, wait, blocking, view, arg"
    );
    assert!(
        refused(|value| value["nodes"][2]["collective"] = json!("gather"))
            .contains("all_gather, reduce_scatter")
    );
    assert!(refused(|value| value["nodes"][2]["ns"] = json!(-4)).starts_with("not a problem: "));
    assert!(refused(|value| value["links"] = json!(["dp"])).starts_with("not a problem: "));
    assert!(refused(|value| value["links"]["dp"] = json!(1)).starts_with("not a problem: "));
    assert!(refused(|value| value["nodes"][6]["occupies"] = json!("dp")).starts_with("not a problem: "));
    assert!(matches!(
        Document::parse("{\"nodes\": [{]}"),
        Err(JsonError::Syntax(_))
    ));
    assert!(matches!(Document::parse("{}"), Err(JsonError::Syntax(_))));
}

#[test]
fn an_empty_problem_is_a_problem() {
    let document = Document::parse("{\"nodes\": []}").unwrap();
    assert!(document.problem().is_empty());
    let outcome = sort(document.problem(), &SortOptions::default()).unwrap();
    assert_eq!(outcome.order, []);
}
