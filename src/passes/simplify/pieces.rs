// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Pieces of a block: each collective with the local ops around it that rules could move it past.
//!
//! A whole training step is too much for an e-graph, and rules look at one collective and its neighbours. A piece grows
//! from a collective over at most [`REACH`] terms on either side, stops behind a product, and joins the piece of another
//! collective where both reach one term, up to [`MOST_TERMS`]. Each term is in one piece at most; constants are in every
//! piece that reads them. What a piece takes from elsewhere are arguments of its program, what is used elsewhere are results.
//!
//! Two gathers of one value stay two: sharing one is a choice that costs memory. So a second gather of a value in a piece
//! reads another instance of the argument, unless both are `mergeable`; if it reads a term of the piece, it is left out.
//!
//! O(ops + collectives * MOST_TERMS).

use comm_algebra::{Argument, Dot, NodeId, Op as AlgebraOp, Program, ProgramError};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    devices::Devices,
    terms::{Term, Terms, mean_factor},
    vocabulary::{Style, Vocabulary},
};
use crate::{
    collective::Collective,
    mlir::{Op, Value},
    problem::BlockProblem,
};

/// How many local terms away from a collective a piece reaches, in either direction.
const REACH: usize = 3;

/// Terms of a piece at most, constants apart.
const MOST_TERMS: usize = 24;

/// Terms of a block that are rewritten together.
pub(super) struct Piece {
    /// Positions in the block, ascending, constants included. The term at index `i` has the tag `2 * i` in the program,
    /// and `2 * i + 1` is the tag of the scaling of a mean.
    pub(super) positions: Vec<usize>,
    pub(super) program: Program,
    /// The values of the program's arguments, by their numbers.
    pub(super) arguments: Vec<Value>,
    /// Positions of the terms that the program's results are.
    pub(super) results: Vec<usize>,
}

impl Piece {
    /// How to spell new local ops: as those of the piece, else as those of the block. Where there are several ways, not with
    /// upstream ops, which go with any other dialect and are understood by fewer compilers of that.
    pub(super) fn style(&self, terms: &Terms) -> Style {
        let own = || {
            self.positions
                .iter()
                .filter_map(|&position| terms.at(position)?.style)
        };
        let in_block = || terms.terms.iter().flatten().filter_map(|term| term.style);
        let is_special = |style: &Style| *style != Style::Upstream;
        own()
            .find(is_special)
            .or_else(|| own().next())
            .or_else(|| in_block().find(is_special))
            .unwrap_or(Style::Upstream)
    }
}

/// The pieces of a block, in the order of their first collectives.
pub(super) fn pieces(
    block: &BlockProblem,
    terms: &Terms,
    vocabulary: &mut Vocabulary,
    devices: &Devices,
) -> Vec<Piece> {
    let mut growth = Growth {
        block,
        terms,
        piece_of: vec![None; block.ops.len()],
        members: Vec::new(),
    };
    for position in 0..block.ops.len() {
        if terms.at(position).is_some_and(|term| term.op.is_collective()) {
            growth.grow(position);
        }
    }
    let mut pieces = Vec::new();
    for mut members in growth.members {
        // A collective alone is what it is.
        if members.len() > 1 {
            members.sort_unstable();
            // A tensor can be too large for the algebra, which counts its elements. The piece stays as it is.
            pieces.extend(
                Builder::new(block, terms, vocabulary, devices)
                    .build(&members)
                    .ok(),
            );
        }
    }
    pieces
}

struct Growth<'a> {
    block: &'a BlockProblem,
    terms: &'a Terms,
    piece_of: Vec<Option<usize>>,
    /// Positions of each piece; empty where it has joined another.
    members: Vec<Vec<usize>>,
}

impl Growth<'_> {
    /// Makes a piece around the collective at a position.
    fn grow(&mut self, collective: usize) {
        let mut piece = match self.piece_of[collective] {
            Some(piece) => piece,
            None => {
                self.members.push(vec![collective]);
                self.piece_of[collective] = Some(self.members.len() - 1);
                self.members.len() - 1
            }
        };
        let segment = self.terms.at(collective).map(|term| term.segment);
        let mut seen = FxHashSet::from_iter([collective]);
        let mut border = vec![collective];
        for _ in 0..REACH {
            let mut next = Vec::new();
            for position in border {
                for neighbour in self.neighbours(position) {
                    let Some(term) = self.terms.at(neighbour) else {
                        continue;
                    };
                    if Some(term.segment) != segment || is_constant(term) || !seen.insert(neighbour) {
                        continue;
                    }
                    match self.piece_of[neighbour] {
                        None if self.members[piece].len() < MOST_TERMS => {
                            self.piece_of[neighbour] = Some(piece);
                            self.members[piece].push(neighbour);
                        }
                        Some(other) if other == piece => {}
                        Some(other)
                            if self.members[other].len() + self.members[piece].len() <= MOST_TERMS =>
                        {
                            piece = self.join(other, piece);
                        }
                        _ => continue,
                    }
                    // Rules look through a product, but not at what comes behind it.
                    if !matches!(term.op, AlgebraOp::Dot(Dot { .. })) {
                        next.push(neighbour);
                    }
                }
            }
            border = next;
        }
    }

    /// Makes one piece of two and gives its number, which is that of the first.
    fn join(&mut self, one: usize, other: usize) -> usize {
        let (first, second) = (one.min(other), one.max(other));
        let moved = std::mem::take(&mut self.members[second]);
        for &position in &moved {
            self.piece_of[position] = Some(first);
        }
        self.members[first].extend(moved);
        first
    }

    /// Positions of what the term at a position reads, then of what reads it.
    fn neighbours(&self, position: usize) -> Vec<usize> {
        let Some(term) = self.terms.at(position) else {
            return Vec::new();
        };
        let producers = term.operands.iter().filter_map(|&value| self.terms.of(value));
        let users = readers(self.block, self.terms, term.value).into_iter();
        producers
            .chain(users.filter(|&user| self.terms.at(user).is_some()))
            .collect()
    }
}

/// Positions of what reads a value in the block, ascending; see [`reader`].
fn readers(block: &BlockProblem, terms: &Terms, value: Value) -> Vec<usize> {
    let mut readers: Vec<usize> = value
        .uses()
        .filter_map(|r#use| reader(block, terms, r#use.op()))
        .collect();
    readers.sort_unstable();
    readers.dedup();
    readers
}

/// Position in the block of an op or of the one that holds it; of a started collective the position of its wait.
fn reader(block: &BlockProblem, terms: &Terms, op: Op) -> Option<usize> {
    let op = within(block, op)?;
    let wait = Collective::new(op).and_then(Collective::wait);
    terms.position(wait.unwrap_or(op))
}

/// The op of the block that is an op or holds it.
fn within(block: &BlockProblem, op: Op) -> Option<Op> {
    std::iter::successors(Some(op), |op| op.parent_op()).find(|op| op.parent_block() == Some(block.block))
}

fn is_constant(term: &Term) -> bool {
    matches!(term.op, AlgebraOp::Constant { .. })
}

/// Makes the program of a piece.
struct Builder<'a> {
    block: &'a BlockProblem,
    terms: &'a Terms,
    vocabulary: &'a mut Vocabulary,
    program: Program,
    arguments: Vec<Value>,
    positions: Vec<usize>,
    nodes: FxHashMap<Value, NodeId>,
    /// Collectives and what they read, to keep equal ones apart.
    collectives: Vec<(AlgebraOp, Value, u32)>,
}

impl<'a> Builder<'a> {
    fn new(
        block: &'a BlockProblem,
        terms: &'a Terms,
        vocabulary: &'a mut Vocabulary,
        devices: &Devices,
    ) -> Self {
        Self {
            block,
            terms,
            vocabulary,
            program: Program::new(devices.groups.clone()),
            arguments: Vec::new(),
            positions: Vec::new(),
            nodes: FxHashMap::default(),
            collectives: Vec::new(),
        }
    }

    fn build(mut self, members: &[usize]) -> Result<Piece, ProgramError> {
        for &position in members {
            if let Some(term) = self.terms.at(position) {
                self.push(position, term, members)?;
            }
        }
        let mut results = Vec::new();
        let mut nodes = Vec::new();
        let inside: FxHashSet<usize> = self.positions.iter().copied().collect();
        for &position in members.iter().filter(|position| inside.contains(position)) {
            let Some(term) = self.terms.at(position) else {
                continue;
            };
            let is_used_outside = term.value.uses().any(|r#use| {
                let reader = reader(self.block, self.terms, r#use.op());
                // An op that holds the user in a region is no term.
                !reader.is_some_and(|reader| self.terms.at(reader).is_some() && inside.contains(&reader))
            });
            if is_used_outside {
                results.push(position);
                nodes.push(self.nodes[&term.value]);
            }
        }
        self.program.set_results(&nodes)?;
        Ok(Piece {
            positions: self.positions,
            program: self.program,
            arguments: self.arguments,
            results,
        })
    }

    fn push(&mut self, position: usize, term: &Term, members: &[usize]) -> Result<(), ProgramError> {
        let mut operands = Vec::with_capacity(term.operands.len());
        let instance = if term.op.is_collective() {
            match self.instance(position, term, members) {
                Some(instance) => instance,
                None => return Ok(()),
            }
        } else {
            0
        };
        for &value in &term.operands {
            operands.push(match self.nodes.get(&value) {
                Some(&node) if instance == 0 => node,
                _ => self.given(value, instance)?,
            });
        }
        let tag = 2 * self.positions.len() as u32;
        self.positions.push(position);
        let mut node = self.program.push(term.op.clone(), &operands, tag)?;
        if term.is_mean
            && let Some(factor) = term
                .op
                .group()
                .and_then(|group| mean_factor(self.program.groups().size(group)))
        {
            let scale = AlgebraOp::Map(comm_algebra::Function::Scale(factor));
            node = self.program.push(scale, &[node], tag + 1)?;
        }
        self.nodes.insert(term.value, node);
        Ok(())
    }

    /// The instance of its operand that a collective reads; nothing where it must stay out of the piece.
    fn instance(&mut self, position: usize, term: &Term, members: &[usize]) -> Option<u32> {
        let value = term.operands[0];
        let issued = self.block.ops[term.start.unwrap_or(position)];
        let before = self
            .collectives
            .iter()
            .filter(|(op, operand, _)| *operand == value && *op == term.op)
            .map(|(_, _, instance)| *instance)
            .max();
        let is_inside = self
            .terms
            .of(value)
            .is_some_and(|position| members.contains(&position));
        let instance = match before {
            None => 0,
            Some(last) if issued.attr("mergeable").is_some() => last,
            Some(_) if is_inside => return None,
            Some(last) => last + 1,
        };
        self.collectives.push((term.op.clone(), value, instance));
        Some(instance)
    }

    /// The node of a value from elsewhere: a constant, or an argument.
    fn given(&mut self, value: Value, instance: u32) -> Result<NodeId, ProgramError> {
        if instance == 0
            && let Some(position) = self.terms.of(value)
            && let Some(term) = self.terms.at(position).filter(|term| is_constant(term))
        {
            let tag = 2 * self.positions.len() as u32;
            self.positions.push(position);
            let node = self.program.push(term.op.clone(), &[], tag)?;
            self.nodes.insert(value, node);
            return Ok(node);
        }
        let number = match self.arguments.iter().position(|&argument| argument == value) {
            Some(number) => number,
            None => {
                self.arguments.push(value);
                self.arguments.len() - 1
            }
        } as u32;
        // Operands of terms have types that the algebra knows: the vocabulary has read them.
        let Some(ty) = self.vocabulary.type_of(value.ty()) else {
            return Err(ProgramError::Argument {
                node: self.program.nodes().len(),
                number,
            });
        };
        let argument = Argument {
            number,
            instance,
            ty,
            replicated: self.terms.is_equal_on(value),
        };
        let node = self.program.push(AlgebraOp::Argument(argument), &[], number)?;
        if instance == 0 {
            self.nodes.insert(value, node);
        }
        Ok(node)
    }
}
