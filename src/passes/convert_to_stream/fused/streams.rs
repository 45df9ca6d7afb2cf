// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The two streams that a fused op runs on, its workspace, and the ops that order them and the devices of its group.
//!
//! A wait of one stream for another is left out where [`Clocks`] show that it is implied.

use super::{
    super::clocks::{CURRENT, Clocks},
    emit::{Emit, Number, sizes},
};
use crate::mlir::{Attr, Failed, PassResult, Ty, Value};

/// A stream of a fused op: `current`, or the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    Current,
    Other,
}

impl Lane {
    fn index(self) -> usize {
        match self {
            Self::Current => CURRENT,
            Self::Other => 1,
        }
    }

    /// The other one of the two.
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::Current => Self::Other,
            Self::Other => Self::Current,
        }
    }
}

/// A group of more than one device in a function, and what its fused ops share.
#[derive(Clone)]
pub(super) struct Team {
    pub(super) size: i64,
    /// The attribute that names the group.
    pub(super) groups: Attr,
    /// This device's position.
    pub(super) position: Value,
    pub(super) current: Value,
    pub(super) other: Value,
    /// The symmetric buffer: bytes.
    pub(super) workspace: Value,
    pub(super) timeout_ms: Option<u32>,
}

impl Team {
    fn stream(&self, lane: Lane) -> Value {
        match lane {
            Lane::Current => self.current,
            Lane::Other => self.other,
        }
    }

    fn timed(&self, emit: &Emit, builder: crate::mlir::OpBuilder) -> crate::mlir::OpBuilder {
        match self.timeout_ms {
            Some(timeout) => {
                let timeout = Attr::i64(emit.anchor.context(), i64::from(timeout));
                builder.attr("timeout_ms", timeout)
            }
            None => builder,
        }
    }

    /// The position `distance` behind this device's, around the group.
    pub(super) fn peer(&self, emit: &Emit, distance: i64) -> PassResult<Number> {
        let distance = Number::Known(distance.rem_euclid(self.size));
        let sum = emit.add(Number::Value(self.position), distance)?;
        emit.remainder(sum, self.size)
    }

    pub(super) fn barrier(&self, emit: &Emit, channel: i64, lane: Lane) -> PassResult {
        let builder = emit
            .builder("comm_stream.barrier")
            .operands([self.stream(lane)])
            .attr("groups", self.groups)
            .attr("channel", Attr::i64(emit.anchor.context(), channel));
        emit.insert(self.timed(emit, builder)).map(drop)
    }

    pub(super) fn record(&self, emit: &Emit, lane: Lane) -> PassResult<Value> {
        let event = Ty::parse(emit.anchor.context(), "!comm_stream.event").ok_or(Failed)?;
        let builder = emit.builder("comm_stream.record").operands([self.stream(lane)]);
        emit.value(builder.results([event]))
    }

    pub(super) fn wait_event(&self, emit: &Emit, event: Value, lane: Lane, kept: &[Value]) -> PassResult {
        let builder = emit
            .builder("comm_stream.wait_event")
            .operands([event, self.stream(lane)])
            .operands(kept.iter().copied());
        emit.insert(builder).map(drop)
    }

    /// This device's part of the workspace, or that of the peer at a position.
    pub(super) fn part(&self, emit: &Emit, peer: Option<Number>) -> PassResult<Value> {
        let name = match peer {
            Some(_) => "comm_stream.peer",
            None => "comm_stream.local",
        };
        let mut builder = emit.builder(name).operands([self.workspace]);
        if let Some(peer) = peer {
            builder = builder.operands([emit.index(peer)?]);
        }
        let part = self.workspace.ty().symmetric_part().ok_or(Failed)?;
        emit.value(builder.results([part]))
    }

    pub(super) fn put(
        &self,
        emit: &Emit,
        peer: Number,
        channel: i64,
        epoch: Number,
        lane: Lane,
    ) -> PassResult {
        let builder = self.signal(emit, "comm_stream.put_signal", [peer, epoch], channel, lane)?;
        emit.insert(builder).map(drop)
    }

    pub(super) fn wait_signal(
        &self,
        emit: &Emit,
        peer: Number,
        channel: i64,
        epoch: Number,
        lane: Lane,
    ) -> PassResult {
        let builder = self.signal(emit, "comm_stream.wait_signal", [peer, epoch], channel, lane)?;
        emit.insert(self.timed(emit, builder)).map(drop)
    }

    fn signal(
        &self,
        emit: &Emit,
        name: &str,
        [peer, epoch]: [Number; 2],
        channel: i64,
        lane: Lane,
    ) -> PassResult<crate::mlir::OpBuilder> {
        let operands = [
            self.workspace,
            emit.index(peer)?,
            emit.index(epoch)?,
            self.stream(lane),
        ];
        let channel = Attr::i64(emit.anchor.context(), channel);
        Ok(emit.builder(name).operands(operands).attr("channel", channel))
    }

    /// Copies a buffer on a stream.
    pub(super) fn copy(&self, emit: &Emit, source: Value, target: Value, lane: Lane) -> PassResult {
        debug_assert_eq!(sizes(source), sizes(target));
        let operands = [source, target, self.stream(lane)];
        let builder = emit.builder("comm_stream.copy").operands(operands);
        emit.insert(builder).map(drop)
    }

    /// Runs what `fill` makes on a stream.
    pub(super) fn launch(
        &self,
        emit: &Emit,
        name: &str,
        lane: Lane,
        fill: impl FnOnce(&Emit) -> PassResult,
    ) -> PassResult {
        let builder = emit
            .builder("comm_stream.launch")
            .operands([self.stream(lane)])
            .attr("name", Attr::string(emit.anchor.context(), name))
            .region(&[], |block| {
                let end = emit.builder("comm_stream.return").append_to(block)?;
                fill(&emit.before(end))
            })?;
        emit.insert(builder).map(drop)
    }
}

/// What the two streams know of each other within one op. Before it, the other one knows nothing of `current`, which has
/// just allocated buffers; `current` knows all that the other one has done.
pub(super) struct Order {
    clocks: Clocks,
}

impl Order {
    pub(super) fn new() -> Self {
        let mut clocks = Clocks::new(2);
        clocks.issue(CURRENT);
        Self { clocks }
    }

    /// Notes that something was issued.
    pub(super) fn issued(&mut self, lane: Lane) {
        self.clocks.issue(lane.index());
    }

    /// Lets a stream wait for all that was issued on the other one so far, unless it knows that to have ended.
    pub(super) fn join(&mut self, team: &Team, emit: &Emit, waiter: Lane, kept: &[Value]) -> PassResult {
        let other = waiter.opposite();
        let last = self.clocks.last(other.index());
        if self.clocks.knows(waiter.index(), other.index(), last) {
            return Ok(());
        }
        let event = team.record(emit, other)?;
        let known = self.clocks.record(other.index());
        self.clocks.wait(waiter.index(), &known);
        team.wait_event(emit, event, waiter, kept)
    }
}
