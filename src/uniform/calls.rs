// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Direct calls, and what is analysed at a time because of them.
//!
//! A function's arguments are known where all its callers are: where it is private and nothing but direct calls refers to
//! it. O(ops and their attributes).

use std::collections::{HashMap, HashSet};

use crate::mlir::{Attr, Op};

/// What is analysed at a time: functions, and in unit 0 what stands in none.
pub(super) struct Units {
    pub(super) ops: Vec<Vec<Op>>,
    /// Units that read what a unit decides: by number, through calls in either direction.
    pub(super) neighbours: Vec<Vec<usize>>,
}

impl Units {
    pub(super) fn of(ops: &[Op], calls: &Calls) -> Self {
        let mut units = Self {
            ops: vec![Vec::new()],
            neighbours: Vec::new(),
        };
        let mut unit_of: HashMap<Op, usize> = HashMap::new();
        for &op in ops {
            // Outer ops come first. A function in a function belongs to the outer one.
            let around = op.parent_op().and_then(|parent| unit_of.get(&parent)).copied();
            let unit = match around {
                Some(unit) if unit > 0 => unit,
                _ if op.name() == "func.func" => {
                    units.ops.push(Vec::new());
                    units.ops.len() - 1
                }
                _ => 0,
            };
            units.ops[unit].push(op);
            if op.num_regions() > 0 {
                unit_of.insert(op, unit);
            }
        }
        units.neighbours = vec![Vec::new(); units.ops.len()];
        let unit = |op: Op| {
            let around = if op.num_regions() > 0 {
                Some(op)
            } else {
                op.parent_op()
            };
            around.and_then(|op| unit_of.get(&op)).copied().unwrap_or(0)
        };
        for (&callee, callers) in &calls.callers {
            for &call in callers {
                units.neighbours[unit(callee)].push(unit(call));
                units.neighbours[unit(call)].push(unit(callee));
            }
        }
        for (index, neighbours) in units.neighbours.iter_mut().enumerate() {
            // Unit 0 holds functions' parents, which look into them.
            neighbours.push(0);
            if index == 0 {
                neighbours.extend(1..units.ops.len());
            }
            neighbours.sort_unstable();
            neighbours.dedup();
        }
        units
    }
}

/// Direct calls inside an op.
pub(super) struct Calls {
    functions: HashMap<(Option<Op>, String), Op>,
    callers: HashMap<Op, Vec<Op>>,
    /// Names that something else than a direct call refers to.
    escaped: HashSet<String>,
}

impl Calls {
    pub(super) fn of(ops: &[Op]) -> Self {
        let mut calls = Self {
            functions: HashMap::new(),
            callers: HashMap::new(),
            escaped: HashSet::new(),
        };
        for &op in ops {
            if op.name() == "func.func"
                && let Some(name) = op.symbol_name()
            {
                calls.functions.insert((op.symbol_table(), name), op);
            }
        }
        for &op in ops {
            if op.name() == "func.call" {
                if let Some(callee) = calls.callee(op) {
                    calls.callers.entry(callee).or_default().push(op);
                }
                continue;
            }
            for attr in op.attrs_except(&[]) {
                if let Some(attr) = Attr::from_nullable(attr.attribute) {
                    collect_symbols(attr, &mut calls.escaped);
                }
            }
        }
        calls
    }

    /// The function that a call names, if it is known and has a body.
    pub(super) fn callee(&self, call: Op) -> Option<Op> {
        let name = call.attr("callee")?.as_symbol()?;
        let function = *self.functions.get(&(call.symbol_table(), name.to_owned()))?;
        function.blocks().next().is_some().then_some(function)
    }

    /// All calls of a function, where nobody else can call it.
    pub(super) fn all_callers(&self, function: Op) -> Option<&[Op]> {
        let private = function.attr("sym_visibility").and_then(Attr::as_str) == Some("private");
        let name = function.symbol_name()?;
        if !private || self.escaped.contains(&name) {
            return None;
        }
        self.callers.get(&function).map(Vec::as_slice)
    }
}

fn collect_symbols(attr: Attr, names: &mut HashSet<String>) {
    if let Some(name) = attr.as_symbol() {
        names.insert(name.to_owned());
    }
    for item in attr.as_array().unwrap_or_default() {
        collect_symbols(item, names);
    }
}
