// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives by their definitions, element by element. Shares nothing with the run-time.

use comm_runtime::{Element, Reduction};

use crate::arrays::{Array, Number, decode, encode, indices};

/// A collective of the tests.
#[derive(Clone, Debug)]
pub enum Collective {
    AllGather(usize),
    ReduceScatter(Reduction, usize),
    AllReduce(Reduction),
    AllToAll(usize, usize),
    /// Pairs of ranks.
    Permute(Vec<(usize, usize)>),
    Broadcast(usize),
}

fn combine(kind: Reduction, element: Element, a: &[u8], b: &[u8]) -> Vec<u8> {
    let number = match (decode(element, a), decode(element, b)) {
        (Number::Float(a), Number::Float(b)) => Number::Float(match kind {
            Reduction::Sum | Reduction::Avg => a + b,
            Reduction::Prod => a * b,
            Reduction::Min => a.min(b),
            Reduction::Max => a.max(b),
            _ => panic!("{kind} of floats"),
        }),
        (Number::Integer(a), Number::Integer(b)) => Number::Integer(match kind {
            Reduction::Sum => a + b,
            // Wrapping in 128 bits is wrapping in fewer.
            Reduction::Prod => a.wrapping_mul(b),
            Reduction::Min => a.min(b),
            Reduction::Max => a.max(b),
            Reduction::And => a & b,
            Reduction::Or => a | b,
            Reduction::Xor => a ^ b,
            Reduction::Avg => panic!("avg of integers"),
        }),
        _ => unreachable!(),
    };
    encode(element, number)
}

/// The operands in their order, combined at one index each.
fn reduce(kind: Reduction, operands: &[(&Array, Vec<usize>)]) -> Vec<u8> {
    let element = operands[0].0.element;
    let values: Vec<&[u8]> = operands.iter().map(|(array, index)| array.get(index)).collect();
    let sum = values[1..].iter().fold(values[0].to_vec(), |sum, value| {
        combine(kind, element, &sum, value)
    });
    match (kind, decode(element, &sum)) {
        (Reduction::Avg, Number::Float(sum)) => encode(element, Number::Float(sum / operands.len() as f64)),
        _ => sum,
    }
}

/// What the rank at a position of a group gets; `inputs` are those of all ranks of the world.
pub fn expected(collective: &Collective, group: &[usize], position: usize, inputs: &[Array]) -> Array {
    let size = group.len();
    let own = &inputs[group[position]];
    let mut sizes = own.sizes.clone();
    match collective {
        Collective::AllGather(dim) => sizes[*dim] *= size,
        Collective::ReduceScatter(_, dim) => sizes[*dim] /= size,
        Collective::AllToAll(split, concat) => {
            sizes[*split] /= size;
            sizes[*concat] *= size;
        }
        _ => {}
    }
    let mut result = Array::zero(own.element, &sizes);
    for index in indices(&sizes) {
        let mut source = index.clone();
        let value = match collective {
            Collective::AllGather(dim) => {
                let from = index[*dim] / own.sizes[*dim];
                source[*dim] %= own.sizes[*dim];
                inputs[group[from]].get(&source).to_vec()
            }
            Collective::ReduceScatter(kind, dim) => {
                source[*dim] += position * sizes[*dim];
                let ring = (1..=size).map(|step| (&inputs[group[(position + step) % size]], source.clone()));
                reduce(*kind, &ring.collect::<Vec<_>>())
            }
            Collective::AllReduce(kind) => {
                let list = group.iter().map(|&rank| (&inputs[rank], source.clone()));
                reduce(*kind, &list.collect::<Vec<_>>())
            }
            Collective::AllToAll(split, concat) => {
                let piece = own.sizes[*split] / size;
                let extent = if split == concat {
                    piece
                } else {
                    own.sizes[*concat]
                };
                let from = index[*concat] / extent;
                source[*concat] %= extent;
                source[*split] += position * piece;
                inputs[group[from]].get(&source).to_vec()
            }
            Collective::Permute(pairs) => match pairs.iter().find(|pair| pair.1 == group[position]) {
                Some(pair) => inputs[pair.0].get(&source).to_vec(),
                None => continue,
            },
            Collective::Broadcast(root) => inputs[group[*root]].get(&source).to_vec(),
        };
        result.set(&index, &value);
    }
    result
}
