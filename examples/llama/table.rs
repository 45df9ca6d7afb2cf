// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The rows of the table: a step under each variant.

use std::error::Error;

use comm_schedule::{Limited, Machine, Problem, ScheduleError, schedule};
use mlir_comm::passes::Effort;

use super::{
    buckets::by_block,
    fuse::fused,
    print::View,
    trace::{Step, Zero},
    variants::{Figures, Variant, bound_ns, figures, scheduled},
};

/// A step on a machine.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The name of a preset, or the path of a file.
    pub machine: &'a str,
    pub zero: Zero,
    /// Whether there is one collective a transformer block.
    pub has_buckets: bool,
    /// Whether elementwise ops cost what they would if they were fused.
    pub is_fused: bool,
}

/// A variant and what it costs.
#[derive(Clone, Debug)]
pub struct Row {
    pub label: &'static str,
    pub variant: Variant,
    pub figures: Figures,
}

/// All rows of a situation.
#[derive(Clone, Debug)]
pub struct Rows {
    pub rows: Vec<Row>,
    /// No order takes less.
    pub bound_ns: u64,
}

/// The trace as it is in a situation.
pub fn step(trace: &Step, situation: Situation<'_>) -> Result<Step, Box<dyn Error>> {
    let step = if situation.has_buckets {
        by_block(trace)
    } else {
        trace.clone()
    };
    Ok(if situation.is_fused {
        fused(&step, &Machine::load(situation.machine)?)
    } else {
        step
    })
}

/// Schedules the step in all ways.
pub fn rows(step: &Step, situation: Situation<'_>) -> Result<Rows, Box<dyn Error>> {
    let Situation { machine, zero, .. } = situation;
    let problem = |variant| scheduled(step, zero, variant, machine);
    let row = |label, variant| -> Result<Row, Box<dyn Error>> {
        Ok(Row {
            label,
            variant,
            figures: figures(&problem(variant)?),
        })
    };
    let schedule = |effort, view, memory_limit| Variant::Schedule {
        effort,
        view,
        memory_limit,
    };
    let whole = |effort, memory_limit| schedule(effort, View::Whole, memory_limit);
    let source = problem(Variant::Source)?;
    let merged = row("merged", Variant::Merged)?;
    let peak = Some(merged.figures.peak_bytes);
    let least = Some(least_bytes(&source)?);
    Ok(Rows {
        bound_ns: bound_ns(&source),
        rows: vec![
            row("source order", Variant::Source)?,
            merged,
            row("two sorts", Variant::TwoSorts)?,
            row("`comm-schedule`, fast", whole(Effort::Fast, None))?,
            row("`comm-schedule`", whole(Effort::Default, None))?,
            row("the same, halves apart", schedule(Effort::Default, View::Halves, None))?,
            row("the same, memory of merged, fast", whole(Effort::Fast, peak))?,
            row("the same, memory of merged", whole(Effort::Default, peak))?,
            row("the same, least memory", whole(Effort::Default, least))?,
        ],
    })
}

/// The least memory limit that `comm-schedule` says it can keep.
pub fn least_bytes(problem: &Problem) -> Result<u64, Box<dyn Error>> {
    let options = comm_schedule::ScheduleOptions {
        memory_limit: Some(0),
        ..Default::default()
    };
    match schedule(problem, &options) {
        Err(ScheduleError::LimitNotMet {
            limited: Limited::Memory,
            least,
            ..
        }) => Ok(least),
        Err(error) => Err(error.into()),
        Ok(_) => Err("a step that needs no memory".into()),
    }
}
