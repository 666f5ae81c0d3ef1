//! Servers that die, hang, write rubbish, say too much or ask themselves: one sentence, and the record is whole up to there.

use crate::mcp::{call, calls, can_serve, result_of, server, session, words};
use crate::support::{Koab, Ran};

fn played(koab: &Koab, mode: &str, more: &[&str], lines: &[&str]) -> Ran {
    let (server, file) = (server(mode), calls(koab, lines));
    let record = [&["pack", "record", "kept", "--calls", &file], more].concat();
    koab.run(&words(&record, &server))
}

const HI: &str = r#"{"tool":"echo","arguments":{"text":"hi"}}"#;

#[test]
fn a_server_that_dies_is_told_with_its_last_words() {
    if !can_serve("a_server_that_dies_is_told_with_its_last_words") {
        return;
    }
    let koab = Koab::new();
    let ran = played(&koab, "plain", &[], &[HI, r#"{"tool":"die"}"#, HI]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stdout.contains("8 tools, 1 calls in 1 sessions"), "{}", ran.stdout);
    let told = "the recording ended early and is complete up to that point: call 2 (die) was not answered: python3 ended; its last output: the disk is on fire";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    // A client that stands behind it is not left waiting.
    let server = server("plain");
    let lines = [call(1, "echo", r#"{"text":"hi"}"#), call(2, "die", "{}")];
    let ran = session(&koab, &words(&["pack", "record", "between"], &server), &lines);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stdout.contains(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32603"#), "{}", ran.stdout);
    let replayed = session(&koab, &["pack", "replay", "between"], &lines[..1]);
    assert_eq!(result_of(&replayed, 1), result_of(&ran, 1));
}

#[test]
fn a_server_that_hangs_is_waited_for_no_longer_than_was_said_and_leaves_nothing_behind() {
    if !can_serve("a_server_that_hangs_is_waited_for_no_longer_than_was_said_and_leaves_nothing_behind") {
        return;
    }
    let koab = Koab::new();
    let ran = played(&koab, "plain", &["--timeout", "4"], &[HI, r#"{"tool":"hang"}"#]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("call 2 (hang) was not recorded: no answer came within 4 s"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("8 tools, 1 calls in 1 sessions"), "{}", ran.stdout);
}

#[test]
fn rubbish_is_not_passed_on_and_long_answers_are_kept_whole() {
    if !can_serve("rubbish_is_not_passed_on_and_long_answers_are_kept_whole") {
        return;
    }
    let koab = Koab::new();
    let rubbish = server("rubbish");
    let lines = [call(1, "big", r#"{"bytes":10485760}"#)];
    let live = session(&koab, &words(&["pack", "record", "kept"], &rubbish), &lines);
    assert!(!live.stdout.contains("Welcome"), "every line is a message");
    assert!(
        live.stderr.contains("the server writes lines to standard output that are not messages"),
        "{}",
        live.stderr
    );
    let replayed = session(&koab, &["pack", "replay", "kept"], &lines);
    let (then, now) = (result_of(&live, 1), result_of(&replayed, 1));
    assert!(then.len() > 10 << 20 && then == now, "{} and {} bytes", then.len(), now.len());
}

#[test]
fn what_is_not_about_tools_is_passed_through_and_named() {
    if !can_serve("what_is_not_about_tools_is_passed_through_and_named") {
        return;
    }
    let koab = Koab::new();
    let asks = server("asks");
    let level = r#"{"jsonrpc":"2.0","id":9,"method":"logging/setLevel","params":{"level":"info"}}"#;
    let lines = [level.to_owned(), call(1, "echo", r#"{"text":"hi"}"#)];
    let live = session(&koab, &words(&["pack", "record", "kept"], &asks), &lines);
    assert_eq!(live.code, 0, "{}", live.stderr);
    assert!(
        live.stdout
            .contains(r#"{"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage", "params": {}}"#),
        "{}",
        live.stdout
    );
    assert!(live.stdout.contains("notifications/message"), "{}", live.stdout);
    assert!(
        live.stderr.contains("passed through and not recorded: logging/setLevel, sampling/createMessage"),
        "{}",
        live.stderr
    );
    // Our own client says that it has no such method, and goes on.
    let played = played(&koab, "asks", &[], &[HI]);
    assert_eq!(played.code, 0, "{}", played.stderr);
}

#[test]
fn what_is_no_server_is_told_in_one_sentence() {
    let koab = Koab::new();
    let file = calls(&koab, &[HI]);
    let record = ["pack", "record", "kept", "--calls", &file];
    let none = koab.run(&words(&record, &["no-such-program".to_owned()]));
    assert_eq!(none.code, 2);
    assert_eq!(
        none.stderr.trim(),
        "koab: there is no program no-such-program; install it, or give its full path"
    );
    let quiet = koab.run(&words(&record, &["true".to_owned()]));
    assert_eq!(
        quiet.stderr.trim(),
        "koab: the server does not answer: true ended; run its command in a terminal to see what it lacks"
    );
    let named = koab.run(&["pack", "record", "kept"]);
    assert_eq!(named.stderr.trim(), "koab: name the server: a command behind --, or an address with --url");
    let broken = calls(&koab, &[HI, "rubbish"]);
    let server = server("plain");
    let broken = koab.run(&words(&["pack", "record", "kept", "--calls", &broken], &server));
    assert!(broken.stderr.contains("calls.jsonl line 2 is not a call"), "{}", broken.stderr);
    assert!(
        koab.json(&["pack", "list"]).to_string().matches("\"kept\"").count() == 0,
        "nothing is half kept"
    );
}

/// A line that is not text is refused: passed on with other letters it would be another line.
#[test]
fn a_line_of_the_client_that_is_no_text_is_refused_and_the_rest_is_recorded() {
    if !can_serve("a_line_of_the_client_that_is_no_text_is_refused_and_the_rest_is_recorded") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    let mut child = koab
        .command(&words(&["pack", "record", "kept"], &server))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("koab starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut bytes = crate::mcp::HELLO.join("\n").into_bytes();
    bytes.extend_from_slice(b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"\xff\"}}}\n");
    bytes.extend_from_slice(call(2, "echo", r#"{"text":"x"}"#).as_bytes());
    bytes.push(b'\n');
    std::io::Write::write_all(&mut input, &bytes).expect("written");
    drop(input);
    let ran = crate::mcp::ran(child.wait_with_output().expect("an end"));
    assert!(ran.stdout.contains("the message is not UTF-8"), "{}", ran.stdout);
    assert!(result_of(&ran, 2).contains("\"x\""), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("8 tools, 1 calls in 1 sessions")
            && ran.stderr.contains("the client sent a line that is not UTF-8; it was not passed on"),
        "{}",
        ran.stderr
    );
}

/// A call that has no answer by the end is counted and told; the record says "saved" and the replay would miss it.
#[test]
fn a_call_that_is_not_answered_by_the_end_is_told() {
    if !can_serve("a_call_that_is_not_answered_by_the_end_is_told") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    let lines = [call(1, "echo", r#"{"text":"hi"}"#), call(2, "hang", "{}")];
    let ran = session(&koab, &words(&["pack", "record", "kept"], &server), &lines);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("a call of hang was not recorded: no answer had come by the end of the recording"),
        "{}",
        ran.stderr
    );
}
