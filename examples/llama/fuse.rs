// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Durations of a step as if a compiler fused its elementwise ops.
//!
//! The traces are from before Thunder's fusing executors claim ops, and the machine model costs ops one by one: each
//! reads its operands from memory and writes its results. Here elementwise ops, sums and what moves elements become
//! one kernel where they are connected and nothing else has to run between them. A kernel reads each value from outside once
//! and writes what is read outside; values that backward reads are written, since these traces save them. The bytes are
//! charged to the ops that read and write them, without a launch floor, so that the ops of the step and its memory stay as
//! they are. That is a simple model of fusion: it recomputes nothing and takes any connected ops for one kernel.

use std::collections::{HashMap, HashSet};

use comm_schedule::Machine;

use super::trace::{Role, Step};

/// Ops that are no elementwise computation: each is a kernel of its own.
const ALONE: [&str; 9] = [
    "embedding",
    "linear",
    "log_softmax",
    "matmul",
    "softmax",
    "take_along_dim",
    "torch.ops.aten._log_softmax_backward_data",
    "torch.ops.aten.embedding_backward",
    "torch_nll_loss_backward_impl",
];

/// Ops that only describe memory.
const VIEWS: [&str; 9] = [
    "expand",
    "permute",
    "reshape",
    "split",
    "squeeze",
    "torch_prims_reshape_impl",
    "torch_slice_prim_impl",
    "transpose",
    "unsqueeze",
];

/// The step with a duration for every op that is fused with others.
pub fn fused(step: &Step, machine: &Machine) -> Step {
    let mut step = step.clone();
    let bytes = Fusion::new(&step).bytes();
    let many = 1u64 << 36;
    let ns_per_byte = machine.memory_ns(many) as f64 / many as f64;
    for (op, bytes) in step.ops.iter_mut().zip(bytes) {
        op.ns = bytes.map(|bytes| (bytes as f64 * ns_per_byte).round() as u64);
    }
    step
}

/// A value that is no view, with the op that computes it; none computes an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Source<'a> {
    name: &'a str,
    op: Option<usize>,
}

struct Fusion<'a> {
    step: &'a Step,
    sizes: HashMap<&'a str, u64>,
    /// What each value is a view of, itself if it is none.
    sources: HashMap<&'a str, Source<'a>>,
    /// How many ops that are fused with nothing have to run before an op, at least; and whether it is in backward.
    levels: Vec<(bool, usize)>,
}

impl<'a> Fusion<'a> {
    fn new(step: &'a Step) -> Self {
        let mut fusion = Fusion {
            step,
            sizes: HashMap::new(),
            sources: HashMap::new(),
            levels: Vec::new(),
        };
        for argument in &step.arguments {
            let name = argument.name.as_str();
            fusion.sizes.insert(name, argument.bytes());
            fusion.sources.insert(name, Source { name, op: None });
        }
        for (index, op) in step.ops.iter().enumerate() {
            let reads = fusion.reads(index);
            let before = reads.iter().filter_map(|source| source.op).map(|producer| {
                let alone = usize::from(!fusion.is_fused(producer));
                fusion.levels[producer].1 + alone
            });
            fusion
                .levels
                .push((index >= step.backward, before.max().unwrap_or(0)));
            for tensor in &op.outputs {
                let name = tensor.name.as_str();
                let own = Source {
                    name,
                    op: Some(index),
                };
                let of = if is_view(&op.name) { reads[0] } else { own };
                fusion.sizes.insert(name, tensor.bytes());
                fusion.sources.insert(name, of);
            }
        }
        fusion
    }

    /// What an op reads, looking through views.
    fn reads(&self, index: usize) -> Vec<Source<'a>> {
        let inputs = self.step.ops[index].inputs.iter();
        inputs.map(|input| self.sources[input.as_str()]).collect()
    }

    fn is_fused(&self, index: usize) -> bool {
        let op = &self.step.ops[index];
        op.role == Role::Compute && !is_view(&op.name) && !ALONE.contains(&op.name.as_str())
    }

    /// Bytes that each fused op reads and writes in memory; nothing for others.
    fn bytes(&self) -> Vec<Option<u64>> {
        let count = self.step.ops.len();
        let mut kernels = petgraph::unionfind::UnionFind::new(count);
        let mut written: HashSet<&str> = self
            .step
            .returned
            .iter()
            .map(|name| self.sources[name.as_str()].name)
            .collect();
        for index in (0..count).filter(|index| !is_view(&self.step.ops[*index].name)) {
            for source in self.reads(index) {
                match source.op {
                    Some(producer) if self.are_together(producer, index) => {
                        kernels.union(producer, index);
                    }
                    _ => {
                        written.insert(source.name);
                    }
                }
            }
        }
        let mut seen = HashSet::new();
        let of_op = |index: usize| {
            let op = &self.step.ops[index];
            let kernel = kernels.find(index);
            let mut bytes = 0;
            for (source, input) in self.reads(index).iter().zip(&op.inputs) {
                let is_inside = source
                    .op
                    .is_some_and(|producer| self.are_together(producer, index));
                if !is_inside && seen.insert((kernel, *source)) {
                    bytes += self.sizes[source.name].min(self.sizes[input.as_str()]);
                }
            }
            let outputs = op
                .outputs
                .iter()
                .filter(|output| written.contains(output.name.as_str()));
            bytes + outputs.map(|output| output.bytes()).sum::<u64>()
        };
        let mut of_op = of_op;
        (0..count)
            .map(|index| self.is_fused(index).then(|| of_op(index)))
            .collect()
    }

    /// Whether an op and one that reads it are in one kernel.
    fn are_together(&self, producer: usize, reader: usize) -> bool {
        self.is_fused(producer) && self.is_fused(reader) && self.levels[producer] == self.levels[reader]
    }
}

fn is_view(name: &str) -> bool {
    VIEWS.contains(&name)
}
