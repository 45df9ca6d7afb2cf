// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! All functions of the C interface by name, for a compiler that links in process.

use super::*;

macro_rules! symbols {
    ($($name:ident)*) => {
        /// Name and address of every function of the interface, for execution engines that take symbols one by one.
        pub fn symbols() -> Vec<(&'static str, *const ())> {
            vec![$((stringify!($name), $name as *const ())),*]
        }
    };
}

symbols! {
    comm_rt_all_gather
    comm_rt_all_reduce
    comm_rt_all_to_all
    comm_rt_barrier
    comm_rt_broadcast
    comm_rt_copy
    comm_rt_event_record
    comm_rt_event_release
    comm_rt_event_synchronize
    comm_rt_event_wait
    comm_rt_fail
    comm_rt_group
    comm_rt_group_among
    comm_rt_group_position
    comm_rt_group_rank
    comm_rt_launch
    comm_rt_matmul
    comm_rt_permute
    comm_rt_put_signal
    comm_rt_rank_count
    comm_rt_rank_current
    comm_rt_rank_index
    comm_rt_rank_message
    comm_rt_rank_status
    comm_rt_reduce_scatter
    comm_rt_span_begin
    comm_rt_span_end
    comm_rt_stream
    comm_rt_stream_create
    comm_rt_stream_destroy
    comm_rt_stream_synchronize
    comm_rt_symmetric_alloc
    comm_rt_symmetric_free
    comm_rt_symmetric_member
    comm_rt_symmetric_peer
    comm_rt_synchronize
    comm_rt_wait_signal
    comm_rt_world_create
    comm_rt_world_destroy
    comm_rt_world_has_failed
    comm_rt_world_message
    comm_rt_world_run
    comm_rt_world_write_trace
}
