// The peer's pipeline of gather and product has two ways to go wrong (pytorch/pytorch#137850, suboptimal scenarios): the
// device's own shard is copied to where peers read it only after the own product, or it is announced only after that. In both
// every peer waits for a product that it does not need. Its pipeline of product and reduce-scatter goes wrong where the
// chunk for the next device is not the first to be made. Here what peers wait for is issued before the own product, on each
// stream, and no stream that it is issued on waits for that product:
// - two-stream: copy, barrier and product are in this order on one stream;
// - two-stream-eager: copy and barrier are on the second stream before the product is issued, and that stream waits for
//   nothing afterwards;
// - signal: the same of copy, signals and the pulls that have room. The copies' stream waits for a consumer where a landing
//   chunk is used again, and for nothing else.
//
// RUN: comm-opt %s --convert-comm-to-stream='schedule=two-stream sub-chunks=1' | FileCheck %s --check-prefix=TWO
// RUN: comm-opt %s --convert-comm-to-stream='schedule=two-stream sub-chunks=2' | FileCheck %s --check-prefix=TWO
// RUN: comm-opt %s --convert-comm-to-stream='schedule=two-stream-eager sub-chunks=1' | FileCheck %s --check-prefix=EAGER
// RUN: comm-opt %s --convert-comm-to-stream='schedule=two-stream-eager sub-chunks=2' | FileCheck %s --check-prefix=EAGER
// RUN: comm-opt %s --convert-comm-to-stream='schedule=signal sub-chunks=1 depth=3' | FileCheck %s --check-prefix=SIGNAL
// RUN: comm-opt %s --convert-comm-to-stream='schedule=signal sub-chunks=1 depth=1' | FileCheck %s --check-prefix=SHALLOW

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// TWO-LABEL: func.func @gather(
// TWO: %[[OTHER:.*]] = comm_stream.stream
// TWO: %[[CURRENT:.*]] = comm_stream.current
// TWO-NOT: comm_stream.launch
// TWO: comm_stream.copy {{.*}} on %[[CURRENT]]
// TWO-NOT: comm_stream.{{launch|wait.*}}
// TWO: comm_stream.barrier over {{.*}} channel 1 on %[[CURRENT]]
// TWO-NOT: comm_stream.launch
// TWO: %[[OFFERED:.*]] = comm_stream.record on %[[CURRENT]]
// TWO: comm_stream.wait_event %[[OFFERED]] on %[[OTHER]]
// TWO-NOT: comm_stream.{{wait.* on %[[OTHER]]|barrier.* on %[[OTHER]]}}
// TWO: comm_stream.launch "own" on %[[CURRENT]]
// TWO-NOT: comm_stream.{{wait.* on %[[OTHER]]|barrier.* on %[[OTHER]]}}
// TWO: return

// EAGER-LABEL: func.func @gather(
// EAGER: %[[OTHER:.*]] = comm_stream.stream
// EAGER: %[[CURRENT:.*]] = comm_stream.current
// EAGER-NOT: comm_stream.{{launch|wait.* on %[[CURRENT]]|barrier.* on %[[CURRENT]]}}
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER-NOT: comm_stream.{{launch|wait.*|barrier.* on %[[CURRENT]]}}
// EAGER: comm_stream.barrier over {{.*}} channel 1 on %[[OTHER]]
// EAGER-NOT: comm_stream.{{wait.*|barrier.*}}
// EAGER: comm_stream.launch "own" on %[[CURRENT]]
// EAGER-NOT: comm_stream.{{wait.* on %[[OTHER]]|barrier.* on %[[OTHER]]}}
// EAGER: return

// SIGNAL-LABEL: func.func @gather(
// SIGNAL: %[[OTHER:.*]] = comm_stream.stream
// SIGNAL: %[[CURRENT:.*]] = comm_stream.current
// SIGNAL-NOT: comm_stream.{{launch|wait.* on %[[CURRENT]]|barrier.* on %[[CURRENT]]}}
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL-NOT: comm_stream.{{launch|wait.*|barrier.*}}
// SIGNAL-COUNT-3: comm_stream.put_signal {{.*}} on %[[OTHER]]
// SIGNAL-NOT: comm_stream.{{launch|wait_event}}
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL-NOT: comm_stream.{{launch|wait_event}}
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL-NOT: comm_stream.{{launch|wait_event}}
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL-NOT: comm_stream.wait_event
// SIGNAL: comm_stream.launch "own" on %[[CURRENT]]
// SIGNAL-NOT: comm_stream.{{wait.* on %[[OTHER]]|barrier.* on %[[OTHER]]}}
// SIGNAL: return

// Of one landing chunk the first pull is before the own product; the others wait for the consumer before them.
// SHALLOW-LABEL: func.func @gather(
// SHALLOW: %[[OTHER:.*]] = comm_stream.stream
// SHALLOW: %[[CURRENT:.*]] = comm_stream.current
// SHALLOW-COUNT-3: comm_stream.put_signal {{.*}} on %[[OTHER]]
// SHALLOW-NOT: comm_stream.{{launch|wait_event}}
// SHALLOW: comm_stream.copy {{.*}} on %[[OTHER]]
// SHALLOW: comm_stream.launch "own" on %[[CURRENT]]
// SHALLOW-NOT: comm_stream.wait_event {{.*}} on %[[OTHER]]
// SHALLOW: comm_stream.launch "chunk 1" on %[[CURRENT]]
// SHALLOW-NOT: comm_stream
// SHALLOW: %[[FREE:.*]] = comm_stream.record on %[[CURRENT]]
// SHALLOW-NEXT: comm_stream.wait_event %[[FREE]] on %[[OTHER]]
// SHALLOW-NOT: comm_stream.wait_event {{.*}} on %[[OTHER]]
// SHALLOW: comm_stream.launch "chunk 2" on %[[CURRENT]]
func.func @gather(%x: memref<2x8xf32>, %w: memref<8x4xf32>) -> memref<8x4xf32> {
  %y = comm.all_gather_matmul gather(%x : memref<2x8xf32>) dim 0 over [[0, 1, 2, 3]]
    product(%w : memref<8x4xf32>) maps [#mk, #kn, #mn] -> memref<8x4xf32>
  return %y : memref<8x4xf32>
}

// Chunks for others are made in the order in which they are needed, the own one after all of them.
// TWO-LABEL: func.func @scatter(
// TWO: %[[OTHER:.*]] = comm_stream.stream
// TWO: %[[CURRENT:.*]] = comm_stream.current
// TWO-NOT: comm_stream.launch
// TWO: comm_stream.launch "chunk 1{{.*}} on %[[OTHER]]
// TWO-NOT: comm_stream.launch {{.*}} on %[[CURRENT]]
// TWO: comm_stream.launch "chunk {{2"|1 part 1"}} on %[[CURRENT]]
// TWO-NOT: comm_stream.wait{{.*}} on %[[OTHER]]
// TWO: comm_stream.launch "own" on %[[CURRENT]]
// TWO-NOT: comm_stream.{{launch "chunk|wait.* on %[[OTHER]]|copy}}
// TWO: return

// By signals the copies' stream waits for no product at all, but for peers and for sums that free the landing chunk; what
// tells a peer that its chunk is there comes right after it.
// SIGNAL-LABEL: func.func @scatter(
// SIGNAL: %[[OTHER:.*]] = comm_stream.stream
// SIGNAL: %[[CURRENT:.*]] = comm_stream.current
// SIGNAL: comm_stream.wait_signal {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL-NOT: comm_stream.launch "{{own|reduce}}"
// SIGNAL: comm_stream.launch "chunk 1" on %[[CURRENT]]
// SIGNAL: comm_stream.put_signal {{.*}} channel 0 {{.*}} on %[[CURRENT]]
// SIGNAL-NOT: comm_stream.launch "{{own|reduce}}"
// SIGNAL: comm_stream.launch "chunk 2" on %[[CURRENT]]
// SIGNAL: comm_stream.put_signal {{.*}} channel 0 {{.*}} on %[[CURRENT]]
// SIGNAL: comm_stream.launch "reduce" on %[[CURRENT]]
// SIGNAL-NOT: comm_stream
// SIGNAL: %[[FREE:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL-NEXT: comm_stream.wait_event %[[FREE]] on %[[OTHER]]
// SIGNAL-NOT: comm_stream.launch "own"
// SIGNAL: comm_stream.launch "chunk 3" on %[[CURRENT]]
// SIGNAL: comm_stream.put_signal {{.*}} channel 0 {{.*}} on %[[CURRENT]]
// SIGNAL: comm_stream.launch "own" on %[[CURRENT]]
// SIGNAL-NOT: comm_stream.{{put_signal|copy|launch "chunk|wait.* on %[[OTHER]]}}
// SIGNAL: return
func.func @scatter(%x: memref<8x8xf32>, %w: memref<8x4xf32>) -> memref<2x4xf32> {
  %r = comm.matmul_reduce_scatter sum product(%x, %w : memref<8x8xf32>, memref<8x4xf32>) maps [#mk, #kn, #mn]
    dim 0 over [[0, 1, 2, 3]] -> memref<2x4xf32>
  return %r : memref<2x4xf32>
}
