// RUN: comm-opt %s --allow-unregistered-dialect --comm-verify-order --split-input-file --verify-diagnostics
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-verify-order)' --split-input-file --verify-diagnostics

func.func @arms_differ_in_kind(%x: tensor<4xf32>, %p: i1) {
  // expected-error @below {{'scf.if' op branches on a value that may differ between ranks to arms that issue different collectives}}
  scf.if %p {
    // expected-note @below {{arm 0 issues this as its collective #0}}
    %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  } else {
    // expected-note @below {{arm 1 issues this as its collective #0}}
    %r = comm.all_reduce max %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

func.func @arm_is_missing(%x: tensor<4xf32>, %p: i1) {
  // expected-error @below {{arms that issue different collectives}}
  // expected-note @below {{arm 1 issues no collective #0}}
  scf.if %p {
    // expected-note @below {{arm 0 issues this as its collective #0}}
    %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

// An all-reduce over pairs is not the same on all four devices.
func.func @pairwise_reduction_is_divergent(%x: tensor<4xf32>, %v: tensor<i1>) {
  %s = comm.all_reduce or %v over [[0, 1], [2, 3]] : tensor<i1> -> tensor<i1>
  %p = tensor.extract %s[] : tensor<i1>
  // expected-error @below {{arms that issue different collectives}}
  // expected-note @below {{arm 1 issues no collective #0}}
  scf.if %p {
    // expected-note @below {{arm 0 issues this as its collective #0}}
    %r = comm.all_reduce sum %x over [[0, 1], [2, 3]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

func.func @divergent_trip_count(%x: tensor<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' op issues collectives in a loop or branch that may run unequally often on different ranks}}
  scf.for %i = %c0 to %n step %c1 {
    %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

func.func @divergent_while(%x: tensor<4xf32>, %v: tensor<i1>) {
  // expected-error @below {{'scf.while' op issues collectives in a loop or branch that may run unequally often}}
  scf.while : () -> () {
    %p = tensor.extract %v[] : tensor<i1>
    scf.condition(%p)
  } do {
    %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    scf.yield
  }
  return
}

// -----

func.func @member_is_missing(%x: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1, 2]] : index
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  // expected-note @below {{the last one that rank 1 issues}}
  %s = comm.all_reduce sum %x over [[0, 1, 2]] : tensor<4xf32> -> tensor<4xf32>
  scf.if %p {
    // expected-error @below {{'comm.all_reduce' op is collective #1 that rank 0 issues among ranks [0, 1, 2], but rank 1 issues only 1 among them}}
    %r = comm.all_reduce sum %x over [[0, 1, 2]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

func.func @types_differ(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  scf.if %p {
    // expected-error @below {{is collective #0 that rank 0 issues among ranks [0, 1], but rank 1 issues another one there}}
    %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  } else {
    // expected-note @below {{rank 1 issues this}}
    %r = comm.all_reduce sum %y over [[0, 1]] : tensor<8xf32> -> tensor<8xf32>
  }
  return
}

// -----

// The same ranks in another order are no counterpart.
func.func @positions_differ(%x: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  scf.if %p {
    // expected-error @below {{but rank 1 issues another one there}}
    %r = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  } else {
    // expected-note @below {{rank 1 issues this}}
    %r = comm.all_gather %x dim 0 over [[1, 0]] : tensor<4xf32> -> tensor<8xf32>
  }
  return
}

// -----

// Three groups, each pair of which meets in one rank only: no two ranks disagree, and yet all three wait.
func.func @cycle_of_three(%x: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1, 2]] : index
  scf.index_switch %rank
  case 0 {
    // expected-error @below {{'comm.all_reduce' op deadlocks: ranks issue collectives in orders that wait for each other in a circle}}
    // expected-note @below {{rank 0 issues 'comm.all_reduce' over [0, 1] before 'comm.all_reduce' over [0, 2]}}
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    %b = comm.all_reduce sum %x over [[0, 2]] : tensor<4xf32> -> tensor<4xf32>
    scf.yield
  }
  case 1 {
    // expected-note @below {{rank 1 issues 'comm.all_reduce' over [1, 2] before 'comm.all_reduce' over [0, 1]}}
    %a = comm.all_reduce sum %x over [[1, 2]] : tensor<4xf32> -> tensor<4xf32>
    %b = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    scf.yield
  }
  default {
    // expected-note @below {{rank 2 issues 'comm.all_reduce' over [0, 2] before 'comm.all_reduce' over [1, 2]}}
    %a = comm.all_reduce sum %x over [[0, 2]] : tensor<4xf32> -> tensor<4xf32>
    %b = comm.all_reduce sum %x over [[1, 2]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

// A loop that only some ranks' group needs is one event for them; around it, ranks 0 and 1 disagree.
func.func @cycle_through_a_loop(%x: tensor<4xf32>, %n: index {comm.uniform}) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  scf.if %p {
    // expected-error @below {{deadlocks}}
    // expected-note @below {{rank 0 issues 'comm.permute' over [0, 1] before 'scf.for'}}
    %r = comm.permute %x pairs [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  // expected-note @below {{rank 1 issues 'scf.for' before 'comm.permute' over [0, 1]}}
  scf.for %i = %c0 to %n step %c1 {
    %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  %q = arith.cmpi ne, %rank, %c0 : index
  scf.if %q {
    %r = comm.permute %x pairs [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

func.func private @external()
func.func @opaque_call_on_some_ranks(%x: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  scf.if %p {
    // expected-error @below {{'func.call' op may communicate and runs on some ranks only, so one order of collectives cannot be proved; an op that is known to be pure, or a function with a body, is expected here}}
    func.call @external() : () -> ()
  }
  return
}

// -----

// expected-error @below {{'func.func' op issues collectives and calls itself, so the order of collectives cannot be proved; a loop is expected instead}}
func.func @recursion(%x: tensor<4xf32>) {
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  call @recursion(%r) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @parallel_iterations(%x: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.parallel' op issues collectives in iterations without an order; a sequential loop is expected}}
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

func.func @unknown_region(%x: tensor<4xf32>) {
  // expected-error @below {{'test.region' op issues collectives in a region of which it is not known how often it runs}}
  "test.region"() ({
    %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    "test.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @unknown_inside_divergent(%x: tensor<4xf32>, %p: i1, %n: index {comm.uniform}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %p {
    // expected-error @below {{'scf.for' op issues collectives under an unknown condition, nested in one that may differ between ranks; equal sequences cannot be proved}}
    scf.for %i = %c0 to %n step %c1 {
      %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    }
  }
  return
}

// -----

func.func @too_many_steps(%x: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1000000000 : index
  // expected-error @below {{'scf.for' op cannot be proved to keep one order of collectives: to follow 2 ranks to here takes more than 4194304 steps}}
  scf.for %i = %c0 to %many step %c1 {
    %p = arith.cmpi eq, %rank, %i : index
    scf.if %p {
      %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    }
  }
  return
}

// -----

func.func @blocks_part(%x: tensor<4xf32>, %p: i1) {
  // expected-error @below {{'cf.cond_br' op branches on a value that may differ between ranks to arms that issue different collectives}}
  // expected-note @below {{arm 1 issues no collective #0}}
  cf.cond_br %p, ^a, ^b
^a:
  // expected-note @below {{arm 0 issues this as its collective #0}}
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  cf.br ^b
^b:
  return
}

// -----

func.func @block_loop_is_divergent(%x: tensor<4xf32>, %v: tensor<i1>) {
  cf.br ^a
^a:
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  %p = tensor.extract %v[] : tensor<i1>
  // expected-error @below {{'cf.cond_br' op branches on a value that may differ between ranks, in a loop that issues collectives; ranks may run it unequally often}}
  cf.cond_br %p, ^a, ^b
^b:
  return
}
