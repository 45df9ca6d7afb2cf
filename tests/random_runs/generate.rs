// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random programs: the same for the same seed.
//!
//! Invariant: on inputs that are integers of magnitude up to [`INPUT_BOUND`], every number of every rank is an integer that its
//! element type holds exactly, whatever the order of additions and products. So results can be compared bit by bit with an
//! evaluation that knows nothing of orders.

use comm_runtime::Element;
use fastrand::Rng;

use super::program::{
    Binary, Block, Collective, Condition, Exchange, Groups, Op, Program, Reduction, Shaped, Statement, Trips,
    Value,
};

/// Largest magnitude of an input.
pub const INPUT_BOUND: i64 = 3;

/// Most numbers of a tensor: ops are to be small, since compiling takes the time.
const MOST_NUMBERS: usize = 192;

/// What programs are like.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Statements of the function, about.
    pub statements: usize,
    /// No modulo, no loops and no branches: results are continuous in the inputs, with an error that is bounded.
    pub is_smooth: bool,
}

/// Makes a program.
pub fn generate(seed: u64, style: Style) -> Program {
    let mut rng = Rng::with_seed(seed);
    let ranks = *choose(&mut rng, &[1, 2, 3, 3, 4, 4, 6, 8]);
    let mesh = match ranks {
        4 => [2, 2],
        6 => *choose(&mut rng, &[[2, 3], [3, 2]]),
        8 => *choose(&mut rng, &[[2, 4], [4, 2]]),
        _ => [1, ranks],
    };
    let groups: Vec<Groups> = (0..rng.usize(1..=3))
        .map(|_| groups(&mut rng, ranks, mesh))
        .collect();
    let elements = [
        Element::F32,
        Element::F64,
        Element::Bf16,
        Element::F16,
        Element::I32,
    ];
    let mut generator = Generator {
        element: *choose(&mut rng, &elements),
        rng,
        style,
        program: Program {
            ranks,
            mesh,
            groups,
            values: Vec::new(),
            body: Block::default(),
        },
        scope: Scope::default(),
        used: Vec::new(),
        marks: 0,
        depth: 0,
        may_communicate: true,
        is_counted: false,
    };
    for _ in 0..generator.rng.usize(2..=4) {
        let shape = generator.shape();
        let argument = generator.value(generator.element, shape, INPUT_BOUND, 0);
        generator.program.body.arguments.push(argument);
        generator.scope.visible.push(argument);
    }
    if style.is_smooth {
        generator.sums_in_parts();
    }
    generator.statements(style.statements);
    let statements = std::mem::take(&mut generator.scope.statements);
    // What nobody reads is returned, up to a point, so that little is dead.
    let unread = |value: &Value| !generator.used[*value];
    let mut yields: Vec<Value> = generator
        .scope
        .visible
        .iter()
        .copied()
        .filter(unread)
        .rev()
        .take(6)
        .collect();
    if yields.is_empty() {
        yields.extend(generator.scope.visible.last());
    }
    let mut program = generator.program;
    program.body.statements = statements;
    program.body.yields = yields;
    program
}

fn choose<'a, T>(rng: &mut Rng, among: &'a [T]) -> &'a T {
    &among[rng.usize(..among.len())]
}

/// A partition of the ranks: along axes of the mesh, or any.
fn groups(rng: &mut Rng, ranks: usize, [rows, columns]: [usize; 2]) -> Groups {
    let across: Vec<Vec<usize>> = (0..columns)
        .map(|column| (0..rows).map(|row| row * columns + column).collect())
        .collect();
    let along: Vec<Vec<usize>> = (0..rows)
        .map(|row| (row * columns..(row + 1) * columns).collect())
        .collect();
    match rng.u8(0..6) {
        0 => Groups {
            text: "@mesh[\"a\"]".to_owned(),
            members: across,
        },
        1 => Groups {
            text: "@mesh[\"b\"]".to_owned(),
            members: along,
        },
        2 => Groups {
            text: "@mesh[\"a\", \"b\"]".to_owned(),
            members: vec![(0..ranks).collect()],
        },
        kind => {
            let sizes: Vec<usize> = (1..=ranks)
                .filter(|&size| ranks.is_multiple_of(size) && (size > 1 || ranks == 1 || kind == 3))
                .collect();
            let size = *choose(rng, &sizes);
            let mut order: Vec<usize> = (0..ranks).collect();
            if kind == 5 {
                rng.shuffle(&mut order);
            }
            let members: Vec<Vec<usize>> = order.chunks(size).map(<[usize]>::to_vec).collect();
            Groups {
                text: format!("{members:?}"),
                members,
            }
        }
    }
}

/// A block that is being made.
#[derive(Clone, Default)]
struct Scope {
    visible: Vec<Value>,
    statements: Vec<Statement>,
    /// Marks of collectives that nobody has waited for, with their results, and their groups where they are all-reduces.
    started: Vec<(usize, Vec<Value>, Option<usize>)>,
    /// Operands of these: in use.
    in_flight: Vec<Value>,
}

struct Generator {
    rng: Rng,
    style: Style,
    /// Of most values.
    element: Element,
    program: Program,
    scope: Scope,
    /// By value: whether it is read.
    used: Vec<bool>,
    marks: usize,
    depth: usize,
    may_communicate: bool,
    /// Whether the innermost loop has a known number of rounds.
    is_counted: bool,
}

impl Generator {
    fn shape(&mut self) -> Vec<usize> {
        let rank = *choose(&mut self.rng, &[1, 2, 2, 2, 2, 3]);
        let largest = self.program.ranks.max(2);
        let sizes = [1, 2, 3, 4, largest, largest, 2 * largest];
        loop {
            let shape: Vec<usize> = (0..rank).map(|_| *choose(&mut self.rng, &sizes)).collect();
            if shape.iter().product::<usize>() <= MOST_NUMBERS / 2 {
                return shape;
            }
        }
    }

    fn value(&mut self, element: Element, shape: Vec<usize>, bound: i64, roundings: u64) -> Value {
        self.program.values.push(Shaped {
            element,
            shape,
            bound,
            roundings,
        });
        self.used.push(false);
        self.program.values.len() - 1
    }

    fn shaped(&self, value: Value) -> Shaped {
        self.program.values[value].clone()
    }

    /// A value to read: mostly a late one, and now and then one that a collective in flight reads.
    fn pick(&mut self) -> Value {
        let count = self.scope.visible.len();
        let value = if !self.scope.in_flight.is_empty() && self.rng.u8(0..5) == 0 {
            *choose(&mut self.rng, &self.scope.in_flight)
        } else if self.rng.bool() {
            self.scope.visible[count - 1 - self.rng.usize(..count.min(3))]
        } else {
            *choose(&mut self.rng, &self.scope.visible)
        };
        self.used[value] = true;
        value
    }

    /// A value of a form.
    fn pick_like(&mut self, like: impl Fn(&Shaped) -> bool) -> Option<Value> {
        let fits: Vec<Value> = self
            .scope
            .visible
            .iter()
            .copied()
            .filter(|&value| like(&self.program.values[value]))
            .collect();
        (!fits.is_empty()).then(|| {
            let value = *choose(&mut self.rng, &fits);
            self.used[value] = true;
            value
        })
    }

    fn push(&mut self, op: Op, results: Vec<Value>) -> usize {
        self.marks += 1;
        self.scope.statements.push(Statement {
            op,
            results,
            mark: self.marks,
        });
        self.marks
    }

    /// Adds an op with one result, if its numbers stay exact.
    fn add(&mut self, op: Op, shaped: Shaped) -> Option<Value> {
        if shaped.bound > Shaped::limit(shaped.element) || shaped.count() > MOST_NUMBERS {
            return None;
        }
        let result = self.value(shaped.element, shaped.shape, shaped.bound, shaped.roundings);
        self.push(op, vec![result]);
        self.scope.visible.push(result);
        Some(result)
    }

    /// The value with numbers up to `bound`: itself, or modulo 4.
    fn within(&mut self, value: Value, bound: i64) -> Option<Value> {
        let shaped = self.shaped(value);
        if shaped.bound <= bound {
            return Some(value);
        }
        if self.style.is_smooth || bound < INPUT_BOUND {
            return None;
        }
        self.used[value] = true;
        let bound = INPUT_BOUND;
        self.add(Op::Wrap(value), Shaped { bound, ..shaped })
    }

    fn statements(&mut self, count: usize) {
        let end = self.scope.statements.len() + count;
        // Not every attempt succeeds.
        for _ in 0..20 * count {
            if self.scope.statements.len() >= end {
                break;
            }
            self.statement();
        }
        while !self.scope.started.is_empty() {
            self.wait();
        }
    }

    fn wait(&mut self) {
        let index = self.rng.usize(..self.scope.started.len());
        let (mark, results, reduced_over) = self.scope.started.remove(index);
        self.push(Op::Wait(mark), Vec::new());
        self.show(results, reduced_over);
        if self.scope.started.is_empty() {
            self.scope.in_flight.clear();
        }
    }

    /// Tries to add one statement of any kind.
    fn statement(&mut self) -> Option<()> {
        if !self.scope.started.is_empty() && self.rng.u8(0..5) == 0 {
            self.wait();
            return Some(());
        }
        match self.rng.u8(0..24) {
            0..=7 if self.may_communicate => self.collective(),
            8..=11 => self.binary(),
            12 => self.scale(),
            13 => self.transpose(),
            14..=16 => self.product(),
            17 => self.sum(),
            18 => self.slice(),
            19 => self.insert(),
            20 => self.shard(),
            21 => self.convert(),
            22 if self.depth < 2 && !self.style.is_smooth => self.repeat(),
            23 if self.depth < 2 && !self.style.is_smooth => self.branch(),
            _ => None,
        }
    }

    fn collective(&mut self) -> Option<()> {
        let groups = self.rng.usize(..self.program.groups.len());
        let size = self.program.groups[groups].size();
        let first = self.pick();
        let mut inputs = vec![first];
        let kind = self.rng.u8(0..9);
        let (element, is_reduction) = (self.shaped(first).element, (3..6).contains(&kind));
        if self.rng.u8(0..3) == 0 {
            for _ in 0..self.rng.usize(1..=2) {
                let is_equal = |shaped: &Shaped| !is_reduction || shaped.element == element;
                inputs.extend(self.pick_like(is_equal));
            }
        }
        let exchange = match kind {
            0..=2 => Exchange::AllGather(self.dims(&inputs, |_| true)?),
            3 => {
                let reduction = self.reduction(&mut inputs, size)?;
                let dims = self.dims(&inputs, |length| length.is_multiple_of(size))?;
                Exchange::ReduceScatter(reduction, dims)
            }
            4 | 5 => Exchange::AllReduce(self.reduction(&mut inputs, size)?),
            6 => {
                let split = self.dims(&inputs[..1], |length| length.is_multiple_of(size))?[0];
                let fits = |value: &Value| {
                    let shape = &self.program.values[*value].shape;
                    shape.get(split).is_some_and(|length| length.is_multiple_of(size))
                };
                inputs.retain(fits);
                let rank = inputs
                    .iter()
                    .map(|&value| self.program.values[value].shape.len())
                    .min()?;
                let concat = self.rng.usize(..rank);
                Exchange::AllToAll { split, concat }
            }
            7 => {
                let ranks = self.program.ranks;
                let mut targets: Vec<usize> = (0..ranks).collect();
                match self.rng.u8(0..3) {
                    0 => self.rng.shuffle(&mut targets),
                    _ => targets.rotate_left(1),
                }
                let mut pairs: Vec<(usize, usize)> = (0..ranks).zip(targets).collect();
                if self.rng.bool() {
                    pairs.truncate(self.rng.usize(1..=ranks));
                }
                Exchange::Permute(pairs)
            }
            _ => Exchange::Broadcast(self.rng.usize(..size)),
        };
        let mut shapes = Vec::new();
        for (position, &input) in inputs.iter().enumerate() {
            let mut shaped = self.shaped(input);
            let shape = &mut shaped.shape;
            match &exchange {
                Exchange::AllGather(dims) => shape[dims[position]] *= size,
                Exchange::ReduceScatter(_, dims) => shape[dims[position]] /= size,
                Exchange::AllToAll { split, concat } => {
                    shape[*split] /= size;
                    shape[*concat] *= size;
                }
                Exchange::AllReduce(_) | Exchange::Permute(_) | Exchange::Broadcast(_) => {}
            }
            if let Exchange::ReduceScatter(reduction, _) | Exchange::AllReduce(reduction) = &exchange {
                shaped.bound = reduced_bound(*reduction, shaped.bound, size)?;
                shaped.roundings = match reduction {
                    Reduction::Prod => shaped.roundings.checked_mul(size as u64)? + size as u64,
                    _ => shaped.roundings + size as u64,
                };
            }
            if shaped.count() > MOST_NUMBERS {
                return None;
            }
            shapes.push(shaped);
        }
        let results: Vec<Value> = shapes
            .into_iter()
            .map(|shaped| self.value(shaped.element, shaped.shape, shaped.bound, shaped.roundings))
            .collect();
        let is_started = self.rng.u8(0..3) != 0;
        let reduced_over = matches!(exchange, Exchange::AllReduce(_)).then_some(groups);
        for &input in &inputs {
            self.used[input] = true;
        }
        let collective = Collective {
            exchange,
            groups,
            inputs: inputs.clone(),
            is_started,
        };
        let mark = self.push(Op::Collective(collective), results.clone());
        if is_started {
            self.scope.started.push((mark, results, reduced_over));
            self.scope.in_flight.extend(inputs);
        } else {
            self.show(results, reduced_over);
        }
        Some(())
    }

    /// Begins with sums over groups, of which each device keeps its part: to be reassociated.
    fn sums_in_parts(&mut self) {
        for input in self.program.body.arguments.clone() {
            let groups = self.rng.usize(..self.program.groups.len());
            let size = self.program.groups[groups].size();
            let given = self.shaped(input);
            let divides = |length: usize| length.is_multiple_of(size);
            let bound = given.bound * size as i64;
            if bound > Shaped::limit(given.element) || self.dims(&[input], divides).is_none() {
                continue;
            }
            let roundings = given.roundings + size as u64;
            let sum = self.value(given.element, given.shape, bound, roundings);
            let collective = Collective {
                exchange: Exchange::AllReduce(Reduction::Sum),
                groups,
                inputs: vec![input],
                is_started: false,
            };
            self.push(Op::Collective(collective), vec![sum]);
            self.used[input] = true;
            self.used[sum] = self.shard_of(sum, groups).is_some();
        }
    }

    /// Makes results of a collective visible. Of what is reduced over groups each device often keeps its part alone, which is
    /// what `comm-simplify` looks for.
    fn show(&mut self, results: Vec<Value>, reduced_over: Option<usize>) {
        for value in results {
            match reduced_over {
                Some(groups) if self.rng.bool() && self.shard_of(value, groups).is_some() => {
                    self.used[value] = true;
                }
                _ => self.scope.visible.push(value),
            }
        }
    }

    /// A dimension for each value, of those whose length fits.
    fn dims(&mut self, values: &[Value], fits: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        values
            .iter()
            .map(|&value| {
                let shape = &self.program.values[value].shape;
                let dims: Vec<usize> = (0..shape.len()).filter(|&dim| fits(shape[dim])).collect();
                (!dims.is_empty()).then(|| *choose(&mut self.rng, &dims))
            })
            .collect()
    }

    /// A reduction that keeps numbers exact; values are made smaller, or multiples of what is divided by.
    fn reduction(&mut self, inputs: &mut [Value], size: usize) -> Option<Reduction> {
        let element = self.shaped(inputs[0]).element;
        let float = [
            Reduction::Sum,
            Reduction::Sum,
            Reduction::Avg,
            Reduction::Min,
            Reduction::Max,
            Reduction::Prod,
        ];
        let integer = [
            Reduction::Sum,
            Reduction::Min,
            Reduction::Max,
            Reduction::Prod,
            Reduction::And,
            Reduction::Or,
            Reduction::Xor,
        ];
        let among: &[Reduction] = if element.is_float() { &float } else { &integer };
        let reduction = *choose(&mut self.rng, among);
        for input in inputs {
            let limit = Shaped::limit(element);
            if reduction == Reduction::Avg {
                let by = size as i64;
                *input = self.within(*input, limit / (by * by))?;
                *input = self.times(*input, by)?;
            }
            let bound = self.shaped(*input).bound;
            if reduced_bound(reduction, bound, size).is_none_or(|bound| bound > limit) {
                *input = self.within(*input, INPUT_BOUND)?;
                reduced_bound(reduction, INPUT_BOUND, size).filter(|&bound| bound <= limit)?;
            }
        }
        Some(reduction)
    }

    fn times(&mut self, value: Value, factor: i64) -> Option<Value> {
        self.used[value] = true;
        let shaped = self.shaped(value);
        let (bound, roundings) = (shaped.bound * factor, shaped.roundings + 1);
        self.add(
            Op::Scale(value, factor),
            Shaped {
                bound,
                roundings,
                ..shaped
            },
        )
    }

    fn scale(&mut self) -> Option<()> {
        let value = self.pick();
        let value = self.within(value, Shaped::limit(self.shaped(value).element) / 4)?;
        let factor = self.rng.i64(2..=4);
        self.times(value, factor).map(drop)
    }

    fn binary(&mut self) -> Option<()> {
        let left = self.pick();
        let shaped = self.shaped(left);
        let (element, shape) = (shaped.element, shaped.shape);
        let right = self.pick_like(|other| other.element == element && other.shape == shape)?;
        let functions = [
            Binary::Add,
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::Min,
            Binary::Max,
        ];
        let function = *choose(&mut self.rng, &functions);
        let limit = Shaped::limit(element);
        let most = match function {
            Binary::Mul => limit.isqrt(),
            _ => limit / 2,
        };
        let left = self.within(left, most)?;
        let right = self.within(right, most)?;
        let (a, b) = (self.shaped(left), self.shaped(right));
        let bound = match function {
            Binary::Mul => a.bound * b.bound,
            Binary::Min | Binary::Max => a.bound.max(b.bound),
            Binary::Add | Binary::Sub => a.bound + b.bound,
        };
        let roundings = a.roundings + b.roundings + 1;
        let op = Op::Binary {
            function,
            operands: [left, right],
            in_place: self.rng.bool(),
        };
        self.add(
            op,
            Shaped {
                bound,
                roundings,
                ..a
            },
        )
        .map(drop)
    }

    fn transpose(&mut self) -> Option<()> {
        let value = self.pick();
        let mut shaped = self.shaped(value);
        let mut order: Vec<usize> = (0..shaped.shape.len()).collect();
        if order.len() < 2 {
            return None;
        }
        self.rng.shuffle(&mut order);
        shaped.shape = order.iter().map(|&dim| shaped.shape[dim]).collect();
        self.add(Op::Transpose(value, order), shaped).map(drop)
    }

    fn product(&mut self) -> Option<()> {
        let left = self.pick_like(|shaped| shaped.shape.len() >= 2)?;
        let a = self.shaped(left);
        let rank = a.shape.len();
        let (rows, depth) = (a.shape[rank - 2], a.shape[rank - 1]);
        let right = self.pick_like(|other| {
            other.element == a.element
                && other.shape.len() == rank
                && other.shape[..rank - 2] == a.shape[..rank - 2]
                && other.shape[rank - 2] == depth
        })?;
        let limit = Shaped::limit(a.element) / 2;
        let left = self.within(left, (limit / depth as i64).isqrt())?;
        let right = self.within(right, (limit / depth as i64).isqrt())?;
        let (a, b) = (self.shaped(left), self.shaped(right));
        let mut shape = a.shape;
        shape[rank - 2] = rows;
        shape[rank - 1] = b.shape[rank - 1];
        let (element, mut bound) = (a.element, a.bound * b.bound * depth as i64);
        let mut roundings = a.roundings + b.roundings + depth as u64;
        let mut onto = None;
        if self.rng.u8(0..3) == 0 {
            onto = self.pick_like(|other| other.element == element && other.shape == shape);
            if let Some(value) = onto {
                let value = self.within(value, limit)?;
                onto = Some(value);
                bound += self.shaped(value).bound;
                roundings += self.shaped(value).roundings + 1;
            }
        }
        let op = Op::Product {
            factors: [left, right],
            onto,
        };
        let shaped = Shaped {
            element,
            shape,
            bound,
            roundings,
        };
        self.add(op, shaped).map(drop)
    }

    fn sum(&mut self) -> Option<()> {
        let value = self.pick_like(|shaped| shaped.shape.len() >= 2)?;
        let limit = Shaped::limit(self.shaped(value).element);
        let mut shaped = self.shaped(value);
        let dim = self.rng.usize(..shaped.shape.len());
        let length = shaped.shape.remove(dim);
        let value = self.within(value, limit / length as i64)?;
        shaped.bound = self.shaped(value).bound * length as i64;
        shaped.roundings += length as u64;
        self.add(Op::Sum(value, dim), shaped).map(drop)
    }

    fn slice(&mut self) -> Option<()> {
        let from = self.pick();
        let mut shaped = self.shaped(from);
        let dim = self.dims(&[from], |length| length >= 2)?[0];
        let offset = self.rng.usize(1..shaped.shape[dim]);
        shaped.shape[dim] -= offset;
        self.add(Op::Slice { from, dim, offset }, shaped).map(drop)
    }

    fn insert(&mut self) -> Option<()> {
        let part = self.pick();
        let small = self.shaped(part);
        let dim = self.rng.usize(..small.shape.len());
        let into = self.pick_like(|other| {
            let is_equal = |at: usize| other.shape[at] == small.shape[at];
            other.element == small.element
                && other.shape.len() == small.shape.len()
                && other.shape[dim] > small.shape[dim]
                && (0..small.shape.len()).all(|at| at == dim || is_equal(at))
        })?;
        let mut shaped = self.shaped(into);
        let offset = self.rng.usize(..=shaped.shape[dim] - small.shape[dim]);
        shaped.bound = shaped.bound.max(small.bound);
        shaped.roundings = shaped.roundings.max(small.roundings);
        let op = Op::Insert {
            part,
            into,
            dim,
            offset,
        };
        self.add(op, shaped).map(drop)
    }

    fn shard(&mut self) -> Option<()> {
        let from = self.pick();
        let groups = self.rng.usize(..self.program.groups.len());
        self.shard_of(from, groups)
    }

    fn shard_of(&mut self, from: Value, groups: usize) -> Option<()> {
        let size = self.program.groups[groups].size();
        let dim = self.dims(&[from], |length| length.is_multiple_of(size))?[0];
        let mut shaped = self.shaped(from);
        shaped.shape[dim] /= size;
        self.add(Op::Shard { from, dim, groups }, shaped).map(drop)
    }

    fn convert(&mut self) -> Option<()> {
        let value = self.pick();
        let mut shaped = self.shaped(value);
        shaped.element = match shaped.element {
            Element::F32 => *choose(
                &mut self.rng,
                &[Element::F64, Element::F16, Element::Bf16, Element::I32],
            ),
            _ => Element::F32,
        };
        if self.style.is_smooth && !shaped.element.is_float() {
            return None;
        }
        shaped.roundings += 1;
        let value = self.within(value, Shaped::limit(shaped.element))?;
        shaped.bound = self.shaped(value).bound;
        self.add(Op::Convert(value), shaped).map(drop)
    }

    /// Makes a block of its own. What it yields are values of these forms, modulo 4.
    fn inner(&mut self, arguments: Vec<Value>, forms: &[Shaped], statements: usize) -> Option<Block> {
        let outer = std::mem::take(&mut self.scope);
        self.scope.visible = outer.visible.clone();
        self.scope.visible.extend(&arguments);
        // What is in flight outside may be read, and written over, inside.
        self.scope.in_flight = outer.in_flight.clone();
        self.depth += 1;
        self.statements(statements);
        let yields: Option<Vec<Value>> = forms
            .iter()
            .map(|form| {
                let fits = |value: &&Value| {
                    let shaped = &self.program.values[**value];
                    shaped.element == form.element && shaped.shape == form.shape
                };
                // The last one: mostly made in the block.
                let value = *self.scope.visible.iter().rev().find(fits)?;
                self.used[value] = true;
                self.within(value, INPUT_BOUND)
            })
            .collect();
        self.depth -= 1;
        let inner = std::mem::replace(&mut self.scope, outer);
        Some(Block {
            arguments,
            statements: inner.statements,
            yields: yields?,
        })
    }

    /// Values to go into a block and come out of it, modulo 4.
    fn carried(&mut self) -> Option<Vec<Value>> {
        (0..self.rng.usize(1..=2))
            .map(|_| {
                let value = self.pick();
                self.within(value, INPUT_BOUND)
            })
            .collect()
    }

    fn forms(&self, values: &[Value]) -> Vec<Shaped> {
        values
            .iter()
            .map(|&value| Shaped {
                bound: INPUT_BOUND,
                ..self.shaped(value)
            })
            .collect()
    }

    fn results(&mut self, forms: &[Shaped]) -> Vec<Value> {
        let results: Vec<Value> = forms
            .iter()
            .map(|form| self.value(form.element, form.shape.clone(), form.bound, 0))
            .collect();
        results
    }

    fn repeat(&mut self) -> Option<()> {
        let initial = self.carried()?;
        let forms = self.forms(&initial);
        let trips = match self.rng.usize(0..5) {
            4 => Trips::Argument,
            trips => Trips::Constant(trips),
        };
        let arguments = self.results(&forms);
        let was_counted = std::mem::replace(&mut self.is_counted, matches!(trips, Trips::Constant(_)));
        let statements = self.rng.usize(2..=5);
        let body = self.inner(arguments, &forms, statements);
        self.is_counted = was_counted;
        let body = body?;
        let results = self.results(&forms);
        self.push(Op::Loop { trips, initial, body }, results.clone());
        self.scope.visible.extend(results);
        Some(())
    }

    fn branch(&mut self) -> Option<()> {
        let values = self.carried()?;
        let forms = self.forms(&values);
        let condition = if self.is_counted && self.rng.u8(0..3) != 0 {
            Condition::EvenRound
        } else {
            Condition::Flag
        };
        let could = self.may_communicate;
        // All ranks take one arm, or none communicates in it.
        self.may_communicate &= matches!(condition, Condition::EvenRound);
        let lengths = [self.rng.usize(1..=3), self.rng.usize(0..=3)];
        let arms = lengths.map(|statements| self.inner(Vec::new(), &forms, statements));
        self.may_communicate = could;
        let [Some(first), Some(second)] = arms else {
            return None;
        };
        let results = self.results(&forms);
        let arms = [first, second];
        self.push(Op::Branch { condition, arms }, results.clone());
        self.scope.visible.extend(results);
        Some(())
    }
}

fn reduced_bound(reduction: Reduction, bound: i64, size: usize) -> Option<i64> {
    match reduction {
        Reduction::Sum | Reduction::Avg => bound.checked_mul(size as i64),
        Reduction::Min | Reduction::Max => Some(bound),
        Reduction::Prod => bound.checked_pow(size as u32),
        // Of numbers of b bits, and their signs.
        Reduction::And | Reduction::Or | Reduction::Xor => Some(2 * bound),
    }
}
