// A loop takes its body times its trip count: by constant bounds, by comm.trip_count, or once, with a remark.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s

// Bodies take 30 us: 20 us of computation, of which 10 us hide half of the gather.

// CHECK: Function=constant_bounds {{.*}}step time 150.0 us -> 150.0 us
func.func @constant_bounds(%x: tensor<4xf32>, %p: tensor<2xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %nine = arith.constant 9 : index
  %two = arith.constant 2 : index
  %r = scf.for %i = %zero to %nine step %two iter_args(%h = %x) -> tensor<4xf32> {
    %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
    %a = "model.one"(%h) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
    %b = "model.two"(%a, %w) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-NOT: trip-count
// CHECK: Function=attribute {{.*}}step time 210.0 us -> 210.0 us
// CHECK-NOT: trip-count
func.func @attribute(%x: tensor<4xf32>, %p: tensor<2xf32>, %n: index {comm.uniform}) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%h = %x) -> tensor<4xf32> {
    %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
    %a = "model.one"(%h) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
    %b = "model.two"(%a, %w) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  } {comm.trip_count = 7 : i64}
  return %r : tensor<4xf32>
}

// CHECK: Function=unknown {{.*}}step time 30.0 us -> 30.0 us
// CHECK: [Analysis] trip-count {{.*}}Function=unknown {{.*}}how often this loop runs is not known and taken as once; comm.trip_count on it says how often
func.func @unknown(%x: tensor<4xf32>, %p: tensor<2xf32>, %n: index {comm.uniform}) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%h = %x) -> tensor<4xf32> {
    %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
    %a = "model.one"(%h) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
    %b = "model.two"(%a, %w) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Loops without communication count too, here 4 x 3 x 5 us in nests of two dialects, and hide the gather.
// CHECK: Function=affine_and_parallel {{.*}}step time 80.0 us -> 60.0 us
func.func @affine_and_parallel(%m: memref<4xf32>, %p: tensor<2xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %one = arith.constant 1 : index
  affine.for %i = 0 to 4 {
    scf.parallel (%j) = (%zero) to (%three) step (%one) {
      %v = memref.load %m[%j] {comm.duration_ns = 5000 : i64} : memref<4xf32>
      scf.reduce
    }
  }
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// JAX's counting loops: 6 x 30 us.
// CHECK: Function=counter {{.*}}step time 180.0 us -> 180.0 us
func.func @counter(%x: tensor<4xf32>, %p: tensor<2xf32>) -> tensor<4xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %six = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
  %r:3 = "stablehlo.while"(%zero, %x, %six) ({
  ^bb0(%i: tensor<i32>, %h: tensor<4xf32>, %n: tensor<i32>):
    %more = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> {comm.duration_ns = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %h: tensor<4xf32>, %n: tensor<i32>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
    %a = "model.one"(%h) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
    %b = "model.two"(%a, %w) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %next = "stablehlo.add"(%i, %one) {comm.duration_ns = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %b, %n) : (tensor<i32>, tensor<4xf32>, tensor<i32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<i32>) -> (tensor<i32>, tensor<4xf32>, tensor<i32>)
  return %r#1 : tensor<4xf32>
}

// A measured time of the whole loop wins.
// CHECK: Function=measured {{.*}}step time 3.0 us -> 3.0 us
func.func @measured(%x: tensor<4xf32>, %p: tensor<2xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %nine = arith.constant 9 : index
  %r = scf.for %i = %zero to %nine step %nine iter_args(%h = %x) -> tensor<4xf32> {
    %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
    %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
    scf.yield %w : tensor<4xf32>
  } {comm.duration_ns = 3000 : i64}
  return %r : tensor<4xf32>
}
