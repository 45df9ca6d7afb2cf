// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Making the ops of one op of the algebra, so that a failure leaves nothing behind.

use comm_algebra::{Element, Kind, Op as AlgebraOp, Type};
use mlir_sys::{MlirContext, MlirLocation};

use super::{
    Vocabulary,
    constants::{neutral_float, neutral_integer},
};
use crate::{
    diagnostics,
    mlir::{Attr, Failed, Op, OpBuilder, PassResult, Ty, Value},
};

/// Makes ops directly before one, each after the last.
pub(super) struct Writer<'a> {
    vocabulary: &'a Vocabulary,
    location: MlirLocation,
    before: Op,
    made: Vec<Op>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(vocabulary: &'a Vocabulary, location: MlirLocation, before: Op) -> Self {
        Self {
            vocabulary,
            location,
            before,
            made: Vec::new(),
        }
    }

    pub(super) fn context(&self) -> MlirContext {
        self.before.context()
    }

    /// Starts an op.
    pub(super) fn op(&self, name: &str) -> OpBuilder {
        OpBuilder::new(name, self.location)
    }

    /// Makes an op with one result, and gives that.
    pub(super) fn insert(&mut self, op: OpBuilder) -> PassResult<Value> {
        let op = op.insert_before(self.before)?;
        self.made.push(op);
        Ok(op.result(0))
    }

    /// Erases all that was made.
    pub(super) fn undo(self) {
        for op in self.made.into_iter().rev() {
            op.erase();
        }
    }

    pub(super) fn ty(&self, ty: &Type) -> Ty {
        self.vocabulary.ty(ty, self.context())
    }

    pub(super) fn element_ty(&self, element: Element) -> Ty {
        self.vocabulary.elements.element_ty(element, self.context())
    }

    /// The type of a value that is an operand of an op of the algebra.
    pub(super) fn type_of(&self, value: Value) -> PassResult<Type> {
        let element = self.vocabulary.elements.named_element(value.ty().element());
        match (element, super::shapes::extents(value)) {
            (Some(element), Some(shape)) => Ok(Type { element, shape }),
            _ => Err(self.error(&format!("an operand of type {}", value.ty().to_text()))),
        }
    }

    /// The number as an attribute of an element type.
    pub(super) fn number(&self, element: Element, value: f64) -> PassResult<Attr> {
        let ty = self.element_ty(element);
        let attr = if element.is_float() {
            Attr::float(ty, value)
        } else {
            Attr::integer(ty, value as i64)
        };
        attr.ok_or_else(|| self.error(&format!("a constant of type {}", ty.to_text())))
    }

    /// `dense<...>` of a number in all places.
    pub(super) fn splat(&self, ty: &Type, value: f64) -> PassResult<Attr> {
        self.filled(ty, self.number(ty.element, value)?)
    }

    /// `dense<...>` of what is neutral in a reduction.
    pub(super) fn neutral(&self, kind: Kind, ty: &Type) -> PassResult<Attr> {
        let number = match (ty.element.is_float(), neutral_float(kind)) {
            (true, Some(value)) => self.number(ty.element, value)?,
            (true, None) => return Err(self.error(&format!("a reduction by {kind} of floats"))),
            (false, _) => {
                let value = neutral_integer(kind, ty.element);
                Attr::integer(self.element_ty(ty.element), value)
                    .ok_or_else(|| self.error(&format!("a reduction by {kind} of {}", ty.element)))?
            }
        };
        self.filled(ty, number)
    }

    fn filled(&self, ty: &Type, number: Attr) -> PassResult<Attr> {
        Attr::splat(self.ty(ty), number).ok_or_else(|| self.error(&format!("a constant of type {ty}")))
    }

    /// Emits an error: there is no way to write this.
    pub(super) fn error(&self, what: &str) -> Failed {
        diagnostics::error(
            self.location,
            &format!("cannot write {what} in the dialects of the ops around it"),
        )
    }

    /// The same for an op of the algebra.
    pub(super) fn unknown(&self, op: &AlgebraOp) -> Failed {
        self.error(&format!("'{op}'"))
    }

    /// The only operands of an op, as many as expected.
    pub(super) fn operands<const N: usize>(
        &self,
        op: &AlgebraOp,
        operands: &[Value],
    ) -> PassResult<[Value; N]> {
        operands
            .try_into()
            .map_err(|_| self.error(&format!("'{op}' of {} operands", operands.len())))
    }
}
