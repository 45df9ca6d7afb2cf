// A branch takes its longest arm, a loop with a condition its condition and its body, any other op with regions their sum;
// with what they communicate.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s

// CHECK: Function=branch {{.*}}step time {{.*}} -> 40.0 us, exposed {{.*}} -> 10.0 us
func.func @branch(%x: tensor<4xf32>, %p: tensor<2xf32>, %c: i1 {comm.uniform}) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %a = "model.one"(%x) {comm.pure, comm.duration_ns = 25000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    // The gather hides 10 of its 20 us.
    %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
    %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
    %a = "model.one"(%x) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %b = "model.two"(%a, %w) {comm.pure, comm.duration_ns = 20000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK: Function=case {{.*}}step time {{.*}} -> 30.0 us
func.func @case(%x: tensor<4xf32>, %i: tensor<i32> {comm.uniform}) -> tensor<4xf32> {
  %r = "stablehlo.case"(%i) ({
    %a = "model.one"(%x) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    %g = comm.all_reduce sum %x over [[0, 1]] {comm.duration_ns = 30000 : i64} : tensor<4xf32> -> tensor<4xf32>
    "stablehlo.return"(%g) : (tensor<4xf32>) -> ()
  }, {
    %a = "model.one"(%x) {comm.pure, comm.duration_ns = 20000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// 3 x (5 + 30) us.
// CHECK: Function=while {{.*}}step time {{.*}} -> 105.0 us, exposed {{.*}} -> 90.0 us
func.func @while(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.while (%h = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %c = "model.test"(%h) {comm.pure, comm.duration_ns = 5000 : i64} : (tensor<4xf32>) -> i1
    scf.condition(%c) %h : tensor<4xf32>
  } do {
  ^bb0(%h: tensor<4xf32>):
    %g = comm.all_reduce sum %h over [[0, 1]] {comm.duration_ns = 30000 : i64} : tensor<4xf32> -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  } attributes {comm.trip_count = 3 : i64}
  return %r : tensor<4xf32>
}

// CHECK: Function=once {{.*}}step time {{.*}} -> 40.0 us
func.func @once(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.execute_region -> tensor<4xf32> {
    %a = "model.one"(%x) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %g = comm.all_reduce sum %a over [[0, 1]] {comm.duration_ns = 30000 : i64} : tensor<4xf32> -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
