// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Time to build and to sort blocks of 10,000 to 1,000,000 nodes, and how it grows.
//!
//! The block is a training step of layers: a forward pass that gathers each layer's weights, a backward pass that
//! gathers them again and reduces two gradients a layer. Besides criterion's figures one line is printed for each
//! pair of neighbouring sizes: time a node of the larger one over that of the smaller one, from the same run. A
//! linear sort stays near 1, with a rise where the problem leaves the caches; the last pair doubles the size.

use comm_schedule::{Collective, Node, NodeId, Problem, SortOptions, sort};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::{Duration, Instant};

const SIZES: [usize; 4] = [10_000, 100_000, 500_000, 1_000_000];
const NODES_PER_LAYER: usize = 37;

fn training_step(nodes: usize) -> Problem {
    let layers = nodes / NODES_PER_LAYER;
    let mut problem = Problem::with_capacity(nodes, 2 * nodes);
    let stream = problem.stream("dp");
    let shards: Vec<NodeId> = (0..2 * layers)
        .map(|_| problem.push(Node::arg().bytes(1 << 20)))
        .collect();
    let mut x = problem.push(Node::arg().bytes(1 << 22));
    let gather = |problem: &mut Problem, shard: NodeId| {
        let start = problem.push(
            Node::start(Collective::AllGather, stream)
                .ns(900)
                .bytes(1 << 23)
                .deps(&[shard]),
        );
        problem.push(Node::wait(start).deps(&[start, shard]))
    };
    let mut activations = Vec::with_capacity(layers);
    for layer in 0..layers {
        activations.push(x);
        for weight in [shards[2 * layer], shards[2 * layer + 1]] {
            let weight = gather(&mut problem, weight);
            let transposed = problem.push(Node::view().deps(&[weight]));
            let matmul = problem.push(Node::compute().ns(1000).bytes(1 << 22).deps(&[x, transposed]));
            let norm = problem.push(Node::compute().ns(50).bytes(1 << 22).deps(&[matmul]));
            x = problem.push(Node::compute().ns(50).bytes(1 << 22).deps(&[norm, x]));
        }
    }
    let mut reduced = Vec::with_capacity(2 * layers);
    let mut gradients = Vec::with_capacity(2 * layers);
    for layer in (0..layers).rev() {
        for weight in [shards[2 * layer + 1], shards[2 * layer]] {
            let weight = gather(&mut problem, weight);
            let wgrad = problem.push(
                Node::compute()
                    .ns(1000)
                    .bytes(1 << 23)
                    .deps(&[x, activations[layer]]),
            );
            let dgrad = problem.push(Node::compute().ns(1000).bytes(1 << 22).deps(&[x, weight]));
            x = problem.push(Node::compute().ns(50).bytes(1 << 22).deps(&[dgrad, x]));
            let narrow = problem.push(Node::compute().ns(50).bytes(1 << 22).cheap(true).deps(&[wgrad]));
            gradients.push(narrow);
        }
    }
    // As front ends emit it: all reductions at the end, each awaited at once.
    for gradient in gradients {
        let scatter = Node::start(Collective::ReduceScatter, stream)
            .ns(900)
            .bytes(1 << 20);
        let start = problem.push(scatter.deps(&[gradient]));
        let wait = problem.push(Node::wait(start).deps(&[start, gradient]));
        reduced.push(problem.push(Node::compute().ns(10).bytes(1 << 20).deps(&[wait])));
    }
    problem.push(Node::compute().deps(&reduced));
    problem
}

fn shortest(runs: usize, mut run: impl FnMut()) -> Duration {
    let timed = (0..runs).map(|_| {
        let begin = Instant::now();
        run();
        begin.elapsed()
    });
    timed.min().unwrap_or_default()
}

fn ratios() {
    let per_node = SIZES.map(|size| {
        let problem = training_step(size);
        let runs = 1 + 1_000_000 / size;
        let built = shortest(runs.min(20), || drop(black_box(training_step(size))));
        let sorted = shortest(runs.min(20), || {
            drop(black_box(sort(&problem, &SortOptions::default())))
        });
        println!(
            "{} nodes: built in {built:.1?}, sorted in {sorted:.1?}",
            problem.len()
        );
        sorted.as_secs_f64() / problem.len() as f64
    });
    for (sizes, times) in SIZES.windows(2).zip(per_node.windows(2)) {
        println!(
            "time a node at {} over {}: {:.2}",
            sizes[1],
            sizes[0],
            times[1] / times[0]
        );
    }
}

fn bench(criterion: &mut Criterion) {
    ratios();
    let mut group = criterion.benchmark_group("sort");
    group.sample_size(10);
    for size in SIZES {
        let problem = training_step(size);
        group.throughput(Throughput::Elements(problem.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(size), &problem, |bencher, problem| {
            bencher.iter(|| sort(problem, &SortOptions::default()));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
