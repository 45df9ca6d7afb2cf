// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Elementwise functions by name, and what is known of each.
//!
//! A property is claimed only where the function *as computed in floating point* has it, not the real function alone:
//! a library's `tanh` may fall by one unit in the last place where the real one rises.

use std::fmt;

use crate::types::Element;

/// A constant factor: a double by its bits, so that factors can be compared and hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Factor(u64);

impl Factor {
    /// The factor of this value.
    pub fn new(value: f64) -> Self {
        Self(value.to_bits())
    }

    /// Its value.
    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }

    /// Whether multiplying by it rounds nothing, short of overflow and underflow: a power of two of any sign.
    pub fn is_power_of_two(self) -> bool {
        let mantissa = self.0 & ((1 << 52) - 1);
        self.value().is_normal() && mantissa == 0
    }
}

/// An elementwise function. Operands have one shape; unless stated otherwise, one element type, which is the result's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Function {
    Negate,
    Abs,
    /// The larger of the operand and zero.
    Relu,
    Floor,
    Sqrt,
    Exp,
    Log,
    Tanh,
    Logistic,
    /// Multiplication by a constant, which integers take modulo their width.
    Scale(Factor),
    Add,
    Subtract,
    Multiply,
    Divide,
    Maximum,
    Minimum,
    And,
    Or,
    Xor,
    /// The second operand where the first one, a boolean, is true, else the third.
    Select,
    /// A function of which only its name, its number of operands and its element type are known. It computes the same
    /// on all devices.
    Named {
        number: u32,
        operands: u8,
        element: Element,
    },
}

impl Function {
    /// Number of operands.
    pub fn operands(self) -> usize {
        match self {
            Self::Negate
            | Self::Abs
            | Self::Relu
            | Self::Floor
            | Self::Sqrt
            | Self::Exp
            | Self::Log
            | Self::Tanh
            | Self::Logistic
            | Self::Scale(_) => 1,
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Divide
            | Self::Maximum
            | Self::Minimum
            | Self::And
            | Self::Or
            | Self::Xor => 2,
            Self::Select => 3,
            Self::Named { operands, .. } => usize::from(operands),
        }
    }

    /// Element type of the result, where the operands have this common one; nothing where it has no meaning.
    pub fn result(self, element: Element) -> Option<Element> {
        let number = element.is_float() || element.is_integer();
        let bits = element.is_integer() || element == Element::Bool;
        let accepted = match self {
            Self::Floor | Self::Sqrt | Self::Exp | Self::Log | Self::Tanh | Self::Logistic => {
                element.is_float()
            }
            Self::And | Self::Or | Self::Xor => bits,
            Self::Select => true,
            Self::Named { element, .. } => return Some(element),
            _ => number,
        };
        accepted.then_some(element)
    }

    /// Whether `h(x + y) = h(x) + h(y)` for real numbers: it passes through sums.
    pub fn is_linear(self) -> bool {
        matches!(self, Self::Negate | Self::Scale(_))
    }

    /// Whether it is linear and rounds nothing, so that it passes through rounded sums bit by bit. A negation does not,
    /// since `-(x - x)` is the negative zero and `-x + x` the positive one.
    pub fn is_exactly_linear(self, element: Element) -> bool {
        match self {
            Self::Negate => !element.is_float(),
            Self::Scale(factor) => element.is_integer() || (factor.is_power_of_two() && factor.value() > 0.0),
            _ => false,
        }
    }

    /// Whether `x <= y` implies `h(x) <= h(y)` as computed. Rounding is monotone, so scaling is; wrapping is not.
    pub fn is_monotone(self, element: Element) -> bool {
        match self {
            Self::Relu => true,
            Self::Floor => element.is_float(),
            Self::Scale(factor) => element.is_float() && factor.value() > 0.0,
            _ => false,
        }
    }

    /// Whether it maps (positive) zero to positive zero.
    pub fn keeps_zero(self, element: Element) -> bool {
        match self {
            Self::Abs | Self::Relu | Self::Floor | Self::Sqrt | Self::Tanh => true,
            Self::Negate => element.is_integer(),
            Self::Scale(factor) => element.is_integer() || factor.value() > 0.0,
            _ => false,
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scale(factor) => write!(formatter, "scale {}", factor.value()),
            Self::Named { number, element, .. } => write!(formatter, "named {number} {element}"),
            other => write!(formatter, "{}", format!("{other:?}").to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_that_round_nothing() {
        for exact in [1.0, -1.0, 0.5, 1024.0, -0.125] {
            assert!(Factor::new(exact).is_power_of_two(), "{exact}");
        }
        for rounds in [3.0, 0.1, 0.0, f64::NAN, f64::INFINITY, -6.0] {
            assert!(!Factor::new(rounds).is_power_of_two(), "{rounds}");
        }
    }
}
