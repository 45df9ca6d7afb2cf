// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Computing a value again for each of its users, instead of keeping it.
//!
//! A parameter that is gathered once for the forward and the backward pass is alive between them (ZeRO's second stage);
//! gathered twice it is not (the third). Rules would find both gathers equal, so the second one is made from another
//! instance of the argument; see [`crate::op::Argument`].

use std::collections::BTreeMap;

use crate::{
    op::{Argument, Op},
    program::{NodeId, Origin, Program, ProgramError},
};

/// The program in which every user of a node but the first computes the node's value for itself, from instances of the
/// arguments that nothing else uses. All that the node is computed from is computed again, so it is meant for values
/// close to arguments. Results keep the first value. O(nodes + users * nodes before the node).
pub fn separate(program: &Program, node: NodeId) -> Result<Program, ProgramError> {
    if node.index() >= program.nodes().len() {
        return Err(ProgramError::NoSuchNode {
            node: program.nodes().len(),
            operand: node,
        });
    }
    let needed = cone(program, node);
    let mut instance = program
        .arguments()
        .map(|argument| argument.instance)
        .max()
        .unwrap_or(0);
    let mut result = Program::new(program.groups().clone());
    let mut renamed: Vec<NodeId> = Vec::with_capacity(program.nodes().len());
    let mut used = false;
    for user in program.nodes() {
        let own = if user.operands.contains(&node) && std::mem::replace(&mut used, true) {
            instance += 1;
            Some(copy(program, node, &needed, instance, &mut result)?)
        } else {
            None
        };
        let operands: Vec<NodeId> = user
            .operands
            .iter()
            .map(|&operand| match own {
                Some(copy) if operand == node => copy,
                _ => renamed[operand.index()],
            })
            .collect();
        renamed.push(result.push_from(user.op.clone(), &operands, user.origin)?);
    }
    let results: Vec<NodeId> = program.results().iter().map(|id| renamed[id.index()]).collect();
    result.set_results(&results)?;
    Ok(result)
}

/// The node and all it is computed from, in order.
fn cone(program: &Program, node: NodeId) -> Vec<NodeId> {
    let mut needed = vec![false; program.nodes().len()];
    needed[node.index()] = true;
    for id in program.ids().rev().filter(|id| id.index() <= node.index()) {
        if needed[id.index()] {
            for operand in &program.node(id).operands {
                needed[operand.index()] = true;
            }
        }
    }
    program.ids().filter(|id| needed[id.index()]).collect()
}

/// Appends the node and what it needs once more, from an instance of the arguments.
fn copy(
    program: &Program,
    node: NodeId,
    needed: &[NodeId],
    instance: u32,
    result: &mut Program,
) -> Result<NodeId, ProgramError> {
    let mut copies: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    for &id in needed {
        let source = program.node(id);
        let op = match &source.op {
            Op::Argument(argument) => Op::Argument(Argument {
                instance,
                ..argument.clone()
            }),
            op => op.clone(),
        };
        let origin = match source.origin {
            Origin::Kept(tag) | Origin::Instead(tag) => Origin::Instead(tag),
            Origin::New => Origin::New,
        };
        let operands: Vec<NodeId> = source.operands.iter().map(|operand| copies[operand]).collect();
        let copied = result.push_from(op, &operands, origin)?;
        copies.insert(id, copied);
    }
    Ok(copies[&node])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dot, Element, Groups, Options, Type, alternatives};

    #[test]
    fn a_gather_for_each_user() {
        let mut groups = Groups::new(4).unwrap();
        let group = groups.add_axes(&[4], &[0]).unwrap();
        let mut program = Program::new(groups);
        let shard = program
            .argument(0, Type::new(Element::F32, &[2, 8]), &[])
            .unwrap();
        let x = program
            .argument(1, Type::new(Element::F32, &[3, 8]), &[])
            .unwrap();
        let weight = program
            .push(Op::AllGather { dim: 0, group }, &[shard], 10)
            .unwrap();
        let dot = Dot::matmul(Element::F32);
        let first = program.push(Op::Dot(dot.clone()), &[x, weight], 11).unwrap();
        let second = program.push(Op::Dot(dot), &[first, weight], 12).unwrap();
        program.set_results(&[second]).unwrap();

        let apart = separate(&program, weight).unwrap();
        let gathers = |program: &Program| {
            let gathers = program.nodes().iter().filter(|node| node.op.is_collective());
            gathers.map(|node| node.origin).collect::<Vec<_>>()
        };
        assert_eq!(gathers(&apart), [Origin::Kept(10), Origin::Instead(10)]);
        let best = &alternatives(&apart, &Options::default()).unwrap();
        assert_eq!(gathers(&best.best().program).len(), 2);

        let arguments = crate::interpreter::random_arguments(&program, 1);
        let run = |program| crate::interpreter::run(program, &arguments).unwrap();
        assert_eq!(run(&program), run(&apart));
    }
}
