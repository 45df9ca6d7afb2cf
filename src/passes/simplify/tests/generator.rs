// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random functions of StableHLO and collectives, as text: one block over a mesh of 2 x 2 devices.

/// Random StableHLO over a mesh of 2 x 2 devices.
pub(super) struct Generator {
    random: fastrand::Rng,
    /// Name, element type and shape of each value so far.
    values: Vec<(String, &'static str, Vec<usize>)>,
    text: String,
    is_async: bool,
}

const GROUPS: [(&str, usize); 5] = [
    ("[[0, 1], [2, 3]]", 2),
    ("[[0, 2], [1, 3]]", 2),
    ("[[0, 1, 2, 3]]", 4),
    ("[[1, 0], [3, 2]]", 2),
    ("[[3, 1, 0, 2]]", 4),
];

impl Generator {
    pub(super) fn function(seed: u64, is_integer: bool) -> String {
        let mut random = fastrand::Rng::with_seed(seed);
        let is_async = random.bool();
        let mut generator = Self {
            random,
            values: Vec::new(),
            text: String::new(),
            is_async,
        };
        let shapes = [vec![8, 4], vec![4, 8], vec![4, 4], vec![8, 4]];
        let element = if is_integer { "i32" } else { "f32" };
        for (number, shape) in shapes.into_iter().enumerate() {
            generator.values.push((format!("%a{number}"), element, shape));
        }
        let arguments = generator.values.clone();
        let count = generator.random.usize(4..12);
        for _ in 0..count {
            generator.op(is_integer);
        }
        let made = generator.values.split_off(arguments.len());
        let mut returned: Vec<_> = made
            .iter()
            .filter(|(name, ..)| {
                generator.random.u8(0..4) == 0 || !generator.text.contains(&format!("({name})"))
            })
            .cloned()
            .collect();
        returned.truncate(6);
        let list = |values: &[(String, &str, Vec<usize>)], with: &dyn Fn(&str, String) -> String| {
            let items = values
                .iter()
                .map(|(name, element, shape)| with(name, ty(element, shape)));
            items.collect::<Vec<_>>().join(", ")
        };
        let marked = generator.random.bool();
        let parameters = list(&arguments, &|name, ty| match marked && name == "%a3" {
            true => format!("{name}: {ty} {{comm.uniform}}"),
            false => format!("{name}: {ty}"),
        });
        format!(
            "func.func @f({parameters}) -> ({}) {{\n  %devices = comm.rank over [[0, 1, 2, 3]] : index\n{}  return {} : {}\n}}\n",
            list(&returned, &|_, ty| ty),
            generator.text,
            list(&returned, &|name, _| name.to_owned()),
            list(&returned, &|_, ty| ty),
        )
    }

    /// A value made lately, mostly.
    fn pick(&mut self) -> (String, &'static str, Vec<usize>) {
        let count = self.values.len();
        let from = if self.random.u8(0..3) == 0 {
            0
        } else {
            count.saturating_sub(3)
        };
        self.values[self.random.usize(from..count)].clone()
    }

    fn push(&mut self, op: &str, element: &'static str, shape: Vec<usize>) {
        let name = format!("%{}", self.values.len());
        self.text.push_str(&format!("  {name} = {op}\n"));
        self.values.push((name, element, shape));
    }

    fn collective(
        &mut self,
        name: &str,
        operand: &str,
        rest: &str,
        from: &str,
        element: &'static str,
        shape: Vec<usize>,
    ) {
        let to = ty(element, &shape);
        if self.is_async {
            let future = format!("%f{}", self.values.len());
            self.text.push_str(&format!(
                "  {future} = comm.{name} {operand} {rest} : {from} -> !comm.future<{to}>\n"
            ));
            // The operand of a reduction stands behind its kind.
            let kept = operand.rsplit(' ').next().unwrap_or(operand);
            self.push(
                &format!("comm.wait {future} keeping({kept} : {from}) : !comm.future<{to}>"),
                element,
                shape,
            );
        } else {
            self.push(
                &format!("comm.{name} {operand} {rest} : {from} -> {to}"),
                element,
                shape,
            );
        }
    }

    fn op(&mut self, is_integer: bool) {
        if self.random.u8(0..8) == 0 {
            // Of one argument, again and again.
            let (name, element, shape) = self.values[2].clone();
            let (groups, members) = GROUPS[0];
            let (from, to) = (ty(element, &shape), vec![shape[0] * members, shape[1]]);
            return self.collective(
                "all_gather",
                &name,
                &format!("dim 0 over {groups}"),
                &from,
                element,
                to,
            );
        }
        let (name, element, shape) = self.pick();
        let from = ty(element, &shape);
        let (groups, members) = GROUPS[self.random.usize(0..GROUPS.len())];
        let dim = self.random.usize(0..2);
        let kinds: &[&str] = if is_integer {
            &["sum", "max", "xor"]
        } else {
            &["sum", "avg", "max"]
        };
        let kind = kinds[self.random.usize(0..kinds.len())];
        let scaled = |dim: usize, up: usize, down: usize| {
            let mut shape = shape.clone();
            shape[dim] = shape[dim] * up / down;
            shape
        };
        match self.random.u8(0..14) {
            0 | 1 if shape[dim] * members <= 16 => {
                let to = scaled(dim, members, 1);
                self.collective(
                    "all_gather",
                    &name,
                    &format!("dim {dim} over {groups}"),
                    &from,
                    element,
                    to,
                );
            }
            2 | 3 if shape[dim] % members == 0 => {
                let to = scaled(dim, 1, members);
                let operand = format!("{kind} {name}");
                self.collective(
                    "reduce_scatter",
                    &operand,
                    &format!("dim {dim} over {groups}"),
                    &from,
                    element,
                    to,
                );
            }
            4 | 5 => {
                let operand = format!("{kind} {name}");
                self.collective(
                    "all_reduce",
                    &operand,
                    &format!("over {groups}"),
                    &from,
                    element,
                    shape,
                );
            }
            6 if shape[dim] % members == 0 && shape[1 - dim] * members <= 16 => {
                let mut to = scaled(dim, 1, members);
                to[1 - dim] *= members;
                let rest = format!("split {dim} concat {} over {groups}", 1 - dim);
                self.collective("all_to_all", &name, &rest, &from, element, to);
            }
            7 => {
                let pairs = [
                    "[[0, 1], [1, 0], [2, 3], [3, 2]]",
                    "[[0, 1], [1, 2], [2, 3], [3, 0]]",
                    "[[0, 3]]",
                ];
                let pairs = pairs[self.random.usize(0..pairs.len())];
                self.collective("permute", &name, &format!("pairs {pairs}"), &from, element, shape);
            }
            8 => {
                let to = vec![shape[1], shape[0]];
                let op = format!(
                    "\"stablehlo.transpose\"({name}) <{{permutation = array<i64: 1, 0>}}> : ({from}) -> {}",
                    ty(element, &to)
                );
                self.push(&op, element, to);
            }
            9 | 10 => {
                let ops = ["add", "multiply", "maximum", "subtract"];
                let op = ops[self.random.usize(0..ops.len())];
                let alike: Vec<String> = self
                    .values
                    .iter()
                    .filter(|(_, other, other_shape)| *other == element && *other_shape == shape)
                    .map(|(name, ..)| name.clone())
                    .collect();
                let other = &alike[self.random.usize(0..alike.len())];
                self.push(
                    &format!("\"stablehlo.{op}\"({name}, {other}) : ({from}, {from}) -> {from}"),
                    element,
                    shape,
                );
            }
            11 => self.push(
                &format!("\"stablehlo.negate\"({name}) : ({from}) -> {from}"),
                element,
                shape,
            ),
            12 if !is_integer => {
                let to = if element == "f32" { "bf16" } else { "f32" };
                let op = format!("\"stablehlo.convert\"({name}) : ({from}) -> {}", ty(to, &shape));
                self.push(&op, to, shape);
            }
            13 => {
                let other: Vec<(String, Vec<usize>)> = self
                    .values
                    .iter()
                    .filter(|(_, other, other_shape)| *other == element && other_shape[0] == shape[1])
                    .map(|(name, _, shape)| (name.clone(), shape.clone()))
                    .collect();
                let Some((other, other_shape)) = other.first() else {
                    return;
                };
                let to = vec![shape[0], other_shape[1]];
                let op = format!(
                    "\"stablehlo.dot_general\"({name}, {other}) <{{dot_dimension_numbers = \
                     #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}}> : ({from}, {}) -> {}",
                    ty(element, other_shape),
                    ty(element, &to)
                );
                self.push(&op, element, to);
            }
            _ => {}
        }
    }
}

fn ty(element: &str, shape: &[usize]) -> String {
    format!("tensor<{}x{}x{element}>", shape[0], shape[1])
}
