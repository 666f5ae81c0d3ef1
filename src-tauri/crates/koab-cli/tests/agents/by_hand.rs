//! An agent that is used by hand: koab shows where the tools are and what to ask, and the answer is pasted.

use crate::agents::workshop::{attempts, results};
use crate::support::{Koab, Ran, ran, read_json};
use koab_api::{Api, Protocol, RunOutcome, RunRequest, RunsNow, Settings};
use koab_core::run_record::RequestedSettings;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

const WORDS: [&str; 5] = ["run", "--agent", "mcp-host", "--model", "vendor/chat-9"];

/// What the window's program sends to the server that it was given.
fn sent(address: &str, method: &str, params: &Value) -> Value {
    let (host, path) = address.trim_start_matches("http://").split_once('/').expect("an address");
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let mut stream = TcpStream::connect(host).expect("the tools are up");
    let head = format!(
        "POST /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("answered");
    let (_, body) = answer.split_once("\r\n\r\n").expect("an HTTP answer");
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

#[test]
fn one_task_is_carried_by_hand_and_marked_so() {
    let koab = Koab::new();
    let words = [&WORDS[..], &["--tasks", "L1-001", "--json"]].concat();
    let mut child = koab
        .command(&words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("koab starts");
    let mut shown = BufReader::new(child.stderr.take().expect("a pipe"));
    let (mut address, mut before) = (String::new(), String::new());
    while address.is_empty() {
        let mut line = String::new();
        assert_ne!(shown.read_line(&mut line).expect("read"), 0, "no address: {before}");
        if line.starts_with("http://127.0.0.1:") {
            address = line.trim().to_owned();
        }
        before.push_str(&line);
    }
    assert!(before.contains("is used by hand"), "said before: {before}");
    let tools = sent(&address, "tools/list", &json!({}));
    let name = &tools["result"]["tools"][0]["name"];
    let called = sent(&address, "tools/call", &json!({"name": name, "arguments": {}}));
    assert!(called["result"]["content"].is_array(), "{called}");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all("첫째 줄\n둘째 줄\n.\nnot this\n".as_bytes()).expect("pasted");
    drop(input);
    let rest = std::thread::spawn(move || {
        let mut rest = String::new();
        shown.read_to_string(&mut rest).map(|_| rest)
    });
    let ended = ran(child.wait_with_output().expect("an end"));
    let rest = rest.join().expect("joined").expect("read");
    let said: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {rest}"));
    assert_eq!(said["run"]["outcome"], "completed", "{said} {rest}");
    assert!(rest.contains("letter for letter"), "{rest}");
    let folder = PathBuf::from(said["run"]["folder"].as_str().expect("a folder"));
    let attempt = &attempts(&folder)[0];
    assert_eq!(
        (&attempt["stop"], &attempt["final_response"], &attempt["agent"]["by_arrival"]),
        (&"answered".into(), &"첫째 줄\n둘째 줄".into(), &true.into())
    );
    assert_eq!(results(&folder)[0]["tool_calls"].as_array().map(Vec::len), Some(1));
    assert_eq!(read_json(&folder.join("run.json"))["spec"]["agent"]["kind"], "mcp-host");
    let shown = koab.ok(&["runs", "show", &folder.display().to_string()]).stdout;
    assert!(shown.contains("by hand"), "{shown}");
    // Nobody wrote down where the tools were.
    let token = address.rsplit('/').next().expect("a token");
    let kept =
        std::process::Command::new("grep").args(["-r", token]).arg(koab.path()).output().expect("grep");
    assert!(kept.stdout.is_empty(), "{kept:?}");
}

/// A run whose answer is pasted at once, and what was said about it.
fn pasted(koab: &Koab, answer: &[u8]) -> (PathBuf, Ran) {
    let words = [&WORDS[..], &["--tasks", "L1-001", "--json"]].concat();
    let mut child = koab
        .command(&words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("koab starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(answer).expect("pasted");
    drop(input);
    let ended = ran(child.wait_with_output().expect("an end"));
    let said: Value =
        serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stderr));
    let folder = said["run"]["folder"].as_str().expect("a folder");
    (PathBuf::from(folder), ended)
}

/// A run of one task as the window asks for it.
fn windowed(run: &str) -> RunRequest {
    RunRequest {
        agent: Some("mcp-host".to_owned()),
        own_model: true,
        tasks: vec!["L1-001".to_owned()],
        levels: Vec::new(),
        settings: RequestedSettings { protocol: Protocol::Corrected, ..RequestedSettings::published() },
        ..RunRequest::published(run, "vendor/chat-9")
    }
}

async fn until<T>(api: &Api, holds: impl Fn(RunsNow) -> Option<T>) -> T {
    let waiting = async {
        loop {
            if let Some(held) = holds(api.runs.runs_now().expect("runs")) {
                return held;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(60), waiting).await;
    waited.expect("it comes to that")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_shows_what_is_to_be_carried_and_takes_the_answer() {
    let koab = Koab::new();
    let api = Api::open(Some(koab.path().to_owned())).expect("a workspace");
    let carried = |now: RunsNow| now.current.and_then(|current| current.by_hand);
    let mut plan = windowed("two");
    plan.settings.repetitions = 2;
    let refused = api.runs.run_estimate(plan).expect_err("more than one").message;
    assert!(refused.to_string().contains("one task at a time"), "{refused}");
    api.runs.run_estimate(windowed("plan")).expect("a plan");

    api.runs.run_queue(vec![windowed("one")]).expect("taken");
    let shown = until(&api, carried).await;
    assert_eq!(shown.task, "L1-001");
    assert!(!shown.prompt.is_empty());
    let tools = sent(&shown.address, "tools/list", &json!({}));
    let name = &tools["result"]["tools"][0]["name"];
    sent(&shown.address, "tools/call", &json!({"name": name, "arguments": {}}));
    api.runs.run_answer("one", Some("붙여 넣은 답변".to_owned())).expect("it waits");
    let ended = until(&api, |now| now.ended.into_iter().next().filter(|_| now.current.is_none())).await;
    assert_eq!(ended.outcome, Some(RunOutcome::Completed), "{ended:?}");
    let id = ended.id.expect("a run");
    let folder = api.runs.library.run_show(&id).expect("listed").folder;
    let attempt = &attempts(&PathBuf::from(folder))[0];
    assert_eq!(
        (&attempt["stop"], &attempt["final_response"], &attempt["calls"].as_array().map(Vec::len)),
        (&"answered".into(), &"붙여 넣은 답변".into(), &Some(1))
    );
    let late = api.runs.run_answer("one", None).expect_err("nothing waits").message;
    assert!(late.to_string().contains("any more"), "{late}");

    // What is cancelled waits for nobody.
    api.runs.run_queue(vec![windowed("cancelled")]).expect("taken");
    until(&api, carried).await;
    api.runs.run_cancel("cancelled").expect("cancelled");
    until(&api, |now| now.current.is_none().then_some(())).await;
    assert!(api.runs.run_answer("cancelled", None).is_err());
}

#[test]
fn two_runs_by_hand_are_compared_with_nothing_and_bad_bytes_lose_no_answer() {
    let koab = Koab::new();
    let settings = Settings { max_cost_per_day: Some(1.0), ..Settings::default() };
    let api = Api::open(Some(koab.path().to_owned())).expect("a workspace");
    api.workspace.settings_set(settings).expect("the day's cap holds no run by hand");
    drop(api);
    // A letter of EUC-KR in the second line.
    let (first, ended) = pasted(&koab, b"one\n\xb0\xa1 two\n.\n");
    let attempt = &attempts(&first)[0];
    assert_eq!(
        (&attempt["stop"], &attempt["final_response"]),
        (&"answered".into(), &"one\n\u{fffd}\u{fffd} two".into())
    );
    let said: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(said["run"]["no_tool_called"], false, "nobody knows its model");
    let told = read_json(&first.join("agents/L1-001/1/attempt.json"));
    assert_eq!(told["model"], Value::Null, "unknown and not 0: {told}");
    let (second, _) = pasted(&koab, b"other");
    let reports = [first, second].map(|folder| {
        let folder = folder.display().to_string();
        let said = koab.json(&["evaluate", &folder, "--no-judge"]);
        let report = PathBuf::from(said[0]["folder"].as_str().expect("a report"));
        let text = std::fs::read_to_string(report.join("evaluation_report.json")).expect("a report");
        assert!(!text.contains("no token counts were reported"), "{text}");
        report.file_name().expect("a name").to_string_lossy().into_owned()
    });
    let told = koab.ok(&["report", "compare", &reports[0], &reports[1]]).stdout;
    assert!(told.contains("not comparable") && told.contains("by hand"), "{told}");
    let plan = ["--model", "my-claude", "--tasks", "L1-001", "--dry-run"];
    koab.ok(&[&WORDS[..3], &plan].concat());
}

#[test]
fn more_than_one_task_a_check_and_a_run_without_a_terminal_are_refused() {
    let koab = Koab::new();
    let refused = |words: &[&str], why: &str| {
        let ran = koab.run(words);
        assert!(ran.code != 0 && ran.stderr.contains(why), "{words:?}: {}", ran.stderr);
    };
    refused(&[&WORDS[..], &["--levels", "L1"]].concat(), "one task at a time");
    refused(&[&WORDS[..], &["--tasks", "L1-001", "--repetitions", "2"]].concat(), "one task at a time");
    refused(&["agents", "check", "mcp-host"], "cannot be checked");
    koab.ok(&["offline", "on"]);
    refused(&[&WORDS[..], &["--tasks", "L1-001"]].concat(), "is a program of your own");
}
