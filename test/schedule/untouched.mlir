// What does not communicate stays as it is, and so does a block that uses values before it defines them.
// RUN: comm-opt %s --comm-schedule --remarks-filter='comm-schedule' 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARKS < %t.remarks

// CHECK: func.func private @declared()
func.func private @declared()

// CHECK-LABEL: func.func @empty()
// CHECK-NEXT:    return
func.func @empty() {
  return
}

// CHECK-LABEL: func.func @no_communication
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    arith.subf
func.func @no_communication(%x: tensor<4xf32>) -> tensor<4xf32> {
  %unused = arith.addf %x, %x : tensor<4xf32>
  %y = arith.mulf %x, %x : tensor<4xf32>
  %z = arith.subf %y, %x : tensor<4xf32>
  return %z : tensor<4xf32>
}

// REMARKS-NOT: Function={{declared|empty|no_communication}}
// REMARKS: [Missed] unordered {{.*}}Function=unreachable {{.*}}this block uses values before it defines them and is left as it is

// CHECK-LABEL: func.func @unreachable
// CHECK:         comm.wait
// CHECK-NEXT:    comm.all_gather
func.func @unreachable(%x: tensor<4xf32>) {
  return
^never:
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  cf.br ^never
}

// A group of one device is communication too, if only a copy.
// REMARKS: Function=alone {{.*}}step time
// CHECK-LABEL: func.func @alone
// CHECK:         comm.all_gather
// CHECK:         comm.wait
func.func @alone(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = comm.all_gather %x dim 0 over [[0]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return %g : tensor<4xf32>
}
