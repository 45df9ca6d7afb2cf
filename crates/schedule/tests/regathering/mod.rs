// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What tests of keeping and gathering again share: sets of gathers, and what must be the same after any decision.
#![allow(dead_code)] // Every test binary uses its own part.

use comm_schedule::regather::{Alternatives, Decision, Origin, RegatherOptions, Regathered, Rewritten};
use comm_schedule::{Effort, Kind, NodeId, Problem, ScheduleOptions};
use std::collections::{BTreeMap, HashMap};

/// Options with a memory limit alone.
pub fn limited(memory_limit: u64) -> RegatherOptions {
    RegatherOptions {
        memory_limit: Some(memory_limit),
        ..RegatherOptions::default()
    }
}

/// What combinations are scheduled with.
pub fn fast(memory_limit: Option<u64>) -> ScheduleOptions {
    ScheduleOptions {
        effort: Effort::Fast,
        memory_limit,
        ..ScheduleOptions::default()
    }
}

/// The gathers that `is_gather` holds for, by what they read and how large they are.
pub fn sets_by_operands(problem: &Problem, is_gather: impl Fn(NodeId) -> bool) -> Vec<Regathered> {
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

/// The decisions at these positions.
pub fn decisions(of_sets: &[Alternatives], levels: &[usize]) -> Vec<Decision> {
    let chosen = of_sets.iter().zip(levels);
    chosen.map(|(of, level)| of.decisions[*level].clone()).collect()
}

/// A value for each node that says what it computes from what, where gathers of a set are one value.
pub fn values(
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
pub fn assert_equivalent(old: &Problem, sets: &[Regathered], chosen: &[Decision], new: &Rewritten) {
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
