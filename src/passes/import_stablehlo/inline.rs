// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Private functions that are called directly are inlined into their callers.
//!
//! JAX outlines small helpers and scan bodies. A call hides the dependences of what it computes, and its collectives.
//! MLIR's own inliner does not help: it inlines nothing in a module with unregistered ops.
//!
//! Inlined are calls by `func.call`, in whatever region they stand, of functions of the module that are private, have
//! one block and do not reach themselves. Left alone, with a remark: recursion; functions of several blocks, which do
//! not fit into a region of one; calls and functions marked `no_inline` or with `mhlo.frontend_attributes`, by which
//! a front end says where the call is to run; calls in a launch, which issues nothing; and calls whose inlining would exceed a limit on the ops that are made
//! ([`MAX_OPS`]). A function is erased once all its direct calls are inlined and nothing else names it.
//!
//! Callees come before their callers (strongly connected components of the call graph, Kosaraju), so every
//! body is complete when it is copied: linear in the ops read and made.

use std::{
    collections::{HashMap, HashSet},
    ffi::c_void,
};

use mlir_sys::MlirStringRef;
use petgraph::{
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
};

use super::PASS;
use crate::{
    diagnostics::{self, Remark},
    ffi,
    mlir::{Attr, Block, Op, PassResult, Value, from_string_ref},
};

/// Most ops that inlining makes: this many, and [`GROWTH`] for each op of the module. Calls nest, so a program of n
/// functions can spell out to 2^n ops.
const MAX_OPS: usize = 1_000_000;
/// See [`MAX_OPS`].
const GROWTH: usize = 16;

/// A function, or an op of the module that is none.
struct Body {
    op: Op,
    /// Ops in it, grown by inlining.
    size: usize,
    calls: Vec<Op>,
    /// Why calls of it are left, if they are.
    obstacle: Option<&'static str>,
    inlined: bool,
}

/// Inlines all that can be.
pub(super) fn run(module: Op) -> PassResult {
    let mut graph = DiGraph::new();
    let mut by_name = HashMap::new();
    for op in module.blocks().flat_map(|block| block.ops()) {
        let node = graph.add_node(scan(op));
        if op.name() == "func.func"
            && let Some(name) = op.symbol_name()
        {
            by_name.insert(name, node);
        }
    }
    for caller in graph.node_indices() {
        let callees: Vec<NodeIndex> = graph[caller]
            .calls
            .iter()
            .filter_map(|call| callee(*call, &by_name))
            .collect();
        for callee in callees {
            graph.update_edge(caller, callee, ());
        }
    }

    let ops: usize = graph.node_weights().map(|body| body.size).sum();
    let mut budget = MAX_OPS.saturating_add(ops.saturating_mul(GROWTH));
    for component in kosaraju_scc(&graph) {
        if component.len() > 1 || graph.contains_edge(component[0], component[0]) {
            for &node in &component {
                graph[node].obstacle.get_or_insert("it is recursive");
            }
        }
        for node in component {
            inline_into(&mut graph, node, &by_name, &mut budget)?;
        }
    }
    erase_unused(module, &graph);
    Ok(())
}

/// Collects calls, those of nested modules excepted, whose symbols are their own.
fn scan(op: Op) -> Body {
    let mut size = 0;
    let mut calls = Vec::new();
    let mut stack = vec![op];
    while let Some(next) = stack.pop() {
        size += 1;
        match next.name() {
            "func.call" => calls.push(next),
            "builtin.module" => continue,
            _ => {}
        }
        let before = stack.len();
        stack.extend(next.blocks().flat_map(|block| block.ops()));
        stack[before..].reverse();
    }
    Body {
        op,
        size,
        calls,
        obstacle: obstacle(op),
        inlined: false,
    }
}

fn callee(call: Op, by_name: &HashMap<String, NodeIndex>) -> Option<NodeIndex> {
    by_name
        .get(call.attr("callee").and_then(Attr::as_symbol)?)
        .copied()
}

/// Why a function is not inlined, if it is not.
fn obstacle(function: Op) -> Option<&'static str> {
    if function.attr("sym_visibility").and_then(Attr::as_str) != Some("private") {
        return Some("it is not private");
    }
    match single_block(function) {
        None => Some("it is not one block"),
        Some(block) if return_of(block).is_none() => Some("it does not end in func.return"),
        Some(_) => marked(function),
    }
}

/// A front end's wish that a function or a call stay as it is.
fn marked(op: Op) -> Option<&'static str> {
    if op.attr("no_inline").is_some() {
        Some("it is marked 'no_inline'")
    } else if op.discardable_attr("mhlo.frontend_attributes").is_some() {
        Some("it has 'mhlo.frontend_attributes'")
    } else {
        None
    }
}

/// What runs on a stream issues nothing, so it may not hold what a callee issues.
fn launched(call: Op) -> Option<&'static str> {
    std::iter::successors(call.parent_op(), |op| op.parent_op())
        .any(|op| op.name() == "comm_stream.launch")
        .then_some("it stands in a launch")
}

fn single_block(function: Op) -> Option<Block> {
    let mut blocks = function.blocks();
    let block = blocks.next()?;
    blocks.next().is_none().then_some(block)
}

fn return_of(block: Block) -> Option<Op> {
    block.terminator().filter(|end| end.name() == "func.return")
}

/// Inlines the calls in one function. The callees that can be inlined are complete.
fn inline_into(
    graph: &mut DiGraph<Body, ()>,
    caller: NodeIndex,
    by_name: &HashMap<String, NodeIndex>,
    budget: &mut usize,
) -> PassResult {
    for call in std::mem::take(&mut graph[caller].calls) {
        let Some(node) = callee(call, by_name) else {
            continue;
        };
        let Body {
            op: function,
            size,
            obstacle,
            ..
        } = graph[node];
        let reason = match obstacle.or_else(|| marked(call)).or_else(|| launched(call)) {
            None if size > *budget => Some("too many ops would be made"),
            reason => reason,
        };
        if let Some(reason) = reason {
            diagnostics::remark(call, Remark::Missed, PASS, "call-left", || {
                let name = function.symbol_name().unwrap_or_default();
                format!("call of @{name} left: {reason}")
            });
            continue;
        }
        check_signature(call, function)?;
        // SAFETY: both ops are alive; the callee has one block that ends in func.return and types agree. No handle to
        // the call is kept.
        unsafe { ffi::commInlineCall(call.raw(), function.raw()) };
        *budget -= size;
        graph[caller].size += size;
        graph[node].inlined = true;
    }
    Ok(())
}

/// A call that disagrees with its callee only passes where verification is switched off.
fn check_signature(call: Op, function: Op) -> PassResult {
    let fits = single_block(function).is_some_and(|block| {
        let end = return_of(block);
        call.operands()
            .map(Value::ty)
            .eq(block.arguments().map(Value::ty))
            && end.is_some_and(|end| call.results().map(Value::ty).eq(end.operands().map(Value::ty)))
    });
    if fits {
        return Ok(());
    }
    Err(diagnostics::op_error_with_notes(
        call,
        "does not fit the arguments and results of its callee",
        &[(function, "called function")],
    ))
}

/// Erases functions whose calls were inlined and that nothing refers to any more.
fn erase_unused(module: Op, graph: &DiGraph<Body, ()>) {
    if graph.node_weights().all(|body| !body.inlined) {
        return;
    }
    let mut referenced: HashSet<String> = HashSet::new();
    extern "C" fn collect(name: MlirStringRef, data: *mut c_void) {
        // SAFETY: `data` is the set above; the name is alive during the call.
        let (name, referenced) = unsafe { (from_string_ref(name), &mut *data.cast::<HashSet<String>>()) };
        if !referenced.contains(name) {
            referenced.insert(name.to_owned());
        }
    }
    // SAFETY: the module is alive, and the callback gets the pointer that it expects.
    unsafe {
        ffi::commForEachSymbolReference(module.raw(), collect, std::ptr::from_mut(&mut referenced).cast())
    };
    for body in graph.node_weights().filter(|body| body.inlined) {
        if body
            .op
            .symbol_name()
            .is_some_and(|name| !referenced.contains(&name))
            && body.op.is_closed()
        {
            body.op.erase();
        }
    }
}
