// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Pictures as SVG, without scripts and with a background of their own.
//!
//! A picture is a [panel](panel): computation on top, a row for each stream below it, live memory under them. What
//! computation lost is hatched in its row, named above it and tinted down to the collective it waits for; of a bar that holds
//! lost time inside that share is hatched. A table below tells the longest losses in numbers. Several pictures are stacked on one time scale and one memory scale.
//!
//! Text that does not fit is left out or cut and stands in the tooltip. Bars below a pixel are merged, so the size of the
//! file is bound by the width of the picture. O(n log n).

mod memory;
mod notes;
mod panel;
mod shapes;
mod table;

use super::category::Category;
use super::figures;
use super::label::cut;
use super::model::Picture;
use panel::Panel;
use shapes::{hatching, rectangle, words};
use svg::Document;
use svg::node::element::{Group, Style};

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SvgOptions {
    /// Width in pixels; fewer than 600 are taken for 600.
    pub width: u32,
    /// How many losses to list for each picture.
    pub gaps: usize,
}

impl Default for SvgOptions {
    fn default() -> Self {
        SvgOptions { width: 1400, gaps: 6 }
    }
}

/// Least and most room for the names of streams.
const GUTTER: (f64, f64) = (130.0, 240.0);
const MARGIN: f64 = 24.0;
const LEAST_WIDTH: u32 = 600;
const MOST_WIDTH: u32 = 20_000;

/// All pictures, stacked on one scale, as a document; with the differences to the first when there are several.
pub fn svg(pictures: &[Picture<'_>], options: &SvgOptions) -> String {
    let width = f64::from(options.width.clamp(LEAST_WIDTH, MOST_WIDTH));
    let scale = Scale {
        end_ns: pictures
            .iter()
            .map(|picture| picture.step_ns)
            .max()
            .unwrap_or(0)
            .max(1),
        most_bytes: pictures
            .iter()
            .map(|picture| picture.peak().bytes)
            .max()
            .unwrap_or(0)
            .max(1),
        most_exposed_ns: pictures.iter().map(Picture::exposed_ns).max().unwrap_or(0).max(1),
        left: panel::gutter(pictures).clamp(GUTTER.0, GUTTER.1),
        right: width - MARGIN,
    };
    let mut body = Group::new();
    let mut y = 26.0;
    if let [first, others @ ..] = pictures {
        for other in others {
            let fits = shapes::columns(width, 12.0) / 2 - 10;
            let titles = format!("{} against {}", cut(&other.title, fits), cut(&first.title, fits));
            body = body
                .add(words(16.0, y, "t1", &figures::difference(first, other)))
                .add(words(16.0, y + 18.0, "m b", &titles));
            y += 44.0;
        }
    }
    let mut base = None;
    for picture in pictures {
        let panel = Panel::new(picture, scale, options, base);
        let height;
        (body, height) = panel.draw(body, y);
        y += height + 20.0;
        base = base.or(Some(picture));
    }
    body = legend(body, pictures, y);
    let height = y + 24.0;
    Document::new()
        .set("viewBox", format!("0 0 {width} {height}"))
        .set("width", width)
        .set("height", height)
        .set("font-family", "Helvetica, Arial, 'DejaVu Sans', sans-serif")
        .set("font-size", 12)
        .add(Style::new(style()))
        .add(hatching())
        .add(rectangle("bg", 0.0, 0.0, width, height))
        .add(body)
        .to_string()
}

/// Times and sizes as positions.
#[derive(Clone, Copy)]
struct Scale {
    end_ns: u64,
    most_bytes: u64,
    most_exposed_ns: u64,
    left: f64,
    right: f64,
}

impl Scale {
    fn x(&self, at_ns: u64) -> f64 {
        self.left + at_ns as f64 / self.end_ns as f64 * (self.right - self.left)
    }

    /// The length of a pixel in nanoseconds.
    fn pixel_ns(&self) -> u64 {
        (self.end_ns as f64 / (self.right - self.left)) as u64
    }
}

/// Looks by class: text first, then the frame, then what is lost, then memory.
const STYLE: &str = "text{fill:#1c2430}.t1{font-size:18px;font-weight:bold}.h{font-size:15px;font-weight:bold}\
    .b{font-weight:bold}.m{fill:#5a6675}.n{font-size:10.5px}.e{text-anchor:end}.k{text-anchor:middle}\
    .x{fill:#b03a00;font-weight:bold}.bt{fill:#0072b2}\
    .x.n,.w,.bt,.e.b{paint-order:stroke;stroke:#fff;stroke-width:3px}\
    .bg{fill:#fff}.row{fill:#f3f5f8}.grid{stroke:#dde2e8;stroke-width:1}.end{stroke:#1c2430;stroke-width:1.5}\
    .base{stroke:#1c2430;stroke-width:1;stroke-dasharray:2 2}\
    .bound{stroke:#0072b2;stroke-width:1.5;stroke-dasharray:5 3}\
    .lead{stroke:#b03a00;stroke-width:1}.t{fill:#d55e00;fill-opacity:.13}.late{fill:#b03a00}\
    .l{fill:url(#lost);stroke:#b03a00;stroke-width:1}.l1{fill:#d55e00}\
    .mem{fill:#0072b2;fill-opacity:.25;stroke:#0072b2;stroke-width:1}.dot{fill:#0072b2}";

fn style() -> String {
    let mut style = STYLE.to_owned();
    for category in Category::ALL {
        style.push_str(&format!(".{}{{fill:{}}}", category.class(), category.colour()));
    }
    style
}

/// The colours that are there.
fn legend(mut body: Group, pictures: &[Picture<'_>], y: f64) -> Group {
    let mut x = 16.0;
    let lost = ("l", "exposed: nothing is computed, a collective is waited for");
    let mut is_shown = [false; Category::ALL.len()];
    for bar in pictures
        .iter()
        .flat_map(|picture| &picture.lanes)
        .flat_map(|lane| &lane.bars)
    {
        is_shown[bar.category.index()] = true;
    }
    let shown = Category::ALL
        .into_iter()
        .filter(|category| is_shown[category.index()]);
    let kinds = shown.map(|category| (category.class(), category.name()));
    for (class, name) in [lost].into_iter().chain(kinds) {
        body = body
            .add(rectangle(class, x, y - 10.0, 18.0, 12.0))
            .add(words(x + 24.0, y, "", name));
        x += 24.0 + shapes::text_width(name, 12.0) + 18.0;
    }
    body
}
