// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Whole random programs, rewritten by all rules together: every alternative computes the same.

use comm_algebra::{
    Dot, Element, Factor, Fp, Function, Groups, Kind, NodeId, Op, Options, Program, Type, alternatives,
    interpreter::{random_arguments, run},
};

const ELEMENTS: [Element; 3] = [Element::I32, Element::F64, Element::I64];

fn random_program(seed: u64) -> Program {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut groups = Groups::new(4).unwrap();
    let axes = [[1].as_slice(), &[0], &[0, 1], &[1, 0]].map(|axes| groups.add_axes(&[2, 2], axes).unwrap());
    let mut program = Program::new(groups);
    let element = ELEMENTS[random.usize(..3)];
    let mut values: Vec<NodeId> = Vec::new();
    for number in 0..3 {
        let replicated = if random.bool() {
            vec![axes[random.usize(..4)]]
        } else {
            vec![]
        };
        values.push(
            program
                .argument(number, Type::new(element, &[4, 4]), &replicated)
                .unwrap(),
        );
    }
    let mut tag = 10;
    while program.nodes().len() < 11 {
        tag += 1;
        // Recent values more often, so that ops meet.
        let mut pick =
            || values[values.len() - 1 - random.usize(..values.len()).min(random.usize(..values.len()))];
        let (x, y) = (pick(), pick());
        let (group, dim, other) = (axes[random.usize(..4)], random.usize(..2), random.usize(..2));
        let kind = [Kind::Sum, Kind::Sum, Kind::Max][random.usize(..3)];
        let (op, operands) = match random.u32(..13) {
            0 => (Op::AllGather { dim, group }, vec![x]),
            1 | 2 => (Op::AllReduce { kind, group }, vec![x]),
            3 => (Op::ReduceScatter { kind, dim, group }, vec![x]),
            4 => (
                Op::AllToAll {
                    split: dim,
                    concat: other,
                    group,
                },
                vec![x],
            ),
            5 | 6 => (Op::Shard { dim, group }, vec![x]),
            7 => (Op::Transpose(vec![1, 0]), vec![x]),
            8 => (Op::Map(Function::Add), vec![x, y]),
            9 => (Op::Map(Function::Maximum), vec![x, y]),
            10 => (Op::Map(Function::Scale(Factor::new(2.0))), vec![x]),
            11 => (
                Op::Dot(Dot {
                    batch: vec![],
                    contract: vec![(dim, other)],
                    element,
                }),
                vec![x, y],
            ),
            _ => (Op::Concat(dim), vec![x, y]),
        };
        let size = program
            .nodes()
            .iter()
            .map(|node| node.ty.count())
            .max()
            .unwrap_or(0);
        if let Ok(id) = program.push(op, &operands, tag)
            && program.node(id).ty.count() <= 64.max(size)
        {
            values.push(id);
        }
    }
    let results: Vec<NodeId> = program.ids().rev().take(2).collect();
    program.set_results(&results).unwrap();
    program
}

#[test]
fn rewritten_programs_compute_the_same() {
    let (mut changed, mut total) = (0, 0);
    for seed in 0..150 {
        let program = random_program(seed);
        let mut options = Options::default().fp([Fp::Exact, Fp::Reassociate][seed as usize % 2]);
        options.saturate.terms = 1_200;
        options.saturate.rounds = 4;
        options.evaluations = 2_000;
        let found = alternatives(&program, &options)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{program}"));
        let again = alternatives(&program, &options).unwrap();
        assert_eq!(found.list.len(), again.list.len(), "seed {seed}");
        let arguments = random_arguments(&program, seed);
        let expected = run(&program, &arguments).unwrap();
        for (alternative, same) in found.list.iter().zip(&again.list) {
            total += 1;
            changed += usize::from(!alternative.rules.is_empty());
            assert!(
                alternative.program.same_terms(&same.program),
                "seed {seed}: not deterministic"
            );
            let results = run(&alternative.program, &arguments).unwrap();
            for (a, b) in expected.iter().zip(&results).flat_map(|(a, b)| a.iter().zip(b)) {
                let exact = options.saturate.fp == Fp::Exact || !a.ty.element.is_float();
                let scale = a
                    .values()
                    .iter()
                    .fold(1.0, |largest: f64, value| largest.max(value.abs()));
                let close = a
                    .values()
                    .iter()
                    .zip(b.values())
                    .all(|(a, b)| (a - b).abs() <= 1e-9 * scale);
                assert!(
                    if exact { a.bits() == b.bits() } else { close },
                    "seed {seed}\n{program}\n{:?}\n{}",
                    alternative.rules,
                    alternative.program
                );
            }
        }
    }
    println!("{total} alternatives, {changed} of them changed");
    assert!(changed > 100);
}
