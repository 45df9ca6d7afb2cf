// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Writes programs in MLIR: `comm`, `linalg`, `tensor` and `scf` on tensors.

use std::fmt::Write;

use comm_runtime::Element;

use super::program::{
    Binary, Block, Collective, Condition, Exchange, Op, Program, Shaped, Statement, Trips, Value,
};

/// The module.
pub fn write(program: &Program) -> String {
    let mut writer = Writer {
        program,
        text: String::new(),
        started: Vec::new(),
        rounds: Vec::new(),
    };
    let [rows, columns] = program.mesh;
    writer.line(&format!("comm.mesh @mesh <[\"a\" = {rows}, \"b\" = {columns}]>"));
    let mut arguments: Vec<String> = program
        .body
        .arguments
        .iter()
        .map(|&value| format!("%v{value}: {}", writer.ty(value)))
        .collect();
    arguments.push("%rounds: index {comm.uniform}".to_owned());
    arguments.push("%flag: i1".to_owned());
    let (names, types) = (
        writer.names(&program.body.yields),
        writer.types(&program.body.yields),
    );
    writer.line(&format!(
        "func.func @main({}) -> ({types}) {{",
        arguments.join(", ")
    ));
    for index in 0..=4 {
        writer.line(&format!("  %c{index} = arith.constant {index} : index"));
    }
    writer.block(&program.body);
    writer.line(&format!("  return {names} : {types}"));
    writer.line("}");
    writer.text
}

/// Element type in MLIR's notation.
fn element(element: Element) -> &'static str {
    match element {
        Element::F64 => "f64",
        Element::F32 => "f32",
        Element::F16 => "f16",
        Element::Bf16 => "bf16",
        _ => "i32",
    }
}

fn tensor(shaped: &Shaped) -> String {
    let sizes: String = shaped.shape.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{sizes}{}>", element(shaped.element))
}

fn list(numbers: impl IntoIterator<Item = usize>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(", "))
}

struct Writer<'a> {
    program: &'a Program,
    text: String,
    /// Collectives in flight, by mark.
    started: Vec<(usize, &'a Statement)>,
    /// Names of the counters of the loops around.
    rounds: Vec<String>,
}

impl<'a> Writer<'a> {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("text can be written");
    }

    fn ty(&self, value: Value) -> String {
        tensor(self.program.shaped(value))
    }

    fn names(&self, values: &[Value]) -> String {
        let names: Vec<String> = values.iter().map(|value| format!("%v{value}")).collect();
        names.join(", ")
    }

    fn types(&self, values: &[Value]) -> String {
        let types: Vec<String> = values.iter().map(|&value| self.ty(value)).collect();
        types.join(", ")
    }

    fn block(&mut self, block: &'a Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        let mark = statement.mark;
        match &statement.op {
            Op::Collective(collective) => self.collective(collective, statement),
            Op::Wait(awaited) => self.wait(*awaited),
            Op::Loop { trips, initial, body } => {
                let end = match trips {
                    Trips::Constant(trips) => format!("%c{trips}"),
                    Trips::Argument => "%rounds".to_owned(),
                };
                let carried: Vec<String> = body
                    .arguments
                    .iter()
                    .zip(initial)
                    .map(|(argument, value)| format!("%v{argument} = %v{value}"))
                    .collect();
                let types = self.types(&statement.results);
                self.line(&format!(
                    "  {} = scf.for %i{mark} = %c0 to {end} step %c1 iter_args({}) -> ({types}) {{",
                    self.names(&statement.results),
                    carried.join(", ")
                ));
                self.rounds.push(format!("%i{mark}"));
                self.block(body);
                self.rounds.pop();
                self.line(&format!("  scf.yield {} : {types}", self.names(&body.yields)));
                self.line("  }");
            }
            Op::Branch { condition, arms } => {
                let condition = match (condition, self.rounds.last().cloned()) {
                    (Condition::EvenRound, Some(round)) => {
                        self.line(&format!("  %r{mark} = arith.remui {round}, %c2 : index"));
                        self.line(&format!("  %q{mark} = arith.cmpi eq, %r{mark}, %c0 : index"));
                        format!("%q{mark}")
                    }
                    _ => "%flag".to_owned(),
                };
                let (names, types) = (self.names(&statement.results), self.types(&statement.results));
                self.line(&format!("  {names} = scf.if {condition} -> ({types}) {{"));
                for (position, arm) in arms.iter().enumerate() {
                    if position == 1 {
                        self.line("  } else {");
                    }
                    self.block(arm);
                    self.line(&format!("  scf.yield {} : {types}", self.names(&arm.yields)));
                }
                self.line("  }");
            }
            op => self.local(op, statement.results[0], mark),
        }
    }

    fn collective(&mut self, collective: &Collective, statement: &'a Statement) {
        let groups = &self.program.groups[collective.groups].text;
        let inputs = self.names(&collective.inputs);
        let dims = |dims: &[usize]| match dims {
            [dim] => format!("dim {dim}"),
            dims => format!("dim {}", list(dims.iter().copied())),
        };
        let operands = match &collective.exchange {
            Exchange::AllGather(along) => format!("{inputs} {} over {groups}", dims(along)),
            Exchange::ReduceScatter(kind, along) => {
                format!("{kind} {inputs} {} over {groups}", dims(along))
            }
            Exchange::AllReduce(kind) => format!("{kind} {inputs} over {groups}"),
            Exchange::AllToAll { split, concat } => {
                format!("{inputs} split {split} concat {concat} over {groups}")
            }
            Exchange::Permute(pairs) => {
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|&(source, target)| list([source, target]))
                    .collect();
                format!("{inputs} pairs [{}]", pairs.join(", "))
            }
            Exchange::Broadcast(root) => format!("{inputs} root {root} over {groups}"),
        };
        let issued = format!("{} {operands}", collective.exchange.name());
        let (from, to) = (self.types(&collective.inputs), self.types(&statement.results));
        if collective.is_started {
            let mark = statement.mark;
            self.line(&format!(
                "  %f{mark} = comm.{issued} : {from} -> !comm.future<{to}>"
            ));
            self.started.push((mark, statement));
        } else {
            let names = self.names(&statement.results);
            self.line(&format!("  {names} = comm.{issued} : {from} -> {to}"));
        }
    }

    fn wait(&mut self, mark: usize) {
        let position = self.started.iter().position(|(other, _)| *other == mark);
        let (_, start) = self.started.remove(position.expect("it was started"));
        let Op::Collective(collective) = &start.op else {
            unreachable!("only collectives are started")
        };
        self.line(&format!(
            "  {} = comm.wait %f{mark} keeping({} : {}) : !comm.future<{}>",
            self.names(&start.results),
            self.names(&collective.inputs),
            self.types(&collective.inputs),
            self.types(&start.results)
        ));
    }

    /// An elementwise op over a body whose operands are `%x` and `%y`, and whose last line yields `%r`.
    fn elementwise(
        &mut self,
        result: Value,
        inputs: &[Value],
        target: &str,
        target_name: &str,
        body: &[String],
    ) {
        let shaped = self.program.shaped(result);
        let dims: Vec<String> = (0..shaped.shape.len()).map(|dim| format!("d{dim}")).collect();
        let map = format!("affine_map<({0}) -> ({0})>", dims.join(", "));
        let maps = vec![map; inputs.len() + 1].join(", ");
        let kinds = vec!["\"parallel\""; dims.len()].join(", ");
        let arguments: Vec<String> = inputs
            .iter()
            .zip(["%x", "%y"])
            .map(|(&input, name)| format!("{name}: {}", element(self.program.shaped(input).element)))
            .collect();
        let ty = self.ty(result);
        let ins = match inputs {
            [] => String::new(),
            inputs => format!("ins({} : {}) ", self.names(inputs), self.types(inputs)),
        };
        let made = element(shaped.element);
        self.line(&format!(
            "  %v{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {ins}outs({target} : {ty}) {{"
        ));
        let separator = if arguments.is_empty() { "" } else { ", " };
        self.line(&format!(
            "  ^bb0({}{separator}{target_name}: {made}):",
            arguments.join(", ")
        ));
        for line in body {
            self.line(&format!("    {line}"));
        }
        self.line(&format!("    linalg.yield %r : {made}\n  }} -> {ty}"));
    }

    /// A new tensor for a result; its name.
    fn empty(&mut self, result: Value) -> String {
        let ty = self.ty(result);
        self.line(&format!("  %e{result} = tensor.empty() : {ty}"));
        format!("%e{result}")
    }

    /// A new tensor of zeros for a result; its name.
    fn zeros(&mut self, result: Value) -> String {
        let shaped = self.program.shaped(result);
        let (number, ty) = (element(shaped.element), self.ty(result));
        let zero = if shaped.element.is_float() { "0.0" } else { "0" };
        let empty = self.empty(result);
        self.line(&format!("  %n{result} = arith.constant {zero} : {number}"));
        self.line(&format!(
            "  %z{result} = linalg.fill ins(%n{result} : {number}) outs({empty} : {ty}) -> {ty}"
        ));
        format!("%z{result}")
    }

    fn local(&mut self, op: &Op, result: Value, mark: usize) {
        let shaped = self.program.shaped(result);
        let (is_float, number, ty) = (shaped.element.is_float(), element(shaped.element), tensor(shaped));
        match op {
            Op::Binary {
                function,
                operands: [left, right],
                in_place,
            } => {
                let name = match (function, is_float) {
                    (Binary::Add, true) => "addf",
                    (Binary::Sub, true) => "subf",
                    (Binary::Mul, true) => "mulf",
                    (Binary::Min, true) => "minimumf",
                    (Binary::Max, true) => "maximumf",
                    (Binary::Add, false) => "addi",
                    (Binary::Sub, false) => "subi",
                    (Binary::Mul, false) => "muli",
                    (Binary::Min, false) => "minsi",
                    (Binary::Max, false) => "maxsi",
                };
                let body = [format!("%r = arith.{name} %x, %y : {number}")];
                if *in_place {
                    self.elementwise(result, &[*left], &format!("%v{right}"), "%y", &body);
                } else {
                    let empty = self.empty(result);
                    self.elementwise(result, &[*left, *right], &empty, "%o", &body);
                }
            }
            Op::Scale(from, factor) => {
                let body = if is_float {
                    [
                        format!("%k = arith.constant {factor}.0 : {number}"),
                        format!("%r = arith.mulf %x, %k : {number}"),
                    ]
                } else {
                    [
                        format!("%k = arith.constant {factor} : {number}"),
                        format!("%r = arith.muli %x, %k : {number}"),
                    ]
                };
                let empty = self.empty(result);
                self.elementwise(result, &[*from], &empty, "%o", &body);
            }
            Op::Wrap(from) => {
                let body: Vec<String> = if is_float {
                    vec![
                        format!("%k = arith.constant 0.25 : {number}"),
                        format!("%m = arith.constant 4.0 : {number}"),
                        format!("%a = arith.mulf %x, %k : {number}"),
                        format!("%b = math.floor %a : {number}"),
                        format!("%c = arith.mulf %b, %m : {number}"),
                        format!("%r = arith.subf %x, %c : {number}"),
                    ]
                } else {
                    vec![
                        format!("%k = arith.constant 3 : {number}"),
                        format!("%r = arith.andi %x, %k : {number}"),
                    ]
                };
                let empty = self.empty(result);
                self.elementwise(result, &[*from], &empty, "%o", &body);
            }
            Op::Convert(from) => {
                let source = self.program.shaped(*from).element;
                let name = match (source.is_float(), is_float) {
                    (true, false) => "fptosi",
                    (false, true) => "sitofp",
                    _ if source.bytes() < shaped.element.bytes() => "extf",
                    _ => "truncf",
                };
                let body = [format!("%r = arith.{name} %x : {} to {number}", element(source))];
                let empty = self.empty(result);
                self.elementwise(result, &[*from], &empty, "%o", &body);
            }
            Op::Transpose(from, order) => {
                let empty = self.empty(result);
                self.line(&format!(
                    "  %v{result} = linalg.transpose ins(%v{from} : {}) outs({empty} : {ty}) permutation = {}",
                    self.ty(*from),
                    list(order.iter().copied())
                ));
            }
            Op::Product { factors, onto } => {
                let target = match onto {
                    Some(value) => format!("%v{value}"),
                    None => self.zeros(result),
                };
                let name = if shaped.shape.len() == 3 {
                    "batch_matmul"
                } else {
                    "matmul"
                };
                self.line(&format!(
                    "  %v{result} = linalg.{name} ins({} : {}) outs({target} : {ty}) -> {ty}",
                    self.names(factors),
                    self.types(factors)
                ));
            }
            Op::Sum(from, dim) => {
                let zeros = self.zeros(result);
                let add = if is_float { "addf" } else { "addi" };
                self.line(&format!(
                    "  %v{result} = linalg.reduce {{ arith.{add} }} ins(%v{from} : {}) outs({zeros} : {ty}) dimensions = [{dim}]",
                    self.ty(*from)
                ));
            }
            Op::Slice { from, dim, offset } => {
                let place = self.place(result, *dim, &offset.to_string());
                self.line(&format!(
                    "  %v{result} = tensor.extract_slice %v{from}{place} : {} to {ty}",
                    self.ty(*from)
                ));
            }
            Op::Insert {
                part,
                into,
                dim,
                offset,
            } => {
                let place = self.place(*part, *dim, &offset.to_string());
                self.line(&format!(
                    "  %v{result} = tensor.insert_slice %v{part} into %v{into}{place} : {} into {ty}",
                    self.ty(*part)
                ));
            }
            Op::Shard { from, dim, groups } => {
                let groups = &self.program.groups[*groups].text;
                self.line(&format!("  %p{mark} = comm.rank over {groups} : index"));
                self.line(&format!(
                    "  %s{mark} = arith.constant {} : index",
                    shaped.shape[*dim]
                ));
                self.line(&format!("  %o{mark} = arith.muli %p{mark}, %s{mark} : index"));
                let place = self.place(result, *dim, &format!("%o{mark}"));
                self.line(&format!(
                    "  %v{result} = tensor.extract_slice %v{from}{place} : {} to {ty}",
                    self.ty(*from)
                ));
            }
            Op::Collective(_) | Op::Wait(_) | Op::Loop { .. } | Op::Branch { .. } => {
                unreachable!("not an op of one rank")
            }
        }
    }

    /// Offsets, sizes and strides of a part at an offset along one dimension.
    fn place(&self, part: Value, dim: usize, offset: &str) -> String {
        let shape = &self.program.shaped(part).shape;
        let offsets: Vec<&str> = (0..shape.len())
            .map(|at| if at == dim { offset } else { "0" })
            .collect();
        format!(
            "[{}] {} {}",
            offsets.join(", "),
            list(shape.iter().copied()),
            list(vec![1; shape.len()])
        )
    }
}
