// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives that become ready together: the least peak, then consumer order.

use crate::common::Random;
use crate::program::Program;
use comm_schedule::{Collective, Node, NodeId, SortOptions, Ties, memory, verify};

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
