// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random programs compute the same before and after every pass, and what a direct evaluation says.
//!
//! Each program runs as it is given and after passes and pipelines, on two sets of inputs: small integers, for which results
//! are exact and those of an evaluator that shares no code with the compiler; and arbitrary numbers, for which results are
//! the same bits wherever additions keep their order, and within [`smooth_bound`] where they need not.
//! Every program that runs has been proved by `comm-verify-stream` before.
//!
//! `COMM_RANDOM_PROGRAMS` sets how many programs there are, `COMM_RANDOM_SEED` the seed of the first.

#[path = "random_runs/mod.rs"]
mod random;

use std::{
    collections::{BTreeMap, HashMap},
    time::Instant,
};

use comm_runtime::{Element, Options};
use fastrand::Rng;
use half::{bf16, f16};
use melior::Context;
use mlir_comm::runner::{
    Array, Difference, LowerOptions, Progress, RunnerError, Stage, Tolerance, lower, parse,
};
use random::{
    evaluate::{Control, evaluate},
    generate::{INPUT_BOUND, Style, generate},
    program::{Program, Shaped},
    text::write,
};

/// A way from the program to streams.
struct Road {
    passes: &'static str,
    streams: &'static str,
}

const fn road(passes: &'static str) -> Road {
    Road { passes, streams: "" }
}

const fn placed(passes: &'static str) -> Road {
    Road {
        passes,
        streams: "waits=placed",
    }
}

/// Passes that keep the order of additions.
const EXACT: &[Road] = &[
    placed(""),
    road("comm-asyncify"),
    placed("comm-asyncify"),
    road("comm-sort"),
    road("comm-asyncify;comm-sort"),
    placed("comm-asyncify;comm-sort{all-gather=first max-in-flight=0 max-in-flight-reductions=0}"),
    road("comm-asyncify;comm-sort{all-gather=keep reduce-scatter=keep ties=source}"),
    road("comm-asyncify;comm-sort{max-in-flight=1 max-in-flight-reductions=1 ties=source}"),
    road("comm-schedule{effort=fast}"),
    road("comm-asyncify;comm-schedule"),
    placed("comm-asyncify;comm-schedule{effort=fast machine=b200-8}"),
    road("comm-bucket{mode=bytes bytes=100000}"),
    road("comm-asyncify;comm-bucket{mode=bytes bytes=500};comm-sort"),
    placed("comm-asyncify;comm-bucket;comm-schedule"),
    road("comm-simplify"),
    placed("comm-simplify{gathers=choose memory-limit=100000};comm-asyncify;comm-sort"),
    road("comm-asyncify;comm-simplify{gathers=choose};comm-bucket;comm-schedule"),
    road(
        "canonicalize;cse;comm-simplify;comm-asyncify;comm-bucket{mode=bytes bytes=2000};comm-sort{all-gather=first}",
    ),
];

/// Passes that may add the same terms in another order.
const REASSOCIATED: &[Road] = &[
    road("comm-simplify{fp=reassociate}"),
    placed("comm-simplify{fp=reassociate};comm-asyncify;comm-bucket;comm-schedule"),
];

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// What ranks take: tensors, rounds, flags.
struct Inputs {
    arrays: Vec<Vec<Array>>,
    rounds: usize,
    flags: Vec<bool>,
}

/// Bytes of a number as an element type.
fn bytes(element: Element, number: f64) -> Vec<u8> {
    match element {
        Element::F64 => number.to_ne_bytes().to_vec(),
        Element::F32 => (number as f32).to_ne_bytes().to_vec(),
        Element::F16 => f16::from_f64(number).to_ne_bytes().to_vec(),
        Element::Bf16 => bf16::from_f64(number).to_ne_bytes().to_vec(),
        _ => (number as i32).to_ne_bytes().to_vec(),
    }
}

/// Inputs of a program: integers, or any numbers, of magnitude up to [`INPUT_BOUND`].
fn inputs(program: &Program, seed: u64, is_integer: bool) -> Inputs {
    let mut rng = Rng::with_seed(seed);
    let rounds = rng.usize(0..=3);
    let flags: Vec<bool> = (0..program.ranks).map(|_| rng.bool()).collect();
    let arrays = flags.iter().map(|&flag| {
        let tensors = program.body.arguments.iter().map(|&argument| {
            let shaped = program.shaped(argument);
            let numbers = (0..shaped.count()).flat_map(|_| {
                let number = if is_integer || !shaped.element.is_float() {
                    rng.i64(-INPUT_BOUND..=INPUT_BOUND) as f64
                } else {
                    INPUT_BOUND as f64 * (2.0 * rng.f64() - 1.0)
                };
                bytes(shaped.element, number)
            });
            let numbers = numbers.collect();
            Array::new(shaped.element, shaped.shape.clone(), numbers).expect("as many as the shape says")
        });
        let mut arrays: Vec<Array> = tensors.collect();
        let rounds = (rounds as i64).to_ne_bytes().to_vec();
        arrays.push(Array::new(Element::I64, Vec::new(), rounds).expect("one number"));
        arrays.push(Array::new(Element::I1, Vec::new(), vec![u8::from(flag)]).expect("one flag"));
        arrays
    });
    Inputs {
        arrays: arrays.collect(),
        rounds,
        flags,
    }
}

/// What `comm-verify-stream` says of loops that it does not follow.
const UNKNOWN_LENGTH: &str = "is not proved to be ordered: how often it runs is not known";

/// What is said of a program that cannot be followed.
const UNPROVED: &str = "is not proved to be ordered";

/// Results of all ranks.
type Results = Vec<Vec<Array>>;

/// What a program is after passes, and what it gives.
struct Session {
    context: Context,
    /// Results by what is run: many passes leave a program as it is.
    ran: HashMap<String, [Results; 2]>,
    compiled: usize,
    /// Programs that are right, and that `comm-verify-stream` does not follow.
    unproved: usize,
}

impl Session {
    /// Results on both sets of inputs.
    fn run(&mut self, text: &str, road: &Road, inputs: &[Inputs; 2]) -> Result<[Results; 2], RunnerError> {
        let mut options = LowerOptions {
            passes: road
                .passes
                .split(';')
                .filter(|pass| !pass.is_empty())
                .map(str::to_owned)
                .collect(),
            streams: road.streams.to_owned(),
            until: Stage::Stream,
            ..Default::default()
        };
        let mut module = parse(&self.context, text)?;
        let mut unproved = None;
        lower(&self.context, &mut module, &options, |progress| {
            if let Progress::Warning(text) = progress
                && text.contains(UNPROVED)
            {
                unproved.get_or_insert(text.to_owned());
            }
        })?;
        if let Some(diagnostics) = unproved {
            // A loop of unknown length whose first round differs from the others, for what it is given is not its own to free.
            if !diagnostics.contains(UNKNOWN_LENGTH) {
                return Err(RunnerError::Stage {
                    name: "proof".to_owned(),
                    diagnostics,
                });
            }
            self.unproved += 1;
        }
        let streams = module.as_operation().to_string();
        if let Some(results) = self.ran.get(&streams) {
            return Ok(results.clone());
        }
        options.passes.clear();
        options.verify = false;
        options.until = Stage::Llvm;
        let signature = lower(&self.context, &mut module, &options, |_| {})?;
        let program = mlir_comm::runner::Program::compile(&self.context, &module, signature)?;
        self.compiled += 1;
        let run =
            |inputs: &Inputs| Ok::<_, RunnerError>(program.run(&inputs.arrays, &Options::default())?.results);
        let results = [run(&inputs[0])?, run(&inputs[1])?];
        self.ran.insert(streams, results.clone());
        Ok(results)
    }
}

/// The first difference between results, if there is one.
fn difference(found: &Results, expected: &Results, tolerance: impl Fn(usize) -> Tolerance) -> Option<String> {
    for (rank, (found, expected)) in found.iter().zip(expected).enumerate() {
        for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
            let Some(difference) = Difference::of(found, expected, tolerance(index)) else {
                return Some(format!(
                    "result {index} of rank {rank} is {} instead of {}",
                    found.describe(),
                    expected.describe()
                ));
            };
            if let Some(at) = difference.first {
                return Some(format!(
                    "result {index} of rank {rank} has {} instead of {} at {:?}: {difference:?}",
                    found.get(at),
                    expected.get(at),
                    found.index_of(at)
                ));
            }
        }
    }
    None
}

/// Compares results with those of the evaluator.
fn evaluated(program: &Program, inputs: &Inputs, results: &Results) -> Option<String> {
    let numbers = |array: &Array| (0..array.len()).map(|position| array.get(position)).collect();
    let tensors: Vec<Vec<Vec<f64>>> = inputs
        .arrays
        .iter()
        .map(|arrays| {
            arrays[..program.body.arguments.len()]
                .iter()
                .map(numbers)
                .collect()
        })
        .collect();
    let control = Control {
        rounds: inputs.rounds,
        flags: &inputs.flags,
    };
    let expected = evaluate(program, &tensors, &control);
    for (rank, (found, expected)) in results.iter().zip(&expected).enumerate() {
        for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
            let found: Vec<f64> = numbers(found);
            if found != *expected {
                return Some(format!(
                    "result {index} of rank {rank} is {found:?} instead of {expected:?}"
                ));
            }
        }
    }
    None
}

/// How far results of a smooth program may be from those of other orders of additions: each rounding is by at most half of
/// the last place of the least precise element type, of a number within the bound; two orders, and both round.
fn smooth_bound(program: &Program, result: usize) -> Tolerance {
    let last_place = |shaped: &Shaped| match shaped.element {
        Element::F64 => f64::EPSILON,
        Element::F32 => f64::from(f32::EPSILON),
        Element::F16 => f64::from(f16::EPSILON),
        Element::Bf16 => f64::from(bf16::EPSILON),
        _ => 0.0,
    };
    let shaped = program.shaped(program.body.yields[result]);
    let worst = program.values.iter().map(last_place).fold(0.0, f64::max);
    Tolerance {
        relative: 0.0,
        absolute: worst * shaped.roundings as f64 * shaped.bound as f64,
    }
}

/// Counts of what was tried.
#[derive(Debug, Default)]
struct Tally {
    programs: usize,
    roads: usize,
    compiled: usize,
    unproved: usize,
    /// Limits in flight that a program did not allow.
    refused: usize,
    collectives: BTreeMap<&'static str, usize>,
    /// Roads on which terms were added in another order, with results of other bits.
    reordered: usize,
}

/// Runs a program by all roads. Returns what was wrong.
fn check(seed: u64, style: Style, tally: &mut Tally) -> Vec<String> {
    let program = generate(seed, style);
    let text = write(&program);
    tally.programs += 1;
    for collective in program.collectives() {
        *tally.collectives.entry(collective.exchange.name()).or_default() += 1;
    }
    let inputs = [inputs(&program, seed, true), inputs(&program, seed, false)];
    let mut session = Session {
        context: mlir_comm::context(),
        ran: HashMap::new(),
        compiled: 0,
        unproved: 0,
    };
    let mut wrong = Vec::new();
    let mut complain =
        |road: &str, what: String| wrong.push(format!("seed {seed} {style:?}, {road}: {what}\n{text}"));
    let given = match session.run(&text, &road(""), &inputs) {
        Ok(results) => results,
        Err(error) => {
            complain("as given", error.to_string());
            return wrong;
        }
    };
    if let Some(what) = evaluated(&program, &inputs[0], &given[0]) {
        complain("as given, evaluated", what);
    }
    let exact = EXACT.iter().map(|road| (road, false));
    for (road, is_reassociated) in exact.chain(REASSOCIATED.iter().map(|road| (road, true))) {
        tally.roads += 1;
        let name = format!("{} {:?}", road.passes, road.streams);
        match session.run(&text, road, &inputs) {
            Err(error) => {
                let error = error.to_string();
                // A program that is given with more in flight than it may have, in an order that has to stay.
                if error.contains("in flight") && road.passes.contains("comm-sort") {
                    tally.refused += 1;
                } else {
                    complain(&name, error);
                }
            }
            Ok(found) => {
                let exactly = |_| Tolerance::default();
                if let Some(what) = difference(&found[0], &given[0], exactly) {
                    complain(&format!("{name}, integers"), what);
                }
                tally.reordered += usize::from(found[1] != given[1]);
                let what = match (is_reassociated, style.is_smooth) {
                    (false, _) => difference(&found[1], &given[1], exactly),
                    (true, true) => difference(&found[1], &given[1], |index| smooth_bound(&program, index)),
                    (true, false) => None,
                };
                if let Some(what) = what {
                    complain(&format!("{name}, any numbers"), what);
                }
            }
        }
    }
    tally.compiled += session.compiled;
    tally.unproved += session.unproved;
    wrong
}

#[test]
fn random_programs_compute_the_same_after_every_pass() {
    let count = setting("COMM_RANDOM_PROGRAMS", 36);
    let first = setting("COMM_RANDOM_SEED", 0);
    let begin = Instant::now();
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for seed in first..first + count {
        let style = Style {
            statements: 6 + (seed % 4) as usize * 3,
            is_smooth: seed % 3 == 2,
        };
        wrong.extend(check(seed, style, &mut tally));
    }
    println!("{tally:?} in {:.1} s", begin.elapsed().as_secs_f64());
    assert!(
        count < 36 || tally.reordered > 0,
        "some terms are to be added in another order: {tally:?}"
    );
    assert!(
        tally.unproved * 10 <= tally.roads,
        "comm-verify-stream is to follow nearly all: {tally:?}"
    );
    assert!(
        count < 36 || tally.collectives.len() == 6,
        "all kinds of collectives are to be there: {tally:?}"
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n\n"));
}
