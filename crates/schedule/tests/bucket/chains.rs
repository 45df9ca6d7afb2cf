// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Partitions of chains: times against a simulation, optima against brute force and recurrences.

use crate::{Shape, chain, items, partitions, sums};
use comm_schedule::bucket::{Chain, Item, Limits, by_bytes, by_name, fastest};
use fastrand::Rng;

/// Time of a partition step by step, as a program of one compute stream and one link would run: the oracle of
/// `Chain::time_ns`. Work is done nanosecond by nanosecond.
fn simulated(chain: &Chain<'_>, ends: &[usize]) -> u64 {
    let items = chain.items();
    let mut begin = 0;
    let buckets: Vec<(u64, u64, u64)> = ends
        .iter()
        .map(|&end| {
            let run = begin..end;
            begin = end;
            let ready = items[run.clone()].iter().map(|item| item.ready_ns).max();
            let need = items[run.clone()].iter().map(|item| item.need_ns).min();
            (ready.unwrap(), need.unwrap(), chain.cost(run.start, run.end))
        })
        .collect();
    // When each bucket ends, once that is known.
    let mut arrived: Vec<Option<u64>> = vec![None; buckets.len()];
    let mut clock = 0;
    let mut link = 0;
    let mut next = 0;
    for work in 0..=chain.compute_ns() {
        // What is ready now is issued before computation waits here.
        while next < buckets.len() && buckets[next].0 <= work {
            link = link.max(clock) + buckets[next].2;
            arrived[next] = Some(link);
            next += 1;
        }
        for (bucket, arrived) in buckets.iter().zip(&arrived) {
            if bucket.1 == work {
                clock = clock.max(arrived.expect("a bucket is ready before it is needed"));
            }
        }
        clock += u64::from(work < chain.compute_ns());
    }
    clock.max(link)
}

/// The recurrence for gathers that are ready at 0 with an affine cost, by number of buckets.
fn by_count(items: &[Item], compute_ns: u64, alpha: u64, beta: u64) -> u64 {
    let (count, sums) = (items.len(), sums(items));
    // Work before the items from j on are needed, 0 before the first.
    let work = |j: usize| {
        if j == count { compute_ns } else { items[j].need_ns }
    };
    let mut least = vec![vec![u64::MAX; count + 1]; count + 1];
    least[0][0] = work(0);
    for j in 1..=count {
        for k in 1..=j {
            least[j][k] = (0..j)
                .filter(|i| least[*i][k - 1] < u64::MAX)
                .map(|i| least[i][k - 1].max(k as u64 * alpha + beta * sums[j]) + work(j) - work(i))
                .min()
                .unwrap_or(u64::MAX);
        }
    }
    least[count].iter().copied().min().unwrap()
}

/// The same read backwards in time, for any cost: computation never waits, and the link ends as late as it must.
fn backwards(chain: &Chain<'_>) -> u64 {
    let count = chain.items().len();
    let mut link = vec![u64::MAX; count + 1];
    link[count] = 0;
    for begin in (0..count).rev() {
        let ready = chain.compute_ns() - chain.items()[begin].need_ns;
        link[begin] = (begin + 1..=count)
            .map(|end| link[end].max(ready) + chain.cost(begin, end))
            .min()
            .unwrap();
    }
    link[0].max(chain.compute_ns())
}

#[test]
fn times_of_partitions_are_those_of_a_simulation() {
    let mut rng = Rng::with_seed(1);
    for round in 0..2000 {
        let shape = [Shape::Gathers, Shape::Reductions, Shape::Mixed][round % 3];
        let count = rng.usize(1..8);
        let (items, compute_ns) = items(&mut rng, count, shape);
        let (chain, ..) = chain(&mut rng, &items, compute_ns, false, Limits::default());
        for ends in partitions(&chain) {
            assert_eq!(
                chain.time_ns(&ends),
                simulated(&chain, &ends),
                "{items:?} {ends:?}"
            );
        }
    }
}

#[test]
fn the_fastest_partition_is_that_of_brute_force() {
    let mut rng = Rng::with_seed(2);
    let mut merged = 0;
    for round in 0..6000 {
        let shape = if round % 2 == 0 {
            Shape::Gathers
        } else {
            Shape::Reductions
        };
        let count = rng.usize(1..=10);
        let (items, compute_ns) = items(&mut rng, count, shape);
        let is_affine = round % 4 < 2;
        let (chain, alpha, beta) = chain(&mut rng, &items, compute_ns, is_affine, Limits::default());
        let optimum = fastest(&chain);
        let least = partitions(&chain).iter().map(|ends| chain.time_ns(ends)).min();
        assert_eq!(Some(optimum.time_ns), least, "{items:?}");
        assert_eq!(optimum.time_ns, simulated(&chain, &optimum.ends));
        assert!(optimum.is_exact);
        if shape == Shape::Gathers {
            assert_eq!(optimum.time_ns, backwards(&chain));
            if is_affine {
                assert_eq!(optimum.time_ns, by_count(&items, compute_ns, alpha, beta));
            }
        }
        for threshold in [0, 30, 100, u64::MAX] {
            assert!(optimum.time_ns <= chain.time_ns(&by_bytes(&chain, threshold)));
        }
        // No bucket can be cut at no loss.
        for at in 1..count {
            if !optimum.ends.contains(&at) {
                let mut cut = optimum.ends.clone();
                cut.push(at);
                cut.sort_unstable();
                assert!(
                    chain.time_ns(&cut) > optimum.time_ns,
                    "{items:?} {:?} {at}",
                    optimum.ends
                );
            }
        }
        merged += usize::from(optimum.ends.len() < count);
    }
    assert!(merged > 1000, "only {merged} chains gain from buckets");
}

#[test]
fn limits_and_dependences_are_kept_at_the_least_time_there_is() {
    let mut rng = Rng::with_seed(3);
    for round in 0..4000 {
        let count = rng.usize(1..=10);
        let (mut items, compute_ns) = items(&mut rng, count, Shape::Gathers);
        let mut earliest = 0;
        for (index, item) in items.iter_mut().enumerate() {
            if rng.u32(0..4) == 0 {
                earliest = rng.usize(earliest..=index);
            }
            item.earliest = earliest;
        }
        let limits = Limits {
            bucket_bytes: (round % 2 == 0).then(|| rng.u64(1..200)),
            live_bytes: (round % 3 == 0).then(|| rng.u64(1..300)),
            ..Limits::default()
        };
        let is_affine = rng.bool();
        let (chain, ..) = chain(&mut rng, &items, compute_ns, is_affine, limits);
        let optimum = fastest(&chain);
        assert!(chain.is_allowed(&optimum.ends));
        let least = partitions(&chain).iter().map(|ends| chain.time_ns(ends)).min();
        assert_eq!(Some(optimum.time_ns), least, "{items:?} {limits:?}");
        let names: Vec<Option<&str>> = (0..count)
            .map(|_| [None, Some("a"), Some("b")][rng.usize(0..3)])
            .collect();
        for ends in [
            by_bytes(&chain, rng.u64(0..400)),
            by_bytes(&chain, u64::MAX),
            by_name(&chain, &names),
        ] {
            assert!(chain.is_allowed(&ends), "{items:?} {limits:?} {ends:?}");
        }
    }
}

#[test]
fn where_exactness_is_claimed_between_readiness_and_need_it_holds() {
    let mut rng = Rng::with_seed(4);
    let (mut exact, mut optimal) = (0, 0);
    for _ in 0..4000 {
        let count = rng.usize(1..=9);
        let (items, compute_ns) = items(&mut rng, count, Shape::Mixed);
        let (chain, ..) = chain(&mut rng, &items, compute_ns, true, Limits::default());
        let optimum = fastest(&chain);
        let least = partitions(&chain)
            .iter()
            .map(|ends| chain.time_ns(ends))
            .min()
            .unwrap();
        assert_eq!(optimum.time_ns, simulated(&chain, &optimum.ends));
        assert!(!optimum.is_exact || optimum.time_ns == least, "{items:?}");
        exact += usize::from(optimum.is_exact);
        optimal += usize::from(optimum.time_ns == least);
    }
    assert!(exact > 400, "{exact}");
    assert!(optimal > 3960, "{optimal} of 4000 chains solved");
}

#[test]
fn thresholds_never_win_on_chains_of_a_real_size() {
    let mut rng = Rng::with_seed(5);
    for _ in 0..40 {
        let count = rng.usize(50..=300);
        let mut at = 0;
        let items: Vec<Item> = (0..count)
            .map(|_| {
                let bytes = [16 << 10, 8 << 20, 32 << 20, 90 << 20][rng.usize(0..4)];
                at += rng.u64(0..900_000);
                Item {
                    need_ns: at,
                    bytes,
                    ..Item::default()
                }
            })
            .collect();
        let sums = sums(&items);
        let latency = rng.u64(5_000..200_000);
        let cost = |begin: usize, end: usize| latency + (sums[end] - sums[begin]) / 300;
        let chain = Chain::new(items, at, Limits::default(), cost);
        let optimum = fastest(&chain);
        assert!(optimum.is_exact);
        assert_eq!(optimum.time_ns, backwards(&chain));
        for threshold in [0, 25_000_000, 30 << 20, 500_000_000] {
            assert!(optimum.time_ns <= chain.time_ns(&by_bytes(&chain, threshold)));
        }
    }
}

#[test]
fn fixed_partitions_fill_up_and_follow_names() {
    let item = |bytes| Item {
        bytes,
        ..Item::default()
    };
    let items = vec![item(10), item(10), item(50), item(10), item(20)];
    let chain = |limits| Chain::new(items.clone(), 0, limits, |_, _| 1);
    let free = chain(Limits::default());
    assert_eq!(by_bytes(&free, 0), [1, 2, 3, 4, 5]);
    assert_eq!(by_bytes(&free, 30), [2, 3, 5]);
    assert_eq!(by_bytes(&free, 100), [5]);
    let names = [Some("a"), Some("a"), None, None, Some("a")];
    assert_eq!(by_name(&free, &names), [2, 3, 4, 5]);
    let live = chain(Limits {
        live_bytes: Some(60),
        ..Limits::default()
    });
    assert_eq!(by_bytes(&live, 30), [1, 2, 3, 4, 5]);
}
