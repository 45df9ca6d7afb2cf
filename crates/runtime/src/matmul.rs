// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Products of matrices, by the crate `gemm`.
//!
//! Halves are widened to singles, multiplied and added there, and rounded once at the end: sums of many halves would
//! lose what they add. One thread computes, so that a result depends on the operands alone and ranks do not compete.

use gemm::Parallelism;
use half::{bf16, f16};

use crate::element::Element;

/// A matrix in memory: where its element (0, 0) lies, and the distances between rows and between columns, in
/// elements.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// Element (0, 0).
    pub data: *mut u8,
    /// From a row to the next.
    pub row_stride: isize,
    /// From a column to the next; 1 in row-major order.
    pub column_stride: isize,
}

/// `target = left × right`, or `target += left × right` with `accumulate`; `m × k` by `k × n`. O(mnk).
///
/// # Errors
/// The element type is no float.
///
/// # Safety
/// The matrices are valid for their extents and aligned to their element type; the target overlaps neither operand,
/// and nobody touches it meanwhile.
pub unsafe fn matmul(
    element: Element,
    [m, n, k]: [usize; 3],
    target: Matrix,
    left: Matrix,
    right: Matrix,
    accumulate: bool,
) -> Result<(), String> {
    let sizes = [m, n, k];
    if m == 0 || n == 0 {
        return Ok(());
    }
    // SAFETY: promised by the caller; the element type is that of the memory.
    unsafe {
        match element {
            Element::F64 => multiply::<f64>(sizes, target, left, right, accumulate, 1.0),
            Element::F32 => multiply::<f32>(sizes, target, left, right, accumulate, 1.0),
            Element::F16 => multiply_halves::<f16>(sizes, target, left, right, accumulate),
            Element::Bf16 => multiply_halves::<bf16>(sizes, target, left, right, accumulate),
            _ => {
                return Err(format!(
                    "no product of matrices of {element}: f64, f32, f16 or bf16 is expected"
                ));
            }
        }
    }
    Ok(())
}

unsafe fn multiply<T: Copy + 'static>(
    [m, n, k]: [usize; 3],
    target: Matrix,
    left: Matrix,
    right: Matrix,
    accumulate: bool,
    one: T,
) {
    // SAFETY: promised by the caller. `gemm` does `target = alpha * target + beta * left * right`, and does not read
    // the target unless told to.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            target.data.cast::<T>(),
            target.column_stride,
            target.row_stride,
            accumulate,
            left.data.cast::<T>(),
            left.column_stride,
            left.row_stride,
            right.data.cast::<T>(),
            right.column_stride,
            right.row_stride,
            one,
            one,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

trait Half: Copy {
    fn widen(self) -> f32;
    fn round(value: f32) -> Self;
}

impl Half for f16 {
    fn widen(self) -> f32 {
        self.to_f32()
    }
    fn round(value: f32) -> Self {
        Self::from_f32(value)
    }
}

impl Half for bf16 {
    fn widen(self) -> f32 {
        self.to_f32()
    }
    fn round(value: f32) -> Self {
        Self::from_f32(value)
    }
}

/// The places of a matrix in row-major order.
fn places(rows: usize, columns: usize, matrix: Matrix) -> impl Iterator<Item = isize> {
    (0..rows as isize).flat_map(move |row| {
        (0..columns as isize).map(move |column| row * matrix.row_stride + column * matrix.column_stride)
    })
}

unsafe fn widened<T: Half>(rows: usize, columns: usize, matrix: Matrix) -> Vec<f32> {
    let data = matrix.data.cast::<T>();
    // SAFETY: promised by the caller of `matmul`.
    places(rows, columns, matrix)
        .map(|place| unsafe { *data.offset(place) }.widen())
        .collect()
}

fn row_major(data: &mut [f32], columns: usize) -> Matrix {
    Matrix {
        data: data.as_mut_ptr().cast(),
        row_stride: columns as isize,
        column_stride: 1,
    }
}

unsafe fn multiply_halves<T: Half>(
    [m, n, k]: [usize; 3],
    target: Matrix,
    left: Matrix,
    right: Matrix,
    accumulate: bool,
) {
    // SAFETY: promised by the caller; the widened matrices are our own.
    unsafe {
        let (mut a, mut b) = (widened::<T>(m, k, left), widened::<T>(k, n, right));
        let mut c = if accumulate {
            widened::<T>(m, n, target)
        } else {
            vec![0.0; m * n]
        };
        let (a, b) = (row_major(&mut a, k), row_major(&mut b, n));
        multiply::<f32>([m, n, k], row_major(&mut c, n), a, b, accumulate, 1.0);
        let data = target.data.cast::<T>();
        for (place, value) in places(m, n, target).zip(&c) {
            *data.offset(place) = T::round(*value);
        }
    }
}
