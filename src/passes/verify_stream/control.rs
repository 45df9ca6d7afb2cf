// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Calls, branches and loops of a machine.
//!
//! Control flow that issues on streams is followed exactly, or refused. Other control flow runs on one stream and
//! synchronises nothing, so its accesses may be taken together: both arms of a branch, and one round of a loop with numbers
//! that are not known stands for all rounds. A loop of ordinary ops is followed round by round only where it makes views, of
//! which the numbers tell the regions.

use comm_happens::Access;

use super::{
    machine::{Known, Machine},
    world::{is_uniform, not_proved},
};
use crate::{
    control::{Branch, Control, While},
    mlir::{Block, Op, PassResult, Value},
};

/// Rounds up to which a loop of ordinary ops is followed one by one.
const ROUNDS: i64 = 1024;

/// How often a round is repeated until what it hands on no longer changes.
const REPEATS: usize = 4;

impl Machine<'_, '_> {
    pub(super) fn execute_call(&mut self, op: Op, callee: Option<Op>) -> PassResult {
        let Some(callee) = callee.filter(|&function| function.region(0).next().is_some()) else {
            return self.touch_everything(op);
        };
        let arguments: Vec<Known> = op.operands().map(|operand| self.get(operand)).collect();
        let results = self.nested(op, |machine| machine.call(op, callee, arguments))?;
        self.bind(op.results(), &results);
        Ok(())
    }

    /// Executes a function's body, and gives what it returns.
    pub(super) fn call(&mut self, op: Op, function: Op, arguments: Vec<Known>) -> PassResult<Vec<Known>> {
        self.stack_buffers.push(Vec::new());
        let results = self.region(op, function, 0, &arguments)?;
        let ended = self.stack_buffers.pop().unwrap_or_default();
        let end = function
            .region(0)
            .last()
            .and_then(Block::terminator)
            .unwrap_or(op);
        for buffer in &ended {
            self.reachable.remove(buffer);
        }
        self.work(end, ended.into_iter().map(Access::free).collect());
        Ok(results)
    }

    pub(super) fn bind(&mut self, values: impl Iterator<Item = Value>, known: &[Known]) {
        for (index, value) in values.enumerate() {
            self.set(value, known.get(index).cloned().unwrap_or(Known::Nothing));
        }
    }

    /// Executes one region of an op, and gives what its terminator hands on.
    fn region(&mut self, at: Op, op: Op, index: usize, arguments: &[Known]) -> PassResult<Vec<Known>> {
        let mut blocks = op.region(index);
        let Some(block) = blocks.next() else {
            return Ok(Vec::new());
        };
        if blocks.next().is_some() {
            if self.world.program.issues(op) {
                return Err(not_proved(
                    op,
                    "it branches between blocks; structured control flow is expected",
                ));
            }
            self.touch_everything(at)?;
            return Ok(Vec::new());
        }
        self.block(block, arguments)
    }

    fn block(&mut self, block: Block, arguments: &[Known]) -> PassResult<Vec<Known>> {
        self.bind(block.arguments(), arguments);
        for op in block.ops() {
            self.execute(op)?;
        }
        let handed = block
            .terminator()
            .map(|terminator| terminator.operands().collect::<Vec<_>>());
        Ok(handed
            .unwrap_or_default()
            .into_iter()
            .map(|value| self.get(value))
            .collect())
    }

    pub(super) fn control(&mut self, op: Op, control: &Control) -> PassResult {
        let issues = self.world.program.issues(op);
        match control {
            Control::Branch(branch) => self.branch(op, branch, issues),
            Control::For {
                lower,
                upper,
                step,
                body,
            } => self.count(op, [*lower, *upper, *step], *body, issues),
            Control::While(parts) => self.test(op, parts, issues),
            Control::Once => {
                let results = self.region(op, op, 0, &[])?;
                self.bind(op.results(), &results);
                Ok(())
            }
            Control::Affine | Control::Unordered | Control::Unknown if issues => Err(not_proved(
                op,
                "what it runs, and how often, is not followed; scf.for and scf.if are expected around ops that issue",
            )),
            Control::Affine | Control::Unordered | Control::Unknown => {
                for index in 0..op.num_regions() {
                    self.region(op, op, index, &[])?;
                }
                self.bind(op.results(), &[]);
                Ok(())
            }
        }
    }

    fn branch(&mut self, op: Op, branch: &Branch, issues: bool) -> PassResult {
        if let Some(condition) = self.number(branch.condition) {
            let results = self.region(op, op, branch.region_for(condition), &[])?;
            self.bind(op.results(), &results);
            return Ok(());
        }
        if issues {
            return Err(not_proved(
                op,
                &format!(
                    "rank {} does not know its condition, and an arm issues on streams",
                    self.rank
                ),
            ));
        }
        let mut joined: Option<Vec<Known>> = None;
        for index in 0..op.num_regions() {
            let results = self.perhaps(|machine| machine.region(op, op, index, &[]))?;
            joined = Some(match joined {
                None => results,
                Some(before) => before
                    .iter()
                    .zip(&results)
                    .map(|(one, other)| one.join(other))
                    .collect(),
            });
        }
        self.bind(op.results(), &joined.unwrap_or_default());
        Ok(())
    }

    /// `scf.for`.
    fn count(&mut self, op: Op, [lower, upper, step]: [Value; 3], body: Block, issues: bool) -> PassResult {
        let first: Vec<Known> = op.operands().skip(3).map(|value| self.get(value)).collect();
        let bounds = [lower, upper, step].map(|value| self.number(value));
        let rounds = match bounds {
            [Some(lower), Some(upper), Some(step)] => rounds_of(lower, upper, step),
            _ => None,
        };
        let results = match rounds {
            Some(rounds) if issues || rounds <= ROUNDS && makes_views(op) => {
                let mut handed = first;
                for round in 0..rounds {
                    handed = self.round(body, bounds, round, handed)?;
                }
                handed
            }
            None if issues => {
                if ![lower, upper, step].into_iter().all(is_uniform) {
                    return Err(not_proved(
                        op,
                        "it issues on streams, and how often it runs may differ between devices; constants or arguments \
                         marked comm.uniform are expected",
                    ));
                }
                self.unknown_rounds(op, body, bounds, first)?
            }
            _ => self.repeat(body.arguments().len() - 1, first, |machine, handed| {
                let arguments: Vec<Known> = std::iter::once(Known::Nothing).chain(handed).collect();
                machine.block(body, &arguments)
            })?,
        };
        self.bind(op.results(), &results);
        Ok(())
    }

    /// One round of `scf.for`.
    pub(super) fn round(
        &mut self,
        body: Block,
        [lower, _, step]: [Option<i64>; 3],
        round: i64,
        handed: Vec<Known>,
    ) -> PassResult<Vec<Known>> {
        let index = lower
            .zip(step)
            .and_then(|(lower, step)| step.checked_mul(round)?.checked_add(lower));
        let index = index.map_or(Known::Nothing, Known::Number);
        let arguments: Vec<Known> = std::iter::once(index).chain(handed).collect();
        self.block(body, &arguments)
    }

    /// One round for all rounds of a loop that issues nothing: repeated until what is handed on covers what a round makes of
    /// it. What still changes then is not known.
    fn repeat(
        &mut self,
        count: usize,
        first: Vec<Known>,
        mut round: impl FnMut(&mut Self, Vec<Known>) -> PassResult<Vec<Known>>,
    ) -> PassResult<Vec<Known>> {
        self.any_round(|machine| {
            let mut handed = first;
            for _ in 0..REPEATS {
                let next = round(machine, handed.clone())?;
                let joined: Vec<Known> = handed
                    .iter()
                    .zip(&next)
                    .map(|(one, other)| one.join(other))
                    .collect();
                if joined == handed {
                    return Ok(handed);
                }
                handed = joined;
            }
            let unknown = vec![Known::Nothing; count];
            round(machine, unknown.clone())?;
            Ok(unknown)
        })
    }

    /// `scf.while`.
    fn test(&mut self, op: Op, parts: &While, issues: bool) -> PassResult {
        let first: Vec<Known> = op.operands().map(|value| self.get(value)).collect();
        let results = if issues {
            let mut handed = first;
            loop {
                self.block(parts.before, &handed)?;
                let forwarded: Vec<Known> = parts.forwarded.iter().map(|&value| self.get(value)).collect();
                match self.number(parts.condition) {
                    Some(0) => break forwarded,
                    Some(_) => handed = self.block(parts.body, &forwarded)?,
                    None => {
                        return Err(not_proved(
                            op,
                            "it issues on streams, and how often it runs is not known; scf.for is expected",
                        ));
                    }
                }
            }
        } else {
            let mut forwarded: Vec<Known> = Vec::new();
            self.repeat(first.len(), first, |machine, handed| {
                machine.block(parts.before, &handed)?;
                forwarded = parts.forwarded.iter().map(|&value| machine.get(value)).collect();
                machine.block(parts.body, &forwarded)
            })?;
            forwarded
        };
        self.bind(op.results(), &results);
        Ok(())
    }
}

/// How often a loop runs; nothing where its step is not positive.
fn rounds_of(lower: i64, upper: i64, step: i64) -> Option<i64> {
    if step <= 0 {
        return None;
    }
    let distance = upper.checked_sub(lower)?.max(0);
    Some(distance / step + i64::from(distance % step != 0))
}

/// Whether an op makes views in its regions, whose regions depend on numbers, or calls what may.
fn makes_views(op: Op) -> bool {
    op.walk().into_iter().any(|nested| {
        let name = nested.name();
        matches!(
            name,
            "memref.subview" | "memref.reinterpret_cast" | "memref.view" | "func.call"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::rounds_of;

    #[test]
    fn loops_run_as_often_as_there_are_steps_below_the_bound() {
        assert_eq!(rounds_of(0, 7, 2), Some(4));
        assert_eq!(rounds_of(3, 3, 1), Some(0));
        assert_eq!(rounds_of(5, 3, 1), Some(0));
        assert_eq!(rounds_of(0, 3, 0), None);
        assert_eq!(rounds_of(i64::MIN, i64::MAX, 1), None);
    }
}
