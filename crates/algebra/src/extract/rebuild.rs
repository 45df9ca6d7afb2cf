// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A choice of terms as a program, in the order of the given one as far as it goes.

use std::collections::{BTreeSet, HashMap};

use egg::Id;

use super::{
    ExtractError,
    choice::Choice,
    search::{Search, canonical, given_terms},
};
use crate::{
    language::Term,
    program::{NodeId, Origin, Program},
    saturate::Saturated,
};

/// The program, and the rules that it is due to.
pub(super) fn rebuild(
    program: &Program,
    saturated: &Saturated,
    roots: &[Id],
    search: &Search,
    choice: &Choice,
) -> Result<(Program, Vec<&'static str>), ExtractError> {
    let graph = &saturated.graph;
    let given = given_terms(program, saturated);
    let made = rules_of_terms(saturated);
    let needed: BTreeSet<u32> = search
        .order(choice)
        .ok_or(ExtractError::Cycle)?
        .into_iter()
        .collect();
    let mut first_of_class: HashMap<u32, usize> = HashMap::new();
    let mut members: HashMap<u32, BTreeSet<usize>> = HashMap::new();
    for (position, &class) in saturated.classes.iter().enumerate() {
        let class = search.numbers[&graph.find(class)];
        first_of_class.entry(class).or_insert(position);
        members
            .entry(class)
            .or_default()
            .insert(given[&given_term(program, saturated, position)]);
    }

    let mut result = Program::new(graph.analysis.groups.clone());
    let mut rules = BTreeSet::new();
    let mut nodes: HashMap<u32, NodeId> = HashMap::new();
    // The given nodes in their order, each after what it needs and has not yet come.
    let wanted = saturated
        .classes
        .iter()
        .map(|&class| search.numbers[&graph.find(class)]);
    for class in wanted.filter(|class| needed.contains(class)) {
        for class in pending(search, choice, class, &nodes) {
            let term = search.term(class, choice);
            let tag = |position: usize| match program.nodes()[position].origin {
                Origin::Kept(tag) | Origin::Instead(tag) => Some(tag),
                Origin::New => None,
            };
            let own = canonical(saturated, term);
            let kept = given.get(&own).copied();
            let origin = match (kept, first_of_class.get(&class)) {
                (Some(position), _) => program.nodes()[position].origin,
                (None, Some(&position)) => tag(position).map_or(Origin::New, Origin::Instead),
                (None, None) => Origin::New,
            };
            if kept.is_none() {
                rules.extend(made.get(&own));
            }
            // Several given terms in one class: some rule has found them equal, and all but one are gone.
            if members.get(&class).is_some_and(|members| members.len() > 1) {
                let id = graph.find(search.ids[class as usize]);
                let here = saturated
                    .merged
                    .iter()
                    .filter(|&&(merged, _)| graph.find(merged) == id);
                rules.extend(here.map(|&(_, rule)| rule).take(1));
            }
            let operands: Vec<NodeId> = search
                .operands(class, choice)
                .iter()
                .map(|operand| nodes[operand])
                .collect();
            nodes.insert(class, result.push_from(term.op.clone(), &operands, origin)?);
        }
    }
    let results: Vec<NodeId> = roots.iter().map(|root| nodes[&search.numbers[root]]).collect();
    result.set_results(&results)?;
    Ok((result, rules.into_iter().collect()))
}

fn given_term(program: &Program, saturated: &Saturated, position: usize) -> Term {
    let node = &program.nodes()[position];
    let operands = node
        .operands
        .iter()
        .map(|id| saturated.graph.find(saturated.classes[id.index()]))
        .collect();
    Term {
        op: node.op.clone(),
        operands,
    }
}

/// The class and what it needs, without what there is, operands first. Iterative.
fn pending(search: &Search, choice: &Choice, class: u32, nodes: &HashMap<u32, NodeId>) -> Vec<u32> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![(class, 0)];
    if nodes.contains_key(&class) {
        return order;
    }
    seen.insert(class);
    while let Some((class, next)) = stack.pop() {
        let Some(&operand) = search.operands(class, choice).get(next) else {
            order.push(class);
            continue;
        };
        stack.push((class, next + 1));
        if !nodes.contains_key(&operand) && seen.insert(operand) {
            stack.push((operand, 0));
        }
    }
    order
}

/// The first rule that made each term, by the term as it is called now.
fn rules_of_terms(saturated: &Saturated) -> HashMap<Term, &'static str> {
    let mut rules = HashMap::new();
    for (term, rule) in &saturated.made {
        rules.entry(canonical(saturated, term)).or_insert(*rule);
    }
    rules
}
