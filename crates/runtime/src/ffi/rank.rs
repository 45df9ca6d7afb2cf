// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A rank: who it is, its groups, its failures, and spans of its own computation.

use std::ffi::c_char;

use super::{Status, natural, naturals, refuse, text, text::give, with};
use crate::{
    handles::Group,
    rank::{Rank, current::current},
};

/// The rank whose program this thread runs; `NULL` outside a program, and on streams.
#[unsafe(no_mangle)]
pub extern "C" fn comm_rt_rank_current() -> *const Rank {
    current()
}

/// The number of this rank, from 0; -1 for no rank.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_rank_index(rank: *const Rank) -> i64 {
    // SAFETY: null or valid.
    unsafe { rank.as_ref() }.map_or(-1, |rank| rank.index() as i64)
}

/// The number of ranks; -1 for no rank.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_rank_count(rank: *const Rank) -> i64 {
    // SAFETY: null or valid.
    unsafe { rank.as_ref() }.map_or(-1, |rank| rank.ranks() as i64)
}

/// The status of this rank's first failure, 0 if there was none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_rank_status(rank: *const Rank) -> i32 {
    // SAFETY: null or valid.
    let failure = unsafe { rank.as_ref() }.map(Rank::failure);
    let status = match failure {
        None => Status::Invalid,
        Some(None) => Status::Ok,
        Some(Some(error)) => Status::of(&error),
    };
    status as i32
}

/// 1 where anything has failed, on this rank or on another, else 0, also for no rank: what loops ask that would else
/// wait for a value forever.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_world_has_failed(rank: *const Rank) -> i32 {
    // SAFETY: null or valid.
    let rank = unsafe { rank.as_ref() };
    i32::from(rank.is_some_and(Rank::has_world_failed))
}

/// What this rank's first failure says, as `comm_rt_world_message` writes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_rank_message(
    rank: *const Rank,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: null or valid.
    let failure = unsafe { rank.as_ref() }.and_then(Rank::failure);
    let message = failure.map(|error| error.to_string());
    // SAFETY: the buffer is as large as the caller says.
    unsafe { give(&message.unwrap_or_default(), buffer, capacity) }
}

/// Reports a failure of the program to all ranks. Returns its status.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_fail(
    rank: *const Rank,
    message: *const c_char,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or texts.
    let (message, location) = unsafe { (text(message), text(location)) };
    with(rank, "fail", |rank| Err(rank.fail(&message, &location)))
}

/// The group of `count` ranks, this one among them, in the order of positions. The same list gives the same handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_group(
    rank: *const Rank,
    ranks: *const i64,
    count: i64,
    group: *mut u64,
) -> i32 {
    with(rank, "group", |rank| {
        // SAFETY: as promised for all functions.
        let ranks = unsafe { naturals(ranks, count, "ranks of a group") };
        let ranks = ranks.map_err(|message| refuse(rank, "group", "", message))?;
        // SAFETY: as promised for all functions.
        unsafe { give_group(rank, group, || rank.group(&ranks)) }
    })
}

/// This rank's group among groups of one size, whose `count` ranks in all stand one group after the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_group_among(
    rank: *const Rank,
    ranks: *const i64,
    count: i64,
    group_size: i64,
    group: *mut u64,
) -> i32 {
    with(rank, "group", |rank| {
        let refuse = |message: String| refuse(rank, "group", "", message);
        // SAFETY: as promised for all functions.
        let ranks = unsafe { naturals(ranks, count, "ranks of groups") }.map_err(refuse)?;
        let size = natural(group_size, "group size").map_err(refuse)?;
        // SAFETY: as promised for all functions.
        unsafe { give_group(rank, group, || rank.group_among(&ranks, size)) }
    })
}

unsafe fn give_group(
    rank: &Rank,
    group: *mut u64,
    make: impl FnOnce() -> Result<Group, crate::Error>,
) -> Result<(), crate::Error> {
    // SAFETY: null or valid.
    let group = unsafe { group.as_mut() };
    let group = group.ok_or_else(|| refuse(rank, "group", "", "nowhere to put the group"))?;
    *group = make()?.0;
    Ok(())
}

/// This rank's position in a group; -1, and an error, for a wrong handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_group_position(rank: *const Rank, group: u64) -> i64 {
    let mut position = -1;
    with(rank, "group", |rank| {
        position = rank.position(Group(group))? as i64;
        Ok(())
    });
    position
}

/// The rank at a position of a group; -1, and an error, for a wrong handle or position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_group_rank(rank: *const Rank, group: u64, position: i64) -> i64 {
    let mut found = -1;
    with(rank, "group", |rank| {
        let position = natural(position, "position").map_err(|message| refuse(rank, "group", "", message))?;
        found = rank.group_rank(Group(group), position)? as i64;
        Ok(())
    });
    found
}

/// Begins a span of the program's own computation, for the trace. Spans nest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_span_begin(
    rank: *const Rank,
    name: *const c_char,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or texts.
    let (name, location) = unsafe { (text(name), text(location)) };
    with(rank, "span", |rank| {
        rank.begin_span(&name, &location);
        Ok(())
    })
}

/// Ends the span that began last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_span_end(rank: *const Rank) -> i32 {
    with(rank, "span", |rank| {
        rank.end_span();
        Ok(())
    })
}
