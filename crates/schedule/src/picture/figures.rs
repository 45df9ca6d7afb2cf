// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The figures of a picture in words, alike in text and SVG.

use super::model::{Gap, Picture};
use super::units;

/// How the step divides into computation and exposed time.
pub(super) fn step(picture: &Picture<'_>) -> String {
    let (step, exposed) = (picture.step_ns, picture.exposed_ns());
    format!(
        "step {} = compute {} + exposed {} ({})",
        units::exact_time(step),
        units::exact_time(picture.compute_ns),
        units::exact_time(exposed),
        units::percent(exposed, step)
    )
}

/// The most live memory.
pub(super) fn peak(picture: &Picture<'_>) -> String {
    let peak = picture.peak();
    format!("peak memory {} ({} bytes) at {}", units::bytes(peak.bytes), peak.bytes, units::time(peak.at_ns))
}

/// The bound and how far the step is from it.
pub(super) fn bound(picture: &Picture<'_>) -> Option<String> {
    let bound = picture.bound.as_ref()?;
    let above = picture.step_ns.saturating_sub(bound.ns);
    Some(format!(
        "no order takes less than {} ({}); gap {}",
        units::exact_time(bound.ns),
        bound.name,
        units::percent(above, bound.ns)
    ))
}

/// What a gap came from, as numbers.
pub(super) fn reason(gap: &Gap) -> String {
    let queued = match gap.queued_ns {
        0 => String::new(),
        queued => format!(", queued {}", units::time(queued)),
    };
    format!("runs {}, issued {} before it is needed{queued}", units::time(gap.runs_ns), units::time(gap.lead_ns))
}

/// A line that says by how much `other` differs from `base`.
pub(super) fn difference(base: &Picture<'_>, other: &Picture<'_>) -> String {
    format!(
        "{} against {}: step {}, exposed {}, peak memory {}",
        other.title,
        base.title,
        units::change(base.step_ns, other.step_ns),
        units::change(base.exposed_ns(), other.exposed_ns()),
        units::change(base.peak().bytes, other.peak().bytes)
    )
}
