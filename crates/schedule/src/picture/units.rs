// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Times, sizes and shares as people read them, and the round ticks of an axis.
//!
//! Everything is computed in integers or rounded once, so that equal figures always read alike.

/// A time with three or more significant digits and the unit that keeps it short: `950 ns`, `12.3 us`, `4.57 ms`.
pub(super) fn time(ns: u64) -> String {
    let (unit, name) = time_unit(ns);
    format!("{} {name}", short(ns as f64 / unit as f64))
}

/// A time with three decimals: `19.132 ms`.
pub(super) fn exact_time(ns: u64) -> String {
    let (unit, name) = time_unit(ns);
    format!("{} {name}", decimal(ns, unit))
}

/// A size in binary units: `512 B`, `3.26 GiB`.
pub(super) fn bytes(bytes: u64) -> String {
    let (unit, name) = byte_unit(bytes);
    format!("{} {name}", short(bytes as f64 / unit as f64))
}

/// A share in per cent with one decimal: `13.6 %`.
pub(super) fn percent(part: u64, whole: u64) -> String {
    let share = if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64 * 100.0
    };
    format!("{share:.1} %")
}

/// By how much `value` differs from `base`: `-8.5 %`.
pub(super) fn change(base: u64, value: u64) -> String {
    match base {
        0 if value == 0 => "equal".to_owned(),
        0 => "from 0".to_owned(),
        _ if value == base => "equal".to_owned(),
        _ => format!("{:+.1} %", (value as f64 - base as f64) / base as f64 * 100.0),
    }
}

/// The unit of a time: its length in nanoseconds and its name.
fn time_unit(ns: u64) -> (u64, &'static str) {
    match ns {
        0..1_000 => (1, "ns"),
        1_000..1_000_000 => (1_000, "us"),
        1_000_000..1_000_000_000 => (1_000_000, "ms"),
        _ => (1_000_000_000, "s"),
    }
}

fn byte_unit(bytes: u64) -> (u64, &'static str) {
    let power = if bytes == 0 {
        0
    } else {
        (bytes.ilog2() / 10).min(5)
    };
    let name = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"][power as usize];
    (1 << (10 * power), name)
}

/// Three significant digits, or all those before the point, without zeros at the end.
fn short(value: f64) -> String {
    let decimals = match value {
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    let text = format!("{value:.decimals$}");
    match decimals {
        0 => text,
        _ => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

/// A tick of an axis.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tick {
    /// Where it stands.
    pub at: u64,
    /// What is written at it.
    pub label: String,
}

/// Ticks from 0 to `most` at distances of 1, 2 or 5 times a power of ten, at most `count` of them beside the first. All
/// labels have the unit of `most`.
pub(super) fn time_ticks(most: u64, count: usize) -> Vec<Tick> {
    let (unit, name) = time_unit(most);
    let step = round_step(most, count);
    ticks(most, step, unit, name)
}

/// As [`time_ticks`] for sizes, at distances of powers of two.
pub(super) fn byte_ticks(most: u64, count: usize) -> Vec<Tick> {
    let (unit, name) = byte_unit(most);
    let mut step = 1;
    while most / step > count.max(1) as u64 {
        step *= 2;
    }
    ticks(most, step, unit, name)
}

fn round_step(most: u64, count: usize) -> u64 {
    let mut power = 1u64;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if most / step <= count.max(1) as u64 {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

fn ticks(most: u64, step: u64, unit: u64, name: &str) -> Vec<Tick> {
    (0..=most / step)
        .map(|index| {
            let at = index * step;
            Tick {
                at,
                label: format!("{} {name}", decimal(at, unit)),
            }
        })
        .collect()
}

/// A quotient with up to three decimals.
fn decimal(part: u64, unit: u64) -> String {
    let text = format!("{:.3}", part as f64 / unit as f64);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_read_well() {
        assert_eq!(time(0), "0 ns");
        assert_eq!(time(999), "999 ns");
        assert_eq!(time(12_340), "12.3 us");
        assert_eq!(time(19_131_900), "19.1 ms");
        assert_eq!(time(2_597_800), "2.6 ms");
        assert_eq!(time(3_000_000_000), "3 s");
        assert_eq!(time(200_000), "200 us");
        assert_eq!(exact_time(19_131_900), "19.132 ms");
        assert_eq!(exact_time(100), "100 ns");
        assert_eq!(bytes(0), "0 B");
        assert_eq!(bytes(3_501_066_240), "3.26 GiB");
        assert_eq!(bytes(u64::MAX >> 1), "8192 PiB");
        assert_eq!(percent(1, 8), "12.5 %");
        assert_eq!(percent(0, 0), "0.0 %");
        assert_eq!(
            [change(200, 150), change(200, 201), change(0, 0), change(0, 5)],
            ["-25.0 %", "+0.5 %", "equal", "from 0"]
        );
    }

    #[test]
    fn ticks_are_round_and_few() {
        let labels = |ticks: Vec<Tick>| ticks.into_iter().map(|tick| tick.label).collect::<Vec<_>>();
        assert_eq!(
            labels(time_ticks(19_131_900, 5)),
            ["0 ms", "5 ms", "10 ms", "15 ms"]
        );
        assert_eq!(labels(time_ticks(0, 5)), ["0 ns"]);
        assert_eq!(
            labels(byte_ticks(3_501_066_240, 3)),
            ["0 GiB", "1 GiB", "2 GiB", "3 GiB"]
        );
        assert_eq!(labels(time_ticks(1_500, 4)), ["0 us", "0.5 us", "1 us", "1.5 us"]);
        assert!(time_ticks(u64::MAX, 10).len() <= 11);
        assert!(byte_ticks(u64::MAX >> 1, 3).len() <= 4);
    }
}
