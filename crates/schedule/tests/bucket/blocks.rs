// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Whole blocks: plans, and the problems in which collectives are merged.

use crate::Shape;
use comm_schedule::{
    Collective, Node, NodeId, Problem,
    bucket::{Apart, Bucket, Group, Limits, Member, MergedNode, Mode, merge, plan},
    timeline, verify,
};
use fastrand::Rng;

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
