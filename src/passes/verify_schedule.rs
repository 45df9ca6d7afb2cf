use crate::{
    diagnostics,
    mlir::{Op, PassResult},
};
pub(super) fn run(module: Op, _o: super::VerifyMode) -> PassResult {
    Err(diagnostics::op_error(module, "not there yet"))
}
