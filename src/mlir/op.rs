// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Ops and blocks.

use mlir_sys::*;

use super::{Attr, Failed, PassResult, Use, Value, from_string_ref, string_ref};

/// An op.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op(MlirOperation);

impl PartialEq for Op {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr == other.0.ptr
    }
}
impl Eq for Op {}
impl std::hash::Hash for Op {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.ptr.hash(state);
    }
}

// SAFETY of all calls below: the op is alive (the module's invariant), and indices come from its own counts.
impl Op {
    /// The handle of a live op.
    pub(crate) fn new(raw: MlirOperation) -> Self {
        Self(raw)
    }

    fn from_nullable(raw: MlirOperation) -> Option<Self> {
        (!raw.ptr.is_null()).then_some(Self(raw))
    }

    pub(crate) fn raw(self) -> MlirOperation {
        self.0
    }

    /// Full name, as `comm.all_gather`. Names live as long as the context.
    pub(crate) fn name<'a>(self) -> &'a str {
        unsafe { from_string_ref(mlirIdentifierStr(mlirOperationGetName(self.0))) }
    }

    /// Identity of the name, the same for all ops of that name in a context.
    pub(crate) fn name_id(self) -> usize {
        unsafe { mlirOperationGetName(self.0).ptr as usize }
    }

    pub(crate) fn location(self) -> MlirLocation {
        unsafe { mlirOperationGetLocation(self.0) }
    }

    pub(crate) fn context(self) -> MlirContext {
        unsafe { mlirOperationGetContext(self.0) }
    }

    /// Whether the op's dialect is loaded and knows the op.
    pub(crate) fn is_registered(self) -> bool {
        unsafe { crate::ffi::commIsRegistered(self.0) }
    }

    pub(crate) fn num_operands(self) -> usize {
        unsafe { mlirOperationGetNumOperands(self.0) as usize }
    }

    pub(crate) fn operand(self, index: usize) -> Value {
        unsafe { Value::new(mlirOperationGetOperand(self.0, index as isize)) }
    }

    pub(crate) fn operands(self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator {
        (0..self.num_operands()).map(move |index| self.operand(index))
    }

    pub(crate) fn num_results(self) -> usize {
        unsafe { mlirOperationGetNumResults(self.0) as usize }
    }

    pub(crate) fn result(self, index: usize) -> Value {
        unsafe { Value::new(mlirOperationGetResult(self.0, index as isize)) }
    }

    pub(crate) fn results(self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator {
        (0..self.num_results()).map(move |index| self.result(index))
    }

    /// Uses of all results.
    pub(crate) fn uses(self) -> impl Iterator<Item = Use> {
        self.results().flat_map(|result| result.uses())
    }

    /// Whether nothing uses a result.
    pub(crate) fn is_unused(self) -> bool {
        self.uses().next().is_none()
    }

    pub(crate) fn num_regions(self) -> usize {
        unsafe { mlirOperationGetNumRegions(self.0) as usize }
    }

    /// Blocks of one region, in order.
    pub(crate) fn region(self, index: usize) -> impl Iterator<Item = Block> {
        let first = unsafe { mlirRegionGetFirstBlock(mlirOperationGetRegion(self.0, index as isize)) };
        std::iter::successors(Block::from_nullable(first), |block| block.next())
    }

    /// Blocks of all regions, in order.
    pub(crate) fn blocks(self) -> impl Iterator<Item = Block> {
        (0..self.num_regions()).flat_map(move |index| self.region(index))
    }

    /// Blocks that a terminator may branch to.
    pub(crate) fn successors(self) -> impl Iterator<Item = Block> {
        let count = unsafe { mlirOperationGetNumSuccessors(self.0) };
        (0..count).map(move |index| Block(unsafe { mlirOperationGetSuccessor(self.0, index) }))
    }

    pub(crate) fn parent_block(self) -> Option<Block> {
        Block::from_nullable(unsafe { mlirOperationGetBlock(self.0) })
    }

    pub(crate) fn parent_op(self) -> Option<Op> {
        Self::from_nullable(unsafe { mlirOperationGetParentOperation(self.0) })
    }

    pub(crate) fn next(self) -> Option<Op> {
        Self::from_nullable(unsafe { mlirOperationGetNextInBlock(self.0) })
    }

    /// An attribute by name, inherent or discardable; the properties of unregistered ops included.
    pub(crate) fn attr(self, name: &str) -> Option<Attr> {
        Attr::from_nullable(unsafe { mlirOperationGetAttributeByName(self.0, string_ref(name)) })
    }

    pub(crate) fn discardable_attr(self, name: &str) -> Option<Attr> {
        Attr::from_nullable(unsafe { mlirOperationGetDiscardableAttributeByName(self.0, string_ref(name)) })
    }

    pub(crate) fn discardable_attrs(self) -> impl Iterator<Item = MlirNamedAttribute> {
        let count = unsafe { mlirOperationGetNumDiscardableAttributes(self.0) };
        (0..count).map(move |index| unsafe { mlirOperationGetDiscardableAttribute(self.0, index) })
    }

    /// As above, with names.
    pub(crate) fn discardable_entries<'a>(self) -> impl Iterator<Item = (&'a str, Attr)> {
        self.discardable_attrs().filter_map(|entry| {
            Some((
                unsafe { from_string_ref(mlirIdentifierStr(entry.name)) },
                Attr::from_nullable(entry.attribute)?,
            ))
        })
    }

    /// Discardable attributes without those of these names.
    pub(crate) fn discardable_attrs_except(self, names: &[&str]) -> Vec<MlirNamedAttribute> {
        self.discardable_attrs()
            .filter(|attr| !names.contains(&unsafe { from_string_ref(mlirIdentifierStr(attr.name)) }))
            .collect()
    }

    /// All attributes of a registered op, inherent and discardable, without those of these names.
    pub(crate) fn attrs_except(self, names: &[&str]) -> Vec<MlirNamedAttribute> {
        let count = unsafe { mlirOperationGetNumAttributes(self.0) };
        (0..count)
            .map(|index| unsafe { mlirOperationGetAttribute(self.0, index) })
            .filter(|attr| !names.contains(&unsafe { from_string_ref(mlirIdentifierStr(attr.name)) }))
            .collect()
    }

    /// All attributes by name, inherent and discardable, the properties of an unregistered op included. Sorted.
    pub(crate) fn all_attrs<'a>(self) -> Vec<(&'a str, Attr)> {
        let count = unsafe { mlirOperationGetNumAttributes(self.0) };
        let mut entries: Vec<(&str, Attr)> = (0..count)
            .map(|index| unsafe { mlirOperationGetAttribute(self.0, index) })
            .filter_map(|entry| {
                let name = unsafe { from_string_ref(mlirIdentifierStr(entry.name)) };
                Some((name, Attr::from_nullable(entry.attribute)?))
            })
            .collect();
        if !self.is_registered() {
            entries.extend(
                self.properties()
                    .and_then(Attr::as_dictionary)
                    .unwrap_or_default(),
            );
        }
        entries.sort_by_key(|&(name, _)| name);
        entries.dedup_by_key(|&mut (name, _)| name);
        entries
    }

    /// What attributes an op has but those of these names: their names and identities, by name.
    pub(crate) fn attribute_ids(self, except: &[&str]) -> Vec<(String, usize)> {
        let attributes = self.all_attrs().into_iter();
        attributes
            .filter(|(name, _)| !except.contains(name))
            .map(|(name, attr)| (name.to_owned(), attr.id()))
            .collect()
    }

    pub(crate) fn set_operand(self, index: usize, value: Value) {
        unsafe { mlirOperationSetOperand(self.0, index as isize, value.raw()) }
    }

    /// Sets an attribute by name: the inherent one where the op has one of that name, else a discardable one.
    pub(crate) fn set_attr(self, name: &str, attr: Attr) {
        unsafe { mlirOperationSetAttributeByName(self.0, string_ref(name), attr.raw()) }
    }

    /// Properties as one attribute, those of unregistered ops (all that stands in `<{...}>`) as a dictionary.
    pub(crate) fn properties(self) -> Option<Attr> {
        Attr::from_nullable(unsafe { crate::ffi::commGetProperties(self.0) })
    }

    /// Runs the verifiers of the op and of all in it; fails after a diagnostic.
    pub(crate) fn verify(self) -> PassResult {
        if unsafe { mlirOperationVerify(self.0) } {
            Ok(())
        } else {
            Err(Failed)
        }
    }

    pub(crate) fn set_discardable_attr(self, name: &str, attr: Attr) {
        unsafe { mlirOperationSetDiscardableAttributeByName(self.0, string_ref(name), attr.raw()) }
    }

    pub(crate) fn remove_discardable_attr(self, name: &str) {
        unsafe { mlirOperationRemoveDiscardableAttributeByName(self.0, string_ref(name)) };
    }

    /// Name of a symbol op.
    pub(crate) fn symbol_name(self) -> Option<String> {
        self.attr("sym_name")
            .and_then(|name| name.as_str().map(str::to_owned))
    }

    /// The op whose symbols a name at this op refers to: the closest module around it.
    pub(crate) fn symbol_table(self) -> Option<Op> {
        std::iter::successors(self.parent_op(), |op| op.parent_op()).find(|op| op.name() == "builtin.module")
    }

    /// Name of the function around the op, or of the op itself where it is one.
    pub(crate) fn enclosing_function_name(self) -> Option<String> {
        std::iter::successors(Some(self), |op| op.parent_op())
            .find(|op| op.name() == "func.func")
            .and_then(Op::symbol_name)
    }

    /// The op itself and all ops in it, outer ones first, in order of the text.
    pub(crate) fn walk(self) -> Vec<Op> {
        let mut found = Vec::new();
        let mut stack = vec![self];
        while let Some(op) = stack.pop() {
            found.push(op);
            let before = stack.len();
            stack.extend(op.blocks().flat_map(|block| block.ops()));
            stack[before..].reverse();
        }
        found
    }

    /// Whether values made in the op's regions are used in the op only. False only for IR that does not verify; erasing
    /// such an op would leave uses of values that are gone.
    pub(crate) fn is_closed(self) -> bool {
        let is_within =
            |user: Op| std::iter::successors(Some(user), |op| op.parent_op()).any(|op| op == self);
        self.walk().into_iter().all(|op| {
            let made_here = op.results().filter(|_| op != self);
            let arguments = op.blocks().flat_map(|block| block.arguments());
            made_here
                .chain(arguments)
                .flat_map(Value::uses)
                .all(|r#use| is_within(r#use.op()))
        })
    }

    /// Effects of the op alone, those of nested ops left out, as bits of [`crate::ffi::effect`].
    pub(crate) fn own_effects(self) -> u32 {
        unsafe { crate::ffi::commGetOwnEffects(self.0) }
    }

    /// Effects of the op alone one by one: a bit of [`crate::ffi::effect`], and the value that it is on, if it is on one.
    pub(crate) fn value_effects(self) -> Vec<(u32, Option<Value>)> {
        extern "C" fn receive(effect: u32, value: MlirValue, data: *mut std::ffi::c_void) {
            let value = (!value.ptr.is_null()).then(|| Value::new(value));
            // SAFETY: `data` is the vector below.
            unsafe { (*data.cast::<Vec<(u32, Option<Value>)>>()).push((effect, value)) }
        }
        let mut effects: Vec<(u32, Option<Value>)> = Vec::new();
        let data = std::ptr::from_mut(&mut effects).cast();
        unsafe { crate::ffi::commForEachOwnEffect(self.0, receive, data) };
        effects
    }

    /// Effects of the op with all that is nested in it, as bits of [`crate::ffi::effect`].
    pub(crate) fn effects(self) -> u32 {
        unsafe { crate::ffi::commGetEffects(self.0) }
    }

    pub(crate) fn move_before(self, other: Op) {
        if self != other {
            unsafe { mlirOperationMoveBefore(self.0, other.0) }
        }
    }

    /// Removes and destroys the op, whose results have no uses.
    pub(crate) fn erase(self) {
        unsafe {
            mlirOperationRemoveFromParent(self.0);
            mlirOperationDestroy(self.0);
        }
    }
}

/// A block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block(MlirBlock);

impl PartialEq for Block {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr == other.0.ptr
    }
}
impl Eq for Block {}
impl std::hash::Hash for Block {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.ptr.hash(state);
    }
}

// SAFETY: as for ops.
impl Block {
    pub(super) fn from_nullable(raw: MlirBlock) -> Option<Self> {
        (!raw.ptr.is_null()).then_some(Self(raw))
    }

    pub(crate) fn new(raw: MlirBlock) -> Self {
        Self(raw)
    }

    pub(crate) fn raw(self) -> MlirBlock {
        self.0
    }

    fn next(self) -> Option<Block> {
        Self::from_nullable(unsafe { mlirBlockGetNextInRegion(self.0) })
    }

    pub(crate) fn first_op(self) -> Option<Op> {
        Op::from_nullable(unsafe { mlirBlockGetFirstOperation(self.0) })
    }

    /// Ops in order. The next op is looked up before the present one is handed out, so that may be erased or moved.
    pub(crate) fn ops(self) -> impl Iterator<Item = Op> {
        let mut next = self.first_op();
        std::iter::from_fn(move || {
            let op = next?;
            next = op.next();
            Some(op)
        })
    }

    /// The op that ends the block. MLIR knows of no unregistered op whether it is a terminator; one that stands last is
    /// taken for it, at the cost of a walk to the end of the block.
    pub(crate) fn terminator(self) -> Option<Op> {
        Op::from_nullable(unsafe { mlirBlockGetTerminator(self.0) })
            .or_else(|| self.ops().last().filter(|op| !op.is_registered()))
    }

    pub(crate) fn arguments(self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator {
        let count = unsafe { mlirBlockGetNumArguments(self.0) } as usize;
        (0..count).map(move |index| Value::new(unsafe { mlirBlockGetArgument(self.0, index as isize) }))
    }

    pub(crate) fn parent_op(self) -> Option<Op> {
        Op::from_nullable(unsafe { mlirBlockGetParentOperation(self.0) })
    }

    /// Identity of the region that the block is in.
    pub(crate) fn region_id(self) -> usize {
        unsafe { mlirBlockGetParentRegion(self.0) }.ptr as usize
    }
}
