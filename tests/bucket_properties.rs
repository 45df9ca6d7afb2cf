// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-bucket` promises of every program: each tensor is communicated as before and read as before, nothing crosses
//! a fence, and the result is a program that the other passes take. On random programs with regions, effects and several
//! groups, and on the real ones.
//!
//! `COMM_BUCKET_CASES` sets how many programs are tried.

mod common;
#[allow(dead_code)] // Its figures of one sort are for the tables and tests/overlap.rs.
#[path = "../examples/overlap/programs.rs"]
mod programs;

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use common::{
    generate::{self, Shape},
    ir::{self, Id, OpRecord, Snapshot, Source},
    run::Session,
};
use fastrand::Rng;
use melior::{
    ir::{Module, operation::OperationLike},
    pass::{Pass, PassManager},
};
use mlir_comm::passes::{
    self, BucketLevel, BucketMode, BucketOptions, Effort, ImportStablehloOptions, ImportTorchOptions,
    ScheduleOptions, SortOptions, VerifyMode,
};
use programs::{Origin, Program};

const COLLECTIVES: [&str; 6] = [
    "comm.all_gather",
    "comm.reduce_scatter",
    "comm.all_reduce",
    "comm.all_to_all",
    "comm.permute",
    "comm.broadcast",
];

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A collective tensor by what it is, and whether it stands before and after a fence.
type Side = (u64, bool, bool);

/// What is computed and communicated, tensor by tensor, whatever collectives carry it together and in whatever order it
/// stands; and what is communicated before and after each fence.
#[derive(PartialEq, Eq, Debug)]
struct Flow {
    ops: Vec<(String, u64)>,
    fences: Vec<(u64, Vec<Side>)>,
}

fn is_collective(op: &OpRecord) -> bool {
    COLLECTIVES.contains(&op.name.as_str())
}

fn attributes(op: &OpRecord) -> Vec<&(String, String)> {
    let of_tensor = ["dims", "comm.duration_ns", "comm.bucket"];
    let entries = op.attributes.iter();
    entries
        .filter(|(name, _)| !is_collective(op) || !of_tensor.contains(&name.as_str()))
        .collect()
}

fn flow(snapshot: &Snapshot, root: Id) -> Flow {
    let mut values: HashMap<Source, u64> = HashMap::new();
    // Of a future each tensor.
    let mut tensors: HashMap<Id, Vec<u64>> = HashMap::new();
    let mut numbers: HashMap<Id, u64> = HashMap::new();
    let mut ops = Vec::new();
    for id in in_order(snapshot, root) {
        let op = snapshot.op(id);
        let operands: Vec<u64> = op
            .operands
            .iter()
            .map(|source| values.get(source).copied().unwrap_or(0))
            .collect();
        let of_tensors: Vec<u64> = if is_collective(op) {
            let dims = op.attribute("dims").unwrap_or_default();
            let dims: Vec<&str> = dims
                .trim_start_matches("array<i64: ")
                .trim_end_matches('>')
                .split(", ")
                .collect();
            let dim = |index: usize| dims.get(index).or(dims.first()).copied().unwrap_or_default();
            let tensor = |(index, operand): (usize, &u64)| {
                let number = hash(&(&op.name, attributes(op), dim(index), operand));
                ops.push((op.name.clone(), number));
                number
            };
            operands.iter().enumerate().map(tensor).collect()
        } else if op.name == "comm.wait" {
            match &op.operands[0] {
                Source::Result(start, _) => tensors[start].clone(),
                Source::Argument(..) => unreachable!("a future is no argument"),
            }
        } else {
            let number = hash(&(&op.name, attributes(op), &op.types, &operands));
            ops.push((op.name.clone(), number));
            numbers.insert(id, number);
            (0..op.types.len()).map(|index| hash(&(number, index))).collect()
        };
        for (index, number) in of_tensors.iter().enumerate() {
            values.insert(Source::Result(id, index), *number);
        }
        for region in 0..op.regions {
            for block in 0.. {
                let Some(types) = snapshot.arguments.get(&(id, region, block)) else {
                    break;
                };
                for index in 0..types.len() {
                    let number = hash(&(numbers.get(&id), region, block, index));
                    values.insert(Source::Argument((id, region, block), index), number);
                }
            }
        }
        tensors.insert(id, of_tensors);
    }
    ops.sort();
    let mut fences = Vec::new();
    for order in snapshot.blocks.values() {
        for (at, id) in order.iter().enumerate() {
            let op = snapshot.op(*id);
            if !is_fence(op) || at + 1 == order.len() {
                continue;
            }
            let mut communicated: HashMap<u64, Vec<(bool, bool)>> = HashMap::new();
            for (position, other) in order.iter().enumerate() {
                let (record, is_before) = (snapshot.op(*other), position < at);
                let is_start = is_collective(record);
                if is_start || record.name == "comm.wait" {
                    for tensor in &tensors[other] {
                        communicated
                            .entry(*tensor)
                            .or_default()
                            .push((is_start, is_before));
                    }
                }
            }
            let mut all: Vec<(u64, bool, bool)> = communicated
                .into_iter()
                .flat_map(|(tensor, sides)| {
                    sides
                        .into_iter()
                        .map(move |(is_start, is_before)| (tensor, is_start, is_before))
                })
                .collect();
            all.sort_unstable();
            fences.push((numbers[id], all));
        }
    }
    fences.sort();
    Flow { ops, fences }
}

/// An op and all in it, in order of the text.
fn in_order(snapshot: &Snapshot, root: Id) -> Vec<Id> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        found.push(id);
        let before = stack.len();
        for region in 0..snapshot.op(id).regions {
            let blocks = (0..).map_while(|block| snapshot.blocks.get(&(id, region, block)));
            stack.extend(blocks.flatten());
        }
        stack[before..].reverse();
    }
    found
}

/// Whether nothing may cross an op for certain: the generator's calls and stores, and ops that nobody knows.
fn is_fence(op: &OpRecord) -> bool {
    let is_known = op.registered
        || op.attribute("comm.pure").is_some()
        || ["stablehlo.", "torch.", "thunder."]
            .iter()
            .any(|dialect| op.name.starts_with(dialect));
    !is_known || ["func.call", "memref.store"].contains(&op.name.as_str())
}

/// The flow of a module, which is tagged by this.
fn flow_of(module: &Module) -> Flow {
    ir::tag(module);
    flow(&ir::snapshot(module), 0)
}

fn collectives(module: &Module) -> usize {
    let text = module.as_operation().to_string();
    COLLECTIVES
        .iter()
        .map(|name| text.matches(&format!("{name} ")).count())
        .sum()
}

fn any_options(rng: &mut Rng) -> BucketOptions {
    BucketOptions {
        mode: [BucketMode::Cost, BucketMode::Bytes, BucketMode::Name][rng.usize(0..3)],
        bytes: [0, 100, 1 << 12, u64::MAX][rng.usize(0..4)],
        level: [BucketLevel::Block, BucketLevel::Layer][rng.usize(0..2)],
        machine: ["a100-8", "h100-8", "b200-8"][rng.usize(0..3)].to_owned(),
        max_bytes: [0, 0, 200, 2000][rng.usize(0..4)],
        max_live_bytes: [0, 0, 400, 4000][rng.usize(0..4)],
        ..BucketOptions::default()
    }
}

fn fast() -> Pass {
    passes::schedule(&ScheduleOptions {
        effort: Effort::Fast,
        ..ScheduleOptions::default()
    })
}

/// Merges, compares the flow, and runs passes that reorder on what came out.
fn check<'c>(
    session: &'c Session,
    load: impl Fn() -> Result<Module<'c>, String>,
    options: &BucketOptions,
    reordering: Vec<Pass>,
) -> Result<(usize, usize), String> {
    let joined = |errors: Vec<String>| errors.join("\n");
    let module = load()?;
    let before = flow_of(&module);
    let mut merged = load()?;
    let functions = [passes::bucket(options), passes::verify_futures()];
    session.run_on_functions(&mut merged, functions).map_err(joined)?;
    let text = merged.as_operation().to_string();
    if !merged.as_operation().verify() {
        return Err(format!("the result does not verify\n{text}"));
    }
    let counts = (collectives(&module), collectives(&merged));
    let mut again = load()?;
    session
        .run_on_functions(&mut again, [passes::bucket(options)])
        .map_err(joined)?;
    if again.as_operation().to_string() != text {
        return Err("merged twice from the same text, it differs".to_owned());
    }
    if flow_of(&again) != before {
        return Err(format!("the flow has changed\n{text}"));
    }
    let mut checked = Vec::new();
    for pass in reordering {
        checked.extend([
            passes::verify_schedule(VerifyMode::Record),
            pass,
            passes::verify_schedule(VerifyMode::Check),
        ]);
    }
    checked.push(passes::verify_futures());
    session
        .run_on_functions(&mut merged, checked)
        .map_err(|errors| format!("{}\n{text}", errors.join("\n")))?;
    Ok(counts)
}

#[test]
fn random_programs_flow_as_before() {
    let count = std::env::var("COMM_BUCKET_CASES")
        .ok()
        .and_then(|text| text.parse().ok());
    let mut saved = 0;
    for seed in 0..count.unwrap_or(150_u64) {
        let session = Session::new(false);
        let text = generate::program(seed, Shape::any(4 + (seed as usize * 7) % 60));
        let mut rng = Rng::with_seed(seed ^ 0xb0c);
        let load = || session.parse(&text).map_err(|errors| errors.join("\n"));
        for _ in 0..3 {
            let options = any_options(&mut rng);
            match check(&session, load, &options, vec![fast()]) {
                Ok((before, after)) => saved += before - after,
                Err(error) => panic!("seed {seed}: {options:?}\n{error}\n{text}"),
            }
        }
    }
    assert!(saved > 20, "only {saved} collectives were merged into others");
}

fn load<'c>(session: &'c Session, program: &Program) -> Result<Module<'c>, String> {
    let mut module = session.parse(&program.text).map_err(|errors| errors.join("\n"))?;
    let manager = PassManager::new(&session.context);
    match program.origin {
        Origin::Jax => manager.add_pass(passes::import_stablehlo(&ImportStablehloOptions {
            split_barriers: true,
            ..Default::default()
        })),
        Origin::Torch => manager.add_pass(passes::import_torch(&ImportTorchOptions {
            groups: vec!["0=0.1.2.3.4.5.6.7".into()],
        })),
        Origin::Thunder => {}
    }
    manager.nested_under("func.func").add_pass(passes::asyncify());
    manager
        .run(&mut module)
        .map_err(|_| session.diagnostics().join("\n"))?;
    Ok(module)
}

#[test]
fn real_programs_flow_as_before() {
    let mut saved = 0;
    for program in programs::all().expect("the programs can be read") {
        for (mode, bytes) in [
            (BucketMode::Cost, 0),
            (BucketMode::Bytes, u64::MAX),
            (BucketMode::Bytes, 30 << 20),
            (BucketMode::Name, 0),
        ] {
            let session = Session::new(false);
            let options = BucketOptions {
                mode,
                bytes,
                ..BucketOptions::default()
            };
            let reordering = vec![passes::sort(&SortOptions::default()), fast()];
            match check(&session, || load(&session, &program), &options, reordering) {
                Ok((before, after)) => saved += before - after,
                Err(error) => panic!("{}: {options:?}\n{:.4000}", program.name, error),
            }
        }
    }
    assert!(saved > 1000, "only {saved} collectives were merged into others");
}
