// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group C, permutes: their composition, and what they do to gathers and reductions.

use super::{
    Condition::PermutesWithin,
    Fp, Rule, law,
    site::{Site, apply, order},
};
use crate::{
    groups::{GroupId, Grouping},
    op::Op,
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "C23",
        statement: "permute q . permute p = permute (p then q); the identity of all devices = its operand",
        why: "What arrives nowhere the first time is zero and arrives as zero the second time.",
        class: Fp::Exact,
        forward: law(&[], compose),
        backward: None,
    },
    Rule {
        name: "C24",
        statement: "all_reduce . permute = all_reduce, for pairs that permute the members inside each list",
        why: "The same terms, at other members.",
        class: Fp::Reassociate,
        forward: law(&[PermutesWithin], reduce),
        backward: None,
    },
    Rule {
        name: "C24g",
        statement: "all_gather over G . permute = all_gather over G in another order, for pairs that permute inside lists",
        why: "The order in which parts are joined is written in the list.",
        class: Fp::Exact,
        forward: law(&[PermutesWithin], gather),
        backward: None,
    },
];

fn compose(site: &mut Site) {
    let Op::Permute { pairs } = &site.term.op else {
        return;
    };
    if pairs.len() == site.groups.devices() && pairs.iter().all(|(source, target)| source == target) {
        site.emit(site.guard(), Fp::Exact, site.operand(0));
        return;
    }
    for inner in site.inner() {
        let Op::Permute { pairs: first } = &inner.op else {
            continue;
        };
        let composed = pairs.iter().filter_map(|&(middle, target)| {
            let found = first.iter().find(|&&(_, arrives)| arrives == middle);
            found.map(|&(source, _)| (source, target))
        });
        let composed = Op::permute(composed.collect());
        site.emit(site.guard(), Fp::Exact, apply(composed, inner.operands[0]));
    }
}

/// Whether every device receives from one of its list, each member once.
fn permutes_within(pairs: &[(u32, u32)], grouping: &Grouping) -> bool {
    let mut sources: Vec<u32> = pairs.iter().map(|&(source, _)| source).collect();
    sources.sort_unstable();
    sources.dedup();
    sources.len() == grouping.devices()
        && pairs
            .iter()
            .all(|&(source, target)| grouping.list(target as usize).contains(&source))
}

fn reduce(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Permute { pairs } = &inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(PermutesWithin, permutes_within(pairs, site.groups.get(group))) {
            let fp = order(kind, site.own_type().element);
            site.emit(guard, fp, apply(Op::AllReduce { kind, group }, inner.operands[0]));
        }
    }
}

/// The grouping whose lists name the sources in place of the targets.
fn reordered(site: &mut Site, group: GroupId, pairs: &[(u32, u32)]) -> Option<GroupId> {
    let grouping = site.groups.get(group);
    let source = |&target: &u32| {
        let found = pairs.iter().find(|&&(_, arrives)| arrives == target);
        found.map_or(target as usize, |&(source, _)| source as usize)
    };
    let lists: Vec<Vec<usize>> = grouping
        .lists()
        .map(|list| list.iter().map(source).collect())
        .collect();
    let reordered = Grouping::new(grouping.devices(), &lists).ok()?;
    site.groups.add(reordered).ok()
}

fn gather(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Permute { pairs } = &inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(PermutesWithin, permutes_within(pairs, site.groups.get(group)))
            && let Some(group) = reordered(site, group, pairs)
        {
            site.emit(
                guard,
                Fp::Exact,
                apply(Op::AllGather { dim, group }, inner.operands[0]),
            );
        }
    }
}
