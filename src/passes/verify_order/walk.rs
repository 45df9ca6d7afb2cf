// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Follows all ranks through a function at once, as lanes of one machine: an op is visited with the ranks that run it.
//!
//! - A condition that each rank knows splits the ranks.
//! - A condition that is uniform but unknown takes all present ranks the same way: each region is checked on its own, and
//!   is then one event for the ranks that issue in it. So collectives of one group are matched within such a region,
//!   never across its border.
//! - Under any other condition the regions must issue equal sequences.
//!
//! Loops with known trip counts are unrolled only where ranks do different things in them.

use std::{collections::HashSet, mem};

use super::{
    cfg,
    evaluate::{Evaluator, Lanes},
    instances::{Event, Scope, Signatures},
    program::Program,
};
use crate::{
    control::{Branch, Control, While},
    diagnostics,
    mlir::{Block, Op, PassResult, Value},
};

/// Events and visits, summed over ranks, beyond which nothing is proved.
const STEPS: usize = 1 << 22;

/// Regions, calls and branches between blocks that are followed within each other, beyond which nothing is proved. Each
/// takes several frames of the stack.
const DEPTH: usize = 256;

/// State of the walk over one entry function.
pub(super) struct Walk<'p> {
    pub(super) program: &'p Program,
    pub(super) evaluator: Evaluator<'p>,
    scope: Scope,
    signatures: Signatures,
    /// How many conditions around here differ between ranks in a way that is not known.
    comparing: usize,
    depth: usize,
    executions: usize,
    steps: usize,
}

impl<'p> Walk<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            program,
            evaluator: Evaluator::new(program),
            scope: Scope::default(),
            signatures: Signatures::default(),
            comparing: 0,
            depth: 0,
            executions: 0,
            steps: 0,
        }
    }

    /// Follows all ranks through a function and checks what they issue.
    pub(super) fn run(mut self, function: Op) -> PassResult {
        let ranks: Vec<usize> = (0..self.program.uniformity.devices()).collect();
        self.spend(function, &ranks)?;
        self.region(function, 0, &ranks)?;
        self.scope.check(&mut self.signatures)?;
        let mut warned = HashSet::new();
        for &op in &self.signatures.one_sided {
            if warned.insert(op) {
                diagnostics::op_warning(
                    op,
                    "has no used result, unlike its counterpart on other ranks; a pass that erases dead code (canonicalize, \
                     cse) would leave those waiting; a use of its result is expected here too",
                );
            }
        }
        Ok(())
    }

    /// Follows what is nested in something.
    pub(super) fn nested(&mut self, op: Op, body: impl FnOnce(&mut Self) -> PassResult) -> PassResult {
        if self.depth == DEPTH {
            return Err(diagnostics::op_error(
                op,
                &format!(
                    "cannot be proved to keep one order of collectives: it is nested in {DEPTH} regions, calls and \
                     branches that issue some"
                ),
            ));
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    pub(super) fn spend(&mut self, op: Op, ranks: &[usize]) -> PassResult {
        self.spend_steps(op, ranks.len().max(1))
    }

    fn spend_steps(&mut self, op: Op, steps: usize) -> PassResult {
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= STEPS {
            return Ok(());
        }
        Err(diagnostics::op_error(
            op,
            &format!(
                "cannot be proved to keep one order of collectives: to follow {} ranks to here takes more than {STEPS} \
                 steps",
                self.program.uniformity.devices()
            ),
        ))
    }

    /// Runs a region of an op, if it has any block.
    fn region(&mut self, op: Op, index: usize, ranks: &[usize]) -> PassResult {
        let blocks: Vec<Block> = op.region(index).collect();
        match blocks[..] {
            [] => Ok(()),
            [block] => self.block(block, ranks),
            _ => cfg::run(self, blocks, ranks),
        }
    }

    /// Visits the ops of a block that issue something.
    pub(super) fn block(&mut self, block: Block, ranks: &[usize]) -> PassResult {
        for op in block.ops() {
            if self.program.issues(op) {
                self.op(op, ranks)?;
            }
        }
        Ok(())
    }

    fn op(&mut self, op: Op, ranks: &[usize]) -> PassResult {
        self.spend(op, ranks)?;
        if crate::collective::Collective::new(op).is_some() || crate::collective::is_fused(op) {
            let table = self.program.groups(op)?;
            for &rank in ranks {
                if let Some(&(group, _)) = table.of_rank.get(&rank) {
                    self.scope.push(
                        rank,
                        Event::Issue {
                            op,
                            group: table.groups[group].clone(),
                        },
                    );
                }
            }
            return Ok(());
        }
        if self.program.issues_inside(op) {
            return self.nested(op, |walk| walk.control(op, ranks));
        }
        match self.program.callee(op) {
            Some(callee) if op.name() == "func.call" => {
                let arguments: Vec<Value> = callee
                    .blocks()
                    .next()
                    .into_iter()
                    .flat_map(Block::arguments)
                    .collect();
                let operands: Vec<Value> = op.operands().collect();
                self.rebind(&operands, &arguments, ranks);
                self.nested(op, |walk| walk.region(callee, 0, ranks))
            }
            _ => self.opaque(op, ranks),
        }
    }

    /// Something that may communicate unseen: the same on all ranks, if all of them come here together.
    fn opaque(&mut self, op: Op, ranks: &[usize]) -> PassResult {
        if self.comparing > 0 || ranks.len() < self.program.uniformity.devices() {
            return Err(diagnostics::op_error(
                op,
                "may communicate and runs on some ranks only, so one order of collectives cannot be proved; an op that is \
                 known to be pure, or a function with a body, is expected here",
            ));
        }
        self.push_together(op, ranks.iter().copied());
        Ok(())
    }

    fn push_together(&mut self, op: Op, ranks: impl Iterator<Item = usize>) {
        let number = self.executions;
        self.executions += 1;
        for rank in ranks {
            self.scope.push(rank, Event::Together { op, number });
        }
    }

    fn control(&mut self, op: Op, ranks: &[usize]) -> PassResult {
        match Control::of(op) {
            Control::Once => self.region(op, 0, ranks),
            Control::Branch(branch) => self.branch(op, &branch, ranks),
            Control::For {
                lower,
                upper,
                step,
                body,
            } => self.counted_loop(op, [lower, upper, step], body, ranks),
            Control::While(parts) => self.conditional_loop(op, &parts, ranks),
            Control::Affine if self.is_uniform(op) => {
                for index in 0..op.num_regions() {
                    self.evaluator.unbind(op.region(index).flat_map(Block::arguments));
                    self.together(op, ranks, |walk| walk.region(op, index, ranks))?;
                }
                Ok(())
            }
            Control::Affine => Err(self.unequal(op)),
            Control::Unordered => Err(diagnostics::op_error(
                op,
                "issues collectives in iterations without an order; a sequential loop is expected",
            )),
            Control::Unknown => Err(diagnostics::op_error(
                op,
                "issues collectives in a region of which it is not known how often it runs, so one order of collectives \
                 cannot be proved",
            )),
        }
    }

    fn is_uniform(&self, op: Op) -> bool {
        !self.program.uniformity.is_divergent_control_flow(op)
    }

    fn unequal(&self, op: Op) -> crate::mlir::Failed {
        diagnostics::op_error(
            op,
            "issues collectives in a loop or branch that may run unequally often on different ranks",
        )
    }

    /// Checks what `body` issues on its own; it becomes one event of the ranks that issue in it.
    pub(super) fn together(
        &mut self,
        op: Op,
        ranks: &[usize],
        body: impl FnOnce(&mut Self) -> PassResult,
    ) -> PassResult {
        self.spend(op, ranks)?;
        let inner = self.scoped(body)?;
        if inner.traces.is_empty() {
            return Ok(());
        }
        if self.comparing > 0 {
            return Err(diagnostics::op_error(
                op,
                "issues collectives under an unknown condition, nested in one that may differ between ranks; equal \
                 sequences cannot be proved",
            ));
        }
        self.refuse_absent_members(op, &inner, ranks)?;
        inner.check(&mut self.signatures)?;
        self.push_together(op, inner.traces.into_keys());
        Ok(())
    }

    /// Under an unknown condition, ranks may only meet others that come there the same way: whether those that took
    /// another path before meet them elsewhere depends on the condition.
    fn refuse_absent_members(&self, op: Op, inner: &Scope, ranks: &[usize]) -> PassResult {
        if ranks.len() == self.program.uniformity.devices() {
            return Ok(());
        }
        let present: HashSet<usize> = ranks.iter().copied().collect();
        let is_absent = |&&rank: &&i64| usize::try_from(rank).is_ok_and(|rank| !present.contains(&rank));
        for event in inner.traces.values().flatten() {
            if let Event::Issue { op: issue, group } = event
                && let Some(absent) = group.iter().find(is_absent)
            {
                return Err(diagnostics::op_error_with_notes(
                    op,
                    "issues collectives under an unknown condition, with ranks that took another path to here; one order \
                     of collectives cannot be proved",
                    &[(
                        *issue,
                        &format!("among {group:?}, of which rank {absent} took another path"),
                    )],
                ));
            }
        }
        Ok(())
    }

    fn scoped(&mut self, body: impl FnOnce(&mut Self) -> PassResult) -> PassResult<Scope> {
        let outer = mem::take(&mut self.scope);
        let result = body(self);
        let inner = mem::replace(&mut self.scope, outer);
        result.map(|()| inner)
    }

    fn branch(&mut self, op: Op, branch: &Branch, ranks: &[usize]) -> PassResult {
        let lanes = self.evaluator.lanes(branch.condition);
        if let Some(values) = all_known(&lanes, ranks) {
            for index in 0..op.num_regions() {
                let chosen: Vec<usize> = ranks
                    .iter()
                    .zip(&values)
                    .filter(|&(_, &value)| branch.region_for(value) == index)
                    .map(|(&rank, _)| rank)
                    .collect();
                if !chosen.is_empty() {
                    self.region(op, index, &chosen)?;
                }
            }
            return Ok(());
        }
        if self.is_uniform(op) {
            for index in 0..op.num_regions() {
                self.together(op, ranks, |walk| walk.region(op, index, ranks))?;
            }
            return Ok(());
        }
        self.equal_arms(op, op.num_regions(), ranks, |walk, index| {
            walk.region(op, index, ranks)
        })
    }

    /// Checks that all arms of a divergent branch issue the same on every rank.
    pub(super) fn equal_arms(
        &mut self,
        op: Op,
        arms: usize,
        ranks: &[usize],
        mut run: impl FnMut(&mut Self, usize) -> PassResult,
    ) -> PassResult {
        self.comparing += 1;
        let mut first: Option<Scope> = None;
        for index in 0..arms {
            let arm = self.scoped(|walk| run(walk, index))?;
            if let Some(first) = &first {
                for &rank in ranks {
                    self.compare(op, index, first.of_rank(rank), arm.of_rank(rank))?;
                }
            } else {
                first = Some(arm);
            }
        }
        self.comparing -= 1;
        self.scope.append(first.unwrap_or_default());
        Ok(())
    }

    fn compare(&mut self, op: Op, index: usize, first: &[Event], other: &[Event]) -> PassResult {
        let same = first
            .iter()
            .zip(other)
            .take_while(|(a, b)| self.signatures.agree(a, b))
            .count();
        if same == first.len() && same == other.len() {
            return Ok(());
        }
        let notes: Vec<(Op, String)> = [(0, first), (index, other)]
            .into_iter()
            .map(|(arm, events)| match events.get(same) {
                Some(event) => (
                    event.op(),
                    format!("arm {arm} issues this as its collective #{same}"),
                ),
                None => (op, format!("arm {arm} issues no collective #{same}")),
            })
            .collect();
        let borrowed: Vec<(Op, &str)> = notes.iter().map(|(op, text)| (*op, text.as_str())).collect();
        Err(diagnostics::op_error_with_notes(
            op,
            "branches on a value that may differ between ranks to arms that issue different collectives",
            &borrowed,
        ))
    }

    /// Whether ranks must be followed through each iteration of a loop that is the same on all of them.
    fn needs_unrolling(&self, op: Op, ranks: &[usize]) -> bool {
        self.program.is_irregular(op) || self.comparing > 0 || ranks.len() < self.program.uniformity.devices()
    }

    fn counted_loop(&mut self, op: Op, bounds: [Value; 3], body: Block, ranks: &[usize]) -> PassResult {
        let bounds = bounds.map(|value| self.evaluator.lanes(value));
        // Steps are positive, and signed comparison is the default.
        let known = op.attr("unsignedCmp").is_none()
            && bounds.iter().all(|lanes| all_known(lanes, ranks).is_some())
            && ranks.iter().all(|&rank| bounds[2][rank] > Some(0));
        let uniform = self.is_uniform(op);
        if !known && !uniform {
            return Err(self.unequal(op));
        }
        self.evaluator.unbind(body.arguments().chain(op.results()));
        if uniform && !(known && self.needs_unrolling(op, ranks)) {
            return self.together(op, ranks, |walk| walk.block(body, ranks));
        }
        let carried: Vec<Value> = body.arguments().skip(1).collect();
        let initial: Vec<Value> = op.operands().skip(3).collect();
        self.rebind(&initial, &carried, ranks);
        let yielded: Vec<Value> = body.terminator().into_iter().flat_map(Op::operands).collect();
        self.spend_steps(op, iterations(&bounds, ranks))?;
        let mut positions = bounds[0].as_ref().clone();
        let mut active: Vec<usize> = ranks.to_vec();
        loop {
            active.retain(|&rank| positions[rank] < bounds[1][rank]);
            if active.is_empty() {
                break;
            }
            if let Some(counter) = body.arguments().next() {
                self.evaluator
                    .bind(counter, &Lanes::new(positions.clone()), &active);
            }
            self.block(body, &active)?;
            self.rebind(&yielded, &carried, &active);
            for &rank in &active {
                let next = positions[rank]
                    .zip(bounds[2][rank])
                    .and_then(|(at, step)| at.checked_add(step));
                // An overflow is past every bound.
                positions[rank] = Some(next.unwrap_or(i64::MAX));
            }
        }
        let results: Vec<Value> = op.results().collect();
        self.rebind(&carried, &results, ranks);
        Ok(())
    }

    fn conditional_loop(&mut self, op: Op, parts: &While, ranks: &[usize]) -> PassResult {
        let carried: Vec<Value> = parts.before.arguments().collect();
        let inner: Vec<Value> = parts.body.arguments().collect();
        let results: Vec<Value> = op.results().collect();
        let initial: Vec<Value> = op.operands().collect();
        let forget = |walk: &mut Self| {
            walk.evaluator
                .unbind(carried.iter().chain(&inner).chain(&results).copied());
        };
        forget(self);
        self.rebind(&initial, &carried, ranks);
        let uniform = self.is_uniform(op);
        let known = all_known(&self.evaluator.lanes(parts.condition), ranks).is_some();
        if uniform && !(known && self.needs_unrolling(op, ranks)) {
            forget(self);
            for block in [parts.before, parts.body] {
                self.together(op, ranks, |walk| walk.block(block, ranks))?;
            }
            return Ok(());
        }
        let mut active: Vec<usize> = ranks.to_vec();
        while !active.is_empty() {
            self.spend(op, &active)?;
            let condition = self.evaluator.lanes(parts.condition);
            if all_known(&condition, &active).is_none() {
                return Err(self.unequal(op));
            }
            self.block(parts.before, &active)?;
            self.rebind(&parts.forwarded, &results, &active);
            active.retain(|&rank| condition[rank] != Some(0));
            self.rebind(&parts.forwarded, &inner, &active);
            self.block(parts.body, &active)?;
            self.rebind(&parts.next, &carried, &active);
        }
        Ok(())
    }

    /// Binds values to what others are now, all at once.
    pub(super) fn rebind(&mut self, from: &[Value], to: &[Value], ranks: &[usize]) {
        // Memory for a lane of each rank, which the next visit pays for.
        let lanes = from.len().saturating_mul(self.program.uniformity.devices());
        self.steps = self.steps.saturating_add(lanes);
        let lanes: Vec<Lanes> = from.iter().map(|&value| self.evaluator.lanes(value)).collect();
        for (lanes, &value) in lanes.iter().zip(to) {
            self.evaluator.bind(value, lanes, ranks);
        }
    }
}

/// The values of these ranks, if each knows its own.
pub(super) fn all_known(lanes: &Lanes, ranks: &[usize]) -> Option<Vec<i64>> {
    ranks.iter().map(|&rank| lanes[rank]).collect()
}

/// Iterations of a counted loop, summed over ranks.
fn iterations(bounds: &[Lanes; 3], ranks: &[usize]) -> usize {
    let trips = ranks.iter().filter_map(|&rank| {
        let [lower, upper, step] = [0, 1, 2].map(|index| bounds[index][rank].map(i128::from));
        usize::try_from(((upper? - lower?).max(0) + step? - 1) / step?.max(1)).ok()
    });
    trips.fold(0, usize::saturating_add)
}
