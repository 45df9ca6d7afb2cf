// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Element types of tensors.

use std::fmt;

/// What a tensor is made of. The numbers are part of the C interface.
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Element {
    /// IEEE double.
    F64 = 0,
    /// IEEE single.
    F32 = 1,
    /// IEEE half.
    F16 = 2,
    /// The upper half of a single.
    Bf16 = 3,
    /// 64 bits, two's complement. MLIR's `index` too.
    I64 = 4,
    /// 32 bits, two's complement.
    I32 = 5,
    /// 16 bits, two's complement.
    I16 = 6,
    /// 8 bits, two's complement.
    I8 = 7,
    /// 64 bits, without sign.
    U64 = 8,
    /// 32 bits, without sign.
    U32 = 9,
    /// 16 bits, without sign.
    U16 = 10,
    /// 8 bits, without sign.
    U8 = 11,
    /// True or false in a byte, of which the lowest bit counts.
    I1 = 12,
}

impl Element {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 13] = [
        Self::F64,
        Self::F32,
        Self::F16,
        Self::Bf16,
        Self::I64,
        Self::I32,
        Self::I16,
        Self::I8,
        Self::U64,
        Self::U32,
        Self::U16,
        Self::U8,
        Self::I1,
    ];

    /// The element type with this number in the C interface.
    pub fn from_number(number: i32) -> Option<Self> {
        let index = usize::try_from(number).ok()?;
        Self::ALL.get(index).copied()
    }

    /// Bytes of an element in memory.
    pub fn bytes(self) -> usize {
        match self {
            Self::F64 | Self::I64 | Self::U64 => 8,
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::F16 | Self::Bf16 | Self::I16 | Self::U16 => 2,
            Self::I8 | Self::U8 | Self::I1 => 1,
        }
    }

    /// Whether arithmetic rounds.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F64 | Self::F32 | Self::F16 | Self::Bf16)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::I64 => "i64",
            Self::I32 => "i32",
            Self::I16 => "i16",
            Self::I8 => "i8",
            Self::U64 => "u64",
            Self::U32 => "u32",
            Self::U16 => "u16",
            Self::U8 => "u8",
            Self::I1 => "i1",
        })
    }
}
