// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-import-torch`: functional collectives of PyTorch, as torch-mlir prints them, become `comm` ops.
//!
//! Before: `torch.operator`s named `torch._c10d_functional.*` in generic form, starts and waits apart. After: for each
//! start a `comm` op that yields a future, and one `comm.wait` where its result was first awaited; everything else is as
//! it was. The pass reads the whole module first and changes nothing where it refuses something, so a failure leaves the
//! module as it came.
//!
//! It does not convert other torch ops, follow tensors through calls, or guess who is in a group beyond
//! [`groups`]. Cost: O(ops + operands), plus O(w log w) for w waits of one collective.

mod constants;
mod groups;
mod overwritten;
mod rewrite;
mod schema;
mod start;
pub(crate) mod types;
mod waits;

use std::collections::{BTreeMap, HashMap, HashSet};

use self::{
    constants::Lists,
    groups::GroupTable,
    schema::{Role, role},
    start::Start,
    types::TypeReader,
    waits::{Refusal, Waits},
};
use super::ImportTorchOptions;
use crate::{
    diagnostics::{self, Remark},
    mlir::{self, Attr, Op, PassResult, Value},
    torch_purity::operator_name,
};

const PASS: &str = "comm-import-torch";

/// A collective with its waits.
type Awaited = (Start, Waits);

/// Whether an op is a collective that this pass converts.
pub(super) fn is_collective(op: Op) -> bool {
    matches!(role(operator_name(op)), Role::Start(_))
}

/// Runs the pass on a module.
pub(super) fn run(module: Op, options: &ImportTorchOptions) -> PassResult {
    let table = groups::parse(&options.groups)
        .map_err(|error| diagnostics::error(module.location(), &error.to_string()))?;
    let ops = module.walk();
    let (starts, repeated) = read(&ops)?;
    let attributes = resolve_groups(module, &starts, &table)?;

    let operands = constant_operands(&ops);
    // Repeated waits name results of earlier ones, which are replaced below.
    for wait in repeated.iter().rev() {
        wait.result(0).replace_uses_with(waits::awaited(*wait));
        wait.erase();
    }
    for (start, waits) in &starts {
        rewrite::collective(start, waits, attributes[&start.group])?;
    }
    erase_unused(operands);
    report(module, &starts);
    Ok(())
}

/// Reads all collectives and their waits, and the waits that only repeat others. Every refusal is reported.
fn read(ops: &[Op]) -> PassResult<(Vec<Awaited>, Vec<Op>)> {
    let position: HashMap<Op, usize> = ops.iter().enumerate().map(|(index, &op)| (op, index)).collect();
    let mut types = TypeReader::default();
    let mut lists = Lists::default();
    let mut starts: Vec<Awaited> = Vec::new();
    let mut result = Ok(());
    let mut refuse = |refusal: Refusal| {
        let message = format!("{}: {}", operator_name(refusal.op), refusal.message);
        let notes: Vec<(Op, &str)> = refusal.note.into_iter().collect();
        result = Err(diagnostics::op_error_with_notes(refusal.op, &message, &notes));
    };
    let blame = |op: Op, message: String| Refusal {
        op,
        message,
        note: None,
    };
    let mut unclaimed = Vec::new();
    // Results of collectives that were refused: their waits are not to blame.
    let mut refused: HashSet<Op> = HashSet::new();
    for &op in ops {
        match role(operator_name(op)) {
            Role::Start(schema) => {
                let read = check_place(op, &position)
                    .and_then(|()| start::read(op, schema, &mut types, &mut lists))
                    .map_err(|message| blame(op, message))
                    .and_then(|start| waits::of_start(&start, &position).map(|waits| (start, waits)));
                match read {
                    Ok(pair) => starts.push(pair),
                    Err(refusal) => {
                        let users = op.uses().map(|r#use| r#use.op());
                        refused
                            .extend(users.flat_map(|user| user.uses().map(|r#use| r#use.op()).chain([user])));
                        refuse(refusal);
                    }
                }
            }
            Role::Wait if op.num_operands() != 1 || op.num_results() != 1 => {
                refuse(blame(op, "has not one operand and one result".to_owned()));
            }
            Role::Wait => match check_place(op, &position) {
                Ok(()) => unclaimed.push(op),
                Err(message) => {
                    refused.insert(op);
                    refuse(blame(op, message));
                }
            },
            Role::Foreign(reason) => refuse(blame(op, reason.to_owned())),
            Role::Other => {}
        }
    }
    let claimed: HashSet<Op> = starts
        .iter()
        .flat_map(|(_, waits)| &waits.all)
        .map(|(wait, _)| *wait)
        .collect();
    unclaimed.retain(|wait| !claimed.contains(wait) && !refused.contains(wait));
    let repeated = waits::reached_from(claimed.into_iter().chain(refused));
    for &wait in &unclaimed {
        if let Err(refusal) = waits::check_repeated(wait, &repeated) {
            refuse(refusal);
        }
    }
    result.map(|()| (starts, unclaimed))
}

/// Refuses an op that uses what is made after it, as blocks that are never reached and regions without order allow, and one
/// that ends its block, which nothing could replace there.
fn check_place(op: Op, position: &HashMap<Op, usize>) -> Result<(), String> {
    let is_later =
        |owner: Op| owner.parent_block() == op.parent_block() && position.get(&owner) >= position.get(&op);
    if op.operands().filter_map(Value::defining_op).any(is_later) {
        return Err("uses a value that is not made before it".to_owned());
    }
    if op.next().is_none() {
        return Err("is the last op of its block; a collective cannot end a block".to_owned());
    }
    Ok(())
}

/// The attribute of every group that is named: from the option, else from a size that the graph mentions.
fn resolve_groups(module: Op, starts: &[Awaited], table: &GroupTable) -> PassResult<BTreeMap<String, Attr>> {
    let mut attributes = BTreeMap::new();
    let mut sizes: BTreeMap<&str, (i64, Op)> = BTreeMap::new();
    let mut result = Ok(());
    for (start, _) in starts {
        let Some(size) = start.group_size else { continue };
        let expected = match table.get(&start.group) {
            Some(groups) => groups[0].len() as i64,
            None => sizes.entry(&start.group).or_insert((size, start.op)).0,
        };
        if size != expected {
            let source = match table.get(&start.group) {
                Some(_) => "the option groups gives it",
                None => "an earlier collective has it at",
            };
            let message = format!(
                "has process group '{}' of size {size}, but {source} {expected} rank(s)",
                start.group
            );
            result = Err(diagnostics::op_error(start.op, &message));
        }
    }
    for (start, _) in starts {
        let name = start.group.as_str();
        if attributes.contains_key(name) {
            continue;
        }
        let groups = match (table.get(name), sizes.get(name)) {
            (Some(groups), _) => groups.clone(),
            (None, Some(&(size, _))) if size <= MOST_RANKS => {
                diagnostics::remark(module, Remark::Analysis, PASS, "assumed-group", || {
                    format!(
                        "takes process group '{name}' for ranks 0 to {}, as many as its group_size; say otherwise by \
                         groups={name}=RANK.RANK...",
                        size - 1
                    )
                });
                vec![(0..size).collect()]
            }
            (None, Some((size, _))) => {
                let message =
                    format!("has a process group of {size} ranks; at most {MOST_RANKS} are expected");
                result = Err(diagnostics::op_error(start.op, &message));
                continue;
            }
            (None, None) => {
                let message = format!(
                    "names process group '{name}', but neither the option groups nor a group_size says who is in it; \
                     give groups={name}=RANK.RANK..."
                );
                result = Err(diagnostics::op_error(start.op, &message));
                // Nobody sees this attribute; it says that the group has been complained of.
                attributes.insert(name.to_owned(), Attr::unit(module.context()));
                continue;
            }
        };
        attributes.insert(name.to_owned(), mlir::groups(start.op.location(), &groups)?);
    }
    result.map(|()| attributes)
}

/// Most ranks of an assumed group, the bound of a mesh.
const MOST_RANKS: i64 = 1 << 20;

/// Constants and lists among the operands of collectives, users before what they use.
fn constant_operands(ops: &[Op]) -> Vec<Op> {
    let mut seen = HashSet::new();
    let mut lists = Vec::new();
    let mut constants = Vec::new();
    let starts = ops
        .iter()
        .filter(|op| matches!(role(operator_name(**op)), Role::Start(_)));
    for operand in starts
        .flat_map(|op| op.operands())
        .filter_map(|operand| operand.defining_op())
    {
        if !seen.insert(operand) {
            continue;
        }
        if operand.name() == "torch.prim.ListConstruct" {
            lists.push(operand);
            let elements = operand.operands().filter_map(|element| element.defining_op());
            constants.extend(elements.filter(|op| is_constant(*op) && seen.insert(*op)));
        } else if is_constant(operand) {
            constants.push(operand);
        }
    }
    lists.extend(constants);
    lists
}

fn is_constant(op: Op) -> bool {
    matches!(op.name(), "torch.constant.int" | "torch.constant.str")
}

/// Erases those ops that nothing uses any more; nobody else would, since upstream knows nothing of their effects. One that
/// ends its block stays: MLIR takes an op it does not know for a terminator there.
fn erase_unused(ops: Vec<Op>) {
    for op in ops {
        if op.is_unused() && op.next().is_some() {
            op.erase();
        }
    }
}

fn report(module: Op, starts: &[Awaited]) {
    diagnostics::remark(module, Remark::Passed, PASS, "imported", || {
        let waits: usize = starts
            .iter()
            .map(|(_, waits)| usize::from(waits.first.is_some()))
            .sum();
        format!("imported {} collective(s) with {waits} wait(s)", starts.len())
    });
}
