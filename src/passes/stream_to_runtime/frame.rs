// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What each lowered function has at its entry: its rank, and one piece of stack, the frame.
//!
//! Calls of the run-time take tensors and give results through memory, and copy what they take before they return. So
//! one frame serves all calls of a function, one after the other; it has the size of the largest. Its first bytes are
//! places with a fixed meaning.

use crate::mlir::{Attr, Failed, Op, OpBuilder, PassResult, Ty, Value};

use super::emit::{Emit, Lowering};

/// Where a call's result is written to.
pub(super) const RESULT: i64 = 0;
/// The address of memory that stands in for a symmetric buffer after a failure; null until then.
pub(super) const SPARE: i64 = 8;
/// Status of a launched function.
pub(super) const STATUS: i64 = 16;
/// Where arguments of calls begin.
pub(super) const ARGUMENTS: i64 = 32;

/// Entry of one function. Parts are made when they are first asked for.
pub(super) struct Frame {
    /// The function.
    pub(super) function: Op,
    /// The function is the region of a launch: it runs on a stream, and has no rank.
    pub(super) is_launched: bool,
    /// Most bytes of a symmetric buffer of the function; nothing where it has none.
    pub(super) symmetric_bytes: Option<i64>,
    /// The op that was first when the lowering began; entries are made before it.
    first: Op,
    rank: Option<Value>,
    memory: Option<(Op, Value)>,
    bytes: i64,
}

impl Frame {
    /// Of a function with a body.
    pub(super) fn new(function: Op, is_launched: bool) -> PassResult<Self> {
        let entry = function.region(0).next().ok_or(Failed)?;
        Ok(Self {
            function,
            is_launched,
            symmetric_bytes: None,
            first: entry.first_op().ok_or(Failed)?,
            rank: None,
            memory: None,
            bytes: ARGUMENTS,
        })
    }

    /// The op before which the entry stands is erased: another one takes its place.
    pub(super) fn erased(&mut self, op: Op) -> PassResult {
        if op == self.first {
            self.first = op.next().ok_or(Failed)?;
        }
        Ok(())
    }

    fn builder(&self, name: &str) -> OpBuilder {
        OpBuilder::new(name, self.function.location())
    }

    /// The rank that this thread runs.
    pub(super) fn rank(&mut self, lowering: &mut Lowering) -> PassResult<Value> {
        if let Some(rank) = self.rank {
            return Ok(rank);
        }
        let mut emit = Emit::new(lowering, self.first);
        emit.location = self.function.location();
        let pointer = emit.pointer()?;
        let rank = emit.call("comm_rt_rank_current", &[], pointer)?;
        self.rank = Some(rank);
        Ok(rank)
    }

    /// The frame, of at least so many bytes.
    pub(super) fn memory(&mut self, lowering: &Lowering, bytes: i64) -> PassResult<Value> {
        self.bytes = self.bytes.max(bytes);
        if let Some((_, memory)) = self.memory {
            return Ok(memory);
        }
        let i64_type = Ty::integer(lowering.context, 64);
        let pointer = Ty::parse(lowering.context, "!llvm.ptr").ok_or(Failed)?;
        let size = self
            .builder("arith.constant")
            .attr("value", Attr::i64(lowering.context, self.bytes))
            .results([i64_type])
            .insert_before(self.first)?;
        let memory = self
            .builder("llvm.alloca")
            .operands([size.result(0)])
            .results([pointer])
            .attr("elem_type", Attr::parse(lowering.context, "i8").ok_or(Failed)?)
            .attr("alignment", Attr::i64(lowering.context, 16))
            .insert_before(self.first)?
            .result(0);
        let zero = self
            .builder("arith.constant")
            .attr("value", Attr::i64(lowering.context, 0))
            .results([i64_type])
            .insert_before(self.first)?
            .result(0);
        for place in [SPARE, STATUS] {
            let address = self
                .builder("llvm.getelementptr")
                .operands([memory])
                .results([pointer])
                .attr(
                    "rawConstantIndices",
                    Attr::i32_array(lowering.context, &[place as i32]),
                )
                .attr("elem_type", Attr::parse(lowering.context, "i8").ok_or(Failed)?)
                .insert_before(self.first)?
                .result(0);
            self.builder("llvm.store")
                .operands([zero, address])
                .insert_before(self.first)?;
        }
        self.memory = Some((size, memory));
        Ok(memory)
    }

    /// Whether anything has asked for the frame.
    pub(super) fn has_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Gives the frame the size that its calls need; nothing is lowered afterwards.
    pub(super) fn finish(&self, lowering: &Lowering) {
        if let Some((size, _)) = self.memory {
            size.set_attr("value", Attr::i64(lowering.context, self.bytes));
        }
    }
}
