// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Arrays: what programs take and return on each rank.
//!
//! An array owns its elements, row by row without gaps, as the bytes that the program sees. It does no arithmetic; the
//! one conversion here, to doubles, serves messages and comparisons.

use comm_runtime::Element;
use half::{bf16, f16};

/// Elements of one type in a rectangular shape, in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    element: Element,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Array {
    /// An array of these bytes; nothing where they are not as many as the shape needs.
    pub fn new(element: Element, shape: Vec<usize>, bytes: Vec<u8>) -> Option<Self> {
        let needed = shape
            .iter()
            .try_fold(element.bytes(), |bytes, &size| bytes.checked_mul(size))?;
        (bytes.len() == needed).then_some(Self {
            element,
            shape,
            bytes,
        })
    }

    /// An array of single-precision numbers; nothing where they are not as many as the shape needs.
    pub fn from_f32(shape: &[usize], numbers: &[f32]) -> Option<Self> {
        let bytes = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        Self::new(Element::F32, shape.to_vec(), bytes)
    }

    /// What it is made of.
    pub fn element(&self) -> Element {
        self.element
    }

    /// The same bytes read as another element type; nothing where that has another width.
    pub fn reinterpreted(self, element: Element) -> Option<Self> {
        Self::new(element, self.shape, self.bytes)
    }

    /// Sizes of the dimensions.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The elements, row by row, in the byte order of this machine.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.element.bytes()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The element at a position of the row-major order, as a double, which loses digits of large integers.
    ///
    /// # Panics
    ///
    /// Where there is no such position.
    pub fn get(&self, position: usize) -> f64 {
        let width = self.element.bytes();
        let bytes = &self.bytes[position * width..(position + 1) * width];
        match self.element {
            Element::F64 => f64::from_ne_bytes(fixed(bytes)),
            Element::F32 => f64::from(f32::from_ne_bytes(fixed(bytes))),
            Element::F16 => f16::from_ne_bytes(fixed(bytes)).to_f64(),
            Element::Bf16 => bf16::from_ne_bytes(fixed(bytes)).to_f64(),
            Element::I64 => i64::from_ne_bytes(fixed(bytes)) as f64,
            Element::I32 => f64::from(i32::from_ne_bytes(fixed(bytes))),
            Element::I16 => f64::from(i16::from_ne_bytes(fixed(bytes))),
            Element::I8 => f64::from(i8::from_ne_bytes(fixed(bytes))),
            Element::U64 => u64::from_ne_bytes(fixed(bytes)) as f64,
            Element::U32 => f64::from(u32::from_ne_bytes(fixed(bytes))),
            Element::U16 => f64::from(u16::from_ne_bytes(fixed(bytes))),
            Element::U8 => f64::from(bytes[0]),
            Element::I1 => f64::from(bytes[0] & 1),
        }
    }

    /// A position of the row-major order as one index a dimension.
    pub fn index_of(&self, position: usize) -> Vec<usize> {
        let mut rest = position;
        let mut index: Vec<usize> = self
            .shape
            .iter()
            .rev()
            .map(|&size| {
                let here = rest % size.max(1);
                rest /= size.max(1);
                here
            })
            .collect();
        index.reverse();
        index
    }

    /// Element type and shape in MLIR's notation, as in `4x8xf32`.
    pub fn describe(&self) -> String {
        describe(self.element, self.shape.iter().map(|&size| Some(size)))
    }
}

/// Element type and shape in MLIR's notation; a size that is not known is `?`.
pub(super) fn describe(element: Element, sizes: impl Iterator<Item = Option<usize>>) -> String {
    let mut text = String::new();
    for size in sizes {
        match size {
            Some(size) => text.push_str(&format!("{size}x")),
            None => text.push_str("?x"),
        }
    }
    text + &element.to_string()
}

/// Bytes as an array of their number, which the caller knows.
fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut fixed = [0; N];
    fixed.copy_from_slice(bytes);
    fixed
}

#[cfg(test)]
mod tests {
    use comm_runtime::Element;

    use super::Array;

    #[test]
    fn bytes_must_fit_the_shape() {
        assert!(Array::new(Element::F32, vec![2, 3], vec![0; 24]).is_some());
        assert!(Array::new(Element::F32, vec![2, 3], vec![0; 20]).is_none());
        assert!(Array::new(Element::F64, vec![usize::MAX, 2], vec![]).is_none());
    }

    #[test]
    fn elements_are_read_by_their_type() {
        let array = Array::from_f32(&[2, 2], &[1.0, 2.0, 3.0, -4.5]).expect("four numbers");
        assert_eq!(array.get(3), -4.5);
        assert_eq!(array.index_of(2), [1, 0]);
        assert_eq!(array.describe(), "2x2xf32");
        let halves = Array::new(Element::Bf16, vec![1], vec![0x80, 0x3f]).expect("two bytes");
        assert_eq!(halves.get(0), 1.0);
    }
}
