// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What an op is to the verifier, read off it once, however often it is executed.
//!
//! An op that is not known by name is what it says of its effects.

use std::rc::Rc;

use super::super::verify_order::evaluate::Operation;
use crate::{
    collective::kind_of_name,
    control::Control,
    ffi::effect,
    groups::Groups,
    mlir::{Attr, Block, Op, PassResult, Value},
    op_facts,
};

/// One entry of an attribute that holds numbers and, for those that are no constants, the number of an operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Constant(i64),
    Operand(usize),
}

/// What affine maps are used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MapUse {
    Apply,
    Min,
    Max,
}

/// See the [module](self) documentation.
#[derive(Debug)]
pub(super) enum Instruction {
    /// Nothing that matters here; results are not known.
    Nothing,
    // Streams, events, symmetric memory, order between devices, work, collectives: as the ops of these names.
    Current,
    Stream(String),
    Record,
    WaitEvent,
    SymmetricAlloc(Rc<Groups>),
    SymmetricFree,
    Local,
    Peer,
    Barrier(Rc<Groups>, i64),
    PutSignal(i64),
    WaitSignal(i64),
    Copy,
    Launch,
    /// Groups and what is equal for collectives that go together.
    Collective(Rc<Groups>, String),
    // Numbers.
    Constant(Option<i64>),
    Rank(Rc<Groups>),
    Arithmetic(Operation, u32),
    Select,
    Map(Attr, MapUse),
    Dim,
    // Buffers.
    Subview {
        offsets: Vec<Number>,
        sizes: Vec<Number>,
        strides: Vec<Number>,
    },
    Reinterpret {
        offset: Number,
        sizes: Vec<Number>,
        strides: Vec<Number>,
    },
    /// `memref.view`: a byte offset, then the dynamic sizes.
    Bytes,
    Collapse(Vec<Vec<usize>>),
    Expand(Vec<Vec<usize>>, Vec<Number>),
    Transpose(Vec<usize>),
    /// Other names of the same view.
    Same,
    Metadata,
    Global(String),
    Alloc,
    /// Ends with the function.
    Alloca,
    Dealloc,
    // Control.
    Call(Option<Op>),
    Control(Control),
    /// Reads, writes, allocates and frees values: bits of [`effect`], and the operands or results that they are on.
    Effects(Vec<(u32, Value)>),
    /// The same, of an op in whose regions there are effects too: a load in the body of `linalg.generic`.
    EffectsAround(Vec<(u32, Value)>),
    /// May touch whatever there is.
    Everything,
    /// Not for this pass, for this reason.
    Refused(&'static str),
}

impl Instruction {
    /// Reads an op. Fails, after an error at the op, where its groups cannot be resolved.
    pub(super) fn of(op: Op, callee: Option<Op>) -> PassResult<Self> {
        let name = op.name();
        if let Some(stream) = name.strip_prefix("comm_stream.") {
            return Self::of_stream(op, stream);
        }
        if let Some(comm) = name.strip_prefix("comm.") {
            return Ok(match comm {
                "rank" => Self::Rank(Rc::new(Groups::of(op)?)),
                "mesh" => Self::Nothing,
                _ => Self::Refused("is expected to be lowered by convert-comm-to-stream before"),
            });
        }
        Ok(Self::of_upstream(op, callee).unwrap_or(Self::Refused("has not the form that is expected of it")))
    }

    fn of_stream(op: Op, name: &str) -> PassResult<Self> {
        let channel = || op.attr("channel").and_then(Attr::as_i64).unwrap_or_default();
        Ok(match name {
            "current" => Self::Current,
            "stream" => {
                let name = op.attr("name").and_then(Attr::as_str).unwrap_or_default();
                Self::Stream(name.to_owned())
            }
            "record" => Self::Record,
            "wait_event" => Self::WaitEvent,
            "symmetric_alloc" => Self::SymmetricAlloc(Rc::new(Groups::of(op)?)),
            "symmetric_free" => Self::SymmetricFree,
            "local" => Self::Local,
            "peer" => Self::Peer,
            "barrier" => Self::Barrier(Rc::new(Groups::of(op)?), channel()),
            "put_signal" => Self::PutSignal(channel()),
            "wait_signal" => Self::WaitSignal(channel()),
            "copy" => Self::Copy,
            "launch" => Self::Launch,
            _ if kind_of_name(&format!("comm.{name}")).is_some() => {
                Self::Collective(Rc::new(collective_groups(op, name)?), form_of(op))
            }
            _ => Self::Nothing,
        })
    }

    fn of_upstream(op: Op, callee: Option<Op>) -> Option<Self> {
        let name = op.name();
        Some(match name {
            "arith.constant" | "index.constant" => {
                let value = op.attr("value")?;
                Self::Constant(value.as_bool().map(i64::from).or_else(|| value.as_i64()))
            }
            "arith.select" => Self::Select,
            "affine.apply" => Self::Map(op.attr("map")?, MapUse::Apply),
            "affine.min" => Self::Map(op.attr("map")?, MapUse::Min),
            "affine.max" => Self::Map(op.attr("map")?, MapUse::Max),
            "memref.dim" => Self::Dim,
            "memref.subview" => {
                let mut operands = 1..;
                Self::Subview {
                    offsets: numbers(op, "static_offsets", &mut operands)?,
                    sizes: numbers(op, "static_sizes", &mut operands)?,
                    strides: numbers(op, "static_strides", &mut operands)?,
                }
            }
            "memref.reinterpret_cast" => {
                let mut operands = 1..;
                Self::Reinterpret {
                    offset: *numbers(op, "static_offsets", &mut operands)?.first()?,
                    sizes: numbers(op, "static_sizes", &mut operands)?,
                    strides: numbers(op, "static_strides", &mut operands)?,
                }
            }
            "memref.view" => Self::Bytes,
            "memref.collapse_shape" => Self::Collapse(reassociation(op)?),
            "memref.expand_shape" => Self::Expand(
                reassociation(op)?,
                numbers(op, "static_output_shape", &mut (1..))?,
            ),
            "memref.transpose" => Self::Transpose(op.attr("permutation")?.as_projection()?.1),
            "memref.cast"
            | "memref.memory_space_cast"
            | "memref.assume_alignment"
            | "memref.distinct_objects"
            | "builtin.unrealized_conversion_cast"
                if op.num_results() == op.num_operands() =>
            {
                Self::Same
            }
            "memref.extract_strided_metadata" => Self::Metadata,
            "memref.get_global" => Self::Global(op.attr("name")?.as_symbol()?.to_owned()),
            "memref.alloc" => Self::Alloc,
            "memref.alloca" => Self::Alloca,
            "memref.dealloc" => Self::Dealloc,
            "memref.realloc" => Self::Refused("is not followed: it may move its buffer"),
            "func.call" => Self::Call(callee),
            _ if op_facts::is_terminator(name) => Self::Nothing,
            _ => return Some(Self::of_other(op)),
        })
    }

    fn of_other(op: Op) -> Self {
        if let Some(operation) = Operation::of(op) {
            let width = |value: Value| value.ty().integer_width();
            // Integers alone: vectors and tensors of them are not followed.
            let source = op.operands().last().and_then(width);
            return match (source, width(op.result(0))) {
                (Some(source), Some(_)) => Self::Arithmetic(operation, source),
                _ => Self::Nothing,
            };
        }
        let control = Control::of(op);
        if op.num_regions() > 0 && !matches!(control, Control::Unknown) {
            return Self::Control(control);
        }
        if !op.is_registered() {
            return if op_facts::is_pure(op) {
                Self::Nothing
            } else {
                Self::Everything
            };
        }
        let mut effects: Vec<(u32, Value)> = Vec::new();
        for (bit, value) in op.value_effects() {
            match value {
                _ if bit == effect::UNKNOWN => return Self::Everything,
                Some(value) if value.ty().is_buffer() => effects.push((bit, value)),
                Some(_) => {}
                // It does not say on which: on all it can reach.
                None => {
                    let buffers = op.operands().filter(|operand| operand.ty().is_buffer());
                    effects.extend(buffers.map(|operand| (bit, operand)));
                }
            }
        }
        if op.num_regions() > 0 && op.own_effects() == 0 && op_facts::effects(op) & effect::UNKNOWN != 0 {
            return Self::Everything;
        }
        if op.num_regions() > 0 && op.own_effects() == 0 {
            // Its effects are those of what is in it, in an order that nobody knows.
            return Self::Control(Control::Unordered);
        }
        let mut nested = op
            .blocks()
            .flat_map(Block::ops)
            .filter(|op| !op_facts::is_terminator(op.name()));
        if nested.any(|op| !op_facts::is_pure(op)) {
            return Self::EffectsAround(effects);
        }
        if effects.is_empty() {
            return Self::Nothing;
        }
        Self::Effects(effects)
    }

    /// Whether the op issues something on a stream, or meets other devices.
    pub(super) fn issues(name: &str) -> bool {
        name.strip_prefix("comm_stream.")
            .is_some_and(|op| !matches!(op, "current" | "stream" | "local" | "peer" | "return"))
    }
}

/// Groups of a collective; those of a permute are the devices that its pairs connect.
fn collective_groups(op: Op, name: &str) -> PassResult<Groups> {
    if name == "permute" {
        let pairs = op.attr("pairs").and_then(Attr::as_i64_array).unwrap_or_default();
        return Ok(Groups::connected(&pairs));
    }
    Groups::of(op)
}

/// Name, attributes and types: what members must agree on. Texts, so that they are equal for equal ops of any module.
fn form_of(op: Op) -> String {
    let attributes = op
        .all_attrs()
        .into_iter()
        .filter(|(name, _)| *name != "timeout_ms");
    let attributes: Vec<String> = attributes
        .filter(|(name, _)| op.discardable_attr(name).is_none())
        .map(|(name, attr)| format!("{name} = {}", attr.to_text()))
        .collect();
    let types: Vec<String> = op.operands().map(|operand| operand.ty().to_text()).collect();
    format!("{} {attributes:?} {types:?}", op.name())
}

/// Constants of an attribute, and the next operands for what is none.
fn numbers(op: Op, attribute: &str, operands: &mut std::ops::RangeFrom<usize>) -> Option<Vec<Number>> {
    let values = op.attr(attribute)?.as_i64_array()?;
    let number = |value: i64| match value {
        i64::MIN => operands.next().map(Number::Operand),
        value => Some(Number::Constant(value)),
    };
    values.into_iter().map(number).collect()
}

fn reassociation(op: Op) -> Option<Vec<Vec<usize>>> {
    let groups = op.attr("reassociation")?.as_array()?;
    let group = |group: Attr| {
        let dims = group.as_array()?.into_iter();
        dims.map(|dim| usize::try_from(dim.as_i64()?).ok()).collect()
    };
    groups.into_iter().map(group).collect()
}
