// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random programs as text, by the rules that front ends follow: every future is awaited at most once, on every path.
//!
//! A program is determined by its seed and the number of steps, so that a failure is made small by trying fewer steps.
//! Every collective says in `test.stream` which partition of the devices it runs on, however its groups are spelt.

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

/// Groups of devices: spelling, size of a group, and the partition.
const GROUPS: &[(&str, usize, &str)] = &[
    ("@mesh[\"dp\"]", 2, "02|13"),
    ("@mesh[\"tp\"]", 2, "01|23"),
    ("@mesh[\"dp\", \"tp\"]", 4, "0123"),
    ("@mesh[\"one\"]", 1, "0|1|2|3"),
    ("[[0, 1], [2, 3]]", 2, "01|23"),
    ("[[3, 2], [1, 0]]", 2, "01|23"),
    ("[[0, 1, 2, 3]]", 4, "0123"),
    ("[[2, 0, 3, 1]]", 4, "0123"),
    ("[[0], [1], [2], [3]]", 1, "0|1|2|3"),
    ("[[0, 1, 2]]", 3, "012"),
];

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

    /// Awaits what is pending, or leaves it dead.
    fn close(&mut self, leave_dead: bool) {
        while let Some(pending) = self.pending.pop() {
            if !leave_dead && !self.chance(6) {
                self.wait(pending);
            }
        }
    }

    fn wait(&mut self, pending: Pending) {
        let names: Vec<_> = pending.results.iter().map(|result| result.name.clone()).collect();
        let results: Vec<_> = pending.results.iter().map(Tensor::ty).collect();
        self.line(format_args!(
            "{} = comm.wait {} keeping({}) : !comm.future<{}>",
            names.join(", "),
            pending.future,
            typed(&pending.kept),
            results.join(", ")
        ));
        if pending.alive {
            self.values.extend(pending.results);
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

    fn opaque(&mut self, operands: &[Tensor], result: &Tensor) {
        let names: Vec<_> = operands.iter().map(|operand| operand.name.clone()).collect();
        let types: Vec<_> = operands.iter().map(Tensor::ty).collect();
        self.line(format_args!(
            "{} = \"x.compute\"({}) {{comm.pure}} : ({}) -> {}",
            result.name,
            names.join(", "),
            types.join(", "),
            result.ty()
        ));
    }

    fn compute(&mut self) {
        let count = self.rng.usize(1..4);
        let operands: Vec<Tensor> = (0..count).map(|_| self.value()).collect();
        let rows = [12, 12, 24][self.rng.usize(0..3)];
        let result = self.tensor(rows, 12);
        self.opaque(&operands, &result);
        if !self.chance(10) {
            self.values.push(result);
        }
    }

    /// Up to `most` cheap ops and views on a value.
    fn dress(&mut self, mut value: Tensor, most: usize) -> Tensor {
        for _ in 0..self.rng.usize(0..=most) {
            let result = self.tensor(value.rows, value.columns);
            let (from, to) = (value.ty(), result.ty());
            match self.rng.u8(0..5) {
                0 => self.line(format_args!(
                    "{} = \"stablehlo.convert\"({}) : ({from}) -> {to}",
                    result.name, value.name
                )),
                1 => self.line(format_args!(
                    "{} = \"stablehlo.reshape\"({}) : ({from}) -> {to}",
                    result.name, value.name
                )),
                2 => self.line(format_args!(
                    "{} = tensor.cast {} : {from} to {to}",
                    result.name, value.name
                )),
                3 => {
                    let constant = self.fresh();
                    self.line(format_args!("{constant} = arith.constant dense<2.0> : {from}"));
                    self.line(format_args!(
                        "{} = arith.mulf {}, {constant} : {from}",
                        result.name, value.name
                    ));
                }
                _ => {
                    let narrow = self.fresh();
                    let half = from.replace("f32", "bf16");
                    self.line(format_args!(
                        "{narrow} = arith.truncf {} : {from} to {half}",
                        value.name
                    ));
                    self.line(format_args!(
                        "{} = arith.extf {narrow} : {half} to {to}",
                        result.name
                    ));
                }
            }
            value = result;
        }
        value
    }

    fn groups(&mut self) -> (&'static str, usize, &'static str) {
        GROUPS[self.rng.usize(0..GROUPS.len())]
    }

    fn gather_of_shards(&mut self) {
        let count = if self.chance(6) { 2 } else { 1 };
        let shards = (0..count)
            .map(|_| {
                let shard = self.shards[self.rng.usize(0..self.shards.len())].clone();
                self.dress(shard, 2)
            })
            .collect();
        self.gather(shards);
    }

    fn gather(&mut self, operands: Vec<Tensor>) {
        let (groups, size, stream) = self.groups();
        let results: Vec<Tensor> = operands
            .iter()
            .map(|operand| self.tensor(operand.rows * size, operand.columns))
            .collect();
        let dressed = self.collective("all_gather", "dim 0", groups, stream, operands, results, true);
        for value in dressed {
            let value = self.dress(value, 2);
            self.values.push(value);
        }
    }

    fn reduction(&mut self) {
        let (groups, size, stream) = self.groups();
        let operand = self.value();
        let operand = self.dress(operand, 2);
        let kind = ["sum", "avg", "max"][self.rng.usize(0..3)];
        let scatters = operand.rows.is_multiple_of(size) && !self.chance(3);
        let results = if scatters {
            let result = self.tensor(operand.rows / size, operand.columns);
            self.collective(
                &format!("reduce_scatter {kind}"),
                "dim 0",
                groups,
                stream,
                vec![operand],
                vec![result],
                true,
            )
        } else {
            let result = self.tensor(operand.rows, operand.columns);
            self.collective(
                &format!("all_reduce {kind}"),
                "",
                groups,
                stream,
                vec![operand],
                vec![result],
                true,
            )
        };
        self.values.extend(results);
    }

    fn other(&mut self) {
        let operand = self.value();
        let operand = self.dress(operand, 1);
        let (groups, size, stream) = self.groups();
        let results = match self.rng.u8(0..3) {
            0 if operand.rows.is_multiple_of(size) => {
                let result = self.tensor(operand.rows / size, operand.columns * size);
                self.collective(
                    "all_to_all",
                    "split 0 concat 1",
                    groups,
                    stream,
                    vec![operand],
                    vec![result],
                    false,
                )
            }
            1 => {
                let result = self.tensor(operand.rows, operand.columns);
                self.collective(
                    "broadcast",
                    "root 0",
                    groups,
                    stream,
                    vec![operand],
                    vec![result],
                    false,
                )
            }
            _ => {
                let result = self.tensor(operand.rows, operand.columns);
                self.collective(
                    "permute",
                    "pairs [[0, 1], [1, 0]]",
                    "",
                    "01",
                    vec![operand],
                    vec![result],
                    false,
                )
            }
        };
        self.values.extend(results);
    }

    /// Prints a collective, blocking or started, with its wait now or later. What it yields where that is there now.
    #[expect(clippy::too_many_arguments, reason = "the parts of one line of text")]
    fn collective(
        &mut self,
        name: &str,
        parameters: &str,
        groups: &str,
        stream: &str,
        operands: Vec<Tensor>,
        results: Vec<Tensor>,
        regather: bool,
    ) -> Vec<Tensor> {
        let names: Vec<_> = operands.iter().map(|operand| operand.name.clone()).collect();
        let types: Vec<_> = operands.iter().map(Tensor::ty).collect();
        let yielded: Vec<_> = results.iter().map(Tensor::ty).collect();
        let over = if groups.is_empty() {
            String::new()
        } else {
            format!("over {groups}")
        };
        let regather = if regather && name == "all_gather" && self.chance(8) {
            ", regather"
        } else {
            ""
        };
        let head = format!(
            "comm.{name} {} {parameters} {over} {{test.stream = \"{stream}\"{regather}}} : {} ->",
            names.join(", "),
            types.join(", ")
        );
        if self.chance(4) {
            let names: Vec<_> = results.iter().map(|result| result.name.clone()).collect();
            self.line(format_args!(
                "{} = {head} {}",
                names.join(", "),
                yielded.join(", ")
            ));
            return results;
        }
        let future = self.fresh();
        self.line(format_args!(
            "{future} = {head} !comm.future<{}>",
            yielded.join(", ")
        ));
        let alive = !self.chance(8);
        let pending = Pending {
            future,
            kept: operands,
            results: results.clone(),
            alive,
        };
        if self.chance(2) {
            self.wait(pending);
            if alive {
                // The wait has added them; the caller dresses them.
                self.values.truncate(self.values.len() - results.len());
                return results;
            }
        } else {
            self.pending.push(pending);
        }
        Vec::new()
    }

    fn memory(&mut self) {
        let index = if self.chance(2) { "%zero" } else { "%one" };
        if self.shape.fences && self.chance(2) {
            self.line(format_args!(
                "memref.store %float, %memory[{index}] : memref<4xf32>"
            ));
        } else {
            let value = self.fresh();
            self.line(format_args!(
                "{value} = memref.load %memory[{index}] : memref<4xf32>"
            ));
            let result = self.tensor(12, 12);
            self.line(format_args!(
                "{} = tensor.splat {value} : {}",
                result.name,
                result.ty()
            ));
            self.values.push(result);
        }
    }

    fn fence(&mut self) {
        match self.rng.u8(0..3) {
            0 => self.line(format_args!("\"x.effect\"() : () -> ()")),
            1 => {
                let operand = self.value();
                let result = self.tensor(12, 12);
                self.line(format_args!(
                    "{} = \"x.effect\"({}) : ({}) -> {}",
                    result.name,
                    operand.name,
                    operand.ty(),
                    result.ty()
                ));
                self.values.push(result);
            }
            _ => {
                let operand = self.square();
                self.line(format_args!(
                    "func.call @callee({}) : ({}) -> ()",
                    operand.name,
                    operand.ty()
                ));
            }
        }
    }

    /// A loop or a branch that yields a value.
    fn region(&mut self) {
        let result = self.tensor(12, 12);
        let before = self.square();
        let outside = self.values.clone();
        let pending = std::mem::take(&mut self.pending);
        self.depth += 1;
        let steps = self.rng.usize(0..5);
        if self.chance(2) {
            let flag = self.flag();
            self.line(format_args!(
                "{} = scf.if {flag} -> ({}) {{",
                result.name,
                result.ty()
            ));
            self.arm(steps, &outside);
            self.line(format_args!("}} else {{"));
            let steps = self.rng.usize(0..3);
            self.arm(steps, &outside);
            // Devices may take different arms: a fence.
            self.line(format_args!(
                "}} {}",
                if flag == "%odd" { "{test.divergent}" } else { "" }
            ));
        } else {
            let (index, carried) = (self.fresh(), self.tensor(12, 12));
            let bound = if self.chance(2) { "%count" } else { "%one" };
            self.line(format_args!(
                "{} = scf.for {index} = %zero to {bound} step %one iter_args({} = {}) -> ({}) {{",
                result.name,
                carried.name,
                before.name,
                result.ty()
            ));
            let mut inside = outside.clone();
            inside.push(carried);
            self.arm(steps, &inside);
            self.line(format_args!("}}"));
        }
        self.depth -= 1;
        self.pending = pending;
        self.values = outside;
        self.values.push(result);
    }

    fn arm(&mut self, steps: usize, values: &[Tensor]) {
        self.values = values.to_vec();
        self.body(steps);
        let value = self.square();
        self.close(false);
        self.line(format_args!("scf.yield {} : {}", value.name, value.ty()));
    }
}

/// Names and types of operands, as in `keeping`.
fn typed(operands: &[Tensor]) -> String {
    if operands.is_empty() {
        return String::new();
    }
    let names: Vec<_> = operands.iter().map(|operand| operand.name.as_str()).collect();
    let types: Vec<_> = operands.iter().map(Tensor::ty).collect();
    format!("{} : {}", names.join(", "), types.join(", "))
}
