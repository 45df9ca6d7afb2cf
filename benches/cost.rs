// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-sort` and `comm-schedule` cost beside reading the same file, as ratios within runs of `comm-opt`.
//!
//! Each program is run in rounds: without a pass, with `comm-sort`, with `comm-schedule` at `effort=fast`, with
//! `comm-simplify` after it was simplified before, and with `comm-bucket`. Ratios are taken within a round, and the median of the rounds counts, so that a
//! machine with other work to do says the same; growth compares programs, so it takes the least time of the rounds. Times
//! are those of `--mlir-timing`, memory is the kernel's high-water mark of the process. Then the default effort, as seconds
//! and as distance from the lower bound. Prints the tables of docs/performance.md and fails where a requirement is not met:
//! sorting and scheduling take less time than parsing, and so does simplifying where nothing is left to rewrite; from the smallest block to the largest sorting and scheduling take at most 2.2 times as long for each doubling
//! of the ops, of which parsing itself may take some; scheduling takes less than 3 times as long as sorting the training
//! step; and the plugin stays small.
//!
//! ```text
//! cargo bench --bench cost
//! cargo bench --bench cost -- 100000      # no block of more ops
//! ```

mod large;

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use comm_schedule::{ScheduleOptions, json::Document, schedule};

/// One run of `comm-opt`: seconds of its parts, and the most memory it had, in MiB.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    parse: f64,
    pass: f64,
    memory: f64,
}

/// Runs `comm-opt` on a file with a pass, if any, and gives what it writes beside the program too.
fn run(file: &Path, pass: &[&str]) -> Result<(Run, String), Box<dyn Error>> {
    let report = file.with_extension("report");
    let mut child = Command::new(env!("CARGO_BIN_EXE_comm-opt"))
        .arg(file)
        .args([
            "--allow-unregistered-dialect",
            "--mlir-disable-threading",
            "--verify-each=false",
        ])
        .args(["--mlir-timing", "--mlir-timing-display=list", "-o", "/dev/null"])
        .args(pass)
        .stdout(Stdio::null())
        .stderr(fs::File::create(&report)?)
        .spawn()?;
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
    let report = fs::read_to_string(&report)?;
    if !code.success() {
        return Err(format!("comm-opt ends with {code}: {report}").into());
    }
    let seconds = |names: &[&str]| -> f64 {
        let mut lines = report.lines();
        lines
            .find(|line| names.iter().any(|name| line.trim_end().ends_with(name)))
            .and_then(|line| line.split_whitespace().next()?.parse().ok())
            .unwrap_or(0.0)
    };
    run.parse = seconds(&["Parser"]);
    run.pass = seconds(&["CommSort", "CommSchedule", "CommSimplify", "CommBucket"]);
    Ok((run, report))
}

fn high_water_mark(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace()
        .next()?
        .parse::<f64>()
        .ok()
        .map(|kib| kib / 1024.0)
}

/// The runs of one round.
struct Round {
    without: Run,
    sort: Run,
    schedule: Run,
    simplify: Run,
    bucket: Run,
}

const ROUNDS: usize = 5;

fn rounds(file: &Path) -> Result<Vec<Round>, Box<dyn Error>> {
    // What is simplified has nothing left to rewrite.
    let simplified = file.with_extension("simplified.mlir");
    let made = Command::new(env!("CARGO_BIN_EXE_comm-opt"))
        .arg(file)
        .args(["--allow-unregistered-dialect", "--comm-simplify", "-o"])
        .arg(&simplified)
        .status()?;
    if !made.success() {
        return Err(format!("comm-simplify ends with {made}").into());
    }
    let round = |_| {
        Ok(Round {
            without: run(file, &[])?.0,
            sort: run(file, &["--comm-sort"])?.0,
            schedule: run(file, &["--comm-schedule=effort=fast"])?.0,
            simplify: run(&simplified, &["--comm-simplify"])?.0,
            bucket: run(file, &["--comm-bucket"])?.0,
        })
    };
    (0..ROUNDS).map(round).collect()
}

/// The median over the rounds of a figure.
fn median(rounds: &[Round], figure: impl Fn(&Round) -> f64) -> f64 {
    let mut figures: Vec<f64> = rounds.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// The least over the rounds of a figure.
fn least(rounds: &[Round], figure: impl Fn(&Round) -> f64) -> f64 {
    rounds.iter().map(figure).fold(f64::INFINITY, f64::min)
}

/// Seconds of a pass at `effort=fast` for each program. Whether the requirements are met.
fn fast(file: &Path, most: usize) -> Result<bool, Box<dyn Error>> {
    let mut programs = vec![(
        "training step of 32 layers".to_owned(),
        0,
        large::training_step()?,
    )];
    for ops in [10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000] {
        if ops <= most {
            programs.push((format!("block of {ops} ops"), ops, large::block(ops)));
        }
    }
    println!(
        "| program | lines | parse | comm-sort | comm-schedule | sort/parse | schedule/parse | schedule/sort | simplify/parse | \
         bucket/parse | twice the ops: parse, sort, schedule | memory: none, sort, schedule |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut met = true;
    let mut before: Option<(usize, [f64; 3])> = None;
    let mut smallest: Option<(usize, [f64; 3])> = None;
    for (name, ops, text) in programs {
        fs::write(file, &text)?;
        let rounds = rounds(file)?;
        let of = |figure: fn(&Round) -> f64| median(&rounds, figure);
        let times = [
            least(&rounds, |round| round.without.parse),
            least(&rounds, |round| round.sort.pass),
            least(&rounds, |round| round.schedule.pass),
        ];
        let to_parse = [
            of(|round| round.sort.pass / round.sort.parse),
            of(|round| round.schedule.pass / round.schedule.parse),
            of(|round| round.simplify.pass / round.simplify.parse),
            of(|round| round.bucket.pass / round.bucket.parse),
        ];
        let to_sort = of(|round| round.schedule.pass / round.sort.pass);
        let doubling = before
            .filter(|(half, _)| *half > 0 && 2 * half == ops)
            .map(|(_, half)| [0, 1, 2].map(|part| times[part] / half[part]));
        before = Some((ops, times));
        if ops > 0 {
            smallest.get_or_insert((ops, times));
        }
        let [parse, sort, schedule] = times;
        println!(
            "| {name} | {} | {parse:.3} s | {sort:.3} s | {schedule:.3} s | {:.2} | {:.2} | {to_sort:.2} | {:.2} | {:.2} | {} | {:.0}, {:.0}, {:.0} MiB |",
            text.lines().count(),
            to_parse[0],
            to_parse[1],
            to_parse[2],
            to_parse[3],
            doubling
                .map(|[parse, sort, schedule]| format!("{parse:.2}, {sort:.2}, {schedule:.2}"))
                .unwrap_or_default(),
            of(|round| round.without.memory),
            of(|round| round.sort.memory),
            of(|round| round.schedule.memory),
        );
        met &= to_parse[..2].iter().all(|ratio| *ratio < 1.0);
        met &= to_parse[2] < 1.0;
        met &= ops > 0 || to_sort < 3.0;
        fs::remove_file(file)?;
    }
    if let (Some((few, least)), Some((many, most))) = (smallest, before)
        && few < many
    {
        let doublings = (many as f64 / few as f64).log2();
        let [parse, sort, schedule] = [0, 1, 2].map(|part| (most[part] / least[part]).powf(1.0 / doublings));
        println!(
            "\nTwice the ops, on average over {doublings:.1} doublings: parse {parse:.2}, sort {sort:.2}, schedule {schedule:.2}."
        );
        // A machine on which parsing takes more than twice as long for twice the ops is slower with more memory in use.
        met &= sort.max(schedule) <= 2.2 * (parse / 2.0).max(1.0);
    }
    Ok(met)
}

/// Time and distance from the bound of the default effort.
fn default_effort(file: &Path) -> Result<(), Box<dyn Error>> {
    println!("\n| problem | nodes | time | gap |");
    println!("|---|---|---|---|");
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/programs/problems");
    let mut problems: Vec<PathBuf> = fs::read_dir(directory)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    problems.sort();
    for path in problems
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
    {
        let document = Document::parse(&fs::read_to_string(path)?)?;
        let begin = Instant::now();
        let outcome = schedule(document.problem(), &ScheduleOptions::default())?;
        println!(
            "| {} | {} | {:.1} s | {:.2} % |",
            path.file_stem().unwrap_or_default().display(),
            document.problem().len(),
            begin.elapsed().as_secs_f64(),
            100.0 * outcome.gap(),
        );
    }
    let text = large::training_step()?;
    fs::write(file, &text)?;
    let (run, report) = run(file, &["--comm-schedule", "--remarks-filter=comm-schedule"])?;
    fs::remove_file(file)?;
    // The remark says "2.0 % above the bound", or that no order is faster.
    let of_remark = |line: &str| match line.split_once(" above the bound") {
        Some((before, _)) => Some(before.rsplit("; ").next()?.to_owned()),
        None => line.contains("no order is faster").then(|| "0.0 %".to_owned()),
    };
    let gap = report
        .lines()
        .find_map(of_remark)
        .ok_or("no remark on the training step")?;
    println!(
        "| training step of 32 layers | {} lines | {:.1} s | {} |",
        text.lines().count(),
        run.pass,
        gap,
    );
    Ok(())
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cost.mlir");
    let most = std::env::args().find_map(|argument| argument.parse().ok());
    let met = fast(&file, most.unwrap_or(usize::MAX))?;
    default_effort(&file)?;
    let plugin = std::env::current_exe()?.with_file_name("libmlir_comm.so");
    let megabytes = fs::metadata(plugin)?.len() as f64 / 1e6;
    println!("\nThe plugin has {megabytes:.1} MB.");
    if met && megabytes < 8.0 {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!(
        "a requirement is not met: each pass in less time than parsing and in at most 2.2 times as much for twice the ops from the smallest block to the largest, the \
         training step scheduled in less than 3 times the time of sorting it, a plugin below 8 MB"
    );
    Ok(ExitCode::FAILURE)
}
