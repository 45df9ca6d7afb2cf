// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Runs two programs on the same random values and compares what they compute.

use comm_algebra::{
    Element, NodeId, Program,
    interpreter::{Value, random_arguments, run},
};

/// How two results compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Bit by bit.
    Same,
    /// Up to what a few roundings explain.
    Close,
    /// Neither.
    Different,
}

fn all_values(program: &Program, seed: u64) -> (Value, f64, f64) {
    let mut whole = program.clone();
    let ids: Vec<NodeId> = whole.ids().collect();
    whole.set_results(&ids).unwrap();
    let values = run(&whole, &random_arguments(program, seed)).expect("arguments are given");
    let largest = values
        .iter()
        .flatten()
        .flat_map(|tensor| tensor.values())
        .filter(|value| value.is_finite());
    let largest = largest.fold(1.0, |largest: f64, value| largest.max(value.abs()));
    let unit = |element: Element| match element {
        Element::Bf16 => 2f64.powi(-8),
        Element::F16 => 2f64.powi(-11),
        Element::F32 => 2f64.powi(-24),
        _ => 2f64.powi(-53),
    };
    let coarsest = program
        .nodes()
        .iter()
        .map(|node| unit(node.ty.element))
        .fold(0.0, f64::max);
    (values[program.results()[0].index()].clone(), largest, coarsest)
}

/// Compares the first results.
pub fn judge(before: &Program, after: &Program, seed: u64) -> Verdict {
    let (a, large_a, unit_a) = all_values(before, seed);
    let (b, large_b, unit_b) = all_values(after, seed);
    if a.iter().zip(&b).any(|(a, b)| a.ty != b.ty) {
        return Verdict::Different;
    }
    if a.iter().zip(&b).all(|(a, b)| a.bits() == b.bits()) {
        return Verdict::Same;
    }
    // Each of at most a few dozen roundings errs by a unit of the largest value around.
    let tolerance = 24.0 * unit_a.max(unit_b) * large_a.max(large_b);
    let close = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance;
    let values = |value: &Value| {
        value
            .iter()
            .flat_map(|tensor| tensor.values())
            .collect::<Vec<f64>>()
    };
    let floats = a.iter().all(|tensor| tensor.ty.element.is_float());
    if floats && values(&a).into_iter().zip(values(&b)).all(|(a, b)| close(a, b)) {
        return Verdict::Close;
    }
    Verdict::Different
}
