// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Figures of a program as it stands: how many collectives have a matrix product between start and wait, how many are in
//! flight at most, and how much memory is live at most. Positions in the program, not times.
//!
//! `could overlap` counts the collectives for which the order of computation leaves a matrix product between the
//! computation that the operand needs and the first computation that needs the result; whatever is placed around that
//! order, no other collective can be hidden behind a product.
//!
//! A wait that only feeds other collectives (the reduce-scatter before an all-reduce over a second axis) stops no
//! computation, so such a collective lasts until the first of those ends.

use comm_schedule::{Class, Kind, NodeId, Problem, in_flight, machine::wire_bytes, memory};
use mel::ir::Module;

use crate::{
    collective::Collective,
    cost::full_bytes,
    groups::{Groups, Streams},
    mlir::Op,
    op_facts,
    problem::{BlockProblem, Movable},
    uniform,
};

/// Collectives of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub count: usize,
    /// Those that the order of computation lets overlap a matrix product.
    pub could_overlap: usize,
    /// Those with a matrix product between start and wait.
    pub overlapped: usize,
    /// Most in flight at once on a communication stream.
    pub in_flight: u32,
}

/// Figures of a function: sums over its blocks, the largest value for what is a maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// All-gathers; in flight are those of arguments and views of them.
    pub gathers: Tally,
    /// Reduce-scatters and all-reduces.
    pub reductions: Tally,
    /// All-to-alls, permutes and broadcasts.
    pub others: Tally,
    /// Matrix products.
    pub matmuls: usize,
    /// Most bytes live at once, arguments not counted.
    pub peak_bytes: u64,
    /// Bytes that a device of the largest group sends, by algorithms that use bandwidth best; a loop counts once.
    pub sent_bytes: u64,
    /// Ops that communicate. A bucket is one.
    pub collectives: usize,
}

/// Figures of each function that communicates, with its name. Nothing, after an error diagnostic, where the groups of a
/// collective cannot be resolved. O(ops) a block.
pub fn measure(module: &Module<'_>) -> Option<Vec<(String, Figures)>> {
    let functions = Op::new(module.as_operation().to_raw())
        .walk()
        .into_iter()
        .filter(|op| op.name() == "func.func")
        .filter(|function| {
            function
                .walk()
                .into_iter()
                .any(|op| Collective::new(op).is_some())
        });
    functions
        .map(|function| {
            Some((
                function.symbol_name().unwrap_or_default(),
                measure_function(function)?,
            ))
        })
        .collect()
}

fn measure_function(function: Op) -> Option<Figures> {
    let is_divergent = uniform::divergence(function);
    let mut streams = Streams::default();
    let mut figures = Figures::default();
    for block in function.walk().into_iter().flat_map(|op| op.blocks()) {
        if block.ops().any(|op| Collective::new(op).is_some())
            && let Some(block) =
                BlockProblem::new(block, &mut streams, &is_divergent, Movable::Communication).ok()?
        {
            measure_block(&block, &mut figures);
        }
    }
    for collective in function.walk().into_iter().filter_map(Collective::new) {
        let members = Groups::of(collective.op).ok()?.largest() as u64;
        let sent = wire_bytes(collective.kind, members, full_bytes(collective));
        figures.sent_bytes = figures.sent_bytes.saturating_add(sent);
        figures.collectives += 1;
    }
    Some(figures)
}

fn measure_block(block: &BlockProblem, figures: &mut Figures) {
    let problem = &block.problem;
    let order: Vec<NodeId> = problem.ids().collect();
    let products: Vec<usize> = problem
        .ids()
        .filter(|id| block.op(*id).is_some_and(holds_matmul))
        .map(NodeId::index)
        .collect();
    let any_between = |after: usize, before: usize| {
        products
            .get(products.partition_point(|&product| product <= after))
            .is_some_and(|&product| product < before)
    };
    let (ready, need) = (ready_after(problem), needed_before(problem));
    let waits = problem.waits();
    let ends = ends(problem, &waits);
    for id in problem.ids() {
        let Some(collective) = problem.collective(id) else {
            continue;
        };
        let tally = match collective.class() {
            Class::Gather => &mut figures.gathers,
            Class::Reduction => &mut figures.reductions,
            Class::Other => &mut figures.others,
        };
        tally.count += 1;
        // Position 0 stands for "before all", so positions are counted from 1 here.
        let end = waits[id.index()].unwrap_or(id);
        let could = products
            .get(products.partition_point(|&product| product < ready[id.index()]))
            .is_some_and(|&product| product + 1 < need[end.index()]);
        tally.could_overlap += usize::from(could);
        if let Some(wait) = waits[id.index()] {
            tally.overlapped += usize::from(any_between(id.index(), ends[wait.index()]));
        }
    }
    let flight = in_flight(problem, &order);
    figures.gathers.in_flight = figures.gathers.in_flight.max(flight.gathers());
    figures.reductions.in_flight = figures.reductions.in_flight.max(flight.reductions());
    figures.others.in_flight = figures.others.in_flight.max(flight.others());
    figures.matmuls += products.len();
    figures.peak_bytes = figures.peak_bytes.max(memory::peak(problem, &order));
}

/// For each node the position at which computation needs it: its own, or for a wait, through views, that of the first
/// collective it feeds, when it feeds nothing else.
fn ends(problem: &Problem, waits: &[Option<NodeId>]) -> Vec<usize> {
    /// What a value is used for, through views.
    #[derive(Clone, Copy)]
    enum Use {
        None,
        /// By collectives alone; the first of them ends there.
        Collectives(usize),
        Computation,
    }
    let mut ends: Vec<usize> = problem.ids().map(|id| id.index()).collect();
    let mut uses = vec![Use::None; problem.len()];
    for id in problem.ids().rev() {
        let index = id.index();
        let of_operands = match problem.kind(id) {
            Kind::Start => Use::Collectives(waits[index].map_or(index, |wait| ends[wait.index()])),
            Kind::Blocking => Use::Collectives(index),
            Kind::View => uses[index],
            Kind::Wait => {
                if let Use::Collectives(end) = uses[index] {
                    ends[index] = end;
                }
                // A wait keeps the operands of its start, which is no use of its own.
                continue;
            }
            Kind::Compute | Kind::Arg => Use::Computation,
        };
        for dep in problem.deps(id) {
            let joined = match (uses[dep.index()], of_operands) {
                (Use::None, other) | (other, Use::None) => other,
                (Use::Collectives(one), Use::Collectives(other)) => Use::Collectives(one.min(other)),
                _ => Use::Computation,
            };
            uses[dep.index()] = joined;
        }
    }
    ends
}

/// Whether an op is a matrix product or holds one in a region.
fn holds_matmul(op: Op) -> bool {
    op_facts::is_matmul(op) || op.num_regions() > 0 && op.walk().into_iter().any(op_facts::is_matmul)
}

/// Whether a node keeps its place: it is no communication, no view and no cheap op.
fn is_fixed(problem: &Problem, id: NodeId) -> bool {
    problem.kind(id) == Kind::Compute && !problem.is_cheap(id)
}

/// For each node the position, from 1, of the last fixed computation that it needs; 0 where it needs none.
fn ready_after(problem: &Problem) -> Vec<usize> {
    let mut ready = vec![0; problem.len()];
    for id in problem.ids() {
        let deps = problem.deps(id).iter().chain(problem.after(id));
        ready[id.index()] = deps
            .map(|dep| {
                if is_fixed(problem, *dep) {
                    dep.index() + 1
                } else {
                    ready[dep.index()]
                }
            })
            .max()
            .unwrap_or(0);
    }
    ready
}

/// For each node the position, from 1, of the first fixed computation that needs it; past the end where none does.
fn needed_before(problem: &Problem) -> Vec<usize> {
    let mut need = vec![problem.len() + 1; problem.len()];
    for id in problem.ids().rev() {
        let at = if is_fixed(problem, id) {
            id.index() + 1
        } else {
            need[id.index()]
        };
        for dep in problem.deps(id).iter().chain(problem.after(id)) {
            need[dep.index()] = need[dep.index()].min(at);
        }
    }
    need
}
