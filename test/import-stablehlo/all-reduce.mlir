// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

// Every reduction, with the arguments in both orders. On i1, StableHLO's add and maximum are or, multiply and minimum are and.
module attributes {mhlo.num_replicas = 2 : i32} {
  // CHECK-LABEL: func.func @add
  // CHECK: comm.all_reduce sum %arg0 over {{\[\[}}0, 1]] : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NOT: stablehlo
  func.func @add(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  // CHECK-LABEL: func.func @add_swapped
  // CHECK: comm.all_reduce sum %arg0 over {{\[\[}}0, 1]] : tensor<4xbf16> -> tensor<4xbf16>
  // CHECK-NOT: stablehlo
  func.func @add_swapped(%x: tensor<4xbf16>) -> tensor<4xbf16> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %1 = "stablehlo.add"(%b, %a) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%1) : (tensor<bf16>) -> ()
    }) : (tensor<4xbf16>) -> tensor<4xbf16>
    return %0 : tensor<4xbf16>
  }

  // CHECK-LABEL: func.func @multiply
  // CHECK: comm.all_reduce prod %arg0 over {{\[\[}}0, 1]] : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NOT: stablehlo
  func.func @multiply(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = "stablehlo.multiply"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  // CHECK-LABEL: func.func @maximum
  // CHECK: comm.all_reduce max %arg0 over {{\[\[}}0, 1]] : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NOT: stablehlo
  func.func @maximum(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  // CHECK-LABEL: func.func @minimum
  // CHECK: comm.all_reduce min %arg0 over {{\[\[}}0, 1]] : tensor<4xf16> -> tensor<4xf16>
  // CHECK-NOT: stablehlo
  func.func @minimum(%x: tensor<4xf16>) -> tensor<4xf16> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f16>, %b: tensor<f16>):
      %1 = "stablehlo.minimum"(%b, %a) : (tensor<f16>, tensor<f16>) -> tensor<f16>
      "stablehlo.return"(%1) : (tensor<f16>) -> ()
    }) : (tensor<4xf16>) -> tensor<4xf16>
    return %0 : tensor<4xf16>
  }

  // CHECK-LABEL: func.func @and
  // CHECK: comm.all_reduce and %arg0 over {{\[\[}}0, 1]] : tensor<4xi32> -> tensor<4xi32>
  // CHECK-NOT: stablehlo
  func.func @and(%x: tensor<4xi32>) -> tensor<4xi32> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = "stablehlo.and"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%1) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }

  // CHECK-LABEL: func.func @or
  // CHECK: comm.all_reduce or %arg0 over {{\[\[}}0, 1]] : tensor<4xui8> -> tensor<4xui8>
  // CHECK-NOT: stablehlo
  func.func @or(%x: tensor<4xui8>) -> tensor<4xui8> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
      %1 = "stablehlo.or"(%a, %b) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      "stablehlo.return"(%1) : (tensor<ui8>) -> ()
    }) : (tensor<4xui8>) -> tensor<4xui8>
    return %0 : tensor<4xui8>
  }

  // CHECK-LABEL: func.func @xor
  // CHECK: comm.all_reduce xor %arg0 over {{\[\[}}0, 1]] : tensor<4xi64> -> tensor<4xi64>
  // CHECK-NOT: stablehlo
  func.func @xor(%x: tensor<4xi64>) -> tensor<4xi64> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %1 = "stablehlo.xor"(%a, %b) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%1) : (tensor<i64>) -> ()
    }) : (tensor<4xi64>) -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }

  // CHECK-LABEL: func.func @add_i1
  // CHECK: comm.all_reduce or %arg0 over {{\[\[}}0, 1]] : tensor<4xi1> -> tensor<4xi1>
  // CHECK-NOT: stablehlo
  func.func @add_i1(%x: tensor<4xi1>) -> tensor<4xi1> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %1 = "stablehlo.add"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<4xi1>) -> tensor<4xi1>
    return %0 : tensor<4xi1>
  }

  // CHECK-LABEL: func.func @multiply_i1
  // CHECK: comm.all_reduce and %arg0 over {{\[\[}}0, 1]] : tensor<4xi1> -> tensor<4xi1>
  // CHECK-NOT: stablehlo
  func.func @multiply_i1(%x: tensor<4xi1>) -> tensor<4xi1> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %1 = "stablehlo.multiply"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<4xi1>) -> tensor<4xi1>
    return %0 : tensor<4xi1>
  }

  // CHECK-LABEL: func.func @maximum_i1
  // CHECK: comm.all_reduce or %arg0 over {{\[\[}}0, 1]] : tensor<4xi1> -> tensor<4xi1>
  // CHECK-NOT: stablehlo
  func.func @maximum_i1(%x: tensor<4xi1>) -> tensor<4xi1> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %1 = "stablehlo.maximum"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<4xi1>) -> tensor<4xi1>
    return %0 : tensor<4xi1>
  }

  // CHECK-LABEL: func.func @minimum_i1
  // CHECK: comm.all_reduce and %arg0 over {{\[\[}}0, 1]] : tensor<4xi1> -> tensor<4xi1>
  // CHECK-NOT: stablehlo
  func.func @minimum_i1(%x: tensor<4xi1>) -> tensor<4xi1> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %1 = "stablehlo.minimum"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<4xi1>) -> tensor<4xi1>
    return %0 : tensor<4xi1>
  }

  // CHECK-LABEL: func.func @and_i1
  // CHECK: comm.all_reduce and %arg0 over {{\[\[}}0, 1]] : tensor<4xi1> -> tensor<4xi1>
  // CHECK-NOT: stablehlo
  func.func @and_i1(%x: tensor<4xi1>) -> tensor<4xi1> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %1 = "stablehlo.and"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<4xi1>) -> tensor<4xi1>
    return %0 : tensor<4xi1>
  }

  // CHECK-LABEL: func.func @or_i1
  // CHECK: comm.all_reduce or %arg0 over {{\[\[}}0, 1]] : tensor<4xi1> -> tensor<4xi1>
  // CHECK-NOT: stablehlo
  func.func @or_i1(%x: tensor<4xi1>) -> tensor<4xi1> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %1 = "stablehlo.or"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<4xi1>) -> tensor<4xi1>
    return %0 : tensor<4xi1>
  }

  // CHECK-LABEL: func.func @complex
  // CHECK: comm.all_reduce sum %arg0 over {{\[\[}}0, 1]] : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  // CHECK-NOT: stablehlo
  func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
      %1 = "stablehlo.add"(%a, %b) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%1) : (tensor<complex<f32>>) -> ()
    }) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    return %0 : tensor<4xcomplex<f32>>
  }

  // CHECK-LABEL: func.func @variadic
  // CHECK: %[[R:.*]]:2 = comm.all_reduce sum %arg0, %arg1 over {{\[\[}}0, 1]] : tensor<4xf32>, tensor<f32> -> tensor<4xf32>, tensor<f32>
  // CHECK: return %[[R]]#0, %[[R]]#1
  func.func @variadic(%x: tensor<4xf32>, %y: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
    %0:2 = "stablehlo.all_reduce"(%x, %y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
    return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
  }
}
