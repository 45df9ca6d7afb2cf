// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Making ops.

use mlir_sys::*;

use super::{Attr, Block, Failed, Op, PassResult, Ty, Value, string_ref};

/// A region that no op has yet.
struct Region(MlirRegion);

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the region is owned here: an op takes it over by forgetting this.
        unsafe { mlirRegionDestroy(self.0) }
    }
}

/// Collects the parts of one op.
pub(crate) struct OpBuilder {
    name: String,
    location: MlirLocation,
    operands: Vec<MlirValue>,
    results: Vec<MlirType>,
    attributes: Vec<MlirNamedAttribute>,
    regions: Vec<Region>,
}

// SAFETY of all calls below: values, types and attributes are of the location's context and alive.
impl OpBuilder {
    pub(crate) fn new(name: &str, location: MlirLocation) -> Self {
        Self {
            name: name.to_owned(),
            location,
            operands: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            regions: Vec::new(),
        }
    }

    pub(crate) fn operands(mut self, values: impl IntoIterator<Item = Value>) -> Self {
        self.operands.extend(values.into_iter().map(Value::raw));
        self
    }

    pub(crate) fn results(mut self, types: impl IntoIterator<Item = Ty>) -> Self {
        self.results.extend(types.into_iter().map(Ty::raw));
        self
    }

    pub(crate) fn attr(mut self, name: &str, attr: Attr) -> Self {
        let identifier =
            unsafe { mlirIdentifierGet(mlirLocationGetContext(self.location), string_ref(name)) };
        self.attributes.push(MlirNamedAttribute {
            name: identifier,
            attribute: attr.raw(),
        });
        self
    }

    pub(crate) fn named_attrs(mut self, attributes: impl IntoIterator<Item = MlirNamedAttribute>) -> Self {
        self.attributes.extend(attributes);
        self
    }

    /// Adds a region of one block, with arguments of these types at the op's location, whose ops `fill` makes.
    pub(crate) fn region(
        mut self,
        arguments: &[Ty],
        fill: impl FnOnce(Block) -> PassResult,
    ) -> PassResult<Self> {
        let types: Vec<MlirType> = arguments.iter().map(|ty| ty.raw()).collect();
        let locations = vec![self.location; types.len()];
        let block = unsafe {
            let region = Region(mlirRegionCreate());
            let block = mlirBlockCreate(types.len() as isize, types.as_ptr(), locations.as_ptr());
            mlirRegionAppendOwnedBlock(region.0, block);
            self.regions.push(region);
            Block::new(block)
        };
        fill(block)?;
        Ok(self)
    }

    /// Adds a region without blocks.
    pub(crate) fn empty_region(mut self) -> Self {
        self.regions.push(Region(unsafe { mlirRegionCreate() }));
        self
    }

    /// Makes the op at the end of a block. Fails, after a diagnostic, where MLIR refuses it.
    pub(crate) fn append_to(self, block: Block) -> PassResult<Op> {
        let op = self.build()?;
        unsafe { mlirBlockAppendOwnedOperation(block.raw(), op.raw()) };
        Ok(op)
    }

    /// Makes the op directly before `anchor`. Fails, after a diagnostic, where MLIR refuses it.
    pub(crate) fn insert_before(self, anchor: Op) -> PassResult<Op> {
        let block = anchor.parent_block().ok_or(Failed)?;
        let op = self.build()?;
        unsafe { mlirBlockInsertOwnedOperationBefore(block.raw(), anchor.raw(), op.raw()) };
        Ok(op)
    }

    /// Makes the op directly after `anchor`. Fails, after a diagnostic, where MLIR refuses it.
    pub(crate) fn insert_after(self, anchor: Op) -> PassResult<Op> {
        let block = anchor.parent_block().ok_or(Failed)?;
        let op = self.build()?;
        unsafe { mlirBlockInsertOwnedOperationAfter(block.raw(), anchor.raw(), op.raw()) };
        Ok(op)
    }

    fn build(self) -> PassResult<Op> {
        let raw = unsafe {
            let mut state = mlirOperationStateGet(string_ref(&self.name), self.location);
            mlirOperationStateAddOperands(&mut state, self.operands.len() as isize, self.operands.as_ptr());
            mlirOperationStateAddResults(&mut state, self.results.len() as isize, self.results.as_ptr());
            mlirOperationStateAddAttributes(
                &mut state,
                self.attributes.len() as isize,
                self.attributes.as_ptr(),
            );
            let regions: Vec<MlirRegion> = self
                .regions
                .into_iter()
                .map(|region| std::mem::ManuallyDrop::new(region).0)
                .collect();
            mlirOperationStateAddOwnedRegions(&mut state, regions.len() as isize, regions.as_ptr());
            mlirOperationCreate(&mut state)
        };
        if raw.ptr.is_null() {
            return Err(crate::diagnostics::error(
                self.location,
                &format!("cannot make '{}'", self.name),
            ));
        }
        Ok(Op::new(raw))
    }
}

/// Appends those symbols of a text, which is one of this crate's own, to a module's body that are wanted there. Fails, after a
/// diagnostic, where it does not parse.
pub(crate) fn append_parsed(module: Op, text: &str, mut is_wanted: impl FnMut(&str) -> bool) -> PassResult {
    let body = module.region(0).next().ok_or(Failed)?;
    unsafe {
        // The lexer looks for a zero behind the text.
        let terminated = format!("{text}\0");
        let parsed = mlirModuleCreateParse(module.context(), string_ref(&terminated[..text.len()]));
        if parsed.ptr.is_null() {
            return Err(Failed);
        }
        for op in Block::new(mlirModuleGetBody(parsed)).ops() {
            if is_wanted(&op.symbol_name().unwrap_or_default()) {
                mlirOperationRemoveFromParent(op.raw());
                mlirBlockAppendOwnedOperation(body.raw(), op.raw());
            }
        }
        mlirModuleDestroy(parsed);
    }
    Ok(())
}
