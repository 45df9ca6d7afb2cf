// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics -split-input-file

// Another stream does not see the allocation.
func.func @allocation(%x: memref<4xf32>) {
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "copies"
  // expected-note @+1 {{rank 0 on stream 'current' is here}}
  %y = memref.alloc() : memref<4xf32>
  // expected-error @+1 {{race on bytes 0 to 15 of a buffer of rank 0: rank 0 on stream 'current' writes and rank 0 on stream 'copies' reads}}
  comm_stream.copy %y to %y on %s1 : memref<4xf32> to memref<4xf32>
  %done = comm_stream.record on %s1
  comm_stream.wait_event %done on %s0
  memref.dealloc %y : memref<4xf32>
  return
}

// -----

// Freed while another stream reads.
func.func @free(%x: memref<4xf32>) {
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "copies"
  // expected-note @+1 {{the buffer is made here}}
  %y = memref.alloc() : memref<4xf32>
  %ready = comm_stream.record on %s0
  comm_stream.wait_event %ready on %s1
  // expected-error @+1 {{race on bytes 0 to 15 of a buffer of rank 0: rank 0 on stream 'current' frees and rank 0 on stream 'copies' reads}}
  comm_stream.copy %y to %x on %s1 : memref<4xf32> to memref<4xf32>
  // expected-note @+1 {{rank 0 on stream 'current' is here}}
  memref.dealloc %y : memref<4xf32>
  %done = comm_stream.record on %s1
  comm_stream.wait_event %done on %s0
  return
}

// -----

// Used after it was freed, by the same stream.
func.func @use_after_free() {
  %s0 = comm_stream.current
  // expected-note @+1 {{the buffer is made here}}
  %y = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{rank 0 on stream 'current' is here}}
  memref.dealloc %y : memref<4xf32>
  // expected-error @+1 {{rank 0 on stream 'current' reads a buffer of rank 0, which rank 0 on stream 'current' has freed before}}
  comm_stream.copy %y to %y on %s0 : memref<4xf32> to memref<4xf32>
  return
}

// -----

// The caller goes on while an argument is read.
// expected-note @+1 {{the buffer is made here}}
func.func @argument(%x: memref<4xf32>) {
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "copies"
  %y = memref.alloc() : memref<4xf32>
  %ready = comm_stream.record on %s0
  comm_stream.wait_event %ready on %s1
  // expected-error @+1 {{race on bytes 0 to 15 of argument #0 of rank 0: rank 0 on stream 'current' has used and rank 0 on stream 'copies' reads}}
  comm_stream.copy %x to %y on %s1 : memref<4xf32> to memref<4xf32>
  // expected-note @+1 {{rank 0 on stream 'current': after the function, arguments, results and symmetric memory are in use}}
  return
}

// -----

// An event that is recorded too early.
// expected-note @+1 {{the buffer is made here}}
func.func @early(%x: memref<4xf32>) {
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "copies"
  %early = comm_stream.record on %s0
  %zero = arith.constant 0.0 : f32
  // expected-note @+1 {{rank 0 on stream 'current' is here}}
  linalg.fill ins(%zero : f32) outs(%x : memref<4xf32>)
  comm_stream.wait_event %early on %s1
  // expected-error @+1 {{race on bytes 0 to 15 of argument #0 of rank 0: rank 0 on stream 'current' writes and rank 0 on stream 'copies' reads}}
  comm_stream.copy %x to %x on %s1 : memref<4xf32> to memref<4xf32>
  %done = comm_stream.record on %s1
  comm_stream.wait_event %done on %s0
  return
}

// -----

// Overlapping columns.
// expected-note @+1 {{the buffer is made here}}
func.func @columns(%m: memref<8x16xf32>) {
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "right"
  %zero = arith.constant 0.0 : f32
  %begin = comm_stream.record on %s0
  comm_stream.wait_event %begin on %s1
  %a = memref.subview %m[0, 0] [8, 9] [1, 1] : memref<8x16xf32> to memref<8x9xf32, strided<[16, 1]>>
  %b = memref.subview %m[0, 8] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1], offset: 8>>
  // expected-note @+1 {{rank 0 on stream 'current' is here}}
  linalg.fill ins(%zero : f32) outs(%a : memref<8x9xf32, strided<[16, 1]>>)
  comm_stream.launch on %s1 {
    // expected-error @+1 {{race on bytes 32 to 483 of argument #0 of rank 0: rank 0 on stream 'current' writes and rank 0 on stream 'right' writes}}
    linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32, strided<[16, 1], offset: 8>>)
  }
  %end = comm_stream.record on %s1
  comm_stream.wait_event %end on %s0
  return
}

// -----

// A collective orders no memory of other ranks.
func.func @collective(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %s0 = comm_stream.current
  // expected-note @+1 {{the buffer is made here}}
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  %mine = comm_stream.local %w : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  // expected-note @+1 {{rank 0 on stream 'current' is here}}
  comm_stream.copy %x to %mine on %s0 : memref<4xf32> to memref<4xf32>
  comm_stream.all_reduce sum %x into %y over [[0, 1]] on %s0 : memref<4xf32> into memref<4xf32>
  %first = comm_stream.peer %w at %c0 : !comm_stream.symmetric<memref<4xf32>>
  // expected-error @+1 {{race on bytes 0 to 15 of the part of rank 0 of a symmetric buffer: rank 0 on stream 'current' writes and rank 1 on stream 'current' reads}}
  comm_stream.copy %first to %y on %s0 : memref<4xf32> to memref<4xf32>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  comm_stream.symmetric_free %w : !comm_stream.symmetric<memref<4xf32>>
  return
}

// -----

// The pool's last user may still read.
func.func @pool(%x: memref<4xf32>) {
  %s0 = comm_stream.current
  // expected-note @+1 {{rank 1 on stream 'current': before the function, arguments and symmetric memory are in use}}
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  %mine = comm_stream.local %w : !comm_stream.symmetric<memref<4xf32>>
  // expected-error @+1 {{race on bytes 0 to 15 of the part of rank 0 of a symmetric buffer: rank 1 on stream 'current' has used and rank 0 on stream 'current' writes}}
  comm_stream.copy %x to %mine on %s0 : memref<4xf32> to memref<4xf32>
  // expected-error @+2 {{race on any byte of the part of rank 0 of a symmetric buffer: rank 1 on stream 'current' has used and rank 0 on stream 'current' frees}}
  // expected-note @+1 {{rank 0 on stream 'current': after the function, arguments, results and symmetric memory are in use}}
  return
}

// -----

// A signal that nobody awaits, and one that is not put.
func.func @unawaited() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = comm.rank over [[0, 1]] : index
  %s0 = comm_stream.current
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  %is_first = arith.cmpi eq, %rank, %c0 : index
  scf.if %is_first {
    // expected-error @+1 {{rank 0 on stream 'current' puts epoch 1 of channel 0, which rank 1 never awaits: expected a wait for this epoch}}
    comm_stream.put_signal %w to %c1 channel 0 epoch %c1 on %s0 : !comm_stream.symmetric<memref<4xf32>>
    // expected-error @+1 {{rank 0 on stream 'current' awaits epoch 1 of channel 1, which rank 1 never puts: it waits for ever}}
    comm_stream.wait_signal %w from %c1 channel 1 epoch %c1 on %s0 : !comm_stream.symmetric<memref<4xf32>>
  }
  return
}

// -----

// Two waits for one epoch, and a wait that only a later epoch ends.
func.func @epochs() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rank = comm.rank over [[0, 1]] : index
  %s0 = comm_stream.current
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  %is_first = arith.cmpi eq, %rank, %c0 : index
  scf.if %is_first {
    comm_stream.put_signal %w to %c1 channel 0 epoch %c2 on %s0 : !comm_stream.symmetric<memref<4xf32>>
  } else {
    // expected-error @+1 {{rank 1 on stream 'current' awaits epoch 1 of channel 0, which rank 0 never puts: only its epoch 2 would end the wait}}
    comm_stream.wait_signal %w from %c0 channel 0 epoch %c1 on %s0 : !comm_stream.symmetric<memref<4xf32>>
    // expected-note @+1 {{rank 1 on stream 'current' is here}}
    comm_stream.wait_signal %w from %c0 channel 0 epoch %c2 on %s0 : !comm_stream.symmetric<memref<4xf32>>
    // expected-error @+1 {{rank 1 on stream 'current' awaits epoch 2 of channel 0, which rank 1 on stream 'current' awaits: each epoch is awaited once}}
    comm_stream.wait_signal %w from %c0 channel 0 epoch %c2 on %s0 : !comm_stream.symmetric<memref<4xf32>>
  }
  return
}

// -----

// Epochs that fall.
func.func @fall() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rank = comm.rank over [[0, 1]] : index
  %s0 = comm_stream.current
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  %is_first = arith.cmpi eq, %rank, %c0 : index
  scf.if %is_first {
    // expected-note @+1 {{rank 0 on stream 'current' is here}}
    comm_stream.put_signal %w to %c1 channel 0 epoch %c2 on %s0 : !comm_stream.symmetric<memref<4xf32>>
    // expected-error @+1 {{rank 0 on stream 'current' puts epoch 1 of channel 0, and rank 0 on stream 'current' another of the same counter that is ordered before and is not smaller: puts must be ordered and their epochs rise}}
    comm_stream.put_signal %w to %c1 channel 0 epoch %c1 on %s0 : !comm_stream.symmetric<memref<4xf32>>
  } else {
    comm_stream.wait_signal %w from %c0 channel 0 epoch %c1 on %s0 : !comm_stream.symmetric<memref<4xf32>>
    comm_stream.wait_signal %w from %c0 channel 0 epoch %c2 on %s0 : !comm_stream.symmetric<memref<4xf32>>
  }
  return
}

// -----

// A barrier that a member does not issue.
func.func @missing_member() {
  %c0 = arith.constant 0 : index
  %rank = comm.rank over [[0, 1, 2]] : index
  %s0 = comm_stream.current
  %is_first = arith.cmpi eq, %rank, %c0 : index
  scf.if %is_first {
    // expected-error @+1 {{rank 0 on stream 'current' waits for ever: this is barrier of [0, 1, 2] on channel 0 number 1 that rank 0 issues, and rank 1 issues 0}}
    comm_stream.barrier over [[0, 1, 2]] channel 0 on %s0
  }
  return
}

// -----

// Collectives that differ.
func.func @different(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %rank = comm.rank over [[0, 1]] : index
  %s0 = comm_stream.current
  %is_first = arith.cmpi eq, %rank, %c0 : index
  scf.if %is_first {
    // expected-note @+1 {{rank 0 on stream 'current' is here}}
    comm_stream.all_reduce sum %x into %x over [[0, 1]] on %s0 : memref<4xf32> into memref<4xf32>
  } else {
    // expected-error @+1 {{collective number 1 of [0, 1] differs between its members: rank 0 on stream 'current' issues one, rank 1 on stream 'current' another}}
    comm_stream.all_reduce max %x into %x over [[0, 1]] on %s0 : memref<4xf32> into memref<4xf32>
  }
  return
}

// -----

// Barriers in opposite order.
func.func @cycle() {
  %c0 = arith.constant 0 : index
  %rank = comm.rank over [[0, 1]] : index
  %s0 = comm_stream.current
  %is_first = arith.cmpi eq, %rank, %c0 : index
  scf.if %is_first {
    // expected-error @+1 {{deadlock: rank 0 on stream 'current' waits at the barrier of channel 0 for rank 1 on stream 'current'; rank 1 on stream 'current' waits at the barrier of channel 1 for rank 0 on stream 'current'}}
    comm_stream.barrier over [[0, 1]] channel 0 on %s0
    comm_stream.barrier over [[0, 1]] channel 1 on %s0
  } else {
    // expected-note @+1 {{rank 1 on stream 'current' is here}}
    comm_stream.barrier over [[0, 1]] channel 1 on %s0
    comm_stream.barrier over [[0, 1]] channel 0 on %s0
  }
  return
}

// -----

// The thread of each rank waits on `current` before it issues what the other one waits for.
func.func @issued_too_late() {
  %c1 = arith.constant 1 : index
  %rank = comm.rank over [[0, 1]] : index
  %peer = arith.subi %c1, %rank : index
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "signals"
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  // expected-error @+2 {{deadlock: rank 0 on stream 'current' waits for epoch 1 of channel 0 that rank 1 on stream 'signals' is to put; rank 1 on stream 'signals' waits to be issued, after what rank 1 on stream 'current' waits for; rank 1 on stream 'current' waits for epoch 1 of channel 0 that rank 0 on stream 'signals' is to put; rank 0 on stream 'signals' waits to be issued, after what rank 0 on stream 'current' waits for}}
  // expected-note @+1 {{rank 1 on stream 'current' is here}}
  comm_stream.wait_signal %w from %peer channel 0 epoch %c1 on %s0 : !comm_stream.symmetric<memref<4xf32>>
  // expected-note @+2 {{rank 1 on stream 'signals' is here}}
  // expected-note @+1 {{rank 0 on stream 'signals' is here}}
  comm_stream.put_signal %w to %peer channel 0 epoch %c1 on %s1 : !comm_stream.symmetric<memref<4xf32>>
  return
}

// -----

// A loop that overwrites a slot before it has been read: with one slot, nothing says that it has.
func.func @slots(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %rank = comm.rank over [[0, 1]] : index
  %peer = arith.subi %c1, %rank : index
  %s0 = comm_stream.current
  // expected-note @+1 {{the buffer is made here}}
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<2x4xf32>>
  %mine = comm_stream.local %w : !comm_stream.symmetric<memref<2x4xf32>>
  %theirs = comm_stream.peer %w at %peer : !comm_stream.symmetric<memref<2x4xf32>>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  scf.for %i = %c0 to %c3 step %c1 {
    %epoch = arith.addi %i, %c1 : index
    %slot = arith.remui %i, %c1 : index
    %to = memref.subview %theirs[%slot, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %from = memref.subview %mine[%slot, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    // expected-note @+1 {{rank 1 on stream 'current' is here}}
    comm_stream.copy %x to %to on %s0 : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
    comm_stream.put_signal %w to %peer channel 0 epoch %epoch on %s0 : !comm_stream.symmetric<memref<2x4xf32>>
    comm_stream.wait_signal %w from %peer channel 0 epoch %epoch on %s0 : !comm_stream.symmetric<memref<2x4xf32>>
    // expected-error @+1 {{race on bytes 0 to 15 of the part of rank 0 of a symmetric buffer: rank 1 on stream 'current' writes and rank 0 on stream 'current' reads}}
    comm_stream.copy %from to %y on %s0 : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  }
  return
}

// -----

// An op that says what it does to its operands, and reads another buffer in its body.
// expected-note @+1 {{the buffer is made here}}
func.func @load_in_a_body(%x: memref<4xf32>, %table: memref<4xf32>, %y: memref<4xindex>, %z: memref<4xf32>) {
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "copies"
  %ready = comm_stream.record on %s0
  comm_stream.wait_event %ready on %s1
  // expected-error @+1 {{race on bytes 0 to 15 of argument #1 of rank 0: rank 0 on stream 'current' reads and rank 0 on stream 'copies' writes}}
  comm_stream.copy %x to %table on %s1 : memref<4xf32> to memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%y : memref<4xindex>) outs(%z : memref<4xf32>) {
  ^bb0(%index: index, %old: f32):
    // expected-note @+1 {{rank 0 on stream 'current' is here}}
    %number = memref.load %table[%index] : memref<4xf32>
    linalg.yield %number : f32
  }
  %done = comm_stream.record on %s1
  comm_stream.wait_event %done on %s0
  return
}
