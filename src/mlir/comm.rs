// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Attributes of the `comm` dialect, as passes make them.

use mlir_sys::{MlirContext, MlirLocation};

use super::{Attr, Failed, PassResult, string_ref};
use crate::{dialect::Reduction, ffi};

// SAFETY of all calls below: arrays and strings are alive during the call and copied; handles are of a live context.

/// `#comm.groups<...>`. Fails, after an error at `location`, where these are no groups of one size.
pub(crate) fn groups(location: MlirLocation, groups: &[Vec<i64>]) -> PassResult<Attr> {
    let flat: Vec<i64> = groups.iter().flatten().copied().collect();
    let size = groups.first().map_or(0, Vec::len) as i64;
    Attr::from_nullable(unsafe { ffi::commGroupsAttrGet(location, size, flat.len(), flat.as_ptr()) })
        .ok_or(Failed)
}

/// `#comm.axes<@mesh["axis", ...]>`.
pub(crate) fn axes(context: MlirContext, mesh: &str, axes: &[String]) -> PassResult<Attr> {
    let names: Vec<_> = axes.iter().map(|axis| string_ref(axis)).collect();
    Attr::from_nullable(unsafe {
        ffi::commAxesAttrGet(context, string_ref(mesh), names.len(), names.as_ptr())
    })
    .ok_or(Failed)
}

/// `#comm.reduction<kind>`.
pub(crate) fn reduction(context: MlirContext, kind: Reduction) -> PassResult<Attr> {
    Attr::from_nullable(unsafe { ffi::commReductionAttrGet(context, kind as u32) }).ok_or(Failed)
}

/// Names of the axes in `#comm.axes<...>`; nothing for another attribute. They live as long as the context.
pub(crate) fn axis_names<'a>(attr: Attr) -> Option<Vec<&'a str>> {
    let count = unsafe { ffi::commAxesAttrGetNumAxes(attr.raw()) };
    (count >= 0).then(|| {
        (0..count)
            .map(|index| unsafe { super::from_string_ref(ffi::commAxesAttrGetAxis(attr.raw(), index)) })
            .collect()
    })
}

/// The kind that `#comm.reduction<kind>` names.
pub(crate) fn reduction_name(attr: Attr) -> Option<String> {
    let text = attr.to_text();
    let (_, kind) = text.split_once("reduction<")?;
    Some(kind.strip_suffix('>')?.to_owned())
}
