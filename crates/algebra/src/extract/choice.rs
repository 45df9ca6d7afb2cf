// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A choice of one term for each class, and what it costs as a graph.

use std::ops::Add;

/// Cost of a choice, compared in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    pub(super) price: u128,
    /// Terms that the program as given does not have.
    pub(super) novel: u64,
    /// Terms. Positive for every term, so that no best tree contains itself.
    pub(super) terms: u64,
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            price: self.price.saturating_add(other.price),
            novel: self.novel.saturating_add(other.novel),
            terms: self.terms.saturating_add(other.terms),
        }
    }
}

/// For each class, by its dense number, the number of its term. Classes that are not reached have one too.
pub(super) type Choice = Vec<u32>;

/// One term, with classes by their dense numbers.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) operands: Vec<u32>,
    /// Under the price list of the options.
    pub(super) own: Cost,
    /// What it needs, to be priced otherwise.
    pub(super) work: crate::cost::Work,
}

/// The classes that a choice reaches, operands before users, or nothing where terms need each other. Iterative: depth is
/// no limit. O(reached).
pub(super) fn reached(classes: &[Vec<Candidate>], choice: &Choice, roots: &[u32]) -> Option<Vec<u32>> {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut state = vec![NEW; classes.len()];
    let mut order = Vec::new();
    let mut stack: Vec<(u32, usize)> = Vec::new();
    for &root in roots {
        if state[root as usize] == NEW {
            state[root as usize] = OPEN;
            stack.push((root, 0));
        }
        while let Some((class, next)) = stack.pop() {
            let term = &classes[class as usize][choice[class as usize] as usize];
            let Some(&operand) = term.operands.get(next) else {
                state[class as usize] = DONE;
                order.push(class);
                continue;
            };
            stack.push((class, next + 1));
            match state[operand as usize] {
                NEW => {
                    state[operand as usize] = OPEN;
                    stack.push((operand, 0));
                }
                OPEN => return None,
                _ => {}
            }
        }
    }
    Some(order)
}
