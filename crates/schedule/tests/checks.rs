// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The check of problems, the verifier of orders, and the two measurements, against definitions written directly.

mod common;

use comm_schedule::{
    Collective, DependenceGraph, DependenceKind, Kind, Node, NodeId, Problem, ProblemError, SortOptions,
    StreamId, VerifyError, in_flight, memory, verify,
};
use common::{ALL, Random, cases, choices, legal_shuffle, program};
use proptest::prelude::*;

/// A gather, awaited, and a computation.
fn small() -> Problem {
    let mut problem = Problem::new();
    let stream = problem.stream("dp");
    let shard = problem.push(Node::arg());
    let start = problem.push(Node::start(Collective::AllGather, stream).bytes(8).deps(&[shard]));
    let wait = problem.push(Node::wait(start).deps(&[start, shard]));
    problem.push(Node::compute().bytes(4).deps(&[wait]));
    problem
}

fn check_with(extra: impl FnOnce(&mut Problem)) -> Option<ProblemError> {
    let mut problem = small();
    extra(&mut problem);
    problem.check().err()
}

#[test]
fn faults_of_problems_are_named() {
    let (shard, start, wait, last) = (NodeId(0), NodeId(1), NodeId(2), NodeId(3));
    let new = NodeId(4);
    assert_eq!(check_with(|_| {}), None);
    let fault = |node: Node<'_>| {
        check_with(|problem| {
            problem.push(node);
        })
    };
    let stream = small().stream("dp");
    assert_eq!(
        fault(Node::compute().deps(&[NodeId(9)])),
        Some(ProblemError::NotBackward {
            node: new,
            dep: NodeId(9)
        })
    );
    assert_eq!(
        fault(Node::compute().after(&[new])),
        Some(ProblemError::NotBackward { node: new, dep: new })
    );
    assert_eq!(
        fault(Node::arg().after(&[last])),
        Some(ProblemError::ArgumentDepends { node: new, dep: last })
    );
    assert_eq!(
        fault(Node {
            stream: None,
            ..Node::start(Collective::Permute, stream)
        }),
        Some(ProblemError::NoStream {
            node: new,
            kind: Kind::Start
        })
    );
    assert_eq!(
        fault(Node::blocking(Collective::Permute, comm_schedule::StreamId(7))),
        Some(ProblemError::UnknownStream { node: new })
    );
    assert_eq!(
        fault(Node {
            of: None,
            ..Node::wait(start)
        }),
        Some(ProblemError::NoStart { node: new })
    );
    assert_eq!(
        fault(Node::wait(last).deps(&[last])),
        Some(ProblemError::AwaitsNoStart {
            node: new,
            of: last,
            kind: Kind::Compute
        })
    );
    assert_eq!(
        fault(Node::wait(NodeId(8))),
        Some(ProblemError::NotBackward {
            node: new,
            dep: NodeId(8)
        })
    );
    assert_eq!(
        fault(Node::wait(start).deps(&[shard])),
        Some(ProblemError::StartNotRead { node: new, start })
    );
    assert_eq!(
        fault(Node::wait(start).deps(&[start, start])),
        Some(ProblemError::StartNotRead { node: new, start })
    );
    assert_eq!(
        fault(Node::wait(start).deps(&[start])),
        Some(ProblemError::AwaitedTwice {
            node: new,
            start,
            first: wait
        })
    );
    assert_eq!(
        fault(Node::compute().deps(&[start])),
        Some(ProblemError::FutureRead { node: new, start })
    );
    let misplaced = |fact, kind| {
        Some(ProblemError::Misplaced {
            node: new,
            fact,
            kind,
        })
    };
    assert_eq!(
        fault(Node {
            stream: Some(stream),
            ..Node::compute()
        }),
        misplaced("stream", Kind::Compute)
    );
    assert_eq!(
        fault(Node {
            collective: Some(Collective::AllGather),
            ..Node::view()
        }),
        misplaced("collective", Kind::View)
    );
    assert_eq!(fault(Node::view().cheap(true)), misplaced("cheap", Kind::View));
    assert_eq!(fault(Node::arg().fence(true)), misplaced("fence", Kind::Arg));
    assert_eq!(
        fault(Node {
            of: Some(start),
            ..Node::compute()
        }),
        misplaced("of", Kind::Compute)
    );
    assert_eq!(
        fault(Node::compute().ns(u64::MAX)),
        Some(ProblemError::TooLarge {
            node: new,
            fact: "ns"
        })
    );
    assert_eq!(
        fault(Node::compute().bytes(i64::MAX as u64)),
        Some(ProblemError::TooLarge {
            node: new,
            fact: "bytes"
        })
    );
    for node in [start, new] {
        assert_eq!(
            check_with(|problem| problem.push_live_out(node)),
            Some(ProblemError::NotLiveOut { node })
        );
    }
    let occupied = |node, stream| check_with(|problem| problem.occupy(node, stream));
    assert_eq!(occupied(last, stream), None);
    for (node, kind) in [(shard, Kind::Arg), (start, Kind::Start), (wait, Kind::Wait)] {
        assert_eq!(
            occupied(node, stream),
            Some(ProblemError::Misplaced {
                node,
                fact: "occupies",
                kind
            })
        );
    }
    assert_eq!(
        occupied(last, StreamId(1)),
        Some(ProblemError::UnknownStream { node: last })
    );
    assert_eq!(
        occupied(new, stream),
        Some(ProblemError::UnknownOccupant { node: new })
    );
    let message = fault(Node::wait(last).deps(&[last])).map(|error| error.to_string());
    assert_eq!(
        message.as_deref(),
        Some("#4: awaits #3, which is a compute and no start")
    );
    assert!(
        comm_schedule::sort(
            &{
                let mut problem = small();
                problem.push_live_out(new);
                problem
            },
            &SortOptions::default()
        )
        .is_err()
    );
}

#[test]
fn faults_of_orders_are_named() {
    let mut problem = small();
    let fence = problem.push(Node::compute().after(&[NodeId(3)]));
    let of = |ids: &[u32]| verify(&problem, &ids.iter().map(|&id| NodeId(id)).collect::<Vec<_>>());
    assert_eq!(of(&[0, 1, 2, 3, 4]), Ok(()));
    assert_eq!(of(&[0, 1, 2, 3]), Err(VerifyError::Missing { node: fence }));
    assert_eq!(
        of(&[0, 1, 2, 3, 9]),
        Err(VerifyError::Unknown {
            node: NodeId(9),
            position: 4,
            nodes: 5
        })
    );
    assert_eq!(
        of(&[0, 1, 2, 1, 3]),
        Err(VerifyError::Duplicate {
            node: NodeId(1),
            first: 1,
            second: 3
        })
    );
    assert_eq!(
        of(&[0, 2, 1, 3, 4]),
        Err(VerifyError::WaitBeforeStart {
            wait: NodeId(2),
            start: NodeId(1),
            position: 1,
            start_position: 2
        })
    );
    assert_eq!(
        of(&[0, 1, 3, 2, 4]),
        Err(VerifyError::Data {
            node: NodeId(3),
            dep: NodeId(2),
            position: 2,
            dep_position: 3
        })
    );
    assert_eq!(
        of(&[0, 1, 2, 4, 3]),
        Err(VerifyError::After {
            node: fence,
            dep: NodeId(3),
            position: 3,
            dep_position: 4
        })
    );
}

#[test]
fn the_graph_has_an_edge_for_each_dependence() {
    let mut problem = small();
    let both = problem.push(Node::compute().deps(&[NodeId(3), NodeId(3)]).after(&[NodeId(2)]));
    let graph = DependenceGraph::new(&problem);
    let users = |id| graph.users(NodeId(id)).collect::<Vec<_>>();
    assert_eq!(
        users(2),
        [(NodeId(3), DependenceKind::Data), (both, DependenceKind::After)]
    );
    assert_eq!(
        users(3),
        [(both, DependenceKind::Data), (both, DependenceKind::Data)]
    );
    assert_eq!(graph.readers(NodeId(2)).collect::<Vec<_>>(), [NodeId(3)]);
    assert!(graph.is_sink(both) && !graph.is_sink(NodeId(2)));
    assert!(graph.must_follow(NodeId(0), both) && !graph.must_follow(both, NodeId(0)));
    assert!(!graph.must_follow(both, both));
    // petgraph's algorithms take the graph as it is.
    let mut walk = petgraph::visit::Bfs::new(&graph, NodeId(2));
    let reached: Vec<_> = std::iter::from_fn(|| walk.next(&graph)).collect();
    assert_eq!(reached, [NodeId(2), NodeId(3), both]);
    let order: Vec<_> = petgraph::visit::IntoNodeIdentifiers::node_identifiers(&graph).collect();
    assert_eq!(order, problem.ids().collect::<Vec<_>>());
}

#[test]
fn live_bytes_of_a_written_out_program() {
    // A start owns its result from where it stands, its operand lives to the wait, and the wait's result to its use.
    let mut problem = Problem::new();
    let stream = problem.stream("dp");
    let x = problem.push(Node::arg().bytes(1000));
    let a = problem.push(Node::compute().bytes(10).deps(&[x]));
    let view = problem.push(Node::view().bytes(10).deps(&[a]));
    let start = problem.push(
        Node::start(Collective::ReduceScatter, stream)
            .bytes(3)
            .deps(&[view]),
    );
    let b = problem.push(Node::compute().bytes(5).deps(&[x]));
    let wait = problem.push(Node::wait(start).bytes(3).deps(&[start, view]));
    let c = problem.push(Node::compute().bytes(7).deps(&[b]));
    let d = problem.push(Node::compute().bytes(1).deps(&[wait]));
    problem.push_live_out(c);
    let _ = d;
    let order: Vec<_> = problem.ids().collect();
    assert_eq!(memory::profile(&problem, &order), [0, 10, 10, 13, 18, 18, 15, 11]);
    assert_eq!(memory::peak(&problem, &order), 18);
    assert_eq!(memory::peak(&Problem::new(), &[]), 0);
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn verify_accepts_exactly_the_linear_extensions(choices in choices(8), seed in any::<u64>()) {
        let problem = program(&choices, ALL);
        let mut random = Random(seed | 1);
        let mut order = legal_shuffle(&problem, &SortOptions::default(), seed);
        prop_assert_eq!(verify(&problem, &order), Ok(()));
        let (a, b) = (random.below(order.len()), random.below(order.len()));
        order.swap(a, b);
        let graph = DependenceGraph::new(&problem);
        let is_extension = (0..order.len())
            .all(|late| (0..late).all(|early| !graph.must_follow(order[late], order[early])));
        prop_assert_eq!(verify(&problem, &order).is_ok(), is_extension);
    }

    #[test]
    fn live_bytes_follow_their_definition(choices in choices(25), seed in any::<u64>()) {
        let problem = program(&choices, ALL);
        let order = legal_shuffle(&problem, &SortOptions::default(), seed);
        let position = |id: NodeId| order.iter().position(|&other| other == id).unwrap();
        let wait_of = |start: NodeId| problem.ids().find(|&id| problem.of(id) == Some(start));
        fn is_alive_at(
            problem: &Problem,
            position: &dyn Fn(NodeId) -> usize,
            wait_of: &dyn Fn(NodeId) -> Option<NodeId>,
            id: NodeId,
            now: usize,
        ) -> bool {
            now == position(id) || (now > position(id) && (problem.live_out().contains(&id)
                || problem.ids().filter(|&user| problem.deps(user).contains(&id)).any(|user| {
                    let end = match problem.kind(user) {
                        Kind::Start => wait_of(user).map_or(position(user), position),
                        _ => position(user),
                    };
                    let aliases = problem.kind(user) == Kind::View || problem.of(user) == Some(id);
                    now <= end || (aliases && is_alive_at(problem, position, wait_of, user, now))
                })))
        }
        let owners = || problem.ids()
            .filter(|id| matches!(problem.kind(*id), Kind::Compute | Kind::Start | Kind::Blocking));
        let expected: Vec<u64> = (0..order.len())
            .map(|now| owners()
                .filter(|&id| is_alive_at(&problem, &position, &wait_of, id, now))
                .map(|id| problem.bytes(id))
                .sum())
            .collect();
        prop_assert_eq!(memory::profile(&problem, &order), expected);
    }

    #[test]
    fn collectives_in_flight_follow_their_definition(choices in choices(40), seed in any::<u64>()) {
        let problem = program(&choices, ALL);
        let order = legal_shuffle(&problem, &SortOptions::default(), seed);
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(index, id)| position[id.index()] = index);
        let slots = in_flight::slot_gathers(&problem);
        let measured = in_flight(&problem, &order);
        for stream in 0..problem.stream_count() {
            let count = |now: usize, counts: &dyn Fn(NodeId) -> bool| problem.ids()
                .filter(|&wait| problem.of(wait).is_some_and(|start| {
                    counts(start)
                        && problem.stream_of(start).is_some_and(|id| id.index() == stream)
                        && (position[start.index()]..position[wait.index()]).contains(&now)
                }))
                .count() as u32;
            let most = |counts: &dyn Fn(NodeId) -> bool| (0..order.len()).map(|now| count(now, counts)).max().unwrap();
            let is = |start: NodeId, wanted: &[Collective]| wanted.contains(&problem.collective(start).unwrap());
            use Collective::*;
            let got = measured.streams[stream];
            prop_assert_eq!(got.gathers, most(&|start| slots[start.index()]));
            prop_assert_eq!(got.activation_gathers, most(&|start| is(start, &[AllGather]) && !slots[start.index()]));
            prop_assert_eq!(got.reductions, most(&|start| is(start, &[ReduceScatter, AllReduce])));
            prop_assert_eq!(got.others, most(&|start| is(start, &[AllToAll, Permute, Broadcast])));
        }
        prop_assert_eq!(measured.gathers(), measured.streams.iter().map(|stream| stream.gathers).max().unwrap());
    }
}
