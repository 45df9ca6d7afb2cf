// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Executes a function as one rank: numbers as far as they are known, memrefs as views of buffers, and the steps that it
//! issues.
//!
//! Ordinary ops run on the stream `current`, those in a launch on the launch's stream. The run-time realises `current` by the
//! thread of the rank, so its steps block what is issued after them; that adds ways to wait for ever, but no order.

use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

use rustc_hash::FxHashMap;

use comm_happens::{Access, AccessKind, Action, Buffer, Event, Rank, Region, Stream};

use super::{
    super::verify_order::evaluate::wrap,
    affine,
    instruction::{Instruction, MapUse, Number},
    layout,
    view::{Tile, View},
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

    /// Accesses of a memref; fails where nobody knows of which buffer it is.
    pub(super) fn access(&self, op: Op, memref: Value, kind: AccessKind) -> PassResult<Vec<Access>> {
        match self.values.get(&memref) {
            Some(Known::Views(views)) => Ok(views
                .iter()
                .map(|view| Access {
                    buffer: view.buffer,
                    region: view.region(),
                    kind,
                })
                .collect()),
            _ => Err(not_proved(
                op,
                &format!(
                    "nobody knows of which buffer its memref of type {} is",
                    memref.ty().to_text()
                ),
            )),
        }
    }

    /// A new buffer that an op makes, written where the op runs.
    fn allocate(&mut self, op: Op, result: Value) -> Buffer {
        let earlier = self.made_in_rounds.as_ref().and_then(|made| made.get(&op));
        let buffer = earlier.copied().unwrap_or_else(|| {
            let name = format!("a buffer of rank {}", self.rank);
            self.world.buffer(name, op)
        });
        if let Some(made) = &mut self.made_in_rounds {
            made.insert(op, buffer);
        }
        self.reachable.insert(buffer);
        self.set(result, Known::view(layout::view_of(result.ty(), buffer)));
        self.work(op, vec![Access::write(buffer, Region::everything())]);
        buffer
    }

    /// The end of a buffer; where it is not known whether it ends, or which of several does, it is written.
    fn free(&mut self, op: Op, memref: Value) -> PassResult {
        let Known::Views(views) = self.get(memref) else {
            return Err(not_proved(op, "nobody knows which buffer it frees"));
        };
        let buffers: BTreeSet<Buffer> = views.iter().map(|view| view.buffer).collect();
        let is_known = buffers.len() == 1 && buffers.first() > self.not_known_since.as_ref();
        let accesses = buffers.into_iter().map(|buffer| {
            if is_known {
                self.reachable.remove(&buffer);
                if let Some(made) = &mut self.made_in_rounds {
                    made.retain(|_, other| *other != buffer);
                }
                Access::free(buffer)
            } else {
                Access::write(buffer, Region::everything())
            }
        });
        let accesses = accesses.collect();
        self.work(op, accesses);
        Ok(())
    }

    /// Executes a round that stands for any number of them.
    pub(super) fn any_round<T>(&mut self, body: impl FnOnce(&mut Self) -> PassResult<T>) -> PassResult<T> {
        let is_outermost = self.made_in_rounds.is_none();
        self.made_in_rounds.get_or_insert_default();
        let result = self.perhaps(body);
        if is_outermost {
            self.made_in_rounds = None;
        }
        result
    }

    /// Executes what may not run.
    pub(super) fn perhaps<T>(&mut self, body: impl FnOnce(&mut Self) -> PassResult<T>) -> PassResult<T> {
        let newest = self.reachable.last().copied();
        let outer = std::mem::replace(&mut self.not_known_since, newest);
        let result = body(self);
        self.not_known_since = outer;
        result
    }

    /// A step that may touch whatever the rank can reach.
    pub(super) fn touch_everything(&mut self, op: Op) -> PassResult {
        let parts = self
            .not_freed
            .iter()
            .flat_map(|&number| self.world.symmetric[number].parts.iter().copied());
        let buffers: Vec<Buffer> = self.reachable.iter().copied().chain(parts).collect();
        self.world.spend(op, buffers.len())?;
        let accesses = buffers
            .into_iter()
            .map(|buffer| Access::write(buffer, Region::everything()));
        self.work(op, accesses.collect());
        for result in op.results().filter(|result| result.ty().is_buffer()) {
            self.set(result, Known::Nothing);
        }
        Ok(())
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

    /// A number that an op computes.
    fn evaluate(&self, op: Op, instruction: &Instruction) -> Option<i64> {
        let operands = || op.operands().map(|operand| self.number(operand));
        match instruction {
            Instruction::Constant(value) => *value,
            Instruction::Rank(groups) => {
                let rank = i64::from(self.rank);
                let group = groups.0.iter().find(|group| group.contains(&rank))?;
                i64::try_from(group.iter().position(|&member| member == rank)?).ok()
            }
            Instruction::Arithmetic(operation, source) => {
                let values: Option<Vec<i64>> = operands().collect();
                let result = operation.apply(&values?, *source)?;
                Some(wrap(result, op.result(0).ty().integer_width()?))
            }
            Instruction::Map(map, how) => {
                let results = affine::apply(*map, &operands().collect::<Vec<_>>())?;
                let results: Option<Vec<i64>> = results.into_iter().collect();
                match how {
                    MapUse::Apply => results?.first().copied(),
                    MapUse::Min => results?.into_iter().min(),
                    MapUse::Max => results?.into_iter().max(),
                }
            }
            Instruction::Dim => {
                let dim = usize::try_from(self.number(op.operand(1))?).ok()?;
                let Known::Views(views) = self.get(op.operand(0)) else {
                    return None;
                };
                let size = views.first()?.dims.get(dim)?.size?;
                let same = views
                    .iter()
                    .all(|view| view.dims.get(dim).is_some_and(|other| other.size == Some(size)));
                same.then_some(size)
            }
            _ => None,
        }
    }

    /// A view of a view.
    fn derive(&self, op: Op, instruction: &Instruction, source: &View) -> View {
        let ty = op.result(0).ty();
        match instruction {
            Instruction::Subview {
                offsets,
                sizes,
                strides,
            } => {
                let tile = Tile {
                    offsets: self.read_all(op, offsets),
                    sizes: self.read_all(op, sizes),
                    strides: self.read_all(op, strides),
                };
                source.subview(&tile, &kept_dimensions(sizes, &ty.dims().unwrap_or_default()))
            }
            Instruction::Reinterpret {
                offset,
                sizes,
                strides,
            } => View::new(
                source.buffer,
                source.element,
                self.read(op, *offset),
                &self.read_all(op, sizes),
                &self.read_all(op, strides),
            ),
            Instruction::Bytes => {
                let shift = self.number(op.operand(1));
                let offset = source
                    .offset
                    .zip(shift)
                    .and_then(|(offset, shift)| offset.checked_add(shift));
                let mut dynamic = op.operands().skip(2).map(|size| self.number(size));
                let dims = ty.dims().unwrap_or_default().into_iter();
                let sizes: Vec<Option<i64>> = dims
                    .map(|size| size.or_else(|| dynamic.next().flatten()))
                    .collect();
                View::contiguous(source.buffer, layout::element_bytes(ty), offset, &sizes)
            }
            Instruction::Collapse(groups) => source.collapse(groups),
            Instruction::Expand(groups, sizes) => source.expand(groups, &self.read_all(op, sizes)),
            Instruction::Transpose(order) => source.transpose(order),
            _ => source.clone(),
        }
    }

    /// `memref.extract_strided_metadata`: the base buffer, offset, sizes, strides.
    fn metadata(&mut self, op: Op) {
        let Known::Views(views) = self.get(op.operand(0)) else {
            self.bind(op.results(), &[]);
            return;
        };
        let described = views.iter().map(|view| {
            let in_elements =
                |bytes: Option<i64>| Known::number(bytes.and_then(|bytes| bytes.checked_div(view.element?)));
            let base = View {
                offset: Some(0),
                dims: Vec::new(),
                ..view.clone()
            };
            let numbers = std::iter::once(in_elements(view.offset))
                .chain(view.dims.iter().map(|dim| Known::number(dim.size)))
                .chain(view.dims.iter().map(|dim| in_elements(dim.stride)));
            std::iter::once(Known::view(base)).chain(numbers).collect()
        });
        let joined = described.reduce(|some: Vec<Known>, more| {
            some.iter()
                .zip(&more)
                .map(|(one, other)| one.join(other))
                .collect()
        });
        self.bind(op.results(), &joined.unwrap_or_default());
    }
}

/// Dimensions of a subview that its type keeps: dropped ones have size 1, and of several such it does not matter which.
fn kept_dimensions(sizes: &[Number], kept: &[Option<i64>]) -> Vec<usize> {
    let mut droppable = sizes.len().saturating_sub(kept.len());
    let mut result = Vec::with_capacity(kept.len());
    for (dim, size) in sizes.iter().enumerate() {
        let fixed = match size {
            Number::Constant(size) => Some(*size),
            Number::Operand(_) => None,
        };
        let is_wanted = kept.get(result.len()) == Some(&fixed);
        if droppable > 0 && fixed == Some(1) && !is_wanted {
            droppable -= 1;
        } else {
            result.push(dim);
        }
    }
    // A wanted 1 may have been kept too early; the rest of the droppable ones is at the end then.
    while result.len() > kept.len() {
        let unit = result
            .iter()
            .rposition(|&dim| matches!(sizes[dim], Number::Constant(1)));
        result.remove(unit.unwrap_or(result.len() - 1));
    }
    result
}
