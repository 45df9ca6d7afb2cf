// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Machine models: against measurements, against the durations of real problems, and what files may not say.

mod files;
mod measurements;
mod profiles;

use comm_schedule::{
    Collective, Machine, Profile,
    machine::{Element, MAX_NS, PRESETS, wire_bytes},
};
use proptest::prelude::*;

const KINDS: [Collective; 6] = [
    Collective::AllGather,
    Collective::ReduceScatter,
    Collective::AllReduce,
    Collective::AllToAll,
    Collective::Permute,
    Collective::Broadcast,
];

pub(crate) fn preset(name: &str) -> Machine {
    Machine::preset(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn presets_load_under_their_names() {
    for name in PRESETS {
        let machine = preset(name);
        assert_eq!(machine.name(), name);
        assert_eq!(machine.contention().compute, 1.0);
        assert_eq!(machine.links()[0].name(), "nvlink");
    }
    assert_eq!(
        Machine::load("v100-8").unwrap_err().to_string(),
        "'v100-8' is no machine: one of a100-8, h100-8, b200-8, or a path that ends in .toml, is expected"
    );
    let missing = Machine::load("no/such.toml").unwrap_err().to_string();
    assert!(missing.starts_with("cannot read 'no/such.toml': "), "{missing}");
}

proptest! {
    #[test]
    fn costs_grow_with_size_and_are_bounded(
        preset_index in 0..PRESETS.len(),
        kind in 0..KINDS.len(),
        group in prop_oneof![0..20u64, any::<u64>()],
        one in any::<u64>().prop_flat_map(|bytes| 0..=bytes),
        other in any::<u64>().prop_flat_map(|bytes| 0..=bytes),
    ) {
        let machine = preset(PRESETS[preset_index]);
        let (less, more) = (one.min(other), one.max(other));
        let cost = |bytes| machine.collective_ns(KINDS[kind], group, bytes, None);
        prop_assert!(cost(less) <= cost(more));
        prop_assert!(cost(more) <= MAX_NS);
        prop_assert!(machine.memory_ns(less) <= machine.memory_ns(more));
        for element in [Element::F64, Element::F32, Element::F16, Element::Bf16, Element::F8, Element::I8] {
            let product = |flops, bytes| machine.matmul_ns(flops, element, bytes);
            prop_assert!(product(less, 0) <= product(more, 0));
            prop_assert!(product(less, less) <= product(less, more));
            prop_assert!(product(more, more) <= MAX_NS);
            prop_assert!(product(0, 0) >= machine.launch_floor_ns());
        }
    }
}

#[test]
fn bytes_on_the_wire_by_kind() {
    use Collective::*;
    for (kind, wire) in [
        (AllGather, 750),
        (ReduceScatter, 750),
        (AllToAll, 750),
        (AllReduce, 1500),
        (Permute, 1000),
        (Broadcast, 1000),
    ] {
        assert_eq!(wire_bytes(kind, 4, 1000), wire, "{kind:?}");
        assert!(wire_bytes(kind, u64::MAX, u64::MAX) >= u64::MAX - 1, "{kind:?}");
    }
    assert_eq!(wire_bytes(AllReduce, 1, 1000), 0);
    assert_eq!(wire_bytes(AllReduce, 0, 1000), 0);
}

/// The code blocks of that language in the page on machines.
fn examples(language: &str) -> Vec<&'static str> {
    let page = include_str!("../../../../docs/machine.md");
    let open = format!("```{language}\n");
    page.split(open.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

#[test]
fn examples_of_the_page_load() {
    let [machine] = examples("toml")[..] else {
        panic!("one machine is expected")
    };
    let machine = Machine::from_toml(machine).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(machine.contention().compute, 1.1);
    let network = machine.links().iter().find(|link| link.name() == "network");
    assert_eq!(
        machine.collective_ns(Collective::AllReduce, 2, 40_000, network),
        61_000
    );
    for language in ["toml-profile", "json"] {
        let [profile] = examples(language)[..] else {
            panic!("one profile in {language} is expected")
        };
        let profile = Profile::parse(profile).unwrap_or_else(|error| panic!("{error}"));
        let found = profile.find("stablehlo.dot_general", ["model.py:12:3"]);
        assert_eq!(found.map(|found| found.1), Some(99_263));
    }
}
