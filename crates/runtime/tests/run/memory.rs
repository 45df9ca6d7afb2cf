// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Symmetric memory: alignment, peers, groups, and what becomes of streams that still use it.

use std::{thread, time::Duration};

use comm_runtime::{At, Buffer, Element, Error, Rank, Tensor};

use crate::World;

const AT: At<'static> = At {
    location: "test.mlir:1:1",
    timeout: None,
};

#[test]
fn parts_are_zeroed_aligned_and_seen_by_all_members() {
    let outcome = World::default().run(4, |rank| {
        let row = rank.group_among(&[1, 0, 2, 3], 2)?;
        let buffer = rank.symmetric_alloc(row, 100, AT)?;
        assert_eq!(rank.symmetric_bytes(buffer)?, 100);
        let members = if rank.index() < 2 { [0, 1] } else { [2, 3] };
        for member in members {
            assert_eq!(rank.peer(buffer, member)?.addr() % 64, 0);
        }
        let own = rank.peer(buffer, rank.index())?;
        let bytes = |data: *mut u8| {
            // SAFETY: 100 bytes of the buffer, which nobody writes between the barriers.
            unsafe { std::slice::from_raw_parts(data, 100) }.to_vec()
        };
        assert_eq!(bytes(own), [0; 100]);
        // SAFETY: as above; only its rank writes a part.
        unsafe { own.write_bytes(rank.index() as u8 + 1, 100) };
        let stream = rank.current_stream()?;
        rank.barrier(stream, row, 0, AT)?;
        rank.synchronize(stream, AT)?;
        for member in members {
            assert_eq!(bytes(rank.peer(buffer, member)?), [member as u8 + 1; 100]);
        }
        rank.symmetric_free(buffer, AT)
    });
    outcome.all().unwrap();
}

#[test]
fn buffers_are_checked() {
    let message = |program: fn(&Rank, Buffer) -> Result<(), Error>| {
        let outcome = World::default().run(2, |rank| {
            let own = rank.group(&[rank.index()])?;
            program(rank, rank.symmetric_alloc(own, 8, AT)?)
        });
        outcome.failure.unwrap().to_string()
    };
    let stranger = message(|rank, buffer| rank.peer(buffer, 1 - rank.index()).map(drop));
    assert!(
        stranger.contains("has no part of the buffer; ranks ["),
        "{stranger}"
    );
    let freed = message(|rank, buffer| {
        rank.symmetric_free(buffer, AT)?;
        rank.peer(buffer, rank.index()).map(drop)
    });
    assert!(freed.contains("of no symmetric buffer of this rank"), "{freed}");
    let twice = message(|rank, buffer| {
        rank.symmetric_free(buffer, AT)?;
        rank.symmetric_free(buffer, AT)
    });
    assert!(twice.contains("of no symmetric buffer of this rank"), "{twice}");
}

/// Freeing waits for the streams of all members: a slow reader of a peer's part must not find it gone.
#[test]
fn memory_outlives_what_was_issued_on_it() {
    let outcome = World::default().run(3, |rank| {
        let everyone = rank.group(&[0, 1, 2])?;
        let buffer = rank.symmetric_alloc(everyone, 4096, AT)?;
        let (stream, peer) = (rank.current_stream()?, (rank.index() + 1) % 3);
        let theirs = Tensor::contiguous(rank.peer(buffer, peer)?, Element::U8, &[4096]);
        let delay = Duration::from_millis(20 * rank.index() as u64);
        rank.launch(stream, "read late", AT, move || {
            thread::sleep(delay);
            // SAFETY: nobody writes the buffer.
            let bytes = unsafe { std::slice::from_raw_parts(theirs.data(), 4096) };
            if bytes.iter().all(|&byte| byte == 0) {
                Ok(())
            } else {
                Err("freed too early".to_owned())
            }
        })?;
        rank.symmetric_free(buffer, AT)
    });
    outcome.all().unwrap();
}

#[test]
fn what_cannot_be_had_is_an_error() {
    let outcome = World::default().run(1, |rank| {
        rank.symmetric_alloc(rank.group(&[0])?, usize::MAX - 63, At::from("big.mlir:1:1"))
            .map(drop)
    });
    let message = outcome.failure.unwrap().to_string();
    assert!(
        message.contains("symmetric_alloc at big.mlir:1:1: no memory for"),
        "{message}"
    );
}
