// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The passes, for melior's pass managers and for MLIR's registry.
//!
//! Each function here makes a pass with typed options. `dialect/CommPasses.td` declares the same passes for the
//! command line; `docs/passes.md` is generated from it. Function passes are anchored on `func.func`, so add them to
//! `manager.nested_under("func.func")`; import passes and [`verify_order`] run on the module.
//!
//! A pass that fails has emitted a diagnostic at the op that is to blame. A panic inside a pass is caught at the border
//! to C++ and becomes such a diagnostic too.

use std::sync::Once;

use mel::pass::Pass;

use crate::ffi;

mod asyncify;
mod bucket;
mod convert_to_stream;
mod entry;
mod external;
mod fuse_matmul;
mod import_shard;
mod import_stablehlo;
pub(crate) mod import_torch;
mod legalize_stablehlo;
mod not_imported;
mod obstacles;
pub(crate) mod options;
pub(crate) mod schedule;
mod simplify;
mod sort;
mod stream_to_runtime;
mod verify_futures;
mod verify_order;
mod verify_schedule;
mod verify_stream;

pub use external::external;
pub use options::{
    BucketLevel, BucketMode, BucketOptions, Effort, GatherPlacement, ImportStablehloOptions,
    ImportTorchOptions, ReductionPlacement, ScheduleOptions, SortOptions, TieBreak, VerifyMode,
    VerifyStreamOptions,
};

pub(crate) use convert_to_stream::RawConvertToStreamOptions;
pub use convert_to_stream::{ConvertToStreamOptions, PeerOrder, Schedule, Waits};
pub use fuse_matmul::FuseMatmulOptions;
pub(crate) use fuse_matmul::RawFuseMatmulOptions;
pub(crate) use simplify::RawSimplifyOptions;
pub use simplify::{FloatingPoint, Gathers, SimplifyOptions};

/// Puts all passes into MLIR's global registry, so that textual pipelines (`parse_pass_pipeline`) know them. May be
/// called any number of times, from any thread.
pub fn register() {
    static ONCE: Once = Once::new();
    // SAFETY: once a process.
    ONCE.call_once(|| unsafe { ffi::commRegisterPasses() });
}

/// `comm-import-stablehlo`: StableHLO collectives in generic form become `comm` ops.
pub fn import_stablehlo(options: &ImportStablehloOptions) -> Pass {
    // SAFETY: the options are read during the call; the pass is handed over.
    unsafe { Pass::from_raw(ffi::commCreateImportStablehlo(&options.raw())) }
}

/// `comm-import-torch`: torch-mlir's functional collectives become `comm` ops.
pub fn import_torch(options: &ImportTorchOptions) -> Pass {
    // SAFETY: as above.
    options.with_raw(|raw| unsafe { Pass::from_raw(ffi::commCreateImportTorch(raw)) })
}

/// `comm-import-shard`: collectives of the upstream `shard` dialect become `comm` ops.
pub fn import_shard() -> Pass {
    // SAFETY: the pass is handed over.
    unsafe { Pass::from_raw(ffi::commCreateImportShard()) }
}

/// `convert-comm-to-stream`: collectives on buffers run on streams, ordered by events.
pub fn convert_to_stream(options: &ConvertToStreamOptions) -> Pass {
    // SAFETY: the options are read during the call; the pass is handed over.
    unsafe { Pass::from_raw(ffi::commCreateConvertToStream(&options.raw())) }
}

/// `comm-legalize-stablehlo`: StableHLO computation becomes linalg, arith, math, tensor and scf. Runs on the module, after
/// [`import_stablehlo`].
pub fn legalize_stablehlo() -> Pass {
    // SAFETY: the pass is handed over.
    unsafe { Pass::from_raw(ffi::commCreateLegalizeStablehlo()) }
}

/// `comm-asyncify`: a blocking collective becomes a start and a wait.
pub fn asyncify() -> Pass {
    // SAFETY: the pass is handed over.
    unsafe { Pass::from_raw(ffi::commCreateAsyncify()) }
}

/// `comm-sort`: all-gathers late, by consumer order; reductions early, by producer order.
pub fn sort(options: &SortOptions) -> Pass {
    // SAFETY: the options are read during the call; the pass is handed over.
    unsafe { Pass::from_raw(ffi::commCreateSort(&options.raw())) }
}

/// `comm-simplify`: identities of collectives, by equality saturation, where they make a block better.
pub fn simplify(options: &SimplifyOptions) -> Pass {
    // SAFETY: the options are read during the call; the pass is handed over.
    options.with_raw(|raw| unsafe { Pass::from_raw(ffi::commCreateSimplify(raw)) })
}

/// `comm-bucket`: collectives of one form are sent as one, where the step gets faster.
pub fn bucket(options: &BucketOptions) -> Pass {
    // SAFETY: the options are read during the call; the pass is handed over.
    options.with_raw(|raw| unsafe { Pass::from_raw(ffi::commCreateBucket(raw)) })
}

/// `comm-fuse-matmul`: gathers and reduce-scatters are fused with the matrix products around them, where that pays.
pub fn fuse_matmul(options: &FuseMatmulOptions) -> Pass {
    // SAFETY: the options are read during the call; the pass is handed over.
    options.with_raw(|raw| unsafe { Pass::from_raw(ffi::commCreateFuseMatmul(raw)) })
}

/// `comm-schedule`: least step time by a timing model, then least memory, under hard limits.
///
/// ```
/// use melior::{Context, ir::Module, pass::PassManager};
/// use mlir_comm::passes::{self, Effort, ScheduleOptions};
///
/// let context = mlir_comm::context();
/// let mut module = Module::parse(&context, r#"
///   func.func @f(%x: tensor<512x512xf32>, %w: tensor<256x512xf32>, %o: tensor<512x512xf32>) -> tensor<512x512xf32> {
///     %y = linalg.matmul ins(%x, %x : tensor<512x512xf32>, tensor<512x512xf32>)
///                        outs(%o : tensor<512x512xf32>) -> tensor<512x512xf32>
///     %g = comm.all_gather %w dim 0 over [[0, 1]] : tensor<256x512xf32> -> !comm.future<tensor<512x512xf32>>
///     %v = comm.wait %g keeping(%w : tensor<256x512xf32>) : !comm.future<tensor<512x512xf32>>
///     %z = linalg.matmul ins(%y, %v : tensor<512x512xf32>, tensor<512x512xf32>)
///                        outs(%o : tensor<512x512xf32>) -> tensor<512x512xf32>
///     return %z : tensor<512x512xf32>
///   }"#).expect("the module parses");
/// let manager = PassManager::new(&context);
/// manager.nested_under("func.func").add_pass(passes::schedule(&ScheduleOptions {
///     machine: "a100-8".to_owned(),
///     effort: Effort::Fast,
///     memory_limit: Some(3 << 20),
///     ..Default::default()
/// }));
/// manager.run(&mut module)?;
/// let text = module.as_operation().to_string();
/// assert!(text.find("comm.all_gather") < text.find("linalg.matmul"), "the first product hides the gather");
/// # Ok::<(), melior::Error>(())
/// ```
pub fn schedule(options: &ScheduleOptions) -> Pass {
    // SAFETY: the options are read during the call; the pass is handed over.
    options.with_raw(|raw| unsafe { Pass::from_raw(ffi::commCreateSchedule(raw)) })
}

/// `convert-comm-stream-to-runtime`: stream programs become calls of the run-time. With `trace` the computation of a
/// device's own thread is marked for the run-time's trace.
pub fn convert_stream_to_runtime(trace: bool) -> Pass {
    // SAFETY: the options are read during the call; the pass is handed over.
    unsafe {
        Pass::from_raw(ffi::commCreateStreamToRuntime(
            &options::RawStreamToRuntimeOptions { trace },
        ))
    }
}

/// `comm-verify-futures`: every future is awaited exactly once on every path.
pub fn verify_futures() -> Pass {
    // SAFETY: the pass is handed over.
    unsafe { Pass::from_raw(ffi::commCreateVerifyFutures()) }
}

/// `comm-verify-order`: all ranks issue collectives in one order, without deadlock.
pub fn verify_order() -> Pass {
    // SAFETY: the pass is handed over.
    unsafe { Pass::from_raw(ffi::commCreateVerifyOrder()) }
}

/// `comm-verify-schedule`: a reordering kept every dependence.
pub fn verify_schedule(mode: VerifyMode) -> Pass {
    // SAFETY: the options are read during the call; the pass is handed over.
    unsafe {
        Pass::from_raw(ffi::commCreateVerifySchedule(
            &options::RawVerifyScheduleOptions { mode: mode as u32 },
        ))
    }
}

/// `comm-verify-stream`: conflicting accesses of a program of `comm_stream` are ordered, and nothing waits for ever.
pub fn verify_stream(options: &VerifyStreamOptions) -> Pass {
    let raw = options::RawVerifyStreamOptions {
        max_events: options.max_events,
        warn_unproved: options.warn_unproved,
    };
    // SAFETY: the options are read during the call; the pass is handed over.
    unsafe { Pass::from_raw(ffi::commCreateVerifyStream(&raw)) }
}
