// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Generates and compiles the C++ part, and links MLIR dynamically.
//!
//! Debian ships the C API only as static archives and no `libMLIR-C.so`, which mlir-sys asks for. A linker script of
//! that name stands in for it: members of the archives are taken as needed, MLIR and LLVM stay shared. So one copy of
//! MLIR is in the process, also where the plugin is loaded into the stock `mlir-opt`.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// What mlir-tblgen makes: (arguments, input, output).
const GENERATED: &[(&[&str], &str, &str)] = &[
    (
        &["-gen-dialect-decls", "-dialect=comm"],
        "CommDialect.td",
        "CommDialect.h.inc",
    ),
    (
        &["-gen-dialect-defs", "-dialect=comm"],
        "CommDialect.td",
        "CommDialect.cpp.inc",
    ),
    (&["-gen-enum-decls"], "CommAttributes.td", "CommEnums.h.inc"),
    (&["-gen-enum-defs"], "CommAttributes.td", "CommEnums.cpp.inc"),
    (
        &["-gen-attrdef-decls", "-attrdefs-dialect=comm"],
        "CommAttributes.td",
        "CommAttributes.h.inc",
    ),
    (
        &["-gen-attrdef-defs", "-attrdefs-dialect=comm"],
        "CommAttributes.td",
        "CommAttributes.cpp.inc",
    ),
    (
        &["-gen-typedef-decls", "-typedefs-dialect=comm"],
        "CommTypes.td",
        "CommTypes.h.inc",
    ),
    (
        &["-gen-typedef-defs", "-typedefs-dialect=comm"],
        "CommTypes.td",
        "CommTypes.cpp.inc",
    ),
    (
        &["-gen-op-interface-decls"],
        "CommInterfaces.td",
        "CommInterfaces.h.inc",
    ),
    (
        &["-gen-op-interface-defs"],
        "CommInterfaces.td",
        "CommInterfaces.cpp.inc",
    ),
    (&["-gen-op-decls"], "CommOps.td", "CommOps.h.inc"),
    (&["-gen-op-defs"], "CommOps.td", "CommOps.cpp.inc"),
    (
        &["-gen-dialect-decls", "-dialect=comm_stream"],
        "CommStreamDialect.td",
        "CommStreamDialect.h.inc",
    ),
    (
        &["-gen-dialect-defs", "-dialect=comm_stream"],
        "CommStreamDialect.td",
        "CommStreamDialect.cpp.inc",
    ),
    (
        &["-gen-typedef-decls", "-typedefs-dialect=comm_stream"],
        "CommStreamDialect.td",
        "CommStreamTypes.h.inc",
    ),
    (
        &["-gen-typedef-defs", "-typedefs-dialect=comm_stream"],
        "CommStreamDialect.td",
        "CommStreamTypes.cpp.inc",
    ),
    (&["-gen-op-decls"], "CommStreamOps.td", "CommStreamOps.h.inc"),
    (&["-gen-op-defs"], "CommStreamOps.td", "CommStreamOps.cpp.inc"),
    (
        &["-gen-pass-decls", "-name=Comm"],
        "CommPasses.td",
        "CommPasses.h.inc",
    ),
];

const SOURCES: &[&str] = &[
    "Assembly.cpp",
    "Bufferization.cpp",
    "CApi.cpp",
    "Canonicalization.cpp",
    "CommDialect.cpp",
    "CommOps.cpp",
    "CommStreamOps.cpp",
    "Drivers.cpp",
    "FusedAssembly.cpp",
    "FusedOps.cpp",
    "FusedVerifiers.cpp",
    "Groups.cpp",
    "Passes.cpp",
    "Pipeline.cpp",
    "Shapes.cpp",
    "Verifiers.cpp",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=dialect");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_LINK_SHARED");
    println!("cargo:rerun-if-env-changed=MLIR_COMM_CHECK_ONLY");

    if env::var("MLIR_SYS_LINK_SHARED").as_deref() != Ok("1") {
        return Err("MLIR_SYS_LINK_SHARED=1 is expected (this repository's .cargo/config.toml sets it for commands run \
                    inside it): with a static MLIR the plugin would bring a second copy into mlir-opt"
            .into());
    }
    let prefix = PathBuf::from(env::var("MLIR_SYS_220_PREFIX").map_err(
        |_| "MLIR_SYS_220_PREFIX is expected to name the LLVM 22 installation, e.g. /usr/lib/llvm-22",
    )?);
    let out = PathBuf::from(env::var("OUT_DIR")?);

    // Where src/ods.rs finds the same declarations.
    println!(
        "cargo:rustc-env=COMM_DIALECT_DIR={}",
        env::current_dir()?.join("dialect").display()
    );

    write_linker_script(&prefix, &out)?;
    generate(&prefix, &out)?;
    // Clippy and rustdoc link nothing, and cargo runs this script once more for each of them.
    if env::var_os("MLIR_COMM_CHECK_ONLY").is_none() {
        compile(&prefix, &out);
    }
    Ok(())
}

/// Writes the stand-in for `libMLIR-C.so` and tells the linker where MLIR is, now and at run time.
fn write_linker_script(prefix: &Path, out: &Path) -> io::Result<()> {
    let lib = prefix.join("lib");
    let mut archives: Vec<String> = fs::read_dir(&lib)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libMLIRCAPI") && name.ends_with(".a")
        })
        .map(|path| path.display().to_string())
        .collect();
    if archives.is_empty() {
        return Err(io::Error::other(format!(
            "no libMLIRCAPI*.a in {}; install libmlir-22-dev",
            lib.display()
        )));
    }
    archives.sort();
    let script = format!("GROUP({} AS_NEEDED(-lMLIR -lLLVM))\n", archives.join(" "));
    fs::write(out.join("libMLIR-C.so"), script)?;
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-search=native={}", lib.display());
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", lib.display());
    Ok(())
}

/// Runs mlir-tblgen.
fn generate(prefix: &Path, out: &Path) -> Result<(), Box<dyn std::error::Error>> {
    for (arguments, input, output) in GENERATED {
        let status = Command::new(prefix.join("bin/mlir-tblgen"))
            .args(*arguments)
            .arg("-I")
            .arg(prefix.join("include"))
            .args(["-I", "dialect", "--write-if-changed"])
            .arg(Path::new("dialect").join(input))
            .arg("-o")
            .arg(out.join(output))
            .status()
            .map_err(|error| format!("cannot run mlir-tblgen ({error}); install mlir-22-tools"))?;
        if !status.success() {
            return Err(format!("mlir-tblgen failed on dialect/{input}").into());
        }
    }
    Ok(())
}

/// Compiles dialect/*.cpp into a static archive that becomes part of the library.
fn compile(prefix: &Path, out: &Path) {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        // In every profile, so that tests run the code that users get: an optimiser also shows what reads after its lifetime.
        .opt_level(2)
        // The compiler that the packaged MLIR was built with. MLIR identifies op traits by type names, which g++ spells
        // otherwise: its objects would find no `SymbolTable` on a module.
        .compiler(prefix.join("bin/clang++"))
        .std("c++17")
        .include(out)
        .include("dialect")
        .flag("-isystem")
        .flag(prefix.join("include"))
        .flag("-fno-exceptions")
        .flag("-fno-rtti")
        .flag("-fvisibility-inlines-hidden")
        .flag("-Wno-unused-parameter")
        // Debug information of ODS code triples the archive and helps nobody.
        .debug(false)
        // The packaged MLIR is built with NDEBUG; its classes have another layout without.
        .define("NDEBUG", None)
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None);
    for source in SOURCES {
        build.file(Path::new("dialect").join(source));
    }
    build.compile("commcpp");
}
