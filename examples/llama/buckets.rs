// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Changes to a step that Thunder makes before or while it sorts: buckets, and waits of reductions at the end.

use std::collections::HashMap;

use super::trace::{Kind, Op, Role, Step};

/// The step with one collective for all weights of a transformer block, as Thunder's bucketing by block names them; others
/// stay alone. A bucket of gathers stands where its first gather stood, one of reductions where its last. Thunder packs
/// and unpacks buffers around it; here one collective carries several tensors, and nothing is copied.
pub fn by_block(step: &Step) -> Step {
    // By bucket: positions of starts and of waits.
    let mut buckets: HashMap<(bool, Kind, &str), [Vec<usize>; 2]> = HashMap::new();
    let key = |index: usize, kind: Kind| -> (bool, Kind, &str) {
        let weight = step.ops[index].weight.as_deref().unwrap_or_default();
        (index >= step.backward, kind, block(weight))
    };
    for (index, op) in step.ops.iter().enumerate() {
        match op.role {
            Role::Start(kind) => buckets.entry(key(index, kind)).or_default()[0].push(index),
            Role::Wait(kind) => buckets.entry(key(index, kind)).or_default()[1].push(index),
            Role::Compute => {}
        }
    }
    let place = |kind: Kind, members: &[usize]| match kind {
        Kind::AllGather => members.first().copied(),
        Kind::ReduceScatter => members.last().copied(),
    };
    rebuilt(step, |index, op| match op.role {
        Role::Compute => Some(op.clone()),
        Role::Start(kind) | Role::Wait(kind) => {
            let [starts, waits] = &buckets[&key(index, kind)];
            let members = if op.role == Role::Start(kind) {
                starts
            } else {
                waits
            };
            let of_bucket = members.iter().map(|member| &step.ops[*member]);
            (place(kind, members) == Some(index)).then(|| Op {
                inputs: of_bucket.clone().flat_map(|op| op.inputs.clone()).collect(),
                outputs: of_bucket.flat_map(|op| op.outputs.clone()).collect(),
                ..op.clone()
            })
        }
    })
}

/// The block of a weight: `h_3` of `t_gpt_transformer_h_3_attn_proj_weight`; a weight of no block is one of its own, and so
/// is the first norm of the first layer, which Thunder calls `weight`.
pub fn block(weight: &str) -> &str {
    let digits = |tail: &str| tail.bytes().take_while(u8::is_ascii_digit).count();
    match weight.find("_h_") {
        Some(at) => &weight[at + 1..at + 3 + digits(&weight[at + 3..])],
        None => weight,
    }
}

/// The step with the waits of reductions at its end, where Thunder's sorts put them.
pub fn reductions_awaited_last(step: &Step) -> Step {
    let is_last = |op: &Op| op.role == Role::Wait(Kind::ReduceScatter);
    let mut sunk = rebuilt(step, |_, op| (!is_last(op)).then(|| op.clone()));
    sunk.ops.extend(step.ops.iter().filter(|op| is_last(op)).cloned());
    sunk
}

/// The step with each op replaced or dropped.
fn rebuilt(step: &Step, replace: impl Fn(usize, &Op) -> Option<Op>) -> Step {
    let mut rebuilt = Step {
        ops: Vec::new(),
        ..step.clone()
    };
    for (index, op) in step.ops.iter().enumerate() {
        if index == step.backward {
            rebuilt.backward = rebuilt.ops.len();
        }
        rebuilt.ops.extend(replace(index, op));
    }
    rebuilt
}
