// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random functions before and after: every way of every shape, whether it pays or not, is put into the IR, and both
//! functions are run on simulated devices.

mod generator;

use comm_algebra::{NodeId, Op as AlgebraOp, Program, interpreter};
use mel::ir::{Module, operation::OperationLike};
use rustc_hash::FxHashMap;

use generator::Generator;

use super::{
    FloatingPoint, SimplifyOptions,
    choose::Choice,
    devices::Devices,
    draft::{Decisions, Drafts},
    estimate::Estimate,
    gathers, pieces, report,
    shapes::{Effort, shapes},
    terms::Terms,
    vocabulary::Vocabulary,
    write::{Rewrite, Writer},
};
use crate::{
    cost::Costs,
    mlir::{Op, Ty, Value},
    passes::schedule,
    uniform::Uniformity,
};

/// A function of one block as one program, which has its arguments in order and what it returns as results.
fn program_of(function: Op) -> Program {
    let costs = Costs::new(comm_schedule::Machine::preset("h100-8").unwrap(), None);
    let (blocks, _) = schedule::problems_with_collectives(function, costs, 0).unwrap();
    let uniformity = Uniformity::of(function);
    let mut devices = Devices::new(uniformity.devices()).unwrap();
    let mut vocabulary = Vocabulary::new();
    let block = &blocks[0];
    let terms = Terms::read(block, &mut vocabulary, &mut devices, Some(&uniformity)).unwrap();
    let all: Vec<usize> = (0..devices.count()).collect();
    let everyone = devices.groups.add_lists(&[all]).unwrap();
    let mut program = Program::new(devices.groups.clone());
    let mut nodes: FxHashMap<Value, NodeId> = FxHashMap::default();
    for (number, argument) in block.block.arguments().enumerate() {
        let ty = vocabulary.type_of(argument.ty()).unwrap();
        let equal: &[_] = if uniformity.is_uniform(argument) {
            &[everyone]
        } else {
            &[]
        };
        nodes.insert(argument, program.argument(number as u32, ty, equal).unwrap());
    }
    for (position, op) in block.ops.iter().enumerate() {
        let Some(term) = terms.at(position) else {
            // Starts, whose waits are understood, positions of devices, whose slices are, and what is written to and not read.
            let is_part = |value: Value| {
                value.ty().is_future() || value.ty() == Ty::index(op.context()) || op.name() == "tensor.empty"
            };
            assert!(op.results().all(is_part), "'{}' is not understood", op.name());
            continue;
        };
        let operands: Vec<NodeId> = term.operands.iter().map(|value| nodes[value]).collect();
        let mut node = program.push(term.op.clone(), &operands, 0).unwrap();
        if term.is_mean {
            let members = program.groups().size(term.op.group().unwrap());
            let scale = comm_algebra::Function::Scale(super::terms::mean_factor(members).unwrap());
            node = program.push(AlgebraOp::Map(scale), &[node], 0).unwrap();
        }
        nodes.insert(term.value, node);
    }
    let results: Vec<NodeId> = block
        .block
        .terminator()
        .unwrap()
        .operands()
        .map(|value| nodes[&value])
        .collect();
    program.set_results(&results).unwrap();
    program
}

/// Puts a random way of each shape into the block of a function. How many shapes were changed, and by which rules.
fn rewrite_at_random(
    function: Op,
    options: &SimplifyOptions,
    random: &mut fastrand::Rng,
) -> Vec<&'static str> {
    let costs = Costs::new(comm_schedule::Machine::preset("h100-8").unwrap(), None);
    let (blocks, costs) = schedule::problems_with_collectives(function, costs, 1).unwrap();
    let Some(block) = blocks.first() else {
        return Vec::new();
    };
    let uniformity = Uniformity::of(function);
    let mut devices = Devices::new(uniformity.devices()).unwrap();
    let mut vocabulary = Vocabulary::new();
    let terms = Terms::read(block, &mut vocabulary, &mut devices, Some(&uniformity)).unwrap();
    let pieces = pieces::pieces(block, &terms, &mut vocabulary, &devices);
    let estimate = Estimate {
        machine: costs.machine(),
        devices: &devices,
    };
    let effort = Effort {
        fp: options.fp.class(),
        nodes: 1_000,
        alternatives: 6,
    };
    let shapes = shapes(&pieces, &terms, estimate.prices(), effort).unwrap();
    let drafts = Drafts {
        block,
        terms: &terms,
        pieces: &pieces,
        shapes: &shapes,
        estimate: &estimate,
    };
    let decisions: Decisions = shapes
        .iter()
        .map(|shape| (!shape.ways.is_empty()).then(|| random.usize(0..shape.ways.len())))
        .collect();
    let Some(draft) = drafts.draft(&decisions) else {
        return Vec::new();
    };
    assert!(draft.problem.check().is_ok(), "{:?}", draft.problem.check());
    let none: Option<&Choice> = None;
    report::report(block, &terms, &pieces, &shapes, none);
    let writer = Writer {
        block,
        terms: &terms,
        devices: &devices,
        vocabulary: &vocabulary,
    };
    let ways = drafts.ways(&decisions);
    let rules = ways.iter().flatten().flat_map(|way| way.rules.clone()).collect();
    Rewrite::new(&writer, &drafts, &draft, ways).unwrap().finish();
    rules
}

/// Largest difference of two runs, relative to the largest value; none where all bits agree.
fn difference(one: &[interpreter::Value], other: &[interpreter::Value]) -> Option<f64> {
    let bits = |values: &[interpreter::Value]| -> Vec<u64> {
        values.iter().flatten().flat_map(|tensor| tensor.bits()).collect()
    };
    if bits(one) == bits(other) {
        return None;
    }
    let values = |values: &[interpreter::Value]| -> Vec<f64> {
        values
            .iter()
            .flatten()
            .flat_map(|tensor| tensor.values())
            .collect()
    };
    let (one, other) = (values(one), values(other));
    let largest = one
        .iter()
        .chain(&other)
        .fold(1.0, |largest: f64, value| largest.max(value.abs()));
    let difference = one.iter().zip(&other).map(|(one, other)| (one - other).abs());
    Some(difference.fold(0.0, f64::max) / largest)
}

/// Changes random functions and compares what they compute. `change` names what it did, in a function that it is given with
/// the seed.
fn compare(
    title: &str,
    is_integer: bool,
    seeds: std::ops::Range<u64>,
    tolerance: f64,
    change: &dyn Fn(Op, u64) -> Vec<&'static str>,
) {
    let context = crate::context();
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    let mut changed = 0;
    let total = seeds.clone().count();
    for seed in seeds {
        let text = Generator::function(seed, is_integer);
        let module = Module::parse(&context, &text).unwrap_or_else(|| panic!("seed {seed} parses:\n{text}"));
        let function = || {
            let walk = Op::new(module.as_operation().to_raw()).walk();
            walk.into_iter().find(|op| op.name() == "func.func").unwrap()
        };
        let before = program_of(function());
        let done = change(function(), seed);
        let after_text = module.as_operation().to_string();
        assert!(
            module.as_operation().verify(),
            "seed {seed}:\n{text}\n{after_text}"
        );
        if done.is_empty() {
            continue;
        }
        changed += 1;
        done.iter().for_each(|rule| *counts.entry(rule).or_default() += 1);
        let after = program_of(function());
        let arguments = interpreter::random_arguments(&before, seed);
        let run = |program: &Program| interpreter::run(program, &arguments).unwrap();
        let found = difference(&run(&before), &run(&after)).unwrap_or(0.0);
        assert!(
            found <= tolerance,
            "seed {seed}: off by {found} after {done:?}:\n{text}\n{after_text}"
        );
    }
    println!("{title}: {changed} of {total} functions changed, by {counts:?}");
    assert!(
        changed * 10 > total,
        "{changed} of {total} is too few to show anything"
    );
}

/// Compares functions before and after a way of each shape, of those that a class of rules gives.
fn compare_ways(fp: FloatingPoint, is_integer: bool, seeds: std::ops::Range<u64>, tolerance: f64) {
    let options = SimplifyOptions {
        fp,
        ..SimplifyOptions::default()
    };
    compare(
        &format!("{fp:?}"),
        is_integer,
        seeds,
        tolerance,
        &|function, seed| rewrite_at_random(function, &options, &mut fastrand::Rng::with_seed(seed)),
    );
}

#[test]
fn exact_rewrites_change_no_bit() {
    compare_ways(FloatingPoint::Exact, false, 0..300, 0.0);
}

#[test]
fn rewrites_of_integers_change_no_bit() {
    compare_ways(FloatingPoint::Precision, true, 1000..1200, 0.0);
}

#[test]
fn other_orders_of_addition_stay_close() {
    compare_ways(FloatingPoint::Reassociate, false, 2000..2300, 0.05);
}

#[test]
fn other_precisions_stay_near() {
    compare_ways(FloatingPoint::Precision, false, 3000..3150, 0.2);
}

#[test]
fn gathers_that_are_dropped_or_issued_again_change_no_bit() {
    compare("gathers", false, 4000..4300, 0.0, &|function, seed| {
        let costs = Costs::new(comm_schedule::Machine::preset("h100-8").unwrap(), None);
        let (blocks, _) = schedule::problems_with_collectives(function, costs, 1).unwrap();
        let Some(block) = blocks.first() else {
            return Vec::new();
        };
        let before: Vec<Op> = function.walk();
        gathers::run(block, Some(seed % 8 * 150)).unwrap();
        match function.walk().len().cmp(&before.len()) {
            std::cmp::Ordering::Less => vec!["dropped"],
            std::cmp::Ordering::Equal => Vec::new(),
            std::cmp::Ordering::Greater => vec!["issued again"],
        }
    });
}
