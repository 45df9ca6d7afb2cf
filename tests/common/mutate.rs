// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Mutations of IR as text, most of which keep it parseable.

use fastrand::Rng;

/// Words that take each other's place.
const SWAPS: &[&[&str]] = &[
    &[
        "comm.all_gather",
        "comm.all_reduce sum",
        "comm.broadcast",
        "comm.all_to_all",
        "comm.permute",
        "comm.reduce_scatter avg",
    ],
    &["sum", "avg", "min", "max", "prod", "and", "or", "xor"],
    &["f32", "bf16", "i32", "i1", "f64", "index", "complex<f32>"],
    &[
        "@mesh[\"dp\"]",
        "@mesh[\"tp\"]",
        "[[0, 1]]",
        "[[0, 1], [2, 3]]",
        "[[1, 0]]",
        "[[0]]",
        "@missing[\"dp\"]",
        "@mesh[\"zz\"]",
    ],
    &["true", "false"],
    &[
        "stablehlo.add",
        "stablehlo.maximum",
        "stablehlo.reshape",
        "stablehlo.convert",
        "stablehlo.custom_call",
        "stablehlo.while",
    ],
    &[
        "stablehlo.all_gather",
        "stablehlo.all_reduce",
        "stablehlo.reduce_scatter",
        "stablehlo.collective_permute",
    ],
    &[
        "tensor<12x12xf32>",
        "tensor<3x12xf32>",
        "tensor<24x12xf32>",
        "tensor<*xf32>",
        "tensor<?x12xf32>",
        "tensor<f32>",
    ],
    &["scf.if", "scf.execute_region", "scf.for", "scf.while"],
    &[
        "comm.pure",
        "comm.uniform",
        "comm.trip_count",
        "comm.duration_ns",
        "mergeable",
        "regather",
    ],
    &["func.call", "func.return", "cf.br", "scf.yield"],
    &["split", "concat"],
    &["%flag", "%odd"],
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "-1",
    "64",
    "1000000",
    "9223372036854775807",
    "4294967296",
];

/// Applies a few random mutations. `other` is a text from which lines may be taken.
pub fn mutate(text: &str, other: &str, rng: &mut Rng) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + rng.usize(0..3).min(rng.usize(0..4)) {
        text = once(&text, other, rng);
    }
    text
}

fn once(text: &str, other: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let at = rng.usize(0..lines.len());
    match rng.u8(0..100) {
        0..8 => {
            lines.remove(at);
        }
        8..16 => lines.insert(at, renamed(&lines[at], rng)),
        16..30 => {
            let to = (at + rng.usize(1..8)).min(lines.len() - 1);
            lines.swap(at, to);
        }
        30..50 => lines[at] = with_number(&lines[at], rng),
        50..70 => return with_word(text, rng),
        70..84 => lines[at] = with_operand(&lines[at], text, rng),
        84..90 => {
            // A region, or some lines, once more somewhere else.
            let end = (at + rng.usize(1..12)).min(lines.len());
            let part: Vec<String> = lines[at..end].iter().map(|line| renamed(line, rng)).collect();
            let to = rng.usize(0..=lines.len());
            lines.splice(to..to, part);
        }
        90..94 => {
            let lent: Vec<&str> = other.lines().collect();
            if !lent.is_empty() {
                lines.insert(at, lent[rng.usize(0..lent.len())].to_owned());
            }
        }
        94..97 => lines[at] = with_attribute(&lines[at], rng),
        97..99 => {
            let end = rng.usize(at..lines.len());
            lines.drain(at..end);
        }
        _ => {
            let mut cut = rng.usize(0..=text.len());
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            return text[..cut].to_owned();
        }
    }
    lines.join("\n")
}

/// A line whose results have new names.
fn renamed(line: &str, rng: &mut Rng) -> String {
    match line.split_once('=') {
        Some((results, rest)) if results.trim_start().starts_with('%') => {
            let salt = rng.u16(..);
            let fresh: Vec<String> = results
                .split(',')
                .enumerate()
                .map(|(index, result)| match result.split_once(':') {
                    Some((_, count)) => format!("%d{salt}_{index}:{count}"),
                    None => format!("%d{salt}_{index}"),
                })
                .collect();
            format!("{} ={rest}", fresh.join(", "))
        }
        _ => line.to_owned(),
    }
}

/// Start and end of each maximal run of bytes that `belongs` accepts, where one starts with `first`.
fn runs(text: &str, first: impl Fn(u8) -> bool, belongs: impl Fn(u8) -> bool) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if first(bytes[at]) {
            let length = 1 + bytes[at + 1..].iter().take_while(|byte| belongs(**byte)).count();
            found.push((at, at + length));
            at += length;
        } else {
            at += 1;
        }
    }
    found
}

fn replace(text: &str, range: (usize, usize), with: &str) -> String {
    format!("{}{with}{}", &text[..range.0], &text[range.1..])
}

fn with_number(line: &str, rng: &mut Rng) -> String {
    let numbers = runs(line, |byte| byte.is_ascii_digit(), |byte| byte.is_ascii_digit());
    if numbers.is_empty() {
        return line.to_owned();
    }
    let number = numbers[rng.usize(0..numbers.len())];
    replace(line, number, NUMBERS[rng.usize(0..NUMBERS.len())])
}

fn values(text: &str) -> Vec<(usize, usize)> {
    runs(
        text,
        |byte| byte == b'%',
        |byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'#',
    )
}

fn with_operand(line: &str, text: &str, rng: &mut Rng) -> String {
    let (here, all) = (values(line), values(text));
    if here.is_empty() {
        return line.to_owned();
    }
    // Rather another operand than the result.
    let at = here[here.len() - 1 - rng.usize(0..here.len()).min(rng.usize(0..here.len()))];
    let from = all[rng.usize(0..all.len())];
    replace(line, at, &text[from.0..from.1])
}

fn with_word(text: &str, rng: &mut Rng) -> String {
    let start = rng.usize(0..SWAPS.len());
    for offset in 0..SWAPS.len() {
        let family = SWAPS[(start + offset) % SWAPS.len()];
        let word = family[rng.usize(0..family.len())];
        let places: Vec<usize> = text.match_indices(word).map(|(at, _)| at).collect();
        if !places.is_empty() {
            let at = places[rng.usize(0..places.len())];
            return replace(text, (at, at + word.len()), family[rng.usize(0..family.len())]);
        }
    }
    text.to_owned()
}

fn with_attribute(line: &str, rng: &mut Rng) -> String {
    const ATTRIBUTES: &[&str] = &[
        "comm.pure",
        "comm.duration_ns = 5 : i64",
        "comm.duration_ns = -1 : i64",
        "comm.duration_ns = \"x\"",
        "comm.uniform",
        "comm.trip_count = 3 : i64",
        "comm.trip_count = 0",
        "mergeable",
        "regather",
        "replica_groups = dense<0> : tensor<1x1xi64>",
        "channel_handle = 1",
        "groups = 7",
        "comm.order = 1 : i64",
        "use_global_device_ids",
    ];
    let attribute = ATTRIBUTES[rng.usize(0..ATTRIBUTES.len())];
    match line.find('{') {
        Some(at) if line.len() > at + 1 => format!("{}{{{attribute}, {}", &line[..at], &line[at + 1..]),
        _ => match line.find(") : (") {
            Some(at) => format!("{}) {{{attribute}}} {}", &line[..at], &line[at + 2..]),
            None => line.to_owned(),
        },
    }
}
