// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What may become of a set of gathers: a ladder from one gather for all readers to one for each cluster of them.
//!
//! In the middle stands the set as given. Downwards, neighbours are shared one after another, those first between which
//! the value would be kept for the least work. Upwards, gathers are split one after another at the widest gap left between
//! consecutive users. So a ladder has at most one decision for each number of gathers, and decisions of one set that are
//! close in what they keep are close on it. What it leaves out are sets that are shared and cut elsewhere.
//!
//! Both moves are conservative about order that data does not explain. Two gathers are shared only if no fence stands between
//! them and the same nodes are ordered before and behind both. A copy of a split gather takes over what is ordered before
//! and behind it, and is not made behind a fence or a node that must follow the gather. A gather that other gathers
//! of the sets read is not split, nor one whose result is itself used after the block.

use super::sets::{Gather, RegatherError, Regathered, gathers};
use super::uses::{User, Uses};
use crate::node::NodeId;
use crate::problem::Problem;
use crate::schedule::ScheduleError;
use std::collections::BTreeSet;

/// Most copies that are made for one set.
pub const MOST_COPIES: usize = 3;

/// A gather that is dropped: what read it reads another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shared {
    /// The start, or blocking collective, that goes, with its wait.
    pub dropped: NodeId,
    /// The earlier one whose result is read instead.
    pub kept: NodeId,
}

/// A gather that is issued again for some of those who read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    /// The start, or blocking collective, that is copied, with its wait.
    pub gather: NodeId,
    /// What reads the copy instead of it, in source order. The copy belongs before the first of them.
    pub users: Vec<NodeId>,
}

/// What becomes of a set. Empty: it stays as given. Made by [`alternatives`] alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Decision {
    /// Gathers that are dropped, in program order.
    pub shared: Vec<Shared>,
    /// Copies, by gather and then in the order of their first use.
    pub split: Vec<Split>,
}

impl Decision {
    /// How much is changed: gathers dropped and copies made.
    pub fn changes(&self) -> usize {
        self.shared.len() + self.split.len()
    }
}

/// What may become of one set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternatives {
    /// From the fewest gathers to the most.
    pub decisions: Vec<Decision>,
    /// Which of them leaves the set as given.
    pub given: usize,
    /// Which of them gathers again: several gathers as given, one alone split at its widest gap, if that is possible.
    pub again: usize,
    /// Time on the link that the first decision saves over gathering again, in nanoseconds.
    pub saved_ns: u64,
    /// Work during which the first decision keeps a value that gathering again lets go, in nanoseconds, over all gaps.
    pub kept_ns: u64,
    /// Bytes of the value.
    pub bytes: u64,
}

/// What may become of each set, in the order of the sets. O(n + e), and for each gather O(u log u) for its u readers and
/// O(d) for d nodes ordered with it; sharing asks about each pair of gathers of one set at most twice.
pub fn alternatives(problem: &Problem, sets: &[Regathered]) -> Result<Vec<Alternatives>, RegatherError> {
    problem.check().map_err(ScheduleError::from)?;
    let sets = gathers(problem, sets)?;
    let rules = Rules::new(problem, &sets);
    Ok(sets.iter().map(|set| rules.ladder(set)).collect())
}

/// The work between two uses, in which the value is kept or not.
fn gap_ns(last_ns: u64, next_ns: u64) -> u64 {
    next_ns.saturating_sub(last_ns)
}

/// What is allowed.
struct Rules<'a> {
    problem: &'a Problem,
    uses: Uses<'a>,
    /// By position: the number of fences before it.
    fences: Vec<usize>,
    in_sets: BTreeSet<NodeId>,
}

impl<'a> Rules<'a> {
    fn new(problem: &'a Problem, sets: &[Vec<Gather>]) -> Self {
        let mut count = 0;
        let fences = problem.ids().map(|id| {
            let before = count;
            count += usize::from(problem.node(id).fence);
            before
        });
        Rules {
            problem,
            uses: Uses::new(problem),
            fences: fences.collect(),
            in_sets: sets
                .iter()
                .flatten()
                .flat_map(|gather| [gather.begin, gather.result])
                .collect(),
        }
    }

    fn ladder(&self, set: &[Gather]) -> Alternatives {
        let users: Vec<Vec<User>> = set.iter().map(|gather| self.uses.of(*gather)).collect();
        let (mut shared, kept) = self.shared(set, &users);
        let (copies, gaps) = self.copies(set, &users);
        shared.reverse();
        let given = shared.len();
        let again = given + usize::from(set.len() == 1 && !copies.is_empty());
        let fewest = set.len() - shared.first().map_or(0, Vec::len);
        let shares = shared.into_iter().map(|shared| Decision {
            shared,
            split: Vec::new(),
        });
        let splits = copies.into_iter().map(|split| Decision {
            shared: Vec::new(),
            split,
        });
        let ns = self.problem.ns(set[0].begin);
        let most = set.len() + again - given;
        let split_ns = if again > given { gaps[0] } else { 0 };
        Alternatives {
            decisions: shares.chain([Decision::default()]).chain(splits).collect(),
            given,
            again,
            saved_ns: ns.saturating_mul((most - fewest) as u64),
            kept_ns: kept.saturating_add(split_ns),
            bytes: self.problem.bytes(set[0].begin),
        }
    }

    /// Sharing step by step, each with all before it, and the work across which the last of them keeps values.
    fn shared(&self, set: &[Gather], users: &[Vec<User>]) -> (Vec<Vec<Shared>>, u64) {
        let first_ns = |index: usize| users[index].first().map(|user| user.first_ns);
        let last_ns = |index: usize| users[index].iter().map(|user| user.last_ns).max();
        let between = |index: usize| match (last_ns(index - 1), first_ns(index)) {
            (Some(last), Some(next)) => gap_ns(last, next),
            _ => 0,
        };
        let mut joints: Vec<usize> = (1..set.len()).collect();
        joints.sort_by_key(|joint| (between(*joint), *joint));
        // The first gather of the run that each is in.
        let mut first: Vec<usize> = (0..set.len()).collect();
        let mut kept_ns: u64 = 0;
        let mut steps: Vec<Vec<Shared>> = Vec::new();
        for joint in joints {
            let (from, run) = (first[joint - 1], joint..set.len());
            let run: Vec<usize> = run.take_while(|index| first[*index] == joint).collect();
            if !run.iter().all(|index| self.may_share(set[from], set[*index])) {
                continue;
            }
            run.iter().for_each(|index| first[*index] = from);
            kept_ns = kept_ns.saturating_add(between(joint));
            let dropped = (0..set.len()).filter(|index| first[*index] != *index);
            let shared = dropped.map(|index| Shared {
                dropped: set[index].begin,
                kept: set[first[index]].begin,
            });
            steps.push(shared.collect());
        }
        (steps, kept_ns)
    }

    /// Whether what reads `later` may read `earlier`.
    fn may_share(&self, earlier: Gather, later: Gather) -> bool {
        let ordered_before = |id: NodeId| self.problem.after(id).iter().copied().collect::<BTreeSet<_>>();
        let is_ordered_alike = |one: NodeId, other: NodeId| {
            ordered_before(one) == ordered_before(other)
                && self.uses.followers(one) == self.uses.followers(other)
        };
        // The earlier result must be there before the first that read the later one.
        let mut kept = self.problem.deps(earlier.result).iter();
        let is_fenced_alike =
            |one: NodeId, other: NodeId| self.fences[one.index()] == self.fences[other.index()];
        is_fenced_alike(earlier.begin, later.begin)
            && is_fenced_alike(earlier.result, later.result)
            && is_ordered_alike(earlier.begin, later.begin)
            && is_ordered_alike(earlier.result, later.result)
            && kept.all(|dep| *dep < later.result)
    }

    /// Splitting step by step, each with all before it, and the work in the gap that each opens.
    fn copies(&self, set: &[Gather], users: &[Vec<User>]) -> (Vec<Vec<Split>>, Vec<u64>) {
        let mut cuts: Vec<(u64, usize, usize)> = Vec::new();
        for (index, users) in users.iter().enumerate() {
            let is_read_by_gather = users
                .iter()
                .flat_map(|user| &user.nodes)
                .any(|node| self.in_sets.contains(node));
            if is_read_by_gather || self.uses.is_live_out(set[index]) {
                continue;
            }
            let mut last_ns = 0;
            for (at, user) in users.iter().enumerate() {
                let gap = gap_ns(last_ns, user.first_ns);
                if at > 0 && gap > 0 && self.may_copy_behind(set[index], &users[at..]) {
                    cuts.push((gap, index, at));
                }
                last_ns = last_ns.max(user.last_ns);
            }
        }
        cuts.sort_by_key(|(gap, index, at)| (std::cmp::Reverse(*gap), *index, *at));
        cuts.truncate(MOST_COPIES);
        let splits = |cuts: &[(u64, usize, usize)]| -> Vec<Split> {
            let mut cuts: Vec<(usize, usize)> = cuts.iter().map(|(_, index, at)| (*index, *at)).collect();
            cuts.sort_unstable();
            let split = cuts.iter().enumerate().map(|(position, &(index, from))| {
                let next = cuts.get(position + 1).filter(|(other, _)| *other == index);
                let to = next.map_or(users[index].len(), |(_, at)| *at);
                let moved = users[index][from..to].iter().flat_map(|user| &user.nodes);
                let mut moved: Vec<NodeId> = moved.copied().collect();
                moved.sort_unstable();
                Split {
                    gather: set[index].begin,
                    users: moved,
                }
            });
            split.collect()
        };
        let steps = (1..=cuts.len()).map(|count| splits(&cuts[..count]));
        (steps.collect(), cuts.iter().map(|(gap, ..)| *gap).collect())
    }

    /// Whether a copy may stand before any of these users.
    fn may_copy_behind(&self, gather: Gather, moved: &[User]) -> bool {
        let places = || moved.iter().flat_map(|user| &user.nodes);
        let mut followers = self.uses.followers(gather.begin);
        followers.append(&mut self.uses.followers(gather.result));
        places().all(|user| {
            self.fences[gather.begin.index()] == self.fences[user.index()]
                && followers.iter().all(|follower| user < follower)
        })
    }
}
