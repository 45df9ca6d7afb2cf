// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The names of the longest gaps, written above the row of computation where they lie.
//!
//! The longest are placed first, each in the lowest line that is still free there; what finds no room is left out, for
//! the table and the tooltips have it. O(gaps log gaps).

use super::Scale;
use super::shapes::{line, text_width, words};
use crate::picture::label::cut;
use crate::picture::model::Picture;
use crate::picture::units;
use svg::node::element::Group;

const LINES: usize = 3;
const LINE_HEIGHT: f64 = 14.0;
const FONT: f64 = 10.5;
const MOST_COLUMNS: usize = 30;
/// Shorter gaps are not named, in pixels.
const LEAST_WIDTH: f64 = 2.0;

struct Note {
    text: String,
    /// Where the gap lies.
    at: f64,
    /// Where the text begins.
    left: f64,
    line: usize,
}

/// Notes with their places.
pub(super) struct Notes {
    notes: Vec<Note>,
    lines: usize,
}

impl Notes {
    /// The first `listed` get the number that they have in the table, too.
    pub fn new(picture: &Picture<'_>, scale: &Scale, listed: usize) -> Self {
        let mut taken: Vec<Vec<(f64, f64)>> = vec![Vec::new(); LINES];
        let mut notes = Vec::new();
        for (rank, gap) in picture.worst_gaps().iter().enumerate() {
            let (begin, end) = (scale.x(gap.begin_ns), scale.x(gap.end_ns));
            if end - begin < LEAST_WIDTH {
                break;
            }
            let name = cut(&picture.name(gap.collective), MOST_COLUMNS);
            let time = units::time(gap.ns());
            let text = if rank < listed { format!("{}. {name}: {time}", rank + 1) } else { format!("{name}: {time}") };
            let width = text_width(&text, FONT) + 8.0;
            let at = (begin + end) / 2.0;
            let left = (at - 4.0).min(scale.right - width).max(scale.left);
            let is_free = |line: &Vec<(f64, f64)>| line.iter().all(|(from, to)| left >= *to || left + width <= *from);
            // The stem of a note goes down through the lines below it.
            let free = (0..LINES).find(|&line| {
                is_free(&taken[line])
                    && taken[..line].iter().flatten().all(|(from, to)| at < *from || at > *to)
            });
            if let Some(line) = free {
                taken[line].push((left, left + width));
                notes.push(Note { text, at, left, line });
            }
        }
        let lines = notes.iter().map(|note| note.line + 1).max().unwrap_or(0);
        Notes { notes, lines }
    }

    /// How much room the notes take.
    pub fn height(&self) -> f64 {
        10.0 + self.lines as f64 * LINE_HEIGHT
    }

    /// Draws them between `top` and the row of computation.
    pub fn draw(&self, mut body: Group, top: f64, row_top: f64) -> Group {
        for note in &self.notes {
            let y = top + (self.lines - note.line) as f64 * LINE_HEIGHT;
            body = body
                .add(line("lead", (note.at, y + 2.0), (note.at, row_top)))
                .add(words(note.left, y, "x n", &note.text));
        }
        body
    }
}
