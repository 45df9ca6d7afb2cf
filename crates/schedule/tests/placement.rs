// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Where the sorts place communication, on small programs written out: the faults that one sort for both kinds of
//! collectives has, and the placement rules one by one. Orders are checked as text.

mod common;

use comm_schedule::{
    AllGather, Class, Collective, Node, NodeId, Problem, ReduceScatter, SortError, SortOptions, SortOutcome,
    StreamId, Ties, memory, sort, text, verify,
};
use common::Random;
use filecheck::{CheckerBuilder, NO_VARIABLES};

/// A program with named nodes on one stream.
struct Program {
    problem: Problem,
    stream: StreamId,
}

impl Program {
    fn new() -> Self {
        let mut problem = Problem::new();
        let stream = problem.stream("dp");
        Program { problem, stream }
    }

    fn push(&mut self, name: &str, node: Node<'_>) -> NodeId {
        let id = self.problem.push(node);
        self.problem.set_name(id, name);
        id
    }

    fn arg(&mut self, name: &str) -> NodeId {
        self.push(name, Node::arg().bytes(8))
    }

    fn compute(&mut self, name: &str, deps: &[NodeId]) -> NodeId {
        self.push(name, Node::compute().ns(100).bytes(8).deps(deps))
    }

    fn cheap(&mut self, name: &str, deps: &[NodeId]) -> NodeId {
        self.push(name, Node::compute().ns(1).bytes(8).cheap(true).deps(deps))
    }

    fn start(&mut self, name: &str, collective: Collective, operand: NodeId, bytes: u64) -> NodeId {
        let stream = self.stream;
        self.push(
            &format!("{name}.start"),
            Node::start(collective, stream).bytes(bytes).deps(&[operand]),
        )
    }

    fn wait(&mut self, name: &str, start: NodeId) -> NodeId {
        let operand = self.problem.deps(start)[0];
        self.push(name, Node::wait(start).deps(&[start, operand]))
    }

    fn gather(&mut self, name: &str, shard: NodeId) -> NodeId {
        let start = self.start(name, Collective::AllGather, shard, 64);
        self.wait(name, start)
    }

    fn reduce(&mut self, name: &str, operand: NodeId) -> NodeId {
        let start = self.start(name, Collective::ReduceScatter, operand, 8);
        self.wait(name, start)
    }

    fn sort(&self, options: SortOptions) -> SortOutcome {
        let outcome = sort(&self.problem, &options).expect("sorts");
        verify(&self.problem, &outcome.order).expect("a linear extension");
        outcome
    }

    /// Sorts, and matches the order with directives of the `filecheck` crate.
    fn expect(&self, options: SortOptions, directives: &str) {
        let order = self.sort(options).order;
        let text = text::order(&self.problem, &order);
        let mut builder = CheckerBuilder::new();
        for line in directives.lines() {
            assert!(
                builder.directive(line).expect("a directive"),
                "no directive: {line}"
            );
        }
        let checker = builder.finish();
        if !checker.check(&text, NO_VARIABLES).expect("a check") {
            panic!(
                "{}",
                checker.explain(&text, NO_VARIABLES).expect("an explanation").1
            );
        }
    }
}

fn limit(max_in_flight: u32) -> SortOptions {
    SortOptions {
        max_in_flight,
        ..Default::default()
    }
}

/// Parameters declared in reverse order of use: a sort from the top issues gathers in order of the parameters.
fn layers_with_reversed_parameters(layers: usize) -> Program {
    let mut program = Program::new();
    let shards: Vec<_> = (0..layers)
        .rev()
        .map(|layer| program.arg(&format!("w{layer}")))
        .collect();
    let mut x = program.arg("x");
    let weights: Vec<_> = (0..layers)
        .rev()
        .zip(&shards)
        .map(|(layer, &shard)| program.gather(&format!("g{layer}"), shard))
        .collect();
    for layer in 0..layers {
        x = program.compute(&format!("matmul{layer}"), &[x, weights[layers - 1 - layer]]);
    }
    program.compute("return", &[x]);
    program
}

#[test]
fn gathers_follow_consumers_whatever_the_order_of_parameters() {
    let program = layers_with_reversed_parameters(4);
    program.expect(
        limit(1),
        "check: start all_gather g0.start on dp (w0)
         nextln: wait g0 (g0.start, w0)
         nextln: compute matmul0 (x, g0)
         nextln: start all_gather g1.start
         nextln: wait g1
         nextln: compute matmul1
         nextln: start all_gather g2.start
         nextln: wait g2
         nextln: compute matmul2
         nextln: start all_gather g3.start
         nextln: wait g3
         nextln: compute matmul3
         nextln: compute return",
    );
}

#[test]
fn a_limit_of_two_keeps_one_gather_ahead() {
    let program = layers_with_reversed_parameters(4);
    program.expect(
        limit(2),
        "check: start all_gather g0.start
         nextln: start all_gather g1.start
         nextln: wait g0
         nextln: compute matmul0
         nextln: start all_gather g2.start
         nextln: wait g1
         nextln: compute matmul1
         nextln: start all_gather g3.start
         nextln: wait g2
         nextln: compute matmul2
         nextln: wait g3
         nextln: compute matmul3",
    );
    assert_eq!(program.sort(limit(2)).report.in_flight_after.gathers(), 2);
}

#[test]
fn without_a_limit_all_gathers_precede_the_first_wait() {
    let program = layers_with_reversed_parameters(3);
    program.expect(
        limit(0),
        "check: start all_gather g0.start
         nextln: start all_gather g1.start
         nextln: start all_gather g2.start
         nextln: wait g0
         nextln: compute matmul0
         nextln: wait g1",
    );
}

#[test]
fn first_issues_at_the_head_then_after_each_wait() {
    let mut program = Program::new();
    let (w0, w1, w2, x) = (
        program.arg("w0"),
        program.arg("w1"),
        program.arg("w2"),
        program.arg("x"),
    );
    let norm = program.compute("norm", &[x]);
    let g0 = program.gather("g0", w0);
    let a = program.compute("a", &[norm, g0]);
    let g1 = program.gather("g1", w1);
    let b = program.compute("b", &[a, g1]);
    let g2 = program.gather("g2", w2);
    let c = program.compute("c", &[b, g2]);
    program.compute("return", &[c]);
    let options = SortOptions {
        all_gather: AllGather::First,
        ..limit(2)
    };
    program.expect(
        options,
        "check: start all_gather g0.start
         nextln: start all_gather g1.start
         nextln: compute norm
         nextln: wait g0
         nextln: start all_gather g2.start
         nextln: compute a
         nextln: wait g1
         nextln: compute b
         nextln: wait g2
         nextln: compute c",
    );
}

/// A backward pass: gradients appear one after the other, each is reduced, and everything is awaited at the end.
fn backward(layers: usize, bytes: impl Fn(usize) -> u64) -> Program {
    let mut program = Program::new();
    let mut dx = program.arg("dx");
    let mut gradients = Vec::new();
    for layer in 0..layers {
        dx = program.compute(&format!("dgrad{layer}"), &[dx]);
        let name = format!("wgrad{layer}");
        gradients.push(program.push(&name, Node::compute().ns(100).bytes(bytes(layer)).deps(&[dx])));
    }
    let starts: Vec<_> = gradients
        .iter()
        .enumerate()
        .map(|(layer, &gradient)| {
            let name = format!("r{layer}");
            program.start(&name, Collective::ReduceScatter, gradient, bytes(layer) / 4)
        })
        .collect();
    let waits: Vec<_> = starts
        .iter()
        .enumerate()
        .map(|(layer, &start)| program.wait(&format!("r{layer}"), start))
        .collect();
    program.compute("return", &waits);
    program
}

#[test]
fn a_large_reduction_does_not_delay_an_earlier_small_one() {
    // The last gradient is a thousand times as large as the first, and the terminator reads it first.
    let mut program = Program::new();
    let dx = program.arg("dx");
    let small = program.compute("small", &[dx]);
    let next = program.compute("next", &[small]);
    let large = program.push("large", Node::compute().ns(100).bytes(8000).deps(&[next]));
    let last = program.compute("last", &[large]);
    let r_large = program.start("r_large", Collective::ReduceScatter, large, 4000);
    let r_small = program.start("r_small", Collective::ReduceScatter, small, 4);
    let (r_large, r_small) = (program.wait("r_large", r_large), program.wait("r_small", r_small));
    program.compute("return", &[r_large, r_small, last]);
    program.expect(
        SortOptions::default(),
        "check: compute small
         nextln: start reduce_scatter r_small.start
         nextln: compute next
         nextln: compute large
         nextln: start reduce_scatter r_large.start
         nextln: compute last
         nextln: wait r_large
         nextln: wait r_small
         nextln: compute return",
    );
}

#[test]
fn reductions_do_not_pile_up_before_their_waits() {
    let program = backward(5, |_| 64);
    let unlimited = SortOptions {
        max_in_flight_reductions: 0,
        ..Default::default()
    };
    program.expect(
        unlimited,
        "check: compute wgrad0
         nextln: start reduce_scatter r0.start
         nextln: compute dgrad1
         nextln: compute wgrad1
         nextln: start reduce_scatter r1.start
         nextln: compute dgrad2
         nextln: compute wgrad2
         nextln: start reduce_scatter r2.start
         check: start reduce_scatter r4.start
         nextln: wait r0
         nextln: wait r1
         nextln: wait r2
         nextln: wait r3
         nextln: wait r4
         nextln: compute return",
    );
    program.expect(
        SortOptions {
            max_in_flight_reductions: 2,
            ..Default::default()
        },
        "check: start reduce_scatter r0.start
         check: compute wgrad1
         nextln: start reduce_scatter r1.start
         nextln: compute dgrad2
         nextln: compute wgrad2
         nextln: wait r0
         nextln: start reduce_scatter r2.start
         check: compute wgrad3
         nextln: wait r1
         nextln: start reduce_scatter r3.start",
    );
    let peak = |limit| {
        program
            .sort(SortOptions {
                max_in_flight_reductions: limit,
                ..Default::default()
            })
            .report
            .peak_after
    };
    assert!(
        peak(1) < peak(2) && peak(2) < peak(3) && peak(3) < peak(0),
        "each reduction pins its operand"
    );
}

#[test]
fn a_gather_of_an_activation_never_stands_above_its_operand() {
    let mut program = Program::new();
    let (w, x) = (program.arg("w"), program.arg("x"));
    let a = program.compute("a", &[x]);
    let g_a = program.gather("g_a", a);
    let b = program.compute("b", &[g_a]);
    let g_w = program.gather("g_w", w);
    let c = program.compute("c", &[b, g_w]);
    program.compute("return", &[c]);
    for all_gather in [AllGather::Late, AllGather::First] {
        let options = SortOptions {
            all_gather,
            ..limit(0)
        };
        program.expect(
            options,
            "check: compute a
             check: start all_gather g_a.start",
        );
        let report = program.sort(options).report;
        assert_eq!(
            (report.gathers, report.slot_gathers),
            (2, 1),
            "an activation takes no slot"
        );
    }
    let first = SortOptions {
        all_gather: AllGather::First,
        ..limit(0)
    };
    program.expect(
        first,
        "check: start all_gather g_w.start\nnextln: compute a\nnextln: start all_gather g_a.start",
    );
}

#[test]
fn a_cheap_convert_early_in_the_source_does_not_drag_its_gather_to_the_front() {
    let mut program = Program::new();
    let (w, n, x) = (program.arg("w"), program.arg("n"), program.arg("x"));
    // The norm's weight is gathered and converted at the head of the source and read twice, far below.
    let g_n = program.gather("g_n", n);
    let convert = program.cheap("convert", &[g_n]);
    let g_w = program.gather("g_w", w);
    let a = program.compute("a", &[x, g_w]);
    let b = program.compute("b", &[a, convert]);
    let c = program.compute("c", &[b, convert]);
    program.compute("return", &[c]);
    program.expect(
        limit(1),
        "check: start all_gather g_w.start
         nextln: wait g_w
         nextln: compute a
         nextln: start all_gather g_n.start
         nextln: wait g_n
         nextln: compute convert (g_n)
         nextln: compute b
         nextln: compute c",
    );
}

#[test]
fn a_cast_of_a_shard_moves_with_its_gather() {
    let mut program = Program::new();
    let (w0, w1, x) = (program.arg("w0"), program.arg("w1"), program.arg("x"));
    let c0 = program.cheap("cast0", &[w0]);
    let g0 = program.gather("g0", c0);
    let a = program.compute("a", &[x, g0]);
    let c1 = program.cheap("cast1", &[w1]);
    let g1 = program.gather("g1", c1);
    let b = program.compute("b", &[a, g1]);
    program.compute("return", &[b]);
    program.expect(
        limit(2),
        "check: compute cast0
         nextln: start all_gather g0.start
         nextln: compute cast1
         nextln: start all_gather g1.start
         nextln: wait g0
         nextln: compute a
         nextln: wait g1",
    );
}

#[test]
fn a_reduction_takes_its_private_chain_along() {
    let mut program = Program::new();
    let x = program.arg("x");
    let g = program.compute("gradient", &[x]);
    let next = program.compute("next", &[g]);
    let convert = program.cheap("convert", &[g]);
    let view = program.push("view", Node::view().deps(&[convert]));
    let shared = program.cheap("shared", &[g]);
    let r = program.reduce("r", view);
    let user = program.compute("user", &[shared, next]);
    program.compute("return", &[r, user]);
    program.expect(
        SortOptions::default(),
        "check: compute gradient
         nextln: compute convert
         nextln: view view
         nextln: start reduce_scatter r.start
         nextln: compute next
         nextln: compute shared
         nextln: compute user
         nextln: wait r
         nextln: compute return",
    );
}

#[test]
fn a_wait_between_two_collectives_does_not_hold_computation() {
    let mut program = Program::new();
    let x = program.arg("x");
    let g = program.compute("gradient", &[x]);
    let next = program.compute("next", &[g]);
    let r = program.reduce("r", g);
    let a = program.start("a", Collective::AllReduce, r, 8);
    let a = program.wait("a", a);
    program.compute("return", &[next, a]);
    program.expect(
        SortOptions::default(),
        "check: compute gradient
         nextln: start reduce_scatter r.start
         nextln: wait r
         nextln: start all_reduce a.start
         nextln: compute next
         nextln: wait a",
    );
}

#[test]
fn kept_collectives_stay() {
    let program = layers_with_reversed_parameters(3);
    let keep = SortOptions {
        all_gather: AllGather::Keep,
        reduce_scatter: ReduceScatter::Keep,
        ..limit(1)
    };
    let outcome = program.sort(keep);
    assert_eq!(outcome.order, program.problem.ids().collect::<Vec<_>>());
    assert_eq!((outcome.report.moved, outcome.report.gathers), (0, 0));
}

#[test]
fn a_blocking_gather_stands_where_its_wait_would_and_a_blocking_reduction_where_its_start_would() {
    let mut program = Program::new();
    let (w, x) = (program.arg("w"), program.arg("x"));
    let stream = program.stream;
    let g = program.push(
        "g",
        Node::blocking(Collective::AllGather, stream).bytes(64).deps(&[w]),
    );
    let a = program.compute("a", &[x]);
    let b = program.compute("b", &[a, g]);
    let c = program.compute("c", &[b]);
    let r = program.push(
        "r",
        Node::blocking(Collective::ReduceScatter, stream)
            .bytes(8)
            .deps(&[a]),
    );
    program.compute("return", &[c, r]);
    program.expect(
        SortOptions::default(),
        "check: compute a
         nextln: blocking reduce_scatter r
         nextln: blocking all_gather g
         nextln: compute b
         nextln: compute c",
    );
}

#[test]
fn a_collective_that_is_not_known_stays() {
    let mut program = Program::new();
    let x = program.arg("x");
    let stream = program.stream;
    let a = program.compute("a", &[x]);
    let start = program.push(
        "start",
        Node {
            collective: None,
            ..Node::start(Collective::Permute, stream).deps(&[x])
        },
    );
    let b = program.compute("b", &[a]);
    let wait = program.push("wait", Node::wait(start).deps(&[start]));
    let c = program.compute("c", &[b]);
    program.compute("return", &[c, wait]);
    let order = program.sort(SortOptions::default()).order;
    assert_eq!(order, program.problem.ids().collect::<Vec<_>>());
}

#[test]
fn a_limit_that_a_fence_forbids_is_an_error_with_the_least_that_is_possible() {
    for (collective, class) in [
        (Collective::AllGather, Class::Gather),
        (Collective::AllReduce, Class::Reduction),
    ] {
        let mut program = Program::new();
        let args: Vec<_> = (0..5).map(|index| program.arg(&format!("x{index}"))).collect();
        let starts: Vec<_> = args
            .iter()
            .map(|&arg| program.start("s", collective, arg, 8))
            .collect();
        let fence = program.push("fence", Node::compute().fence(true).after(&starts));
        let waits: Vec<_> = starts
            .iter()
            .map(|&start| program.push("w", Node::wait(start).deps(&[start]).after(&[fence])))
            .collect();
        program.compute("return", &waits);
        let options = SortOptions {
            max_in_flight: 2,
            max_in_flight_reductions: 2,
            ..Default::default()
        };
        let error = sort(&program.problem, &options).expect_err("five must cross the fence");
        let expected = SortError::LimitNotMet {
            class,
            limit: 2,
            least: 5,
            stream: "dp".into(),
            proved: true,
        };
        assert_eq!(error, expected);
        assert!(error.to_string().contains("at most 2") && error.to_string().contains("5 is the least"));
        let enough = SortOptions {
            max_in_flight: 5,
            max_in_flight_reductions: 5,
            ..Default::default()
        };
        assert_eq!(program.sort(enough).report.moved, 0);
    }
}

/// Reductions of which nobody needs the result are walked to, rather than started when they become ready.
#[test]
fn dead_reductions_keep_the_limit_too() {
    for bytes in 0..20 {
        let mut program = Program::new();
        let x = program.arg("x");
        let first = program.start("first", Collective::AllReduce, x, bytes);
        let stream = program.stream;
        let second = program.push(
            "second.start",
            Node::start(Collective::AllReduce, stream)
                .bytes(100)
                .deps(&[x])
                .after(&[first]),
        );
        program.wait("first", first);
        program.wait("second", second);
        program.compute("return", &[x]);
        let options = SortOptions {
            max_in_flight_reductions: 1,
            ..Default::default()
        };
        assert_eq!(program.sort(options).report.in_flight_after.reductions(), 1);
    }
}

#[test]
fn depth_is_no_matter() {
    let mut program = Program::new();
    let mut x = program.arg("x");
    for _ in 0..200_000 {
        x = program.problem.push(Node::view().deps(&[x]));
    }
    let w = program.gather("g", x);
    program.compute("return", &[w]);
    let report = program.sort(SortOptions::default()).report;
    assert_eq!((report.moved, report.slot_gathers), (0, 1));
}

#[test]
fn ties_go_to_the_least_peak_then_to_consumer_order() {
    // Two gradients are ready at the same moment. Reducing `a` needs a large temporary that stays with it; converting
    // `b` frees a large operand. Doing `b` first lowers the peak.
    let mut program = Program::new();
    let x = program.arg("x");
    let a = program.push("a", Node::compute().bytes(8).deps(&[x]));
    let b = program.push("b", Node::compute().bytes(1000).deps(&[x]));
    let gate = program.compute("gate", &[x]);
    let start = |program: &mut Program, name: &str, operand, chain_bytes| {
        let convert = program.push(
            &format!("{name}.convert"),
            Node::compute().cheap(true).bytes(chain_bytes).deps(&[operand]),
        );
        let stream = program.stream;
        let start = program.push(
            &format!("{name}.start"),
            Node::start(Collective::ReduceScatter, stream)
                .bytes(8)
                .deps(&[convert])
                .after(&[gate]),
        );
        program.wait(name, start)
    };
    // Both chains wait for the gate, so that both become ready behind it.
    let ra = start(&mut program, "ra", a, 800);
    let rb = start(&mut program, "rb", b, 16);
    let end = program.compute("end", &[gate]);
    program.compute("return", &[ra, rb, end]);
    program.expect(
        SortOptions::default(),
        "check: compute gate
         nextln: compute rb.convert
         nextln: start reduce_scatter rb.start
         nextln: compute ra.convert
         nextln: start reduce_scatter ra.start
         nextln: compute end",
    );
    let by_source = SortOptions {
        ties: Ties::Source,
        ..Default::default()
    };
    program.expect(by_source, "check: compute gate\nnextln: compute ra.convert");
    let (resolved, source) = (program.sort(SortOptions::default()), program.sort(by_source));
    assert!(resolved.report.peak_after < source.report.peak_after);
    assert_eq!(
        (resolved.report.ties_resolved, resolved.report.ties_over_budget),
        (1, 0)
    );
    let small_budget = SortOptions {
        tie_budget: 2,
        ..Default::default()
    };
    assert_eq!(program.sort(small_budget).report.ties_over_budget, 1);
}

/// Random groups that are ready behind one gate, in whole programs: the sort's order of the group has the least peak
/// of all orders of the group, measured by the memory model on the whole order.
#[test]
fn no_other_order_of_a_tie_has_a_lower_peak_in_the_whole_program() {
    let mut random = Random(11);
    let mut improved = 0;
    for _ in 0..400 {
        let mut program = Program::new();
        let x = program.arg("x");
        let sources: Vec<_> = (0..3)
            .map(|_| {
                program
                    .problem
                    .push(Node::compute().bytes(random.below(40) as u64).deps(&[x]))
            })
            .collect();
        let gate = program.compute("gate", &[x]);
        let units = 2 + random.below(4);
        let mut waits = Vec::new();
        let mut unit_nodes = Vec::new();
        for _ in 0..units {
            let mut nodes = Vec::new();
            let mut operand = sources[random.below(3)];
            for _ in 0..random.below(3) {
                let other = sources[random.below(3)];
                let deps = [operand, other];
                let deps = if random.below(2) == 0 {
                    &deps[..]
                } else {
                    &deps[..1]
                };
                let node = match random.below(4) {
                    0 => Node::view(),
                    _ => Node::compute().cheap(true).bytes(random.below(40) as u64),
                };
                operand = program.problem.push(node.deps(deps));
                nodes.push(operand);
            }
            let stream = program.stream;
            let node = Node::start(Collective::AllReduce, stream).bytes(random.below(20) as u64);
            let start = program.problem.push(node.deps(&[operand]).after(&[gate]));
            nodes.push(start);
            unit_nodes.push(nodes);
            waits.push(program.problem.push(Node::wait(start).deps(&[start, operand])));
        }
        program.compute("end", &[gate]);
        program.compute("return", &waits);

        let options = SortOptions {
            max_in_flight_reductions: 0,
            ..Default::default()
        };
        let order = program.sort(options).order;
        let gate_position = order.iter().position(|&id| id == gate).unwrap();
        let end_position = order
            .iter()
            .position(|&id| program.problem.name(id) == "end")
            .unwrap();
        let peak = |order: &[NodeId]| {
            let profile = memory::profile(&program.problem, order);
            profile[gate_position..end_position]
                .iter()
                .copied()
                .max()
                .unwrap()
        };
        let mut least = u64::MAX;
        let mut worst = 0;
        for permutation in permutations(units) {
            let group = permutation
                .iter()
                .flat_map(|&unit| unit_nodes[unit].iter().copied());
            let mut other = order[..=gate_position].to_vec();
            other.extend(group);
            other.extend_from_slice(&order[end_position..]);
            assert_eq!(
                other.len(),
                order.len(),
                "the group is all that stands between the gate and the end"
            );
            verify(&program.problem, &other).expect("units do not depend on each other");
            least = least.min(peak(&other));
            worst = worst.max(peak(&other));
        }
        assert_eq!(peak(&order), least);
        improved += usize::from(worst > least);
    }
    assert!(improved > 100, "the order matters in {improved} of 400 programs");
}

fn permutations(length: usize) -> Vec<Vec<usize>> {
    if length == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(length - 1);
    let insert = |permutation: Vec<usize>| {
        (0..length).map(move |position| {
            let mut longer = permutation.clone();
            longer.insert(position, length - 1);
            longer
        })
    };
    shorter.into_iter().flat_map(insert).collect()
}
