//! What the sources name. Text is enough here: a path like `rusqlite::` has no other meaning.

use std::path::Path;

use anyhow::Context as _;

/// A library and the only folder (below `src-tauri`) that may name it.
const OWNERS: [(&str, &str, &str); 5] = [
    ("tauri", "src/", "invariant 1"),
    ("tauri_build", "build.rs", "invariant 1"),
    ("rusqlite", "crates/koab-store/", "invariant 2"),
    ("bollard", "crates/koab-sandbox/", "invariant 2"),
    ("keyring", "crates/koab-api/", "invariant 2"),
];

/// What reaches other computers, or finds them, and the only places that may: all of it asks the gate of
/// `koab_engine::egress`, so that the offline switch and the log of what left hold for everything.
const OUTWARD: [(&str, &[&str]); 12] = [
    ("reqwest::Client", &["crates/koab-providers/src/http/"]),
    ("ClientBuilder", &["crates/koab-providers/src/http/"]),
    ("reqwest::get", &[]),
    ("reqwest::blocking", &[]),
    (".behind_library(", &["crates/koab-providers/src/native.rs"]),
    ("hyper_util::client", &[]),
    ("TcpStream", &[]),
    // Bound and never sent from.
    ("UdpSocket", &["crates/koab-engine/src/egress/here.rs"]),
    (
        "lookup_host",
        &["crates/koab-providers/src/services/public_addresses.rs"],
    ),
    ("ToSocketAddrs", &[]),
    ("connect_with_", &["crates/koab-sandbox/src/docker/engine.rs"]),
    ("open_url(", &["src/host.rs"]),
];

/// What the domain does not know: clock, randomness, IO, async.
const IMPURE: [&str; 8] = [
    "tokio",
    "reqwest",
    "rand",
    "getrandom",
    "SystemTime",
    "Instant",
    "async fn",
    "println!",
];

/// The modules of `std` that reach outside, written as a path or in a group like `std::{fs, mem}`.
const IMPURE_STD: [&str; 6] = ["env", "fs", "io", "net", "process", "thread"];

/// The only UI file that imports Tauri.
const TAURI_IN_UI: &str = "src/platform/tauri.ts";

/// Reads all sources below `root`; gives one sentence a violation.
pub(super) fn check(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut violations = Vec::new();
    walk(&root.join("src-tauri"), "", &mut |name, text| {
        if name.ends_with(".rs") {
            violations.extend(rust_violations(name, text));
        }
    })?;
    walk(&root.join("ui/src"), "src/", &mut |name, text| {
        violations.extend(ui_violations(name, text))
    })?;
    Ok(violations)
}

fn rust_violations(name: &str, text: &str) -> Vec<String> {
    let mut violations = Vec::new();
    for (number, line) in code_lines(text) {
        for (library, owner, rule) in OWNERS {
            if !name.starts_with(owner) && names(line, library) {
                violations.push(format!(
                    "src-tauri/{name}:{number} names {library}, which only src-tauri/{owner} may ({rule})"
                ));
            }
        }
    }
    if !is_test_file(name) {
        for (number, line) in code_lines(without_tests(text)) {
            for (word, owners) in OUTWARD {
                if line.contains(word) && !owners.iter().any(|owner| name.starts_with(owner)) {
                    violations.push(format!(
                        "src-tauri/{name}:{number} names {word}: what leaves this computer goes through \
                         koab_engine::egress, and only {owners:?} may (invariant 10)"
                    ));
                }
            }
        }
    }
    if name.starts_with("crates/koab-core/src/") && !is_test_file(name) {
        for (number, line) in code_lines(without_tests(text)) {
            let libraries = IMPURE.iter().filter(|impure| names(line, impure));
            for impure in libraries.chain(IMPURE_STD.iter().filter(|module| names_std(line, module))) {
                violations.push(format!(
                    "src-tauri/{name}:{number} names {impure}: the domain has no clock, randomness, IO or async \
                     (invariant 3)"
                ));
            }
        }
    }
    violations
}

fn ui_violations(name: &str, text: &str) -> Vec<String> {
    let is_source = [".ts", ".js", ".svelte", ".mjs"]
        .iter()
        .any(|ending| name.ends_with(ending));
    if !is_source || name == TAURI_IN_UI {
        return Vec::new();
    }
    let quoted = |line: &str| line.contains("\"@tauri-apps/") || line.contains("'@tauri-apps/");
    let lines = text.lines().enumerate().filter(|(_, line)| quoted(line));
    lines
        .map(|(number, _)| {
            format!(
                "ui/{name}:{} imports Tauri, which only ui/{TAURI_IN_UI} may (invariant 4)",
                number + 1
            )
        })
        .collect()
}

/// Numbered lines without comments.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| {
        // A `//` after a colon belongs to an address in a string.
        let comment = line
            .match_indices("//")
            .find(|(at, _)| !line[..*at].ends_with(':'));
        (index + 1, comment.map_or(line, |(at, _)| &line[..at]))
    })
}

/// The part of a file before its test module.
fn without_tests(text: &str) -> &str {
    let module = text.match_indices("#[cfg(test)]").find(|(at, mark)| {
        let next = text[at + mark.len()..].trim_start();
        // `mod tests;` only points at another file.
        next.starts_with("mod ") && next.find('{') < next.find(';').or(Some(usize::MAX)) && next.contains('{')
    });
    module.map_or(text, |(at, _)| &text[..at])
}

fn is_test_file(name: &str) -> bool {
    name.split('/')
        .any(|part| part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs"))
}

/// Whether a line of code names a library, a path of one, or an item: as a whole word, and for a library only
/// followed by `::` or in a `use`.
fn names(line: &str, what: &str) -> bool {
    let code = line.trim_start();
    let is_library = what.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    line.match_indices(what).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = &line[at + what.len()..];
        let whole = !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '"' | '.' | '-'))
            && !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        // `crate::tauri` or `koab_x::rand` are modules of ours.
        let rooted = !is_library
            || !line[..at].ends_with("::")
            || line[..at].ends_with(" ::")
            || line[..at].trim() == "::";
        let used = !is_library
            || after.starts_with("::")
            || code.starts_with(&format!("use {what}"))
            || code.starts_with(&format!("extern crate {what}"));
        whole && rooted && used
    })
}

fn names_std(line: &str, module: &str) -> bool {
    line.match_indices("std::").any(|(at, mark)| {
        let after = &line[at + mark.len()..];
        match after.strip_prefix('{') {
            Some(group) => group
                .split(['}', ','])
                .any(|part| part.split("::").next().map(str::trim) == Some(module)),
            None => after.split(|c: char| !(c.is_alphanumeric() || c == '_')).next() == Some(module),
        }
    })
}

fn walk(folder: &Path, prefix: &str, visit: &mut dyn FnMut(&str, &str)) -> anyhow::Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    let mut paths: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let Some(file) = path.file_name().and_then(|file| file.to_str()) else {
            continue;
        };
        let name = format!("{prefix}{file}");
        if path.is_dir() {
            walk(&path, &format!("{name}/"), visit)?;
        } else if [".rs", ".ts", ".js", ".mjs", ".svelte"]
            .iter()
            .any(|ending| name.ends_with(ending))
        {
            let text =
                std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            visit(&name, &text);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_named_only_by_their_owners() {
        let table: [(&str, &str, usize); 15] = [
            ("src/lib.rs", "use tauri::Builder;", 0),
            ("crates/koab-api/src/lib.rs", "use tauri::Builder;", 1),
            ("crates/koab-api/src/lib.rs", "#[tauri::command]", 1),
            (
                "crates/koab-api/src/lib.rs",
                "//! Knows nothing of tauri::Builder.",
                0,
            ),
            ("crates/koab-api/src/lib.rs", "let x = \"tauri\"; // tauri::x", 0),
            ("crates/koab-store/src/db.rs", "use rusqlite::Connection;", 0),
            ("crates/koab-api/src/lib.rs", "fn f(e: ::rusqlite::Error) {}", 1),
            ("crates/koab-engine/src/run.rs", "use bollard as docker;", 1),
            ("crates/koab-api/src/secrets.rs", "keyring::Entry::new(a, b)", 0),
            ("crates/koab-cli/src/keys.rs", "keyring::Entry::new(a, b)", 1),
            ("crates/koab-cli/src/keys.rs", "api::keyring::open()", 0),
            (
                "crates/koab-core/src/task.rs",
                "let t = std::time::SystemTime::now();",
                1,
            ),
            (
                "crates/koab-core/src/task.rs",
                "use std::{env, fmt, io::Read};",
                2,
            ),
            (
                "crates/koab-core/src/task.rs",
                "use std::time::Duration; let operand = 1;",
                0,
            ),
            (
                "crates/koab-engine/src/run.rs",
                "let t = std::time::Instant::now();",
                0,
            ),
        ];
        for (name, text, expected) in table {
            assert_eq!(rust_violations(name, text).len(), expected, "{name}: {text}");
        }
    }

    #[test]
    fn nothing_leaves_this_computer_beside_the_gate() {
        let client = "let client = reqwest::Client::builder().build()?;";
        for (name, text, expected) in [
            ("crates/koab-providers/src/http/client.rs", client, 0),
            ("crates/koab-providers/src/services/line.rs", client, 1),
            ("crates/koab-api/tests/gateway/support.rs", client, 0),
            (
                "crates/koab-providers/src/native.rs",
                "genai.with_reqwest(http.behind_library())",
                0,
            ),
            (
                "crates/koab-providers/src/hub.rs",
                "self.http.behind_library()",
                1,
            ),
            (
                "crates/koab-sandbox/src/docker/image.rs",
                "Docker::connect_with_http(host, 1, v)",
                1,
            ),
            (
                "crates/koab-api/src/doctor.rs",
                "std::net::TcpStream::connect(a)",
                1,
            ),
            (
                "crates/koab-api/src/doctor.rs",
                "#[cfg(test)]\nmod tests {\nuse std::net::TcpStream;\n}",
                0,
            ),
        ] {
            assert_eq!(rust_violations(name, text).len(), expected, "{name}: {text}");
        }
    }

    #[test]
    fn the_domains_tests_may_read_files() {
        let inline = "fn f() {}\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
        assert!(rust_violations("crates/koab-core/src/task.rs", inline).is_empty());
        assert!(rust_violations("crates/koab-core/src/task/tests.rs", "use std::fs;").is_empty());
        let elsewhere = "#[cfg(test)]\nmod tests;\nuse std::fs;\nfn f() { std::env::args(); }\n";
        assert_eq!(
            rust_violations("crates/koab-core/src/task.rs", elsewhere).len(),
            2
        );
    }

    #[test]
    fn the_ui_imports_tauri_in_one_file() {
        let import = "import { invoke } from '@tauri-apps/api/core';";
        assert!(ui_violations("src/platform/tauri.ts", import).is_empty());
        assert_eq!(
            ui_violations("src/app/App.svelte", import),
            ["ui/src/app/App.svelte:1 imports Tauri, which only ui/src/platform/tauri.ts may (invariant 4)"]
        );
    }
}
