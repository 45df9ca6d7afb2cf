// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Fused ops with the schedule `signal` do what they are for: a rank multiplies one chunk while another one is under way.
//!
//! Traces are read, times are not compared: a transfer counts as under way from its issue, which the schedule decides, and
//! not from when its stream's thread wakes up, which may take longer than these small products. An emulated transfer lasts
//! far longer than the product beside it, so on however slow a machine the one is under way while the other begins.

use std::time::Duration;

use comm_runtime::{Category, Link, Options, RankTrace};
use mlir_comm::runner::{Array, LowerOptions, Program, Run, Slot, lower, parse, random};

const RANKS: usize = 4;
/// Bytes of a chunk: 32 rows of 64 numbers.
const CHUNK: usize = 32 * 64 * 4;

const GATHER: &str = "func.func @main(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %g = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] : tensor<32x64xf32> -> tensor<128x64xf32>
  %r = linalg.matmul ins(%g, %w : tensor<128x64xf32>, tensor<64x64xf32>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}";

const SCATTER: &str = "func.func @main(%x: tensor<128x64xf32>, %w: tensor<64x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x64xf32>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = comm.reduce_scatter sum %p dim 0 over [[0, 1, 2, 3]] : tensor<128x64xf32> -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}";

/// A gather that rank 1 comes late to: it first multiplies as often as its last argument says.
const LATE: &str = "func.func @main(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>, %times: index) -> (tensor<128x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %fe = tensor.empty() : tensor<64x64xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%fe : tensor<64x64xf32>) -> tensor<64x64xf32>
  %late = scf.for %i = %c0 to %times step %c1 iter_args(%sum = %fz) -> tensor<64x64xf32> {
    %next = linalg.matmul ins(%w, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%sum : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %g = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] : tensor<32x64xf32> -> tensor<128x64xf32>
  %r = linalg.matmul ins(%g, %w : tensor<128x64xf32>, tensor<64x64xf32>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %r, %late : tensor<128x64xf32>, tensor<64x64xf32>
}";

/// Products of the late rank before it begins: some tenths of a second.
const TIMES: usize = 10_000;

/// Runs a program behind a link on which a chunk takes this long, fused with a schedule or as it is.
fn run(text: &str, schedule: Option<&str>, chunk: Duration) -> Run {
    let context = mlir_comm::context();
    let mut module = parse(&context, text).expect("it is a program");
    let mut options = LowerOptions {
        trace: true,
        ..LowerOptions::default()
    };
    if let Some(schedule) = schedule {
        options.passes = vec!["func.func(comm-fuse-matmul{force=true})".to_owned()];
        options.streams = format!("schedule={schedule} sub-chunks=1");
    }
    let signature = lower(&context, &mut module, &options, |_| {}).expect("it can be lowered");
    let program = Program::compile(&context, &module, signature).expect("it compiles");
    let inputs = |rank: usize| -> Vec<Array> {
        let slots = program.signature().inputs.iter().enumerate();
        let array = |(index, slot): (usize, &Slot)| match &slot.sizes {
            None => {
                let times = if rank == 1 { TIMES } else { 0 };
                Array::new(slot.element, vec![], (times as u64).to_ne_bytes().to_vec())
            }
            Some(sizes) => {
                let sizes: Option<Vec<usize>> = sizes.iter().copied().collect();
                random(slot.element, &sizes.expect("sizes are known"), 3, rank, index)
            }
        };
        slots.map(|slot| array(slot).expect("an input")).collect()
    };
    let inputs: Vec<Vec<Array>> = (0..RANKS).map(inputs).collect();
    let options = Options {
        link: Some(Link {
            latency: Duration::ZERO,
            bandwidth: CHUNK as f64 / chunk.as_secs_f64(),
        }),
        trace: true,
        ..Options::default()
    };
    program.run(&inputs, &options).expect("it runs")
}

/// How many transfers into a rank were under way while it computed; of how many.
fn overlapped(trace: &RankTrace) -> (usize, usize) {
    let is_transfer = |category| matches!(category, Category::Collective | Category::Copy);
    let mut transfers: Vec<_> = trace
        .spans
        .iter()
        .filter(|span| is_transfer(span.category) && span.bytes >= CHUNK as u64)
        .collect();
    transfers.sort_by_key(|span| span.begin_ns);
    // A gather first copies the own chunk to where peers read it. What comes from peers is last.
    let transfers = &transfers[transfers.len().saturating_sub(RANKS - 1)..];
    let computes = |begin: u64, end: u64| {
        let mut products = trace
            .spans
            .iter()
            .filter(|span| span.category == Category::Compute);
        products.any(|span| span.begin_ns < end && begin < span.end_ns)
    };
    let overlapped = transfers
        .iter()
        .filter(|span| computes(span.issued_ns, span.end_ns));
    (overlapped.count(), transfers.len())
}

fn check(text: &str) {
    let [plain, fused] =
        [None, Some("signal")].map(|schedule| run(text, schedule, Duration::from_millis(100)));
    assert_eq!(plain.results, fused.results);
    for (plain, fused) in plain.traces.iter().zip(&fused.traces) {
        // One collective, and nothing beside it.
        assert_eq!(
            overlapped(plain),
            (0, 1),
            "one after the other, on rank {}",
            plain.rank
        );
        let (overlapped, transfers) = overlapped(fused);
        assert_eq!(transfers, RANKS - 1, "on rank {}", fused.rank);
        assert!(overlapped > 0, "by signals, on rank {}", fused.rank);
    }
}

#[test]
fn products_of_gathered_chunks_run_while_others_arrive() {
    check(GATHER);
}

#[test]
fn chunks_to_be_scattered_are_made_while_others_leave() {
    check(SCATTER);
}

/// How many products each rank but the late one has ended before the late one has ended its additional ones.
fn ahead_of_late(run: &Run) -> Vec<usize> {
    // A product on a stream other than the rank's own is a launch, which is named by its chunk.
    let products = |rank: usize| {
        let spans = run.traces[rank].spans.iter();
        spans.filter(|span| span.category == Category::Compute && &*span.name != "linalg.fill")
    };
    let mut late: Vec<u64> = products(1).map(|span| span.end_ns).collect();
    assert_eq!(late.len(), TIMES + RANKS);
    late.sort_unstable();
    // Products of chunks follow in its program.
    let until = late[TIMES - 1];
    let ahead = |rank| products(rank).filter(|span| span.end_ns < until).count();
    [0, 2, 3].map(ahead).to_vec()
}

#[test]
fn by_signals_no_rank_waits_for_a_late_one_before_its_own_work() {
    let run = |schedule| run(LATE, Some(schedule), Duration::from_millis(1));
    let [barriers, signals] = ["two-stream", "signal"].map(run);
    assert_eq!(barriers.results, signals.results);
    assert_eq!(ahead_of_late(&barriers), [0, 0, 0], "all meet first");
    let ahead = ahead_of_late(&signals);
    assert!(ahead.iter().all(|products| *products > 0), "{ahead:?}");
}
