// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From the TOML text of a machine to a checked [`Machine`].
//!
//! Form (unknown and misspelt keys, wrong types) is checked by serde, whose errors show line and column; ranges are
//! checked here, and errors name the key by its path. Nothing is silently repaired.

use serde::Deserialize;

use super::{
    Contention, Link, Machine, MachineError, Tile,
    curve::{Curve, Curves, Pieces},
    error::unexpected,
};
use crate::node::Collective;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineFile {
    name: String,
    launch_floor_ns: f64,
    matmul: MatmulFile,
    memory: MemoryFile,
    collective: CurvesFile,
    contention: Option<ContentionFile>,
    #[serde(default)]
    link: Vec<LinkFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MatmulFile {
    #[serde(default = "one")]
    efficiency: f64,
    peak_tflops: RatesFile,
    tile: Option<TileFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TileFile {
    units: u64,
    rows: u64,
    columns: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RatesFile {
    f64: Option<f64>,
    f32: Option<f64>,
    f16: Option<f64>,
    bf16: Option<f64>,
    f8: Option<f64>,
    i8: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryFile {
    #[serde(default = "one")]
    efficiency: f64,
    peak_gb_per_s: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ContentionFile {
    #[serde(default = "one")]
    compute: f64,
    #[serde(default = "one")]
    communication: f64,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct CurvesFile {
    all_gather: Option<Vec<SizeFile>>,
    reduce_scatter: Option<Vec<SizeFile>>,
    all_reduce: Option<Vec<SizeFile>>,
    all_to_all: Option<Vec<SizeFile>>,
    permute: Option<Vec<SizeFile>>,
    broadcast: Option<Vec<SizeFile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SizeFile {
    size: u64,
    latency_us: f64,
    gb_per_s: Option<f64>,
    points: Option<Vec<(f64, f64)>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkFile {
    name: String,
    axes: Option<Vec<String>>,
    domain: Option<i64>,
    #[serde(default)]
    collective: CurvesFile,
}

fn one() -> f64 {
    1.0
}

/// Nanoseconds in a microsecond.
const US: f64 = 1e3;

/// Rates lie far within what a double holds, so that quotients of them do too.
const LEAST_RATE: f64 = 1e-6;
const GREATEST_RATE: f64 = 1e12;

impl Machine {
    /// Reads a machine file. See `docs/machine.md`.
    pub fn from_toml(text: &str) -> Result<Machine, MachineError> {
        let file: MachineFile = toml::from_str(text)
            .map_err(|error| MachineError::Syntax(error.to_string().trim_end().to_owned()))?;
        let curves = curves("collective", file.collective)?;
        if curves.of(Collective::AllGather).is_none() {
            return Err(unexpected(
                "collective.all_gather",
                "missing",
                "its cost, which other kinds that are not given share,",
            ));
        }
        let efficiency = share("matmul.efficiency", file.matmul.efficiency)?;
        let tile = file.matmul.tile.map(tile).transpose()?;
        let [compute, communication] = match file.contention {
            Some(given) => [
                slowdown("contention.compute", given.compute)?,
                slowdown("contention.communication", given.communication)?,
            ],
            None => [1.0, 1.0],
        };
        Ok(Machine {
            name: file.name,
            launch_floor_ns: time("launch_floor_ns", file.launch_floor_ns)?,
            flops_per_ns: rates(file.matmul.peak_tflops)?.map(|tflops| tflops * US * efficiency),
            // One gigabyte a second is one byte a nanosecond.
            memory_bytes_per_ns: rate("memory.peak_gb_per_s", file.memory.peak_gb_per_s)?
                * share("memory.efficiency", file.memory.efficiency)?,
            tile,
            contention: Contention {
                compute,
                communication,
            },
            curves,
            links: links(file.link)?,
        })
    }
}

/// The tiles of products, all of whose numbers are from 1 to a million.
fn tile(file: TileFile) -> Result<Tile, MachineError> {
    for (name, value) in [
        ("units", file.units),
        ("rows", file.rows),
        ("columns", file.columns),
    ] {
        if !(1..=1_000_000).contains(&value) {
            return Err(unexpected(
                format!("matmul.tile.{name}"),
                value,
                "a whole number from 1 to 1000000",
            ));
        }
    }
    Ok(Tile {
        units: file.units,
        rows: file.rows,
        columns: file.columns,
    })
}

/// Rates by element type. One that is not given is that of the next wider type that is, else of the widest given.
fn rates(file: RatesFile) -> Result<[f64; 6], MachineError> {
    let given = [
        ("f64", file.f64),
        ("f32", file.f32),
        ("f16", file.f16),
        ("bf16", file.bf16),
        ("f8", file.f8),
        ("i8", file.i8),
    ];
    let mut checked = [None; 6];
    for (slot, (name, value)) in checked.iter_mut().zip(given) {
        *slot = value
            .map(|value| rate(&format!("matmul.peak_tflops.{name}"), value))
            .transpose()?;
    }
    let [f64, f32, f16, bf16, f8, i8] = checked;
    let widest = f64.or(f32).or(f16).or(bf16).or(f8).or(i8);
    let Some(widest) = widest else {
        return Err(unexpected(
            "matmul.peak_tflops",
            "empty",
            "a rate for at least one of f64, f32, f16, bf16, f8, i8",
        ));
    };
    let f64 = f64.unwrap_or(widest);
    let f32 = f32.unwrap_or(f64);
    let half = f16.or(bf16).unwrap_or(f32);
    Ok([
        f64,
        f32,
        f16.unwrap_or(half),
        bf16.unwrap_or(half),
        f8.unwrap_or(half),
        i8.or(f8).unwrap_or(half),
    ])
}

fn links(files: Vec<LinkFile>) -> Result<Vec<Link>, MachineError> {
    let mut links: Vec<Link> = Vec::with_capacity(files.len());
    for (index, file) in files.into_iter().enumerate() {
        let at = format!("link[{index}]");
        if file.name.is_empty() || links.iter().any(|link| link.name == file.name) {
            return Err(unexpected(
                format!("{at}.name"),
                format!("'{}'", file.name),
                "a name that no other link has",
            ));
        }
        if let Some(domain) = file.domain
            && domain < 1
        {
            return Err(unexpected(
                format!("{at}.domain"),
                domain,
                "a number of ranks, 1 or more,",
            ));
        }
        links.push(Link {
            curves: curves(&format!("{at}.collective"), file.collective)?,
            name: file.name,
            axes: file.axes,
            domain: file.domain,
        });
    }
    Ok(links)
}

fn curves(at: &str, file: CurvesFile) -> Result<Curves, MachineError> {
    let mut curves = Curves::default();
    for (kind, sizes) in [
        (Collective::AllGather, file.all_gather),
        (Collective::ReduceScatter, file.reduce_scatter),
        (Collective::AllReduce, file.all_reduce),
        (Collective::AllToAll, file.all_to_all),
        (Collective::Permute, file.permute),
        (Collective::Broadcast, file.broadcast),
    ] {
        curves.by_kind[kind as usize] = sizes
            .map(|sizes| curve(&format!("{at}.{}", kind.name()), sizes))
            .transpose()?;
    }
    Ok(curves)
}

fn curve(at: &str, sizes: Vec<SizeFile>) -> Result<Curve, MachineError> {
    if sizes.is_empty() {
        return Err(unexpected(at, "empty", "at least one group size"));
    }
    let mut curve = Curve(Vec::with_capacity(sizes.len()));
    for (index, file) in sizes.into_iter().enumerate() {
        let at = format!("{at}[{index}]");
        let least = curve.0.last().map_or(2, |last| last.group_size.saturating_add(1));
        if file.size < least {
            return Err(unexpected(
                format!("{at}.size"),
                file.size,
                format!("a group size of {least} or more (ascending)"),
            ));
        }
        curve.0.push(pieces(&at, file)?);
    }
    Ok(curve)
}

fn pieces(at: &str, file: SizeFile) -> Result<Pieces, MachineError> {
    let latency = time(&format!("{at}.latency_us"), file.latency_us)? * US;
    let mut pieces = Pieces {
        group_size: file.size,
        points: vec![(0.0, latency)],
        ns_per_byte: 0.0,
    };
    let given = match (file.gb_per_s, file.points) {
        (Some(bandwidth), None) => {
            pieces.ns_per_byte = 1.0 / rate(&format!("{at}.gb_per_s"), bandwidth)?;
            return Ok(pieces);
        }
        (None, Some(points)) if !points.is_empty() => points,
        (Some(_), Some(_)) => return Err(unexpected(at, "both gb_per_s and points", "one of them")),
        _ => {
            return Err(unexpected(
                at,
                "without bandwidth",
                "gb_per_s or at least one of points",
            ));
        }
    };
    for (index, (bytes, us)) in given.into_iter().enumerate() {
        let at = format!("{at}.points[{index}]");
        let (last_bytes, last_ns) = pieces.points[pieces.points.len() - 1];
        let ns = time(&format!("{at}[1]"), us)? * US;
        // At least a byte apart, at most an exabyte: a slope is finite.
        if !(bytes >= last_bytes + 1.0 && bytes <= 1e18) {
            return Err(unexpected(
                format!("{at}[0]"),
                bytes,
                format!("a number of bytes above {last_bytes}"),
            ));
        }
        if ns < last_ns {
            return Err(unexpected(
                format!("{at}[1]"),
                us,
                format!("a time of {} us or more, that of fewer bytes,", last_ns / US),
            ));
        }
        pieces.ns_per_byte = (ns - last_ns) / (bytes - last_bytes);
        pieces.points.push((bytes, ns));
    }
    Ok(pieces)
}

fn rate(at: &str, value: f64) -> Result<f64, MachineError> {
    within(at, value, LEAST_RATE, GREATEST_RATE)
}

fn time(at: &str, value: f64) -> Result<f64, MachineError> {
    within(at, value, 0.0, 1e12)
}

fn share(at: &str, value: f64) -> Result<f64, MachineError> {
    within(at, value, 0.001, 1.0)
}

fn slowdown(at: &str, value: f64) -> Result<f64, MachineError> {
    within(at, value, 1.0, 1000.0)
}

fn within(at: &str, value: f64, least: f64, greatest: f64) -> Result<f64, MachineError> {
    if (least..=greatest).contains(&value) {
        Ok(value)
    } else {
        Err(unexpected(
            at,
            value,
            format!("a number from {least} to {greatest}"),
        ))
    }
}
