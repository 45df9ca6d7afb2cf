// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random functions before and after: every way of every shape, whether it pays or not, is put into the IR, and both
//! functions are run on simulated devices.

use comm_algebra::{NodeId, Op as AlgebraOp, Program, interpreter};
use mel::ir::{Module, operation::OperationLike};
use rustc_hash::FxHashMap;

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

/// Random StableHLO over a mesh of 2 x 2 devices.
struct Generator {
    random: fastrand::Rng,
    /// Name, element type and shape of each value so far.
    values: Vec<(String, &'static str, Vec<usize>)>,
    text: String,
    is_async: bool,
}

const GROUPS: [(&str, usize); 5] = [
    ("[[0, 1], [2, 3]]", 2),
    ("[[0, 2], [1, 3]]", 2),
    ("[[0, 1, 2, 3]]", 4),
    ("[[1, 0], [3, 2]]", 2),
    ("[[3, 1, 0, 2]]", 4),
];

impl Generator {
    fn function(seed: u64, is_integer: bool) -> String {
        let mut random = fastrand::Rng::with_seed(seed);
        let is_async = random.bool();
        let mut generator = Self {
            random,
            values: Vec::new(),
            text: String::new(),
            is_async,
        };
        let shapes = [vec![8, 4], vec![4, 8], vec![4, 4], vec![8, 4]];
        let element = if is_integer { "i32" } else { "f32" };
        for (number, shape) in shapes.into_iter().enumerate() {
            generator.values.push((format!("%a{number}"), element, shape));
        }
        let arguments = generator.values.clone();
        let count = generator.random.usize(4..12);
        for _ in 0..count {
            generator.op(is_integer);
        }
        let made = generator.values.split_off(arguments.len());
        let mut returned: Vec<_> = made
            .iter()
            .filter(|(name, ..)| {
                generator.random.u8(0..4) == 0 || !generator.text.contains(&format!("({name})"))
            })
            .cloned()
            .collect();
        returned.truncate(6);
        let list = |values: &[(String, &str, Vec<usize>)], with: &dyn Fn(&str, String) -> String| {
            let items = values
                .iter()
                .map(|(name, element, shape)| with(name, ty(element, shape)));
            items.collect::<Vec<_>>().join(", ")
        };
        let marked = generator.random.bool();
        let parameters = list(&arguments, &|name, ty| match marked && name == "%a3" {
            true => format!("{name}: {ty} {{comm.uniform}}"),
            false => format!("{name}: {ty}"),
        });
        format!(
            "func.func @f({parameters}) -> ({}) {{\n  %devices = comm.rank over [[0, 1, 2, 3]] : index\n{}  return {} : {}\n}}\n",
            list(&returned, &|_, ty| ty),
            generator.text,
            list(&returned, &|name, _| name.to_owned()),
            list(&returned, &|_, ty| ty),
        )
    }

    /// A value made lately, mostly.
    fn pick(&mut self) -> (String, &'static str, Vec<usize>) {
        let count = self.values.len();
        let from = if self.random.u8(0..3) == 0 {
            0
        } else {
            count.saturating_sub(3)
        };
        self.values[self.random.usize(from..count)].clone()
    }

    fn push(&mut self, op: &str, element: &'static str, shape: Vec<usize>) {
        let name = format!("%{}", self.values.len());
        self.text.push_str(&format!("  {name} = {op}\n"));
        self.values.push((name, element, shape));
    }

    fn collective(
        &mut self,
        name: &str,
        operand: &str,
        rest: &str,
        from: &str,
        element: &'static str,
        shape: Vec<usize>,
    ) {
        let to = ty(element, &shape);
        if self.is_async {
            let future = format!("%f{}", self.values.len());
            self.text.push_str(&format!(
                "  {future} = comm.{name} {operand} {rest} : {from} -> !comm.future<{to}>\n"
            ));
            // The operand of a reduction stands behind its kind.
            let kept = operand.rsplit(' ').next().unwrap_or(operand);
            self.push(
                &format!("comm.wait {future} keeping({kept} : {from}) : !comm.future<{to}>"),
                element,
                shape,
            );
        } else {
            self.push(
                &format!("comm.{name} {operand} {rest} : {from} -> {to}"),
                element,
                shape,
            );
        }
    }

    fn op(&mut self, is_integer: bool) {
        if self.random.u8(0..8) == 0 {
            // Of one argument, again and again.
            let (name, element, shape) = self.values[2].clone();
            let (groups, members) = GROUPS[0];
            let (from, to) = (ty(element, &shape), vec![shape[0] * members, shape[1]]);
            return self.collective(
                "all_gather",
                &name,
                &format!("dim 0 over {groups}"),
                &from,
                element,
                to,
            );
        }
        let (name, element, shape) = self.pick();
        let from = ty(element, &shape);
        let (groups, members) = GROUPS[self.random.usize(0..GROUPS.len())];
        let dim = self.random.usize(0..2);
        let kinds: &[&str] = if is_integer {
            &["sum", "max", "xor"]
        } else {
            &["sum", "avg", "max"]
        };
        let kind = kinds[self.random.usize(0..kinds.len())];
        let scaled = |dim: usize, up: usize, down: usize| {
            let mut shape = shape.clone();
            shape[dim] = shape[dim] * up / down;
            shape
        };
        match self.random.u8(0..14) {
            0 | 1 if shape[dim] * members <= 16 => {
                let to = scaled(dim, members, 1);
                self.collective(
                    "all_gather",
                    &name,
                    &format!("dim {dim} over {groups}"),
                    &from,
                    element,
                    to,
                );
            }
            2 | 3 if shape[dim] % members == 0 => {
                let to = scaled(dim, 1, members);
                let operand = format!("{kind} {name}");
                self.collective(
                    "reduce_scatter",
                    &operand,
                    &format!("dim {dim} over {groups}"),
                    &from,
                    element,
                    to,
                );
            }
            4 | 5 => {
                let operand = format!("{kind} {name}");
                self.collective(
                    "all_reduce",
                    &operand,
                    &format!("over {groups}"),
                    &from,
                    element,
                    shape,
                );
            }
            6 if shape[dim] % members == 0 && shape[1 - dim] * members <= 16 => {
                let mut to = scaled(dim, 1, members);
                to[1 - dim] *= members;
                let rest = format!("split {dim} concat {} over {groups}", 1 - dim);
                self.collective("all_to_all", &name, &rest, &from, element, to);
            }
            7 => {
                let pairs = [
                    "[[0, 1], [1, 0], [2, 3], [3, 2]]",
                    "[[0, 1], [1, 2], [2, 3], [3, 0]]",
                    "[[0, 3]]",
                ];
                let pairs = pairs[self.random.usize(0..pairs.len())];
                self.collective("permute", &name, &format!("pairs {pairs}"), &from, element, shape);
            }
            8 => {
                let to = vec![shape[1], shape[0]];
                let op = format!(
                    "\"stablehlo.transpose\"({name}) <{{permutation = array<i64: 1, 0>}}> : ({from}) -> {}",
                    ty(element, &to)
                );
                self.push(&op, element, to);
            }
            9 | 10 => {
                let ops = ["add", "multiply", "maximum", "subtract"];
                let op = ops[self.random.usize(0..ops.len())];
                let alike: Vec<String> = self
                    .values
                    .iter()
                    .filter(|(_, other, other_shape)| *other == element && *other_shape == shape)
                    .map(|(name, ..)| name.clone())
                    .collect();
                let other = &alike[self.random.usize(0..alike.len())];
                self.push(
                    &format!("\"stablehlo.{op}\"({name}, {other}) : ({from}, {from}) -> {from}"),
                    element,
                    shape,
                );
            }
            11 => self.push(
                &format!("\"stablehlo.negate\"({name}) : ({from}) -> {from}"),
                element,
                shape,
            ),
            12 if !is_integer => {
                let to = if element == "f32" { "bf16" } else { "f32" };
                let op = format!("\"stablehlo.convert\"({name}) : ({from}) -> {}", ty(to, &shape));
                self.push(&op, to, shape);
            }
            13 => {
                let other: Vec<(String, Vec<usize>)> = self
                    .values
                    .iter()
                    .filter(|(_, other, other_shape)| *other == element && other_shape[0] == shape[1])
                    .map(|(name, _, shape)| (name.clone(), shape.clone()))
                    .collect();
                let Some((other, other_shape)) = other.first() else {
                    return;
                };
                let to = vec![shape[0], other_shape[1]];
                let op = format!(
                    "\"stablehlo.dot_general\"({name}, {other}) <{{dot_dimension_numbers = \
                     #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}}> : ({from}, {}) -> {}",
                    ty(element, other_shape),
                    ty(element, &to)
                );
                self.push(&op, element, to);
            }
            _ => {}
        }
    }
}

fn ty(element: &str, shape: &[usize]) -> String {
    format!("tensor<{}x{}x{element}>", shape[0], shape[1])
}

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
