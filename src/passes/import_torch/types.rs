// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Tensor types of the torch dialect as builtin ones.
//!
//! The torch dialect is not loaded, so its types are opaque and known only by their text:
//! `!torch.vtensor<[32,?],si64>` is `tensor<32x?xi64>`. Signs of integers are dropped, as torch-mlir itself does where it
//! leaves the dialect, so that the casts made here cancel with its own. Types are read once each and remembered.

use std::collections::HashMap;

use crate::mlir::Ty;

/// A value tensor's type, read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TorchTensor {
    /// The builtin type that stands for it.
    pub(crate) tensor: Ty,
    /// What of its elements matters to a reduction.
    pub(crate) element: Element,
}

/// What of an element type matters to a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// `i1`, torch's bool.
    Bool,
    /// `uiN`.
    Unsigned,
    /// Anything else.
    Other,
}

/// Remembers types that were read.
#[derive(Default)]
pub(crate) struct TypeReader {
    known: HashMap<usize, Result<TorchTensor, String>>,
}

impl TypeReader {
    /// The type as a builtin one, or why it is none.
    pub(crate) fn read(&mut self, ty: Ty, context: mlir_sys::MlirContext) -> Result<TorchTensor, String> {
        self.known
            .entry(ty.id())
            .or_insert_with(|| {
                let (text, element) = builtin_text(&ty.to_text())?;
                let tensor = Ty::parse(context, &text).ok_or_else(|| format!("'{text}' is no type"))?;
                Ok(TorchTensor { tensor, element })
            })
            .clone()
    }
}

/// Spells the builtin type that stands for a value tensor.
fn builtin_text(text: &str) -> Result<(String, Element), String> {
    let expected = |what: &str| {
        format!("type {text} {what}; a !torch.vtensor of known rank and element type is expected")
    };
    let Some(rest) = text.strip_prefix("!torch.vtensor") else {
        return Err(expected(if text.starts_with("!torch.tensor") {
            "may be written through an alias"
        } else {
            "is no value tensor"
        }));
    };
    let inner = rest
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
        .ok_or_else(|| expected("has neither rank nor element type"))?;
    let (dims, element) = inner
        .strip_prefix('[')
        .and_then(|inner| inner.split_once("],"))
        .ok_or_else(|| expected("has no rank"))?;
    if element.contains('#') {
        return Err(expected("has a layout that comm does not have"));
    }
    let mut shape = String::new();
    for dim in dims.split(',').map(str::trim).filter(|dim| !dim.is_empty()) {
        // What fits MLIR's own sizes; the text of an opaque type is checked by nobody else.
        if dim != "?" && !dim.parse::<i64>().is_ok_and(|size| size >= 0) {
            return Err(expected(&format!("has the size '{dim}'")));
        }
        shape.push_str(dim);
        shape.push('x');
    }
    let (element, kind) = builtin_element(element.trim())
        .ok_or_else(|| expected(&format!("has elements of type '{}'", element.trim())))?;
    Ok((format!("tensor<{shape}{element}>"), kind))
}

/// Spells an element type without sign.
fn builtin_element(element: &str) -> Option<(&str, Element)> {
    Some(match element {
        "i1" => ("i1", Element::Bool),
        "ui8" => ("i8", Element::Unsigned),
        "ui16" => ("i16", Element::Unsigned),
        "ui32" => ("i32", Element::Unsigned),
        "ui64" => ("i64", Element::Unsigned),
        "si8" => ("i8", Element::Other),
        "si16" => ("i16", Element::Other),
        "si32" => ("i32", Element::Other),
        "si64" => ("i64", Element::Other),
        "f16" | "bf16" | "f32" | "f64" | "complex<f16>" | "complex<f32>" | "complex<f64>" | "f8E4M3FN"
        | "f8E5M2" | "f8E4M3FNUZ" | "f8E5M2FNUZ" | "f8E8M0FNU" | "f4E2M1FN" => (element, Element::Other),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_builtin_types() {
        for (torch, builtin, element) in [
            ("!torch.vtensor<[32,64],f32>", "tensor<32x64xf32>", Element::Other),
            ("!torch.vtensor<[],si64>", "tensor<i64>", Element::Other),
            ("!torch.vtensor<[?,2],bf16>", "tensor<?x2xbf16>", Element::Other),
            ("!torch.vtensor<[3],ui8>", "tensor<3xi8>", Element::Unsigned),
            ("!torch.vtensor<[3],i1>", "tensor<3xi1>", Element::Bool),
            (
                "!torch.vtensor<[3],complex<f64>>",
                "tensor<3xcomplex<f64>>",
                Element::Other,
            ),
            (
                "!torch.vtensor<[3],f8E4M3FN>",
                "tensor<3xf8E4M3FN>",
                Element::Other,
            ),
        ] {
            assert_eq!(builtin_text(torch), Ok((builtin.to_owned(), element)));
        }
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for (torch, reason) in [
            ("!torch.tensor<[3],f32>", "alias"),
            ("!torch.vtensor", "neither rank"),
            ("!torch.vtensor<*,f32>", "no rank"),
            ("!torch.vtensor<[3],unk>", "elements of type 'unk'"),
            (
                "!torch.vtensor<[3],!torch.qint8>",
                "elements of type '!torch.qint8'",
            ),
            ("!torch.vtensor<[-3],f32>", "size '-3'"),
            (
                "!torch.vtensor<[99999999999999999999],f32>",
                "size '99999999999999999999'",
            ),
            ("!torch.vtensor<[3],f32,#sparse>", "layout"),
            ("tensor<3xf32>", "no value tensor"),
        ] {
            let refusal = builtin_text(torch).expect_err(torch);
            assert!(refusal.contains(reason), "{refusal}");
        }
    }
}
