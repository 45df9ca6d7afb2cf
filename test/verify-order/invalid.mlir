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

// -----

// As a signed number a true bit is -1.
func.func @extended_bit_is_negative(%x: tensor<2xf32>, %y: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %first = arith.cmpi eq, %rank, %c0 : index
  %e = arith.extsi %first : i1 to i32
  %p = arith.cmpi slt, %e, %z : i32
  scf.if %p {
    // expected-error @below {{is collective #0 that rank 0 issues among ranks [0, 1], but rank 1 issues another one there}}
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  } else {
    // expected-note @below {{rank 1 issues this}}
    %b = comm.all_reduce sum %y over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

func.func @true_bit_is_less(%x: tensor<2xf32>, %y: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %first = arith.cmpi eq, %rank, %c0 : index
  %p = arith.cmpi slt, %first, %false : i1
  scf.if %p {
    // expected-error @below {{but rank 1 issues another one there}}
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  } else {
    // expected-note @below {{rank 1 issues this}}
    %b = comm.all_reduce sum %y over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

// Rank 0 starts at -1 and runs the loop twice.
func.func @cast_bit_is_negative(%x: tensor<2xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  %n = arith.index_cast %p : i1 to index
  scf.for %i = %n to %c1 step %c1 {
    // expected-error @below {{is collective #1 that rank 0 issues among ranks [0, 1], but rank 1 issues only 1 among them}}
    // expected-note @below {{the last one that rank 1 issues}}
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  }
  return
}

// -----

// A case of one bit is spelt -1 and means true.
func.func @switch_on_a_bit(%x: tensor<2xf32>, %y: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %rank, %c0 : index
  cf.switch %first : i1, [
    default: ^a,
    -1: ^b
  ]
^a:
  // expected-note @below {{rank 1 issues this}}
  %a = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  return
^b:
  // expected-error @below {{but rank 1 issues another one there}}
  %b = comm.all_reduce sum %y over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// StableHLO adds truth values by "or": both ranks take arm 0 for %both, and rank 0 alone for %first.
func.func @truth_values(%x: tensor<2xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %true = arith.constant true
  %both = "stablehlo.add"(%first, %true) : (i1, i1) -> i1
  // expected-note @+2 {{the last one that rank 1 issues}}
  scf.if %both {
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  }
  scf.if %first {
    // expected-error @below {{is collective #1 that rank 0 issues among ranks [0, 1], but rank 1 issues only 1 among them}}
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  }
  return
}

// -----

// An op with a region that nobody knows may communicate as well as one without.
func.func @opaque_with_a_region(%x: tensor<2xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  scf.if %p {
    // expected-error @below {{'stablehlo.all_reduce' op may communicate and runs on some ranks only}}
    %g = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<2xf32>) -> tensor<2xf32>
  }
  return
}

// -----

// Upstream calls its collectives pure.
shard.grid @grid(shape = 2)
func.func @shard_collective(%x: tensor<2xf32>) -> tensor<2xf32> {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  %r = scf.if %p -> tensor<2xf32> {
    // expected-error @below {{'shard.all_reduce' op may communicate and runs on some ranks only}}
    %g = shard.all_reduce %x on @grid grid_axes = [0] : tensor<2xf32> -> tensor<2xf32>
    scf.yield %g : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

func.func @mpi_collective() {
  %world = mpi.comm_world : !mpi.comm
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  scf.if %p {
    // expected-error @below {{'mpi.barrier' op may communicate and runs on some ranks only}}
    mpi.barrier(%world)
  }
  return
}

// -----

// A sharded iota is how JAX asks for a device's number: the call cuts another piece out on each device.
func.func @custom_call_is_divergent(%x: tensor<2xf32>) -> tensor<2xf32> {
  %iota = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi32>
  %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %s = "stablehlo.custom_call"(%iota) <{call_target_name = "SPMDFullToShardShape"}> : (tensor<2xi32>) -> tensor<1xi32>
  %i = "stablehlo.reshape"(%s) : (tensor<1xi32>) -> tensor<i32>
  %p = "stablehlo.compare"(%i, %z) <{comparison_direction = "EQ"}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error @below {{'stablehlo.if' op branches on a value that may differ between ranks to arms that issue different collectives}}
  // expected-note @below {{arm 1 issues no collective #0}}
  %r = "stablehlo.if"(%p) ({
    // expected-note @below {{arm 0 issues this as its collective #0}}
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
    "stablehlo.return"(%a) : (tensor<2xf32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<2xf32>) -> ()
  }) : (tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @terminator_may_communicate() {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  cf.cond_br %p, ^a, ^b
^a:
  // expected-error @below {{'front.barrier_and_exit' op may communicate and runs on some ranks only}}
  "front.barrier_and_exit"() : () -> ()
^b:
  return
}

// -----

// What a rank passed on depends on the arm it took, which is not known.
func.func @arms_pass_different_values(%x: tensor<4xf32>, %p: i1) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %p, ^a, ^b
^a:
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  cf.br ^join(%c0 : index)
^b:
  %s = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  cf.br ^join(%c1 : index)
^join(%k: index):
  %q = arith.cmpi eq, %k, %c0 : index
  // expected-error @below {{'scf.if' op branches on a value that may differ between ranks to arms that issue different collectives}}
  // expected-note @below {{arm 1 issues no collective #0}}
  scf.if %q {
    // expected-note @below {{arm 0 issues this as its collective #0}}
    %t = comm.all_reduce max %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}

// -----

// Both ranks issue the same, but that depends on the relation of two branches.
func.func @uniform_branches_of_parted_ranks(%x: tensor<2xf32>, %u: i1 {comm.uniform}) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  cf.cond_br %p, ^a, ^b
^a:
  cf.cond_br %u, ^c, ^e
^c:
  // expected-note @below {{among [0, 1], of which rank 1 took another path}}
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  // expected-error @below {{'cf.br' op issues collectives under an unknown condition, with ranks that took another path to here; one order of collectives cannot be proved}}
  cf.br ^e
^b:
  cf.cond_br %u, ^d, ^e
^d:
  %s = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  cf.br ^e
^e:
  return
}

// -----

func.func @divergent_branch_in_a_loop_of_unknown_length(%x: tensor<2xf32>, %n: index {comm.uniform}, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  // expected-note @below {{runs them unknown times}}
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @below {{'cf.cond_br' op branches on a value that may differ between ranks, between blocks that issue collectives and that run unknown times}}
  cf.cond_br %p, ^issue, ^next
^issue:
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  cf.br ^next
^next:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^exit:
  return
}

// -----

// Each rank leaves the loop in a round of its own, so the last one is followed through 299 partings.
func.func @nested_too_deeply(%x: tensor<4xf32>) {
  %rank = comm.rank over @mesh["all"] : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %rank : index
  // expected-error @below {{'cf.cond_br' op cannot be proved to keep one order of collectives: it is nested in 256 regions, calls and branches that issue some}}
  cf.cond_br %more, ^body, ^exit
^body:
  %r = comm.all_reduce sum %x over @mesh["one"] : tensor<4xf32> -> tensor<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^exit:
  return
}
comm.mesh @mesh <["all" = 300, "one" = 1]>
