// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the pass shells in `dialect/Passes.cpp` call. None unwinds.

use mlir_sys::MlirOperation;

use super::{
    asyncify, bucket,
    convert_to_stream::{self, ConvertToStreamOptions, RawConvertToStreamOptions},
    fuse_matmul::{self, FuseMatmulOptions, RawFuseMatmulOptions},
    import_shard, import_stablehlo, import_torch, legalize_stablehlo,
    options::{
        BucketOptions, ImportStablehloOptions, ImportTorchOptions, RawBucketOptions,
        RawImportStablehloOptions, RawImportTorchOptions, RawScheduleOptions, RawSortOptions,
        RawStreamToRuntimeOptions, RawVerifyScheduleOptions, RawVerifyStreamOptions, ScheduleOptions,
        SortOptions, VerifyMode, VerifyStreamOptions,
    },
    schedule,
    simplify::{self, RawSimplifyOptions, SimplifyOptions},
    sort, stream_to_runtime, verify_futures, verify_order, verify_schedule, verify_stream,
};
use crate::{
    diagnostics, guard,
    mlir::{Failed, Op},
};

#[unsafe(no_mangle)]
extern "C" fn comm_rs_import_stablehlo(module: MlirOperation, options: &RawImportStablehloOptions) -> bool {
    let options = ImportStablehloOptions {
        split_barriers: options.split_barriers,
        inline: options.inline,
    };
    guard::run("comm-import-stablehlo", Op::new(module), || {
        import_stablehlo::run(Op::new(module), &options)
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_import_torch(module: MlirOperation, options: &RawImportTorchOptions) -> bool {
    let options = ImportTorchOptions::from_raw(options);
    guard::run("comm-import-torch", Op::new(module), || {
        import_torch::run(Op::new(module), &options)
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_import_shard(module: MlirOperation) -> bool {
    guard::run("comm-import-shard", Op::new(module), || {
        import_shard::run(Op::new(module))
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_convert_to_stream(module: MlirOperation, options: &RawConvertToStreamOptions) -> bool {
    guard::run("convert-comm-to-stream", Op::new(module), || {
        convert_to_stream::run(Op::new(module), &ConvertToStreamOptions::from_raw(options))
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_legalize_stablehlo(module: MlirOperation) -> bool {
    guard::run("comm-legalize-stablehlo", Op::new(module), || {
        legalize_stablehlo::run(Op::new(module))
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_asyncify(function: MlirOperation) -> bool {
    guard::run("comm-asyncify", Op::new(function), || {
        asyncify::run(Op::new(function))
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_sort(function: MlirOperation, options: &RawSortOptions) -> bool {
    guard::run("comm-sort", Op::new(function), || {
        sort::run(Op::new(function), &SortOptions::from_raw(options))
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_bucket(function: MlirOperation, options: &RawBucketOptions) -> bool {
    guard::run("comm-bucket", Op::new(function), || {
        let function = Op::new(function);
        let options = BucketOptions::from_raw(options)
            .map_err(|limit| negative_limit("comm-bucket", function, limit))?;
        bucket::run(function, &options)
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_simplify(function: MlirOperation, options: &RawSimplifyOptions) -> bool {
    guard::run("comm-simplify", Op::new(function), || {
        let function = Op::new(function);
        let options = SimplifyOptions::from_raw(options)
            .map_err(|limit| negative_limit("comm-simplify", function, limit))?;
        simplify::run(function, &options)
    })
}

/// Says that a memory limit is negative and does not stand for none.
fn negative_limit(pass: &str, function: Op, limit: i64) -> Failed {
    let message = format!("{pass}: memory-limit is expected to be -1 (no limit), 0 or more, but is {limit}");
    diagnostics::error(function.location(), &message)
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_fuse_matmul(function: MlirOperation, options: &RawFuseMatmulOptions) -> bool {
    guard::run("comm-fuse-matmul", Op::new(function), || {
        fuse_matmul::run(Op::new(function), &FuseMatmulOptions::from_raw(options))
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_schedule(function: MlirOperation, options: &RawScheduleOptions) -> bool {
    guard::run("comm-schedule", Op::new(function), || {
        let function = Op::new(function);
        let options = ScheduleOptions::from_raw(options)
            .map_err(|limit| negative_limit("comm-schedule", function, limit))?;
        schedule::run(function, &options)
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_stream_to_runtime(module: MlirOperation, options: &RawStreamToRuntimeOptions) -> bool {
    guard::run("convert-comm-stream-to-runtime", Op::new(module), || {
        stream_to_runtime::run(Op::new(module), options.trace)
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_verify_futures(function: MlirOperation) -> bool {
    guard::run("comm-verify-futures", Op::new(function), || {
        verify_futures::run(Op::new(function))
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_verify_order(module: MlirOperation) -> bool {
    guard::run("comm-verify-order", Op::new(module), || {
        verify_order::run(Op::new(module))
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_verify_schedule(function: MlirOperation, options: &RawVerifyScheduleOptions) -> bool {
    let mode = if options.mode == VerifyMode::Record as u32 {
        VerifyMode::Record
    } else {
        VerifyMode::Check
    };
    guard::run("comm-verify-schedule", Op::new(function), || {
        verify_schedule::run(Op::new(function), mode)
    })
}

#[unsafe(no_mangle)]
extern "C" fn comm_rs_verify_stream(module: MlirOperation, options: &RawVerifyStreamOptions) -> bool {
    let options = VerifyStreamOptions {
        max_events: options.max_events,
        warn_unproved: options.warn_unproved,
    };
    guard::run("comm-verify-stream", Op::new(module), || {
        verify_stream::run(Op::new(module), &options)
    })
}
