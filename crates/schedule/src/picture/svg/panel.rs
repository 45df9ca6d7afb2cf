// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! One picture: heading, rows, memory, axis and table, from top to bottom.

use super::notes::Notes;
use super::shapes::{columns, line, rectangle, text_width, titled, words};
use super::{Scale, SvgOptions, memory, table};
use crate::node::{Kind, NodeId};
use crate::picture::category::Category;
use crate::picture::label::cut;
use crate::picture::losses::{self, Stretch};
use crate::picture::merge::{self, Mark};
use crate::picture::model::{Lane, Picture};
use crate::picture::{figures, units};
use svg::node::element::{Group, TSpan};

const COMPUTE_HEIGHT: f64 = 40.0;
const STREAM_HEIGHT: f64 = 24.0;
const ROW_GAP: f64 = 6.0;
const FONT: f64 = 10.5;

/// How much room the names of streams take.
pub(super) fn gutter(pictures: &[Picture<'_>]) -> f64 {
    let mut width = 0f64;
    for picture in pictures {
        for (index, lane) in picture.lanes.iter().enumerate() {
            let note = text_width(&note(picture, index), FONT);
            width = width.max(text_width(&lane.title, 12.0)).max(note);
        }
    }
    width + 24.0
}

/// What stands below the name of a stream: for how much of the step it is busy. Computation is not in what is exposed inside
/// of its bars, and a stream need not be all the time in which an op with regions holds it.
fn note(picture: &Picture<'_>, index: usize) -> String {
    let lane = &picture.lanes[index];
    let length = |is_held: bool| -> u64 {
        let bars = lane.bars.iter();
        let of_kind = bars.filter(|bar| (bar.category == Category::Occupied) == is_held);
        of_kind.map(|bar| bar.end_ns - bar.begin_ns).sum()
    };
    let busy_ns = if index == 0 {
        picture.compute_ns
    } else {
        length(false)
    };
    let mut note = format!("{} busy", units::percent(busy_ns, picture.step_ns));
    if let held_ns @ 1.. = length(true) {
        note.push_str(&format!(", {} held", units::percent(held_ns, picture.step_ns)));
    }
    match &lane.link {
        Some(link) => format!("link {link}, {note}"),
        None => note,
    }
}

/// One picture on its way to the page.
pub(super) struct Panel<'a> {
    picture: &'a Picture<'a>,
    scale: Scale,
    options: &'a SvgOptions,
    base: Option<&'a Picture<'a>>,
}

impl<'a> Panel<'a> {
    /// `base`: the first picture of several, when this is another one.
    pub fn new(
        picture: &'a Picture<'a>,
        scale: Scale,
        options: &'a SvgOptions,
        base: Option<&'a Picture<'a>>,
    ) -> Self {
        Panel {
            picture,
            scale,
            options,
            base,
        }
    }

    /// Draws from `top` on and says how high the panel is.
    pub fn draw(&self, body: Group, top: f64) -> (Group, f64) {
        let (mut body, mut y) = self.heading(body, top);
        let notes = Notes::new(self.picture, &self.scale, self.options.gaps);
        let rows_top = y + notes.height();
        let rows_end = rows_top + self.rows_height();
        let memory_top = rows_end + 10.0;
        let axis_y = memory_top + memory::HEIGHT;
        body = self.frame(body, rows_top, memory_top, axis_y);
        body = self.tints(body, rows_top, axis_y);
        body = self.rows(body, rows_top);
        body = memory::draw(body, self.picture, &self.scale, memory_top);
        body = self.marks_of_step(body, rows_top, axis_y);
        body = notes.draw(body, y, rows_top);
        y = axis_y + 40.0;
        let (body, height) = table::draw(body, self.picture, &self.scale, self.options, y);
        (body, y + height - top)
    }

    fn heading(&self, body: Group, top: f64) -> (Group, f64) {
        let width = self.scale.right;
        let title = cut(&self.picture.title, columns(width, 15.0));
        let mut y = top + 8.0;
        let mut body = body.add(words(16.0, y, "h", &title));
        y += 20.0;
        let (computed, lost) = figures::step(self.picture);
        body = body.add(words(16.0, y, "b", &computed).add(TSpan::new(lost).set("class", "x")));
        y += 17.0;
        if let Some(inside) = figures::inside(self.picture) {
            body = body.add(words(16.0, y, "m", &inside));
            y += 17.0;
        }
        let mut line = figures::peak(self.picture);
        if let Some((bound, condition)) = figures::bound(self.picture) {
            line = format!("{line}   ·   {bound}");
            if let Some(condition) = condition {
                line = format!("{line}, {condition}");
            }
        }
        body = body.add(words(16.0, y, "m", &line));
        (body, y + 10.0)
    }

    fn rows_height(&self) -> f64 {
        COMPUTE_HEIGHT + (self.picture.lanes.len() - 1) as f64 * (STREAM_HEIGHT + ROW_GAP)
    }

    /// Where a row stands and how high it is.
    fn row(&self, lane: usize, rows_top: f64) -> (f64, f64) {
        match lane {
            0 => (rows_top, COMPUTE_HEIGHT),
            _ => (
                rows_top + COMPUTE_HEIGHT + ROW_GAP + (lane - 1) as f64 * (STREAM_HEIGHT + ROW_GAP),
                STREAM_HEIGHT,
            ),
        }
    }

    /// Rows without bars, grid and axis.
    fn frame(&self, mut body: Group, rows_top: f64, memory_top: f64, axis_y: f64) -> Group {
        let Scale { left, right, .. } = self.scale;
        let width = right - left;
        let end = self.scale.x(self.picture.step_ns) - left;
        for (index, lane) in self.picture.lanes.iter().enumerate() {
            let (y, height) = self.row(index, rows_top);
            let middle = y + height / 2.0 + 4.0;
            let note = note(self.picture, index);
            body = body
                .add(rectangle("row", left, y, end, height))
                .add(words(
                    16.0,
                    middle - 6.0,
                    "b",
                    &cut(&lane.title, columns(left - 24.0, 12.0)),
                ))
                .add(words(
                    16.0,
                    middle + 6.0,
                    "m n",
                    &cut(&note, columns(left - 24.0, FONT)),
                ));
        }
        body = body.add(rectangle("row", left, memory_top, end, memory::HEIGHT));
        for tick in units::time_ticks(self.scale.end_ns, (width / 90.0) as usize) {
            let x = self.scale.x(tick.at);
            body = body.add(line("grid", (x, rows_top), (x, axis_y + 4.0)));
            // The end of the step is labelled too, and matters more.
            let half = text_width(&tick.label, 12.0) / 2.0;
            let (from, to) = self.end_label();
            if x + half < from || x - half > to {
                body = body.add(words(x, axis_y + 16.0, "m k", &tick.label));
            }
        }
        body
    }

    /// A tint from what was lost down to what it was lost to.
    fn tints(&self, mut body: Group, rows_top: f64, axis_y: f64) -> Group {
        for mark in self.gap_marks() {
            let (x, width) = self.place(&mark);
            if width >= 1.0 {
                body = body.add(rectangle("t", x, rows_top, width, axis_y - rows_top));
            }
        }
        body
    }

    fn rows(&self, mut body: Group, rows_top: f64) -> Group {
        for (index, lane) in self.picture.lanes.iter().enumerate() {
            let (y, height) = self.row(index, rows_top);
            for mark in merge::bars(&lane.bars, self.scale.pixel_ns()) {
                body = self.bar(body, lane, &mark, y, height);
            }
        }
        for mark in self.gap_marks() {
            let (x, width) = self.place(&mark);
            let class = if width < 4.0 { "l1" } else { "l" };
            body = body.add(titled(
                class,
                (x, rows_top, width, COMPUTE_HEIGHT),
                self.tooltip_of_gap(&mark),
            ));
        }
        self.late(body, rows_top)
    }

    fn bar(&self, body: Group, lane: &Lane, mark: &Mark, y: f64, height: f64) -> Group {
        let x = self.scale.x(mark.begin_ns);
        let width = self.scale.x(mark.end_ns) - x;
        // A hair between bars that are wide enough to show it.
        let shown = if width > 3.0 { width - 0.6 } else { width.max(0.3) };
        let place = (x, y, shown, height);
        let body = body.add(titled(
            mark.category.class(),
            place,
            self.tooltip_of_bar(lane, mark),
        ));
        let (body, lost) = self.hatched_part(body, lane, mark, place);
        let fits = columns(width - 6.0, FONT);
        if mark.count > 1 || fits < 4 {
            return body;
        }
        let name = self.picture.name(lane.bars[mark.first].node);
        let shown = cut(&name, fits);
        // A stump of a name tells nothing.
        if shown != name && fits < 8 {
            return body;
        }
        let class = if lost { "w n" } else { "n" };
        body.add(words(x + 3.0, y + height / 2.0 + 4.0, class, &shown))
    }

    /// Of bars that hold exposed time inside, so much is hatched, from below: where in the bar it lies is not known.
    fn hatched_part(
        &self,
        body: Group,
        lane: &Lane,
        mark: &Mark,
        place: (f64, f64, f64, f64),
    ) -> (Group, bool) {
        let bars = lane.bars[mark.first..mark.first + mark.count].iter();
        let inside: Vec<Stretch> = bars.filter_map(|bar| losses::inside(self.picture, bar)).collect();
        let lost_ns: u64 = inside.iter().map(|stretch| stretch.ns).sum();
        if lost_ns == 0 {
            return (body, false);
        }
        let (x, y, width, height) = place;
        let lost = height * lost_ns as f64 / mark.busy_ns as f64;
        let title = match inside[..] {
            [only] => self.tooltip_of_stretch(&only),
            _ => format!(
                "together {} exposed inside of {} bars",
                units::time(lost_ns),
                inside.len()
            ),
        };
        let class = if width < 4.0 { "l1" } else { "l" };
        let body = body.add(titled(class, (x, y + height - lost, width, lost), title));
        (body, true)
    }

    /// The part of each collective that computation waits for is underlined.
    fn late(&self, mut body: Group, rows_top: f64) -> Group {
        for (index, lane) in self.picture.lanes.iter().enumerate().skip(1) {
            let (y, height) = self.row(index, rows_top);
            let mut gaps = self.picture.gaps.iter().peekable();
            for bar in &lane.bars {
                while gaps.next_if(|gap| gap.end_ns <= bar.begin_ns).is_some() {}
                let Some(gap) = gaps.peek().filter(|gap| gap.collective == bar.node) else {
                    continue;
                };
                let x = self.scale.x(gap.begin_ns.max(bar.begin_ns));
                let width = self.scale.x(gap.end_ns.min(bar.end_ns)) - x;
                if width >= 0.5 {
                    body = body.add(rectangle("late", x, y + height - 3.0, width, 3.0));
                }
            }
        }
        body
    }

    /// The end of the step, the bound, and the end of the picture that this one is compared with.
    fn marks_of_step(&self, mut body: Group, rows_top: f64, axis_y: f64) -> Group {
        let step_ns = self.picture.step_ns;
        let x = self.scale.x(step_ns);
        body = body
            .add(line("end", (x, rows_top - 4.0), (x, axis_y + 5.0)))
            .add(words(self.end_label().1, axis_y + 17.0, "b e", &self.end_text()));
        if let Some(bound) = &self.picture.bound
            && bound.ns <= self.scale.end_ns
        {
            let x = self.scale.x(bound.ns);
            let label = format!("{}: {}", bound.name, units::time(bound.ns));
            body = body
                .add(line("bound", (x, rows_top - 4.0), (x, axis_y)))
                .add(words(x - 4.0, axis_y - 5.0, "bt b e n", &label));
        }
        if let Some(base) = self.base.filter(|base| base.step_ns != step_ns) {
            let (word, ns) = match base.step_ns > step_ns {
                true => ("less", base.step_ns - step_ns),
                false => ("more", step_ns - base.step_ns),
            };
            let label = format!(
                "{} {word} ({})",
                units::time(ns),
                units::change(base.step_ns, step_ns)
            );
            let (end, y) = (self.scale.x(base.step_ns), axis_y - memory::HEIGHT - 5.0);
            body = body
                .add(line("base", (end, rows_top - 4.0), (end, axis_y)))
                .add(line("end", (x, y), (end, y)))
                .add(words(x.max(end), y + 16.0, "b e", &label));
        }
        body
    }

    fn end_text(&self) -> String {
        format!("end {}", units::exact_time(self.picture.step_ns))
    }

    /// From where to where the label of the end of the step goes: in the middle below it, where there is room.
    fn end_label(&self) -> (f64, f64) {
        let width = text_width(&self.end_text(), 12.0) + 6.0;
        let right = (self.scale.x(self.picture.step_ns) + width / 2.0).min(self.scale.right);
        (right - width, right)
    }

    fn gap_marks(&self) -> Vec<Mark> {
        let problem = self.picture.problem;
        merge::gaps(&self.picture.gaps, self.scale.pixel_ns(), |node| {
            Category::of(problem, node)
        })
    }

    /// Merged gaps are drawn as wide as they are together, lest little losses look like much.
    fn place(&self, mark: &Mark) -> (f64, f64) {
        let x = self.scale.x(mark.begin_ns);
        let width = self.scale.x(mark.begin_ns + mark.busy_ns) - x;
        (x, width)
    }

    fn tooltip_of_gap(&self, mark: &Mark) -> String {
        let lost = units::time(mark.busy_ns);
        let from = units::exact_time(mark.begin_ns);
        if mark.count > 1 {
            return format!("{} waits, together {lost} exposed, from {from} on", mark.count);
        }
        self.tooltip_of_stretch(&losses::of_gap(&self.picture.gaps[mark.first]))
    }

    fn tooltip_of_stretch(&self, stretch: &Stretch) -> String {
        let (lost, from) = (units::time(stretch.ns), units::exact_time(stretch.begin_ns));
        let to = figures::lost_to(self.picture, stretch);
        match figures::reason(stretch) {
            (run, Some(limit)) => {
                format!("{lost} exposed from {from} on, waiting for {to}\nwhich {run}\n{limit}")
            }
            (run, None) => format!("{lost} exposed {to}, which {run} from {from} on"),
        }
    }

    fn tooltip_of_bar(&self, lane: &Lane, mark: &Mark) -> String {
        let node = lane.bars[mark.first].node;
        let name = self.picture.name(node);
        let busy = units::time(mark.busy_ns);
        let (from, to) = (units::exact_time(mark.begin_ns), units::exact_time(mark.end_ns));
        if mark.count > 1 {
            return format!(
                "{} nodes from {name} on, together {busy}, {from} to {to}",
                mark.count
            );
        }
        let category = mark.category.name();
        format!("{name}\n{category}, {busy}, {from} to {to}{}", self.details(node))
    }

    fn details(&self, node: NodeId) -> String {
        let problem = self.picture.problem;
        let mut details = match problem.bytes(node) {
            0 => String::new(),
            bytes => format!("\nresult {}", units::bytes(bytes)),
        };
        if let Some(inside) = self.picture.inside_of(node) {
            details.push_str(&format!(
                "\ninside: {} exposed, peak memory {}",
                units::exact_time(inside.exposed_ns),
                units::bytes(inside.peak_bytes)
            ));
        }
        if problem.kind(node) != Kind::Compute {
            details.push_str(&format!(
                "\nissued at {}",
                units::exact_time(self.picture.issued_ns[node.index()])
            ));
        }
        details
    }
}
