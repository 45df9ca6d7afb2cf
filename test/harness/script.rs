// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Reads a test file's directives and turns its `RUN:` lines into one bash script.
//!
//! A directive is a keyword with its colon, anywhere in a line but not inside a longer word (`CHECK-RUN:` is none). A
//! `RUN:` line that ends in `\` goes on in the next `RUN:` line. The script runs the commands in order, in one shell (so
//! `cd` and `export` carry over, as in lit), with `pipefail`, and stops at the first that fails, naming its line.

use std::path::Path;

/// One command: its first line in the file, counted from 1, and its text, lines joined.
#[derive(Debug, PartialEq)]
pub struct Command {
    /// The first line.
    pub line: usize,
    /// The text before substitution.
    pub text: String,
}

/// All directives of a file.
#[derive(Debug, Default, PartialEq)]
pub struct Directives {
    /// Commands in order.
    pub commands: Vec<Command>,
    /// Values of the `REQUIRES:` lines.
    pub requires: Vec<String>,
    /// Values of the `UNSUPPORTED:` lines.
    pub unsupported: Vec<String>,
    /// Values of the `XFAIL:` lines.
    pub xfail: Vec<String>,
}

/// The text after `keyword` in `line`.
fn after<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    line.match_indices(keyword).find_map(|(at, _)| {
        let inside_word = line[..at]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || c == '-' || c == '_');
        (!inside_word).then(|| line[at + keyword.len()..].trim())
    })
}

/// Reads the directives of a test file.
pub fn parse(text: &str) -> Result<Directives, String> {
    let mut directives = Directives::default();
    let mut open: Option<Command> = None;
    for (index, line) in text.lines().enumerate() {
        if let Some(value) = after(line, "RUN:") {
            let (value, continues) = match value.strip_suffix('\\') {
                Some(head) => (head.trim_end(), true),
                None => (value, false),
            };
            let mut command = open.take().unwrap_or(Command {
                line: index + 1,
                text: String::new(),
            });
            if !command.text.is_empty() && !value.is_empty() {
                command.text.push(' ');
            }
            command.text.push_str(value);
            if continues {
                open = Some(command);
            } else {
                directives.commands.push(command);
            }
        } else if let Some(value) = after(line, "REQUIRES:") {
            directives.requires.push(value.to_string());
        } else if let Some(value) = after(line, "UNSUPPORTED:") {
            directives.unsupported.push(value.to_string());
        } else if let Some(value) = after(line, "XFAIL:") {
            directives.xfail.push(value.to_string());
        }
    }
    if let Some(command) = open {
        return Err(format!(
            "the RUN line {} ends in `\\`, but no RUN line follows",
            command.line
        ));
    }
    if directives.commands.is_empty() {
        return Err("the file has no RUN line (inputs belong in Inputs/ or test/programs/)".to_string());
    }
    if let Some(empty) = directives.commands.iter().find(|command| command.text.is_empty()) {
        return Err(format!("the RUN line {} is empty", empty.line));
    }
    Ok(directives)
}

/// Names and values of the substitutions, each name with its `%`; a longer name wins over its prefix.
pub struct Substitutions(Vec<(&'static str, String)>);

impl Substitutions {
    /// The substitutions of one test file: lit's own for the source and for scratch files, and this project's plugin.
    pub fn new(source: &Path, scratch: &Path, plugin: &Path) -> Self {
        let show = |path: &Path| path.display().to_string();
        let directory = source.parent().map(show).unwrap_or_default();
        let name = source
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let plugin = show(plugin);
        let mut list = vec![
            (
                "%mlir_opt_plugin",
                format!("mlir-opt --load-dialect-plugin={plugin} --load-pass-plugin={plugin}"),
            ),
            ("%plugin", plugin),
            ("%{s:basename}", name.clone()),
            ("%{t:stem}", name.clone()),
            ("%basename_t", name.clone()),
            ("%{pathsep}", ":".to_string()),
            ("%s", show(source)),
            ("%S", directory.clone()),
            ("%p", directory),
            ("%t", show(&scratch.join(format!("{name}.tmp")))),
            ("%%", "%".to_string()),
        ];
        list.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Self(list)
    }

    /// Applies them in one pass, so no value is substituted again. A `%{...}` that is not known is an error, and so is
    /// `%T`, which lit no longer has.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('%') {
            result.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some((name, value)) = self.0.iter().find(|(name, _)| rest.starts_with(name)) {
                result.push_str(value);
                rest = &rest[name.len()..];
            } else if rest.starts_with("%{") {
                let end = rest.find('}').map_or(rest.len(), |end| end + 1);
                return Err(format!("unknown substitution `{}`", &rest[..end]));
            } else if rest.starts_with("%T") {
                return Err("lit no longer has `%T`: make a directory named after `%t`".to_string());
            } else {
                result.push('%');
                rest = &rest[1..];
            }
        }
        result.push_str(rest);
        Ok(result)
    }
}

/// The script that runs the commands.
pub fn bash_script(commands: &[Command], substitutions: &Substitutions) -> Result<String, String> {
    let mut script = String::from("set -o pipefail\n");
    for command in commands {
        let line = command.line;
        let text = substitutions
            .apply(&command.text)
            .map_err(|e| format!("RUN line {line}: {e}"))?;
        script.push_str(&format!(
            "{{ {text}\n}} || {{ status=$?; echo \"RUN line {line} failed with exit status $status\" >&2; exit $status; }}\n"
        ));
    }
    Ok(script)
}
