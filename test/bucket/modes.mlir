// Buckets by bytes and by name, for gathers in the order of their consumers and reductions in the order of their producers.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='mode=bytes bytes=128' | FileCheck %s --check-prefix=BYTES
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='mode=bytes bytes=0' | FileCheck %s --check-prefix=APART
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='mode=name' | FileCheck %s --check-prefix=BLOCK
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='mode=name level=layer' | FileCheck %s --check-prefix=LAYER
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='mode=bytes max-bytes=60' | FileCheck %s --check-prefix=APART
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='mode=bytes max-live-bytes=60' | FileCheck %s --check-prefix=APART
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-bucket{mode=name level=layer}))' | FileCheck %s --check-prefix=LAYER
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='mode=bytes bytes=0' --remarks-filter=comm-bucket -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY-BYTES
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='mode=bytes max-bytes=60' --remarks-filter=comm-bucket -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY-LIMIT
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='mode=name' --remarks-filter=comm-bucket -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY-NAME

// A gather yields 64 bytes. The last one is made first and used last, so it is the fourth of its chain.
// BYTES-LABEL: func.func @gathers(
// BYTES:         comm.all_gather %arg1, %arg2 dim 0
// BYTES:         comm.all_gather %arg3, %arg4 dim 0

// APART-LABEL: func.func @gathers(
// APART-COUNT-4: comm.all_gather %arg{{[0-9]}} dim 0
// APART-LABEL: func.func @reductions(
// APART-COUNT-3: comm.reduce_scatter sum %{{[0-9a-z]+}} dim

// BLOCK-LABEL: func.func @gathers(
// BLOCK-DAG:     comm.all_gather %arg1, %arg2, %arg3 dim 0
// BLOCK-DAG:     comm.all_gather %arg4 dim 0

// LAYER-LABEL: func.func @gathers(
// LAYER-DAG:     comm.all_gather %arg1, %arg2 dim 0
// LAYER-DAG:     comm.all_gather %arg3 dim 0
// LAYER-DAG:     comm.all_gather %arg4 dim 0

// WHY-BYTES: [Missed] apart {{.*}}4 of 'comm.all_gather' of one form stay apart: no two neighbours fit the bytes
// WHY-LIMIT: [Missed] apart {{.*}}4 of 'comm.all_gather' of one form stay apart: the limits leave no bucket of two
// WHY-NAME: [Missed] apart {{.*}}3 of 'comm.reduce_scatter' of one form stay apart: no two neighbours have one name
func.func @gathers(%x: tensor<16xf32>, %a: tensor<8xf32> {comm.bucket = "layers.0.mlp.up"},
                   %b: tensor<8xf32> {comm.bucket = "layers.0.mlp.down"},
                   %c: tensor<8xf32> {comm.bucket = "layers.0.norm.weight"},
                   %d: tensor<8xf32> {comm.bucket = "layers[1]['norm']['weight']"}) -> tensor<16xf32> {
  %fd = comm.all_gather %d dim 0 over [[0, 1]] : tensor<8xf32> -> !comm.future<tensor<16xf32>>
  %wd = comm.wait %fd keeping(%d : tensor<8xf32>) : !comm.future<tensor<16xf32>>
  %fa = comm.all_gather %a dim 0 over [[0, 1]] : tensor<8xf32> -> !comm.future<tensor<16xf32>>
  %wa = comm.wait %fa keeping(%a : tensor<8xf32>) : !comm.future<tensor<16xf32>>
  %y1 = "model.layer"(%x, %wa) {comm.pure} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %fb = comm.all_gather %b dim 0 over [[0, 1]] : tensor<8xf32> -> !comm.future<tensor<16xf32>>
  %wb = comm.wait %fb keeping(%b : tensor<8xf32>) : !comm.future<tensor<16xf32>>
  %y2 = "model.layer"(%y1, %wb) {comm.pure} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %fc = comm.all_gather %c dim 0 over [[0, 1]] : tensor<8xf32> -> !comm.future<tensor<16xf32>>
  %wc = comm.wait %fc keeping(%c : tensor<8xf32>) : !comm.future<tensor<16xf32>>
  %y3 = "model.layer"(%y2, %wc) {comm.pure} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %y4 = "model.layer"(%y3, %wd) {comm.pure} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %y4 : tensor<16xf32>
}

// Two tensors of one bucket are scattered along different dimensions. All waits are where the first result is read.
// BYTES-LABEL: func.func @reductions(
// BYTES:         %[[G1:.*]] = "model.gradient"(%arg0)
// BYTES:         %[[G2:.*]] = "model.gradient"(%[[G1]])
// BYTES:         %[[G3:.*]] = "model.gradient"(%[[G2]])
// BYTES-NEXT:    %[[F:.*]] = comm.reduce_scatter sum %[[G1]], %[[G2]], %[[G3]] dim [0, 1, 0] over
// BYTES-NEXT:    %[[W:.*]]:3 = comm.wait %[[F]] keeping(%[[G1]], %[[G2]], %[[G3]] :
// BYTES-NEXT:    return %[[W]]#0, %[[W]]#1, %[[W]]#2
func.func @reductions(%x: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>) {
  %g1 = "model.gradient"(%x) {comm.pure} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %f1 = comm.reduce_scatter sum %g1 dim 0 over [[0, 1]] : tensor<4x4xf32> -> !comm.future<tensor<2x4xf32>>
  %s1 = comm.wait %f1 keeping(%g1 : tensor<4x4xf32>) : !comm.future<tensor<2x4xf32>>
  %g2 = "model.gradient"(%g1) {comm.pure} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %f2 = comm.reduce_scatter sum %g2 dim 1 over [[0, 1]] : tensor<4x4xf32> -> !comm.future<tensor<4x2xf32>>
  %s2 = comm.wait %f2 keeping(%g2 : tensor<4x4xf32>) : !comm.future<tensor<4x2xf32>>
  %g3 = "model.gradient"(%g2) {comm.pure} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %f3 = comm.reduce_scatter sum %g3 dim 0 over [[0, 1]] : tensor<4x4xf32> -> !comm.future<tensor<2x4xf32>>
  %s3 = comm.wait %f3 keeping(%g3 : tensor<4x4xf32>) : !comm.future<tensor<2x4xf32>>
  return %s1, %s2, %s3 : tensor<2x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>
}
