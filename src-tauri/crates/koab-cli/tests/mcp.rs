//! Servers of tools: recorded once, replayed without the server, compared with newer ones. The server is ours, in Python's standard
//! library; those of others are in `real.rs`.

mod cap;
mod drift;
mod driven;
mod faults;
mod http;
mod inside;
mod product;
mod real;
mod replay;
mod secrets;
mod window;

use crate::support::{Koab, Ran, ran, skip};
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

/// The words of our server, as a command behind `--`.
fn server(mode: &str) -> Vec<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/server.py");
    ["python3", &script.to_string_lossy(), mode].map(str::to_owned).into()
}

/// Whether Python is here; else a line that says what is skipped.
fn can_serve(test: &str) -> bool {
    let found = std::process::Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    let can = found.is_ok_and(|status| status.success());
    if !can {
        skip(test, "python3");
    }
    can
}

fn words<'a>(words: &[&'a str], server: &'a [String]) -> Vec<&'a str> {
    let server = server.iter().map(String::as_str);
    words.iter().copied().chain(["--"]).chain(server).collect()
}

/// What a client of a version with a handshake says first.
const HELLO: [&str; 2] = [
    r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
];

fn call(id: u32, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

/// A client on standard streams that says these lines and then nothing more.
fn session(koab: &Koab, words: &[&str], lines: &[String]) -> Ran {
    session_with(koab, words, lines, &[])
}

fn session_with(koab: &Koab, words: &[&str], lines: &[String], variables: &[(&str, &str)]) -> Ran {
    let mut child = koab
        .command(words)
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("koab starts");
    let mut input = child.stdin.take().expect("a pipe");
    let text = HELLO.iter().map(|line| (*line).to_owned()).chain(lines.iter().cloned());
    let text: Vec<String> = text.collect();
    // Its end closes the pipe.
    let writing = std::thread::spawn(move || {
        let _ = input.write_all(format!("{}\n", text.join("\n")).as_bytes());
    });
    let ran = ran(child.wait_with_output().expect("an end"));
    writing.join().expect("written");
    ran
}

/// The text of the `result` member of the answer with this id, letter for letter.
fn result_of(ran: &Ran, id: u32) -> String {
    let line = ran.stdout.lines().find(|line| {
        let message: Value = serde_json::from_str(line).expect("every line is a message");
        message["id"] == id
    });
    let line =
        line.unwrap_or_else(|| panic_with(&format!("no answer {id} in\n{}\n{}", ran.stdout, ran.stderr)));
    // Whatever stands around it, it goes from the member's name to the end of the message.
    let (_, result) = line.split_once("\"result\":").expect("a result");
    result.trim_start().strip_suffix('}').expect("an end").to_owned()
}

#[expect(clippy::panic, reason = "what fails here fails the test")]
fn panic_with(why: &str) -> ! {
    panic!("{why}")
}

/// Lines for `--calls`.
fn calls(koab: &Koab, lines: &[&str]) -> String {
    let file = koab.path().join("calls.jsonl");
    std::fs::write(&file, lines.join("\n")).expect("written");
    file.to_string_lossy().into_owned()
}
