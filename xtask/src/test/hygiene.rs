//! Checks that no committed file contains data of a single machine or person: absolute paths,
//! registry mirrors, keys.

use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use super::context::Context;
use super::count::Count;

/// Folders that exist only on the machines of this project's developers.
const MACHINE_PATHS: [&str; 5] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("C:\\Us", "ers\\"),
];

/// Names of example users. Home folders of these users may occur in files.
const EXAMPLE_USERS: [&str; 8] = ["user", "me", "you", "name", "someone", "runner", "kim", "USER"];

/// Starts of keys, each with the number of letters and digits that follow in a real key.
const KEYS: [(&str, usize); 9] = [
    (concat!("sk", "-"), 32),
    (concat!("sk-p", "roj-"), 32),
    (concat!("sk-a", "nt-"), 32),
    (concat!("AI", "za"), 35),
    (concat!("AK", "IA"), 16),
    (concat!("hf", "_"), 30),
    (concat!("gh", "p_"), 36),
    (concat!("gs", "k_"), 40),
    (concat!("BEGIN PRIV", "ATE KEY"), 0),
];

/// Registries that packages in lock files may come from.
const REGISTRIES: [&str; 2] =
    ["https://registry.npmjs.org/", "registry+https://github.com/rust-lang/crates.io-index"];

/// Checks every file that git tracks, or that `git add` would add.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    let root = &context.checkout.root;
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let Some(files) = git.stderr(Stdio::null()).output().ok().filter(|output| output.status.success()) else {
        return Ok(Count::skip("this is not a git checkout, so nobody can say which files belong to it"));
    };
    let files = String::from_utf8(files.stdout).context("a file name is not UTF-8")?;
    let mut count = Count::nothing();
    let mut read = 0_usize;
    for name in files.split('\0').filter(|name| !name.is_empty()) {
        // The file is deleted but still in the index, or not a text.
        let Ok(text) = std::fs::read_to_string(root.join(name)) else {
            continue;
        };
        read += 1;
        count.failures.extend(findings(name, &text));
    }
    ensure!(read > 0, "git names no file of this checkout that can be read");
    if count.failed() == 0 {
        count.passed = 1;
    }
    Ok(count)
}

fn findings(name: &str, text: &str) -> Vec<String> {
    let lock = name.ends_with("package-lock.json") || name.ends_with("Cargo.lock");
    let mut findings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut find = |what: &str| findings.push(format!("{name}:{} has {what}", number + 1));
        if names_machine_path(line) {
            find("a path of one machine");
        }
        if KEYS.iter().any(|(opening, length)| has_key(line, opening, *length)) {
            find("what looks like a key");
        }
        if lock && names_other_registry(line) {
            find("a package from a registry that not everybody can reach");
        }
    }
    findings
}

fn names_machine_path(line: &str) -> bool {
    MACHINE_PATHS.iter().any(|path| {
        line.match_indices(path).any(|(at, _)| {
            let starts_here =
                !line[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}'));
            let user =
                line[at + path.len()..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            starts_here && !EXAMPLE_USERS.contains(&user)
        })
    })
}

fn has_key(line: &str, opening: &str, length: usize) -> bool {
    line.match_indices(opening).any(|(at, _)| {
        let starts_here = !line[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
        let rest = &line[at + opening.len()..];
        let run = rest
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            .count();
        // Words joined by dashes are not a key; a key has digits.
        let digits = rest.bytes().take(run).filter(u8::is_ascii_digit).count();
        starts_here && run >= length && (length == 0 || digits >= 2)
    })
}

fn names_other_registry(line: &str) -> bool {
    let line = line.trim();
    let source = line.strip_prefix("\"resolved\": \"").or_else(|| line.strip_prefix("source = \""));
    source.is_some_and(|source| !REGISTRIES.iter().any(|registry| source.starts_with(registry)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_name_the_line_and_what_is_wrong() {
        let key = format!("key = {}{}", concat!("sk", "-"), "a1".repeat(20));
        let path = concat!("dir = \"/ro", "ot/x\"");
        let table: [(&str, &str, &[&str]); 8] = [
            ("a.md", path, &["a.md:1 has a path of one machine"]),
            ("a.md", "see https://host/root/x and crates/work/y", &[]),
            ("a.md", concat!("/ho", "me/user/koab"), &[]),
            ("a.rs", &key, &["a.rs:1 has what looks like a key"]),
            ("a.rs", "risk-assessment-of-a-long-list-of-words-joined-by-dashes", &[]),
            ("ui/package-lock.json", "\"resolved\": \"https://registry.npmjs.org/x\"", &[]),
            (
                "ui/package-lock.json",
                "ok\n      \"resolved\": \"https://mirror.example/x\"",
                &["ui/package-lock.json:2 has a package from a registry that not everybody can reach"],
            ),
            ("notes.md", "\"resolved\": \"https://mirror.example/x\"", &[]),
        ];
        for (name, text, expected) in table {
            assert_eq!(findings(name, text), expected, "{text}");
        }
    }
}
