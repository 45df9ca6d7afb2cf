// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The emulated interconnect: transfers take time and no processor, and overlap with computation only if the program
//! lets them.
//!
//! Durations are compared with those that are asked for, from below, and with each other by wide margins.

use std::{
    thread,
    time::{Duration, Instant},
};

use comm_runtime::{At, Element, Error, Link, Options, Rank, Reduction, Tensor, World};

const AT: At<'static> = At {
    location: "test.mlir:1:1",
    timeout: None,
};
const LATENCY: Duration = Duration::from_millis(20);

fn world(latency: Duration, bandwidth: f64) -> World {
    World::new(Options {
        link: Some(Link { latency, bandwidth }),
        ..Options::default()
    })
}

fn bytes(count: usize) -> Tensor {
    let data = Box::leak(vec![0u64; count / 8 + 1].into_boxed_slice());
    Tensor::contiguous(data.as_mut_ptr().cast(), Element::U8, &[count])
}

/// How long it took from the first rank's begin to the last one's end.
fn time(world: &World, ranks: usize, program: impl Fn(&Rank) -> Result<(), Error> + Sync) -> Duration {
    let begun = Instant::now();
    world.run(ranks, program).all().unwrap();
    begun.elapsed()
}

fn everyone(rank: &Rank) -> Result<comm_runtime::Group, Error> {
    rank.group(&(0..rank.ranks()).collect::<Vec<_>>())
}

#[test]
fn collectives_take_latency_and_wire_bytes() {
    // 10 bytes a microsecond: 100 kB take 10 ms.
    let world = world(LATENCY, 1e7);
    let gathered = time(&world, 4, |rank| {
        let stream = rank.current_stream()?;
        // SAFETY: the memory lives forever.
        unsafe {
            rank.all_gather(
                stream,
                everyone(rank)?,
                &[bytes(100_000)],
                &[bytes(400_000)],
                &[0],
                AT,
            )?
        };
        rank.synchronize(stream, AT)
    });
    assert!(gathered >= Duration::from_millis(50), "{gathered:?}");
    let reduced = time(&world, 2, |rank| {
        let stream = rank.current_stream()?;
        for _ in 0..3 {
            let (input, output) = ([bytes(100_000)], [bytes(100_000)]);
            // SAFETY: the memory lives forever.
            unsafe { rank.all_reduce(stream, everyone(rank)?, Reduction::Max, &input, &output, AT)? };
        }
        rank.synchronize(stream, AT)
    });
    assert!(reduced >= Duration::from_millis(3 * 30), "{reduced:?}");
}

#[test]
fn copies_between_ranks_take_turns_on_a_link_and_local_ones_take_none() {
    let world = world(Duration::ZERO, 1e7);
    let program = |rank: &Rank, is_local: bool| {
        let buffer = rank.symmetric_alloc(everyone(rank)?, 100_000, AT)?;
        let peer = if is_local { rank.index() } else { 1 - rank.index() };
        let theirs = Tensor::contiguous(rank.peer(buffer, peer)?, Element::U8, &[100_000]);
        for name in ["a", "b", "c", "d"] {
            // SAFETY: nobody writes the buffer, and the rest lives forever.
            unsafe { rank.copy(rank.stream(name)?, &bytes(100_000), &theirs, AT)? };
        }
        rank.synchronize_all(AT)
    };
    let remote = time(&world, 2, |rank| program(rank, false));
    assert!(remote >= Duration::from_millis(4 * 10), "{remote:?}");
    // Local copies reserve nothing, however slow the link.
    let slow = self::world(Duration::from_secs(3600), 1.0);
    let local = time(&slow, 2, |rank| program(rank, true));
    assert!(local < Duration::from_secs(600), "{local:?}");
}

#[test]
fn a_signal_takes_a_latency() {
    let signalled = time(&world(LATENCY, 0.0), 2, |rank| {
        let (stream, peer) = (rank.current_stream()?, 1 - rank.index());
        rank.put_signal(stream, peer, None, 0, 1, AT)?;
        rank.wait_signal(stream, peer, None, 0, 1, AT)?;
        rank.synchronize(stream, AT)
    });
    assert!(signalled >= LATENCY, "{signalled:?}");
}

/// Eight transfers and eight computations of equal length: in turns on one stream, or each transfer beside the
/// computation before it. Computation is emulated too, since the machine of a test may have fewer processors than the
/// world has ranks.
#[test]
fn transfers_overlap_with_computation_on_another_stream() {
    const STEPS: usize = 8;
    let compute = || {
        thread::sleep(LATENCY);
        Ok(())
    };
    let world = world(LATENCY, 0.0);
    let gather = |rank: &Rank, stream| {
        // SAFETY: the memory lives forever.
        unsafe { rank.all_gather(stream, everyone(rank)?, &[bytes(8)], &[bytes(16)], &[0], AT) }
    };
    // A machine that is busy with something else may be slow in one of the two; not five times.
    let ratio = (0..5).map(|_| {
        let in_turns = time(&world, 2, |rank| {
            let stream = rank.current_stream()?;
            for _ in 0..STEPS {
                gather(rank, stream)?;
                rank.launch(stream, "compute", AT, compute)?;
            }
            rank.synchronize(stream, AT)
        });
        let overlapped = time(&world, 2, |rank| {
            let (stream, link) = (rank.current_stream()?, rank.stream("link")?);
            for _ in 0..STEPS {
                gather(rank, link)?;
                let gathered = rank.record(link)?;
                rank.wait_event(stream, gathered, AT)?;
                rank.launch(stream, "compute", AT, compute)?;
            }
            rank.synchronize_all(AT)
        });
        assert!(in_turns >= LATENCY * 2 * STEPS as u32);
        assert!(overlapped >= LATENCY * (STEPS as u32 + 1));
        let ratio = in_turns.as_secs_f64() / overlapped.as_secs_f64();
        println!("{STEPS} steps: {in_turns:?} in turns, {overlapped:?} overlapped, ratio {ratio:.2}");
        ratio
    });
    // 16 / 9 on an idle machine.
    assert!(ratio.into_iter().any(|ratio| ratio > 1.25));
}

#[test]
fn a_failure_ends_a_transfer_that_is_under_way() {
    let begun = Instant::now();
    let outcome = world(Duration::from_secs(3600), 0.0).run(2, |rank| {
        let stream = rank.stream("slow")?;
        // SAFETY: the memory lives forever.
        unsafe { rank.all_gather(stream, everyone(rank)?, &[bytes(8)], &[bytes(16)], &[0], AT)? };
        if rank.index() == 1 {
            thread::sleep(Duration::from_millis(50));
            return Err(rank.fail("enough", "f.mlir:1:1"));
        }
        rank.synchronize(stream, AT)
    });
    assert!(begun.elapsed() < Duration::from_secs(600));
    let message = outcome.results[0].clone().unwrap_err().to_string();
    assert!(
        message.contains("rank 0: all_gather") && message.contains("rank 1: program at f.mlir:1:1: enough")
    );
}
