// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Constants: the one number that a value is made of, and what is known of functions of such a value.
//!
//! A number is a double. Integers that no double holds are no numbers here; [`is_neutral`] knows the extremes of 64-bit
//! integers all the same.

use comm_algebra::{Element, Factor, Function, Kind};

use super::types::known;
use crate::mlir::{Attr, Value};

/// The largest magnitude up to which doubles hold all integers.
const EXACT: u64 = 1 << 53;

/// The number that an attribute holds: one number, or the same in all places.
fn number_attr(attr: Attr) -> Option<Attr> {
    attr.splat_element()
        .or_else(|| (attr.as_f64().is_some() || attr.as_integer_bits().is_some()).then_some(attr))
}

/// The value of a number of a type that the algebra has a name for.
fn number(attr: Attr) -> Option<f64> {
    let attr = number_attr(attr)?;
    match known(attr.number_type())? {
        Element::Bool => Some(f64::from(u8::from(attr.as_i64()? != 0))),
        element if element.is_float() => attr.as_f64(),
        _ => attr
            .as_i64()
            .filter(|value| value.unsigned_abs() <= EXACT)
            .map(|value| value as f64),
    }
}

/// The attribute of the constant that a value repeats, through broadcasts and reshapes.
fn constant_attr(value: Value) -> Option<Attr> {
    let mut value = value;
    // Front ends put at most a broadcast and a reshape or two around a constant.
    for _ in 0..4 {
        let op = value.defining_op()?;
        value = match op.name() {
            "arith.constant" | "stablehlo.constant" => return op.attr("value"),
            "tosa.const" => return op.attr("values"),
            "stablehlo.broadcast_in_dim"
            | "stablehlo.reshape"
            | "tensor.splat"
            | "tensor.expand_shape"
            | "tensor.collapse_shape"
            | "linalg.fill"
            | "linalg.broadcast"
            | "tosa.reshape"
                if op.num_operands() > 0 =>
            {
                op.operand(0)
            }
            _ => return None,
        };
    }
    None
}

/// The number that stands in all places of a value, as an attribute of the value's element type. StableHLO that says
/// otherwise is wrong, but no verifier has looked at it.
fn splat_attr(value: Value) -> Option<Attr> {
    number_attr(constant_attr(value)?).filter(|attr| attr.number_type() == value.ty().element())
}

/// The number that stands in all places of a value.
pub(super) fn splat(value: Value) -> Option<f64> {
    number(splat_attr(value)?)
}

/// Whether a value is a constant that changes nothing it is combined with. Both zeros are taken for neutral in sums.
pub(super) fn is_neutral(kind: Kind, value: Value) -> bool {
    let Some(attr) = splat_attr(value) else {
        return false;
    };
    let Some(element) = known(attr.number_type()) else {
        return false;
    };
    if element.is_float() {
        return attr
            .as_f64()
            .is_some_and(|value| neutral_float(kind) == Some(value));
    }
    let neutral = neutral_integer(kind, element);
    attr.as_i64().is_some_and(|value| match element {
        // MLIR extends the sign of a single bit.
        Element::Bool => value & 1 == neutral & 1,
        _ => value == neutral,
    })
}

/// What changes no float it is combined with; nothing where floats are not combined so.
pub(super) fn neutral_float(kind: Kind) -> Option<f64> {
    match kind {
        Kind::Sum => Some(0.0),
        Kind::Product => Some(1.0),
        Kind::Max => Some(f64::NEG_INFINITY),
        Kind::Min => Some(f64::INFINITY),
        Kind::And | Kind::Or | Kind::Xor => None,
    }
}

/// What changes no integer of this type it is combined with.
pub(super) fn neutral_integer(kind: Kind, element: Element) -> i64 {
    let largest = i64::MAX >> (64 - element.bits().clamp(1, 64));
    match kind {
        Kind::Sum | Kind::Or | Kind::Xor => 0,
        Kind::Product => 1,
        Kind::Max => -largest - 1,
        Kind::Min => largest,
        Kind::And => -1,
    }
}

/// A function of values as the algebra says it best: a product with a constant is a scaling, as is a quotient where the
/// inverse is exact; the larger of a value and zero has a name; zero less a whole number is its negation.
pub(super) fn simplest(function: Function, operands: Vec<Value>) -> (Function, Vec<Value>) {
    let [first, second] = operands[..] else {
        return (function, operands);
    };
    let element = known(first.ty().element());
    let is_float = element.is_some_and(Element::is_float);
    let is_integer = element.is_some_and(Element::is_integer);
    let sides = [(first, second), (second, first)];
    let with = |accept: &dyn Fn(f64) -> bool| {
        sides
            .into_iter()
            .find_map(|(value, constant)| Some((value, splat(constant).filter(|&number| accept(number))?)))
    };
    match function {
        Function::Multiply if is_float || is_integer => {
            if let Some((value, factor)) = with(&|number| number.is_finite()) {
                return (Function::Scale(Factor::new(factor)), vec![value]);
            }
        }
        Function::Divide => {
            let inverse = element
                .zip(splat(second))
                .and_then(|(element, divisor)| exact_inverse(element, divisor));
            if let Some(inverse) = inverse {
                return (Function::Scale(Factor::new(inverse)), vec![first]);
            }
        }
        Function::Maximum if is_float || is_integer => {
            if let Some((value, _)) = with(&|number| number.to_bits() == 0) {
                return (Function::Relu, vec![value]);
            }
        }
        Function::Subtract if is_integer && splat(first) == Some(0.0) => {
            return (Function::Negate, vec![second]);
        }
        _ => {}
    }
    (function, operands)
}

/// The factor that a division by `divisor` is a multiplication with, bit by bit: powers of two, whose inverse is a normal
/// number as they are.
fn exact_inverse(element: Element, divisor: f64) -> Option<f64> {
    let smallest = match element {
        Element::F64 => f64::MIN_POSITIVE,
        Element::F32 | Element::Bf16 => f64::from(f32::MIN_POSITIVE),
        // 2^-14.
        Element::F16 => 1.0 / 16384.0,
        _ => return None,
    };
    let inverse = divisor.recip();
    let is_normal = |value: f64| value.is_finite() && value.abs() >= smallest;
    (Factor::new(divisor).is_power_of_two() && is_normal(divisor) && is_normal(inverse)).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_have_exact_inverses() {
        assert_eq!(exact_inverse(Element::F32, 8.0), Some(0.125));
        assert_eq!(exact_inverse(Element::F32, -0.25), Some(-4.0));
        assert_eq!(exact_inverse(Element::F32, 3.0), None);
        assert_eq!(exact_inverse(Element::F32, 0.0), None);
        // The inverse would be denormal.
        assert_eq!(exact_inverse(Element::F32, 2f64.powi(127)), None);
        assert_eq!(exact_inverse(Element::F16, 32768.0), None);
        assert_eq!(exact_inverse(Element::F16, 16384.0), Some(1.0 / 16384.0));
        assert_eq!(exact_inverse(Element::I32, 2.0), None);
    }

    #[test]
    fn neutral_integers_are_the_extremes() {
        assert_eq!(neutral_integer(Kind::Max, Element::I8), i64::from(i8::MIN));
        assert_eq!(neutral_integer(Kind::Min, Element::I8), i64::from(i8::MAX));
        assert_eq!(neutral_integer(Kind::Max, Element::I64), i64::MIN);
        assert_eq!(neutral_integer(Kind::Min, Element::I64), i64::MAX);
    }
}
