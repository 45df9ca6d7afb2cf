// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Passes that an embedding compiler writes as closures, behind the same border as the passes of this crate.
//!
//! melior's `create_external` calls a closure from C++ directly, so a panic in it ends the process. Here a panic becomes
//! a diagnostic at the function and a failed pass, as everywhere in this crate.
//!
//! Invariant: MLIR clones a pass for each of its threads; all clones share one closure, which is therefore `Fn` and
//! `Sync`. It must look at nothing outside the function it is given, which other threads may be changing.

use std::{ffi::c_void, sync::Arc};

use mel::{ir::OperationRef, pass::Pass};
use mlir_sys::{
    MlirContext, MlirExternalPass, MlirExternalPassCallbacks, MlirLogicalResult, MlirOperation,
    mlirCreateExternalPass, mlirExternalPassSignalFailure, mlirTypeIDCreate,
};

use crate::{
    diagnostics, guard,
    mlir::{Op, string_ref},
};

type Closure = dyn Fn(OperationRef) -> Result<(), String> + Send + Sync;

/// What all clones of a pass share.
struct Shared {
    name: String,
    run: Box<Closure>,
}

/// MLIR identifies classes of passes by addresses that are multiples of eight.
#[repr(align(8))]
struct PassClass(#[expect(dead_code, reason = "an item of size zero would have no address of its own")] u64);

static CLASS: PassClass = PassClass(0);

/// A pass on functions that runs a closure.
///
/// An `Err` becomes an error at the function, `NAME: MESSAGE`, and a failed pass; so does a panic, as
/// `internal error in NAME: MESSAGE`. Functions are visited in parallel where the context allows threads.
///
/// ```
/// use melior::{Context, ir::{Module, operation::OperationLike}, pass::PassManager};
/// use mlir_comm::passes;
///
/// let context = mlir_comm::context();
/// let mut module = Module::parse(&context, "func.func private @f()").expect("the module parses");
/// let manager = PassManager::new(&context);
/// manager.nested_under("func.func").add_pass(passes::external("no-declarations", |function| {
///     match function.region(0).ok().and_then(|body| melior::ir::RegionLike::first_block(&body)) {
///         Some(_) => Ok(()),
///         None => Err("expected a body".to_owned()),
///     }
/// }));
/// assert!(manager.run(&mut module).is_err());
/// ```
pub fn external(
    name: &str,
    run: impl Fn(OperationRef) -> Result<(), String> + Send + Sync + 'static,
) -> Pass {
    let shared = Arc::new(Shared {
        name: name.to_owned(),
        run: Box::new(run),
    });
    let callbacks = MlirExternalPassCallbacks {
        construct: Some(construct),
        destruct: Some(destruct),
        initialize: Some(initialize),
        clone: Some(clone),
        run: Some(run_on),
    };
    // SAFETY: strings are copied; each pass owns the reference count it is given, until `destruct`; the class is a
    // static with the alignment that MLIR asks for.
    unsafe {
        Pass::from_raw(mlirCreateExternalPass(
            mlirTypeIDCreate((&raw const CLASS).cast()),
            string_ref(name),
            string_ref(name),
            string_ref(""),
            string_ref("func.func"),
            0,
            std::ptr::null_mut(),
            callbacks,
            Arc::into_raw(shared).cast_mut().cast(),
        ))
    }
}

/// Nothing is left to do once `data` exists.
extern "C" fn construct(_data: *mut c_void) {}

extern "C" fn destruct(data: *mut c_void) {
    // SAFETY: the pass owned one count of a `Shared`.
    drop(unsafe { Arc::from_raw(data.cast_const().cast::<Shared>()) });
}

extern "C" fn initialize(_context: MlirContext, _data: *mut c_void) -> MlirLogicalResult {
    MlirLogicalResult { value: 1 }
}

extern "C" fn clone(data: *mut c_void) -> *mut c_void {
    // SAFETY: the pass that is cloned owns a count of a `Shared`; the clone gets one of its own.
    unsafe { Arc::increment_strong_count(data.cast_const().cast::<Shared>()) };
    data
}

extern "C" fn run_on(function: MlirOperation, pass: MlirExternalPass, data: *mut c_void) {
    // SAFETY: as above, and the pass lives while it runs.
    let shared = unsafe { &*data.cast_const().cast::<Shared>() };
    let function = Op::new(function);
    let succeeded = guard::run(&shared.name, function, || {
        // SAFETY: MLIR hands over a live function.
        (shared.run)(unsafe { OperationRef::from_raw(function.raw()) }).map_err(|message| {
            diagnostics::error(function.location(), &format!("{}: {message}", shared.name))
        })
    });
    if !succeeded {
        // SAFETY: this is the `run` callback of the pass.
        unsafe { mlirExternalPassSignalFailure(pass) }
    }
}
