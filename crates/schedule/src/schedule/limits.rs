// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The least limit that is kept, for the error that says one is not.
//!
//! A memory limit is answered from the archive, so the least one is the smallest peak in it. Limits in flight hold during
//! the search, so the least is found by searching again under lower and lower ones, each time what the orders just found
//! need, until one is not kept. The source order counts too: where it keeps a limit it is kept itself. Where the exact method answers, that proves the one before to be the least. The number of
//! collectives in flight is looked at alone, bytes in flight under that limit, memory under both.

use super::Search;
use super::archive::Archive;
use super::local::arrangement::Ceiling;
use super::measure::Measure;
use super::options::{Limited, ScheduleError, ScheduleOptions};

/// How often a search is run again, at most. The limit named after that is kept, but a smaller one may be too.
const MOST_SEARCHES: usize = 32;

/// The error for limits that no order in `archive` keeps.
pub(crate) fn not_met(
    search: &Search<'_>,
    archive: &Archive<'_>,
    is_exact: bool,
    options: &ScheduleOptions,
    source: Measure,
) -> ScheduleError {
    let most_in_flight = options.max_in_flight.unwrap_or(u32::MAX);
    let most_bytes = options.max_in_flight_bytes.unwrap_or(u64::MAX);
    let source_keeps = source.in_flight <= most_in_flight && source.in_flight_bytes <= most_bytes;
    let lowest = archive.lowest().map(|(point, _)| point.peak_bytes);
    let lowest = lowest
        .into_iter()
        .chain(source_keeps.then_some(source.peak_bytes))
        .min();
    if let (Some(least), Some(limit)) = (lowest, options.memory_limit) {
        return ScheduleError::LimitNotMet {
            limited: Limited::Memory,
            limit,
            least,
            proved: is_exact,
        };
    }
    let free = Ceiling {
        bytes: u64::MAX,
        in_flight: u32::MAX,
        in_flight_bytes: u64::MAX,
    };
    if let Some(limit) = options.max_in_flight.map(u64::from) {
        let under = |limit: u64| Ceiling {
            in_flight: u32::try_from(limit).unwrap_or(u32::MAX),
            ..free
        };
        // Without a limit on bytes, `archive` has answered that already.
        let is_missed =
            options.max_in_flight_bytes.is_none() || search.archive(under(limit)).0.lowest().is_none();
        if is_missed {
            let (least, proved) = least(search, under, |archive| u64::from(archive.least_in_flight));
            let least = least.min(u64::from(source.in_flight));
            return ScheduleError::LimitNotMet {
                limited: Limited::InFlight,
                limit,
                least,
                proved,
            };
        }
    }
    let under = |limit: u64| Ceiling {
        in_flight: most_in_flight,
        in_flight_bytes: limit,
        ..free
    };
    let (mut least, proved) = least(search, under, |archive| archive.least_in_flight_bytes);
    if source.in_flight <= most_in_flight {
        least = least.min(source.in_flight_bytes);
    }
    ScheduleError::LimitNotMet {
        limited: Limited::InFlightBytes,
        limit: most_bytes,
        least,
        proved,
    }
}

/// The least limit that a search keeps while none keeps the next smaller one, and whether that is proved. `needs` is what
/// the orders in an archive need at least.
fn least(
    search: &Search<'_>,
    under: impl Fn(u64) -> Ceiling,
    needs: impl Fn(&Archive<'_>) -> u64,
) -> (u64, bool) {
    let is_kept = |limit: u64| search.archive(under(limit)).0.lowest().is_some();
    // Without a limit every search finds something.
    let mut least = u64::MAX;
    let mut found = search.archive(under(least)).0;
    for _ in 0..MOST_SEARCHES {
        // An order found under a higher limit may not be found under its own.
        let need = needs(&found);
        if need < least && is_kept(need) {
            least = need;
        }
        let (below, is_exact, _) = search.archive(under(least - 1));
        if below.lowest().is_none() {
            return (least, is_exact);
        }
        least -= 1;
        found = below;
    }
    (least, false)
}
