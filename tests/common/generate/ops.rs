// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random ops that do not communicate themselves: computation, views and cheap ops, memory, fences, and regions.

use super::{Generator, Tensor};

impl Generator<'_> {
    pub(super) fn opaque(&mut self, operands: &[Tensor], result: &Tensor) {
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

    pub(super) fn compute(&mut self) {
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
    pub(super) fn dress(&mut self, mut value: Tensor, most: usize) -> Tensor {
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

    pub(super) fn memory(&mut self) {
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

    pub(super) fn fence(&mut self) {
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
    pub(super) fn region(&mut self) {
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
