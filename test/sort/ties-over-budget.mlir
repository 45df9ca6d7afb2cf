// Forty reductions that become ready together have 2^40 sets: the e-graph is over its budget, so they stand in the canonical
// order, which is that of their consumers, and a remark says so. Twelve of them are within the budget: the smallest, whose
// conversion adds least before it frees, goes first.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort=max-in-flight-reductions=0 --remarks-filter='comm-sort' 2>&1 | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-sort{max-in-flight-reductions=0}))' | FileCheck %s --check-prefix=ORDER

// CHECK: [Missed] ties {{.*}}Function=forty {{.*}}1 group(s) of topologically equal collectives were too large for the e-graph and stand in canonical order
// CHECK-NOT: [Missed] ties

// ORDER-LABEL: func.func @forty
// ORDER:         "model.print"
// ORDER-NEXT:    arith.truncf {{.*}} : tensor<160xf32>
// ORDER-NEXT:    comm.reduce_scatter
// ORDER-NEXT:    arith.truncf {{.*}} : tensor<156xf32>
func.func @forty(%x: tensor<4xf32>) -> (tensor<80xf16>, tensor<78xf16>, tensor<76xf16>, tensor<74xf16>, tensor<72xf16>, tensor<70xf16>, tensor<68xf16>, tensor<66xf16>, tensor<64xf16>, tensor<62xf16>, tensor<60xf16>, tensor<58xf16>, tensor<56xf16>, tensor<54xf16>, tensor<52xf16>, tensor<50xf16>, tensor<48xf16>, tensor<46xf16>, tensor<44xf16>, tensor<42xf16>, tensor<40xf16>, tensor<38xf16>, tensor<36xf16>, tensor<34xf16>, tensor<32xf16>, tensor<30xf16>, tensor<28xf16>, tensor<26xf16>, tensor<24xf16>, tensor<22xf16>, tensor<20xf16>, tensor<18xf16>, tensor<16xf16>, tensor<14xf16>, tensor<12xf16>, tensor<10xf16>, tensor<8xf16>, tensor<6xf16>, tensor<4xf16>, tensor<2xf16>) {
  %g0 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<160xf32>
  %g1 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<156xf32>
  %g2 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<152xf32>
  %g3 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<148xf32>
  %g4 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<144xf32>
  %g5 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<140xf32>
  %g6 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<136xf32>
  %g7 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<132xf32>
  %g8 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<128xf32>
  %g9 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<124xf32>
  %g10 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<120xf32>
  %g11 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<116xf32>
  %g12 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<112xf32>
  %g13 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<108xf32>
  %g14 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<104xf32>
  %g15 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<100xf32>
  %g16 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<96xf32>
  %g17 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<92xf32>
  %g18 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<88xf32>
  %g19 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<84xf32>
  %g20 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<80xf32>
  %g21 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<76xf32>
  %g22 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<72xf32>
  %g23 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<68xf32>
  %g24 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<64xf32>
  %g25 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<60xf32>
  %g26 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<56xf32>
  %g27 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<52xf32>
  %g28 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<48xf32>
  %g29 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<44xf32>
  %g30 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<40xf32>
  %g31 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<36xf32>
  %g32 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<32xf32>
  %g33 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<28xf32>
  %g34 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<24xf32>
  %g35 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<20xf32>
  %g36 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<16xf32>
  %g37 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<12xf32>
  %g38 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<8xf32>
  %g39 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
  "model.print"() : () -> ()
  %c0 = arith.truncf %g0 : tensor<160xf32> to tensor<160xf16>
  %f0 = comm.reduce_scatter sum %c0 dim 0 over [[0, 1]] : tensor<160xf16> -> !comm.future<tensor<80xf16>>
  %c1 = arith.truncf %g1 : tensor<156xf32> to tensor<156xf16>
  %f1 = comm.reduce_scatter sum %c1 dim 0 over [[0, 1]] : tensor<156xf16> -> !comm.future<tensor<78xf16>>
  %c2 = arith.truncf %g2 : tensor<152xf32> to tensor<152xf16>
  %f2 = comm.reduce_scatter sum %c2 dim 0 over [[0, 1]] : tensor<152xf16> -> !comm.future<tensor<76xf16>>
  %c3 = arith.truncf %g3 : tensor<148xf32> to tensor<148xf16>
  %f3 = comm.reduce_scatter sum %c3 dim 0 over [[0, 1]] : tensor<148xf16> -> !comm.future<tensor<74xf16>>
  %c4 = arith.truncf %g4 : tensor<144xf32> to tensor<144xf16>
  %f4 = comm.reduce_scatter sum %c4 dim 0 over [[0, 1]] : tensor<144xf16> -> !comm.future<tensor<72xf16>>
  %c5 = arith.truncf %g5 : tensor<140xf32> to tensor<140xf16>
  %f5 = comm.reduce_scatter sum %c5 dim 0 over [[0, 1]] : tensor<140xf16> -> !comm.future<tensor<70xf16>>
  %c6 = arith.truncf %g6 : tensor<136xf32> to tensor<136xf16>
  %f6 = comm.reduce_scatter sum %c6 dim 0 over [[0, 1]] : tensor<136xf16> -> !comm.future<tensor<68xf16>>
  %c7 = arith.truncf %g7 : tensor<132xf32> to tensor<132xf16>
  %f7 = comm.reduce_scatter sum %c7 dim 0 over [[0, 1]] : tensor<132xf16> -> !comm.future<tensor<66xf16>>
  %c8 = arith.truncf %g8 : tensor<128xf32> to tensor<128xf16>
  %f8 = comm.reduce_scatter sum %c8 dim 0 over [[0, 1]] : tensor<128xf16> -> !comm.future<tensor<64xf16>>
  %c9 = arith.truncf %g9 : tensor<124xf32> to tensor<124xf16>
  %f9 = comm.reduce_scatter sum %c9 dim 0 over [[0, 1]] : tensor<124xf16> -> !comm.future<tensor<62xf16>>
  %c10 = arith.truncf %g10 : tensor<120xf32> to tensor<120xf16>
  %f10 = comm.reduce_scatter sum %c10 dim 0 over [[0, 1]] : tensor<120xf16> -> !comm.future<tensor<60xf16>>
  %c11 = arith.truncf %g11 : tensor<116xf32> to tensor<116xf16>
  %f11 = comm.reduce_scatter sum %c11 dim 0 over [[0, 1]] : tensor<116xf16> -> !comm.future<tensor<58xf16>>
  %c12 = arith.truncf %g12 : tensor<112xf32> to tensor<112xf16>
  %f12 = comm.reduce_scatter sum %c12 dim 0 over [[0, 1]] : tensor<112xf16> -> !comm.future<tensor<56xf16>>
  %c13 = arith.truncf %g13 : tensor<108xf32> to tensor<108xf16>
  %f13 = comm.reduce_scatter sum %c13 dim 0 over [[0, 1]] : tensor<108xf16> -> !comm.future<tensor<54xf16>>
  %c14 = arith.truncf %g14 : tensor<104xf32> to tensor<104xf16>
  %f14 = comm.reduce_scatter sum %c14 dim 0 over [[0, 1]] : tensor<104xf16> -> !comm.future<tensor<52xf16>>
  %c15 = arith.truncf %g15 : tensor<100xf32> to tensor<100xf16>
  %f15 = comm.reduce_scatter sum %c15 dim 0 over [[0, 1]] : tensor<100xf16> -> !comm.future<tensor<50xf16>>
  %c16 = arith.truncf %g16 : tensor<96xf32> to tensor<96xf16>
  %f16 = comm.reduce_scatter sum %c16 dim 0 over [[0, 1]] : tensor<96xf16> -> !comm.future<tensor<48xf16>>
  %c17 = arith.truncf %g17 : tensor<92xf32> to tensor<92xf16>
  %f17 = comm.reduce_scatter sum %c17 dim 0 over [[0, 1]] : tensor<92xf16> -> !comm.future<tensor<46xf16>>
  %c18 = arith.truncf %g18 : tensor<88xf32> to tensor<88xf16>
  %f18 = comm.reduce_scatter sum %c18 dim 0 over [[0, 1]] : tensor<88xf16> -> !comm.future<tensor<44xf16>>
  %c19 = arith.truncf %g19 : tensor<84xf32> to tensor<84xf16>
  %f19 = comm.reduce_scatter sum %c19 dim 0 over [[0, 1]] : tensor<84xf16> -> !comm.future<tensor<42xf16>>
  %c20 = arith.truncf %g20 : tensor<80xf32> to tensor<80xf16>
  %f20 = comm.reduce_scatter sum %c20 dim 0 over [[0, 1]] : tensor<80xf16> -> !comm.future<tensor<40xf16>>
  %c21 = arith.truncf %g21 : tensor<76xf32> to tensor<76xf16>
  %f21 = comm.reduce_scatter sum %c21 dim 0 over [[0, 1]] : tensor<76xf16> -> !comm.future<tensor<38xf16>>
  %c22 = arith.truncf %g22 : tensor<72xf32> to tensor<72xf16>
  %f22 = comm.reduce_scatter sum %c22 dim 0 over [[0, 1]] : tensor<72xf16> -> !comm.future<tensor<36xf16>>
  %c23 = arith.truncf %g23 : tensor<68xf32> to tensor<68xf16>
  %f23 = comm.reduce_scatter sum %c23 dim 0 over [[0, 1]] : tensor<68xf16> -> !comm.future<tensor<34xf16>>
  %c24 = arith.truncf %g24 : tensor<64xf32> to tensor<64xf16>
  %f24 = comm.reduce_scatter sum %c24 dim 0 over [[0, 1]] : tensor<64xf16> -> !comm.future<tensor<32xf16>>
  %c25 = arith.truncf %g25 : tensor<60xf32> to tensor<60xf16>
  %f25 = comm.reduce_scatter sum %c25 dim 0 over [[0, 1]] : tensor<60xf16> -> !comm.future<tensor<30xf16>>
  %c26 = arith.truncf %g26 : tensor<56xf32> to tensor<56xf16>
  %f26 = comm.reduce_scatter sum %c26 dim 0 over [[0, 1]] : tensor<56xf16> -> !comm.future<tensor<28xf16>>
  %c27 = arith.truncf %g27 : tensor<52xf32> to tensor<52xf16>
  %f27 = comm.reduce_scatter sum %c27 dim 0 over [[0, 1]] : tensor<52xf16> -> !comm.future<tensor<26xf16>>
  %c28 = arith.truncf %g28 : tensor<48xf32> to tensor<48xf16>
  %f28 = comm.reduce_scatter sum %c28 dim 0 over [[0, 1]] : tensor<48xf16> -> !comm.future<tensor<24xf16>>
  %c29 = arith.truncf %g29 : tensor<44xf32> to tensor<44xf16>
  %f29 = comm.reduce_scatter sum %c29 dim 0 over [[0, 1]] : tensor<44xf16> -> !comm.future<tensor<22xf16>>
  %c30 = arith.truncf %g30 : tensor<40xf32> to tensor<40xf16>
  %f30 = comm.reduce_scatter sum %c30 dim 0 over [[0, 1]] : tensor<40xf16> -> !comm.future<tensor<20xf16>>
  %c31 = arith.truncf %g31 : tensor<36xf32> to tensor<36xf16>
  %f31 = comm.reduce_scatter sum %c31 dim 0 over [[0, 1]] : tensor<36xf16> -> !comm.future<tensor<18xf16>>
  %c32 = arith.truncf %g32 : tensor<32xf32> to tensor<32xf16>
  %f32 = comm.reduce_scatter sum %c32 dim 0 over [[0, 1]] : tensor<32xf16> -> !comm.future<tensor<16xf16>>
  %c33 = arith.truncf %g33 : tensor<28xf32> to tensor<28xf16>
  %f33 = comm.reduce_scatter sum %c33 dim 0 over [[0, 1]] : tensor<28xf16> -> !comm.future<tensor<14xf16>>
  %c34 = arith.truncf %g34 : tensor<24xf32> to tensor<24xf16>
  %f34 = comm.reduce_scatter sum %c34 dim 0 over [[0, 1]] : tensor<24xf16> -> !comm.future<tensor<12xf16>>
  %c35 = arith.truncf %g35 : tensor<20xf32> to tensor<20xf16>
  %f35 = comm.reduce_scatter sum %c35 dim 0 over [[0, 1]] : tensor<20xf16> -> !comm.future<tensor<10xf16>>
  %c36 = arith.truncf %g36 : tensor<16xf32> to tensor<16xf16>
  %f36 = comm.reduce_scatter sum %c36 dim 0 over [[0, 1]] : tensor<16xf16> -> !comm.future<tensor<8xf16>>
  %c37 = arith.truncf %g37 : tensor<12xf32> to tensor<12xf16>
  %f37 = comm.reduce_scatter sum %c37 dim 0 over [[0, 1]] : tensor<12xf16> -> !comm.future<tensor<6xf16>>
  %c38 = arith.truncf %g38 : tensor<8xf32> to tensor<8xf16>
  %f38 = comm.reduce_scatter sum %c38 dim 0 over [[0, 1]] : tensor<8xf16> -> !comm.future<tensor<4xf16>>
  %c39 = arith.truncf %g39 : tensor<4xf32> to tensor<4xf16>
  %f39 = comm.reduce_scatter sum %c39 dim 0 over [[0, 1]] : tensor<4xf16> -> !comm.future<tensor<2xf16>>
  %r0 = comm.wait %f0 keeping(%c0 : tensor<160xf16>) : !comm.future<tensor<80xf16>>
  %r1 = comm.wait %f1 keeping(%c1 : tensor<156xf16>) : !comm.future<tensor<78xf16>>
  %r2 = comm.wait %f2 keeping(%c2 : tensor<152xf16>) : !comm.future<tensor<76xf16>>
  %r3 = comm.wait %f3 keeping(%c3 : tensor<148xf16>) : !comm.future<tensor<74xf16>>
  %r4 = comm.wait %f4 keeping(%c4 : tensor<144xf16>) : !comm.future<tensor<72xf16>>
  %r5 = comm.wait %f5 keeping(%c5 : tensor<140xf16>) : !comm.future<tensor<70xf16>>
  %r6 = comm.wait %f6 keeping(%c6 : tensor<136xf16>) : !comm.future<tensor<68xf16>>
  %r7 = comm.wait %f7 keeping(%c7 : tensor<132xf16>) : !comm.future<tensor<66xf16>>
  %r8 = comm.wait %f8 keeping(%c8 : tensor<128xf16>) : !comm.future<tensor<64xf16>>
  %r9 = comm.wait %f9 keeping(%c9 : tensor<124xf16>) : !comm.future<tensor<62xf16>>
  %r10 = comm.wait %f10 keeping(%c10 : tensor<120xf16>) : !comm.future<tensor<60xf16>>
  %r11 = comm.wait %f11 keeping(%c11 : tensor<116xf16>) : !comm.future<tensor<58xf16>>
  %r12 = comm.wait %f12 keeping(%c12 : tensor<112xf16>) : !comm.future<tensor<56xf16>>
  %r13 = comm.wait %f13 keeping(%c13 : tensor<108xf16>) : !comm.future<tensor<54xf16>>
  %r14 = comm.wait %f14 keeping(%c14 : tensor<104xf16>) : !comm.future<tensor<52xf16>>
  %r15 = comm.wait %f15 keeping(%c15 : tensor<100xf16>) : !comm.future<tensor<50xf16>>
  %r16 = comm.wait %f16 keeping(%c16 : tensor<96xf16>) : !comm.future<tensor<48xf16>>
  %r17 = comm.wait %f17 keeping(%c17 : tensor<92xf16>) : !comm.future<tensor<46xf16>>
  %r18 = comm.wait %f18 keeping(%c18 : tensor<88xf16>) : !comm.future<tensor<44xf16>>
  %r19 = comm.wait %f19 keeping(%c19 : tensor<84xf16>) : !comm.future<tensor<42xf16>>
  %r20 = comm.wait %f20 keeping(%c20 : tensor<80xf16>) : !comm.future<tensor<40xf16>>
  %r21 = comm.wait %f21 keeping(%c21 : tensor<76xf16>) : !comm.future<tensor<38xf16>>
  %r22 = comm.wait %f22 keeping(%c22 : tensor<72xf16>) : !comm.future<tensor<36xf16>>
  %r23 = comm.wait %f23 keeping(%c23 : tensor<68xf16>) : !comm.future<tensor<34xf16>>
  %r24 = comm.wait %f24 keeping(%c24 : tensor<64xf16>) : !comm.future<tensor<32xf16>>
  %r25 = comm.wait %f25 keeping(%c25 : tensor<60xf16>) : !comm.future<tensor<30xf16>>
  %r26 = comm.wait %f26 keeping(%c26 : tensor<56xf16>) : !comm.future<tensor<28xf16>>
  %r27 = comm.wait %f27 keeping(%c27 : tensor<52xf16>) : !comm.future<tensor<26xf16>>
  %r28 = comm.wait %f28 keeping(%c28 : tensor<48xf16>) : !comm.future<tensor<24xf16>>
  %r29 = comm.wait %f29 keeping(%c29 : tensor<44xf16>) : !comm.future<tensor<22xf16>>
  %r30 = comm.wait %f30 keeping(%c30 : tensor<40xf16>) : !comm.future<tensor<20xf16>>
  %r31 = comm.wait %f31 keeping(%c31 : tensor<36xf16>) : !comm.future<tensor<18xf16>>
  %r32 = comm.wait %f32 keeping(%c32 : tensor<32xf16>) : !comm.future<tensor<16xf16>>
  %r33 = comm.wait %f33 keeping(%c33 : tensor<28xf16>) : !comm.future<tensor<14xf16>>
  %r34 = comm.wait %f34 keeping(%c34 : tensor<24xf16>) : !comm.future<tensor<12xf16>>
  %r35 = comm.wait %f35 keeping(%c35 : tensor<20xf16>) : !comm.future<tensor<10xf16>>
  %r36 = comm.wait %f36 keeping(%c36 : tensor<16xf16>) : !comm.future<tensor<8xf16>>
  %r37 = comm.wait %f37 keeping(%c37 : tensor<12xf16>) : !comm.future<tensor<6xf16>>
  %r38 = comm.wait %f38 keeping(%c38 : tensor<8xf16>) : !comm.future<tensor<4xf16>>
  %r39 = comm.wait %f39 keeping(%c39 : tensor<4xf16>) : !comm.future<tensor<2xf16>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37, %r38, %r39 : tensor<80xf16>, tensor<78xf16>, tensor<76xf16>, tensor<74xf16>, tensor<72xf16>, tensor<70xf16>, tensor<68xf16>, tensor<66xf16>, tensor<64xf16>, tensor<62xf16>, tensor<60xf16>, tensor<58xf16>, tensor<56xf16>, tensor<54xf16>, tensor<52xf16>, tensor<50xf16>, tensor<48xf16>, tensor<46xf16>, tensor<44xf16>, tensor<42xf16>, tensor<40xf16>, tensor<38xf16>, tensor<36xf16>, tensor<34xf16>, tensor<32xf16>, tensor<30xf16>, tensor<28xf16>, tensor<26xf16>, tensor<24xf16>, tensor<22xf16>, tensor<20xf16>, tensor<18xf16>, tensor<16xf16>, tensor<14xf16>, tensor<12xf16>, tensor<10xf16>, tensor<8xf16>, tensor<6xf16>, tensor<4xf16>, tensor<2xf16>
}

// ORDER-LABEL: func.func @twelve
// ORDER:         "model.print"
// ORDER-NEXT:    arith.truncf {{.*}} : tensor<4xf32>
func.func @twelve(%x: tensor<4xf32>) -> (tensor<24xf16>, tensor<22xf16>, tensor<20xf16>, tensor<18xf16>, tensor<16xf16>, tensor<14xf16>, tensor<12xf16>, tensor<10xf16>, tensor<8xf16>, tensor<6xf16>, tensor<4xf16>, tensor<2xf16>) {
  %g0 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<48xf32>
  %g1 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<44xf32>
  %g2 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<40xf32>
  %g3 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<36xf32>
  %g4 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<32xf32>
  %g5 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<28xf32>
  %g6 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<24xf32>
  %g7 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<20xf32>
  %g8 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<16xf32>
  %g9 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<12xf32>
  %g10 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<8xf32>
  %g11 = "model.gradient"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
  "model.print"() : () -> ()
  %c0 = arith.truncf %g0 : tensor<48xf32> to tensor<48xf16>
  %f0 = comm.reduce_scatter sum %c0 dim 0 over [[0, 1]] : tensor<48xf16> -> !comm.future<tensor<24xf16>>
  %c1 = arith.truncf %g1 : tensor<44xf32> to tensor<44xf16>
  %f1 = comm.reduce_scatter sum %c1 dim 0 over [[0, 1]] : tensor<44xf16> -> !comm.future<tensor<22xf16>>
  %c2 = arith.truncf %g2 : tensor<40xf32> to tensor<40xf16>
  %f2 = comm.reduce_scatter sum %c2 dim 0 over [[0, 1]] : tensor<40xf16> -> !comm.future<tensor<20xf16>>
  %c3 = arith.truncf %g3 : tensor<36xf32> to tensor<36xf16>
  %f3 = comm.reduce_scatter sum %c3 dim 0 over [[0, 1]] : tensor<36xf16> -> !comm.future<tensor<18xf16>>
  %c4 = arith.truncf %g4 : tensor<32xf32> to tensor<32xf16>
  %f4 = comm.reduce_scatter sum %c4 dim 0 over [[0, 1]] : tensor<32xf16> -> !comm.future<tensor<16xf16>>
  %c5 = arith.truncf %g5 : tensor<28xf32> to tensor<28xf16>
  %f5 = comm.reduce_scatter sum %c5 dim 0 over [[0, 1]] : tensor<28xf16> -> !comm.future<tensor<14xf16>>
  %c6 = arith.truncf %g6 : tensor<24xf32> to tensor<24xf16>
  %f6 = comm.reduce_scatter sum %c6 dim 0 over [[0, 1]] : tensor<24xf16> -> !comm.future<tensor<12xf16>>
  %c7 = arith.truncf %g7 : tensor<20xf32> to tensor<20xf16>
  %f7 = comm.reduce_scatter sum %c7 dim 0 over [[0, 1]] : tensor<20xf16> -> !comm.future<tensor<10xf16>>
  %c8 = arith.truncf %g8 : tensor<16xf32> to tensor<16xf16>
  %f8 = comm.reduce_scatter sum %c8 dim 0 over [[0, 1]] : tensor<16xf16> -> !comm.future<tensor<8xf16>>
  %c9 = arith.truncf %g9 : tensor<12xf32> to tensor<12xf16>
  %f9 = comm.reduce_scatter sum %c9 dim 0 over [[0, 1]] : tensor<12xf16> -> !comm.future<tensor<6xf16>>
  %c10 = arith.truncf %g10 : tensor<8xf32> to tensor<8xf16>
  %f10 = comm.reduce_scatter sum %c10 dim 0 over [[0, 1]] : tensor<8xf16> -> !comm.future<tensor<4xf16>>
  %c11 = arith.truncf %g11 : tensor<4xf32> to tensor<4xf16>
  %f11 = comm.reduce_scatter sum %c11 dim 0 over [[0, 1]] : tensor<4xf16> -> !comm.future<tensor<2xf16>>
  %r0 = comm.wait %f0 keeping(%c0 : tensor<48xf16>) : !comm.future<tensor<24xf16>>
  %r1 = comm.wait %f1 keeping(%c1 : tensor<44xf16>) : !comm.future<tensor<22xf16>>
  %r2 = comm.wait %f2 keeping(%c2 : tensor<40xf16>) : !comm.future<tensor<20xf16>>
  %r3 = comm.wait %f3 keeping(%c3 : tensor<36xf16>) : !comm.future<tensor<18xf16>>
  %r4 = comm.wait %f4 keeping(%c4 : tensor<32xf16>) : !comm.future<tensor<16xf16>>
  %r5 = comm.wait %f5 keeping(%c5 : tensor<28xf16>) : !comm.future<tensor<14xf16>>
  %r6 = comm.wait %f6 keeping(%c6 : tensor<24xf16>) : !comm.future<tensor<12xf16>>
  %r7 = comm.wait %f7 keeping(%c7 : tensor<20xf16>) : !comm.future<tensor<10xf16>>
  %r8 = comm.wait %f8 keeping(%c8 : tensor<16xf16>) : !comm.future<tensor<8xf16>>
  %r9 = comm.wait %f9 keeping(%c9 : tensor<12xf16>) : !comm.future<tensor<6xf16>>
  %r10 = comm.wait %f10 keeping(%c10 : tensor<8xf16>) : !comm.future<tensor<4xf16>>
  %r11 = comm.wait %f11 keeping(%c11 : tensor<4xf16>) : !comm.future<tensor<2xf16>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11 : tensor<24xf16>, tensor<22xf16>, tensor<20xf16>, tensor<18xf16>, tensor<16xf16>, tensor<14xf16>, tensor<12xf16>, tensor<10xf16>, tensor<8xf16>, tensor<6xf16>, tensor<4xf16>, tensor<2xf16>
}
