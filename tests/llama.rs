// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The table of `docs/llama.md`: the step is Thunder's own, and what the table says of schedules holds, for two layers.

#[path = "../examples/llama/buckets.rs"]
mod buckets;
#[path = "../examples/llama/fuse.rs"]
mod fuse;
#[path = "../examples/llama/grow.rs"]
mod grow;
#[path = "../examples/llama/print.rs"]
mod print;
#[path = "../examples/llama/table.rs"]
mod table;
#[path = "../examples/llama/trace.rs"]
mod trace;
#[path = "../examples/llama/variants.rs"]
mod variants;

use std::collections::HashSet;

use mlir_comm::passes::Effort;

use buckets::by_block;
use grow::grow;
use print::View;
use table::{Situation, least_bytes, rows, step, under};
use trace::{Kind, Role, Step, Zero};
use variants::{Variant, figures, scheduled};

/// Gathers in forward, gathers in backward, reductions.
fn collectives(step: &Step) -> (usize, usize, usize) {
    let count = |ops: &[trace::Op], kind| ops.iter().filter(|op| op.role == Role::Start(kind)).count();
    let (forward, backward) = step.ops.split_at(step.backward);
    (
        count(forward, Kind::AllGather),
        count(backward, Kind::AllGather),
        count(backward, Kind::ReduceScatter),
    )
}

#[test]
fn two_layers_are_the_trace_and_more_repeat_the_second() {
    for zero in [Zero::Two, Zero::Three] {
        let traced = trace::read(zero).expect("the traces can be read");
        let two = grow(&traced, 2).expect("two layers");
        assert_eq!(two.arguments, traced.arguments);
        assert_eq!(two.ops, traced.ops);
        assert_eq!(two.backward, traced.backward);
        let returned = |step: &Step| step.returned.iter().cloned().collect::<HashSet<_>>();
        assert_eq!(returned(&two), returned(&traced));

        let [three, four] = [3, 4].map(|layers| grow(&traced, layers).expect("more layers"));
        assert!(three.ops.len() > two.ops.len());
        assert_eq!(four.ops.len() - three.ops.len(), three.ops.len() - two.ops.len());
        for grown in [three, four] {
            let mut defined: HashSet<&str> = grown
                .arguments
                .iter()
                .map(|argument| argument.name.as_str())
                .collect();
            assert_eq!(defined.len(), grown.arguments.len());
            for op in &grown.ops {
                assert!(
                    op.inputs.iter().all(|input| defined.contains(input.as_str())),
                    "{op:?}"
                );
                assert!(
                    op.outputs.iter().all(|output| defined.insert(&output.name)),
                    "{op:?}"
                );
            }
            assert!(grown.returned.iter().all(|name| defined.contains(name.as_str())));
        }
    }
}

/// Thunder 0.2.3 itself emits these numbers for 32 layers, with buckets by block and without.
#[test]
fn collectives_of_32_layers_are_those_of_thunder() {
    for (zero, again, of_blocks) in [(Zero::Two, 0, 0), (Zero::Three, 161, 33)] {
        let traced = trace::read(zero).expect("the traces can be read");
        let grown = grow(&traced, 32).expect("32 layers");
        assert_eq!(collectives(&grown), (227, again, 227));
        assert_eq!(collectives(&by_block(&grown)), (36, of_blocks, 36));
    }
}

/// `comm-schedule` takes no more time than any other row with its memory, keeps limits, and no row is below the bound.
fn check(zero: Zero, has_buckets: bool, effort: Effort) {
    let situation = Situation {
        machine: "h100-8",
        zero,
        has_buckets,
        is_fused: true,
    };
    let traced = trace::read(zero).expect("the traces can be read");
    let step = step(&traced, situation).expect("the step of the situation");
    let all = rows(&step, situation, effort).expect("all rows");
    let of = |label: &str| {
        let row = all.rows.iter().find(|row| row.label == label);
        row.unwrap_or_else(|| panic!("no row {label}")).figures
    };
    for row in &all.rows {
        assert!(all.bound_ns <= row.figures.step_ns, "{}", row.label);
        // Under a fence the search is another one, which may be luckier.
        if row.label != "... traces apart" {
            assert!(
                of("`comm-schedule`").step_ns <= row.figures.step_ns,
                "{}",
                row.label
            );
        }
    }
    for label in ["merged", "two sorts"] {
        let other = of(label);
        if zero == Zero::Three {
            assert!(other.gathers <= 3, "{label}");
        }
        let variant = Variant::Schedule {
            effort,
            view: View::Whole,
            memory_limit: Some(other.peak_bytes),
        };
        let problem = scheduled(&step, zero, variant, situation.machine).expect("the limit is kept");
        let own = figures(&problem);
        assert!(own.peak_bytes <= other.peak_bytes, "{label}");
        // List orders alone may miss the sorts' time by a little where memory is limited.
        let allowed = match effort {
            Effort::Fast => other.step_ns + other.step_ns / 100,
            _ => other.step_ns,
        };
        assert!(own.step_ns <= allowed, "{label}: {own:?} and {other:?}");
    }
    let (merged, least) = (of("... memory of merged"), of("... least memory"));
    assert!(merged.peak_bytes <= of("merged").peak_bytes);
    assert!(least.peak_bytes <= of("source order").peak_bytes);
    assert!(least.step_ns <= of("source order").step_ns);

    let source = scheduled(&step, zero, Variant::Source, situation.machine).expect("the source");
    let limit = least_bytes(&source, effort).expect("a least limit");
    assert!(least.peak_bytes <= limit);
    let below = comm_schedule::schedule(&source, &under(effort, Some(limit - 1)));
    assert!(below.is_err(), "{limit} is the least");
}

#[test]
fn table_holds_for_list_orders() {
    for zero in [Zero::Two, Zero::Three] {
        for has_buckets in [false, true] {
            check(zero, has_buckets, Effort::Fast);
        }
    }
}

#[test]
fn table_holds_for_the_default_effort() {
    check(Zero::Three, false, Effort::Default);
}
