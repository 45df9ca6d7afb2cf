// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Products of matrices against the sum of products, in every element type and layout.

use comm_runtime::{Element, Matrix, matmul};
use half::{bf16, f16};

use crate::arrays::{Array, Number, decode};

/// Aligned memory with a matrix in it.
struct Laid {
    memory: Vec<u64>,
    matrix: Matrix,
    columns: usize,
    rows: usize,
    element: Element,
}

impl Laid {
    fn new(array: &Array, is_transposed: bool, gap: usize) -> Self {
        let (rows, columns) = (array.sizes[0], array.sizes[1]);
        let bytes = array.element.bytes();
        let (row_stride, column_stride) = if is_transposed {
            (1, rows + gap)
        } else {
            (columns + gap, 1)
        };
        let mut memory = vec![0u64; (rows + gap + 1) * (columns + gap + 1)];
        let data: *mut u8 = memory.as_mut_ptr().cast();
        for row in 0..rows {
            for column in 0..columns {
                let place = (row * row_stride + column * column_stride) * bytes;
                // SAFETY: within the vector, which has eight bytes for each element.
                unsafe {
                    data.add(place)
                        .copy_from(array.get(&[row, column]).as_ptr(), bytes)
                };
            }
        }
        let matrix = Matrix {
            data,
            row_stride: row_stride as isize,
            column_stride: column_stride as isize,
        };
        Self {
            memory,
            matrix,
            columns,
            rows,
            element: array.element,
        }
    }

    fn values(&self) -> Vec<f64> {
        let bytes: Vec<u8> = self.memory.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let width = self.element.bytes();
        let places = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        let value = |(row, column): (usize, usize)| {
            let place = row * self.matrix.row_stride as usize + column * self.matrix.column_stride as usize;
            match decode(self.element, &bytes[place * width..(place + 1) * width]) {
                Number::Float(value) => value,
                Number::Integer(value) => value as f64,
            }
        };
        places.map(value).collect()
    }
}

fn rounded(element: Element, value: f64) -> f64 {
    match element {
        Element::F16 => f16::from_f64(value).to_f64(),
        Element::Bf16 => bf16::from_f64(value).to_f64(),
        Element::F32 => f64::from(value as f32),
        _ => value,
    }
}

#[test]
fn products_are_sums_of_products() {
    for seed in 0..120 {
        let mut random = fastrand::Rng::with_seed(seed);
        let element = [Element::F64, Element::F32, Element::F16, Element::Bf16][seed as usize % 4];
        let [m, n, k] = [(); 3].map(|()| random.usize(0..40));
        let accumulate = random.bool();
        let mut lay = |rows, columns| {
            let array = Array::random(element, &[rows, columns], &mut random);
            Laid::new(&array, random.bool(), random.usize(..3))
        };
        let (a, b, c) = (lay(m, k), lay(k, n), lay(m, n));
        let (left, right, before) = (a.values(), b.values(), c.values());
        // SAFETY: three matrices in memory of their own.
        unsafe { matmul(element, [m, n, k], c.matrix, a.matrix, b.matrix, accumulate).unwrap() };
        let found = c.values();
        let unit = match element {
            Element::F64 => 1e-15,
            _ => 1e-6,
        };
        for row in 0..m {
            for column in 0..n {
                let place = row * n + column;
                let terms = (0..k).map(|inner| left[row * k + inner] * right[inner * n + column]);
                let terms: Vec<f64> = terms.chain(accumulate.then_some(before[place])).collect();
                let exact: f64 = terms.iter().sum();
                // The widths of half a unit of the result's own rounding, and of the additions.
                let size: f64 = terms.iter().map(|term| term.abs()).sum();
                let half = match element {
                    Element::F16 => 2f64.powi(-11),
                    Element::Bf16 => 2f64.powi(-8),
                    _ => 0.0,
                };
                let bound = exact.abs() * half * 1.01 + size * unit + 1e-7 * f64::from(u8::from(half > 0.0));
                assert!(
                    (found[place] - exact).abs() <= bound,
                    "seed {seed}, {element}, {m}x{n}x{k}: {} instead of {exact}",
                    found[place]
                );
                assert_eq!(found[place], rounded(element, found[place]));
            }
        }
    }
}

#[test]
fn long_sums_of_halves_are_not_lost() {
    // 1 + 4096 * 2^-12: adding in halves would stay at 1.
    let k = 4097;
    let mut row = Array::zero(Element::F16, &[1, k]);
    let mut column = Array::zero(Element::F16, &[k, 1]);
    for index in 0..k {
        let value = if index == 0 { 1.0 } else { 2f64.powi(-12) };
        row.set(&[0, index], &f16::from_f64(value).to_ne_bytes());
        column.set(&[index, 0], &f16::ONE.to_ne_bytes());
    }
    let (a, b, c) = (
        Laid::new(&row, false, 0),
        Laid::new(&column, false, 0),
        Laid::new(&Array::zero(Element::F16, &[1, 1]), false, 0),
    );
    // SAFETY: three matrices in memory of their own.
    unsafe { matmul(Element::F16, [1, 1, k], c.matrix, a.matrix, b.matrix, false).unwrap() };
    assert_eq!(c.values(), [2.0]);
}

#[test]
fn integers_are_refused() {
    let array = Laid::new(&Array::zero(Element::I32, &[2, 2]), false, 0);
    // SAFETY: nothing is done.
    let refused = unsafe {
        matmul(
            Element::I32,
            [2, 2, 2],
            array.matrix,
            array.matrix,
            array.matrix,
            false,
        )
    };
    assert_eq!(
        refused.unwrap_err(),
        "no product of matrices of i32: f64, f32, f16 or bf16 is expected"
    );
}
