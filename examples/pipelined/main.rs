// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makes `docs/pipelined.md`: an all-gather with a product behind it, and a product with a reduce-scatter behind it, one after
//! the other and in each schedule of `convert-comm-to-stream`, as measured on four ranks of this machine behind an emulated
//! link, and as modelled.
//!
//! ```text
//! cargo run --release --example pipelined > docs/pipelined.md
//! ```
//!
//! The link is as fast as makes a transfer as long as the computation, which is measured first, with transfers that cost
//! nothing. Products run in a library that is optimised in every profile. Fails where results are not those of the
//! unpipelined program.

mod model;
mod programs;

use std::{env, error::Error, fs, path::Path, process::ExitCode, thread, time::Duration};

use comm_runtime::{Link, Options};
use melior::Context;
use mlir_comm::runner::{Array, Difference, Program, Tolerance};

use model::Figures;
use programs::{Form, RANKS, WAYS, Way, compile, inputs};

/// Runs of each program, of which the median counts; the programs take turns.
const RUNS: usize = 7;
/// Time until the first byte of a transfer, a signal or a barrier.
const LATENCY: Duration = Duration::from_micros(100);
/// Products of the late rank before it begins.
const LATE: u64 = 2;

/// A form in one way.
struct Row {
    way: Way,
    program: Program,
    figures: Figures,
}

/// A program, how it is run, and on what.
type Measured<'a> = (&'a Program, &'a Options, &'a [Vec<Array>]);

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if env::args().nth(1).as_deref() == Some(model::OPT) {
        // The passes say how long they take a program to be in remarks, which only MLIR's driver prints.
        return Ok(mlir_comm::drivers::opt_main(
            env::args_os().take(1).chain(env::args_os().skip(2)),
        ));
    }
    let folder = env::temp_dir().join(format!("pipelined-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let done = tables(&folder);
    fs::remove_dir_all(&folder)?;
    done.map(|()| ExitCode::SUCCESS)
}

fn tables(folder: &Path) -> Result<(), Box<dyn Error>> {
    let context = mlir_comm::context();
    // Before this program adds to it.
    let machine_now = machine_now();
    let copied = model::copied_per_second();
    let mut text = String::new();
    let mut late = String::new();
    for form in [Form::Gather, Form::Scatter] {
        let plain = compile(&context, form, WAYS[0], "", false)?;
        let given = inputs(&plain, 0)?;
        let free = Options::default();
        let alone = measured(&[(&plain, &free, &given)])?[0];
        let link = Link {
            latency: LATENCY,
            bandwidth: form.wire_bytes() as f64 / alone.as_secs_f64(),
        };
        let machine = model::machine(folder, form, alone, link, copied)?;
        let linked = Options {
            link: Some(link),
            ..Options::default()
        };
        text += &form_rows(&context, folder, &machine, form, &given, &linked)?;
        late += &late_rows(&context, &machine, form, &linked)?;
    }
    let lines = |verdict: &str| text.matches(&format!("| {verdict} |")).count();
    let summary = format!(
        "Targets: {} met, {} missed. {}",
        lines("met"),
        lines("missed"),
        machine_now
    );
    print!("{}", include_str!("head.md"));
    println!(
        "| form | schedule | measured | modelled | computation | transfer | ratio | target | | workspace |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|---|--:|");
    print!("{text}\n{summary}\n{}", include_str!("late.md"));
    println!("| form | schedule | on time | one late |");
    println!("|---|---|--:|--:|");
    print!("{late}");
    Ok(())
}

/// How many processors there are, and how many other programs want them where the system says so.
fn machine_now() -> String {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let load = fs::read_to_string("/proc/loadavg").ok();
    match load.as_deref().and_then(|load| load.split(' ').next()) {
        Some(load) => format!("Processors: {processors}; wanted by other programs when this began: {load}."),
        None => format!("Processors: {processors}."),
    }
}

/// The rows of a form: all ranks on time.
fn form_rows(
    context: &Context,
    folder: &Path,
    machine: &str,
    form: Form,
    given: &[Vec<Array>],
    linked: &Options,
) -> Result<String, Box<dyn Error>> {
    let mut rows = Vec::new();
    for way in WAYS.into_iter().filter(|way| way.fits(form)) {
        rows.push(Row {
            way,
            program: compile(context, form, way, machine, false)?,
            figures: model::figures(folder, form, way, machine)?,
        });
    }
    check(&rows, given, linked)?;
    let free = Options::default();
    let runs: Vec<Measured> = rows
        .iter()
        .flat_map(|row| [(&row.program, linked, given), (&row.program, &free, given)])
        .collect();
    let times = measured(&runs)?;
    let bandwidth = linked.link.map_or(f64::INFINITY, |link| link.bandwidth);
    let transfer = LATENCY + Duration::from_secs_f64(form.wire_bytes() as f64 / bandwidth);
    let mut text = String::new();
    for (row, times) in rows.iter().zip(times.chunks(2)) {
        let (time, computation) = (times[0], times[1]);
        let longest = computation.max(transfer);
        // While the first chunk is made, or the last one multiplied, nothing can be under way.
        let target = longest.mul_f64(1.15) + computation / RANKS as u32;
        let verdict = match row.way.streams {
            None => "",
            Some(_) if time <= target => "met",
            Some(_) => "missed",
        };
        text += &format!(
            "| {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.2} | {:.1} | {verdict} | {} |\n",
            form.name(),
            row.way.name,
            ms(time),
            row.figures.time_ns as f64 / 1e6,
            ms(computation),
            ms(transfer),
            time.as_secs_f64() / longest.as_secs_f64(),
            ms(target),
            row.figures.workspace_bytes,
        );
    }
    Ok(text)
}

/// The rows of a form with one late rank, beside the same programs with none.
fn late_rows(
    context: &Context,
    machine: &str,
    form: Form,
    linked: &Options,
) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let ways: Vec<Way> = WAYS[1..4].iter().copied().filter(|way| way.fits(form)).collect();
    let programs: Vec<Program> = ways
        .iter()
        .map(|&way| compile(context, form, way, machine, true))
        .collect::<Result<_, _>>()?;
    let (on_time, late) = (inputs(&programs[0], 0)?, inputs(&programs[0], LATE)?);
    let runs: Vec<Measured> = programs
        .iter()
        .flat_map(|program| {
            [
                (program, linked, on_time.as_slice()),
                (program, linked, late.as_slice()),
            ]
        })
        .collect();
    let times = measured(&runs)?;
    for (way, times) in ways.iter().zip(times.chunks(2)) {
        text += &format!(
            "| {} | {} | {:.1} | {:.1} |\n",
            form.name(),
            way.name,
            ms(times[0]),
            ms(times[1])
        );
    }
    Ok(text)
}

fn ms(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

/// Results are those of the first program: sums may be in another order, of as many numbers as a row has.
fn check(rows: &[Row], given: &[Vec<Array>], options: &Options) -> Result<(), Box<dyn Error>> {
    let expected = rows[0].program.run(given, options)?.results;
    let tolerance = Tolerance {
        relative: 1e-5,
        absolute: 1e-3,
    };
    for row in &rows[1..] {
        let found = row.program.run(given, options)?.results;
        for (rank, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let difference = Difference::of(&found[0], &expected[0], tolerance);
            if difference.is_none_or(|difference| difference.outside > 0) {
                return Err(format!("{}: other results on rank {rank}", row.way.name).into());
            }
        }
    }
    Ok(())
}

/// The median time of each run. The first turn warms up.
fn measured(runs: &[Measured]) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut times = vec![Vec::new(); runs.len()];
    for turn in 0..=RUNS {
        for ((program, options, given), times) in runs.iter().zip(&mut times) {
            let time = program.run(given, options)?.time;
            if turn > 0 {
                times.push(time);
            }
        }
    }
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    Ok(times.into_iter().map(median).collect())
}
