// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-schedule` on the real programs of test/programs.

mod common;
#[allow(dead_code)] // Its figures of one sort are for the tables and tests/overlap.rs.
#[path = "../examples/overlap/programs.rs"]
mod programs;

use common::{check, ir, run::Session};
use melior::{ir::Module, pass::PassManager};
use mlir_comm::{
    measure::measure,
    passes::{self, Effort, ImportStablehloOptions, ImportTorchOptions, ScheduleOptions, VerifyMode},
};
use programs::{Origin, Program};

/// The program with all collectives started and awaited where they stood.
fn load<'c>(session: &'c Session, program: &Program) -> Module<'c> {
    let mut module = session
        .parse(&program.text)
        .unwrap_or_else(|errors| panic!("{}: {errors:?}", program.name));
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
    if manager.run(&mut module).is_err() {
        panic!("{}: {:?}", program.name, session.diagnostics());
    }
    ir::tag(&module);
    module
}

/// Schedules between the two halves of `comm-verify-schedule`.
fn schedule(session: &Session, module: &mut Module, options: &ScheduleOptions, name: &str) {
    let passes = [
        passes::verify_schedule(VerifyMode::Record),
        passes::schedule(options),
        passes::verify_schedule(VerifyMode::Check),
        passes::verify_futures(),
    ];
    if let Err(errors) = session.run_on_functions(module, passes) {
        panic!("{name}: {errors:?}\n{options:?}");
    }
}

/// The largest peak of a function, and most collectives of a class in flight on a stream.
fn figures(module: &Module, name: &str) -> (u64, u32) {
    let figures = measure(module).unwrap_or_else(|| panic!("{name} cannot be measured"));
    let peak = figures.iter().map(|(_, figures)| figures.peak_bytes).max();
    let in_flight = figures.iter().map(|(_, figures)| {
        let [gathers, reductions, others] = [figures.gathers, figures.reductions, figures.others];
        gathers.in_flight.max(reductions.in_flight).max(others.in_flight)
    });
    (peak.unwrap_or(0), in_flight.max().unwrap_or(0))
}

fn check_origin(origin: Origin, least: usize) {
    let programs = programs::all().expect("the programs can be read");
    let programs: Vec<&Program> = programs
        .iter()
        .filter(|program| program.origin == origin)
        .collect();
    assert!(programs.len() >= least, "only {} programs", programs.len());
    for program in programs {
        let name = &program.name;
        let session = Session::new(false);
        let fast = ScheduleOptions {
            effort: Effort::Fast,
            ..ScheduleOptions::default()
        };
        let mut module = load(&session, program);
        let (source_peak, _) = figures(&module, name);
        let before = ir::snapshot(&module);
        schedule(&session, &mut module, &fast, name);
        if let Err(error) = check::same_ops(&before, &ir::snapshot(&module)) {
            panic!("{name}: {error}");
        }
        let once = module.as_operation().to_string();
        schedule(&session, &mut module, &fast, name);
        assert!(
            once == module.as_operation().to_string(),
            "{name} changes when it is scheduled again"
        );

        // What the source order needs is enough for it, so it is no limit that can be refused.
        let mut module = load(&session, program);
        let limited = ScheduleOptions {
            memory_limit: Some(source_peak),
            ..fast.clone()
        };
        let has_regions = once.contains("stablehlo.while") || once.contains("stablehlo.case");
        if !has_regions {
            schedule(&session, &mut module, &limited, name);
            let (peak, _) = figures(&module, name);
            assert!(peak <= source_peak, "{name}: {peak} bytes, {source_peak} allowed");
        }

        let mut module = load(&session, program);
        let one = ScheduleOptions {
            max_in_flight: 1,
            ..fast.clone()
        };
        schedule(&session, &mut module, &one, name);
        let (_, in_flight) = figures(&module, name);
        assert!(in_flight <= 1, "{name}: {in_flight} in flight");
    }
}

#[test]
fn thunder_traces() {
    check_origin(Origin::Thunder, 8);
}

#[test]
fn jax_programs() {
    check_origin(Origin::Jax, 22);
}

#[test]
fn torch_programs() {
    check_origin(Origin::Torch, 5);
}
