// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-sort` promises, on the real programs of test/programs.

mod common;
#[allow(dead_code)] // Its figures are for the tables and tests/overlap.rs.
#[path = "../examples/overlap/programs.rs"]
mod programs;

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use common::{check, ir, moves, run::Session};
use fastrand::Rng;
use melior::{
    ir::{Module, operation::OperationLike},
    pass::PassManager,
};
use mlir_comm::passes::{self, GatherPlacement, ImportStablehloOptions, ImportTorchOptions, SortOptions};
use programs::Origin;

/// Programs of a directory of test/programs, and how they become `comm` ops.
struct Family {
    directory: &'static str,
    /// What the names of its programs contain.
    part: &'static str,
    text: fn(&Path) -> String,
    import: fn(&PassManager),
    /// How many there are at least.
    least: usize,
}

const FAMILIES: &[Family] = &[
    Family {
        directory: "thunder",
        part: ".0_input.json",
        text: thunder,
        import: |_| {},
        least: 8,
    },
    Family {
        directory: "jax",
        part: ".local.",
        text: read,
        import: stablehlo,
        least: 22,
    },
    Family {
        directory: "features",
        part: ".local.",
        text: read,
        import: stablehlo,
        least: 12,
    },
    Family {
        directory: "torch-mlir",
        part: ".torch.",
        text: read,
        import: torch,
        least: 5,
    },
];

fn stablehlo(manager: &PassManager) {
    manager.add_pass(passes::import_stablehlo(&ImportStablehloOptions::default()));
}

fn torch(manager: &PassManager) {
    let groups = vec!["0=0.1.2.3.4.5.6.7".to_owned()];
    manager.add_pass(passes::import_torch(&ImportTorchOptions { groups }));
}

fn read(path: &Path) -> String {
    text(path, Origin::Jax)
}

/// A Thunder trace, turned into IR by the script that users call.
fn thunder(path: &Path) -> String {
    text(path, Origin::Thunder)
}

fn text(path: &Path, origin: Origin) -> String {
    programs::read(Path::new(env!("CARGO_MANIFEST_DIR")), path, origin)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn paths(family: &Family) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("test/programs")
        .join(family.directory);
    let mut paths: Vec<PathBuf> = fs::read_dir(directory)
        .expect("the programs are there")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.file_name()
                .and_then(OsStr::to_str)
                .is_some_and(|name| name.contains(family.part))
        })
        .collect();
    paths.sort();
    assert!(
        paths.len() >= family.least,
        "{} programs in {}",
        paths.len(),
        family.directory
    );
    paths
}

/// The program with all collectives started and awaited where they stood.
fn load<'c>(session: &'c Session, family: &Family, text: &str, name: &str) -> Module<'c> {
    let mut module = session
        .parse(text)
        .unwrap_or_else(|errors| panic!("{name} does not parse: {errors:?}"));
    let manager = PassManager::new(&session.context);
    (family.import)(&manager);
    manager.nested_under("func.func").add_pass(passes::asyncify());
    if manager.run(&mut module).is_err() {
        panic!("{name} cannot be imported: {:?}", session.diagnostics());
    }
    ir::tag(&module);
    module
}

/// Sorts with limits that can be met, starting from `options`.
fn sort(session: &Session, module: &mut Module, options: &SortOptions, name: &str) -> SortOptions {
    let mut options = options.clone();
    loop {
        let errors = match session.run_on_functions(module, [passes::sort(&options)]) {
            Ok(()) => return options,
            Err(errors) => errors,
        };
        let (gathers, reductions) =
            common::run::least_limits(&errors).unwrap_or_else(|| panic!("{name}: {errors:?}"));
        let before = options.clone();
        options.max_in_flight = gathers.unwrap_or(options.max_in_flight);
        options.max_in_flight_reductions = reductions.unwrap_or(options.max_in_flight_reductions);
        assert_ne!(before, options, "{name}: {errors:?}");
    }
}

fn check_family(family: &Family) {
    for path in paths(family) {
        let name = path
            .file_name()
            .and_then(OsStr::to_str)
            .unwrap_or_default()
            .to_owned();
        let text = (family.text)(&path);
        let session = Session::new(false);
        let mut rng = Rng::with_seed(7);
        for options in [
            SortOptions::default(),
            SortOptions {
                max_in_flight: 1,
                max_in_flight_reductions: 0,
                ..SortOptions::default()
            },
            SortOptions {
                all_gather: GatherPlacement::First,
                max_in_flight: 2,
                ..SortOptions::default()
            },
        ] {
            let mut module = load(&session, family, &text, &name);
            let before = ir::snapshot(&module);
            let options = sort(&session, &mut module, &options, &name);
            let after = ir::snapshot(&module);
            if let Err(error) = check::check(&before, &after, &options) {
                panic!("{name}: {error}\n{options:?}");
            }

            let once = module.as_operation().to_string();
            sort(&session, &mut module, &options, &name);
            assert!(
                once == module.as_operation().to_string(),
                "{name} changes when it is sorted again\n{options:?}"
            );

            let mut other = load(&session, family, &text, &name);
            moves::permute_arguments(&other, &mut rng);
            moves::shuffle(&other, &mut rng);
            assert!(
                other.as_operation().verify(),
                "{name}: {:?}",
                session.diagnostics()
            );
            assert_eq!(
                sort(&session, &mut other, &options, &name),
                options,
                "{name}: limits of a shuffle"
            );
            let (expected, got) = (after.canonical(), ir::snapshot(&other).canonical());
            let difference = expected.iter().zip(&got).find(|(expected, got)| expected != got);
            assert_eq!(
                difference, None,
                "{name}: the order of arguments or of moved ops shows\n{options:?}"
            );
        }
    }
}

#[test]
fn thunder_traces() {
    check_family(&FAMILIES[0]);
}

#[test]
fn jax_programs() {
    check_family(&FAMILIES[1]);
}

#[test]
fn jax_features() {
    check_family(&FAMILIES[2]);
}

#[test]
fn torch_programs() {
    check_family(&FAMILIES[3]);
}
