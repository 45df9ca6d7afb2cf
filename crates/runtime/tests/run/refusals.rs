// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Calls that make no sense are refused, with an error that names them, before anything is issued.

use comm_runtime::{At, Element, Error, Group, Rank, Reduction, Stream, Tensor};

use crate::World;

/// `Ok` only if the refusal says what is expected.
fn refusal(ranks: usize, call: impl Fn(&Rank, Stream, Group) -> Result<(), Error> + Sync, message: &str) {
    let outcome = World::default().run(ranks, |rank| {
        let all: Vec<usize> = (0..ranks).collect();
        call(rank, rank.current_stream()?, rank.group(&all)?)
    });
    for result in outcome.results {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert!(error.contains("here:1:2"), "{error}");
    }
}

#[test]
fn what_does_not_fit_is_refused_before_it_is_issued() {
    let tensor = |element, sizes: &[usize]| {
        let data = Box::leak(vec![0u64; 256].into_boxed_slice());
        Tensor::contiguous(data.as_mut_ptr().cast(), element, sizes)
    };
    let f32s = |sizes: &[usize]| [tensor(Element::F32, sizes)];
    let at = At::from("here:1:2");
    // SAFETY: nothing is issued, and the memory lives forever.
    unsafe {
        refusal(
            2,
            |rank, stream, group| rank.all_gather(stream, group, &f32s(&[4]), &f32s(&[7]), &[0], at),
            "output 0 is f32[7], but f32[8] is expected",
        );
        refusal(
            2,
            |rank, stream, group| rank.all_gather(stream, group, &f32s(&[4]), &f32s(&[8]), &[1], at),
            "input 0, f32[4]: it has no dimension 1",
        );
        refusal(
            2,
            |rank, stream, group| rank.all_gather(stream, group, &f32s(&[4]), &f32s(&[8]), &[0, 0], at),
            "2 dimensions for 1 tensors",
        );
        refusal(
            3,
            |rank, stream, group| {
                rank.reduce_scatter(stream, group, Reduction::Sum, &f32s(&[4]), &f32s(&[1]), &[0], at)
            },
            "dimension 0 is not divisible by the group size 3",
        );
        refusal(
            2,
            |rank, stream, group| {
                rank.all_reduce(stream, group, Reduction::Xor, &f32s(&[4]), &f32s(&[4]), at)
            },
            "cannot combine f32[4] by xor",
        );
        refusal(
            2,
            |rank, stream, group| {
                let ints = [tensor(Element::I32, &[4])];
                rank.all_reduce(stream, group, Reduction::Avg, &ints, &ints, at)
            },
            "cannot combine i32[4] by avg",
        );
        refusal(
            2,
            |rank, stream, group| rank.broadcast(stream, group, 2, &f32s(&[4]), &f32s(&[4]), at),
            "root 2 is no position in a group of 2",
        );
        refusal(
            2,
            |rank, stream, group| {
                rank.permute(stream, group, &[(0, 1), (1, 1)], &f32s(&[4]), &f32s(&[4]), at)
            },
            "a rank is twice a source or twice a target",
        );
        refusal(
            2,
            |rank, stream, group| rank.permute(stream, group, &[(0, 2)], &f32s(&[4]), &f32s(&[4]), at),
            "rank 2 is not in the group [0, 1]",
        );
        refusal(
            2,
            |rank, stream, group| {
                let same = f32s(&[4]);
                rank.permute(stream, group, &[(0, 1)], &same, &same, at)
            },
            "output 0 overlaps input 0",
        );
        refusal(
            2,
            |rank, stream, group| {
                let (input, same) = (f32s(&[4]), f32s(&[4])[0].clone());
                let inputs = [input[0].clone(), input[0].clone()];
                rank.all_reduce(stream, group, Reduction::Sum, &inputs, &[same.clone(), same], at)
            },
            "output 1 overlaps output 0",
        );
        refusal(
            2,
            |rank, stream, group| rank.all_reduce(stream, group, Reduction::Sum, &f32s(&[4]), &[], at),
            "1 inputs, but 0 outputs",
        );
    }
}

#[test]
fn groups_that_are_none_are_refused() {
    let message = |program: fn(&Rank) -> Result<Group, Error>| {
        let outcome = World::default().run(2, program);
        assert!(outcome.results.iter().all(Result::is_err));
        outcome.failure.unwrap().to_string()
    };
    let twice = message(|rank| rank.group(&[0, 1, 0]));
    assert!(
        twice.contains("rank 0 is twice in the group [0, 1, 0]"),
        "{twice}"
    );
    let unknown = message(|rank| rank.group(&[0, 1, 2]));
    assert!(unknown.contains("has rank 2, but there are 2 ranks"), "{unknown}");
    let others = message(|rank| rank.group(&[1 - rank.index()]));
    assert!(others.contains("is not in its group"), "{others}");
    let empty = message(|rank| rank.group_among(&[1, 0], 0));
    assert!(empty.contains("2 ranks do not make groups of 0"), "{empty}");
    let none = message(|rank| rank.group_among(&[5, 6], 2));
    assert!(none.contains("is in none of the groups of 2 in [5, 6]"), "{none}");
}

#[test]
fn the_same_list_is_the_same_group() {
    let outcome = World::default().run(2, |rank| {
        let other = 1 - rank.index();
        assert_eq!(rank.group(&[1, 0])?, rank.group(&[1, 0])?);
        assert_ne!(rank.group(&[1, 0])?, rank.group(&[0, 1])?);
        assert_eq!(rank.position(rank.group(&[1, 0])?)?, other);
        assert_eq!(rank.group_among(&[1, 0], 1)?, rank.group(&[rank.index()])?);
        Ok(())
    });
    outcome.all().unwrap();
}
