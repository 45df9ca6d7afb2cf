// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From a program to the problem of the top block of a function.
//!
//! Loops and branches are bars there: their regions cost what their blocks take in their own order. Ops get names by
//! which a reader finds them: what they are, with the name of their location or its line.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use comm_schedule::{Machine, MachineError, NodeId, Problem, Profile, picture::Inside, timeline};
use mel::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
    ir::Module,
};
use mlir_sys::{MlirStringRef, mlirModuleCreateParse};
use thiserror::Error;

use crate::{
    collective::Collective,
    cost::Costs,
    mlir::{Op, location_label, location_text},
    passes::{ScheduleOptions, schedule},
    problem::BlockProblem,
};

/// Which function of a program to draw, and where the costs of its ops are from.
#[derive(Clone, Debug, Default)]
pub struct ProgramOptions {
    /// The function; without it the only one, or the only one that communicates.
    pub function: Option<String>,
    /// The machine: the name of a preset, or the path of a TOML file; without it that of `comm-schedule`.
    pub machine: Option<String>,
    /// A file of measured durations, by op name or location.
    pub profile: Option<PathBuf>,
}

impl ProgramOptions {
    /// The machine that programs run on where none is named.
    pub fn default_machine() -> String {
        ScheduleOptions::default().machine
    }

    /// The first option that was given, by its name on the command line.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--function", self.function.is_some()),
            ("--machine", self.machine.is_some()),
            ("--profile", self.profile.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}

/// The top block of a function.
#[derive(Clone, Debug)]
pub struct TopBlock {
    /// Its ops, in their order.
    pub problem: Problem,
    /// What its loops and branches hold inside.
    pub inside: Vec<Inside>,
    /// Source locations of its nodes, by node; empty where they are not known.
    pub places: Vec<String>,
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
    #[error("has no function {} with a body; it has {found}", symbol(.name))]
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
    #[error("function {} cannot be timed", symbol(.0))]
    Untimed(String),
    /// The machine or the profile cannot be used.
    #[error(transparent)]
    Machine(#[from] MachineError),
}

/// The first bytes of MLIR's bytecode.
pub(super) const BYTECODE: &[u8] = b"ML\xefR";

/// As [`problem`], of a file, as text or bytecode. What MLIR says of it goes to the error stream.
pub(super) fn read(path: &Path, content: &[u8], options: &ProgramOptions) -> Result<TopBlock, ProgramError> {
    // Attributes may refer to it as long as the context lives.
    let content = Content::new(content);
    let context = crate::context();
    let path = path.display().to_string();
    context.attach_diagnostic_handler(move |diagnostic| {
        report(&diagnostic, &path);
        true
    });
    let module = content.parse(&context).ok_or(ProgramError::Syntax)?;
    problem(&module, options)
}

/// The content of a file where the parser can read it: bytecode asks for aligned sections, and text for a zero at its end.
struct Content {
    bytes: Vec<u8>,
    begin: usize,
    length: usize,
}

impl Content {
    /// What bytecode is aligned to at most where it is read from a mapped file.
    const ALIGNMENT: usize = 4096;

    fn new(content: &[u8]) -> Self {
        let mut bytes = vec![0; content.len() + Self::ALIGNMENT];
        let begin = bytes.as_ptr().align_offset(Self::ALIGNMENT);
        bytes[begin..begin + content.len()].copy_from_slice(content);
        Self {
            bytes,
            begin,
            length: content.len(),
        }
    }

    /// Text that holds a zero is none.
    fn parse<'c>(&self, context: &'c Context) -> Option<Module<'c>> {
        let content = &self.bytes[self.begin..self.begin + self.length];
        if content.contains(&0) && !content.starts_with(BYTECODE) {
            return None;
        }
        let source = MlirStringRef {
            data: content.as_ptr().cast(),
            length: self.length,
        };
        // SAFETY: the source is alive during the call and followed by a zero: the offset to a multiple of the alignment is
        // less than the alignment. The module is new, so nobody else owns it.
        unsafe { Module::from_option_raw(mlirModuleCreateParse(context.to_raw(), source)) }
    }
}

/// Says a diagnostic and its notes. The parser knows no file and calls it `-`.
fn report(diagnostic: &Diagnostic, path: &str) {
    let severity = match diagnostic.severity() {
        DiagnosticSeverity::Error => "error",
        DiagnosticSeverity::Warning => "warning",
        DiagnosticSeverity::Note => "note",
        DiagnosticSeverity::Remark => "remark",
    };
    // Quotes within names are escaped there, so that this is a name of its own.
    let location = diagnostic
        .location()
        .to_string()
        .replace("\"-\":", &format!("{path:?}:"));
    // Nobody is left to be told where this fails.
    let _ = writeln!(io::stderr(), "{location}: {severity}: {diagnostic}");
    for note in (0..diagnostic.note_count()).filter_map(|index| diagnostic.note(index).ok()) {
        report(&note, path);
    }
}

/// The problem of a function's top block, of the one that takes longest where there are several. Its nodes stand in the
/// order of the program, so `comm_schedule`'s `timeline`, `memory` and `in_flight` say what the program costs as it is.
pub fn problem(module: &Module<'_>, options: &ProgramOptions) -> Result<TopBlock, ProgramError> {
    let function = function(
        Op::new(module.as_operation().to_raw()),
        options.function.as_deref(),
    )?;
    let machine = match &options.machine {
        Some(machine) => Machine::load(machine)?,
        None => Machine::load(&ProgramOptions::default_machine())?,
    };
    let profile = options
        .profile
        .as_ref()
        .map(|path| Profile::load(&path.to_string_lossy()))
        .transpose()?;
    let blocks = schedule::problems_as_they_stand(function, Costs::new(machine, profile))
        .map_err(|_| ProgramError::Untimed(name(function)))?;
    let step_ns = |(block, _): &(BlockProblem, Vec<Inside>)| {
        let order: Vec<NodeId> = block.problem.ids().collect();
        timeline(&block.problem, &order).step_ns
    };
    let (block, inside) = blocks
        .into_iter()
        .rev()
        .max_by_key(step_ns)
        .ok_or(ProgramError::NoFunction)?;
    let places = block
        .problem
        .ids()
        .map(|node| block.op(node).map(location_text).unwrap_or_default())
        .collect();
    Ok(TopBlock {
        problem: named(block),
        inside,
        places,
    })
}

fn function(module: Op, wanted: Option<&str>) -> Result<Op, ProgramError> {
    let has_body = |op: &Op| op.name() == "func.func" && op.blocks().next().is_some();
    let functions: Vec<Op> = module.walk().into_iter().filter(has_body).collect();
    let names = |functions: &[Op]| {
        let names: Vec<String> = functions
            .iter()
            .map(|function| symbol(&name(*function)))
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

/// A name of a function as MLIR writes it, with quotes and escapes where it needs them.
fn symbol(name: &str) -> String {
    let is_letter = |character: char| character.is_ascii_alphanumeric() || "_$.-".contains(character);
    let is_plain = name.chars().all(is_letter)
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if is_plain {
        format!("@{name}")
    } else {
        format!("@{name:?}")
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_in_a_program() {
        assert_eq!(symbol("step_1.a"), "@step_1.a");
        assert_eq!(symbol("1a"), "@\"1a\"");
        assert_eq!(symbol("a\n\u{1b}[31m\"b"), "@\"a\\n\\u{1b}[31m\\\"b\"");
        assert_eq!(symbol(""), "@\"\"");
    }

    #[test]
    fn content_is_aligned_and_ends_with_a_zero() {
        for length in [0, 1, 4095, 4096, 4097] {
            let content = Content::new(&vec![b'x'; length]);
            let end = content.begin + content.length;
            assert_eq!(
                content.bytes.as_ptr().align_offset(Content::ALIGNMENT),
                content.begin
            );
            assert!(content.bytes[content.begin..end].iter().all(|byte| *byte == b'x'));
            assert_eq!(content.bytes[end], 0);
        }
    }
}
