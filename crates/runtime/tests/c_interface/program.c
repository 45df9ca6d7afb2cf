// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two ranks in C: a collective, a launch, symmetric memory and signals; then errors, and a run after them.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "comm_rt.h"

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    int32_t status = (call);                                                                                           \
    if (status != COMM_RT_STATUS_OK)                                                                                   \
      return status;                                                                                                   \
  } while (0)

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      return comm_rt_fail(rank, #condition, __FILE__);                                                                 \
  } while (0)

static comm_rt_tensor vector(float *data, const int64_t *sizes) {
  comm_rt_tensor tensor = {data, COMM_RT_ELEMENT_F32, 1, sizes, NULL};
  return tensor;
}

struct doubling {
  float *data;
  int64_t count;
};

static int32_t double_all(void *arguments) {
  const struct doubling *doubling = arguments;
  if (comm_rt_rank_current() != NULL)
    return 1;
  for (int64_t index = 0; index < doubling->count; ++index)
    doubling->data[index] *= 2;
  return 0;
}

static int32_t everyone(const comm_rt_rank *rank, uint64_t *group) {
  const int64_t ranks[] = {0, 1};
  return comm_rt_group(rank, ranks, comm_rt_rank_count(rank), group);
}

// Doubles on one stream, sums on another, and hands the result to the other rank.
static int32_t sum(const comm_rt_rank *rank, void *data) {
  (void)data;
  uint64_t group, compute, link, doubled, buffer;
  TRY(everyone(rank, &group));
  TRY(comm_rt_stream(rank, NULL, &compute));
  TRY(comm_rt_stream(rank, "link", &link));
  int64_t own = comm_rt_rank_index(rank), peer = 1 - own;
  CHECK(comm_rt_group_position(rank, group) == own);
  CHECK(comm_rt_group_rank(rank, group, peer) == peer);
  CHECK(comm_rt_rank_current() == rank);

  const int64_t sizes[] = {3};
  float values[] = {1.0f, 2.0f, 3.0f + (float)own}, result[3] = {0}, received[3] = {0};
  struct doubling doubling = {values, 3};
  TRY(comm_rt_launch(rank, compute, double_all, &doubling, sizeof doubling, "double", "program.c:launch"));
  memset(&doubling, 0, sizeof doubling);
  TRY(comm_rt_event_record(rank, compute, &doubled));
  TRY(comm_rt_event_wait(rank, link, doubled, NULL));
  TRY(comm_rt_event_release(rank, doubled));
  comm_rt_tensor input = vector(values, sizes), output = vector(result, sizes);
  TRY(comm_rt_all_reduce(rank, link, group, COMM_RT_REDUCTION_SUM, 1, &input, &output, 0, "program.c:first"));

  void *mine, *theirs;
  TRY(comm_rt_symmetric_alloc(rank, group, sizeof values, 0, "program.c:alloc", &buffer));
  TRY(comm_rt_symmetric_peer(rank, buffer, own, &mine));
  TRY(comm_rt_symmetric_peer(rank, buffer, peer, &theirs));
  comm_rt_tensor landing = vector(theirs, sizes);
  TRY(comm_rt_copy(rank, link, &landing, &output, "program.c:push"));
  TRY(comm_rt_put_signal(rank, link, peer, buffer, 0, 1, "program.c:put"));
  TRY(comm_rt_wait_signal(rank, link, peer, buffer, 0, 1, 1000, "program.c:wait"));
  TRY(comm_rt_stream_synchronize(rank, link, NULL));
  memcpy(received, mine, sizeof received);
  CHECK(received[0] == 4.0f && received[1] == 8.0f && received[2] == 14.0f);
  TRY(comm_rt_symmetric_free(rank, buffer, 0, NULL));
  return comm_rt_synchronize(rank, NULL);
}

// One rank sums three elements, the other two.
static int32_t mismatch(const comm_rt_rank *rank, void *data) {
  (void)data;
  uint64_t group, stream;
  TRY(everyone(rank, &group));
  TRY(comm_rt_stream(rank, NULL, &stream));
  const int64_t sizes[] = {3 - comm_rt_rank_index(rank)};
  static float memory[2][6];
  float *values = memory[comm_rt_rank_index(rank)];
  comm_rt_tensor input = vector(values, sizes), output = vector(values + 3, sizes);
  TRY(comm_rt_all_reduce(rank, stream, group, COMM_RT_REDUCTION_SUM, 1, &input, &output, 0, "program.c:second"));
  int32_t status = comm_rt_stream_synchronize(rank, stream, NULL);
  CHECK(comm_rt_rank_status(rank) == status);
  return status;
}

static int32_t returns(const comm_rt_rank *rank, void *data) {
  (void)data;
  return comm_rt_rank_index(rank) == 1 ? 3 : 0;
}

// The message up to its second colon behind "collectives".
static void print(const comm_rt_world *world, int64_t rank) {
  char message[512];
  size_t needed = comm_rt_world_message(world, rank, message, sizeof message);
  char *rest = strstr(message, "different collectives: ");
  if (rest != NULL)
    strcpy(rest + strlen("different collectives: "), "...");
  if (needed > 1)
    puts(message);
}

int main(int count, char **arguments) {
  comm_rt_options options = {0};
  options.timeout_ms = 60000;
  options.trace = 1;
  comm_rt_world *world = comm_rt_world_create(&options);
  if (comm_rt_rank_current() != NULL)
    return 1;
  printf("sum: %d\n", comm_rt_world_run(world, 2, sum, NULL));
  print(world, -1);
  if (count > 1 && comm_rt_world_write_trace(world, arguments[1]) != COMM_RT_STATUS_OK)
    return 1;
  printf("mismatch: %d\n", comm_rt_world_run(world, 2, mismatch, NULL));
  print(world, 0);
  print(world, 1);
  printf("returned: %d\n", comm_rt_world_run(world, 2, returns, NULL));
  print(world, 1);
  printf("again: %d\n", comm_rt_world_run(world, 2, sum, NULL));
  print(world, -1);
  comm_rt_world_destroy(world);
  return 0;
}
