// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Inputs that are made up, the same for the same seed on every machine.

use comm_runtime::Element;
use half::{bf16, f16};

use super::Array;

/// An array for input `index` of `rank`. Floats lie in [-1, 1), integers in 0..8, so that sums stay exact in many types and
/// integers may serve as small indices. The numbers depend on nothing but the arguments.
///
/// Nothing where there is no memory for as many bytes as the shape needs.
pub fn random(element: Element, shape: &[usize], seed: u64, rank: usize, index: usize) -> Option<Array> {
    let count = shape
        .iter()
        .try_fold(1usize, |count, &size| count.checked_mul(size))?;
    let place = (rank as u64) << 32 | index as u64;
    let mut generator = fastrand::Rng::with_seed(seed ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(count.checked_mul(element.bytes())?)
        .ok()?;
    for _ in 0..count {
        let float = 2.0 * generator.f64() - 1.0;
        let whole = generator.u8(0..8);
        match element {
            Element::F64 => bytes.extend(float.to_ne_bytes()),
            Element::F32 => bytes.extend((float as f32).to_ne_bytes()),
            Element::F16 => bytes.extend(f16::from_f64(float).to_ne_bytes()),
            Element::Bf16 => bytes.extend(bf16::from_f64(float).to_ne_bytes()),
            Element::I64 | Element::U64 => bytes.extend(u64::from(whole).to_ne_bytes()),
            Element::I32 | Element::U32 => bytes.extend(u32::from(whole).to_ne_bytes()),
            Element::I16 | Element::U16 => bytes.extend(u16::from(whole).to_ne_bytes()),
            Element::I8 | Element::U8 => bytes.push(whole),
            Element::I1 => bytes.push(whole & 1),
        }
    }
    Array::new(element, shape.to_vec(), bytes)
}

#[cfg(test)]
mod tests {
    use comm_runtime::Element;

    use super::random;

    #[test]
    fn seed_rank_and_index_decide() {
        let make = |seed, rank, index| random(Element::F32, &[16], seed, rank, index).expect("16 numbers");
        assert_eq!(make(1, 2, 3), make(1, 2, 3));
        for other in [make(2, 2, 3), make(1, 3, 3), make(1, 2, 4)] {
            assert_ne!(make(1, 2, 3), other);
        }
        let numbers = make(0, 0, 0);
        assert!((0..16).all(|position| (-1.0..=1.0).contains(&numbers.get(position))));
    }
}
