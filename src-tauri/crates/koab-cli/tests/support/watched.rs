//! A command under `strace`: every address that it so much as tries is seen, name look-ups included.

use super::{Koab, ran, skip};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

/// System calls that name an address.
const CALLS: &str = "trace=connect,sendto,sendmsg,sendmmsg";

/// Whether this machine lets a program be watched; else a line that says what is skipped.
pub fn can_watch(test: &str) -> bool {
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
pub struct Watched {
    pub code: i32,
    pub stdout: String,
    /// Addresses of the network that it tried, as `host:port`; sockets of this machine's file system are none.
    pub tried: BTreeSet<String>,
}

/// Runs a command and watches where it so much as tries to go.
pub fn watch(koab: &Koab, words: &[&str]) -> Watched {
    watch_with(koab, words, &[])
}

/// The same with these variables.
pub fn watch_with(koab: &Koab, words: &[&str], variables: &[(&str, &str)]) -> Watched {
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
    command.envs(variables.iter().copied());
    let ran = ran(command.output().expect("strace starts"));
    let tried = addresses(&trace);
    std::fs::remove_file(trace).expect("the trace");
    assert!(ran.code >= 0, "{}", ran.stderr);
    Watched { code: ran.code, stdout: ran.stdout, tried }
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
