// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Wrong arguments of every kind are statuses and messages, and never crashes.

use std::{
    ffi::{CStr, c_char, c_void},
    ptr::{null, null_mut},
};

use comm_runtime::{Rank, ffi::*};

/// Runs a program on one rank; the status of the run and the message of the rank.
fn run(program: unsafe extern "C" fn(*const Rank, *mut c_void) -> i32) -> (i32, String) {
    // SAFETY: valid pointers, and a buffer as large as it is said to be.
    unsafe {
        let world = comm_rt_world_create(null());
        let status = comm_rt_world_run(world, 1, Some(program), null_mut());
        let mut buffer = [0 as c_char; 500];
        comm_rt_world_message(world, 0, buffer.as_mut_ptr(), buffer.len());
        comm_rt_world_destroy(world);
        (
            status,
            CStr::from_ptr(buffer.as_ptr()).to_str().unwrap().to_owned(),
        )
    }
}

macro_rules! refused {
    ($($name:ident: |$rank:ident, $stream:ident, $group:ident| $call:expr => $message:literal;)*) => {$(
        #[test]
        fn $name() {
            unsafe extern "C" fn program($rank: *const Rank, _: *mut c_void) -> i32 {
                // SAFETY: what is wrong is refused before it is used.
                unsafe {
                    let ($stream, $group) = handles($rank);
                    let _ = $group;
                    let status = $call;
                    assert_eq!(status, Status::Invalid as i32);
                    // An error is final.
                    let mut again = 0;
                    assert_eq!(comm_rt_rank_status($rank), status);
                    assert_ne!(comm_rt_launch($rank, $stream, Some(nothing), null(), 0, null(), null()), 0);
                    assert_eq!(comm_rt_stream($rank, null(), &raw mut again), 0);
                    assert_eq!(again, $stream);
                }
                0
            }
            let (status, message) = run(program);
            assert_eq!(status, Status::Invalid as i32);
            assert!(message.contains($message), "{message}");
        }
    )*};
}

unsafe extern "C" fn nothing(_: *mut c_void) -> i32 {
    0
}

unsafe fn handles(rank: *const Rank) -> (u64, u64) {
    let (mut stream, mut group) = (0, 0);
    // SAFETY: valid pointers.
    unsafe {
        assert_eq!(comm_rt_stream(rank, null(), &raw mut stream), 0);
        assert_eq!(comm_rt_group(rank, [0].as_ptr(), 1, &raw mut group), 0);
    }
    (stream, group)
}

static mut MEMORY: [f32; 64] = [0.0; 64];

fn tensor(sizes: &'static [i64]) -> TensorDescriptor {
    TensorDescriptor {
        data: (&raw mut MEMORY).cast(),
        element: 1,
        rank: sizes.len() as i32,
        sizes: sizes.as_ptr(),
        strides: null(),
    }
}

const HERE: *const c_char = c"here:1:1".as_ptr();

refused! {
    no_stream: |rank, stream, group|
        comm_rt_barrier(rank, 0, group, 0, 0, HERE)
        => "rank 0: barrier at here:1:1: 0x0 is no handle of a stream";
    a_group_for_a_stream: |rank, stream, group|
        comm_rt_stream_synchronize(rank, group, HERE)
        => "is of a group, not of a stream";
    a_stream_for_a_group: |rank, stream, group|
        comm_rt_barrier(rank, stream, stream, 0, 0, HERE)
        => "is of a stream, not of a group";
    no_event: |rank, stream, group|
        comm_rt_event_wait(rank, stream, 3 << 56 | 77, HERE)
        => "is of no event of this rank";
    nowhere_for_an_event: |rank, stream, group|
        comm_rt_event_record(rank, stream, null_mut())
        => "nowhere to put the event";
    no_ranks: |rank, stream, group|
        comm_rt_group(rank, null(), 2, &mut 0)
        => "2 ranks of a group at a null pointer";
    a_negative_rank: |rank, stream, group|
        comm_rt_group(rank, [-4].as_ptr(), 1, &mut 0)
        => "-4 among the ranks of a group";
    groups_that_are_not_full: |rank, stream, group|
        comm_rt_group_among(rank, [0, 1, 2].as_ptr(), 3, 2, &mut 0)
        => "3 ranks do not make groups of 2";
    a_position_beyond_the_group: |rank, stream, group|
        { comm_rt_group_rank(rank, group, 1 << 40); comm_rt_rank_status(rank) }
        => "is no position in the group [0";
    a_negative_position: |rank, stream, group|
        { comm_rt_group_rank(rank, group, -1); comm_rt_rank_status(rank) }
        => "position -1";
    a_group_rank_of_a_stream: |rank, stream, group|
        { comm_rt_group_rank(rank, stream, 0); comm_rt_rank_status(rank) }
        => "is of a stream, not of a group";
    no_tensors: |rank, stream, group|
        comm_rt_all_reduce(rank, stream, group, 0, 1, null(), null(), 0, HERE)
        => "all_reduce at here:1:1: 1 tensors at a null pointer";
    a_negative_count: |rank, stream, group|
        comm_rt_all_reduce(rank, stream, group, 0, -1, null(), null(), 0, HERE)
        => "-1 tensors";
    no_reduction: |rank, stream, group|
        comm_rt_all_reduce(rank, stream, group, 8, 1, &tensor(&[1]), &tensor(&[1]), 0, HERE)
        => "reduction 8";
    no_element_type: |rank, stream, group|
        comm_rt_broadcast(rank, stream, group, 0, 1, &TensorDescriptor { element: 13, ..tensor(&[1]) }, &tensor(&[1]), 0, HERE)
        => "element type 13 of a tensor";
    a_negative_size: |rank, stream, group|
        comm_rt_broadcast(rank, stream, group, 0, 1, &tensor(&[-1]), &tensor(&[1]), 0, HERE)
        => "-1 among the sizes of a tensor";
    a_tensor_too_large: |rank, stream, group|
        comm_rt_broadcast(rank, stream, group, 0, 1, &tensor(&[1 << 40, 1 << 40]), &tensor(&[1]), 0, HERE)
        => "does not fit in memory";
    a_tensor_nowhere: |rank, stream, group|
        comm_rt_broadcast(rank, stream, group, 0, 1, &TensorDescriptor { data: null_mut(), ..tensor(&[1]) }, &tensor(&[1]), 0, HERE)
        => "at a null pointer";
    no_sizes: |rank, stream, group|
        comm_rt_broadcast(rank, stream, group, 0, 1, &TensorDescriptor { sizes: null(), ..tensor(&[1]) }, &tensor(&[1]), 0, HERE)
        => "1 sizes of a tensor at a null pointer";
    a_negative_dimension: |rank, stream, group|
        comm_rt_all_gather(rank, stream, group, 1, &tensor(&[1]), &tensor(&[1]), [-1].as_ptr(), 0, HERE)
        => "-1 among the dimensions";
    a_negative_root: |rank, stream, group|
        comm_rt_broadcast(rank, stream, group, -2, 1, &tensor(&[1]), &tensor(&[1]), 0, HERE)
        => "root -2";
    a_pair_of_strangers: |rank, stream, group|
        comm_rt_permute(rank, stream, group, [0, 1].as_ptr(), 1, 0, null(), null(), 0, HERE)
        => "rank 1 is not in the group [0]";
    far_too_many_pairs: |rank, stream, group|
        comm_rt_permute(rank, stream, group, null(), i64::MAX, 0, null(), null(), 0, HERE)
        => "ranks of pairs at a null pointer";
    a_dimension_that_is_not: |rank, stream, group|
        comm_rt_all_to_all(rank, stream, group, 0, 5, 1, &tensor(&[1]), &tensor(&[1]), 0, HERE)
        => "it has no dimension 5";
    nothing_to_launch: |rank, stream, group|
        comm_rt_launch(rank, stream, None, null(), 0, c"mine".as_ptr(), HERE)
        => "rank 0: mine at here:1:1: nothing to run";
    no_arguments: |rank, stream, group|
        comm_rt_launch(rank, stream, Some(nothing), null(), 8, null(), HERE)
        => "8 bytes of arguments at a null pointer";
    nothing_to_copy: |rank, stream, group|
        comm_rt_copy(rank, stream, null(), &tensor(&[1]), HERE)
        => "a tensor is missing";
    a_peer_that_is_not: |rank, stream, group|
        comm_rt_put_signal(rank, stream, 5, 0, 0, 1, HERE)
        => "rank 5 is none of the 1 ranks";
    a_buffer_that_is_not: |rank, stream, group|
        comm_rt_wait_signal(rank, stream, 0, 9, 0, 1, 0, HERE)
        => "0x9 is no handle of a symmetric buffer";
    a_negative_allocation: |rank, stream, group|
        comm_rt_symmetric_alloc(rank, group, -1, 0, HERE, &mut 0)
        => "size -1";
    memory_of_nobody: |rank, stream, group|
        comm_rt_symmetric_peer(rank, 4 << 56 | 1, 0, &mut null_mut())
        => "is of no symmetric buffer of this rank";
}

#[test]
fn no_rank_and_no_world() {
    // SAFETY: null is allowed.
    unsafe {
        assert_eq!(comm_rt_rank_index(null()), -1);
        assert_eq!(comm_rt_rank_count(null()), -1);
        assert_eq!(comm_rt_group_position(null(), 1), -1);
        assert_eq!(comm_rt_group_rank(null(), 1, 0), -1);
        assert_eq!(comm_rt_rank_status(null()), Status::Invalid as i32);
        assert_eq!(comm_rt_span_end(null()), Status::Invalid as i32);
        assert_eq!(
            comm_rt_world_run(null(), 1, None, null_mut()),
            Status::Invalid as i32
        );
        assert_eq!(comm_rt_world_message(null(), 0, null_mut(), 0), 1);
        assert_eq!(
            comm_rt_world_write_trace(null(), c"x".as_ptr()),
            Status::Invalid as i32
        );
        comm_rt_world_destroy(null_mut());
        let world = comm_rt_world_create(&WorldOptions::default());
        assert_eq!(
            comm_rt_world_run(world, -1, None, null_mut()),
            Status::Invalid as i32
        );
        assert_eq!(comm_rt_world_write_trace(world, null()), Status::Invalid as i32);
        assert_eq!(
            comm_rt_world_write_trace(world, c"/nowhere/at/all".as_ptr()),
            Status::Resources as i32
        );
        comm_rt_world_destroy(world);
    }
}

#[test]
fn a_launched_function_that_fails() {
    unsafe extern "C" fn seven(_: *mut c_void) -> i32 {
        7
    }
    unsafe extern "C" fn program(rank: *const Rank, _: *mut c_void) -> i32 {
        // SAFETY: valid pointers.
        unsafe {
            let (stream, _) = handles(rank);
            comm_rt_launch(rank, stream, Some(seven), null(), 0, c"kernel".as_ptr(), HERE);
            // Never looks at the outcome.
        }
        0
    }
    assert_eq!(
        run(program),
        (
            Status::Program as i32,
            "rank 0: kernel at here:1:1: returned 7".to_owned()
        )
    );
}

#[test]
fn a_launched_function_that_issues() {
    struct Issuing {
        rank: *const Rank,
        stream: u64,
        group: u64,
    }
    unsafe extern "C" fn issue(arguments: *mut c_void) -> i32 {
        // SAFETY: what was launched, while its rank waits.
        unsafe {
            let issuing = &*arguments.cast::<Issuing>();
            assert!(comm_rt_rank_current().is_null());
            comm_rt_barrier(issuing.rank, issuing.stream, issuing.group, 0, 0, HERE)
        }
    }
    unsafe extern "C" fn program(rank: *const Rank, _: *mut c_void) -> i32 {
        // SAFETY: valid pointers.
        unsafe {
            assert_eq!(comm_rt_rank_current(), rank);
            let (stream, group) = handles(rank);
            let issuing = Issuing { rank, stream, group };
            let arguments = (&raw const issuing).cast();
            comm_rt_launch(
                rank,
                stream,
                Some(issue),
                arguments,
                size_of::<Issuing>(),
                null(),
                HERE,
            );
            comm_rt_stream_synchronize(rank, stream, HERE)
        }
    }
    let (status, message) = run(program);
    assert_eq!(status, Status::Invalid as i32);
    assert!(
        message.contains("barrier at an unknown location: called from a thread that does not run"),
        "{message}"
    );
}

#[test]
fn products() {
    let mut data = [[0.0f32; 4]; 3];
    let make = |data: &mut [f32; 4], sizes: &'static [i64]| TensorDescriptor {
        data: data.as_mut_ptr().cast(),
        ..tensor(sizes)
    };
    data[0] = [1.0, 2.0, 3.0, 4.0];
    data[1] = [5.0, 6.0, 7.0, 8.0];
    let [a, b, c] = &mut data;
    let (a, b, target) = (make(a, &[2, 2]), make(b, &[2, 2]), make(c, &[2, 2]));
    // SAFETY: three matrices in memory of their own; wrong ones are refused.
    unsafe {
        assert_eq!(comm_rt_matmul(&target, &a, &b, 0), 0);
        assert_eq!(*c, [19.0, 22.0, 43.0, 50.0]);
        assert_eq!(comm_rt_matmul(&target, &a, &b, 1), 0);
        assert_eq!(*c, [38.0, 44.0, 86.0, 100.0]);
        let invalid = Status::Invalid as i32;
        assert_eq!(comm_rt_matmul(&target, &a, &target, 0), invalid);
        assert_eq!(comm_rt_matmul(&target, &a, null(), 0), invalid);
        assert_eq!(
            comm_rt_matmul(
                &target,
                &a,
                &TensorDescriptor {
                    sizes: [1i64, 4].as_ptr(),
                    ..b
                },
                0
            ),
            invalid
        );
        assert_eq!(
            comm_rt_matmul(&target, &a, &TensorDescriptor { element: 0, ..b }, 0),
            invalid
        );
        assert_eq!(
            comm_rt_matmul(&target, &a, &TensorDescriptor { rank: 1, ..b }, 0),
            invalid
        );
        assert_eq!(*c, [38.0, 44.0, 86.0, 100.0]);
    }
}

#[test]
fn backends_that_there_are_not() {
    unsafe extern "C" fn never(_: *const Rank, _: *mut c_void) -> i32 {
        unreachable!("no run")
    }
    let backends: &[(i32, Status, &str)] = &[
        (
            7,
            Status::Invalid,
            "rank 0: run at an unknown location: backend 7",
        ),
        #[cfg(not(feature = "mpi"))]
        (
            Backend::Mpi as i32,
            Status::Resources,
            "rank 0: run at an unknown location: this library was built without its feature mpi",
        ),
    ];
    for &(backend, status, message) in backends {
        let options = WorldOptions {
            backend,
            ..WorldOptions::default()
        };
        // SAFETY: valid pointers.
        unsafe {
            let world = comm_rt_world_create(&options);
            assert_eq!(
                comm_rt_world_run(world, 1, Some(never), null_mut()),
                status as i32
            );
            let mut buffer = [0u8; 200];
            let needed = comm_rt_world_message(world, -1, buffer.as_mut_ptr().cast(), buffer.len());
            assert_eq!(&buffer[..needed - 1], message.as_bytes());
            comm_rt_world_destroy(world);
        }
    }
}
