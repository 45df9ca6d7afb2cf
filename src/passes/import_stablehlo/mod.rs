// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-import-stablehlo`: StableHLO collectives, in generic form, become `comm` ops.
//!
//! The dialect `stablehlo` is not loaded: its ops are unregistered, its attributes are opaque text, and no verifier has
//! looked at them. So everything that a conversion relies on is checked here, and each new op is verified at once.
//!
//! Before: any module that parses. After: no StableHLO op that communicates between devices is left, wherever it
//! stood (bodies of loops, branches and `sdy.manual_computation` included); private functions that were called
//! directly are inlined into their callers and, where nothing else names them, gone. All other ops are as they were.
//!
//! A collective that `comm` cannot represent is an error that says why; the pass reports all of them and fails. It does
//! not change the order of ops, does not touch `stablehlo.partition_id` and `replica_id` (arithmetic on ranks stays the
//! program's own), host transfers (`infeed`, `outfeed`, host `send` and `recv`) or shardings, and does not legalize
//! computation.
//!
//! Complexity: near linear in the ops read and made; groups are decoded once per attribute, of which MLIR keeps one.

use std::collections::HashMap;

use super::ImportStablehloOptions;
use crate::{
    collective::Kind,
    diagnostics::{self, Remark},
    mlir::{Attr, Failed, Op, PassResult},
};

mod asynchronous;
mod barriers;
mod collectives;
mod devices;
mod groups;
mod inline;
mod mesh_axes;
mod reducers;
mod refused;

use devices::{Devices, Ids};

/// Name of the pass in remarks.
const PASS: &str = "comm-import-stablehlo";

/// Runs the pass on a module.
pub(super) fn run(module: Op, options: &ImportStablehloOptions) -> PassResult {
    if options.inline {
        inline::run(module)?;
    }
    let mut importer = Importer::new(module)?;
    let mut result = Ok(());
    for found in find(module) {
        let converted = match found {
            Found::Collective(op, kind) => collectives::convert(&mut importer, op, kind),
            Found::AsyncStart(op) => asynchronous::convert(&mut importer, op),
            Found::Other(op) => refused::check(op),
        };
        if converted.is_err() {
            result = Err(Failed);
        }
    }
    result?;
    if options.split_barriers {
        barriers::run(module)?;
    }
    importer.report(module);
    Ok(())
}

/// Whether an op is a collective that this pass converts.
pub(super) fn is_collective(op: Op) -> bool {
    op.name()
        .strip_prefix("stablehlo.")
        .is_some_and(|name| collectives::kind_of(name).is_some())
}

/// How many replicas, and partitions of each, a module says that it runs as; nothing where it does not say.
pub(super) fn process_counts(module: Op) -> PassResult<Option<(i64, i64)>> {
    let devices = Devices::of(module)?;
    Ok(devices.count(Ids::Replicas).zip(devices.count(Ids::Partitions)))
}

/// What the conversions share.
struct Importer {
    devices: Devices,
    /// Ops that name the axes of a mesh, by symbol.
    meshes: HashMap<String, Op>,
    /// Groups that were decoded, by attribute and by what their numbers mean.
    groups: HashMap<(usize, Ids), groups::Groups>,
    /// Channel numbers by attribute.
    channels: HashMap<usize, i64>,
    /// How many collectives of each kind were imported, in the order of [`KINDS`].
    counts: [usize; KINDS.len()],
}

/// Kinds with the names of their `comm` ops.
const KINDS: [(Kind, &str); 6] = [
    (Kind::AllGather, "comm.all_gather"),
    (Kind::ReduceScatter, "comm.reduce_scatter"),
    (Kind::AllReduce, "comm.all_reduce"),
    (Kind::AllToAll, "comm.all_to_all"),
    (Kind::Permute, "comm.permute"),
    (Kind::Broadcast, "comm.broadcast"),
];

impl Importer {
    fn new(module: Op) -> PassResult<Self> {
        let meshes = module
            .blocks()
            .flat_map(|block| block.ops())
            .filter(|op| op.name() == "sdy.mesh" || op.discardable_attr("stablehlo.mesh").is_some())
            .filter_map(|op| Some((op.symbol_name()?, op)))
            .collect();
        Ok(Self {
            devices: Devices::of(module)?,
            meshes,
            groups: HashMap::new(),
            channels: HashMap::new(),
            counts: [0; KINDS.len()],
        })
    }

    /// Notes that a collective was imported.
    fn count(&mut self, kind: Kind) {
        for (count, (other, _)) in self.counts.iter_mut().zip(KINDS) {
            *count += usize::from(other == kind);
        }
    }

    /// A remark with the number of collectives of each kind.
    fn report(&self, module: Op) {
        diagnostics::remark(module, Remark::Passed, PASS, "imported", || {
            let counts: Vec<String> = KINDS
                .iter()
                .zip(self.counts)
                .filter(|(_, count)| *count > 0)
                .map(|((_, name), count)| format!("{count} {name}"))
                .collect();
            if counts.is_empty() {
                "no collectives".to_owned()
            } else {
                format!("imported {}", counts.join(", "))
            }
        });
    }
}

/// An op of interest.
enum Found {
    Collective(Op, Kind),
    AsyncStart(Op),
    Other(Op),
}

/// All ops of interest in order of the text. Does not look into those it finds: their regions go with them.
fn find(root: Op) -> Vec<Found> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(op) = stack.pop() {
        if let Some(name) = op.name().strip_prefix("stablehlo.") {
            if let Some(kind) = collectives::kind_of(name) {
                found.push(Found::Collective(op, kind));
                continue;
            }
            match name {
                "async_start" if asynchronous::holds_collective(op) => {
                    found.push(Found::AsyncStart(op));
                    continue;
                }
                _ if refused::is_candidate(name) => found.push(Found::Other(op)),
                _ => {}
            }
        }
        let before = stack.len();
        stack.extend(op.blocks().flat_map(|block| block.ops()));
        stack[before..].reverse();
    }
    found
}

/// Fails on an op that ends its block. MLIR takes an op that it does not know for a terminator there; one of `comm` is none.
fn check_not_last(op: Op) -> PassResult {
    match op.next() {
        Some(_) => Ok(()),
        None => Err(diagnostics::op_error(
            op,
            "is the last op of its block; a collective cannot end a block",
        )),
    }
}

/// An attribute that an op must have.
fn required(op: Op, name: &str) -> PassResult<Attr> {
    op.attr(name)
        .ok_or_else(|| diagnostics::op_error(op, &format!("has no attribute '{name}'")))
}

/// An integer attribute that an op must have.
fn required_i64(op: Op, name: &str) -> PassResult<i64> {
    let attr = required(op, name)?;
    attr.as_i64().ok_or_else(|| {
        diagnostics::op_error(
            op,
            &format!("expects an integer as '{name}', but it is {}", attr.to_text()),
        )
    })
}
