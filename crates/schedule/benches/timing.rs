// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Time to time 100,000 tasks: a block by the clocks, the same block by the engine, with and without contention, and a
//! program of streams whose copies and kernels compete for resources.

use comm_schedule::timing::Contention;
use comm_schedule::timing::block::Block;
use comm_schedule::timing::engine::simulate;
use comm_schedule::timing::tasks::{Grant, Resource, Task, TaskProgram, TaskStream, Use, Work};
use comm_schedule::{Collective, Node, NodeId, Problem, timeline};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const TASKS: usize = 100_000;

/// A chain of layers, each of which gathers its weights one layer ahead.
fn block() -> Problem {
    let mut problem = Problem::new();
    let stream = problem.stream("dp");
    let shard = problem.push(Node::arg());
    let mut x = problem.push(Node::arg());
    let mut pending: Option<NodeId> = None;
    while problem.len() < TASKS {
        let gather = Node::start(Collective::AllGather, stream).ns(900);
        let start = problem.push(gather.deps(&[shard]));
        if let Some(start) = pending.replace(start) {
            let weight = problem.push(Node::wait(start).deps(&[start, shard]));
            let matmul = problem.push(Node::compute().ns(1000).deps(&[x, weight]));
            x = problem.push(Node::compute().ns(50).deps(&[matmul]));
        }
    }
    problem
}

/// Pairs of a copy and a kernel on eight streams that share two copy engines and the compute units.
fn streams() -> TaskProgram {
    let mut program = TaskProgram::new();
    let streams: Vec<TaskStream> = (0..8).map(|_| program.stream()).collect();
    let units = program.resource(Resource::Shared { capacity: 1000 });
    let copy = Resource::Exclusive {
        grant: Grant::Readiness,
    };
    let engines = [program.resource(copy), program.resource(copy)];
    for pair in 0..TASKS / 2 {
        let stream = streams[pair % 8];
        let copy = program.push(Task {
            stream,
            work: Work::Communication,
            duration_ns: 300 + pair as u64 % 7,
            uses: &[Use {
                resource: engines[pair % 2],
                parts: 1,
            }],
            waits: &[],
        });
        program.push(Task {
            stream: streams[(pair + 3) % 8],
            work: Work::Computation,
            duration_ns: 500 + pair as u64 % 11,
            uses: &[Use {
                resource: units,
                parts: 200 + 100 * (pair as u32 % 5),
            }],
            waits: &[copy],
        });
    }
    program
}

fn bench(criterion: &mut Criterion) {
    let (none, contention) = (Contention::default(), Contention::new(1.2, 1.4).expect("factors"));
    let problem = block();
    let order: Vec<_> = problem.ids().collect();
    let tasks = Block::new(&problem, &order);
    let program = streams();
    let mut group = criterion.benchmark_group("timing");
    group.sample_size(20);
    group.throughput(Throughput::Elements(TASKS as u64));
    group.bench_function("block, clocks", |bencher| {
        bencher.iter(|| timeline(&problem, &order))
    });
    group.bench_function("block, made into tasks", |bencher| {
        bencher.iter(|| Block::new(&problem, &order));
    });
    group.bench_function("block, engine", |bencher| bencher.iter(|| tasks.timeline(&none)));
    group.bench_function("block, engine with contention", |bencher| {
        bencher.iter(|| tasks.timeline(&contention));
    });
    group.bench_function("streams, engine", |bencher| {
        bencher.iter(|| simulate(&program, &none))
    });
    group.bench_function("streams, engine with contention", |bencher| {
        bencher.iter(|| simulate(&program, &contention));
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
