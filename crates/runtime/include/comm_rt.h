// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run-time of programs of the dialect `comm_stream`. Made by cbindgen from crates/runtime/src/ffi; edit that.
//
// - A function returns a status, 0 for success; results come through pointers, which are written on success only.
// - An error is final: it is reported to all ranks, every later call that issues something returns an error, and so
//   does the run. So a compiled program may check the statuses of those calls alone whose results it uses. A call that
//   returns an error has waited until what was issued has ended, so the program may free its memory.
// - Handles are numbers; 0 is none. A wrong one is an error.
// - What is passed by pointer is copied before a function returns, except the elements of tensors, which must stay
//   valid until the op has ended.
// - `location` is where the op is in the source, in the words of the program; NULL where it is not known.
//   `timeout_ms` of 0 or less is the world's.
// - A rank is used between the beginning and the end of its program, by the thread that runs it. Functions that run
//   on streams may call comm_rt_matmul, and nothing else of this file.


#ifndef COMM_RT_H
#define COMM_RT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// What a tensor is made of. The numbers are part of the C interface.
enum comm_rt_element
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // IEEE double.
  COMM_RT_ELEMENT_F64 = 0,
  // IEEE single.
  COMM_RT_ELEMENT_F32 = 1,
  // IEEE half.
  COMM_RT_ELEMENT_F16 = 2,
  // The upper half of a single.
  COMM_RT_ELEMENT_BF16 = 3,
  // 64 bits, two's complement. MLIR's `index` too.
  COMM_RT_ELEMENT_I64 = 4,
  // 32 bits, two's complement.
  COMM_RT_ELEMENT_I32 = 5,
  // 16 bits, two's complement.
  COMM_RT_ELEMENT_I16 = 6,
  // 8 bits, two's complement.
  COMM_RT_ELEMENT_I8 = 7,
  // 64 bits, without sign.
  COMM_RT_ELEMENT_U64 = 8,
  // 32 bits, without sign.
  COMM_RT_ELEMENT_U32 = 9,
  // 16 bits, without sign.
  COMM_RT_ELEMENT_U16 = 10,
  // 8 bits, without sign.
  COMM_RT_ELEMENT_U8 = 11,
  // True or false in a byte, of which the lowest bit counts.
  COMM_RT_ELEMENT_I1 = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum comm_rt_element comm_rt_element;
#else
typedef int32_t comm_rt_element;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How contributions are combined. The numbers are part of the C interface, and those of `comm`'s attribute.
enum comm_rt_reduction
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Sum; integers wrap, booleans add modulo 2.
  COMM_RT_REDUCTION_SUM = 0,
  // The sum, divided by the group size once at the end. Floats only.
  COMM_RT_REDUCTION_AVG = 1,
  // Smallest; of floats the IEEE 754-2019 minimum: NaN if there is one, and -0 is below +0.
  COMM_RT_REDUCTION_MIN = 2,
  // Largest; of floats the IEEE 754-2019 maximum: NaN if there is one, and -0 is below +0.
  COMM_RT_REDUCTION_MAX = 3,
  // Product; integers wrap.
  COMM_RT_REDUCTION_PROD = 4,
  // Bitwise and. Integers only.
  COMM_RT_REDUCTION_AND = 5,
  // Bitwise or. Integers only.
  COMM_RT_REDUCTION_OR = 6,
  // Bitwise exclusive or. Integers only.
  COMM_RT_REDUCTION_XOR = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum comm_rt_reduction comm_rt_reduction;
#else
typedef int32_t comm_rt_reduction;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the ranks of a world are.
enum comm_rt_backend
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Threads of this process.
  COMM_RT_BACKEND_THREADS = 0,
  // The processes of an MPI job, each of which runs the program as its own rank.
  COMM_RT_BACKEND_MPI = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum comm_rt_backend comm_rt_backend;
#else
typedef int32_t comm_rt_backend;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a function returns.
enum comm_rt_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Success.
  COMM_RT_STATUS_OK = 0,
  // A wrong argument; nothing was done.
  COMM_RT_STATUS_INVALID = 1,
  // Members of a group issued different collectives.
  COMM_RT_STATUS_MISMATCH = 2,
  // Another rank did not come within the timeout.
  COMM_RT_STATUS_LATE = 3,
  // Another rank that was waited for has returned.
  COMM_RT_STATUS_GONE = 4,
  // The first failure was on another rank, or in another op.
  COMM_RT_STATUS_ELSEWHERE = 5,
  // A panic.
  COMM_RT_STATUS_PANIC = 6,
  // The program reported a failure.
  COMM_RT_STATUS_PROGRAM = 7,
  // No memory, no thread, or no file to be had.
  COMM_RT_STATUS_RESOURCES = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum comm_rt_status comm_rt_status;
#else
typedef int32_t comm_rt_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// One rank of a world, in its own thread.
typedef struct comm_rt_rank comm_rt_rank;

// Where programs run.
typedef struct comm_rt_world comm_rt_world;

// A tensor in memory. A memref is one: `data` is its aligned pointer moved by its offset, `sizes` and `strides` are
// those of its descriptor.
typedef struct comm_rt_tensor {
  // Where the element at index 0 lies.
  void *data;
  // One of `comm_rt_element`.
  int32_t element;
  // Number of dimensions.
  int32_t rank;
  // Sizes of the dimensions.
  const int64_t *sizes;
  // Distances between neighbours, in elements; `NULL` for row-major elements without gaps.
  const int64_t *strides;
} comm_rt_tensor;

// A function to run on a stream: returns 0, or anything else for a failure.
typedef int32_t (*comm_rt_work)(void *arguments);

// Options of a world. Zero in a field is the default.
typedef struct comm_rt_options {
  // How long an op waits for other ranks, unless it says otherwise. Default: 30 s.
  int64_t timeout_ms;
  // Emulated interconnect: time from the beginning of a transfer between ranks to its first byte. Default: none.
  int64_t link_latency_ns;
  // Emulated interconnect: bytes per second into each rank. Default: size costs nothing.
  double link_bandwidth;
  // Bytes of stack of each thread. Default: 8 MiB.
  int64_t stack_bytes;
  // Not 0: ops are recorded.
  int32_t trace;
  // Not 0: members of a collective must have issued it at the same source location.
  int32_t same_location;
  // One of `comm_rt_backend`. The one for MPI is there if the library was built with it.
  int32_t backend;
} comm_rt_options;

// A program of one rank: returns 0, or anything else for a failure.
typedef int32_t (*comm_rt_program)(const struct comm_rt_rank *rank, void *data);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Concatenates the members' tensors in the order of positions, tensor `i` along dimension `dims[i]`.
int32_t comm_rt_all_gather(const struct comm_rt_rank *rank,
                           uint64_t stream,
                           uint64_t group,
                           int64_t count,
                           const struct comm_rt_tensor *inputs,
                           const struct comm_rt_tensor *outputs,
                           const int64_t *dims,
                           int64_t timeout_ms,
                           const char *location);

// Combines the members' tensors by `reduction`, one of `comm_rt_reduction`, and gives each member its part of
// dimension `dims[i]`. The member at position `p` of `n` takes the operands in the order `p+1, ..., n-1, 0, ..., p`.
int32_t comm_rt_reduce_scatter(const struct comm_rt_rank *rank,
                               uint64_t stream,
                               uint64_t group,
                               int32_t reduction,
                               int64_t count,
                               const struct comm_rt_tensor *inputs,
                               const struct comm_rt_tensor *outputs,
                               const int64_t *dims,
                               int64_t timeout_ms,
                               const char *location);

// Combines the members' tensors by `reduction`, one of `comm_rt_reduction`, from position 0 on. An output may be its
// own input.
int32_t comm_rt_all_reduce(const struct comm_rt_rank *rank,
                           uint64_t stream,
                           uint64_t group,
                           int32_t reduction,
                           int64_t count,
                           const struct comm_rt_tensor *inputs,
                           const struct comm_rt_tensor *outputs,
                           int64_t timeout_ms,
                           const char *location);

// Sends piece `j` of dimension `split_dim` to position `j`, and concatenates what arrives along `concat_dim`.
int32_t comm_rt_all_to_all(const struct comm_rt_rank *rank,
                           uint64_t stream,
                           uint64_t group,
                           int64_t split_dim,
                           int64_t concat_dim,
                           int64_t count,
                           const struct comm_rt_tensor *inputs,
                           const struct comm_rt_tensor *outputs,
                           int64_t timeout_ms,
                           const char *location);

// Sends tensors from rank to rank: `pairs` holds `pair_count` pairs of source and target. A member that is no target
// gets zeros. All members of the group call it.
int32_t comm_rt_permute(const struct comm_rt_rank *rank,
                        uint64_t stream,
                        uint64_t group,
                        const int64_t *pairs,
                        int64_t pair_count,
                        int64_t count,
                        const struct comm_rt_tensor *inputs,
                        const struct comm_rt_tensor *outputs,
                        int64_t timeout_ms,
                        const char *location);

// Gives the tensors at position `root` to all. An output may be its own input.
int32_t comm_rt_broadcast(const struct comm_rt_rank *rank,
                          uint64_t stream,
                          uint64_t group,
                          int64_t root,
                          int64_t count,
                          const struct comm_rt_tensor *inputs,
                          const struct comm_rt_tensor *outputs,
                          int64_t timeout_ms,
                          const char *location);

// Allocates `bytes` on each member of a group, zeroed and aligned to 64 bytes; waits for all members.
int32_t comm_rt_symmetric_alloc(const struct comm_rt_rank *rank,
                                uint64_t group,
                                int64_t bytes,
                                int64_t timeout_ms,
                                const char *location,
                                uint64_t *buffer);

// Where a member's part of a buffer begins.
int32_t comm_rt_symmetric_peer(const struct comm_rt_rank *rank, uint64_t buffer, int64_t peer, void **data);

// The rank at a position of the group that a buffer was allocated in; -1, and an error, where there is none.
int64_t comm_rt_symmetric_member(const struct comm_rt_rank *rank, uint64_t buffer, int64_t position);

// Frees a buffer: waits for this rank's streams, and for the other members to free it, too. What is not freed ends
// with the run.
int32_t comm_rt_symmetric_free(const struct comm_rt_rank *rank,
                               uint64_t buffer,
                               int64_t timeout_ms,
                               const char *location);

// Raises, on a stream, the counter of a channel from this rank to `peer` to `epoch`, which must be above its last
// one; waits for nobody. Channels belong to a buffer, or, for 0, to the world.
int32_t comm_rt_put_signal(const struct comm_rt_rank *rank,
                           uint64_t stream,
                           int64_t peer,
                           uint64_t buffer,
                           uint64_t channel,
                           uint64_t epoch,
                           const char *location);

// Lets a stream wait until the counter of a channel from `peer` to this rank is at least `epoch`.
int32_t comm_rt_wait_signal(const struct comm_rt_rank *rank,
                            uint64_t stream,
                            int64_t peer,
                            uint64_t buffer,
                            uint64_t channel,
                            uint64_t epoch,
                            int64_t timeout_ms,
                            const char *location);

// Lets a stream meet those of the other members of a group.
int32_t comm_rt_barrier(const struct comm_rt_rank *rank,
                        uint64_t stream,
                        uint64_t group,
                        uint64_t channel,
                        int64_t timeout_ms,
                        const char *location);

// `target = left * right`, or, with `accumulate` not 0, `target += left * right`: matrices of f64, f32, f16 or bf16,
// of which the last two are multiplied and added as f32 and rounded once. Runs here and now; launched functions may
// call it. `COMM_RT_STATUS_INVALID` if shapes do not fit, types are not the same, or the target overlaps an operand.
int32_t comm_rt_matmul(const struct comm_rt_tensor *target,
                       const struct comm_rt_tensor *left,
                       const struct comm_rt_tensor *right,
                       int32_t accumulate);

// The rank whose program this thread runs; `NULL` outside a program, and on streams.
const struct comm_rt_rank *comm_rt_rank_current(void);

// The number of this rank, from 0; -1 for no rank.
int64_t comm_rt_rank_index(const struct comm_rt_rank *rank);

// The number of ranks; -1 for no rank.
int64_t comm_rt_rank_count(const struct comm_rt_rank *rank);

// The status of this rank's first failure, 0 if there was none.
int32_t comm_rt_rank_status(const struct comm_rt_rank *rank);

// 1 where anything has failed, on this rank or on another, else 0, also for no rank: what loops ask that would else
// wait for a value forever.
int32_t comm_rt_world_has_failed(const struct comm_rt_rank *rank);

// What this rank's first failure says, as `comm_rt_world_message` writes it.
size_t comm_rt_rank_message(const struct comm_rt_rank *rank, char *buffer, size_t capacity);

// Reports a failure of the program to all ranks. Returns its status.
int32_t comm_rt_fail(const struct comm_rt_rank *rank, const char *message, const char *location);

// The group of `count` ranks, this one among them, in the order of positions. The same list gives the same handle.
int32_t comm_rt_group(const struct comm_rt_rank *rank,
                      const int64_t *ranks,
                      int64_t count,
                      uint64_t *group);

// This rank's group among groups of one size, whose `count` ranks in all stand one group after the other.
int32_t comm_rt_group_among(const struct comm_rt_rank *rank,
                            const int64_t *ranks,
                            int64_t count,
                            int64_t group_size,
                            uint64_t *group);

// This rank's position in a group; -1, and an error, for a wrong handle.
int64_t comm_rt_group_position(const struct comm_rt_rank *rank, uint64_t group);

// The rank at a position of a group; -1, and an error, for a wrong handle or position.
int64_t comm_rt_group_rank(const struct comm_rt_rank *rank, uint64_t group, int64_t position);

// Begins a span of the program's own computation, for the trace. Spans nest.
int32_t comm_rt_span_begin(const struct comm_rt_rank *rank, const char *name, const char *location);

// Ends the span that began last.
int32_t comm_rt_span_end(const struct comm_rt_rank *rank);

// The stream of this name, made at its first use; `NULL` is the stream `current`.
int32_t comm_rt_stream(const struct comm_rt_rank *rank, const char *name, uint64_t *stream);

// A new stream; `name` is for traces, and may be `NULL`.
int32_t comm_rt_stream_create(const struct comm_rt_rank *rank, const char *name, uint64_t *stream);

// Ends a stream, after what was issued on it.
int32_t comm_rt_stream_destroy(const struct comm_rt_rank *rank, uint64_t stream);

// Waits until all that was issued on a stream has ended; its first error.
int32_t comm_rt_stream_synchronize(const struct comm_rt_rank *rank, uint64_t stream, const char *location);

// Waits until all that was issued on any stream has ended; the first error.
int32_t comm_rt_synchronize(const struct comm_rt_rank *rank, const char *location);

// An event that happens when all that was issued on a stream so far has ended.
int32_t comm_rt_event_record(const struct comm_rt_rank *rank, uint64_t stream, uint64_t *event);

// Lets a stream wait for an event.
int32_t comm_rt_event_wait(const struct comm_rt_rank *rank,
                           uint64_t stream,
                           uint64_t event,
                           const char *location);

// Waits here for an event; the error of its stream, if that failed before it.
int32_t comm_rt_event_synchronize(const struct comm_rt_rank *rank, uint64_t event, const char *location);

// Forgets an event; streams that wait for it still do.
int32_t comm_rt_event_release(const struct comm_rt_rank *rank, uint64_t event);

// Runs `work` on a stream with a copy of `bytes` bytes of arguments, which ends with the op. `name` may be `NULL`.
int32_t comm_rt_launch(const struct comm_rt_rank *rank,
                       uint64_t stream,
                       comm_rt_work work,
                       const void *arguments,
                       size_t bytes,
                       const char *name,
                       const char *location);

// Copies a tensor on a stream, to one of the same shape and element type; either may be a peer's symmetric memory.
int32_t comm_rt_copy(const struct comm_rt_rank *rank,
                     uint64_t stream,
                     const struct comm_rt_tensor *target,
                     const struct comm_rt_tensor *source,
                     const char *location);

// Makes a world; `options` may be `NULL`, for all defaults. Never fails.
struct comm_rt_world *comm_rt_world_create(const struct comm_rt_options *options);

// Ends a world. `NULL` is none.
void comm_rt_world_destroy(struct comm_rt_world *world);

// Runs `program(rank, data)` on `ranks` ranks at once, and returns when all have ended: 0, or the status of the
// failure that was reported first. A world runs one program after the other. Under MPI, `ranks` is the number of
// processes of the job, each of which calls this and runs the program once.
int32_t comm_rt_world_run(const struct comm_rt_world *world,
                          int64_t ranks,
                          comm_rt_program program,
                          void *data);

// What went wrong in the last run on a rank, or, with a negative rank, what was reported first; empty for nothing.
// Writes as much as fits into `buffer`, with a zero at the end, and returns the bytes that all of it needs.
size_t comm_rt_world_message(const struct comm_rt_world *world,
                             int64_t rank,
                             char *buffer,
                             size_t capacity);

// Writes what was recorded in the last run to a file that Perfetto opens. Under MPI, rank 0 writes what all ranks did,
// and the others, which call this or not, write nothing.
int32_t comm_rt_world_write_trace(const struct comm_rt_world *world,
                                  const char *path);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* COMM_RT_H */
