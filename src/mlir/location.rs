// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Source locations as texts by which a user names them.

use mlir_sys::*;

use super::{Op, from_string_ref};

/// Most locations looked at for one op. Inlined and fused locations share parts, so that all ways through them may be many
/// more than there are locations.
const MOST: usize = 64;

/// What a fused location is made of, in order; nothing for another one.
fn fused_parts(location: MlirLocation) -> Option<Vec<MlirLocation>> {
    // SAFETY: locations live as long as their context; the list has as many entries as the location has parts.
    unsafe {
        mlirLocationIsAFused(location).then(|| {
            let mut parts = vec![location; mlirLocationFusedGetNumLocations(location) as usize];
            mlirLocationFusedGetLocations(location, parts.as_mut_ptr());
            parts
        })
    }
}

/// Texts for the location of an op, without quotes, outer ones first: `layer1(model.py:12:3)`, `layer1` and `model.py:12:3`
/// for a named location; the callee's and then the caller's of a call; the parts of a fused one in order.
pub(crate) fn location_names(op: Op) -> Vec<String> {
    let mut names = Vec::new();
    let mut stack = vec![op.location()];
    for _ in 0..MOST {
        let Some(location) = stack.pop() else { break };
        // SAFETY: locations live as long as their context; casts follow the check of the kind.
        unsafe {
            if mlirLocationIsAName(location) {
                let name = from_string_ref(mlirIdentifierStr(mlirLocationNameGetName(location)));
                let child = mlirLocationNameGetChildLoc(location);
                if let Some(position) = file_position(child) {
                    names.push(format!("{name}({position})"));
                }
                names.push(name.to_owned());
                stack.push(child);
            } else if mlirLocationIsACallSite(location) {
                stack.push(mlirLocationCallSiteGetCaller(location));
                stack.push(mlirLocationCallSiteGetCallee(location));
            } else if let Some(parts) = fused_parts(location) {
                stack.extend(parts.into_iter().rev());
            } else {
                names.extend(file_position(location));
            }
        }
    }
    names
}

/// A short text for the location of an op: the name where it has one, else the line; of several the first that has either.
pub(crate) fn location_label(op: Op) -> Option<String> {
    let mut stack = vec![op.location()];
    for _ in 0..MOST {
        let location = stack.pop()?;
        // SAFETY: as above.
        unsafe {
            if mlirLocationIsAName(location) {
                return Some(
                    from_string_ref(mlirIdentifierStr(mlirLocationNameGetName(location))).to_owned(),
                );
            }
            if mlirLocationIsAFileLineColRange(location) {
                return Some(format!(
                    "line {}",
                    mlirLocationFileLineColRangeGetStartLine(location)
                ));
            }
            if mlirLocationIsACallSite(location) {
                stack.push(mlirLocationCallSiteGetCallee(location));
            } else if let Some(parts) = fused_parts(location) {
                stack.extend(parts.into_iter().rev());
            }
        }
    }
    None
}

/// The whole location of an op for a person to read: `model.py:12:3`, `layer1 (model.py:12:3)` for a named one, the places
/// of a call from the inside out, and the parts of a fused one, each once. Empty where nothing is known.
pub(crate) fn location_text(op: Op) -> String {
    text_of_location(op.location())
}

/// As above, of a location alone.
pub(crate) fn text_of_location(location: MlirLocation) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut stack = vec![location];
    for _ in 0..MOST {
        let Some(location) = stack.pop() else { break };
        // SAFETY: as above.
        unsafe {
            if mlirLocationIsAName(location) {
                let name = from_string_ref(mlirIdentifierStr(mlirLocationNameGetName(location)));
                let child = mlirLocationNameGetChildLoc(location);
                match file_position(child) {
                    Some(position) => parts.push(format!("{name} ({position})")),
                    None => {
                        parts.push(name.to_owned());
                        stack.push(child);
                    }
                }
            } else if mlirLocationIsACallSite(location) {
                stack.push(mlirLocationCallSiteGetCaller(location));
                stack.push(mlirLocationCallSiteGetCallee(location));
            } else if let Some(fused) = fused_parts(location) {
                stack.extend(fused.into_iter().rev());
            } else {
                parts.extend(file_position(location));
            }
        }
    }
    let mut once: Vec<String> = Vec::new();
    for part in parts {
        if !once.contains(&part) {
            once.push(part);
        }
    }
    once.join(", ")
}

/// The locations of some ops as one.
pub(crate) fn fused_location(ops: &[Op]) -> MlirLocation {
    let locations: Vec<MlirLocation> = ops.iter().map(|op| op.location()).collect();
    // SAFETY: as above; the array is copied. There is at least one op, and a null attribute is no metadata.
    unsafe {
        mlirLocationFusedGet(
            ops[0].context(),
            locations.len() as isize,
            locations.as_ptr(),
            mlirAttributeGetNull(),
        )
    }
}

/// The name in the location of an argument of a block.
pub(crate) fn argument_name(argument: super::Value) -> Option<String> {
    // SAFETY: as above; the value is alive.
    let location = unsafe { mlirValueGetLocation(argument.raw()) };
    name_of_location(location)
}

/// The name in the location of an op; of several the first.
pub(crate) fn location_name(op: Op) -> Option<String> {
    name_of_location(op.location())
}

fn name_of_location(location: MlirLocation) -> Option<String> {
    let mut stack = vec![location];
    for _ in 0..MOST {
        let location = stack.pop()?;
        // SAFETY: as above.
        unsafe {
            if mlirLocationIsAName(location) {
                return Some(
                    from_string_ref(mlirIdentifierStr(mlirLocationNameGetName(location))).to_owned(),
                );
            }
            if mlirLocationIsACallSite(location) {
                stack.push(mlirLocationCallSiteGetCallee(location));
            } else if mlirLocationIsAFused(location) {
                let mut parts = vec![location; mlirLocationFusedGetNumLocations(location) as usize];
                mlirLocationFusedGetLocations(location, parts.as_mut_ptr());
                stack.extend(parts.into_iter().rev());
            }
        }
    }
    None
}

/// `file:line:column`; nothing for another kind of location.
fn file_position(location: MlirLocation) -> Option<String> {
    // SAFETY: as above.
    unsafe {
        mlirLocationIsAFileLineColRange(location).then(|| {
            format!(
                "{}:{}:{}",
                from_string_ref(mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(
                    location
                ))),
                mlirLocationFileLineColRangeGetStartLine(location),
                mlirLocationFileLineColRangeGetStartColumn(location),
            )
        })
    }
}
