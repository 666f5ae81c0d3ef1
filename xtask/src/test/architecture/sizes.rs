//! Limit for the size of a crate. In a larger crate names are hard to find, so a large part of it
//! becomes a crate of its own.

use std::collections::BTreeMap;

/// Maximum number of lines of code, without blank lines, comments and tests.
const MAX_LINES: usize = 15_000;

/// Number of lines of code by crate.
#[derive(Default)]
pub(super) struct Sizes(BTreeMap<String, usize>);

impl Sizes {
    /// Counts a file. `name` is the file's path below the checkout.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        let Some((of, path)) = name.strip_prefix("src-tauri/crates/").and_then(|rest| rest.split_once('/'))
        else {
            return;
        };
        let is_test = ["tests/", "benches/", "examples/"].iter().any(|folder| path.starts_with(folder))
            || path.contains("/tests/")
            || path.ends_with("tests.rs");
        if !is_test {
            *self.0.entry(of.to_owned()).or_default() += lines(text);
        }
    }

    /// Returns one sentence about each crate that has too many lines.
    pub(super) fn violations(&self) -> impl Iterator<Item = String> {
        let too_large = self.0.iter().filter(|(_, lines)| **lines > MAX_LINES);
        too_large.map(|(name, lines)| {
            format!("{name} has {lines} lines of code, and no crate has more than {MAX_LINES}: move what can stand alone into its own")
        })
    }
}

/// Number of lines of code in a file. Everything from the file's first test module on is left out.
fn lines(text: &str) -> usize {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINES, Sizes};

    #[test]
    fn a_crate_that_has_grown_too_large_is_named_and_tests_are_not_counted() {
        let line = "let one = 1;\n\n// why\n";
        let mut sizes = Sizes::default();
        sizes.add("src-tauri/crates/large/src/lib.rs", &line.repeat(MAX_LINES));
        sizes.add("src-tauri/crates/large/src/more.rs", line);
        sizes.add(
            "src-tauri/crates/small/src/lib.rs",
            &format!("{line}#[cfg(test)]\nmod tests {{\n{}", line.repeat(MAX_LINES)),
        );
        sizes.add("src-tauri/crates/small/tests/all.rs", &line.repeat(MAX_LINES));
        sizes.add("xtask/src/main.rs", &line.repeat(2 * MAX_LINES));
        let found: Vec<String> = sizes.violations().collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("large has 15001 "), "{found:?}");
    }
}
