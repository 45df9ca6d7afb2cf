// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Machine models: against measurements, against the durations of real problems, and what files may not say.

use comm_schedule::{
    Collective, Machine, MachineError, Profile,
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

fn preset(name: &str) -> Machine {
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

/// Starts of real problems for 8 devices: kind, bytes of the full tensor, duration.
fn collectives_of_problems() -> Vec<(Collective, u64, u64)> {
    // hsdp is left out: its groups have 4 devices, but it was timed with the line for 8.
    let files = [
        include_str!("../../../test/programs/problems/zero3_L2_llama7b_train.json"),
        include_str!("../../../test/programs/problems/zero3_L8_llama7b_fwd.json"),
        include_str!("../../../test/programs/problems/tp_sp_L4_llama7b_train.json"),
        include_str!("../../../test/programs/problems/dp_explicit_L4_llama7b_train.json"),
    ];
    let mut found = Vec::new();
    for file in files {
        let problem: serde_json::Value = serde_json::from_str(file).unwrap();
        for node in problem["nodes"].as_array().unwrap() {
            if node.get("stream").is_none() {
                continue;
            }
            let name = node["name"].as_str().unwrap().replace('-', "_");
            let bytes = node["bytes"].as_u64().unwrap();
            let (kind, full) = if name.starts_with("all_gather") {
                (Collective::AllGather, bytes)
            } else if name.starts_with("reduce_scatter") {
                (Collective::ReduceScatter, 8 * bytes)
            } else {
                assert!(
                    name.starts_with("all_reduce") || name.starts_with("psum"),
                    "{name}"
                );
                (Collective::AllReduce, bytes)
            };
            found.push((kind, full, node["ns"].as_u64().unwrap()));
        }
    }
    found
}

#[test]
fn collectives_of_real_problems_take_what_their_files_say() {
    let machine = preset("h100-8");
    let collectives = collectives_of_problems();
    assert!(collectives.len() > 100, "{}", collectives.len());
    for (kind, full, ns) in collectives {
        assert_eq!(
            machine.collective_ns(kind, 8, full, None),
            ns,
            "{kind:?} of {full}"
        );
    }
}

#[test]
fn computation_of_real_problems_takes_what_their_files_say() {
    let machine = preset("h100-8");
    // A layer's products on 2048 tokens of 4096 features: square, feed-forward, and the vocabulary.
    for (width, ns) in [(4096, 99_263), (11008, 266_768), (32000, 775_489)] {
        let bytes = 2 * (2048 * 4096 + 4096 * width + 2048 * width);
        assert_eq!(
            machine.matmul_ns(2 * 2048 * 4096 * width, Element::Bf16, bytes),
            ns
        );
    }
    // Attention's products of 32 heads are bound by memory.
    let (flops, bytes) = (2 * 32 * 2048 * 2048 * 128, 272_629_760 + 2 * 16_777_216);
    assert_eq!(machine.matmul_ns(flops, Element::Bf16, bytes), 107_527);
    // An update of a weight from itself and its gradient.
    assert_eq!(machine.memory_ns(3 * 90_177_536), 95_007);
    assert_eq!(machine.memory_ns(2_098_176), 2_500);
}

/// Measurements in the table that the presets were fitted to: bytes of the full tensor, and bytes a second of them.
#[test]
fn models_are_near_single_measurements() {
    let machine = preset("b200-8");
    for (kind, group, full, rate) in [
        (Collective::AllReduce, 8, 1u64 << 18, 4.940892641),
        (Collective::AllToAll, 4, 1 << 19, 14.185281385),
        (Collective::AllToAll, 8, 1 << 15, 1.120350109),
        (Collective::AllToAll, 2, 1 << 23, 127.937530502),
        (Collective::AllGather, 2, 1 << 30, 851.808285946),
        (Collective::Permute, 8, 1 << 24, 75.804898766),
        (Collective::Permute, 2, 1 << 25, 129.005394058),
        (Collective::Permute, 2, 1 << 30, 523.521123354),
    ] {
        let measured = full as f64 / rate;
        let modelled = machine.collective_ns(kind, group, full, None) as f64;
        let error = (modelled / measured - 1.0).abs();
        assert!(error < 0.35, "{kind:?} {group} {full}: {modelled} for {measured}");
    }
}

/// Bus bandwidth (bytes on the wire a second) at large sizes lies near the highest measured one.
#[test]
fn large_collectives_come_near_peak_bandwidth() {
    for (name, kind, group, peak) in [
        ("h100-8", Collective::AllGather, 2, 275.0),
        ("h100-8", Collective::AllGather, 4, 332.0),
        ("h100-8", Collective::AllGather, 8, 352.0),
        ("h100-8", Collective::ReduceScatter, 2, 205.0),
        ("h100-8", Collective::ReduceScatter, 8, 329.0),
        ("h100-8", Collective::AllReduce, 4, 302.0),
        ("h100-8", Collective::AllReduce, 8, 402.0),
        ("h100-8", Collective::AllToAll, 8, 340.0),
        ("h100-8", Collective::Permute, 2, 290.0),
        ("b200-8", Collective::AllGather, 8, 616.0),
        ("b200-8", Collective::ReduceScatter, 8, 642.0),
        ("b200-8", Collective::AllReduce, 8, 614.0),
        ("b200-8", Collective::AllToAll, 8, 601.0),
        ("b200-8", Collective::Permute, 2, 530.0),
    ] {
        let full = 1u64 << 29;
        let ns = preset(name).collective_ns(kind, group, full, None);
        let bandwidth = wire_bytes(kind, group, full) as f64 / ns as f64;
        assert!(
            (0.75..1.02).contains(&(bandwidth / peak)),
            "{name} {kind:?} {group}: {bandwidth} of {peak}"
        );
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

/// A machine with round numbers: a microsecond is 1000 ns, 1 GB/s is one byte a nanosecond.
fn round(collective: &str, rest: &str) -> Result<Machine, MachineError> {
    Machine::from_toml(&format!(
        "name = 'round'
launch_floor_ns = 10
matmul.peak_tflops = {{ f32 = 1 }}
memory.peak_gb_per_s = 100
{rest}
[collective]
{collective}"
    ))
}

const LINE: &str = "all_gather = [{ size = 2, latency_us = 1, gb_per_s = 1 }]";

#[test]
fn groups_between_given_sizes_are_interpolated_and_beyond_them_take_the_nearest() {
    let sizes = "all_gather = [{ size = 2, latency_us = 1, gb_per_s = 2 }, { size = 6, latency_us = 3, gb_per_s = 1 }]
        broadcast = [{ size = 2, latency_us = 1, gb_per_s = 2 }, { size = 6, latency_us = 3, gb_per_s = 1 }]";
    let machine = round(sizes, "").unwrap();
    let broadcast = |group| machine.collective_ns(Collective::Broadcast, group, 1000, None);
    assert_eq!(broadcast(2), 1500);
    assert_eq!(broadcast(3), 2125);
    assert_eq!(broadcast(4), 2750);
    assert_eq!(broadcast(6), 4000);
    assert_eq!(broadcast(1000), 4000);
    // Three quarters, not half, are on the wire for four devices.
    assert_eq!(
        machine.collective_ns(Collective::AllGather, 4, 1000, None),
        (1375 + 3750) / 2 + 1
    );
    // What is not given costs as an all-gather.
    assert_eq!(machine.collective_ns(Collective::AllToAll, 2, 1000, None), 1250);
    // Nothing is sent: a copy, read and written at 100 bytes a nanosecond.
    assert_eq!(broadcast(1), 20);
    assert_eq!(broadcast(0), 20);
}

#[test]
fn points_are_joined_by_straight_pieces() {
    let machine = round(
        "all_gather = [{ size = 2, latency_us = 1, points = [[100, 2], [300, 2], [400, 7]] }]",
        "",
    )
    .unwrap();
    let ns = |bytes| machine.collective_ns(Collective::Permute, 2, bytes, None);
    let expected = [
        (0, 1000),
        (50, 1500),
        (100, 2000),
        (200, 2000),
        (300, 2000),
        (350, 4500),
        (500, 12000),
    ];
    for (bytes, time) in expected {
        assert_eq!(ns(bytes), time, "{bytes}");
    }
}

#[test]
fn types_without_a_rate_run_as_wider_ones() {
    let rates = |given: &str| {
        let text = format!(
            "name = 'r'\nlaunch_floor_ns = 0\nmatmul = {{ efficiency = 0.5, peak_tflops = {{ {given} }} }}
             memory.peak_gb_per_s = 1\ncollective.{LINE}"
        );
        let machine = Machine::from_toml(&text).unwrap();
        [
            Element::F64,
            Element::F32,
            Element::F16,
            Element::Bf16,
            Element::F8,
            Element::I8,
        ]
        .map(|element| machine.matmul_ns(1_000_000, element, 0))
    };
    assert_eq!(rates("f32 = 2"), [1000; 6]);
    assert_eq!(rates("f32 = 2, bf16 = 4"), [1000, 1000, 500, 500, 500, 500]);
    assert_eq!(
        rates("f64 = 1, f32 = 2, f16 = 4, f8 = 8"),
        [2000, 1000, 500, 500, 250, 250]
    );
    assert_eq!(
        rates("f64 = 1, f16 = 4, i8 = 8"),
        [2000, 2000, 500, 500, 500, 250]
    );
}

#[test]
fn the_first_link_whose_conditions_hold_carries_a_group() {
    let machine = round(
        LINE,
        "[[link]]
         name = 'switch'
         domain = 4
         axes = ['tp', 'sp']
         [[link]]
         name = 'node'
         domain = 4
         [[link]]
         name = 'rest'
         collective.all_reduce = [{ size = 2, latency_us = 9, gb_per_s = 1 }]",
    )
    .unwrap();
    let link = |axes: Option<&[&str]>, groups: &[Vec<i64>]| {
        let found = machine.links().iter().find(|link| link.carries(axes, groups));
        found.unwrap().name().to_owned()
    };
    let near = [vec![0, 3], vec![5, 6]];
    assert_eq!(link(Some(&["tp"]), &near), "switch");
    assert_eq!(link(Some(&["sp", "tp"]), &near), "switch");
    assert_eq!(link(Some(&["tp", "dp"]), &near), "node");
    assert_eq!(link(None, &near), "node");
    assert_eq!(link(Some(&["tp"]), &[vec![0, 1], vec![3, 4]]), "rest");
    // Its own costs for the kinds it gives, those of the machine for others.
    let rest = machine.links().last();
    assert_eq!(machine.collective_ns(Collective::AllReduce, 2, 0, rest), 9000);
    assert_eq!(machine.collective_ns(Collective::AllGather, 2, 0, rest), 1000);
    assert_eq!(machine.collective_ns(Collective::AllReduce, 2, 0, None), 1000);
}

#[test]
fn what_a_machine_file_may_not_say_is_named() {
    let both = "all_gather = [{ size = 2, latency_us = 1, gb_per_s = 1, points = [[1, 2]] }]";
    for (collective, rest, expected) in [
        (
            "",
            "",
            "collective.all_gather is missing, but its cost, which other kinds that are not given share, is expected",
        ),
        (
            "all_gather = []",
            "",
            "collective.all_gather is empty, but at least one group size is expected",
        ),
        (
            "all_gather = [{ size = 1, latency_us = 1, gb_per_s = 1 }]",
            "",
            "collective.all_gather[0].size is 1, but a group size of 2 or more (ascending) is expected",
        ),
        (
            "all_gather = [{ size = 4, latency_us = 1, gb_per_s = 1 }, { size = 4, latency_us = 1, gb_per_s = 1 }]",
            "",
            "collective.all_gather[1].size is 4, but a group size of 5 or more (ascending) is expected",
        ),
        (
            "all_gather = [{ size = 2, latency_us = -3, gb_per_s = 1 }]",
            "",
            "collective.all_gather[0].latency_us is -3, but a number from 0 to 1000000000000 is expected",
        ),
        (
            "all_gather = [{ size = 2, latency_us = nan, gb_per_s = 1 }]",
            "",
            "collective.all_gather[0].latency_us is NaN, but a number from 0 to 1000000000000 is expected",
        ),
        (
            "all_gather = [{ size = 2, latency_us = 1, gb_per_s = inf }]",
            "",
            "collective.all_gather[0].gb_per_s is inf, but a number from 0.000001 to 1000000000000 is expected",
        ),
        (
            both,
            "",
            "collective.all_gather[0] is both gb_per_s and points, but one of them is expected",
        ),
        (
            "all_gather = [{ size = 2, latency_us = 1 }]",
            "",
            "collective.all_gather[0] is without bandwidth, but gb_per_s or at least one of points is expected",
        ),
        (
            "all_gather = [{ size = 2, latency_us = 1, points = [[8, 2], [8, 3]] }]",
            "",
            "collective.all_gather[0].points[1][0] is 8, but a number of bytes above 8 is expected",
        ),
        (
            "all_gather = [{ size = 2, latency_us = 3, points = [[8, 2]] }]",
            "",
            "collective.all_gather[0].points[0][1] is 2, but a time of 3 us or more, that of fewer bytes, is expected",
        ),
        (
            LINE,
            "contention.compute = 0.5",
            "contention.compute is 0.5, but a number from 1 to 1000 is expected",
        ),
        (
            LINE,
            "memory.efficiency = 1.5",
            "memory.efficiency is 1.5, but a number from 0.001 to 1 is expected",
        ),
        (
            LINE,
            "[[link]]\nname = 'a'\n[[link]]\nname = 'a'",
            "link[1].name is 'a', but a name that no other link has is expected",
        ),
        (
            LINE,
            "[[link]]\nname = 'a'\ndomain = 0",
            "link[0].domain is 0, but a number of ranks, 1 or more, is expected",
        ),
    ] {
        assert_eq!(round(collective, rest).unwrap_err().to_string(), expected);
    }
}

#[test]
fn errors_of_form_show_line_and_key() {
    let error = round(LINE, "launch_flor_ns = 3").unwrap_err().to_string();
    assert!(
        error.contains("line 5") && error.contains("launch_flor_ns"),
        "{error}"
    );
    let error = round(
        "all_gather = [{ size = 'two', latency_us = 1, gb_per_s = 1 }]",
        "",
    )
    .unwrap_err()
    .to_string();
    assert!(error.contains("line 7") && error.contains("'two'"), "{error}");
    let error = Machine::from_toml("name = 'x'").unwrap_err().to_string();
    assert!(error.contains("missing field `launch_floor_ns`"), "{error}");
    let error = Machine::from_toml("name = ").unwrap_err().to_string();
    assert!(error.contains("line 1"), "{error}");
}

/// The code blocks of that language in the page on machines.
fn examples(language: &str) -> Vec<&'static str> {
    let page = include_str!("../../../docs/machine.md");
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

#[test]
fn the_most_specific_entry_of_a_profile_wins() {
    let profile = Profile::parse(
        r#"{"op": [
            {"name": "a.b", "ns": 1},
            {"location": "\"f.py\":1:2", "ns": 2},
            {"name": "a.b", "location": "loc(\"f.py\":1:2)", "ns": 3},
            {"location": "\"layer\"", "ns": 4},
            {"location": "\"layer\"(\"f.py\":9:9)", "ns": 5}
        ]}"#,
    )
    .unwrap();
    let find = |name, locations: &[&str]| profile.find(name, locations.iter().copied());
    assert_eq!(find("a.b", &[]), Some((0, 1)));
    assert_eq!(find("a.c", &[]), None);
    assert_eq!(find("a.c", &["f.py:1:2"]), Some((1, 2)));
    assert_eq!(find("a.b", &["f.py:1:2"]), Some((2, 3)));
    assert_eq!(find("a.b", &["f.py:1:3"]), Some((0, 1)));
    assert_eq!(find("a.b", &["layer", "f.py:1:2"]), Some((3, 4)));
    assert_eq!(
        find("a.b", &["layer(f.py:9:9)", "layer", "f.py:9:9"]),
        Some((4, 5))
    );
    assert!(profile.names_locations());
    assert_eq!(profile.describe(0), "a.b");
    assert_eq!(profile.describe(2), "a.b at loc(f.py:1:2)");
    assert_eq!(profile.describe(4), "loc(layer(f.py:9:9))");
}

#[test]
fn what_a_profile_may_not_say_is_named() {
    for (text, expected) in [
        (
            r#"{"op": [{"ns": 1}]}"#,
            "op[0] is without name and location, but at least one of them is expected",
        ),
        (
            r#"{"op": [{"name": "a", "ns": 1}, {"name": "a", "ns": 2}]}"#,
            "op[1] is the second entry for the same name and location, but one entry for each is expected",
        ),
        (
            r#"{"op": [{"location": "\"f.py:1", "ns": 1}]}"#,
            "op[0].location is \"f.py:1, but a location as MLIR prints it is expected",
        ),
        (
            "[[op]]\nname = 'a'\nns = 2_000_000_000_000",
            "op[0].ns is 2000000000000, but a number of nanoseconds up to 1099511627776 is expected",
        ),
    ] {
        assert_eq!(Profile::parse(text).unwrap_err().to_string(), expected);
    }
    for (text, part) in [
        ("[[op]]\nname = 'a'\nns = -1", "line 3"),
        ("[[op]]\nname = 'a'\nnanos = 1", "nanos"),
        (r#"{"op": [{"name": "a"}]}"#, "missing field `ns` at line 1"),
    ] {
        let error = Profile::parse(text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
