// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Ranks that die or never come: all others end with an error that says so, and the next run works.

use std::{
    thread,
    time::{Duration, Instant},
};

use comm_runtime::{At, Element, Error, Fault, Options, Outcome, Rank, Reduction, Stream, Tensor};

use crate::World;

/// Far beyond what any of these tests may take: who waits for it hangs.
pub(crate) const FOREVER: Duration = Duration::from_secs(600);
pub(crate) const SHORT: Duration = Duration::from_millis(300);

pub(crate) fn world(timeout: Duration) -> World {
    World::new(Options {
        timeout,
        ..Options::default()
    })
}

pub(crate) fn scratch(sizes: &[usize], element: Element) -> Tensor {
    let count: usize = sizes.iter().product();
    let data = Box::leak(vec![0u64; count + 1].into_boxed_slice());
    Tensor::contiguous(data.as_mut_ptr().cast(), element, sizes)
}

pub(crate) fn all(rank: &Rank) -> Result<comm_runtime::Group, Error> {
    rank.group(&(0..rank.ranks()).collect::<Vec<_>>())
}

pub(crate) fn sum(rank: &Rank, stream: Stream, size: usize, at: At<'_>) -> Result<(), Error> {
    let (input, output) = (scratch(&[size], Element::F32), scratch(&[size], Element::F32));
    // SAFETY: the memory lives forever.
    unsafe { rank.all_reduce(stream, all(rank)?, Reduction::Sum, &[input], &[output], at) }
}

/// All ranks sum, in a run that must work.
pub(crate) fn works(world: &World, ranks: usize) {
    let outcome = world.run(ranks, |rank| {
        let stream = rank.current_stream()?;
        let (group, mut value) = (all(rank)?, [1i32]);
        let tensor = [Tensor::contiguous(value.as_mut_ptr().cast(), Element::I32, &[1])];
        // SAFETY: the value outlives the stream's work.
        unsafe { rank.all_reduce(stream, group, Reduction::Sum, &tensor, &tensor, At::default())? };
        rank.synchronize(stream, At::default())?;
        Ok(value[0])
    });
    assert_eq!(outcome.all().unwrap(), vec![ranks as i32; ranks]);
}

pub(crate) fn messages<T: Clone>(outcome: &Outcome<T>) -> Vec<String> {
    let text = |result: &Result<T, Error>| {
        result
            .as_ref()
            .err()
            .map_or_else(String::new, ToString::to_string)
    };
    outcome.results.iter().map(text).collect()
}

pub(crate) fn assert_has(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no {part:?} in: {message}");
    }
}

#[test]
fn a_rank_that_panics_ends_all_others_at_once() {
    let world = world(FOREVER);
    for ranks in [2, 3, 8] {
        let begun = Instant::now();
        let outcome = world.run(ranks, |rank| {
            let stream = rank.current_stream()?;
            sum(rank, stream, 4, At::from("a.mlir:1:1"))?;
            rank.synchronize(stream, At::default())?;
            if rank.index() == 1 {
                panic!("rank one is tired");
            }
            sum(rank, stream, 4, At::from("a.mlir:2:1"))?;
            rank.synchronize(stream, At::default())
        });
        assert!(begun.elapsed() < FOREVER / 10);
        let panicked =
            "rank 1: program, after it issued all_reduce at a.mlir:1:1: panicked: rank one is tired";
        assert_eq!(outcome.failure.as_ref().unwrap().to_string(), panicked);
        for (rank, message) in messages(&outcome)
            .iter()
            .enumerate()
            .filter(|(rank, _)| *rank != 1)
        {
            let own = format!("rank {rank}: all_reduce at a.mlir:2:1: ended by a failure elsewhere: ");
            assert_has(message, &[&own, panicked]);
        }
        works(&world, ranks);
    }
}

#[test]
fn a_failure_on_a_stream_ends_all_others_at_once() {
    let outcome = world(FOREVER).run(3, |rank| {
        let stream = rank.current_stream()?;
        if rank.index() == 2 {
            rank.launch(stream, "matmul", At::from("a.mlir:7:7"), || {
                Err("does not fit".to_owned())
            })?;
        }
        sum(rank, stream, 4, At::from("a.mlir:8:1"))?;
        rank.synchronize(stream, At::default())
    });
    let messages = messages(&outcome);
    assert_eq!(messages[2], "rank 2: matmul at a.mlir:7:7: does not fit");
    for message in &messages[..2] {
        assert_has(message, &["all_reduce at a.mlir:8:1", &messages[2]]);
    }
}

#[test]
fn a_rank_that_returns_an_error_ends_a_rank_that_waits_for_a_signal_and_one_in_a_barrier() {
    let outcome = world(FOREVER).run(4, |rank| {
        let (stream, at) = (rank.current_stream()?, At::from("s.mlir:3:1"));
        match rank.index() {
            0 => rank.wait_signal(stream, 1, None, 5, 1, at)?,
            1 => rank.barrier(stream, rank.group(&[1, 2])?, 0, at)?,
            2 => return Err(rank.fail("ill", "s.mlir:9:9")),
            _ => drop(rank.symmetric_alloc(all(rank)?, 8, at)?),
        }
        rank.synchronize(stream, At::default())
    });
    let messages = messages(&outcome);
    let first = "rank 2: program at s.mlir:9:9: ill";
    assert_eq!(messages[2], first);
    assert_has(&messages[0], &["rank 0: wait_signal at s.mlir:3:1", first]);
    assert_has(&messages[1], &["rank 1: barrier at s.mlir:3:1", first]);
    assert_has(&messages[3], &["rank 3: symmetric_alloc at s.mlir:3:1", first]);
}

/// Until somebody has failed: a rank that never comes, but lets the test end.
fn dawdle(rank: &Rank, stream: Stream) {
    let begun = Instant::now();
    while rank.launch(stream, "nothing", At::default(), || Ok(())).is_ok() && begun.elapsed() < FOREVER {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_rank_that_never_comes_ends_all_others_within_the_timeout() {
    for ranks in [2, 5] {
        let world = world(SHORT);
        let begun = Instant::now();
        let outcome = world.run(ranks, |rank| {
            let stream = rank.current_stream()?;
            if rank.index() == 1 {
                rank.barrier(stream, rank.group(&[1])?, 0, At::from("l.mlir:2:2"))?;
                rank.synchronize(stream, At::default())?;
                dawdle(rank, rank.stream("idle")?);
                return Ok(());
            }
            sum(rank, stream, 4, At::from("l.mlir:5:1"))?;
            rank.synchronize(stream, At::default())
        });
        assert!(begun.elapsed() >= SHORT);
        for (rank, message) in messages(&outcome)
            .iter()
            .enumerate()
            .filter(|(rank, _)| *rank != 1)
        {
            let own = format!("rank {rank}: all_reduce at l.mlir:5:1");
            assert_has(message, &[&own, "gave up after 300 ms; missing: ", "rank 1 ("]);
        }
        let Fault::Late { missing, .. } = outcome.failure.as_ref().unwrap().fault() else {
            panic!("{:?}", outcome.failure);
        };
        assert!(missing.iter().any(|missing| missing.rank == 1));
        works(&world, ranks);
    }
}

/// What ranks were doing when one gave up depends on how far they were: a slow machine gets more time.
pub(crate) fn eventually(
    program: impl Fn(&Rank) -> Result<(), Error> + Sync,
    is_as_expected: impl Fn(&[String]) -> bool,
) {
    let mut last = Vec::new();
    for timeout in [SHORT, SHORT * 10, SHORT * 100] {
        last = messages(&world(timeout).run(3, &program));
        if is_as_expected(&last) {
            return;
        }
    }
    panic!("{last:#?}");
}

#[test]
fn a_late_message_says_what_the_missing_rank_is_doing() {
    let program = |rank: &Rank| {
        let stream = rank.current_stream()?;
        if rank.index() == 1 {
            rank.wait_signal(stream, 0, None, 9, 1, At::from("w.mlir:4:4").within(FOREVER))?;
            return rank.synchronize(stream, At::default());
        }
        sum(rank, stream, 4, At::from("w.mlir:5:1"))?;
        rank.synchronize(stream, At::default())
    };
    eventually(program, |messages| {
        let [first, second, _] = messages else {
            return false;
        };
        first.contains("rank 0: all_reduce at w.mlir:5:1: ")
            && first.contains("missing: rank 1 (in wait_signal at w.mlir:4:4)")
            && second.contains("rank 1: wait_signal at w.mlir:4:4: ended by a failure elsewhere: rank ")
    });
}

#[test]
fn the_timeout_of_an_op_wins() {
    let outcome = world(FOREVER).run(2, |rank| {
        let stream = rank.current_stream()?;
        if rank.index() == 1 {
            dawdle(rank, stream);
            return Ok(());
        }
        sum(
            rank,
            stream,
            4,
            At::from("t.mlir:1:1").within(Duration::from_millis(50)),
        )?;
        rank.synchronize(stream, At::default())
    });
    assert_has(&messages(&outcome)[0], &["gave up after 50 ms"]);
}

#[test]
fn a_rank_that_has_returned_is_not_waited_for() {
    let outcome = world(FOREVER).run(3, |rank| {
        let stream = rank.current_stream()?;
        sum(rank, stream, 4, At::from("r.mlir:1:1"))?;
        if rank.index() == 2 {
            return Ok(());
        }
        sum(rank, stream, 4, At::from("r.mlir:2:1"))?;
        rank.synchronize(stream, At::default())
    });
    assert!(outcome.results[2].is_ok());
    for message in &messages(&outcome)[..2] {
        assert_has(
            message,
            &["all_reduce at r.mlir:2:1", "rank 2 returned without taking part"],
        );
    }
    let outcome = world(FOREVER).run(2, |rank| {
        let (stream, at) = (rank.current_stream()?, At::from("r.mlir:3:1"));
        match rank.index() {
            0 => rank.wait_signal(stream, 1, None, 0, 2, at)?,
            _ => rank.put_signal(stream, 0, None, 0, 1, at)?,
        }
        rank.synchronize(stream, At::default())
    });
    assert_has(
        &messages(&outcome)[0],
        &["rank 0: wait_signal at r.mlir:3:1: rank 1 returned without taking part"],
    );
}

#[test]
fn epochs_must_grow() {
    let outcome = world(FOREVER).run(2, |rank| {
        let stream = rank.current_stream()?;
        for epoch in [1, 4, 4] {
            rank.put_signal(stream, 1 - rank.index(), None, 7, epoch, At::from("e.mlir:1:1"))?;
        }
        rank.synchronize(stream, At::default())
    });
    let message = outcome.failure.unwrap().to_string();
    assert_has(
        &message,
        &[
            "put_signal at e.mlir:1:1",
            "epoch 4 does not follow epoch 4 on channel 7",
        ],
    );
}

#[test]
fn a_program_that_ignores_errors_ends_with_the_first() {
    let outcome = world(FOREVER).run(2, |rank| {
        let stream = rank.current_stream()?;
        if rank.index() == 0 {
            rank.launch(stream, "bad", At::from("i.mlir:1:1"), || Err("first".to_owned()))?;
        }
        for _ in 0..20 {
            drop(sum(rank, stream, 4, At::from("i.mlir:2:1")));
        }
        Ok(())
    });
    let messages = messages(&outcome);
    assert_eq!(messages[0], "rank 0: bad at i.mlir:1:1: first");
    assert_has(&messages[1], &["i.mlir:2:1", &messages[0]]);
}

/// A rank dies at a random op of a random program on several streams: everything ends, always, and the next run
/// works.
#[test]
fn random_deaths_under_load() {
    let world = world(FOREVER);
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let ranks = [2, 3, 4, 8][seed as usize % 4];
        let (victim, moment, dies_on_stream) = (random.usize(..ranks), random.usize(..30), random.bool());
        let outcome = world.run(ranks, |rank| {
            let mut random = fastrand::Rng::with_seed(seed);
            for number in 0..30 {
                let stream = rank.stream(["a", "b", "c"][random.usize(..3)])?;
                if rank.index() == victim && number == moment {
                    if dies_on_stream {
                        rank.launch(stream, "last", At::from("d.mlir:0:0"), || panic!("dies"))?;
                    } else {
                        panic!("dies");
                    }
                }
                match random.u8(..3) {
                    0 => rank.barrier(stream, all(rank)?, 0, At::from("d.mlir:1:1"))?,
                    1 => drop(rank.symmetric_alloc(all(rank)?, 256, At::from("d.mlir:2:1"))?),
                    _ => sum(rank, stream, 1 << random.u8(..12), At::from("d.mlir:3:1"))?,
                }
                let event = rank.record(stream)?;
                rank.wait_event(
                    rank.stream(["a", "b", "c"][random.usize(..3)])?,
                    event,
                    At::default(),
                )?;
            }
            rank.synchronize_all(At::default())
        });
        let failure = outcome.failure.as_ref().unwrap().to_string();
        assert_has(&failure, &[&format!("rank {victim}: "), "panicked: dies"]);
        works(&world, ranks);
    }
}
