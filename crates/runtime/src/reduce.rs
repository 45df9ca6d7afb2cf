// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Combines tensors element by element, in the order in which they are given.
//!
//! Arithmetic is that of the element type: each addition of halves is rounded to a half, as a ring of devices that
//! hold halves does, and as `comm_algebra::interpreter` defines. So a result depends on the order of the operands and
//! on nothing else. A program that wants a wider accumulator converts before it reduces.

use std::fmt;

use half::{bf16, f16};

use crate::{element::Element, strided::rows, tensor::Tensor};

/// How contributions are combined. The numbers are part of the C interface, and those of `comm`'s attribute.
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Reduction {
    /// Sum; integers wrap, booleans add modulo 2.
    Sum = 0,
    /// The sum, divided by the group size once at the end. Floats only.
    Avg = 1,
    /// Smallest; of floats the IEEE 754-2019 minimum: NaN if there is one, and -0 is below +0.
    Min = 2,
    /// Largest; of floats the IEEE 754-2019 maximum: NaN if there is one, and -0 is below +0.
    Max = 3,
    /// Product; integers wrap.
    Prod = 4,
    /// Bitwise and. Integers only.
    And = 5,
    /// Bitwise or. Integers only.
    Or = 6,
    /// Bitwise exclusive or. Integers only.
    Xor = 7,
}

impl Reduction {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Sum,
        Self::Avg,
        Self::Min,
        Self::Max,
        Self::Prod,
        Self::And,
        Self::Or,
        Self::Xor,
    ];

    /// The reduction with this number in the C interface.
    pub fn from_number(number: i32) -> Option<Self> {
        let index = usize::try_from(number).ok()?;
        Self::ALL.get(index).copied()
    }

    /// Whether elements of this type can be combined so.
    pub fn accepts(self, element: Element) -> bool {
        match self {
            Self::Sum | Self::Min | Self::Max | Self::Prod => true,
            Self::Avg => element.is_float(),
            Self::And | Self::Or | Self::Xor => !element.is_float(),
        }
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Sum => "sum",
            Self::Avg => "avg",
            Self::Min => "min",
            Self::Max => "max",
            Self::Prod => "prod",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
        })
    }
}

/// Elements that stay in a first-level cache while all operands are added to them.
const BLOCK: usize = 2048;

/// `target = operands[0] ∘ operands[1] ∘ ...`, from the left. Tensors of one shape and element type, at least one
/// operand. O(elements × operands).
///
/// # Safety
/// All are valid for their whole extent; nobody writes an operand or touches the target meanwhile. The target may be
/// one of the operands, and must not overlap one otherwise.
pub(crate) unsafe fn fold(kind: Reduction, target: &Tensor, operands: &[Tensor]) {
    // SAFETY: as promised; the element types are those of the tensors.
    unsafe {
        match target.element {
            Element::F64 => fold_float::<f64>(kind, target, operands),
            Element::F32 => fold_float::<f32>(kind, target, operands),
            Element::F16 => fold_float::<f16>(kind, target, operands),
            Element::Bf16 => fold_float::<bf16>(kind, target, operands),
            Element::I64 => fold_integer::<i64>(kind, target, operands),
            Element::I32 => fold_integer::<i32>(kind, target, operands),
            Element::I16 => fold_integer::<i16>(kind, target, operands),
            Element::I8 => fold_integer::<i8>(kind, target, operands),
            Element::U64 => fold_integer::<u64>(kind, target, operands),
            Element::U32 => fold_integer::<u32>(kind, target, operands),
            Element::U16 => fold_integer::<u16>(kind, target, operands),
            Element::U8 => fold_integer::<u8>(kind, target, operands),
            Element::I1 => fold_boolean(kind, target, operands),
        }
    }
}

/// A float of any width: wider arithmetic, rounded once, is the correctly rounded operation of the narrower type
/// (Figueroa, "When is double rounding innocuous?", 1995).
trait Float: Copy + Default {
    fn add(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn divide(self, by: usize) -> Self;
    fn is_below(self, other: Self) -> bool;
    fn is_nan(self) -> bool;
}

macro_rules! float {
    ($type:ty, $wide:ty, $from:path) => {
        impl Float for $type {
            fn add(self, other: Self) -> Self {
                $from(<$wide>::from(self) + <$wide>::from(other))
            }
            fn multiply(self, other: Self) -> Self {
                $from(<$wide>::from(self) * <$wide>::from(other))
            }
            fn divide(self, by: usize) -> Self {
                $from(<$wide>::from(self) / by as $wide)
            }
            fn is_below(self, other: Self) -> bool {
                self.total_cmp(&other).is_lt()
            }
            fn is_nan(self) -> bool {
                self.is_nan()
            }
        }
    };
}
float!(f64, f64, f64::from);
float!(f32, f32, f32::from);
float!(f16, f32, f16::from_f32);
float!(bf16, f32, bf16::from_f32);

unsafe fn fold_float<T: Float>(kind: Reduction, target: &Tensor, operands: &[Tensor]) {
    let minimum = |a: T, b: T| {
        if a.is_nan() || (!b.is_nan() && a.is_below(b)) {
            a
        } else {
            b
        }
    };
    let maximum = |a: T, b: T| {
        if a.is_nan() || (!b.is_nan() && b.is_below(a)) {
            a
        } else {
            b
        }
    };
    let size = operands.len();
    // SAFETY: as promised to `fold`. Others are refused before; for them the first operand would be a right answer
    // too.
    unsafe {
        match kind {
            Reduction::Sum => fold_with(target, operands, T::add, |sum| sum),
            Reduction::Avg => fold_with(target, operands, T::add, |sum: T| sum.divide(size)),
            Reduction::Prod => fold_with(target, operands, T::multiply, |product| product),
            Reduction::Min => fold_with(target, operands, minimum, |least| least),
            Reduction::Max => fold_with(target, operands, maximum, |most| most),
            Reduction::And | Reduction::Or | Reduction::Xor => {}
        }
    }
}

trait Integer: Copy + Default + Ord {
    fn add(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
}

macro_rules! integer {
    ($($type:ty)*) => {$(
        impl Integer for $type {
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn multiply(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn and(self, other: Self) -> Self {
                self & other
            }
            fn or(self, other: Self) -> Self {
                self | other
            }
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
        }
    )*};
}
integer!(i64 i32 i16 i8 u64 u32 u16 u8);

unsafe fn fold_integer<T: Integer>(kind: Reduction, target: &Tensor, operands: &[Tensor]) {
    let same = |value: T| value;
    // SAFETY: as promised to `fold`.
    unsafe {
        match kind {
            Reduction::Sum => fold_with(target, operands, T::add, same),
            Reduction::Prod => fold_with(target, operands, T::multiply, same),
            Reduction::Min => fold_with(target, operands, T::min, same),
            Reduction::Max => fold_with(target, operands, T::max, same),
            Reduction::And => fold_with(target, operands, T::and, same),
            Reduction::Or => fold_with(target, operands, T::or, same),
            Reduction::Xor => fold_with(target, operands, T::xor, same),
            Reduction::Avg => {}
        }
    }
}

unsafe fn fold_boolean(kind: Reduction, target: &Tensor, operands: &[Tensor]) {
    let lowest = |value: u8| value & 1;
    // SAFETY: as promised to `fold`.
    unsafe {
        match kind {
            Reduction::Sum | Reduction::Xor => fold_with(target, operands, |a: u8, b: u8| a ^ b, lowest),
            Reduction::Prod | Reduction::Min | Reduction::And => {
                fold_with(target, operands, |a: u8, b: u8| a & b, lowest);
            }
            Reduction::Max | Reduction::Or => fold_with(target, operands, |a: u8, b: u8| a | b, lowest),
            Reduction::Avg => {}
        }
    }
}

unsafe fn fold_with<T: Copy + Default>(
    target: &Tensor,
    operands: &[Tensor],
    combine: impl Fn(T, T) -> T,
    finish: impl Fn(T) -> T,
) {
    let tensors: Vec<&Tensor> = std::iter::once(target).chain(operands).collect();
    // Results are made here and stored at the end, since the target may be one of the later operands.
    let mut sums = [T::default(); BLOCK];
    rows(&tensors, |offsets, count, strides| {
        for start in (0..count).step_by(BLOCK) {
            let sums = &mut sums[..BLOCK.min(count - start)];
            let mut places = tensors
                .iter()
                .zip(offsets)
                .zip(strides)
                .map(|((tensor, offset), &stride)| {
                    let begin = tensor.data.wrapping_offset(offset + start as isize * stride);
                    (begin, stride)
                });
            let Some((target, target_stride)) = places.next() else {
                return;
            };
            for (operand, (begin, stride)) in places.enumerate() {
                // SAFETY: rows stay within the tensors, which the caller vouches for.
                unsafe {
                    match operand {
                        0 => load(begin, stride, sums, |sum, value| *sum = value),
                        _ => load(begin, stride, sums, |sum, value| *sum = combine(*sum, value)),
                    }
                }
            }
            // SAFETY: as above.
            unsafe { store(target, target_stride, sums, &finish) };
        }
    });
}

/// Whether elements lie side by side, as in a slice. Rows that do are read and written as slices, in loops that
/// compilers turn into vector instructions.
fn is_slice<T>(begin: *mut u8, stride: isize) -> bool {
    stride == size_of::<T>() as isize && begin.cast::<T>().is_aligned()
}

/// Takes each element of a row into the value of its index. The row is valid to read.
unsafe fn load<T: Copy>(begin: *mut u8, stride: isize, values: &mut [T], take: impl Fn(&mut T, T)) {
    if is_slice::<T>(begin, stride) {
        // SAFETY: valid, says the caller, aligned, and without gaps.
        let row = unsafe { std::slice::from_raw_parts(begin.cast::<T>(), values.len()) };
        values
            .iter_mut()
            .zip(row)
            .for_each(|(value, element)| take(value, *element));
        return;
    }
    for (index, value) in values.iter_mut().enumerate() {
        let place = begin.wrapping_offset(index as isize * stride).cast::<T>();
        // SAFETY: valid, says the caller; alignment is not assumed.
        take(value, unsafe { place.read_unaligned() });
    }
}

/// Sets each element of a row to what `finish` makes of the value of its index. The row is valid to write.
unsafe fn store<T: Copy>(begin: *mut u8, stride: isize, values: &[T], finish: impl Fn(T) -> T) {
    if is_slice::<T>(begin, stride) {
        // SAFETY: valid, says the caller, aligned, and without gaps.
        let row = unsafe { std::slice::from_raw_parts_mut(begin.cast::<T>(), values.len()) };
        row.iter_mut()
            .zip(values)
            .for_each(|(element, value)| *element = finish(*value));
        return;
    }
    for (index, value) in values.iter().enumerate() {
        let place = begin.wrapping_offset(index as isize * stride).cast::<T>();
        // SAFETY: valid, says the caller; alignment is not assumed.
        unsafe { place.write_unaligned(finish(*value)) };
    }
}
