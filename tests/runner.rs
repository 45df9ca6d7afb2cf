// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs that are compiled and run in this process, by the library.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use comm_runtime::{Element, Fault, Link, Options, live_symmetric_bytes};
use mlir_comm::runner::{
    Array, Backend, Inputs, LowerOptions, Program, Request, RunnerError, Tolerance, execute, lower, parse,
    random, write_npz,
};

/// Compiles the function `main` of a text.
fn compile(context: &melior::Context, text: &str) -> Result<Program, RunnerError> {
    compile_with(context, text, &LowerOptions::default())
}

fn compile_with(
    context: &melior::Context,
    text: &str,
    options: &LowerOptions,
) -> Result<Program, RunnerError> {
    let mut module = parse(context, text)?;
    let signature = lower(context, &mut module, options, |_| {})?;
    Program::compile(context, &module, signature)
}

/// One number, as a buffer of one element.
fn number(number: i64) -> Array {
    Array::new(Element::I64, vec![1], number.to_ne_bytes().to_vec()).expect("one number")
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
        let one = |rank: i64| vec![number(if rank == 2 { late } else { 0 })];
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
    assert_eq!(
        refused(vec![table(2, 4)]),
        "rank 0 has 1 inputs; 'main' takes 2: ?x4xf32, i32"
    );
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
    assert!(message("").contains("no function 'main' with a body; there is none"));
    assert!(message("func.func private @main()").contains("'main' has no body"));
    let elsewhere = "func.func private @elsewhere()
                     func.func @main() { call @elsewhere() : () -> () return }";
    assert!(message(elsewhere).contains("2:42: 'elsewhere' has no body; expected a function of this module"));
    // Whatever is part of this process may be called.
    let known = "func.func private @llabs(i64) -> i64
                 func.func @main(%x: i64) -> i64 { %y = call @llabs(%x) : (i64) -> i64 return %y : i64 }";
    compile(&context, known).expect("the C library has it");
    let mixed = "func.func @main(%x: tensor<4xf32>, %y: f32, %i: index) -> (tensor<4xf32>, f32) {
                   %m = memref.alloc() : memref<4xf32>
                   memref.store %y, %m[%i] : memref<4xf32>
                   %z = memref.load %m[%i] : memref<4xf32>
                   memref.dealloc %m : memref<4xf32>
                   return %x, %z : tensor<4xf32>, f32
                 }";
    let mixed = message(mixed);
    assert!(
        mixed.contains("5:20: 'memref.dealloc' frees a buffer in a program that computes on tensors"),
        "{mixed}"
    );
}

/// What no memory holds is an error that names it, wherever it is.
#[test]
fn sizes_beyond_memory_are_refused() {
    let context = mlir_comm::context();
    let message = |text: &str| match compile(&context, text) {
        Ok(_) => panic!("compiled: {text}"),
        Err(error) => error.to_string(),
    };
    let large = "1000000000x1000000000xf32";
    let overflowing = "10000000000x10000000000xf32";
    for (sizes, bytes) in [
        (large, "4000000000000000000"),
        (overflowing, "400000000000000000000"),
    ] {
        for kind in ["tensor", "memref"] {
            let ty = format!("{kind}<{sizes}>");
            let error = message(&format!("func.func @main(%x: {ty}) {{ return }}"));
            assert!(error.contains("no memory for argument 0 of func.func"), "{error}");
            assert!(error.contains(&format!("of type {ty}: {bytes} bytes")), "{error}");
        }
        let error = message(&format!(
            "func.func @main() -> tensor<{sizes}> {{
               %x = tensor.empty() : tensor<{sizes}>
               return %x : tensor<{sizes}>
             }}"
        ));
        assert!(
            error.contains("no memory for result 0 of tensor.empty at"),
            "{error}"
        );
        assert!(
            error.contains(&format!("of type tensor<{sizes}>: {bytes} bytes")),
            "{error}"
        );
    }
    let constant = "func.func @main() -> tensor<20000000x1000000xf32> {
                      %x = arith.constant dense<1.0> : tensor<20000000x1000000xf32>
                      return %x : tensor<20000000x1000000xf32>
                    }";
    let error = message(constant);
    assert!(error.contains("no memory for the constant"), "{error}");
    assert!(
        error.contains("of type memref<20000000x1000000xf32>: 80000000000000 bytes"),
        "{error}"
    );
}

/// A program that asks for memory that is not there ends with an error, on all ranks.
#[test]
fn allocations_beyond_memory_end_a_run() {
    let context = mlir_comm::context();
    let program = compile(
        &context,
        "func.func @main(%n: memref<1xi64>) -> memref<?xf32> {
           %zero = arith.constant 0 : index
           %long = memref.load %n[%zero] : memref<1xi64>
           %size = arith.index_cast %long : i64 to index
           %x = memref.alloc(%size) : memref<?xf32>
           return %x : memref<?xf32>
         }",
    )
    .expect("compiles");
    let run = program
        .run(&[vec![number(3)]], &Options::default())
        .expect("runs");
    assert_eq!(run.results[0][0].shape(), [3]);
    let begin = Instant::now();
    let error = program
        .run(&[vec![number(3)], vec![number(1 << 50)]], &Options::default())
        .expect_err("2^52 bytes are more than addresses reach")
        .to_string();
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert!(error.contains("no memory for memref<?xf32> at "), "{error}");
    assert!(error.contains(":5:17: 4503599627370"), "{error}");
}

/// A rank that computes on after a failure elsewhere is given up, and the failure is told.
#[test]
fn a_rank_that_computes_on_is_given_up() {
    let context = mlir_comm::context();
    let program = compile(
        &context,
        "func.func @main(%turns: memref<1xi64>) {
           %here = comm_stream.current
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           %long = memref.load %turns[%zero] : memref<1xi64>
           %end = arith.index_cast %long : i64 to index
           scf.for %i = %zero to %end step %one {
             %old = memref.load %turns[%zero] : memref<1xi64>
             %wide = arith.index_cast %i : index to i64
             %product = arith.muli %old, %wide : i64
             %new = arith.addi %product, %wide : i64
             memref.store %new, %turns[%zero] : memref<1xi64>
           }
           comm_stream.barrier over [[0, 1]] channel 0 on %here
           return
         }",
    )
    .expect("compiles");
    let options = Options {
        timeout: Duration::from_millis(100),
        ..Options::default()
    };
    let begin = Instant::now();
    // It ends at some time, so that the test does not take a processor from the others for ever.
    let error = program
        .run(&[vec![number(0)], vec![number(5_000_000_000)]], &options)
        .expect_err("rank 1 comes too late");
    assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
    let RunnerError::Abandoned { fault, ranks, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(*ranks, [1]);
    assert!(matches!(**fault, RunnerError::Fault { .. }));
    let text = error.to_string();
    assert!(
        text.contains("rank 0 gave up after 100 ms; missing: rank 1"),
        "{text}"
    );
    assert!(text.contains("; rank 1 had not returned"), "{text}");
}

/// A program need not wait for its streams: what they use lives until they have ended.
#[test]
fn streams_may_outlast_the_program() {
    let context = mlir_comm::context();
    let options = LowerOptions {
        verify: false,
        ..LowerOptions::default()
    };
    let text = "func.func @main(%x: memref<2000000xf32>) {
                  %side = comm_stream.stream \"side\"
                  comm_stream.all_reduce sum %x into %x over [[0, 1]] on %side
                    : memref<2000000xf32> into memref<2000000xf32>
                  return
                }";
    let program = compile_with(&context, text, &options).expect("compiles");
    let input = || random(Element::F32, &[2_000_000], 0, 0, 0).expect("8 MB");
    for _ in 0..3 {
        let run = program.run(&[vec![input()], vec![input()]], &Options::default());
        assert!(run.expect("runs").results[1].is_empty());
    }
}

/// Whether so many ranks can run a program is known before they do.
#[test]
fn ranks_have_to_fit_the_groups() {
    let context = mlir_comm::context();
    let program = compile(
        &context,
        "func.func @main(%x: memref<1024xf32>) {
           %here = comm_stream.current
           comm_stream.all_reduce sum %x into %x over [[0, 1]] on %here : memref<1024xf32> into memref<1024xf32>
           return
         }",
    )
    .expect("compiles");
    let run = |ranks: usize, options: &Options| {
        let inputs = vec![vec![random(Element::F32, &[1024], 0, 0, 0).expect("4 KB")]; ranks];
        program
            .run(&inputs, options)
            .map(drop)
            .map_err(|error| error.to_string())
    };
    run(2, &Options::default()).expect("as many as there are members");
    let few = run(1, &Options::default()).expect_err("no partner");
    assert!(few.starts_with("comm_stream.all_reduce at "), "{few}");
    assert!(
        few.contains(":3:12 is of a group with rank 1, and 1 ranks run"),
        "{few}"
    );
    assert!(few.ends_with("expected at least 2 of them"), "{few}");
    let many = run(3, &Options::default()).expect_err("one too many");
    assert!(
        many.contains(":3:12 is run by 3 ranks, and rank 2 is in none of its groups [[0, 1]]"),
        "{many}"
    );
    let on = |latency, bandwidth| Options {
        link: Some(Link { latency, bandwidth }),
        ..Options::default()
    };
    let year = Duration::from_secs(365 * 24 * 3600);
    let error = run(2, &on(year, f64::INFINITY)).expect_err("a year is long");
    assert_eq!(
        error,
        "the link's latency of 31536000s is not less than the timeout of 30s: no transfer would arrive in time"
    );
    let error = run(2, &on(Duration::ZERO, 1.0)).expect_err("half an hour, too");
    assert!(
        error.contains("moves at least 2048 bytes, which takes 2048s on the link"),
        "{error}"
    );
    run(2, &on(Duration::from_micros(5), 1e9)).expect("a link as others");
}

/// Arrays that stand for nothing are named, since one that was meant to be used is not.
#[test]
fn archives_hold_what_is_used() {
    let folder = tempfile("archives");
    let program = folder.join("program.mlir");
    let text = "func.func @main(%x: memref<2xf32>) -> memref<2xf32> { return %x : memref<2xf32> }";
    std::fs::write(&program, text).expect("written");
    let array = Array::from_f32(&[2], &[1.0, 2.0]).expect("two numbers");
    let run = |names: &[&str], expects: &[&str]| {
        let write = |name: &str, names: &[&str]| {
            let path = folder.join(name);
            let arrays: Vec<(String, Array)> = names
                .iter()
                .map(|name| ((*name).to_owned(), array.clone()))
                .collect();
            write_npz(&path, &arrays).expect("written");
            path
        };
        let request = Request {
            program: program.clone(),
            lower: LowerOptions::default(),
            emit: false,
            ranks: 2,
            inputs: Inputs::Archive(write("inputs.npz", names)),
            world: Options::default(),
            backend: Backend::Threads,
            repeat: 1,
            check: None,
            expect: Some(write("expected.npz", expects)),
            tolerance: Tolerance::default(),
            results: None,
            trace: None,
            print: false,
        };
        let outcome = execute(&request, |_| {});
        outcome
            .map(|outcome| outcome.is_well)
            .map_err(|error| error.to_string())
    };
    let outputs = ["out0_r0", "out0_r1"];
    assert_eq!(run(&["in0"], &outputs), Ok(true));
    // One file may hold both.
    let both = ["in0", "in0_r1", "out0_r0", "out0_r1"];
    assert_eq!(run(&both, &both), Ok(true));
    let error = run(&["in0", "in1", "x"], &outputs).expect_err("in1 and x are none");
    assert!(
        error.contains("arrays 'in1', 'x' are not used; expected in0 to in0"),
        "{error}"
    );
    let error = run(&["in0", "in0_r2"], &outputs).expect_err("there are two ranks");
    assert!(error.contains("array 'in0_r2' is not used;"), "{error}");
    let error = run(&["in0"], &["out0_r0", "out0_r1", "out1_r0"]).expect_err("there is one result");
    assert!(
        error.contains("array 'out1_r0' is not used; the program gives 1 results"),
        "{error}"
    );
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// A folder of this test's own.
fn tempfile(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("made");
    folder
}
