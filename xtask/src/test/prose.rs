//! Counts habits of language that make sources hard to read. The count covers comments and names,
//! but no tests. The committed counts (`xtask/prose.toml`) may only fall.
//!
//! `docs/glossary.md` has the nouns, and `CONTRIBUTING.md` the rules of style.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::context::Context;
use super::count::Count;
use crate::command;

const FILE: &str = "xtask/prose.toml";
/// Maximum number of places that a failure lists for a habit.
const MAX_PLACES: usize = 10;
/// Maximum number of columns of a comment.
const MAX_COLUMNS: usize = 100;

/// A habit of language: its name in the file of counts, the better wording, and the test of a line.
struct Habit {
    name: &'static str,
    better: &'static str,
    is_in: fn(&Line<'_>) -> bool,
}

const HABITS: [Habit; 8] = [
    Habit {
        name: "participle-local",
        better: "name a local with a noun of the glossary or the name of its type",
        is_in: |line| {
            let mut words = line.code.iter().skip_while(|word| **word != "let").skip(1);
            let name = words.find(|word| **word != "mut");
            name.is_some_and(|name| PARTICIPLES.contains(name))
        },
    },
    Habit {
        name: "doc-begins-with-what",
        better: "begin with a noun phrase or a verb; `Whether` only for a bool",
        is_in: |line| line.is_doc && line.comment.first().is_some_and(|word| DOC_STARTS.contains(word)),
    },
    Habit {
        name: "doc-without-owner",
        better: "name the owner",
        is_in: |line| {
            line.is_doc
                && (matches!(line.comment.first(), Some(&("Its" | "Their" | "Likewise")))
                    || line.comment.starts_with(&["The", "same"]))
        },
    },
    Habit {
        name: "relative-riddle",
        better: "write two sentences",
        is_in: |line| {
            let pair = |first: &[&str], second: &[&str]| {
                line.comment.windows(2).any(|two| first.contains(&two[0]) && second.contains(&two[1]))
            };
            pair(&["of", "by", "to", "in", "for"], &["which", "whom", "whose"])
                || pair(&["is", "are"], &["none"])
                || pair(&["so"], &["many"])
                || pair(&["but"], &["for"])
                || line.comment.iter().any(|word| ["beside", "whoever", "whatever"].contains(word))
        },
    },
    Habit {
        name: "stands-lies-goes",
        better: "write is, has, contains, continues, results in",
        is_in: |line| {
            let pair = |first: &[&str], second: &str| {
                line.comment.windows(2).any(|two| first.contains(&two[0]) && two[1] == second)
            };
            line.comment.iter().any(|word| VERBS.contains(word))
                || pair(&["go", "goes", "gone"], "on")
                || pair(&["come", "comes"], "of")
                || pair(&["is"], "said")
        },
    },
    Habit {
        name: "bare-constant",
        better: "name the unit: MAX_…, …_TIMEOUT, …_BYTES",
        is_in: |line| {
            let name = line.code.iter().skip_while(|word| **word != "const").nth(1);
            name.is_some_and(|name| BARE.contains(name))
        },
    },
    Habit {
        name: "match-on-bool",
        better: "write if and else",
        is_in: |line| ["true => ", "false => "].iter().any(|arm| line.text.trim_start().starts_with(arm)),
    },
    Habit {
        name: "long-comment",
        better: "wrap comments at 100 columns",
        is_in: |line| line.text.trim_start().starts_with("//") && line.text.chars().count() > MAX_COLUMNS,
    },
];

const PARTICIPLES: [&str; 27] = [
    "found",
    "said",
    "told",
    "asked",
    "known",
    "shown",
    "kept",
    "wanted",
    "named",
    "made",
    "ended",
    "given",
    "left",
    "stated",
    "refused",
    "answered",
    "planned",
    "held",
    "seen",
    "begun",
    "drawn",
    "judged",
    "counted",
    "written",
    "read_back",
    "listed",
    "offered",
];
const DOC_STARTS: [&str; 10] = ["What", "Who", "Where", "How", "Why", "Which", "Those", "Of", "As", "It"];
const VERBS: [&str; 6] = ["stand", "stands", "stood", "lies", "lay", "told"];
const BARE: [&str; 11] =
    ["MOST", "KEPT", "PATIENCE", "TIME", "LEAST", "MANY", "FEW", "LONG", "SHORT", "ROOM", "ENOUGH"];

/// A line of a source, with the words of its code and of its comment.
struct Line<'a> {
    text: &'a str,
    is_doc: bool,
    code: Vec<&'a str>,
    comment: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Self {
        let (code, comment) = text.split_once("//").unwrap_or((text, ""));
        let doc = comment.strip_prefix(['/', '!']).filter(|_| code.trim().is_empty());
        Self { text, is_doc: doc.is_some(), code: words(code), comment: words(doc.unwrap_or(comment)) }
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

/// Compares the counts of all sources with the committed ones.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    let root = &context.checkout.root;
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "src-tauri/**/*.rs", "src-tauri/*.rs", "xtask/**/*.rs"]);
    let files = command::stdout_of(&mut git)?;
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for name in files.lines().filter(|name| !name.contains("/tests/") && !name.ends_with("/tests.rs")) {
        // Deleted, but still in the index.
        if let Ok(text) = std::fs::read_to_string(root.join(name)) {
            for (habit, number) in habits_of(&text) {
                places.entry(habit.name).or_default().push(format!("{name}:{number}"));
            }
        }
    }
    ensure!(!files.is_empty(), "git names no source of this checkout");
    let failures = differences(&committed(root)?, &places);
    Ok(if failures.is_empty() { Count::pass() } else { Count { failures, ..Count::nothing() } })
}

/// Returns the habits in a source with their line numbers. The search ends at the tests of the
/// source.
fn habits_of(text: &str) -> Vec<(&'static Habit, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let is_tests =
        |two: &[&str]| two[0] == "#[cfg(test)]" && two[1].starts_with("mod ") && two[1].ends_with('{');
    let end = lines.windows(2).position(is_tests).unwrap_or(lines.len());
    let numbered = lines[..end].iter().map(|text| Line::new(text)).zip(1..);
    numbered
        .flat_map(|(line, number)| {
            let habits = HABITS.iter().filter(move |habit| (habit.is_in)(&line));
            habits.map(move |habit| (habit, number)).collect::<Vec<_>>()
        })
        .collect()
}

fn committed(root: &Path) -> anyhow::Result<BTreeMap<String, usize>> {
    let text = std::fs::read_to_string(root.join(FILE)).with_context(|| format!("{FILE} cannot be read"))?;
    toml::from_str(&text).with_context(|| format!("{FILE} has no counts"))
}

/// Returns a sentence for each count that has risen, and for each count that is lower than the
/// committed one.
fn differences(committed: &BTreeMap<String, usize>, places: &BTreeMap<&str, Vec<String>>) -> Vec<String> {
    let difference = |habit: &Habit| {
        let now = places.get(habit.name).map_or(&[][..], Vec::as_slice);
        let before = committed.get(habit.name).copied().unwrap_or_default();
        let name = habit.name;
        if now.len() > before {
            let shown = now.iter().take(MAX_PLACES).cloned().collect::<Vec<_>>();
            Some(format!(
                "{name}: {} places, {before} before; {}: {}",
                now.len(),
                habit.better,
                shown.join(", ")
            ))
        } else if now.len() < before {
            Some(format!("{name}: {} places are left; write that into {FILE} instead of {before}", now.len()))
        } else {
            None
        }
    };
    HABITS.iter().filter_map(difference).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_habit_is_seen_where_it_is_one() {
        for (line, expected) in [
            ("    let found = 1;", Some("participle-local")),
            ("let mut told = x(); // why", Some("participle-local")),
            ("let founds = told;", None),
            ("/// What is left.", Some("doc-begins-with-what")),
            ("//! Where it is.", Some("doc-begins-with-what")),
            ("// What is left of it.", None),
            ("/// Whatnot.", None),
            ("/// Its name.", Some("doc-without-owner")),
            ("/// The same for a run.", Some("doc-without-owner")),
            ("/// A run, of which one is made.", Some("relative-riddle")),
            ("let x = 1; // beside it", Some("relative-riddle")),
            ("let beside = 1;", None),
            ("/// The run goes on.", Some("stands-lies-goes")),
            ("/// The run goes away.", None),
            ("const MOST: u32 = 1;", Some("bare-constant")),
            ("const MOST_BYTES: u32 = 1;", None),
            ("        true => 1,", Some("match-on-bool")),
            ("        (true, _) => 1,", None),
        ] {
            let seen: Vec<&str> = habits_of(line).iter().map(|(habit, _)| habit.name).collect();
            assert_eq!(seen, Vec::from_iter(expected), "{line}");
        }
        let long = format!("// {}", "word ".repeat(20));
        assert_eq!(habits_of(&long).len(), 1, "{}", long.len());
    }

    #[test]
    fn tests_at_the_end_of_a_source_are_not_counted() {
        let text = "/// What.\n#[cfg(test)]\nmod tests {\n    let found = 1;\n}\n";
        let seen: Vec<(&str, usize)> =
            habits_of(text).iter().map(|(habit, number)| (habit.name, *number)).collect();
        assert_eq!(seen, [("doc-begins-with-what", 1)]);
    }

    #[test]
    fn a_count_may_neither_rise_nor_stay_behind() {
        let committed = BTreeMap::from([("bare-constant".to_owned(), 1), ("long-comment".to_owned(), 2)]);
        let place = |name: &str| name.to_owned();
        let same = BTreeMap::from([
            ("bare-constant", vec![place("a.rs:1")]),
            ("long-comment", vec![place("a"), place("b")]),
        ]);
        assert!(differences(&committed, &same).is_empty());
        let other = BTreeMap::from([("bare-constant", vec![place("a.rs:1"), place("b.rs:2")])]);
        let sentences = differences(&committed, &other);
        assert_eq!(sentences.len(), 2, "{sentences:?}");
        assert!(sentences[0].starts_with("bare-constant: 2 places, 1 before"), "{sentences:?}");
        assert!(sentences[1].starts_with("long-comment: 0 places are left"), "{sentences:?}");
    }
}
