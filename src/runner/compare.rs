// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How far two arrays are apart.

use comm_runtime::Element;

use super::Array;

/// How much results may differ. Equal bits are always well, and with both at zero nothing else is: an exact comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Relative to the number that is expected.
    pub relative: f64,
    /// Absolute.
    pub absolute: f64,
}

impl Tolerance {
    /// Whether only equal bits are well.
    pub fn is_exact(self) -> bool {
        self.relative == 0.0 && self.absolute == 0.0
    }

    /// As `numpy.allclose`: `|found - expected| <= absolute + relative * |expected|`. Two NaN are close.
    fn accepts(self, found: f64, expected: f64) -> bool {
        found == expected
            || found.is_nan() && expected.is_nan()
            || (found - expected).abs() <= self.absolute + self.relative * expected.abs()
    }
}

/// The difference of two arrays of one shape and element type.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Largest absolute difference.
    pub absolute: f64,
    /// Largest difference relative to the expected number.
    pub relative: f64,
    /// Most representable numbers in between; 0 for equal ones, and `u64::MAX` where one of two is NaN.
    pub ulps: u64,
    /// How many elements are outside the tolerance.
    pub outside: usize,
    /// Position, in row-major order, of the first of these.
    pub first: Option<usize>,
}

impl Difference {
    /// Compares what was found with what was expected; nothing where they have other shapes or elements. O(elements).
    pub fn of(found: &Array, expected: &Array, tolerance: Tolerance) -> Option<Self> {
        if found.shape() != expected.shape() || found.element() != expected.element() {
            return None;
        }
        let mut difference = Self {
            absolute: 0.0,
            relative: 0.0,
            ulps: 0,
            outside: 0,
            first: None,
        };
        let width = found.element().bytes();
        let pairs = found
            .bytes()
            .chunks_exact(width)
            .zip(expected.bytes().chunks_exact(width));
        for (position, (left, right)) in pairs.enumerate() {
            if left == right {
                continue;
            }
            let (is, should) = (found.get(position), expected.get(position));
            let absolute = (is - should).abs();
            // A difference from or of NaN is no number, and `max` passes over it; `ulps` and the index tell it.
            difference.absolute = difference.absolute.max(absolute);
            if should != 0.0 {
                difference.relative = difference.relative.max(absolute / should.abs());
            }
            let ulps = ulps(found.element(), left, right, is.is_nan() || should.is_nan());
            difference.ulps = difference.ulps.max(ulps);
            if tolerance.is_exact() || !tolerance.accepts(is, should) {
                difference.outside += 1;
                difference.first.get_or_insert(position);
            }
        }
        Some(difference)
    }

    /// The difference of two pairs of arrays together; the first element outside is that of the first pair.
    pub fn joined(&self, other: &Self) -> Self {
        Self {
            absolute: self.absolute.max(other.absolute),
            relative: self.relative.max(other.relative),
            ulps: self.ulps.max(other.ulps),
            outside: self.outside + other.outside,
            first: self.first.or(other.first),
        }
    }

    /// Whether all elements are within the tolerance.
    pub fn is_well(&self) -> bool {
        self.outside == 0
    }
}

/// Representable numbers between two of one element type.
fn ulps(element: Element, left: &[u8], right: &[u8], is_nan: bool) -> u64 {
    let is_float = element.is_float();
    if is_nan {
        return if left == right { 0 } else { u64::MAX };
    }
    let place = |bytes: &[u8]| -> i128 {
        let bits = bytes
            .iter()
            .rev()
            .fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        let width = 8 * bytes.len() as u32;
        let sign = bits >> (width - 1) & 1 == 1;
        let magnitude = i128::from(bits & !(1 << (width - 1)));
        match (is_float, element) {
            // Floats of one sign are ordered as their bits, and both zeros are at 0.
            (true, _) if sign => -magnitude,
            (true, _) => magnitude,
            (false, Element::I64 | Element::I32 | Element::I16 | Element::I8) if sign => {
                magnitude - (1i128 << (width - 1))
            }
            _ => i128::from(bits),
        }
    };
    u64::try_from((place(left) - place(right)).unsigned_abs()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Array, Difference, Tolerance};

    fn array(numbers: &[f32]) -> Array {
        Array::from_f32(&[numbers.len()], numbers).expect("a row")
    }

    #[test]
    fn bits_are_compared_where_no_tolerance_is_given() {
        let next = f32::from_bits(1.0f32.to_bits() + 1);
        let difference = Difference::of(&array(&[2.0, next]), &array(&[2.0, 1.0]), Tolerance::default())
            .expect("one shape");
        assert_eq!(
            (difference.ulps, difference.first, difference.outside),
            (1, Some(1), 1)
        );
        let zeros = Difference::of(&array(&[0.0]), &array(&[-0.0]), Tolerance::default()).expect("one shape");
        assert_eq!((zeros.ulps, zeros.is_well()), (0, false));
    }

    #[test]
    fn tolerance_is_that_of_numpy() {
        let tolerance = Tolerance {
            relative: 0.1,
            absolute: 0.0,
        };
        let compare = |found: f32, expected: f32| {
            Difference::of(&array(&[found]), &array(&[expected]), tolerance)
                .expect("one shape")
                .is_well()
        };
        assert!(compare(10.5, 10.0));
        assert!(!compare(12.0, 10.0));
        assert!(!compare(f32::NAN, 10.0));
        assert!(compare(f32::NAN, -f32::NAN));
        assert!(!compare(f32::INFINITY, 10.0));
    }

    #[test]
    fn other_shapes_are_not_compared() {
        assert_eq!(
            Difference::of(&array(&[1.0]), &array(&[1.0, 1.0]), Tolerance::default()),
            None
        );
    }
}
