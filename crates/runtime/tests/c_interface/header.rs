// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `include/comm_rt.h` is what cbindgen makes of the sources, and declares what is exported.

use std::{collections::BTreeSet, env, fs, path::Path};

fn made() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    // The crate by its sources: given its name, cbindgen would ask cargo for metadata.
    let builder = cbindgen::Builder::new()
        .with_config(config)
        .with_src(root.join("src/lib.rs"));
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_header_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/comm_rt.h");
    let made = made();
    if env::var_os("COMM_RT_WRITE_HEADER").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == made,
        "include/comm_rt.h is not what the sources say; COMM_RT_WRITE_HEADER=1 cargo test -p comm-runtime --test \
         c_interface writes it"
    );
}

#[test]
fn the_table_of_symbols_has_every_function_of_the_header() {
    let header = made();
    let declared: BTreeSet<&str> = header
        .lines()
        .filter(|line| !line.starts_with("//"))
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '(' && c != '*'))
        .filter_map(|word| word.trim_start_matches('*').split_once('(').map(|(name, _)| name))
        .filter(|name| name.starts_with("comm_rt_"))
        .collect();
    let symbols = comm_runtime::ffi::symbols();
    let listed: BTreeSet<&str> = symbols.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed.len(), symbols.len());
    assert_eq!(declared, listed);
    assert!(declared.len() > 30);
}
