//! Checks that files named in documents exist. A document may omit the front of a path and the
//! common parts of crates' folders: `library/reports/view.rs` is
//! `src-tauri/crates/koab-library/src/reports/view.rs`.

use std::collections::HashSet;

/// Extensions of the files that are checked.
const SOURCES: [&str; 4] = ["rs", "ts", "svelte", "mjs"];

/// All endings of the paths of sources, in the short form that documents may use.
pub(super) struct Paths(HashSet<String>);

impl Paths {
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut ends = HashSet::new();
        for name in names {
            let path = plain(name);
            let cuts = path.match_indices('/').map(|(at, _)| path[at + 1..].to_owned());
            ends.extend(cuts.chain([path.clone()]));
        }
        Self(ends)
    }

    /// Returns one sentence about each file that a document names and that does not exist.
    pub(super) fn violations(&self, document: &str, text: &str) -> Vec<String> {
        let mut violations = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            for named in text.split('`').skip(1).step_by(2) {
                let all = alternatives(named);
                let all = all.iter().filter(|path| is_source(path));
                let missing = all.filter(|path| !self.0.contains(&plain(path)));
                violations.extend(missing.map(|path| format!("{document}, line {line}: there is no {path}")));
            }
        }
        violations
    }
}

fn is_source(named: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let ending = named.rsplit_once('.').map(|(_, ending)| ending);
    named.chars().all(fits) && ending.is_some_and(|ending| SOURCES.contains(&ending))
}

/// Returns the paths of a text with braces: `a/{b,c}.rs` names two files.
fn alternatives(named: &str) -> Vec<String> {
    let braces = named.split_once('{').and_then(|(front, rest)| Some((front, rest.split_once('}')?)));
    match braces {
        Some((front, (words, end))) => words.split(',').map(|word| format!("{front}{word}{end}")).collect(),
        None => vec![named.to_owned()],
    }
}

/// Returns a path without the parts that all crates' folders share.
fn plain(path: &str) -> String {
    let path = path.replace("src-tauri/crates/", "").replace("/src/", "/");
    let words = path.split('/').map(|word| word.strip_prefix("koab-").unwrap_or(word));
    words.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_there_are_named() {
        let paths = Paths::new(
            [
                "src-tauri/crates/koab-library/src/reports/view.rs",
                "ui/src/locales/en/app.ts",
                "ui/src/locales/ko/app.ts",
            ]
            .into_iter(),
        );
        for (text, missing) in [
            ("`koab-library/src/reports/view.rs`, `reports/view.rs`, `view.rs`", &[][..]),
            ("`library/reports/view.rs` and `ui/src/locales/{en,ko}/app.ts`", &[]),
            ("`iew.rs`", &["iew.rs"]),
            ("`library/view.rs`", &["library/view.rs"]),
            ("`locales/{en,de}/app.ts`", &["locales/de/app.ts"]),
            ("`locales/en/{app.ts,App.svelte,app.css}`", &["locales/en/App.svelte"]),
            ("`KOAB_UI=x.mjs koab`, `file.json`, other.rs", &[]),
        ] {
            let expected: Vec<String> =
                missing.iter().map(|path| format!("a.md, line 1: there is no {path}")).collect();
            assert_eq!(paths.violations("a.md", text), expected, "{text}");
        }
    }
}
