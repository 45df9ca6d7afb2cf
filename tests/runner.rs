// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs that are compiled and run in this process, by the library.

use std::time::{Duration, Instant};

use comm_runtime::{Element, Fault, Options, live_symmetric_bytes};
use mlir_comm::runner::{Array, LowerOptions, Program, RunnerError, lower, parse, random};

/// Compiles the function `main` of a text.
fn compile(context: &melior::Context, text: &str) -> Result<Program, RunnerError> {
    let mut module = parse(context, text)?;
    let signature = lower(context, &mut module, &LowerOptions::default(), |_| {})?;
    Program::compile(context, &module, signature)
}

/// Groups of one to four members: every member gets the sum of all, and its own position.
#[test]
fn groups_of_any_size_run() {
    for ranks in 1..=4usize {
        let group: Vec<String> = (0..ranks).map(|rank| rank.to_string()).collect();
        let group = group.join(", ");
        let context = mlir_comm::context();
        let program = compile(
            &context,
            &format!(
                "func.func @main(%x: memref<3xf64>) -> (memref<3xf64>, index) {{
                   %here = comm_stream.current
                   %side = comm_stream.stream \"side\"
                   %y = memref.alloc() : memref<3xf64>
                   %ready = comm_stream.record on %here
                   comm_stream.wait_event %ready on %side
                   comm_stream.all_reduce sum %x into %y over [[{group}]] on %side : memref<3xf64> into memref<3xf64>
                   %done = comm_stream.record on %side
                   comm_stream.wait_event %done on %here
                   %p = comm.rank over [[{group}]] : index
                   return %y, %p : memref<3xf64>, index
                 }}"
            ),
        )
        .expect("compiles");
        let inputs: Vec<Vec<Array>> = (0..ranks)
            .map(|rank| {
                let numbers = [rank as f64, 1.0, 0.5];
                let bytes = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
                vec![Array::new(Element::F64, vec![3], bytes).expect("three numbers")]
            })
            .collect();
        let run = program.run(&inputs, &Options::default()).expect("runs");
        let sum = (0..ranks).sum::<usize>() as f64;
        for (rank, results) in run.results.iter().enumerate() {
            let numbers: Vec<f64> = (0..3).map(|position| results[0].get(position)).collect();
            assert_eq!(numbers, [sum, ranks as f64, 0.5 * ranks as f64]);
            assert_eq!(results[1].get(0), rank as f64);
        }
    }
}

/// The reference: `target[b][m][n] += left[b][m][k] * right[b][k][n]`, in doubles.
fn product(left: &Array, right: &Array, [b, m, n, k]: [usize; 4], transposed: [bool; 2]) -> Vec<f64> {
    let mut target = Vec::new();
    for batch in 0..b {
        for row in 0..m {
            for column in 0..n {
                let sum = (0..k).map(|inner| {
                    let at = |swapped: bool, rows: usize, columns: usize, row: usize, column: usize| {
                        batch * rows * columns
                            + if swapped {
                                column * rows + row
                            } else {
                                row * columns + column
                            }
                    };
                    left.get(at(transposed[0], m, k, row, inner))
                        * right.get(at(transposed[1], k, n, inner, column))
                });
                target.push(sum.sum());
            }
        }
    }
    target
}

/// However a product is spelt, it is that of the run-time, and right.
#[test]
fn products_of_all_forms_are_right() {
    let generic = "linalg.generic {indexing_maps = [affine_map<(i, j, a, b) -> (a, i, b)>, affine_map<(i, j, a, b) -> (a, j, b)>, \
                   affine_map<(i, j, a, b) -> (j, i)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\", \"reduction\"]} \
                   ins(%a, %b : memref<2x3x5xf32>, memref<2x4x5xf32>) outs(%c : memref<4x3xf32>) {
                   ^bb0(%x: f32, %y: f32, %z: f32):
                     %p = arith.mulf %x, %y : f32
                     %s = arith.addf %z, %p : f32
                     linalg.yield %s : f32
                   }";
    let transposed = "linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, \
                      affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : memref<5x3xf32>, memref<5x4xf32>) \
                      outs(%c : memref<3x4xf32>)";
    /// Element type, op, shapes, sizes, and which factors are transposed.
    type Form<'a> = (&'a str, &'a str, [&'a [usize]; 3], [usize; 4], [bool; 2]);
    let forms: [Form; 5] = [
        (
            "f32",
            "linalg.matmul ins(%a, %b : memref<3x5xf32>, memref<5x4xf32>) outs(%c : memref<3x4xf32>)",
            [&[3, 5], &[5, 4], &[3, 4]],
            [1, 3, 4, 5],
            [false, false],
        ),
        (
            "f32",
            transposed,
            [&[5, 3], &[5, 4], &[3, 4]],
            [1, 3, 4, 5],
            [true, false],
        ),
        (
            "bf16",
            "linalg.batch_matmul ins(%a, %b : memref<2x3x5xbf16>, memref<2x5x4xbf16>) outs(%c : memref<2x3x4xbf16>)",
            [&[2, 3, 5], &[2, 5, 4], &[2, 3, 4]],
            [2, 3, 4, 5],
            [false, false],
        ),
        (
            "f64",
            "linalg.matvec ins(%a, %b : memref<3x5xf64>, memref<5xf64>) outs(%c : memref<3xf64>)",
            [&[3, 5], &[5], &[3]],
            [1, 3, 1, 5],
            [false, false],
        ),
        (
            "f32",
            generic,
            [&[2, 3, 5], &[2, 4, 5], &[4, 3]],
            [0; 4],
            [false; 2],
        ),
    ];
    for (element, op, shapes, sizes, transposed) in forms {
        let memref = |shape: &[usize]| {
            let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
            format!("memref<{sizes}{element}>")
        };
        let [a, b, c] = shapes.map(memref);
        let context = mlir_comm::context();
        let text = format!(
            "func.func @main(%a: {a}, %b: {b}) -> {c} {{
               %c = memref.alloc() : {c}
               %zero = arith.constant 0.0 : {element}
               linalg.fill ins(%zero : {element}) outs(%c : {c})
               {op}
               return %c : {c}
             }}"
        );
        let program = compile(&context, &text).expect("compiles");
        let number = program.signature().inputs[0].element;
        let inputs: Vec<Array> = [0, 1]
            .into_iter()
            .map(|index| random(number, shapes[index], 7, 0, index).expect("small shapes"))
            .collect();
        let expected = match sizes[0] {
            0 => swapped_product(&inputs),
            _ => product(&inputs[0], &inputs[1], sizes, transposed),
        };
        let run = program.run(&[inputs], &Options::default()).expect("runs");
        let tolerance = if element == "bf16" { 2e-2 } else { 1e-5 };
        for (position, expected) in expected.iter().enumerate() {
            let found = run.results[0][0].get(position);
            assert!(
                (found - expected).abs() <= tolerance,
                "{op}: {found} instead of {expected} at {position}"
            );
        }
        assert_eq!(expected.len(), run.results[0][0].len());
    }
}

/// `c[j][i] = sum over a, b of left[a][i][b] * right[a][j][b]`, of sizes i 3, j 4, a 2, b 5.
fn swapped_product(inputs: &[Array]) -> Vec<f64> {
    let mut target = Vec::new();
    for j in 0..4 {
        for i in 0..3 {
            let terms = (0..2).flat_map(|a| (0..5).map(move |b| (a, b)));
            target.push(
                terms
                    .map(|(a, b)| inputs[0].get((a * 3 + i) * 5 + b) * inputs[1].get((a * 4 + j) * 5 + b))
                    .sum(),
            );
        }
    }
    target
}

/// A rank that never arrives ends the run within the timeout, with rank, op and location; and the same program runs afterwards.
#[test]
fn a_fault_ends_a_run_and_leaves_nothing_behind() {
    let context = mlir_comm::context();
    let program = compile(
        &context,
        "func.func @main(%x: memref<1xi64>) -> i64 {
           %here = comm_stream.current
           %w = comm_stream.symmetric_alloc over [[0, 1, 2]] : !comm_stream.symmetric<memref<8xf32>>
           %zero = arith.constant 0 : index
           %none = arith.constant 0 : i64
           %v = memref.load %x[%zero] : memref<1xi64>
           %comes = arith.cmpi eq, %v, %none : i64
           scf.if %comes {
             comm_stream.barrier over [[0, 1, 2]] channel 0 on %here {timeout_ms = 150 : i64} loc(\"the meeting\")
           }
           return %v : i64
         }",
    )
    .expect("compiles");
    let inputs = |late: i64| -> Vec<Vec<Array>> {
        let one = |rank: i64| {
            let number = if rank == 2 { late } else { 0 };
            vec![Array::new(Element::I64, vec![1], number.to_ne_bytes().to_vec()).expect("one number")]
        };
        (0..3).map(one).collect()
    };
    let begin = Instant::now();
    let error = program
        .run(&inputs(1), &Options::default())
        .expect_err("rank 2 does not come");
    assert!(begin.elapsed() < Duration::from_secs(10));
    let RunnerError::Fault { error, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(
        (&*error.site().op, &*error.site().location),
        ("barrier", "the meeting")
    );
    assert!(
        matches!(error.fault(), Fault::Gone(2) | Fault::Late { .. }),
        "{error}"
    );
    assert_eq!(live_symmetric_bytes(), 0);
    let run = program.run(&inputs(0), &Options::default()).expect("all come");
    assert_eq!(run.results.len(), 3);
    assert_eq!(live_symmetric_bytes(), 0);
}

/// Inputs that do not fit are named before anything runs.
#[test]
fn inputs_are_checked() {
    let context = mlir_comm::context();
    let program = compile(
        &context,
        "func.func @main(%x: memref<?x4xf32>, %n: i32) -> memref<?x4xf32> { return %x : memref<?x4xf32> }",
    )
    .expect("compiles");
    let number = || random(Element::U32, &[], 0, 0, 0).expect("a number");
    let table =
        |rows: usize, columns: usize| random(Element::F32, &[rows, columns], 0, 0, 0).expect("a table");
    let refused = |inputs: Vec<Array>| {
        let error = program.run(&[inputs], &Options::default()).expect_err("refused");
        error.to_string()
    };
    assert_eq!(refused(vec![table(2, 4)]), "rank 0 has 1 inputs; 'main' takes 2");
    assert_eq!(
        refused(vec![table(2, 3), number()]),
        "input 0 of rank 0 is 2x3xf32; expected ?x4xf32"
    );
    assert_eq!(
        refused(vec![table(2, 4), table(1, 1)]),
        "input 1 of rank 0 is 1x1xf32; expected i32"
    );
    // An argument may be returned as it is.
    let run = program
        .run(&[vec![table(2, 4), number()]], &Options::default())
        .expect("runs");
    assert_eq!(run.results[0][0], table(2, 4));
}

/// What cannot be compiled says why.
#[test]
fn programs_are_refused_with_a_reason() {
    let context = mlir_comm::context();
    let message = |text: &str| match compile(&context, text) {
        Ok(_) => panic!("compiled: {text}"),
        Err(error) => error.to_string(),
    };
    assert!(message("func.func @main(").contains("error: "));
    assert!(
        message("func.func @other() { return }").contains("no function 'main' with a body; there are: other")
    );
    let complex = "func.func @main(%x: memref<2xcomplex<f32>>) { return }";
    assert!(message(complex).contains("input 0 has type memref<2xcomplex<f32>>"));
    let unknown = "func.func @main() { \"some.op\"() : () -> () return }";
    assert!(message(unknown).contains("ops are left that LLVM does not have: some.op"));
}
