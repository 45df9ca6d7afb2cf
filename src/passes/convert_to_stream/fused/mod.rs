// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Fused ops become chunks on two streams.
//!
//! `comm.all_gather_matmul` and `comm.matmul_reduce_scatter` are synchronous for the stream `current`: what was issued there
//! before has ended for them, and what comes after finds their results. Inside they run on `current` and one other stream of
//! their group ([`gather`], [`scatter`]), in one of three schedules; all ops of a group in a function have the same.
//!
//! **Workspace.** Ops of a group share one symmetric buffer, from the begin of the function to its end. Its size is what the
//! largest op needs ([`gather::workspace_bytes`], [`scatter::workspace_bytes`]), twice that where `signal` has more than one
//! use in a call.
//!
//! **Guards.** Peers may use the buffer until they enter the function, and this device's own part is used again after it:
//! - A barrier opens the buffer, once a call: with `two-stream` on `current` before the first use, else on the other stream
//!   at the begin of the function, where it holds up nobody who computes.
//! - With barriers, each use ends with one. With `signal`, use u puts its signals with epoch u + 1 and has part u mod 2 of the
//!   buffer: whoever has the signal of a peer in use u - 1 knows that it has ended use u - 2, so nothing more is needed but
//!   one barrier at the end of the function.
//!
//! A group of one device has none of all this: what is left are the products.
//!
//! Before: the function has one block, and fused ops work on buffers of known sizes. After: no fused op is left.

mod compute;
mod emit;
mod form;
mod gather;
mod model;
mod parts;
mod scatter;
mod streams;
mod uses;

use std::collections::HashMap;

use comm_schedule::Machine;

use self::{
    emit::{Emit, Number, aligned},
    form::{GatherForm, ScatterForm},
    gather::{Gather, Knobs, Use},
    model::Load,
    parts::Parts,
    scatter::Scatter,
    streams::{Lane, Team},
    uses::Numbering,
};
use super::{
    PASS,
    options::{ConvertToStreamOptions, PeerOrder, Schedule},
};
use crate::{
    diagnostics::{self, Remark},
    groups::Groups,
    mlir::{Attr, Failed, Op, OpBuilder, PassResult, Ty, Value},
};

/// Slots and landing chunks where no depth is given: one is filled while the other one is used.
const DEPTH: usize = 2;

/// Barriers of schedules with barriers take two slots, one a stream.
const SLOTS: usize = 2;

/// A fused op.
enum Form {
    Gather(GatherForm),
    Scatter(ScatterForm),
}

impl Form {
    fn of(op: Op) -> PassResult<Option<Self>> {
        Ok(match op.name() {
            "comm.all_gather_matmul" => Some(Self::Gather(GatherForm::of(op)?)),
            "comm.matmul_reduce_scatter" => Some(Self::Scatter(ScatterForm::of(op)?)),
            _ => None,
        })
    }

    fn op(&self) -> Op {
        match self {
            Self::Gather(form) => form.op,
            Self::Scatter(form) => form.op,
        }
    }

    fn load(&self, size: i64) -> PassResult<Load> {
        match self {
            Self::Gather(form) => Load::of_gather(form, size),
            Self::Scatter(form) => Load::of_scatter(form, size),
        }
    }

    /// Of how many units, that are not cut, a chunk is made.
    fn units(&self) -> PassResult<i64> {
        match self {
            Self::Gather(form) => gather::units(form),
            Self::Scatter(form) => scatter::units(form),
        }
    }

    fn workspace_bytes(&self, size: i64, schedule: Schedule, knobs: Knobs) -> PassResult<i64> {
        match self {
            Self::Gather(form) => gather::workspace_bytes(form),
            Self::Scatter(form) => {
                let slots = if schedule == Schedule::Signal {
                    knobs.depth
                } else {
                    SLOTS
                };
                scatter::workspace_bytes(form, size, slots, knobs.parts)
            }
        }
    }

    /// Whether the op writes the workspace from `current`, without having waited for the other stream.
    fn fills_from_current(&self, size: i64, schedule: Schedule, knobs: Knobs) -> bool {
        matches!(self, Self::Scatter(_))
            && (schedule == Schedule::Signal || (size - 1) * knobs.parts.count > 1)
    }
}

/// Whether an op is one of those that are lowered here.
pub(super) fn is_fused(op: Op) -> bool {
    matches!(op.name(), "comm.all_gather_matmul" | "comm.matmul_reduce_scatter")
}

/// Refuses what cannot be lowered, with an error at the op.
fn check(op: Op, function: Op) -> PassResult {
    if op.operands().any(|operand| !operand.ty().is_buffer()) {
        return Err(diagnostics::op_error(
            op,
            "works on tensors; convert-comm-to-stream expects buffers, so run one-shot-bufferize before it",
        ));
    }
    let values = op.operands().chain(op.results());
    let is_known = |ty: Ty| ty.dims().is_some_and(|dims| !dims.contains(&None));
    if let Some(value) = values.into_iter().find(|value| !is_known(value.ty())) {
        return Err(diagnostics::op_error(
            op,
            &format!(
                "has a buffer of type {} of unknown size; static sizes are expected",
                value.ty().to_text()
            ),
        ));
    }
    let around = std::iter::successors(op.parent_op(), |op| op.parent_op());
    for around in around {
        let branches = (0..around.num_regions()).any(|index| around.region(index).nth(1).is_some());
        if branches {
            return Err(diagnostics::op_error_with_notes(
                op,
                "stands between branches of blocks; loops and branches of scf are expected around it",
                &[(around, "in this op")],
            ));
        }
        if around == function {
            break;
        }
    }
    Ok(())
}

/// Lowers the fused ops of a function; gives how many there were.
pub(super) fn lower(function: Op, options: &ConvertToStreamOptions) -> PassResult<usize> {
    let mut groups: Vec<(Groups, Vec<Form>)> = Vec::new();
    let mut ops = Vec::new();
    for op in function.walk().into_iter().filter(|&op| is_fused(op)) {
        check(op, function)?;
        let Some(form) = Form::of(op)? else { continue };
        let of = Groups::of(op)?;
        match groups.iter_mut().find(|(other, _)| *other == of) {
            Some((_, forms)) => forms.push(form),
            None => groups.push((of, vec![form])),
        }
        ops.push(op);
    }
    if ops.is_empty() {
        return Ok(0);
    }
    let machine = Machine::load(&options.machine)
        .map_err(|error| diagnostics::op_error(function, &format!("has no machine model: {error}")))?;
    let body = function.region(0).next().ok_or(Failed)?;
    let (first, last) = (body.first_op().ok_or(Failed)?, body.terminator().ok_or(Failed)?);
    let context = function.context();
    // Marks the end of the head: constants, streams and workspaces stand above it.
    let mark = OpBuilder::new("comm_stream.current", function.location())
        .results([Ty::parse(context, "!comm_stream.stream").ok_or(Failed)?])
        .insert_before(first)?;
    for (groups, forms) in &groups {
        let lowering = Lowering {
            function,
            options,
            machine: &machine,
            emit: Emit::new(mark),
            current: mark.result(0),
            last,
        };
        lowering.group(groups, forms)?;
    }
    if mark.is_unused() {
        mark.erase();
    }
    for &op in &ops {
        op.erase();
    }
    Ok(ops.len())
}

struct Lowering<'a> {
    function: Op,
    options: &'a ConvertToStreamOptions,
    machine: &'a Machine,
    /// At the head of the function.
    emit: Emit,
    current: Value,
    /// Ends the function.
    last: Op,
}

/// What is decided for a group.
struct Decision {
    schedule: Schedule,
    /// By op.
    knobs: Vec<Knobs>,
    /// Modelled time of all ops, in nanoseconds.
    time_ns: u64,
}

impl Lowering<'_> {
    fn group(&self, groups: &Groups, forms: &[Form]) -> PassResult {
        let size = groups.largest() as i64;
        if size == 1 {
            for form in forms {
                match &Form::of(form.op())?.ok_or(Failed)? {
                    Form::Gather(form) => Gather::new(form, &self.emit, size)?.alone()?,
                    Form::Scatter(form) => Scatter::new(form, &self.emit, size, Parts::whole())?.alone()?,
                }
            }
            return Ok(());
        }
        let ops: Vec<Op> = forms.iter().map(Form::op).collect();
        let numbered = uses::number(self.function, &ops);
        let decision = self.decide(forms, size, numbered.is_some())?;
        let (numbers, count) = match numbered {
            Some((numbers, count)) if decision.schedule == Schedule::Signal => (numbers, count),
            _ => (HashMap::new(), 1),
        };
        let mut each = 0;
        for (form, &knobs) in forms.iter().zip(&decision.knobs) {
            each = each.max(form.workspace_bytes(size, decision.schedule, knobs)?);
        }
        let parts = if count > 1 { 2 } else { 1 };
        let workspace = Workspace {
            each: aligned(each),
            parts,
        };
        diagnostics::remark(self.function, Remark::Passed, PASS, "fused", || {
            format!(
                "put {} fused op(s) of groups {} on two streams by {}, in {} ns as modelled, with a workspace of {} bytes",
                forms.len(),
                groups.stream_name(),
                decision.schedule.name(),
                decision.time_ns,
                workspace.each * workspace.parts
            )
        });
        let team = self.team(groups, forms[0].op(), decision.schedule, &workspace)?;
        self.open(&team, forms, &decision)?;
        for (form, &knobs) in forms.iter().zip(&decision.knobs) {
            let op = form.op();
            let usage = self.usage(&workspace, numbers.get(&op), op)?;
            // Read again: an operand may be what an op yielded that has been lowered since.
            let form = Form::of(op)?.ok_or(Failed)?;
            match (&form, decision.schedule) {
                (Form::Gather(form), Schedule::Signal) => {
                    Gather::new(form, &self.emit, size)?.signal(&team, usage, knobs)?;
                }
                (Form::Gather(form), schedule) => {
                    let is_eager = schedule == Schedule::TwoStreamEager;
                    Gather::new(form, &self.emit, size)?.two_stream(&team, usage, knobs, is_eager)?;
                }
                (Form::Scatter(form), Schedule::Signal) => {
                    Scatter::new(form, &self.emit, size, knobs.parts)?.signal(&team, usage, knobs)?;
                }
                (Form::Scatter(form), _) => {
                    Scatter::new(form, &self.emit, size, knobs.parts)?.two_stream(&team, usage)?;
                }
            }
        }
        self.close(&team, decision.schedule)
    }

    /// The schedule and its figures: what the options say, and of what they leave open that with the least modelled time.
    fn decide(&self, forms: &[Form], size: i64, is_numbered: bool) -> PassResult<Decision> {
        let gathers = forms.iter().any(|form| matches!(form, Form::Gather(_)));
        let mut schedules = match self.options.schedule {
            // Only gathers offer something before they compute.
            Schedule::TwoStreamEager if !gathers => vec![Schedule::TwoStream],
            // The first of equals is taken.
            Schedule::Auto if !gathers => vec![Schedule::Signal, Schedule::TwoStream],
            Schedule::Auto => vec![Schedule::Signal, Schedule::TwoStreamEager, Schedule::TwoStream],
            one => vec![one],
        };
        if !is_numbered && schedules[0] == Schedule::Signal {
            schedules.remove(0);
            if schedules.is_empty() {
                schedules.push(Schedule::TwoStream);
            }
            diagnostics::remark(self.function, Remark::Missed, PASS, "signal", || {
                "fused ops in branches or in loops of unknown length have no epochs that are known when they are \
                 compiled; barriers order them"
                    .to_owned()
            });
        }
        let mut best: Option<Decision> = None;
        for schedule in schedules {
            let mut decision = Decision {
                schedule,
                knobs: Vec::new(),
                time_ns: 0,
            };
            for form in forms {
                let (knobs, time_ns) = self.knobs(form, size, schedule)?;
                decision.knobs.push(knobs);
                decision.time_ns = decision.time_ns.saturating_add(time_ns);
            }
            if best.as_ref().is_none_or(|best| decision.time_ns < best.time_ns) {
                best = Some(decision);
            }
        }
        best.ok_or(Failed)
    }

    fn knobs(&self, form: &Form, size: i64, schedule: Schedule) -> PassResult<(Knobs, u64)> {
        let candidates = match self.options.sub_chunks {
            Some(parts) => vec![i64::from(parts)],
            None => vec![1, 2, 4],
        };
        let load = form.load(size)?;
        let units = form.units()?;
        let mut best: Option<(Knobs, u64)> = None;
        for wanted in candidates {
            let knobs = Knobs {
                depth: self.options.depth.map_or(DEPTH, |depth| depth as usize),
                parts: Parts::new(wanted, units),
                descending: self.options.order == PeerOrder::Descending,
            };
            let time_ns = model::time(self.machine, load, schedule, knobs);
            if best.is_none_or(|(_, least)| time_ns < least) {
                best = Some((knobs, time_ns));
            }
        }
        best.ok_or(Failed)
    }

    /// Names streams, and allocates the workspace, at the head of the function.
    fn team(&self, groups: &Groups, like: Op, schedule: Schedule, workspace: &Workspace) -> PassResult<Team> {
        let emit = &self.emit;
        let context = self.function.context();
        let attr = like.attr("groups").ok_or(Failed)?;
        let stream = match schedule {
            Schedule::Signal => "copies",
            _ => "second",
        };
        let name = Attr::string(context, &format!("{stream} {}", groups.stream_name()));
        let other = emit.builder("comm_stream.stream").attr("name", name);
        let other = emit.value(other.results([self.current.ty()]))?;
        let rank = emit.builder("comm.rank").attr("groups", attr);
        let position = emit.value(rank.results([Ty::index(context)]))?;
        let part = Ty::buffer(&[workspace.each * workspace.parts], Ty::integer(context, 8)).ok_or(Failed)?;
        let ty = Ty::parse(context, &format!("!comm_stream.symmetric<{}>", part.to_text())).ok_or(Failed)?;
        let mut allocated = emit
            .builder("comm_stream.symmetric_alloc")
            .attr("groups", attr)
            .results([ty]);
        if let Some(timeout) = self.options.timeout_ms {
            allocated = allocated.attr("timeout_ms", Attr::i64(context, i64::from(timeout)));
        }
        Ok(Team {
            size: groups.largest() as i64,
            groups: attr,
            position,
            current: self.current,
            other,
            workspace: emit.value(allocated)?,
            timeout_ms: self.options.timeout_ms,
        })
    }

    /// Sees to it that peers no longer use the workspace as they did before the function.
    fn open(&self, team: &Team, forms: &[Form], decision: &Decision) -> PassResult {
        if decision.schedule == Schedule::TwoStream {
            let first = self.emit.before(uses::outermost(forms[0].op()));
            return team.barrier(&first, 0, Lane::Current);
        }
        let begin = self.emit.before(self.emit.anchor.next().ok_or(Failed)?);
        let entered = team.record(&begin, Lane::Current)?;
        team.wait_event(&begin, entered, Lane::Other, &[])?;
        team.barrier(&begin, 0, Lane::Other)?;
        // `current` has to know as well before it fills the workspace; any gather tells it.
        for (form, &knobs) in forms.iter().zip(&decision.knobs) {
            if form.fills_from_current(team.size, decision.schedule, knobs) {
                let first = self.emit.before(uses::outermost(form.op()));
                let opened = team.record(&first, Lane::Other)?;
                team.wait_event(&first, opened, Lane::Current, &[])?;
                break;
            }
            if uses::runs_surely(form.op()) {
                break;
            }
        }
        Ok(())
    }

    /// Sees to it that this device's part may be used again after the function, and gives it back.
    fn close(&self, team: &Team, schedule: Schedule) -> PassResult {
        let end = self.emit.before(self.last);
        if schedule == Schedule::Signal {
            team.barrier(&end, 0, Lane::Current)?;
        }
        let mut free = end
            .builder("comm_stream.symmetric_free")
            .operands([team.workspace]);
        if let Some(timeout) = self.options.timeout_ms {
            free = free.attr("timeout_ms", Attr::i64(end.anchor.context(), i64::from(timeout)));
        }
        end.insert(free).map(drop)
    }

    fn usage(&self, workspace: &Workspace, number: Option<&Numbering>, op: Op) -> PassResult<Use> {
        let emit = self.emit.before(op);
        let number = match number {
            Some(number) => number.number(&emit)?,
            None => Number::Known(0),
        };
        let part = emit.remainder(number, workspace.parts)?;
        Ok(Use {
            begin: emit.multiply(part, workspace.each)?,
            epoch: emit.add(number, Number::Known(1))?,
        })
    }
}

/// The symmetric buffer of a group.
struct Workspace {
    /// Bytes of one use.
    each: i64,
    /// How many uses have a part of their own.
    parts: i64,
}
