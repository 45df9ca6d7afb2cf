// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Tensors of the tests: values as exact numbers, and memory in many layouts.

use comm_runtime::{Element, Tensor};
use half::{bf16, f16};

/// A number of any element type.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    Float(f64),
    Integer(i128),
}

/// Rounds or wraps a number to an element type; its bytes.
pub fn encode(element: Element, number: Number) -> Vec<u8> {
    match (element, number) {
        (Element::F64, Number::Float(value)) => value.to_ne_bytes().to_vec(),
        (Element::F32, Number::Float(value)) => (value as f32).to_ne_bytes().to_vec(),
        (Element::F16, Number::Float(value)) => f16::from_f64(value).to_ne_bytes().to_vec(),
        (Element::Bf16, Number::Float(value)) => bf16::from_f64(value).to_ne_bytes().to_vec(),
        (Element::I1, Number::Integer(value)) => vec![(value & 1) as u8],
        (_, Number::Integer(value)) => value.to_ne_bytes()[..element.bytes()].to_vec(),
        _ => panic!("{number:?} is no {element}"),
    }
}

pub fn decode(element: Element, bytes: &[u8]) -> Number {
    let array = |bytes: &[u8]| {
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        i128::from_ne_bytes(wide)
    };
    let signed = |value: i128, bits: u32| value << (128 - bits) >> (128 - bits);
    let raw = array(bytes);
    match element {
        Element::F64 => Number::Float(f64::from_bits(raw as u64)),
        Element::F32 => Number::Float(f64::from(f32::from_bits(raw as u32))),
        Element::F16 => Number::Float(f16::from_bits(raw as u16).to_f64()),
        Element::Bf16 => Number::Float(bf16::from_bits(raw as u16).to_f64()),
        Element::I64 | Element::I32 | Element::I16 | Element::I8 => {
            Number::Integer(signed(raw, element.bytes() as u32 * 8))
        }
        _ => Number::Integer(raw),
    }
}

/// Row-major elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub element: Element,
    pub sizes: Vec<usize>,
    pub bytes: Vec<u8>,
}

impl Array {
    pub fn zero(element: Element, sizes: &[usize]) -> Self {
        let count: usize = sizes.iter().product();
        Self {
            element,
            sizes: sizes.to_vec(),
            bytes: vec![0; count * element.bytes()],
        }
    }

    /// Numbers whose sums and products round, wrap and cancel, but do not overflow to infinity.
    pub fn random(element: Element, sizes: &[usize], random: &mut fastrand::Rng) -> Self {
        let count: usize = sizes.iter().product();
        let bytes = (0..count).flat_map(|_| {
            let number = match element.is_float() {
                true => Number::Float((random.f64() - 0.4) * [0.01, 1.0, 3.0][random.usize(..3)]),
                false => Number::Integer(i128::from(random.i64(..))),
            };
            encode(element, number)
        });
        Self {
            element,
            sizes: sizes.to_vec(),
            bytes: bytes.collect(),
        }
    }

    fn place(&self, index: &[usize]) -> usize {
        let flat = index
            .iter()
            .zip(&self.sizes)
            .fold(0, |flat, (index, size)| flat * size + index);
        flat * self.element.bytes()
    }

    pub fn get(&self, index: &[usize]) -> &[u8] {
        let place = self.place(index);
        &self.bytes[place..place + self.element.bytes()]
    }

    pub fn set(&mut self, index: &[usize], bytes: &[u8]) {
        let place = self.place(index);
        self.bytes[place..place + bytes.len()].copy_from_slice(bytes);
    }
}

/// All indices in row-major order.
pub fn indices(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &size in sizes {
        all = all
            .iter()
            .flat_map(|index| (0..size).map(|next| [index.as_slice(), &[next]].concat()))
            .collect();
    }
    all
}

/// An array in memory of its own, in some layout.
pub struct Laid {
    memory: Vec<u8>,
    start: usize,
    element: Element,
    sizes: Vec<usize>,
    strides: Vec<isize>,
}

/// What lies between elements, and must still be there afterwards.
const GAP: u8 = 0xa5;

impl Laid {
    /// In row-major order, or, with a seed, with dimensions in any order, gaps, and reversed dimensions.
    pub fn new(array: &Array, seed: Option<u64>) -> Self {
        let rank = array.sizes.len();
        let mut order: Vec<usize> = (0..rank).rev().collect();
        let mut strides = vec![1; rank];
        let (mut extent, mut first) = (1, 0);
        let mut random = fastrand::Rng::with_seed(seed.unwrap_or(0));
        if seed.is_some() {
            random.shuffle(&mut order);
            extent = random.usize(1..3);
        }
        for &dim in &order {
            strides[dim] = extent as isize;
            let size = array.sizes[dim].max(1);
            extent *= size + if seed.is_some() { random.usize(..2) } else { 0 };
            if seed.is_some() && random.u8(..4) == 0 {
                first += strides[dim] as usize * (size - 1);
                strides[dim] = -strides[dim];
            }
        }
        let bytes = array.element.bytes();
        let mut laid = Self {
            memory: vec![GAP; (extent + 1) * bytes],
            start: first * bytes,
            element: array.element,
            sizes: array.sizes.clone(),
            strides,
        };
        for index in indices(&array.sizes) {
            let place = laid.place(&index);
            laid.memory[place..place + bytes].copy_from_slice(array.get(&index));
        }
        laid
    }

    fn place(&self, index: &[usize]) -> usize {
        let offset: isize = index
            .iter()
            .zip(&self.strides)
            .map(|(index, stride)| *index as isize * stride)
            .sum();
        (self.start as isize + offset * self.element.bytes() as isize) as usize
    }

    pub fn tensor(&mut self) -> Tensor {
        let data = self.memory.as_mut_ptr().wrapping_add(self.start);
        Tensor::strided(data, self.element, &self.sizes, &self.strides).unwrap()
    }

    /// The elements; what lies between them must be untouched.
    pub fn array(&self) -> Array {
        let mut array = Array::zero(self.element, &self.sizes);
        let mut rest = self.memory.clone();
        for index in indices(&self.sizes) {
            let place = self.place(&index);
            let end = place + self.element.bytes();
            array.set(&index, &self.memory[place..end]);
            rest[place..end].fill(GAP);
        }
        assert!(rest.iter().all(|&byte| byte == GAP), "wrote between elements");
        array
    }
}
