// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the entry of a program takes and returns, and how that lies in memory.
//!
//! Memory is that of MLIR's C interface (`llvm.emit_c_interface`): a buffer is a descriptor, a pointer to which is passed; all
//! results stand in one record behind a pointer, except a single number, which is returned.

use comm_runtime::Element;

use super::{Array, RunnerError, array::describe, sites::Sites};
use crate::mlir::{Attr, BufferShape, Op, Ty, location_text, runtime_element};

/// An argument or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// What it is made of.
    pub element: Element,
    /// Sizes of a buffer, nothing for one that is known at run time only; nothing at all for a number.
    pub sizes: Option<Vec<Option<usize>>>,
}

/// Arguments and results of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Its name.
    pub entry: String,
    /// What it takes.
    pub inputs: Vec<Slot>,
    /// What it returns.
    pub outputs: Vec<Slot>,
    /// Places that a run may have to name; found on the way to the run-time.
    pub(super) sites: Sites,
}

impl Slot {
    fn of(ty: Ty) -> Option<Self> {
        let (number, _) = runtime_element(ty.element())?;
        let element = Element::from_number(number)?;
        let number = Self { element, sizes: None };
        let Some(dims) = ty.dims() else {
            return Some(number);
        };
        // Of tensors the later buffers are row-major.
        let is_row_major = ty.is_ranked_tensor() || {
            let shape = BufferShape::of(ty)?;
            let is_static = shape.sizes.iter().all(Option::is_some);
            if shape.sizes.contains(&Some(0)) {
                true
            } else if is_static {
                shape.is_row_major()
            } else {
                shape.offset == Some(0) && ends_with_one(&shape)
            }
        };
        let sizes = dims
            .into_iter()
            .map(|size| size.and_then(|size| usize::try_from(size).ok()));
        is_row_major.then(|| Self {
            element,
            sizes: Some(sizes.collect()),
        })
    }

    /// Element type and sizes in MLIR's notation.
    pub fn describe(&self) -> String {
        describe(self.element, self.sizes.iter().flatten().copied())
    }

    /// Bytes of its elements, more than there are where they cannot be counted; nothing where a size is not known.
    pub(super) fn bytes(&self) -> Option<u128> {
        let sizes = self.sizes.as_deref().unwrap_or_default().iter();
        sizes
            .copied()
            .try_fold(self.element.bytes() as u128, |bytes, size| {
                Some(bytes.saturating_mul(size? as u128))
            })
    }

    /// Whether an array may stand for it. Integers of one width may differ in their sign, which MLIR's types do not say.
    pub fn accepts(&self, array: &Array) -> bool {
        let sizes = self.sizes.as_deref().unwrap_or_default();
        let fits = sizes.len() == array.shape().len()
            && sizes
                .iter()
                .zip(array.shape())
                .all(|(size, &given)| size.is_none_or(|size| size == given));
        fits && self.element_accepts(array.element())
    }

    fn element_accepts(&self, given: Element) -> bool {
        let is_plain = |element: Element| !element.is_float() && element != Element::I1;
        given == self.element
            || is_plain(given) && is_plain(self.element) && given.bytes() == self.element.bytes()
    }

    /// Bytes in a record, and what their place is a multiple of.
    pub(super) fn layout(&self) -> (usize, usize) {
        match &self.sizes {
            Some(sizes) => (24 + 16 * sizes.len(), 8),
            None => (self.element.bytes(), self.element.bytes()),
        }
    }
}

/// Whether the last dimension of a buffer has neighbours next to each other, as a row-major one of dynamic size.
fn ends_with_one(shape: &BufferShape) -> bool {
    shape.strides.last().is_none_or(|&stride| stride == Some(1))
}

impl Signature {
    /// Of a function of a module, which from now on has a C interface.
    pub(super) fn of(module: Op, entry: &str) -> Result<Self, RunnerError> {
        let ops = || module.blocks().flat_map(|block| block.ops());
        let functions = || ops().filter(|op| op.name() == "func.func" && op.blocks().next().is_some());
        let function = functions().find(|op| op.symbol_name().as_deref() == Some(entry));
        let Some(function) = function else {
            let mut declared =
                ops().filter(|op| op.name() == "func.func" && op.symbol_name().as_deref() == Some(entry));
            if let Some(function) = declared.next() {
                return Err(RunnerError::NoBody {
                    function: entry.to_owned(),
                    place: location_text(function),
                });
            }
            let names: Vec<String> = functions().filter_map(Op::symbol_name).collect();
            return Err(RunnerError::NoEntry {
                entry: entry.to_owned(),
                functions: match names.is_empty() {
                    true => "there is none".to_owned(),
                    false => format!("there are: {}", names.join(", ")),
                },
            });
        };
        let refuse = |what: String, ty: Ty| RunnerError::Type {
            what,
            ty: ty.to_text(),
        };
        let arguments = function
            .region(0)
            .next()
            .into_iter()
            .flat_map(|block| block.arguments());
        let inputs: Result<Vec<Slot>, _> = arguments
            .enumerate()
            .map(|(index, value)| {
                Slot::of(value.ty()).ok_or_else(|| refuse(format!("input {index}"), value.ty()))
            })
            .collect();
        let types = function
            .attr("function_type")
            .and_then(Attr::as_type)
            .and_then(Ty::function_types);
        let inputs = inputs?;
        let results = types.unwrap_or_default().into_iter().skip(inputs.len());
        let outputs: Result<Vec<Slot>, _> = results
            .enumerate()
            .map(|(index, ty)| Slot::of(ty).ok_or_else(|| refuse(format!("result {index}"), ty)))
            .collect();
        function.set_discardable_attr("llvm.emit_c_interface", Attr::unit(function.context()));
        Ok(Self {
            entry: entry.to_owned(),
            inputs,
            outputs: outputs?,
            sites: Sites::default(),
        })
    }

    /// Checks the inputs of all ranks.
    ///
    /// # Errors
    /// There are too few or too many, or one has another shape or element type; the message names it.
    pub fn check(&self, inputs: &[Vec<Array>]) -> Result<(), RunnerError> {
        for (rank, arrays) in inputs.iter().enumerate() {
            if arrays.len() != self.inputs.len() {
                return Err(RunnerError::InputCount {
                    rank,
                    entry: self.entry.clone(),
                    expected: self.inputs.len(),
                    types: match self.inputs.is_empty() {
                        true => String::new(),
                        false => {
                            let types: Vec<String> = self.inputs.iter().map(Slot::describe).collect();
                            format!(": {}", types.join(", "))
                        }
                    },
                    found: arrays.len(),
                });
            }
            for (index, (slot, array)) in self.inputs.iter().zip(arrays).enumerate() {
                if !slot.accepts(array) {
                    return Err(RunnerError::Input {
                        index,
                        rank,
                        expected: slot.describe(),
                        found: array.describe(),
                    });
                }
            }
        }
        Ok(())
    }
}
