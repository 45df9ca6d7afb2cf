// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random programs: the same for the same seed.
//!
//! Invariant: on inputs that are integers of magnitude up to [`INPUT_BOUND`], every number of every rank is an integer that its
//! element type holds exactly, whatever the order of additions and products. So results can be compared bit by bit with an
//! evaluation that knows nothing of orders.

mod communication;
mod computation;

use comm_runtime::Element;
use fastrand::Rng;

use super::program::{Block, Condition, Groups, Op, Program, Shaped, Statement, Trips, Value};

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
