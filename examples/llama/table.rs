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
    variants::{Figures, Variant, bound, figures, scheduled},
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
            figures: figures(&problem(variant)?),
        })
    };
    let schedule = |effort, view, memory_limit| Variant::Schedule {
        effort,
        view,
        memory_limit,
    };
    let whole = |memory_limit| schedule(Effort::Default, View::Whole, memory_limit);
    let source = problem(Variant::Source)?;
    let merged = row("merged", Variant::Merged)?;
    let peak = merged.figures.peak_bytes;
    Ok(Rows {
        bound_ns: bound(&source).ns,
        rows: vec![
            row("source order", Variant::Source)?,
            merged,
            row("two sorts", Variant::TwoSorts)?,
            row("`comm-schedule`, fast", schedule(Effort::Fast, View::Whole, None))?,
            row("`comm-schedule`", whole(None))?,
            row("... traces apart", schedule(Effort::Default, View::Halves, None))?,
            row("... memory of merged", whole(Some(peak)))?,
            row("... least memory", whole(Some(least_bytes(&source)?)))?,
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
