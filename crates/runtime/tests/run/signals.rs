// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Signals with epochs: what they order, and that none is lost.

use comm_runtime::{At, Element, Error, Rank, Tensor};

use crate::World;

const AT: At<'static> = At {
    location: "test.mlir:1:1",
    timeout: None,
};

fn everyone(rank: &Rank) -> Result<comm_runtime::Group, Error> {
    rank.group(&(0..rank.ranks()).collect::<Vec<_>>())
}

/// Each rank pushes to the next one, through one slot that is used again and again: `full` tells that a value is
/// there, `empty` that it was taken. Any lost or early signal makes a wrong value.
#[test]
fn a_ring_through_one_slot() {
    const TURNS: u64 = 200;
    for ranks in [1, 2, 5] {
        let outcome = World::default().run(ranks, |rank| {
            let (full, empty) = (1, 2);
            let slot = rank.symmetric_alloc(everyone(rank)?, 8, AT)?;
            let (send, receive) = (rank.stream("send")?, rank.stream("receive")?);
            let next = (rank.index() + 1) % ranks;
            let previous = (rank.index() + ranks - 1) % ranks;
            let mut values: Vec<u64> = (0..TURNS).map(|turn| turn * 100 + rank.index() as u64).collect();
            let mut seen = vec![0u64; TURNS as usize];
            let cell = |data: *mut u8| Tensor::contiguous(data, Element::U64, &[1]);
            let (to, from) = (cell(rank.peer(slot, next)?), cell(rank.peer(slot, rank.index())?));
            for turn in 0..TURNS {
                let place = turn as usize;
                let value = cell((&raw mut values[place]).cast());
                let result = cell((&raw mut seen[place]).cast());
                if turn > 0 {
                    rank.wait_signal(send, next, Some(slot), empty, turn, AT)?;
                }
                // SAFETY: the vectors outlive the streams' work, and signals keep accesses to the slot apart.
                unsafe { rank.copy(send, &to, &value, AT)? };
                rank.put_signal(send, next, Some(slot), full, turn + 1, AT)?;
                rank.wait_signal(receive, previous, Some(slot), full, turn + 1, AT)?;
                // SAFETY: as above.
                unsafe { rank.copy(receive, &result, &from, AT)? };
                rank.put_signal(receive, previous, Some(slot), empty, turn + 1, AT)?;
            }
            rank.synchronize_all(AT)?;
            rank.symmetric_free(slot, AT)?;
            let expected: Vec<u64> = (0..TURNS).map(|turn| turn * 100 + previous as u64).collect();
            assert_eq!(seen, expected);
            Ok(())
        });
        outcome.all().unwrap();
    }
}

#[test]
fn a_later_epoch_satisfies_an_earlier_wait_and_channels_are_apart() {
    let outcome = World::default().run(2, |rank| {
        let stream = rank.current_stream()?;
        let buffers = [
            Some(rank.symmetric_alloc(everyone(rank)?, 1, AT)?),
            Some(rank.symmetric_alloc(everyone(rank)?, 1, AT)?),
            None,
        ];
        let peer = 1 - rank.index();
        // Equal channel numbers of different buffers count for themselves: each may begin at 1.
        for (index, buffer) in buffers.into_iter().enumerate() {
            for channel in [0, 1] {
                rank.put_signal(stream, peer, buffer, channel, 1 + index as u64, AT)?;
                rank.put_signal(stream, peer, buffer, channel, 9, AT)?;
            }
        }
        for buffer in buffers {
            for channel in [1, 0] {
                for epoch in [3, 9, 1] {
                    rank.wait_signal(stream, peer, buffer, channel, epoch, AT)?;
                }
            }
        }
        rank.synchronize(stream, AT)
    });
    outcome.all().unwrap();
}

#[test]
fn a_signal_of_one_buffer_does_not_count_for_another() {
    let outcome = World::default().run(2, |rank| {
        let stream = rank.current_stream()?;
        let [a, b] = [
            rank.symmetric_alloc(everyone(rank)?, 1, AT)?,
            rank.symmetric_alloc(everyone(rank)?, 1, AT)?,
        ];
        rank.put_signal(stream, 1 - rank.index(), Some(a), 0, 1, AT)?;
        rank.wait_signal(stream, 1 - rank.index(), Some(a), 0, 1, AT)?;
        rank.synchronize(stream, AT)?;
        let short = AT.within(std::time::Duration::from_millis(30));
        rank.wait_signal(stream, 1 - rank.index(), Some(b), 0, 1, short)?;
        rank.synchronize(stream, AT)
    });
    let message = outcome.failure.unwrap().to_string();
    assert!(message.contains("its signal is at epoch 0, not 1"), "{message}");
}

#[test]
fn barriers_order_what_stands_before_and_behind_them() {
    let outcome = World::default().run(4, |rank| {
        let (group, stream) = (everyone(rank)?, rank.current_stream()?);
        let buffer = rank.symmetric_alloc(group, 64, AT)?;
        let mut seen = [[0u64; 4]; 20];
        let cell = |data: *mut u64| Tensor::contiguous(data.cast(), Element::U64, &[1]);
        for (turn, seen) in seen.iter_mut().enumerate() {
            let mine = rank.peer(buffer, rank.index())?.cast::<u64>();
            let value = (turn * 10 + rank.index()) as u64;
            rank.launch(stream, "write", AT, {
                let cell = cell(mine);
                move || {
                    // SAFETY: between barriers only this rank touches its part.
                    unsafe { cell.data().cast::<u64>().write(value) };
                    Ok(())
                }
            })?;
            rank.barrier(stream, group, 0, AT)?;
            for (peer, seen) in seen.iter_mut().enumerate() {
                let theirs = cell(rank.peer(buffer, peer)?.cast());
                // SAFETY: between barriers all only read.
                unsafe { rank.copy(stream, &cell(seen), &theirs, AT)? };
            }
            rank.barrier(stream, group, 1, AT)?;
        }
        rank.synchronize(stream, AT)?;
        for (turn, seen) in seen.iter().enumerate() {
            assert_eq!(*seen, [0, 1, 2, 3].map(|peer| (turn * 10) as u64 + peer));
        }
        Ok(())
    });
    outcome.all().unwrap();
}
