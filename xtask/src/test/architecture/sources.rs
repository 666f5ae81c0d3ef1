//! Checks which libraries a source may name.

use super::mentions;

/// A library, the only folder below `src-tauri` that may name the library, and the invariant that
/// requires this.
const OWNERS: [(&str, &str, &str); 5] = [
    ("tauri", "src/", "invariant 1"),
    ("tauri_build", "build.rs", "invariant 1"),
    ("rusqlite", "crates/koab-store/", "invariant 2"),
    ("bollard", "crates/koab-scenarios/", "invariant 2"),
    ("keyring", "crates/koab-keys/", "invariant 2"),
];

/// Items that find or reach other computers, and the only places that may name these items.
///
/// All of these places ask the gate of `koab_engine::egress`, so that the offline switch and the
/// egress log cover everything.
const OUTWARD: [(&str, &[&str]); 13] = [
    // A gate over another switch would be a way past the workspace's.
    ("Gate::new", &["crates/koab-workspace/src/egress/gate.rs"]),
    ("reqwest::Client", &["crates/koab-providers/src/http/"]),
    ("ClientBuilder", &["crates/koab-providers/src/http/"]),
    ("reqwest::get", &[]),
    ("reqwest::blocking", &[]),
    ("behind_library", &["crates/koab-providers/src/native.rs"]),
    ("hyper_util::client", &[]),
    // A second start talks to the running window on this computer. The bridge connects to the run's
    // own server, and an agent that is a server runs on this computer.
    (
        "net::TcpStream",
        &[
            "src/one_window.rs",
            "crates/koab-mcp/src/bridge.rs",
            "crates/koab-agents/src/kinds/web.rs",
            "crates/koab-agents/src/proxy.rs",
        ],
    ),
    // The socket is bound, but nothing is sent.
    ("net::UdpSocket", &["crates/koab-engine/src/egress/local_address.rs"]),
    ("net::lookup_host", &["crates/koab-providers/src/services/public_addresses.rs"]),
    ("net::ToSocketAddrs", &[]),
    ("connect_with_*", &["crates/koab-scenarios/src/docker/engine.rs"]),
    ("open_url", &["src/host.rs"]),
];

/// Folders of the domain, which is the pure code: it has no clock, no randomness and no I/O.
const PURE: [&str; 5] = [
    "crates/koab-core/src/",
    "crates/koab-report/src/",
    "crates/koab-analysis/src/",
    "crates/koab-benchmarks/src/",
    "crates/koab-bundle/src/",
];

/// Libraries that the domain must not use.
const IMPURE_LIBRARIES: [&str; 4] = ["tokio", "reqwest", "rand", "getrandom"];

/// Other words that the domain must not use: clocks, async, the terminal.
const IMPURE: [&str; 6] = ["SystemTime", "Instant", "async", "println", "print", "eprintln"];

/// Modules of `std` that the domain must not use, because they reach the environment, files,
/// networks, processes or threads.
const IMPURE_STD: [&str; 6] = ["env", "fs", "io", "net", "process", "thread"];

/// The only file of the UI that may import Tauri.
const TAURI_IN_UI: &str = "ui/src/platform/tauri.ts";

/// Returns one sentence about each name that a Rust source must not use. The rules apply below
/// `src-tauri`.
pub(super) fn rust_violations(name: &str, code: &syn::File) -> Vec<String> {
    let Some(name) = name.strip_prefix("src-tauri/") else {
        return Vec::new();
    };
    let mentions = mentions::read(code);
    let mut violations = Vec::new();
    for mention in &mentions {
        for (library, owner, rule) in OWNERS {
            if !name.starts_with(owner) && mention.is_below(library) {
                violations.push(format!(
                    "src-tauri/{name}:{} names {library}, which only src-tauri/{owner} may ({rule})",
                    mention.line
                ));
            }
        }
    }
    if is_test_file(name) {
        return violations;
    }
    for mention in mentions.iter().filter(|mention| !mention.for_tests) {
        for (word, owners) in OUTWARD {
            if mention.has(word) && !owners.iter().any(|owner| name.starts_with(owner)) {
                violations.push(format!(
                    "src-tauri/{name}:{} names {word}: what leaves this computer goes through \
                     koab_engine::egress, and only {owners:?} may (invariant 10)",
                    mention.line
                ));
            }
        }
        if PURE.iter().any(|place| name.starts_with(place)) {
            let libraries = IMPURE_LIBRARIES.iter().filter(|library| mention.is_below(library));
            let words = IMPURE.iter().filter(|word| mention.has(word));
            let modules = IMPURE_STD
                .iter()
                .filter(|module| mention.path[0] == "std" && mention.has(&format!("std::{module}")))
                // The error type alone is only data.
                .filter(|_| !mention.has("std::io::Error"));
            violations.extend(libraries.chain(words).chain(modules).map(|impure| {
                format!(
                    "src-tauri/{name}:{} names {impure}: the domain has no clock, randomness, IO or async \
                     (invariant 3)",
                    mention.line
                )
            }));
        }
    }
    violations
}

/// Maximum number of lines of a component, including its markup and styles.
const MAX_COMPONENT_LINES: usize = 300;

/// Returns one sentence about each line of a UI source that must not import Tauri, and about a
/// component that is too long.
pub(super) fn ui_violations(name: &str, text: &str) -> Vec<String> {
    if name == TAURI_IN_UI {
        return Vec::new();
    }
    let quoted =
        |line: &str| ["\"", "'", "`"].iter().any(|quote| line.contains(&format!("{quote}@tauri-apps/")));
    let lines = text.lines().enumerate().filter(|(_, line)| quoted(line));
    let count = text.lines().count();
    let long = name.ends_with(".svelte") && count > MAX_COMPONENT_LINES;
    lines
        .map(|(number, _)| {
            format!("{name}:{} imports Tauri, which only {TAURI_IN_UI} may (invariant 4)", number + 1)
        })
        .chain(long.then(|| {
            format!("{name} has {count} lines; a component has {MAX_COMPONENT_LINES} at most: divide it")
        }))
        .collect()
}

pub(super) fn is_test_file(name: &str) -> bool {
    name.split('/').any(|part| part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(name: &str, text: &str) -> Vec<String> {
        let code = syn::parse_file(text).unwrap();
        rust_violations(&format!("src-tauri/{name}"), &code)
    }

    #[test]
    fn a_component_is_not_longer_than_the_law_says() {
        for (name, lines, found) in [
            ("ui/src/shared/Tabs.svelte", MAX_COMPONENT_LINES, 0),
            ("ui/src/shared/Tabs.svelte", MAX_COMPONENT_LINES + 1, 1),
            ("ui/src/shared/format.ts", MAX_COMPONENT_LINES + 1, 0),
        ] {
            assert_eq!(ui_violations(name, &"<p></p>\n".repeat(lines)).len(), found, "{name} {lines}");
        }
    }

    #[test]
    fn libraries_are_named_only_by_their_owners() {
        let table: [(&str, &str, usize); 19] = [
            ("src/lib.rs", "use tauri::Builder;", 0),
            ("crates/koab-api/src/lib.rs", "use tauri::Builder;", 1),
            ("crates/koab-api/src/lib.rs", "#[tauri::command] fn f() {}", 1),
            ("crates/koab-api/src/lib.rs", "//! Knows nothing of tauri::Builder.", 0),
            ("crates/koab-api/src/lib.rs", "const X: &str = \"tauri\"; // tauri::x", 0),
            ("crates/koab-store/src/db.rs", "use rusqlite::Connection;", 0),
            ("crates/koab-api/src/lib.rs", "fn f(e: ::rusqlite::Error) {}", 1),
            ("crates/koab-engine/src/run.rs", "use bollard as docker;", 1),
            ("crates/koab-keys/src/keychain.rs", "fn f() { keyring::Entry::new(a, b) }", 0),
            ("crates/koab-cli/src/keys.rs", "fn f() { keyring::Entry::new(a, b) }", 1),
            ("crates/koab-cli/src/keys.rs", "fn f() { api::keyring::open(keyring) }", 0),
            ("crates/koab-cli/src/keys.rs", "use {std::fmt, keyring as k};", 1),
            ("crates/koab-cli/src/keys.rs", "fn f() { println!(\"{}\", keyring::x()) }", 1),
            ("crates/koab-core/src/task.rs", "use std as s;", 6),
            (
                "crates/koab-core/src/task.rs",
                "use std::{\n    fmt,\n    time::{\n        Duration, Instant,\n    },\n};",
                1,
            ),
            ("crates/koab-core/src/task.rs", "fn f() { std::time::SystemTime::now(); }", 1),
            ("crates/koab-core/src/task.rs", "use std::{env, fmt, io::{Error, Read}};", 2),
            ("crates/koab-core/src/task.rs", "use std::time::Duration; const OPERAND: u8 = 1;", 0),
            ("crates/koab-engine/src/run.rs", "fn f() { std::time::Instant::now(); }", 0),
        ];
        for (name, text, expected) in table {
            assert_eq!(violations(name, text).len(), expected, "{name}: {text}");
        }
    }

    #[test]
    fn nothing_leaves_this_computer_beside_the_gate() {
        let client = "fn f() { reqwest::Client::builder().build() }";
        let grouped = "use reqwest::{\n    Client, Url,\n};";
        for (name, text, expected) in [
            ("crates/koab-providers/src/http/client.rs", client, 0),
            ("crates/koab-providers/src/services/line.rs", client, 1),
            ("crates/koab-providers/src/services/line.rs", grouped, 1),
            ("crates/koab-providers/src/services/line.rs", "use reqwest as r;", 3),
            ("crates/koab-gateway/tests/gateway/support.rs", client, 0),
            (
                "crates/koab-providers/src/native.rs",
                "fn f() { genai.with_reqwest(http.behind_library()) }",
                0,
            ),
            ("crates/koab-providers/src/hub.rs", "fn f() { self.http.behind_library() }", 1),
            (
                "crates/koab-scenarios/src/docker/image.rs",
                "fn f() { Docker::connect_with_http(host, 1, v) }",
                1,
            ),
            ("crates/koab-api/src/doctor.rs", "fn f() { std::net::TcpStream::connect(a) }", 1),
            ("crates/koab-models/src/lib.rs", "fn f() { Gate::new(switch) }", 1),
            ("crates/koab-workspace/src/egress/gate.rs", "fn f() { Gate::new(switch) }", 0),
            ("crates/koab-api/src/doctor.rs", "#[cfg(test)]\nmod tests {\nuse std::net::TcpStream;\n}", 0),
            (
                "crates/koab-api/src/doctor.rs",
                "#[cfg(test)]\nmod tests {}\nuse std::{io, net::TcpStream};",
                1,
            ),
        ] {
            assert_eq!(violations(name, text).len(), expected, "{name}: {text}");
        }
    }

    #[test]
    fn the_domains_tests_may_read_files() {
        let inline = "fn f() {}\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
        assert!(violations("crates/koab-core/src/task.rs", inline).is_empty());
        assert!(violations("crates/koab-core/src/task/tests.rs", "use std::fs;").is_empty());
        let elsewhere = "#[cfg(test)]\nmod tests;\nuse std::fs;\nfn f() { std::env::args(); }\n";
        assert_eq!(violations("crates/koab-core/src/task.rs", elsewhere).len(), 2);
    }

    #[test]
    fn the_ui_imports_tauri_in_one_file() {
        let import = "import { invoke } from '@tauri-apps/api/core';";
        assert!(ui_violations("ui/src/platform/tauri.ts", import).is_empty());
        assert_eq!(
            ui_violations("ui/src/app/App.svelte", import),
            ["ui/src/app/App.svelte:1 imports Tauri, which only ui/src/platform/tauri.ts may (invariant 4)"]
        );
    }
}
