// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Nothing is left behind, whatever happened: no symmetric memory and no thread. Alone in its process, since it
//! counts.

use comm_runtime::{At, Error, World, live_symmetric_bytes};

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

#[test]
fn runs_leave_no_memory_and_no_thread_behind() {
    let at = At::from("leak.mlir:1:1");
    let before = threads();
    let endings: [fn(usize) -> Result<(), String>; 3] = [
        |_| Ok(()),
        |rank| if rank == 1 { Err("ill".to_owned()) } else { Ok(()) },
        |rank| if rank == 2 { panic!("dies") } else { Ok(()) },
    ];
    for (number, ending) in endings.into_iter().enumerate() {
        let outcome = World::default().run(4, |rank| {
            let everyone = rank.group(&[0, 1, 2, 3])?;
            let first = rank.symmetric_alloc(everyone, 1000, at)?;
            let kept = rank.symmetric_alloc(rank.group_among(&[0, 1, 2, 3], 2)?, 5000, at)?;
            assert!(live_symmetric_bytes() >= 6000);
            rank.launch(rank.stream("a")?, "work", at, || Ok(()))?;
            ending(rank.index()).map_err(|message| rank.fail(&message, ""))?;
            rank.symmetric_free(first, at)?;
            rank.barrier(rank.stream("b")?, everyone, 0, at)?;
            rank.synchronize_all(at)?;
            Ok::<_, Error>(kept)
        });
        assert_eq!(outcome.all().is_ok(), number == 0);
        assert_eq!(live_symmetric_bytes(), 0);
        // A joined thread may be listed for a moment longer.
        let patience = std::time::Instant::now();
        while threads() > before && patience.elapsed() < std::time::Duration::from_secs(20) {
            std::thread::yield_now();
        }
        assert_eq!(threads(), before);
    }
}
