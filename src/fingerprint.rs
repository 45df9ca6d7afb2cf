// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A number for what an op is: its name, types, attributes and groups, but not its place, its operands or any name given
//! to it.
//!
//! Equal in every run and on every machine, since it is made of text by a fixed function (FNV-1a, Fowler, Noll and Vo).
//! Groups count as the ranks they are, since a mesh has a name; the marks of comm-verify-schedule do not count, since they are
//! places. O(size of the op's attributes and groups).

use crate::{
    collective::Collective,
    groups::Groups,
    mlir::{Attr, Op, PassResult, name_of},
};

/// The number of an op; never 0. Fails, after an error at the op, where its groups cannot be resolved.
pub(crate) fn of(op: Op) -> PassResult<u64> {
    let mut hash = write(0xcbf2_9ce4_8422_2325, op.name());
    for result in op.results() {
        hash = write(hash, &result.ty().to_text());
    }
    if Collective::new(op).is_some() {
        hash = write(hash, &format!("{:?}", Groups::of(op)?.0));
    }
    for attribute in op.attrs_except(&["groups", "comm.recorded"]) {
        hash = write(hash, name_of(&attribute));
        hash = write(
            hash,
            &Attr::from_nullable(attribute.attribute)
                .map(Attr::to_text)
                .unwrap_or_default(),
        );
    }
    Ok(hash.max(1))
}

fn write(hash: u64, text: &str) -> u64 {
    let bytes = text.bytes().chain([0xff]);
    bytes.fold(hash, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
