// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-schedule` promises of every order, on random programs of IR with regions, effects and several groups.
//!
//! `COMM_SCHEDULE_CASES` sets how many programs are tried; a failure names the seed and shows the smallest program of that
//! seed that fails.

mod common;

use common::{check, generate, generate::Shape, ir, run::Session, shrink};
use fastrand::Rng;
use melior::{
    ir::{Module, operation::OperationLike},
    pass::Pass,
};
use mlir_comm::passes::{self, Effort, ScheduleOptions, VerifyMode};

fn cases(default: u64) -> u64 {
    std::env::var("COMM_SCHEDULE_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// Runs a property on programs of many seeds; where it fails, on the smallest program of that seed that fails.
fn for_programs(count: u64, property: impl Fn(&Session, &str, &mut Rng) -> Result<(), String>) {
    for seed in 0..count {
        // Attributes and locations of a context are never freed.
        let session = Session::new(false);
        let text = generate::program(seed, Shape::any(4 + (seed as usize * 7) % 40));
        let run = |text: &str| property(&session, text, &mut Rng::with_seed(seed ^ 0x5eed));
        if let Err(error) = run(&text) {
            let small = shrink::shrink(&text, |text| is_legal(&session, text) && run(text).is_err());
            let of_small = run(&small).err().unwrap_or_default();
            panic!("seed {seed}: {error}\nthe smallest: {of_small}\n{small}");
        }
    }
}

/// Whether a text is a program that the pass takes.
fn is_legal(session: &Session, text: &str) -> bool {
    session.parse(text).is_ok_and(|mut module| {
        module.as_operation().verify()
            && session
                .run_on_functions(&mut module, [passes::verify_futures()])
                .is_ok()
    })
}

fn load<'c>(session: &'c Session, text: &str) -> Result<Module<'c>, String> {
    let module = session.parse(text).map_err(|errors| errors.join("\n"))?;
    ir::tag(&module);
    Ok(module)
}

/// Any options without limits.
fn any_effort(rng: &mut Rng) -> ScheduleOptions {
    ScheduleOptions {
        machine: ["a100-8", "h100-8", "b200-8"][rng.usize(0..3)].to_owned(),
        effort: if rng.u8(0..4) == 0 {
            Effort::Default
        } else {
            Effort::Fast
        },
        ..ScheduleOptions::default()
    }
}

/// The pass between the two halves of `comm-verify-schedule`, which computes dependences of its own.
fn checked(options: &ScheduleOptions) -> Vec<Pass> {
    vec![
        passes::verify_schedule(VerifyMode::Record),
        passes::schedule(options),
        passes::verify_schedule(VerifyMode::Check),
        passes::verify_futures(),
    ]
}

#[test]
fn the_same_ops_in_an_order_that_keeps_every_dependence_and_stays() {
    for_programs(cases(60), |session, text, rng| {
        let options = any_effort(rng);
        let mut module = load(session, text)?;
        let before = ir::snapshot(&module);
        session
            .run_on_functions(&mut module, checked(&options))
            .map_err(|errors| errors.join("\n"))?;
        check::same_ops(&before, &ir::snapshot(&module))?;
        let once = module.as_operation().to_string();

        let mut other = load(session, text)?;
        session
            .run_on_functions(&mut other, checked(&options))
            .map_err(|errors| errors.join("\n"))?;
        if other.as_operation().to_string() != once {
            return Err("scheduled twice from the same text, it differs".to_owned());
        }

        session
            .run_on_functions(&mut module, checked(&options))
            .map_err(|errors| errors.join("\n"))?;
        if module.as_operation().to_string() != once {
            return Err(format!(
                "scheduled again, it changes\n{once}\n{}",
                module.as_operation()
            ));
        }
        Ok(())
    });
}

/// The least limits that errors name, of memory, of collectives and of bytes in flight.
fn least_limits(errors: &[String]) -> Option<[Option<u64>; 3]> {
    let mut least = [None; 3];
    for text in errors {
        let (what, rest) = text.split_once(" cannot be kept; ")?;
        let number: u64 = rest.split(' ').next()?.parse().ok()?;
        let kind = ["bytes live at once", "collectives in flight", "bytes in flight"]
            .iter()
            .position(|kind| what.contains(kind))?;
        least[kind] = Some(number);
    }
    (!errors.is_empty()).then_some(least)
}

#[test]
fn a_limit_is_kept_or_refused_with_the_least_that_is_and_nothing_changed() {
    for_programs(cases(60), |session, text, rng| {
        let mut options = any_effort(rng);
        let kind = rng.usize(0..3);
        match kind {
            0 => options.memory_limit = Some(rng.u64(0..6000)),
            1 => options.max_in_flight = 1,
            _ => options.max_in_flight_bytes = rng.u64(1..1500),
        }
        let mut module = load(session, text)?;
        let before = module.as_operation().to_string();
        let Err(errors) = session.run_on_functions(&mut module, [passes::schedule(&options)]) else {
            return Ok(());
        };
        if module.as_operation().to_string() != before {
            return Err(format!("failed, and left a changed function: {errors:?}"));
        }
        // No limit in flight is kept from block to block.
        if kind != 0
            && errors
                .iter()
                .any(|error| error.contains("is awaited in another block"))
        {
            return Ok(());
        }
        let least = least_limits(&errors).ok_or_else(|| format!("no limit is named: {errors:?}"))?;
        let met = least[kind].ok_or_else(|| format!("another limit is named: {errors:?}"))?;
        let with = |limit: u64| {
            let mut options = options.clone();
            match kind {
                0 => options.memory_limit = Some(limit),
                1 => options.max_in_flight = limit as u32,
                _ => options.max_in_flight_bytes = limit,
            }
            options
        };
        let mut module = load(session, text)?;
        session
            .run_on_functions(&mut module, checked(&with(met)))
            .map_err(|errors| format!("the limit {met} that was named is not met: {errors:?}"))?;
        // Just below it the same one is named; with memory inside of regions, the best found by another way may be less.
        if kind == 0 || met > 1 {
            let mut module = load(session, text)?;
            match session.run_on_functions(&mut module, [passes::schedule(&with(met - 1))]) {
                Ok(()) if kind == 0 && text.contains("scf.") => {}
                Ok(()) => return Err(format!("the limit {met} is named, but {} is met", met - 1)),
                Err(errors) if least_limits(&errors).and_then(|least| least[kind]) == Some(met) => {}
                Err(errors) => return Err(format!("below the limit {met} another is named: {errors:?}")),
            }
        }
        Ok(())
    });
}
