// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-sort` promises, on random programs of IR.
//!
//! `COMM_SORT_CASES` sets how many programs are tried; a failure names the seed and shows the smallest program of that
//! seed that fails.

mod common;

use common::{
    check, generate,
    generate::Shape,
    ir, moves,
    run::{Session, any_options, least_limits},
    shrink,
};
use fastrand::Rng;
use melior::ir::{Module, operation::OperationLike};
use mlir_comm::passes::{self, GatherPlacement, ReductionPlacement, SortOptions, TieBreak};

/// A property that does not hold, as `format!` makes it.
macro_rules! fail {
    ($($text:tt)*) => { Failure::Property(format!($($text)*)) };
}

fn cases(default: u64) -> u64 {
    std::env::var("COMM_SORT_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// Runs a property on programs of many seeds; where it fails, on the smallest program of that seed that fails.
fn for_programs(count: u64, property: impl Fn(&Session, &str, &mut Rng) -> Result<(), Failure>) {
    let mut session = Session::new(false);
    for seed in 0..count {
        // Attributes and locations of a context are never freed.
        if seed % 200 == 199 {
            session = Session::new(false);
        }
        let steps = 4 + (seed as usize * 7) % 50;
        let text = generate::program(seed, Shape::any(steps));
        let run = |text: &str| property(&session, text, &mut Rng::with_seed(seed ^ 0x5eed));
        if let Err(Failure::Property(_)) = run(&text) {
            let small = shrink::shrink(&text, |text| matches!(run(text), Err(Failure::Property(_))));
            let error = run(&small).err();
            panic!(
                "seed {seed}: {}\n{small}",
                error.map(|error| error.to_string()).unwrap_or_default()
            );
        } else if let Err(Failure::Input(error)) = run(&text) {
            panic!("seed {seed}: {error}\n{text}");
        }
    }
}

/// Why a property does not hold.
#[derive(Debug)]
enum Failure {
    /// The program is none.
    Input(String),
    /// The pass is wrong.
    Property(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (Self::Input(text) | Self::Property(text)) = self;
        f.write_str(text)
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self::Property(text)
    }
}

/// The module of a text, tagged.
fn load<'c>(session: &'c Session, text: &str) -> Result<Module<'c>, Failure> {
    let module = session
        .parse(text)
        .map_err(|errors| Failure::Input(format!("does not parse: {errors:?}")))?;
    if !module.as_operation().verify() {
        return Err(Failure::Input(format!(
            "does not verify: {:?}",
            session.diagnostics()
        )));
    }
    ir::tag(&module);
    Ok(module)
}

/// Sorts; where a limit cannot be met, with the least that can, which the diagnostics name.
fn sort(session: &Session, module: &mut Module, options: &SortOptions) -> Result<SortOptions, Failure> {
    let mut options = options.clone();
    // Raising one limit may show that the other cannot be met, or that another block needs more.
    loop {
        let before = module.as_operation().to_string();
        let errors = match session.run_on_functions(module, [passes::sort(&options)]) {
            Ok(()) => return Ok(options),
            Err(errors) => errors,
        };
        if module.as_operation().to_string() != before {
            return Err(fail!("the pass failed and left a changed function: {errors:?}"));
        }
        let Some((gathers, reductions)) = least_limits(&errors) else {
            return Err(fail!("fails: {errors:?}"));
        };
        for (limit, least) in [
            (&mut options.max_in_flight, gathers),
            (&mut options.max_in_flight_reductions, reductions),
        ] {
            if let Some(least) = least {
                if *limit == 0 || least <= *limit {
                    return Err(fail!("names a least limit that was asked for: {errors:?}"));
                }
                *limit = least;
            }
        }
    }
}

/// The lines from the first to the last that differ.
fn differences(one: &str, other: &str) -> String {
    let (one, other): (Vec<_>, Vec<_>) = (one.lines().collect(), other.lines().collect());
    let head = one
        .iter()
        .zip(&other)
        .take_while(|(one, other)| one == other)
        .count();
    let most = one.len().min(other.len()) - head;
    let tail = one
        .iter()
        .rev()
        .zip(other.iter().rev())
        .take(most)
        .take_while(|(one, other)| one == other)
        .count();
    let part = |lines: &[&str], sign: &str| {
        lines[head..lines.len() - tail]
            .iter()
            .map(|line| format!("{sign} {line}\n"))
            .collect::<String>()
    };
    part(&one, "-") + &part(&other, "+")
}

#[test]
fn a_sort_keeps_ops_order_and_limits_and_places_communication_by_consumers_and_producers() {
    for_programs(cases(60), |session, text, rng| {
        let mut module = load(session, text)?;
        let before = ir::snapshot(&module);
        let options = sort(session, &mut module, &any_options(rng))?;
        let after = ir::snapshot(&module);
        check::check(&before, &after, &options)
            .map_err(|error| fail!("{error}\n{options:?}\nsorted: {}", module.as_operation()))?;

        let once = module.as_operation().to_string();
        session
            .run_on_functions(&mut module, [passes::sort(&options)])
            .map_err(|errors| fail!("again: {errors:?}"))?;
        let twice = module.as_operation().to_string();
        if once == twice {
            Ok(())
        } else {
            Err(fail!(
                "sorted again, it changes\n{options:?}\n{}",
                differences(&once, &twice)
            ))
        }
    });
}

#[test]
fn a_sort_does_not_see_names_nor_orders_that_mean_nothing() {
    for_programs(cases(40), |session, text, rng| {
        let options = SortOptions {
            ties: TieBreak::EGraph,
            reduce_scatter: ReductionPlacement::Early,
            ..any_options(rng)
        };
        let all_gather = if rng.bool() {
            GatherPlacement::Late
        } else {
            GatherPlacement::First
        };
        let options = SortOptions {
            all_gather,
            ..options
        };
        let mut module = load(session, text)?;
        let options = sort(session, &mut module, &options)?;
        let expected = ir::snapshot(&module).canonical();
        for round in 0..3 {
            let mut other = load(session, &moves::rename(text, rng))?;
            moves::permute_arguments(&other, rng);
            moves::shuffle(&other, rng);
            if !other.as_operation().verify() {
                return Err(fail!("the shuffle is illegal: {:?}", session.diagnostics()));
            }
            let shuffled = other.as_operation().to_string();
            let met = sort(session, &mut other, &options)?;
            if met != options {
                return Err(fail!(
                    "limits of a shuffled program differ: {met:?} instead of {options:?}"
                ));
            }
            let got: Vec<String> = ir::snapshot(&other)
                .canonical()
                .into_iter()
                .map(|line| line.replace("renamed", "mesh"))
                .collect();
            if got != expected {
                return Err(fail!(
                    "round {round} gives another order\n{options:?}\n{}\nshuffled: {shuffled}",
                    differences(&expected.join("\n"), &got.join("\n"))
                ));
            }
        }
        Ok(())
    });
}
