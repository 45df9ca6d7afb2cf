// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Operations of matrix products and convolutions: two for each multiplication of two elements, eight where they are
//! complex.
//!
//! StableHLO and torch are not loaded as dialects, so the dimensions that StableHLO's products contract are read from the
//! text of their attributes. An op whose operations cannot be counted (a dynamic size, a form that is not known here) is
//! costed by its memory traffic.

use comm_schedule::machine::Element;

use super::{Tensors, element_of};
use crate::mlir::{Attr, Op, Value, product_loops};

/// A matrix product, as far as it costs.
pub(super) struct Product {
    pub(super) flops: u64,
    /// Type of the factors; of the wider one where they differ.
    pub(super) element: Element,
}

/// The op as a product; nothing where it is none or its operations cannot be counted.
pub(super) fn of(op: Op, tensors: &Tensors) -> Option<Product> {
    let left = left_factor(op);
    let multiplications = match product_loops(op) {
        Some(loops) => loops.into_iter().try_fold(1u64, |product, count| {
            Some(product.saturating_mul(u64::try_from(count).ok()?))
        })?,
        None => {
            let contracted = contracted(op, left, tensors)?;
            let results = tensors.elements(op.results().next()?)?;
            results.saturating_mul(contracted)
        }
    };
    let factors = [left, left + 1].map(|index| (index < op.num_operands()).then(|| op.operand(index)));
    let elements = factors
        .into_iter()
        .flatten()
        .map(|value| tensors.builtin(value).element());
    let widest = elements.max_by_key(|element| element.element_bits())?;
    let each = if widest.complex_part().is_some() { 8 } else { 2 };
    Some(Product {
        flops: multiplications.saturating_mul(each),
        element: element_of(widest),
    })
}

/// Which operand is the first factor; the other is the next.
fn left_factor(op: Op) -> usize {
    match op.name() {
        "torch.aten.addmm" | "torch.aten.baddbmm" => 1,
        _ => 0,
    }
}

/// How many multiplications each element of the result takes.
fn contracted(op: Op, left: usize, tensors: &Tensors) -> Option<u64> {
    let factor = |index: usize| (index < op.num_operands()).then(|| op.operand(index));
    match op.name() {
        "stablehlo.dot_general" => {
            let numbers = op.attr("dot_dimension_numbers")?;
            let dims = tensors.dims(factor(0)?)?;
            tensors
                .contracting_dimensions(numbers)
                .iter()
                .try_fold(1u64, |product, dim| {
                    Some(product.saturating_mul(u64::try_from((*dims.get(*dim)?)?).ok()?))
                })
        }
        "stablehlo.convolution" => {
            let features = kernel_output_dimension(op.attr("dimension_numbers")?)?;
            per_output_feature(factor(1)?, features, tensors)
        }
        "tosa.conv2d" | "tosa.conv3d" => per_output_feature(factor(1)?, 0, tensors),
        "stablehlo.dot" | "thunder.linear" | "thunder.matmul" | "torch.aten.addmm" | "torch.aten.baddbmm"
        | "torch.aten.bmm" | "torch.aten.linear" | "torch.aten.matmul" | "torch.aten.mm" | "tosa.matmul" => {
            let dims = tensors.dims(factor(left)?)?;
            u64::try_from((*dims.last()?)?).ok()
        }
        _ => None,
    }
}

/// Elements of a convolution's kernel that one output feature uses.
fn per_output_feature(kernel: Value, features: usize, tensors: &Tensors) -> Option<u64> {
    let dims = tensors.dims(kernel)?;
    let count = u64::try_from((*dims.get(features)?)?).ok()?;
    tensors.elements(kernel)?.checked_div(count)
}

/// Position of `o` in the kernel of `#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`.
fn kernel_output_dimension(numbers: Attr) -> Option<usize> {
    let text = numbers.to_text();
    let (_, kernel) = text.split_once("]x[")?;
    let (kernel, _) = kernel.split_once(']')?;
    kernel.split(',').position(|dim| dim.trim() == "o")
}
