// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a machine may lack and a test may ask for with `REQUIRES:`, `UNSUPPORTED:` and `XFAIL:`.
//!
//! The value of such a line is a list of names divided by commas; `!name` means that the feature is absent and `true`
//! always holds. `REQUIRES` wants all of them, the other two any. A name that is not in the table is an error: a misspelt
//! requirement would otherwise switch a test off on every machine. Lit's other operators are not supported.

use std::process::{Command, Stdio};
use std::sync::LazyLock;

static PYTHON3: LazyLock<bool> = LazyLock::new(|| python("pass"));
static JAX: LazyLock<bool> =
    LazyLock::new(|| python("import importlib.util as u, sys; sys.exit(u.find_spec('jax') is None)"));

/// Whether `python3` runs this program successfully.
fn python(program: &str) -> bool {
    let status = Command::new("python3")
        .args(["-c", program])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Whether one term of a list is true on this machine.
fn holds(term: &str) -> Result<bool, String> {
    let (name, wanted) = match term.strip_prefix('!') {
        Some(name) => (name.trim(), false),
        None => (term, true),
    };
    let present = match name {
        "true" => true,
        "python3" => *PYTHON3,
        "jax" => *JAX,
        _ => {
            return Err(format!(
                "unknown feature `{name}`, expected `python3`, `jax` or `true`"
            ));
        }
    };
    Ok(present == wanted)
}

fn terms(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|term| !term.is_empty())
}

/// The first term of the list that does not hold.
pub fn first_absent(list: &str) -> Result<Option<&str>, String> {
    let mut absent = None;
    for term in terms(list) {
        if !holds(term)? && absent.is_none() {
            absent = Some(term);
        }
    }
    Ok(absent)
}

/// The first term of the list that holds.
pub fn first_present(list: &str) -> Result<Option<&str>, String> {
    let mut present = None;
    for term in terms(list) {
        if holds(term)? && present.is_none() {
            present = Some(term);
        }
    }
    Ok(present)
}
