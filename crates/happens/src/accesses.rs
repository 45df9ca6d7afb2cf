// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The last accesses of a buffer, by region, and the check of a new one against them.
//!
//! An earlier access is dropped once a later one that knows of it covers its region and conflicts with all that it conflicts
//! with: whoever is ordered after the later one is ordered after it too. So a buffer that is swept over again and again keeps
//! as many accesses as it has pieces, times the streams that read them.
//!
//! The index holds accesses in classes of length, by powers of two: of a class only those that begin less than twice the
//! class's least length before the new access can reach into it.

use std::collections::BTreeMap;

use crate::{
    Access, AccessKind, Region, StepId, Stream,
    clock::{Clock, Moment},
};

#[derive(Clone, Debug)]
struct Record {
    region: Region,
    kind: AccessKind,
    moment: Moment,
    step: StepId,
}

/// What a new access and an earlier one are to each other.
pub(crate) struct Conflict {
    pub(crate) earlier: StepId,
    pub(crate) earlier_kind: AccessKind,
    pub(crate) earlier_region: Region,
    /// Whether the earlier one is ordered before; it is a free then.
    pub(crate) ordered: bool,
}

/// See the [module](self) documentation.
#[derive(Debug, Default)]
pub(crate) struct Accesses {
    /// By class of length: accesses by first byte and number of entry.
    classes: BTreeMap<u32, BTreeMap<(i64, u64), Record>>,
    entries: u64,
}

impl Accesses {
    /// Adds an access of a step at the present moment of a stream, and reports the accesses that it conflicts with and is not
    /// ordered after. Returns how many it was compared with.
    pub(crate) fn add(
        &mut self,
        access: &Access,
        step: StepId,
        stream: Stream,
        clock: &Clock,
        mut report: impl FnMut(Conflict),
    ) -> u64 {
        let region = &access.region;
        if region.is_empty() {
            return 0;
        }
        let mut compared = 0;
        let mut covered = Vec::new();
        for (&class, records) in &self.classes {
            // Lengths of the class are below 2^(class + 1).
            let reach = 1_i64.checked_shl(class + 1).unwrap_or(i64::MAX).max(1);
            let from = region.first().saturating_sub(reach);
            for (&key, record) in records.range((from, 0)..(region.end(), 0)) {
                compared += 1;
                let known = clock.knows(record.moment);
                // Memory that was freed is gone, however it is touched.
                let conflicts =
                    record.kind.conflicts_with(access.kind) && (!known || record.kind == AccessKind::Free);
                if conflicts && record.step != step && region.overlaps(&record.region) {
                    report(Conflict {
                        earlier: record.step,
                        earlier_kind: record.kind,
                        earlier_region: record.region.clone(),
                        ordered: known,
                    });
                }
                if known && record.kind.is_covered_by(access.kind) && region.contains(&record.region) {
                    covered.push((class, key));
                }
            }
        }
        for (class, key) in covered {
            if let Some(records) = self.classes.get_mut(&class) {
                records.remove(&key);
            }
        }
        let length = (region.end() - region.first()).max(1);
        self.entries += 1;
        self.classes.entry(length.ilog2()).or_default().insert(
            (region.first(), self.entries),
            Record {
                region: region.clone(),
                kind: access.kind,
                moment: clock.now(stream),
                step,
            },
        );
        compared
    }
}
