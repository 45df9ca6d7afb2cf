// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs as data: what the generator makes, the writer prints and the evaluator runs.
//!
//! Values are numbered; each is made once. Programs hold no names and no text.

pub use comm_runtime::Reduction;

use comm_runtime::Element;

/// Index of a value in [`Program::values`].
pub type Value = usize;

/// Type of a value, and what is known of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shaped {
    pub element: Element,
    pub shape: Vec<usize>,
    /// No number has a larger magnitude.
    pub bound: i64,
    /// How many roundings may be in each number, one after the other: a measure of its error.
    pub roundings: u64,
}

impl Shaped {
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// Up to which magnitude all integers are numbers of an element type, with room for one more operation.
    pub fn limit(element: Element) -> i64 {
        match element {
            Element::F64 => 1 << 50,
            Element::F32 => 1 << 24,
            Element::F16 => 1 << 11,
            Element::Bf16 => 1 << 8,
            _ => 1 << 30,
        }
    }
}

/// A partition of the ranks into groups of one size.
#[derive(Clone, Debug)]
pub struct Groups {
    /// As MLIR writes it.
    pub text: String,
    pub members: Vec<Vec<usize>>,
}

impl Groups {
    pub fn size(&self) -> usize {
        self.members[0].len()
    }
}

/// What a collective does; the index of its groups is in [`Collective`].
#[derive(Clone, Debug)]
pub enum Exchange {
    /// Along one dimension for each input.
    AllGather(Vec<usize>),
    ReduceScatter(Reduction, Vec<usize>),
    AllReduce(Reduction),
    AllToAll {
        split: usize,
        concat: usize,
    },
    /// Pairs of source and target.
    Permute(Vec<(usize, usize)>),
    /// From a position of the group.
    Broadcast(usize),
}

impl Exchange {
    pub fn name(&self) -> &'static str {
        match self {
            Self::AllGather(_) => "all_gather",
            Self::ReduceScatter(..) => "reduce_scatter",
            Self::AllReduce(_) => "all_reduce",
            Self::AllToAll { .. } => "all_to_all",
            Self::Permute(_) => "permute",
            Self::Broadcast(_) => "broadcast",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Collective {
    pub exchange: Exchange,
    /// Index in [`Program::groups`].
    pub groups: usize,
    pub inputs: Vec<Value>,
    /// Whether it is started, and a [`Op::Wait`] yields its results.
    pub is_started: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Min,
    Max,
}

/// Whether an arm of a branch is taken.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// In even rounds of the innermost loop.
    EvenRound,
    /// By an argument that may differ between ranks.
    Flag,
}

#[derive(Clone, Copy, Debug)]
pub enum Trips {
    Constant(usize),
    /// By an argument that is the same on all ranks.
    Argument,
}

#[derive(Clone, Debug)]
pub enum Op {
    Collective(Collective),
    /// Waits for the collective in the statement with this mark.
    Wait(usize),
    /// Elementwise; where `in_place`, the second operand is what the op writes over.
    Binary {
        function: Binary,
        operands: [Value; 2],
        in_place: bool,
    },
    /// By a constant.
    Scale(Value, i64),
    /// Modulo 4: what keeps numbers small, and exact.
    Wrap(Value),
    Transpose(Value, Vec<usize>),
    /// A product of matrices, or of stacks of them, that is added to a value or to zero.
    Product {
        factors: [Value; 2],
        onto: Option<Value>,
    },
    /// The sum over a dimension.
    Sum(Value, usize),
    Slice {
        from: Value,
        dim: usize,
        offset: usize,
    },
    /// The first replaces a part of the second.
    Insert {
        part: Value,
        into: Value,
        dim: usize,
        offset: usize,
    },
    /// The part of a dimension at the position in the group.
    Shard {
        from: Value,
        dim: usize,
        groups: usize,
    },
    Convert(Value),
    Loop {
        trips: Trips,
        initial: Vec<Value>,
        body: Block,
    },
    Branch {
        condition: Condition,
        arms: [Block; 2],
    },
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub op: Op,
    pub results: Vec<Value>,
    /// Unique.
    pub mark: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub arguments: Vec<Value>,
    pub statements: Vec<Statement>,
    pub yields: Vec<Value>,
}

/// A program of the function `main`, which takes the arguments of its body, the number of rounds of loops, and a flag.
#[derive(Clone, Debug)]
pub struct Program {
    pub ranks: usize,
    /// Sizes of the axes `a` and `b` of `@mesh`.
    pub mesh: [usize; 2],
    pub groups: Vec<Groups>,
    pub values: Vec<Shaped>,
    pub body: Block,
}

impl Program {
    pub fn shaped(&self, value: Value) -> &Shaped {
        &self.values[value]
    }

    /// All collectives, with those of inner blocks.
    pub fn collectives(&self) -> Vec<&Collective> {
        let (mut blocks, mut found) = (vec![&self.body], Vec::new());
        while let Some(block) = blocks.pop() {
            for statement in &block.statements {
                match &statement.op {
                    Op::Collective(collective) => found.push(collective),
                    Op::Loop { body, .. } => blocks.push(body),
                    Op::Branch { arms, .. } => blocks.extend(arms),
                    _ => {}
                }
            }
        }
        found
    }
}
