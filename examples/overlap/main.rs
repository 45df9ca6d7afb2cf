// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makes `docs/overlap.md`: for every program in `test/programs`, collectives, how many of them have a matrix product
//! between start and wait, and how many are in flight, before and after `comm-sort`; and peak memory by placement.
//!
//! ```text
//! cargo run --release --example overlap > docs/overlap.md
//! ```

mod programs;

use std::error::Error;

use mlir_comm::{
    measure::{Figures, Tally},
    passes::{GatherPlacement, ReductionPlacement, SortOptions},
};

use programs::{Program, all, figures};

fn main() -> Result<(), Box<dyn Error>> {
    let programs = all()?;
    println!("{}", include_str!("head.md"));
    overlap(&programs)?;
    print!("{}", include_str!("peers.md"));
    println!("{}", include_str!("memory.md"));
    memory(&programs)
}

/// Classes of collectives and where their figures are.
type Class = (&'static str, fn(&Figures) -> Tally);
const CLASSES: [Class; 3] = [
    ("all-gather", |figures| figures.gathers),
    ("reduction", |figures| figures.reductions),
    ("other", |figures| figures.others),
];

/// Prints a row for each function and class of collectives.
fn overlap(programs: &[Program]) -> Result<(), Box<dyn Error>> {
    let unlimited = SortOptions {
        max_in_flight: 0,
        max_in_flight_reductions: 0,
        ..Default::default()
    };
    println!(
        "| program | collectives | number | could | before | limit 3 | no limit | in flight before | limit 3 | no limit |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for program in programs {
        let before = figures(program, None)?;
        let limited = figures(program, Some(&SortOptions::default()))?;
        let free = figures(program, Some(&unlimited))?;
        for (((name, before), (_, limited)), (_, free)) in before.iter().zip(&limited).zip(&free) {
            for (class, tally) in CLASSES {
                let (before, limited, free) = (tally(before), tally(limited), tally(free));
                if before.count == 0 {
                    continue;
                }
                println!(
                    "| {} `@{name}` | {class} | {} | {} | {} | {} | {} | {} | {} | {} |",
                    program.name,
                    before.count,
                    before.could_overlap,
                    before.overlapped,
                    limited.overlapped,
                    free.overlapped,
                    before.in_flight,
                    limited.in_flight,
                    free.in_flight
                );
            }
        }
    }
    println!();
    Ok(())
}

/// Prints peak memory in MB by placement and limit, for programs of realistic dimensions.
fn memory(programs: &[Program]) -> Result<(), Box<dyn Error>> {
    let late = |limit| SortOptions {
        max_in_flight: limit,
        ..Default::default()
    };
    let columns: [(&str, SortOptions); 7] = [
        ("late 1", late(1)),
        ("late 3", late(3)),
        ("late, no limit", late(0)),
        (
            "first 3",
            SortOptions {
                all_gather: GatherPlacement::First,
                ..late(3)
            },
        ),
        (
            "reductions kept",
            SortOptions {
                reduce_scatter: ReductionPlacement::Keep,
                ..late(3)
            },
        ),
        (
            "reductions 1",
            SortOptions {
                max_in_flight_reductions: 1,
                ..late(3)
            },
        ),
        (
            "reductions, no limit",
            SortOptions {
                max_in_flight_reductions: 0,
                ..late(3)
            },
        ),
    ];
    let heads: Vec<&str> = columns.iter().map(|(head, _)| *head).collect();
    println!("| program | source | {} |", heads.join(" | "));
    println!("|---|--:|{}", "--:|".repeat(columns.len()));
    let megabytes = |figures: &Figures| format!("{:.0}", figures.peak_bytes as f64 / 1e6);
    for program in programs.iter().filter(|program| program.name.contains("llama7b")) {
        let before = figures(program, None)?;
        let after: Vec<Vec<(String, Figures)>> = columns
            .iter()
            .map(|(_, options)| figures(program, Some(options)))
            .collect::<Result<_, _>>()?;
        for (index, (name, before)) in before.iter().enumerate() {
            let after: Vec<String> = after.iter().map(|column| megabytes(&column[index].1)).collect();
            println!(
                "| {} `@{name}` | {} | {} |",
                program.name,
                megabytes(before),
                after.join(" | ")
            );
        }
    }
    Ok(())
}
