// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs: straight-line code in single-assignment form, what a caller hands in and gets back.
//!
//! Invariants, checked on construction: operands stand before their users, every op has a type, and equal argument
//! numbers are one value with one type. Not represented: effects and order. An op with effects is no part of a program;
//! its results are arguments of what follows, its operands are results of what comes before.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::{
    groups::{GroupError, GroupId, Groups},
    infer::{TypeError, infer},
    op::{Argument, Op},
    types::Type,
};

/// Number of a node in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// Position in the program.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for NodeId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "%{}", self.0)
    }
}

/// Where a node comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The caller's op with this tag, applied to the same values (which may be computed otherwise).
    Kept(u32),
    /// Another op for the value that the caller's op with this tag computes.
    Instead(u32),
    /// A new value.
    New,
}

/// One op of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramNode {
    /// What it computes.
    pub op: Op,
    /// From what.
    pub operands: Vec<NodeId>,
    /// Type of the result.
    pub ty: Type,
    /// Where it comes from.
    pub origin: Origin,
}

/// Why something is no program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// An operand or result that does not exist yet.
    #[error("node {node} uses {operand}, which does not stand before it")]
    NoSuchNode {
        /// The user's position.
        node: usize,
        /// What it uses.
        operand: NodeId,
    },
    /// An op that cannot be applied.
    #[error("node {node}: {error}")]
    Type {
        /// The node's position.
        node: usize,
        /// Why.
        error: TypeError,
    },
    /// One argument number with two types or two facts about where it is equal.
    #[error("node {node}: argument {number} was given otherwise before")]
    Argument {
        /// The node's position.
        node: usize,
        /// The argument.
        number: u32,
    },
    /// A group that cannot be made.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// More nodes than can be numbered.
    #[error("a program has at most {} nodes", u32::MAX)]
    TooLarge,
}

/// A program over a number of devices.
#[derive(Clone, Debug)]
pub struct Program {
    groups: Groups,
    nodes: Vec<ProgramNode>,
    results: Vec<NodeId>,
    /// The first instance of each argument.
    given: BTreeMap<u32, Argument>,
}

impl Program {
    /// An empty program with these groups.
    pub fn new(groups: Groups) -> Self {
        Self {
            groups,
            nodes: Vec::new(),
            results: Vec::new(),
            given: BTreeMap::new(),
        }
    }

    /// Groups of the program.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Groups of the program, to add more.
    pub fn groups_mut(&mut self) -> &mut Groups {
        &mut self.groups
    }

    /// Nodes, operands before users.
    pub fn nodes(&self) -> &[ProgramNode] {
        &self.nodes
    }

    /// The node of an id.
    pub fn node(&self, id: NodeId) -> &ProgramNode {
        &self.nodes[id.index()]
    }

    /// Ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Values that live on behind the program.
    pub fn results(&self) -> &[NodeId] {
        &self.results
    }

    /// Appends an op of the caller, known to the caller by a tag. O(operands + log arguments).
    pub fn push(&mut self, op: Op, operands: &[NodeId], tag: u32) -> Result<NodeId, ProgramError> {
        self.push_from(op, operands, Origin::Kept(tag))
    }

    /// Appends an op.
    pub(crate) fn push_from(
        &mut self,
        op: Op,
        operands: &[NodeId],
        origin: Origin,
    ) -> Result<NodeId, ProgramError> {
        let node = self.nodes.len();
        let id = u32::try_from(node)
            .map(NodeId)
            .map_err(|_| ProgramError::TooLarge)?;
        if let Some(&operand) = operands.iter().find(|operand| operand.index() >= node) {
            return Err(ProgramError::NoSuchNode { node, operand });
        }
        if let Op::Argument(argument) = &op {
            let earlier = self.given.get(&argument.number);
            if earlier.is_some_and(|earlier| {
                (&earlier.ty, earlier.replicated) != (&argument.ty, argument.replicated)
            }) {
                return Err(ProgramError::Argument {
                    node,
                    number: argument.number,
                });
            }
        }
        let types: Vec<&Type> = operands
            .iter()
            .map(|operand| &self.nodes[operand.index()].ty)
            .collect();
        let ty = infer(&op, &types, &self.groups).map_err(|error| ProgramError::Type { node, error })?;
        if let Op::Argument(argument) = &op {
            self.given
                .entry(argument.number)
                .or_insert_with(|| argument.clone());
        }
        self.nodes.push(ProgramNode {
            op,
            operands: operands.to_vec(),
            ty,
            origin,
        });
        Ok(id)
    }

    /// Appends argument `number`, equal inside the lists of each of these groups. The tag is the number.
    pub fn argument(
        &mut self,
        number: u32,
        ty: Type,
        replicated: &[GroupId],
    ) -> Result<NodeId, ProgramError> {
        self.argument_instance(number, 0, ty, replicated)
    }

    /// Appends an instance of argument `number`. What is computed from one instance is never shared with what is
    /// computed from another.
    pub fn argument_instance(
        &mut self,
        number: u32,
        instance: u32,
        ty: Type,
        replicated: &[GroupId],
    ) -> Result<NodeId, ProgramError> {
        let replicated = self.groups.replicated(replicated);
        let argument = Argument {
            number,
            instance,
            ty,
            replicated,
        };
        self.push(Op::Argument(argument), &[], number)
    }

    /// Sets the values that live on.
    pub fn set_results(&mut self, results: &[NodeId]) -> Result<(), ProgramError> {
        match results.iter().find(|result| result.index() >= self.nodes.len()) {
            Some(&operand) => Err(ProgramError::NoSuchNode {
                node: self.nodes.len(),
                operand,
            }),
            None => {
                self.results = results.to_vec();
                Ok(())
            }
        }
    }

    /// Arguments in order of first use, instances apart.
    pub fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.nodes.iter().filter_map(|node| match &node.op {
            Op::Argument(argument) => Some(argument),
            _ => None,
        })
    }

    /// Whether both compute the same in the same way, wherever their nodes come from.
    pub fn same_terms(&self, other: &Self) -> bool {
        fn terms(program: &Program) -> impl Iterator<Item = (&Op, &[NodeId])> {
            program.nodes.iter().map(|node| (&node.op, &node.operands[..]))
        }
        self.results == other.results && terms(self).eq(terms(other))
    }
}

impl std::fmt::Display for Program {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (id, node) in self.ids().zip(&self.nodes) {
            let operands: Vec<String> = node.operands.iter().map(NodeId::to_string).collect();
            writeln!(
                formatter,
                "{id} = {}({}) : {}",
                node.op,
                operands.join(", "),
                node.ty
            )?;
        }
        let results: Vec<String> = self.results.iter().map(NodeId::to_string).collect();
        writeln!(formatter, "return {}", results.join(", "))
    }
}
