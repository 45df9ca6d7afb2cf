// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The ways to schedule a step that are compared, and what each costs by the timing model.

use std::error::Error;

use comm_schedule::{
    NodeId, Problem,
    bounds::{Bound, lower_bound},
    in_flight, memory, timeline,
};
use melior::{Context, ir::Module, pass::PassManager};
use mlir_comm::{
    passes::{self, Effort, GatherPlacement, ReductionPlacement, ScheduleOptions, SortOptions},
    timeline::{ProgramOptions, problem},
};

use super::{
    buckets::reductions_awaited_last,
    print::{View, module},
    trace::{Step, Zero},
};

/// A way to schedule a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// As Thunder traces it.
    Source,
    /// What Thunder merged: gathers in the order of their consumers, limited in flight; reductions where they were,
    /// awaited at the end.
    Merged,
    /// The two sorts of Thunder's pull request: gathers as above, reductions as soon as their gradient is there, awaited as
    /// late as possible.
    TwoSorts,
    /// This project's `comm-schedule`.
    Schedule {
        effort: Effort,
        view: View,
        memory_limit: Option<u64>,
    },
}

/// What a schedule costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    pub step_ns: u64,
    /// How long nothing is computed.
    pub exposed_ns: u64,
    /// Most bytes live at once, arguments apart.
    pub peak_bytes: u64,
    /// Most gathers in flight at once, and most reductions.
    pub gathers: u32,
    pub reductions: u32,
}

/// Schedules a step for a machine, and says what the result is as a problem whose order is the schedule.
pub fn scheduled(
    step: &Step,
    zero: Zero,
    variant: Variant,
    machine: &str,
) -> Result<Problem, Box<dyn Error>> {
    let sunk;
    let (step, view) = match variant {
        Variant::Merged => {
            sunk = reductions_awaited_last(step);
            (&sunk, View::Halves)
        }
        Variant::TwoSorts => (step, View::Halves),
        Variant::Source => (step, View::Whole),
        Variant::Schedule { view, .. } => (step, view),
    };
    let context: Context = mlir_comm::context();
    context.set_allow_unregistered_dialects(true);
    let text = module(step, view)?;
    let mut module = Module::parse(&context, &text).ok_or("the step does not parse")?;
    let manager = PassManager::new(&context);
    let functions = manager.nested_under("func.func");
    match variant {
        Variant::Source => {}
        Variant::Merged => functions.add_pass(passes::sort(&sort_options(zero, ReductionPlacement::Keep))),
        Variant::TwoSorts => functions.add_pass(passes::sort(&sort_options(zero, ReductionPlacement::Early))),
        Variant::Schedule {
            effort, memory_limit, ..
        } => functions.add_pass(passes::schedule(&ScheduleOptions {
            machine: machine.to_owned(),
            effort,
            memory_limit,
            ..Default::default()
        })),
    }
    functions.add_pass(passes::verify_futures());
    manager.run(&mut module)?;
    let options = ProgramOptions {
        machine: Some(machine.to_owned()),
        ..Default::default()
    };
    Ok(problem(&module, &options)?.problem)
}

/// Thunder limits the gathers in flight to 3 where they are made again in backward, and else not at all.
fn sort_options(zero: Zero, reductions: ReductionPlacement) -> SortOptions {
    SortOptions {
        all_gather: GatherPlacement::Late,
        reduce_scatter: reductions,
        max_in_flight: match zero {
            Zero::Two => 0,
            Zero::Three => 3,
        },
        max_in_flight_reductions: 0,
        ..Default::default()
    }
}

/// What the order of a problem's nodes costs.
pub fn figures(problem: &Problem) -> Figures {
    let order: Vec<NodeId> = problem.ids().collect();
    let timeline = timeline(problem, &order);
    let flight = in_flight(problem, &order);
    Figures {
        step_ns: timeline.step_ns,
        exposed_ns: timeline.total_exposed_ns(),
        peak_bytes: memory::peak(problem, &order),
        gathers: flight.gathers(),
        reductions: flight.reductions(),
    }
}

/// The best bound on the step time of any order of a problem, with as much work as `comm-schedule` spends on it by default.
pub fn bound(problem: &Problem) -> Bound {
    lower_bound(problem, 20_000_000)
}
