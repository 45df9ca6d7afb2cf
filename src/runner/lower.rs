// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From a program at any stage to LLVM, by one table of steps.
//!
//! Each step says for which modules it is, so a program that is lowered by half runs as well as one of StableHLO: what is not
//! there is not lowered. Whatever a step cannot do is an error with the diagnostics of its passes.

use std::{collections::BTreeSet, sync::Once};

use mel::{
    Context,
    ir::Module,
    pass::PassManager,
    utility::{parse_pass_pipeline, register_all_llvm_translations, register_all_passes},
};

use super::{
    RunnerError,
    diagnostics::{collect, text},
    narrow_floats,
    signature::Signature,
    sites::{Sites, check_constants, check_sizes},
};
use crate::{
    mlir::{Attr, Op, location_text},
    passes,
};

/// How far a program is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Buffers and ops of `comm_stream`.
    Stream,
    /// Calls of the run-time.
    Runtime,
    /// The LLVM dialect alone.
    Llvm,
}

/// How to lower a program.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// The function to run.
    pub entry: String,
    /// Passes between import and lowering: each an element of a textual pipeline, as `comm-sort{max-in-flight=1}`, for
    /// functions or modules; or one whole pipeline, `builtin.module(...)`.
    pub passes: Vec<String>,
    /// Mark computation in traces.
    pub trace: bool,
    /// Options of `convert-comm-to-stream`, as `waits=placed schedule=signal`.
    pub streams: String,
    /// Prove the happens-before of the stream program. One that cannot be followed runs after a warning.
    pub verify: bool,
    /// Where to stop.
    pub until: Stage,
}

impl Default for LowerOptions {
    fn default() -> Self {
        Self {
            entry: "main".to_owned(),
            passes: Vec::new(),
            trace: false,
            streams: String::new(),
            verify: true,
            until: Stage::Llvm,
        }
    }
}

/// What a caller is told while a program is lowered and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// A step begins.
    Step(&'a str),
    /// Something may be wrong, and is gone on with.
    Warning(&'a str),
}

/// One step of the road.
struct Step {
    /// What it does, for messages.
    name: &'static str,
    /// Elements of a pipeline on the module.
    pipeline: &'static str,
    /// Whether a module needs it.
    is_needed: fn(&Facts) -> bool,
    /// The stage on the way to which it is.
    stage: Stage,
}

/// Steps before the passes of the user.
const IMPORT: &[Step] = &[Step {
    name: "import of StableHLO",
    pipeline: "comm-import-stablehlo",
    is_needed: |facts| facts.stablehlo,
    stage: Stage::Stream,
}];

/// The steps that options change.
const STREAMS: &str = "lowering to streams";
pub(super) const NARROW_FLOATS: &str = "emulation of narrow floats";
pub(super) const VERIFICATION: &str = "proof of happens-before";
const DEALLOCATION: &str = "deallocation";

/// Steps after them.
const LOWER: &[Step] = &[
    Step {
        name: "legalization of StableHLO",
        pipeline: "comm-legalize-stablehlo",
        is_needed: |facts| facts.stablehlo,
        stage: Stage::Stream,
    },
    Step {
        name: "bufferization",
        pipeline: "comm-bufferize-pipeline",
        is_needed: |facts| facts.tensors,
        stage: Stage::Stream,
    },
    Step {
        name: STREAMS,
        pipeline: "convert-comm-to-stream",
        is_needed: |facts| facts.collectives,
        stage: Stage::Stream,
    },
    Step {
        name: DEALLOCATION,
        // Deallocation clones what is returned twice, or returned and not the function's own.
        pipeline: "buffer-deallocation-pipeline,convert-bufferization-to-memref",
        is_needed: |facts| facts.began_with_tensors,
        stage: Stage::Stream,
    },
    Step {
        name: VERIFICATION,
        pipeline: "comm-verify-stream{warn-unproved=true}",
        is_needed: |facts| facts.streams,
        stage: Stage::Stream,
    },
    Step {
        name: "lowering to the run-time",
        pipeline: "convert-comm-stream-to-runtime",
        is_needed: |_| true,
        stage: Stage::Runtime,
    },
    Step {
        name: NARROW_FLOATS,
        // bfloat16 has no instructions: it is computed in f32, and converted by integer arithmetic.
        pipeline: "convert-linalg-to-loops,fold-memref-alias-ops,expand-strided-metadata,lower-affine,\
                   math-extend-to-supported-types{extra-types=f16 target-type=f32},\
                   arith-emulate-unsupported-floats{source-types=bf16 target-type=f32}",
        is_needed: |_| true,
        stage: Stage::Llvm,
    },
    Step {
        name: "lowering to LLVM",
        pipeline: "arith-expand{include-bf16=true},convert-scf-to-cf,convert-math-to-llvm,convert-math-to-libm,\
                   convert-to-llvm,reconcile-unrealized-casts,canonicalize",
        is_needed: |_| true,
        stage: Stage::Llvm,
    },
];

/// What is in a module.
struct Facts {
    stablehlo: bool,
    tensors: bool,
    began_with_tensors: bool,
    collectives: bool,
    streams: bool,
}

impl Facts {
    /// O(ops).
    fn of(module: Op, before: Option<&Facts>) -> Self {
        let mut facts = Self {
            stablehlo: false,
            tensors: false,
            began_with_tensors: before.is_some_and(|before| before.began_with_tensors),
            collectives: false,
            streams: false,
        };
        for op in module.walk() {
            facts.streams |= op.name().starts_with("comm_stream.");
            facts.stablehlo |= op.name().starts_with("stablehlo.");
            facts.collectives |=
                op.name().starts_with("comm.") && !matches!(op.name(), "comm.rank" | "comm.mesh");
            let arguments = op.blocks().flat_map(|block| block.arguments());
            facts.tensors |= op
                .results()
                .chain(arguments)
                .any(|value| value.ty().is_ranked_tensor());
        }
        facts.began_with_tensors |= facts.tensors;
        facts
    }
}

/// Makes the passes and translations known; may be called any number of times.
fn register(context: &Context) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        register_all_passes();
        passes::register();
    });
    register_all_llvm_translations(context);
}

/// Lowers a module of `context` as far as asked for, and gives what its entry takes and returns. `progress` is told of each
/// step that begins, and of warnings.
///
/// # Errors
/// A step failed, or there is no such entry, or it has arguments or results that no array can hold.
pub fn lower(
    context: &Context,
    module: &mut Module<'_>,
    options: &LowerOptions,
    mut progress: impl FnMut(Progress<'_>),
) -> Result<Signature, RunnerError> {
    register(context);
    let root = Op::new(module.as_operation().to_raw());
    // What cannot be run is said before anything is lowered.
    check_sizes(root)?;
    Signature::of(root, &options.entry)?;
    let mut run = |module: &mut Module<'_>, name: &str, pipeline: &str| -> Result<(), RunnerError> {
        progress(Progress::Step(name));
        let warnings = run(context, module, name, pipeline)?;
        for warning in &warnings {
            progress(Progress::Warning(warning));
        }
        Ok(())
    };
    let mut facts = Facts::of(root, None);
    for step in IMPORT {
        if (step.is_needed)(&facts) {
            run(module, step.name, &in_module(step.pipeline))?;
        }
    }
    for pass in &options.passes {
        let pipeline = nested(context, pass)?;
        run(module, pass, &pipeline)?;
    }
    let mut signature = None;
    for step in LOWER.iter().filter(|step| step.stage <= options.until) {
        facts = Facts::of(root, Some(&facts));
        if !(step.is_needed)(&facts) || (step.name == VERIFICATION && !options.verify) {
            continue;
        }
        if step.stage == Stage::Runtime {
            signature = Some(Signature {
                sites: Sites::of(root, &options.entry),
                ..Signature::of(root, &options.entry)?
            });
        }
        if step.name == DEALLOCATION {
            no_deallocation(root)?;
        }
        if step.stage == Stage::Llvm {
            // Upstream's passes for floats look at the dialect of each op, and there must be one.
            erase_meshes(root);
            known(root)?;
            check_constants(root)?;
            strip(root);
        }
        let mut pipeline = step.pipeline.to_owned();
        if step.stage == Stage::Runtime && options.trace {
            pipeline += "{trace=true}";
        }
        if step.name == STREAMS && !options.streams.is_empty() {
            pipeline += &format!("{{{}}}", options.streams);
        }
        run(module, step.name, &in_module(&pipeline))?;
        if step.name == NARROW_FLOATS {
            round_each_result(root)?;
            narrow_floats::expand(context, root)?;
        }
    }
    match signature {
        Some(signature) => Ok(signature),
        None => Signature::of(root, &options.entry),
    }
}

fn in_module(passes: &str) -> String {
    format!("builtin.module({passes})")
}

/// The pipeline of a pass: on the module, or, where it is none for modules, on its functions.
fn nested(context: &Context, pass: &str) -> Result<String, RunnerError> {
    if pass.trim_start().starts_with("builtin.module(") {
        return Ok(pass.to_owned());
    }
    let on_module = in_module(pass);
    let on_functions = format!("builtin.module(func.func({pass}))");
    let parses = |pipeline: &str| {
        let manager = PassManager::new(context);
        let (parsed, _) = collect(context, || {
            parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline)
        });
        parsed
    };
    match (parses(&on_module), parses(&on_functions)) {
        (Ok(()), _) => Ok(on_module),
        (_, Ok(())) => Ok(on_functions),
        (_, Err(error)) => Err(RunnerError::Stage {
            name: pass.to_owned(),
            diagnostics: error.to_string(),
        }),
    }
}

/// Splits a list of passes at the commas outside of braces and parentheses.
pub fn split_passes(list: &str) -> Vec<String> {
    let (mut passes, mut depth, mut pass) = (Vec::new(), 0usize, String::new());
    for letter in list.chars() {
        match letter {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                passes.push(std::mem::take(&mut pass));
                continue;
            }
            _ => {}
        }
        pass.push(letter);
    }
    passes.push(pass);
    passes.retain(|pass| !pass.trim().is_empty());
    passes
}

/// Runs a pipeline; the warnings of its passes.
fn run(
    context: &Context,
    module: &mut Module<'_>,
    name: &str,
    pipeline: &str,
) -> Result<Vec<String>, RunnerError> {
    let manager = PassManager::new(context);
    manager.enable_verifier(true);
    let (outcome, said) = collect(context, || {
        parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).and_then(|()| manager.run(module))
    });
    match outcome {
        Ok(()) => {
            let warnings = said.into_iter().filter(|one| one.is_warning);
            Ok(warnings.map(|one| one.text).collect())
        }
        Err(error) => Err(RunnerError::Stage {
            name: name.to_owned(),
            diagnostics: match said.is_empty() {
                true => error.to_string(),
                false => text(&said),
            },
        }),
    }
}

/// Refuses ops that free buffers: deallocation allows no other than its own.
fn no_deallocation(root: Op) -> Result<(), RunnerError> {
    match root.walk().into_iter().find(|op| op.name() == "memref.dealloc") {
        None => Ok(()),
        Some(op) => Err(RunnerError::Mixed {
            op: op.name().to_owned(),
            place: location_text(op),
        }),
    }
}

/// Erases declarations of Shardy's meshes, to which nothing that is left can refer.
fn erase_meshes(root: Op) {
    for op in root.walk().into_iter().filter(|op| op.name() == "sdy.mesh") {
        op.erase();
    }
}

/// Refuses ops that no dialect knows.
fn known(root: Op) -> Result<(), RunnerError> {
    let ops = root.walk().into_iter().filter(|op| !op.is_registered());
    let names: BTreeSet<&str> = ops.map(Op::name).collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(RunnerError::NotLowered(
        names.into_iter().collect::<Vec<_>>().join(", "),
    ))
}

/// Keeps every rounding to a narrow type. Upstream's emulation lets conversions to the wide type and back be folded, so that two
/// additions of `bf16` would be rounded once: other bits than those that the ops, and the run-time's collectives, stand for.
fn round_each_result(root: Op) -> Result<(), RunnerError> {
    let none = Attr::parse(root.context(), "#arith.fastmath<none>").ok_or_else(|| RunnerError::Stage {
        name: NARROW_FLOATS.to_owned(),
        diagnostics: "there is no attribute #arith.fastmath<none>".to_owned(),
    })?;
    for op in root.walk() {
        if matches!(op.name(), "arith.extf" | "arith.truncf") {
            op.set_attr("fastmath", none);
        }
    }
    Ok(())
}

/// Removes attributes that say something to other dialects: the translation to LLVM knows none of them.
fn strip(root: Op) {
    for op in root.walk() {
        if !matches!(op.name(), "builtin.module" | "func.func") {
            continue;
        }
        let foreign: Vec<String> = op
            .discardable_entries()
            .map(|(name, _)| name.to_owned())
            .filter(|name| name.contains('.') && !name.starts_with("llvm."))
            .collect();
        for name in foreign {
            op.remove_discardable_attr(&name);
        }
        for name in ["arg_attrs", "res_attrs"] {
            if op.attr(name).is_some() {
                op.remove_attr(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::split_passes;

    #[test]
    fn commas_in_options_split_nothing() {
        assert_eq!(
            split_passes("comm-asyncify, comm-sort{a=1,2 b=3},builtin.module(x,func.func(y,z)),"),
            [
                "comm-asyncify",
                " comm-sort{a=1,2 b=3}",
                "builtin.module(x,func.func(y,z))"
            ]
        );
    }
}
