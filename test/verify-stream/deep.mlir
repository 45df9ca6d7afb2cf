// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics

// Calls within each other are followed to a depth of 64.

func.func private @f0() {
  %s0 = comm_stream.current
  %e = comm_stream.record on %s0
  return
}

func.func private @f1() { call @f0() : () -> () return }
func.func private @f2() { call @f1() : () -> () return }
// expected-error @+1 {{is not proved to be ordered: it is nested in 64 calls and regions}}
func.func private @f3() { call @f2() : () -> () return }
func.func private @f4() { call @f3() : () -> () return }
func.func private @f5() { call @f4() : () -> () return }
func.func private @f6() { call @f5() : () -> () return }
func.func private @f7() { call @f6() : () -> () return }
func.func private @f8() { call @f7() : () -> () return }
func.func private @f9() { call @f8() : () -> () return }
func.func private @f10() { call @f9() : () -> () return }
func.func private @f11() { call @f10() : () -> () return }
func.func private @f12() { call @f11() : () -> () return }
func.func private @f13() { call @f12() : () -> () return }
func.func private @f14() { call @f13() : () -> () return }
func.func private @f15() { call @f14() : () -> () return }
func.func private @f16() { call @f15() : () -> () return }
func.func private @f17() { call @f16() : () -> () return }
func.func private @f18() { call @f17() : () -> () return }
func.func private @f19() { call @f18() : () -> () return }
func.func private @f20() { call @f19() : () -> () return }
func.func private @f21() { call @f20() : () -> () return }
func.func private @f22() { call @f21() : () -> () return }
func.func private @f23() { call @f22() : () -> () return }
func.func private @f24() { call @f23() : () -> () return }
func.func private @f25() { call @f24() : () -> () return }
func.func private @f26() { call @f25() : () -> () return }
func.func private @f27() { call @f26() : () -> () return }
func.func private @f28() { call @f27() : () -> () return }
func.func private @f29() { call @f28() : () -> () return }
func.func private @f30() { call @f29() : () -> () return }
func.func private @f31() { call @f30() : () -> () return }
func.func private @f32() { call @f31() : () -> () return }
func.func private @f33() { call @f32() : () -> () return }
func.func private @f34() { call @f33() : () -> () return }
func.func private @f35() { call @f34() : () -> () return }
func.func private @f36() { call @f35() : () -> () return }
func.func private @f37() { call @f36() : () -> () return }
func.func private @f38() { call @f37() : () -> () return }
func.func private @f39() { call @f38() : () -> () return }
func.func private @f40() { call @f39() : () -> () return }
func.func private @f41() { call @f40() : () -> () return }
func.func private @f42() { call @f41() : () -> () return }
func.func private @f43() { call @f42() : () -> () return }
func.func private @f44() { call @f43() : () -> () return }
func.func private @f45() { call @f44() : () -> () return }
func.func private @f46() { call @f45() : () -> () return }
func.func private @f47() { call @f46() : () -> () return }
func.func private @f48() { call @f47() : () -> () return }
func.func private @f49() { call @f48() : () -> () return }
func.func private @f50() { call @f49() : () -> () return }
func.func private @f51() { call @f50() : () -> () return }
func.func private @f52() { call @f51() : () -> () return }
func.func private @f53() { call @f52() : () -> () return }
func.func private @f54() { call @f53() : () -> () return }
func.func private @f55() { call @f54() : () -> () return }
func.func private @f56() { call @f55() : () -> () return }
func.func private @f57() { call @f56() : () -> () return }
func.func private @f58() { call @f57() : () -> () return }
func.func private @f59() { call @f58() : () -> () return }
func.func private @f60() { call @f59() : () -> () return }
func.func private @f61() { call @f60() : () -> () return }
func.func private @f62() { call @f61() : () -> () return }
func.func private @f63() { call @f62() : () -> () return }
func.func private @f64() { call @f63() : () -> () return }
func.func private @f65() { call @f64() : () -> () return }
func.func private @f66() { call @f65() : () -> () return }

func.func @deep() {
  call @f66() : () -> ()
  return
}
