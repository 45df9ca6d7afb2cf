// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How many steps a second are checked: an all-gather that is pulled on two streams, again and again, on some ranks.
//!
//! `cargo run --release -p comm-happens --example throughput -- RANKS ROUNDS`

use std::time::Instant;

use comm_happens::{Access, Action, Buffer, Region, Stream, Trace, check};

/// Bytes of a shard.
const SHARD: i64 = 1 << 20;

fn gathers(ranks: u32, rounds: usize) -> Trace {
    let mut trace = Trace::new(ranks as usize);
    let everyone: Vec<u32> = (0..ranks).collect();
    let group = trace.group(&everyone);
    let shards: Vec<Buffer> = everyone
        .iter()
        .map(|rank| trace.buffer(format!("shard of rank {rank}")))
        .collect();
    for &rank in &everyone {
        let streams: [Stream; 2] = ["current", "copies"].map(|name| trace.stream(rank, name));
        let gathered = trace.buffer(format!("gathered on rank {rank}"));
        let chunk = |owner: u32| Region::contiguous(i64::from(owner) * SHARD, SHARD);
        let meet = |channel| Action::Barrier { group, channel };
        for _ in 0..rounds {
            trace.push(streams[0], meet(0), vec![]);
            let own = Access::write(shards[rank as usize], Region::contiguous(0, SHARD));
            trace.push(streams[0], Action::Work, vec![own]);
            trace.push(streams[0], meet(1), vec![]);
            let event = trace.event();
            trace.push(streams[0], Action::Record(event), vec![]);
            trace.push(streams[1], Action::WaitEvent(event), vec![]);
            for distance in 0..ranks {
                let owner = (rank + distance) % ranks;
                let stream = streams[(distance % 2) as usize];
                let pulled = Access::read(shards[owner as usize], Region::contiguous(0, SHARD));
                let landed = Access::write(gathered, chunk(owner));
                trace.push(stream, Action::Work, vec![pulled, landed]);
                trace.push(stream, Action::Work, vec![Access::read(gathered, chunk(owner))]);
            }
            let event = trace.event();
            trace.push(streams[1], Action::Record(event), vec![]);
            trace.push(streams[0], Action::WaitEvent(event), vec![]);
        }
        trace.push(streams[0], meet(0), vec![]);
    }
    trace
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let mut next = |default| arguments.next().and_then(Result::ok).unwrap_or(default);
    let (ranks, rounds) = (next(8), next(5000));
    let trace = gathers(ranks as u32, rounds);
    let begin = Instant::now();
    match check(&trace) {
        Ok(proof) => {
            let seconds = begin.elapsed().as_secs_f64();
            let rate = proof.steps as f64 / seconds;
            println!("{proof:?}: {seconds:.2} s, {rate:.0} steps a second");
        }
        Err(faults) => faults.iter().for_each(|fault| println!("{fault}")),
    }
}
