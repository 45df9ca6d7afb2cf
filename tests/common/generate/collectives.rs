// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random collectives, blocking or started, and their waits.

use super::{Generator, Pending, Tensor};

/// Groups of devices: spelling, size of a group, and the partition.
const GROUPS: &[(&str, usize, &str)] = &[
    ("@mesh[\"dp\"]", 2, "02|13"),
    ("@mesh[\"tp\"]", 2, "01|23"),
    ("@mesh[\"dp\", \"tp\"]", 4, "0123"),
    ("@mesh[\"one\"]", 1, "0|1|2|3"),
    ("[[0, 1], [2, 3]]", 2, "01|23"),
    ("[[3, 2], [1, 0]]", 2, "01|23"),
    ("[[0, 1, 2, 3]]", 4, "0123"),
    ("[[2, 0, 3, 1]]", 4, "0123"),
    ("[[0], [1], [2], [3]]", 1, "0|1|2|3"),
    ("[[0, 1, 2]]", 3, "012"),
];

impl Generator<'_> {
    /// Awaits what is pending, or leaves it dead.
    pub(super) fn close(&mut self, leave_dead: bool) {
        while let Some(pending) = self.pending.pop() {
            if !leave_dead && !self.chance(6) {
                self.wait(pending);
            }
        }
    }

    pub(super) fn wait(&mut self, pending: Pending) {
        let names: Vec<_> = pending.results.iter().map(|result| result.name.clone()).collect();
        let results: Vec<_> = pending.results.iter().map(Tensor::ty).collect();
        self.line(format_args!(
            "{} = comm.wait {} keeping({}) : !comm.future<{}>",
            names.join(", "),
            pending.future,
            typed(&pending.kept),
            results.join(", ")
        ));
        if pending.alive {
            self.values.extend(pending.results);
        }
    }

    fn groups(&mut self) -> (&'static str, usize, &'static str) {
        GROUPS[self.rng.usize(0..GROUPS.len())]
    }

    pub(super) fn gather_of_shards(&mut self) {
        let count = if self.chance(6) { 2 } else { 1 };
        let shards = (0..count)
            .map(|_| {
                let shard = self.shards[self.rng.usize(0..self.shards.len())].clone();
                self.dress(shard, 2)
            })
            .collect();
        self.gather(shards);
    }

    pub(super) fn gather(&mut self, operands: Vec<Tensor>) {
        let (groups, size, stream) = self.groups();
        let results: Vec<Tensor> = operands
            .iter()
            .map(|operand| self.tensor(operand.rows * size, operand.columns))
            .collect();
        let dressed = self.collective("all_gather", "dim 0", groups, stream, operands, results, true);
        for value in dressed {
            let value = self.dress(value, 2);
            self.values.push(value);
        }
    }

    pub(super) fn reduction(&mut self) {
        let (groups, size, stream) = self.groups();
        let operand = self.value();
        let operand = self.dress(operand, 2);
        let kind = ["sum", "avg", "max"][self.rng.usize(0..3)];
        let scatters = operand.rows.is_multiple_of(size) && !self.chance(3);
        let results = if scatters {
            let result = self.tensor(operand.rows / size, operand.columns);
            self.collective(
                &format!("reduce_scatter {kind}"),
                "dim 0",
                groups,
                stream,
                vec![operand],
                vec![result],
                true,
            )
        } else {
            let result = self.tensor(operand.rows, operand.columns);
            self.collective(
                &format!("all_reduce {kind}"),
                "",
                groups,
                stream,
                vec![operand],
                vec![result],
                true,
            )
        };
        self.values.extend(results);
    }

    pub(super) fn other(&mut self) {
        let operand = self.value();
        let operand = self.dress(operand, 1);
        let (groups, size, stream) = self.groups();
        let results = match self.rng.u8(0..3) {
            0 if operand.rows.is_multiple_of(size) => {
                let result = self.tensor(operand.rows / size, operand.columns * size);
                self.collective(
                    "all_to_all",
                    "split 0 concat 1",
                    groups,
                    stream,
                    vec![operand],
                    vec![result],
                    false,
                )
            }
            1 => {
                let result = self.tensor(operand.rows, operand.columns);
                self.collective(
                    "broadcast",
                    "root 0",
                    groups,
                    stream,
                    vec![operand],
                    vec![result],
                    false,
                )
            }
            _ => {
                let result = self.tensor(operand.rows, operand.columns);
                self.collective(
                    "permute",
                    "pairs [[0, 1], [1, 0]]",
                    "",
                    "01",
                    vec![operand],
                    vec![result],
                    false,
                )
            }
        };
        self.values.extend(results);
    }

    /// Prints a collective, blocking or started, with its wait now or later. What it yields where that is there now.
    #[expect(clippy::too_many_arguments, reason = "the parts of one line of text")]
    fn collective(
        &mut self,
        name: &str,
        parameters: &str,
        groups: &str,
        stream: &str,
        operands: Vec<Tensor>,
        results: Vec<Tensor>,
        regather: bool,
    ) -> Vec<Tensor> {
        let names: Vec<_> = operands.iter().map(|operand| operand.name.clone()).collect();
        let types: Vec<_> = operands.iter().map(Tensor::ty).collect();
        let yielded: Vec<_> = results.iter().map(Tensor::ty).collect();
        let over = if groups.is_empty() {
            String::new()
        } else {
            format!("over {groups}")
        };
        let regather = if regather && name == "all_gather" && self.chance(8) {
            ", regather"
        } else {
            ""
        };
        let head = format!(
            "comm.{name} {} {parameters} {over} {{test.stream = \"{stream}\"{regather}}} : {} ->",
            names.join(", "),
            types.join(", ")
        );
        if self.chance(4) {
            let names: Vec<_> = results.iter().map(|result| result.name.clone()).collect();
            self.line(format_args!(
                "{} = {head} {}",
                names.join(", "),
                yielded.join(", ")
            ));
            return results;
        }
        let future = self.fresh();
        self.line(format_args!(
            "{future} = {head} !comm.future<{}>",
            yielded.join(", ")
        ));
        let alive = !self.chance(8);
        let pending = Pending {
            future,
            kept: operands,
            results: results.clone(),
            alive,
        };
        if self.chance(2) {
            self.wait(pending);
            if alive {
                // The wait has added them; the caller dresses them.
                self.values.truncate(self.values.len() - results.len());
                return results;
            }
        } else {
            self.pending.push(pending);
        }
        Vec::new()
    }
}

/// Names and types of operands, as in `keeping`.
fn typed(operands: &[Tensor]) -> String {
    if operands.is_empty() {
        return String::new();
    }
    let names: Vec<_> = operands.iter().map(|operand| operand.name.as_str()).collect();
    let types: Vec<_> = operands.iter().map(Tensor::ty).collect();
    format!("{} : {}", names.join(", "), types.join(", "))
}
