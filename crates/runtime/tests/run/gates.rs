// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A fault that needs ranks in one process: one holds the other back.

use std::sync::Mutex;

use comm_runtime::At;

use crate::faults::{FOREVER, SHORT, assert_has, messages, sum, world};

/// The late rank issued its op in time, but its stream gets to it after the others have given up.
#[test]
fn a_rank_that_is_late_hears_of_it_too() {
    let (over, wait) = std::sync::mpsc::channel::<()>();
    let gate = Mutex::new(Some(wait));
    let over = Mutex::new(Some(over));
    let outcome = world(SHORT).run(2, |rank| {
        let stream = rank.current_stream()?;
        if rank.index() == 1 {
            let wait = gate.lock().unwrap().take().unwrap();
            rank.launch(stream, "long", At::default(), move || {
                wait.recv_timeout(FOREVER).ok();
                Ok(())
            })?;
        }
        sum(rank, stream, 4, At::from("l.mlir:6:1"))?;
        let end = rank.synchronize(stream, At::default());
        if rank.index() == 0 {
            drop(over.lock().unwrap().take());
        }
        end
    });
    let messages = messages(&outcome);
    let first = "rank 0: all_reduce at l.mlir:6:1: rank 0 gave up after 300 ms; missing: rank 1 (";
    assert_has(&messages[0], &[first]);
    assert_has(
        &messages[1],
        &[
            "rank 1: all_reduce at l.mlir:6:1: ended by a failure elsewhere: ",
            first,
        ],
    );
}
