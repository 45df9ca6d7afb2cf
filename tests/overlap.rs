// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-sort` hides every collective that the order of computation lets hide, within the limits in flight.

#[path = "../examples/overlap/programs.rs"]
mod programs;

use mlir_comm::{measure::Figures, passes::SortOptions};

/// Programs with a collective that could overlap and does not: `late` issues the first gather of a block directly before
/// its wait, and in this one a product stands before that, in the backward loop.
const FIRST_GATHER_OF_A_LOOP: &[&str] = &["jax/zero3_scan_L2_small_train"];

/// Collectives that could overlap and do not.
fn exposed(figures: &Figures) -> usize {
    [figures.gathers, figures.reductions, figures.others]
        .iter()
        .map(|tally| tally.could_overlap - tally.overlapped)
        .sum()
}

#[test]
fn every_collective_with_a_product_to_hide_behind_overlaps_one() {
    let options = SortOptions::default();
    let mut could_overlap = 0;
    for program in programs::all().expect("the programs can be read") {
        let meant = usize::from(FIRST_GATHER_OF_A_LOOP.contains(&program.name.as_str()));
        let before = programs::figures(&program, None).expect("the program can be imported");
        let after = programs::figures(&program, Some(&options)).expect("the program can be sorted");
        let (mut overlapped_before, mut exposed_after) = (0, 0);
        for ((name, before), (_, after)) in before.iter().zip(&after) {
            assert!(
                after.gathers.in_flight <= options.max_in_flight,
                "{} @{name}",
                program.name
            );
            assert!(
                after.reductions.in_flight <= options.max_in_flight_reductions,
                "{} @{name}",
                program.name
            );
            for (before, after) in [
                (before.gathers, after.gathers),
                (before.reductions, after.reductions),
                (before.others, after.others),
            ] {
                assert_eq!(before.count, after.count, "{} @{name}", program.name);
                assert_eq!(
                    before.could_overlap, after.could_overlap,
                    "{} @{name}",
                    program.name
                );
                could_overlap += after.could_overlap;
                overlapped_before += before.overlapped;
            }
            exposed_after += exposed(after);
        }
        assert_eq!(
            overlapped_before, 0,
            "{}: start and wait are adjacent after comm-asyncify",
            program.name
        );
        assert_eq!(exposed_after, meant, "{}", program.name);
    }
    assert!(
        could_overlap > 1000,
        "only {could_overlap} collectives could overlap: are the programs there?"
    );
}

#[test]
fn first_lets_the_first_gather_of_a_loop_overlap_too() {
    let options = SortOptions {
        all_gather: mlir_comm::passes::GatherPlacement::First,
        ..Default::default()
    };
    for program in programs::all().expect("the programs can be read") {
        if FIRST_GATHER_OF_A_LOOP.contains(&program.name.as_str()) {
            for (name, figures) in
                programs::figures(&program, Some(&options)).expect("the program can be sorted")
            {
                assert_eq!(exposed(&figures), 0, "{} @{name}", program.name);
            }
        }
    }
}
