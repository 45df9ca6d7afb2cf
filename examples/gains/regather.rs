// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Kept gathered or gathered again, parameter by parameter, under a sweep of memory limits.

use std::{error::Error, fs, path::Path};

use comm_schedule::{
    Effort, NodeId, Problem, ScheduleOptions,
    json::Document,
    regather::{Figures, RegatherOptions, Regathered, choose},
    schedule,
};

/// Limits between the least peak that was found and the one of the fastest schedule.
const LIMITS: u64 = 8;

/// The sweep over one step. Whether the choice is never slower than a fixed strategy.
pub fn sweep(name: &str) -> Result<bool, Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("test/programs/problems/{name}.json"));
    let document = Document::parse(&fs::read_to_string(path)?)?;
    let problem = document.problem();
    let sets = sets(problem);
    let front = schedule(problem, &ScheduleOptions::default())?.front;
    let bytes = || front.iter().map(|point| point.peak_bytes);
    let (Some(least), Some(most)) = (bytes().min(), bytes().max()) else {
        return Ok(true);
    };
    println!("| {name}: limit | as given | all kept | all gathered again | chosen | kept |");
    println!("|--:|--:|--:|--:|--:|--:|");
    let mut is_never_slower = true;
    for step in 0..=LIMITS {
        let limit = least + (most - least) / LIMITS * step;
        let options = RegatherOptions {
            memory_limit: Some(limit),
            effort: Effort::Default,
            ..RegatherOptions::default()
        };
        let choice = choose(problem, &sets, &options)?;
        let dropped: usize = choice
            .decisions
            .iter()
            .map(|decision| decision.shared.len())
            .sum();
        println!(
            "| {:.0} MB | {} | {} | {} | {} | {dropped} of {} |",
            limit as f64 / 1e6,
            cell(&choice.before),
            cell(&choice.shared),
            cell(&choice.again),
            cell(&choice.after),
            sets.len(),
        );
        let fixed = [&choice.before, &choice.shared, &choice.again];
        is_never_slower &= fixed
            .iter()
            .filter(|figures| figures.meets_limit)
            .all(|figures| choice.after.meets_limit && choice.after.point.time_ns <= figures.point.time_ns);
    }
    Ok(is_never_slower)
}

fn cell(figures: &Figures) -> String {
    if figures.meets_limit {
        format!("{:.1} us", figures.point.time_ns as f64 / 1e3)
    } else {
        "above the limit".to_owned()
    }
}

/// All-gathers of one value: those that read the same nodes and yield as many bytes.
fn sets(problem: &Problem) -> Vec<Regathered> {
    let mut known: Vec<(&[NodeId], u64)> = Vec::new();
    let mut sets: Vec<Regathered> = Vec::new();
    let waits = problem.waits();
    for id in problem.ids() {
        if waits[id.index()].is_none() || !problem.name(id).replace('_', "-").contains("all-gather") {
            continue;
        }
        let form = (problem.deps(id), problem.bytes(id));
        match known.iter().position(|other| *other == form) {
            Some(set) => sets[set].gathers.push(id),
            None => {
                known.push(form);
                sets.push(Regathered { gathers: vec![id] });
            }
        }
    }
    sets.retain(|set| set.gathers.len() > 1);
    sets
}
