// Calls nest: spelled out, this is more than 2^60 ops. The pass says where it stops.
// RUN: comm-opt %s --comm-import-stablehlo --remarks-filter='comm-import.*' -o /dev/null 2>&1 | FileCheck %s
// CHECK: call-left {{.*}}left: too many ops would be made
func.func @main() {
  call @f15() : () -> ()
  return
}
func.func private @f0() {
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  arith.constant 0 : i1
  return
}
func.func private @f1() {
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  call @f0() : () -> ()
  return
}
func.func private @f2() {
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  call @f1() : () -> ()
  return
}
func.func private @f3() {
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  call @f2() : () -> ()
  return
}
func.func private @f4() {
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  call @f3() : () -> ()
  return
}
func.func private @f5() {
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  call @f4() : () -> ()
  return
}
func.func private @f6() {
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  call @f5() : () -> ()
  return
}
func.func private @f7() {
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  call @f6() : () -> ()
  return
}
func.func private @f8() {
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  call @f7() : () -> ()
  return
}
func.func private @f9() {
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  call @f8() : () -> ()
  return
}
func.func private @f10() {
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  call @f9() : () -> ()
  return
}
func.func private @f11() {
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  call @f10() : () -> ()
  return
}
func.func private @f12() {
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  call @f11() : () -> ()
  return
}
func.func private @f13() {
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  call @f12() : () -> ()
  return
}
func.func private @f14() {
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  call @f13() : () -> ()
  return
}
func.func private @f15() {
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  call @f14() : () -> ()
  return
}
