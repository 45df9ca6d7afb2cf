// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Machine models: how long a collective, a matrix product or a pass over memory takes on one device of a machine.
//!
//! A [`Machine`] is read from TOML ([`Machine::from_toml`]) or is one of the presets ([`Machine::preset`]), which are
//! TOML files themselves. The format and the formulas are in `docs/machine.md`. In short:
//! - a collective costs latency plus bytes on the wire over bandwidth, both by kind and group size;
//! - anything else is a roofline: the longest of its arithmetic, its memory traffic and the launch floor.
//!
//! After a successful load every rate is finite and positive and every time finite and not negative, so no cost is
//! infinite or undefined; costs are rounded to nanoseconds and end at [`MAX_NS`]. Costs grow with bytes and with flops.
//!
//! A model knows no ops and no IR. It does not model fusion, caches, or how collectives slow each other down, other than
//! by which of them share a link and by one pair of contention factors.

mod curve;
mod error;
mod file;
mod link;
mod presets;
mod profile;

pub use error::MachineError;
pub use link::Link;
pub use presets::PRESETS;
pub use profile::Profile;

use crate::node::Collective;
use curve::Curves;

/// The longest that anything takes, about 18 minutes: sums of a million such durations fit in 63 bits, which
/// [`Problem::check`](crate::Problem::check) asks for.
pub const MAX_NS: u64 = 1 << 40;

/// Type of the factors of a matrix product, as far as its rate depends on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Element {
    /// 64-bit floats.
    F64,
    /// 32-bit floats; on GPUs usually at the rate of TF32.
    F32,
    /// 16-bit floats of the IEEE format.
    F16,
    /// 16-bit floats of 8 exponent bits.
    Bf16,
    /// Floats of 8 bits or fewer.
    F8,
    /// Integers of 8 bits or fewer.
    I8,
}

/// By how much computation and communication slow down while both run; 1 is not at all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contention {
    /// Factor on the duration of computation.
    pub compute: f64,
    /// Factor on the duration of communication.
    pub communication: f64,
}

/// How matrix products are cut: each of `units` compute units makes one tile of the result at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Compute units.
    pub units: u64,
    /// Rows of a tile.
    pub rows: u64,
    /// Columns of a tile.
    pub columns: u64,
}

impl Tile {
    /// The share of the units that work while `count` results of `rows` by `columns` are made together, in waves of one
    /// tile a unit: 1 where all tiles are whole and all waves full.
    ///
    /// ```
    /// let tile = comm_schedule::machine::Tile { units: 132, rows: 128, columns: 256 };
    /// assert_eq!(tile.efficiency(1, 128 * 132, 256), 1.0);
    /// assert_eq!(tile.efficiency(1, 64, 128 * 33), 0.5 * 16.5 / 132.0);
    /// ```
    pub fn efficiency(self, count: u64, rows: u64, columns: u64) -> f64 {
        let [count, rows, columns] = [count, rows, columns].map(|size| size.max(1) as f64);
        let [tile_rows, tile_columns] = [self.rows, self.columns].map(|size| size as f64);
        let tiles = count * (rows / tile_rows).ceil() * (columns / tile_columns).ceil();
        let waves = (tiles / self.units as f64).ceil();
        count * rows * columns / (waves * self.units as f64 * tile_rows * tile_columns)
    }
}

/// What things cost on one device of a machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    name: String,
    launch_floor_ns: f64,
    /// By [`Element`].
    flops_per_ns: [f64; 6],
    memory_bytes_per_ns: f64,
    tile: Option<Tile>,
    contention: Contention,
    curves: Curves,
    links: Vec<Link>,
}

impl Machine {
    /// The name in the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The least that a launched op takes.
    pub fn launch_floor_ns(&self) -> u64 {
        nanoseconds(self.launch_floor_ns)
    }

    /// How products are cut into tiles, where the machine says so.
    pub fn tile(&self) -> Option<Tile> {
        self.tile
    }

    /// How computation and communication slow each other down.
    pub fn contention(&self) -> Contention {
        self.contention
    }

    /// The links in the order of the file. Groups use the first that [carries](Link::carries) them; where none does, they
    /// have a link of their own.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Duration of a collective of `full_bytes` (see [`wire_bytes`]) on `link`, the one that its groups use. In a group of
    /// one nothing is sent, and the collective is a copy within the device's memory.
    pub fn collective_ns(
        &self,
        kind: Collective,
        group_size: u64,
        full_bytes: u64,
        link: Option<&Link>,
    ) -> u64 {
        if group_size <= 1 {
            return self.memory_ns(full_bytes.saturating_mul(2));
        }
        let own = link.and_then(|link| link.curves.of(kind));
        let wire = wire_bytes(kind, group_size, full_bytes);
        nanoseconds(
            own.unwrap_or_else(|| self.curves.of_or_gather(kind))
                .ns(group_size, wire),
        )
    }

    /// Duration of a matrix product of `flops` operations (a multiplication and an addition are two) on factors of type
    /// `element` that reads and writes `bytes`.
    pub fn matmul_ns(&self, flops: u64, element: Element, bytes: u64) -> u64 {
        let arithmetic = flops as f64 / self.flops_per_ns[element as usize];
        nanoseconds(arithmetic.max(self.traffic_ns(bytes)))
    }

    /// Duration of an op that reads and writes `bytes` and computes next to nothing.
    pub fn memory_ns(&self, bytes: u64) -> u64 {
        nanoseconds(self.traffic_ns(bytes))
    }

    fn traffic_ns(&self, bytes: u64) -> f64 {
        (bytes as f64 / self.memory_bytes_per_ns).max(self.launch_floor_ns)
    }
}

/// Bytes that a device sends, and as many that it receives, for a collective whose full tensor has `full_bytes`: for an
/// all-gather the result, for all others the operand. With g devices that is (g-1)/g of it for an all-gather, a
/// reduce-scatter or an all-to-all and twice that for an all-reduce (a reduce-scatter and an all-gather). A permute sends its
/// operand once; a broadcast passes all of it on. These are the factors by which `nccl-tests` defines bus bandwidth.
pub fn wire_bytes(kind: Collective, group_size: u64, full_bytes: u64) -> u64 {
    let g = u128::from(group_size.max(1));
    let others = u128::from(full_bytes) * (g - 1);
    let wire = match kind {
        Collective::AllGather | Collective::ReduceScatter | Collective::AllToAll => others / g,
        // Twice `others` may not fit.
        Collective::AllReduce => 2 * (others / g) + 2 * (others % g) / g,
        Collective::Permute | Collective::Broadcast => u128::from(full_bytes),
    };
    u64::try_from(wire).unwrap_or(u64::MAX)
}

/// Rounds to the nearest nanosecond, [`MAX_NS`] at most.
fn nanoseconds(ns: f64) -> u64 {
    // Such a cast saturates.
    (ns.round() as u64).min(MAX_NS)
}
