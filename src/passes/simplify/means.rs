// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Sums over groups that are scaled to means.
//!
//! The algebra has no mean: it is a sum and a scaling by one over the members of a group. Rules merge such scalings and
//! move them along, so a scaling may be that of several sums, before and behind it: a quarter and a half of a sum over four
//! and one over two. The dialect spells each as a mean, without an op of its own.
//!
//! Only powers of two are looked for. Multiplying by one rounds nothing, wherever it is done, short of underflow. A half
//! that is scaled before it is summed may be so lest the sum overflow, so that stays.

use comm_algebra::{Element, Function, Kind, NodeId, Op as AlgebraOp, Program};
use rustc_hash::FxHashSet;

/// Sums on a chain with a scaling at most: all subsets are tried.
const MOST_SUMS: usize = 4;

/// What of a program is spelt by means.
#[derive(Default)]
pub(super) struct Means {
    /// Sums that are means instead.
    pub(super) sums: FxHashSet<NodeId>,
    /// Scalings that these do.
    pub(super) scalings: FxHashSet<NodeId>,
}

/// Finds the sums that scalings make means of. O(nodes^2), for pieces of a few nodes.
pub(super) fn means(program: &Program) -> Means {
    let mut means = Means::default();
    for scaling in program.ids() {
        let AlgebraOp::Map(Function::Scale(factor)) = program.node(scaling).op else {
            continue;
        };
        let members = 1.0 / factor.value();
        let is_part = program.node(scaling).ty.element.is_float()
            && factor.is_power_of_two()
            && (2.0..=f64::from(u32::MAX)).contains(&members);
        if !is_part {
            continue;
        }
        let sums = neighbours(program, scaling, &means.sums);
        let product = |subset: usize| -> f64 {
            let chosen = sums
                .iter()
                .enumerate()
                .filter(|(index, _)| subset >> index & 1 == 1);
            chosen.map(|(_, (_, members))| *members as f64).product()
        };
        // Few sums before many, closer ones first.
        let mut subsets: Vec<usize> = (1..1 << sums.len()).collect();
        subsets.sort_by_key(|subset| (subset.count_ones(), *subset));
        if let Some(subset) = subsets.into_iter().find(|&subset| product(subset) == members) {
            let chosen = sums
                .iter()
                .enumerate()
                .filter(|(index, _)| subset >> index & 1 == 1);
            means.sums.extend(chosen.map(|(_, (sum, _))| *sum));
            means.scalings.insert(scaling);
        }
    }
    means
}

/// Sums with nothing between them and the scaling that another reads, with the members of their groups: those before it from
/// near to far, then those behind it.
fn neighbours(program: &Program, scaling: NodeId, taken: &FxHashSet<NodeId>) -> Vec<(NodeId, usize)> {
    let sum = |id: NodeId| -> Option<usize> {
        match program.node(id).op {
            AlgebraOp::AllReduce {
                kind: Kind::Sum,
                group,
            }
            | AlgebraOp::ReduceScatter {
                kind: Kind::Sum,
                group,
                ..
            } => Some(program.groups().size(group)).filter(|_| !taken.contains(&id)),
            _ => None,
        }
    };
    let users = |id: NodeId| -> Vec<NodeId> {
        program
            .ids()
            .filter(|&user| program.node(user).operands.contains(&id))
            .collect()
    };
    let is_read_once = |id: NodeId| !program.results().contains(&id) && users(id).len() == 1;
    let mut found = Vec::new();
    let mut at = program.node(scaling).operands[0];
    while let Some(members) = sum(at).filter(|_| is_read_once(at) && found.len() < MOST_SUMS) {
        found.push((at, members));
        at = program.node(at).operands[0];
    }
    let mut at = scaling;
    let may_overflow = program.node(scaling).ty.element == Element::F16;
    while !may_overflow
        && is_read_once(at)
        && found.len() < MOST_SUMS
        && let Some(members) = sum(users(at)[0])
    {
        at = users(at)[0];
        found.push((at, members));
    }
    found
}
