// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! In every schedule, group size, depth and number of parts, what peers wait for neither comes after this device's own product
//! nor waits for it: the suboptimal orders of pytorch/pytorch#137850 are impossible.
//!
//! Lowered programs are read as text. An op comes after another one where it is later on the same stream, or on a stream that
//! waits for an event behind it. That own products would be noticed elsewhere is shown by moving them.

#[allow(
    dead_code,
    reason = "some forms, and the programs to compare with, are for other tests"
)]
mod fused;

use std::collections::HashMap;

use fused::{rows, scatter, to_streams};
use mlir_comm::runner::{LowerOptions, Stage, lower, parse};

/// What an op on a stream is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The own product.
    Own,
    /// Another computation.
    Other,
    /// A copy to this device's part of the workspace.
    Offer,
    /// A copy from a peer's.
    Pull,
    Barrier,
    Put,
    WaitSignal,
    /// Events.
    Order,
}

/// An op, and the ops right before it: on its stream, and on another one by an event.
struct Node {
    kind: Kind,
    stream: String,
    before: Vec<usize>,
}

/// The lines of each op that is directly in the function.
fn statements(text: &str) -> Vec<Vec<&str>> {
    let mut statements: Vec<Vec<&str>> = Vec::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        match statements.last_mut() {
            Some(last) if indent > 4 || line.trim() == "}" && indent == 4 => last.push(line),
            _ if indent == 4 => statements.push(vec![line]),
            _ => {}
        }
    }
    statements
}

/// The name after `before`, as far as it goes.
fn name_after<'a>(line: &'a str, before: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(before)?;
    let end = rest
        .find(|letter: char| !(letter.is_ascii_alphanumeric() || "%_".contains(letter)))
        .unwrap_or(rest.len());
    Some(&rest[..end])
}

/// Ops on streams, in the order in which they are issued.
fn nodes(statements: &[Vec<&str>]) -> Vec<Node> {
    let (mut nodes, mut last): (Vec<Node>, HashMap<String, usize>) = (Vec::new(), HashMap::new());
    let (mut events, mut parts) = (HashMap::new(), HashMap::new());
    for statement in statements {
        let line = statement[0];
        let result = line.trim().split_once(" = ").map(|(result, _)| result);
        // Whose part of the workspace a buffer lies in.
        for (op, kind) in [
            ("comm_stream.local ", Kind::Offer),
            ("comm_stream.peer ", Kind::Pull),
        ] {
            if line.contains(op) {
                parts.insert(result.expect("it has a result").to_owned(), kind);
            }
        }
        for op in ["memref.view ", "memref.subview "] {
            let whole = name_after(line, op).and_then(|whole| parts.get(whole).copied());
            if let (Some(whole), Some(result)) = (whole, result) {
                parts.insert(result.to_owned(), whole);
            }
        }
        let Some(op) = name_after(line, "comm_stream.") else {
            continue;
        };
        let kind = match op {
            "launch" if line.contains("\"own\"") => Kind::Own,
            "launch" => Kind::Other,
            "copy" => {
                let ends = ["comm_stream.copy ", " to "].map(|end| name_after(line, end).expect("an end"));
                let of = |end: &str| parts.get(end).copied();
                match (of(ends[0]), of(ends[1])) {
                    (Some(Kind::Pull), _) => Kind::Pull,
                    (_, Some(Kind::Offer)) => Kind::Offer,
                    _ => Kind::Other,
                }
            }
            "barrier" => Kind::Barrier,
            "put_signal" => Kind::Put,
            "wait_signal" => Kind::WaitSignal,
            "record" | "wait_event" => Kind::Order,
            _ => continue,
        };
        let stream = name_after(line, " on ").expect("a stream").to_owned();
        let mut before: Vec<usize> = last.get(&stream).copied().into_iter().collect();
        if let Some(event) = name_after(line, "comm_stream.wait_event ") {
            before.push(events[event]);
        }
        last.insert(stream.clone(), nodes.len());
        if op == "record" {
            events.insert(result.expect("an event").to_owned(), nodes.len());
        }
        nodes.push(Node { kind, stream, before });
    }
    nodes
}

/// All ops that an op comes after.
fn ancestors(nodes: &[Node], of: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut stack = nodes[of].before.clone();
    while let Some(node) = stack.pop() {
        if !found.contains(&node) {
            found.push(node);
            stack.extend(&nodes[node].before);
        }
    }
    found
}

/// A schedule with its figures.
#[derive(Clone, Copy, Debug)]
struct Way {
    schedule: &'static str,
    depth: usize,
    parts: usize,
}

fn lowered(text: &str, way: Way) -> String {
    let context = mlir_comm::context();
    let mut module = parse(&context, text).expect("it is a program");
    let Way {
        schedule,
        depth,
        parts,
    } = way;
    let options = LowerOptions {
        passes: vec![to_streams(&format!(
            "schedule={schedule} depth={depth} sub-chunks={parts}"
        ))],
        verify: false,
        until: Stage::Stream,
        ..LowerOptions::default()
    };
    lower(&context, &mut module, &options, |_| {}).expect("it can be lowered");
    module.as_operation().to_string()
}

/// What is wrong with a gather: of `steps` pulls, some have to be under way beside the own product.
fn faults_of_gather(nodes: &[Node], way: Way, steps: usize, is_kept: bool) -> Vec<String> {
    let own = nodes
        .iter()
        .position(|node| node.kind == Kind::Own)
        .expect("an own product");
    let mut faults = Vec::new();
    let announces = |kind: Kind| matches!(kind, Kind::Offer | Kind::Put);
    for (index, node) in nodes.iter().enumerate() {
        let is_opening =
            node.kind == Kind::Barrier && nodes[index..].iter().any(|later| later.kind == Kind::Pull);
        if (announces(node.kind) || is_opening) && (index > own || ancestors(nodes, index).contains(&own)) {
            faults.push(format!(
                "op {index}, {:?}, comes after the own product",
                node.kind
            ));
        }
    }
    let free = nodes.iter().enumerate().filter(|(index, node)| {
        node.kind == Kind::Pull && *index < own && !ancestors(nodes, *index).contains(&own)
    });
    let free = free.count();
    let expected = match way.schedule {
        "signal" if is_kept => steps,
        "signal" => way.depth.min(steps),
        _ => steps.div_ceil(2),
    };
    if free != expected {
        faults.push(format!(
            "{free} pulls instead of {expected} are free of the own product"
        ));
    }
    if way.schedule != "two-stream" {
        let waits = |node: &usize| matches!(nodes[*node].kind, Kind::Barrier | Kind::WaitSignal | Kind::Pull);
        if ancestors(nodes, own).iter().any(waits) {
            faults.push("the own product waits for peers".to_owned());
        }
    }
    faults
}

/// What is wrong with a scatter: all that others wait for is issued before the own product, and waits for nothing of it.
fn faults_of_scatter(nodes: &[Node], steps: usize) -> Vec<String> {
    let own = nodes
        .iter()
        .position(|node| node.kind == Kind::Own)
        .expect("an own product");
    let mut faults = Vec::new();
    let pulls = nodes.iter().filter(|node| node.kind == Kind::Pull).count();
    if pulls != steps {
        faults.push(format!("{pulls} pulls instead of {steps}"));
    }
    let last = nodes
        .iter()
        .rposition(|node| node.kind == Kind::Pull)
        .unwrap_or(0);
    for (index, node) in nodes.iter().enumerate() {
        let is_awaited =
            matches!(node.kind, Kind::Pull | Kind::Put) || node.kind == Kind::Barrier && index < last;
        // With the second stream's work issued first, issue order says nothing of the two streams.
        let same_stream = node.stream == nodes[own].stream;
        if is_awaited && (ancestors(nodes, index).contains(&own) || same_stream && index > own) {
            faults.push(format!(
                "op {index}, {:?}, comes after the own product",
                node.kind
            ));
        }
    }
    faults
}

/// A program whose own product is issued first of all that is on streams, after its buffers are there.
fn moved<'a>(statements: &[Vec<&'a str>], before: fn(&str) -> bool) -> Vec<Vec<&'a str>> {
    let mut moved = statements.to_vec();
    let own = moved
        .iter()
        .position(|statement| statement[0].contains("launch \"own\""))
        .expect("an own product");
    let own = moved.remove(own);
    let at = moved
        .iter()
        .position(|statement| before(statement[0]))
        .expect("an anchor");
    moved.insert(at, own);
    moved
}

const SIZES: [usize; 4] = [2, 3, 4, 8];

fn ways() -> Vec<Way> {
    let mut ways = Vec::new();
    for parts in 1..=3 {
        for depth in [1, 2, 4] {
            ways.push(Way {
                schedule: "signal",
                depth,
                parts,
            });
        }
        for schedule in ["two-stream", "two-stream-eager"] {
            ways.push(Way {
                schedule,
                depth: 2,
                parts,
            });
        }
    }
    ways
}

#[test]
fn shards_are_offered_before_the_own_product() {
    for n in SIZES {
        for way in ways() {
            for is_kept in [false, true] {
                let text = lowered(&rows(n, 3, "f32", 1, is_kept).fused, way);
                let steps = (n - 1) * way.parts;
                let faults = faults_of_gather(&nodes(&statements(&text)), way, steps, is_kept);
                assert!(faults.is_empty(), "{n} ranks, {way:?}: {faults:?}\n{text}");
            }
        }
    }
}

#[test]
fn chunks_for_others_are_made_before_the_own_one() {
    for n in SIZES {
        for way in ways() {
            let text = lowered(&scatter(n, 3, "f32", "sum", 0).fused, way);
            let faults = faults_of_scatter(&nodes(&statements(&text)), (n - 1) * way.parts);
            assert!(faults.is_empty(), "{n} ranks, {way:?}: {faults:?}\n{text}");
        }
    }
}

/// The two suboptimal orders, made of right programs: the own product before the shard is offered, and before it is announced.
#[test]
fn an_own_product_that_comes_first_is_noticed() {
    for way in ways() {
        let text = lowered(&rows(3, 3, "f32", 1, false).fused, way);
        let statements = statements(&text);
        let is_offer: fn(&str) -> bool = |line| line.contains("comm_stream.copy ");
        let is_announced: fn(&str) -> bool =
            |line| line.contains("comm_stream.put_signal ") || line.contains("channel 1 on");
        for before in [is_offer, is_announced] {
            let faults = faults_of_gather(&nodes(&moved(&statements, before)), way, 2 * way.parts, false);
            assert!(
                faults
                    .iter()
                    .any(|fault| fault.contains("comes after the own product")),
                "{way:?}: {faults:?}"
            );
        }
        let text = lowered(&scatter(3, 3, "f32", "sum", 0).fused, way);
        let statements = self::statements(&text);
        let is_chunk: fn(&str) -> bool =
            |line| line.contains("launch \"chunk 2") || line.contains("launch \"chunk 1 part 1\"");
        let faults = faults_of_scatter(&nodes(&moved(&statements, is_chunk)), 2 * way.parts);
        assert!(!faults.is_empty(), "{way:?}");
    }
}
