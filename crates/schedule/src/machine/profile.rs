// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Measured durations of ops, by name, by source location, or by both.
//!
//! A profile is a list of entries, as TOML (`[[op]]` tables) or as JSON (an array `op` of objects). What an entry gives
//! must all be true of an op; of several entries for one op the most specific wins: location and name, then location, then
//! name. Locations are written as MLIR prints them (`"model.py":12:3`, `"layer1"`, either within `loc(...)`), or without
//! the quotes. No two entries are for the same name and location.

use std::collections::HashMap;

use serde::Deserialize;

use super::{MAX_NS, MachineError, error::unexpected};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileFile {
    op: Vec<EntryFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFile {
    name: Option<String>,
    location: Option<String>,
    ns: u64,
}

/// Measured durations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Profile {
    /// In the order of the file.
    entries: Vec<Entry>,
    /// Positions in `entries` by location, the empty one standing for any, and by name, likewise.
    by_key: HashMap<String, HashMap<String, usize>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    name: String,
    location: String,
    ns: u64,
}

impl Profile {
    /// Reads a profile: JSON where the text begins with `{`, else TOML.
    pub fn parse(text: &str) -> Result<Profile, MachineError> {
        let file: ProfileFile = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|error| MachineError::Syntax(error.to_string()))?
        } else {
            toml::from_str(text)
                .map_err(|error| MachineError::Syntax(error.to_string().trim_end().to_owned()))?
        };
        let mut profile = Profile::default();
        for (index, file) in file.op.into_iter().enumerate() {
            profile.push(&format!("op[{index}]"), file)?;
        }
        Ok(profile)
    }

    /// Reads a profile from a file.
    pub fn load(path: &str) -> Result<Profile, MachineError> {
        let text = std::fs::read_to_string(path).map_err(|error| MachineError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        Profile::parse(&text).map_err(|error| error.in_file(path))
    }

    fn push(&mut self, at: &str, file: EntryFile) -> Result<(), MachineError> {
        if file.ns > MAX_NS {
            return Err(unexpected(
                format!("{at}.ns"),
                file.ns,
                format!("a number of nanoseconds up to {MAX_NS}"),
            ));
        }
        let location = match &file.location {
            Some(text) => canonical_location(text)
                .ok_or_else(|| unexpected(format!("{at}.location"), text, "a location as MLIR prints it"))?,
            None => String::new(),
        };
        let name = file.name.unwrap_or_default();
        if name.is_empty() && location.is_empty() {
            return Err(unexpected(
                at,
                "without name and location",
                "at least one of them",
            ));
        }
        let by_name = self.by_key.entry(location.clone()).or_default();
        if by_name.insert(name.clone(), self.entries.len()).is_some() {
            return Err(unexpected(
                at,
                "the second entry for the same name and location",
                "one entry for each",
            ));
        }
        self.entries.push(Entry {
            name,
            location,
            ns: file.ns,
        });
        Ok(())
    }

    /// Position of the entry for an op and its duration. `locations` are those of the op without quotes, the outermost
    /// first: an earlier one wins over a later one. O(locations).
    pub fn find<'a>(&self, name: &str, locations: impl IntoIterator<Item = &'a str>) -> Option<(usize, u64)> {
        let found = |location: &str, name: &str| self.by_key.get(location)?.get(name).copied();
        let position = locations
            .into_iter()
            .find_map(|location| found(location, name).or_else(|| found(location, "")))
            .or_else(|| found("", name))?;
        Some((position, self.entries[position].ns))
    }

    /// Whether an entry names a location, so that those of ops need to be looked at.
    pub fn names_locations(&self) -> bool {
        self.entries.iter().any(|entry| !entry.location.is_empty())
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What an entry is for, as text.
    pub fn describe(&self, position: usize) -> String {
        let entry = &self.entries[position];
        match (entry.name.as_str(), entry.location.as_str()) {
            (name, "") => name.to_owned(),
            ("", location) => format!("loc({location})"),
            (name, location) => format!("{name} at loc({location})"),
        }
    }
}

/// A location without `loc()` and quotes: `model.py:12:3`, `layer1`, or `layer1(model.py:12:3)`. Nothing where quotes do not
/// match or nothing is left.
fn canonical_location(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text
        .strip_prefix("loc(")
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(text);
    let (outer, inner) = unquoted(text)?;
    let result = match inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(child) => {
            let (file, position) = unquoted(child)?;
            format!("{outer}({file}{position})")
        }
        None => format!("{outer}{inner}"),
    };
    (!result.is_empty()).then_some(result)
}

/// A quoted text at the beginning and what follows it; all of it where there is no quote.
fn unquoted(text: &str) -> Option<(&str, &str)> {
    match text.strip_prefix('"') {
        Some(rest) => rest.split_once('"'),
        None => Some((text, "")),
    }
}
