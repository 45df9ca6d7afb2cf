// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Keeping gathered against gathering again: legality on random programs, brute force on small training steps, a sweep of
//! memory limits on real ones.

mod common;

use comm_schedule::json::Document;
use comm_schedule::regather::{
    Alternatives, Choice, Decision, Fact, Figures, Origin, RegatherError, RegatherOptions, Regathered,
    Rewritten, alternatives, apply, choose,
};
use comm_schedule::{
    Collective, Effort, Kind, Node, NodeId, Point, Problem, ScheduleError, ScheduleOptions, schedule, verify,
};
use common::{ALL, choices, program};
use fastrand::Rng;
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap};

fn limited(memory_limit: u64) -> RegatherOptions {
    RegatherOptions {
        memory_limit: Some(memory_limit),
        ..RegatherOptions::default()
    }
}

fn fast(memory_limit: Option<u64>) -> ScheduleOptions {
    ScheduleOptions {
        effort: Effort::Fast,
        memory_limit,
        ..ScheduleOptions::default()
    }
}

/// The gathers that `is_gather` holds for, by what they read and how large they are.
fn sets_by_operands(problem: &Problem, is_gather: impl Fn(NodeId) -> bool) -> Vec<Regathered> {
    let waits = problem.waits();
    let mut sets: BTreeMap<_, Vec<NodeId>> = BTreeMap::new();
    for id in problem.ids().filter(|id| is_gather(*id)) {
        let is_complete = match problem.kind(id) {
            Kind::Start => waits[id.index()].is_some(),
            kind => kind == Kind::Blocking,
        };
        if is_complete {
            let key = (problem.deps(id).to_vec(), problem.kind(id), problem.bytes(id));
            sets.entry(key).or_default().push(id);
        }
    }
    sets.into_values().map(|gathers| Regathered { gathers }).collect()
}

/// A value for each node that says what it computes from what, where gathers of a set are one value.
fn values(
    problem: &Problem,
    set_of: impl Fn(NodeId) -> Option<usize>,
    name: impl Fn(NodeId) -> u64,
) -> Vec<u64> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut values: Vec<u64> = Vec::with_capacity(problem.len());
    for id in problem.ids() {
        let mut hasher = DefaultHasher::new();
        match set_of(problem.of(id).unwrap_or(id)) {
            Some(set) => ("set", set).hash(&mut hasher),
            None => {
                name(id).hash(&mut hasher);
                let read = problem.deps(id).iter().map(|dep| values[dep.index()]);
                read.collect::<Vec<_>>().hash(&mut hasher);
            }
        }
        values.push(hasher.finish());
    }
    values
}

/// Asserts that a rewritten problem is well formed, computes the same, and loses no order.
fn assert_equivalent(old: &Problem, sets: &[Regathered], chosen: &[Decision], new: &Rewritten) {
    new.problem.check().expect("a rewritten problem is well formed");
    let mut set_of = HashMap::new();
    for (set, gathers) in sets.iter().enumerate() {
        gathers
            .gathers
            .iter()
            .for_each(|id| assert!(set_of.insert(*id, set).is_none()));
    }
    let origin = |id: NodeId| match new.nodes[id.index()] {
        Origin::Kept(id) | Origin::Copy(id) => id,
    };
    let before = values(old, |id| set_of.get(&id).copied(), |id| u64::from(id.0));
    let after = values(
        &new.problem,
        |id| set_of.get(&origin(id)).copied(),
        |id| u64::from(origin(id).0),
    );
    let mut places: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for id in new.problem.ids() {
        let of = origin(id);
        assert_eq!(
            after[id.index()],
            before[of.index()],
            "{id} computes what {of} did"
        );
        assert_eq!(new.problem.kind(id), old.kind(of));
        assert_eq!(
            (new.problem.ns(id), new.problem.bytes(id)),
            (old.ns(of), old.bytes(of))
        );
        places.entry(of).or_default().push(id);
    }
    let waits = old.waits();
    let mut stand_in: HashMap<NodeId, NodeId> = HashMap::new();
    for shared in chosen.iter().flat_map(|decision| &decision.shared) {
        stand_in.insert(shared.dropped, shared.kept);
        if let (Some(from), Some(to)) = (waits[shared.dropped.index()], waits[shared.kept.index()]) {
            stand_in.insert(from, to);
        }
    }
    let of_one = |id: NodeId| if waits[id.index()].is_some() { 2 } else { 1 };
    let made: usize = chosen
        .iter()
        .flat_map(|of| &of.split)
        .map(|split| of_one(split.gather))
        .sum();
    assert_eq!(new.problem.len() + stand_in.len(), old.len() + made);
    let now = |id: NodeId| &places[stand_in.get(&id).unwrap_or(&id)];
    for id in old.ids() {
        for &dep in old.after(id) {
            for (&id, &dep) in now(id)
                .iter()
                .flat_map(|id| now(dep).iter().map(move |dep| (id, dep)))
            {
                assert!(new.problem.after(id).contains(&dep), "{id} still follows {dep}");
            }
        }
    }
    let live_out: Vec<NodeId> = old.live_out().iter().map(|id| now(*id)[0]).collect();
    assert_eq!(new.problem.live_out(), live_out);
}

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

fn decisions(of_sets: &[Alternatives], levels: &[usize]) -> Vec<Decision> {
    let chosen = of_sets.iter().zip(levels);
    chosen.map(|(of, level)| of.decisions[*level].clone()).collect()
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_alternative_is_legal_on_programs_with_fences_and_stray_order(
        choices in choices(70), seed in any::<u64>()
    ) {
        let problem = program(&choices, ALL);
        let sets = sets_by_operands(&problem, |id| problem.collective(id) == Some(Collective::AllGather));
        let of_sets = alternatives(&problem, &sets).unwrap();
        let mut rng = Rng::with_seed(seed);
        for _ in 0..4 {
            let levels: Vec<usize> = of_sets.iter().map(|of| rng.usize(..of.decisions.len())).collect();
            let chosen = decisions(&of_sets, &levels);
            let rewritten = apply(&problem, &chosen);
            assert_equivalent(&problem, &sets, &chosen, &rewritten);
        }
        let given: Vec<usize> = of_sets.iter().map(|of| of.given).collect();
        let same = apply(&problem, &decisions(&of_sets, &given));
        prop_assert!(same.nodes.iter().copied().eq(problem.ids().map(Origin::Kept)));
        prop_assert!(problem.ids().all(|id| problem.node(id) == same.problem.node(id)));
    }

    #[test]
    fn the_order_of_sets_and_of_gathers_in_them_decides_nothing(
        choices in choices(40), seed in any::<u64>(), limit in 0u64..400
    ) {
        let problem = program(&choices, ALL);
        let sets = sets_by_operands(&problem, |id| problem.collective(id) == Some(Collective::AllGather));
        let mut rng = Rng::with_seed(seed);
        let mut shuffled: Vec<usize> = (0..sets.len()).collect();
        rng.shuffle(&mut shuffled);
        let mut others: Vec<Regathered> = shuffled.iter().map(|set| sets[*set].clone()).collect();
        others.iter_mut().for_each(|set| rng.shuffle(&mut set.gathers));
        let (one, other) = (choose(&problem, &sets, &limited(limit)), choose(&problem, &others, &limited(limit)));
        let (one, other) = (one.unwrap(), other.unwrap());
        for (index, set) in shuffled.into_iter().enumerate() {
            prop_assert_eq!(&one.decisions[set], &other.decisions[index]);
        }
        prop_assert_eq!(&one.rewritten.nodes, &other.rewritten.nodes);
        prop_assert_eq!((one.before, one.after, one.tried), (other.before, other.after, other.tried));
        assert_equivalent(&problem, &sets, &one.decisions, &one.rewritten);
        let order = schedule(&one.rewritten.problem, &fast(None)).unwrap().order;
        prop_assert_eq!(verify(&one.rewritten.problem, &order), Ok(()));
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

/// A block of two gathers of one shard, `a` and `b`, and what a test puts between them. Durations are such that each gather
/// is exposed.
struct Block {
    problem: Problem,
    shard: NodeId,
    value: NodeId,
}

impl Block {
    fn new() -> Self {
        let mut problem = Problem::new();
        problem.stream("dp");
        let shard = problem.push(Node::arg().bytes(4));
        let value = problem.push(Node::compute().ns(10).bytes(1));
        Block {
            problem,
            shard,
            value,
        }
    }

    fn start(&mut self, after: &[NodeId]) -> NodeId {
        let link = self.problem.stream("dp");
        let node = Node::start(Collective::AllGather, link).ns(50).bytes(16);
        self.problem.push(node.deps(&[self.shard]).after(after))
    }

    fn wait(&mut self, start: NodeId, after: &[NodeId]) -> NodeId {
        self.problem
            .push(Node::wait(start).deps(&[start, self.shard]).after(after))
    }

    fn gather(&mut self, after: &[NodeId]) -> (NodeId, NodeId) {
        let start = self.start(after);
        (start, self.wait(start, after))
    }

    fn read(&mut self, weight: NodeId) -> NodeId {
        self.value = self
            .problem
            .push(Node::compute().ns(10).bytes(1).deps(&[self.value, weight]));
        self.value
    }

    fn fence(&mut self, after: &[NodeId]) -> NodeId {
        self.problem.push(Node::compute().fence(true).after(after))
    }

    fn ladder(&self, gathers: &[NodeId]) -> Alternatives {
        let set = Regathered {
            gathers: gathers.to_vec(),
        };
        alternatives(&self.problem, &[set]).unwrap().remove(0)
    }
}

#[test]
fn no_reader_crosses_a_fence() {
    let mut block = Block::new();
    let (a, weight) = block.gather(&[]);
    block.read(weight);
    block.fence(&[]);
    let (b, again) = block.gather(&[]);
    block.read(again);
    assert_eq!(
        block.ladder(&[a, b]).decisions,
        [Decision::default()],
        "not shared"
    );

    let mut block = Block::new();
    let (a, weight) = block.gather(&[]);
    block.read(weight);
    block.problem.push(Node::compute().ns(500));
    block.fence(&[a, weight]);
    block.read(weight);
    assert_eq!(block.ladder(&[a]).decisions, [Decision::default()], "not split");
}

#[test]
fn between_the_same_fences_order_is_kept() {
    let mut block = Block::new();
    let first = block.fence(&[]);
    let (a, weight) = block.gather(&[first]);
    block.read(weight);
    let (b, again) = block.gather(&[first]);
    block.problem.push(Node::compute().ns(500));
    block.read(again);
    let second = block.fence(&[a, weight, b, again]);
    let set = Regathered { gathers: vec![b, a] };
    let ladder = block.ladder(&set.gathers);
    assert_eq!((ladder.decisions.len(), ladder.given, ladder.again), (2, 1, 1));
    let shared = &ladder.decisions[..1];
    assert_eq!((shared[0].shared[0].dropped, shared[0].shared[0].kept), (b, a));
    let rewritten = apply(&block.problem, shared);
    assert_equivalent(&block.problem, &[set], shared, &rewritten);

    // One gather with the same readers is split there, and the second fence follows the copy too.
    let mut block_of_one = Block::new();
    let first_of_one = block_of_one.fence(&[]);
    let (a, weight) = block_of_one.gather(&[first_of_one]);
    block_of_one.read(weight);
    block_of_one.problem.push(Node::compute().ns(500));
    let reader = block_of_one.read(weight);
    block_of_one.fence(&[a, weight]);
    let set = Regathered { gathers: vec![a] };
    let ladder = block_of_one.ladder(&set.gathers);
    assert_eq!((ladder.decisions.len(), ladder.given, ladder.again), (2, 0, 1));
    let split = &ladder.decisions[1..];
    assert_eq!(
        (split[0].split[0].gather, &split[0].split[0].users),
        (a, &vec![reader])
    );
    let rewritten = apply(&block_of_one.problem, split);
    assert_equivalent(&block_of_one.problem, &[set], split, &rewritten);

    // A gather that must follow the other's wait is ordered differently.
    let mut chained = Block::new();
    let (a, weight) = chained.gather(&[]);
    chained.read(weight);
    let (b, again) = chained.gather(&[weight]);
    chained.read(again);
    assert_eq!(chained.ladder(&[a, b]).decisions.len(), 1);
    assert_eq!(block.problem.after(second).len(), 4);
}

#[test]
fn a_kept_wait_moves_up_to_where_the_dropped_one_stood() {
    let mut block = Block::new();
    let a = block.start(&[]);
    let b = block.start(&[]);
    let early = block.wait(b, &[]);
    block.read(early);
    let late = block.wait(a, &[]);
    block.read(late);
    let set = Regathered { gathers: vec![a, b] };
    let ladder = block.ladder(&set.gathers);
    let rewritten = apply(&block.problem, &ladder.decisions[..1]);
    assert_equivalent(&block.problem, &[set], &ladder.decisions[..1], &rewritten);
    assert_eq!(rewritten.nodes[3], Origin::Kept(late));
}

#[test]
fn what_cannot_let_go_is_not_split() {
    // A view that is read on both sides.
    let mut block = Block::new();
    let (a, weight) = block.gather(&[]);
    let view = block.problem.push(Node::view().deps(&[weight]));
    block.read(view);
    block.problem.push(Node::compute().ns(500));
    block.read(view);
    assert_eq!(block.ladder(&[a]).decisions.len(), 1);
    // The same with a view for each side.
    let other = block.problem.push(Node::view().deps(&[weight]));
    let reader = block.read(other);
    block.problem.push(Node::compute().ns(500).deps(&[reader]));
    let last = block.problem.push(Node::view().deps(&[weight]));
    block.read(last);
    let ladder = block.ladder(&[a]);
    assert_eq!(
        (ladder.decisions.len(), &ladder.decisions[1].split[0].users),
        (2, &vec![last])
    );
    // What is live out is kept anyway.
    block.problem.push_live_out(weight);
    assert_eq!(block.ladder(&[a]).decisions.len(), 1);
}

#[test]
fn nothing_is_changed_that_saves_no_time() {
    let mut block = Block::new();
    let (a, weight) = block.gather(&[]);
    block.read(weight);
    block.value = block.problem.push(Node::compute().ns(500).deps(&[block.value]));
    let (b, again) = block.gather(&[]);
    block.read(again);
    let sets = [Regathered { gathers: vec![a, b] }];
    let choice = choose(&block.problem, &sets, &RegatherOptions::default()).unwrap();
    assert_eq!(
        choice.decisions,
        [Decision::default()],
        "the second gather is hidden"
    );
    assert_eq!(choice.before, choice.after);
    let none = choose(&block.problem, &[], &limited(0)).unwrap();
    assert_eq!(
        (none.tried, none.after.meets_limit),
        (1, false),
        "no order does without memory"
    );
    let fixed = RegatherOptions {
        most_tried: 0,
        ..RegatherOptions::default()
    };
    assert_eq!(
        choose(&block.problem, &sets, &fixed).unwrap().tried,
        2,
        "the fixed strategies always are"
    );
}

#[test]
fn sets_that_cannot_be_are_refused() {
    let mut block = Block::new();
    let (a, weight) = block.gather(&[]);
    let (b, _) = block.gather(&[]);
    let open = block.start(&[]);
    let link = block.problem.stream("dp");
    let blocking = Node::blocking(Collective::AllGather, link).bytes(16);
    let operand = [block.shard];
    let blocking = block.problem.push(blocking.deps(&operand));
    let other = Node::start(Collective::Broadcast, link).bytes(16).deps(&operand);
    let other = block.problem.push(other);
    block.wait(other, &[]);
    let large = Node::start(Collective::AllGather, link).bytes(32).deps(&operand);
    let large = block.problem.push(large);
    block.wait(large, &[]);
    let error = |sets: &[&[NodeId]]| {
        let sets = sets.iter().map(|gathers| Regathered {
            gathers: gathers.to_vec(),
        });
        alternatives(&block.problem, &sets.collect::<Vec<_>>()).unwrap_err()
    };
    let different = |node, fact| RegatherError::Different {
        set: 0,
        node,
        first: a,
        fact,
    };
    let nowhere = NodeId(1000);
    assert_eq!(error(&[&[a], &[]]), RegatherError::Empty { set: 1 });
    assert_eq!(
        error(&[&[weight]]),
        RegatherError::NoCollective { set: 0, node: weight }
    );
    assert_eq!(
        error(&[&[nowhere]]),
        RegatherError::NoCollective {
            set: 0,
            node: nowhere
        }
    );
    assert_eq!(error(&[&[open]]), RegatherError::Unawaited { set: 0, node: open });
    assert_eq!(error(&[&[blocking, a]]), different(blocking, Fact::Kind));
    assert_eq!(error(&[&[a, other]]), different(other, Fact::Collective));
    assert_eq!(error(&[&[large, a]]), different(large, Fact::Bytes));
    let repeated = RegatherError::Repeated {
        set: 1,
        node: b,
        first: 0,
    };
    assert_eq!(error(&[&[a, b], &[b]]), repeated);
    assert_eq!(
        repeated.to_string(),
        format!("set 1: {b} is named already, in set 0")
    );
}
