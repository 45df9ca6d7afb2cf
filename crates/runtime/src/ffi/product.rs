// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The product of matrices.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Status, TensorDescriptor, tensor};
use crate::{
    matmul::{Matrix, matmul},
    tensor::Tensor,
};

fn matrix(tensor: &Tensor) -> Option<([usize; 2], Matrix)> {
    let (&[rows, columns], &[row_stride, column_stride]) = (&*tensor.sizes, &*tensor.strides) else {
        return None;
    };
    let data = tensor.data;
    let matrix = Matrix {
        data,
        row_stride,
        column_stride,
    };
    Some(([rows, columns], matrix))
}

unsafe fn multiply(descriptors: [*const TensorDescriptor; 3], accumulate: bool) -> Option<()> {
    // SAFETY: null or valid.
    let read = |descriptor: *const TensorDescriptor| unsafe { tensor(descriptor.as_ref()?).ok() };
    let [target, left, right] = descriptors.map(read);
    let (target, left, right) = (target?, left?, right?);
    let element = target.element;
    let ([m, n], to) = matrix(&target)?;
    let ([rows, k], a) = matrix(&left)?;
    let ([inner, columns], b) = matrix(&right)?;
    let fits = rows == m && columns == n && inner == k;
    let same = left.element == element && right.element == element;
    let apart = !target.overlaps(&left) && !target.overlaps(&right);
    if !(fits && same && apart) {
        return None;
    }
    // SAFETY: shapes fit, and the caller answers for the memory.
    unsafe { matmul(element, [m, n, k], to, a, b, accumulate) }.ok()
}

/// `target = left * right`, or, with `accumulate` not 0, `target += left * right`: matrices of f64, f32, f16 or bf16,
/// of which the last two are multiplied and added as f32 and rounded once. Runs here and now; launched functions may
/// call it. `COMM_RT_STATUS_INVALID` if shapes do not fit, types are not the same, or the target overlaps an operand.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_matmul(
    target: *const TensorDescriptor,
    left: *const TensorDescriptor,
    right: *const TensorDescriptor,
    accumulate: i32,
) -> i32 {
    // SAFETY: as promised for all functions.
    let multiply = || unsafe { multiply([target, left, right], accumulate != 0) };
    let status = match catch_unwind(AssertUnwindSafe(multiply)) {
        Ok(Some(())) => Status::Ok,
        Ok(None) => Status::Invalid,
        Err(_) => Status::Panic,
    };
    status as i32
}
