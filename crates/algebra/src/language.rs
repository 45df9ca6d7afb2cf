// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs as terms of an e-graph, and what is known of each class of equal values.
//!
//! A class's facts are its type, which all its terms share, and the partition of the devices into blocks on which the
//! value is equal: the join of what each of its terms shows, since all of them are this value. Types that differ in one
//! class would prove a rule wrong; the e-graph then records a conflict and the caller stops.

use egg::{Analysis, DidMerge, EGraph, Id, Language};

use crate::{
    groups::{Change, Groups, Partition, PartitionId},
    infer::infer,
    op::Op,
    program::{NodeId, Program},
    types::{Element, Type},
};

/// A term: an op applied to classes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// What it computes.
    pub op: Op,
    /// From what.
    pub operands: Vec<Id>,
}

impl Language for Term {
    type Discriminant = Op;

    fn discriminant(&self) -> Op {
        self.op.clone()
    }

    fn matches(&self, other: &Self) -> bool {
        self.op == other.op && self.operands.len() == other.operands.len()
    }

    fn children(&self) -> &[Id] {
        &self.operands
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.operands
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.op.fmt(formatter)
    }
}

/// What is known of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Type on every device.
    pub ty: Type,
    /// Where it is equal.
    pub replicated: PartitionId,
}

/// The analysis: the table of groups, and whether a rule has been caught.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// Groups of the program and those that rules made of them.
    pub groups: Groups,
    /// Types that were claimed equal and are not.
    pub conflict: Option<(Type, Type)>,
}

/// The e-graph of a program.
pub type Graph = EGraph<Term, Knowledge>;

impl Analysis<Term> for Knowledge {
    type Data = Facts;

    fn make(graph: &mut Graph, term: &Term, _: Id) -> Facts {
        let operands: Vec<Facts> = term.operands.iter().map(|&id| graph[id].data.clone()).collect();
        let types: Vec<&Type> = operands.iter().map(|facts| &facts.ty).collect();
        let groups = &mut graph.analysis.groups;
        let ty = infer(&term.op, &types, groups).unwrap_or_else(|_| {
            // Terms are checked before they are added, so this is a fault of the caller, not of the program.
            let first = types
                .first()
                .map_or_else(|| Type::new(Element::Bool, &[]), |&ty| ty.clone());
            graph
                .analysis
                .conflict
                .get_or_insert((first.clone(), first.clone()));
            first
        });
        let known: Vec<PartitionId> = operands.iter().map(|facts| facts.replicated).collect();
        let replicated = replicated(&term.op, &known, &mut graph.analysis.groups);
        Facts { ty, replicated }
    }

    fn merge(&mut self, a: &mut Facts, b: Facts) -> DidMerge {
        if a.ty != b.ty {
            self.conflict.get_or_insert((a.ty.clone(), b.ty.clone()));
        }
        let joined = self.groups.change(a.replicated, Change::Join(b.replicated));
        let merged = DidMerge(joined != a.replicated, joined != b.replicated || a.ty != b.ty);
        a.replicated = joined;
        merged
    }
}

/// Where the result of an op is equal, given where its operands are. Exact for ops that are known by their definition
/// alone; see [`Partition`].
pub fn replicated(op: &Op, operands: &[PartitionId], groups: &mut Groups) -> PartitionId {
    let first = operands.first().copied().unwrap_or_else(|| groups.coarsest());
    match op {
        Op::Argument(argument) => argument.replicated,
        Op::Opaque { uniform: false, .. } => groups.finest(),
        Op::AllGather { group, .. } | Op::AllReduce { group, .. } => {
            groups.change(first, Change::Gathered(*group))
        }
        Op::ReduceScatter { group, .. } | Op::AllToAll { group, .. } => {
            groups.change(first, Change::Exchanged(*group))
        }
        Op::Shard { group, .. } => groups.change(first, Change::Sharded(*group)),
        Op::Broadcast { root, group } => {
            let grouping = groups.get(*group);
            let moved = groups
                .partition(first)
                .moved(|device| Some(grouping.member(device, *root)));
            groups.intern_partition(moved)
        }
        Op::Permute { pairs } => {
            let source = |device: usize| {
                let found = pairs.binary_search_by_key(&(device as u32), |&(_, target)| target);
                found.ok().map(|position| pairs[position].0 as usize)
            };
            let moved = Partition::moved(groups.partition(first), source);
            groups.intern_partition(moved)
        }
        _ => operands
            .iter()
            .skip(1)
            .fold(first, |known, &other| groups.change(known, Change::Meet(other))),
    }
}

/// A program's e-graph with one term per node, and each node's class. Nodes that are equal terms share one.
pub fn graph_of(program: &Program) -> (Graph, Vec<Id>) {
    let mut graph = Graph::new(Knowledge {
        groups: program.groups().clone(),
        conflict: None,
    });
    let mut classes: Vec<Id> = Vec::with_capacity(program.nodes().len());
    for node in program.nodes() {
        let operands = node
            .operands
            .iter()
            .map(|&operand| classes[NodeId::index(operand)])
            .collect();
        classes.push(graph.add(Term {
            op: node.op.clone(),
            operands,
        }));
    }
    graph.rebuild();
    (graph, classes)
}
