// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What ops cost, in nanoseconds: measured where a profile or `comm.duration_ns` says so, else by a machine model.
//!
//! The profile wins over the attribute, which wins over the model: what a user names for this run is newer than what the
//! program carries. Under the model a collective costs by its bytes on the wire, a matrix product by its operations or its
//! memory traffic, whichever takes longer, and anything else by its memory traffic; views, constants, waits and what
//! touches no tensor cost nothing. Unknown sizes count as nothing, so that such an op costs the launch floor.
//!
//! Ops are costed one by one: no fusion is foreseen, so a chain of elementwise ops of a program that a compiler will fuse
//! costs more here than on the machine. Ops whose regions are control flow are the caller's: see [`is_leaf`].

mod names;
mod product;
mod tensor;
mod traffic;

use std::cell::RefCell;

use comm_schedule::{
    Machine, Profile,
    machine::{Element, MAX_NS},
};
use rustc_hash::FxHashMap;

use crate::{
    collective::{Collective, Kind, is_wait},
    groups::Groups,
    mlir::{Attr, Failed, Op, PassResult, Ty, axis_names, location_names},
};
use names::Names;
use product::Product;
use tensor::Tensors;

/// Costs of ops on one machine. Made once for each run of a pass on a function.
pub(crate) struct Costs {
    machine: Machine,
    profile: Option<Profile>,
    /// Whether an entry of the profile was for an op that was asked about.
    matched: RefCell<Vec<bool>>,
    groups: RefCell<FxHashMap<usize, GroupFacts>>,
    tensors: Tensors,
    names: Names,
}

/// What costs depend on of the groups that one attribute spells.
#[derive(Clone, Copy)]
struct GroupFacts {
    size: u64,
    /// Position among the links of the machine.
    link: Option<usize>,
}

impl Costs {
    pub(crate) fn new(machine: Machine, profile: Option<Profile>) -> Self {
        let entries = profile.as_ref().map_or(0, Profile::len);
        Self {
            machine,
            profile,
            matched: RefCell::new(vec![false; entries]),
            groups: RefCell::default(),
            tensors: Tensors::default(),
            names: Names::default(),
        }
    }

    pub(crate) fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The measured cost of an op, with regions or without: that of the profile, else `comm.duration_ns`.
    pub(crate) fn given_ns(&self, op: Op) -> Option<u64> {
        self.profiled_ns(op).or_else(|| {
            let ns = op.discardable_attr("comm.duration_ns")?.as_i64()?;
            // The dialect's verifier lets no negative one through.
            u64::try_from(ns).ok().map(|ns| ns.min(MAX_NS))
        })
    }

    /// The cost of an op for which [`is_leaf`] holds, collectives and waits included. Fails, after an error at the op, where
    /// the groups of a collective cannot be resolved.
    pub(crate) fn leaf_ns(&self, op: Op) -> PassResult<u64> {
        if let Some(collective) = Collective::new(op) {
            return self.collective_ns(collective);
        }
        if let Some(ns) = self.given_ns(op) {
            return Ok(ns);
        }
        let name = self.names.of(op);
        if is_wait(op) || traffic::is_free(op, name, &self.tensors) {
            return Ok(0);
        }
        let bytes = traffic::bytes(op, name, &self.tensors);
        Ok(match product::of(op, &self.tensors) {
            Some(Product { flops, element }) => self.machine.matmul_ns(flops, element, bytes),
            None => self.machine.memory_ns(bytes),
        })
    }

    /// The cost of a collective, blocking or from start to end. Fails as [`Costs::leaf_ns`].
    pub(crate) fn collective_ns(&self, collective: Collective) -> PassResult<u64> {
        if let Some(ns) = self.given_ns(collective.op) {
            return Ok(ns);
        }
        Ok(self.collective_model(collective)?(full_bytes(collective)))
    }

    /// What the model says of a collective of this kind and these groups, by the bytes of its full tensors. Fails as
    /// [`Costs::leaf_ns`].
    pub(crate) fn collective_model(&self, collective: Collective) -> PassResult<impl Fn(u64) -> u64 + '_> {
        let facts = self.group_facts(collective)?;
        let link = facts.link.map(|link| &self.machine.links()[link]);
        Ok(move |bytes| {
            self.machine
                .collective_ns(collective.kind, facts.size, bytes, link)
        })
    }

    /// Name of the machine's link that the groups of a collective share with others; nothing where they have one of their
    /// own. Fails as [`Costs::leaf_ns`].
    pub(crate) fn link_of(&self, collective: Collective) -> PassResult<Option<&str>> {
        let facts = self.group_facts(collective)?;
        Ok(facts.link.map(|link| self.machine.links()[link].name()))
    }

    /// Entries of the profile that were for no op asked about so far, as text, in the order of the file. An entry may well be
    /// for another function, so this is for a remark, not for a warning.
    pub(crate) fn unmatched_entries(&self) -> Vec<String> {
        let Some(profile) = &self.profile else {
            return Vec::new();
        };
        let matched = self.matched.borrow();
        (0..profile.len())
            .filter(|&entry| !matched[entry])
            .map(|entry| profile.describe(entry))
            .collect()
    }

    fn profiled_ns(&self, op: Op) -> Option<u64> {
        let profile = self.profile.as_ref()?;
        // The profile is of the program before it was merged, and knows its members only.
        if op.num_operands() > 1
            && op.discardable_attr("comm.duration_ns").is_some()
            && Collective::new(op).is_some()
        {
            return None;
        }
        let locations = if profile.names_locations() {
            location_names(op)
        } else {
            Vec::new()
        };
        let (entry, ns) = profile.find(op.name(), locations.iter().map(String::as_str))?;
        self.matched.borrow_mut()[entry] = true;
        Some(ns)
    }

    fn group_facts(&self, collective: Collective) -> PassResult<GroupFacts> {
        let attribute = if collective.kind == Kind::Permute {
            "pairs"
        } else {
            "groups"
        };
        let attr = collective.op.attr(attribute).ok_or(Failed)?;
        if let Some(&facts) = self.groups.borrow().get(&attr.id()) {
            return Ok(facts);
        }
        let groups = Groups::of(collective.op)?;
        let axes = axis_names(attr);
        let link = self
            .machine
            .links()
            .iter()
            .position(|link| link.carries(axes.as_deref(), &groups.0));
        let facts = GroupFacts {
            size: groups.largest() as u64,
            link,
        };
        self.groups.borrow_mut().insert(attr.id(), facts);
        Ok(facts)
    }
}

/// Bytes of a collective's full tensors: what an all-gather yields, what any other takes.
pub(crate) fn full_bytes(collective: Collective) -> u64 {
    let sum = |types: &mut dyn Iterator<Item = Ty>| types.map(Ty::bytes).fold(0, u64::saturating_add);
    if collective.kind == Kind::AllGather {
        sum(&mut collective.yielded().into_iter())
    } else {
        sum(&mut collective.op.operands().map(|operand| operand.ty()))
    }
}

/// Whether an op is costed as a whole: it has no regions, or they only say what is done to elements. All other ops with
/// regions are control flow, or functions and modules, whose costs are those of what is in them.
pub(crate) fn is_leaf(op: Op) -> bool {
    let name = op.name();
    op.num_regions() == 0
        || name.starts_with("linalg.")
        || matches!(
            name,
            "stablehlo.all_reduce"
                | "stablehlo.map"
                | "stablehlo.reduce"
                | "stablehlo.reduce_scatter"
                | "stablehlo.reduce_window"
                | "stablehlo.scatter"
                | "stablehlo.select_and_scatter"
                | "stablehlo.sort"
                | "tensor.generate"
                | "tensor.pad"
        )
}

/// The rate at which products of these elements run; integers above 8 bits have no unit of their own and run as `f32`.
pub(crate) fn element_of(ty: Ty) -> Element {
    let ty = ty.complex_part().unwrap_or(ty);
    match (ty.float_width(), ty.integer_width()) {
        (Some(0..=8), _) => Element::F8,
        (Some(16), _) if ty.is_bf16() => Element::Bf16,
        (Some(16), _) => Element::F16,
        (Some(64..), _) => Element::F64,
        (None, Some(0..=8)) => Element::I8,
        _ => Element::F32,
    }
}

/// The integers in `name = [1, 2]` within the text of an attribute; none where it does not say.
pub(crate) fn listed(attr: Attr, name: &str) -> Vec<usize> {
    let text = attr.to_text();
    let list = text
        .split_once(name)
        .and_then(|(_, rest)| rest.trim_start().strip_prefix('='))
        .and_then(|rest| rest.trim_start().strip_prefix('['))
        .and_then(|rest| rest.split_once(']'));
    let Some((list, _)) = list else { return Vec::new() };
    list.split(',')
        .filter_map(|index| index.trim().parse().ok())
        .collect()
}

#[cfg(test)]
mod tests;
