// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What machine files say, by a machine with round numbers, and what they may not say.

use comm_schedule::{Collective, Machine, MachineError, machine::Element};

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
            "matmul.tile = { units = 0, rows = 128, columns = 256 }",
            "matmul.tile.units is 0, but a whole number from 1 to 1000000 is expected",
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
