// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(comm-verify-stream)' -verify-diagnostics

// expected-note @+1 {{the buffer is made here}}
func.func @gather(%shard: memref<4xf32>, %full: memref<8xf32>) -> memref<8xf32> {
  %compute = comm_stream.current
  %gathers = comm_stream.stream "gathers"
  %sum = memref.alloc() : memref<8xf32>
  %ready = comm_stream.record on %compute
  comm_stream.wait_event %ready on %gathers
  // expected-error @+1 {{race on bytes 0 to 31 of argument #1 of rank 0: rank 0 on stream 'current' reads and rank 0 on stream 'gathers' writes}}
  comm_stream.all_gather %shard into %full dim 0 over [[0, 1]] on %gathers : memref<4xf32> into memref<8xf32>
  // expected-note @+1 {{rank 0 on stream 'current' is here}}
  linalg.add ins(%full, %full : memref<8xf32>, memref<8xf32>) outs(%sum : memref<8xf32>)
  %done = comm_stream.record on %gathers
  comm_stream.wait_event %done on %compute
  return %sum : memref<8xf32>
}
