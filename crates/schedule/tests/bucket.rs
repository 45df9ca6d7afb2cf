// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Bucketing against brute force over all partitions, against recurrences from elsewhere, and against fixed thresholds.

use comm_schedule::{
    Collective, Node, NodeId, Problem,
    bucket::{
        Apart, Bucket, Chain, Group, Item, Limits, Member, MergedNode, Mode, by_bytes, by_name, fastest,
        merge, plan,
    },
    timeline, verify,
};
use fastrand::Rng;

/// All partitions of `count` items that the chain allows.
fn partitions(chain: &Chain<'_>) -> Vec<Vec<usize>> {
    let count = chain.items().len();
    let cuts = 0..1_u32 << (count - 1);
    let ends = cuts.map(|cuts| {
        let inner = (1..count).filter(|at| cuts >> (at - 1) & 1 == 1);
        inner.chain([count]).collect::<Vec<_>>()
    });
    ends.filter(|ends| chain.is_allowed(ends)).collect()
}

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

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// Ready at 0, needed in turn.
    Gathers,
    /// Ready in turn, needed at the end.
    Reductions,
    /// Anything in between.
    Mixed,
}

fn items(rng: &mut Rng, count: usize, shape: Shape) -> (Vec<Item>, u64) {
    let mut at = rng.u64(0..30);
    let mut items: Vec<Item> = (0..count)
        .map(|_| {
            let item = Item {
                ready_ns: match shape {
                    Shape::Gathers => 0,
                    Shape::Reductions => at,
                    Shape::Mixed => rng.u64(0..=at),
                },
                need_ns: at,
                bytes: rng.u64(1..60),
                earliest: 0,
            };
            at += rng.u64(0..40);
            item
        })
        .collect();
    if shape == Shape::Reductions {
        items.iter_mut().for_each(|item| item.need_ns = at);
    }
    (items, at)
}

fn sums(items: &[Item]) -> Vec<u64> {
    let mut sums = vec![0];
    sums.extend(items.iter().scan(0, |sum, item| {
        *sum += item.bytes;
        Some(*sum)
    }));
    sums
}

/// A cost of the bytes of a bucket: affine, or any that grows.
fn chain<'a>(
    rng: &mut Rng,
    items: &[Item],
    compute_ns: u64,
    is_affine: bool,
    limits: Limits,
) -> (Chain<'a>, u64, u64) {
    let (alpha, beta) = (rng.u64(0..40), rng.u64(0..4));
    let sums = sums(items);
    let mut table = vec![alpha];
    for _ in 0..sums[sums.len() - 1] {
        let step = if is_affine {
            beta
        } else {
            rng.u64(0..20).saturating_sub(14)
        };
        table.push(table[table.len() - 1] + step);
    }
    let cost = move |begin: usize, end: usize| table[(sums[end] - sums[begin]) as usize];
    (Chain::new(items.to_vec(), compute_ns, limits, cost), alpha, beta)
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

/// A block of gathers or reductions beside a chain of computation, as a front end emits it, and its collectives.
fn block(rng: &mut Rng, count: usize, shape: Shape) -> (Problem, Vec<NodeId>) {
    let mut problem = Problem::new();
    let link = problem.stream("link");
    let mut last = problem.push(Node::arg().bytes(8));
    let mut starts = Vec::new();
    let mut waits = Vec::new();
    for _ in 0..count {
        let bytes = rng.u64(1..60);
        match shape {
            Shape::Gathers => {
                let shard = problem.push(Node::arg().bytes(bytes));
                let start = problem.push(
                    Node::start(Collective::AllGather, link)
                        .bytes(bytes)
                        .deps(&[shard]),
                );
                let wait = problem.push(Node::wait(start).deps(&[start, shard]));
                last = problem.push(Node::compute().ns(rng.u64(0..40)).bytes(8).deps(&[last, wait]));
                starts.push(start);
            }
            _ => {
                last = problem.push(Node::compute().ns(rng.u64(0..40)).bytes(bytes).deps(&[last]));
                let start = Node::start(Collective::AllReduce, link);
                let start = problem.push(start.bytes(bytes).deps(&[last]));
                waits.push(problem.push(Node::wait(start).deps(&[start, last])));
                starts.push(start);
            }
        }
    }
    waits.push(last);
    problem.push(Node::compute().after(&waits));
    (problem, starts)
}

fn group<'a>(problem: &Problem, nodes: &[NodeId], alpha: u64, beta: u64) -> Group<'a> {
    let member = |node: &NodeId| Member {
        node: *node,
        full_bytes: problem.bytes(*node),
        measured_ns: None,
        name: None,
    };
    Group {
        members: nodes.iter().map(member).collect(),
        cost: Box::new(move |bytes| alpha + beta * bytes),
    }
}

/// The problem with the durations that the group's cost gives.
fn timed(problem: &Problem, group: &Group<'_>) -> Problem {
    let mut result = Problem::new();
    for stream in problem.streams() {
        result.stream(problem.stream_name(stream));
    }
    for id in problem.ids() {
        let member = group.members.iter().find(|member| member.node == id);
        let node = problem.node(id);
        let ns = member.map_or(node.ns, |member| (group.cost)(member.full_bytes));
        result.push(node.ns(ns));
    }
    result
}

#[test]
fn plans_of_chains_are_as_fast_as_the_fastest_partition() {
    let mut rng = Rng::with_seed(6);
    let mut merged = 0;
    for round in 0..600 {
        let shape = if round % 2 == 0 {
            Shape::Gathers
        } else {
            Shape::Reductions
        };
        let count = rng.usize(1..=8);
        let (problem, starts) = block(&mut rng, count, shape);
        let group = group(&problem, &starts, rng.u64(0..40), rng.u64(0..4));
        let problem = timed(&problem, &group);
        let plan = plan(&problem, &[group], Mode::Cost, Limits::default()).unwrap();
        assert_eq!(plan.after.time_ns, plan.groups[0].merged_ns);
        assert_eq!(plan.before.time_ns, plan.groups[0].apart_ns);
        assert!(plan.after.time_ns <= plan.before.time_ns);
        let saved: i64 = plan.buckets.iter().map(|bucket| bucket.saved_ns).sum();
        assert!(plan.buckets.is_empty() || saved > 0);
        assert_eq!(plan.groups[0].apart.is_some(), plan.buckets.is_empty());
        plan.merged.problem.check().unwrap();
        merged += plan.buckets.len();
    }
    assert!(merged > 200, "{merged}");
}

#[test]
fn merged_problems_keep_all_dependences() {
    let mut rng = Rng::with_seed(7);
    for _ in 0..300 {
        let count = rng.usize(2..=8);
        let (problem, starts) = block(&mut rng, count, Shape::Gathers);
        let cut = rng.usize(1..count);
        let buckets = [&starts[..cut], &starts[cut..]].map(|members| Bucket {
            members: members.to_vec(),
            ns: 5,
        });
        let merged = merge(&problem, &buckets).unwrap();
        merged.problem.check().unwrap();
        // In the order of what is kept, each node of the old problem stands behind what it depended on.
        let waits = problem.waits();
        let mut position = vec![0; problem.len()];
        for (at, node) in merged.nodes.iter().enumerate() {
            match *node {
                MergedNode::Kept(id) => position[id.index()] = at,
                MergedNode::Start(bucket) => {
                    buckets[bucket]
                        .members
                        .iter()
                        .for_each(|id| position[id.index()] = at);
                }
                MergedNode::Wait(bucket) => {
                    let waits = buckets[bucket]
                        .members
                        .iter()
                        .map(|id| waits[id.index()].unwrap());
                    waits.for_each(|id| position[id.index()] = at);
                }
            }
        }
        for id in problem.ids() {
            for dep in problem.deps(id).iter().chain(problem.after(id)) {
                assert!(position[dep.index()] < position[id.index()], "{dep} {id}");
            }
        }
        let order: Vec<NodeId> = merged.problem.ids().collect();
        verify(&merged.problem, &order).unwrap();
        assert_eq!(merged.problem.len(), problem.len() - 2 * (count - 2));
        assert!(timeline(&merged.problem, &order).step_ns > 0);
    }
}

#[test]
fn buckets_that_need_each_other_have_no_order() {
    let mut problem = Problem::new();
    let link = problem.stream("link");
    let x = problem.push(Node::arg().bytes(8));
    let blocking = |problem: &mut Problem, dep| {
        problem.push(Node::blocking(Collective::AllGather, link).bytes(8).deps(&[dep]))
    };
    let a = blocking(&mut problem, x);
    let b = blocking(&mut problem, a);
    let c = blocking(&mut problem, x);
    let d = blocking(&mut problem, c);
    problem.push(Node::compute().deps(&[b, d]));
    let bucket = |members: &[NodeId]| Bucket {
        members: members.to_vec(),
        ns: 1,
    };
    assert!(merge(&problem, &[bucket(&[a, b])]).is_err());
    assert!(merge(&problem, &[bucket(&[a, d])]).is_ok());
    assert!(merge(&problem, &[bucket(&[a, d]), bucket(&[b, c])]).is_err());
    assert!(merge(&problem, &[bucket(&[a, c]), bucket(&[b, d])]).is_ok());

    let dependent = plan(
        &problem,
        &[group(&problem, &[a, b], 10, 0)],
        Mode::Bytes(u64::MAX),
        Limits::default(),
    )
    .unwrap();
    assert_eq!(dependent.groups[0].apart, Some(Apart::Dependent));
    // Each group alone could be one bucket.
    let crossed = plan(
        &problem,
        &[group(&problem, &[a, d], 10, 0), group(&problem, &[b, c], 10, 0)],
        Mode::Bytes(u64::MAX),
        Limits::default(),
    )
    .unwrap();
    assert_eq!((crossed.buckets.len(), crossed.without_order), (1, 1));
}

#[test]
fn modes_and_limits_say_why_collectives_stay_apart() {
    let mut rng = Rng::with_seed(8);
    let (problem, starts) = block(&mut rng, 3, Shape::Gathers);
    let reason = |nodes: &[NodeId], beta, mode, limits| {
        let group = group(&problem, nodes, 100, beta);
        let problem = timed(&problem, &group);
        plan(&problem, &[group], mode, limits).unwrap().groups[0].apart
    };
    let none = Limits::default();
    assert_eq!(reason(&starts, 0, Mode::Cost, none), None);
    assert_eq!(reason(&starts[..1], 0, Mode::Cost, none), Some(Apart::Alone));
    assert_eq!(reason(&starts, 0, Mode::Bytes(0), none), Some(Apart::NotAsked));
    assert_eq!(reason(&starts, 0, Mode::Name, none), Some(Apart::NotAsked));
    let small = Limits {
        bucket_bytes: Some(1),
        ..none
    };
    assert_eq!(reason(&starts, 0, Mode::Cost, small), Some(Apart::Limited));
    let lean = Limits {
        live_bytes: Some(1),
        ..none
    };
    assert_eq!(
        reason(&starts, 0, Mode::Bytes(u64::MAX), lean),
        Some(Apart::Limited)
    );
}
