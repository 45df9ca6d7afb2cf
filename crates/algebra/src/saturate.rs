// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Equality saturation: a program's e-graph, grown by the rules until nothing is new or a limit is reached.
//!
//! The loop is egg's with its simple scheduler: in each round all rules are tried on all terms of the graph as it stands,
//! then all right sides are added and the graph is rebuilt. Limits count rounds and terms, never time, so a result
//! depends on the program and the options alone. Cost of a round: terms times rules, and for a rule that looks two deep
//! the terms of the inner class.
//!
//! What keeps graphs small: rules whose reverse would grow terms without end have no reverse; no right side may make a
//! value larger than the program's largest times `growth`; groups are split only into groups that the program has; and
//! a value smaller than all that the program sends is not split any further on mere chance.

use std::collections::BTreeMap;

use egg::Id;
use thiserror::Error;

use crate::{
    groups::GroupId,
    language::{Graph, Term, graph_of},
    program::Program,
    rules::{
        self, Direction, Fp, Law,
        site::{Bounds, Found, Site, Tree},
    },
    types::Type,
};

/// What saturation may do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SaturateOptions {
    /// Worst class of the rules that are applied.
    pub fp: Fp,
    /// Rounds at most.
    pub rounds: usize,
    /// Terms at most; a round that reaches them is finished early.
    pub terms: usize,
    /// No value may be larger than this many times the program's largest.
    pub growth: u64,
    /// What is not applied: names of rules, or of one direction as in `"C2:backward"`. By default those that make
    /// graphs grow and by themselves never pay: the exchange with a new dimension, and reductions split in two.
    pub without: Vec<String>,
}

impl Default for SaturateOptions {
    fn default() -> Self {
        Self {
            fp: Fp::Exact,
            rounds: 40,
            terms: 8_000,
            growth: 1,
            without: ["A7x", "C2:backward", "C3:backward", "C1c:backward"]
                .map(str::to_owned)
                .to_vec(),
        }
    }
}

/// What saturation did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SaturateReport {
    /// Whether no rule found anything new: all that the rules can say is in the graph.
    pub saturated: bool,
    /// Rounds done.
    pub rounds: usize,
    /// Terms at the end.
    pub terms: usize,
    /// Classes at the end.
    pub classes: usize,
    /// How often each rule found something new.
    pub applied: BTreeMap<&'static str, usize>,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SaturateError {
    /// A rule that does not exist.
    #[error("there is no rule named {0}")]
    NoSuchRule(String),
    /// A fault of this crate: a rule equated values of two types.
    #[error("rules found a value of type {0} equal to one of type {1}")]
    Conflict(Type, Type),
}

/// A grown e-graph.
#[derive(Clone, Debug)]
pub struct Saturated {
    /// The graph.
    pub graph: Graph,
    /// Class of each node of the program.
    pub classes: Vec<Id>,
    /// What was done.
    pub report: SaturateReport,
    /// The rule that first made each new term.
    pub(crate) made: Vec<(Term, &'static str)>,
    /// The rules that found a class equal to one that was there.
    pub(crate) merged: Vec<(Id, &'static str)>,
}

/// Grows the e-graph of a program.
pub fn saturate(program: &Program, options: &SaturateOptions) -> Result<Saturated, SaturateError> {
    let laws = laws(options)?;
    let (mut graph, classes) = graph_of(program);
    let known: Vec<GroupId> = program.groups().ids().collect();
    let largest = program
        .nodes()
        .iter()
        .map(|node| node.ty.bytes())
        .max()
        .unwrap_or(0);
    let bounds = Bounds {
        largest: largest.saturating_mul(options.growth),
        splits: smallest_collective(program),
    };
    let mut report = SaturateReport::default();
    let (mut made, mut merged) = (Vec::new(), Vec::new());
    let mut full = false;
    while report.rounds < options.rounds && !report.saturated && !full {
        report.rounds += 1;
        let found = search(&mut graph, &known, bounds, options.fp, &laws);
        let mut new = false;
        for (name, class, right) in found {
            let before = graph.nodes().len();
            let added = add(&mut graph, &right.tree);
            made.extend(graph.nodes()[before..].iter().map(|term| (term.clone(), name)));
            if graph.union(added, class) {
                new = true;
                merged.push((class, name));
                *report.applied.entry(name).or_default() += 1;
            }
            if graph.total_size() >= options.terms {
                full = true;
                break;
            }
        }
        graph.rebuild();
        report.saturated = !new && !full;
        if let Some((first, second)) = graph.analysis.conflict.take() {
            return Err(SaturateError::Conflict(first, second));
        }
    }
    report.terms = graph.total_number_of_nodes();
    report.classes = graph.number_of_classes();
    Ok(Saturated {
        graph,
        classes,
        report,
        made,
        merged,
    })
}

/// The smallest value that the program itself sends or reduces.
fn smallest_collective(program: &Program) -> u64 {
    let collectives = program.nodes().iter().filter(|node| node.op.is_collective());
    let sizes = collectives.flat_map(|node| {
        let operands = node.operands.iter().map(|&id| program.node(id).ty.bytes());
        operands.chain([node.ty.bytes()]).max()
    });
    sizes.min().unwrap_or(0)
}

/// The laws that are wanted, with the names of their rules.
fn laws(options: &SaturateOptions) -> Result<Vec<(&'static str, Law)>, SaturateError> {
    let directions = [(Direction::Forward, "forward"), (Direction::Backward, "backward")];
    let all = rules::all().flat_map(|rule| {
        directions
            .into_iter()
            .filter_map(move |(direction, way)| Some((rule.name, way, rule.law(direction)?)))
    });
    let names = |wanted: &str, name: &str, way: &str| {
        wanted
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.strip_prefix(':') == Some(way))
    };
    let all: Vec<(&str, &str, Law)> = all.collect();
    if let Some(unknown) = options
        .without
        .iter()
        .find(|wanted| !all.iter().any(|&(name, way, _)| names(wanted, name, way)))
    {
        return Err(SaturateError::NoSuchRule(unknown.clone()));
    }
    let kept = all
        .into_iter()
        .filter(|&(name, way, _)| !options.without.iter().any(|wanted| names(wanted, name, way)));
    Ok(kept.map(|(name, _, law)| (name, law)).collect())
}

/// All right sides that the rules find, in an order that depends on the graph alone.
fn search(
    graph: &mut Graph,
    known: &[GroupId],
    bounds: Bounds,
    fp: Fp,
    laws: &[(&'static str, Law)],
) -> Vec<(&'static str, Id, Found)> {
    // Rules intern groups while they read the graph.
    let mut groups = graph.analysis.groups.clone();
    let mut ids: Vec<Id> = graph.classes().map(|class| class.id).collect();
    ids.sort_unstable();
    let mut found = Vec::new();
    for &(name, law) in laws {
        for &class in &ids {
            for term in &graph[class].nodes {
                let mut site = Site::new(graph, &mut groups, known, (class, term), None, bounds);
                law.try_on(&mut site);
                let allowed = site.found.into_iter().filter(|found| found.fp <= fp);
                found.extend(allowed.map(|found| (name, class, found)));
            }
        }
    }
    graph.analysis.groups = groups;
    found
}

fn add(graph: &mut Graph, tree: &Tree) -> Id {
    match tree {
        Tree::Class(id) => *id,
        Tree::Apply(op, operands) => {
            let operands = operands.iter().map(|operand| add(graph, operand)).collect();
            graph.add(Term {
                op: op.clone(),
                operands,
            })
        }
    }
}
