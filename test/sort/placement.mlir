// Where gathers start: as late or as early as the limit allows, or untouched. Parameters are declared in reverse order of
// use, which must not show.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort='max-in-flight=1' | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort='max-in-flight=2' | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort='max-in-flight=0' | FileCheck %s --check-prefixes=CHECK,FREE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort='all-gather=first max-in-flight=2' | FileCheck %s --check-prefixes=CHECK,FIRST
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort='all-gather=keep' | FileCheck %s --check-prefixes=CHECK,KEEP
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-sort{all-gather=first max-in-flight=2}))' | FileCheck %s --check-prefixes=CHECK,FIRST

// CHECK-LABEL: func.func @layers(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[P3:.*]]: tensor<2xf32>, %[[P2:.*]]: tensor<2xf32>, %[[P1:.*]]: tensor<2xf32>)

// ONE-NEXT:    %[[H:.*]] = "model.embed"(%[[X]])
// ONE-NEXT:    %[[F1:.*]] = comm.all_gather %[[P1]]
// ONE-NEXT:    %[[W1:.*]] = comm.wait %[[F1]]
// ONE-NEXT:    %[[Y1:.*]] = "model.layer"(%[[H]], %[[W1]])
// ONE-NEXT:    %[[F2:.*]] = comm.all_gather %[[P2]]
// ONE-NEXT:    %[[W2:.*]] = comm.wait %[[F2]]
// ONE-NEXT:    %[[Y2:.*]] = "model.layer"(%[[Y1]], %[[W2]])
// ONE-NEXT:    %[[F3:.*]] = comm.all_gather %[[P3]]
// ONE-NEXT:    %[[W3:.*]] = comm.wait %[[F3]]
// ONE-NEXT:    "model.layer"(%[[Y2]], %[[W3]])

// TWO-NEXT:    %[[H:.*]] = "model.embed"(%[[X]])
// TWO-NEXT:    %[[F1:.*]] = comm.all_gather %[[P1]]
// TWO-NEXT:    %[[F2:.*]] = comm.all_gather %[[P2]]
// TWO-NEXT:    %[[W1:.*]] = comm.wait %[[F1]]
// TWO-NEXT:    %[[Y1:.*]] = "model.layer"(%[[H]], %[[W1]])
// TWO-NEXT:    %[[F3:.*]] = comm.all_gather %[[P3]]
// TWO-NEXT:    %[[W2:.*]] = comm.wait %[[F2]]
// TWO-NEXT:    %[[Y2:.*]] = "model.layer"(%[[Y1]], %[[W2]])
// TWO-NEXT:    %[[W3:.*]] = comm.wait %[[F3]]
// TWO-NEXT:    "model.layer"(%[[Y2]], %[[W3]])

// FREE-NEXT:   "model.embed"
// FREE-NEXT:   comm.all_gather %[[P1]]
// FREE-NEXT:   comm.all_gather %[[P2]]
// FREE-NEXT:   comm.all_gather %[[P3]]
// FREE-NEXT:   comm.wait

// FIRST-NEXT:  %[[F1:.*]] = comm.all_gather %[[P1]]
// FIRST-NEXT:  %[[F2:.*]] = comm.all_gather %[[P2]]
// FIRST-NEXT:  %[[H:.*]] = "model.embed"(%[[X]])
// FIRST-NEXT:  %[[W1:.*]] = comm.wait %[[F1]]
// FIRST-NEXT:  %[[F3:.*]] = comm.all_gather %[[P3]]
// FIRST-NEXT:  %[[Y1:.*]] = "model.layer"(%[[H]], %[[W1]])
// FIRST-NEXT:  %[[W2:.*]] = comm.wait %[[F2]]

// KEEP-NEXT:   %[[F3:.*]] = comm.all_gather %[[P3]]
// KEEP-NEXT:   comm.wait %[[F3]]
// KEEP-NEXT:   %[[F2:.*]] = comm.all_gather %[[P2]]
// KEEP-NEXT:   comm.wait %[[F2]]
// KEEP-NEXT:   %[[F1:.*]] = comm.all_gather %[[P1]]
// KEEP-NEXT:   comm.wait %[[F1]]
// KEEP-NEXT:   "model.embed"
func.func @layers(%x: tensor<4xf32>, %p3: tensor<2xf32>, %p2: tensor<2xf32>, %p1: tensor<2xf32>) -> tensor<4xf32> {
  %f3 = comm.all_gather %p3 dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w3 = comm.wait %f3 keeping(%p3 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %f2 = comm.all_gather %p2 dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w2 = comm.wait %f2 keeping(%p2 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %f1 = comm.all_gather %p1 dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w1 = comm.wait %f1 keeping(%p1 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %h = "model.embed"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
  %y1 = "model.layer"(%h, %w1) {comm.pure} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y2 = "model.layer"(%y1, %w2) {comm.pure} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y3 = "model.layer"(%y2, %w3) {comm.pure} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y3 : tensor<4xf32>
}
