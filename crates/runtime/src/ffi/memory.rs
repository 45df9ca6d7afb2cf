// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Symmetric memory, signals and barriers.

use std::ffi::{c_char, c_void};

use super::{at, natural, refuse, text, with};
use crate::{
    handles::{Buffer, Group, Stream},
    rank::Rank,
};

/// Allocates `bytes` on each member of a group, zeroed and aligned to 64 bytes; waits for all members.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_symmetric_alloc(
    rank: *const Rank,
    group: u64,
    bytes: i64,
    timeout_ms: i64,
    location: *const c_char,
    buffer: *mut u64,
) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, "symmetric_alloc", |rank| {
        let refuse = |message: String| refuse(rank, "symmetric_alloc", &location, message);
        let bytes = natural(bytes, "size").map_err(refuse)?;
        // SAFETY: null or valid.
        let buffer = unsafe { buffer.as_mut() };
        let buffer = buffer.ok_or_else(|| refuse("nowhere to put the buffer".to_owned()))?;
        *buffer = rank
            .symmetric_alloc(Group(group), bytes, at(&location, timeout_ms))?
            .0;
        Ok(())
    })
}

/// Where a member's part of a buffer begins.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_symmetric_peer(
    rank: *const Rank,
    buffer: u64,
    peer: i64,
    data: *mut *mut c_void,
) -> i32 {
    with(rank, "peer", |rank| {
        let refuse = |message: String| refuse(rank, "peer", "", message);
        let peer = natural(peer, "rank").map_err(refuse)?;
        // SAFETY: null or valid.
        let data = unsafe { data.as_mut() };
        let data = data.ok_or_else(|| refuse("nowhere to put the address".to_owned()))?;
        *data = rank.peer(Buffer(buffer), peer)?.cast();
        Ok(())
    })
}

/// The rank at a position of the group that a buffer was allocated in; -1, and an error, where there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_symmetric_member(rank: *const Rank, buffer: u64, position: i64) -> i64 {
    let mut member = -1;
    with(rank, "peer", |rank| {
        let position = natural(position, "position").map_err(|message| refuse(rank, "peer", "", message))?;
        member = rank.member(Buffer(buffer), position)? as i64;
        Ok(())
    });
    member
}

/// Frees a buffer: waits for this rank's streams, and for the other members to free it, too. What is not freed ends
/// with the run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_symmetric_free(
    rank: *const Rank,
    buffer: u64,
    timeout_ms: i64,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, "symmetric_free", |rank| {
        rank.symmetric_free(Buffer(buffer), at(&location, timeout_ms))
    })
}

fn some(buffer: u64) -> Option<Buffer> {
    (buffer != 0).then_some(Buffer(buffer))
}

/// Raises, on a stream, the counter of a channel from this rank to `peer` to `epoch`, which must be above its last
/// one; waits for nobody. Channels belong to a buffer, or, for 0, to the world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_put_signal(
    rank: *const Rank,
    stream: u64,
    peer: i64,
    buffer: u64,
    channel: u64,
    epoch: u64,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, "put_signal", |rank| {
        let peer = natural(peer, "rank").map_err(|message| refuse(rank, "put_signal", &location, message))?;
        rank.put_signal(
            Stream(stream),
            peer,
            some(buffer),
            channel,
            epoch,
            at(&location, 0),
        )
    })
}

/// Lets a stream wait until the counter of a channel from `peer` to this rank is at least `epoch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_wait_signal(
    rank: *const Rank,
    stream: u64,
    peer: i64,
    buffer: u64,
    channel: u64,
    epoch: u64,
    timeout_ms: i64,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, "wait_signal", |rank| {
        let peer =
            natural(peer, "rank").map_err(|message| refuse(rank, "wait_signal", &location, message))?;
        let at = at(&location, timeout_ms);
        rank.wait_signal(Stream(stream), peer, some(buffer), channel, epoch, at)
    })
}

/// Lets a stream meet those of the other members of a group.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_barrier(
    rank: *const Rank,
    stream: u64,
    group: u64,
    channel: u64,
    timeout_ms: i64,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, "barrier", |rank| {
        rank.barrier(Stream(stream), Group(group), channel, at(&location, timeout_ms))
    })
}
