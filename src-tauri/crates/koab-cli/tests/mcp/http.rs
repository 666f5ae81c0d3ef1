//! The same over HTTP: clients that come to the recorder, a server that listens, a replay that listens.

use crate::mcp::{call, calls, can_serve, result_of, server, session_with, words};
use crate::support::Koab;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// A command that listens, and where; ended as Ctrl-C does when dropped.
struct Listening {
    child: Child,
    url: String,
    rest: Option<std::thread::JoinHandle<String>>,
}

impl Listening {
    fn start(koab: &Koab, words: &[&str]) -> Self {
        let mut child =
            koab.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("koab starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        lines.read_line(&mut line).expect("a line");
        let url = line.split_whitespace().find(|word| word.starts_with("http://"));
        let url = url.unwrap_or_else(|| crate::mcp::panic_with(&line)).trim_end_matches(';').to_owned();
        let rest = std::thread::spawn(move || std::io::read_to_string(lines).unwrap_or_default());
        Self { child, url, rest: Some(rest) }
    }

    /// Ends it, and what it said.
    fn end(mut self) -> (i32, String, String) {
        let id = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &id]).status();
        let mut stdout = String::new();
        if let Some(mut pipe) = self.child.stdout.take() {
            let _ = std::io::Read::read_to_string(&mut pipe, &mut stdout);
        }
        let code = self.child.wait().expect("an end").code().unwrap_or(-1);
        let stderr = self.rest.take().expect("once").join().expect("read");
        (code, stdout, stderr)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn a_recorder_and_a_replay_that_listen_answer_alike() {
    if !can_serve("a_recorder_and_a_replay_that_listen_answer_alike") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    let lines = [
        call(1, "notes", "{}"),
        call(2, "echo", r#"{"text":"한글"}"#),
        call(3, "nothing", "{}"),
        r#"{"jsonrpc":"2.0","id":4,"method":"logging/setLevel","params":{"level":"info"}}"#.to_owned(),
    ];
    let ask = |url: &str| {
        let url = [("KOAB_MCP_URL", url)];
        session_with(&koab, &["agents", "bridge"], &lines, &url)
    };
    let front = Listening::start(&koab, &words(&["pack", "record", "kept", "--listen"], &server));
    let live = ask(&front.url);
    assert_eq!(live.code, 0, "{}", live.stderr);
    assert_eq!(result_of(&live, 4), "{}", "what is not about tools is passed through");
    // Another user of this computer can reach the port; what the address ends with is not theirs.
    let (without, token) = front.url.rsplit_once('/').expect("a path");
    assert!(token.len() >= 20, "{}", front.url);
    for other in [without.to_owned(), format!("{without}/other")] {
        let refused = ask(&other);
        assert!(
            refused.stdout.contains("-32603") && !refused.stdout.contains("\"result\""),
            "{}",
            refused.stdout
        );
    }
    // A server that listens is recorded as one that is started: here it is the recorder itself.
    let file = calls(
        &koab,
        &[r#"{"tool":"notes","arguments":{}}"#, r#"{"tool":"echo","arguments":{"text":"한글"}}"#],
    );
    koab.ok(&["pack", "record", "over-http", "--calls", &file, "--url", &front.url]);
    let (code, stdout, stderr) = front.end();
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("8 tools, 5 calls"), "{stdout}");
    let replay = Listening::start(&koab, &["pack", "replay", "kept", "--listen"]);
    let replayed = ask(&replay.url);
    for id in 1..=3 {
        assert_eq!(result_of(&replayed, id), result_of(&live, id), "{id}");
    }
    // Tools are all that a replay has.
    assert!(replayed.stdout.contains("-32601"), "{}", replayed.stdout);
    // What stands behind the path is a session of its own.
    let own = ask(&format!("{}/other", replay.url));
    assert_eq!(result_of(&own, 1), result_of(&live, 1));
    drop(replay);
    let url = Listening::start(&koab, &["pack", "replay", "over-http", "--listen"]);
    assert_eq!(result_of(&ask(&url.url), 2), result_of(&live, 2));
}

#[test]
fn a_bridge_without_a_server_answers_every_request_with_an_error() {
    let koab = Koab::new();
    let unset = koab.run(&["agents", "bridge"]);
    assert_eq!(
        unset.stderr.trim(),
        "koab: the environment variable KOAB_MCP_URL is to name the server's address"
    );
    let nobody = [("KOAB_MCP_URL", "http://127.0.0.1:9/mcp")];
    let ran = session_with(&koab, &["agents", "bridge"], &[call(1, "x", "{}")], &nobody);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.lines().all(|line| line.contains("-32603")), "{}", ran.stdout);
}

#[test]
fn neither_a_recorder_nor_a_replay_listens_on_every_network() {
    let koab = Koab::new();
    let server = server("plain");
    let refused = koab.run(&words(&["pack", "record", "kept", "--listen", "0.0.0.0:0"], &server));
    assert_eq!(refused.code, 2);
    assert_eq!(
        refused.stderr.trim(),
        "koab: 0.0.0.0:0 means every network of this computer; name one of its addresses, such as 127.0.0.1:0"
    );
}
