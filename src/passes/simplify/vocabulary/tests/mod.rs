// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Each row of the tables: an op is read, written in its style, verified, and read again as the same.

mod programs;
mod refused;
mod stablehlo;
mod tosa;
mod upstream;
mod written;

use comm_algebra::Type;
use mel::{Context, ir::Module};

use super::{Local, Vocabulary};
use crate::mlir::Op;

/// The ops of the body of the only function of a module, its return left out.
fn ops(module: &Module) -> Vec<Op> {
    let all = Op::new(module.as_operation().to_raw()).walk();
    let function = all
        .into_iter()
        .find(|op| op.name() == "func.func")
        .expect("a function");
    let mut ops: Vec<Op> = function.blocks().flat_map(|block| block.ops()).collect();
    ops.pop();
    ops
}

/// Gives the module whose function takes `arguments` and computes `body`, and the last op of that.
fn with_last<T>(context: &Context, arguments: &str, body: &str, check: impl FnOnce(Op, Op) -> T) -> T {
    let text = format!("func.func @f({arguments}) {{\n{body}\nreturn\n}}");
    let module = Module::parse(context, &text).unwrap_or_else(|| panic!("does not parse:\n{text}"));
    let last = *ops(&module).last().expect("an op");
    check(Op::new(module.as_operation().to_raw()), last)
}

/// What the last op of `body` is read as, in words; nothing where it is not read.
fn reading(context: &Context, arguments: &str, body: &str) -> Option<String> {
    with_last(context, arguments, body, |_, op| {
        Vocabulary::new().read(op).map(|local| local.op.to_string())
    })
}

fn result_type(vocabulary: &mut Vocabulary, op: Op) -> Type {
    vocabulary.type_of(op.result(0).ty()).expect("a type")
}

/// Checks that the last op of each body is read as the words beside it, also from what is written for it.
fn round_trips(arguments: &str, rows: &[(&str, &str)]) {
    let context = crate::context();
    for (body, expected) in rows {
        with_last(&context, arguments, body, |module, op| {
            let mut vocabulary = Vocabulary::new();
            let Some(Local {
                op: read,
                operands,
                style,
            }) = vocabulary.read(op)
            else {
                panic!("not read: {body}");
            };
            assert_eq!(read.to_string(), *expected, "{body}");
            let ty = result_type(&mut vocabulary, op);
            let written = vocabulary
                .write(&read, &operands, &ty, style, op.location(), op)
                .unwrap_or_else(|_| panic!("not written: {body}"));
            assert!(module.verify().is_ok(), "does not verify: {body}");
            assert!(written.ty() == op.result(0).ty(), "{body}");
            let again = written.defining_op().expect("an op");
            assert!(again != op, "{body}");
            let again = vocabulary
                .read(again)
                .unwrap_or_else(|| panic!("not read again: {body}"));
            assert_eq!(again.op, read, "{body}");
            assert_eq!(again.style, style, "{body}");
            assert!(again.operands == operands, "{body}");
        });
    }
}
