// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What is known of a module before ranks are followed: which ops issue communication, and where control flow that does
//! may differ between devices.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    rc::Rc,
};

use crate::{
    collective::{Collective, is_fused, is_wait},
    control::{Control, branch_condition},
    diagnostics,
    groups::Groups,
    mlir::{Block, Op, PassResult},
    op_facts,
    uniform::Uniformity,
};

/// A module with the facts above. Functions of nested modules are programs of their own.
pub(super) struct Program {
    pub(super) uniformity: Uniformity,
    functions: Vec<Op>,
    by_name: HashMap<(Option<Op>, String), Op>,
    called: HashSet<Op>,
    /// Ops that issue communication, themselves or by what is nested in or called by them; functions too.
    issuing: HashSet<Op>,
    /// Functions and ops with regions that hold communication under control flow that is not uniform.
    irregular: HashSet<Op>,
    groups: RefCell<GroupTables>,
}

/// Tables by the attribute that spells the groups and the op that holds the mesh it names.
type GroupTables = HashMap<(usize, Option<Op>), Rc<GroupTable>>;

/// Groups of a collective, looked up by rank.
pub(super) struct GroupTable {
    pub(super) groups: Vec<Rc<[i64]>>,
    /// Which group a rank is in, and at which position.
    pub(super) of_rank: HashMap<usize, (usize, usize)>,
}

/// Whether an op issues communication that this pass does not see: collectives of other dialects, a call of a function
/// without a body, or anything whose effects are unknown, that of its regions included.
fn is_opaque(op: Op) -> bool {
    if Collective::new(op).is_some() || is_fused(op) || is_wait(op) || is_known_terminator(op) {
        return false;
    }
    if communicates_by_name(op.name()) {
        return true;
    }
    if op.num_regions() > 0 && (is_scope(op) || !matches!(Control::of(op), Control::Unknown)) {
        return false;
    }
    if op.is_registered() && op.effects() & crate::ffi::effect::UNKNOWN == 0 {
        return false;
    }
    !op_facts::is_pure(op)
}

/// Regions that run nothing by themselves, or run as the pass runs them.
fn is_scope(op: Op) -> bool {
    matches!(op.name(), "func.func" | "builtin.module")
}

/// Terminators that direct control and do nothing else. Any other that nobody knows may communicate.
fn is_known_terminator(op: Op) -> bool {
    let name = op.name();
    let is_known = [".return", ".yield", ".condition"]
        .iter()
        .any(|suffix| name.ends_with(suffix))
        || ["cf.", "func.", "llvm.", "scf.", "ub."]
            .iter()
            .any(|prefix| name.starts_with(prefix));
    is_known && op.parent_block().and_then(Block::terminator) == Some(op)
}

/// Communication of upstream dialects, some of which their definitions call pure.
fn communicates_by_name(name: &str) -> bool {
    if let Some(op) = name.strip_prefix("mpi.") {
        return !matches!(
            op,
            "comm_rank" | "comm_size" | "comm_world" | "error_class" | "retval_check"
        );
    }
    matches!(
        name.strip_prefix("shard."),
        Some(
            "all_gather"
                | "all_reduce"
                | "all_to_all"
                | "broadcast"
                | "gather"
                | "recv"
                | "reduce"
                | "reduce_scatter"
                | "scatter"
                | "send"
                | "shift"
                | "update_halo"
        )
    )
}

impl Program {
    pub(super) fn of(module: Op) -> PassResult<Self> {
        let ops = module.walk();
        let functions: Vec<Op> = ops
            .iter()
            .copied()
            .filter(|op| op.name() == "func.func")
            .collect();
        let by_name = functions
            .iter()
            .filter_map(|&function| Some(((function.symbol_table(), function.symbol_name()?), function)))
            .collect();
        let mut program = Self {
            uniformity: Uniformity::of(module),
            functions,
            by_name,
            called: HashSet::new(),
            issuing: HashSet::new(),
            irregular: HashSet::new(),
            groups: RefCell::default(),
        };
        let calls: Vec<(Op, Op)> = ops
            .iter()
            .filter(|op| op.name() == "func.call")
            .filter_map(|&call| Some((call, program.callee(call)?)))
            .collect();
        program.called = calls.iter().map(|&(_, callee)| callee).collect();
        for &op in &ops {
            let issues = match op.name() {
                "func.call" => program.callee(op).is_none(),
                _ => Collective::new(op).is_some() || is_fused(op) || is_opaque(op),
            };
            if issues {
                mark_upwards(op, &mut program.issuing);
            }
        }
        close_over_calls(&calls, &mut program.issuing);
        let irregular: Vec<Op> = ops
            .iter()
            .copied()
            .filter(|&op| op.num_regions() > 0 && program.issuing.contains(&op))
            .filter(|&op| program.directs_irregularly(op))
            .collect();
        for op in irregular {
            mark_upwards(op, &mut program.irregular);
        }
        close_over_calls(&calls, &mut program.irregular);
        program.refuse_recursion(&calls)?;
        Ok(program)
    }

    /// Functions that no other one of the module calls, or that others may call: each is run by all ranks.
    pub(super) fn entries(&self) -> impl Iterator<Item = Op> {
        self.functions.iter().copied().filter(|function| {
            let private = function.attr("sym_visibility").and_then(|attr| attr.as_str()) == Some("private");
            !private || !self.called.contains(function)
        })
    }

    /// The body that a call runs, if the module has it.
    pub(super) fn callee(&self, call: Op) -> Option<Op> {
        let name = call.attr("callee")?.as_symbol()?;
        let function = *self.by_name.get(&(call.symbol_table(), name.to_owned()))?;
        function.blocks().next().is_some().then_some(function)
    }

    pub(super) fn issues(&self, op: Op) -> bool {
        self.issuing.contains(&op)
    }

    pub(super) fn block_issues(&self, block: Block) -> bool {
        block.ops().any(|op| self.issues(op))
    }

    /// Whether anything nested in an op issues communication.
    pub(super) fn issues_inside(&self, op: Op) -> bool {
        op.blocks().any(|block| self.block_issues(block))
    }

    pub(super) fn is_irregular(&self, op: Op) -> bool {
        self.irregular.contains(&op)
    }

    /// Groups of a collective.
    pub(super) fn groups(&self, collective: Op) -> PassResult<Rc<GroupTable>> {
        let attr = collective.attr("groups").or_else(|| collective.attr("pairs"));
        let key = (attr.map_or(0, |attr| attr.id()), collective.symbol_table());
        if let Some(table) = self.groups.borrow().get(&key) {
            return Ok(Rc::clone(table));
        }
        let groups: Vec<Rc<[i64]>> = Groups::of(collective)?.0.into_iter().map(Rc::from).collect();
        let mut of_rank = HashMap::new();
        for (index, group) in groups.iter().enumerate() {
            for (position, &rank) in group.iter().enumerate() {
                of_rank.insert(usize::try_from(rank).unwrap_or(usize::MAX), (index, position));
            }
        }
        let table = Rc::new(GroupTable { groups, of_rank });
        self.groups.borrow_mut().insert(key, Rc::clone(&table));
        Ok(table)
    }

    /// Whether ranks may run the regions of an op that issues in them, or blocks of one, unequally.
    fn directs_irregularly(&self, op: Op) -> bool {
        if self.uniformity.is_divergent_control_flow(op) {
            return true;
        }
        if !is_scope(op) && matches!(Control::of(op), Control::Unknown | Control::Unordered) {
            return self.issues_inside(op);
        }
        (0..op.num_regions()).any(|index| {
            let blocks: Vec<Block> = op.region(index).collect();
            blocks.iter().any(|&block| self.block_issues(block))
                && blocks
                    .iter()
                    .filter_map(|block| block.terminator())
                    .any(|terminator| {
                        terminator.successors().nth(1).is_some()
                            && !branch_condition(terminator)
                                .is_some_and(|condition| self.uniformity.is_uniform(condition))
                    })
        })
    }

    /// A function that issues communication and calls itself has no sequence that could be written down.
    fn refuse_recursion(&self, calls: &[(Op, Op)]) -> PassResult {
        let mut graph = petgraph::graphmap::DiGraphMap::<usize, ()>::new();
        let index: HashMap<Op, usize> = self
            .functions
            .iter()
            .enumerate()
            .map(|(index, &op)| (op, index))
            .collect();
        for &(call, callee) in calls {
            if let Some(caller) = enclosing_function(call)
                && self.issuing.contains(&callee)
            {
                graph.add_edge(index[&caller], index[&callee], ());
            }
        }
        // Not Tarjan's algorithm, which petgraph writes recursively: a chain of calls may be long.
        let circles = petgraph::algo::kosaraju_scc(&graph)
            .into_iter()
            .filter_map(|component| {
                let first = component.iter().copied().min()?;
                (component.len() > 1 || graph.contains_edge(first, first)).then_some(first)
            });
        match circles.min() {
            None => Ok(()),
            Some(first) => Err(diagnostics::op_error(
                self.functions[first],
                "issues collectives and calls itself, so the order of collectives cannot be proved; a loop is \
                 expected instead",
            )),
        }
    }
}

fn enclosing_function(op: Op) -> Option<Op> {
    std::iter::successors(Some(op), |op| op.parent_op()).find(|op| op.name() == "func.func")
}

/// Adds an op and what it is nested in, up to its function.
fn mark_upwards(op: Op, set: &mut HashSet<Op>) {
    let mut next = Some(op);
    while let Some(op) = next {
        if !set.insert(op) || op.name() == "func.func" {
            return;
        }
        next = op.parent_op();
    }
}

/// A call of a function in the set is in the set, with what it is nested in.
fn close_over_calls(calls: &[(Op, Op)], set: &mut HashSet<Op>) {
    let mut callers: HashMap<Op, Vec<Op>> = HashMap::new();
    for &(call, callee) in calls {
        callers.entry(callee).or_default().push(call);
    }
    let mut pending: Vec<Op> = callers
        .keys()
        .copied()
        .filter(|function| set.contains(function))
        .collect();
    while let Some(callee) = pending.pop() {
        for &call in callers.get(&callee).map(Vec::as_slice).unwrap_or_default() {
            let caller = enclosing_function(call);
            let known = caller.is_some_and(|caller| set.contains(&caller));
            mark_upwards(call, set);
            if let Some(caller) = caller
                && !known
            {
                pending.push(caller);
            }
        }
    }
}
