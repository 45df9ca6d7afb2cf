// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Places of a program that a run may have to name: ops of groups of ranks, and buffers.
//!
//! Machine code knows no types, and asks for its groups and its memory without saying where. What is found here before it is
//! made tells whether so many ranks can run the program at all, and where a failure was. Only functions that the entry
//! reaches count.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use comm_runtime::{Error, Options};

use super::{RunnerError, memory};
use crate::{
    groups::Groups,
    mlir::{Attr, Op, Ty, location_text},
};

/// Most bytes of one tensor: what addresses of 47 bits reach, of which programs have no more on any machine of today.
const MOST_BYTES: u128 = 1 << 47;

/// By how many bytes a compiled allocation is larger than its buffer, at most: room to align it.
const MOST_ALIGNMENT: u128 = 4096;

/// Ops of groups, and allocations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sites {
    groups: Vec<GroupSite>,
    allocations: Vec<Allocation>,
}

/// An op of groups of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GroupSite {
    name: String,
    place: String,
    groups: Vec<Vec<i64>>,
    /// Every rank runs it.
    is_certain: bool,
    /// A rank in none of the groups has nothing to do, instead of being wrong.
    is_partial: bool,
    /// Bytes that reach some rank at least, where sizes are known.
    bytes: u128,
}

/// A buffer that the program allocates.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Allocation {
    ty: String,
    place: String,
    /// Nothing where sizes are known at run time only.
    bytes: Option<u128>,
}

/// Bytes of a tensor or buffer of static shape; more than there are where they cannot be counted.
fn bytes_of(ty: Ty) -> Option<u128> {
    let sizes: Option<Vec<i64>> = ty.dims()?.into_iter().collect();
    let element = u128::from(ty.element().element_bits()?.div_ceil(8));
    let bytes = |bytes: u128, size: &i64| bytes.saturating_mul(u128::try_from(*size).unwrap_or_default());
    Some(sizes?.iter().fold(element, bytes))
}

/// Refuses tensors and buffers that no memory holds, whose bytes may not even be counted in 64 bits.
///
/// # Errors
/// The first of them, with the op that makes it.
pub(super) fn check_sizes(root: Op) -> Result<(), RunnerError> {
    for op in root.walk() {
        let arguments = op.blocks().flat_map(|block| block.arguments());
        for value in op.results().chain(arguments) {
            let ty = value.ty();
            if let Some(bytes) = bytes_of(ty).filter(|&bytes| bytes > MOST_BYTES) {
                let what = match value.argument_of() {
                    Some(_) => format!("argument {} of {}", value.index(), op.name()),
                    None => format!("result {} of {}", value.index(), op.name()),
                };
                let place = at(&location_text(op));
                return Err(RunnerError::Memory {
                    what: format!("{what}{place}, of type {}", ty.to_text()),
                    bytes,
                });
            }
        }
    }
    Ok(())
}

/// Refuses constants for which there is no memory, before machine code is made of them.
///
/// # Errors
/// The first of them.
pub(super) fn check_constants(root: Op) -> Result<(), RunnerError> {
    let available = memory::available().unwrap_or(MOST_BYTES);
    for op in root.walk().into_iter().filter(|op| op.name() == "memref.global") {
        let Some(ty) = op.attr("type").and_then(Attr::as_type) else {
            continue;
        };
        if let Some(bytes) = bytes_of(ty).filter(|&bytes| bytes > available) {
            return Err(RunnerError::Memory {
                what: format!("the constant{}, of type {}", at(&location_text(op)), ty.to_text()),
                bytes,
            });
        }
    }
    Ok(())
}

/// A place behind what is there.
fn at(place: &str) -> String {
    match place.is_empty() {
        true => String::new(),
        false => format!(" at {place}"),
    }
}

impl Sites {
    /// Of a program of `comm_stream`.
    pub(super) fn of(root: Op, entry: &str) -> Self {
        let functions: BTreeMap<String, Op> = root
            .blocks()
            .flat_map(|block| block.ops())
            .filter(|op| op.name() == "func.func")
            .filter_map(|op| Some((op.symbol_name()?, op)))
            .collect();
        let mut sites = Self::default();
        let mut seen = BTreeSet::from([entry.to_owned()]);
        let mut open = vec![entry.to_owned()];
        while let Some(function) = open.pop().and_then(|name| functions.get(&name).copied()) {
            let is_entry = function.symbol_name().as_deref() == Some(entry);
            for op in function.walk() {
                if let Some(callee) = op.attr("callee").and_then(Attr::as_symbol)
                    && functions.contains_key(callee)
                    && seen.insert(callee.to_owned())
                {
                    open.push(callee.to_owned());
                }
                let is_certain = is_entry && op.parent_op() == Some(function);
                sites.groups.extend(GroupSite::of(op, is_certain));
                if op.name() == "memref.alloc" {
                    let ty = op.result(0).ty();
                    sites.allocations.push(Allocation {
                        ty: ty.to_text(),
                        place: location_text(op),
                        bytes: bytes_of(ty),
                    });
                }
            }
        }
        sites
    }

    /// Whether so many ranks can run the program in such a world.
    ///
    /// # Errors
    /// An op is of a group of which ranks are missing, or every rank runs an op that has no group for one of them, or an op
    /// moves more than the emulated interconnect does within the timeout.
    pub(super) fn check(&self, ranks: usize, options: &Options) -> Result<(), RunnerError> {
        let moves = |site: &GroupSite| site.groups.iter().any(|group| group.len() > 1);
        if let Some(link) = options.link.filter(|link| link.latency >= options.timeout)
            && self.groups.iter().any(moves)
        {
            return Err(RunnerError::Latency {
                latency: link.latency,
                timeout: options.timeout,
            });
        }
        for site in &self.groups {
            let highest = site.groups.iter().flatten().max().copied().unwrap_or_default();
            if usize::try_from(highest).is_ok_and(|highest| highest >= ranks) {
                return Err(RunnerError::TooFewRanks {
                    op: site.name.clone(),
                    place: at(&site.place),
                    rank: highest,
                    ranks,
                });
            }
            let is_outside =
                |rank: &usize| !site.groups.iter().flatten().any(|&member| member == *rank as i64);
            if site.is_certain
                && !site.is_partial
                && let Some(rank) = (0..ranks).find(is_outside)
            {
                return Err(RunnerError::NoGroup {
                    op: site.name.clone(),
                    place: at(&site.place),
                    groups: format!("{:?}", site.groups),
                    rank,
                    ranks,
                });
            }
            if let Some(link) = options.link.filter(|link| link.bandwidth > 0.0)
                && site.is_certain
            {
                let seconds = site.bytes as f64 / link.bandwidth;
                let needed = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
                if needed > options.timeout {
                    return Err(RunnerError::Bandwidth {
                        op: site.name.clone(),
                        place: at(&site.place),
                        bytes: site.bytes,
                        needed,
                        timeout: options.timeout,
                    });
                }
            }
        }
        Ok(())
    }

    /// Ops of groups that an error may be about which names none: those without a group for its rank.
    pub(super) fn named(&self, error: &Error) -> Vec<String> {
        let site = error.site();
        if &*site.op != "group" || !site.location.is_empty() {
            return Vec::new();
        }
        let rank = site.rank as i64;
        let is_for = |site: &&GroupSite| {
            !site.is_partial && !site.groups.iter().flatten().any(|&member| member == rank)
        };
        let name =
            |site: &GroupSite| format!("{}{}, of groups {:?}", site.name, at(&site.place), site.groups);
        self.groups.iter().filter(is_for).map(name).collect()
    }

    /// The buffers for which a program may have asked for so many bytes, in words.
    pub(super) fn allocation(&self, asked: usize) -> String {
        let asked = asked as u128;
        let is_like = |bytes: u128| bytes <= asked && asked - bytes <= MOST_ALIGNMENT;
        let of = |is_for: &dyn Fn(&Allocation) -> bool| -> Vec<String> {
            let found = self.allocations.iter().filter(|allocation| is_for(allocation));
            found
                .map(|allocation| format!("{}{}", allocation.ty, at(&allocation.place)))
                .collect()
        };
        let exact = of(&|allocation| allocation.bytes.is_some_and(is_like));
        let found = match exact.is_empty() {
            true => of(&|allocation| allocation.bytes.is_none()),
            false => exact,
        };
        match found.is_empty() {
            true => "a buffer of the program".to_owned(),
            false => found.join(", or "),
        }
    }
}

impl GroupSite {
    /// Of an op that has groups.
    fn of(op: Op, is_certain: bool) -> Option<Self> {
        let pairs = op.attr("pairs").and_then(Attr::as_i64_array);
        let is_known = op.name() == "comm.rank" || op.name().starts_with("comm_stream.");
        let has_groups = op.attr("groups").is_some() || pairs.is_some();
        if !is_known || !has_groups {
            return None;
        }
        let groups = Groups::of(op).ok()?.0;
        let moves = groups.iter().any(|group| group.len() > 1);
        let tensors = op.operands().filter_map(|value| bytes_of(value.ty()));
        // Of a group of two or more half of the largest tensor comes from others, at least.
        let bytes = tensors.max().filter(|_| moves).unwrap_or_default() / 2;
        Some(Self {
            name: op.name().to_owned(),
            place: location_text(op),
            groups,
            is_certain,
            is_partial: pairs.is_some(),
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Allocation, Sites};

    #[test]
    fn allocations_are_named_by_their_size() {
        let allocation = |ty: &str, place: &str, bytes| Allocation {
            ty: ty.to_owned(),
            place: place.to_owned(),
            bytes,
        };
        let sites = Sites {
            groups: Vec::new(),
            allocations: vec![
                allocation("memref<4xf32>", "a.mlir:1:2", Some(16)),
                allocation("memref<?xf32>", "", None),
                allocation("memref<25000xf32>", "a.mlir:3:4", Some(100_000)),
            ],
        };
        assert_eq!(sites.allocation(100_064), "memref<25000xf32> at a.mlir:3:4");
        assert_eq!(sites.allocation(90_000), "memref<?xf32>");
        assert_eq!(Sites::default().allocation(1), "a buffer of the program");
    }
}
