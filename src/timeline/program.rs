// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From a program to the problem of the top block of a function.
//!
//! Loops and branches are bars there: their regions cost what their blocks take in their own order. Ops get names by
//! which a reader finds them: what they are, with the name of their location or its line.

use std::path::PathBuf;

use comm_schedule::{Machine, MachineError, NodeId, Problem, Profile, timeline};
use mel::ir::Module;
use thiserror::Error;

use crate::{
    collective::Collective,
    cost::Costs,
    mlir::{Op, location_label},
    passes::{ScheduleOptions, schedule},
    problem::BlockProblem,
};

/// Which function of a program to draw, and where the costs of its ops are from.
#[derive(Clone, Debug)]
pub struct ProgramOptions {
    /// The function; without it the only one, or the only one that communicates.
    pub function: Option<String>,
    /// The machine: the name of a preset, or the path of a TOML file.
    pub machine: String,
    /// A file of measured durations, by op name or location.
    pub profile: Option<PathBuf>,
}

impl Default for ProgramOptions {
    fn default() -> Self {
        Self {
            function: None,
            machine: ScheduleOptions::default().machine,
            profile: None,
        }
    }
}

/// Why a program cannot be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// It is no MLIR.
    #[error("is no program that MLIR can parse")]
    Syntax,
    /// There is nothing to draw.
    #[error("has no function with a body")]
    NoFunction,
    /// There is no function of that name.
    #[error("has no function @{name} with a body; it has {found}")]
    UnknownFunction {
        /// The name.
        name: String,
        /// The functions that there are.
        found: String,
    },
    /// There are several functions that could be meant.
    #[error("has several functions, name one of {0}")]
    WhichFunction(String),
    /// What is wrong was said as a diagnostic.
    #[error("function @{0} cannot be timed")]
    Untimed(String),
    /// The machine or the profile cannot be used.
    #[error(transparent)]
    Machine(#[from] MachineError),
}

/// As [`problem`], of the text of a program.
pub(super) fn read(text: &str, options: &ProgramOptions) -> Result<Problem, ProgramError> {
    let context = crate::context();
    // The text is handed over as a C string.
    let module = Some(text)
        .filter(|text| !text.contains('\0'))
        .and_then(|text| Module::parse(&context, text))
        .ok_or(ProgramError::Syntax)?;
    problem(&module, options)
}

/// The problem of a function's top block, of the one that takes longest where there are several. Its nodes stand in the
/// order of the program, so `comm_schedule`'s `timeline`, `memory` and `in_flight` say what the program costs as it is.
pub fn problem(module: &Module<'_>, options: &ProgramOptions) -> Result<Problem, ProgramError> {
    let function = function(
        Op::new(module.as_operation().to_raw()),
        options.function.as_deref(),
    )?;
    let machine = Machine::load(&options.machine)?;
    let profile = options
        .profile
        .as_ref()
        .map(|path| Profile::load(&path.to_string_lossy()))
        .transpose()?;
    let blocks = schedule::problems_as_they_stand(function, Costs::new(machine, profile))
        .map_err(|_| ProgramError::Untimed(name(function)))?;
    let step_ns = |block: &BlockProblem| {
        let order: Vec<NodeId> = block.problem.ids().collect();
        timeline(&block.problem, &order).step_ns
    };
    let block = blocks
        .into_iter()
        .rev()
        .max_by_key(step_ns)
        .ok_or(ProgramError::NoFunction)?;
    Ok(named(block))
}

fn function(module: Op, wanted: Option<&str>) -> Result<Op, ProgramError> {
    let has_body = |op: &Op| op.name() == "func.func" && op.blocks().next().is_some();
    let functions: Vec<Op> = module.walk().into_iter().filter(has_body).collect();
    let names = |functions: &[Op]| {
        let names: Vec<String> = functions
            .iter()
            .map(|function| format!("@{}", name(*function)))
            .collect();
        names.join(", ")
    };
    if functions.is_empty() {
        return Err(ProgramError::NoFunction);
    }
    if let Some(wanted) = wanted {
        let known = functions.iter().find(|function| name(**function) == wanted);
        return known.copied().ok_or_else(|| ProgramError::UnknownFunction {
            name: wanted.to_owned(),
            found: names(&functions),
        });
    }
    if let [only] = functions[..] {
        return Ok(only);
    }
    let communicates = |function: &Op| {
        function
            .walk()
            .into_iter()
            .any(|op| Collective::new(op).is_some())
    };
    let communicating: Vec<Op> = functions.iter().copied().filter(communicates).collect();
    match communicating[..] {
        [only] => Ok(only),
        [] => Err(ProgramError::WhichFunction(names(&functions))),
        _ => Err(ProgramError::WhichFunction(names(&communicating))),
    }
}

fn name(function: Op) -> String {
    function.symbol_name().unwrap_or_default()
}

/// The problem with names.
fn named(block: BlockProblem) -> Problem {
    let labels: Vec<_> = block.ops.iter().map(|op| label(*op)).collect();
    let nodes: Vec<_> = (0..labels.len())
        .map(|position| block.node_at(position))
        .collect();
    let mut problem = block.problem;
    for (node, label) in nodes.into_iter().zip(labels) {
        problem.set_name(node, &label);
    }
    problem
}

fn label(op: Op) -> String {
    let full = op.name();
    let short = full.split_once('.').map_or(full, |(_, short)| short);
    match location_label(op) {
        Some(place) => format!("{short} {place}"),
        None => short.to_owned(),
    }
}
