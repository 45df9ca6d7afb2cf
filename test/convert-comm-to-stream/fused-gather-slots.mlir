// All-gather and product where the gathered tensor is not wanted: chunks land in two slots.
//
// RUN: comm-opt %s --convert-comm-to-stream='schedule=two-stream sub-chunks=1' --split-input-file | FileCheck %s --check-prefix=TWO --implicit-check-not='comm_stream.{{barrier|wait|put|record|copy|launch}}'
// RUN: comm-opt %s --convert-comm-to-stream='schedule=two-stream sub-chunks=1' --comm-verify-stream --split-input-file -o /dev/null
// RUN: comm-opt %s --convert-comm-to-stream='schedule=two-stream-eager sub-chunks=1' --split-input-file | FileCheck %s --check-prefix=EAGER --implicit-check-not='comm_stream.{{barrier|wait|put|record|copy|launch}}'
// RUN: comm-opt %s --convert-comm-to-stream='schedule=two-stream-eager sub-chunks=1' --comm-verify-stream --split-input-file -o /dev/null
// RUN: comm-opt %s --convert-comm-to-stream='schedule=signal sub-chunks=1' --split-input-file | FileCheck %s --check-prefix=SIGNAL --implicit-check-not='comm_stream.{{barrier|wait|put|record|copy|launch}}'
// RUN: comm-opt %s --convert-comm-to-stream='schedule=signal sub-chunks=1' --comm-verify-stream --split-input-file -o /dev/null

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// TWO-LABEL: func.func @gather_in_slots_3(
// TWO: %[[OTHER:.*]] = comm_stream.stream "second {{\[\[}}0, 1, 2]]"
// TWO: %[[W:.*]] = comm_stream.symmetric_alloc over {{.*}} : !comm_stream.symmetric<memref<64xi8>>
// TWO: %[[CURRENT:.*]] = comm_stream.current
// TWO: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// TWO: comm_stream.copy {{.*}} on %[[CURRENT]]
// TWO: comm_stream.barrier over {{.*}} channel 1 on %[[CURRENT]]
// TWO: %[[E0:.*]] = comm_stream.record on %[[CURRENT]]
// TWO: comm_stream.wait_event %[[E0]] on %[[OTHER]]
// TWO: comm_stream.copy {{.*}} on %[[OTHER]]
// TWO: comm_stream.launch "chunk 1" on %[[OTHER]]
// TWO: comm_stream.launch "own" on %[[CURRENT]]
// TWO: comm_stream.copy {{.*}} on %[[CURRENT]]
// TWO: comm_stream.launch "chunk 2" on %[[CURRENT]]
// TWO: %[[E1:.*]] = comm_stream.record on %[[OTHER]]
// TWO: comm_stream.wait_event %[[E1]] on %[[CURRENT]]
// TWO: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// TWO: comm_stream.symmetric_free %[[W]]
// TWO-NEXT: return
// EAGER-LABEL: func.func @gather_in_slots_3(
// EAGER: %[[OTHER:.*]] = comm_stream.stream "second {{\[\[}}0, 1, 2]]"
// EAGER: %[[W:.*]] = comm_stream.symmetric_alloc over {{.*}} : !comm_stream.symmetric<memref<64xi8>>
// EAGER: %[[CURRENT:.*]] = comm_stream.current
// EAGER: %[[E0:.*]] = comm_stream.record on %[[CURRENT]]
// EAGER: comm_stream.wait_event %[[E0]] on %[[OTHER]]
// EAGER: comm_stream.barrier over {{.*}} channel 0 on %[[OTHER]]
// EAGER: %[[E1:.*]] = comm_stream.record on %[[CURRENT]]
// EAGER: comm_stream.wait_event %[[E1]] on %[[OTHER]]
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER: comm_stream.barrier over {{.*}} channel 1 on %[[OTHER]]
// EAGER: %[[E2:.*]] = comm_stream.record on %[[OTHER]]
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER: comm_stream.launch "chunk 1" on %[[OTHER]]
// EAGER: comm_stream.launch "own" on %[[CURRENT]]
// EAGER: comm_stream.wait_event %[[E2]] on %[[CURRENT]]
// EAGER: comm_stream.copy {{.*}} on %[[CURRENT]]
// EAGER: comm_stream.launch "chunk 2" on %[[CURRENT]]
// EAGER: %[[E3:.*]] = comm_stream.record on %[[OTHER]]
// EAGER: comm_stream.wait_event %[[E3]] on %[[CURRENT]]
// EAGER: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// EAGER: comm_stream.symmetric_free %[[W]]
// EAGER-NEXT: return
// SIGNAL-LABEL: func.func @gather_in_slots_3(
// SIGNAL: %[[OTHER:.*]] = comm_stream.stream "copies {{\[\[}}0, 1, 2]]"
// SIGNAL: %[[W:.*]] = comm_stream.symmetric_alloc over {{.*}} : !comm_stream.symmetric<memref<64xi8>>
// SIGNAL: %[[CURRENT:.*]] = comm_stream.current
// SIGNAL: %[[E0:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E0]] on %[[OTHER]]
// SIGNAL: comm_stream.barrier over {{.*}} channel 0 on %[[OTHER]]
// SIGNAL: %[[E1:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E1]] on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E2:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E3:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.launch "own" on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E2]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 1" on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E3]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 2" on %[[CURRENT]]
// SIGNAL: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// SIGNAL: comm_stream.symmetric_free %[[W]]
// SIGNAL-NEXT: return
func.func @gather_in_slots_3(%x: memref<2x8xf32>, %w: memref<8x4xf32>) -> memref<6x4xf32> {
  %y = comm.all_gather_matmul gather(%x : memref<2x8xf32>) dim 0 over [[0, 1, 2]]
    product(%w : memref<8x4xf32>) maps [#mk, #kn, #mn] -> memref<6x4xf32>
  return %y : memref<6x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// TWO-LABEL: func.func @gather_in_slots_4(
// TWO: %[[OTHER:.*]] = comm_stream.stream "second {{\[\[}}0, 1, 2, 3]]"
// TWO: %[[W:.*]] = comm_stream.symmetric_alloc over {{.*}} : !comm_stream.symmetric<memref<64xi8>>
// TWO: %[[CURRENT:.*]] = comm_stream.current
// TWO: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// TWO: comm_stream.copy {{.*}} on %[[CURRENT]]
// TWO: comm_stream.barrier over {{.*}} channel 1 on %[[CURRENT]]
// TWO: %[[E0:.*]] = comm_stream.record on %[[CURRENT]]
// TWO: comm_stream.wait_event %[[E0]] on %[[OTHER]]
// TWO: comm_stream.copy {{.*}} on %[[OTHER]]
// TWO: comm_stream.launch "chunk 1" on %[[OTHER]]
// TWO: comm_stream.copy {{.*}} on %[[OTHER]]
// TWO: comm_stream.launch "chunk 3" on %[[OTHER]]
// TWO: comm_stream.launch "own" on %[[CURRENT]]
// TWO: comm_stream.copy {{.*}} on %[[CURRENT]]
// TWO: comm_stream.launch "chunk 2" on %[[CURRENT]]
// TWO: %[[E1:.*]] = comm_stream.record on %[[OTHER]]
// TWO: comm_stream.wait_event %[[E1]] on %[[CURRENT]]
// TWO: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// TWO: comm_stream.symmetric_free %[[W]]
// TWO-NEXT: return
// EAGER-LABEL: func.func @gather_in_slots_4(
// EAGER: %[[OTHER:.*]] = comm_stream.stream "second {{\[\[}}0, 1, 2, 3]]"
// EAGER: %[[W:.*]] = comm_stream.symmetric_alloc over {{.*}} : !comm_stream.symmetric<memref<64xi8>>
// EAGER: %[[CURRENT:.*]] = comm_stream.current
// EAGER: %[[E0:.*]] = comm_stream.record on %[[CURRENT]]
// EAGER: comm_stream.wait_event %[[E0]] on %[[OTHER]]
// EAGER: comm_stream.barrier over {{.*}} channel 0 on %[[OTHER]]
// EAGER: %[[E1:.*]] = comm_stream.record on %[[CURRENT]]
// EAGER: comm_stream.wait_event %[[E1]] on %[[OTHER]]
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER: comm_stream.barrier over {{.*}} channel 1 on %[[OTHER]]
// EAGER: %[[E2:.*]] = comm_stream.record on %[[OTHER]]
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER: comm_stream.launch "chunk 1" on %[[OTHER]]
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER: comm_stream.launch "chunk 3" on %[[OTHER]]
// EAGER: comm_stream.launch "own" on %[[CURRENT]]
// EAGER: comm_stream.wait_event %[[E2]] on %[[CURRENT]]
// EAGER: comm_stream.copy {{.*}} on %[[CURRENT]]
// EAGER: comm_stream.launch "chunk 2" on %[[CURRENT]]
// EAGER: %[[E3:.*]] = comm_stream.record on %[[OTHER]]
// EAGER: comm_stream.wait_event %[[E3]] on %[[CURRENT]]
// EAGER: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// EAGER: comm_stream.symmetric_free %[[W]]
// EAGER-NEXT: return
// SIGNAL-LABEL: func.func @gather_in_slots_4(
// SIGNAL: %[[OTHER:.*]] = comm_stream.stream "copies {{\[\[}}0, 1, 2, 3]]"
// SIGNAL: %[[W:.*]] = comm_stream.symmetric_alloc over {{.*}} : !comm_stream.symmetric<memref<64xi8>>
// SIGNAL: %[[CURRENT:.*]] = comm_stream.current
// SIGNAL: %[[E0:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E0]] on %[[OTHER]]
// SIGNAL: comm_stream.barrier over {{.*}} channel 0 on %[[OTHER]]
// SIGNAL: %[[E1:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E1]] on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E2:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E3:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.launch "own" on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E2]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 1" on %[[CURRENT]]
// SIGNAL: %[[E4:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E4]] on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E5:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.wait_event %[[E3]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 2" on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E5]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 3" on %[[CURRENT]]
// SIGNAL: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// SIGNAL: comm_stream.symmetric_free %[[W]]
// SIGNAL-NEXT: return
func.func @gather_in_slots_4(%x: memref<2x8xf32>, %w: memref<8x4xf32>) -> memref<8x4xf32> {
  %y = comm.all_gather_matmul gather(%x : memref<2x8xf32>) dim 0 over [[0, 1, 2, 3]]
    product(%w : memref<8x4xf32>) maps [#mk, #kn, #mn] -> memref<8x4xf32>
  return %y : memref<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// TWO-LABEL: func.func @gather_in_slots_8(
// TWO: %[[OTHER:.*]] = comm_stream.stream "second {{\[\[}}0, 1, 2, 3, 4, 5, 6, 7]]"
// TWO: %[[W:.*]] = comm_stream.symmetric_alloc over {{.*}} : !comm_stream.symmetric<memref<64xi8>>
// TWO: %[[CURRENT:.*]] = comm_stream.current
// TWO: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// TWO: comm_stream.copy {{.*}} on %[[CURRENT]]
// TWO: comm_stream.barrier over {{.*}} channel 1 on %[[CURRENT]]
// TWO: %[[E0:.*]] = comm_stream.record on %[[CURRENT]]
// TWO: comm_stream.wait_event %[[E0]] on %[[OTHER]]
// TWO: comm_stream.copy {{.*}} on %[[OTHER]]
// TWO: comm_stream.launch "chunk 1" on %[[OTHER]]
// TWO: comm_stream.copy {{.*}} on %[[OTHER]]
// TWO: comm_stream.launch "chunk 3" on %[[OTHER]]
// TWO: comm_stream.copy {{.*}} on %[[OTHER]]
// TWO: comm_stream.launch "chunk 5" on %[[OTHER]]
// TWO: comm_stream.copy {{.*}} on %[[OTHER]]
// TWO: comm_stream.launch "chunk 7" on %[[OTHER]]
// TWO: comm_stream.launch "own" on %[[CURRENT]]
// TWO: comm_stream.copy {{.*}} on %[[CURRENT]]
// TWO: comm_stream.launch "chunk 2" on %[[CURRENT]]
// TWO: comm_stream.copy {{.*}} on %[[CURRENT]]
// TWO: comm_stream.launch "chunk 4" on %[[CURRENT]]
// TWO: comm_stream.copy {{.*}} on %[[CURRENT]]
// TWO: comm_stream.launch "chunk 6" on %[[CURRENT]]
// TWO: %[[E1:.*]] = comm_stream.record on %[[OTHER]]
// TWO: comm_stream.wait_event %[[E1]] on %[[CURRENT]]
// TWO: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// TWO: comm_stream.symmetric_free %[[W]]
// TWO-NEXT: return
// EAGER-LABEL: func.func @gather_in_slots_8(
// EAGER: %[[OTHER:.*]] = comm_stream.stream "second {{\[\[}}0, 1, 2, 3, 4, 5, 6, 7]]"
// EAGER: %[[W:.*]] = comm_stream.symmetric_alloc over {{.*}} : !comm_stream.symmetric<memref<64xi8>>
// EAGER: %[[CURRENT:.*]] = comm_stream.current
// EAGER: %[[E0:.*]] = comm_stream.record on %[[CURRENT]]
// EAGER: comm_stream.wait_event %[[E0]] on %[[OTHER]]
// EAGER: comm_stream.barrier over {{.*}} channel 0 on %[[OTHER]]
// EAGER: %[[E1:.*]] = comm_stream.record on %[[CURRENT]]
// EAGER: comm_stream.wait_event %[[E1]] on %[[OTHER]]
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER: comm_stream.barrier over {{.*}} channel 1 on %[[OTHER]]
// EAGER: %[[E2:.*]] = comm_stream.record on %[[OTHER]]
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER: comm_stream.launch "chunk 1" on %[[OTHER]]
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER: comm_stream.launch "chunk 3" on %[[OTHER]]
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER: comm_stream.launch "chunk 5" on %[[OTHER]]
// EAGER: comm_stream.copy {{.*}} on %[[OTHER]]
// EAGER: comm_stream.launch "chunk 7" on %[[OTHER]]
// EAGER: comm_stream.launch "own" on %[[CURRENT]]
// EAGER: comm_stream.wait_event %[[E2]] on %[[CURRENT]]
// EAGER: comm_stream.copy {{.*}} on %[[CURRENT]]
// EAGER: comm_stream.launch "chunk 2" on %[[CURRENT]]
// EAGER: comm_stream.copy {{.*}} on %[[CURRENT]]
// EAGER: comm_stream.launch "chunk 4" on %[[CURRENT]]
// EAGER: comm_stream.copy {{.*}} on %[[CURRENT]]
// EAGER: comm_stream.launch "chunk 6" on %[[CURRENT]]
// EAGER: %[[E3:.*]] = comm_stream.record on %[[OTHER]]
// EAGER: comm_stream.wait_event %[[E3]] on %[[CURRENT]]
// EAGER: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// EAGER: comm_stream.symmetric_free %[[W]]
// EAGER-NEXT: return
// SIGNAL-LABEL: func.func @gather_in_slots_8(
// SIGNAL: %[[OTHER:.*]] = comm_stream.stream "copies {{\[\[}}0, 1, 2, 3, 4, 5, 6, 7]]"
// SIGNAL: %[[W:.*]] = comm_stream.symmetric_alloc over {{.*}} : !comm_stream.symmetric<memref<64xi8>>
// SIGNAL: %[[CURRENT:.*]] = comm_stream.current
// SIGNAL: %[[E0:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E0]] on %[[OTHER]]
// SIGNAL: comm_stream.barrier over {{.*}} channel 0 on %[[OTHER]]
// SIGNAL: %[[E1:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E1]] on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.put_signal %[[W]] to {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E2:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E3:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.launch "own" on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E2]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 1" on %[[CURRENT]]
// SIGNAL: %[[E4:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E4]] on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E5:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.wait_event %[[E3]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 2" on %[[CURRENT]]
// SIGNAL: %[[E6:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E6]] on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E7:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.wait_event %[[E5]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 3" on %[[CURRENT]]
// SIGNAL: %[[E8:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E8]] on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E9:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.wait_event %[[E7]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 4" on %[[CURRENT]]
// SIGNAL: %[[E10:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E10]] on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E11:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.wait_event %[[E9]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 5" on %[[CURRENT]]
// SIGNAL: %[[E12:.*]] = comm_stream.record on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E12]] on %[[OTHER]]
// SIGNAL: comm_stream.wait_signal %[[W]] from {{.*}} channel 0 epoch {{.*}} on %[[OTHER]]
// SIGNAL: comm_stream.copy {{.*}} on %[[OTHER]]
// SIGNAL: %[[E13:.*]] = comm_stream.record on %[[OTHER]]
// SIGNAL: comm_stream.wait_event %[[E11]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 6" on %[[CURRENT]]
// SIGNAL: comm_stream.wait_event %[[E13]] on %[[CURRENT]]
// SIGNAL: comm_stream.launch "chunk 7" on %[[CURRENT]]
// SIGNAL: comm_stream.barrier over {{.*}} channel 0 on %[[CURRENT]]
// SIGNAL: comm_stream.symmetric_free %[[W]]
// SIGNAL-NEXT: return
func.func @gather_in_slots_8(%x: memref<2x8xf32>, %w: memref<8x4xf32>) -> memref<16x4xf32> {
  %y = comm.all_gather_matmul gather(%x : memref<2x8xf32>) dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]]
    product(%w : memref<8x4xf32>) maps [#mk, #kn, #mn] -> memref<16x4xf32>
  return %y : memref<16x4xf32>
}

