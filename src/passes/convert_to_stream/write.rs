// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Writes what was planned.

use rustc_hash::FxHashSet;

use super::{
    clocks::CURRENT,
    options::ConvertToStreamOptions,
    plan::{Plan, Start, Step},
};
use crate::{
    collective::{Collective, is_wait},
    mlir::{Attr, Failed, Op, OpBuilder, PassResult, Ty, Value},
};

/// Makes streams, events, buffers and collectives, and erases what they stand for. Returns how many events there are.
pub(super) fn write(function: Op, plan: &Plan, options: &ConvertToStreamOptions) -> PassResult<usize> {
    let mut writer = Writer {
        plan,
        options,
        streams: Vec::new(),
        events: Vec::new(),
        awaited: awaited(plan),
        recorded: 0,
    };
    writer.make_streams(function)?;
    for step in &plan.steps {
        match step {
            Step::Start(index) => writer.start(&plan.starts[*index])?,
            Step::Copy(collective) => copy(*collective)?,
            Step::Wait {
                anchor,
                events,
                ended,
            } => {
                writer.wait(*anchor, events, ended)?;
            }
        }
    }
    // Waits first, since they use the futures of starts.
    let done: Vec<Op> = function
        .walk()
        .into_iter()
        .filter(|&op| is_wait(op) || Collective::new(op).is_some())
        .collect();
    for wait in done.iter().filter(|&&op| is_wait(op)) {
        wait.erase();
    }
    for collective in done.iter().filter(|&&op| !is_wait(op)) {
        collective.erase();
    }
    Ok(writer.recorded)
}

/// Starts whose own events somebody waits for.
fn awaited(plan: &Plan) -> FxHashSet<usize> {
    let on_current = plan.steps.iter().flat_map(|step| match step {
        Step::Wait { events, .. } => events.as_slice(),
        _ => &[],
    });
    let on_streams = plan.starts.iter().flat_map(|start| &start.after);
    on_current.chain(on_streams).copied().collect()
}

struct Writer<'a> {
    plan: &'a Plan,
    options: &'a ConvertToStreamOptions,
    streams: Vec<Value>,
    /// By start: the event of its end, if anybody waits for it. Starts are written in their order.
    events: Vec<Option<Value>>,
    awaited: FxHashSet<usize>,
    recorded: usize,
}

impl Writer<'_> {
    /// Names all streams at the head of the function.
    fn make_streams(&mut self, function: Op) -> PassResult {
        let first = function
            .blocks()
            .next()
            .and_then(|block| block.first_op())
            .ok_or(Failed)?;
        if self.plan.streams.is_empty() {
            return Ok(());
        }
        let context = function.context();
        let stream = Ty::parse(context, "!comm_stream.stream").ok_or(Failed)?;
        let current = OpBuilder::new("comm_stream.current", function.location()).results([stream]);
        self.streams.push(current.insert_before(first)?.result(0));
        for name in &self.plan.streams {
            let made = OpBuilder::new("comm_stream.stream", function.location())
                .attr("name", Attr::string(context, name))
                .results([stream])
                .insert_before(first)?;
            self.streams.push(made.result(0));
        }
        Ok(())
    }

    fn start(&mut self, start: &Start) -> PassResult {
        let op = start.collective.op;
        let stream = self.streams[start.stream];
        let outputs = allocate(start.collective)?;
        let ready = self.record(op, self.streams[CURRENT])?;
        wait_event(op, ready, stream, &[])?;
        for &other in start.after.iter().rev() {
            wait_event(op, self.events[other].ok_or(Failed)?, stream, &[])?;
        }
        let name = format!("comm_stream.{}", start.collective.kind.name());
        let mut issued = OpBuilder::new(&name, op.location())
            .operands(op.operands())
            .operands(outputs.iter().copied())
            .operands([stream])
            .named_attrs(op.attrs_except(&["mergeable", "regather"]));
        if let Some(timeout) = self.options.timeout_ms {
            issued = issued.attr("timeout_ms", Attr::i64(op.context(), i64::from(timeout)));
        }
        issued.insert_before(op)?;
        let done = if self.awaited.contains(&self.events.len()) {
            Some(self.record(op, stream)?)
        } else {
            None
        };
        self.events.push(done);
        Ok(())
    }

    fn wait(&mut self, anchor: Op, events: &[usize], ended: &[usize]) -> PassResult {
        let mut kept: Vec<Value> = Vec::new();
        for &index in ended {
            let op = self.plan.starts[index].collective.op;
            kept.extend(
                op.operands()
                    .filter(|input| !kept.contains(input))
                    .collect::<Vec<_>>(),
            );
        }
        for (position, &index) in events.iter().enumerate() {
            let kept: &[Value] = if position + 1 == events.len() { &kept } else { &[] };
            wait_event(
                anchor,
                self.events[index].ok_or(Failed)?,
                self.streams[CURRENT],
                kept,
            )?;
        }
        Ok(())
    }

    fn record(&mut self, anchor: Op, stream: Value) -> PassResult<Value> {
        self.recorded += 1;
        let event = Ty::parse(anchor.context(), "!comm_stream.event").ok_or(Failed)?;
        let made = OpBuilder::new("comm_stream.record", anchor.location())
            .operands([stream])
            .results([event])
            .insert_before(anchor)?;
        Ok(made.result(0))
    }
}

fn wait_event(anchor: Op, event: Value, stream: Value, kept: &[Value]) -> PassResult {
    OpBuilder::new("comm_stream.wait_event", anchor.location())
        .operands([event, stream])
        .operands(kept.iter().copied())
        .insert_before(anchor)?;
    Ok(())
}

/// Allocates the results of a collective before it, and lets them take the place of what it yields.
fn allocate(collective: Collective) -> PassResult<Vec<Value>> {
    let op = collective.op;
    let yields = collective.wait().unwrap_or(op);
    let mut outputs = Vec::new();
    for (position, ty) in collective.yielded().into_iter().enumerate() {
        let output = OpBuilder::new("memref.alloc", op.location())
            .results([ty])
            .attr("alignment", Attr::i64(op.context(), 64))
            .attr("operandSegmentSizes", Attr::i32_array(op.context(), &[0, 0]))
            .insert_before(op)?
            .result(0);
        yields.result(position).replace_uses_with(output);
        outputs.push(output);
    }
    Ok(outputs)
}

/// A collective of a device with itself.
fn copy(collective: Collective) -> PassResult {
    let op = collective.op;
    for (input, output) in op.operands().zip(allocate(collective)?) {
        OpBuilder::new("memref.copy", op.location())
            .operands([input, output])
            .insert_before(op)?;
    }
    Ok(())
}
