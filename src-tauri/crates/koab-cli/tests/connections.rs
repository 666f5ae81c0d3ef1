//! Nothing leaves the machine unless the user named where to: every address that a command so much as tries is seen by
//! `strace`, name look-ups included.
#![cfg(target_os = "linux")]

mod support;

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use support::http::{Local, model};
use support::{Koab, ran, skip};

/// System calls that name an address.
const CALLS: &str = "trace=connect,sendto,sendmsg,sendmmsg";

/// Whether this machine lets a program be watched; else a line that says what is skipped.
fn can_watch(test: &str) -> bool {
    let watched = Command::new("strace")
        .args(["-f", "-qq", "-e", CALLS, "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let can = watched.is_ok_and(|status| status.success());
    if !can {
        skip(test, "strace, and the right to trace a child");
    }
    can
}

/// What a watched command did.
struct Watched {
    code: i32,
    stdout: String,
    /// Addresses of the network that it tried, as `host:port`; sockets of this machine's file system are none.
    tried: BTreeSet<String>,
}

fn watch(koab: &Koab, words: &[&str]) -> Watched {
    let trace = koab.path().with_extension("trace");
    let plain = koab.command(words);
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq", "-e", CALLS, "-o"])
        .arg(&trace)
        .arg(plain.get_program())
        .args(plain.get_args())
        .stdin(Stdio::null());
    for (name, value) in plain.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    let ran = ran(command.output().expect("strace starts"));
    let tried = addresses(&trace);
    std::fs::remove_file(trace).expect("the trace");
    assert!(ran.code >= 0, "{}", ran.stderr);
    Watched {
        code: ran.code,
        stdout: ran.stdout,
        tried,
    }
}

fn addresses(trace: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(trace).expect("the trace");
    let between = |line: &str, start: &str, end: &str| {
        let (_, rest) = line.split_once(start)?;
        rest.split_once(end).map(|(found, _)| found.to_owned())
    };
    let address = |line: &str| {
        let port = between(line, "_port=htons(", ")")?;
        let host =
            between(line, "inet_addr(\"", "\")").or_else(|| between(line, "inet_pton(AF_INET6, \"", "\""))?;
        Some(format!("{host}:{port}"))
    };
    let network = text.lines().filter(|line| line.contains("sa_family=AF_INET"));
    let seen = |line: &str| address(line).unwrap_or_else(|| line.to_owned());
    network.map(seen).collect()
}

fn only(address: &str) -> BTreeSet<String> {
    BTreeSet::from([address.trim_start_matches("http://").to_owned()])
}

fn run_words<'a>(address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = [
        "run",
        "--model",
        "openai_compat/m",
        "--base-url",
        address,
        "--levels",
        "L1",
    ];
    [&words, more].concat()
}

#[test]
fn a_run_connects_to_the_model_s_server_and_nowhere_else() {
    if !can_watch("a_run_connects_to_the_model_s_server_and_nowhere_else") {
        return;
    }
    let (koab, model) = (Koab::new(), model("stop"));
    let address = format!("{}/v1", model.address);
    let made = watch(&koab, &run_words(&address, &["--json", "--quiet"]));
    assert_eq!(
        (made.code, &made.tried),
        (0, &only(&model.address)),
        "{}",
        made.stdout
    );
    let document: Value = serde_json::from_str(&made.stdout).expect("one document");
    let folder = document["run"]["folder"].as_str().expect("a folder");
    let asked = model.requests().len();
    for words in [
        &["evaluate", "--run", folder, "--no-judge"][..],
        &["evaluate", "--run", folder],
        &["run", "--model", "baseline/golden", "--evaluate", "--quiet"],
        &["run", "--model", "openai/gpt-4o", "--dry-run"],
        &["runs", "list"],
        &["report", "list"],
        &["pack", "verify"],
        &["models", "list"],
        &["models", "prices"],
        &["cache", "stats"],
        &["doctor"],
    ] {
        let made = watch(&koab, words);
        assert_eq!(
            (made.code, made.tried),
            (0, BTreeSet::new()),
            "koab {words:?}: {}",
            made.stdout
        );
    }
    assert_eq!(model.requests().len(), asked);
}

/// Without this nobody would know whether the test above sees anything.
#[test]
fn what_the_user_names_is_connected_to_and_seen() {
    if !can_watch("what_the_user_names_is_connected_to_and_seen") {
        return;
    }
    let (koab, model) = (Koab::new(), model("stop"));
    let collector = Local::start(|_| (200, json!({})));
    let address = format!("{}/v1", model.address);
    let made = watch(
        &koab,
        &run_words(&address, &["--quiet", "--otlp-endpoint", &collector.address]),
    );
    let both = &only(&model.address) | &only(&collector.address);
    assert_eq!((made.code, made.tried), (0, both));
    // A name is looked up before it is connected to, and that is seen as well.
    let named = "http://collector.invalid:4318";
    let made = watch(
        &koab,
        &run_words(&address, &["--quiet", "--otlp-endpoint", named]),
    );
    let beyond = &made.tried - &only(&model.address);
    assert!(
        made.code == 0 && beyond.iter().any(|address| address.ends_with(":53")),
        "{beyond:?}"
    );
}
