// RUN: comm-opt %s --allow-unregistered-dialect --comm-legalize-stablehlo | FileCheck %s

// What communicates stays, on types without signs.

module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 4 : i32} {
  // CHECK-LABEL: func.func @started
  // CHECK:         %[[F:.*]] = comm.all_gather %arg0 dim 0 over {{\[\[}}0, 1]] : tensor<2xi32> -> !comm.future<tensor<4xi32>>
  // CHECK:         comm.wait %[[F]] keeping(%arg0 : tensor<2xi32>) : !comm.future<tensor<4xi32>>
  func.func @started(%x: tensor<2xui32>) -> tensor<4xui32> {
    %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<2xui32> -> !comm.future<tensor<4xui32>>
    %g = comm.wait %f keeping(%x : tensor<2xui32>) : !comm.future<tensor<4xui32>>
    return %g : tensor<4xui32>
  }

  // Unsigned integers in the order of signed ones: with the highest bit turned.
  // CHECK-LABEL: func.func @greatest
  // CHECK:         %[[MIN:.*]] = arith.constant -128 : i8
  // CHECK:         arith.xori %{{.*}}, %[[MIN]] : i8
  // CHECK:         %[[M:.*]] = comm.all_reduce max %{{.*}} over {{.*}} : tensor<2xi8> -> tensor<2xi8>
  // CHECK:         linalg.generic {{.*}} ins(%[[M]] : tensor<2xi8>)
  // CHECK:           arith.xori
  func.func @greatest(%x: tensor<2xui8>) -> tensor<2xui8> {
    %m = comm.all_reduce max %x over [[0, 1]] : tensor<2xui8> -> tensor<2xui8>
    return %m : tensor<2xui8>
  }

  // One that is started keeps what was sent, and is turned back where it is awaited.
  // CHECK-LABEL: func.func @greatest_of_started
  // CHECK:         %[[SENT:.*]] = linalg.generic
  // CHECK:           arith.xori
  // CHECK:         %[[F:.*]] = comm.all_reduce max %[[SENT]] over {{.*}} : tensor<2xi8> -> !comm.future<tensor<2xi8>>
  // CHECK:         %[[M:.*]] = comm.wait %[[F]] keeping(%[[SENT]] : tensor<2xi8>) : !comm.future<tensor<2xi8>>
  // CHECK:         linalg.generic {{.*}} ins(%[[M]] : tensor<2xi8>)
  // CHECK:           arith.xori
  func.func @greatest_of_started(%x: tensor<2xui8>) -> tensor<2xui8> {
    %f = comm.all_reduce max %x over [[0, 1]] : tensor<2xui8> -> !comm.future<tensor<2xui8>>
    %m = comm.wait %f keeping(%x : tensor<2xui8>) : !comm.future<tensor<2xui8>>
    return %m : tensor<2xui8>
  }

  // CHECK-LABEL: func.func @sum
  // CHECK-NOT:     arith.xori
  // CHECK:         return
  func.func @sum(%x: tensor<2xui8>) -> tensor<2xui8> {
    %m = comm.all_reduce sum %x over [[0, 1]] : tensor<2xui8> -> tensor<2xui8>
    return %m : tensor<2xui8>
  }

  // Ranks are replica * partitions + partition.
  // CHECK-LABEL: func.func @ids
  // CHECK:         %[[R:.*]] = comm.rank over {{\[\[}}0, 1, 2, 3, 4, 5, 6, 7]] : index
  // CHECK:         arith.remui %[[R]]
  // CHECK:         comm.rank
  // CHECK:         arith.divui
  func.func @ids() -> (tensor<ui32>, tensor<ui32>) {
    %p = "stablehlo.partition_id"() : () -> tensor<ui32>
    %r = "stablehlo.replica_id"() : () -> tensor<ui32>
    return %p, %r : tensor<ui32>, tensor<ui32>
  }

  // What holds no StableHLO is left alone, whatever its form.
  // CHECK-LABEL: func.func @other
  // CHECK:         cf.br ^bb1
  func.func @other(%x: index) -> index {
    cf.br ^bb1(%x : index)
  ^bb1(%y: index):
    return %y : index
  }
}
