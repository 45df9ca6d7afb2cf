// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makes `docs/overlap.md`: for every program in `test/programs`, collectives, how many of them have a matrix product
//! between start and wait, and how many are in flight, before and after `comm-sort`; and peak memory by placement.
//!
//! ```text
//! cargo run --release --example overlap > docs/overlap.md
//! ```

use std::{
    error::Error,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    process::Command,
};

use flate2::read::GzDecoder;
use melior::{Context, ir::Module, pass::PassManager};
use mlir_comm::{
    measure::{Figures, Tally, measure},
    passes::{
        self, GatherPlacement, ImportStablehloOptions, ImportTorchOptions, ReductionPlacement, SortOptions,
    },
};

/// Where a program comes from, and so how its collectives become `comm` ops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Jax,
    Torch,
    Thunder,
}

struct Program {
    name: String,
    origin: Origin,
    text: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let programs = programs(Path::new(env!("CARGO_MANIFEST_DIR")))?;
    println!("{}", include_str!("overlap/head.md").trim_end());
    overlap(&programs)?;
    println!("{}", include_str!("overlap/peers.md").trim_end());
    println!("{}", include_str!("overlap/memory.md").trim_end());
    memory(&programs)
}

/// All programs, by folder and name.
fn programs(root: &Path) -> Result<Vec<Program>, Box<dyn Error>> {
    let mut programs = Vec::new();
    for (folder, origin, suffix) in [
        ("jax", Origin::Jax, ".local.generic.mlir"),
        ("torch-mlir", Origin::Torch, ".torch.generic.mlir"),
        ("thunder", Origin::Thunder, ".0_input.json"),
    ] {
        let mut files: Vec<PathBuf> = fs::read_dir(root.join("test/programs").join(folder))?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, std::io::Error>>()?;
        files.sort();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let Some(name) = name.trim_end_matches(".gz").strip_suffix(suffix) else {
                continue;
            };
            programs.push(Program {
                name: format!("{folder}/{name}"),
                origin,
                text: read(root, &file, origin)?,
            });
        }
    }
    Ok(programs)
}

/// The program as IR.
fn read(root: &Path, file: &Path, origin: Origin) -> Result<String, Box<dyn Error>> {
    if origin == Origin::Thunder {
        let output = Command::new("python3")
            .arg(root.join("tools/thunder_to_comm.py"))
            .arg(file)
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        return Ok(String::from_utf8(output.stdout)?);
    }
    let mut text = String::new();
    let mut source = File::open(file)?;
    if file.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(source).read_to_string(&mut text)?;
    } else {
        source.read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Figures of each function that communicates, unsorted or sorted.
fn figures(program: &Program, sort: Option<&SortOptions>) -> Result<Vec<(String, Figures)>, Box<dyn Error>> {
    let context: Context = mlir_comm::context();
    let mut module =
        Module::parse(&context, &program.text).ok_or_else(|| format!("{} does not parse", program.name))?;
    let manager = PassManager::new(&context);
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
    let functions = manager.nested_under("func.func");
    functions.add_pass(passes::asyncify());
    if let Some(options) = sort {
        functions.add_pass(passes::sort(options));
        functions.add_pass(passes::verify_futures());
    }
    manager
        .run(&mut module)
        .map_err(|error| format!("{}: {error}", program.name))?;
    measure(&module).ok_or_else(|| format!("{} cannot be measured", program.name).into())
}

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
            let classes: [(&str, fn(&Figures) -> Tally); 3] = [
                ("all-gather", |figures| figures.gathers),
                ("reduction", |figures| figures.reductions),
                ("other", |figures| figures.others),
            ];
            for (class, tally) in classes {
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
