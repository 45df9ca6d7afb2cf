// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random programs as text, by the rules that front ends follow: every future is awaited at most once, on every path.
//!
//! A program is determined by its seed and the number of steps, so that a failure is made small by trying fewer steps.
//! Every collective says in `test.stream` which partition of the devices it runs on, however its groups are spelt.

mod collectives;
mod ops;

use std::fmt::Write;

use fastrand::Rng;

/// How programs are made.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub functions: usize,
    /// Steps in each function.
    pub steps: usize,
    /// Regions and several blocks.
    pub nesting: bool,
    /// Ops that no communication may cross.
    pub fences: bool,
}

impl Shape {
    pub fn any(steps: usize) -> Self {
        Self {
            functions: 1,
            steps,
            nesting: true,
            fences: true,
        }
    }
}

/// A tensor of f32: its name, rows and columns.
#[derive(Clone, Debug)]
struct Tensor {
    name: String,
    rows: usize,
    columns: usize,
}

impl Tensor {
    fn ty(&self) -> String {
        format!("tensor<{}x{}xf32>", self.rows, self.columns)
    }
}

/// A started collective.
struct Pending {
    future: String,
    kept: Vec<Tensor>,
    results: Vec<Tensor>,
    /// Whether its results may be read.
    alive: bool,
}

struct Generator<'r> {
    rng: &'r mut Rng,
    text: String,
    next: usize,
    prefix: char,
    shape: Shape,
    depth: usize,
    /// Shards among the arguments.
    shards: Vec<Tensor>,
    /// What may be read here, the latest last.
    values: Vec<Tensor>,
    pending: Vec<Pending>,
}

/// The program of a seed.
pub fn program(seed: u64, shape: Shape) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = String::from(
        "comm.mesh @mesh <[\"dp\" = 2, \"tp\" = 2, \"one\" = 1]>\nfunc.func private @callee(tensor<12x12xf32>)\n",
    );
    for index in 0..shape.functions {
        let prefix = ['v', 'x', 'n'][rng.usize(0..3)];
        let mut generator = Generator {
            rng: &mut rng,
            text: String::new(),
            next: 0,
            prefix,
            shape,
            depth: 0,
            shards: Vec::new(),
            values: Vec::new(),
            pending: Vec::new(),
        };
        generator.function(index);
        text.push_str(&generator.text);
    }
    text
}

impl Generator<'_> {
    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%{}{}", self.prefix, self.next)
    }

    fn tensor(&mut self, rows: usize, columns: usize) -> Tensor {
        Tensor {
            name: self.fresh(),
            rows,
            columns,
        }
    }

    fn line(&mut self, line: std::fmt::Arguments) {
        writeln!(self.text, "{line}").expect("strings grow");
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.rng.usize(0..one_in) == 0
    }

    fn function(&mut self, index: usize) {
        if self.chance(40) {
            return self.line(format_args!("func.func @f{index}() {{ return }}"));
        }
        let count = self.rng.usize(2..7);
        self.shards = (0..count)
            .map(|_| {
                let rows = [3, 3, 12][self.rng.usize(0..3)];
                self.tensor(rows, 12)
            })
            .collect();
        let input = self.tensor(12, 12);
        let mut arguments: Vec<String> = self
            .shards
            .iter()
            .chain([&input])
            .map(|argument| format!("{}: {}", argument.name, argument.ty()))
            .collect();
        arguments.extend(
            [
                "%flag: i1 {comm.uniform}",
                "%odd: i1",
                "%count: index {comm.uniform}",
                "%memory: memref<4xf32>",
            ]
            .map(String::from),
        );
        self.values = vec![input];
        self.line(format_args!(
            "func.func @f{index}({}) -> tensor<12x12xf32> {{",
            arguments.join(", ")
        ));
        self.line(format_args!("%zero = arith.constant 0 : index"));
        self.line(format_args!("%one = arith.constant 1 : index"));
        self.line(format_args!("%float = arith.constant 1.0 : f32"));
        if self.shape.nesting && self.chance(4) {
            self.diamond()
        } else {
            self.body(self.shape.steps)
        }
        let result = self.square();
        self.close(false);
        self.line(format_args!("return {} : {}", result.name, result.ty()));
        self.line(format_args!("}}"));
    }

    /// An entry that branches to two blocks, which meet again. What the entry starts may be awaited at the end.
    fn diamond(&mut self) {
        let part = self.shape.steps / 4;
        self.body(part);
        let flag = self.flag();
        let across = if self.chance(2) {
            std::mem::take(&mut self.pending)
        } else {
            Vec::new()
        };
        self.close(false);
        self.line(format_args!("cf.cond_br {flag}, ^left, ^right"));
        let outside = self.values.clone();
        for label in ["^left", "^right"] {
            self.line(format_args!("{label}:"));
            self.body(part);
            let value = self.square();
            self.close(false);
            self.line(format_args!("cf.br ^join({} : {})", value.name, value.ty()));
            self.values = outside.clone();
        }
        let joined = self.tensor(12, 12);
        self.line(format_args!("^join({}: {}):", joined.name, joined.ty()));
        self.values.push(joined);
        self.pending = across;
        self.body(part);
    }

    fn body(&mut self, steps: usize) {
        for _ in 0..steps {
            self.step();
        }
    }

    fn step(&mut self) {
        match self.rng.u8(0..100) {
            0..25 => self.gather_of_shards(),
            25..50 => self.compute(),
            50..62 => self.reduction(),
            62..67 => {
                let value = self.value();
                self.gather(vec![value]);
            }
            67..73 => self.other(),
            73..78 => {
                let value = self.value();
                let dressed = self.dress(value, 1);
                self.values.push(dressed);
            }
            78..84 => {
                if !self.pending.is_empty() {
                    let index = self.rng.usize(0..self.pending.len());
                    let pending = self.pending.remove(index);
                    self.wait(pending);
                }
            }
            84..88 => self.memory(),
            88..93 if self.shape.fences => self.fence(),
            93..100 if self.shape.nesting && self.depth < 2 => self.region(),
            _ => self.compute(),
        }
    }

    fn value(&mut self) -> Tensor {
        let window = if self.chance(3) {
            self.values.len()
        } else {
            self.values.len().min(4)
        };
        self.values[self.values.len() - 1 - self.rng.usize(0..window)].clone()
    }

    fn flag(&mut self) -> &'static str {
        if self.chance(3) { "%odd" } else { "%flag" }
    }

    /// The latest value of 12 rows and 12 columns, or a new one made of the latest value.
    fn square(&mut self) -> Tensor {
        match self.values.last().cloned() {
            Some(value) if (value.rows, value.columns) == (12, 12) => value,
            value => {
                let result = self.tensor(12, 12);
                self.opaque(&value.into_iter().collect::<Vec<_>>(), &result);
                result
            }
        }
    }
}
