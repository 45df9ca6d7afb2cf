// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-sort` beside parsing and printing of the same program, in process.
//!
//! ```text
//! cargo bench --bench sort
//! ```

mod large;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use melior::{ir::Module, pass::PassManager};
use mlir_comm::passes::{self, SortOptions};

fn benches(criterion: &mut Criterion) {
    let mut programs: Vec<(String, String)> = Vec::new();
    match large::training_step() {
        Ok(text) => programs.push(("training step of 32 layers".to_owned(), text)),
        Err(error) => panic!("{error}"),
    }
    programs
        .extend([10_000, 100_000, 1_000_000].map(|ops| (format!("block of {ops} ops"), large::block(ops))));
    let context = mlir_comm::context();
    for (name, text) in &programs {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        group.bench_function(BenchmarkId::from_parameter("comm-sort"), |bencher| {
            bencher.iter_batched_ref(
                || Module::parse(&context, text).expect("the program parses"),
                |module| {
                    let manager = PassManager::new(&context);
                    manager.enable_verifier(false);
                    manager
                        .nested_under("func.func")
                        .add_pass(passes::sort(&SortOptions::default()));
                    manager.run(module).expect("the program can be sorted");
                },
                BatchSize::PerIteration,
            );
        });
        group.bench_function(BenchmarkId::from_parameter("parse"), |bencher| {
            bencher.iter_with_large_drop(|| Module::parse(&context, text).expect("the program parses"));
        });
        let module = Module::parse(&context, text).expect("the program parses");
        group.bench_function(BenchmarkId::from_parameter("print"), |bencher| {
            bencher.iter_with_large_drop(|| module.as_operation().to_string());
        });
        group.finish();
    }
}

criterion_group!(group, benches);
criterion_main!(group);
