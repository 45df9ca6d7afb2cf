// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which collectives of a block have one form, so that one op can do what they do.
//!
//! One form: the same op and attributes, groups included, with what differs from tensor to tensor apart (dimensions, and
//! what was noted of the single collective); both blocking or both started; for reductions one element type, since a
//! bucket is reduced as one buffer. Groups are compared as they are spelt. Shapes are static, for else nothing says
//! how long a bucket takes.

use std::collections::HashMap;

use comm_schedule::{
    Kind as NodeKind, NodeId,
    bucket::{Group, Member},
};

use super::names::Names;
use crate::{
    collective::{Collective, Kind},
    cost::{Costs, full_bytes},
    mlir::{Op, PassResult, Ty},
    problem::BlockProblem,
};

/// Attributes that tell nothing of the form.
const OF_ONE_TENSOR: [&str; 3] = ["dims", "comm.duration_ns", "comm.bucket"];

/// The form of a collective.
#[derive(PartialEq, Eq, Hash)]
struct Form<'a> {
    op: &'a str,
    is_async: bool,
    /// Names and identities, by name.
    attributes: Vec<(String, usize)>,
    /// Identity of the element type of a reduction.
    element: Option<usize>,
}

/// Collectives of a block by their form, in order of the first of each.
pub(super) struct Forms<'c> {
    pub(super) groups: Vec<Group<'c>>,
    /// Collectives that are in no group, and why.
    pub(super) left_out: Vec<(Op, &'static str)>,
}

impl<'c> Forms<'c> {
    /// Fails, after an error, where the groups of a collective cannot be resolved.
    pub(super) fn of(block: &BlockProblem, costs: &'c Costs, names: Option<&Names>) -> PassResult<Self> {
        let mut forms = Forms {
            groups: Vec::new(),
            left_out: Vec::new(),
        };
        let mut known: HashMap<Form, usize> = HashMap::new();
        let waits = block.problem.waits();
        for (position, &op) in block.ops.iter().enumerate() {
            let Some(collective) = Collective::new(op).filter(|collective| is_merged(collective.kind)) else {
                continue;
            };
            let node = block.node_at(position);
            let is_whole = match block.problem.kind(node) {
                NodeKind::Start => waits[node.index()].is_some(),
                NodeKind::Blocking => true,
                _ => false,
            };
            if !is_whole {
                let reason = "stays apart: it is awaited in another block, or never";
                forms.left_out.push((op, reason));
                continue;
            }
            if !op.operands().all(|operand| is_static(operand.ty())) {
                let reason = "stays apart: its shape is dynamic, so what a bucket with it takes is not known";
                forms.left_out.push((op, reason));
                continue;
            }
            let next = forms.groups.len();
            let group = *known.entry(form(collective)).or_insert(next);
            if group == next {
                forms.groups.push(Group {
                    members: Vec::new(),
                    cost: Box::new(costs.collective_model(collective)?),
                });
            }
            forms.groups[group].members.push(Member {
                node,
                full_bytes: full_bytes(collective),
                measured_ns: costs.given_ns(op),
                name: names.and_then(|names| names.of(op)),
            });
        }
        Ok(forms)
    }

    /// Whether somebody has measured the collective at a node.
    pub(super) fn is_measured(&self, node: NodeId) -> bool {
        let mut members = self.groups.iter().flat_map(|group| &group.members);
        members.any(|member| member.node == node && member.measured_ns.is_some())
    }
}

fn is_merged(kind: Kind) -> bool {
    matches!(kind, Kind::AllGather | Kind::ReduceScatter | Kind::AllReduce)
}

fn is_static(ty: Ty) -> bool {
    ty.shape().is_some_and(|shape| shape.iter().all(Option::is_some))
}

fn form<'a>(collective: Collective) -> Form<'a> {
    let op = collective.op;
    let attributes = op.attribute_ids(&OF_ONE_TENSOR);
    Form {
        op: op.name(),
        is_async: collective.is_async(),
        attributes,
        element: (collective.kind != Kind::AllGather).then(|| op.operand(0).ty().element().id()),
    }
}
