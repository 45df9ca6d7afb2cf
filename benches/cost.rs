// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-sort` costs beside reading and writing the same file, as ratios within runs of `comm-opt`.
//!
//! Each program is run three times, without and with the pass; the fastest run counts. Times are those of
//! `--mlir-timing`, memory is the kernel's high-water mark of the process. Prints the table of docs/performance.md and
//! fails where a requirement is not met: sorting takes less time than parsing and printing, and at most 2.2 times as long
//! for twice as many ops; and the plugin stays small.
//!
//! ```text
//! cargo bench --bench cost
//! ```

mod large;

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::Duration,
};

/// One run of `comm-opt`: seconds of its parts, and the most memory it had, in MiB.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    parse: f64,
    print: f64,
    sort: f64,
    memory: f64,
}

/// Runs `comm-opt` on a file, with the pass or without.
fn run(file: &Path, sort: bool) -> Result<Run, Box<dyn Error>> {
    let timing = file.with_extension("timing");
    let mut command = Command::new(env!("CARGO_BIN_EXE_comm-opt"));
    command
        .arg(file)
        .args([
            "--allow-unregistered-dialect",
            "--mlir-disable-threading",
            "--verify-each=false",
        ])
        .args(["--mlir-timing", "--mlir-timing-display=list", "-o", "/dev/null"])
        .stdout(Stdio::null())
        .stderr(fs::File::create(&timing)?);
    if sort {
        command.arg("--comm-sort");
    }
    let mut child = command.spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut run = Run::default();
    let code = loop {
        // The mark is gone with the process, so it is read all the time.
        if let Some(mark) = fs::read_to_string(&status)
            .ok()
            .and_then(|text| high_water_mark(&text))
        {
            run.memory = run.memory.max(mark);
        }
        if let Some(code) = child.try_wait()? {
            break code;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let report = fs::read_to_string(&timing)?;
    if !code.success() {
        return Err(format!("comm-opt ends with {code}: {report}").into());
    }
    let seconds = |name: &str| -> f64 {
        let mut lines = report.lines().filter(|line| line.trim_end().ends_with(name));
        lines
            .next()
            .and_then(|line| line.split_whitespace().next()?.parse().ok())
            .unwrap_or(0.0)
    };
    run.parse = seconds("Parser");
    run.print = seconds("Output");
    run.sort = seconds("CommSort");
    Ok(run)
}

fn high_water_mark(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace()
        .next()?
        .parse::<f64>()
        .ok()
        .map(|kib| kib / 1024.0)
}

/// The fastest parts of three runs, and the most memory.
fn measure(file: &Path, sort: bool) -> Result<Run, Box<dyn Error>> {
    let mut best = run(file, sort)?;
    for _ in 0..2 {
        let next = run(file, sort)?;
        best = Run {
            parse: best.parse.min(next.parse),
            print: best.print.min(next.print),
            sort: best.sort.min(next.sort),
            memory: best.memory.max(next.memory),
        };
    }
    Ok(best)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let mut programs = vec![(
        "training step of 32 layers".to_owned(),
        0,
        large::training_step()?,
    )];
    for ops in [10_000, 100_000, 250_000, 500_000, 1_000_000] {
        programs.push((format!("block of {ops} ops"), ops, large::block(ops)));
    }
    println!(
        "| program | lines | parse + print | comm-sort | ratio | twice the ops | memory without | with |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut met = true;
    let mut before: Option<(usize, f64)> = None;
    for (name, ops, text) in programs {
        let file = directory.join("cost.mlir");
        fs::write(&file, &text)?;
        let (without, with) = (measure(&file, false)?, measure(&file, true)?);
        let both = without.parse + without.print;
        let ratio = with.sort / both;
        let doubling = before
            .filter(|(half, _)| *half > 0 && 2 * half == ops)
            .map(|(_, half)| with.sort / half);
        before = Some((ops, with.sort));
        println!(
            "| {name} | {} | {both:.3} s | {:.3} s | {ratio:.2} | {} | {:.0} MiB | {:.0} MiB |",
            text.lines().count(),
            with.sort,
            doubling.map(|factor| format!("{factor:.2}")).unwrap_or_default(),
            without.memory,
            with.memory,
        );
        met &= ratio < 1.0 && doubling.is_none_or(|factor| factor <= 2.2);
        fs::remove_file(&file)?;
    }
    let plugin = std::env::current_exe()?.with_file_name("libmlir_comm.so");
    let megabytes = fs::metadata(plugin)?.len() as f64 / 1e6;
    println!("\nThe plugin has {megabytes:.1} MB.");
    if met && megabytes < 5.0 {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!(
        "a requirement is not met: ratio below 1, at most 2.2 times as long for twice the ops, a plugin below 5 MB"
    );
    Ok(ExitCode::FAILURE)
}
