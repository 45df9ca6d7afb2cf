// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a fused op takes against what it replaces, by the machine model.
//!
//! A group of g devices cuts the work into g chunks, each with a transfer and a product, its own without a transfer. Copies
//! are on one stream and go ahead of the products, which are on another:
//!
//! - gather: t(0) = c; t(j) = max(t(j-1), h + j·m) + c, where c is a chunk's product, m its transfer and h the signal;
//! - scatter: the product of chunk j ends at (j+1)·c; its transfer, max of that and the last, takes m; the own chunk comes
//!   last, and each arrival is added.
//!
//! Both are solved by g steps. A chunk's transfer is the collective cut in g-1, but at least a launch; its product is a
//! product of its size, with the waste of partly filled waves of tiles ([`comm_schedule::machine::Tile`]), and at least a
//! launch. So small products are refused: pipelines of PyTorch that are slower than collective and product measure so for
//! chunks of fewer than about 512 rows (github.com/meta-pytorch/kraken pull requests 2 and 19, pytorch issue 143160).
//!
//! Not modelled: contention, devices that are late, and epilogues, which cost the same on both sides.

use comm_schedule::Machine;

use super::contraction::Contraction;
use crate::{cost::element_of, mlir::Ty};

/// Modelled times of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    /// The ops as they stand, one after the other.
    pub(super) plain_ns: u64,
    /// The fused op.
    pub(super) fused_ns: u64,
}

impl Times {
    /// Whether the fused op takes at least `percent` less.
    pub(super) fn gains(self, percent: u32) -> bool {
        let needed = u128::from(self.plain_ns) * u128::from(100 - percent.min(100));
        u128::from(self.fused_ns) * 100 <= needed && self.fused_ns < self.plain_ns
    }
}

/// A product and its chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Product {
    pub(super) whole_ns: u64,
    pub(super) chunk_ns: u64,
}

/// Time of a contraction, and of its chunk where loop `cut` has only the extent `part`; `measured` is what the whole is known
/// to take. Nothing where a size is not known.
pub(super) fn product(
    machine: &Machine,
    contraction: &Contraction,
    cut: usize,
    part: Option<u64>,
    measured: Option<u64>,
) -> Option<Product> {
    let whole: Vec<u64> = contraction
        .extents
        .iter()
        .map(|extent| u64::try_from((*extent)?).ok())
        .collect::<Option<_>>()?;
    let mut chunk = whole.clone();
    chunk[cut] = part?;
    let [whole_ns, chunk_ns] = [&whole, &chunk].map(|extents| time(machine, contraction, extents));
    Some(match measured {
        Some(ns) => Product {
            whole_ns: ns,
            // What the model says of a chunk, in the proportion in which it errs about the whole.
            chunk_ns: (u128::from(chunk_ns) * u128::from(ns) / u128::from(whole_ns.max(1)))
                .try_into()
                .unwrap_or(u64::MAX),
        },
        None => Product { whole_ns, chunk_ns },
    })
}

/// Time of a contraction of these extents.
fn time(machine: &Machine, contraction: &Contraction, extents: &[u64]) -> u64 {
    let count = |dims: &mut dyn Iterator<Item = usize>| {
        dims.fold(1u64, |product, dim| product.saturating_mul(extents[dim]))
    };
    let [left, right, result] = &contraction.maps;
    let is_in = |map: &[usize], dim: usize| map.contains(&dim);
    let batch = count(
        &mut result
            .iter()
            .copied()
            .filter(|&dim| is_in(left, dim) && is_in(right, dim)),
    );
    let rows = count(&mut result.iter().copied().filter(|&dim| !is_in(right, dim)));
    let columns = count(&mut result.iter().copied().filter(|&dim| !is_in(left, dim)));
    let flops = count(&mut (0..extents.len())).saturating_mul(2);
    let values = [
        (left, contraction.factors[0].ty()),
        (right, contraction.factors[1].ty()),
        (result, contraction.result().ty()),
    ];
    let bytes = values.iter().fold(0u64, |sum, (map, ty)| {
        let elements = count(&mut map.iter().copied());
        let width = ty.element().element_bits().unwrap_or(0).div_ceil(8);
        sum.saturating_add(elements.saturating_mul(width))
    });
    let widest = contraction.factors.map(|factor| factor.ty().element());
    let element = element_of(
        widest
            .into_iter()
            .max_by_key(|ty: &Ty| ty.element_bits())
            .unwrap_or(widest[0]),
    );
    let efficiency = machine
        .tile()
        .map_or(1.0, |tile| tile.efficiency(batch, rows, columns));
    machine.matmul_ns((flops as f64 / efficiency) as u64, element, bytes)
}

/// A gather that is hidden for `hidden_ns` already, before products.
pub(super) fn gather(
    machine: &Machine,
    collective_ns: u64,
    hidden_ns: u64,
    group: u64,
    products: &[Product],
) -> Times {
    let [whole, chunk] = sums(products);
    let transfer = transfer(machine, collective_ns, group);
    let head = machine.launch_floor_ns();
    let mut end = chunk;
    for step in 1..group {
        let arrived = head.saturating_add(transfer.saturating_mul(step));
        end = end.max(arrived).saturating_add(chunk);
    }
    Times {
        plain_ns: collective_ns.saturating_sub(hidden_ns).saturating_add(whole),
        fused_ns: end,
    }
}

/// Products before a reduce-scatter, after which computation hides it for `hidden_ns` already. `chunk_bytes` is what each
/// device gets.
pub(super) fn scatter(
    machine: &Machine,
    collective_ns: u64,
    hidden_ns: u64,
    group: u64,
    chunk_bytes: u64,
    products: &[Product],
) -> Times {
    let [whole, chunk] = sums(products);
    let transfer = transfer(machine, collective_ns, group);
    let addition = machine.memory_ns(chunk_bytes.saturating_mul(3));
    let (mut made, mut sent, mut end) = (0u64, 0u64, 0u64);
    for _ in 1..group {
        made = made.saturating_add(chunk);
        sent = sent.max(made).saturating_add(transfer);
        end = end.max(sent).saturating_add(addition);
    }
    made = made.saturating_add(chunk);
    Times {
        plain_ns: collective_ns.saturating_sub(hidden_ns).saturating_add(whole),
        fused_ns: end.max(made.saturating_add(addition)),
    }
}

fn sums(products: &[Product]) -> [u64; 2] {
    products.iter().fold([0, 0], |[whole, chunk], product| {
        [
            whole.saturating_add(product.whole_ns),
            chunk.saturating_add(product.chunk_ns),
        ]
    })
}

fn transfer(machine: &Machine, collective_ns: u64, group: u64) -> u64 {
    (collective_ns / group.saturating_sub(1).max(1)).max(machine.launch_floor_ns())
}

#[cfg(test)]
mod tests {
    use comm_schedule::{Collective, Machine, machine::Element};

    use super::{Product, Times, gather, scatter};

    const GROUP: u64 = 8;

    /// A product of bf16 of so many rows in all, and its chunk, on this machine.
    fn product(machine: &Machine, [rows, columns, depth]: [u64; 3]) -> Product {
        let time = |rows: u64| {
            let efficiency = machine.tile().expect("a preset").efficiency(1, rows, columns);
            let flops = (2.0 * rows as f64 * columns as f64 * depth as f64 / efficiency) as u64;
            machine.matmul_ns(
                flops,
                Element::Bf16,
                2 * (rows * depth + depth * columns + rows * columns),
            )
        };
        Product {
            whole_ns: time(rows),
            chunk_ns: time(rows / GROUP),
        }
    }

    fn gathered(machine: &Machine, [local, columns, depth]: [u64; 3]) -> Times {
        let rows = local * GROUP;
        let collective = machine.collective_ns(Collective::AllGather, GROUP, rows * depth * 2, None);
        gather(
            machine,
            collective,
            0,
            GROUP,
            &[product(machine, [rows, columns, depth])],
        )
    }

    fn scattered(machine: &Machine, [rows, columns, depth]: [u64; 3]) -> Times {
        let bytes = rows * columns * 2;
        let collective = machine.collective_ns(Collective::ReduceScatter, GROUP, bytes, None);
        scatter(
            machine,
            collective,
            0,
            GROUP,
            bytes / GROUP,
            &[product(machine, [rows, columns, depth])],
        )
    }

    #[test]
    fn agrees_with_what_was_measured_of_gathers() {
        let machine = Machine::preset("h100-8").expect("a preset");
        // Microseconds of gather and product, and of a pipeline, from github.com/meta-pytorch/kraken, pull request 2;
        // rows a device, columns, depth.
        for (sizes, plain, pipelined) in [
            ([128, 6656, 4096], 142.0, 277.0),
            ([256, 6656, 16384], 953.0, 1333.0),
            ([512, 6656, 16384], 1810.0, 1633.0),
        ] {
            let times = gathered(&machine, sizes);
            assert_eq!(times.gains(5), pipelined < plain, "{sizes:?}: {times:?}");
            let modelled = times.plain_ns as f64 / 1e3;
            assert!(
                (modelled / plain - 1.0).abs() < 0.1,
                "{sizes:?}: {modelled} us, measured {plain} us"
            );
        }
    }

    #[test]
    fn agrees_with_what_was_measured_of_scatters() {
        let machine = Machine::preset("h100-8").expect("a preset");
        // Where a pipeline takes 1/0.22 to 1/0.56 of the time, from github.com/meta-pytorch/kraken, pull request 19.
        for rows in [512, 1024, 2048] {
            let times = scattered(&machine, [rows, 4096, 14336]);
            assert!(!times.gains(0), "{rows}: {times:?}");
        }
        for rows in [32, 448] {
            assert!(!scattered(&machine, [rows, 4096, 14336]).gains(0));
        }
        assert!(scattered(&machine, [65536, 8192, 8192]).gains(5));
    }

    #[test]
    fn what_is_hidden_is_no_gain_and_a_gain_of_a_hundred_percent_is_none() {
        let machine = Machine::preset("h100-8").expect("a preset");
        let product = product(&machine, [4096, 6656, 16384]);
        let open = gather(&machine, 400_000, 0, GROUP, &[product]);
        let hidden = gather(&machine, 400_000, 400_000, GROUP, &[product]);
        assert_eq!(hidden.fused_ns, open.fused_ns);
        assert_eq!(hidden.plain_ns, open.plain_ns - 400_000);
        assert!(open.gains(0) && !open.gains(100) && !hidden.gains(0));
    }

    #[test]
    fn a_recurrence_by_hand() {
        let machine = Machine::from_toml(
            "name = 'm'\nlaunch_floor_ns = 1\nmatmul.peak_tflops.f32 = 1\nmemory.peak_gb_per_s = 1000000\n\
             [collective]\nall_gather = [{ size = 2, latency_us = 0, gb_per_s = 1 }]",
        )
        .expect("a machine");
        let product = |chunk_ns: u64| Product {
            whole_ns: 4 * chunk_ns,
            chunk_ns,
        };
        // Transfers of 10 arrive at 11, 21, 31 after a signal of 1; products of 20 follow each other.
        assert_eq!(gather(&machine, 30, 0, 4, &[product(20)]).fused_ns, 80);
        // Products of 5 wait for each transfer.
        assert_eq!(gather(&machine, 30, 0, 4, &[product(5)]).fused_ns, 36);
        // Products end at 20, 40, 60, 80; the last transfer at 70, the last addition is that of the own chunk.
        assert_eq!(scatter(&machine, 30, 0, 4, 1, &[product(20)]).fused_ns, 81);
        // Transfers of 10 end at 15, 25, 35.
        assert_eq!(scatter(&machine, 30, 0, 4, 1, &[product(5)]).fused_ns, 36);
    }
}
