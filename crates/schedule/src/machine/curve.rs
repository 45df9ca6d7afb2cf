// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Time of a collective by group size and bytes on the wire.
//!
//! For one group size the time is a chain of straight pieces: from the latency at 0 bytes through the given points, the
//! last piece going on for ever. A plain line has no points and goes on at its bandwidth. Between two given group sizes
//! times are interpolated linearly in the size; outside them those of the nearest size hold. So time grows with bytes at
//! every group size.

use crate::node::Collective;

/// Time by bytes for one group size.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pieces {
    pub(super) group_size: u64,
    /// (bytes, nanoseconds), ascending in both, the first at 0 bytes.
    pub(super) points: Vec<(f64, f64)>,
    /// Slope after the last point.
    pub(super) ns_per_byte: f64,
}

impl Pieces {
    fn ns(&self, bytes: f64) -> f64 {
        let after = self.points.partition_point(|point| point.0 <= bytes);
        let (at, ns) = self.points[after - 1];
        let slope = match self.points.get(after) {
            Some((next_at, next_ns)) => (next_ns - ns) / (next_at - at),
            None => self.ns_per_byte,
        };
        ns + (bytes - at) * slope
    }
}

/// Time by group size and bytes; sizes ascending, at least one.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Curve(pub(super) Vec<Pieces>);

impl Curve {
    pub(super) fn ns(&self, group_size: u64, bytes: u64) -> f64 {
        let bytes = bytes as f64;
        let above = self.0.partition_point(|pieces| pieces.group_size < group_size);
        let Some(above_pieces) = self.0.get(above) else {
            return self.0[above - 1].ns(bytes);
        };
        let high = above_pieces.ns(bytes);
        if above == 0 {
            return high;
        }
        let below_pieces = &self.0[above - 1];
        let low = below_pieces.ns(bytes);
        let span = (above_pieces.group_size - below_pieces.group_size) as f64;
        let share = (group_size - below_pieces.group_size) as f64 / span;
        low + (high - low) * share
    }
}

/// Curves of the kinds of collectives that a file gives.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Curves {
    /// By [`Collective`].
    pub(super) by_kind: [Option<Curve>; 6],
}

impl Curves {
    pub(super) fn of(&self, kind: Collective) -> Option<&Curve> {
        self.by_kind[kind as usize].as_ref()
    }

    /// That of the kind, or of the all-gather, which the loader has found.
    pub(super) fn of_or_gather(&self, kind: Collective) -> &Curve {
        self.of(kind)
            .or_else(|| self.of(Collective::AllGather))
            .expect("a machine without a curve for all-gathers does not load")
    }
}
