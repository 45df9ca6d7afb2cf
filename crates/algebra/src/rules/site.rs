// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Where a rule is tried: one term of one class, and what the rule may ask and answer there.
//!
//! Rules are matched by functions, not by egg's patterns, because dimensions and groups live inside the ops and most
//! right sides compute new ones. A rule reads the e-graph as it was at the beginning of a round and emits right sides
//! as trees over classes; they are added when all rules have been tried. Each right side is checked here: it has the
//! type of the class, and no value in it is larger than the limit.
//!
//! To show that a condition is needed, a test *waives* it: then the rule fires just where that condition, and no other,
//! is violated.

use egg::{Id, Language};

use super::condition::{Condition, Fp};
use crate::{
    groups::{GroupId, Grouping, Groups},
    infer::{TypeError, infer},
    language::{Graph, Term},
    op::{Kind, Op},
    types::{Element, Type},
};

/// A right side: ops over classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    Class(Id),
    Apply(Op, Vec<Self>),
}

impl From<Id> for Tree {
    fn from(id: Id) -> Self {
        Self::Class(id)
    }
}

/// An op on one value.
pub(crate) fn apply(op: Op, operand: impl Into<Tree>) -> Tree {
    Tree::Apply(op, vec![operand.into()])
}

/// A right side that a rule has found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) fp: Fp,
    pub(crate) tree: Tree,
    /// Only where a condition was waived: why the tree is no program.
    pub(crate) fault: Option<TypeError>,
}

/// Sizes in bytes between which rules work, so that graphs stay small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The largest value that a right side may make.
    pub(crate) largest: u64,
    /// The smallest value that a rule may split although nobody asks for its parts.
    pub(crate) splits: u64,
}

impl Bounds {
    /// No bounds.
    pub(crate) const NONE: Self = Self {
        largest: u64::MAX,
        splits: 0,
    };
}

/// Conditions of one candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    waived: Option<Condition>,
    violated: bool,
}

impl Guard {
    /// Whether the candidate may go on.
    pub(crate) fn require(&mut self, condition: Condition, holds: bool) -> bool {
        let waived = !holds && self.waived == Some(condition);
        self.violated |= waived;
        holds || waived
    }
}

/// One term, its class, and the collected right sides.
pub(crate) struct Site<'g> {
    graph: &'g Graph,
    pub(crate) groups: &'g mut Groups,
    /// Groups that a rule may split others into: those of the program.
    known: &'g [GroupId],
    class: Id,
    pub(crate) term: &'g Term,
    waived: Option<Condition>,
    bounds: Bounds,
    pub(crate) found: Vec<Found>,
    /// Right sides without a type although all conditions held: faults of a rule.
    pub(crate) faults: usize,
}

impl<'g> Site<'g> {
    pub(crate) fn new(
        graph: &'g Graph,
        groups: &'g mut Groups,
        known: &'g [GroupId],
        (class, term): (Id, &'g Term),
        waived: Option<Condition>,
        bounds: Bounds,
    ) -> Self {
        Self {
            graph,
            groups,
            known,
            class,
            term,
            waived,
            bounds,
            found: Vec::new(),
            faults: 0,
        }
    }

    /// Conditions of a new candidate.
    pub(crate) fn guard(&self) -> Guard {
        Guard {
            waived: self.waived,
            violated: false,
        }
    }

    /// The operand of that number.
    pub(crate) fn operand(&self, number: usize) -> Id {
        self.term.operands[number]
    }

    /// Terms of a class.
    pub(crate) fn terms(&self, class: Id) -> impl Iterator<Item = &'g Term> + use<'g> {
        self.graph[class].nodes.iter()
    }

    /// Terms of the class of the first operand.
    pub(crate) fn inner(&self) -> impl Iterator<Item = &'g Term> + use<'g> {
        self.terms(self.term.operands[0])
    }

    /// Type of a class.
    pub(crate) fn ty(&self, class: Id) -> &'g Type {
        &self.graph[class].data.ty
    }

    /// Type of the term.
    pub(crate) fn own_type(&self) -> &'g Type {
        self.ty(self.class)
    }

    /// Whether the term's value is large enough to be split although nobody asks for its parts.
    pub(crate) fn may_split(&self) -> bool {
        self.own_type().bytes() >= self.bounds.splits
    }

    /// Whether a class is this one.
    pub(crate) fn same_class(&self, a: Id, b: Id) -> bool {
        self.graph.find(a) == self.graph.find(b)
    }

    /// Whether the graph has this op on that class.
    pub(crate) fn exists(&self, op: &Op, operand: Id) -> bool {
        let term = Term {
            op: op.clone(),
            operands: vec![operand],
        };
        self.graph.lookup(term).is_some()
    }

    /// Whether a value is equal inside the lists.
    pub(crate) fn replicated(&mut self, class: Id, group: GroupId) -> bool {
        self.groups.covers(self.graph[class].data.replicated, group)
    }

    /// Pairs of known groups with as many members together as a list has.
    pub(crate) fn factors(&self, group: GroupId) -> Vec<(GroupId, GroupId)> {
        let size = self.groups.size(group);
        let proper = |&&group: &&GroupId| self.groups.size(group) > 1;
        let known: Vec<GroupId> = self.known.iter().filter(proper).copied().collect();
        let pairs = known.iter().flat_map(|&a| known.iter().map(move |&b| (a, b)));
        pairs
            .filter(|&(a, b)| self.groups.size(a) * self.groups.size(b) == size)
            .collect()
    }

    /// The union of two groupings, required to exist, and to be `expected` as sets if that is given.
    pub(crate) fn union(
        &mut self,
        guard: &mut Guard,
        (a, b): (GroupId, GroupId),
        expected: Option<GroupId>,
    ) -> Option<GroupId> {
        let union = self.groups.union(a, b);
        let holds = match (union, expected) {
            (Some(union), Some(expected)) => self.groups.same_set(union, expected),
            (union, _) => union.is_some(),
        };
        if !guard.require(Condition::Disjoint, holds) {
            return None;
        }
        expected.or(union).or_else(|| self.forced(b, a))
    }

    /// The product of two groupings, required to exist, and to be `expected` if that is given.
    pub(crate) fn product(
        &mut self,
        guard: &mut Guard,
        (major, minor): (GroupId, GroupId),
        expected: Option<GroupId>,
    ) -> Option<GroupId> {
        let product = self.groups.product(major, minor);
        let holds = product.is_some() && expected.is_none_or(|expected| product == Some(expected));
        if !guard.require(Condition::Nested, holds) {
            return None;
        }
        expected.or(product).or_else(|| self.forced(major, minor))
    }

    /// What a product would be, were it one: what a rule would do that forgot its condition.
    fn forced(&mut self, major: GroupId, minor: GroupId) -> Option<GroupId> {
        let (major, minor) = (self.groups.get(major), self.groups.get(minor));
        let mut seen = vec![false; major.devices()];
        let mut lists = Vec::new();
        for device in 0..major.devices() {
            let members = major
                .list(device)
                .iter()
                .flat_map(|&member| minor.list(member as usize));
            let fresh: Vec<usize> = members
                .map(|&member| member as usize)
                .filter(|&member| !std::mem::replace(&mut seen[member], true))
                .collect();
            if !fresh.is_empty() {
                lists.push(fresh);
            }
        }
        let grouping = Grouping::new(seen.len(), &lists).ok()?;
        self.groups.add(grouping).ok()
    }

    /// Lets the op of the term and the op of its operand change places, `outer (inner x)` to `inner (outer x)`, wherever
    /// `class` gives a class for `(outer, inner)`.
    pub(crate) fn exchange(&mut self, class: impl Fn(&mut Self, &mut Guard, &Op, &Op) -> Option<Fp>) {
        let outer = &self.term.op;
        if self.term.operands.is_empty() {
            return;
        }
        for inner in self.inner() {
            let mut guard = self.guard();
            if let Some(fp) = class(self, &mut guard, outer, &inner.op) {
                let moved = apply(outer.clone(), inner.operands[0]);
                self.emit(guard, fp, apply(inner.op.clone(), moved));
            }
        }
    }

    /// Adds a right side, checked.
    pub(crate) fn emit(&mut self, guard: Guard, fp: Fp, tree: impl Into<Tree>) {
        if guard.waived.is_some() && !guard.violated {
            return;
        }
        let tree = tree.into();
        let mut largest = 0;
        let fault = match self.check(&tree, &mut largest) {
            Ok(ty) if ty == *self.own_type() => None,
            Ok(ty) => Some(TypeError::Mismatch {
                op: self.term.op.to_string(),
                first: self.own_type().clone(),
                second: ty,
            }),
            Err(error) => Some(error),
        };
        if guard.waived.is_none() && fault.is_some() {
            self.faults += 1;
            return;
        }
        if largest <= self.bounds.largest {
            self.found.push(Found { fp, tree, fault });
        }
    }

    fn check(&self, tree: &Tree, largest: &mut u64) -> Result<Type, TypeError> {
        match tree {
            Tree::Class(id) => Ok(self.ty(*id).clone()),
            Tree::Apply(op, operands) => {
                let types = operands
                    .iter()
                    .map(|operand| self.check(operand, largest))
                    .collect::<Result<Vec<_>, _>>()?;
                let ty = infer(op, &types.iter().collect::<Vec<_>>(), self.groups)?;
                *largest = (*largest).max(ty.bytes());
                Ok(ty)
            }
        }
    }

    /// The number of operands of the term.
    pub(crate) fn arity(&self) -> usize {
        self.term.len()
    }
}

/// The class of a rule that changes the order in which a reduction combines.
pub(crate) fn order(kind: Kind, element: Element) -> Fp {
    if kind.is_exact(element) {
        Fp::Exact
    } else {
        Fp::Reassociate
    }
}

/// The class of a rule that changes the order of sums.
pub(crate) fn sums(element: Element) -> Fp {
    order(Kind::Sum, element)
}
