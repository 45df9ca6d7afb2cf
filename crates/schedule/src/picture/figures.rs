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

/// What a loss came from, each in words that a table can hold.
pub(super) struct Run {
    /// How long the collective runs, or the bar takes that the loss lies in.
    pub length: String,
    /// When the collective was issued, if one is waited for.
    pub issued: Option<String>,
    /// How long it was queued, if it was.
    pub queued: Option<String>,
    /// What limits it, if one is waited for.
    pub limited_by: Option<&'static str>,
}

/// What a loss came from.
pub(super) fn run(stretch: &Stretch) -> Run {
    let gap = match stretch.source {
        Source::Gap(gap) => gap,
        Source::Inside(_) => {
            return Run {
                length: units::time(stretch.end_ns - stretch.begin_ns),
                issued: None,
                queued: None,
                limited_by: None,
            };
        }
    };
    let issued = match gap.lead_ns {
        0 if gap.begin_ns == 0 => "as the step begins".to_owned(),
        0 => "when needed".to_owned(),
        lead => format!("{} before", units::time(lead)),
    };
    Run {
        length: units::time(gap.runs_ns),
        issued: Some(issued),
        queued: (gap.queued_ns > 0).then(|| units::time(gap.queued_ns)),
        limited_by: Some(gap.cause.name()),
    }
}

/// What a loss came from in a sentence, and what limits the collective if one is waited for.
pub(super) fn reason(stretch: &Stretch) -> (String, Option<String>) {
    let run = run(stretch);
    let Some(issued) = run.issued else {
        return (format!("takes {}", run.length), None);
    };
    let queued = run
        .queued
        .map_or_else(String::new, |queued| format!(", queued {queued}"));
    let limit = run.limited_by.map(|cause| format!("limited by {cause}"));
    (format!("runs {}, issued {issued}{queued}", run.length), limit)
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
