// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Regions of memory: boxes of elements with strides, and whether two of them overlap.
//!
//! A region is kept in a normal form: a first byte, a run of contiguous bytes, and outer dimensions with ascending strides,
//! each of which repeats what is inside it. Dimensions that continue each other are one.
//!
//! Overlap is decided digit by digit. Where all strides of both regions divide each other, an address has one spelling in the
//! mixed radix that the strides are; a box is an interval in each digit, and two boxes meet if and only if their intervals do
//! in every digit. Two blocks of columns of one matrix are disjoint in the digit "byte in the row". A box that runs over the end
//! of a digit is widened to all of it, and strides that do not divide each other are replaced by their greatest common
//! divisor: both can only find an overlap that is not there, never miss one.

/// Bytes of a buffer, from its beginning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    first: i64,
    /// Contiguous bytes at each repetition; 0 where the region is empty.
    run: i64,
    /// (number, stride in bytes), ascending strides, each greater than the run and number greater than 1.
    outer: Vec<(i64, i64)>,
}

/// Beyond any buffer. A quarter of the range, so that sums stay in it.
const FAR: i64 = i64::MAX / 4;

impl Region {
    /// `bytes` bytes from byte `first` on.
    pub fn contiguous(first: i64, bytes: i64) -> Self {
        Self {
            first,
            run: bytes.max(0),
            outer: Vec::new(),
        }
    }

    /// All bytes of any buffer: for an access of which nothing is known.
    pub fn everything() -> Self {
        Self::contiguous(0, FAR)
    }

    /// Elements of `element` bytes: the first at byte `offset`, then for each (number, stride in bytes) of `dims` that many,
    /// that far apart. Strides may be negative or zero. O(dims log dims).
    ///
    /// Sizes whose product leaves the range of addresses give [`Region::everything`].
    pub fn strided(offset: i64, element: i64, dims: &[(i64, i64)]) -> Self {
        Self::try_strided(offset, element, dims).unwrap_or_else(Self::everything)
    }

    fn try_strided(offset: i64, element: i64, dims: &[(i64, i64)]) -> Option<Self> {
        if element <= 0 || dims.iter().any(|&(number, _)| number <= 0) {
            return Some(Self::contiguous(0, 0));
        }
        let mut first = offset;
        let mut positive: Vec<(i64, i64)> = Vec::with_capacity(dims.len());
        for &(number, stride) in dims.iter().filter(|dim| dim.0 > 1 && dim.1 != 0) {
            if stride < 0 {
                first = first.checked_add(stride.checked_mul(number - 1)?)?;
            }
            positive.push((number, stride.checked_abs()?));
        }
        positive.sort_unstable_by_key(|&(number, stride)| (stride, number));
        let mut run = element;
        let mut outer: Vec<(i64, i64)> = Vec::new();
        let mut extent = element;
        for (number, stride) in positive {
            let reach = stride.checked_mul(number - 1)?;
            extent = extent.checked_add(reach).filter(|&extent| extent < FAR)?;
            match outer.last_mut() {
                None if stride <= run => run += reach,
                Some((inner_number, inner_stride)) if stride == *inner_number * *inner_stride => {
                    *inner_number *= number;
                }
                _ => outer.push((number, stride)),
            }
        }
        (first.checked_abs()? < FAR).then_some(Self { first, run, outer })
    }

    /// Whether the region holds no byte.
    pub fn is_empty(&self) -> bool {
        self.run == 0
    }

    /// First byte.
    pub fn first(&self) -> i64 {
        self.first
    }

    /// One beyond the last byte.
    pub fn end(&self) -> i64 {
        let reach: i64 = self
            .outer
            .iter()
            .map(|&(number, stride)| (number - 1) * stride)
            .sum();
        self.first + reach + self.run
    }

    /// Whether the regions may have a byte in common: certain where the answer is no, and where it is yes exact unless a region
    /// runs over the end of a stride of the other, or their strides do not divide each other.
    pub fn overlaps(&self, other: &Self) -> bool {
        if self.is_empty() || other.is_empty() || self.end() <= other.first || other.end() <= self.first {
            return false;
        }
        if self.outer.is_empty() && other.outer.is_empty() {
            return true;
        }
        let mut radix: Vec<i64> = self
            .outer
            .iter()
            .chain(&other.outer)
            .map(|&(_, stride)| stride)
            .collect();
        radix.sort_unstable();
        radix.dedup();
        if radix.windows(2).any(|pair| pair[1] % pair[0] != 0) {
            radix = vec![radix.iter().copied().fold(0, greatest_common_divisor)];
        }
        // Digits of different regions count from the same origin, so they can be compared.
        let (ours, theirs) = (self.digits(&radix), other.digits(&radix));
        ours.iter().zip(&theirs).all(|(a, b)| a.0 < b.1 && b.0 < a.1)
    }

    /// Whether every byte of `other` is surely one of this region.
    pub(crate) fn contains(&self, other: &Self) -> bool {
        self == other || self.outer.is_empty() && self.first <= other.first && other.end() <= self.end()
    }

    /// Intervals of the digits of the region's addresses in the mixed radix of ascending strides, each of which divides the
    /// next: first the byte below the least stride, then the multiples of each stride.
    fn digits(&self, radix: &[i64]) -> Vec<(i64, i64)> {
        let mut digits = Vec::with_capacity(radix.len() + 1);
        let mut carry = 0;
        let mut interval = |low: i64, length: i64, size: Option<i64>, carry: &mut i64| {
            let end = low + length + *carry;
            *carry = 0;
            match size {
                Some(size) if end > size => {
                    *carry = (end - 1) / size;
                    digits.push((0, size));
                }
                _ => digits.push((low, end)),
            }
        };
        interval(
            self.first.rem_euclid(radix[0]),
            self.run,
            Some(radix[0]),
            &mut carry,
        );
        for (level, &stride) in radix.iter().enumerate() {
            let next = radix.get(level + 1).copied();
            let digit = match next {
                Some(next) => self.first.rem_euclid(next) / stride,
                None => self.first.div_euclid(stride),
            };
            // Of a radix that is a common divisor all strides are multiples and count here.
            let belongs = |other: i64| other == stride || radix.len() == 1;
            let reach: i64 = self
                .outer
                .iter()
                .filter(|dim| belongs(dim.1))
                .map(|&(number, own)| (number - 1) * (own / stride))
                .sum();
            interval(digit, reach + 1, next.map(|next| next / stride), &mut carry);
        }
        digits
    }
}

fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Region;

    fn bytes(offset: i64, element: i64, dims: &[(i64, i64)]) -> BTreeSet<i64> {
        let mut firsts = vec![offset];
        for &(number, stride) in dims {
            firsts = firsts
                .iter()
                .flat_map(|first| (0..number).map(move |index| first + index * stride))
                .collect();
        }
        firsts
            .iter()
            .flat_map(|first| (0..element).map(move |byte| first + byte))
            .collect()
    }

    #[test]
    fn columns_and_interleaved_elements_are_disjoint() {
        // A matrix of 8 rows of 16 elements of 4 bytes: columns 0 to 3, 4 to 7, and 3 to 4.
        let columns = |from: i64, number: i64| Region::strided(from * 4, 4, &[(8, 64), (number, 4)]);
        assert!(!columns(0, 4).overlaps(&columns(4, 4)));
        assert!(columns(0, 4).overlaps(&columns(3, 2)));
        let every_second = |from: i64| Region::strided(from * 4, 4, &[(8, 8)]);
        assert!(!every_second(0).overlaps(&every_second(1)));
        assert!(!columns(0, 4).overlaps(&Region::contiguous(5 * 64 + 16, 48)));
        assert!(columns(0, 4).overlaps(&Region::contiguous(5 * 64 + 16, 49)));
    }

    #[test]
    fn boxes_of_one_tensor_overlap_exactly_where_they_share_a_byte() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut disjoint = 0;
        for _ in 0..20_000 {
            let shape = [random.i64(1..5), random.i64(1..5), random.i64(1..5)];
            let strides = [shape[1] * shape[2] * 2, shape[2] * 2, 2];
            let mut tile = || {
                let mut offset = 0;
                let dims: Vec<(i64, i64)> = (0..3)
                    .map(|dim| {
                        let from = random.i64(0..shape[dim]);
                        let to = random.i64(from..shape[dim]) + 1;
                        offset += from * strides[dim];
                        (to - from, strides[dim])
                    })
                    .collect();
                (offset, dims)
            };
            let (one, other) = (tile(), tile());
            let expected = !bytes(one.0, 2, &one.1).is_disjoint(&bytes(other.0, 2, &other.1));
            let (a, b) = (
                Region::strided(one.0, 2, &one.1),
                Region::strided(other.0, 2, &other.1),
            );
            assert_eq!(a.overlaps(&b), expected, "{shape:?} {one:?} {other:?}");
            assert_eq!(a.overlaps(&b), b.overlaps(&a));
            disjoint += usize::from(!expected);
        }
        assert!(disjoint > 1000, "both answers are tested");
    }

    #[test]
    fn no_overlap_of_any_two_boxes_is_missed_and_what_is_contained_is() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut apart = 0;
        for _ in 0..50_000 {
            let mut tile = || {
                let dims: Vec<(i64, i64)> = (0..random.usize(0..4))
                    .map(|_| (random.i64(0..4), random.i64(-12..13)))
                    .collect();
                (random.i64(0..40), random.i64(1..4), dims)
            };
            let (one, other) = (tile(), tile());
            let (ours, theirs) = (bytes(one.0, one.1, &one.2), bytes(other.0, other.1, &other.2));
            let (a, b) = (
                Region::strided(one.0, one.1, &one.2),
                Region::strided(other.0, other.1, &other.2),
            );
            if !ours.is_disjoint(&theirs) {
                assert!(a.overlaps(&b), "{one:?} {other:?}");
            }
            if a.contains(&b) {
                assert!(ours.is_superset(&theirs), "{one:?} {other:?}");
            }
            assert_eq!(a.is_empty(), ours.is_empty());
            if let (Some(first), Some(last)) = (ours.first(), ours.last()) {
                assert_eq!((a.first(), a.end()), (*first, last + 1));
            }
            apart += usize::from(!a.overlaps(&b));
        }
        assert!(apart > 1000, "not everything is taken to overlap");
    }

    #[test]
    fn sizes_beyond_all_memory_are_everything() {
        assert_eq!(Region::strided(0, 4, &[(i64::MAX, 4)]), Region::everything());
        assert_eq!(Region::strided(i64::MIN, 4, &[]), Region::everything());
        assert!(Region::everything().overlaps(&Region::contiguous(1 << 40, 1)));
        assert!(!Region::everything().overlaps(&Region::strided(0, 4, &[(0, 4)])));
    }
}
