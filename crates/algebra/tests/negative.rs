// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What looks like an identity and is none: both sides differ when they are run, and no rules prove them equal.

use comm_algebra::{
    Dot, Element, Factor, Fp, Function, GroupId, Groups, Kind, NodeId, Op, Program, SaturateOptions, Type,
    interpreter::{Tensor, random_arguments, run},
    saturate,
};

/// A program over four devices with all of them, rows and columns of a 2 by 2 mesh as groups.
struct Sides {
    program: Program,
    all: GroupId,
    rows: GroupId,
    columns: GroupId,
}

impl Sides {
    fn new() -> Self {
        let mut groups = Groups::new(4).unwrap();
        let [all, rows, columns] =
            [[0, 1].as_slice(), &[1], &[0]].map(|axes| groups.add_axes(&[2, 2], axes).unwrap());
        Self {
            program: Program::new(groups),
            all,
            rows,
            columns,
        }
    }

    fn argument(&mut self, number: u32, shape: &[usize]) -> NodeId {
        self.program
            .argument(number, Type::new(Element::I32, shape), &[])
            .unwrap()
    }

    fn op(&mut self, op: Op, operands: &[NodeId]) -> NodeId {
        self.program.push(op, operands, 0).unwrap()
    }

    fn reduce(&mut self, group: GroupId, operand: NodeId) -> NodeId {
        self.op(
            Op::AllReduce {
                kind: Kind::Sum,
                group,
            },
            &[operand],
        )
    }

    fn scatter(&mut self, dim: usize, group: GroupId, operand: NodeId) -> NodeId {
        self.op(
            Op::ReduceScatter {
                kind: Kind::Sum,
                dim,
                group,
            },
            &[operand],
        )
    }

    fn gather(&mut self, dim: usize, group: GroupId, operand: NodeId) -> NodeId {
        self.op(Op::AllGather { dim, group }, &[operand])
    }

    fn shard(&mut self, dim: usize, group: GroupId, operand: NodeId) -> NodeId {
        self.op(Op::Shard { dim, group }, &[operand])
    }

    fn map(&mut self, function: Function, operands: &[NodeId]) -> NodeId {
        self.op(Op::Map(function), operands)
    }

    fn matmul(&mut self, left: NodeId, right: NodeId) -> NodeId {
        self.op(Op::Dot(Dot::matmul(Element::I32)), &[left, right])
    }

    /// Subtracts the largest element along a dimension.
    fn centred(&mut self, dim: usize, operand: NodeId) -> NodeId {
        let shape = self.program.node(operand).ty.shape.clone();
        let largest = self.op(Op::Reduce { kind: Kind::Max, dim }, &[operand]);
        let dims = (0..shape.len()).filter(|&own| own != dim).collect();
        let spread = self.op(Op::BroadcastInDim { shape, dims }, &[largest]);
        self.map(Function::Subtract, &[operand, spread])
    }

    /// Both sides differ, and stay apart under all rules of every class.
    fn are_different(mut self, left: NodeId, right: NodeId) {
        self.program.set_results(&[left, right]).unwrap();
        let values = run(&self.program, &random_arguments(&self.program, 3)).unwrap();
        let bits = |value: &[Tensor]| value.iter().map(Tensor::bits).collect::<Vec<_>>();
        assert_eq!(values[0][0].ty, values[1][0].ty);
        assert_ne!(bits(&values[0]), bits(&values[1]), "{}", self.program);
        let mut options = SaturateOptions::default();
        options.fp = Fp::Precision;
        options.without.clear();
        options.terms = 2_000;
        options.rounds = 6;
        let saturated = saturate(&self.program, &options).unwrap();
        let [left, right] = [left, right].map(|id| saturated.graph.find(saturated.classes[id.index()]));
        assert_ne!(left, right, "{}", self.program);
    }
}

#[test]
fn a_reshape_that_merges_an_outer_dimension_into_the_gathered_one() {
    let mut s = Sides::new();
    let x = s.argument(0, &[2, 3]);
    let gathered = s.gather(1, s.all, x);
    let left = s.op(Op::Reshape(vec![24]), &[gathered]);
    let merged = s.op(Op::Reshape(vec![6]), &[x]);
    let right = s.gather(0, s.all, merged);
    s.are_different(left, right);
}

#[test]
fn a_contracting_gather_with_weights_that_differ() {
    let mut s = Sides::new();
    let (x, w) = (s.argument(0, &[2, 2]), s.argument(1, &[8, 3]));
    let gathered = s.gather(1, s.all, x);
    let left = s.matmul(gathered, w);
    let part = s.shard(0, s.all, w);
    let product = s.matmul(x, part);
    let right = s.reduce(s.all, product);
    s.are_different(left, right);
}

#[test]
fn a_sharded_update_with_weights_that_differ() {
    let mut s = Sides::new();
    let (w, g) = (s.argument(0, &[4, 2]), s.argument(1, &[4, 2]));
    let sum = s.reduce(s.all, g);
    let left = s.map(Function::Subtract, &[w, sum]);
    let (part, scattered) = (s.shard(0, s.all, w), s.scatter(0, s.all, g));
    let updated = s.map(Function::Subtract, &[part, scattered]);
    let right = s.gather(0, s.all, updated);
    s.are_different(left, right);
}

#[test]
fn a_sharded_function_that_mixes_the_sharded_dimension() {
    let mut s = Sides::new();
    let x = s.argument(0, &[8, 2]);
    let sum = s.reduce(s.all, x);
    let left = s.centred(0, sum);
    let scattered = s.scatter(0, s.all, x);
    let part = s.centred(0, scattered);
    let right = s.gather(0, s.all, part);
    s.are_different(left, right);
}

#[test]
fn a_scatter_and_a_reduction_over_the_same_groups() {
    let mut s = Sides::new();
    let x = s.argument(0, &[8, 2]);
    let reduced = s.reduce(s.all, x);
    let left = s.scatter(0, s.all, reduced);
    let scattered = s.scatter(0, s.all, x);
    let right = s.reduce(s.all, scattered);
    s.are_different(left, right);
}

#[test]
fn a_bucket_of_scatters_that_is_joined_plainly() {
    let mut s = Sides::new();
    let (x, y) = (s.argument(0, &[8]), s.argument(1, &[4]));
    let parts = [s.scatter(0, s.all, x), s.scatter(0, s.all, y)];
    let left = s.op(Op::Concat(0), &parts);
    let joined = s.op(Op::Concat(0), &[x, y]);
    let right = s.scatter(0, s.all, joined);
    s.are_different(left, right);
}

#[test]
fn an_exchange_past_the_weights_of_experts() {
    let mut s = Sides::new();
    let (x, w) = (s.argument(0, &[4, 3]), s.argument(1, &[3, 2]));
    let exchange = Op::AllToAll {
        split: 0,
        concat: 0,
        group: s.all,
    };
    let exchanged = s.op(exchange.clone(), &[x]);
    let left = s.matmul(exchanged, w);
    let product = s.matmul(x, w);
    let right = s.op(exchange, &[product]);
    s.are_different(left, right);
}

#[test]
fn a_sum_past_a_function_that_is_not_linear() {
    let mut s = Sides::new();
    let x = s.argument(0, &[4, 3]);
    let positive = s.map(Function::Relu, &[x]);
    let left = s.reduce(s.all, positive);
    let reduced = s.reduce(s.all, x);
    let right = s.map(Function::Relu, &[reduced]);
    s.are_different(left, right);
}

#[test]
fn reductions_over_groups_that_overlap() {
    let mut s = Sides::new();
    let x = s.argument(0, &[4]);
    let first = s.reduce(s.rows, x);
    let left = s.reduce(s.all, first);
    let right = s.reduce(s.all, x);
    s.are_different(left, right);
}

#[test]
fn a_mean_of_sums_without_their_count() {
    let mut s = Sides::new();
    let x = s.argument(0, &[4]);
    let sum = s.reduce(s.all, x);
    let again = s.reduce(s.all, sum);
    let half = Function::Scale(Factor::new(3.0));
    let left = s.map(half, &[again]);
    let right = s.map(half, &[sum]);
    s.are_different(left, right);
}

#[test]
fn a_gather_of_what_has_changed_since() {
    // The body of a loop, run twice: the operand of the second gather is not that of the first.
    let mut s = Sides::new();
    let x = s.argument(0, &[4]);
    let left = s.gather(0, s.all, x);
    let next = s.map(
        Function::Named {
            number: 1,
            operands: 1,
            element: Element::I32,
        },
        &[x],
    );
    let right = s.gather(0, s.all, next);
    s.are_different(left, right);
}

#[test]
fn gathers_of_one_dimension_in_another_order() {
    let mut s = Sides::new();
    let x = s.argument(0, &[2]);
    let inner = s.gather(0, s.rows, x);
    let left = s.gather(0, s.columns, inner);
    let inner = s.gather(0, s.columns, x);
    let right = s.gather(0, s.rows, inner);
    s.are_different(left, right);
}

#[test]
fn a_sum_of_maxima_and_a_maximum_of_sums() {
    let mut s = Sides::new();
    let x = s.argument(0, &[4]);
    let sum = s.reduce(s.rows, x);
    let left = s.op(
        Op::AllReduce {
            kind: Kind::Max,
            group: s.columns,
        },
        &[sum],
    );
    let largest = s.op(
        Op::AllReduce {
            kind: Kind::Max,
            group: s.columns,
        },
        &[x],
    );
    let right = s.reduce(s.rows, largest);
    s.are_different(left, right);
}
