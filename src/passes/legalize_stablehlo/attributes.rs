// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Attributes of StableHLO ops, which no verifier has looked at.
//!
//! Those of StableHLO's own (`#stablehlo.dot<...>`, `#stablehlo<comparison_direction LT>`) are opaque: their text is
//! parsed, in the form that StableHLO prints, where fields that are empty or zero are left out.

use crate::{
    diagnostics,
    mlir::{Attr, Op, PassResult},
};

/// An attribute that an op must have.
pub(super) fn required(op: Op, name: &str) -> PassResult<Attr> {
    op.attr(name)
        .ok_or_else(|| diagnostics::op_error(op, &format!("has no attribute '{name}'")))
}

/// An integer that an op must have.
pub(super) fn integer(op: Op, name: &str) -> PassResult<i64> {
    let attr = required(op, name)?;
    attr.as_i64()
        .ok_or_else(|| unexpected(op, name, attr, "an integer"))
}

/// A list of integers that an op must have, as `array<i64: ...>` or as `dense<...>`.
pub(super) fn integers(op: Op, name: &str) -> PassResult<Vec<i64>> {
    let attr = required(op, name)?;
    integers_of(attr).ok_or_else(|| unexpected(op, name, attr, "a list of integers"))
}

/// As [`integers`], with a default where the op has none, and of this length.
pub(super) fn integers_or(op: Op, name: &str, default: i64, length: usize) -> PassResult<Vec<i64>> {
    match op.attr(name) {
        None => Ok(vec![default; length]),
        Some(_) => integers_of_length(op, name, length),
    }
}

/// As [`integers`], of this length.
pub(super) fn integers_of_length(op: Op, name: &str, length: usize) -> PassResult<Vec<i64>> {
    let list = integers(op, name)?;
    if list.len() == length {
        return Ok(list);
    }
    Err(diagnostics::op_error(
        op,
        &format!(
            "expects {length} number(s) in '{name}', but it has {}",
            list.len()
        ),
    ))
}

fn integers_of(attr: Attr) -> Option<Vec<i64>> {
    attr.as_i64_array().or_else(|| attr.as_dense_integers())
}

/// Dimensions of a tensor of this rank: each there, and none twice.
pub(super) fn dimensions(op: Op, name: &str, rank: usize) -> PassResult<Vec<usize>> {
    check_dimensions(op, name, &integers(op, name)?, rank)
}

/// As [`dimensions`], of numbers that have been read.
pub(super) fn check_dimensions(op: Op, name: &str, list: &[i64], rank: usize) -> PassResult<Vec<usize>> {
    let mut seen = vec![false; rank];
    list.iter()
        .map(|&dim| {
            let place = usize::try_from(dim).ok().filter(|&dim| dim < rank && !seen[dim]);
            let place = place.ok_or_else(|| {
                diagnostics::op_error(
                    op,
                    &format!(
                        "has {dim} in '{name}'; expected distinct dimensions of a tensor of {rank} dimension(s)"
                    ),
                )
            })?;
            seen[place] = true;
            Ok(place)
        })
        .collect()
}

/// One dimension of a tensor of this rank.
pub(super) fn dimension(op: Op, name: &str, rank: usize) -> PassResult<usize> {
    let dim = integer(op, name)?;
    Ok(check_dimensions(op, name, &[dim], rank)?[0])
}

fn unexpected(op: Op, name: &str, attr: Attr, expected: &str) -> crate::mlir::Failed {
    diagnostics::op_error(
        op,
        &format!("expects {expected} as '{name}', but it is {}", attr.to_text()),
    )
}

/// The word of an enumeration, as `LT` of `#stablehlo<comparison_direction LT>`.
pub(super) fn word(attr: Attr) -> String {
    let text = attr.to_text();
    let word = text.trim_end_matches('>');
    word.rsplit([' ', '<']).next().unwrap_or_default().to_owned()
}

/// Fields of `#stablehlo.NAME<field = [1, 2], field = 3>`.
pub(super) struct Fields {
    text: String,
}

impl Fields {
    /// Fields of an attribute that an op must have.
    pub(super) fn of(op: Op, name: &str) -> PassResult<Self> {
        Ok(Self {
            text: required(op, name)?.to_text(),
        })
    }

    /// What stands behind `field =`.
    fn value(&self, field: &str) -> Option<&str> {
        let mut rest = self.text.as_str();
        while let Some(at) = rest.find(field) {
            let (before, behind) = (&rest[..at], &rest[at + field.len()..]);
            let begins = !before.ends_with(|character: char| character.is_alphanumeric() || character == '_');
            if begins && let Some(value) = behind.trim_start().strip_prefix('=') {
                return Some(value.trim_start());
            }
            rest = behind;
        }
        None
    }

    /// A list of numbers; an empty one where the field is left out.
    pub(super) fn list(&self, op: Op, field: &str) -> PassResult<Vec<i64>> {
        let Some(value) = self.value(field) else {
            return Ok(Vec::new());
        };
        let inner = value
            .strip_prefix('[')
            .and_then(|value| value.split_once(']'))
            .map(|(inner, _)| inner.trim());
        let numbers = inner.and_then(|inner| match inner {
            "" => Some(Vec::new()),
            inner => inner
                .split(',')
                .map(|number| number.trim().parse().ok())
                .collect(),
        });
        numbers.ok_or_else(|| self.malformed(op, field))
    }

    /// A number; 0 where the field is left out.
    pub(super) fn number(&self, op: Op, field: &str) -> PassResult<i64> {
        let Some(value) = self.value(field) else {
            return Ok(0);
        };
        let end = value
            .find(|character: char| !character.is_ascii_digit() && character != '-')
            .unwrap_or(value.len());
        value[..end].parse().map_err(|_| self.malformed(op, field))
    }

    fn malformed(&self, op: Op, field: &str) -> crate::mlir::Failed {
        diagnostics::op_error(
            op,
            &format!("has '{field}' in {}, which cannot be read", self.text),
        )
    }
}
