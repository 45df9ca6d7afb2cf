// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Turns a group of early starts that are ready at the same moment into a [`TieGroup`], and has it solved.
//!
//! A *unit* is a start with what must be emitted for it. What several units need is emitted before all of them: it is
//! available anyhow, it is views and waits that own no bytes and seldom a converted weight, and the memory after a
//! set of units then depends on the set alone, which is what makes the search exact.
//!
//! Which results die in the group follows from the holds: a result all of whose remaining uses end in units dies with
//! the last of these units. Waits that the limit on reductions forces in between are not foreseen: what they free is
//! the same for every order, up to which operand is freed first.
//!
//! Linear in the units' nodes and operands, plus one sort of the released results.

use super::emit::Emitter;
use super::holds::{Holds, aliased, ended_uses};
use super::options::SortError;
use super::ties::{Release, TieGroup, Unit};
use crate::memory::owned_bytes;
use crate::node::NodeId;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The owner of what several units need.
const SHARED: usize = usize::MAX;

/// The order of `group` (positions in it) with the least peak, or nothing when the group is too large to tell.
pub(super) fn resolve(emitter: &mut Emitter<'_>, group: &[NodeId]) -> Result<Option<Vec<usize>>, SortError> {
    for shared in shared_needs(emitter, group) {
        if !emitter.is_emitted(shared) {
            emitter.advance(shared);
        }
    }
    let budget = emitter.tie_budget();
    match emitter.holds() {
        Some(holds) => Ok(tie_group(emitter, holds, group).solve(budget)?),
        None => Ok(None),
    }
}

/// What is needed by several units, after what it needs itself.
fn shared_needs(emitter: &Emitter<'_>, group: &[NodeId]) -> Vec<NodeId> {
    let numbers = &emitter.prepared().numbers;
    let mut owners: HashMap<NodeId, usize> = HashMap::new();
    let mut shared = Vec::new();
    for (unit, &start) in group.iter().enumerate() {
        // A shared node makes all it needs shared; every node is thus entered at most twice.
        let mut stack: Vec<NodeId> = vec![start];
        while let Some(id) = stack.pop() {
            for &need in numbers
                .needs(id)
                .iter()
                .filter(|need| !emitter.is_emitted(**need))
            {
                match owners.get(&need) {
                    None => {
                        owners.insert(need, unit);
                        stack.push(need);
                    }
                    Some(&owner) if owner != unit && owner != SHARED => {
                        share(emitter, need, &mut owners, &mut shared);
                    }
                    Some(_) => {}
                }
            }
        }
    }
    shared.sort_unstable_by_key(|id: &NodeId| numbers.numbers[id.index()]);
    shared
}

/// Marks a node and all it needs as shared.
fn share(emitter: &Emitter<'_>, root: NodeId, owners: &mut HashMap<NodeId, usize>, shared: &mut Vec<NodeId>) {
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        if owners.insert(id, SHARED) != Some(SHARED) {
            shared.push(id);
            let needs = emitter.prepared().numbers.needs(id).iter();
            stack.extend(needs.filter(|need| !emitter.is_emitted(**need)));
        }
    }
}

/// What the units' memory is, and which results die with which units.
fn tie_group(emitter: &Emitter<'_>, holds: &Holds, group: &[NodeId]) -> TieGroup {
    let prepared = emitter.prepared();
    let (problem, waits) = (prepared.problem, &prepared.classes.waits);
    // For each result the uses that end in the group: how many, and the last step of each unit that has one. Users
    // have larger ids than what they use, so taking the largest id first meets a view before what it aliases.
    let mut uses: BTreeMap<NodeId, (u32, BTreeMap<usize, usize>)> = BTreeMap::new();
    let mut units = Vec::with_capacity(group.len());
    for (index, &start) in group.iter().enumerate() {
        let nodes = unit_nodes(emitter, start);
        for (step, &id) in nodes.iter().enumerate() {
            ended_uses(problem, waits, id, |used| {
                let (count, last) = uses.entry(used).or_default();
                *count += 1;
                last.insert(index, step);
            });
        }
        let owned = |id: &NodeId| owned_bytes(problem, *id) as i64;
        units.push(Unit {
            allocations: nodes.iter().map(owned).collect(),
        });
    }

    let mut releases = Vec::new();
    while let Some((id, (count, last))) = uses.pop_last() {
        if holds.count(id) != count {
            continue;
        }
        for &used in aliased(problem, id) {
            let (count, last_of_used) = uses.entry(used).or_default();
            *count += 1;
            for (&unit, &step) in &last {
                let slot = last_of_used.entry(unit).or_insert(step);
                *slot = (*slot).max(step);
            }
        }
        let bytes = owned_bytes(problem, id) as i64;
        if bytes > 0 {
            releases.push(Release {
                bytes,
                last: last.into_iter().collect(),
            });
        }
    }
    TieGroup { units, releases }
}

/// The nodes of a unit in the order in which they would be emitted.
fn unit_nodes(emitter: &Emitter<'_>, start: NodeId) -> Vec<NodeId> {
    let numbers = &emitter.prepared().numbers;
    let mut nodes = Vec::new();
    let mut entered = HashSet::from([start]);
    let mut stack = vec![(start, 0)];
    while let Some((id, cursor)) = stack.last_mut() {
        let id = *id;
        match numbers.needs(id).get(*cursor) {
            Some(&need) => {
                *cursor += 1;
                if !emitter.is_emitted(need) && entered.insert(need) {
                    stack.push((need, 0));
                }
            }
            None => {
                stack.pop();
                nodes.push(id);
            }
        }
    }
    nodes
}
