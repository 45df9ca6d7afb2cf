// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics -split-input-file

// What cannot be followed is not proved.

func.func @branch(%flag: i1) {
  %s0 = comm_stream.current
  // expected-error @+1 {{is not proved to be ordered: rank 0 does not know its condition, and an arm issues on streams}}
  scf.if %flag {
    comm_stream.barrier over [[0, 1]] channel 0 on %s0
  }
  return
}

// -----

func.func @while(%flag: i1) {
  %s0 = comm_stream.current
  // expected-error @+1 {{it issues on streams, and how often it runs is not known; scf.for is expected}}
  scf.while : () -> () {
    scf.condition(%flag)
  } do {
    comm_stream.barrier over [[0, 1]] channel 0 on %s0
    scf.yield
  }
  return
}

// -----

func.func @divergent_length(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s0 = comm_stream.current
  // expected-error @+1 {{how often it runs may differ between devices; constants or arguments marked comm.uniform are expected}}
  scf.for %i = %c0 to %n step %c1 {
    comm_stream.barrier over [[0, 1]] channel 0 on %s0
  }
  return
}

// -----

// Slots that take turns.
func.func @rounds_differ(%x: memref<2x4xf32>, %n: index {comm.uniform}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s0 = comm_stream.current
  // expected-error @+1 {{how often it runs is not known, and on rank 0 its rounds differ: a step uses another stream, buffer, part or event than one round before}}
  scf.for %i = %c0 to %n step %c1 {
    %slot = arith.remui %i, %c2 : index
    %to = memref.subview %x[%slot, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    comm_stream.copy %to to %to on %s0 : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
  }
  return
}

// -----

// An event of one round that the next waits for.
func.func @carried_event(%x: memref<4xf32>, %n: index {comm.uniform}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "copies"
  %first = comm_stream.record on %s0
  // expected-error @+1 {{its rounds differ: a step uses another stream, buffer, part or event than one round before}}
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%event = %first) -> (!comm_stream.event) {
    comm_stream.wait_event %event on %s1
    comm_stream.copy %x to %x on %s1 : memref<4xf32> to memref<4xf32>
    %next = comm_stream.record on %s1
    scf.yield %next : !comm_stream.event
  }
  comm_stream.wait_event %last on %s0
  return
}

// -----

// A counter that is used in the loop and elsewhere: its epochs might meet.
func.func @counter_elsewhere(%n: index {comm.uniform}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %rank = comm.rank over [[0, 1]] : index
  %peer = arith.subi %c1, %rank : index
  %s0 = comm_stream.current
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  // expected-error @+1 {{a counter that it signals with is used elsewhere too}}
  scf.for %i = %c0 to %n step %c1 {
    %epoch = arith.addi %i, %c1 : index
    comm_stream.put_signal %w to %peer channel 0 epoch %epoch on %s0 : !comm_stream.symmetric<memref<4xf32>>
    comm_stream.wait_signal %w from %peer channel 0 epoch %epoch on %s0 : !comm_stream.symmetric<memref<4xf32>>
  }
  comm_stream.put_signal %w to %peer channel 0 epoch %c9 on %s0 : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.wait_signal %w from %peer channel 0 epoch %c9 on %s0 : !comm_stream.symmetric<memref<4xf32>>
  return
}

// -----

func.func @nested(%n: index {comm.uniform}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s0 = comm_stream.current
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{how often it runs is not known, and it runs within another such loop or several times}}
    scf.for %j = %c0 to %n step %c1 {
      comm_stream.barrier over [[0, 1]] channel 0 on %s0
    }
  }
  return
}

// -----

func.func @blocks(%flag: i1) {
  %s0 = comm_stream.current
  // expected-error @-2 {{it branches between blocks; structured control flow is expected}}
  cf.cond_br %flag, ^a, ^b
^a:
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  cf.br ^b
^b:
  return
}

// -----

func.func @no_member() {
  %s0 = comm_stream.current
  comm_stream.barrier over [[0, 1], [2, 3]] channel 0 on %s0
  // expected-error @+1 {{rank 2 executes it and is in none of its groups}}
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  return
}

// -----

func.func @unknown_peer(%peer: index) {
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  // expected-error @+1 {{rank 0 does not know which peer it names}}
  %p = comm_stream.peer %w at %peer : !comm_stream.symmetric<memref<4xf32>>
  return
}

// -----

func.func @no_peer() {
  %c2 = arith.constant 2 : index
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  // expected-error @+1 {{on rank 0 it names peer 2 of a group of 2}}
  %p = comm_stream.peer %w at %c2 : !comm_stream.symmetric<memref<4xf32>>
  return
}

// -----

func.func @unknown_epoch(%epoch: index) {
  %c0 = arith.constant 0 : index
  %s0 = comm_stream.current
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  // expected-error @+1 {{rank 0 does not know its epoch}}
  comm_stream.put_signal %w to %c0 channel 0 epoch %epoch on %s0 : !comm_stream.symmetric<memref<4xf32>>
  return
}

// -----

func.func @unknown_buffer(%table: memref<2xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %s0 = comm_stream.current
  %x = memref.load %table[%c0] : memref<2xmemref<4xf32>>
  // expected-error @+1 {{nobody knows of which buffer its memref of type memref<4xf32> is}}
  comm_stream.copy %x to %x on %s0 : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @not_lowered(%x: memref<4xf32>) {
  %s0 = comm_stream.current
  %e = comm_stream.record on %s0
  // expected-error @+1 {{it is expected to be lowered by convert-comm-to-stream before}}
  %y = comm.all_reduce sum %x over [[0, 1]] : memref<4xf32> -> memref<4xf32>
  return
}

// -----

// expected-error @+1 {{issues on streams and calls itself, which is not followed; expected a loop}}
func.func private @self() {
  %s0 = comm_stream.current
  %e = comm_stream.record on %s0
  // expected-note @+1 {{this call leads back to it}}
  func.call @self() : () -> ()
  return
}

func.func @recursion() {
  func.call @self() : () -> ()
  return
}
