// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the rules find together, on programs as front ends write them, and that it is right.

use comm_algebra::{
    Alternatives, Dot, Element, Fp, Function, GroupId, Groups, Kind, NodeId, Op, Options, Prices, Program,
    Type, alternatives,
    interpreter::{random_arguments, run},
};

/// A program over a mesh of 2 by 2, with the groups by its minor and major axis and of all devices.
struct Mesh {
    program: Program,
    inner: GroupId,
    outer: GroupId,
    all: GroupId,
    tag: u32,
}

impl Mesh {
    fn new() -> Self {
        let mut groups = Groups::new(4).unwrap();
        let inner = groups.add_axes(&[2, 2], &[1]).unwrap();
        let outer = groups.add_axes(&[2, 2], &[0]).unwrap();
        let all = groups.add_axes(&[2, 2], &[0, 1]).unwrap();
        Self {
            program: Program::new(groups),
            inner,
            outer,
            all,
            tag: 100,
        }
    }

    fn argument(&mut self, number: u32, shape: &[usize], replicated: &[GroupId]) -> NodeId {
        self.program
            .argument(number, Type::new(Element::F32, shape), replicated)
            .unwrap()
    }

    fn push(&mut self, op: Op, operands: &[NodeId]) -> NodeId {
        self.tag += 1;
        self.program.push(op, operands, self.tag).unwrap()
    }

    fn map(&mut self, function: Function, operands: &[NodeId]) -> NodeId {
        self.push(Op::Map(function), operands)
    }

    fn reduce(&mut self, group: GroupId, operand: NodeId) -> NodeId {
        self.push(
            Op::AllReduce {
                kind: Kind::Sum,
                group,
            },
            &[operand],
        )
    }

    fn gather(&mut self, dim: usize, group: GroupId, operand: NodeId) -> NodeId {
        self.push(Op::AllGather { dim, group }, &[operand])
    }

    fn dot(&mut self, contract: (usize, usize), left: NodeId, right: NodeId) -> NodeId {
        let dot = Dot {
            batch: vec![],
            contract: vec![contract],
            element: Element::F32,
        };
        self.push(Op::Dot(dot), &[left, right])
    }

    /// The alternatives for these results, each run against the program as given.
    fn alternatives(mut self, results: &[NodeId], fp: Fp) -> Alternatives {
        self.program.set_results(results).unwrap();
        // Small tensors stand for large ones, so starting a collective costs next to nothing.
        let options = Options::default().fp(fp).prices(Prices::default().launch(1000));
        let found = alternatives(&self.program, &options).unwrap();
        check(&self.program, &found, fp);
        found
    }
}

/// Every alternative computes what the program computes, up to its class.
fn check(program: &Program, found: &Alternatives, fp: Fp) {
    let arguments = random_arguments(program, 7);
    let expected = run(program, &arguments).unwrap();
    assert!(found.list[found.given].rules.is_empty());
    for alternative in &found.list {
        let results = run(&alternative.program, &arguments).unwrap();
        for (a, b) in expected.iter().zip(&results).flat_map(|(a, b)| a.iter().zip(b)) {
            assert_eq!(a.ty, b.ty);
            match fp {
                Fp::Exact => assert_eq!(a.bits(), b.bits(), "{program}\n{}", alternative.program),
                _ => {
                    let close = a
                        .values()
                        .iter()
                        .zip(b.values())
                        .all(|(a, b)| (a - b).abs() <= 1e-4 * (1.0 + a.abs()));
                    assert!(close, "{program}\n{}", alternative.program);
                }
            }
        }
    }
}

fn collectives(program: &Program) -> Vec<String> {
    let collective = |op: &Op| {
        let text = op.to_string();
        text.split_whitespace().next().unwrap().to_owned()
    };
    program
        .nodes()
        .iter()
        .filter(|node| node.op.is_collective())
        .map(|node| collective(&node.op))
        .collect()
}

#[test]
fn an_all_reduce_of_which_a_slice_is_kept_is_a_reduce_scatter() {
    let mut m = Mesh::new();
    let x = m.argument(0, &[8, 64], &[]);
    let reduced = m.reduce(m.all, x);
    let kept = m.push(Op::Shard { dim: 0, group: m.all }, &[reduced]);
    let found = m.alternatives(&[kept], Fp::Reassociate);
    assert_eq!(collectives(&found.best().program), ["reduce_scatter"]);
    assert!(!found.best().rules.is_empty());
    assert!(found.report.saturated && found.complete);
}

#[test]
fn sums_stay_as_they_are_where_bits_must() {
    let mut m = Mesh::new();
    let x = m.argument(0, &[8, 64], &[]);
    let reduced = m.reduce(m.all, x);
    let kept = m.push(Op::Shard { dim: 0, group: m.all }, &[reduced]);
    let found = m.alternatives(&[kept], Fp::Exact);
    assert_eq!(found.list.len(), 1);
}

#[test]
fn integers_are_exact_so_their_sums_move_in_any_class() {
    let mut m = Mesh::new();
    let x = m
        .program
        .argument(0, Type::new(Element::I32, &[8, 64]), &[])
        .unwrap();
    let reduced = m.reduce(m.all, x);
    let kept = m.push(Op::Shard { dim: 0, group: m.all }, &[reduced]);
    let found = m.alternatives(&[kept], Fp::Exact);
    assert_eq!(collectives(&found.best().program), ["reduce_scatter"]);
}

#[test]
fn a_reduction_before_a_scatter_is_done_after_it() {
    // As a real program has it: reduced over the replicas first, then scattered over the shards.
    let mut m = Mesh::new();
    let x = m.argument(0, &[32, 32], &[]);
    let reduced = m.reduce(m.outer, x);
    let scatter = Op::ReduceScatter {
        kind: Kind::Sum,
        dim: 0,
        group: m.inner,
    };
    let scattered = m.push(scatter, &[reduced]);
    let found = m.alternatives(&[scattered], Fp::Reassociate);
    let given = &found.list[found.given];
    assert_eq!(collectives(&found.best().program)[0], "reduce_scatter");
    assert_eq!(
        found.best().work.sent * 3,
        given.work.sent * 2,
        "{}",
        found.best().program
    );
}

#[test]
fn an_update_of_weights_is_divided_among_the_replicas() {
    let mut m = Mesh::new();
    let group = m.all;
    let w = m.argument(0, &[32, 32], &[group]);
    let v = m.argument(1, &[32, 32], &[group]);
    let g = m.argument(2, &[32, 32], &[]);
    let sum = m.reduce(group, g);
    let named = |number| Function::Named {
        number,
        operands: 2,
        element: Element::F32,
    };
    let velocity = m.map(named(1), &[v, sum]);
    let updated = m.map(named(2), &[w, velocity]);
    // The velocity stays sharded, the weights are needed whole.
    let kept = m.push(Op::Shard { dim: 0, group }, &[velocity]);
    m.program.set_results(&[updated, kept]).unwrap();
    let prices = Prices::default().launch(1000).local_byte(15_000);
    let options = Options::default().fp(Fp::Reassociate).prices(prices);
    let found = alternatives(&m.program, &options).unwrap();
    check(&m.program, &found, Fp::Reassociate);
    assert_eq!(
        collectives(&found.best().program),
        ["reduce_scatter", "all_gather"],
        "{}",
        found.best().program
    );
}

#[test]
fn a_norm_over_rows_runs_on_a_shard_of_the_rows() {
    // Sequence parallelism: all_reduce, then a normalisation that looks along rows only.
    let mut m = Mesh::new();
    let group = m.all;
    let x = m.argument(0, &[64, 32], &[]);
    let sum = m.reduce(group, x);
    let largest = m.push(
        Op::Reduce {
            kind: Kind::Max,
            dim: 1,
        },
        &[sum],
    );
    let spread = m.push(
        Op::BroadcastInDim {
            shape: vec![64, 32],
            dims: vec![0],
        },
        &[largest],
    );
    let centred = m.map(Function::Subtract, &[sum, spread]);
    m.program.set_results(&[centred]).unwrap();
    let options = Options::default()
        .fp(Fp::Reassociate)
        .prices(Prices::default().launch(1000).local_byte(15_000));
    let found = alternatives(&m.program, &options).unwrap();
    check(&m.program, &found, Fp::Reassociate);
    let best = &found.best().program;
    assert_eq!(collectives(best), ["reduce_scatter", "all_gather"], "{best}");
    let reduce = best
        .nodes()
        .iter()
        .find(|node| matches!(node.op, Op::Reduce { .. }))
        .unwrap();
    assert_eq!(reduce.ty.shape, [16], "{best}");
}

#[test]
fn a_weight_gradient_needs_no_gathers() {
    let mut m = Mesh::new();
    let group = m.all;
    let (x, y) = (m.argument(0, &[64, 8], &[]), m.argument(1, &[64, 8], &[]));
    let (xs, ys) = (m.gather(0, group, x), m.gather(0, group, y));
    let gradient = m.dot((0, 0), xs, ys);
    let kept = m.push(Op::Shard { dim: 0, group }, &[gradient]);
    let found = m.alternatives(&[kept], Fp::Reassociate);
    assert_eq!(
        collectives(&found.best().program),
        ["reduce_scatter"],
        "{}",
        found.best().program
    );
}

#[test]
fn values_are_narrowed_before_they_are_sent() {
    let mut m = Mesh::new();
    let group = m.all;
    let x = m.argument(0, &[64, 8], &[]);
    let gathered = m.gather(0, group, x);
    let narrow = m.push(Op::Convert(Element::Bf16), &[gathered]);
    let turned = m.push(Op::Transpose(vec![1, 0]), &[narrow]);
    let found = m.alternatives(&[turned], Fp::Exact);
    let best = found.best();
    assert_eq!(
        best.work.sent * 2,
        found.list[found.given].work.sent,
        "{}",
        best.program
    );
}

#[test]
fn a_wide_reduction_narrows_only_where_precision_may_change() {
    let build = |fp| {
        let mut m = Mesh::new();
        let x = m.argument(0, &[64, 8], &[]);
        let sum = m.reduce(m.all, x);
        let narrow = m.push(Op::Convert(Element::Bf16), &[sum]);
        m.program.set_results(&[narrow]).unwrap();
        alternatives(&m.program, &Options::default().fp(fp)).unwrap()
    };
    assert_eq!(build(Fp::Precision).best().rules, ["P1"]);
    let found = build(Fp::Reassociate);
    assert_eq!(found.best().work.sent, found.list[found.given].work.sent);
}

#[test]
fn accumulated_contributions_are_reduced_once() {
    let mut m = Mesh::new();
    let group = m.all;
    let start = m.argument(9, &[64, 64], &[]);
    let mut sum = start;
    for step in 0..4 {
        let x = m.argument(step, &[64, 64], &[]);
        let reduced = m.reduce(group, x);
        sum = m.map(Function::Add, &[sum, reduced]);
    }
    let found = m.alternatives(&[sum], Fp::Reassociate);
    assert_eq!(
        collectives(&found.best().program),
        ["all_reduce"],
        "{}",
        found.best().program
    );
}

#[test]
fn instances_keep_gathers_apart() {
    let count = |instance| {
        let mut m = Mesh::new();
        let ty = Type::new(Element::F32, &[64, 64]);
        let shards =
            [0, instance].map(|instance| m.program.argument_instance(0, instance, ty.clone(), &[]).unwrap());
        let weights = shards.map(|shard| m.gather(0, m.all, shard));
        let x = m.argument(1, &[8, 256], &[]);
        let first = m.dot((1, 0), x, weights[0]);
        let y = m.map(
            Function::Named {
                number: 0,
                operands: 1,
                element: Element::F32,
            },
            &[first],
        );
        let turned = m.dot((1, 1), y, weights[1]);
        collectives(&m.alternatives(&[turned], Fp::Exact).best().program).len()
    };
    assert_eq!([count(0), count(1)], [1, 2]);
}

#[test]
fn nodes_know_where_they_come_from() {
    use comm_algebra::Origin;
    let mut m = Mesh::new();
    let x = m.argument(0, &[8, 64], &[]);
    let reduced = m.reduce(m.all, x);
    let kept = m.push(Op::Shard { dim: 0, group: m.all }, &[reduced]);
    let last = m.map(
        Function::Named {
            number: 0,
            operands: 1,
            element: Element::F32,
        },
        &[kept],
    );
    let found = m.alternatives(&[last], Fp::Reassociate);
    let best = found.best();
    let origins: Vec<Origin> = best.program.nodes().iter().map(|node| node.origin).collect();
    assert_eq!(
        origins,
        [Origin::Kept(0), Origin::Instead(102), Origin::Kept(103)],
        "{}",
        best.program
    );
    let given = &found.list[found.given].program;
    assert!(
        given
            .nodes()
            .iter()
            .all(|node| matches!(node.origin, Origin::Kept(_)))
    );
}

#[test]
fn a_program_without_collectives_is_returned_at_once() {
    let mut m = Mesh::new();
    let x = m.argument(0, &[8, 64], &[]);
    let turned = m.push(Op::Transpose(vec![1, 0]), &[x]);
    let back = m.push(Op::Transpose(vec![1, 0]), &[turned]);
    let found = m.alternatives(&[back], Fp::Precision);
    assert_eq!((found.list.len(), found.report.rounds), (1, 0));
}

#[test]
fn limits_are_counted_and_reported() {
    let mut m = Mesh::new();
    let x = m.argument(0, &[8, 8, 8], &[]);
    let mut sum = m.reduce(m.all, x);
    for _ in 0..4 {
        sum = m.map(Function::Relu, &[sum]);
    }
    m.program.set_results(&[sum]).unwrap();
    let mut options = Options::default().fp(Fp::Reassociate);
    options.saturate.terms = 20;
    let found = alternatives(&m.program, &options).unwrap();
    assert!(!found.report.saturated);
    options.saturate.terms = 8_000;
    options.saturate.rounds = 1;
    let found = alternatives(&m.program, &options).unwrap();
    assert!(!found.report.saturated && found.report.rounds == 1);
}
