// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Costs of snippets on a machine of round numbers, and of ops of real programs on a preset.

use comm_schedule::{Machine, Profile};
use mel::ir::Module;
use mel::pass::PassManager;

use super::{Costs, is_leaf, product, tensor::Tensors};
use crate::{collective::Collective, mlir::Op, op_facts, passes};

/// Memory takes a nanosecond a byte, f32 products one a flop, bf16 half, i8 a quarter; f64 ten. A collective takes 1000 ns
/// and one a byte on the wire.
const ROUND: &str = "
name = 'round'
launch_floor_ns = 100
memory.peak_gb_per_s = 1
matmul.peak_tflops = { f64 = 0.0001, f32 = 0.001, bf16 = 0.002, i8 = 0.004 }
collective.all_gather = [{ size = 2, latency_us = 1, gb_per_s = 1 }]
[[link]]
name = 'tensor'
axes = ['tp']
[[link]]
name = 'node'
domain = 4
collective.all_reduce = [{ size = 2, latency_us = 2, gb_per_s = 1 }]
";

fn with_profile(profile: Option<&str>) -> Costs {
    let profile = profile.map(|text| Profile::parse(text).unwrap());
    Costs::new(Machine::from_toml(ROUND).unwrap(), profile)
}

/// Runs `check` on the ops of a module marked `note`, in order.
fn on_noted<T>(text: &str, check: impl FnMut(Op) -> T) -> Vec<T> {
    let context = crate::context();
    let module = Module::parse(&context, text).expect("the module parses");
    let ops = Op::new(module.as_operation().to_raw()).walk();
    let noted = ops.into_iter().filter(|op| op.discardable_attr("note").is_some());
    noted.map(check).collect()
}

/// Costs of the ops marked `note`.
fn costs(text: &str) -> Vec<u64> {
    let costs = with_profile(None);
    on_noted(text, |op| {
        assert!(is_leaf(op), "{}", op.name());
        costs.leaf_ns(op).expect("groups are known")
    })
}

#[test]
fn products_of_linalg_cost_their_operations_or_their_traffic() {
    let text = r#"
    func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>,
                 %ab: tensor<2x8x16xbf16>, %bb: tensor<2x16x32xbf16>, %cb: tensor<2x8x32xbf16>,
                 %v: tensor<1x16xf32>, %w: tensor<16x1xf32>, %z: tensor<1x1xf32>,
                 %d: tensor<?x16xf32>, %e: tensor<?x32xf32>,
                 %i: tensor<1x6x6x3xf32>, %k: tensor<3x3x3x8xf32>, %o: tensor<1x4x4x8xf32>,
                 %m: memref<8x16xf32>, %n: memref<16x32xf32>, %p: memref<8x32xf32>) {
      %0 = linalg.matmul {note} ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
      %1 = linalg.batch_matmul {note} ins(%ab, %bb : tensor<2x8x16xbf16>, tensor<2x16x32xbf16>) outs(%cb : tensor<2x8x32xbf16>) -> tensor<2x8x32xbf16>
      %2 = linalg.generic {indexing_maps = [affine_map<(m, k, n) -> (m, k)>, affine_map<(m, k, n) -> (k, n)>, affine_map<(m, k, n) -> (m, n)>],
                           iterator_types = ["parallel", "reduction", "parallel"]}
           ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf32>) attrs = {note} {
      ^bb0(%x: f32, %y: f32, %s: f32):
        %t = arith.mulf %x, %y : f32
        %u = arith.addf %s, %t : f32
        linalg.yield %u : f32
      } -> tensor<8x32xf32>
      %3 = linalg.matmul {note} ins(%v, %w : tensor<1x16xf32>, tensor<16x1xf32>) outs(%z : tensor<1x1xf32>) -> tensor<1x1xf32>
      %4 = linalg.matmul {note} ins(%d, %b : tensor<?x16xf32>, tensor<16x32xf32>) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
      %5 = linalg.conv_2d_nhwc_hwcf {note} ins(%i, %k : tensor<1x6x6x3xf32>, tensor<3x3x3x8xf32>) outs(%o : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      linalg.matmul {note} ins(%m, %n : memref<8x16xf32>, memref<16x32xf32>) outs(%p : memref<8x32xf32>)
      return
    }"#;
    assert_eq!(
        costs(text),
        [
            2 * 8 * 16 * 32,
            // Half of the operations' number is less than the bytes: 2 * (2*8*16 + 2*16*32 + 2 * 2*8*32).
            2 * 8 * 16 * 32,
            2 * 8 * 16 * 32,
            // 32 operations and 136 bytes, the sum that is added to included.
            4 * (16 + 16 + 1 + 1),
            // What is known of its traffic.
            4 * 16 * 32,
            2 * 4 * 4 * 8 * 27,
            2 * 8 * 16 * 32,
        ]
    );
}

#[test]
fn products_of_dialects_that_are_not_loaded_cost_their_operations() {
    let text = r##"
    func.func @f(%a: tensor<4x8x16xf32>, %b: tensor<4x32x16xf32>, %c: tensor<64x16xf32>, %d: tensor<16x32xf32>,
                 %i: tensor<1x6x6x4xf32>, %k: tensor<3x3x2x8xf32>, %x: tensor<16x16xi8>, %z: tensor<16x16xcomplex<f64>>,
                 %t: !torch.vtensor<[8,16],f32>, %u: !torch.vtensor<[16,32],f32>, %w: !torch.vtensor<[32,16],f32>,
                 %s: !torch.vtensor<[32],f32>, %none: !torch.none, %int: !torch.int,
                 %l: tensor<2x8x16xf32>, %r: tensor<2x16x4xf32>, %zero: tensor<1xf32>) {
      %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> {note} : (tensor<4x8x16xf32>, tensor<4x32x16xf32>) -> tensor<4x8x32xf32>
      %1 = "stablehlo.dot_general"(%c, %c) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>}> {note} : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<f32>
      %2 = "stablehlo.dot"(%c, %d) {note} : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
      %3 = "stablehlo.convolution"(%i, %k) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64}> {note} : (tensor<1x6x6x4xf32>, tensor<3x3x2x8xf32>) -> tensor<1x4x4x8xf32>
      %4 = "stablehlo.dot"(%x, %x) {note} : (tensor<16x16xi8>, tensor<16x16xi8>) -> tensor<16x16xi32>
      %5 = "stablehlo.dot"(%z, %z) {note} : (tensor<16x16xcomplex<f64>>, tensor<16x16xcomplex<f64>>) -> tensor<16x16xcomplex<f64>>
      %6 = "torch.aten.mm"(%t, %u) {note} : (!torch.vtensor<[8,16],f32>, !torch.vtensor<[16,32],f32>) -> !torch.vtensor<[8,32],f32>
      %7 = "torch.aten.linear"(%t, %w, %none) {note} : (!torch.vtensor<[8,16],f32>, !torch.vtensor<[32,16],f32>, !torch.none) -> !torch.vtensor<[8,32],f32>
      %8 = "torch.aten.addmm"(%s, %t, %u, %int, %int) {note} : (!torch.vtensor<[32],f32>, !torch.vtensor<[8,16],f32>, !torch.vtensor<[16,32],f32>, !torch.int, !torch.int) -> !torch.vtensor<[8,32],f32>
      %9 = tosa.matmul %l, %r, %zero, %zero {note} : (tensor<2x8x16xf32>, tensor<2x16x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x8x4xf32>
      return
    }"##;
    assert_eq!(
        costs(text),
        [
            2 * 4 * 8 * 32 * 16,
            // 2 * 64 * 16 operations, fewer than its bytes.
            2 * 4 * 64 * 16 + 4,
            2 * 64 * 16 * 32,
            2 * 4 * 4 * 8 * 18,
            2 * 16 * 16 * 16 / 4,
            8 * 16 * 16 * 16 * 10,
            2 * 8 * 16 * 32,
            2 * 8 * 16 * 32,
            2 * 8 * 16 * 32,
            2 * 2 * 8 * 16 * 4,
        ]
    );
}

#[test]
fn other_ops_cost_what_they_read_and_write() {
    let text = r#"
    func.func @f(%a: tensor<100xf32>, %i: tensor<i32>, %t: tensor<1000x8xf32>, %n: tensor<4xi32>, %u: tensor<10xf32>,
                 %v: !torch.vtensor<[100],bf16>, %d: tensor<?xf32>, %m: memref<100xf32>) -> tensor<100xf32> {
      %0 = "stablehlo.add"(%a, %a) {note} : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
      %1 = "stablehlo.negate"(%u) {note} : (tensor<10xf32>) -> tensor<10xf32>
      %2 = "stablehlo.negate"(%d) {note} : (tensor<?xf32>) -> tensor<?xf32>
      %3 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0>, limit_indices = array<i64: 50>, strides = array<i64: 1>}> {note} : (tensor<100xf32>) -> tensor<50xf32>
      %4 = "stablehlo.gather"(%t, %n) {note} : (tensor<1000x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
      %5 = "stablehlo.dynamic_update_slice"(%a, %3, %i) {note} : (tensor<100xf32>, tensor<50xf32>, tensor<i32>) -> tensor<100xf32>
      %6 = "torch.aten.add.Tensor"(%v, %v) {note} : (!torch.vtensor<[100],bf16>, !torch.vtensor<[100],bf16>) -> !torch.vtensor<[100],bf16>
      %7 = "stablehlo.reduce"(%a, %u) ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%s) : (tensor<f32>) -> ()
      }) {note} : (tensor<100xf32>, tensor<10xf32>) -> tensor<f32>
      %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<100xf32>}> : () -> tensor<100xf32>
      %8 = "stablehlo.multiply"(%a, %one) {note} : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
      %data = "stablehlo.constant"() <{value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
      %9 = "stablehlo.concatenate"(%a, %data) {note} : (tensor<100xf32>, tensor<4xf32>) -> tensor<104xf32>
      %e = tensor.empty() : tensor<100xf32>
      %10 = linalg.exp {note} ins(%a : tensor<100xf32>) outs(%e : tensor<100xf32>) -> tensor<100xf32>
      linalg.exp {note} ins(%m : memref<100xf32>) outs(%m : memref<100xf32>)
      %11 = linalg.softmax {note} dimension(0) ins(%a : tensor<100xf32>) outs(%e : tensor<100xf32>) -> tensor<100xf32>
      %12 = bufferization.alloc_tensor() copy(%a) {note} : tensor<100xf32>
      return %10 : tensor<100xf32>
    }"#;
    assert_eq!(
        costs(text),
        [
            1200,
            100,
            100,
            400,
            2 * 128 + 16,
            400,
            600,
            444,
            800,
            832,
            800,
            800,
            800,
            800
        ]
    );
}

#[test]
fn views_constants_and_scalars_cost_nothing() {
    let text = r#"
    func.func @f(%a: tensor<100xf32>, %i: tensor<i32>, %x: index, %b: tensor<8x8xf32>, %m: memref<100xf32>,
                 %t: !torch.vtensor<[10,10],f32>, %int: !torch.int) -> tensor<100xf32> {
      %0 = "stablehlo.reshape"(%a) {note} : (tensor<100xf32>) -> tensor<10x10xf32>
      %1 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> {note} : () -> tensor<f32>
      %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> {note} : (tensor<f32>) -> tensor<100xf32>
      %3 = "stablehlo.add"(%i, %i) {note} : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %4 = arith.addi %x, %x {note} : index
      %5 = tensor.empty() {note} : tensor<8x8xf32>
      %zero = arith.constant {note} 0.0 : f32
      %6 = linalg.fill {note} ins(%zero : f32) outs(%5 : tensor<8x8xf32>) -> tensor<8x8xf32>
      %7 = linalg.matmul ins(%b, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%6 : tensor<8x8xf32>) -> tensor<8x8xf32>
      %8 = "stablehlo.optimization_barrier"(%a) {note} : (tensor<100xf32>) -> tensor<100xf32>
      %9 = "torch.aten.t"(%t) {note} : (!torch.vtensor<[10,10],f32>) -> !torch.vtensor<[10,10],f32>
      %10 = "torch.aten.size.int"(%t, %int) {note} : (!torch.vtensor<[10,10],f32>, !torch.int) -> !torch.int
      %11 = tensor.extract %a[%x] {note} : tensor<100xf32>
      %12 = comm.rank over [[0, 1]] {note} : index
      %14 = bufferization.alloc_tensor() {note} : tensor<100xf32>
      %13 = memref.subview %m[0] [10] [1] {note} : memref<100xf32> to memref<10xf32, strided<[1]>>
      return {note} %a : tensor<100xf32>
    }"#;
    assert_eq!(costs(text), [0; 16]);
    // One that is read by something else than a product is written to memory.
    let text = r#"
    func.func @f(%e: tensor<100xf32>, %zero: f32) -> tensor<100xf32> {
      %0 = linalg.fill {note} ins(%zero : f32) outs(%e : tensor<100xf32>) -> tensor<100xf32>
      return %0 : tensor<100xf32>
    }"#;
    assert_eq!(costs(text), [800]);
}

const COLLECTIVES: &str = r#"
    comm.mesh @mesh <["dp" = 2, "tp" = 4]>
    func.func @f(%x: tensor<4x100xf32>, %y: tensor<4x50xbf16>) -> tensor<16x100xf32> {
      %0 = comm.all_gather %x dim 0 over [[0, 1, 2, 3], [4, 5, 6, 7]] {note} : tensor<4x100xf32> -> tensor<16x100xf32>
      %1 = comm.all_gather %x dim 0 over @mesh["tp"] {note} : tensor<4x100xf32> -> !comm.future<tensor<16x100xf32>>
      %2 = comm.wait %1 keeping(%x : tensor<4x100xf32>) {note} : !comm.future<tensor<16x100xf32>>
      %3:2 = comm.reduce_scatter sum %x, %y dim [0, 0] over @mesh["dp"] {note} : tensor<4x100xf32>, tensor<4x50xbf16> -> tensor<2x100xf32>, tensor<2x50xbf16>
      %4 = comm.all_reduce sum %x over [[0, 1], [2, 3]] {note} : tensor<4x100xf32> -> tensor<4x100xf32>
      %5 = comm.all_to_all %x split 0 concat 1 over [[0, 7], [1, 6]] {note} : tensor<4x100xf32> -> tensor<2x200xf32>
      %6 = comm.permute %x pairs [[0, 1], [1, 2]] {note} : tensor<4x100xf32> -> tensor<4x100xf32>
      %7 = comm.broadcast %x root 0 over [[0, 1], [2, 3]] {note} : tensor<4x100xf32> -> tensor<4x100xf32>
      %8 = comm.all_reduce sum %x over [[0], [1]] {note} : tensor<4x100xf32> -> tensor<4x100xf32>
      return %2 : tensor<16x100xf32>
    }"#;

#[test]
fn collectives_cost_their_bytes_on_the_wire() {
    assert_eq!(
        costs(COLLECTIVES),
        [
            1000 + 4800,
            1000 + 4800,
            0,
            1000 + (1600 + 400) / 2,
            // The link has a latency of its own.
            2000 + 1600,
            1000 + 800,
            1000 + 1600,
            1000 + 1600,
            3200,
        ]
    );
}

#[test]
fn groups_use_the_link_that_the_machine_file_gives_them() {
    let costs = with_profile(None);
    let links = on_noted(COLLECTIVES, |op| {
        let link = Collective::new(op).map(|collective| costs.link_of(collective).unwrap());
        link.flatten().map(str::to_owned)
    });
    let [node, tensor] = ["node", "tensor"].map(|name| Some(name.to_owned()));
    assert_eq!(
        links,
        [
            node.clone(),
            tensor,
            None,
            None,
            node.clone(),
            None,
            node.clone(),
            node.clone(),
            node
        ]
    );
}

#[test]
fn measured_costs_win_over_the_model_and_a_profile_over_the_attribute() {
    let text = r#"
    func.func @f(%a: tensor<100xf32>) {
      %0 = "t.a"(%a) {note} : (tensor<100xf32>) -> tensor<100xf32>
      %1 = "t.a"(%a) {note, comm.duration_ns = 7 : i64} : (tensor<100xf32>) -> tensor<100xf32>
      %2 = "t.b"(%a) {note, comm.duration_ns = 7 : i64} : (tensor<100xf32>) -> tensor<100xf32>
      %3 = "t.a"(%a) {note} : (tensor<100xf32>) -> tensor<100xf32> loc("m.py":1:2)
      %4 = "t.a"(%a) {note} : (tensor<100xf32>) -> tensor<100xf32> loc("layer"("m.py":1:2))
      %5 = "t.b"(%a) {note} : (tensor<100xf32>) -> tensor<100xf32> loc(callsite("m.py":9:9 at "m.py":1:2))
      %6 = "t.b"(%a) {note} : (tensor<100xf32>) -> tensor<100xf32> loc(fused["m.py":8:8, "layer"])
      %7 = comm.all_reduce sum %a over [[0, 1]] {note} : tensor<100xf32> -> tensor<100xf32> loc("m.py":1:2)
      %8 = "stablehlo.reshape"(%a) {note, comm.duration_ns = 9223372036854775807 : i64} : (tensor<100xf32>) -> tensor<10x10xf32>
      return
    }"#;
    let profile = r#"
        [[op]]
        name = "t.a"
        ns = 1
        [[op]]
        location = '"m.py":1:2'
        ns = 2
        [[op]]
        location = 'loc("layer")'
        ns = 3
        [[op]]
        name = "t.c"
        ns = 4"#;
    let costs = with_profile(Some(profile));
    let found = on_noted(text, |op| costs.leaf_ns(op).unwrap());
    assert_eq!(found, [1, 1, 7, 2, 3, 2, 3, 2, 1 << 40]);
    assert_eq!(costs.unmatched_entries(), ["t.c"]);
    let model = with_profile(None);
    assert_eq!(model.machine().name(), "round");
    assert_eq!(
        on_noted(text, |op| model.given_ns(op))[..3],
        [None, Some(7), Some(7)]
    );
    assert!(model.unmatched_entries().is_empty());
}

#[test]
fn ops_of_control_flow_are_no_leaves() {
    let text = r#"
    func.func @f(%a: tensor<4xf32>, %c: i1, %n: index) attributes {note} {
      %0 = scf.if %c -> tensor<4xf32> { scf.yield %a : tensor<4xf32> } else { scf.yield %a : tensor<4xf32> } {note}
      scf.for %i = %n to %n step %n { } {note}
      %1 = "stablehlo.while"(%a) ({
      ^bb0(%x: tensor<4xf32>):
        "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
      }, {
      ^bb0(%x: tensor<4xf32>):
        "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
      }) {note} : (tensor<4xf32>) -> tensor<4xf32>
      return
    }"#;
    assert_eq!(on_noted(text, is_leaf), [false; 4]);
}

/// Costs on the H100 preset of the ops in a file of test programs after an import, by name; and that each matrix product is
/// costed by its operations.
fn costs_of_program(file: &str, import: mel::pass::Pass) -> Vec<(String, u64)> {
    let path = format!("{}/test/programs/{file}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the file is there");
    let mut text = String::new();
    if file.ends_with(".gz") {
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut text).unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    let context = crate::context();
    let mut module = Module::parse(&context, &text).expect("the module parses");
    let manager = PassManager::new(&context);
    manager.add_pass(import);
    manager.run(&mut module).expect("the import succeeds");
    let costs = Costs::new(Machine::preset("h100-8").unwrap(), None);
    let tensors = Tensors::default();
    let ops = Op::new(module.as_operation().to_raw()).walk();
    let leaves = ops.into_iter().filter(|op| is_leaf(*op));
    leaves
        .map(|op| {
            assert_eq!(
                product::of(op, &tensors).is_some(),
                op_facts::is_matmul(op),
                "{}",
                op.name()
            );
            (op.name().to_owned(), costs.leaf_ns(op).unwrap())
        })
        .collect()
}

#[test]
fn ops_of_real_programs_cost_what_a_roofline_says() {
    let stablehlo = || passes::import_stablehlo(&passes::ImportStablehloOptions::default());
    let step = costs_of_program("jax/zero3_L2_llama7b_train.local.generic.mlir.gz", stablehlo());
    let count = |wanted: &[(&str, u64)]| {
        wanted
            .iter()
            .map(|(name, ns)| step.iter().filter(|(n, cost)| n == name && cost == ns).count())
            .collect::<Vec<_>>()
    };
    // In two layers, each product once forward and twice backward: four projections, three feed-forward products; then that
    // with the vocabulary. The weights of the layers are gathered forward and backward.
    assert_eq!(
        count(&[
            ("stablehlo.dot_general", 99_263),
            ("stablehlo.dot_general", 266_768),
            ("stablehlo.dot_general", 775_489),
            ("comm.all_gather", 116_381),
            ("comm.all_gather", 270_248),
        ]),
        [2 * 4 * 3, 2 * 3 * 3, 3, 2 * 4 * 2, 2 * 3 * 2]
    );
}

#[test]
fn ops_of_torch_programs_are_costed() {
    let torch = passes::import_torch(&passes::ImportTorchOptions::default());
    let step = costs_of_program("torch-mlir/zero3_L2_small_train.torch.generic.mlir.gz", torch);
    let products = step
        .iter()
        .filter(|(name, _)| op_facts::MATMULS.contains(&name.as_str()));
    assert_eq!(products.count(), 57);
}
