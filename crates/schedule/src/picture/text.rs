// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Pictures as text for a terminal.
//!
//! Time runs to the right; a column stands for an equal part of the step, however many nodes there are. Streams are rows;
//! a letter says what fills most of a column. Below computation stands what it lost: a digit for each of the longest
//! losses, which the list at the end explains, and `!` for others. A node that holds lost time inside is paler by that
//! share. O(n + nodes x log nodes + columns x streams).

use super::category::Category;
use super::figures;
use super::label::{cut, fill};
use super::losses::{self, Stretch};
use super::model::Picture;
use super::units;
use unicode_width::UnicodeWidthStr;

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextOptions {
    /// Columns of the terminal, or the nearest number from [`LEAST_WIDTH`](Self::LEAST_WIDTH) to
    /// [`MOST_WIDTH`](Self::MOST_WIDTH).
    pub width: usize,
    /// No characters but ASCII; others become `?`, and `~` stands where a name was cut.
    pub ascii: bool,
    /// With the escape sequences for colours that terminals know.
    pub colour: bool,
    /// How many losses to list for each picture.
    pub gaps: usize,
}

impl TextOptions {
    /// The fewest columns that a picture fits in.
    pub const LEAST_WIDTH: usize = 40;
    /// The most columns; a terminal has fewer by far.
    pub const MOST_WIDTH: usize = 10_000;
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            width: 100,
            ascii: false,
            colour: false,
            gaps: 9,
        }
    }
}

const MOST_TITLE: usize = 18;
const SPARKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_SPARKS: [char; 9] = [' ', '.', ':', '-', '=', '+', '*', '%', '#'];

/// All pictures, one below another, on one time scale; with the differences to the first when there are several.
pub fn text(pictures: &[Picture<'_>], options: &TextOptions) -> String {
    let width = options
        .width
        .clamp(TextOptions::LEAST_WIDTH, TextOptions::MOST_WIDTH);
    let titles = pictures.iter().flat_map(|picture| &picture.lanes).map(lane_title);
    let title_width = titles.map(|title| title.width()).max().unwrap_or(0);
    let gutter = title_width.clamp(7, MOST_TITLE) + 3;
    let scale = Scale {
        end_ns: pictures
            .iter()
            .map(|picture| picture.step_ns)
            .max()
            .unwrap_or(0)
            .max(1),
        columns: width - gutter,
    };
    let most_bytes = pictures
        .iter()
        .map(|picture| picture.peak().bytes)
        .max()
        .unwrap_or(0);
    let mut out = Writer {
        out: String::new(),
        options,
        gutter,
        width,
        scale,
    };
    for (index, picture) in pictures.iter().enumerate() {
        if index > 0 {
            out.line("");
        }
        out.picture(picture, most_bytes);
    }
    if let [first, others @ ..] = pictures
        && !others.is_empty()
    {
        out.line("");
        for other in others {
            let titles = format!("{} against {}:", other.title, first.title);
            out.line(&out.name(&titles, width));
            out.line(&format!("  {}", figures::difference(first, other)));
        }
    }
    out.out
}

fn lane_title(lane: &super::Lane) -> String {
    match &lane.link {
        Some(link) => format!("{} ({link})", lane.title),
        None => lane.title.clone(),
    }
}

/// Columns of equal time.
#[derive(Clone, Copy)]
struct Scale {
    end_ns: u64,
    columns: usize,
}

impl Scale {
    fn column(&self, at_ns: u64) -> usize {
        let column = u128::from(at_ns) * self.columns as u128 / u128::from(self.end_ns);
        (column as usize).min(self.columns - 1)
    }

    fn begin(&self, column: usize) -> u64 {
        (u128::from(self.end_ns) * column as u128 / self.columns as u128) as u64
    }

    /// The columns that a stretch touches, with the time it fills of each.
    fn parts(self, begin_ns: u64, end_ns: u64) -> impl Iterator<Item = (usize, u64)> {
        (self.column(begin_ns)..=self.column(end_ns)).map(move |column| {
            let from = self.begin(column).max(begin_ns);
            let to = self.begin(column + 1).min(end_ns);
            (column, to.saturating_sub(from))
        })
    }

    fn column_ns(&self, column: usize) -> u64 {
        self.begin(column + 1) - self.begin(column)
    }
}

struct Writer<'a> {
    out: String,
    options: &'a TextOptions,
    gutter: usize,
    width: usize,
    scale: Scale,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// A name in at most so many columns.
    fn name(&self, name: &str, columns: usize) -> String {
        if !self.options.ascii {
            return cut(name, columns);
        }
        let plain: String = name
            .chars()
            .map(|character| if character.is_ascii() { character } else { '?' })
            .collect();
        cut(&plain, columns).replace('…', "~")
    }

    fn row(&mut self, title: &str, cells: &[char], colour: &str) {
        let title = fill(&self.name(title, self.gutter - 3), self.gutter - 3);
        let cells: String = cells.iter().collect();
        let cells = cells.trim_end();
        let (on, off) = if self.options.colour && !cells.is_empty() {
            (colour, "\u{1b}[0m")
        } else {
            ("", "")
        };
        self.line(&format!("  {title} {on}{cells}{off}"));
    }

    fn picture(&mut self, picture: &Picture<'_>, most_bytes: u64) {
        self.line(&self.name(&picture.title, self.width));
        let (computed, lost) = figures::step(picture);
        self.line(&format!("  {computed}{lost}"));
        if let Some(inside) = figures::inside(picture) {
            self.line(&format!("  {inside}"));
        }
        self.line(&format!("  {}", figures::peak(picture)));
        if let Some((bound, condition)) = figures::bound(picture) {
            for line in [bound].into_iter().chain(condition) {
                self.line(&format!("  {line}"));
            }
        }
        if picture.step_ns == 0 {
            self.line("  nothing in it takes time");
            return;
        }
        self.line("");
        let worst = losses::worst(picture);
        self.axis();
        for (index, lane) in picture.lanes.iter().enumerate() {
            let cells = self.lane(picture, lane);
            let title = lane_title(lane);
            self.row(
                &title,
                &cells,
                if index == 0 { "\u{1b}[90m" } else { "\u{1b}[36m" },
            );
            if index == 0 {
                let cells = self.exposed(&worst);
                self.row("exposed", &cells, "\u{1b}[1;31m");
            }
        }
        let cells = self.memory(picture, most_bytes);
        self.row("memory", &cells, "\u{1b}[34m");
        self.line("");
        self.legend(picture);
        self.list(picture, &worst);
    }

    fn axis(&mut self) {
        let mut labels = vec![' '; self.scale.columns];
        let mut marks = labels.clone();
        for tick in units::time_ticks(self.scale.end_ns, self.scale.columns / 14) {
            let column = self.scale.column(tick.at);
            marks[column] = '|';
            if column + tick.label.len() <= labels.len() {
                for (cell, character) in labels[column..].iter_mut().zip(tick.label.chars()) {
                    *cell = character;
                }
            }
        }
        self.row("", &labels, "");
        self.row("", &marks, "");
    }

    fn lane(&self, picture: &Picture<'_>, lane: &super::Lane) -> Vec<char> {
        let mut filled = vec![[0u64; Category::ALL.len()]; self.scale.columns];
        for bar in &lane.bars {
            let inside = losses::inside(picture, bar);
            for (column, ns) in self.scale.parts(bar.begin_ns, bar.end_ns) {
                let lost = inside.as_ref().map_or(0, |inside| inside.lost_of(ns));
                filled[column][bar.category.index()] += ns - lost;
            }
        }
        let blocks = if self.options.ascii {
            ['#', '+', '-']
        } else {
            ['█', '▓', '░']
        };
        let cell = |(column, filled): (usize, &[u64; Category::ALL.len()])| {
            let busy: u64 = filled.iter().sum();
            let whole = self.scale.column_ns(column);
            let most = Category::ALL
                .into_iter()
                .rev()
                .max_by_key(|category| filled[category.index()]);
            match most {
                _ if busy == 0 => ' ',
                Some(Category::Compute) if busy * 8 > whole * 7 => blocks[0],
                Some(Category::Compute) if busy * 2 > whole => blocks[1],
                Some(Category::Compute) => blocks[2],
                _ if busy * 4 < whole => '.',
                most => most.map_or(' ', Category::letter),
            }
        };
        filled.iter().enumerate().map(cell).collect()
    }

    fn exposed(&self, worst: &[Stretch]) -> Vec<char> {
        let mut lost = vec![0u64; self.scale.columns];
        for stretch in worst {
            for (column, ns) in self.scale.parts(stretch.begin_ns, stretch.end_ns) {
                lost[column] += stretch.lost_of(ns);
            }
        }
        let cell = |(column, &ns): (usize, &u64)| match self.scale.column_ns(column) {
            _ if ns == 0 => ' ',
            whole if ns * 4 >= whole => '!',
            _ => '.',
        };
        let mut cells: Vec<_> = lost.iter().enumerate().map(cell).collect();
        // The longest last, so that it is seen where several share a column.
        for (rank, stretch) in worst.iter().enumerate().take(self.options.gaps.min(9)).rev() {
            let digit = char::from(b'1' + rank as u8);
            let first = self.scale.column(stretch.begin_ns);
            for (column, ns) in self.scale.parts(stretch.begin_ns, stretch.end_ns) {
                if column == first || stretch.lost_of(ns) * 2 >= self.scale.column_ns(column) {
                    cells[column] = digit;
                }
            }
        }
        cells
    }

    fn memory(&self, picture: &Picture<'_>, most_bytes: u64) -> Vec<char> {
        let mut most = vec![0u64; self.scale.columns];
        let ends = picture
            .memory
            .iter()
            .skip(1)
            .map(|step| step.at_ns)
            .chain([picture.step_ns]);
        for (step, end_ns) in picture.memory.iter().zip(ends) {
            for cell in &mut most[self.scale.column(step.at_ns)..=self.scale.column(end_ns)] {
                *cell = (*cell).max(step.bytes);
            }
        }
        let sparks = if self.options.ascii { ASCII_SPARKS } else { SPARKS };
        let level = |bytes: u64| (u128::from(bytes) * 8).div_ceil(u128::from(most_bytes.max(1))) as usize;
        most.iter().map(|&bytes| sparks[level(bytes)]).collect()
    }

    fn legend(&mut self, picture: &Picture<'_>) {
        let bars = || picture.lanes.iter().flat_map(|lane| &lane.bars);
        let shown = Category::ALL
            .into_iter()
            .skip(1)
            .filter(|category| bars().any(|bar| bar.category == *category));
        let lost = "1 ! . exposed: nothing is computed".to_owned();
        let shown = shown.map(|category| format!("{} {}", category.letter(), category.name()));
        let mut line = String::new();
        for item in [lost].into_iter().chain(shown) {
            if line.len() + item.len() + 3 > self.width {
                self.line(&line);
                line.clear();
            }
            line.push_str(if line.is_empty() { "  " } else { "   " });
            line.push_str(&item);
        }
        self.line(&line);
    }

    /// A row of the list: as much on each line as fits.
    fn item(&mut self, mut line: String, details: [Option<String>; 2]) {
        let separators = [": ", "; "];
        for (detail, separator) in details.into_iter().flatten().zip(separators) {
            if line.width() + detail.width() + separator.len() <= self.width {
                line.push_str(separator);
            } else {
                self.line(&line);
                line = format!("  {:>14}  ", "");
            }
            line.push_str(&detail);
        }
        self.line(&line);
    }

    fn list(&mut self, picture: &Picture<'_>, worst: &[Stretch]) {
        if worst.is_empty() {
            self.line("  nothing is exposed");
            return;
        }
        let listed = &worst[..worst.len().min(self.options.gaps)];
        let name_width = (self.width - 34).min(44);
        self.line("");
        self.line(&format!("  {:>14}  {}", "exposed", "waiting for"));
        for (rank, stretch) in listed.iter().enumerate() {
            let name = self.name(&figures::lost_to(picture, stretch), name_width);
            let (ns, at) = (units::time(stretch.ns), units::time(stretch.begin_ns));
            let what = format!("  {:>3} {ns:>10}  {name} at {at}", rank + 1);
            let (run, limit) = figures::reason(stretch);
            self.item(what, [Some(run), limit]);
        }
        let rest = &worst[listed.len()..];
        if !rest.is_empty() {
            let ns = units::time(rest.iter().map(|stretch| stretch.ns).sum());
            self.line(&format!("  {ns:>14}  {} more", rest.len()));
        }
        self.line("");
        for (head, losses) in [
            ("by kind", losses::by_kind(picture)),
            ("limited by", losses::by_cause(picture)),
        ] {
            for (index, loss) in losses.iter().enumerate() {
                let head = if index == 0 { head } else { "" };
                self.line(&format!("  {head:<10} {:<24} {}", loss.name, figures::loss(loss)));
            }
        }
    }
}
