// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-fuse-matmul` promises: values stay what they are. Programs run on an interpreter of n devices in doubles,
//! before and after; all numbers are small integers before anything inexact, so sums agree bit by bit in any order.

#[path = "fuse_matmul/attributes.rs"]
mod attributes;
#[path = "fuse_matmul/interpreter.rs"]
mod interpreter;
#[path = "fuse_matmul/tensor.rs"]
mod tensor;

use melior::{
    Context,
    ir::{BlockLike, Module, RegionLike, operation::OperationLike},
    pass::PassManager,
};
use mlir_comm::passes::{self, FuseMatmulOptions};

/// Runs the pass on all functions and returns the text.
fn fused(context: &Context, text: &str, options: &FuseMatmulOptions) -> String {
    let mut module = Module::parse(context, text).unwrap_or_else(|| panic!("does not parse:\n{text}"));
    let manager = PassManager::new(context);
    manager
        .nested_under("func.func")
        .add_pass(passes::fuse_matmul(options));
    manager.run(&mut module).expect("the pass succeeds");
    module.as_operation().to_string()
}

/// What every function of a program returns on so many devices, by name.
fn results(context: &Context, text: &str, devices: usize) -> Vec<(String, Vec<Vec<tensor::Tensor>>)> {
    let module = Module::parse(context, text).unwrap_or_else(|| panic!("does not parse:\n{text}"));
    let mut all = Vec::new();
    let mut next = module.body().first_operation();
    while let Some(function) = next {
        let name = function
            .attribute("sym_name")
            .expect("a function has a name")
            .to_string();
        let body = function
            .region(0)
            .expect("a body")
            .first_block()
            .expect("a block");
        all.push((name, interpreter::run(body, devices)));
        next = function.next_in_block();
    }
    all
}

/// Checks that the program computes the same before and after, and that `count` ops were fused.
fn check(text: &str, devices: usize, count: usize) {
    let context = mlir_comm::context();
    context.set_allow_unregistered_dialects(true);
    let expected = results(&context, text, devices);
    for ordered in [false, true] {
        let options = FuseMatmulOptions {
            force: true,
            ordered,
            ..Default::default()
        };
        let after = fused(&context, text, &options);
        let made = after.matches("comm.all_gather_matmul").count()
            + after.matches("comm.matmul_reduce_scatter").count();
        assert_eq!(made, count, "{after}");
        assert_eq!(
            after.matches(" ordered {comm.duration_ns").count(),
            if ordered { count } else { 0 },
            "{after}"
        );
        let actual = results(&context, &after, devices);
        assert_eq!(actual.len(), expected.len());
        for ((name, expected), (_, actual)) in expected.iter().zip(&actual) {
            assert!(
                expected == actual,
                "{name} on {devices} devices, ordered: {ordered}\n{after}"
            );
        }
    }
}

#[test]
fn the_forms_of_gathers_keep_their_values() {
    check(include_str!("../test/fuse-matmul/gathers.mlir"), 2, 6);
}

#[test]
fn the_forms_of_reductions_keep_their_values() {
    check(include_str!("../test/fuse-matmul/scatters.mlir"), 2, 4);
}

/// One gather and `products` of it along `dim` of three, one reduce-scatter of their sum and one all-reduce.
fn program(group: usize, shard: [usize; 3], products: usize, dim: usize) -> String {
    let groups: Vec<String> = (0..2)
        .map(|first| {
            let ranks: Vec<String> = (0..group).map(|rank| (2 * rank + first).to_string()).collect();
            format!("[{}]", ranks.join(", "))
        })
        .collect();
    let groups = groups.join(", ");
    let mut whole = shard;
    whole[dim] *= group;
    let ty = |shape: &[usize]| {
        format!(
            "tensor<{}xf32>",
            shape.iter().map(usize::to_string).collect::<Vec<_>>().join("x")
        )
    };
    let [batch, rows, depth] = whole;
    let columns = 3;
    let (x, g, w, p) = (
        ty(&shard),
        ty(&whole),
        ty(&[depth, columns]),
        ty(&[batch, rows, columns]),
    );
    let dot = |left: usize, right: usize| {
        format!(
            "<{{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [{left}], \
             rhs_contracting_dimensions = [{right}]>}}>"
        )
    };
    let mut body = format!("  %g = comm.all_gather %x dim {dim} over [{groups}] : {x} -> {g}\n");
    let mut last = String::new();
    for index in 0..products {
        body += &format!(
            "  %p{index} = \"stablehlo.dot_general\"(%g, %w{index}) {} : ({g}, {w}) -> {p}\n",
            dot(2, 0)
        );
        body += &format!(
            "  %d{index} = \"stablehlo.dot_general\"(%p{index}, %w{index}) {} : ({p}, {w}) -> {g}\n",
            dot(2, 1)
        );
        last = if index == 0 {
            "%d0".to_owned()
        } else {
            body += &format!("  %a{index} = \"stablehlo.add\"({last}, %d{index}) : ({g}, {g}) -> {g}\n");
            format!("%a{index}")
        };
    }
    let kind = if products.is_multiple_of(2) { "avg" } else { "sum" };
    body += &format!("  %s = comm.reduce_scatter {kind} {last} dim {dim} over [{groups}] : {g} -> {x}\n");
    body += &format!(
        "  %q = \"stablehlo.dot_general\"(%g, %w0) {} : ({g}, {w}) -> {p}\n",
        dot(2, 0)
    );
    body += &format!("  return %s, %q : {x}, {p}\n");
    let weights: Vec<String> = (0..products).map(|index| format!(", %w{index}: {w}")).collect();
    format!(
        "func.func @f(%x: {x}{}) -> ({x}, {p}) {{\n{body}}}\n",
        weights.concat()
    )
}

#[test]
fn every_group_size_dimension_and_number_of_products_keeps_its_values() {
    for group in [2, 3, 4, 8] {
        for products in 1..=3 {
            for dim in 0..3 {
                // Odd sizes, which no group divides.
                check(&program(group, [1, 3, 5], products, dim), 2 * group, 2);
            }
        }
    }
}
