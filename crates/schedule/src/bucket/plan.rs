// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Buckets for a whole problem.
//!
//! Each group of collectives of one form becomes a [`Chain`] beside all computation of the block, in the order of the
//! source. The chain says which buckets would pay if nothing else used the link and memory did not matter. Whether they pay
//! in the block, beside the other groups, is asked of [`schedule()`](crate::schedule()) with [`Effort::Fast`], which orders the
//! merged problem: of nothing merged, the fastest partition of every chain, and the thresholds in [`THRESHOLDS`], the
//! fastest is taken. Then each group is tried with its fastest partition, and each group, and where the block is not too
//! large each bucket, without merging; it stays apart unless that is slower. So the step is never slower, by that model, than without buckets or with buckets by
//! one of the thresholds.
//!
//! With a mode that names the buckets, none of this is asked: they are merged as far as dependences and limits allow.
//!
//! Each question costs O((n + e) log n). There are a handful, two for each group, and one for each bucket while nodes
//! times buckets stay within [`MOST_TRIED`].

use super::{
    chain::{Chain, Item, Limits},
    fixed::{by_bytes, by_name},
    group::{Group, Member, RunCosts},
    merge::{Bucket, Merged, is_candidate, merge},
    optimum::fastest,
    positions::{Positions, Reach},
};
use crate::node::NodeId;
use crate::problem::Problem;
use crate::schedule::{Effort, Point, ScheduleError, ScheduleOptions, schedule};

/// Thresholds in bytes that the result is never slower than: what PyTorch's data parallelism, XLA's combiners on GPUs and
/// sharded data parallelism use by default.
pub const THRESHOLDS: [u64; 3] = [25_000_000, 30 << 20, 500_000_000];

/// Most nodes times buckets for which every bucket is tried without.
pub const MOST_TRIED: usize = 1 << 18;

/// What decides on the buckets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The step time.
    Cost,
    /// A number of bytes, as [`by_bytes`].
    Bytes(u64),
    /// Names, as [`by_name`].
    Name,
}

/// Why no member of a group was merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// It has one member only.
    Alone,
    /// Members depend on each other, or one is needed before the next is ready.
    Dependent,
    /// The limits leave no bucket of two.
    Limited,
    /// The mode asks for no bucket: nothing is gained on the chain, all are above the threshold, or no two names are equal.
    NotAsked,
    /// The chain gains, the step as a whole does not.
    NotFaster,
}

/// What became of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupPlan {
    /// The members in the order of the chain.
    pub members: Vec<NodeId>,
    /// Time of the chain, computation included, with nothing merged.
    pub apart_ns: u64,
    /// The same with the buckets of the plan.
    pub merged_ns: u64,
    /// Why nothing is merged, if so.
    pub apart: Option<Apart>,
}

/// A bucket of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedBucket {
    /// Its members and how long it takes.
    pub bucket: Bucket,
    /// Position of its group.
    pub group: usize,
    /// Bytes of the results.
    pub bytes: u64,
    /// By how much it shortens its chain, which it may lengthen where the mode does not ask for time.
    pub saved_ns: i64,
}

/// Buckets for a problem.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The buckets, by group and then in the order of the chain.
    pub buckets: Vec<PlannedBucket>,
    /// In the order in which the groups were given.
    pub groups: Vec<GroupPlan>,
    /// Step time and peak memory that [`Effort::Fast`] finds without buckets.
    pub before: Point,
    /// The same with them.
    pub after: Point,
    /// Buckets that were given up since, together with others, they have no order.
    pub without_order: usize,
    /// The problem with the buckets.
    pub merged: Merged,
}

/// Finds buckets. Members that are no starts with a wait in the problem and do not block are never merged. Fails where
/// the problem is none.
pub fn plan(
    problem: &Problem,
    groups: &[Group<'_>],
    mode: Mode,
    limits: Limits,
) -> Result<Plan, ScheduleError> {
    problem.check()?;
    let mut limits = limits;
    if let Some(limit) = limits.peak_bytes.filter(|_| mode == Mode::Cost) {
        limits.peak_bytes = Some(limit.max(point(problem, Some(limit))?.peak_bytes));
    } else {
        limits.peak_bytes = None;
    }
    let chains = chains(problem, groups, limits);
    let apart = Choice::new(
        problem,
        &chains,
        chains.iter().map(|of| of.chain.apart()).collect(),
    )?;
    let before = apart.point;
    let proposals: Vec<Vec<usize>> = chains
        .iter()
        .map(|of| match mode {
            Mode::Cost => fastest(&of.chain).ends,
            Mode::Bytes(threshold) => by_bytes(&of.chain, threshold),
            Mode::Name => {
                let names: Vec<_> = of.members.iter().map(|member| member.name.as_deref()).collect();
                by_name(&of.chain, &names)
            }
        })
        .collect();
    let proposed = Choice::new(problem, &chains, proposals.clone())?;
    let choice = if mode == Mode::Cost {
        let choice = cheapest(problem, &chains, apart, proposed)?;
        let choice = group_by_group(problem, &chains, choice, &proposals)?;
        without_useless(problem, &chains, choice)?
    } else {
        proposed
    };
    let groups = chains
        .iter()
        .zip(&choice.ends)
        .zip(&proposals)
        .map(|((of, ends), proposal)| GroupPlan {
            members: of.members.iter().map(|member| member.node).collect(),
            apart_ns: of.chain.time_ns(&of.chain.apart()),
            merged_ns: of.chain.time_ns(ends),
            apart: (ends.len() == of.members.len()).then(|| reason(of, proposal)),
        })
        .collect();
    let buckets = choice.buckets.into_iter().map(|(group, range, bucket)| {
        let (of, ends) = (&chains[group], &choice.ends[group]);
        let mut cut: Vec<usize> = ends.iter().copied().chain(range.clone()).collect();
        cut.retain(|end| *end > 0);
        cut.sort_unstable();
        cut.dedup();
        let (with, without) = (of.chain.time_ns(ends), of.chain.time_ns(&cut));
        PlannedBucket {
            bucket,
            group,
            bytes: of.chain.bytes(range.start, range.end),
            saved_ns: without as i64 - with as i64,
        }
    });
    Ok(Plan {
        buckets: buckets.collect(),
        groups,
        before,
        after: choice.point,
        without_order: choice.without_order,
        merged: choice.merged,
    })
}

/// A group in the order of its chain.
struct GroupChain<'a> {
    members: Vec<&'a Member>,
    chain: Chain<'a>,
}

fn chains<'a>(problem: &Problem, groups: &'a [Group<'_>], limits: Limits) -> Vec<GroupChain<'a>> {
    let waits = problem.waits();
    let positions = Positions::new(problem);
    let members = groups.iter().flat_map(|group| &group.members);
    let nodes: Vec<NodeId> = members.map(|member| member.node).collect();
    let reach = Reach::new(problem, &nodes);
    let mut offset = 0;
    let chain = |group: &'a Group<'_>| {
        let number = |index: usize| offset + index;
        let mut order: Vec<usize> = (0..group.members.len()).collect();
        order.sort_by_key(|index| {
            let at = group.members[*index].node.index();
            (positions.need_ns[at], positions.ready_ns[at], at)
        });
        let mut items: Vec<Item> = Vec::with_capacity(order.len());
        let mut earliest = 0;
        for (position, &index) in order.iter().enumerate() {
            let node = group.members[index].node;
            if !is_candidate(problem, node, &waits) {
                earliest = position;
            }
            // The last of those before it that it may not be with.
            let alone = (earliest..position).rev().find(|other| {
                let other = order[*other];
                reach.is_between(number(index), number(other))
                    || !is_candidate(problem, group.members[other].node, &waits)
            });
            earliest = alone.map_or(earliest, |last| last + 1);
            items.push(Item {
                ready_ns: positions.ready_ns[node.index()],
                need_ns: positions.need_ns[node.index()],
                bytes: problem.bytes(node),
                earliest,
            });
        }
        offset += group.members.len();
        let members: Vec<&Member> = order.iter().map(|index| &group.members[*index]).collect();
        let costs = RunCosts::new(&members, &*group.cost);
        GroupChain {
            members,
            chain: Chain::new(items, positions.compute_ns, limits, move |begin, end| {
                costs.of(begin, end)
            }),
        }
    };
    groups.iter().map(chain).collect()
}

/// Partitions of all chains, and what the step takes with them.
struct Choice {
    ends: Vec<Vec<usize>>,
    /// The group, the run of its chain, and the bucket.
    buckets: Vec<(usize, std::ops::Range<usize>, Bucket)>,
    merged: Merged,
    point: Point,
    without_order: usize,
}

impl Choice {
    fn new(
        problem: &Problem,
        chains: &[GroupChain<'_>],
        ends: Vec<Vec<usize>>,
    ) -> Result<Self, ScheduleError> {
        let mut ends = ends;
        let mut without_order = 0;
        let (buckets, merged) = loop {
            let mut buckets = Vec::new();
            for (group, (of, ends)) in chains.iter().zip(&ends).enumerate() {
                let mut begin = 0;
                for &end in ends {
                    if end - begin > 1 {
                        let members = of.members[begin..end].iter().map(|member| member.node);
                        let bucket = Bucket {
                            members: members.collect(),
                            ns: of.chain.cost(begin, end),
                        };
                        buckets.push((group, begin..end, bucket));
                    }
                    begin = end;
                }
            }
            let plain: Vec<Bucket> = buckets.iter().map(|(.., bucket)| bucket.clone()).collect();
            match merge(problem, &plain) {
                Ok(merged) => break (buckets, merged),
                Err(index) => {
                    without_order += 1;
                    let (group, range, _) = &buckets[index];
                    ends[*group].extend(range.start + 1..range.end);
                    ends[*group].sort_unstable();
                }
            }
        };
        let limit = chains.first().and_then(|of| of.chain.limits().peak_bytes);
        Ok(Choice {
            point: point(&merged.problem, limit)?,
            ends,
            buckets,
            merged,
            without_order,
        })
    }

    /// How many collectives are left less than without buckets.
    fn saved_collectives(&self) -> usize {
        self.buckets.iter().map(|(_, range, _)| range.len() - 1).sum()
    }

    /// Whether this is faster, or as fast with less merged.
    fn is_better_than(&self, other: &Choice) -> bool {
        (self.point.time_ns, self.saved_collectives()) < (other.point.time_ns, other.saved_collectives())
    }
}

/// The fastest schedule that is found within a limit of memory; one that takes forever where none is.
fn point(problem: &Problem, limit: Option<u64>) -> Result<Point, ScheduleError> {
    let options = ScheduleOptions {
        effort: Effort::Fast,
        memory_limit: limit,
        ..ScheduleOptions::default()
    };
    match schedule(problem, &options) {
        Ok(outcome) => Ok(outcome.point),
        Err(ScheduleError::LimitNotMet { least, .. }) => Ok(Point {
            time_ns: u64::MAX,
            peak_bytes: least,
        }),
        Err(error) => Err(error),
    }
}

/// The best of the candidates.
fn cheapest(
    problem: &Problem,
    chains: &[GroupChain<'_>],
    apart: Choice,
    proposed: Choice,
) -> Result<Choice, ScheduleError> {
    let mut best = apart;
    let mut tried = vec![best.ends.clone()];
    let mut candidates = vec![proposed];
    for threshold in THRESHOLDS {
        let ends: Vec<_> = chains.iter().map(|of| by_bytes(&of.chain, threshold)).collect();
        if !tried.contains(&ends) {
            tried.push(ends.clone());
            candidates.push(Choice::new(problem, chains, ends)?);
        }
    }
    for candidate in candidates {
        if candidate.is_better_than(&best) {
            best = candidate;
        }
    }
    Ok(best)
}

/// The choice with the fastest partition of each chain for which that makes the step faster.
fn group_by_group(
    problem: &Problem,
    chains: &[GroupChain<'_>],
    mut best: Choice,
    proposals: &[Vec<usize>],
) -> Result<Choice, ScheduleError> {
    if chains.len() < 2 {
        return Ok(best);
    }
    for (group, proposal) in proposals.iter().enumerate() {
        if best.ends[group] != *proposal {
            let mut ends = best.ends.clone();
            ends[group].clone_from(proposal);
            let candidate = Choice::new(problem, chains, ends)?;
            if candidate.is_better_than(&best) {
                best = candidate;
            }
        }
    }
    Ok(best)
}

/// The choice without what can stay apart at no loss of time: whole groups first, then single buckets.
fn without_useless(
    problem: &Problem,
    chains: &[GroupChain<'_>],
    mut best: Choice,
) -> Result<Choice, ScheduleError> {
    for group in 0..chains.len() {
        let apart = chains[group].chain.apart();
        if best.ends[group] != apart {
            let mut ends = best.ends.clone();
            ends[group] = apart;
            let candidate = Choice::new(problem, chains, ends)?;
            if candidate.is_better_than(&best) {
                best = candidate;
            }
        }
    }
    if best.buckets.len() * problem.len() > MOST_TRIED {
        return Ok(best);
    }
    let mut index = 0;
    while let Some((group, range, _)) = best.buckets.get(index) {
        let mut ends = best.ends.clone();
        ends[*group].extend(range.start + 1..range.end);
        ends[*group].sort_unstable();
        let candidate = Choice::new(problem, chains, ends)?;
        if candidate.is_better_than(&best) {
            best = candidate;
        } else {
            index += 1;
        }
    }
    Ok(best)
}

/// Why nothing of a group is merged.
fn reason(of: &GroupChain<'_>, proposal: &[usize]) -> Apart {
    let count = of.members.len();
    if count < 2 {
        return Apart::Alone;
    }
    if proposal.len() < count {
        return Apart::NotFaster;
    }
    let items = of.chain.items();
    let is_free =
        |end: usize| items[end - 1].earliest + 1 < end && items[end - 1].ready_ns <= items[end - 2].need_ns;
    let is_pair = |end: usize| of.chain.is_pair_allowed(end);
    if (2..=count).any(is_pair) {
        Apart::NotAsked
    } else if (2..=count).any(is_free) {
        Apart::Limited
    } else {
        Apart::Dependent
    }
}
