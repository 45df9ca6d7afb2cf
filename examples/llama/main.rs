// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makes `docs/llama.md`, and the picture in it: modelled step time and peak memory of a training step of Llama-2-7B on 8
//! devices, in the order of Lightning Thunder's traces, after Thunder's sorts, and after `comm-schedule`.
//!
//! ```text
//! cargo run --release --example llama -- docs/llama.svg > docs/llama.md
//! ```

mod buckets;
mod fuse;
mod grow;
mod print;
mod table;
mod trace;
mod variants;

use std::{env, error::Error, fs, thread};

use comm_schedule::picture::{Picture, SvgOptions, svg};
use mlir_comm::passes::Effort;

use print::View;
use table::{Rows, Situation, rows, step};
use trace::{Step, Zero};
use variants::{Variant, bound, scheduled};

const LAYERS: usize = 32;

/// Layers of the step in the picture.
const PICTURED: usize = 4;

const MACHINES: [&str; 2] = ["h100-8", "a100-8"];

/// Strategies, with buckets and without.
const STRATEGIES: [(&str, Zero, bool); 4] = [
    ("ZeRO-3", Zero::Three, false),
    ("ZeRO-3, buckets", Zero::Three, true),
    ("ZeRO-2", Zero::Two, false),
    ("ZeRO-2, buckets", Zero::Two, true),
];

fn main() -> Result<(), Box<dyn Error>> {
    let traces = [
        grow::grow(&trace::read(Zero::Two)?, LAYERS)?,
        grow::grow(&trace::read(Zero::Three)?, LAYERS)?,
    ];
    println!("{}", include_str!("head.md"));
    for is_fused in [true, false] {
        let tables = MACHINES
            .iter()
            .map(|machine| Ok((*machine, all(&traces, machine, is_fused)?)))
            .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
        if is_fused {
            overview(&tables);
            println!("{}", include_str!("reading.md"));
        }
        for (machine, table) in &tables {
            let costs = if is_fused {
                "elementwise ops fused"
            } else {
                "op by op"
            };
            println!("\n### `{machine}`, {costs}\n");
            details(table);
        }
    }
    if let Some(path) = env::args().nth(1) {
        fs::write(path, picture()?)?;
    }
    Ok(())
}

fn trace_of(traces: &[Step; 2], zero: Zero) -> &Step {
    match zero {
        Zero::Two => &traces[0],
        Zero::Three => &traces[1],
    }
}

/// The rows of all strategies on a machine.
fn all(
    traces: &[Step; 2],
    machine: &str,
    is_fused: bool,
) -> Result<Vec<(&'static str, Rows)>, Box<dyn Error>> {
    let one = |zero, has_buckets| -> Result<Rows, Box<dyn Error>> {
        let situation = Situation {
            machine,
            zero,
            has_buckets,
            is_fused,
        };
        rows(
            &step(trace_of(traces, zero), situation)?,
            situation,
            Effort::Default,
        )
    };
    let one = &one;
    thread::scope(|scope| {
        let threads = STRATEGIES.map(|(name, zero, has_buckets)| {
            scope.spawn(move || Ok((name, one(zero, has_buckets).map_err(|error| error.to_string())?)))
        });
        let joined = threads.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err("a thread panicked".to_owned()))
        });
        Ok(joined.collect::<Result<_, String>>()?)
    })
}

/// Step times and peaks, variants down and strategies across.
fn overview(tables: &[(&str, Vec<(&'static str, Rows)>)]) {
    for (machine, table) in tables {
        let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        println!("| `{machine}` | {} |", names.join(" | "));
        println!("|---|{}", "--:|".repeat(names.len()));
        for index in 0..table[0].1.rows.len() {
            let cells: Vec<String> = table
                .iter()
                .map(|(_, rows)| {
                    let figures = &rows.rows[index].figures;
                    format!(
                        "{} ms, {} GB",
                        milliseconds(figures.step_ns),
                        gigabytes(figures.peak_bytes)
                    )
                })
                .collect();
            println!("| {} | {} |", table[0].1.rows[index].label, cells.join(" | "));
        }
        let bounds: Vec<String> = table
            .iter()
            .map(|(_, rows)| format!("{} ms", milliseconds(rows.bound_ns)))
            .collect();
        println!("| no order is below | {} |\n", bounds.join(" | "));
    }
}

/// All figures, row by row.
fn details(table: &[(&'static str, Rows)]) {
    println!(
        "| | schedule | step ms | exposed ms | above bound | peak GB | gathers in flight | reductions in flight |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    for (name, rows) in table {
        for row in &rows.rows {
            let figures = &row.figures;
            println!(
                "| {name} | {} | {} | {} | {:.1} % | {} | {} | {} |",
                row.label,
                milliseconds(figures.step_ns),
                milliseconds(figures.exposed_ns),
                100.0 * (figures.step_ns as f64 / rows.bound_ns as f64 - 1.0),
                gigabytes(figures.peak_bytes),
                figures.gathers,
                figures.reductions
            );
        }
    }
}

/// A step of [`PICTURED`] layers, ZeRO-3 without buckets, on the first machine: the source order and `comm-schedule`.
fn picture() -> Result<String, Box<dyn Error>> {
    let situation = Situation {
        machine: MACHINES[0],
        zero: Zero::Three,
        has_buckets: false,
        is_fused: true,
    };
    let step = step(&grow::grow(&trace::read(situation.zero)?, PICTURED)?, situation)?;
    let schedule = Variant::Schedule {
        effort: Effort::Default,
        view: View::Whole,
        memory_limit: None,
    };
    let titles = [("source order", Variant::Source), ("comm-schedule", schedule)];
    let problems = titles
        .into_iter()
        .map(|(title, variant)| {
            Ok((
                title,
                scheduled(&step, situation.zero, variant, situation.machine)?,
            ))
        })
        .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let pictures = problems
        .iter()
        .map(|(title, problem)| {
            let order: Vec<_> = problem.ids().collect();
            Ok(Picture::new(title, problem, &order)?.with_bound(bound(problem)))
        })
        .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    Ok(svg(&pictures, &SvgOptions::default()))
}

fn milliseconds(ns: u64) -> String {
    format!("{:.1}", ns as f64 / 1e6)
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / 1e9)
}
