// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Alternatives: the program as it is and the few best others that the rules find, for a caller that can time them.
//!
//! The proxy is linear and counts a value once however often it is used (the cost of the graph, not of the tree of
//! terms). Best extraction by such a cost is as hard as set cover, so this is a search: from the program as it is and
//! from the best *trees* under several price lists, change the term of one class at a time while that pays. Invariants:
//! the program as given is among the alternatives; none is worse than it by the proxy unless it is best by another
//! price list; the order depends on nothing but the program and the options.

mod choice;
mod rebuild;
mod search;

use egg::Id;
use thiserror::Error;

use crate::{
    cost::{Prices, Work, work},
    program::{Program, ProgramError},
    saturate::{SaturateError, SaturateOptions, SaturateReport, Saturated, saturate},
};
use search::Search;

/// What to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How far rules may go.
    pub saturate: SaturateOptions,
    /// The proxy.
    pub prices: Prices,
    /// How many alternatives at most, besides the program as given.
    pub alternatives: usize,
    /// How many extractions may be evaluated, over all price lists.
    pub evaluations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            saturate: SaturateOptions::default(),
            prices: Prices::default(),
            alternatives: 6,
            evaluations: 20_000,
        }
    }
}

impl Options {
    /// With rules up to this class.
    pub fn fp(mut self, fp: crate::rules::Fp) -> Self {
        self.saturate.fp = fp;
        self
    }

    /// With this proxy.
    pub fn prices(mut self, prices: Prices) -> Self {
        self.prices = prices;
        self
    }
}

/// One way to compute the results.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The program; but for the one as given, without nodes that no result needs.
    pub program: Program,
    /// What it needs.
    pub work: Work,
    /// The price of that.
    pub price: u128,
    /// Rules that made terms of it, or dropped terms from it, sorted; none for the program as given.
    pub rules: Vec<&'static str>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Alternatives {
    /// By price, cheapest first; at one price the one closest to the program as given.
    pub list: Vec<Alternative>,
    /// Position of the program as given.
    pub given: usize,
    /// What the rules did.
    pub report: SaturateReport,
    /// Whether the search for alternatives ended by itself and not at its limit.
    pub complete: bool,
}

impl Alternatives {
    /// The cheapest by the proxy.
    pub fn best(&self) -> &Alternative {
        &self.list[0]
    }
}

/// Why there are no alternatives.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// Saturation failed.
    #[error(transparent)]
    Saturate(#[from] SaturateError),
    /// A fault of this crate: a choice of terms that is no program.
    #[error("terms that were chosen are no program: {0}")]
    Program(#[from] ProgramError),
    /// A fault of this crate: terms that need each other.
    #[error("terms that were chosen need each other")]
    Cycle,
}

/// The program and other ways to compute its results. O(saturation + evaluations * nodes).
pub fn alternatives(program: &Program, options: &Options) -> Result<Alternatives, ExtractError> {
    if !program.nodes().iter().any(|node| node.op.is_collective()) {
        return nothing_to_do(program, options);
    }
    let saturated = saturate(program, &options.saturate)?;
    let roots: Vec<Id> = program
        .results()
        .iter()
        .map(|id| saturated.graph.find(saturated.classes[id.index()]))
        .collect();
    let mut search = Search::new(program, &saturated, &roots, options);
    let ranked = search.run();
    let complete = search.complete();
    let mut list = ranked
        .iter()
        .map(|choice| build(program, &saturated, &roots, &search, choice, options))
        .collect::<Result<Vec<_>, ExtractError>>()?;
    let as_given = as_given(program, options);
    // The given program's own price decides where it stands; equal prices go to it first.
    list.retain(|other| other.work != as_given.work);
    let position = list
        .iter()
        .take_while(|other| other.price < as_given.price)
        .count();
    list.insert(position, as_given);
    Ok(Alternatives {
        list,
        given: position,
        report: saturated.report,
        complete,
    })
}

fn build(
    program: &Program,
    saturated: &Saturated,
    roots: &[Id],
    search: &Search,
    choice: &choice::Choice,
    options: &Options,
) -> Result<Alternative, ExtractError> {
    let (rebuilt, rules) = rebuild::rebuild(program, saturated, roots, search, choice)?;
    let needs = work(&rebuilt);
    Ok(Alternative {
        work: needs,
        price: needs.price(&options.prices),
        program: rebuilt,
        rules,
    })
}

fn as_given(program: &Program, options: &Options) -> Alternative {
    let needs = work(program);
    Alternative {
        program: program.clone(),
        work: needs,
        price: needs.price(&options.prices),
        rules: Vec::new(),
    }
}

/// A program without collectives is left alone, at the price of looking at it once.
fn nothing_to_do(program: &Program, options: &Options) -> Result<Alternatives, ExtractError> {
    Ok(Alternatives {
        list: vec![as_given(program, options)],
        given: 0,
        report: SaturateReport {
            saturated: true,
            terms: program.nodes().len(),
            classes: program.nodes().len(),
            ..SaturateReport::default()
        },
        complete: true,
    })
}
