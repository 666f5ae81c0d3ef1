//! Finds circles of files in a crate: files that depend on each other, so that none can be read or
//! changed alone.
//!
//! A file depends on another file if it names an item of that file with `crate::`, `super::` or the
//! name of a module below it. An item that a module re-exports (`pub use`) counts for the file that
//! defines it. Tests are ignored.

use std::collections::{BTreeMap, BTreeSet};

use super::mentions::{self, Mention};
use super::source::Source;
use super::sources::is_test_file;

/// Module path of a file; empty for the crate's root.
type Module = Vec<String>;

/// Files of a crate, each with the paths that it names.
#[derive(Default)]
struct Files(BTreeMap<Module, Vec<Mention>>);

/// Returns one sentence about each circle of files, crate by crate.
pub(super) fn violations(sources: &[Source]) -> Vec<String> {
    let mut crates: BTreeMap<&str, Files> = BTreeMap::new();
    for source in sources.iter().filter(|source| !is_test_file(&source.name)) {
        let Some((folder, file)) = source.name.split_once("/src/") else {
            continue;
        };
        let name = folder.rsplit('/').next().unwrap_or(folder);
        let mut mentions = mentions::read(&source.code);
        mentions.retain(|mention| !mention.for_tests);
        let files = &mut crates.entry(name).or_default().0;
        files.entry(module(file)).or_default().append(&mut mentions);
    }
    let mut violations = Vec::new();
    for (name, files) in &crates {
        for circle in circles_of(&files.needs()) {
            let files: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
            violations.push(format!("{name}: files need each other (invariant 11): {}", files.join(", ")));
        }
    }
    violations
}

/// Module path of a file below `src`.
fn module(file: &str) -> Module {
    let path = file.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" | "main" => Vec::new(),
        path => path.split('/').map(str::to_owned).collect(),
    }
}

impl Files {
    /// Returns the file that defines the named item, and the item's name in that file.
    fn owner<'a>(&self, from: &Module, mention: &'a Mention) -> Option<(Module, &'a str)> {
        let path = &mention.path;
        let ups = path.iter().take_while(|word| *word == "super").count();
        let below = [&from[..], &path[..1]].concat();
        let (mut base, rest) = match path[0].as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "super" if ups > mention.depth => {
                let up = from.len().checked_sub(ups - mention.depth)?;
                (from[..up].to_vec(), &path[ups..])
            }
            // A single word is a variable, a field or a method, unless it is imported.
            _ if mention.depth == 0
                && (mention.imported || path.len() > 1)
                && self.0.contains_key(&below) =>
            {
                (from.clone(), &path[..])
            }
            _ => return None,
        };
        let mut rest = rest.iter();
        let mut name = rest.next();
        while let Some(word) = name {
            base.push(word.clone());
            if !self.0.contains_key(&base) {
                base.pop();
                break;
            }
            name = rest.next();
        }
        // `pub(super)` and `pub(in crate::a)` name no item.
        if name.is_none() && !mention.imported {
            return None;
        }
        Some((base, name.map_or("*", String::as_str)))
    }

    /// Dependencies of each file on other files.
    fn needs(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let mut reexports = BTreeMap::new();
        for (from, mentions) in &self.0 {
            for mention in mentions.iter().filter(|mention| mention.exported) {
                if let Some((owner, name)) = self.owner(from, mention).filter(|(_, name)| *name != "*") {
                    reexports.insert((from.clone(), name), owner);
                }
            }
        }
        let needs = |(from, mentions): (_, &Vec<Mention>)| {
            let mut needed = BTreeSet::new();
            for mention in mentions.iter().filter(|mention| !mention.exported) {
                let Some((mut owner, name)) = self.owner(from, mention) else {
                    continue;
                };
                // A chain of re-exports is not longer than the number of files.
                for _ in 0..self.0.len() {
                    let Some(next) = reexports.get(&(owner.clone(), name)) else {
                        break;
                    };
                    owner = next.clone();
                }
                needed.insert(owner);
            }
            (from.clone(), needed)
        };
        self.0.iter().map(needs).collect()
    }
}

/// Sets of nodes that can all reach each other, given each node's direct dependencies.
pub(super) fn circles_of<T: Clone + Ord>(needs: &BTreeMap<T, BTreeSet<T>>) -> BTreeSet<BTreeSet<T>> {
    let reached = |from| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(file) = open.pop() {
            let next = needs.get(file).into_iter().flatten();
            open.extend(next.filter(|next| reached.insert(*next)));
        }
        (from, reached)
    };
    let reached: BTreeMap<&T, BTreeSet<&T>> = needs.keys().map(reached).collect();
    let circle = |from: &T| -> BTreeSet<T> {
        let back =
            reached[from].iter().filter(|to| reached.get(**to).is_some_and(|back| back.contains(from)));
        back.map(|file| (*file).clone()).collect()
    };
    let circles = needs.keys().map(circle);
    circles.filter(|circle| circle.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles among these files (name and source), as files of a crate named `k`.
    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let source = |(name, text): &(&str, &str)| Source {
            name: format!("src-tauri/crates/k/src/{name}.rs"),
            code: syn::parse_file(text).unwrap(),
        };
        let sources: Vec<Source> = files.iter().map(source).collect();
        let named = |line: String| line.rsplit(": ").next().unwrap_or_default().to_owned();
        violations(&sources).into_iter().map(named).collect()
    }

    #[test]
    fn files_that_need_each_other_are_found() {
        for (files, expected) in [
            (&[("a", "use crate::b::B;"), ("b", "fn f() { crate::a::g() }")][..], &["a, b"][..]),
            (
                &[("a", "use crate::b::B;"), ("b", "use super::c::C;"), ("c", "use crate::a::A;")],
                &["a, b, c"],
            ),
            (&[("a", "use crate::b::B;"), ("b", "use crate::c::C;"), ("c", "")], &[]),
            // A module and one below it.
            (&[("a", "mod b; use b::B;"), ("a/b", "use super::A;")], &["a, a::b"]),
            // A module below that is named without an import; a variable of its name is none.
            (&[("a", "mod b; fn f() { b::g() }"), ("a/b", "use super::A;")], &["a, a::b"]),
            (&[("a", "mod b; fn f(b: u8) { g(b, [b], show!(b)) }"), ("a/b", "use super::A;")], &[]),
            // What a name may be seen by is no need of it.
            (
                &[
                    ("a", "mod b; use b::B;"),
                    ("a/b", "mod c; pub(super) fn f() { c::g() }"),
                    ("a/b/c", "pub(in crate::a) fn g() {}"),
                ],
                &[],
            ),
            // What is passed on is its file's.
            (&[("a", "mod b; mod c; pub use b::B; use c::C;"), ("a/b", ""), ("a/c", "use super::B;")], &[]),
            (
                &[("a", "mod b; pub use b::B;"), ("a/b", "use crate::c::C;"), ("c", "use crate::a::B;")],
                &["a::b, c"],
            ),
            // Modules within a file, and tests.
            (
                &[
                    ("a", "use crate::b::B;"),
                    ("b", "mod n { use super::B; } #[cfg(test)] mod t { use crate::a::A; }"),
                ],
                &[],
            ),
            (&[("a", "use crate::b::B;"), ("b/tests", "use crate::a::A;"), ("b", "")], &[]),
        ] {
            assert_eq!(circles(files), expected, "{files:?}");
        }
    }
}
