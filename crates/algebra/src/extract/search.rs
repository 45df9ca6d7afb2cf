// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The search for choices: best trees under several price lists, then local changes under the cost of the graph.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use egg::{Id, Language};

use super::{
    Options,
    choice::{Candidate, Choice, Cost, reached},
};
use crate::{
    cost::{Prices, Work},
    language::Term,
    program::Program,
    saturate::Saturated,
    types::Type,
};

/// All that the search knows.
pub(super) struct Search<'a> {
    saturated: &'a Saturated,
    options: &'a Options,
    /// Class of each dense number.
    pub(super) ids: Vec<Id>,
    pub(super) numbers: HashMap<Id, u32>,
    classes: Vec<Vec<Candidate>>,
    roots: Vec<u32>,
    /// For each class the first term of the program as given, if it has one.
    given: Vec<Option<u32>>,
    left: usize,
}

/// A choice that was met, by price: one for each way of working.
type Met = BTreeMap<(Cost, usize), Choice>;

impl<'a> Search<'a> {
    pub(super) fn new(
        program: &Program,
        saturated: &'a Saturated,
        roots: &[Id],
        options: &'a Options,
    ) -> Self {
        let graph = &saturated.graph;
        let mut ids: Vec<Id> = graph.classes().map(|class| class.id).collect();
        ids.sort_unstable();
        let numbers: HashMap<Id, u32> = ids.iter().zip(0..).map(|(&id, number)| (id, number)).collect();
        let given_terms = given_terms(program, saturated);
        let mut given = vec![None; ids.len()];
        let classes = ids
            .iter()
            .enumerate()
            .map(|(number, &id)| {
                let nodes = graph[id].nodes.iter().enumerate();
                let candidates = nodes.map(|(position, term)| {
                    let novel = !given_terms.contains_key(&canonical(saturated, term));
                    if !novel && given[number].is_none() {
                        given[number] = Some(position as u32);
                    }
                    let types: Vec<&Type> = term
                        .operands
                        .iter()
                        .map(|&operand| &graph[operand].data.ty)
                        .collect();
                    let work = Work::of(&term.op, &types, &graph[id].data.ty, &graph.analysis.groups);
                    Candidate {
                        operands: term
                            .operands
                            .iter()
                            .map(|&operand| numbers[&graph.find(operand)])
                            .collect(),
                        own: Cost {
                            price: work.price(&options.prices),
                            novel: u64::from(novel),
                            terms: 1,
                        },
                        work,
                    }
                });
                candidates.collect()
            })
            .collect();
        Self {
            saturated,
            options,
            roots: roots.iter().map(|root| numbers[root]).collect(),
            ids,
            numbers,
            classes,
            given,
            left: options.evaluations,
        }
    }

    /// The terms of the program as given. Where rules have found two of its values equal, one of them is taken for both;
    /// nothing if that would need itself.
    fn given(&self) -> Option<Choice> {
        let trees = self.best_trees(&self.options.prices);
        let first: Choice = self
            .given
            .iter()
            .zip(&trees)
            .map(|(&given, &best)| given.unwrap_or(best))
            .collect();
        if reached(&self.classes, &first, &self.roots).is_some() {
            return Some(first);
        }
        // Equal values in a circle: take the smallest trees of given terms, which cannot be circular.
        let smallest = self.trees(|candidate, _| Cost {
            price: u128::from(candidate.own.novel),
            ..candidate.own
        });
        reached(&self.classes, &smallest, &self.roots).map(|_| smallest)
    }

    /// The best choices, cheapest first: no two that need the same work.
    pub(super) fn run(&mut self) -> Vec<Choice> {
        let mut met = Met::new();
        let mut seen = BTreeSet::new();
        let lists = price_lists(&self.options.prices);
        let seeds: Vec<Choice> = self
            .given()
            .into_iter()
            .chain(lists.iter().map(|prices| self.best_trees(prices)))
            .collect();
        for (number, seed) in seeds.into_iter().enumerate() {
            // The best of every price list counts, not only the best by the list of the options.
            let prices = lists[number.saturating_sub(1)];
            self.climb(seed, &prices, &mut met, &mut seen);
        }
        // Cheapest first, so whatever needs no less of anything than one before it only fills up the list.
        let mut kept: Vec<(Work, Choice)> = Vec::new();
        let mut others: Vec<(Work, Choice)> = Vec::new();
        for choice in met.into_values() {
            let Some((_, work)) = self.evaluate(&choice, &self.options.prices) else {
                continue;
            };
            if kept.iter().chain(&others).any(|(known, _)| *known == work) {
                continue;
            }
            let dominated = kept.iter().any(|(known, _)| work.needs_all_of(known));
            if dominated { &mut others } else { &mut kept }.push((work, choice));
        }
        kept.append(&mut others);
        kept.truncate(self.options.alternatives);
        kept.sort_by_key(|(work, _)| work.price(&self.options.prices));
        kept.into_iter().map(|(_, choice)| choice).collect()
    }

    /// Whether the limit on evaluations was not reached.
    pub(super) fn complete(&self) -> bool {
        self.left > 0
    }

    pub(super) fn term(&self, class: u32, choice: &Choice) -> &'a Term {
        let graph = &self.saturated.graph;
        &graph[self.ids[class as usize]].nodes[choice[class as usize] as usize]
    }

    pub(super) fn order(&self, choice: &Choice) -> Option<Vec<u32>> {
        reached(&self.classes, choice, &self.roots)
    }

    pub(super) fn operands(&self, class: u32, choice: &Choice) -> &[u32] {
        &self.classes[class as usize][choice[class as usize] as usize].operands
    }

    /// Cost of the graph of a choice.
    fn evaluate(&self, choice: &Choice, prices: &Prices) -> Option<(Cost, Work)> {
        let order = reached(&self.classes, choice, &self.roots)?;
        let mut cost = Cost::default();
        let mut work = Work::default();
        for class in order {
            let candidate = &self.classes[class as usize][choice[class as usize] as usize];
            cost = cost + candidate.own;
            work += candidate.work;
        }
        cost.price = work.price(prices);
        Some((cost, work))
    }

    /// Changes one class at a time while that pays, and remembers what it meets on the way.
    fn climb(&mut self, mut choice: Choice, prices: &Prices, met: &mut Met, seen: &mut BTreeSet<Choice>) {
        let Some((mut best, _)) = self.evaluate(&choice, prices) else {
            return;
        };
        self.remember(&choice, met, seen);
        let mut improved = true;
        while improved && self.left > 0 {
            improved = false;
            let order = reached(&self.classes, &choice, &self.roots).unwrap_or_default();
            // Users first: a change there may make operands needless.
            for class in order.into_iter().rev() {
                for term in 0..self.classes[class as usize].len() as u32 {
                    let before = choice[class as usize];
                    if term == before || self.left == 0 {
                        continue;
                    }
                    self.left -= 1;
                    choice[class as usize] = term;
                    match self.evaluate(&choice, prices) {
                        Some((cost, _)) if cost < best => {
                            best = cost;
                            improved = true;
                            self.remember(&choice, met, seen);
                        }
                        _ => choice[class as usize] = before,
                    }
                }
            }
        }
    }

    fn remember(&self, choice: &Choice, met: &mut Met, seen: &mut BTreeSet<Choice>) {
        if let Some((cost, _)) = self.evaluate(choice, &self.options.prices)
            && seen.insert(choice.clone())
        {
            met.insert((cost, seen.len()), choice.clone());
        }
    }

    fn best_trees(&self, prices: &Prices) -> Choice {
        self.trees(|candidate, _| Cost {
            price: candidate.work.price(prices),
            ..candidate.own
        })
    }

    /// For each class the term of the least tree: a fixed point of costs that only fall. O(classes * terms) in the worst
    /// case, a few passes in practice.
    fn trees(&self, own: impl Fn(&Candidate, u32) -> Cost) -> Choice {
        let mut costs: Vec<Option<Cost>> = vec![None; self.classes.len()];
        let mut choice = vec![0; self.classes.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (class, candidates) in self.classes.iter().enumerate() {
                for (number, candidate) in candidates.iter().enumerate() {
                    let own = own(candidate, class as u32);
                    let sum = candidate.operands.iter().try_fold(own, |sum, &operand| {
                        costs[operand as usize].map(|cost| sum + cost)
                    });
                    if let Some(sum) = sum
                        && costs[class].is_none_or(|known| sum < known)
                    {
                        costs[class] = Some(sum);
                        choice[class] = number as u32;
                        changed = true;
                    }
                }
            }
        }
        choice
    }
}

/// The list of the options, and lists that make one resource dear, so that different programs are best.
fn price_lists(prices: &Prices) -> Vec<Prices> {
    let dear = |price: u64| price.saturating_mul(16).max(1);
    vec![
        *prices,
        prices.byte(dear(prices.byte)),
        prices.launch(dear(prices.launch)),
        prices.flop(dear(prices.flop)),
        prices.local_byte(dear(prices.local_byte)),
    ]
}

/// A term with its operands as they are called now.
pub(super) fn canonical(saturated: &Saturated, term: &Term) -> Term {
    term.clone().map_children(|id| saturated.graph.find(id))
}

/// Terms of the program as given, with the first node of each.
pub(super) fn given_terms(program: &Program, saturated: &Saturated) -> HashMap<Term, usize> {
    let mut terms = HashMap::new();
    for (position, node) in program.nodes().iter().enumerate() {
        let operands = node
            .operands
            .iter()
            .map(|id| saturated.graph.find(saturated.classes[id.index()]))
            .collect();
        terms
            .entry(Term {
                op: node.op.clone(),
                operands,
            })
            .or_insert(position);
    }
    terms
}
