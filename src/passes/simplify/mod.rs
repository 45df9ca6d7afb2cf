// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-simplify`: identities of collectives, by equality saturation, where they make a block better.
//!
//! Before it, futures are awaited exactly once on every path (checked first). After it they still are; each value that was
//! computed and used is computed, bit by bit the same or within the floating-point class that was asked for; no
//! communication has crossed a fence; no block takes more time, memory or bytes sent than before, by the model. On failure
//! the function is as it was.
//!
//! Block by block: the ops that the algebra knows are read ([`terms`], [`vocabulary`]), cut into pieces around
//! collectives ([`pieces`]), and saturated once for all pieces that compute alike ([`shapes`]). Ways that a linear proxy
//! finds cheaper are drafted ([`draft`]) and timed ([`choose`]), and the best is put into the IR ([`write`]). Then, if asked
//! for, values are kept gathered or gathered again ([`gathers`]).
//!
//! Not done here: merging collectives ([`super::bucket`]), moving anything from block to block, and anything to
//! collectives of several tensors, of dynamic shapes, or that are awaited in another block.

mod choose;
mod devices;
mod draft;
mod estimate;
mod gathers;
mod means;
mod options;
mod pieces;
mod report;
mod shapes;
mod shard;
mod steps;
mod terms;
#[cfg(test)]
mod tests;
mod vocabulary;
mod write;

use std::path::Path;

use super::{not_imported, schedule, verify_futures};
use crate::{
    collective::Collective,
    cost::Costs,
    diagnostics,
    mlir::{Attr, Failed, Op, PassResult},
    problem::BlockProblem,
    uniform::{self, Uniformity},
};
use choose::choose;
use devices::Devices;
use draft::Drafts;
use estimate::Estimate;
pub(crate) use options::RawSimplifyOptions;
pub use options::{FloatingPoint, Gathers, SimplifyOptions};
use pieces::Piece;
use shapes::{Effort, Shape, shapes};
use terms::Terms;
use vocabulary::Vocabulary;
use write::{Rewrite, Writer};

/// Runs the pass on a function.
pub(super) fn run(function: Op, options: &SimplifyOptions) -> PassResult {
    verify_futures::check(function)?;
    not_imported::report(function, "comm-simplify");
    let mut collectives = function.walk().into_iter().filter_map(Collective::new);
    if collectives.next().is_none() {
        return Ok(());
    }
    let costs = schedule::load(&options.machine, options.profile.as_deref())
        .map_err(|error| failed(function, &error))?;
    let (blocks, costs) = schedule::problems_with_collectives(function, costs, 1)?;
    // The analysis costs as much as a sort, and the algebra follows from op to op what starts from constants and collectives.
    let uniformity = has_uniform_arguments(function).then(|| Uniformity::of(function));
    let Some(mut devices) = Devices::new(uniform::device_count(function)) else {
        return Ok(());
    };
    let mut vocabulary = Vocabulary::new();
    let mut read = Vec::with_capacity(blocks.len());
    for block in &blocks {
        read.push(Terms::read(
            block,
            &mut vocabulary,
            &mut devices,
            uniformity.as_ref(),
        )?);
    }
    let pass = Pass {
        function,
        options,
        costs: &costs,
        devices: &devices,
    };
    for (block, terms) in blocks.iter().zip(&read).rev() {
        pass.simplify(block, terms, &mut vocabulary)?;
    }
    if options.gathers == Gathers::Choose {
        let (blocks, _) = schedule::problems_with_collectives(function, costs, 1)?;
        for block in blocks.iter().rev() {
            gathers::run(block, options.memory_limit)?;
        }
    }
    Ok(())
}

fn failed(function: Op, error: &dyn std::fmt::Display) -> Failed {
    diagnostics::error(function.location(), &format!("comm-simplify: {error}"))
}

/// Whether anything is said to be equal on all devices.
fn has_uniform_arguments(function: Op) -> bool {
    let attributes = function.attr("arg_attrs").and_then(Attr::as_array);
    let mut attributes = attributes.unwrap_or_default().into_iter();
    attributes.any(|of_argument| of_argument.entry("comm.uniform").is_some())
}

struct Pass<'a> {
    function: Op,
    options: &'a SimplifyOptions,
    costs: &'a Costs,
    devices: &'a Devices,
}

impl Pass<'_> {
    fn simplify(&self, block: &BlockProblem, terms: &Terms, vocabulary: &mut Vocabulary) -> PassResult {
        let pieces = pieces::pieces(block, terms, vocabulary, self.devices);
        let estimate = Estimate {
            machine: self.costs.machine(),
            devices: self.devices,
        };
        let effort = Effort {
            fp: self.options.fp.class(),
            nodes: self.options.nodes as usize,
            alternatives: self.options.alternatives as usize,
        };
        let shapes = shapes(&pieces, terms, estimate.prices(), effort)
            .map_err(|error| failed(self.function, &error))?;
        if let Some(directory) = &self.options.egraphs {
            self.draw(directory, &pieces, &shapes, effort).map_err(|error| {
                failed(
                    self.function,
                    &format!("cannot write e-graphs to '{}': {error}", directory.display()),
                )
            })?;
        }
        let drafts = Drafts {
            block,
            terms,
            pieces: &pieces,
            shapes: &shapes,
            estimate: &estimate,
        };
        let choice = choose(&drafts, self.options.memory_limit);
        report::report(block, terms, &pieces, &shapes, choice.as_ref());
        let Some(choice) = choice else { return Ok(()) };
        let Some(draft) = &choice.draft else { return Ok(()) };
        let writer = Writer {
            block,
            terms,
            devices: self.devices,
            vocabulary,
        };
        Rewrite::new(&writer, &drafts, draft, drafts.ways(&choice.decisions))?.finish();
        Ok(())
    }

    /// Writes the e-graph of each shape for Graphviz, named after the function and the shape's first op.
    fn draw(
        &self,
        directory: &Path,
        pieces: &[Piece],
        shapes: &[Shape],
        effort: Effort,
    ) -> Result<(), Box<dyn std::error::Error>> {
        std::fs::create_dir_all(directory)?;
        let function = self.function.symbol_name().unwrap_or_default();
        for shape in shapes {
            let piece = &pieces[shape.pieces[0]];
            let picture = comm_algebra::picture::graphviz(&piece.program, &effort.saturate())?;
            let first = piece.positions.first().copied().unwrap_or_default();
            std::fs::write(directory.join(format!("{function}-{first}.dot")), picture)?;
        }
        Ok(())
    }
}
