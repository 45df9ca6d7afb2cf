// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Changes of a program that mean nothing: other orders of what is no anchor, other orders of arguments, other names.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use melior::ir::Module;
use mlir_comm::passes::SortOptions;
use mlir_sys::*;

use super::{
    check::{BlockFacts, class, communicates},
    ir::{BlockKey, Id, Op, Snapshot, ops_of, snapshot, string},
};

/// Puts the ops of every function block of a tagged module into a random order that keeps dependences, anchors, and the
/// order of opaque communication.
pub fn shuffle(module: &Module, rng: &mut Rng) {
    let snapshot = snapshot(module);
    let ops: HashMap<Id, MlirOperation> = Op::of(module)
        .walk()
        .into_iter()
        .filter_map(|op| Some((op.id()?, op.0)))
        .collect();
    for &block in &snapshot.block_order {
        // The pass leaves alone what does not communicate.
        if !snapshot.blocks[&block]
            .iter()
            .any(|&id| class(snapshot.op(id)).is_some())
        {
            continue;
        }
        let order = legal_order(&snapshot, block, rng);
        let Some((last, rest)) = order.split_last() else {
            continue;
        };
        for id in rest {
            // SAFETY: both are live ops of one block.
            unsafe { mlirOperationMoveBefore(ops[id], ops[last]) }
        }
    }
}

fn legal_order(snapshot: &Snapshot, block: BlockKey, rng: &mut Rng) -> Vec<Id> {
    let facts = BlockFacts::new(snapshot, block, &SortOptions::default());
    let mut before: HashMap<Id, HashSet<Id>> = HashMap::new();
    let (mut last_anchor, mut last_other, mut last_fence) = (None, None, None);
    let mut since_fence: Vec<Id> = Vec::new();
    let others: HashSet<Id> = facts.others().collect();
    let fences: HashSet<Id> = facts.fences.iter().copied().collect();
    for (position, &id) in facts.ops.iter().enumerate() {
        let mut needs: HashSet<Id> = facts.dependences[&id].iter().copied().collect();
        if facts.is_anchor(id) {
            needs.extend(last_anchor.replace(id));
        }
        if others.contains(&id) {
            needs.extend(last_other.replace(id));
        }
        if fences.contains(&id) {
            needs.extend(since_fence.drain(..));
            last_fence = Some(id);
        } else if communicates(snapshot.op(id)) {
            needs.extend(last_fence);
            since_fence.push(id);
        }
        if position + 1 == facts.ops.len() {
            needs.extend(facts.ops[..position].iter().copied());
        }
        before.insert(id, needs);
    }
    let mut users: HashMap<Id, Vec<Id>> = HashMap::new();
    for &id in &facts.ops {
        for need in &before[&id] {
            users.entry(*need).or_default().push(id);
        }
    }
    let mut missing: HashMap<Id, usize> = before.iter().map(|(id, needs)| (*id, needs.len())).collect();
    let mut ready: Vec<Id> = facts.ops.iter().copied().filter(|id| missing[id] == 0).collect();
    let mut order = Vec::new();
    while !ready.is_empty() {
        let id = ready.swap_remove(rng.usize(0..ready.len()));
        order.push(id);
        let mut free: Vec<Id> = Vec::new();
        for user in users.get(&id).into_iter().flatten() {
            let count = missing.get_mut(user).expect("all have a count");
            *count -= 1;
            if *count == 0 {
                free.push(*user);
            }
        }
        free.sort_unstable();
        ready.extend(free);
    }
    order
}

/// Permutes the arguments of every function that has a body and that nobody calls.
pub fn permute_arguments(module: &Module, rng: &mut Rng) {
    let ops = Op::of(module).walk();
    for function in ops.iter().filter(|op| op.name() == "func.func") {
        let Some(&entry) = function.regions().first().and_then(|blocks| blocks.first()) else {
            continue;
        };
        // SAFETY: all handles are of a live module; the attributes are those of a verified function.
        unsafe {
            let symbol = mlirOperationGetAttributeByName(function.0, string("sym_name"));
            let called = ops.iter().any(|op| {
                let callee = mlirOperationGetAttributeByName(op.0, string("callee"));
                !callee.ptr.is_null() && {
                    let (callee, symbol) = (
                        mlirFlatSymbolRefAttrGetValue(callee),
                        mlirStringAttrGetValue(symbol),
                    );
                    mlirStringRefEqual(callee, symbol)
                }
            });
            let count = mlirBlockGetNumArguments(entry);
            if called || count < 2 {
                continue;
            }
            let mut order: Vec<isize> = (0..count).collect();
            rng.shuffle(&mut order);
            let unknown = mlirOperationGetLocation(function.0);
            let old: Vec<MlirValue> = order
                .iter()
                .map(|&index| mlirBlockGetArgument(entry, index))
                .collect();
            let types: Vec<MlirType> = old.iter().map(|&value| mlirValueGetType(value)).collect();
            for (&value, &ty) in old.iter().zip(&types) {
                mlirValueReplaceAllUsesOfWith(value, mlirBlockAddArgument(entry, ty, unknown));
            }
            for _ in 0..count {
                mlirBlockEraseArgument(entry, 0);
            }
            let context = mlirOperationGetContext(function.0);
            let signature = mlirTypeAttrGetValue(mlirOperationGetAttributeByName(
                function.0,
                string("function_type"),
            ));
            let results: Vec<MlirType> = (0..mlirFunctionTypeGetNumResults(signature))
                .map(|index| mlirFunctionTypeGetResult(signature, index))
                .collect();
            let signature = mlirFunctionTypeGet(
                context,
                types.len() as isize,
                types.as_ptr(),
                results.len() as isize,
                results.as_ptr(),
            );
            mlirOperationSetAttributeByName(function.0, string("function_type"), mlirTypeAttrGet(signature));
            let attributes = mlirOperationGetAttributeByName(function.0, string("arg_attrs"));
            if !attributes.ptr.is_null() {
                let attributes: Vec<MlirAttribute> = order
                    .iter()
                    .map(|&index| mlirArrayAttrGetElement(attributes, index))
                    .collect();
                let attributes = mlirArrayAttrGet(context, attributes.len() as isize, attributes.as_ptr());
                mlirOperationSetAttributeByName(function.0, string("arg_attrs"), attributes);
            }
        }
    }
}

/// The text with other names of values and of the mesh.
pub fn rename(text: &str, rng: &mut Rng) -> String {
    let salt = rng.u32(..) % 1000;
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let name: String = rest[at + 1..]
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        renamed.push_str(&rest[..at]);
        // Reversed, so that the names sort otherwise.
        renamed.extend(format!("%r{salt}_").chars().chain(name.chars().rev()));
        rest = &rest[at + 1 + name.len()..];
    }
    renamed.push_str(rest);
    renamed.replace("@mesh", "@renamed")
}

/// Number of ops in a block of a module, for tests of tests.
pub fn block_sizes(module: &Module) -> Vec<usize> {
    Op::of(module)
        .walk()
        .into_iter()
        .flat_map(Op::regions)
        .flatten()
        .map(|block| ops_of(block).len())
        .collect()
}
