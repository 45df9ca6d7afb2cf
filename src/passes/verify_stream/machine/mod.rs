// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Executes a function as one rank: numbers as far as they are known, memrefs as views of buffers, and the steps that it
//! issues.
//!
//! Ordinary ops run on the stream `current`, those in a launch on the launch's stream. The run-time realises `current` by the
//! thread of the rank, so its steps block what is issued after them; that adds ways to wait for ever, but no order.

mod memory;
mod values;

use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

use rustc_hash::FxHashMap;

use comm_happens::{Access, AccessKind, Action, Buffer, Event, Rank, Stream};

use super::{
    instruction::{Instruction, Number},
    layout,
    view::View,
    world::{Planned, Role, World, not_proved},
};
use crate::{
    control::Control,
    ffi::effect,
    mlir::{Op, PassResult, Value},
};

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    Nothing,
    Number(i64),
    /// One of these views; at least one.
    Views(Rc<[View]>),
    Stream(Stream),
    Event(Event),
    /// Number of a symmetric buffer in the world.
    Symmetric(usize),
}

impl Known {
    fn number(number: Option<i64>) -> Self {
        number.map_or(Self::Nothing, Self::Number)
    }

    pub(super) fn view(view: View) -> Self {
        Self::Views(Rc::from([view]))
    }

    /// What is known of a value that is one of two.
    pub(super) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            _ if self == other => self.clone(),
            (Self::Views(some), Self::Views(more)) => {
                let new = more.iter().filter(|view| !some.contains(view));
                Self::Views(some.iter().chain(new).cloned().collect())
            }
            _ => Self::Nothing,
        }
    }
}

/// Calls and regions nested deeper than this are not followed.
const DEPTH: usize = 64;

/// See the [module](self) documentation.
pub(super) struct Machine<'w, 'p> {
    pub(super) world: &'w mut World<'p>,
    pub(super) rank: Rank,
    values: FxHashMap<Value, Known>,
    pub(super) steps: Vec<Planned>,
    pub(super) current: Stream,
    /// Where ordinary ops run.
    pub(super) stream: Stream,
    /// Buffers that ops nobody knows may touch.
    pub(super) reachable: BTreeSet<Buffer>,
    globals: HashMap<String, Buffer>,
    /// Buffers that callers and others may have used before the function, and may use after it.
    pub(super) shared: Vec<Buffer>,
    /// Buffers that end with the functions that are being executed, innermost last.
    pub(super) stack_buffers: Vec<Vec<Buffer>>,
    pub(super) allocated: HashMap<Rc<[i64]>, usize>,
    pub(super) not_freed: BTreeSet<usize>,
    pub(super) last_free: Option<usize>,
    /// Where it is not known whether ops run: the newest buffer that was there before, at most.
    pub(super) not_known_since: Option<Buffer>,
    /// Where one round stands for many: buffers that are alive, by the op that makes them. The next round has the same.
    pub(super) made_in_rounds: Option<HashMap<Op, Buffer>>,
    pub(super) depth: usize,
    pub(super) level: (u32, u32),
    pub(super) loops: Vec<super::induction::Window>,
}

impl<'w, 'p> Machine<'w, 'p> {
    pub(super) fn new(world: &'w mut World<'p>, rank: Rank) -> Self {
        let current = world.trace.stream(rank, "current");
        let mut machine = Self {
            world,
            rank,
            values: FxHashMap::default(),
            steps: Vec::new(),
            current,
            stream: current,
            reachable: BTreeSet::new(),
            globals: HashMap::new(),
            shared: Vec::new(),
            stack_buffers: Vec::new(),
            allocated: HashMap::new(),
            not_freed: BTreeSet::new(),
            last_free: None,
            not_known_since: None,
            made_in_rounds: None,
            depth: 0,
            level: (0, 0),
            loops: Vec::new(),
        };
        let module = machine.world.program.module;
        for op in module
            .walk()
            .into_iter()
            .filter(|op| op.name() == "memref.global")
        {
            let Some(name) = op.symbol_name() else { continue };
            let buffer = machine.world.buffer(format!("'@{name}' of rank {rank}"), op);
            if op.attr("constant").is_none() {
                machine.shared.push(buffer);
                machine.reachable.insert(buffer);
            }
            machine.globals.insert(name, buffer);
        }
        machine
    }

    /// Executes a function that nobody calls, from begin to end.
    pub(super) fn run(&mut self, function: Op) -> PassResult {
        let Some(body) = function.region(0).next() else {
            return Ok(());
        };
        let arguments: Vec<Known> = body
            .arguments()
            .map(|argument| {
                let ty = argument.ty();
                if !ty.is_buffer() {
                    return Known::Nothing;
                }
                let name = format!("argument #{} of rank {}", argument.index(), self.rank);
                let buffer = self.world.buffer(name, function);
                self.shared.push(buffer);
                self.reachable.insert(buffer);
                Known::view(layout::view_of(ty, buffer))
            })
            .collect();
        let results = self.call(function, function, arguments)?;
        let end = body.terminator().unwrap_or(function);
        let mut after: Vec<Access> = self.shared.iter().copied().map(Access::foreign).collect();
        let returned: BTreeSet<Buffer> = results
            .iter()
            .filter_map(|result| match result {
                Known::Views(views) => Some(views.iter().map(|view| view.buffer)),
                _ => None,
            })
            .flatten()
            .collect();
        // The caller may write and free what it gets.
        after.extend(
            returned
                .into_iter()
                .filter(|buffer| !self.shared.contains(buffer))
                .map(Access::foreign),
        );
        for number in self.not_freed.clone() {
            after.extend(self.own_part(number).map(Access::free));
        }
        let tag = self.world.tag(end, Role::After);
        self.plan(self.current, Action::Work, after, tag);
        Ok(())
    }

    /// This rank's part of a symmetric buffer.
    pub(super) fn own_part(&self, number: usize) -> Option<Buffer> {
        let symmetric = &self.world.symmetric[number];
        let position = symmetric
            .members
            .iter()
            .position(|&rank| rank == i64::from(self.rank))?;
        symmetric.parts.get(position).copied()
    }

    /// Appends a step to what the rank issues.
    pub(super) fn plan(&mut self, stream: Stream, action: Action, accesses: Vec<Access>, tag: u32) {
        self.steps.push(Planned {
            stream,
            action,
            accesses,
            blocks_issue: stream == self.current,
            tag,
            level: self.level,
        });
    }

    /// A step of an op on the stream where ordinary ops run.
    pub(super) fn work(&mut self, op: Op, accesses: Vec<Access>) {
        if !accesses.is_empty() {
            let tag = self.world.tag(op, Role::Op);
            self.plan(self.stream, Action::Work, accesses, tag);
        }
    }

    pub(super) fn nested<T>(
        &mut self,
        op: Op,
        body: impl FnOnce(&mut Self) -> PassResult<T>,
    ) -> PassResult<T> {
        if self.depth == DEPTH {
            return Err(not_proved(
                op,
                &format!("it is nested in {DEPTH} calls and regions"),
            ));
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    pub(super) fn get(&self, value: Value) -> Known {
        self.values.get(&value).cloned().unwrap_or(Known::Nothing)
    }

    pub(super) fn set(&mut self, value: Value, known: Known) {
        self.values.insert(value, known);
    }

    pub(super) fn number(&self, value: Value) -> Option<i64> {
        match self.values.get(&value) {
            Some(Known::Number(number)) => Some(*number),
            _ => None,
        }
    }

    fn read(&self, op: Op, number: Number) -> Option<i64> {
        match number {
            Number::Constant(number) => Some(number),
            Number::Operand(index) => self.number(op.operand(index)),
        }
    }

    fn read_all(&self, op: Op, numbers: &[Number]) -> Vec<Option<i64>> {
        numbers.iter().map(|&number| self.read(op, number)).collect()
    }

    /// Executes one op.
    pub(super) fn execute(&mut self, op: Op) -> PassResult {
        self.world.spend(op, 1)?;
        let instruction = self.world.instruction(op)?;
        match &*instruction {
            Instruction::Nothing => {
                for result in op.results() {
                    self.values.remove(&result);
                }
                Ok(())
            }
            Instruction::Refused(reason) => Err(not_proved(op, &format!("it {reason}"))),
            Instruction::Call(callee) => self.execute_call(op, *callee),
            Instruction::Control(control) => self.nested(op, |machine| machine.control(op, control)),
            Instruction::Alloc => {
                self.allocate(op, op.result(0));
                Ok(())
            }
            Instruction::Alloca => {
                let buffer = self.allocate(op, op.result(0));
                self.stack_buffers
                    .last_mut()
                    .into_iter()
                    .for_each(|all| all.push(buffer));
                Ok(())
            }
            Instruction::Dealloc => self.free(op, op.operand(0)),
            Instruction::Effects(effects) => self.effects(op, effects),
            Instruction::EffectsAround(effects) => {
                self.nested(op, |machine| machine.control(op, &Control::Unordered))?;
                self.effects(op, effects)
            }
            Instruction::Everything => self.touch_everything(op),
            Instruction::Constant(_)
            | Instruction::Rank(_)
            | Instruction::Arithmetic(..)
            | Instruction::Map(..)
            | Instruction::Dim => {
                let number = self.evaluate(op, &instruction);
                self.set(op.result(0), Known::number(number));
                Ok(())
            }
            Instruction::Select => {
                let (yes, no) = (self.get(op.operand(1)), self.get(op.operand(2)));
                let chosen = match self.number(op.operand(0)) {
                    Some(0) => no,
                    Some(_) => yes,
                    None => yes.join(&no),
                };
                self.set(op.result(0), chosen);
                Ok(())
            }
            Instruction::Same => {
                for (result, operand) in op.results().zip(op.operands()) {
                    let known = self.get(operand);
                    self.set(result, known);
                }
                Ok(())
            }
            Instruction::Metadata => {
                self.metadata(op);
                Ok(())
            }
            Instruction::Global(name) => {
                let view = self
                    .globals
                    .get(name)
                    .map(|&buffer| layout::view_of(op.result(0).ty(), buffer));
                self.set(op.result(0), view.map_or(Known::Nothing, Known::view));
                Ok(())
            }
            Instruction::Subview { .. }
            | Instruction::Reinterpret { .. }
            | Instruction::Bytes
            | Instruction::Collapse(_)
            | Instruction::Expand(..)
            | Instruction::Transpose(_) => {
                let known = match self.get(op.operand(0)) {
                    Known::Views(views) => Known::Views(
                        views
                            .iter()
                            .map(|view| self.derive(op, &instruction, view))
                            .collect(),
                    ),
                    _ => Known::Nothing,
                };
                self.set(op.result(0), known);
                Ok(())
            }
            issued => self.issue(op, issued),
        }
    }

    fn effects(&mut self, op: Op, effects: &[(u32, Value)]) -> PassResult {
        let mut accesses: Vec<Access> = Vec::new();
        for &(bit, value) in effects {
            match bit {
                effect::READ => accesses.extend(self.access(op, value, AccessKind::Read)?),
                effect::WRITE => accesses.extend(self.access(op, value, AccessKind::Write)?),
                effect::ALLOCATE => {
                    self.allocate(op, value);
                }
                _ => self.free(op, value)?,
            }
        }
        accesses.dedup();
        self.work(op, accesses);
        Ok(())
    }
}
