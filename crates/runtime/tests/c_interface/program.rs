// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Compiles a C program against the header and the library, and runs it.

use std::{env, path::Path, process::Command};

#[test]
fn a_c_program_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Cargo puts the libraries of a package under test beside its tests.
    let libraries = env::current_exe().unwrap().parent().unwrap().to_owned();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = scratch.join("comm_rt_program");
    let compiled = Command::new(env::var("CC").unwrap_or_else(|_| "cc".to_owned()))
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"])
        .arg("-I")
        .arg(root.join("include"))
        .arg(root.join("tests/c_interface/program.c"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(&libraries)
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .arg("-lcomm_runtime")
        .output()
        .expect("a C compiler");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let trace = scratch.join("comm_rt_program.json");
    // Cargo's search path has an older build of the library, if there is one, before these.
    let ran = Command::new(&program)
        .arg(&trace)
        .env("LD_LIBRARY_PATH", &libraries)
        .output()
        .unwrap();
    let (output, errors) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(ran.status.success(), "{output}{errors}");
    assert_eq!(
        output.lines().collect::<Vec<_>>(),
        [
            "sum: 0",
            "mismatch: 2",
            "rank 0: all_reduce at program.c:second: members of one group issued different collectives: ...",
            "rank 1: all_reduce at program.c:second: members of one group issued different collectives: ...",
            "returned: 7",
            "rank 1: program at an unknown location: returned 3",
            "again: 0",
        ]
    );
    let trace: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(trace).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    for name in [
        "all_reduce",
        "double",
        "symmetric_alloc",
        "put_signal",
        "wait_signal",
        "copy",
    ] {
        let count = events.iter().filter(|event| event["name"] == name).count();
        assert_eq!(count, 2, "{name}");
    }
}
