// Forty gathers of different lengths that have to start before the computation have 2^40 sets: they stay as the search left
// them, and a remark says so. Forty gathers that nothing tells apart have 41.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s

// CHECK: [Missed] ties {{.*}}Function=different {{.*}}1 tie(s) of collectives that could start in any order were too large for the e-graph; of these the order that was found stays
// CHECK-NOT: [Missed] ties

func.func @different(%x: tensor<4xf32>, %p0: tensor<2xf32>, %p1: tensor<2xf32>, %p2: tensor<2xf32>, %p3: tensor<2xf32>, %p4: tensor<2xf32>, %p5: tensor<2xf32>, %p6: tensor<2xf32>, %p7: tensor<2xf32>, %p8: tensor<2xf32>, %p9: tensor<2xf32>, %p10: tensor<2xf32>, %p11: tensor<2xf32>, %p12: tensor<2xf32>, %p13: tensor<2xf32>, %p14: tensor<2xf32>, %p15: tensor<2xf32>, %p16: tensor<2xf32>, %p17: tensor<2xf32>, %p18: tensor<2xf32>, %p19: tensor<2xf32>, %p20: tensor<2xf32>, %p21: tensor<2xf32>, %p22: tensor<2xf32>, %p23: tensor<2xf32>, %p24: tensor<2xf32>, %p25: tensor<2xf32>, %p26: tensor<2xf32>, %p27: tensor<2xf32>, %p28: tensor<2xf32>, %p29: tensor<2xf32>, %p30: tensor<2xf32>, %p31: tensor<2xf32>, %p32: tensor<2xf32>, %p33: tensor<2xf32>, %p34: tensor<2xf32>, %p35: tensor<2xf32>, %p36: tensor<2xf32>, %p37: tensor<2xf32>, %p38: tensor<2xf32>, %p39: tensor<2xf32>) -> tensor<4xf32> {
  %a = "model.first"(%x) {comm.pure, comm.duration_ns = 1000000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %f0 = comm.all_gather %p0 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f1 = comm.all_gather %p1 dim 0 over [[0, 1]] {comm.duration_ns = 10100 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f2 = comm.all_gather %p2 dim 0 over [[0, 1]] {comm.duration_ns = 10200 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f3 = comm.all_gather %p3 dim 0 over [[0, 1]] {comm.duration_ns = 10300 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f4 = comm.all_gather %p4 dim 0 over [[0, 1]] {comm.duration_ns = 10400 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f5 = comm.all_gather %p5 dim 0 over [[0, 1]] {comm.duration_ns = 10500 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f6 = comm.all_gather %p6 dim 0 over [[0, 1]] {comm.duration_ns = 10600 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f7 = comm.all_gather %p7 dim 0 over [[0, 1]] {comm.duration_ns = 10700 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f8 = comm.all_gather %p8 dim 0 over [[0, 1]] {comm.duration_ns = 10800 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f9 = comm.all_gather %p9 dim 0 over [[0, 1]] {comm.duration_ns = 10900 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f10 = comm.all_gather %p10 dim 0 over [[0, 1]] {comm.duration_ns = 11000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f11 = comm.all_gather %p11 dim 0 over [[0, 1]] {comm.duration_ns = 11100 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f12 = comm.all_gather %p12 dim 0 over [[0, 1]] {comm.duration_ns = 11200 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f13 = comm.all_gather %p13 dim 0 over [[0, 1]] {comm.duration_ns = 11300 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f14 = comm.all_gather %p14 dim 0 over [[0, 1]] {comm.duration_ns = 11400 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f15 = comm.all_gather %p15 dim 0 over [[0, 1]] {comm.duration_ns = 11500 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f16 = comm.all_gather %p16 dim 0 over [[0, 1]] {comm.duration_ns = 11600 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f17 = comm.all_gather %p17 dim 0 over [[0, 1]] {comm.duration_ns = 11700 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f18 = comm.all_gather %p18 dim 0 over [[0, 1]] {comm.duration_ns = 11800 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f19 = comm.all_gather %p19 dim 0 over [[0, 1]] {comm.duration_ns = 11900 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f20 = comm.all_gather %p20 dim 0 over [[0, 1]] {comm.duration_ns = 12000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f21 = comm.all_gather %p21 dim 0 over [[0, 1]] {comm.duration_ns = 12100 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f22 = comm.all_gather %p22 dim 0 over [[0, 1]] {comm.duration_ns = 12200 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f23 = comm.all_gather %p23 dim 0 over [[0, 1]] {comm.duration_ns = 12300 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f24 = comm.all_gather %p24 dim 0 over [[0, 1]] {comm.duration_ns = 12400 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f25 = comm.all_gather %p25 dim 0 over [[0, 1]] {comm.duration_ns = 12500 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f26 = comm.all_gather %p26 dim 0 over [[0, 1]] {comm.duration_ns = 12600 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f27 = comm.all_gather %p27 dim 0 over [[0, 1]] {comm.duration_ns = 12700 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f28 = comm.all_gather %p28 dim 0 over [[0, 1]] {comm.duration_ns = 12800 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f29 = comm.all_gather %p29 dim 0 over [[0, 1]] {comm.duration_ns = 12900 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f30 = comm.all_gather %p30 dim 0 over [[0, 1]] {comm.duration_ns = 13000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f31 = comm.all_gather %p31 dim 0 over [[0, 1]] {comm.duration_ns = 13100 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f32 = comm.all_gather %p32 dim 0 over [[0, 1]] {comm.duration_ns = 13200 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f33 = comm.all_gather %p33 dim 0 over [[0, 1]] {comm.duration_ns = 13300 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f34 = comm.all_gather %p34 dim 0 over [[0, 1]] {comm.duration_ns = 13400 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f35 = comm.all_gather %p35 dim 0 over [[0, 1]] {comm.duration_ns = 13500 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f36 = comm.all_gather %p36 dim 0 over [[0, 1]] {comm.duration_ns = 13600 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f37 = comm.all_gather %p37 dim 0 over [[0, 1]] {comm.duration_ns = 13700 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f38 = comm.all_gather %p38 dim 0 over [[0, 1]] {comm.duration_ns = 13800 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f39 = comm.all_gather %p39 dim 0 over [[0, 1]] {comm.duration_ns = 13900 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w0 = comm.wait %f0 keeping(%p0 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w1 = comm.wait %f1 keeping(%p1 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w2 = comm.wait %f2 keeping(%p2 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w3 = comm.wait %f3 keeping(%p3 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w4 = comm.wait %f4 keeping(%p4 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w5 = comm.wait %f5 keeping(%p5 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w6 = comm.wait %f6 keeping(%p6 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w7 = comm.wait %f7 keeping(%p7 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w8 = comm.wait %f8 keeping(%p8 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w9 = comm.wait %f9 keeping(%p9 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w10 = comm.wait %f10 keeping(%p10 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w11 = comm.wait %f11 keeping(%p11 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w12 = comm.wait %f12 keeping(%p12 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w13 = comm.wait %f13 keeping(%p13 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w14 = comm.wait %f14 keeping(%p14 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w15 = comm.wait %f15 keeping(%p15 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w16 = comm.wait %f16 keeping(%p16 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w17 = comm.wait %f17 keeping(%p17 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w18 = comm.wait %f18 keeping(%p18 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w19 = comm.wait %f19 keeping(%p19 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w20 = comm.wait %f20 keeping(%p20 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w21 = comm.wait %f21 keeping(%p21 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w22 = comm.wait %f22 keeping(%p22 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w23 = comm.wait %f23 keeping(%p23 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w24 = comm.wait %f24 keeping(%p24 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w25 = comm.wait %f25 keeping(%p25 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w26 = comm.wait %f26 keeping(%p26 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w27 = comm.wait %f27 keeping(%p27 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w28 = comm.wait %f28 keeping(%p28 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w29 = comm.wait %f29 keeping(%p29 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w30 = comm.wait %f30 keeping(%p30 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w31 = comm.wait %f31 keeping(%p31 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w32 = comm.wait %f32 keeping(%p32 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w33 = comm.wait %f33 keeping(%p33 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w34 = comm.wait %f34 keeping(%p34 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w35 = comm.wait %f35 keeping(%p35 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w36 = comm.wait %f36 keeping(%p36 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w37 = comm.wait %f37 keeping(%p37 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w38 = comm.wait %f38 keeping(%p38 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w39 = comm.wait %f39 keeping(%p39 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %b = "model.second"(%a, %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7, %w8, %w9, %w10, %w11, %w12, %w13, %w14, %w15, %w16, %w17, %w18, %w19, %w20, %w21, %w22, %w23, %w24, %w25, %w26, %w27, %w28, %w29, %w30, %w31, %w32, %w33, %w34, %w35, %w36, %w37, %w38, %w39) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

func.func @alike(%x: tensor<4xf32>, %p0: tensor<2xf32>, %p1: tensor<2xf32>, %p2: tensor<2xf32>, %p3: tensor<2xf32>, %p4: tensor<2xf32>, %p5: tensor<2xf32>, %p6: tensor<2xf32>, %p7: tensor<2xf32>, %p8: tensor<2xf32>, %p9: tensor<2xf32>, %p10: tensor<2xf32>, %p11: tensor<2xf32>, %p12: tensor<2xf32>, %p13: tensor<2xf32>, %p14: tensor<2xf32>, %p15: tensor<2xf32>, %p16: tensor<2xf32>, %p17: tensor<2xf32>, %p18: tensor<2xf32>, %p19: tensor<2xf32>, %p20: tensor<2xf32>, %p21: tensor<2xf32>, %p22: tensor<2xf32>, %p23: tensor<2xf32>, %p24: tensor<2xf32>, %p25: tensor<2xf32>, %p26: tensor<2xf32>, %p27: tensor<2xf32>, %p28: tensor<2xf32>, %p29: tensor<2xf32>, %p30: tensor<2xf32>, %p31: tensor<2xf32>, %p32: tensor<2xf32>, %p33: tensor<2xf32>, %p34: tensor<2xf32>, %p35: tensor<2xf32>, %p36: tensor<2xf32>, %p37: tensor<2xf32>, %p38: tensor<2xf32>, %p39: tensor<2xf32>) -> tensor<4xf32> {
  %a = "model.first"(%x) {comm.pure, comm.duration_ns = 1000000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %f0 = comm.all_gather %p0 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f1 = comm.all_gather %p1 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f2 = comm.all_gather %p2 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f3 = comm.all_gather %p3 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f4 = comm.all_gather %p4 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f5 = comm.all_gather %p5 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f6 = comm.all_gather %p6 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f7 = comm.all_gather %p7 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f8 = comm.all_gather %p8 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f9 = comm.all_gather %p9 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f10 = comm.all_gather %p10 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f11 = comm.all_gather %p11 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f12 = comm.all_gather %p12 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f13 = comm.all_gather %p13 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f14 = comm.all_gather %p14 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f15 = comm.all_gather %p15 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f16 = comm.all_gather %p16 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f17 = comm.all_gather %p17 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f18 = comm.all_gather %p18 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f19 = comm.all_gather %p19 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f20 = comm.all_gather %p20 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f21 = comm.all_gather %p21 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f22 = comm.all_gather %p22 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f23 = comm.all_gather %p23 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f24 = comm.all_gather %p24 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f25 = comm.all_gather %p25 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f26 = comm.all_gather %p26 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f27 = comm.all_gather %p27 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f28 = comm.all_gather %p28 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f29 = comm.all_gather %p29 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f30 = comm.all_gather %p30 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f31 = comm.all_gather %p31 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f32 = comm.all_gather %p32 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f33 = comm.all_gather %p33 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f34 = comm.all_gather %p34 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f35 = comm.all_gather %p35 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f36 = comm.all_gather %p36 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f37 = comm.all_gather %p37 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f38 = comm.all_gather %p38 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %f39 = comm.all_gather %p39 dim 0 over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w0 = comm.wait %f0 keeping(%p0 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w1 = comm.wait %f1 keeping(%p1 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w2 = comm.wait %f2 keeping(%p2 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w3 = comm.wait %f3 keeping(%p3 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w4 = comm.wait %f4 keeping(%p4 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w5 = comm.wait %f5 keeping(%p5 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w6 = comm.wait %f6 keeping(%p6 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w7 = comm.wait %f7 keeping(%p7 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w8 = comm.wait %f8 keeping(%p8 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w9 = comm.wait %f9 keeping(%p9 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w10 = comm.wait %f10 keeping(%p10 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w11 = comm.wait %f11 keeping(%p11 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w12 = comm.wait %f12 keeping(%p12 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w13 = comm.wait %f13 keeping(%p13 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w14 = comm.wait %f14 keeping(%p14 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w15 = comm.wait %f15 keeping(%p15 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w16 = comm.wait %f16 keeping(%p16 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w17 = comm.wait %f17 keeping(%p17 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w18 = comm.wait %f18 keeping(%p18 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w19 = comm.wait %f19 keeping(%p19 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w20 = comm.wait %f20 keeping(%p20 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w21 = comm.wait %f21 keeping(%p21 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w22 = comm.wait %f22 keeping(%p22 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w23 = comm.wait %f23 keeping(%p23 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w24 = comm.wait %f24 keeping(%p24 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w25 = comm.wait %f25 keeping(%p25 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w26 = comm.wait %f26 keeping(%p26 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w27 = comm.wait %f27 keeping(%p27 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w28 = comm.wait %f28 keeping(%p28 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w29 = comm.wait %f29 keeping(%p29 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w30 = comm.wait %f30 keeping(%p30 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w31 = comm.wait %f31 keeping(%p31 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w32 = comm.wait %f32 keeping(%p32 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w33 = comm.wait %f33 keeping(%p33 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w34 = comm.wait %f34 keeping(%p34 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w35 = comm.wait %f35 keeping(%p35 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w36 = comm.wait %f36 keeping(%p36 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w37 = comm.wait %f37 keeping(%p37 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w38 = comm.wait %f38 keeping(%p38 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %w39 = comm.wait %f39 keeping(%p39 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %b = "model.second"(%a, %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7, %w8, %w9, %w10, %w11, %w12, %w13, %w14, %w15, %w16, %w17, %w18, %w19, %w20, %w21, %w22, %w23, %w24, %w25, %w26, %w27, %w28, %w29, %w30, %w31, %w32, %w33, %w34, %w35, %w36, %w37, %w38, %w39) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
