// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-schedule`: least step time by the timing model of `comm_schedule`, then least memory, block by block.
//!
//! Before it, futures are awaited exactly once on every path (checked first). After it, each block holds the same ops in
//! an order that keeps every dependence, effects included, and no limit is exceeded, also not where blocks are nested. On
//! failure the function is as it was.
//!
//! The pass decides nothing itself: it builds a problem with durations and links of every block that communicates, asks
//! the scheduler, and applies its answer. Inner blocks come first, since their times are part of the outer ones'. Calls are
//! leaves: a pass on functions must not look into others, which other threads may be changing.

mod across;
mod around;
mod as_it_stands;
mod attempt;
mod regions;
mod report;
mod trip_count;

use std::path::Path;

use comm_schedule::{Limited, Machine, MachineError, Profile, ScheduleError};

use super::{ScheduleOptions, not_imported, obstacles, verify_futures};
use crate::{
    cost::Costs,
    diagnostics,
    groups::Streams,
    mlir::{Failed, Op, PassResult},
    uniform,
};
pub(crate) use as_it_stands::{problems as problems_as_they_stand, problems_with_collectives};
pub(super) use report::time;

use across::Across;
use around::Around;
use attempt::{Attempt, Refused, Subject};

/// Runs the pass on a function.
pub(super) fn run(function: Op, options: &ScheduleOptions) -> PassResult {
    verify_futures::check(function)?;
    let ops = function.walk();
    let communicating = regions::communicating(&ops);
    not_imported::report(function, "comm-schedule");
    if communicating.is_empty() {
        return Ok(());
    }
    let costs = load(&options.machine, options.profile.as_deref())
        .map_err(|error| diagnostics::error(function.location(), &format!("comm-schedule: {error}")))?;
    let across = Across::new(&ops, &communicating);
    let around = if options.max_in_flight > 0 || options.max_in_flight_bytes > 0 {
        refuse_futures(&across)?;
        Around::new(&ops, &communicating, &mut Streams::default())?
    } else {
        Around::default()
    };
    let is_nested = communicating.len() > 1;
    let subject = Subject {
        function,
        ops,
        communicating,
        around,
        across,
        is_divergent: uniform::divergence(function),
        costs,
        options,
    };
    let mut attempt = tried(&subject, false)?;
    if is_nested
        && attempt
            .refused
            .iter()
            .any(|refused| refused.limited == Limited::Memory)
    {
        attempt.restore();
        attempt = tried(&subject, true)?;
    }
    if !attempt.refused.is_empty() {
        attempt.restore();
        return Err(refuse(&attempt.refused, options));
    }
    report::report(&attempt, &subject);
    Ok(())
}

/// Fails where a collective is in flight from block to block, which the limits in flight of the blocks do not see.
fn refuse_futures(across: &Across) -> PassResult {
    let mut result = Ok(());
    for start in across.futures() {
        result = Err(diagnostics::op_error(
            *start,
            "is awaited in another block, where no limit in flight can be kept; comm-schedule with such a limit expects \
             every wait in the block of its start",
        ));
    }
    result
}

/// An attempt that has not failed, though it may have refused a limit.
fn tried<'a, D: Fn(Op) -> bool>(subject: &'a Subject<'a, D>, is_frugal: bool) -> PassResult<Attempt<'a, D>> {
    let mut attempt = Attempt::new(subject, is_frugal);
    match attempt.run() {
        Ok(()) => Ok(attempt),
        Err(failed) => {
            attempt.restore();
            Err(failed)
        }
    }
}

/// Costs by a machine and a profile, as options name them.
pub(super) fn load(machine: &str, profile: Option<&Path>) -> Result<Costs, MachineError> {
    let machine = Machine::load(machine)?;
    let profile = profile
        .map(|path| Profile::load(&path.to_string_lossy()))
        .transpose()?;
    Ok(Costs::new(machine, profile))
}

/// Says of each limit that cannot be kept what can, at the block that needs most.
fn refuse(refused: &[Refused], options: &ScheduleOptions) -> Failed {
    for (limited, limit) in [
        (Limited::Memory, options.memory_limit.unwrap_or(0)),
        (Limited::InFlight, u64::from(options.max_in_flight)),
        (Limited::InFlightBytes, options.max_in_flight_bytes),
    ] {
        let of_kind = refused.iter().filter(|refused| refused.limited == limited);
        // Of several that need as much, the outermost.
        if let Some(most) = of_kind.max_by_key(|refused| (refused.least, refused.proved)) {
            let error = ScheduleError::LimitNotMet {
                limited,
                limit,
                least: most.least,
                proved: most.proved,
            };
            diagnostics::error(most.at.location(), &format!("comm-schedule: {error}"));
        }
    }
    Failed
}
