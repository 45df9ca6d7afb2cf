// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Exposed time: the stretches in which it lies, and its sums by kind of collective and by what limits it.
//!
//! Stretches are the gaps, which are lost as a whole, and the bars of nodes that hold exposed time inside, which are lost in
//! part. Together they are the exposed time of the step, and so is each list of sums.

use super::category::Category;
use super::model::{Bar, Gap, Picture};
use crate::explain::Cause;
use crate::node::NodeId;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A stretch of the step in which time is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stretch {
    /// When it begins.
    pub begin_ns: u64,
    /// When it ends.
    pub end_ns: u64,
    /// For how much of it nothing is computed.
    pub ns: u64,
    /// What it is lost to.
    pub source: Source,
}

/// What time is lost to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// Computation waits for a collective.
    Gap(Gap),
    /// Something inside of a node does.
    Inside(NodeId),
}

impl Stretch {
    /// The part of `ns`, a piece of the stretch, that is lost if losses lie evenly in it.
    pub fn lost_of(&self, ns: u64) -> u64 {
        let length = u128::from(self.end_ns - self.begin_ns).max(1);
        (u128::from(ns) * u128::from(self.ns) / length) as u64
    }

    /// Whether it lies inside of a node.
    pub fn is_inside(&self) -> bool {
        matches!(self.source, Source::Inside(_))
    }
}

/// What is lost inside of a bar of computation.
pub(super) fn inside(picture: &Picture<'_>, bar: &Bar) -> Option<Stretch> {
    let inside = picture.inside_of(bar.node)?;
    let is_lost = bar.category == Category::Compute && inside.exposed_ns > 0;
    is_lost.then_some(Stretch {
        begin_ns: bar.begin_ns,
        end_ns: bar.end_ns,
        ns: inside.exposed_ns,
        source: Source::Inside(bar.node),
    })
}

/// A gap as a stretch.
pub(super) fn of_gap(gap: &Gap) -> Stretch {
    Stretch {
        begin_ns: gap.begin_ns,
        end_ns: gap.end_ns,
        ns: gap.ns(),
        source: Source::Gap(*gap),
    }
}

/// All stretches, by time.
pub(super) fn stretches(picture: &Picture<'_>) -> Vec<Stretch> {
    let gaps = picture.gaps.iter().map(of_gap);
    let computation = picture.lanes.first().into_iter().flat_map(|lane| &lane.bars);
    let mut stretches: Vec<_> = gaps
        .chain(computation.filter_map(|bar| inside(picture, bar)))
        .collect();
    stretches.sort_by_key(|stretch| stretch.begin_ns);
    stretches
}

/// All stretches, those that lose most first.
pub(super) fn worst(picture: &Picture<'_>) -> Vec<Stretch> {
    let mut stretches = stretches(picture);
    stretches.sort_by_key(|stretch| (Reverse(stretch.ns), stretch.begin_ns));
    stretches
}

/// Some stretches together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Loss {
    /// What they have in common.
    pub name: &'static str,
    /// The class of the bar that shows it in SVG.
    pub class: &'static str,
    /// What is lost in them.
    pub ns: u64,
    /// Their number.
    pub count: usize,
    /// What is counted: one, and several.
    pub counted: (&'static str, &'static str),
}

impl Loss {
    fn waits(name: &'static str, class: &'static str) -> Self {
        Loss {
            name,
            class,
            ns: 0,
            count: 0,
            counted: ("wait", "waits"),
        }
    }

    fn add(&mut self, ns: u64) {
        self.ns += ns;
        self.count += 1;
    }
}

/// What was lost to each kind of collective and inside of nodes, most first; kinds without loss are left out.
pub(super) fn by_kind(picture: &Picture<'_>) -> Vec<Loss> {
    let mut losses = Category::ALL.map(|kind| Loss::waits(kind.name(), kind.class()));
    for gap in &picture.gaps {
        losses[Category::of(picture.problem, gap.collective).index()].add(gap.ns());
    }
    sorted(losses.into_iter().chain([all_inside(picture)]))
}

/// What was lost for each cause and inside of nodes, most first; causes without loss are left out.
pub(super) fn by_cause(picture: &Picture<'_>) -> Vec<Loss> {
    let mut losses: BTreeMap<Cause, Loss> = BTreeMap::new();
    for gap in &picture.gaps {
        let empty = || Loss::waits(gap.cause.name(), "l1");
        losses.entry(gap.cause).or_insert_with(empty).add(gap.ns());
    }
    sorted(losses.into_values().chain([all_inside(picture)]))
}

/// What limits collectives inside of nodes is not known here.
fn all_inside(picture: &Picture<'_>) -> Loss {
    let mut loss = Loss {
        counted: ("bar", "bars"),
        ..Loss::waits("inside loops or branches", "l1")
    };
    for inside in picture.inside.iter().filter(|inside| inside.exposed_ns > 0) {
        loss.add(inside.exposed_ns);
    }
    loss
}

fn sorted(losses: impl Iterator<Item = Loss>) -> Vec<Loss> {
    let mut losses: Vec<_> = losses.filter(|loss| loss.count > 0).collect();
    losses.sort_by_key(|loss| Reverse(loss.ns));
    losses
}
