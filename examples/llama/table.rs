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

/// Schedules the step in all ways, with `effort` where nothing else is said.
pub fn rows(step: &Step, situation: Situation<'_>, effort: Effort) -> Result<Rows, Box<dyn Error>> {
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
    let whole = |memory_limit| schedule(effort, View::Whole, memory_limit);
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
            row("... traces apart", schedule(effort, View::Halves, None))?,
            row("... memory of merged", whole(Some(peak)))?,
            row("... least memory", whole(Some(least_bytes(&source, effort)?)))?,
        ],
    })
}

/// The least memory limit that `comm-schedule` says it can keep.
pub fn least_bytes(problem: &Problem, effort: Effort) -> Result<u64, Box<dyn Error>> {
    match schedule(problem, &under(effort, Some(0))) {
        Err(ScheduleError::LimitNotMet {
            limited: Limited::Memory,
            least,
            ..
        }) => Ok(least),
        Err(error) => Err(error.into()),
        Ok(_) => Err("a step that needs no memory".into()),
    }
}

/// The options of the scheduler itself for those of the pass.
pub fn under(effort: Effort, memory_limit: Option<u64>) -> comm_schedule::ScheduleOptions {
    comm_schedule::ScheduleOptions {
        memory_limit,
        effort: match effort {
            Effort::Fast => comm_schedule::Effort::Fast,
            Effort::Default => comm_schedule::Effort::Default,
            Effort::Exact => comm_schedule::Effort::Exact,
        },
        ..Default::default()
    }
}
