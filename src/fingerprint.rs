// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A number for what an op is: its name, types and attributes, but not its place, its operands or any name given to it.
//!
//! Equal in every run and on every machine, since it is made of text by a fixed function (FNV-1a, Fowler, Noll and Vo).
//! Groups are left out: they may spell one partition in several ways, and name a mesh. O(size of the op's attributes).

use crate::mlir::{Attr, Op, name_of};

/// The number of an op; never 0.
pub(crate) fn of(op: Op) -> u64 {
    let mut hash = write(0xcbf2_9ce4_8422_2325, op.name());
    for result in op.results() {
        hash = write(hash, &result.ty().to_text());
    }
    for attribute in op.attrs_except(&["groups"]) {
        hash = write(hash, name_of(&attribute));
        hash = write(
            hash,
            &Attr::from_nullable(attribute.attribute)
                .map(Attr::to_text)
                .unwrap_or_default(),
        );
    }
    hash.max(1)
}

fn write(hash: u64, text: &str) -> u64 {
    let bytes = text.bytes().chain([0xff]);
    bytes.fold(hash, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
