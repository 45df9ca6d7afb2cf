// What is live inside of an op counts once: what an arm yields is the result in the end, and what a loop carries takes the place
// of an initial value that dies there.
// RUN: comm-opt %s --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s
// RUN: comm-opt %s --comm-schedule=memory-limit=12288 -o /dev/null

// The sum and the reduced one, as without the branch.
// CHECK: Function=arm {{.*}}peak memory 8192 -> 8192 bytes
func.func @arm(%x: tensor<1024xf32>, %c: i1 {comm.uniform}) -> tensor<1024xf32> {
  %a = arith.addf %x, %x : tensor<1024xf32>
  %r = scf.if %c -> tensor<1024xf32> {
    %f = comm.all_reduce sum %a over [[0, 1]] : tensor<1024xf32> -> !comm.future<tensor<1024xf32>>
    %w = comm.wait %f keeping(%a : tensor<1024xf32>) : !comm.future<tensor<1024xf32>>
    scf.yield %w : tensor<1024xf32>
  } else {
    scf.yield %a : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}

// CHECK: Function=inline {{.*}}peak memory 8192 -> 8192 bytes
func.func @inline(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %a = arith.addf %x, %x : tensor<1024xf32>
  %f = comm.all_reduce sum %a over [[0, 1]] : tensor<1024xf32> -> !comm.future<tensor<1024xf32>>
  %w = comm.wait %f keeping(%a : tensor<1024xf32>) : !comm.future<tensor<1024xf32>>
  return %w : tensor<1024xf32>
}

// What the last trip left, in the place of the initial value, and what this one makes.
// CHECK: Function=initial_value_dies {{.*}}peak memory 8192 -> 8192 bytes
func.func @initial_value_dies(%x: tensor<1024xf32>, %n: index {comm.uniform}) -> tensor<1024xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = arith.addf %x, %x : tensor<1024xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%h = %a) -> tensor<1024xf32> {
    %f = comm.all_reduce sum %h over [[0, 1]] : tensor<1024xf32> -> !comm.future<tensor<1024xf32>>
    %w = comm.wait %f keeping(%h : tensor<1024xf32>) : !comm.future<tensor<1024xf32>>
    scf.yield %w : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}

// From the second trip on the initial value is alive beside what the last trip left.
// CHECK: Function=initial_value_lives {{.*}}peak memory 12288 -> 12288 bytes
func.func @initial_value_lives(%x: tensor<1024xf32>, %n: index {comm.uniform})
    -> (tensor<1024xf32>, tensor<1024xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = arith.addf %x, %x : tensor<1024xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%h = %a) -> tensor<1024xf32> {
    %f = comm.all_reduce sum %h over [[0, 1]] : tensor<1024xf32> -> !comm.future<tensor<1024xf32>>
    %w = comm.wait %f keeping(%h : tensor<1024xf32>) : !comm.future<tensor<1024xf32>>
    scf.yield %w : tensor<1024xf32>
  }
  return %r, %a : tensor<1024xf32>, tensor<1024xf32>
}

// Arguments are counted apart, but what the last trip left is none.
// CHECK: Function=initial_value_is_argument {{.*}}peak memory 8192 -> 8192 bytes
func.func @initial_value_is_argument(%x: tensor<1024xf32>, %n: index {comm.uniform}) -> tensor<1024xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%h = %x) -> tensor<1024xf32> {
    %f = comm.all_reduce sum %h over [[0, 1]] : tensor<1024xf32> -> !comm.future<tensor<1024xf32>>
    %w = comm.wait %f keeping(%h : tensor<1024xf32>) : !comm.future<tensor<1024xf32>>
    scf.yield %w : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}
