// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Order on and between streams, and how failures travel along them.

use std::{
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use comm_runtime::{At, Element, Error, Event, Fault, Rank, Stream, Tensor, World};

const AT: At<'static> = At {
    location: "test.mlir:1:1",
    timeout: None,
};

fn one<T: Send>(program: impl Fn(&Rank) -> Result<T, Error> + Sync) -> Result<T, Error> {
    let mut all = World::default().run(1, program).all()?;
    Ok(all.remove(0))
}

#[test]
fn a_stream_runs_in_the_order_of_issue() {
    let order = one(|rank| {
        let (stream, seen) = (rank.current_stream()?, Arc::new(Mutex::new(Vec::new())));
        for number in 0..1000 {
            let seen = seen.clone();
            rank.launch(stream, "append", AT, move || {
                seen.lock().unwrap().push(number);
                Ok(())
            })?;
        }
        rank.synchronize(stream, AT)?;
        Ok(seen.lock().unwrap().clone())
    });
    assert_eq!(order.unwrap(), (0..1000).collect::<Vec<_>>());
}

const BUFFERS: usize = 5;
const LENGTH: usize = 16;

/// `target = source`, or `target += source`, on a stream.
#[derive(Clone, Copy, Debug)]
struct Step {
    stream: usize,
    target: usize,
    source: usize,
    adds: bool,
    dawdles: bool,
}

/// Of each buffer: the last write, and the reads since.
#[derive(Clone, Default)]
struct Uses {
    write: Option<(usize, Event)>,
    reads: Vec<(usize, Event)>,
}

fn sequential(steps: &[Step]) -> Vec<[u64; LENGTH]> {
    let mut buffers: Vec<[u64; LENGTH]> = (0..BUFFERS).map(|index| [index as u64 + 1; LENGTH]).collect();
    for step in steps {
        let source = buffers[step.source];
        for (to, from) in buffers[step.target].iter_mut().zip(source) {
            *to = if step.adds {
                to.wrapping_mul(3).wrapping_add(from)
            } else {
                from
            };
        }
    }
    buffers
}

/// The same on three streams, with an event wherever two streams use a buffer and one of them writes it.
fn concurrent(rank: &Rank, steps: &[Step]) -> Result<Vec<[u64; LENGTH]>, Error> {
    let mut buffers: Vec<[u64; LENGTH]> = (0..BUFFERS).map(|index| [index as u64 + 1; LENGTH]).collect();
    let tensors: Vec<Tensor> = buffers
        .iter_mut()
        .map(|buffer| Tensor::contiguous(buffer.as_mut_ptr().cast(), Element::U64, &[LENGTH]))
        .collect();
    let streams: Vec<Stream> = ["a", "b", "c"]
        .iter()
        .map(|name| rank.stream(name))
        .collect::<Result<_, _>>()?;
    let mut uses = vec![Uses::default(); BUFFERS];
    for step in steps {
        let stream = streams[step.stream];
        let (target, source) = (&uses[step.target], &uses[step.source]);
        let awaited = target.write.iter().chain(&target.reads).chain(&source.write);
        for (other, event) in awaited.filter(|(other, _)| *other != step.stream) {
            assert_ne!(*other, step.stream);
            rank.wait_event(stream, *event, AT)?;
        }
        let (to, from) = (tensors[step.target].clone(), tensors[step.source].clone());
        if step.adds {
            let dawdles = step.dawdles;
            rank.launch(stream, "add", AT, move || {
                if dawdles {
                    thread::sleep(Duration::from_micros(50));
                }
                for index in 0..LENGTH {
                    // SAFETY: within the buffers, which the events keep apart.
                    unsafe {
                        let to = to.data().cast::<u64>().add(index);
                        let from = from.data().cast::<u64>().add(index).read();
                        to.write(to.read().wrapping_mul(3).wrapping_add(from));
                    }
                }
                Ok(())
            })?;
        } else {
            // SAFETY: the buffers outlive the streams' work, and the events keep accesses apart.
            unsafe { rank.copy(stream, &to, &from, AT)? };
        }
        let event = rank.record(stream)?;
        uses[step.source].reads.push((step.stream, event));
        uses[step.target] = Uses {
            write: Some((step.stream, event)),
            reads: Vec::new(),
        };
    }
    rank.synchronize_all(AT)?;
    Ok(buffers)
}

#[test]
fn random_programs_on_three_streams_compute_what_they_do_on_one() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let steps: Vec<Step> = (0..random.usize(1..60))
            .map(|_| Step {
                stream: random.usize(..3),
                target: random.usize(..BUFFERS),
                source: random.usize(..BUFFERS),
                adds: random.bool(),
                dawdles: random.u8(..4) == 0,
            })
            .collect();
        let found = one(|rank| concurrent(rank, &steps)).unwrap();
        assert_eq!(found, sequential(&steps), "seed {seed}: {steps:#?}");
    }
}

#[test]
fn without_events_streams_do_run_at_the_same_time() {
    // Each of two streams waits for the other: possible only if both run.
    let met = one(|rank| {
        let (send, receive) = std::sync::mpsc::channel();
        let (send_back, receive_back) = std::sync::mpsc::channel();
        let patience = Duration::from_secs(20);
        rank.launch(rank.stream("a")?, "a", AT, move || {
            send.send(()).map_err(|error| error.to_string())?;
            receive_back
                .recv_timeout(patience)
                .map_err(|error| error.to_string())
        })?;
        rank.launch(rank.stream("b")?, "b", AT, move || {
            receive
                .recv_timeout(patience)
                .map_err(|error| error.to_string())?;
            send_back.send(()).map_err(|error| error.to_string())
        })?;
        rank.synchronize_all(AT)
    });
    met.unwrap();
}

#[test]
fn a_failed_op_poisons_its_stream_and_all_that_waits_for_it() {
    let ran = Arc::new(Mutex::new(Vec::new()));
    let errors = Mutex::new(Vec::new());
    let outcome = World::default().run(1, |rank| {
        let (a, b) = (rank.stream("a")?, rank.stream("b")?);
        let before = rank.record(a)?;
        rank.synchronize_event(before, AT)?;
        let note = |name: &'static str| {
            let ran = ran.clone();
            move || {
                ran.lock().unwrap().push(name);
                Ok(())
            }
        };
        rank.launch(a, "good", AT, note("good"))?;
        rank.launch(a, "bad", At::from("bad.mlir:4:2"), || {
            Err("no such luck".to_owned())
        })?;
        let after = rank.record(a)?;
        // What is issued now is refused with the same error, and so are all waits; what happened has happened.
        let mut errors = errors.lock().unwrap();
        errors.push(rank.synchronize_event(after, AT));
        errors.push(rank.launch(a, "later", AT, note("later")));
        errors.push(rank.launch(b, "elsewhere", AT, note("elsewhere")));
        errors.push(rank.wait_event(b, after, AT));
        errors.push(rank.synchronize(a, AT));
        errors.push(rank.query_event(after).map(drop));
        errors.push(rank.query_event(before).map(|happened| assert!(happened)));
        Ok(())
    });
    let error = outcome.results[0].clone().unwrap_err();
    assert_eq!(error.fault(), &Fault::Program("no such luck".to_owned()));
    assert_eq!(error.to_string(), "rank 0: bad at bad.mlir:4:2: no such luck");
    let mut errors = errors.into_inner().unwrap();
    assert_eq!(errors.pop(), Some(Ok(())));
    assert_eq!(errors, vec![Err(error); 6]);
    assert_eq!(*ran.lock().unwrap(), ["good"]);
}

/// A program may free what its ops use as soon as a call has returned an error.
#[test]
fn a_call_that_returns_an_error_has_waited_for_what_was_issued() {
    let ended = Arc::new(Mutex::new(false));
    let seen = Mutex::new(None);
    let outcome = World::default().run(1, |rank| {
        let (note, started) = (ended.clone(), Arc::new(std::sync::Barrier::new(2)));
        let starts = started.clone();
        rank.launch(rank.stream("slow")?, "slow", AT, move || {
            starts.wait();
            thread::sleep(Duration::from_millis(100));
            *note.lock().unwrap() = true;
            Ok(())
        })?;
        started.wait();
        let refused = rank.group(&[7]);
        *seen.lock().unwrap() = Some((refused.is_err(), *ended.lock().unwrap()));
        Ok(())
    });
    assert!(outcome.all().is_err());
    assert_eq!(seen.into_inner().unwrap(), Some((true, true)));
}

#[test]
fn what_was_issued_before_a_failure_is_known_is_not_run_behind_it() {
    let ran = Arc::new(Mutex::new(Vec::new()));
    let both = Mutex::new(None);
    let outcome = World::default().run(1, |rank| {
        let (a, b) = (rank.stream("a")?, rank.stream("b")?);
        let (go, gate) = std::sync::mpsc::channel::<()>();
        rank.launch(a, "bad", AT, move || {
            gate.recv().map_err(|error| error.to_string())?;
            panic!("out of order {}", 7)
        })?;
        let event = rank.record(a)?;
        rank.wait_event(b, event, AT)?;
        for (stream, name) in [(a, "on a"), (b, "on b")] {
            let ran = ran.clone();
            rank.launch(stream, name, AT, move || {
                ran.lock().unwrap().push(name);
                Ok(())
            })?;
        }
        go.send(()).unwrap();
        *both.lock().unwrap() = Some([rank.synchronize(b, AT), rank.synchronize(a, AT)]);
        Ok(())
    });
    let error = outcome.all().unwrap_err();
    assert_eq!(error.fault(), &Fault::Panic("out of order 7".to_owned()));
    assert_eq!(both.into_inner().unwrap(), Some([Err(error.clone()), Err(error)]));
    assert!(ran.lock().unwrap().is_empty());
}

#[test]
fn streams_are_found_by_name() {
    one(|rank| {
        let stream = rank.current_stream()?;
        assert_eq!(rank.stream("current")?, stream);
        assert_ne!(rank.create_stream("current")?, stream);
        rank.destroy_stream(stream)?;
        assert_ne!(rank.current_stream()?, stream);
        Ok(())
    })
    .unwrap();
}

fn refusal(program: fn(&Rank) -> Result<(), Error>) -> String {
    one(program).unwrap_err().to_string()
}

#[test]
fn handles_are_checked() {
    let released = refusal(|rank| {
        let stream = rank.current_stream()?;
        let event = rank.record(stream)?;
        rank.release_event(event)?;
        rank.wait_event(stream, event, AT)
    });
    let message = "of no event of this rank, or of one that was released";
    assert!(released.contains(message), "{released}");
    let destroyed = refusal(|rank| {
        let stream = rank.current_stream()?;
        rank.destroy_stream(stream)?;
        rank.record(stream).map(drop)
    });
    assert!(destroyed.contains("of no stream of this rank"), "{destroyed}");
}

#[test]
fn a_destroyed_stream_has_done_its_work() {
    let sum = one(|rank| {
        let (stream, sum) = (rank.stream("gone")?, Arc::new(Mutex::new(0)));
        for number in 0..100 {
            let sum = sum.clone();
            rank.launch(stream, "add", AT, move || {
                *sum.lock().unwrap() += number;
                Ok(())
            })?;
        }
        let last = rank.record(stream)?;
        rank.destroy_stream(stream)?;
        assert_eq!(rank.query_event(last), Ok(true));
        Ok(*sum.lock().unwrap())
    });
    assert_eq!(sum.unwrap(), 4950);
}

#[test]
fn copies_are_checked() {
    fn refused(rank: &Rank, start: usize, count: usize) -> Result<(), Error> {
        let mut data = [0f32; 8];
        let mut at = |start: usize| (&raw mut data[start]).cast();
        let whole = Tensor::contiguous(at(0), Element::F32, &[4]);
        let other = Tensor::contiguous(at(start), Element::F32, &[count]);
        // SAFETY: nothing is issued.
        unsafe { rank.copy(rank.current_stream()?, &whole, &other, AT) }
    }
    let overlap = refusal(|rank| refused(rank, 2, 4));
    assert!(overlap.ends_with("the source overlaps the target"), "{overlap}");
    let misfit = refusal(|rank| refused(rank, 4, 3));
    assert!(misfit.ends_with("copies f32[3] to f32[4]"), "{misfit}");
}
