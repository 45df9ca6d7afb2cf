// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The machines that come with the crate, each a TOML file with the sources of its numbers.

use super::{Machine, MachineError};

/// Names and texts of the presets.
const FILES: [(&str, &str); 3] = [
    ("a100-8", include_str!("../../machines/a100-8.toml")),
    ("h100-8", include_str!("../../machines/h100-8.toml")),
    ("b200-8", include_str!("../../machines/b200-8.toml")),
];

/// Names that [`Machine::preset`] knows.
pub const PRESETS: [&str; 3] = [FILES[0].0, FILES[1].0, FILES[2].0];

impl Machine {
    /// The preset of that name, one of [`PRESETS`].
    pub fn preset(name: &str) -> Result<Machine, MachineError> {
        let file = FILES.iter().find(|(known, _)| *known == name);
        let (_, text) = file.ok_or_else(|| MachineError::Unknown {
            name: name.to_owned(),
            known: PRESETS.join(", "),
        })?;
        Machine::from_toml(text)
    }

    /// A preset by its name, or a machine file by its path, which ends in `.toml`.
    pub fn load(name_or_path: &str) -> Result<Machine, MachineError> {
        if !name_or_path.ends_with(".toml") {
            return Machine::preset(name_or_path);
        }
        let text = std::fs::read_to_string(name_or_path).map_err(|error| MachineError::Unreadable {
            path: name_or_path.to_owned(),
            reason: error.to_string(),
        })?;
        Machine::from_toml(&text).map_err(|error| error.in_file(name_or_path))
    }
}
