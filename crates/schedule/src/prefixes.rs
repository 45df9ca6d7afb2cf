// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! All orders of a few units in one e-graph.
//!
//! An order is a list built at its end, `nil` or `(snoc prefix unit)`, and one guarded rule swaps neighbours:
//! `(snoc (snoc ?p ?a) ?b) => (snoc (snoc ?p ?b) ?a)`. By congruence two prefixes are equal exactly when they hold the same
//! units, so the e-classes are the sets that the guard allows. What is known of a class is the caller's analysis.
//!
//! Saturation of k units takes O(k) rounds over at most k 2^(k-1) nodes; the caller bounds the classes beforehand.

use egg::{Analysis, EGraph, Id, RecExpr, Rewrite, Runner, SimpleScheduler, StopReason, Subst, Var};
use egg::{define_language, rewrite};
use std::time::Duration;

define_language! {
    /// Prefixes of orders.
    pub(crate) enum Prefix {
        "nil" = Nil,
        "snoc" = Snoc([Id; 2]),
        Unit(u32),
    }
}

/// The saturated e-graph of the orders of `units` units, and the class of all of them. `may_swap` says of two classes of
/// single units, neighbours, whether the second may go first. Fails, with what egg says, if it does not come to rest.
pub(crate) fn saturate<N: Analysis<Prefix> + 'static>(
    analysis: N,
    units: usize,
    may_swap: impl Fn(&N::Data, &N::Data) -> bool + Send + Sync + 'static,
) -> Result<(EGraph<Prefix, N>, Id), String>
where
    N::Data: 'static,
{
    let mut order = RecExpr::default();
    let mut prefix = order.add(Prefix::Nil);
    for unit in 0..units {
        let unit = order.add(Prefix::Unit(unit as u32));
        prefix = order.add(Prefix::Snoc([prefix, unit]));
    }
    let runner = Runner::<Prefix, N>::new(analysis)
        .with_expr(&order)
        .with_scheduler(SimpleScheduler)
        // Neighbours are swapped in all places at once each round, which reverses a list in as many rounds as it has
        // elements; one more finds nothing to do. Nodes are bounded by the caller, and time must not decide.
        .with_iter_limit(units + 2)
        .with_node_limit(usize::MAX)
        .with_time_limit(Duration::MAX)
        .run(&[swap(may_swap)]);
    match runner.stop_reason {
        Some(StopReason::Saturated) => {
            let root = runner.egraph.find(runner.roots[0]);
            Ok((runner.egraph, root))
        }
        reason => Err(format!("{reason:?}")),
    }
}

fn swap<N: Analysis<Prefix> + 'static>(
    may_swap: impl Fn(&N::Data, &N::Data) -> bool + Send + Sync + 'static,
) -> Rewrite<Prefix, N> {
    let variable = |name: &str| {
        name.parse::<Var>()
            .expect("a variable is a question mark and a word")
    };
    let (a, b) = (variable("?a"), variable("?b"));
    let guard = move |egraph: &mut EGraph<Prefix, N>, _: Id, subst: &Subst| {
        may_swap(&egraph[subst[a]].data, &egraph[subst[b]].data)
    };
    rewrite!("swap"; "(snoc (snoc ?p ?a) ?b)" => "(snoc (snoc ?p ?b) ?a)" if guard)
}
