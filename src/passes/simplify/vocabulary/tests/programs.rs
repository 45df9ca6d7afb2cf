// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs that JAX traced: what is read of them, and that it is written back as the same.

use std::collections::BTreeMap;

use mel::ir::Module;

use super::{super::Vocabulary, ops, result_type};
use crate::mlir::Op;

#[test]
fn a_training_step_is_read_but_for_what_is_several_ops_of_the_algebra() {
    let context = crate::context();
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/test/programs/jax/zero3_L2_small_train.local.generic.mlir"
    );
    let text = std::fs::read_to_string(path).expect("the program is there");
    let module = Module::parse(&context, &text).expect("the program parses");
    let mut vocabulary = Vocabulary::new();
    let mut left = BTreeMap::new();
    let mut read = 0;
    for op in ops(&module) {
        let Some(local) = vocabulary.read(op) else {
            *left.entry(op.name()).or_insert(0) += 1;
            continue;
        };
        read += 1;
        let ty = result_type(&mut vocabulary, op);
        let written = vocabulary
            .write(&local.op, &local.operands, &ty, local.style, op.location(), op)
            .expect("what is read can be written");
        let again = vocabulary
            .read(written.defining_op().expect("an op"))
            .expect("what is written can be read");
        assert_eq!(again.op, local.op);
        assert!(again.operands == local.operands);
    }
    assert!(Op::new(module.as_operation().to_raw()).verify().is_ok());
    assert_eq!(read, 701);
    // Broadcasts of dimensions of extent one, and reductions over several dimensions, are several ops of the algebra.
    let expected = [
        ("func.call", 12),
        ("stablehlo.all_gather", 36),
        ("stablehlo.all_reduce", 1),
        ("stablehlo.broadcast_in_dim", 61),
        ("stablehlo.gather", 1),
        ("stablehlo.iota", 12),
        ("stablehlo.optimization_barrier", 3),
        ("stablehlo.pad", 8),
        ("stablehlo.reduce", 11),
        ("stablehlo.reduce_scatter", 21),
        ("stablehlo.scatter", 1),
    ];
    assert_eq!(left, BTreeMap::from(expected));
}
