// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The real programs in `test/programs`, and the figures of each, unsorted or sorted.

use std::{
    error::Error,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    process::Command,
};

use flate2::read::GzDecoder;
use melior::{Context, ir::Module, pass::PassManager};
use mlir_comm::{
    measure::{Figures, measure},
    passes::{self, ImportStablehloOptions, ImportTorchOptions, SortOptions},
};

/// Where a program comes from, and so how its collectives become `comm` ops.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// StableHLO of one device.
    Jax,
    /// Functional collectives.
    Torch,
    /// Already `comm` ops.
    Thunder,
}

/// A real program.
pub struct Program {
    /// Folder and name.
    pub name: String,
    pub origin: Origin,
    /// IR, before import.
    pub text: String,
}

/// All programs, by folder and name.
pub fn all() -> Result<Vec<Program>, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs = Vec::new();
    for (folder, origin, suffix) in [
        ("jax", Origin::Jax, ".local.generic.mlir"),
        ("torch-mlir", Origin::Torch, ".torch.generic.mlir"),
        ("thunder", Origin::Thunder, ".0_input.json"),
    ] {
        let mut files: Vec<PathBuf> = fs::read_dir(root.join("test/programs").join(folder))?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, std::io::Error>>()?;
        files.sort();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let Some(name) = name.trim_end_matches(".gz").strip_suffix(suffix) else {
                continue;
            };
            programs.push(Program {
                name: format!("{folder}/{name}"),
                origin,
                text: read(root, &file, origin)?,
            });
        }
    }
    Ok(programs)
}

/// The program as IR.
pub fn read(root: &Path, file: &Path, origin: Origin) -> Result<String, Box<dyn Error>> {
    if origin == Origin::Thunder {
        let output = Command::new("python3")
            .arg(root.join("tools/thunder_to_comm.py"))
            .arg(file)
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        return Ok(String::from_utf8(output.stdout)?);
    }
    let mut text = String::new();
    let mut source = File::open(file)?;
    if file.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(source).read_to_string(&mut text)?;
    } else {
        source.read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Figures of each function that communicates, unsorted or sorted.
pub fn figures(
    program: &Program,
    sort: Option<&SortOptions>,
) -> Result<Vec<(String, Figures)>, Box<dyn Error>> {
    let context: Context = mlir_comm::context();
    let mut module =
        Module::parse(&context, &program.text).ok_or_else(|| format!("{} does not parse", program.name))?;
    let manager = PassManager::new(&context);
    match program.origin {
        Origin::Jax => manager.add_pass(passes::import_stablehlo(&ImportStablehloOptions {
            split_barriers: true,
            ..Default::default()
        })),
        Origin::Torch => manager.add_pass(passes::import_torch(&ImportTorchOptions {
            groups: vec!["0=0.1.2.3.4.5.6.7".into()],
        })),
        Origin::Thunder => {}
    }
    let functions = manager.nested_under("func.func");
    functions.add_pass(passes::asyncify());
    if let Some(options) = sort {
        functions.add_pass(passes::sort(options));
        functions.add_pass(passes::verify_futures());
    }
    manager
        .run(&mut module)
        .map_err(|error| format!("{}: {error}", program.name))?;
    measure(&module).ok_or_else(|| format!("{} cannot be measured", program.name).into())
}
