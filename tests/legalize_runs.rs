// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs lowered by `comm-legalize-stablehlo` compute what JAX computes.
//!
//! `test/legalize-stablehlo/runs` holds the programs, their arguments and their results; `make.py` there made them. Each
//! runs as a user would run it: through the pass, one-shot bufferization, MLIR's conversions to LLVM, and the just-in-time
//! compiler.

use std::{ffi::c_void, fs, io::Read, path::PathBuf, sync::Once};

use melior::{
    Context, ExecutionEngine,
    ir::Module,
    pass::PassManager,
    utility::{parse_pass_pipeline, register_all_llvm_translations, register_all_passes},
};
use mlir_comm::passes;
use serde_json::Value;

/// From StableHLO to LLVM, on one device.
const PIPELINE: &str = "builtin.module(comm-import-stablehlo,comm-legalize-stablehlo,\
    one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map},\
    buffer-results-to-out-params{modify-public-functions=1},func.func(llvm-request-c-wrappers),\
    buffer-deallocation-pipeline,convert-linalg-to-loops,\
    expand-strided-metadata,lower-affine,convert-scf-to-cf,arith-expand{include-bf16=true},convert-math-to-llvm,\
    convert-math-to-libm,convert-to-llvm,reconcile-unrealized-casts)";

/// What copies memrefs that are not contiguous. The end of the string is for the engine, which takes it for a C string.
const RUNNER_UTILS: &str = concat!(env!("MLIR_SYS_220_PREFIX"), "/lib/libmlir_c_runner_utils.so\0");

/// A tensor as bytes.
struct Tensor {
    ty: String,
    shape: Vec<i64>,
    bytes: Vec<u8>,
}

impl Tensor {
    fn read(json: &Value) -> Self {
        let ty = json["type"].as_str().expect("a type").to_owned();
        let shape: Vec<i64> = json["shape"]
            .as_array()
            .expect("a shape")
            .iter()
            .map(|size| size.as_i64().expect("a size"))
            .collect();
        let values = json["values"].as_array().expect("values");
        assert_eq!(values.len() as i64, shape.iter().product::<i64>());
        let bytes = values.iter().flat_map(|value| encode(&ty, value)).collect();
        Self { ty, shape, bytes }
    }

    /// One of the same type without contents. A byte pattern that is no likely result shows what is not written.
    fn blank(&self) -> Self {
        Self {
            ty: self.ty.clone(),
            shape: self.shape.clone(),
            bytes: vec![0xA5; self.bytes.len()],
        }
    }

    /// MLIR's descriptor of a memref: pointer of the allocation, aligned pointer, offset, sizes, strides.
    fn descriptor(&mut self) -> Vec<i64> {
        let pointer = self.bytes.as_mut_ptr() as i64;
        let mut strides: Vec<i64> = Vec::new();
        let mut stride = 1;
        for &size in self.shape.iter().rev() {
            strides.push(stride);
            stride *= size;
        }
        let fields = [pointer, pointer, 0].into_iter();
        fields
            .chain(self.shape.iter().copied())
            .chain(strides.into_iter().rev())
            .collect()
    }

    /// Elements as numbers, and as integers in the order of the numbers, a unit of the last place apart.
    fn elements(&self) -> Vec<(f64, i128)> {
        let width = width(&self.ty);
        self.bytes
            .chunks_exact(width)
            .map(|bytes| {
                let mut wide = [0; 8];
                wide[..width].copy_from_slice(bytes);
                let bits = u64::from_le_bytes(wide);
                let shift = 64 - 8 * width as u32;
                let signed = ((bits << shift) as i64 >> shift) as i128;
                match self.ty.as_str() {
                    "i1" => ((bits & 1) as f64, (bits & 1) as i128),
                    "f16" | "bf16" | "f32" | "f64" => {
                        // The bits of a negative number as the negated bits of its size, and -0 below 0.
                        let size = signed & !(-1 << (8 * width - 1));
                        let place = if signed < 0 { -size - 1 } else { size };
                        (decode(&self.ty, bits), place)
                    }
                    ty if ty.starts_with('u') => (bits as f64, i128::from(bits)),
                    _ => (signed as f64, signed),
                }
            })
            .collect()
    }
}

fn width(ty: &str) -> usize {
    match ty {
        "i1" | "i8" | "ui8" => 1,
        "i16" | "ui16" | "f16" | "bf16" => 2,
        "i32" | "ui32" | "f32" => 4,
        "i64" | "ui64" | "f64" => 8,
        other => panic!("no type of the fixtures: {other}"),
    }
}

fn decode(ty: &str, bits: u64) -> f64 {
    match ty {
        "f64" => f64::from_bits(bits),
        "f32" => f64::from(f32::from_bits(bits as u32)),
        "bf16" => f64::from(f32::from_bits((bits as u32) << 16)),
        "f16" => {
            let (exponent, mantissa) = ((bits >> 10) & 31, (bits & 1023) as f64);
            let size = match exponent {
                0 => mantissa * 2_f64.powi(-24),
                31 if mantissa == 0.0 => f64::INFINITY,
                31 => f64::NAN,
                _ => (1024.0 + mantissa) * 2_f64.powi(exponent as i32 - 25),
            };
            if bits >> 15 == 1 { -size } else { size }
        }
        other => panic!("no float: {other}"),
    }
}

fn encode(ty: &str, value: &Value) -> Vec<u8> {
    let width = width(ty);
    let bits = if matches!(ty, "f16" | "bf16" | "f32" | "f64") {
        let number: f64 = value.as_str().expect("a float as text").parse().expect("a float");
        match ty {
            "f64" => number.to_bits(),
            "f32" => u64::from((number as f32).to_bits()),
            "bf16" => u64::from((number as f32).to_bits() >> 16),
            _ => (0..=u64::from(u16::MAX))
                .find(|&bits| {
                    let other = decode(ty, bits);
                    other.to_bits() == number.to_bits() || other.is_nan() && number.is_nan()
                })
                .expect("a number of the type"),
        }
    } else {
        value
            .as_u64()
            .or_else(|| value.as_i64().map(|value| value as u64))
            .expect("an integer")
    };
    bits.to_le_bytes()[..width].to_vec()
}

/// How results differ from what is expected, if they do.
fn difference(found: &Tensor, expected: &Tensor, ulps: i128) -> Option<String> {
    found
        .elements()
        .into_iter()
        .zip(expected.elements())
        .enumerate()
        .find(|(_, ((number, place), (wanted, wanted_place)))| {
            let both_nan = number.is_nan() && wanted.is_nan();
            let close = number.is_nan() == wanted.is_nan() && (place - wanted_place).abs() <= ulps;
            // Around zero, places are far apart that numbers are not.
            let tiny = ulps > 0 && (number - wanted).abs() <= ulps as f64 * 1e-8;
            !(both_nan || close || tiny)
        })
        .map(|(index, ((number, _), (wanted, _)))| format!("element {index} is {number}, expected {wanted}"))
}

/// Runs one program; what is wrong with it, if anything.
fn run(context: &Context, text: &str, description: &Value) -> Result<(), String> {
    let mut module = Module::parse(context, text).ok_or("does not parse")?;
    let manager = PassManager::new(context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), PIPELINE).map_err(|error| error.to_string())?;
    manager
        .run(&mut module)
        .map_err(|error| format!("not lowered: {error}"))?;
    let engine = ExecutionEngine::new(&module, 2, &[RUNNER_UTILS], false, false);
    let tensors = |name: &str| -> Vec<Tensor> {
        let list = description[name].as_array().expect("a list");
        list.iter().map(Tensor::read).collect()
    };
    let (mut arguments, expected) = (tensors("arguments"), tensors("results"));
    let mut results: Vec<Tensor> = expected.iter().map(Tensor::blank).collect();
    let mut descriptors: Vec<Vec<i64>> = arguments
        .iter_mut()
        .chain(&mut results)
        .map(Tensor::descriptor)
        .collect();
    let pointers: Vec<*mut c_void> = descriptors
        .iter_mut()
        .map(|descriptor| descriptor.as_mut_ptr().cast())
        .collect();
    let mut packed: Vec<*mut ()> = pointers
        .iter()
        .map(|pointer| std::ptr::from_ref(pointer).cast_mut().cast())
        .collect();
    // SAFETY: the C interface takes a pointer to a descriptor for each argument, then for each result, and the packed
    // interface pointers to those. Descriptors say how large the buffers are, and all outlive the call.
    unsafe { engine.invoke_packed("main", &mut packed) }.map_err(|error| error.to_string())?;
    let ulps = i128::from(description["ulps"].as_u64().expect("ulps"));
    for (index, (found, expected)) in results.iter().zip(&expected).enumerate() {
        if let Some(difference) = difference(found, expected, ulps) {
            return Err(format!("result {index}: {difference}"));
        }
    }
    Ok(())
}

/// A context for all of this.
fn context() -> Context {
    static ONCE: Once = Once::new();
    ONCE.call_once(register_all_passes);
    passes::register();
    let context = mlir_comm::context();
    register_all_llvm_translations(&context);
    context
}

/// Runs all programs of a file and reports all that are wrong.
fn family(name: &str) {
    let context = context();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("test/legalize-stablehlo/runs");
    let read = |extension: &str| {
        fs::read_to_string(folder.join(name).with_extension(extension)).expect("the fixture is there")
    };
    let programs = read("mlir");
    let programs: Vec<&str> = programs.split("// -----\n").collect();
    let descriptions: Vec<Value> = serde_json::from_str(&read("json")).expect("the fixture is JSON");
    assert_eq!(programs.len(), descriptions.len());
    assert!(!programs.is_empty());
    let failures: Vec<String> = programs
        .iter()
        .zip(&descriptions)
        .filter_map(|(text, description)| {
            let error = run(&context, text, description).err()?;
            Some(format!("{}: {error}", description["name"]))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The real programs of `test/programs` that hold StableHLO, those around which a global program stands left out.
fn corpus() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("test/programs");
    let mut programs = Vec::new();
    for part in ["jax", "features"] {
        for entry in fs::read_dir(folder.join(part)).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let text = if name.ends_with(".local.generic.mlir.gz") {
                let mut text = String::new();
                let file = fs::File::open(&path).expect("the program opens");
                flate2::read::GzDecoder::new(file)
                    .read_to_string(&mut text)
                    .expect("the program is text");
                text
            } else if name.ends_with(".local.generic.mlir") {
                fs::read_to_string(&path).expect("the program is text")
            } else {
                continue;
            };
            programs.push((name, text));
        }
    }
    programs.sort();
    programs
}

/// Real programs lower without a rest and bufferize, around their collectives where those do not.
#[test]
fn real_programs() {
    let context = context();
    let programs = corpus();
    assert!(programs.len() > 30, "{} programs", programs.len());
    for (name, text) in programs {
        let mut module = Module::parse(&context, &text).expect("the program parses");
        let run = |module: &mut Module, pipeline: &str| {
            let manager = PassManager::new(&context);
            parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).expect("the pipeline parses");
            manager
                .run(module)
                .unwrap_or_else(|error| panic!("{name}: {error} in {pipeline}"));
        };
        run(
            &mut module,
            "builtin.module(comm-import-stablehlo,comm-legalize-stablehlo)",
        );
        let lowered = module.as_operation().to_string();
        assert!(!lowered.contains("\"stablehlo."), "{name}");
        run(
            &mut module,
            "builtin.module(one-shot-bufferize{bufferize-function-boundaries=1 \
             function-boundary-type-conversion=identity-layout-map allow-unknown-ops=1})",
        );
    }
}

#[test]
fn floats() {
    family("floats");
}

#[test]
fn integers() {
    family("integers");
}

#[test]
fn conversions() {
    family("conversions");
}

#[test]
fn shapes() {
    family("shapes");
}

#[test]
fn contractions() {
    family("contractions");
}

#[test]
fn reductions() {
    family("reductions");
}

#[test]
fn indexing() {
    family("indexing");
}

#[test]
fn control() {
    family("control");
}

#[test]
fn programs() {
    family("programs");
}

#[test]
fn written_by_hand() {
    family("written");
}
