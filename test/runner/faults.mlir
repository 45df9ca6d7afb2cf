// RUN: not comm-runner %s --no-verify --ranks 2 --entry shapes 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not comm-runner %s --no-verify --ranks 2 --entry late 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not comm-runner %s --no-verify --ranks 2 --entry forever 2>&1 | FileCheck %s --check-prefix=FOREVER
// RUN: not comm-runner %s --no-verify --ranks 3 --entry outside --timeout 1s 2>&1 | FileCheck %s --check-prefix=THIRD
// RUN: not comm-runner %s --no-verify --ranks 3 --entry inside --timeout 1s 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not comm-runner %s --no-verify --ranks 2 --entry spins --timeout 300ms 2>&1 | FileCheck %s --check-prefix=SPINS
// RUN: not comm-runner %s --no-verify --ranks 2 --entry memory 2>&1 | FileCheck %s --check-prefix=MEMORY

// SHAPES: rank {{[01]}}: all_reduce at {{.*}}faults.mlir:[[#]]:5: members of one group issued different collectives
// SHAPES-SAME: faults.mlir:
func.func @shapes(%x: memref<4xf32>, %y: memref<8xf32>) {
  %s = comm_stream.current
  %rank = comm.rank over [[0, 1]] : index
  %one = arith.constant 1 : index
  %is_one = arith.cmpi eq, %rank, %one : index
  scf.if %is_one {
    comm_stream.all_reduce sum %x into %x over [[0, 1]] on %s : memref<4xf32> into memref<4xf32>
  } else {
    comm_stream.all_reduce sum %y into %y over [[0, 1]] on %s : memref<8xf32> into memref<8xf32>
  }
  return
}

// Rank 1 computes until rank 0 has given up.
// LATE: rank 0: barrier at {{.*}}faults.mlir:[[#@LINE+8]]:5: rank 0 gave up after 200 ms; missing: rank 1
func.func @late(%x: memref<1xf32>) {
  %s = comm_stream.current
  %rank = comm.rank over [[0, 1]] : index
  %zero = arith.constant 0 : index
  %is_zero = arith.cmpi eq, %rank, %zero : index
  %flag = arith.constant true
  scf.if %is_zero {
    comm_stream.barrier over [[0, 1]] channel 0 on %s {timeout_ms = 200 : i64}
  } else {
    scf.while : () -> () {
      scf.condition(%flag)
    } do {
      scf.yield
    }
  }
  return
}

// After a failure a loop that waits for a value which never comes ends, too.
// FOREVER: rank 0: barrier at {{.*}}: rank 0 gave up after 100 ms; missing: rank 1
func.func @forever(%x: memref<1xi64>) {
  %s = comm_stream.current
  %rank = comm.rank over [[0, 1]] : index
  %zero = arith.constant 0 : index
  %none = arith.constant -1 : i64
  %is_zero = arith.cmpi eq, %rank, %zero : index
  scf.if %is_zero {
    comm_stream.barrier over [[0, 1]] channel 0 on %s {timeout_ms = 100 : i64}
  }
  scf.while : () -> () {
    %v = memref.load %x[%zero] : memref<1xi64>
    %go_on = arith.cmpi ne, %v, %none : i64
    scf.condition(%go_on)
  } do {
    scf.yield
  }
  return
}

// A program whose symmetric memory could not be had goes on with memory of its own.
// MEMORY: rank {{[01]}}: {{.*}}: members of one group issued different collectives
func.func @memory(%x: memref<4xf32>) -> f32 {
  %s = comm_stream.current
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %is_zero = arith.cmpi eq, %rank, %c0 : index
  scf.if %is_zero {
    comm_stream.barrier over [[0, 1]] channel 0 on %s
  }
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4096xf32>>
  %mine = comm_stream.local %w : !comm_stream.symmetric<memref<4096xf32>>
  %theirs = comm_stream.peer %w at %c0 : !comm_stream.symmetric<memref<4096xf32>>
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%mine : memref<4096xf32>)
  memref.copy %mine, %theirs : memref<4096xf32> to memref<4096xf32>
  %v = memref.load %theirs[%c0] : memref<4096xf32>
  comm_stream.symmetric_free %w : !comm_stream.symmetric<memref<4096xf32>>
  return %v : f32
}

// THIRD: comm_stream.barrier at {{.*}}faults.mlir:[[#@LINE+3]]:3 is run by 3 ranks, and rank 2 is in none of its groups {{\[\[}}0, 1]]
func.func @outside() {
  %s = comm_stream.current
  comm_stream.barrier over [[0, 1]] channel 0 on %s
  return
}

// Whether all ranks come here is known when they run only.
// INSIDE: rank 2: comm_stream.barrier at {{.*}}faults.mlir:[[#@LINE+7]]:5, of groups {{\[\[}}0, 1]]: rank 2 is in none of the groups
func.func @inside() {
  %s = comm_stream.current
  %n = comm.rank over [[0, 1, 2]] : index
  %zero = arith.constant 0 : index
  %is_any = arith.cmpi uge, %n, %zero : index
  scf.if %is_any {
    comm_stream.barrier over [[0, 1]] channel 0 on %s
  }
  return
}

// A rank that computes on is left behind by the process, which ends.
// SPINS: rank 0 gave up after 300 ms; missing: rank 1 {{.*}}; rank 1 had not returned {{.*}} after that, and is given up
func.func @spins(%x: memref<1xi64>) {
  %s = comm_stream.current
  %rank = comm.rank over [[0, 1]] : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 1000000000000000 : index
  %end = arith.muli %many, %rank : index
  scf.for %i = %zero to %end step %one {
    %old = memref.load %x[%zero] : memref<1xi64>
    %wide = arith.index_cast %i : index to i64
    %product = arith.muli %old, %wide : i64
    %new = arith.addi %product, %wide : i64
    memref.store %new, %x[%zero] : memref<1xi64>
  }
  comm_stream.barrier over [[0, 1]] channel 0 on %s
  return
}
