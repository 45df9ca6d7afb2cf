// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the local ops compute on one device, element by element from their definitions.

use super::tensor::{Data, Tensor, flat, indices, round, wrap};
use crate::{
    function::Function,
    op::{Dot, Kind, Op, Side},
    types::{Element, Type},
};

/// The result of a local op on one device; nothing for ops that are not local.
pub(super) fn local(op: &Op, operands: &[&Tensor], ty: &Type) -> Option<Tensor> {
    let first = operands.first().copied();
    Some(match (op, first) {
        (Op::Constant { bits, .. }, _) => constant(f64::from_bits(*bits), ty),
        (Op::Map(function), _) => map(*function, operands, ty),
        (Op::Convert(_), Some(tensor)) => convert(tensor, ty),
        (Op::Dot(dot), _) => product(dot, operands[0], operands[1], ty),
        (Op::Transpose(permutation), Some(tensor)) => tensor.pick(&ty.shape, |index| {
            let mut source = vec![0; index.len()];
            for (&position, &dim) in index.iter().zip(permutation) {
                source[dim] = position;
            }
            source
        }),
        (Op::Reshape(_), Some(tensor)) => Tensor {
            ty: ty.clone(),
            data: tensor.data.clone(),
        },
        (Op::BroadcastInDim { dims, .. }, Some(tensor)) => {
            tensor.pick(&ty.shape, |index| dims.iter().map(|&dim| index[dim]).collect())
        }
        (Op::Concat(dim), Some(_)) => concat(operands, *dim, ty),
        (Op::Slice { dim, start, .. }, Some(tensor)) => slice(tensor, *dim, *start, ty),
        (Op::Reduce { kind, dim }, Some(tensor)) => reduce(tensor, *kind, *dim, ty),
        _ => return None,
    })
}

/// The part of a tensor that starts at `start` along a dimension.
pub(super) fn slice(tensor: &Tensor, dim: usize, start: usize, ty: &Type) -> Tensor {
    tensor.pick(&ty.shape, |index| {
        let mut source = index.to_vec();
        source[dim] += start;
        source
    })
}

/// Tensors one after the other.
pub(super) fn concat(parts: &[&Tensor], dim: usize, ty: &Type) -> Tensor {
    let element = |index: &[usize]| {
        let mut source = index.to_vec();
        let mut part = 0;
        while source[dim] >= parts[part].ty.shape[dim] {
            source[dim] -= parts[part].ty.shape[dim];
            part += 1;
        }
        (part, flat(&source, &parts[part].ty.shape))
    };
    let places = indices(&ty.shape).map(|index| element(&index));
    let data = if ty.element.is_float() {
        let parts: Vec<Vec<f64>> = parts.iter().map(|part| part.values()).collect();
        Data::Float(places.map(|(part, place)| parts[part][place]).collect())
    } else {
        let integers = |part: &Tensor| match &part.data {
            Data::Integer(data) => data.clone(),
            Data::Float(_) => Vec::new(),
        };
        let parts: Vec<Vec<i64>> = parts.iter().map(|part| integers(part)).collect();
        Data::Integer(places.map(|(part, place)| parts[part][place]).collect())
    };
    Tensor { ty: ty.clone(), data }
}

/// Two tensors of one type, combined element by element.
pub(super) fn combine(kind: Kind, a: &Tensor, b: &Tensor) -> Tensor {
    map(kind.function(), &[a, b], &a.ty)
}

fn constant(value: f64, ty: &Type) -> Tensor {
    if ty.element.is_float() {
        Tensor::float(ty.clone(), |_| value)
    } else {
        Tensor::integer(ty.clone(), |_| value as i64)
    }
}

fn map(function: Function, operands: &[&Tensor], ty: &Type) -> Tensor {
    if let Function::Named { number, .. } = function {
        return named(number, operands, ty);
    }
    if function == Function::Select {
        let Data::Integer(predicate) = &operands[0].data else {
            return operands[1].clone();
        };
        let chosen = |index: usize| if predicate[index] == 1 { 1 } else { 2 };
        return match (&operands[1].data, &operands[2].data) {
            (Data::Float(a), Data::Float(b)) => {
                Tensor::float(ty.clone(), |index| [a[index], b[index]][chosen(index) - 1])
            }
            _ => {
                let integers = |operand: usize| match &operands[operand].data {
                    Data::Integer(data) => data.as_slice(),
                    Data::Float(_) => &[],
                };
                Tensor::integer(ty.clone(), |index| integers(chosen(index))[index])
            }
        };
    }
    match (&operands[0].data, operands.get(1).map(|operand| &operand.data)) {
        (Data::Float(a), None) => {
            Tensor::float(ty.clone(), |index| float(function, a[index], 0.0, ty.element))
        }
        (Data::Float(a), Some(Data::Float(b))) => Tensor::float(ty.clone(), |index| {
            float(function, a[index], b[index], ty.element)
        }),
        (Data::Integer(a), None) => Tensor::integer(ty.clone(), |index| integer(function, a[index], 0)),
        (Data::Integer(a), Some(Data::Integer(b))) => {
            Tensor::integer(ty.clone(), |index| integer(function, a[index], b[index]))
        }
        // Refused by the type rules.
        _ => operands[0].clone(),
    }
}

/// Larger and smaller of two floats in the total order, so that the order of the operands decides nothing.
fn ordered(a: f64, b: f64) -> (f64, f64) {
    if a.total_cmp(&b).is_lt() { (a, b) } else { (b, a) }
}

fn float(function: Function, a: f64, b: f64, element: Element) -> f64 {
    match function {
        Function::Negate => -a,
        Function::Abs => a.abs(),
        Function::Relu => ordered(a, 0.0).1,
        Function::Floor => a.floor(),
        Function::Sqrt => a.sqrt(),
        Function::Exp => a.exp(),
        Function::Log => a.ln(),
        Function::Tanh => a.tanh(),
        Function::Logistic => 1.0 / (1.0 + (-a).exp()),
        Function::Scale(factor) => a * round(factor.value(), element),
        Function::Add => a + b,
        Function::Subtract => a - b,
        Function::Multiply => a * b,
        Function::Divide => a / b,
        Function::Maximum => ordered(a, b).1,
        Function::Minimum => ordered(a, b).0,
        _ => f64::NAN,
    }
}

fn integer(function: Function, a: i64, b: i64) -> i64 {
    match function {
        Function::Negate => a.wrapping_neg(),
        Function::Abs => a.wrapping_abs(),
        Function::Relu => a.max(0),
        Function::Scale(factor) => a.wrapping_mul(factor.value() as i64),
        Function::Add => a.wrapping_add(b),
        Function::Subtract => a.wrapping_sub(b),
        Function::Multiply => a.wrapping_mul(b),
        // A division by zero gives zero: some value, the same everywhere.
        Function::Divide => a.checked_div(b).unwrap_or(0),
        Function::Maximum => a.max(b),
        Function::Minimum => a.min(b),
        Function::And => a & b,
        Function::Or => a | b,
        Function::Xor => a ^ b,
        _ => 0,
    }
}

/// A function without any useful property, the same on all devices.
fn named(number: u32, operands: &[&Tensor], ty: &Type) -> Tensor {
    let values: Vec<Vec<f64>> = operands.iter().map(|operand| operand.values()).collect();
    let at = |index: usize| {
        let weighted = values.iter().enumerate().map(|(operand, values)| {
            let value = values[index];
            let weight = 0.25 * (operand + 1) as f64 + 0.125 * f64::from(number % 7);
            weight * value * value - value
        });
        weighted.fold(1.0 + f64::from(number % 5), |sum, term| sum + term)
    };
    if ty.element.is_float() {
        Tensor::float(ty.clone(), at)
    } else {
        Tensor::integer(ty.clone(), |index| at(index) as i64)
    }
}

fn convert(tensor: &Tensor, ty: &Type) -> Tensor {
    match (&tensor.data, ty.element.is_float()) {
        (Data::Float(data), true) => Tensor::float(ty.clone(), |index| data[index]),
        (Data::Float(data), false) if ty.element == Element::Bool => {
            Tensor::integer(ty.clone(), |index| i64::from(data[index] != 0.0))
        }
        (Data::Float(data), false) => Tensor::integer(ty.clone(), |index| data[index] as i64),
        (Data::Integer(data), true) => Tensor::float(ty.clone(), |index| data[index] as f64),
        (Data::Integer(data), false) if ty.element == Element::Bool => {
            Tensor::integer(ty.clone(), |index| i64::from(data[index] != 0))
        }
        (Data::Integer(data), false) => Tensor::integer(ty.clone(), |index| data[index]),
    }
}

fn reduce(tensor: &Tensor, kind: Kind, dim: usize, ty: &Type) -> Tensor {
    let at = |position: usize| {
        tensor.pick(&ty.shape, |index| {
            let mut source = index.to_vec();
            source.insert(dim, position);
            source
        })
    };
    (1..tensor.ty.shape[dim]).fold(at(0), |sum, position| combine(kind, &sum, &at(position)))
}

fn product(dot: &Dot, left: &Tensor, right: &Tensor, ty: &Type) -> Tensor {
    let (left_free, right_free) = (
        dot.free(Side::Left, left.ty.rank()),
        dot.free(Side::Right, right.ty.rank()),
    );
    let summed: Vec<usize> = dot.contract.iter().map(|&(dim, _)| left.ty.shape[dim]).collect();
    let places = |index: &[usize], inner: &[usize]| {
        let (mut l, mut r) = (vec![0; left.ty.rank()], vec![0; right.ty.rank()]);
        let pairs = dot.batch.iter().zip(index).chain(dot.contract.iter().zip(inner));
        for (&(a, b), &position) in pairs {
            l[a] = position;
            r[b] = position;
        }
        let free = &index[dot.batch.len()..];
        for (&dim, &position) in left_free.iter().zip(free) {
            l[dim] = position;
        }
        for (&dim, &position) in right_free.iter().zip(&free[left_free.len()..]) {
            r[dim] = position;
        }
        (flat(&l, &left.ty.shape), flat(&r, &right.ty.shape))
    };
    let all: Vec<Vec<usize>> = indices(&ty.shape).collect();
    let inner: Vec<Vec<usize>> = indices(&summed).collect();
    if ty.element.is_float() {
        let (a, b) = (left.values(), right.values());
        return Tensor::float(ty.clone(), |index| {
            inner.iter().fold(0.0, |sum, inner| {
                let (l, r) = places(&all[index], inner);
                round(sum + round(a[l] * b[r], ty.element), ty.element)
            })
        });
    }
    let integers = |tensor: &Tensor| match &tensor.data {
        Data::Integer(data) => data.clone(),
        Data::Float(data) => data.iter().map(|&value| value as i64).collect(),
    };
    let (a, b) = (integers(left), integers(right));
    Tensor::integer(ty.clone(), |index| {
        inner.iter().fold(0i64, |sum, inner| {
            let (l, r) = places(&all[index], inner);
            wrap(sum.wrapping_add(a[l].wrapping_mul(b[r])), ty.element)
        })
    })
}
