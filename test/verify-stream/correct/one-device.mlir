// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics

// A group of one device meets nobody: events alone order its streams.
func.func @alone(%x: memref<4xf32>, %y: memref<4xf32>) {
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "copies"
  %w = comm_stream.symmetric_alloc over [[0]] : !comm_stream.symmetric<memref<4xf32>>
  %mine = comm_stream.local %w : !comm_stream.symmetric<memref<4xf32>>
  %ready = comm_stream.record on %s0
  comm_stream.wait_event %ready on %s1
  comm_stream.copy %x to %mine on %s1 : memref<4xf32> to memref<4xf32>
  comm_stream.copy %mine to %y on %s1 : memref<4xf32> to memref<4xf32>
  %done = comm_stream.record on %s1
  comm_stream.wait_event %done on %s0
  comm_stream.symmetric_free %w : !comm_stream.symmetric<memref<4xf32>>
  return
}
