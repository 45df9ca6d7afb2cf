// RUN: comm-opt %s --comm-simplify=fp=reassociate | FileCheck %s
// RUN: comm-opt %s --comm-simplify | FileCheck %s --check-prefix=EXACT
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-simplify{fp=reassociate}))' | FileCheck %s
// RUN: comm-opt %s --comm-simplify=fp=reassociate --remarks-filter='comm-simplify' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS

// Gradients of a model that is sharded over four devices and replicated twice, summed over the replicas first. Each device
// keeps a quarter: scattering first sends four times less between the replicas. That adds in another order, so it is not
// done where results must be the same bit by bit.

// CHECK-LABEL: func.func @gradient
// CHECK-NEXT:    %[[OWN:.*]] = comm.reduce_scatter sum %arg0 dim 0 over @mesh["shard"]
// CHECK-NEXT:    %[[SUM:.*]] = comm.all_reduce sum %[[OWN]] over @mesh["replica"] : tensor<1024x4096xf32>
// CHECK-NEXT:    return %[[SUM]]

// EXACT-LABEL: func.func @gradient
// EXACT-NEXT:    comm.all_reduce
// EXACT-NEXT:    comm.reduce_scatter
comm.mesh @mesh <["replica" = 2, "shard" = 4]>
func.func @gradient(%g: tensor<4096x4096xf32>) -> tensor<1024x4096xf32> {
  %sum = comm.all_reduce sum %g over @mesh["replica"] : tensor<4096x4096xf32> -> tensor<4096x4096xf32>
  %own = comm.reduce_scatter sum %sum dim 0 over @mesh["shard"] : tensor<4096x4096xf32> -> tensor<1024x4096xf32>
  return %own : tensor<1024x4096xf32>
}

// A weight that is gathered wide and used narrow is sent narrow: no bit changes.

// CHECK-LABEL: func.func @weight
// CHECK-NEXT:    %[[NARROW:.*]] = arith.truncf %arg0 : tensor<512x4096xf32> to tensor<512x4096xbf16>
// CHECK-NEXT:    %[[WHOLE:.*]] = comm.all_gather %[[NARROW]] dim 0
// CHECK-NEXT:    return %[[WHOLE]]

// EXACT-LABEL: func.func @weight
// EXACT-NEXT:    arith.truncf
// EXACT-NEXT:    comm.all_gather
func.func @weight(%w: tensor<512x4096xf32>) -> tensor<4096x4096xbf16> {
  %whole = comm.all_gather %w dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<512x4096xf32> -> tensor<4096x4096xf32>
  %narrow = arith.truncf %whole : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  return %narrow : tensor<4096x4096xbf16>
}

// REMARKS: [Analysis] saturation {{.*}}every e-graph saturated
// REMARKS: [Passed] rewritten {{.*}}rewritten by B6 ({{.*}}): each device sends
// REMARKS: [Passed] block {{.*}}scheduled fast, step time
