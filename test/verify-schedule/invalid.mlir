// RUN: comm-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --comm-verify-schedule=mode=check
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=check}))'

// expected-error @below {{'func.func' op has no recorded order; comm-verify-schedule{mode=record} is expected before}}
func.func @never_recorded() {
  return
}

// -----

func.func @added(%x: tensor<4xf32>) attributes {comm.recorded = 2 : i64} {
  // expected-error @below {{'arith.addf' op was added since the order of its function was recorded}}
  %a = arith.addf %x, %x : tensor<4xf32>
  return {comm.recorded = 0 : i64}
}

// -----

func.func @lost_in_the_middle(%x: tensor<4xf32>) attributes {comm.recorded = 4 : i64} {
  %a = arith.addf %x, %x {comm.recorded = 0 : i64} : tensor<4xf32>
  // expected-error @below {{'func.return' op is the next to op #1 of the recorded order, which is gone}}
  return {comm.recorded = 2 : i64}
}

// -----

func.func @lost_first(%x: tensor<4xf32>) attributes {comm.recorded = 3 : i64} {
  // expected-error @below {{'func.return' op is the next to op #0 of the recorded order, which is gone}}
  return {comm.recorded = 1 : i64}
}

// -----

func.func @lost_last(%x: tensor<4xf32>) attributes {comm.recorded = 4 : i64} {
  %a = arith.addf %x, %x {comm.recorded = 0 : i64} : tensor<4xf32>
  // expected-error @below {{'func.return' op is the next to op #2 of the recorded order, which is gone}}
  return {comm.recorded = 1 : i64}
}

// -----

// expected-error @below {{'func.func' op has numbers of ops that were not recorded with it}}
func.func @foreign(%x: tensor<4xf32>) attributes {comm.recorded = 2 : i64} {
  %a = arith.addf %x, %x {comm.recorded = 0 : i64} : tensor<4xf32>
  return {comm.recorded = 1 : i64}
}

// -----

func.func @twice(%x: tensor<4xf32>) attributes {comm.recorded = 3 : i64} {
  // expected-note @below {{the first of them}}
  %a = arith.addf %x, %x {comm.recorded = 0 : i64} : tensor<4xf32>
  // expected-error @below {{'arith.addf' op is the second op with number 0 of the recorded order}}
  %b = arith.addf %x, %x {comm.recorded = 0 : i64} : tensor<4xf32>
  return {comm.recorded = 1 : i64}
}

// -----

// The addition was recorded in the function's block.
func.func @other_block(%x: tensor<4xf32>, %p: i1) attributes {comm.recorded = 6 : i64} {
  // expected-note @below {{recorded in one block with this}}
  scf.if %p {
    // expected-error @below {{'arith.addf' op stands in another block than it was recorded in}}
    %a = arith.addf %x, %x {comm.recorded = 1 : i64} : tensor<4xf32>
    scf.yield {comm.recorded = 4 : i64}
  } {comm.recorded = 0 : i64}
  return {comm.recorded = 2 : i64}
}

// -----

func.func @order_of_writes(%m: memref<4xf32>, %v: f32, %i: index) attributes {comm.recorded = 4 : i64} {
  // expected-note @below {{this one}}
  memref.store %v, %m[%i] {comm.recorded = 1 : i64} : memref<4xf32>
  // expected-error @below {{'memref.store' op was moved below 'memref.store', which it was recorded above; both write}}
  memref.store %v, %m[%i] {comm.recorded = 0 : i64} : memref<4xf32>
  return {comm.recorded = 2 : i64}
}

// -----

func.func @read_and_write(%m: memref<4xf32>, %v: f32, %i: index) attributes {comm.recorded = 4 : i64} {
  memref.store %v, %m[%i] {comm.recorded = 1 : i64} : memref<4xf32>
  // expected-error @below {{'memref.load' op was moved below 'memref.store', which it was recorded above; one reads and the other writes}}
  %l = memref.load %m[%i] {comm.recorded = 0 : i64} : memref<4xf32>
  // expected-note @-3 {{this one}}
  return {comm.recorded = 2 : i64}
}

// -----

// Two reads may change places.
func.func @reads(%m: memref<4xf32>, %i: index) attributes {comm.recorded = 4 : i64} {
  %a = memref.load %m[%i] {comm.recorded = 1 : i64} : memref<4xf32>
  %b = memref.load %m[%i] {comm.recorded = 0 : i64} : memref<4xf32>
  return {comm.recorded = 2 : i64}
}

// -----

func.func private @external()
func.func @fence_and_collective(%x: tensor<4xf32>) attributes {comm.recorded = 4 : i64} {
  // expected-note @below {{this one}}
  call @external() {comm.recorded = 1 : i64} : () -> ()
  // expected-error @below {{'comm.all_gather' op was moved below 'func.call', which it was recorded above; one communicates, and the other may have any effect}}
  %g = comm.all_gather %x dim 0 over [[0, 1]] {comm.recorded = 0 : i64} : tensor<4xf32> -> tensor<8xf32>
  return {comm.recorded = 2 : i64}
}

// -----

// Of an op that nobody knows anything is assumed; one that its front end vouches for moves.
func.func @unregistered(%x: tensor<4xf32>) attributes {comm.recorded = 5 : i64} {
  "front.pure"() {comm.recorded = 2 : i64, comm.pure} : () -> ()
  // expected-note @below {{this one}}
  "front.op"() {comm.recorded = 1 : i64} : () -> ()
  // expected-error @below {{'comm.all_gather' op was moved below 'front.op'}}
  %g = comm.all_gather %x dim 0 over [[0, 1]] {comm.recorded = 0 : i64} : tensor<4xf32> -> tensor<8xf32>
  return {comm.recorded = 3 : i64}
}

// -----

func.func @write_and_wait(%x: tensor<4xf32>, %m: memref<4xf32>, %v: f32, %i: index) attributes {comm.recorded = 5 : i64} {
  %f = comm.all_gather %x dim 0 over [[0, 1]] {comm.recorded = 0 : i64} : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  // expected-note @below {{this one}}
  %g = comm.wait %f keeping(%x : tensor<4xf32>) {comm.recorded = 2 : i64} : !comm.future<tensor<8xf32>>
  // expected-error @below {{'memref.store' op was moved below 'comm.wait', which it was recorded above; one communicates and the other writes}}
  memref.store %v, %m[%i] {comm.recorded = 1 : i64} : memref<4xf32>
  return {comm.recorded = 3 : i64}
}

// -----

func.func @others_keep_their_order(%x: tensor<4xf32>) attributes {comm.recorded = 4 : i64} {
  // expected-note @below {{this one}}
  %a = comm.permute %x pairs [[0, 1]] {comm.recorded = 1 : i64} : tensor<4xf32> -> tensor<4xf32>
  // expected-error @below {{'comm.broadcast' op was moved below 'comm.permute', which it was recorded above; all-to-all, permute and broadcast keep their order}}
  %b = comm.broadcast %x root 0 over [[0, 1]] {comm.recorded = 0 : i64} : tensor<4xf32> -> tensor<4xf32>
  return {comm.recorded = 2 : i64}
}

// -----

// Gathers and reductions may overtake each other and them.
func.func @gathers_move(%x: tensor<4xf32>) attributes {comm.recorded = 5 : i64} {
  %a = comm.permute %x pairs [[0, 1]] {comm.recorded = 2 : i64} : tensor<4xf32> -> tensor<4xf32>
  %b = comm.all_reduce sum %x over [[0, 1]] {comm.recorded = 1 : i64} : tensor<4xf32> -> tensor<4xf32>
  %c = comm.all_gather %x dim 0 over [[0, 1]] {comm.recorded = 0 : i64} : tensor<4xf32> -> tensor<8xf32>
  return {comm.recorded = 3 : i64}
}

// -----

// The condition may differ between devices.
func.func @divergent_control(%x: tensor<4xf32>, %p: i1) attributes {comm.recorded = 6 : i64} {
  // expected-note @below {{this one}}
  scf.if %p {
    scf.yield {comm.recorded = 4 : i64}
  } {comm.recorded = 1 : i64}
  // expected-error @below {{'comm.all_gather' op was moved below 'scf.if', which it was recorded above; one communicates, and the other may have any effect, or differ between devices}}
  %g = comm.all_gather %x dim 0 over [[0, 1]] {comm.recorded = 0 : i64} : tensor<4xf32> -> tensor<8xf32>
  return {comm.recorded = 2 : i64}
}

// -----

// The same on all devices: no fence.
func.func @uniform_control(%x: tensor<4xf32>, %p: i1 {comm.uniform}) attributes {comm.recorded = 6 : i64} {
  scf.if %p {
    scf.yield {comm.recorded = 4 : i64}
  } {comm.recorded = 1 : i64}
  %g = comm.all_gather %x dim 0 over [[0, 1]] {comm.recorded = 0 : i64} : tensor<4xf32> -> tensor<8xf32>
  return {comm.recorded = 2 : i64}
}

// -----

// A graph region lets a use stand before its definition, so MLIR says nothing; the check does.
func.func @use_before_definition() attributes {comm.recorded = 6 : i64} {
  "front.graph"() ({
    // expected-error @below {{'front.use' op was moved above the definition of its operand}}
    "front.use"(%a) {comm.recorded = 4 : i64, comm.pure} : (i32) -> ()
    // expected-note @below {{defined here}}
    %a = "front.def"() {comm.recorded = 3 : i64, comm.pure} : () -> i32
  }) {comm.recorded = 0 : i64} : () -> ()
  return {comm.recorded = 1 : i64}
}

// -----

// A use that was recorded before its definition may stand where it likes: the region is a graph.
func.func @use_was_before_definition() attributes {comm.recorded = 6 : i64} {
  "front.graph"() ({
    "front.use"(%a) {comm.recorded = 3 : i64, comm.pure} : (i32) -> ()
    %a = "front.def"() {comm.recorded = 4 : i64, comm.pure} : () -> i32
  }) {comm.recorded = 0 : i64} : () -> ()
  return {comm.recorded = 1 : i64}
}
