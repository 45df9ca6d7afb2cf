// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The figures of a picture in words, alike in text and SVG.

use super::losses::{Loss, Source, Stretch};
use super::model::Picture;
use super::units;

/// How the step divides into computation and, the second part of the line, exposed time.
pub(super) fn step(picture: &Picture<'_>) -> (String, String) {
    let (step, exposed) = (picture.step_ns, picture.exposed_ns());
    let computed = format!(
        "step {} = compute {} + ",
        units::exact_time(step),
        units::exact_time(picture.compute_ns)
    );
    let lost = format!(
        "exposed {} ({})",
        units::exact_time(exposed),
        units::percent(exposed, step)
    );
    (computed, lost)
}

/// How much of the exposed time no gap shows.
pub(super) fn inside(picture: &Picture<'_>) -> Option<String> {
    let holders = picture
        .inside
        .iter()
        .filter(|inside| inside.exposed_ns > 0)
        .count();
    let bars = if holders == 1 { "bar" } else { "bars" };
    (holders > 0).then(|| {
        format!(
            "{} of what is exposed lies inside of {holders} {bars} of loops or branches, whose waits are not drawn",
            units::exact_time(picture.exposed_inside_ns())
        )
    })
}

/// The most live memory.
pub(super) fn peak(picture: &Picture<'_>) -> String {
    let peak = picture.peak();
    let exact = match peak.bytes {
        0..1024 => String::new(),
        bytes => format!(" ({bytes} bytes)"),
    };
    format!(
        "peak memory {}{exact} at {}",
        units::bytes(peak.bytes),
        units::time(peak.at_ns)
    )
}

/// The bound and how far the step is from it; a second line says what it takes for granted, if anything.
pub(super) fn bound(picture: &Picture<'_>) -> Option<(String, Option<String>)> {
    let bound = picture.bound.as_ref()?;
    let above = picture.step_ns.saturating_sub(bound.ns);
    let holders = picture.communicating_inside();
    let of = if holders == 0 { "" } else { " of this block" };
    let claim = format!(
        "no order{of} takes less than {} ({}); gap {}",
        units::exact_time(bound.ns),
        bound.name,
        units::percent(above, bound.ns)
    );
    let what = match holders {
        0 => return Some((claim, None)),
        1 => "1 loop or branch".to_owned(),
        holders => format!("{holders} loops or branches"),
    };
    let condition = format!("as long as what is inside of {what} stays as it is");
    Some((claim, Some(condition)))
}

/// What a stretch is lost to.
pub(super) fn lost_to(picture: &Picture<'_>, stretch: &Stretch) -> String {
    match stretch.source {
        Source::Gap(gap) => picture.name(gap.collective),
        Source::Inside(node) => format!("inside {}", picture.name(node)),
    }
}

/// What a loss came from: numbers, and what limits the collective if one is waited for.
pub(super) fn reason(stretch: &Stretch) -> (String, Option<String>) {
    let gap = match stretch.source {
        Source::Gap(gap) => gap,
        Source::Inside(_) => {
            let length = units::time(stretch.end_ns - stretch.begin_ns);
            return (format!("takes {length}"), None);
        }
    };
    let issued = match gap.lead_ns {
        0 if gap.begin_ns == 0 => "issued as the step begins".to_owned(),
        0 => "issued when needed".to_owned(),
        lead => format!("issued {} before", units::time(lead)),
    };
    let queued = match gap.queued_ns {
        0 => String::new(),
        queued => format!(", queued {}", units::time(queued)),
    };
    let run = format!("runs {}, {issued}{queued}", units::time(gap.runs_ns));
    (run, Some(format!("limited by {}", gap.cause.name())))
}

/// How much was lost where.
pub(super) fn loss(loss: &Loss) -> String {
    let (one, several) = loss.counted;
    let counted = if loss.count == 1 { one } else { several };
    format!("{} in {} {counted}", units::time(loss.ns), loss.count)
}

/// By how much `other` differs from `base`.
pub(super) fn difference(base: &Picture<'_>, other: &Picture<'_>) -> String {
    format!(
        "step {}, exposed {}, peak memory {}",
        units::change(base.step_ns, other.step_ns),
        units::change(base.exposed_ns(), other.exposed_ns()),
        units::change(base.peak().bytes, other.peak().bytes)
    )
}
