// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Groups that a program names by axes of a mesh: `#stablehlo.replica_group_mesh_axes<mesh = ..., axes = [...]>`.
//!
//! To MLIR the attribute is opaque text, so it is read here. The mesh is a symbol or spelled out in place; the axes
//! are `#stablehlo.axis_ref<name = "x">` or `#sdy<axis_ref"x">`. A part of an axis, written `(before)size`, is its
//! middle digit when the axis is seen as before x size x rest. Meshes with a device order of their own are refused.
//!
//! The result is lists of processes, as the dense encoding gives: row-major over the axes in the order in which they
//! are named, groups by their least member. Linear in the number of devices times the number of axes.

use std::collections::HashMap;

use super::{
    devices::MAX_DEVICES,
    groups::{Processes, shortened},
};
use crate::{
    diagnostics,
    mlir::{Attr, Op, PassResult},
};

/// Why a text could not be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
enum ReadError {
    #[error("{0}; expected a matrix or #stablehlo.replica_group_mesh_axes<mesh = ..., axes = [...]>")]
    Form(&'static str),
    #[error("names mesh @{0}, which no sdy.mesh of the module defines")]
    NoMesh(String),
    #[error("uses a mesh with a device order of its own ('device_ids')")]
    DeviceIds,
    #[error("uses a mesh of more than {MAX_DEVICES} devices, or with an axis that has none")]
    Size,
    #[error("names axis \"{0}\", which the mesh does not have")]
    NoAxis(String),
    #[error("names a part of axis \"{0}\" that does not divide it")]
    Part(String),
    #[error("names overlapping parts of axes")]
    Overlap,
}

/// Reads the groups of a collective.
pub(super) fn read(op: Op, attr: Attr, meshes: &HashMap<String, Op>) -> PassResult<Processes> {
    let text = attr.to_text();
    parse(&text, |name| meshes.get(name).copied().map(mesh_text)).map_err(|error| {
        diagnostics::op_error(op, &format!("{error}, in 'replica_groups' {}", shortened(&text)))
    })
}

/// The text in which an op gives the axes of its mesh.
fn mesh_text(mesh: Op) -> String {
    let attr = mesh
        .attr("mesh")
        .or_else(|| mesh.discardable_attr("stablehlo.mesh"));
    attr.map(Attr::to_text).unwrap_or_default()
}

/// One digit of a device's number: (number / stride) % size.
#[derive(Clone, Copy)]
struct Digit {
    stride: i64,
    size: i64,
}

fn parse(text: &str, mesh_of: impl Fn(&str) -> Option<String>) -> Result<Processes, ReadError> {
    let body = text
        .strip_prefix("#stablehlo.replica_group_mesh_axes<")
        .and_then(|rest| rest.strip_suffix('>'))
        .ok_or(ReadError::Form("is in no known encoding"))?;
    let (mut mesh, mut axes) = (None, None);
    for (name, value) in split(body).iter().filter_map(|part| part.split_once('=')) {
        match name.trim() {
            "mesh" => mesh = Some(value.trim()),
            "axes" => {
                axes = value
                    .trim()
                    .strip_prefix('[')
                    .and_then(|rest| rest.strip_suffix(']'))
            }
            _ => return Err(ReadError::Form("has an unknown field")),
        }
    }
    let (Some(mesh), Some(axes)) = (mesh, axes) else {
        return Err(ReadError::Form("lacks a mesh or a list of axes"));
    };
    let mesh = match mesh.strip_prefix('@') {
        None => parse_mesh(mesh)?,
        Some(name) => {
            let name = name.trim_matches('"');
            parse_mesh(&mesh_of(name).ok_or_else(|| ReadError::NoMesh(name.to_owned()))?)?
        }
    };
    let devices: i64 = mesh.iter().map(|(_, size)| size).product();
    let digits: Vec<Digit> = split(axes)
        .into_iter()
        .map(|axis| parse_axis(axis, &mesh))
        .collect::<Result<_, _>>()?;
    enumerate(devices, &digits)
}

/// Names and sizes of a mesh's axes, in `"x"=2`, in `name = "x", size = 2`, and in `{name = "x", size = 2 : i64}`: a
/// name in quotes, then a number.
fn parse_mesh(text: &str) -> Result<Vec<(String, i64)>, ReadError> {
    if text.contains("device_ids") {
        return Err(ReadError::DeviceIds);
    }
    let mut axes = Vec::new();
    let mut devices: i64 = 1;
    let mut pieces = text.split('"').skip(1);
    while let (Some(name), Some(rest)) = (pieces.next(), pieces.next()) {
        let size = number(rest).ok_or(ReadError::Form("has an axis without a size"))?;
        if size < 1 || size > MAX_DEVICES / devices {
            return Err(ReadError::Size);
        }
        devices *= size;
        axes.push((name.to_owned(), size));
    }
    Ok(axes)
}

/// The first number in a text.
fn number(text: &str) -> Option<i64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits = &text[start..];
    digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())]
        .parse()
        .ok()
}

/// The digit that a reference to an axis, or to a part of one, stands for.
fn parse_axis(text: &str, mesh: &[(String, i64)]) -> Result<Digit, ReadError> {
    let mut pieces = text.split('"').skip(1);
    let (Some(name), Some(rest)) = (pieces.next(), pieces.next()) else {
        return Err(ReadError::Form("has an axis without a name"));
    };
    let index = mesh
        .iter()
        .position(|(other, _)| other == name)
        .ok_or_else(|| ReadError::NoAxis(name.to_owned()))?;
    let whole = mesh[index].1;
    let inner: i64 = mesh[index + 1..].iter().map(|(_, size)| size).product();
    let Some((_, part)) = rest.split_once('(') else {
        return Ok(Digit {
            stride: inner,
            size: whole,
        });
    };
    let (before, size) = part
        .split_once(')')
        .and_then(|(before, after)| Some((number(before)?, number(after)?)))
        .ok_or(ReadError::Form(
            "has a part of an axis that is not '(before)size'",
        ))?;
    let covered = before
        .checked_mul(size)
        .filter(|covered| *covered > 0 && whole % covered == 0);
    let covered = covered.ok_or_else(|| ReadError::Part(name.to_owned()))?;
    Ok(Digit {
        stride: inner * (whole / covered),
        size,
    })
}

/// All groups of devices that differ in these digits only.
fn enumerate(devices: i64, digits: &[Digit]) -> Result<Processes, ReadError> {
    let mut sorted: Vec<Digit> = digits.iter().copied().filter(|digit| digit.size > 1).collect();
    sorted.sort_unstable_by_key(|digit| digit.stride);
    if sorted
        .windows(2)
        .any(|pair| pair[0].stride * pair[0].size > pair[1].stride)
    {
        return Err(ReadError::Overlap);
    }
    let mut offsets = vec![0];
    for digit in digits {
        offsets = offsets
            .into_iter()
            .flat_map(|offset| (0..digit.size).map(move |index| offset + index * digit.stride))
            .collect();
    }
    let list = (0..devices)
        .filter(|device| digits.iter().all(|digit| device / digit.stride % digit.size == 0))
        .flat_map(|least| offsets.iter().map(move |offset| least + offset))
        .collect();
    Ok(Processes {
        list,
        size: offsets.len(),
    })
}

/// Splits a list at its commas, those within brackets and quotes excepted.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quoted, mut start) = (0_usize, false, 0);
    for (index, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '<' | '[' | '{' | '(' => depth += 1,
            '>' | ']' | '}' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(text: &str) -> Result<Vec<Vec<i64>>, ReadError> {
        let processes = parse(text, |name| {
            (name == "m").then(|| "#sdy.mesh<[\"x\"=2, \"y\"=4]>".to_owned())
        })?;
        Ok(processes
            .list
            .chunks(processes.size)
            .map(<[i64]>::to_vec)
            .collect())
    }

    fn of_axes(axes: &str) -> Result<Vec<Vec<i64>>, ReadError> {
        groups(&format!(
            "#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [{axes}]>"
        ))
    }

    #[test]
    fn whole_axes() {
        assert_eq!(
            of_axes("#stablehlo.axis_ref<name = \"y\">"),
            Ok(vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]])
        );
        assert_eq!(
            of_axes("#sdy<axis_ref\"x\">"),
            Ok(vec![vec![0, 4], vec![1, 5], vec![2, 6], vec![3, 7]])
        );
        assert_eq!(
            of_axes("#sdy<axis_ref\"y\">, #sdy<axis_ref\"x\">"),
            Ok(vec![vec![0, 4, 1, 5, 2, 6, 3, 7]]),
            "the first axis varies slowest"
        );
    }

    #[test]
    fn parts_of_axes() {
        assert_eq!(
            of_axes("#sdy<axis_ref\"y\":(1)2>"),
            Ok(vec![vec![0, 2], vec![1, 3], vec![4, 6], vec![5, 7]])
        );
        assert_eq!(
            of_axes("#stablehlo.axis_ref<name = \"y\", sub_axis_info = (2)2>"),
            Ok(vec![vec![0, 1], vec![2, 3], vec![4, 5], vec![6, 7]])
        );
        assert_eq!(
            of_axes("#sdy<axis_ref\"y\":(1)3>"),
            Err(ReadError::Part("y".to_owned()))
        );
        assert_eq!(
            of_axes("#sdy<axis_ref\"y\":(1)2>, #sdy<axis_ref\"y\">"),
            Err(ReadError::Overlap)
        );
    }

    #[test]
    fn mesh_in_place() {
        let text = "#stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = \"a\", \
                    size = 2>, #stablehlo.mesh_axis<name = \"b\", size = 2>]>, axes = [#stablehlo.axis_ref<name = \"a\">]>";
        assert_eq!(groups(text), Ok(vec![vec![0, 2], vec![1, 3]]));
        assert_eq!(
            parse_mesh("{axes = [{name = \"a\", size = 3 : i64}]}"),
            Ok(vec![("a".to_owned(), 3)])
        );
    }

    #[test]
    fn no_axes_are_groups_of_one() {
        assert_eq!(of_axes("").map(|groups| groups.len()), Ok(8));
    }

    #[test]
    fn refusals() {
        assert_eq!(
            of_axes("#sdy<axis_ref\"z\">"),
            Err(ReadError::NoAxis("z".to_owned()))
        );
        assert_eq!(
            groups("#stablehlo.replica_group_mesh_axes<mesh = @n, axes = []>"),
            Err(ReadError::NoMesh("n".to_owned()))
        );
        assert_eq!(
            parse_mesh("#sdy.mesh<[\"x\"=2], device_ids=[1, 0]>"),
            Err(ReadError::DeviceIds)
        );
        assert_eq!(parse_mesh("\"x\"=1048576, \"y\"=2"), Err(ReadError::Size));
        assert!(matches!(groups("#stablehlo.iota<4>"), Err(ReadError::Form(_))));
        assert!(matches!(
            groups("#stablehlo.replica_group_mesh_axes<mesh = @m>"),
            Err(ReadError::Form(_))
        ));
    }
}
