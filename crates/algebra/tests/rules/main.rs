// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Every rule, in every direction, on random programs; and every condition of it, shown to be needed.

mod judge;
mod make;
mod makers;

use comm_algebra::{
    Program,
    rules::{self, Condition, Direction, Fp, Law, applications},
};
use judge::{Verdict, judge};
use make::Make;

/// Programs on which every law has to hold.
const INSTANCES: usize = 1000;
/// Programs that a maker may make to find them.
const TRIES: u64 = 60_000;
/// Programs that violate one condition.
const VIOLATIONS: usize = 60;

fn programs(name: &str, direction: Direction) -> impl Iterator<Item = (u64, Program)> {
    let make = makers::maker(name, direction);
    (0..TRIES).filter_map(move |seed| {
        let mut m = Make::new(seed);
        let root = make(&mut m)?;
        m.program.set_results(&[root]).unwrap();
        Some((seed, m.program))
    })
}

fn laws_of_all() -> impl Iterator<Item = (&'static rules::Rule, Direction, Law)> {
    rules::all().flat_map(|rule| {
        [Direction::Forward, Direction::Backward]
            .into_iter()
            .filter_map(move |direction| Some((rule, direction, rule.law(direction)?)))
    })
}

/// What the tests count, for the report.
#[derive(Default)]
struct Count {
    programs: usize,
    applications: usize,
    not_bitwise: usize,
}

fn check_law(rule: &rules::Rule, direction: Direction, law: Law) -> Result<Count, String> {
    let mut count = Count::default();
    for (seed, program) in programs(rule.name, direction) {
        let (found, faults) = applications(&program, law, None);
        if faults > 0 {
            return Err(format!(
                "{} {direction:?}, seed {seed}: a right side has no type\n{program}",
                rule.name
            ));
        }
        for application in &found {
            let result = application.program.as_ref().expect("checked when it was found");
            let verdict = judge(&program, result, seed);
            let allowed = match application.fp {
                Fp::Exact => verdict == Verdict::Same,
                _ => verdict != Verdict::Different,
            };
            if !allowed || application.fp > rule.class {
                let fp = application.fp;
                let name = rule.name;
                return Err(format!(
                    "{name} {direction:?}, seed {seed}: {verdict:?} as {fp}\n{program}\n{result}"
                ));
            }
            count.not_bitwise += usize::from(verdict != Verdict::Same);
        }
        count.applications += found.len();
        count.programs += usize::from(!found.is_empty());
        if count.programs == INSTANCES {
            return Ok(count);
        }
    }
    Err(format!(
        "{} {direction:?}: only {} programs that the law applies to",
        rule.name, count.programs
    ))
}

/// How many of the programs that violate just this condition are changed, or made no program, by the law.
fn violate(rule: &rules::Rule, direction: Direction, law: Law, condition: Condition) -> [usize; 3] {
    let [mut violations, mut changed, mut nonsense] = [0; 3];
    for (seed, program) in programs(rule.name, direction) {
        for application in applications(&program, law, Some(condition)).0 {
            violations += 1;
            match application.program {
                Ok(result) => changed += usize::from(judge(&program, &result, seed) == Verdict::Different),
                Err(_) => nonsense += 1,
            }
        }
        if violations >= VIOLATIONS && (changed > 0 || nonsense == violations) {
            break;
        }
    }
    [violations, changed, nonsense]
}

#[test]
fn every_law_holds() {
    let mut failures = Vec::new();
    for (rule, direction, law) in laws_of_all() {
        let count = match check_law(rule, direction, law) {
            Ok(count) => count,
            Err(failure) => {
                failures.push(failure);
                continue;
            }
        };
        println!(
            "{:5} {direction:?}: {} programs, {} applications, {} not bitwise, {}",
            rule.name, count.programs, count.applications, count.not_bitwise, rule.class
        );
        assert!(rule.class != Fp::Exact || count.not_bitwise == 0);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// These say when there is a right side: without them it often has another type than the left one, or none.
const WELL_FORMED: [Condition; 4] = [
    Condition::Divides,
    Condition::SameDim,
    Condition::DifferentDim,
    Condition::Inverse,
];

#[test]
fn every_condition_is_needed() {
    let mut superfluous = Vec::new();
    for (rule, direction, law) in laws_of_all() {
        for &condition in law.conditions {
            let [violations, changed, nonsense] = violate(rule, direction, law, condition);
            println!(
                "{:5} {direction:?} without {condition}: {changed} changed and {nonsense} no program of {violations}",
                rule.name
            );
            let needed =
                changed > 0 || (WELL_FORMED.contains(&condition) && nonsense == violations && nonsense > 0);
            if !needed {
                superfluous.push(format!(
                    "{} {direction:?} {condition}: {violations} {nonsense}",
                    rule.name
                ));
            }
        }
    }
    assert!(superfluous.is_empty(), "{superfluous:#?}");
}

#[test]
fn conditions_that_are_not_declared_are_not_asked_for() {
    let all = [
        Condition::Replicated,
        Condition::SameSet,
        Condition::SameOrder,
        Condition::Disjoint,
        Condition::Nested,
        Condition::Square,
        Condition::SquareByBlocks,
        Condition::PositionConstant,
        Condition::Contributors,
        Condition::Single,
        Condition::Divides,
        Condition::SameDim,
        Condition::DifferentDim,
        Condition::Inverse,
        Condition::SameKind,
        Condition::IsSum,
        Condition::IsExtreme,
        Condition::Distributes,
        Condition::Linear,
        Condition::Monotone,
        Condition::KeepsZero,
        Condition::PermutesWithin,
        Condition::OuterKept,
        Condition::Embeds,
    ];
    for (rule, direction, law) in laws_of_all() {
        for (_, program) in programs(rule.name, direction).take(300) {
            for condition in all
                .into_iter()
                .filter(|condition| !law.conditions.contains(condition))
            {
                let (found, _) = applications(&program, law, Some(condition));
                assert!(
                    found.is_empty(),
                    "{} {direction:?} asks for {condition}",
                    rule.name
                );
            }
        }
    }
}

#[test]
fn names_are_told_apart() {
    let mut names: Vec<&str> = rules::all().map(|rule| rule.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(names.iter().all(|name| rules::by_name(name).is_some()));
}
