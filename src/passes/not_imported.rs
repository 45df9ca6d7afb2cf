// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Says which collectives of other dialects nobody made ops of `comm` of.
//!
//! To the schedulers they are computation: they take no link, and nothing about them overlaps. A program that was not
//! imported would look as if it did not communicate. Known are the collectives that the import passes convert; what those
//! refuse is an error there. Nothing is changed.

use super::{import_shard, import_stablehlo, import_torch};
use crate::{
    diagnostics::{self, Remark},
    mlir::Op,
};

/// Collectives of one dialect.
struct Found {
    first: Op,
    count: usize,
    dialect: &'static str,
    /// The pass that imports them.
    import: &'static str,
}

impl Found {
    fn text(&self) -> String {
        let Found {
            count,
            dialect,
            import,
            ..
        } = self;
        let (noun, verb, them) = match count {
            1 => ("collective", "counts", "it"),
            _ => ("collectives", "count", "them"),
        };
        format!("{count} {noun} of {dialect} {verb} as computation; {import} makes comm ops of {them}")
    }
}

/// A remark of a pass at the first collective of each dialect. Costs nothing where nobody asks for remarks.
pub(super) fn report(function: Op, pass: &str) {
    if !diagnostics::remarks_enabled(function, pass) {
        return;
    }
    for found in find(function) {
        diagnostics::remark(found.first, Remark::Missed, pass, "not-imported", || found.text());
    }
}

/// A warning at the first collective of each dialect.
pub(super) fn warn(function: Op) {
    for found in find(function) {
        diagnostics::op_warning(found.first, &format!("is not imported: {}", found.text()));
    }
}

/// In a fixed order of dialects. O(ops).
fn find(function: Op) -> Vec<Found> {
    type IsCollective = fn(Op) -> bool;
    let dialects: [(IsCollective, &'static str, &'static str); 3] = [
        (
            import_stablehlo::is_collective,
            "stablehlo",
            "comm-import-stablehlo",
        ),
        (import_torch::is_collective, "torch", "comm-import-torch"),
        (import_shard::is_collective, "shard", "comm-import-shard"),
    ];
    let ops = function.walk();
    let in_dialect = |(is_collective, dialect, import): (IsCollective, _, _)| {
        let mut collectives = ops.iter().copied().filter(|op| is_collective(*op));
        let first = collectives.next()?;
        Some(Found {
            first,
            count: 1 + collectives.count(),
            dialect,
            import,
        })
    };
    dialects.into_iter().filter_map(in_dialect).collect()
}
