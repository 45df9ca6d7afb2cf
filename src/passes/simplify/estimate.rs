// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What ops take that are not made yet, by the machine model that costs those that are there.

use comm_algebra::{Element as AlgebraElement, GroupId, Op as AlgebraOp, Prices, Program, Type, Work};
use comm_schedule::{Collective as Kind, Machine, Node, NodeId, Problem, machine::Element};

use super::{
    devices::{Devices, lists},
    shapes::Way,
    steps::{Action, Source},
};
use crate::groups::Groups;

/// Costs of ops to be made.
pub(super) struct Estimate<'a> {
    pub(super) machine: &'a Machine,
    pub(super) devices: &'a Devices,
}

impl Estimate<'_> {
    /// Puts what a step makes at the end of a problem. The node of its value and the node that begins it: two for a
    /// collective, which is asynchronous.
    pub(super) fn push(
        &self,
        problem: &mut Problem,
        way: &Way,
        step: usize,
        deps: &[NodeId],
        after: &[NodeId],
    ) -> (NodeId, NodeId) {
        let step = &way.steps.steps[step];
        let Action::Make(op, _) = &step.action else {
            let node = problem.push(Node::compute().deps(deps).after(after));
            return (node, node);
        };
        let operands: Vec<&Type> = step
            .operands
            .iter()
            .filter_map(|source| way.ty(*source))
            .collect();
        let Some(kind) = kind_of(op) else {
            let node = self.local(op, &operands, &step.ty, &way.program);
            let node = problem.push(node.deps(deps).after(after));
            return (node, node);
        };
        let full_bytes = match op {
            AlgebraOp::AllGather { .. } => step.ty.bytes(),
            _ => operands.iter().map(|ty| ty.bytes()).fold(0, u64::saturating_add),
        };
        let (groups, axes) = self.groups(op, &way.program);
        let link = self
            .machine
            .links()
            .iter()
            .find(|link| link.carries(axes.as_deref(), &groups.0));
        let stream = problem.stream(&groups.stream_name());
        if let Some(link) = link {
            problem.set_link(stream, link.name());
        }
        let ns = self
            .machine
            .collective_ns(kind, groups.largest() as u64, full_bytes, link);
        let start = Node::start(kind, stream).ns(ns).bytes(step.ty.bytes());
        let start = problem.push(start.deps(deps).after(after));
        let mut read = vec![start];
        read.extend(deps);
        (problem.push(Node::wait(start).deps(&read)), start)
    }

    fn local(&self, op: &AlgebraOp, operands: &[&Type], ty: &Type, program: &Program) -> Node<'static> {
        let work = Work::of(op, operands, ty, program.groups());
        match op {
            AlgebraOp::Reshape(_) => Node::view(),
            AlgebraOp::Constant { .. } => Node::compute().cheap(true).bytes(ty.bytes()),
            AlgebraOp::Dot(_) => {
                let element = operands.first().map_or(Element::F32, |ty| element(ty.element));
                Node::compute()
                    .ns(self.machine.matmul_ns(work.flops, element, work.local))
                    .bytes(ty.bytes())
            }
            _ => Node::compute()
                .ns(self.machine.memory_ns(work.local))
                .bytes(ty.bytes()),
        }
    }

    fn groups(&self, op: &AlgebraOp, program: &Program) -> (Groups, Option<Vec<&str>>) {
        match op {
            AlgebraOp::Permute { pairs } => {
                let ranks: Vec<i64> = pairs
                    .iter()
                    .flat_map(|&(source, target)| [i64::from(source), i64::from(target)])
                    .collect();
                (Groups::connected(&ranks), None)
            }
            _ => match op.group() {
                Some(group) => (
                    Groups(lists(program.groups().get(group))),
                    self.devices.axes(group),
                ),
                None => (Groups(Vec::new()), None),
            },
        }
    }

    /// Prices of the linear proxy: what this machine takes for large messages over the largest group.
    pub(super) fn prices(&self) -> Prices {
        const SMALL: u64 = 1 << 20;
        const LARGE: u64 = 1 << 28;
        let members = self
            .devices
            .groups
            .ids()
            .map(|group: GroupId| self.devices.groups.size(group))
            .max();
        let members = members.unwrap_or(1).max(2) as u64;
        let gather = |bytes| self.machine.collective_ns(Kind::AllGather, members, bytes, None);
        let femtoseconds = |ns: u64, amount: u64| (u128::from(ns) * 1_000_000 / u128::from(amount)) as u64;
        let sent = (LARGE - SMALL) / members * (members - 1);
        let byte = femtoseconds(gather(LARGE).saturating_sub(gather(SMALL)), sent);
        let local = self
            .machine
            .memory_ns(LARGE)
            .saturating_sub(self.machine.memory_ns(SMALL));
        let flops = 1 << 45;
        Prices::default()
            .byte(byte)
            .launch(gather(0).saturating_mul(1_000_000))
            .flop(femtoseconds(self.machine.matmul_ns(flops, Element::Bf16, 0), flops).max(1))
            .local_byte(femtoseconds(local, LARGE - SMALL))
    }
}

impl Way {
    /// The type of a value of its program.
    pub(super) fn ty(&self, source: Source) -> Option<&Type> {
        match source {
            Source::Step(step) => Some(&self.steps.steps[step].ty),
            Source::Argument(number) => {
                let mut arguments = self.program.arguments();
                Some(&arguments.find(|argument| argument.number as usize == number)?.ty)
            }
        }
    }
}

/// The collective that an op is.
pub(super) fn kind_of(op: &AlgebraOp) -> Option<Kind> {
    Some(match op {
        AlgebraOp::AllGather { .. } => Kind::AllGather,
        AlgebraOp::ReduceScatter { .. } => Kind::ReduceScatter,
        AlgebraOp::AllReduce { .. } => Kind::AllReduce,
        AlgebraOp::AllToAll { .. } => Kind::AllToAll,
        AlgebraOp::Permute { .. } => Kind::Permute,
        AlgebraOp::Broadcast { .. } => Kind::Broadcast,
        _ => return None,
    })
}

fn element(element: AlgebraElement) -> Element {
    match element {
        AlgebraElement::F64 => Element::F64,
        AlgebraElement::F16 => Element::F16,
        AlgebraElement::Bf16 => Element::Bf16,
        AlgebraElement::I8 => Element::I8,
        AlgebraElement::Other { bits: 0..=8, .. } => Element::F8,
        _ => Element::F32,
    }
}
