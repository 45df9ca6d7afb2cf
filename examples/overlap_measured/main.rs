// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Overlap that is measured: a forward pass with sharded weights on four ranks of this machine, behind an emulated link whose
//! transfers take about as long as the products. Prints a table: blocking collectives, and after `comm-asyncify` and
//! `comm-sort`, as measured and as the timing model has it.
//!
//! ```text
//! cargo run --release --example overlap_measured
//! ```
//!
//! The link is as fast as makes a layer's transfer as long as its computation, which is measured first, with transfers that
//! cost nothing. The model is given that link and that computation, so what it adds is the overlap. Ranks are threads that
//! share the processors, and a transfer takes none: ratios of one run mean something, milliseconds do not.

mod step;

use std::{env, error::Error, fs, path::Path, time::Duration};

use comm_runtime::{Link, Options};
use comm_schedule::{NodeId, timeline};
use melior::Context;
use mlir_comm::{
    runner::{Array, Program, parse},
    timeline::{ProgramOptions, problem},
};

use step::{Step, compile, sorted};

const STEP: Step = Step {
    ranks: 4,
    layers: 8,
    rows: 192,
    width: 512,
};

/// Runs of each program, of which the median counts; the programs take turns.
const RUNS: usize = 9;

const LATENCY: Duration = Duration::from_micros(200);

fn main() -> Result<(), Box<dyn Error>> {
    let context = mlir_comm::context();
    let blocking = STEP.text();
    let sorted = sorted(&context, &blocking)?;
    let programs = [
        compile(&context, &blocking, false)?,
        compile(&context, &sorted, false)?,
    ];
    let inputs = STEP.inputs();

    let free = Options::default();
    let [blocks, overlaps] = &programs;
    let layer = measured(&[(blocks, &free)], &inputs)?[0] / STEP.layers as u32;
    let link = Link {
        latency: LATENCY,
        bandwidth: STEP.wire_bytes() as f64 / layer.as_secs_f64(),
    };
    let linked = Options {
        link: Some(link),
        ..Default::default()
    };
    let times = measured(
        &[(blocks, &free), (blocks, &linked), (overlaps, &linked)],
        &inputs,
    )?;
    let (alone, times) = (times[0], &times[1..]);
    let product = alone / STEP.layers as u32;
    let models = [
        modelled(&context, &blocking, link, product)?,
        modelled(&context, &sorted, link, product)?,
    ];

    println!(
        "{} ranks, {} layers; a layer computes for {:.1} ms, and its {:.2} MB arrive in {:.1} ms + {:.1} ms\n",
        STEP.ranks,
        STEP.layers,
        milliseconds(product),
        STEP.wire_bytes() as f64 / 1e6,
        milliseconds(LATENCY),
        milliseconds(layer)
    );
    println!(
        "| program | measured ms | modelled ms | measured, to computation alone | modelled, to computation alone |"
    );
    println!("|---|--:|--:|--:|--:|");
    let row = |name: &str, measured: Duration, modelled: Duration| {
        println!(
            "| {name} | {:.1} | {:.1} | {:.2} | {:.2} |",
            milliseconds(measured),
            milliseconds(modelled),
            measured.as_secs_f64() / alone.as_secs_f64(),
            modelled.as_secs_f64() / alone.as_secs_f64()
        );
    };
    row("computation alone", alone, alone);
    row("blocking collectives", times[0], models[0]);
    row("`comm-asyncify`, `comm-sort`", times[1], models[1]);
    println!(
        "\nsorted to blocking: measured {:.2}, modelled {:.2}",
        times[1].as_secs_f64() / times[0].as_secs_f64(),
        models[1].as_secs_f64() / models[0].as_secs_f64()
    );
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

/// The median time of each program with its options. The first run of each warms up.
fn measured(
    programs: &[(&Program, &Options)],
    inputs: &[Vec<Array>],
) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut times = vec![Vec::new(); programs.len()];
    for run in 0..=RUNS {
        for ((program, options), times) in programs.iter().zip(&mut times) {
            let time = program.run(inputs, options)?.time;
            if run > 0 {
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

/// The step by the timing model, with this link and this time of a product.
fn modelled(
    context: &Context,
    text: &str,
    link: Link,
    product: Duration,
) -> Result<Duration, Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("overlap-measured-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let time = modelled_in(&folder, context, text, link, product);
    fs::remove_dir_all(&folder)?;
    time
}

fn modelled_in(
    folder: &Path,
    context: &Context,
    text: &str,
    link: Link,
    product: Duration,
) -> Result<Duration, Box<dyn Error>> {
    let machine = folder.join("machine.toml");
    let profile = folder.join("profile.toml");
    // What is not measured costs next to nothing.
    fs::write(
        &machine,
        format!(
            "name = \"emulated\"\nlaunch_floor_ns = 1\n[matmul]\npeak_tflops = {{ f64 = 1e6 }}\n[memory]\n\
             peak_gb_per_s = 1e6\n[collective]\nall_gather = [{{ size = {}, latency_us = {:?}, gb_per_s = {:?} }}]\n",
            STEP.ranks,
            1e6 * link.latency.as_secs_f64(),
            link.bandwidth / 1e9
        ),
    )?;
    fs::write(
        &profile,
        format!("[[op]]\nname = \"linalg.matmul\"\nns = {}\n", product.as_nanos()),
    )?;
    let options = ProgramOptions {
        machine: Some(machine.to_string_lossy().into_owned()),
        profile: Some(profile),
        ..Default::default()
    };
    let block = problem(&parse(context, text)?, &options)?;
    let order: Vec<NodeId> = block.problem.ids().collect();
    Ok(Duration::from_nanos(timeline(&block.problem, &order).step_ns))
}
