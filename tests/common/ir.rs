// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! IR as data: what stands in each block, in which order, and what it reads.
//!
//! Every op is tagged with a unique number in the attribute `test.id`, which survives passes, so that two snapshots can
//! be compared op by op. A snapshot owns all it holds and stays valid when the module changes.

use std::collections::HashMap;

use melior::ir::Module;
use mlir_sys::*;

/// Identity of an op across passes.
pub type Id = i64;

/// A block: number of its parent op, of the region in it, and of the block in that.
pub type BlockKey = (Id, usize, usize);

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    Result(Id, usize),
    Argument(BlockKey, usize),
}

/// An op without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpRecord {
    pub name: String,
    pub block: BlockKey,
    pub operands: Vec<Source>,
    /// Result types.
    pub types: Vec<String>,
    /// Attributes in order of their names, `test.id` excepted.
    pub attributes: Vec<(String, String)>,
    pub successors: Vec<BlockKey>,
    pub regions: usize,
    /// Whether MLIR knows the op.
    pub registered: bool,
}

impl OpRecord {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

/// A module's contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    pub ops: HashMap<Id, OpRecord>,
    /// Order of the ops in each block.
    pub blocks: HashMap<BlockKey, Vec<Id>>,
    /// Blocks in order of the text.
    pub block_order: Vec<BlockKey>,
    /// Types of block arguments.
    pub arguments: HashMap<BlockKey, Vec<String>>,
}

/// A live op.
#[derive(Clone, Copy)]
pub struct Op(pub MlirOperation);

// SAFETY of all calls below: ops come from a module that is alive while they are used; indices from their own counts.
impl Op {
    pub fn of(module: &Module) -> Self {
        Self(module.as_operation().to_raw())
    }

    pub fn name(self) -> String {
        text(unsafe { mlirIdentifierStr(mlirOperationGetName(self.0)) })
    }

    pub fn regions(self) -> Vec<Vec<MlirBlock>> {
        let count = unsafe { mlirOperationGetNumRegions(self.0) };
        (0..count)
            .map(|index| {
                let first = unsafe { mlirRegionGetFirstBlock(mlirOperationGetRegion(self.0, index)) };
                let next = |block: &MlirBlock| non_null(unsafe { mlirBlockGetNextInRegion(*block) });
                std::iter::successors(non_null(first), next).collect()
            })
            .collect()
    }

    /// This op and all in it, outer ones first.
    pub fn walk(self) -> Vec<Op> {
        let mut found = Vec::new();
        let mut stack = vec![self];
        while let Some(op) = stack.pop() {
            found.push(op);
            let nested: Vec<Op> = op.regions().into_iter().flatten().flat_map(ops_of).collect();
            stack.extend(nested.into_iter().rev());
        }
        found
    }

    pub fn id(self) -> Option<Id> {
        let attribute = unsafe { mlirOperationGetDiscardableAttributeByName(self.0, string("test.id")) };
        (!attribute.ptr.is_null()).then(|| unsafe { mlirIntegerAttrGetValueInt(attribute) })
    }

    fn set_id(self, id: Id) {
        unsafe {
            let context = mlirOperationGetContext(self.0);
            let attribute = mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), id);
            mlirOperationSetDiscardableAttributeByName(self.0, string("test.id"), attribute);
        }
    }

    fn attributes(self) -> Vec<(String, String)> {
        let count = unsafe { mlirOperationGetNumAttributes(self.0) };
        let mut attributes: Vec<(String, String)> = (0..count)
            .map(|index| unsafe { mlirOperationGetAttribute(self.0, index) })
            .map(|attribute| {
                let value = printed(|callback, data| unsafe {
                    mlirAttributePrint(attribute.attribute, callback, data)
                });
                (text(unsafe { mlirIdentifierStr(attribute.name) }), value)
            })
            .filter(|(name, _)| name != "test.id")
            .collect();
        attributes.sort();
        attributes
    }

    fn operands(self) -> Vec<MlirValue> {
        let count = unsafe { mlirOperationGetNumOperands(self.0) };
        (0..count)
            .map(|index| unsafe { mlirOperationGetOperand(self.0, index) })
            .collect()
    }

    fn types(self) -> Vec<String> {
        let count = unsafe { mlirOperationGetNumResults(self.0) };
        (0..count)
            .map(|index| value_type(unsafe { mlirOperationGetResult(self.0, index) }))
            .collect()
    }

    fn successors(self) -> Vec<MlirBlock> {
        let count = unsafe { mlirOperationGetNumSuccessors(self.0) };
        (0..count)
            .map(|index| unsafe { mlirOperationGetSuccessor(self.0, index) })
            .collect()
    }

    fn is_registered(self) -> bool {
        let name = self.name();
        unsafe { mlirContextIsRegisteredOperation(mlirOperationGetContext(self.0), string(&name)) }
    }
}

/// Ops of a block, in order.
pub fn ops_of(block: MlirBlock) -> Vec<Op> {
    let next = |op: &MlirOperation| non_null(unsafe { mlirOperationGetNextInBlock(*op) });
    std::iter::successors(non_null(unsafe { mlirBlockGetFirstOperation(block) }), next)
        .map(Op)
        .collect()
}

/// Numbers all ops of a module in order of the text.
pub fn tag(module: &Module) {
    for (id, op) in Op::of(module).walk().into_iter().enumerate() {
        op.set_id(id as Id);
    }
}

/// Reads a tagged module.
///
/// # Panics
///
/// Where an op has no number, or two have the same.
pub fn snapshot(module: &Module) -> Snapshot {
    let ops = Op::of(module).walk();
    let mut snapshot = Snapshot::default();
    let mut keys = HashMap::new();
    for op in &ops {
        let id = op
            .id()
            .unwrap_or_else(|| panic!("'{}' has lost its number", op.name()));
        for (region, blocks) in op.regions().into_iter().enumerate() {
            for (index, block) in blocks.into_iter().enumerate() {
                let key = (id, region, index);
                keys.insert(block.ptr as usize, key);
                snapshot.block_order.push(key);
                snapshot
                    .blocks
                    .insert(key, ops_of(block).into_iter().filter_map(Op::id).collect());
                let count = unsafe { mlirBlockGetNumArguments(block) };
                let types = (0..count).map(|index| value_type(unsafe { mlirBlockGetArgument(block, index) }));
                snapshot.arguments.insert(key, types.collect());
            }
        }
    }
    let source = |value: MlirValue| unsafe {
        if mlirValueIsABlockArgument(value) {
            let block = mlirBlockArgumentGetOwner(value);
            Source::Argument(
                keys[&(block.ptr as usize)],
                mlirBlockArgumentGetArgNumber(value) as usize,
            )
        } else {
            let owner = Op(mlirOpResultGetOwner(value));
            Source::Result(
                owner.id().expect("all ops have numbers"),
                mlirOpResultGetResultNumber(value) as usize,
            )
        }
    };
    for op in &ops {
        let block = unsafe { mlirOperationGetBlock(op.0) };
        let record = OpRecord {
            name: op.name(),
            block: keys.get(&(block.ptr as usize)).copied().unwrap_or((-1, 0, 0)),
            operands: op.operands().into_iter().map(source).collect(),
            types: op.types(),
            attributes: op.attributes(),
            successors: op
                .successors()
                .into_iter()
                .map(|block| keys[&(block.ptr as usize)])
                .collect(),
            regions: op.regions().len(),
            registered: op.is_registered(),
        };
        let id = op.id().expect("checked above");
        assert!(
            snapshot.ops.insert(id, record).is_none(),
            "number {id} is there twice"
        );
    }
    snapshot
}

impl Snapshot {
    pub fn op(&self, id: Id) -> &OpRecord {
        &self.ops[&id]
    }

    /// The op of `block` that an op stands in, or that it is; nothing where it is outside.
    pub fn ancestor_in(&self, mut id: Id, block: BlockKey) -> Option<Id> {
        loop {
            let at = self.ops.get(&id)?.block;
            if at == block {
                return Some(id);
            }
            id = at.0;
        }
    }

    /// Ops in all regions of an op, itself first.
    pub fn nested(&self, id: Id) -> Vec<Id> {
        let mut found = Vec::new();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            found.push(id);
            for region in 0..self.op(id).regions {
                for block in 0.. {
                    let Some(ops) = self.blocks.get(&(id, region, block)) else {
                        break;
                    };
                    stack.extend(ops.iter().rev());
                }
            }
        }
        found
    }

    /// Ops of the same block whose results an op, or one nested in it, reads. In order, with repetitions.
    pub fn dependences(&self, id: Id) -> Vec<Id> {
        let block = self.op(id).block;
        self.nested(id)
            .into_iter()
            .flat_map(|inner| self.op(inner).operands.iter())
            .filter_map(|source| match source {
                Source::Result(owner, _) if self.op(*owner).block == block => Some(*owner),
                _ => None,
            })
            .collect()
    }

    /// The text without names, numbers and the order of function arguments: values are numbered where they are first
    /// seen, arguments where they are first used.
    pub fn canonical(&self) -> Vec<String> {
        let mut numbers: HashMap<Source, usize> = HashMap::new();
        let mut positions: HashMap<Id, usize> = HashMap::new();
        let mut lines = Vec::new();
        for &key in &self.block_order {
            lines.push(format!("block {:?}", (positions.get(&key.0), key.1, key.2)));
            for &id in &self.blocks[&key] {
                let position = positions.len();
                positions.insert(id, position);
            }
        }
        for &key in &self.block_order {
            for &id in &self.blocks[&key] {
                let op = self.op(id);
                let operands: Vec<String> = op
                    .operands
                    .iter()
                    .map(|source| match source {
                        Source::Result(owner, index) => format!("{}#{index}", positions[owner]),
                        Source::Argument(..) => {
                            let next = numbers.len();
                            format!("argument {}", numbers.entry(*source).or_insert(next))
                        }
                    })
                    .collect();
                let is_function = op.name == "func.func";
                let attributes: Vec<_> = op
                    .attributes
                    .iter()
                    .filter(|(name, _)| {
                        !(is_function && ["function_type", "arg_attrs", "sym_name"].contains(&&**name))
                    })
                    .collect();
                lines.push(format!("{} {operands:?} {attributes:?} {:?}", op.name, op.types));
            }
        }
        lines
    }
}

/// A string as MLIR takes it.
pub fn string(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

fn text(string: MlirStringRef) -> String {
    // SAFETY: the owner of the string is alive.
    let bytes = unsafe { std::slice::from_raw_parts(string.data.cast::<u8>(), string.length) };
    String::from_utf8_lossy(bytes).into_owned()
}

fn value_type(value: MlirValue) -> String {
    printed(|callback, data| unsafe { mlirTypePrint(mlirValueGetType(value), callback, data) })
}

fn printed(print: impl FnOnce(MlirStringCallback, *mut std::ffi::c_void)) -> String {
    extern "C" fn append(part: MlirStringRef, data: *mut std::ffi::c_void) {
        // SAFETY: `data` is the string below.
        unsafe { (*data.cast::<String>()).push_str(&text(part)) }
    }
    let mut buffer = String::new();
    print(Some(append), std::ptr::from_mut(&mut buffer).cast());
    buffer
}

/// MLIR's handles are pointers that may be null.
trait Handle: Copy {
    fn is_null(self) -> bool;
}
impl Handle for MlirBlock {
    fn is_null(self) -> bool {
        self.ptr.is_null()
    }
}
impl Handle for MlirOperation {
    fn is_null(self) -> bool {
        self.ptr.is_null()
    }
}

fn non_null<T: Handle>(handle: T) -> Option<T> {
    (!handle.is_null()).then_some(handle)
}
