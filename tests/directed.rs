// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs of extreme shape, through the whole of `comm-opt`: what it reads and writes, every pass survives.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Every pass, each on the program as it is, and those that follow each other in a pipeline.
const PIPELINES: &[&str] = &[
    "builtin.module(comm-import-stablehlo{split-barriers=true})",
    "builtin.module(comm-import-torch)",
    "builtin.module(comm-import-shard)",
    "builtin.module(func.func(comm-verify-futures))",
    "builtin.module(func.func(comm-asyncify,comm-sort{max-in-flight=0 max-in-flight-reductions=0}))",
    "builtin.module(func.func(comm-sort{max-in-flight=2 max-in-flight-reductions=2 ties=source}))",
    "builtin.module(comm-verify-order)",
    "builtin.module(func.func(comm-verify-schedule{mode=record},comm-sort{max-in-flight=0 max-in-flight-reductions=0},comm-verify-schedule{mode=check}))",
];

fn run(file: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_comm-opt"))
        .arg(file)
        .args(["--allow-unregistered-dialect", "-o", "/dev/null"])
        .args(arguments)
        .output()
        .expect("comm-opt can be run")
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("directed-{name}.mlir"));
    fs::write(&path, text).expect("the scratch directory can be written");
    path
}

/// Runs all pipelines; each succeeds or says why not.
fn survives(name: &str, text: &str) {
    let path = file(name, text);
    let plain = run(&path, &[]);
    assert!(
        plain.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&plain.stderr)
    );
    for pipeline in PIPELINES {
        let output = run(&path, &["--pass-pipeline", pipeline]);
        let errors = String::from_utf8_lossy(&output.stderr);
        let head: String = errors.chars().take(2000).collect();
        // 1 is a pass that failed; a signal has no code.
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{name}, {pipeline}: {}\n{head}",
            output.status
        );
        assert!(!errors.contains("internal error"), "{name}, {pipeline}: {head}");
        assert!(
            output.status.success() || errors.contains("error:"),
            "{name}, {pipeline} fails and says nothing"
        );
    }
    fs::remove_file(&path).expect("it was written");
}

/// A text, built by writing lines.
fn lines(build: impl FnOnce(&mut dyn FnMut(std::fmt::Arguments))) -> String {
    let mut text = String::new();
    build(&mut |line| writeln!(text, "{line}").expect("strings grow"));
    text
}

/// How deep regions nest: `COMM_DIRECTED_DEPTH`, or what takes seconds without optimization. MLIR's own parser and
/// verifier are recursive and bear some thousands.
fn depth() -> usize {
    std::env::var("COMM_DIRECTED_DEPTH")
        .ok()
        .and_then(|depth| depth.parse().ok())
        .unwrap_or(300)
}

const GATHER: &str = "comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>";

#[test]
fn deeply_nested_regions() {
    let depth_of_all = depth();
    let text = lines(|line| {
        line(format_args!("func.func @f(%x: tensor<4xf32>, %c: i1) {{"));
        for depth in 0..depth_of_all {
            line(format_args!(
                "scf.if %c {{\n%g{depth} = {GATHER}\n\"x.use\"(%g{depth}) : (tensor<8xf32>) -> ()"
            ));
        }
        for _ in 0..depth_of_all {
            line(format_args!("}}"));
        }
        line(format_args!("return\n}}"));
    });
    survives("nested", &text);
}

#[test]
fn deeply_nested_unknown_regions() {
    let depth_of_all = depth();
    let text = lines(|line| {
        line(format_args!("func.func @f(%x: tensor<4xf32>) {{"));
        for _ in 0..depth_of_all {
            line(format_args!("\"stablehlo.case\"() ({{"));
        }
        line(format_args!("%g = {GATHER}"));
        for _ in 0..depth_of_all {
            line(format_args!("\"stablehlo.return\"() : () -> ()\n}}) : () -> ()"));
        }
        line(format_args!("return\n}}"));
    });
    survives("unknown-nested", &text);
}

#[test]
fn huge_operand_and_result_lists() {
    const COUNT: usize = 20_000;
    let each = |part: &dyn Fn(usize) -> String| (0..COUNT).map(part).collect::<Vec<_>>().join(", ");
    let (values, small, large) = (
        each(&|index| format!("%x{index}")),
        each(&|_| "tensor<4xf32>".into()),
        each(&|_| "tensor<8xf32>".into()),
    );
    let results = each(&|index| format!("%g#{index}"));
    let text = lines(|line| {
        line(format_args!(
            "func.func @f({}) {{",
            each(&|index| format!("%x{index}: tensor<4xf32>"))
        ));
        line(format_args!(
            "%f = comm.all_gather {values} dim 0 over [[0, 1]] : {small} -> !comm.future<{large}>"
        ));
        line(format_args!(
            "%g:{COUNT} = comm.wait %f keeping({values} : {small}) : !comm.future<{large}>"
        ));
        line(format_args!(
            "%h:{COUNT} = \"x.all\"({results}) {{comm.pure}} : ({large}) -> ({small})"
        ));
        line(format_args!("return\n}}"));
    });
    survives("wide", &text);
}

#[test]
fn long_chains_of_views_and_of_dead_collectives() {
    const COUNT: usize = 30_000;
    let text = lines(|line| {
        line(format_args!(
            "func.func @f(%v0: tensor<4xf32>) -> tensor<4xf32> {{"
        ));
        for index in 0..COUNT {
            let next = index + 1;
            line(format_args!(
                "%v{next} = \"stablehlo.reshape\"(%v{index}) : (tensor<4xf32>) -> tensor<4xf32>"
            ));
        }
        for index in 0..COUNT / 10 {
            line(format_args!(
                "%d{index} = comm.all_reduce sum %v{index} over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>"
            ));
            line(format_args!(
                "%w{index} = comm.wait %d{index} keeping(%v{index} : tensor<4xf32>) : !comm.future<tensor<4xf32>>"
            ));
        }
        line(format_args!(
            "%g = comm.all_reduce sum %v{COUNT} over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>"
        ));
        line(format_args!("return %g : tensor<4xf32>\n}}"));
    });
    survives("chain", &text);
}

#[test]
fn many_blocks_with_futures_across_them() {
    const COUNT: usize = 3000;
    let text = lines(|line| {
        line(format_args!("func.func @f(%x: tensor<4xf32>) {{\ncf.br ^b0"));
        for index in 0..COUNT {
            line(format_args!("^b{index}:"));
            line(format_args!(
                "%f{index} = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>"
            ));
            if let Some(before) = index.checked_sub(1) {
                line(format_args!(
                    "%g{before} = comm.wait %f{before} keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>"
                ));
            }
            line(format_args!("cf.br ^b{}", index + 1));
        }
        let last = COUNT - 1;
        line(format_args!(
            "^b{COUNT}:\n%g{last} = comm.wait %f{last} keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>"
        ));
        line(format_args!("return\n}}"));
    });
    survives("blocks", &text);
}

#[test]
fn groups_of_very_many_devices() {
    let ranks: Vec<String> = (0..20_000).map(|rank| rank.to_string()).collect();
    let pairs: Vec<String> = (0..20_000)
        .map(|rank| format!("[{rank}, {}]", (rank + 1) % 20_000))
        .collect();
    let text = lines(|line| {
        line(format_args!("comm.mesh @all <[\"a\" = 1024, \"b\" = 1024]>"));
        line(format_args!(
            "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {{"
        ));
        line(format_args!(
            "%g = comm.all_reduce sum %x over [[{}]] : tensor<4xf32> -> tensor<4xf32>",
            ranks.join(", ")
        ));
        line(format_args!(
            "%h = comm.all_reduce sum %g over @all[\"a\", \"b\"] : tensor<4xf32> -> tensor<4xf32>"
        ));
        line(format_args!(
            "%i = comm.all_reduce sum %h over @all[\"b\"] : tensor<4xf32> -> tensor<4xf32>"
        ));
        line(format_args!(
            "%p = comm.permute %i pairs [{}] : tensor<4xf32> -> tensor<4xf32>",
            pairs.join(", ")
        ));
        line(format_args!("return %p : tensor<4xf32>\n}}"));
    });
    survives("devices", &text);
}

#[test]
fn empty_programs() {
    survives("nothing", "");
    survives("no-functions", "comm.mesh @m <[\"a\" = 2]>\nmodule @inner {}\n");
    survives(
        "declarations",
        "func.func private @f(tensor<4xf32>)\nfunc.func @g() { return }\n",
    );
}
