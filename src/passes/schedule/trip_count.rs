// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How often a loop runs: by its bounds where they are constants, else by the attribute `comm.trip_count`.
//!
//! Of loops that test a condition, those are counted whose condition compares an integer that counts up by a constant with a
//! constant: what JAX makes of `scan` and `fori_loop`. O(size of the loop's head) a loop.

use mlir_sys::{
    mlirAffineMapAttrGetValue, mlirAffineMapGetSingleConstantResult, mlirAffineMapIsSingleConstant,
    mlirAttributeIsAAffineMap,
};

use crate::{
    control::{Control, While},
    mlir::{Attr, Op, Value},
};

/// How often the body of a loop runs; nothing where that is not known.
pub(super) fn of(op: Op) -> Option<u64> {
    by_bounds(op).or_else(|| {
        op.discardable_attr("comm.trip_count")
            .and_then(Attr::as_i64)
            .and_then(|count| u64::try_from(count).ok())
    })
}

fn by_bounds(op: Op) -> Option<u64> {
    match Control::of(op) {
        Control::For {
            lower, upper, step, ..
        } => count(constant(lower)?, constant(upper)?, constant(step)?),
        Control::While(head) => of_counter(op, &head),
        Control::Affine => count(
            constant_map(op.attr("lowerBoundMap")?)?,
            constant_map(op.attr("upperBoundMap")?)?,
            op.attr("step")?.as_i64()?,
        ),
        Control::Unordered => of_unordered(op),
        Control::Branch(_) | Control::Once | Control::Unknown => None,
    }
}

/// Numbers from `lower` up to, but not, `upper`, in steps.
fn count(lower: i64, upper: i64, step: i64) -> Option<u64> {
    let step = u64::try_from(step).ok().filter(|step| *step > 0)?;
    if upper <= lower {
        return Some(0);
    }
    Some(upper.abs_diff(lower).div_ceil(step))
}

/// The integer that a value always is, also as a tensor of one element.
fn constant(value: Value) -> Option<i64> {
    let op = value.defining_op()?;
    let attr = match op.name() {
        "arith.constant" | "index.constant" | "stablehlo.constant" | "tosa.const" => {
            op.attr("value").or_else(|| op.attr("values"))?
        }
        _ => return None,
    };
    attr.as_i64()
        .or_else(|| attr.splat_element().and_then(Attr::as_integer_bits))
}

fn constant_map(attr: Attr) -> Option<i64> {
    // SAFETY: attributes live as long as their context; the map is asked for after its kind.
    unsafe {
        if !mlirAttributeIsAAffineMap(attr.raw()) {
            return None;
        }
        let map = mlirAffineMapAttrGetValue(attr.raw());
        mlirAffineMapIsSingleConstant(map).then(|| mlirAffineMapGetSingleConstantResult(map))
    }
}

/// `scf.parallel` and `scf.forall`: the product over all dimensions.
fn of_unordered(op: Op) -> Option<u64> {
    let bounds: Vec<[i64; 3]> = match op.name() {
        "scf.parallel" => {
            let segments = op.attr("operandSegmentSizes")?.as_i32_array()?;
            let rank = usize::try_from(*segments.first()?).ok()?;
            (0..rank)
                .map(|dim| {
                    Some([
                        constant(op.operand(dim))?,
                        constant(op.operand(rank + dim))?,
                        constant(op.operand(2 * rank + dim))?,
                    ])
                })
                .collect::<Option<_>>()?
        }
        "scf.forall" => {
            let list = |name| {
                let values = op.attr(name)?.as_i64_array()?;
                // The dynamic ones are operands.
                (!values.contains(&i64::MIN)).then_some(values)
            };
            let (lower, upper) = (list("staticLowerBound")?, list("staticUpperBound")?);
            let step = list("staticStep")?;
            let pairs = lower.into_iter().zip(upper).zip(step);
            pairs.map(|((lower, upper), step)| [lower, upper, step]).collect()
        }
        _ => return None,
    };
    bounds
        .into_iter()
        .try_fold(1u64, |product, [lower, upper, step]| {
            count(lower, upper, step).map(|count| product.saturating_mul(count))
        })
}

/// A `stablehlo.while` whose condition is that a counter, which starts at a constant and grows by one, is less than
/// another.
fn of_counter(op: Op, head: &While) -> Option<u64> {
    let test = head.condition.defining_op()?;
    let is_less = test.name() == "stablehlo.compare"
        && test.num_operands() == 2
        && test
            .attr("comparison_direction")
            .is_some_and(|direction| direction.to_text().contains("LT"));
    if !is_less {
        return None;
    }
    let position = |value: Value| (value.argument_of() == Some(head.before)).then(|| value.index());
    let counter = position(test.operand(0))?;
    // JAX lists the constants of a loop among what it carries.
    let carried = |value: Value| match position(value) {
        Some(index) if is_invariant(head, index) => op.operands().nth(index),
        Some(_) => None,
        None => Some(value),
    };
    let upper = constant(carried(test.operand(1))?)?;
    let lower = constant(op.operands().nth(counter)?)?;
    let next = head.next.get(counter)?.defining_op()?;
    if next.name() != "stablehlo.add" || next.num_operands() != 2 {
        return None;
    }
    let is_counter = |value: Value| value.argument_of() == Some(head.body) && value.index() == counter;
    let step = match (next.operand(0), next.operand(1)) {
        (one, other) if is_counter(one) => other,
        (other, one) if is_counter(one) => other,
        _ => return None,
    };
    count(lower, upper, constant(step)?)
}

/// Whether the body of a loop passes on what it carries at a position as it is.
fn is_invariant(head: &While, index: usize) -> bool {
    head.next
        .get(index)
        .is_some_and(|value| value.argument_of() == Some(head.body) && value.index() == index)
}
