// Names from locations: the collective's own, else that of the argument it gathers, also through a convert.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='mode=name' | FileCheck %s

// CHECK-LABEL: func.func @named(
// CHECK:         comm.all_gather %arg0, %{{.*}} dim 0
// CHECK:         comm.all_gather %arg2 dim 0
// CHECK:         comm.all_gather %arg3 dim 0
func.func @named(%a: tensor<8xf32> loc("params['layers'][0]['up']"), %b: tensor<8xf16> loc("params['layers'][0]['down']"),
                 %c: tensor<8xf32> loc("params['layers'][0]['norm']"), %d: tensor<8xf32>)
    -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %wa = comm.all_gather %a dim 0 over [[0, 1]] : tensor<8xf32> -> tensor<16xf32>
  %bf = arith.extf %b : tensor<8xf16> to tensor<8xf32>
  %wb = comm.all_gather %bf dim 0 over [[0, 1]] : tensor<8xf32> -> tensor<16xf32>
  %wc = comm.all_gather %c dim 0 over [[0, 1]] : tensor<8xf32> -> tensor<16xf32> loc("layers.1.norm")
  %wd = comm.all_gather %d dim 0 over [[0, 1]] : tensor<8xf32> -> tensor<16xf32>
  return %wa, %wb, %wc, %wd : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
