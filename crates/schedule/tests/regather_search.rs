// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Keeping gathered against gathering again: brute force on small training steps, a sweep of memory limits on real ones.

mod regathering;

use comm_schedule::json::Document;
use comm_schedule::regather::{
    Alternatives, Choice, Figures, RegatherOptions, Regathered, alternatives, apply, choose,
};
use comm_schedule::{Collective, Kind, Node, NodeId, Point, Problem, ScheduleError, schedule};
use fastrand::Rng;
use regathering::{decisions, fast, limited, sets_by_operands};

/// Calls `look` with every combination of decisions.
fn each_combination(of_sets: &[Alternatives], mut look: impl FnMut(&[usize])) {
    let mut levels = vec![0; of_sets.len()];
    loop {
        look(&levels);
        let next = (0..levels.len()).find(|set| levels[*set] + 1 < of_sets[*set].decisions.len());
        let Some(next) = next else {
            return;
        };
        levels[..next].fill(0);
        levels[next] += 1;
    }
}

/// Least time within the limit, or the least peak where that is above it.
fn score(problem: &Problem, limit: u64) -> (u64, u64) {
    match schedule(problem, &fast(Some(limit))) {
        Ok(outcome) => (0, outcome.point.time_ns),
        Err(ScheduleError::LimitNotMet { least, .. }) => (least, 0),
        Err(error) => panic!("{error}"),
    }
}

fn score_of(figures: Figures) -> (u64, u64) {
    let Point { time_ns, peak_bytes } = figures.point;
    if figures.meets_limit {
        (0, time_ns)
    } else {
        (peak_bytes, 0)
    }
}

/// A training step of a few layers, whose weights are gathered once or twice, and its sets.
fn training_step(rng: &mut Rng) -> (Problem, Vec<Regathered>) {
    let mut problem = Problem::new();
    let link = problem.stream("dp");
    let layers = rng.usize(2..=5);
    let sizes: Vec<u64> = (0..layers)
        .map(|_| *rng.choice([16, 16, 40, 100].iter()).unwrap())
        .collect();
    let shards: Vec<NodeId> = sizes
        .iter()
        .map(|size| problem.push(Node::arg().bytes(*size / 4)))
        .collect();
    let latency = rng.u64(0..20);
    let gather = |problem: &mut Problem, layer: usize| {
        let (shard, bytes) = (shards[layer], sizes[layer]);
        let node = Node::start(Collective::AllGather, link)
            .bytes(bytes)
            .ns(latency + bytes);
        let start = problem.push(node.deps(&[shard]));
        (start, problem.push(Node::wait(start).deps(&[start, shard])))
    };
    let mut sets = Vec::new();
    let mut weights = Vec::new();
    let mut activations = Vec::new();
    let mut value = problem.push(Node::compute().ns(5).bytes(8));
    for (layer, size) in sizes.iter().enumerate() {
        let (start, weight) = gather(&mut problem, layer);
        let work = rng.u64(5..150);
        value = problem.push(
            Node::compute()
                .ns(work)
                .bytes(rng.u64(1..60))
                .deps(&[value, weight]),
        );
        sets.push(vec![start]);
        weights.push(weight);
        activations.push((value, work, *size));
    }
    for (layer, (activation, work, size)) in activations.into_iter().enumerate().rev() {
        let mut weight = weights[layer];
        if rng.bool() {
            let (start, again) = gather(&mut problem, layer);
            sets[layer].push(start);
            weight = again;
        }
        let gradient = problem.push(Node::compute().ns(work).bytes(size).deps(&[value, activation]));
        value = problem.push(Node::compute().ns(work).bytes(16).deps(&[value, weight]));
        let node = Node::start(Collective::ReduceScatter, link)
            .bytes(size / 4)
            .ns(latency + size);
        let start = problem.push(node.deps(&[gradient]));
        let reduced = problem.push(Node::wait(start).deps(&[start, gradient]));
        problem.push_live_out(reduced);
    }
    problem.push_live_out(value);
    let sets = sets.into_iter().map(|gathers| Regathered { gathers });
    (problem, sets.collect())
}

/// Asserts that a choice is what it says, and never worse than a fixed strategy.
fn assert_never_worse(choice: &Choice) {
    for fixed in [choice.before, choice.shared, choice.again] {
        assert!(
            score_of(choice.after) <= score_of(fixed),
            "{:?} against {fixed:?}",
            choice.after
        );
    }
}

#[test]
fn small_steps_against_brute_force() {
    let mut rng = Rng::with_seed(7);
    let (mut questions, mut best_found, mut beats_fixed, mut worst) = (0, 0, 0, 1.0_f64);
    for _ in 0..50 {
        let (problem, sets) = training_step(&mut rng);
        let of_sets = alternatives(&problem, &sets).unwrap();
        let (low, high) = (
            choose(&problem, &sets, &limited(0))
                .unwrap()
                .after
                .point
                .peak_bytes,
            600,
        );
        for _ in 0..3 {
            let limit = rng.u64(low.min(high) / 2..=high);
            let mut best = (u64::MAX, 0);
            each_combination(&of_sets, |levels| {
                let rewritten = apply(&problem, &decisions(&of_sets, levels));
                best = best.min(score(&rewritten.problem, limit));
            });
            let choice = choose(&problem, &sets, &limited(limit)).unwrap();
            assert_never_worse(&choice);
            let found = score_of(choice.after);
            assert!(best <= found, "brute force looks at everything");
            assert_eq!(
                found,
                score(&choice.rewritten.problem, limit),
                "figures are those of the result"
            );
            let fixed = [choice.before, choice.shared, choice.again].map(score_of);
            questions += 1;
            best_found += usize::from(found == best);
            beats_fixed += usize::from(fixed.iter().all(|fixed| found < *fixed));
            if (found.0, best.0) == (0, 0) {
                worst = worst.max(found.1 as f64 / best.1 as f64);
            }
        }
    }
    println!(
        "best combination found in {best_found} of {questions}, better than all fixed strategies in {beats_fixed}, \
         slower by {:.2} % at worst",
        (worst - 1.0) * 100.0
    );
    assert!(best_found * 100 >= questions * 97, "{best_found} of {questions}");
    assert!(beats_fixed * 10 >= questions, "{beats_fixed} of {questions}");
}

fn real_problem(name: &str) -> Problem {
    let path = format!(
        "{}/../../test/programs/problems/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).expect("the problem is there");
    Document::parse(&text)
        .expect("it is well formed")
        .problem()
        .clone()
}

/// All gathers of a problem of XLA's. Re-gathers read the very argument that the forward pass gathers, so what they read
/// tells; names tell gathers from reductions, since these files do not say which collective a node is.
fn sets_of_real(problem: &Problem) -> Vec<Regathered> {
    sets_by_operands(problem, |id| {
        problem.kind(id) == Kind::Start && problem.name(id).replace('_', "-").starts_with("all-gather")
    })
}

/// Sweeps memory limits from the least peak to the largest, and counts where the mixture is strictly faster than everything
/// fixed that meets the limit.
fn sweep(name: &str, problem: &Problem, steps: u64) -> usize {
    let sets = sets_of_real(problem);
    let lowest = choose(problem, &sets, &limited(0))
        .unwrap()
        .after
        .point
        .peak_bytes;
    let free = choose(problem, &sets, &RegatherOptions::default()).unwrap();
    assert_never_worse(&free);
    let highest = free.shared.point.peak_bytes.max(free.again.point.peak_bytes);
    let mut faster = 0;
    let mut least = u64::MAX;
    for step in 0..=steps {
        let limit = lowest + (highest - lowest) * step / steps;
        let choice = choose(problem, &sets, &limited(limit)).unwrap();
        assert!(choice.after.meets_limit, "the least peak can be met");
        assert!(choice.after.point.peak_bytes <= limit);
        assert_never_worse(&choice);
        let fixed = [choice.before, choice.shared, choice.again];
        let fixed = fixed
            .iter()
            .filter(|fixed| fixed.meets_limit)
            .map(|fixed| fixed.point.time_ns);
        let best_fixed = fixed.min().unwrap_or(u64::MAX);
        faster += usize::from(choice.after.point.time_ns < best_fixed);
        least = least.min(choice.after.point.time_ns);
        let show = |figures: Figures| match figures.meets_limit {
            true => format!("{:.1}", figures.point.time_ns as f64 / 1e3),
            false => "-".to_owned(),
        };
        println!(
            "{name} {:.0} MB: given {} shared {} again {} mixture {} us, {} tried",
            limit as f64 / 1e6,
            show(choice.before),
            show(choice.shared),
            show(choice.again),
            show(choice.after),
            choice.tried
        );
    }
    assert_eq!(
        least, free.after.point.time_ns,
        "with enough memory nothing is left to wait for"
    );
    faster
}

#[test]
fn a_sweep_of_limits_on_a_step_that_gathers_again() {
    let problem = real_problem("zero3_L2_llama7b_train");
    assert!(sweep("zero3_L2", &problem, 20) >= 3);
}

#[test]
fn a_sweep_of_limits_on_a_step_that_keeps() {
    let problem = real_problem("zero3_L2_llama7b_train");
    let of_sets = alternatives(&problem, &sets_of_real(&problem)).unwrap();
    let kept = apply(&problem, &decisions(&of_sets, &vec![0; of_sets.len()])).problem;
    assert!(sets_of_real(&kept).iter().all(|set| set.gathers.len() == 1));
    assert!(sweep("zero2_L2", &kept, 20) >= 3);
}

#[test]
fn a_sweep_of_limits_on_a_step_of_two_mesh_axes() {
    assert!(sweep("hsdp_L4", &real_problem("hsdp_L4_llama7b_train"), 8) >= 2);
}

#[test]
#[ignore = "schedules a real step 32768 times, which takes a minute or more"]
fn a_real_step_against_brute_force() {
    let problem = real_problem("zero3_L2_llama7b_train");
    let sets = sets_of_real(&problem);
    let of_sets = alternatives(&problem, &sets).unwrap();
    let lowest = choose(&problem, &sets, &limited(0))
        .unwrap()
        .after
        .point
        .peak_bytes;
    let free = choose(&problem, &sets, &RegatherOptions::default()).unwrap();
    let highest = (lowest + free.shared.point.peak_bytes) / 2;
    let limits: Vec<u64> = (0..=40)
        .map(|step| lowest + (highest - lowest) * step / 40)
        .collect();
    let mut best = vec![u64::MAX; limits.len()];
    let pairs: Vec<usize> = (0..sets.len())
        .filter(|set| sets[*set].gathers.len() == 2)
        .collect();
    for ways in 0..1_u32 << pairs.len() {
        let mut levels: Vec<usize> = of_sets.iter().map(|of| of.given).collect();
        let shared = pairs.iter().enumerate().filter(|(bit, _)| ways >> bit & 1 == 1);
        shared.for_each(|(_, set)| levels[*set] = 0);
        let rewritten = apply(&problem, &decisions(&of_sets, &levels));
        // What is found does not depend on the limit, so one schedule answers all.
        let outcome = schedule(&rewritten.problem, &fast(None)).unwrap();
        for point in outcome.front.iter().chain([&outcome.source]) {
            for (limit, best) in limits.iter().zip(&mut best) {
                if point.peak_bytes <= *limit {
                    *best = (*best).min(point.time_ns);
                }
            }
        }
    }
    for (limit, best) in limits.into_iter().zip(best) {
        let choice = choose(&problem, &sets, &limited(limit)).unwrap();
        let (found, tried) = (choice.after.point.time_ns, choice.tried);
        println!("{limit}: {found} found in {tried}, best {best}");
        assert!(found * 1000 <= best * 1015, "{found} against {best} at {limit}");
    }
}
