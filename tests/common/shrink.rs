// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makes a failing program small by removing lines for as long as it still fails.
//!
//! Delta debugging by chunks of halving size (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input",
//! 2002), over lines; a line that opens a region goes with all up to its end.

/// The smallest text found for which `fails` still holds. Quadratic at worst in the number of lines.
pub fn shrink(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut size = lines.len().div_ceil(2).max(1);
    loop {
        let mut changed = false;
        let mut at = 0;
        while at < lines.len() {
            let end = region_end(&lines, at).max((at + size).min(lines.len()));
            let without: Vec<&str> = lines[..at].iter().chain(&lines[end..]).copied().collect();
            if fails(&without.join("\n")) {
                lines = without;
                changed = true;
            } else {
                at += 1;
            }
        }
        if size == 1 && !changed {
            return lines.join("\n");
        }
        size = (size / 2).max(1);
    }
}

/// One past the line that closes what the line at `at` opens; `at + 1` where it opens nothing.
fn region_end(lines: &[&str], at: usize) -> usize {
    let mut depth = 0i32;
    for (index, line) in lines.iter().enumerate().skip(at) {
        let bare = line.trim();
        depth += i32::from(bare.ends_with('{')) - i32::from(bare.starts_with('}'));
        if depth <= 0 {
            return index + 1;
        }
    }
    at + 1
}
