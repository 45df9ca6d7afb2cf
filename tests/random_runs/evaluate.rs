// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The meaning of programs, evaluated directly: all ranks in lockstep, numbers as doubles.
//!
//! Exact for inputs that are integers within their bounds, since the generator lets no number leave what its element type
//! holds exactly. Shares no code with the compiler or the run-time.

use super::program::{Binary, Block, Collective, Condition, Exchange, Op, Program, Reduction, Trips, Value};

/// Numbers of a tensor, row by row.
type Tensor = Vec<f64>;

/// What the ranks take beside tensors.
pub struct Control<'a> {
    /// Rounds of loops, the same on all ranks.
    pub rounds: usize,
    /// A flag for each rank.
    pub flags: &'a [bool],
}

/// Results of each rank, for tensors of each rank.
pub fn evaluate(program: &Program, inputs: &[Vec<Tensor>], control: &Control<'_>) -> Vec<Vec<Tensor>> {
    let mut machine = Machine {
        program,
        control,
        known: vec![Vec::new(); program.values.len()],
        round: 0,
    };
    for (position, &argument) in program.body.arguments.iter().enumerate() {
        machine.known[argument] = inputs.iter().map(|tensors| tensors[position].clone()).collect();
    }
    machine.block(&program.body);
    (0..program.ranks)
        .map(|rank| {
            let results = program.body.yields.iter();
            results.map(|&value| machine.known[value][rank].clone()).collect()
        })
        .collect()
}

struct Machine<'a> {
    program: &'a Program,
    control: &'a Control<'a>,
    /// By value and rank.
    known: Vec<Vec<Tensor>>,
    /// Of the innermost loop.
    round: usize,
}

/// A tensor seen as `outer x size x inner`, around one dimension.
#[derive(Clone, Copy)]
struct Around {
    outer: usize,
    size: usize,
    inner: usize,
}

impl Around {
    fn of(shape: &[usize], dim: usize) -> Self {
        Self {
            outer: shape[..dim].iter().product(),
            size: shape[dim],
            inner: shape[dim + 1..].iter().product(),
        }
    }
}

/// Part of a tensor along a dimension.
fn slice(tensor: &[f64], around: Around, offset: usize, size: usize) -> Tensor {
    let begin = |outer: usize| (outer * around.size + offset) * around.inner;
    let row = |outer: usize| tensor[begin(outer)..begin(outer) + size * around.inner].iter();
    (0..around.outer).flat_map(row).copied().collect()
}

/// Parts of equal shape, one behind the other along a dimension; `around` is of a part.
fn concatenate(parts: &[Tensor], around: Around) -> Tensor {
    let row = around.size * around.inner;
    (0..around.outer)
        .flat_map(|outer| {
            parts
                .iter()
                .flat_map(move |part| &part[outer * row..(outer + 1) * row])
        })
        .copied()
        .collect()
}

fn transpose(tensor: &[f64], shape: &[usize], order: &[usize]) -> Tensor {
    let strides: Vec<usize> = (0..shape.len())
        .map(|dim| shape[dim + 1..].iter().product())
        .collect();
    let sizes: Vec<usize> = order.iter().map(|&dim| shape[dim]).collect();
    (0..tensor.len())
        .map(|position| {
            let (mut rest, mut at) = (position, 0);
            for (place, &dim) in order.iter().enumerate().rev() {
                at += rest % sizes[place] * strides[dim];
                rest /= sizes[place];
            }
            tensor[at]
        })
        .collect()
}

fn binary(function: Binary, left: f64, right: f64) -> f64 {
    match function {
        Binary::Add => left + right,
        Binary::Sub => left - right,
        Binary::Mul => left * right,
        Binary::Min => left.min(right),
        Binary::Max => left.max(right),
    }
}

/// Combines tensors number by number.
fn reduce(reduction: Reduction, tensors: &[Tensor]) -> Tensor {
    let bits = |function: fn(i64, i64) -> i64, a: f64, b: f64| function(a as i64, b as i64) as f64;
    let combine = |a: f64, b: f64| match reduction {
        Reduction::Sum | Reduction::Avg => a + b,
        Reduction::Min => a.min(b),
        Reduction::Max => a.max(b),
        Reduction::Prod => a * b,
        Reduction::And => bits(|a, b| a & b, a, b),
        Reduction::Or => bits(|a, b| a | b, a, b),
        Reduction::Xor => bits(|a, b| a ^ b, a, b),
    };
    let share = match reduction {
        Reduction::Avg => tensors.len() as f64,
        _ => 1.0,
    };
    (0..tensors[0].len())
        .map(|position| {
            let numbers = tensors.iter().map(|tensor| tensor[position]);
            numbers.reduce(combine).unwrap_or_default() / share
        })
        .collect()
}

/// `stack x rows x depth` times `stack x depth x columns`.
fn product(left: &[f64], right: &[f64], [rows, depth, columns]: [usize; 3]) -> Tensor {
    let stack = left.len() / (rows * depth);
    let mut target = Vec::with_capacity(stack * rows * columns);
    for layer in 0..stack {
        for row in 0..rows {
            for column in 0..columns {
                let terms = (0..depth).map(|inner| {
                    left[(layer * rows + row) * depth + inner]
                        * right[(layer * depth + inner) * columns + column]
                });
                target.push(terms.sum());
            }
        }
    }
    target
}

impl Machine<'_> {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match &statement.op {
                Op::Collective(collective) => {
                    for (position, &result) in statement.results.iter().enumerate() {
                        self.known[result] = self.exchange(collective, position);
                    }
                }
                Op::Wait(_) => {}
                Op::Loop { trips, initial, body } => self.repeat(*trips, initial, body, &statement.results),
                Op::Branch { condition, arms } => {
                    for arm in arms {
                        self.block(arm);
                    }
                    let [first, second] = arms;
                    for (position, &result) in statement.results.iter().enumerate() {
                        self.known[result] = (0..self.program.ranks)
                            .map(|rank| {
                                let takes_first = match condition {
                                    Condition::EvenRound => self.round.is_multiple_of(2),
                                    Condition::Flag => self.control.flags[rank],
                                };
                                let arm = if takes_first { first } else { second };
                                self.known[arm.yields[position]][rank].clone()
                            })
                            .collect();
                    }
                }
                op => {
                    let result = statement.results[0];
                    self.known[result] = (0..self.program.ranks).map(|rank| self.local(op, rank)).collect();
                }
            }
        }
    }

    fn repeat(&mut self, trips: Trips, initial: &[Value], body: &Block, results: &[Value]) {
        let trips = match trips {
            Trips::Constant(trips) => trips,
            Trips::Argument => self.control.rounds,
        };
        let mut carried: Vec<Vec<Tensor>> = initial.iter().map(|&value| self.known[value].clone()).collect();
        let outer = self.round;
        for round in 0..trips {
            self.round = round;
            for (&argument, tensors) in body.arguments.iter().zip(carried) {
                self.known[argument] = tensors;
            }
            self.block(body);
            carried = body
                .yields
                .iter()
                .map(|&value| self.known[value].clone())
                .collect();
        }
        self.round = outer;
        for (&result, tensors) in results.iter().zip(carried) {
            self.known[result] = tensors;
        }
    }

    /// What each rank gets for an input of a collective.
    fn exchange(&self, collective: &Collective, position: usize) -> Vec<Tensor> {
        let input = collective.inputs[position];
        let given = &self.known[input];
        let shape = &self.program.shaped(input).shape;
        if let Exchange::Permute(pairs) = &collective.exchange {
            return (0..given.len())
                .map(|rank| match pairs.iter().find(|(_, target)| *target == rank) {
                    Some(&(source, _)) => given[source].clone(),
                    None => vec![0.0; given[rank].len()],
                })
                .collect();
        }
        let mut taken = vec![Vec::new(); given.len()];
        for group in &self.program.groups[collective.groups].members {
            let tensors: Vec<Tensor> = group.iter().map(|&rank| given[rank].clone()).collect();
            for (place, &rank) in group.iter().enumerate() {
                let part_of = |tensor: &Tensor, dim: usize| {
                    let around = Around::of(shape, dim);
                    let size = around.size / group.len();
                    slice(tensor, around, place * size, size)
                };
                taken[rank] = match &collective.exchange {
                    Exchange::AllGather(dims) => concatenate(&tensors, Around::of(shape, dims[position])),
                    Exchange::ReduceScatter(kind, dims) => part_of(&reduce(*kind, &tensors), dims[position]),
                    Exchange::AllReduce(kind) => reduce(*kind, &tensors),
                    Exchange::AllToAll { split, concat } => {
                        let parts: Vec<Tensor> =
                            tensors.iter().map(|tensor| part_of(tensor, *split)).collect();
                        let mut part = shape.clone();
                        part[*split] /= group.len();
                        concatenate(&parts, Around::of(&part, *concat))
                    }
                    Exchange::Broadcast(root) => tensors[*root].clone(),
                    Exchange::Permute(_) => continue,
                };
            }
        }
        taken
    }

    fn local(&self, op: &Op, rank: usize) -> Tensor {
        let known = |value: Value| &self.known[value][rank];
        let shape = |value: Value| &self.program.shaped(value).shape[..];
        match op {
            Op::Binary {
                function, operands, ..
            } => {
                let pairs = known(operands[0]).iter().zip(known(operands[1]));
                pairs
                    .map(|(&left, &right)| binary(*function, left, right))
                    .collect()
            }
            Op::Scale(from, factor) => known(*from)
                .iter()
                .map(|number| number * *factor as f64)
                .collect(),
            Op::Wrap(from) => known(*from).iter().map(|number| number.rem_euclid(4.0)).collect(),
            Op::Convert(from) => known(*from).clone(),
            Op::Transpose(from, order) => transpose(known(*from), shape(*from), order),
            Op::Product { factors, onto } => {
                let (left, right) = (shape(factors[0]), shape(factors[1]));
                let sizes = [left[left.len() - 2], left[left.len() - 1], right[right.len() - 1]];
                let sums = product(known(factors[0]), known(factors[1]), sizes);
                match onto {
                    Some(onto) => sums.iter().zip(known(*onto)).map(|(a, b)| a + b).collect(),
                    None => sums,
                }
            }
            Op::Sum(from, dim) => {
                let around = Around::of(shape(*from), *dim);
                let rows: Vec<Tensor> = (0..around.size)
                    .map(|index| slice(known(*from), around, index, 1))
                    .collect();
                reduce(Reduction::Sum, &rows)
            }
            Op::Slice { from, dim, offset } => {
                let around = Around::of(shape(*from), *dim);
                slice(known(*from), around, *offset, around.size - offset)
            }
            Op::Insert {
                part,
                into,
                dim,
                offset,
            } => {
                let whole = Around::of(shape(*into), *dim);
                let size = shape(*part)[*dim];
                let mut target = known(*into).clone();
                for outer in 0..whole.outer {
                    let to = (outer * whole.size + offset) * whole.inner;
                    let from = outer * size * whole.inner;
                    target[to..to + size * whole.inner]
                        .copy_from_slice(&known(*part)[from..from + size * whole.inner]);
                }
                target
            }
            Op::Shard { from, dim, groups } => {
                let groups = &self.program.groups[*groups];
                let around = Around::of(shape(*from), *dim);
                let size = around.size / groups.size();
                let places = groups
                    .members
                    .iter()
                    .filter_map(|group| group.iter().position(|&member| member == rank));
                let place = places.max().expect("each rank is in a group");
                slice(known(*from), around, place * size, size)
            }
            Op::Collective(_) | Op::Wait(_) | Op::Loop { .. } | Op::Branch { .. } => {
                unreachable!("not an op of one rank")
            }
        }
    }
}
