// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Types of values: element types and static shapes.

/// What a tensor is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Element {
    /// IEEE double.
    F64,
    /// IEEE single.
    F32,
    /// IEEE half.
    F16,
    /// The upper half of a single.
    Bf16,
    /// 64 bits, wrapping.
    I64,
    /// 32 bits, wrapping.
    I32,
    /// 16 bits, wrapping.
    I16,
    /// 8 bits, wrapping.
    I8,
    /// True or false.
    Bool,
    /// Anything else, which rules may move and not compute with.
    Other {
        /// Size.
        bits: u16,
        /// Which one, for the caller.
        number: u16,
    },
}

impl Element {
    /// Size of one element.
    pub fn bits(self) -> u64 {
        match self {
            Self::F64 | Self::I64 => 64,
            Self::F32 | Self::I32 => 32,
            Self::F16 | Self::Bf16 | Self::I16 => 16,
            Self::I8 => 8,
            Self::Bool => 1,
            Self::Other { bits, .. } => u64::from(bits),
        }
    }

    /// Whether sums round.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F64 | Self::F32 | Self::F16 | Self::Bf16)
    }

    /// Whether arithmetic wraps: exact modulo a power of two.
    pub fn is_integer(self) -> bool {
        matches!(self, Self::I64 | Self::I32 | Self::I16 | Self::I8)
    }

    /// Whether every value of this element type is one of `other`, so that a conversion to it and back loses nothing.
    pub fn embeds_in(self, other: Self) -> bool {
        use Element::{Bf16, F16, F32, F64, I8, I16, I32, I64};
        self == other
            || matches!(
                (self, other),
                (F32 | F16 | Bf16, F64)
                    | (F16 | Bf16, F32)
                    | (I32 | I16 | I8, I64)
                    | (I16 | I8, I32)
                    | (I8, I16)
                    | (I32 | I16 | I8, F64)
                    | (I16 | I8, F32)
                    | (I8, F16 | Bf16)
            )
    }
}

impl std::fmt::Display for Element {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::F64 => write!(formatter, "f64"),
            Self::F32 => write!(formatter, "f32"),
            Self::F16 => write!(formatter, "f16"),
            Self::Bf16 => write!(formatter, "bf16"),
            Self::I64 => write!(formatter, "i64"),
            Self::I32 => write!(formatter, "i32"),
            Self::I16 => write!(formatter, "i16"),
            Self::I8 => write!(formatter, "i8"),
            Self::Bool => write!(formatter, "i1"),
            Self::Other { bits, number } => write!(formatter, "other{number}x{bits}"),
        }
    }
}

/// A tensor type: the same on every device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type {
    /// What it is made of.
    pub element: Element,
    /// Extents, outermost first. No extent is zero.
    pub shape: Vec<usize>,
}

impl Type {
    /// A tensor type.
    pub fn new(element: Element, shape: &[usize]) -> Self {
        Self {
            element,
            shape: shape.to_vec(),
        }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements, at most `u64::MAX`.
    pub fn count(&self) -> u64 {
        self.shape
            .iter()
            .fold(1, |product: u64, &extent| product.saturating_mul(extent as u64))
    }

    /// Size on one device, at most `u64::MAX`.
    pub fn bytes(&self) -> u64 {
        self.count().saturating_mul(self.element.bits()).div_ceil(8)
    }

    /// The same with another extent in one dimension.
    pub(crate) fn with(&self, dim: usize, extent: usize) -> Self {
        let mut changed = self.clone();
        changed.shape[dim] = extent;
        changed
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for extent in &self.shape {
            write!(formatter, "{extent}x")?;
        }
        write!(formatter, "{}", self.element)
    }
}
