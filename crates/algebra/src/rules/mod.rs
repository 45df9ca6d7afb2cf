// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The identities, as values: two directions, conditions, floating-point class, and why.
//!
//! Letters follow a common grouping of such identities: A one collective in terms of others, B two groupings, C a
//! collective and a local op, D products of gathered operands, L local ops alone, P precision. `f . g` means `f` after
//! `g`. A rule without a backward direction either removes something, or its reverse would grow terms without end.
//!
//! Invariants: an application with all conditions met gives a value of the same type, equal bit by bit where its class
//! is exact; no condition is superfluous. Both are tested on random programs by the interpreter.

mod condition;
mod crossing;
mod dots;
mod elementwise;
mod equal;
mod joins;
mod layout;
mod layout_reductions;
mod local;
mod nested;
mod one_group;
mod permutes;
mod reductions;
pub(crate) mod site;

use egg::Id;

pub use condition::{Condition, Fp};
use site::{Bounds, Site};

use crate::{
    groups::GroupId,
    infer::TypeError,
    language::{Graph, graph_of},
    program::{NodeId, Origin, Program},
};
use site::Tree;

/// Which side of an identity is replaced by the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// The left side by the right one, as the statement reads.
    Forward,
    /// The right side by the left one.
    Backward,
}

/// One direction of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// What must hold beyond the shape of the terms.
    pub conditions: &'static [Condition],
    apply: fn(&mut Site),
}

/// An identity.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Short name.
    pub name: &'static str,
    /// The identity.
    pub statement: &'static str,
    /// Why it holds, or who uses it.
    pub why: &'static str,
    /// The worst that any application does to floating-point numbers.
    pub class: Fp,
    /// Left to right.
    pub forward: Law,
    /// Right to left.
    pub backward: Option<Law>,
}

impl Rule {
    /// The law of a direction, if the rule has it.
    pub fn law(&self, direction: Direction) -> Option<Law> {
        match direction {
            Direction::Forward => Some(self.forward),
            Direction::Backward => self.backward,
        }
    }
}

/// All rules, in the order in which they are tried.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [
        one_group::RULES,
        nested::RULES,
        crossing::RULES,
        equal::RULES,
        reductions::RULES,
        joins::RULES,
        elementwise::RULES,
        layout_reductions::RULES,
        layout::RULES,
        dots::RULES,
        permutes::RULES,
        local::RULES,
    ]
    .into_iter()
    .flatten()
}

/// The rule of this name.
pub fn by_name(name: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.name == name)
}

const fn law(conditions: &'static [Condition], apply: fn(&mut Site)) -> Law {
    Law { conditions, apply }
}

impl Law {
    /// Tries the law on one term of a class.
    pub(crate) fn try_on(self, site: &mut Site) {
        (self.apply)(site);
    }
}

/// What one application of a law to a program gives.
#[derive(Clone, Debug)]
pub struct Application {
    /// What it does to floating-point numbers here.
    pub fp: Fp,
    /// The program with its first result replaced; a fault where a waived condition left no program.
    pub program: Result<Program, TypeError>,
}

/// Applies a law once to the op that computes the first result of a program, in every way that it can. With a condition
/// waived: in every way that violates this condition and no other, to show what the condition is there for.
///
/// Also returned: how often the right side of a law whose conditions held was no legal term, which is a fault of the law.
pub fn applications(program: &Program, law: Law, waived: Option<Condition>) -> (Vec<Application>, usize) {
    let (graph, classes) = graph_of(program);
    let mut groups = program.groups().clone();
    let known: Vec<GroupId> = groups.ids().collect();
    let Some(&root) = program.results().first() else {
        return (Vec::new(), 0);
    };
    let class = classes[root.index()];
    let Some(term) = graph[class].nodes.first() else {
        return (Vec::new(), 0);
    };
    let mut site = Site::new(&graph, &mut groups, &known, (class, term), waived, Bounds::NONE);
    law.try_on(&mut site);
    let (found, faults) = (site.found, site.faults);
    let applications = found.into_iter().map(|found| Application {
        fp: found.fp,
        program: match found.fault {
            Some(fault) => Err(fault),
            None => rebuilt(program, &graph, &classes, groups.clone(), &found.tree),
        },
    });
    (applications.collect(), faults)
}

/// The program followed by the tree as its one result.
fn rebuilt(
    program: &Program,
    graph: &Graph,
    classes: &[Id],
    groups: crate::Groups,
    tree: &Tree,
) -> Result<Program, TypeError> {
    let mut result = Program::new(groups);
    let mut append =
        |op: &crate::Op, operands: &[NodeId]| match result.push_from(op.clone(), operands, Origin::New) {
            Ok(id) => Ok(id),
            Err(crate::ProgramError::Type { error, .. }) => Err(error),
            // Sizes and arguments were those of a program before.
            Err(_) => Err(TypeError::Group { op: op.to_string() }),
        };
    let mut of_class = std::collections::BTreeMap::new();
    for (node, &class) in program.nodes().iter().zip(classes) {
        let operands = node.operands.clone();
        let id = append(&node.op, &operands)?;
        of_class.entry(graph.find(class)).or_insert(id);
    }
    type Append<'a> = &'a mut dyn FnMut(&crate::Op, &[NodeId]) -> Result<NodeId, TypeError>;
    fn add(tree: &Tree, class: &dyn Fn(Id) -> Option<NodeId>, append: Append) -> Result<NodeId, TypeError> {
        match tree {
            Tree::Class(id) => class(*id).ok_or_else(|| TypeError::Group {
                op: format!("class {id}"),
            }),
            Tree::Apply(op, operands) => {
                let operands = operands
                    .iter()
                    .map(|operand| add(operand, class, append))
                    .collect::<Result<Vec<_>, _>>()?;
                append(op, &operands)
            }
        }
    }
    let root = add(tree, &|id| of_class.get(&graph.find(id)).copied(), &mut append)?;
    // The root exists: it was appended.
    let _ = result.set_results(&[root]);
    Ok(result)
}
