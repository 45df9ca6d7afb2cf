// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random programs that come near the left side of a law: most meet its conditions, many violate one.

use comm_algebra::{
    Argument, Dot, Element, Factor, Function, GroupId, Groups, Kind, NodeId, Op, Program, Type,
};

/// A program under construction.
pub struct Make {
    pub random: fastrand::Rng,
    pub program: Program,
    pub element: Element,
    arguments: u32,
}

const ELEMENTS: [Element; 6] = [
    Element::I64,
    Element::I32,
    Element::I8,
    Element::F64,
    Element::F32,
    Element::Bf16,
];

impl Make {
    pub fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let devices = [4, 4, 6, 8][random.usize(..4)];
        let element = ELEMENTS[random.usize(..ELEMENTS.len())];
        Self {
            random,
            program: Program::new(Groups::new(devices).unwrap()),
            element,
            arguments: 0,
        }
    }

    pub fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(..100) < percent
    }

    pub fn devices(&self) -> usize {
        self.program.groups().devices()
    }

    /// Random lists of a random size that is more than one.
    pub fn group(&mut self) -> GroupId {
        let devices = self.devices();
        let sizes: Vec<usize> = (2..=4).filter(|size| devices.is_multiple_of(*size)).collect();
        let size = sizes[self.random.usize(..sizes.len())];
        self.group_of(size)
    }

    pub fn group_of(&mut self, size: usize) -> GroupId {
        let mut devices: Vec<usize> = (0..self.devices()).collect();
        self.random.shuffle(&mut devices);
        let lists: Vec<Vec<usize>> = devices.chunks(size).map(<[usize]>::to_vec).collect();
        self.program.groups_mut().add_lists(&lists).unwrap()
    }

    /// The same groups, their sets in another order, or others.
    pub fn like(&mut self, group: GroupId) -> GroupId {
        match self.random.u32(..10) {
            0..7 => group,
            7..9 => self.shuffled(group),
            _ => self.group_of(self.size(group)),
        }
    }

    pub fn shuffled(&mut self, group: GroupId) -> GroupId {
        let lists = self.program.groups().get(group).lists();
        let mut lists: Vec<Vec<usize>> = lists
            .map(|list| list.iter().map(|&device| device as usize).collect())
            .collect();
        for list in &mut lists {
            self.random.shuffle(list);
        }
        self.program.groups_mut().add_lists(&lists).unwrap()
    }

    pub fn size(&self, group: GroupId) -> usize {
        self.program.groups().size(group)
    }

    /// Two groupings: axes of a mesh of renamed devices, such axes with lists in another order, or unrelated.
    pub fn two(&mut self) -> (GroupId, GroupId) {
        let devices = self.devices();
        let shapes: &[[usize; 3]] = match devices {
            4 => &[[2, 2, 1]],
            6 => &[[2, 3, 1], [3, 2, 1]],
            _ => &[[2, 2, 2], [2, 4, 1], [4, 2, 1]],
        };
        let shape = shapes[self.random.usize(..shapes.len())];
        let mut names: Vec<usize> = (0..devices).collect();
        self.random.shuffle(&mut names);
        let mut axis = |axis: usize| {
            let grouping = comm_algebra::Grouping::of_mesh(&shape, &[axis]).unwrap();
            let lists: Vec<Vec<usize>> = grouping
                .lists()
                .map(|list| list.iter().map(|&device| names[device as usize]).collect())
                .collect();
            self.program.groups_mut().add_lists(&lists).unwrap()
        };
        let (first, second) = (axis(0), axis(1));
        match self.random.u32(..10) {
            0..6 => (first, second),
            6 => (self.shuffled(first), second),
            7 => (first, self.shuffled(second)),
            8 => (first, self.like(first)),
            _ => (self.group(), self.group()),
        }
    }

    /// A grouping that the two make together, or one of that size, or nothing.
    pub fn whole(&mut self, major: GroupId, minor: GroupId) -> Option<GroupId> {
        let product = self.program.groups_mut().product(major, minor);
        let size = self.size(major) * self.size(minor);
        match product {
            Some(product) if self.chance(75) => Some(product),
            _ if self.devices().is_multiple_of(size) => Some(self.group_of(size)),
            _ => None,
        }
    }

    /// Extents, most of them multiples of a number.
    pub fn shape(&mut self, rank: usize, multiple: usize) -> Vec<usize> {
        (0..rank)
            .map(|_| {
                if self.chance(80) {
                    multiple * self.random.usize(1..=2)
                } else {
                    self.random.usize(1..=3)
                }
            })
            .collect()
    }

    pub fn dim(&mut self, rank: usize) -> usize {
        self.random.usize(..rank.max(1))
    }

    /// Most of the time the same number.
    pub fn same(&mut self, dim: usize, rank: usize) -> usize {
        if self.chance(80) { dim } else { self.dim(rank) }
    }

    /// Most of the time another number, where there is one.
    pub fn other(&mut self, dim: usize, rank: usize) -> usize {
        if rank > 1 && self.chance(85) {
            (dim + 1 + self.random.usize(..rank - 1)) % rank
        } else {
            dim
        }
    }

    pub fn kind(&mut self) -> Kind {
        if self.chance(40) && Kind::Sum.accepts(self.element) {
            return Kind::Sum;
        }
        let kinds: Vec<Kind> = Kind::ALL
            .into_iter()
            .filter(|kind| kind.accepts(self.element))
            .collect();
        kinds[self.random.usize(..kinds.len())]
    }

    pub fn same_kind(&mut self, kind: Kind) -> Kind {
        if self.chance(85) { kind } else { self.kind() }
    }

    pub fn sum(&mut self) -> Kind {
        self.same_kind(Kind::Sum)
    }

    pub fn extreme(&mut self) -> Kind {
        let kind = [Kind::Max, Kind::Min][self.random.usize(..2)];
        self.same_kind(kind)
    }

    /// A function of one operand.
    pub fn unary(&mut self) -> Function {
        let float = self.element.is_float();
        let scale = |factor: f64| Function::Scale(Factor::new(factor));
        match self.random.u32(..10) {
            0 => Function::Negate,
            1 => Function::Abs,
            2 | 3 => Function::Relu,
            4 => scale(2.0),
            5 => scale(-3.0),
            6 if float => scale(0.3),
            7 if float => Function::Floor,
            8 if float => Function::Exp,
            _ => self.named(1),
        }
    }

    pub fn named(&mut self, operands: u8) -> Function {
        Function::Named {
            number: self.random.u32(..20),
            operands,
            element: self.element,
        }
    }

    /// A function of two operands.
    pub fn binary(&mut self) -> Function {
        match self.random.u32(..7) {
            0 => Function::Add,
            1 => Function::Subtract,
            2 => Function::Multiply,
            3 => Function::Maximum,
            4 => Function::Minimum,
            5 if self.element.is_float() => Function::Divide,
            _ => self.named(2),
        }
    }

    /// Most of the time what the kind combines with.
    pub fn combining(&mut self, kind: Kind) -> Function {
        if self.chance(80) {
            kind.function()
        } else {
            self.binary()
        }
    }

    /// An argument.
    pub fn value(&mut self, shape: &[usize]) -> NodeId {
        self.typed(Type::new(self.element, shape), &[])
    }

    /// An argument, most of the time equal inside the lists of a group, sometimes of another.
    pub fn equal(&mut self, shape: &[usize], group: GroupId) -> NodeId {
        let ty = Type::new(self.element, shape);
        match self.random.u32(..10) {
            0..7 => self.typed(ty, &[group]),
            7 => {
                let other = self.group();
                self.typed(ty, &[other])
            }
            _ => self.typed(ty, &[]),
        }
    }

    pub fn typed(&mut self, ty: Type, groups: &[GroupId]) -> NodeId {
        self.arguments += 1;
        let replicated = self.program.groups_mut().replicated(groups);
        let argument = Argument {
            number: self.arguments,
            instance: 0,
            ty,
            replicated,
        };
        self.program
            .push(Op::Argument(argument), &[], self.arguments)
            .unwrap()
    }

    /// An op, if it has a type.
    pub fn op(&mut self, op: Op, operands: &[NodeId]) -> Option<NodeId> {
        self.program.push(op, operands, 0).ok()
    }

    pub fn map(&mut self, function: Function, operands: &[NodeId]) -> Option<NodeId> {
        self.op(Op::Map(function), operands)
    }

    pub fn gather(&mut self, dim: usize, group: GroupId, operand: NodeId) -> Option<NodeId> {
        self.op(Op::AllGather { dim, group }, &[operand])
    }

    pub fn scatter(&mut self, kind: Kind, dim: usize, group: GroupId, operand: NodeId) -> Option<NodeId> {
        self.op(Op::ReduceScatter { kind, dim, group }, &[operand])
    }

    pub fn reduce(&mut self, kind: Kind, group: GroupId, operand: NodeId) -> Option<NodeId> {
        self.op(Op::AllReduce { kind, group }, &[operand])
    }

    pub fn exchange(
        &mut self,
        split: usize,
        concat: usize,
        group: GroupId,
        operand: NodeId,
    ) -> Option<NodeId> {
        self.op(Op::AllToAll { split, concat, group }, &[operand])
    }

    pub fn shard(&mut self, dim: usize, group: GroupId, operand: NodeId) -> Option<NodeId> {
        self.op(Op::Shard { dim, group }, &[operand])
    }

    pub fn dot(&mut self, dot: &Dot, side: usize, operand: NodeId, other: NodeId) -> Option<NodeId> {
        let operands = if side == 0 {
            [operand, other]
        } else {
            [other, operand]
        };
        self.op(Op::Dot(dot.clone()), &operands)
    }

    pub fn shape_of(&self, node: NodeId) -> Vec<usize> {
        self.program.node(node).ty.shape.clone()
    }

    /// A permutation of the dimensions.
    pub fn permutation(&mut self, rank: usize) -> Vec<usize> {
        let mut permutation: Vec<usize> = (0..rank).collect();
        self.random.shuffle(&mut permutation);
        permutation
    }

    /// A random permute: total or partial, and sometimes inside the lists of a group.
    pub fn pairs(&mut self, within: Option<GroupId>) -> Op {
        let devices = self.devices() as u32;
        let mut targets: Vec<u32> = (0..devices).collect();
        self.random.shuffle(&mut targets);
        let mut pairs: Vec<(u32, u32)> = (0..devices).zip(targets).collect();
        if let (Some(group), true) = (within, self.chance(75)) {
            let other = self.shuffled(group);
            let lists = |group| {
                self.program
                    .groups()
                    .get(group)
                    .lists()
                    .flatten()
                    .copied()
                    .collect::<Vec<u32>>()
            };
            // Both list the same sets; pair them position by position, set by set.
            let (from, to) = (lists(group), lists(other));
            pairs = from.into_iter().zip(to).collect();
        }
        if self.chance(30) {
            pairs.pop();
        }
        Op::permute(pairs)
    }

    /// A layout op for a value of this shape, with the result's rank unspecified.
    pub fn layout(&mut self, shape: &[usize]) -> Op {
        let rank = shape.len();
        match self.random.u32(..4) {
            0 => Op::Transpose(self.permutation(rank)),
            1 => Op::Reshape(self.reshaped(shape)),
            2 => {
                let dim = self.dim(rank);
                let start = self.random.usize(..shape[dim]);
                Op::Slice {
                    dim,
                    start,
                    end: self.random.usize(start + 1..=shape[dim]),
                }
            }
            _ => self.repeated(shape),
        }
    }

    /// A broadcast that adds one dimension.
    pub fn repeated(&mut self, shape: &[usize]) -> Op {
        let place = self.random.usize(..=shape.len());
        let mut whole = shape.to_vec();
        whole.insert(place, self.random.usize(1..=4));
        Op::BroadcastInDim {
            shape: whole,
            dims: (0..=shape.len()).filter(|&dim| dim != place).collect(),
        }
    }

    /// Another shape of as many elements: a dimension split or two neighbours merged.
    pub fn reshaped(&mut self, shape: &[usize]) -> Vec<usize> {
        let mut shape = shape.to_vec();
        let dim = self.dim(shape.len());
        if self.chance(50) && dim + 1 < shape.len() {
            let next = shape.remove(dim + 1);
            shape[dim] *= next;
        } else {
            let divisors: Vec<usize> = (1..=shape[dim])
                .filter(|part| shape[dim].is_multiple_of(*part))
                .collect();
            let part = divisors[self.random.usize(..divisors.len())];
            shape[dim] /= part;
            shape.insert(dim + usize::from(self.chance(50)), part);
        }
        shape
    }
}
