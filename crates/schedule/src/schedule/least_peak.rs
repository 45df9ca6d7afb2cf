// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A lower bound on the peak of live bytes of every order.
//!
//! At the position of a unit a set of units has been issued that holds with each unit all that it needs, the unit itself
//! last. Its least live bytes over all such sets are those of a minimum cut (a closure problem: Picard, "Maximal closure of
//! a graph and applications to combinatorial problems", Management Science 22, 1976): a buffer counts when its owner is
//! on the side of what has been issued and one of its readers is not. The bound is the largest of these, so no order has a
//! lower peak, whatever limits it has to keep.
//!
//! Cuts are made for a few units only: those at which most bytes are live in any case, because their owner must stand
//! before the unit, and a reader after it. What views keep alive besides what they read is left out, which makes the bound
//! no larger. Bit sets of n^2 bits; O(n^2 + n e / 64), and a maximum flow for each cut.

use super::lists::Lists;
use super::units::Units;
use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};

/// The most units for which anything is bounded, and the most for which cuts are made.
const MOST_UNITS: usize = 8192;
const MOST_UNITS_OF_CUTS: usize = 2048;

/// How many cuts are made.
const CUTS: usize = 8;

/// More than all buffers together, and half of what a sum of two may be.
const NEVER_CUT: u64 = u64::MAX / 2;

/// Bytes that no order's peak is below; zero for problems that are too large to tell.
pub(crate) fn least_peak(units: &Units) -> u64 {
    if units.len() > MOST_UNITS {
        return 0;
    }
    let relations = Relations::new(units);
    let live = relations.always_live(units);
    let mut by_live: Vec<usize> = (0..units.len()).collect();
    by_live.sort_by_key(|unit| std::cmp::Reverse(live[*unit]));
    let largest = by_live.first().map_or(0, |unit| live[*unit]);
    if units.len() > MOST_UNITS_OF_CUTS {
        return largest;
    }
    let cuts = by_live.iter().take(CUTS);
    cuts.map(|unit| relations.least_live(units, *unit))
        .max()
        .unwrap_or(0)
        .max(largest)
}

/// What the bound asks for again and again.
struct Relations {
    readers: Lists,
    is_live_out: Vec<bool>,
    /// For each unit all that must stand before it, and all that must stand after it, itself included, as rows of bits.
    before: Rows,
    after: Rows,
}

impl Relations {
    fn new(units: &Units) -> Relations {
        let count = units.len() as u32;
        let (readers, holders) = (units.reads.inverse(), units.holds.inverse());
        let uses = |buffer: u32| readers.of(buffer).len() + holders.of(buffer).len();
        let is_live_out = (0..count).map(|buffer| units.references[buffer as usize] as usize > uses(buffer));
        let mut before = Rows::new(units.len());
        for unit in 0..count {
            before.join(unit, units.before.of(unit));
        }
        let mut after = Rows::new(units.len());
        for unit in (0..count).rev() {
            after.join(unit, units.after.of(unit));
        }
        Relations {
            is_live_out: is_live_out.collect(),
            readers,
            before,
            after,
        }
    }

    /// For each unit the bytes that are live at its position in every order.
    fn always_live(&self, units: &Units) -> Vec<u64> {
        let mut live = units.bytes.clone();
        for buffer in (0..units.len()).filter(|buffer| units.bytes[*buffer] > 0) {
            let mut until = vec![if self.is_live_out[buffer] { u64::MAX } else { 0 }; self.before.words];
            for reader in self.readers.of(buffer as u32) {
                for (until, before) in until.iter_mut().zip(self.before.of(*reader as usize)) {
                    *until |= before;
                }
            }
            let after = self.after.of(buffer);
            for (word, (until, after)) in until.iter().zip(after).enumerate() {
                let mut members = until & after;
                while members != 0 {
                    let unit = 64 * word + members.trailing_zeros() as usize;
                    members &= members - 1;
                    if unit != buffer {
                        live[unit] += units.bytes[buffer];
                    }
                }
            }
        }
        live
    }

    /// The least bytes that are live at the position of a unit in any order.
    fn least_live(&self, units: &Units, at: usize) -> u64 {
        let count = units.len();
        let mut network: DiGraph<(), u64> = DiGraph::with_capacity(2 * count + 2, 4 * count);
        let node: Vec<NodeIndex> = (0..count).map(|_| network.add_node(())).collect();
        let (issued, to_come) = (network.add_node(()), network.add_node(()));
        for unit in 0..count {
            for needed in units.before.of(unit as u32) {
                network.add_edge(node[unit], node[*needed as usize], NEVER_CUT);
            }
            if Rows::holds(self.before.of(at), unit) {
                network.add_edge(issued, node[unit], NEVER_CUT);
            } else if Rows::holds(self.after.of(at), unit) {
                network.add_edge(node[unit], to_come, NEVER_CUT);
            }
            let (bytes, readers) = (units.bytes[unit], self.readers.of(unit as u32));
            // What the unit itself owns counts in any case.
            if bytes == 0 || unit == at {
                continue;
            }
            if self.is_live_out[unit] {
                network.add_edge(node[unit], to_come, bytes);
            } else if !readers.is_empty() {
                let buffer = network.add_node(());
                network.add_edge(node[unit], buffer, bytes);
                for reader in readers {
                    // What the unit itself reads is live at its position.
                    let is_read_here = *reader as usize == at;
                    let reader = if is_read_here {
                        to_come
                    } else {
                        node[*reader as usize]
                    };
                    network.add_edge(buffer, reader, NEVER_CUT);
                }
            }
        }
        let (live, _) = dinics(&network, issued, to_come);
        units.bytes[at] + live
    }
}

/// A square of bits.
struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn new(count: usize) -> Rows {
        let words = count.div_ceil(64);
        Rows {
            words,
            bits: vec![0; words * count],
        }
    }

    fn of(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    fn holds(row: &[u64], column: usize) -> bool {
        row[column / 64] >> (column % 64) & 1 == 1
    }

    /// Makes a row of itself and of other rows, which have been made.
    fn join(&mut self, row: u32, others: &[u32]) {
        let begin = row as usize * self.words;
        self.bits[begin + row as usize / 64] |= 1 << (row % 64);
        for &other in others {
            let other = other as usize * self.words;
            for word in 0..self.words {
                self.bits[begin + word] |= self.bits[other + word];
            }
        }
    }
}
