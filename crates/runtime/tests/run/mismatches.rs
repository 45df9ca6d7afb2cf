// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Members of a group that want different things: all of them end with an error that names both.

use comm_runtime::{At, Element, Error, Fault, Options, Rank, Reduction, Stream, Tensor};

use crate::{
    World,
    faults::{FOREVER, all, assert_has, eventually, messages, scratch, sum, works, world},
};

/// Each rank issues something over all ranks; those for which it is not the same end with an error that names both.
fn mismatch(ranks: usize, issue: impl Fn(&Rank, Stream, At<'_>) -> Result<(), Error> + Sync, parts: &[&str]) {
    let world = world(FOREVER);
    let outcome = world.run(ranks, |rank| {
        let stream = rank.current_stream()?;
        issue(
            rank,
            stream,
            At::from(format!("m.mlir:{}:1", rank.index()).as_str()),
        )?;
        rank.synchronize(stream, At::default())
    });
    let mut mismatches = 0;
    for (rank, result) in outcome.results.iter().enumerate() {
        let error = result.as_ref().unwrap_err();
        let message = error.to_string();
        assert_has(
            &message,
            &[
                &format!("rank {rank}: "),
                "members of one group issued different collectives",
            ],
        );
        assert_has(&message, parts);
        mismatches += usize::from(matches!(error.fault(), Fault::Mismatch { .. }));
    }
    assert!(mismatches >= 2, "the two that differ know it of themselves");
    works(&world, ranks);
}

#[test]
fn members_that_want_different_things_all_hear_of_it() {
    let f32s = |size: usize| scratch(&[size], Element::F32);
    let reduce = |rank: &Rank, stream: Stream, kind, tensor: Tensor, at: At<'_>| {
        let output = scratch(tensor.sizes(), tensor.element());
        // SAFETY: the memory lives forever.
        unsafe { rank.all_reduce(stream, all(rank)?, kind, &[tensor], &[output], at) }
    };
    mismatch(
        2,
        |rank, stream, at| match rank.index() {
            0 => reduce(rank, stream, Reduction::Sum, f32s(4), at),
            // SAFETY: the memory lives forever.
            _ => unsafe { rank.all_gather(stream, all(rank)?, &[f32s(4)], &[f32s(8)], &[0], at) },
        },
        &[
            "all_reduce at m.mlir:0:1 issued all_reduce sum of f32[4] over [0, 1]",
            "all_gather at m.mlir:1:1 issued all_gather dim [0] of f32[4] over [0, 1]",
        ],
    );
    mismatch(
        2,
        |rank, stream, at| reduce(rank, stream, Reduction::Sum, f32s(4 + rank.index()), at),
        &["f32[4]", "f32[5]"],
    );
    mismatch(
        2,
        |rank, stream, at| {
            let element = [Element::F32, Element::I32][rank.index()];
            reduce(rank, stream, Reduction::Sum, scratch(&[4], element), at)
        },
        &["f32[4]", "i32[4]"],
    );
    mismatch(
        2,
        |rank, stream, at| {
            let kind = [Reduction::Sum, Reduction::Max][rank.index()];
            reduce(rank, stream, kind, f32s(4), at)
        },
        &["all_reduce sum", "all_reduce max"],
    );
    mismatch(
        2,
        |rank, stream, at| {
            let order = [[0, 1], [1, 0]][rank.index()];
            let group = rank.group(&order)?;
            // SAFETY: the memory lives forever.
            unsafe { rank.all_reduce(stream, group, Reduction::Sum, &[f32s(4)], &[f32s(4)], at) }
        },
        &["over [0, 1]", "over [1, 0]"],
    );
    mismatch(
        2,
        |rank, stream, at| rank.barrier(stream, all(rank)?, rank.index() as u64, at),
        &["barrier on channel 0", "barrier on channel 1"],
    );
    mismatch(
        2,
        |rank, _, at| rank.symmetric_alloc(all(rank)?, 64 + rank.index(), at).map(drop),
        &["symmetric_alloc of 64 bytes", "symmetric_alloc of 65 bytes"],
    );
    mismatch(
        2,
        |rank, stream, at| match rank.index() {
            0 => rank.barrier(stream, all(rank)?, 0, at),
            _ => rank.symmetric_alloc(all(rank)?, 64, at).map(drop),
        },
        &["barrier on channel 0", "symmetric_alloc of 64 bytes"],
    );
}

#[test]
fn the_other_members_hear_of_a_mismatch_too() {
    let outcome = world(FOREVER).run(5, |rank| {
        let stream = rank.current_stream()?;
        sum(
            rank,
            stream,
            if rank.index() == 3 { 5 } else { 4 },
            At::from("m.mlir:1:1"),
        )?;
        rank.synchronize(stream, At::default())
    });
    for message in messages(&outcome) {
        assert_has(
            &message,
            &[
                "rank 3: all_reduce at m.mlir:1:1 issued all_reduce sum of f32[5]",
                "f32[4]",
            ],
        );
    }
}

#[test]
fn locations_are_compared_on_request() {
    let program = |rank: &Rank| {
        let stream = rank.current_stream()?;
        sum(
            rank,
            stream,
            4,
            At::from(["then.mlir:1:1", "else.mlir:2:1"][rank.index()]),
        )?;
        rank.synchronize(stream, At::default())
    };
    world(FOREVER).run(2, program).all().unwrap();
    let strict = World::new(Options {
        same_location: true,
        ..Options::default()
    });
    for message in messages(&strict.run(2, program)) {
        assert_has(&message, &["then.mlir:1:1", "else.mlir:2:1"]);
    }
}

#[test]
fn members_of_different_groups_never_meet() {
    let program = |rank: &Rank| {
        let stream = rank.current_stream()?;
        let group = rank.group(if rank.index() == 0 { &[0, 1] } else { &[0, 1, 2] })?;
        let (input, output) = (scratch(&[4], Element::F32), scratch(&[4], Element::F32));
        let at = At::from(["g.mlir:1:1", "g.mlir:2:1", "g.mlir:2:1"][rank.index()]);
        // SAFETY: the memory lives forever.
        unsafe { rank.all_reduce(stream, group, Reduction::Sum, &[input], &[output], at)? };
        rank.synchronize(stream, At::default())
    };
    // Whoever gave up first says where the missing one is, and the others repeat it.
    eventually(program, |messages| {
        let own = |(rank, message): (usize, &String)| {
            message.contains(&format!("rank {rank}: all_reduce at g.mlir:"))
        };
        let elsewhere = |message: &String| {
            message.contains("missing: rank 0 (in all_reduce at g.mlir:1:1)")
                || message.contains("missing: rank 1 (in all_reduce at g.mlir:2:1)")
        };
        messages.iter().enumerate().all(own) && messages.iter().all(elsewhere)
    });
}
