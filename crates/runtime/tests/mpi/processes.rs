// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What only processes can do: to be killed, to exit, not to begin, to be too few; and what they bring together at the end
//! of a run. Each test executes its parts in jobs, and the part itself in their processes.

use std::{
    ffi::{CString, c_void},
    process::{self, Command},
    thread,
    time::{Duration, Instant},
};

use comm_runtime::{
    At, Element, Error, Fault, Link, Options, Outcome, Rank, Tensor, World, ffi, live_symmetric_bytes,
};

use crate::{
    faults::{FOREVER, all, assert_has, sum},
    job::{self, Job},
};

const AT: At<'static> = At {
    location: "p.mlir:1:1",
    timeout: None,
};

fn world(timeout: Duration) -> World {
    World::new(Options {
        timeout,
        ..Options::default()
    })
}

/// All ranks sum and share memory, in a run that must work.
fn works(ranks: usize) {
    let outcome = world(FOREVER).run_mpi(ranks, |rank| {
        let (stream, everyone) = (rank.current_stream()?, all(rank)?);
        let buffer = rank.symmetric_alloc(everyone, 8, AT)?;
        sum(rank, stream, 5, AT)?;
        rank.synchronize(stream, AT)?;
        assert!(live_symmetric_bytes() >= 8);
        rank.symmetric_free(buffer, AT)
    });
    outcome.all().unwrap();
    assert_eq!(live_symmetric_bytes(), 0);
}

/// Rank 1 ends its process in the midst of a run, in one way or another, while the others wait for it.
fn perishes(end: impl Fn() + Sync) {
    let outcome = world(FOREVER).run_mpi(3, |rank| {
        let stream = rank.current_stream()?;
        rank.symmetric_alloc(all(rank)?, 1 << 20, AT)?;
        sum(rank, stream, 4, AT)?;
        rank.synchronize(stream, AT)?;
        if rank.index() == 1 {
            end();
        }
        sum(rank, stream, 4, AT)?;
        rank.synchronize(stream, AT)
    });
    panic!("a run without one of its ranks ended: {:?}", outcome.failure);
}

#[test]
fn a_process_that_perishes_ends_the_job_and_leaves_nothing_behind() {
    if job::size().is_some() {
        job::announce();
        match &*job::part() {
            "is killed" => perishes(|| {
                let number = process::id().to_string();
                Command::new("kill").args(["-9", &number]).status().ok();
                thread::sleep(FOREVER);
            }),
            "aborts" => perishes(|| process::abort()),
            "exits" => perishes(|| process::exit(3)),
            "exits well" => perishes(|| process::exit(0)),
            _ => works(3),
        }
        return;
    }
    for part in ["is killed", "aborts", "exits", "exits well"] {
        let ended = Job::of_this_test(3).part(part).run();
        assert!(!ended.status.success(), "{part}: {}", ended.output);
        assert!(ended.took < FOREVER / 10, "{part}: {:?}", ended.took);
        assert!(
            !ended.output.contains("a run without one of its ranks ended"),
            "{part}: {}",
            ended.output
        );
        let after = Job::of_this_test(3).part("works").run();
        assert!(after.status.success(), "after one that {part}: {}", after.output);
    }
}

fn refusal(outcome: &Outcome<Option<()>>) -> String {
    assert!(outcome.results.iter().all(Result::is_err));
    outcome.failure.as_ref().unwrap().to_string()
}

#[test]
fn the_number_of_processes_must_be_that_of_ranks() {
    if job::size().is_some() {
        job::announce();
        let (found, wanted) = match &*job::part() {
            "alone" => (1, 4),
            _ => (2, 3),
        };
        let refused = refusal(&World::default().run_mpi(wanted, |_| Ok(())));
        let message = format!(
            "{wanted} ranks were asked for, but this process is one of {found} in its MPI job: start the program by \
             `mpirun -n {wanted}`"
        );
        assert_has(&refused, &[&message, &format!("rank {}: run", job::rank())]);
        works(found);
        return;
    }
    for job in [Job::of_this_test(2), Job::of_this_test(1).alone().part("alone")] {
        let ended = job.run();
        assert!(ended.status.success(), "{}", ended.output);
    }
}

#[test]
fn a_rank_that_does_not_begin_a_run_is_named() {
    let Some(size) = job::size() else {
        return Job::of_this_test(3).once();
    };
    job::announce();
    works(size);
    if job::rank() == 1 {
        // Long enough that the others give up.
        thread::sleep(Duration::from_millis(1500));
    }
    let outcome = world(Duration::from_millis(400)).run_mpi(size, |rank| {
        // Never gets here.
        rank.fail("began", "");
        Ok(())
    });
    let first = outcome.failure.unwrap();
    assert_has(&first.to_string(), &["run", "gave up after 400 ms"]);
    let Fault::Late { missing, .. } = first.fault() else {
        panic!("{first}");
    };
    assert_eq!((missing.len(), missing[0].rank), (1, 1));
    assert_eq!(missing[0].doing, "has not begun the run");
    works(size);
}

/// A rank that computes answers who asks what it is doing, and hears of failures.
#[test]
fn a_rank_that_computes_is_heard_and_hears() {
    let Some(size) = job::size() else {
        return Job::of_this_test(2).once();
    };
    job::announce();
    let outcome = world(FOREVER).run_mpi(size, |rank| {
        let stream = rank.current_stream()?;
        if rank.index() == 1 {
            rank.launch(stream, "long", At::from("c.mlir:1:1"), || {
                thread::sleep(Duration::from_millis(1200));
                Ok(())
            })?;
            rank.synchronize(stream, AT)?;
        }
        sum(
            rank,
            stream,
            4,
            At::from("c.mlir:2:1").within(Duration::from_millis(300)),
        )?;
        rank.synchronize(stream, AT)
    });
    let late = "rank 0: all_reduce at c.mlir:2:1: rank 0 gave up after 300 ms; missing: rank 1 (in long at c.mlir:1:1)";
    assert_eq!(outcome.failure.unwrap().to_string(), late);
    for result in outcome.results {
        assert_has(&result.unwrap_err().to_string(), &[late]);
    }
}

#[test]
fn rank_0_has_the_traces_of_all() {
    let Some(size) = job::size() else {
        return Job::of_this_test(3).once();
    };
    job::announce();
    let world = World::new(Options {
        trace: true,
        ..Options::default()
    });
    let outcome = world.run_mpi(size, |rank| {
        let stream = rank.stream("link")?;
        sum(rank, stream, 4, At::from("t.mlir:1:1"))?;
        rank.synchronize(stream, AT)
    });
    let traces = outcome.traces;
    if job::rank() != 0 {
        assert!(traces.is_empty());
        return;
    }
    assert_eq!(
        traces.iter().map(|trace| trace.rank).collect::<Vec<_>>(),
        [0, 1, 2]
    );
    let spans: Vec<_> = traces
        .iter()
        .map(|trace| {
            assert_eq!(trace.lanes, ["host", "link"]);
            let mut spans = trace.spans.iter();
            spans.find(|span| &*span.name == "all_reduce").unwrap().clone()
        })
        .collect();
    // A collective ends on nobody before it has begun on all, by clocks that agree.
    let begun = spans.iter().map(|span| span.begin_ns).max().unwrap();
    assert!(
        spans.iter().all(|span| span.end_ns >= begun && span.bytes == 16),
        "{spans:#?}"
    );
}

/// Two ranks push to a third at once: their transfers take turns on its link, though they are in different processes.
#[test]
fn emulated_links_are_shared_by_processes() {
    let Some(size) = job::size() else {
        return Job::of_this_test(3).once();
    };
    job::announce();
    const BYTES: usize = 500_000;
    let link = Some(Link {
        latency: Duration::ZERO,
        bandwidth: 1e7, // 50 ms for each push
    });
    let world = World::new(Options {
        link,
        ..Options::default()
    });
    let outcome = world.run_mpi(size, |rank| {
        let (stream, everyone) = (rank.current_stream()?, all(rank)?);
        let buffer = rank.symmetric_alloc(everyone, 2 * BYTES, AT)?;
        // Before any push, on all ranks.
        let begun = Instant::now();
        rank.barrier(stream, everyone, 0, AT)?;
        rank.synchronize(stream, AT)?;
        let own = rank.index();
        if own == 0 {
            for peer in [1, 2] {
                rank.wait_signal(stream, peer, Some(buffer), 0, 1, AT)?;
            }
            rank.synchronize(stream, AT)?;
            let took = begun.elapsed();
            assert!(took >= Duration::from_millis(100), "{took:?}");
            // SAFETY: both have pushed.
            let found = unsafe { std::slice::from_raw_parts(rank.peer(buffer, 0)?, 2 * BYTES) };
            assert!(
                found[..BYTES].iter().all(|&byte| byte == 1) && found[BYTES..].iter().all(|&byte| byte == 2)
            );
        } else {
            let mut values = vec![own as u8; BYTES];
            let source = Tensor::contiguous(values.as_mut_ptr(), Element::U8, &[BYTES]);
            let theirs = rank.peer(buffer, 0)?.wrapping_add((own - 1) * BYTES);
            let target = Tensor::contiguous(theirs, Element::U8, &[BYTES]);
            // SAFETY: the values live until the stream has ended; each rank writes a part of its own.
            unsafe { rank.copy(stream, &target, &source, AT)? };
            rank.put_signal(stream, 0, Some(buffer), 0, 1, AT)?;
            rank.synchronize(stream, AT)?;
        }
        rank.symmetric_free(buffer, AT)
    });
    outcome.all().unwrap();
}

/// More than one message holds.
#[test]
fn large_tensors_travel_in_several_messages() {
    let Some(size) = job::size() else {
        return Job::of_this_test(2).once();
    };
    job::announce();
    const WORDS: usize = 9 << 20;
    let outcome = world(FOREVER).run_mpi(size, |rank| {
        let value = |index: usize| (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut words: Vec<u64> = match rank.index() {
            1 => (0..WORDS).map(value).collect(),
            _ => vec![0; WORDS],
        };
        let tensor = [Tensor::contiguous(
            words.as_mut_ptr().cast(),
            Element::U64,
            &[WORDS],
        )];
        let stream = rank.current_stream()?;
        // SAFETY: the words live until the stream has ended.
        unsafe { rank.broadcast(stream, all(rank)?, 1, &tensor, &tensor, AT)? };
        rank.synchronize(stream, AT)?;
        assert!(
            words
                .iter()
                .enumerate()
                .all(|(index, &word)| word == value(index))
        );
        Ok(())
    });
    outcome.all().unwrap();
}

#[test]
fn a_world_runs_one_program_at_a_time() {
    let Some(size) = job::size() else {
        return Job::of_this_test(1).once();
    };
    job::announce();
    let outcome = world(FOREVER).run_mpi(size, |_| {
        let inner = refusal(&World::default().run_mpi(1, |_| Ok(())));
        assert_has(&inner, &["another run of this process is under way"]);
        Ok(())
    });
    outcome.all().unwrap();
}

#[test]
fn the_c_interface_runs_on_processes() {
    unsafe extern "C" fn program(rank: *const Rank, data: *mut c_void) -> i32 {
        // SAFETY: valid pointers, and what `ffi` promises.
        unsafe {
            let mut group = 0;
            let (list, fails) = ([2i64, 0, 1], *data.cast::<bool>());
            assert_eq!(ffi::comm_rt_group(rank, list.as_ptr(), 3, &mut group), 0);
            for (position, &expected) in list.iter().enumerate() {
                assert_eq!(ffi::comm_rt_group_rank(rank, group, position as i64), expected);
            }
            let mut stream = 0;
            assert_eq!(ffi::comm_rt_stream(rank, c"s".as_ptr(), &mut stream), 0);
            ffi::comm_rt_barrier(rank, stream, group, 0, 0, c"c.mlir:1:1".as_ptr());
            let status = ffi::comm_rt_stream_synchronize(rank, stream, c"".as_ptr());
            if fails && ffi::comm_rt_rank_index(rank) == 2 {
                return 7;
            }
            status
        }
    }
    if job::size().is_none() {
        return Job::of_this_test(3).once();
    }
    job::announce();
    let path = std::env::temp_dir().join(format!("comm_rt_trace.{}", process::id()));
    let text = CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: valid pointers.
    unsafe {
        let options = ffi::WorldOptions {
            trace: 1,
            backend: ffi::Backend::Mpi as i32,
            ..ffi::WorldOptions::default()
        };
        let world = ffi::comm_rt_world_create(&options);
        let (mut well, mut ill) = (false, true);
        assert_eq!(
            ffi::comm_rt_world_run(world, 3, Some(program), (&raw mut well).cast()),
            0
        );
        assert_eq!(ffi::comm_rt_world_write_trace(world, text.as_ptr()), 0);
        assert_eq!(path.exists(), job::rank() == 0);
        let status = ffi::comm_rt_world_run(world, 3, Some(program), (&raw mut ill).cast());
        assert_eq!(status, ffi::Status::Program as i32);
        for rank in [-1, 2] {
            let mut buffer = [0u8; 200];
            ffi::comm_rt_world_message(world, rank, buffer.as_mut_ptr().cast(), buffer.len());
            let message = String::from_utf8_lossy(&buffer);
            assert_has(
                &message,
                &["rank 2: program, after it issued barrier at c.mlir:1:1: returned 7"],
            );
        }
        ffi::comm_rt_world_destroy(world);
    }
    if job::rank() == 0 {
        let trace = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let trace: serde_json::Value = serde_json::from_str(&trace).unwrap();
        let events = trace["traceEvents"].as_array().unwrap();
        let barriers = events.iter().filter(|event| event["name"] == "barrier");
        assert_eq!(barriers.count(), 3);
    }
    assert_eq!(Error::site(&refused()).op.as_ref(), "run");
}

fn refused() -> Error {
    World::default().run_mpi(17, |_| Ok(())).failure.unwrap()
}
