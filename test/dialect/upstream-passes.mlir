// What upstream's passes do to collectives. Each RUN line has the functions that concern it; all results verify.
//
// RUN: comm-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: %mlir_opt_plugin %s --cse | FileCheck %s --check-prefix=CSE
// RUN: comm-opt %s --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: %mlir_opt_plugin %s --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: comm-opt %s --pass-pipeline='builtin.module(func.func(control-flow-sink,comm-verify-futures))' | FileCheck %s --check-prefix=SINK
// RUN: comm-opt %s --pass-pipeline='builtin.module(func.func(loop-invariant-code-motion,comm-verify-futures))' | FileCheck %s --check-prefix=LICM
// RUN: comm-opt %s --pass-pipeline='builtin.module(convert-scf-to-cf,func.func(comm-verify-futures))' | FileCheck %s --check-prefix=CF
// RUN: comm-opt %s --pass-pipeline='builtin.module(inline,func.func(comm-verify-futures))' | FileCheck %s --check-prefix=INLINE
// RUN: comm-opt %s --symbol-privatize=exclude=calls --symbol-dce | FileCheck %s --check-prefix=SYMBOLS
// RUN: comm-opt %s --resolve-ranked-shaped-type-result-dims | FileCheck %s --check-prefix=DIMS

// A mesh that something names stays; the other goes.
// SYMBOLS-NOT: @unused
// SYMBOLS: comm.mesh private @mesh<["tp" = 2]>
// SYMBOLS-NOT: @unused
comm.mesh @mesh <["tp" = 2]>
comm.mesh @unused <["tp" = 2]>

// Gathering one value twice saves memory, so two gathers stay two, unless both say that they may be merged.
// CSE-LABEL: func.func @merge(
// CSE: %[[A:.*]] = comm.all_gather
// CSE: %[[B:.*]] = comm.all_gather
// CSE: %[[C:.*]] = comm.all_gather {{.*}} {mergeable}
// CSE-NOT: comm.all_gather
// CSE: return %[[A]], %[[B]], %[[C]], %[[C]]
func.func @merge(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %a = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  %b = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  %c = comm.all_gather %x dim 0 over [[0, 1]] {mergeable} : tensor<4xf32> -> tensor<8xf32>
  %d = comm.all_gather %x dim 0 over [[0, 1]] {mergeable} : tensor<4xf32> -> tensor<8xf32>
  return %a, %b, %c, %d : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CSE-LABEL: func.func @merge_starts(
// CSE-COUNT-2: comm.all_gather
// CSE-COUNT-2: comm.wait
func.func @merge_starts(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %h = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %a = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %b = comm.wait %h keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// An unused start and an unused blocking collective are dead; CSE leaves an unused pair, canonicalization erases it.
// CSE-LABEL: func.func @dead(
// CSE-NEXT: %[[F:.*]] = comm.all_gather
// CSE-NEXT: comm.wait %[[F]]
// CSE-NEXT: return
// CANON-LABEL: func.func @dead(
// CANON-NEXT: return
func.func @dead(%x: tensor<4xf32>) {
  %a = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %b = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %h = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  return
}

// A pair of which one tensor is used stays.
// CANON-LABEL: func.func @half_dead(
// CANON: comm.all_gather
// CANON: %[[W:.*]]:2 = comm.wait
// CANON: return %[[W]]#1
func.func @half_dead(%x: tensor<4xf32>) -> tensor<8xf32> {
  %f = comm.all_gather %x, %x dim 0 over [[0, 1]] : tensor<4xf32>, tensor<4xf32> -> !comm.future<tensor<8xf32>, tensor<8xf32>>
  %g:2 = comm.wait %f keeping(%x, %x : tensor<4xf32>, tensor<4xf32>) : !comm.future<tensor<8xf32>, tensor<8xf32>>
  return %g#1 : tensor<8xf32>
}

// Groups of one yield their operands, cast where the types say more or less.
// CANON-LABEL: func.func @alone(
// CANON-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<?xf32>
// CANON-DAG: %[[M:.*]] = tensor.cast %[[X]] : tensor<4xf32> to tensor<?xf32>
// CANON-DAG: %[[N:.*]] = tensor.cast %[[Y]] : tensor<?xf32> to tensor<4xf32>
// CANON-NOT: comm.
// CANON: return %[[X]], %[[M]], %[[N]], %[[X]], %[[X]], %[[X]]
func.func @alone(%x: tensor<4xf32>, %y: tensor<?xf32>)
    -> (tensor<4xf32>, tensor<?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = comm.all_reduce sum %x over [[0], [1]] : tensor<4xf32> -> tensor<4xf32>
  %b = comm.all_gather %x dim 0 over [[0]] : tensor<4xf32> -> tensor<?xf32>
  %f = comm.all_gather %y dim 0 over [[0]] : tensor<?xf32> -> !comm.future<tensor<4xf32>>
  %c = comm.wait %f keeping(%y : tensor<?xf32>) : !comm.future<tensor<4xf32>>
  %d = comm.reduce_scatter sum %x dim 0 over [[0]] : tensor<4xf32> -> tensor<4xf32>
  %e = comm.all_to_all %x split 0 concat 0 over [[0]] : tensor<4xf32> -> tensor<4xf32>
  %g = comm.broadcast %x root 0 over [[0]] : tensor<4xf32> -> tensor<4xf32>
  return %a, %b, %c, %d, %e, %g
    : tensor<4xf32>, tensor<?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A permute without pairs yields zeros, not its operand.
// CANON-LABEL: func.func @no_pairs(
// CANON: comm.permute
func.func @no_pairs(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = comm.permute %x pairs [] : tensor<4xf32> -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// Pure ops sink into the branch that uses them; collectives and waits stay where every device runs them.
// SINK-LABEL: func.func @sink(
// SINK: comm.all_gather
// SINK: comm.all_gather {{.*}} -> !comm.future
// SINK: comm.wait
// SINK: comm.all_gather {{.*}} {mergeable}
// SINK-NOT: arith.mulf
// SINK: scf.if
// SINK-NEXT: arith.mulf
// CF-LABEL: func.func @sink(
// CF: comm.wait
// CF: cf.cond_br
func.func @sink(%x: tensor<4xf32>, %p: i1, %z: tensor<8xf32>) -> tensor<8xf32> {
  %a = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %b = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %m = comm.all_gather %x dim 0 over [[0, 1]] {mergeable} : tensor<4xf32> -> tensor<8xf32>
  %pure = arith.mulf %z, %z : tensor<8xf32>
  %r = scf.if %p -> tensor<8xf32> {
    %s = arith.addf %a, %b : tensor<8xf32>
    %t = arith.addf %s, %m : tensor<8xf32>
    %u = arith.addf %t, %pure : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  } else {
    scf.yield %z : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Pure ops are hoisted; no collective is, mergeable or not, since the loop may run zero times, or gather again to save
// memory.
// LICM-LABEL: func.func @loop(
// LICM: arith.mulf
// LICM-NOT: comm.
// LICM: scf.for
// LICM-COUNT-3: comm.all_gather
// LICM: comm.wait
// CF-LABEL: func.func @loop(
// CF: cf.cond_br
// CF: comm.all_gather
// CF: comm.wait
// CF: cf.br
func.func @loop(%x: tensor<4xf32>, %y: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %y) -> tensor<8xf32> {
    %invariant = arith.mulf %x, %x : tensor<4xf32>
    %a = comm.all_gather %invariant dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
    %m = comm.all_gather %invariant dim 0 over [[0, 1]] {mergeable} : tensor<4xf32> -> tensor<8xf32>
    %f = comm.all_gather %invariant dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
    %b = comm.wait %f keeping(%invariant : tensor<4xf32>) : !comm.future<tensor<8xf32>>
    %s = arith.addf %a, %b : tensor<8xf32>
    %t = arith.addf %s, %acc : tensor<8xf32>
    %u = arith.addf %t, %m : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A start and its wait move together.
// INLINE-LABEL: func.func @calls(
// INLINE-NOT: call
// INLINE-COUNT-2: comm.all_gather
// INLINE: comm.wait
// INLINE: return
// SYMBOLS: func.func private @gather
func.func private @gather(%x: tensor<4xf32>) -> tensor<8xf32> {
  %f = comm.all_gather %x dim 0 over @mesh["tp"] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %p = comm.all_gather %x dim 0 over @mesh["tp"] : tensor<4xf32> -> tensor<8xf32>
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %s = arith.addf %p, %g : tensor<8xf32>
  return %s : tensor<8xf32>
}
func.func @calls(%x: tensor<4xf32>) -> tensor<8xf32> {
  %a = call @gather(%x) : (tensor<4xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// Shapes of results in terms of operands, over groups and over a mesh.
// DIMS-LABEL: func.func @dims(
// DIMS-SAME: %[[X:.*]]: tensor<?x?xf32>
// DIMS-DAG: %[[C0:.*]] = arith.constant 0 : index
// DIMS-DAG: %[[C1:.*]] = arith.constant 1 : index
// DIMS-DAG: %[[C2:.*]] = arith.constant 2 : index
// DIMS-DAG: %[[D0:.*]] = tensor.dim %[[X]], %[[C0]]
// DIMS-DAG: %[[D1:.*]] = tensor.dim %[[X]], %[[C1]]
// DIMS-DAG: %[[HALF:.*]] = arith.divui %[[D0]], %[[C2]]
// DIMS-DAG: %[[DOUBLE:.*]] = arith.muli %[[D1]], %[[C2]]
// DIMS: return %[[HALF]], %[[DOUBLE]]
func.func @dims(%x: tensor<?x?xf32>) -> (index, index) {
  %a = comm.all_to_all %x split 0 concat 1 over @mesh["tp"] : tensor<?x?xf32> -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}
