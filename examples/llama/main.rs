// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! x
mod buckets;
mod grow;
mod print;
mod trace;
mod variants;
use std::{error::Error, time::Instant};
use mlir_comm::passes::Effort;
use trace::Zero;
use variants::*;
use print::View;

fn main() -> Result<(), Box<dyn Error>> {
    let layers: usize = std::env::args().nth(1).map_or(32, |n| n.parse().unwrap());
    for zero in [Zero::Three, Zero::Two] {
        let two = trace::read(zero)?;
        assert_eq!(grow::grow(&two, 2)?.ops, two.ops);
        let step = grow::grow(&two, layers)?;
        for bucket in [false, true] {
            let step = if bucket { buckets::by_block(&step) } else { step.clone() };
            println!("{zero:?} {bucket} ops {}", step.ops.len());
            let mut limit = 0;
            for v in 0..8 {
                let s = |effort, view, memory_limit| Variant::Schedule { effort, view, memory_limit };
                let variant = match v { 0 => Variant::Source, 1 => Variant::Merged, 2 => Variant::TwoSorts,
                  3 => s(Effort::Fast, View::Whole, None), 4 => s(Effort::Default, View::Whole, None),
                  5 => s(Effort::Default, View::Halves, None), 6 => s(Effort::Fast, View::Whole, Some(limit)), _ => s(Effort::Default, View::Whole, Some(limit)) };
                let t = Instant::now();
                match scheduled(&step, zero, variant, "h100-8") {
                    Ok(p) => { let f = figures(&p); if v == 1 { limit = f.peak_bytes; }
                       println!("{variant:?}: {f:?} bound {} {:?} in {:?}", bound_ns(&p), p.ids().len(), t.elapsed()); }
                    Err(e) => println!("{variant:?}: {e}"),
                }
            }
        }
    }
    Ok(())
}
