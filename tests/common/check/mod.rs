// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-sort` promises, stated on snapshots of IR from before and after.
//!
//! Roles of ops are worked out here from the definition of the pass (anchors, private chains, views), by tables of names
//! and code of its own. Where a definition leaves room (a loop may or may not be known to be uniform), the checks accept
//! both readings.

mod facts;
mod tables;

use std::collections::{HashMap, HashSet};

use mlir_comm::passes::SortOptions;

use super::ir::{BlockKey, Id, Snapshot};
pub use facts::{BlockFacts, Role};
pub use tables::{Class, class, communicates};

/// Where each op stands.
fn positions(order: &[Id]) -> HashMap<Id, usize> {
    order
        .iter()
        .enumerate()
        .map(|(position, &id)| (id, position))
        .collect()
}

/// All that the pass promises of one run.
pub fn check(before: &Snapshot, after: &Snapshot, options: &SortOptions) -> Result<(), String> {
    same_ops(before, after)?;
    for &block in &before.block_order {
        let (from, to) = (&before.blocks[&block], &after.blocks[&block]);
        if !from.iter().any(|&id| class(before.op(id)).is_some()) {
            if from != to {
                return Err(format!("block {block:?} does not communicate and has changed"));
            }
            continue;
        }
        let facts = BlockFacts::new(before, block, options);
        order_is_kept(&facts, to)?;
        limits_are_kept(&facts, to, options)?;
        gathers_follow_their_consumers(&facts, to)?;
        early_starts_follow_their_producers(&facts, to)?;
    }
    Ok(())
}

/// The same ops in the same blocks, with the same operands, attributes and types.
pub fn same_ops(before: &Snapshot, after: &Snapshot) -> Result<(), String> {
    let sorted = |snapshot: &Snapshot, block: &BlockKey| {
        let mut ids = snapshot.blocks.get(block).cloned().unwrap_or_default();
        ids.sort_unstable();
        ids
    };
    if before.blocks.len() != after.blocks.len() || before.arguments != after.arguments {
        return Err("blocks or their arguments have changed".into());
    }
    for block in &before.block_order {
        if sorted(before, block) != sorted(after, block) {
            return Err(format!("block {block:?} holds other ops"));
        }
    }
    for (id, op) in &before.ops {
        if after.ops.get(id) != Some(op) {
            return Err(format!("op {id} has changed: {op:?} -> {:?}", after.ops.get(id)));
        }
    }
    Ok(())
}

/// A linear extension of dependences, effects and opaque communication; anchors keep their order.
fn order_is_kept(facts: &BlockFacts, order: &[Id]) -> Result<(), String> {
    let at = positions(order);
    for &id in order {
        if let Some(late) = facts.dependences[&id]
            .iter()
            .find(|dependence| at[dependence] >= at[&id])
        {
            return Err(format!("op {id} stands before {late}, which it reads"));
        }
    }
    let in_order = |ids: Vec<Id>, what: &str| match ids.windows(2).find(|pair| at[&pair[0]] > at[&pair[1]]) {
        Some(pair) => Err(format!("{what} {} and {} have changed places", pair[0], pair[1])),
        None => Ok(()),
    };
    in_order(
        facts
            .ops
            .iter()
            .copied()
            .filter(|id| facts.is_anchor(*id))
            .collect(),
        "anchors",
    )?;
    in_order(facts.others().collect(), "other collectives")?;
    for (position, &fence) in facts.ops.iter().enumerate() {
        if !facts.must_be_fence(fence) {
            continue;
        }
        for (other, &id) in facts.ops.iter().enumerate() {
            let crossed =
                id != fence && communicates(facts.op(id)) && (other < position) != (at[&id] < at[&fence]);
            if crossed {
                return Err(format!("{id} has crossed the fence {fence}"));
            }
        }
    }
    Ok(())
}

/// Most gathers of shards, or reductions, in flight on one stream.
pub fn most_in_flight(facts: &BlockFacts, order: &[Id], of: Class) -> usize {
    let mut now: HashMap<String, usize> = HashMap::new();
    let mut most = 0;
    for &id in order {
        let (start, begins) = match facts.roles[&id] {
            Role::Start(class) if class == of && facts.wait_of(id).is_some() => (id, true),
            Role::Wait(class) if class == of => (facts.start_of(id).expect("it has a start"), false),
            _ => continue,
        };
        if of == Class::Gather && !facts.takes_slot(start) {
            continue;
        }
        let op = facts.op(start);
        let stream = op
            .attribute("test.stream")
            .or(op.attribute("groups"))
            .unwrap_or_default();
        let count = now.entry(stream.to_owned()).or_default();
        *count = if begins { *count + 1 } else { *count - 1 };
        most = most.max(*count);
    }
    most
}

fn limits_are_kept(facts: &BlockFacts, order: &[Id], options: &SortOptions) -> Result<(), String> {
    for (class, limit) in [
        (Class::Gather, options.max_in_flight),
        (Class::Reduction, options.max_in_flight_reductions),
    ] {
        let most = most_in_flight(facts, order, class);
        if limit > 0 && most > limit as usize {
            return Err(format!("{most} of {class:?} in flight, but the limit is {limit}"));
        }
    }
    Ok(())
}

/// Each wait of a gather stands directly before the first anchor that needs it: no other anchor is in between. So waits
/// stand in consumer order.
fn gathers_follow_their_consumers(facts: &BlockFacts, order: &[Id]) -> Result<(), String> {
    let (at, was) = (positions(order), positions(&facts.ops));
    for &id in order {
        if !matches!(
            facts.roles[&id],
            Role::Wait(Class::Gather) | Role::Blocking(Class::Gather)
        ) {
            continue;
        }
        let fences = facts.fences.iter().filter(|fence| was[fence] > was[&id]);
        let consumers = reachable_anchors(facts, id);
        let Some(first) = consumers
            .iter()
            .chain(fences)
            .map(|consumer| at[consumer])
            .filter(|position| *position > at[&id])
            .min()
        else {
            continue;
        };
        if let Some(between) = order[at[&id] + 1..first]
            .iter()
            .find(|between| facts.is_anchor(**between))
        {
            return Err(format!(
                "the wait {id} stands before {between}, but its first consumer is {}",
                order[first]
            ));
        }
    }
    Ok(())
}

/// Anchors that need an op, through what is no anchor.
fn reachable_anchors(facts: &BlockFacts, from: Id) -> Vec<Id> {
    let (mut found, mut seen, mut stack) = (Vec::new(), HashSet::new(), vec![from]);
    while let Some(id) = stack.pop() {
        for &user in &facts.users[&id] {
            if facts.is_anchor(user) {
                found.push(user);
            } else if seen.insert(user) {
                stack.push(user);
            }
        }
    }
    found
}

/// Reductions and other collectives stand right after the last thing that they have to wait for: no anchor is in
/// between.
fn early_starts_follow_their_producers(facts: &BlockFacts, order: &[Id]) -> Result<(), String> {
    let (at, was) = (positions(order), positions(&facts.ops));
    let fences = &facts.fences;
    let others: Vec<Id> = facts.others().collect();
    // One past the position of the last thing that had to happen.
    let mut available: HashMap<Id, usize> = HashMap::new();
    for &id in order {
        let mut last = facts.dependences[&id]
            .iter()
            .map(|dependence| available[dependence])
            .max()
            .unwrap_or(0);
        if communicates(facts.op(id)) {
            let before = fences
                .iter()
                .filter(|fence| was[fence] < was[&id] && at[fence] < at[&id]);
            last = last.max(before.map(|fence| at[fence] + 1).max().unwrap_or(0));
        }
        if let Some(index) = others
            .iter()
            .position(|other| *other == id)
            .filter(|index| *index > 0)
        {
            last = last.max(available[&others[index - 1]]);
        }
        let early = matches!(
            facts.roles[&id],
            Role::Start(Class::Reduction | Class::Other) | Role::Blocking(Class::Reduction | Class::Other)
        );
        let is_needed = || {
            !reachable_anchors(facts, id).is_empty()
                || facts
                    .ops
                    .iter()
                    .any(|other| facts.must_be_fence(*other) && was[other] > was[&id])
        };
        if early && is_needed() {
            let between = order.get(last..at[&id]).unwrap_or_default();
            if let Some(anchor) = between.iter().find(|between| facts.is_anchor(**between)) {
                return Err(format!("{id} could have started before the anchor {anchor}"));
            }
        }
        let is_free = match facts.roles[&id] {
            Role::Dressing => true,
            Role::Wait(Class::Reduction | Class::Other) => orders_streams_only(facts, id),
            _ => false,
        };
        available.insert(id, if is_free { last } else { at[&id] + 1 });
    }
    Ok(())
}

/// Whether a wait has uses and all are, through views, operands of collectives.
fn orders_streams_only(facts: &BlockFacts, wait: Id) -> bool {
    let mut some = false;
    let mut stack = vec![wait];
    while let Some(id) = stack.pop() {
        for &user in &facts.users[&id] {
            match facts.op(user).name.as_str() {
                "comm.wait" => {}
                _ if class(facts.op(user)).is_some() => some = true,
                _ if facts.is_view(user) => stack.push(user),
                _ => return false,
            }
        }
    }
    some
}
