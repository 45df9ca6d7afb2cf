// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which op of which dialect is which local op of the algebra, and how an op of the algebra is spelt in each dialect.
//!
//! Three styles are known: StableHLO in generic form, the upstream dialects linalg, tensor, arith and math, and tosa. An op
//! is read only if the algebra says all that it computes. Elementwise ops that the algebra has no function for become
//! [`Function::Named`]: equal where name and attributes are, and written again with these.
//!
//! What is read has operands and a result of types that the algebra knows, and its result has the type that the algebra
//! infers: StableHLO is not loaded, so no verifier has looked at its ops. Discardable attributes of ops that are not named
//! functions are dropped when these are written.
//!
//! What this deliberately does not do: collectives, and ops that would be several ops of the algebra, as a reduction over
//! two dimensions.

mod body;
mod constants;
mod limits;
mod linalg;
mod shapes;
mod stablehlo;
mod stablehlo_write;
mod tosa;
mod tosa_write;
mod types;
mod upstream;
mod upstream_write;
mod writer;

use comm_algebra::{Function, Groups, Op as AlgebraOp, Type, infer::infer};
use mlir_sys::{MlirContext, MlirLocation};
use rustc_hash::FxHashMap;

use self::{types::Elements, writer::Writer};
use crate::{
    mlir::{Attr, Op, PassResult, Ty, Value},
    op_facts,
};

/// In which dialects an op is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Style {
    /// StableHLO in generic form, which need not be loaded.
    StableHlo,
    /// The dialects linalg, tensor, arith and math.
    Upstream,
    /// The dialect tosa.
    Tosa,
}

/// An op as the algebra sees it.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) op: AlgebraOp,
    /// In the order of the algebra; constants that `op` holds are not among them.
    pub(super) operands: Vec<Value>,
    pub(super) style: Style,
}

/// An op of the algebra and what it is applied to, before it is checked.
type Reading = (AlgebraOp, Vec<Value>);

/// The op that stands for a named function.
#[derive(Debug)]
struct Example {
    name: String,
    attributes: Vec<(String, Attr)>,
}

/// By what a named function is known again: name, attributes by identity, element types of the operands by identity.
type ExampleKey = (String, Vec<(String, usize)>, Vec<usize>);

/// Names for element types and functions that the algebra has none for. They are given in the order of reading.
#[derive(Debug)]
pub(super) struct Vocabulary {
    elements: Elements,
    examples: Vec<Example>,
    numbers: FxHashMap<ExampleKey, u32>,
    /// What ops of a form were read as, where that takes all operands in their order. Layers repeat.
    known: FxHashMap<Vec<usize>, (AlgebraOp, Style)>,
    /// Of one device: local ops ask for no group.
    groups: Groups,
}

impl Vocabulary {
    pub(super) fn new() -> Self {
        Self {
            elements: Elements::default(),
            examples: Vec::new(),
            numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            groups: Groups::new(1).expect("one device makes groups"),
        }
    }

    /// The type of a tensor; nothing for another type, and where an extent is dynamic or zero or the tensor has an encoding.
    pub(super) fn type_of(&mut self, ty: Ty) -> Option<Type> {
        self.elements.type_of(ty)
    }

    /// The way back, for types that [`Self::type_of`] has named or whose element type has a name in the algebra.
    pub(super) fn ty(&self, ty: &Type, context: MlirContext) -> Ty {
        self.elements.ty(ty, context)
    }

    /// The op as the algebra sees it; nothing where it has effects, several results or dynamic shapes, or computes what the
    /// algebra cannot say. O(operands), and for a constant behind broadcasts a few ops more.
    pub(super) fn read(&mut self, op: Op) -> Option<Local> {
        let form = form(op);
        if let Some((known, style)) = form.as_ref().and_then(|form| self.known.get(form)) {
            return Some(Local {
                op: known.clone(),
                operands: op.operands().collect(),
                style: *style,
            });
        }
        let local = self.read_anew(op)?;
        if let Some(form) = form
            && local.operands.iter().copied().eq(op.operands())
        {
            self.known.insert(form, (local.op.clone(), local.style));
        }
        Some(local)
    }

    fn read_anew(&mut self, op: Op) -> Option<Local> {
        if op.num_results() != 1 || !op_facts::is_pure(op) {
            return None;
        }
        type Elementwise = fn(Op) -> Option<(Op, Vec<Value>)>;
        let (style, reading, elementwise): (Style, Option<Reading>, Elementwise) =
            match op.name().split_once('.')?.0 {
                "stablehlo" | "chlo" => (Style::StableHlo, stablehlo::read(op), stablehlo::elementwise),
                "arith" | "math" | "tensor" | "linalg" => {
                    (Style::Upstream, upstream::read(op), upstream::elementwise)
                }
                "tosa" => (Style::Tosa, tosa::read(op), tosa::elementwise),
                _ => return None,
            };
        let result = self.type_of(op.result(0).ty())?;
        let (op, operands) = reading
            .filter(|reading| self.fits(reading, &result))
            .or_else(|| {
                let (example, operands) = elementwise(op)?;
                Some((self.named(example, &operands, &result)?, operands))
            })?;
        Some(Local { op, operands, style })
    }

    /// Whether [`Self::write`] knows how to compute `op` of operands of these types.
    pub(super) fn can_write(op: &AlgebraOp, operands: &[&Type], ty: &Type, style: Style) -> bool {
        limits::can_write(op, operands, ty, style)
    }

    /// Makes the ops that compute `op` of `operands` directly before `before`, and gives the value of the last. Where there
    /// is nothing to compute, that is an operand. Fails after a diagnostic, with nothing left behind.
    pub(super) fn write(
        &self,
        op: &AlgebraOp,
        operands: &[Value],
        ty: &Type,
        style: Style,
        location: MlirLocation,
        before: Op,
    ) -> PassResult<Value> {
        let mut writer = Writer::new(self, location, before);
        let written = match op {
            AlgebraOp::Map(Function::Named { number, .. }) => {
                self.write_named(*number, &mut writer, operands, ty)
            }
            _ => match style {
                Style::StableHlo => stablehlo_write::write(&mut writer, op, operands, ty),
                Style::Upstream => upstream_write::write(&mut writer, op, operands, ty),
                Style::Tosa => tosa_write::write(&mut writer, op, operands, ty),
            },
        };
        if written.is_err() {
            writer.undo();
        }
        written
    }

    /// Whether the algebra agrees that a reading has a result of this type.
    fn fits(&mut self, (op, operands): &Reading, result: &Type) -> bool {
        let types: Option<Vec<Type>> = operands.iter().map(|value| self.type_of(value.ty())).collect();
        types.is_some_and(|types| {
            let types: Vec<&Type> = types.iter().collect();
            infer(op, &types, &self.groups).as_ref() == Ok(result)
        })
    }

    /// An elementwise function known by an op that computes it; nothing where not all operands have the result's shape.
    fn named(&mut self, example: Op, operands: &[Value], result: &Type) -> Option<AlgebraOp> {
        let count = u8::try_from(operands.len()).ok().filter(|&count| count > 0)?;
        for operand in operands {
            if self.type_of(operand.ty())?.shape != result.shape {
                return None;
            }
        }
        let attributes = example.all_attrs();
        let elements = operands.iter().map(|operand| operand.ty().element().id());
        let key = (
            example.name().to_owned(),
            example.attribute_ids(&[]),
            elements.collect(),
        );
        let number = match self.numbers.get(&key) {
            Some(&number) => number,
            None => {
                let number = u32::try_from(self.examples.len()).ok()?;
                self.examples.push(Example {
                    name: key.0.clone(),
                    attributes: attributes
                        .into_iter()
                        .map(|(name, attr)| (name.to_owned(), attr))
                        .collect(),
                });
                self.numbers.insert(key, number);
                number
            }
        };
        Some(AlgebraOp::Map(Function::Named {
            number,
            operands: count,
            element: result.element,
        }))
    }

    fn write_named(
        &self,
        number: u32,
        writer: &mut Writer,
        operands: &[Value],
        ty: &Type,
    ) -> PassResult<Value> {
        let Some(example) = self.examples.get(number as usize) else {
            return Err(writer.error("a named function that no op was read as"));
        };
        let op = writer
            .op(&example.name)
            .operands(operands.iter().copied())
            .results([writer.ty(ty)]);
        let op = example
            .attributes
            .iter()
            .fold(op, |op, (name, attr)| op.attr(name, *attr));
        writer.insert(op)
    }
}

/// What the reading of an op depends on: identities of its name, attributes and types. Nothing where it may also depend on what
/// its operands are, or on what is in its regions.
fn form(op: Op) -> Option<Vec<usize>> {
    /// Read otherwise where an operand is a constant.
    const LOOK_AT_OPERANDS: [&str; 12] = [
        "constant", "divf", "divide", "divsi", "maximum", "maximumf", "maxsi", "mulf", "muli", "multiply",
        "subi", "subtract",
    ];
    let (dialect, name) = op.name().split_once('.')?;
    if !matches!(dialect, "stablehlo" | "arith" | "math")
        || op.num_regions() > 0
        || op.num_results() != 1
        || LOOK_AT_OPERANDS.contains(&name)
    {
        return None;
    }
    let mut form = vec![op.name_id(), op.properties().map_or(0, Attr::id)];
    for (name, attr) in op.discardable_entries() {
        form.extend([name.as_ptr() as usize, attr.id()]);
    }
    form.push(0);
    form.extend(op.operands().chain(op.results()).map(|value| value.ty().id()));
    Some(form)
}

#[cfg(test)]
mod tests;
