// RUN: comm-opt %s --comm-verify-futures --allow-unregistered-dialect --split-input-file --verify-diagnostics
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-verify-futures))' --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @one_path_only(%x: tensor<4xf32>, %p: i1) {
  // expected-error @below {{'comm.all_reduce' op yields a future that is not awaited on every path to the end of its region}}
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  cf.cond_br %p, ^wait, ^end
^wait:
  // expected-note @below {{awaited here}}
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  cf.br ^end
^end:
  return
}

// -----

func.func @started_again(%x: tensor<4xf32>, %p: i1) {
  cf.br ^start
^start:
  // expected-error @below {{'comm.all_reduce' op may start again before its future is awaited}}
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  cf.cond_br %p, ^start, ^wait
^wait:
  // expected-note @below {{awaited here}}
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return
}

// -----

func.func @awaited_twice(%x: tensor<4xf32>, %p: i1) {
  // expected-error @below {{'comm.all_reduce' op yields a future that may be awaited twice}}
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  cf.br ^wait
^wait:
  // expected-note @below {{awaited here}}
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  cf.cond_br %p, ^wait, ^end
^end:
  return
}

// -----

// Nested regions are looked into.
func.func @nested(%x: tensor<4xf32>, %p: i1) {
  scf.execute_region {
    // expected-error @below {{not awaited on every path}}
    %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
    cf.cond_br %p, ^wait, ^end
  ^wait:
    // expected-note @below {{awaited here}}
    %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
    cf.br ^end
  ^end:
    scf.yield
  }
  return
}

// -----

// expected-error @below {{'func.func' op has a block argument of a future type; a future is awaited in the region that starts it and passed on nowhere}}
// expected-error @below {{'func.func' op has a future among its results or in its signature; only a collective yields a future}}
func.func @argument(%f: !comm.future<tensor<4xf32>>) {
  return
}

// -----

// expected-error @below {{'func.func' op has a future among its results or in its signature; only a collective yields a future}}
func.func private @declared() -> !comm.future<tensor<4xf32>>

// -----

func.func @other_source() {
  // expected-error @below {{'test.make' op has a future among its results or in its signature}}
  %f = "test.make"() : () -> !comm.future<tensor<4xf32>>
  return
}
