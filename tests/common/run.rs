// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Contexts, parsing and running of passes, with diagnostics collected.

use std::sync::{Arc, Mutex};

use melior::{
    Context,
    diagnostic::Diagnostic,
    ir::Module,
    pass::{OperationPassManager, Pass, PassManager},
};
use mlir_comm::passes::{GatherPlacement, ReductionPlacement, SortOptions, TieBreak};

/// A context with its diagnostics, each as text.
pub struct Session {
    pub context: Context,
    diagnostics: Arc<Mutex<Vec<String>>>,
}

impl Session {
    pub fn new(threads: bool) -> Self {
        let context = mlir_comm::context();
        context.enable_multi_threading(threads);
        let diagnostics = Arc::new(Mutex::new(Vec::new()));
        let sink = diagnostics.clone();
        context.attach_diagnostic_handler(move |diagnostic: Diagnostic| {
            sink.lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .push(diagnostic.to_string());
            true
        });
        Self { context, diagnostics }
    }

    /// Takes all diagnostics since the last call.
    pub fn diagnostics(&self) -> Vec<String> {
        std::mem::take(
            &mut *self
                .diagnostics
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner()),
        )
    }

    pub fn parse(&self, text: &str) -> Result<Module<'_>, Vec<String>> {
        Module::parse(&self.context, text).ok_or_else(|| self.diagnostics())
    }

    /// Runs passes on all functions, with the verifier after each; diagnostics where one fails.
    pub fn run_on_functions(
        &self,
        module: &mut Module,
        passes: impl IntoIterator<Item = Pass>,
    ) -> Result<(), Vec<String>> {
        self.run(module, |functions, _| {
            passes.into_iter().for_each(|pass| functions.add_pass(pass))
        })
    }

    /// Runs passes on the functions or on the module.
    pub fn run(
        &self,
        module: &mut Module,
        build: impl FnOnce(&OperationPassManager, &PassManager),
    ) -> Result<(), Vec<String>> {
        let manager = PassManager::new(&self.context);
        manager.enable_verifier(true);
        build(&manager.nested_under("func.func"), &manager);
        manager.run(module).map_err(|_| self.diagnostics())
    }
}

/// Any options of `comm-sort`.
pub fn any_options(rng: &mut fastrand::Rng) -> SortOptions {
    SortOptions {
        all_gather: match rng.u8(0..8) {
            0 => GatherPlacement::Keep,
            1..=3 => GatherPlacement::First,
            _ => GatherPlacement::Late,
        },
        reduce_scatter: if rng.u8(0..8) == 0 {
            ReductionPlacement::Keep
        } else {
            ReductionPlacement::Early
        },
        max_in_flight: rng.u32(0..5),
        max_in_flight_reductions: rng.u32(0..5),
        ties: if rng.u8(0..5) == 0 {
            TieBreak::Source
        } else {
            TieBreak::EGraph
        },
        verify: rng.bool(),
    }
}

/// The least limits that diagnostics of `comm-sort` name, of gathers and of reductions; nothing where one is about
/// something else.
pub fn least_limits(diagnostics: &[String]) -> Option<(Option<u32>, Option<u32>)> {
    let mut least = (None, None);
    for text in diagnostics {
        let (what, rest) = text.split_once(" cannot be kept; ")?;
        let number: u32 = rest.split(' ').next()?.parse().ok()?;
        let limit = if what.contains(" gathers in flight") {
            &mut least.0
        } else {
            &mut least.1
        };
        *limit = Some(limit.unwrap_or(0).max(number));
    }
    (!diagnostics.is_empty()).then_some(least)
}
