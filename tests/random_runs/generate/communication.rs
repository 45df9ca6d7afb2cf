// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives, blocking and started.

use super::{
    super::program::{Collective, Exchange, Op, Reduction, Shaped, Value},
    Generator, INPUT_BOUND, MOST_NUMBERS, choose,
};

impl Generator {
    pub(super) fn collective(&mut self) -> Option<()> {
        let groups = self.rng.usize(..self.program.groups.len());
        let size = self.program.groups[groups].size();
        let first = self.pick();
        let mut inputs = vec![first];
        let kind = self.rng.u8(0..9);
        let (element, is_reduction) = (self.shaped(first).element, (3..6).contains(&kind));
        if self.rng.u8(0..3) == 0 {
            for _ in 0..self.rng.usize(1..=2) {
                let is_equal = |shaped: &Shaped| !is_reduction || shaped.element == element;
                inputs.extend(self.pick_like(is_equal));
            }
        }
        let exchange = match kind {
            0..=2 => Exchange::AllGather(self.dims(&inputs, |_| true)?),
            3 => {
                let reduction = self.reduction(&mut inputs, size)?;
                let dims = self.dims(&inputs, |length| length.is_multiple_of(size))?;
                Exchange::ReduceScatter(reduction, dims)
            }
            4 | 5 => Exchange::AllReduce(self.reduction(&mut inputs, size)?),
            6 => {
                let split = self.dims(&inputs[..1], |length| length.is_multiple_of(size))?[0];
                let fits = |value: &Value| {
                    let shape = &self.program.values[*value].shape;
                    shape.get(split).is_some_and(|length| length.is_multiple_of(size))
                };
                inputs.retain(fits);
                let rank = inputs
                    .iter()
                    .map(|&value| self.program.values[value].shape.len())
                    .min()?;
                let concat = self.rng.usize(..rank);
                Exchange::AllToAll { split, concat }
            }
            7 => {
                let ranks = self.program.ranks;
                let mut targets: Vec<usize> = (0..ranks).collect();
                match self.rng.u8(0..3) {
                    0 => self.rng.shuffle(&mut targets),
                    _ => targets.rotate_left(1),
                }
                let mut pairs: Vec<(usize, usize)> = (0..ranks).zip(targets).collect();
                if self.rng.bool() {
                    pairs.truncate(self.rng.usize(1..=ranks));
                }
                Exchange::Permute(pairs)
            }
            _ => Exchange::Broadcast(self.rng.usize(..size)),
        };
        let mut shapes = Vec::new();
        for (position, &input) in inputs.iter().enumerate() {
            let mut shaped = self.shaped(input);
            let shape = &mut shaped.shape;
            match &exchange {
                Exchange::AllGather(dims) => shape[dims[position]] *= size,
                Exchange::ReduceScatter(_, dims) => shape[dims[position]] /= size,
                Exchange::AllToAll { split, concat } => {
                    shape[*split] /= size;
                    shape[*concat] *= size;
                }
                Exchange::AllReduce(_) | Exchange::Permute(_) | Exchange::Broadcast(_) => {}
            }
            if let Exchange::ReduceScatter(reduction, _) | Exchange::AllReduce(reduction) = &exchange {
                shaped.bound = reduced_bound(*reduction, shaped.bound, size)?;
                shaped.roundings = match reduction {
                    Reduction::Prod => shaped.roundings.checked_mul(size as u64)? + size as u64,
                    _ => shaped.roundings + size as u64,
                };
            }
            if shaped.count() > MOST_NUMBERS {
                return None;
            }
            shapes.push(shaped);
        }
        let results: Vec<Value> = shapes
            .into_iter()
            .map(|shaped| self.value(shaped.element, shaped.shape, shaped.bound, shaped.roundings))
            .collect();
        let is_started = self.rng.u8(0..3) != 0;
        let reduced_over = matches!(exchange, Exchange::AllReduce(_)).then_some(groups);
        for &input in &inputs {
            self.used[input] = true;
        }
        let collective = Collective {
            exchange,
            groups,
            inputs: inputs.clone(),
            is_started,
        };
        let mark = self.push(Op::Collective(collective), results.clone());
        if is_started {
            self.scope.started.push((mark, results, reduced_over));
            self.scope.in_flight.extend(inputs);
        } else {
            self.show(results, reduced_over);
        }
        Some(())
    }

    /// Begins with sums over groups, of which each device keeps its part: to be reassociated.
    pub(super) fn sums_in_parts(&mut self) {
        for input in self.program.body.arguments.clone() {
            let groups = self.rng.usize(..self.program.groups.len());
            let size = self.program.groups[groups].size();
            let given = self.shaped(input);
            let divides = |length: usize| length.is_multiple_of(size);
            let bound = given.bound * size as i64;
            if bound > Shaped::limit(given.element) || self.dims(&[input], divides).is_none() {
                continue;
            }
            let roundings = given.roundings + size as u64;
            let sum = self.value(given.element, given.shape, bound, roundings);
            let collective = Collective {
                exchange: Exchange::AllReduce(Reduction::Sum),
                groups,
                inputs: vec![input],
                is_started: false,
            };
            self.push(Op::Collective(collective), vec![sum]);
            self.used[input] = true;
            self.used[sum] = self.shard_of(sum, groups).is_some();
        }
    }

    /// Makes results of a collective visible. Of what is reduced over groups each device often keeps its part alone, which is
    /// what `comm-simplify` looks for.
    pub(super) fn show(&mut self, results: Vec<Value>, reduced_over: Option<usize>) {
        for value in results {
            match reduced_over {
                Some(groups) if self.rng.bool() && self.shard_of(value, groups).is_some() => {
                    self.used[value] = true;
                }
                _ => self.scope.visible.push(value),
            }
        }
    }

    /// A dimension for each value, of those whose length fits.
    pub(super) fn dims(&mut self, values: &[Value], fits: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        values
            .iter()
            .map(|&value| {
                let shape = &self.program.values[value].shape;
                let dims: Vec<usize> = (0..shape.len()).filter(|&dim| fits(shape[dim])).collect();
                (!dims.is_empty()).then(|| *choose(&mut self.rng, &dims))
            })
            .collect()
    }

    /// A reduction that keeps numbers exact; values are made smaller, or multiples of what is divided by.
    pub(super) fn reduction(&mut self, inputs: &mut [Value], size: usize) -> Option<Reduction> {
        let element = self.shaped(inputs[0]).element;
        let float = [
            Reduction::Sum,
            Reduction::Sum,
            Reduction::Avg,
            Reduction::Min,
            Reduction::Max,
            Reduction::Prod,
        ];
        let integer = [
            Reduction::Sum,
            Reduction::Min,
            Reduction::Max,
            Reduction::Prod,
            Reduction::And,
            Reduction::Or,
            Reduction::Xor,
        ];
        let among: &[Reduction] = if element.is_float() { &float } else { &integer };
        let reduction = *choose(&mut self.rng, among);
        for input in inputs {
            let limit = Shaped::limit(element);
            if reduction == Reduction::Avg {
                let by = size as i64;
                *input = self.within(*input, limit / (by * by))?;
                *input = self.times(*input, by)?;
            }
            let bound = self.shaped(*input).bound;
            if reduced_bound(reduction, bound, size).is_none_or(|bound| bound > limit) {
                *input = self.within(*input, INPUT_BOUND)?;
                reduced_bound(reduction, INPUT_BOUND, size).filter(|&bound| bound <= limit)?;
            }
        }
        Some(reduction)
    }
}

fn reduced_bound(reduction: Reduction, bound: i64, size: usize) -> Option<i64> {
    match reduction {
        Reduction::Sum | Reduction::Avg => bound.checked_mul(size as i64),
        Reduction::Min | Reduction::Max => Some(bound),
        Reduction::Prod => bound.checked_pow(size as u32),
        // Of numbers of b bits, and their signs.
        Reduction::And | Reduction::Or | Reduction::Xor => Some(2 * bound),
    }
}
