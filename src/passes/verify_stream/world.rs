// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the machines of all ranks share: the trace that they fill, the symmetric buffers that they name together, the ops read
//! so far, and how much may still be followed.

use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
    rc::Rc,
};

use comm_happens::{Access, Action, Buffer, Group, Pad, Rank, Stream, Trace};

use super::instruction::Instruction;
use crate::{
    diagnostics,
    groups::Groups,
    mlir::{Attr, Failed, Op, PassResult, Value},
};

/// What a step stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// The op itself.
    Op,
    /// Whoever had arguments and symmetric memory before the function began.
    Before,
    /// Whoever has arguments, results and symmetric memory after the function's end.
    After,
}

/// One step of a rank, before all ranks are known.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) stream: Stream,
    pub(super) action: Action,
    pub(super) accesses: Vec<Access>,
    pub(super) blocks_issue: bool,
    pub(super) tag: u32,
    /// Iteration of a loop of unknown length, and the loop's number, both from 1; 0 outside such loops.
    pub(super) level: (u32, u32),
}

/// A symmetric buffer.
#[derive(Debug)]
pub(super) struct Symmetric {
    pub(super) members: Rc<[i64]>,
    pub(super) pad: Pad,
    /// One a member.
    pub(super) parts: Vec<Buffer>,
    pub(super) origin: Op,
}

/// Functions of a module, and who issues.
pub(super) struct Program {
    pub(super) module: Op,
    pub(super) functions: HashMap<String, Op>,
    /// Ops that issue on streams, themselves or by what is nested in or called by them; functions too.
    issuing: HashSet<Op>,
    pub(super) called: HashSet<Op>,
    pub(super) ranks: usize,
}

impl Program {
    pub(super) fn of(module: Op) -> PassResult<Self> {
        let ops = module.walk();
        let functions: HashMap<String, Op> = ops
            .iter()
            .filter(|op| op.name() == "func.func")
            .filter_map(|&op| Some((op.symbol_name()?, op)))
            .collect();
        let mut program = Self {
            module,
            functions,
            issuing: HashSet::new(),
            called: HashSet::new(),
            ranks: 1,
        };
        let mut calls = Vec::new();
        for &op in &ops {
            if Instruction::issues(op.name()) {
                program.mark(op);
            }
            if let Some(callee) = program.callee(op) {
                program.called.insert(callee);
                calls.push((op, callee));
            }
            program.ranks = program.ranks.max(ranks_of(op)?);
        }
        while let Some(&(call, _)) = calls
            .iter()
            .find(|(call, callee)| program.issuing.contains(callee) && !program.issuing.contains(call))
        {
            program.mark(call);
        }
        program.refuse_recursion(&calls)?;
        Ok(program)
    }

    /// Fails where a function that issues is called again before it has returned. O(functions x (functions + calls)).
    fn refuse_recursion(&self, calls: &[(Op, Op)]) -> PassResult {
        let mut known = HashSet::new();
        let edges: Vec<(Op, Op, Op)> = calls
            .iter()
            .filter(|(_, callee)| self.issuing.contains(callee))
            .filter_map(|&(call, callee)| {
                let mut around = std::iter::successors(call.parent_op(), |op| op.parent_op());
                Some((call, around.find(|op| op.name() == "func.func")?, callee))
            })
            .filter(|&(_, caller, callee)| known.insert((caller, callee)))
            .collect();
        for &(call, caller, callee) in &edges {
            let mut seen = HashSet::from([callee]);
            let mut open = vec![callee];
            while let Some(function) = open.pop() {
                if function == caller {
                    return Err(diagnostics::op_error_with_notes(
                        caller,
                        "issues on streams and calls itself, which is not followed; expected a loop",
                        &[(call, "this call leads back to it")],
                    ));
                }
                let next = edges.iter().filter(|(_, from, _)| *from == function);
                open.extend(next.map(|&(_, _, to)| to).filter(|&to| seen.insert(to)));
            }
        }
        Ok(())
    }

    fn mark(&mut self, op: Op) {
        let around = std::iter::successors(Some(op), |op| op.parent_op());
        for op in around {
            if !self.issuing.insert(op) {
                break;
            }
        }
    }

    pub(super) fn issues(&self, op: Op) -> bool {
        self.issuing.contains(&op)
    }

    /// The function that a call names, if it is here.
    pub(super) fn callee(&self, op: Op) -> Option<Op> {
        if op.name() != "func.call" {
            return None;
        }
        self.functions.get(op.attr("callee")?.as_symbol()?).copied()
    }
}

/// Ranks that an op speaks of: the largest and one.
fn ranks_of(op: Op) -> PassResult<usize> {
    let count = |ranks: i64| usize::try_from(ranks).unwrap_or(0);
    if op.name() == "comm.mesh" {
        let shape = op.attr("shape").and_then(Attr::as_i64_array).unwrap_or_default();
        return Ok(shape
            .iter()
            .map(|&size| count(size))
            .fold(1, usize::saturating_mul));
    }
    let is_ours = op.name().starts_with("comm.") || op.name().starts_with("comm_stream.");
    let groups = if let Some(pairs) = op.attr("pairs").filter(|_| is_ours) {
        Groups(vec![pairs.as_i64_array().unwrap_or_default()])
    } else if is_ours && op.attr("groups").is_some() {
        Groups::of(op)?
    } else {
        return Ok(1);
    };
    Ok(groups.0.iter().flatten().max().map_or(1, |&rank| count(rank) + 1))
}

/// See the [module](self) documentation.
pub(super) struct World<'p> {
    pub(super) program: &'p Program,
    pub(super) trace: Trace,
    pub(super) origins: HashMap<Buffer, Op>,
    pub(super) symmetric: Vec<Symmetric>,
    /// By group, and how many a member has allocated before.
    symmetric_numbers: HashMap<(Rc<[i64]>, usize), usize>,
    pub(super) tags: Vec<(Op, Role)>,
    tag_numbers: HashMap<(Op, Role), u32>,
    forms: HashMap<String, u32>,
    instructions: HashMap<Op, Rc<Instruction>>,
    /// How often loops of unknown length are taken to run.
    pub(super) trips: HashMap<Op, i64>,
    /// Such loops that were met and are not in `trips`.
    pub(super) open_loops: Vec<Op>,
    budget: u64,
    spent: u64,
}

impl<'p> World<'p> {
    pub(super) fn new(program: &'p Program, budget: u64, trips: HashMap<Op, i64>) -> Self {
        Self {
            program,
            trace: Trace::new(program.ranks),
            origins: HashMap::new(),
            symmetric: Vec::new(),
            symmetric_numbers: HashMap::new(),
            tags: Vec::new(),
            tag_numbers: HashMap::new(),
            forms: HashMap::new(),
            instructions: HashMap::new(),
            trips,
            open_loops: Vec::new(),
            budget,
            spent: 0,
        }
    }

    /// Counts what is followed, and fails after an error at `op` where that is too much.
    pub(super) fn spend(&mut self, op: Op, amount: usize) -> PassResult {
        self.spent = self.spent.saturating_add(amount as u64);
        if self.spent <= self.budget {
            return Ok(());
        }
        Err(not_proved(
            op,
            &format!(
                "to follow {} ranks to here takes more than {} events (option max-events)",
                self.program.ranks, self.budget
            ),
        ))
    }

    pub(super) fn instruction(&mut self, op: Op) -> PassResult<Rc<Instruction>> {
        if let Some(known) = self.instructions.get(&op) {
            return Ok(Rc::clone(known));
        }
        let instruction = Rc::new(Instruction::of(op, self.program.callee(op))?);
        self.instructions.insert(op, Rc::clone(&instruction));
        Ok(instruction)
    }

    /// The number by which a fault names what a step stands for.
    pub(super) fn tag(&mut self, op: Op, role: Role) -> u32 {
        let next = self.tags.len() as u32 + 1;
        let tag = *self.tag_numbers.entry((op, role)).or_insert(next);
        if tag == next {
            self.tags.push((op, role));
        }
        tag
    }

    pub(super) fn form(&mut self, text: &str) -> u32 {
        let next = self.forms.len() as u32;
        *self.forms.entry(text.to_owned()).or_insert(next)
    }

    /// A buffer of a rank that an op makes.
    pub(super) fn buffer(&mut self, name: String, origin: Op) -> Buffer {
        let buffer = self.trace.buffer(name);
        self.origins.insert(buffer, origin);
        buffer
    }

    /// Group of a rank, as members in order and as the trace knows it.
    pub(super) fn group(&mut self, op: Op, groups: &Groups, rank: Rank) -> PassResult<(Rc<[i64]>, Group)> {
        let Some(members) = groups.0.iter().find(|group| group.contains(&i64::from(rank))) else {
            return Err(not_proved(
                op,
                &format!("rank {rank} executes it and is in none of its groups"),
            ));
        };
        let ranks: Option<Vec<Rank>> = members
            .iter()
            .map(|&member| Rank::try_from(member).ok())
            .collect();
        let ranks = ranks.ok_or_else(|| not_proved(op, "it has groups of ranks below 0"))?;
        let group = self.trace.group(&ranks);
        Ok((Rc::from(members.as_slice()), group))
    }

    /// The symmetric buffer that the members of a group allocate as their `number`-th.
    pub(super) fn symmetric(&mut self, op: Op, members: &Rc<[i64]>, number: usize) -> usize {
        let key = (Rc::clone(members), number);
        if let Some(&known) = self.symmetric_numbers.get(&key) {
            return known;
        }
        let parts = members
            .iter()
            .map(|rank| self.buffer(format!("the part of rank {rank} of a symmetric buffer"), op))
            .collect();
        self.symmetric.push(Symmetric {
            members: Rc::clone(members),
            pad: self.trace.pad(),
            parts,
            origin: op,
        });
        self.symmetric_numbers.insert(key, self.symmetric.len() - 1);
        self.symmetric.len() - 1
    }
}

/// What becomes of a program that may be right but cannot be followed.
#[derive(Clone, Copy, Default)]
struct Unproved {
    /// It is warned of, instead of being refused.
    warns: bool,
    /// The warning has been given.
    was_warned: bool,
}

thread_local! {
    /// Of the proof that this thread is at. Any step of it may find that it cannot go on.
    static UNPROVED: Cell<Unproved> = const { Cell::new(Unproved { warns: false, was_warned: false }) };
}

/// Makes a proof. Where `warns`, one that cannot be completed is a warning and a success.
pub(super) fn leniently(warns: bool, prove: impl FnOnce() -> PassResult) -> PassResult {
    UNPROVED.set(Unproved {
        warns,
        was_warned: false,
    });
    let outcome = prove();
    match UNPROVED.take().was_warned {
        true => Ok(()),
        false => outcome,
    }
}

/// Emits "not proved" with the reason and gives the value to return, which ends the proof.
pub(super) fn not_proved(op: Op, reason: &str) -> Failed {
    let message = format!("is not proved to be ordered: {reason}");
    let unproved = UNPROVED.get();
    if !unproved.warns {
        return diagnostics::op_error(op, &message);
    }
    diagnostics::op_warning(op, &message);
    UNPROVED.set(Unproved {
        was_warned: true,
        ..unproved
    });
    Failed
}

/// Whether all devices compute the same value: from constants and arguments marked `comm.uniform`, by ops without effects.
pub(super) fn is_uniform(value: Value) -> bool {
    match value.defining_op() {
        Some(op) => {
            op.num_regions() == 0
                && op.name() != "comm.rank"
                && op.is_registered()
                && op.own_effects() == 0
                && op.operands().all(is_uniform)
        }
        None => {
            let Some(function) = value.argument_of().and_then(|block| block.parent_op()) else {
                return false;
            };
            let attributes = function.attr("arg_attrs").and_then(Attr::as_array);
            function.name() == "func.func"
                && attributes
                    .and_then(|all| all.get(value.index()).copied())
                    .is_some_and(|entry| entry.entry("comm.uniform").is_some())
        }
    }
}
