// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makes `docs/gains.md`: bytes sent, collectives, modelled step time and peak memory of every JAX program in
//! `test/programs`, before and after `comm-simplify`, `comm-bucket` and `comm-schedule`, alone and together. Fails where
//! one of these figures is worse than of doing nothing.
//!
//! ```text
//! cargo run --release --example gains > docs/gains.md
//! ```

#[path = "../overlap/programs.rs"]
#[allow(dead_code)]
mod programs;
mod regather;

use std::{error::Error, process::ExitCode};

use comm_schedule::{NodeId, memory, timeline};
use melior::{ir::Module, pass::PassManager};
use mlir_comm::{
    measure::measure,
    passes::{self, BucketOptions, FloatingPoint, ImportStablehloOptions, ScheduleOptions, SimplifyOptions},
    timeline::{ProgramOptions, problem},
};

use programs::{Origin, Program, all};

/// Passes that a program goes through after import.
#[derive(Clone, Copy)]
struct Passes {
    simplify: bool,
    bucket: bool,
    schedule: bool,
}

const VARIANTS: [(&str, Passes); 7] = [
    ("nothing", Passes::new(false, false, false)),
    ("simplify", Passes::new(true, false, false)),
    ("bucket", Passes::new(false, true, false)),
    ("schedule", Passes::new(false, false, true)),
    ("simplify, schedule", Passes::new(true, false, true)),
    ("bucket, schedule", Passes::new(false, true, true)),
    ("simplify, bucket, schedule", Passes::new(true, true, true)),
];

impl Passes {
    const fn new(simplify: bool, bucket: bool, schedule: bool) -> Self {
        Self {
            simplify,
            bucket,
            schedule,
        }
    }
}

/// What a program needs.
struct Row {
    sent_bytes: u64,
    collectives: usize,
    step_ns: u64,
    peak_bytes: u64,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    print!("{}", include_str!("head.md"));
    println!("| program | passes | sent | collectives | step | peak |");
    println!("|---|---|--:|--:|--:|--:|");
    let mut worse = Vec::new();
    for program in all()?.iter().filter(|program| program.origin == Origin::Jax) {
        let mut nothing = None;
        let peak = row(program, Passes::new(false, false, false), None)?.peak_bytes;
        for (name, passes) in VARIANTS {
            let row = row(program, passes, Some(peak))?;
            println!(
                "| {} | {name} | {:.3} MB | {} | {:.1} us | {:.3} MB |",
                if nothing.is_none() {
                    program.name.as_str()
                } else {
                    ""
                },
                row.sent_bytes as f64 / 1e6,
                row.collectives,
                row.step_ns as f64 / 1e3,
                row.peak_bytes as f64 / 1e6,
            );
            let figures = [
                row.sent_bytes,
                row.collectives as u64,
                row.step_ns,
                row.peak_bytes,
            ];
            let before = *nothing.get_or_insert(figures);
            if figures.iter().zip(before).any(|(&after, before)| after > before) {
                worse.push(format!("{} after {name}", program.name));
            }
        }
    }
    print!("{}", include_str!("regather.md"));
    if !regather::sweep("zero3_L2_llama7b_train")? {
        worse.push("a choice between keeping and gathering again".to_owned());
    }
    if worse.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("worse than doing nothing: {}", worse.join(", "));
    Ok(ExitCode::FAILURE)
}

/// What a program needs after some passes, which keep a limit of memory.
fn row(program: &Program, passes: Passes, memory_limit: Option<u64>) -> Result<Row, Box<dyn Error>> {
    let context = mlir_comm::context();
    let mut module =
        Module::parse(&context, &program.text).ok_or_else(|| format!("{} does not parse", program.name))?;
    let manager = PassManager::new(&context);
    manager.add_pass(passes::import_stablehlo(&ImportStablehloOptions {
        split_barriers: true,
        ..Default::default()
    }));
    let functions = manager.nested_under("func.func");
    functions.add_pass(passes::asyncify());
    if passes.simplify {
        functions.add_pass(passes::simplify(&SimplifyOptions {
            fp: FloatingPoint::Reassociate,
            ..Default::default()
        }));
    }
    if passes.bucket {
        functions.add_pass(passes::bucket(&BucketOptions {
            memory_limit,
            ..Default::default()
        }));
    }
    if passes.schedule {
        functions.add_pass(passes::schedule(&ScheduleOptions {
            memory_limit,
            ..Default::default()
        }));
    }
    manager
        .run(&mut module)
        .map_err(|error| format!("{}: {error}", program.name))?;
    let figures = measure(&module).ok_or_else(|| format!("{} cannot be measured", program.name))?;
    let top = problem(&module, &ProgramOptions::default())?;
    let order: Vec<NodeId> = top.problem.ids().collect();
    let mut live = memory::profile(&top.problem, &order);
    for inside in &top.inside {
        live[inside.node.index()] += inside.peak_bytes;
    }
    Ok(Row {
        sent_bytes: figures.iter().map(|(_, figures)| figures.sent_bytes).sum(),
        collectives: figures.iter().map(|(_, figures)| figures.collectives).sum(),
        step_ns: timeline(&top.problem, &order).step_ns,
        peak_bytes: live.into_iter().max().unwrap_or(0),
    })
}
