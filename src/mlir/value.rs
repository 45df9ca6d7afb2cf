// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Values and their uses.

use mlir_sys::*;

use super::{Block, Op, Ty};

/// A result of an op or an argument of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value(MlirValue);

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr == other.0.ptr
    }
}
impl Eq for Value {}
impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.ptr.hash(state);
    }
}

// SAFETY of all calls below: the value is alive (the module's invariant).
impl Value {
    pub(crate) fn new(raw: MlirValue) -> Self {
        Self(raw)
    }

    pub(crate) fn raw(self) -> MlirValue {
        self.0
    }

    /// The op that yields the value; nothing for an argument of a block.
    pub(crate) fn defining_op(self) -> Option<Op> {
        unsafe { mlirValueIsAOpResult(self.0).then(|| Op::new(mlirOpResultGetOwner(self.0))) }
    }

    /// Number of the result or argument.
    pub(crate) fn index(self) -> usize {
        unsafe {
            if mlirValueIsAOpResult(self.0) {
                mlirOpResultGetResultNumber(self.0) as usize
            } else {
                mlirBlockArgumentGetArgNumber(self.0) as usize
            }
        }
    }

    /// The block whose argument this is.
    pub(crate) fn argument_of(self) -> Option<Block> {
        unsafe { mlirValueIsABlockArgument(self.0).then(|| Block::new(mlirBlockArgumentGetOwner(self.0))) }
    }

    pub(crate) fn ty(self) -> Ty {
        Ty::new(unsafe { mlirValueGetType(self.0) })
    }

    /// Gives the value another type; whoever uses it has to agree.
    pub(crate) fn set_ty(self, ty: Ty) {
        unsafe { mlirValueSetType(self.0, ty.raw()) }
    }

    pub(crate) fn uses(self) -> impl Iterator<Item = Use> {
        let first = unsafe { mlirValueGetFirstUse(self.0) };
        std::iter::successors(Use::from_nullable(first), |r#use| r#use.next())
    }

    pub(crate) fn replace_uses_with(self, other: Value) {
        unsafe { mlirValueReplaceAllUsesOfWith(self.0, other.0) }
    }
}

/// One use of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use(MlirOpOperand);

// SAFETY: as for values; a use is alive while its op is.
impl Use {
    fn from_nullable(raw: MlirOpOperand) -> Option<Self> {
        unsafe { (!mlirOpOperandIsNull(raw)).then_some(Self(raw)) }
    }

    fn next(self) -> Option<Self> {
        Self::from_nullable(unsafe { mlirOpOperandGetNextUse(self.0) })
    }

    /// The op that uses the value.
    pub(crate) fn op(self) -> Op {
        Op::new(unsafe { mlirOpOperandGetOwner(self.0) })
    }
}
