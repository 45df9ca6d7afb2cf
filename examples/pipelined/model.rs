// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the timing model says of the programs, for a machine that is as fast as this one was measured to be.

use std::{
    env,
    error::Error,
    fs,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use comm_runtime::Link;
use comm_schedule::{Collective, Machine, machine::Element};

use crate::programs::{FUSE, Form, RANKS, Way};

/// The argument with which this program is MLIR's driver.
pub const OPT: &str = "opt";

/// Figures of a program in a way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Modelled time.
    pub time_ns: u64,
    /// Symmetric memory of each rank.
    pub workspace_bytes: u64,
}

/// Bytes that a rank copies in a second while all others do.
pub fn copied_per_second() -> f64 {
    const BYTES: usize = 16 << 20;
    let copy = || {
        let (source, mut target) = (vec![1u8; BYTES], vec![0u8; BYTES]);
        let begin = Instant::now();
        target.copy_from_slice(&source);
        std::hint::black_box(&target);
        begin.elapsed()
    };
    let times: Vec<Duration> = thread::scope(|scope| {
        let threads: Vec<_> = (0..RANKS).map(|_| scope.spawn(copy)).collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect()
    });
    let slowest = times.into_iter().max().unwrap_or_default();
    2.0 * BYTES as f64 / slowest.as_secs_f64().max(1e-9)
}

/// Writes a machine file: products as fast as measured, the link, and memory as fast as copies.
pub fn machine(
    folder: &Path,
    form: Form,
    alone: Duration,
    link: Link,
    copied: f64,
) -> Result<String, Box<dyn Error>> {
    let path = folder.join(format!("{}.toml", form.name()));
    let latency = link.latency.as_secs_f64();
    fs::write(
        &path,
        format!(
            "name = \"here\"\nlaunch_floor_ns = {}\n[matmul]\npeak_tflops = {{ f32 = {:?} }}\n[memory]\npeak_gb_per_s = {:?}\n\
             [collective]\nall_gather = [{{ size = {RANKS}, latency_us = {:?}, gb_per_s = {:?} }}]\n",
            link.latency.as_nanos(),
            form.flops() as f64 / alone.as_secs_f64() / 1e12,
            copied / 1e9,
            latency * 1e6,
            link.bandwidth / 1e9
        ),
    )?;
    Ok(path.to_string_lossy().into_owned())
}

/// Of the unpipelined program, the sum of both ops; of the others, what `convert-comm-to-stream` remarks.
pub fn figures(folder: &Path, form: Form, way: Way, machine: &str) -> Result<Figures, Box<dyn Error>> {
    let Some(streams) = way.streams else {
        let machine = Machine::load(machine)?;
        let full = form.wire_bytes() / (RANKS as u64 - 1) * RANKS as u64;
        let transfer = machine.collective_ns(Collective::AllGather, RANKS as u64, full, None);
        return Ok(Figures {
            time_ns: transfer + machine.matmul_ns(form.flops(), Element::F32, 0),
            workspace_bytes: 0,
        });
    };
    let program = folder.join("program.mlir");
    fs::write(&program, form.text(false))?;
    let pipeline = format!(
        "builtin.module({FUSE},canonicalize,cse,empty-tensor-to-alloc-tensor,one-shot-bufferize{{bufferize-function-boundaries=1 \
         function-boundary-type-conversion=identity-layout-map}},convert-comm-to-stream{{{streams} machine={machine}}})"
    );
    let output = Command::new(env::current_exe()?)
        .arg(OPT)
        .arg(&program)
        .arg(format!("--pass-pipeline={pipeline}"))
        .args(["--remarks-filter=convert-comm-to-stream", "-o"])
        .arg(folder.join("lowered.mlir"))
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let number = |before: &str| -> Option<u64> {
        let rest = said.split_once(before)?.1;
        rest.split_once(' ')?.0.parse().ok()
    };
    match (number(", in "), number("with a workspace of ")) {
        (Some(time_ns), Some(workspace_bytes)) if output.status.success() => Ok(Figures {
            time_ns,
            workspace_bytes,
        }),
        _ => Err(format!("no figures of {} in: {said}", way.name).into()),
    }
}
