//! A recorded server as a benchmark: tasks of its sessions, driven by this program and by an agent, without the server.

use crate::agents::kinds::{did, scores, unjudged};
use crate::agents::played::{Recorded, playing};
use crate::agents::workshop::{definition, results, run, written};
use crate::support::{Koab, ran, skip};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

const INSTRUCTIONS: [&str; 2] =
    ["2와 3을 더해 줘.", "적은 것을 보고, '한글 메모'라고 적은 다음 다시 모두 보여 줘."];

/// A client that opens two sessions, of one call and of three, without waiting for any answer: it reads, writes and reads.
fn record(koab: &Koab) {
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/server.py");
    let mut child = koab
        .command(&["pack", "record", "kept", "--", "python3", &server.to_string_lossy(), "plain"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("koab starts");
    let hello = json!({"jsonrpc": "2.0", "id": "h", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = |id: u32, tool: &str, arguments: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}})
    };
    let lines = [
        hello.clone(),
        ready.clone(),
        call(1, "add", json!({"a": 2, "b": 3})),
        hello,
        ready,
        call(2, "notes", json!({})),
        call(3, "note", json!({"text": "한글 메모"})),
        call(4, "notes", json!({})),
    ];
    let mut input = child.stdin.take().expect("a pipe");
    for line in lines {
        writeln!(input, "{line}").expect("written");
    }
    drop(input);
    let ran = ran(child.wait_with_output().expect("an end"));
    assert!(ran.stderr.contains("4 calls in 2 sessions"), "{}", ran.stderr);
}

#[test]
fn a_recorded_pack_is_run_by_a_model_and_by_an_agent_alike() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return skip("a_recorded_pack_is_run_by_a_model_and_by_an_agent_alike", "python3");
    }
    let koab = Koab::new();
    record(&koab);
    let instructions = koab.path().join("instructions.txt");
    std::fs::write(&instructions, INSTRUCTIONS.join("\n")).expect("written");
    let instructions = instructions.to_str().expect("a path");
    koab.ok(&["pack", "draft", "kept", "--from", "kept", "--tasks-from", instructions]);
    koab.ok(&["pack", "save", "kept"]);
    let step = |tool: &str, arguments: Value| vec![(tool.to_owned(), arguments.to_string())];
    // Keys in another order than recorded: it is the same call.
    let tasks = [
        vec![step("add", json!({"b": 3, "a": 2}))],
        vec![step("notes", json!({})), step("note", json!({"text": "한글 메모"})), step("notes", json!({}))],
    ];
    let tasks = INSTRUCTIONS.iter().zip(tasks).map(|(text, steps)| Recorded {
        texts: vec![(*text).to_owned()],
        steps,
        answer: "다 했습니다.".to_owned(),
    });
    let model = playing(tasks.collect(), Duration::ZERO);
    let (native, said) = run(&koab, &model.address, &["--pack", "kept"]);
    assert_eq!(said["run"]["outcome"], "completed", "{said}");
    assert_eq!(
        (&said["run"]["cache"]["hit"], &said["run"]["cache"]["miss"]),
        (&4.into(), &0.into()),
        "{said}"
    );
    let expected = results(&native);
    assert_eq!(expected.len(), 2);
    // What was read before it was written is not what is read afterwards.
    let answers = |result: &Value| -> Vec<Value> {
        let calls = result["tool_calls"].as_array().into_iter().flatten();
        calls.map(|call| call["result"]["content"][0]["text"].clone()).collect()
    };
    assert_eq!(answers(&expected[1]), ["none", "noted", "한글 메모"]);
    for kind in ["command", "acp"] {
        let file = written(koab.path(), kind, &definition(kind));
        let words = ["--pack", "kept", "--agent", &file.display().to_string()];
        let (folder, said) = run(&koab, &model.address, &words);
        assert_eq!(said["run"]["outcome"], "completed", "{said}");
        let found = results(&folder);
        assert_eq!(
            found.iter().map(did).collect::<Vec<_>>(),
            expected.iter().map(did).collect::<Vec<_>>(),
            "{kind}"
        );
        let (native, agent) = (unjudged(&scores(&koab, &native)), unjudged(&scores(&koab, &folder)));
        assert_eq!(agent["by_level"], native["by_level"], "{kind}");
        let calls = &native["by_level"]["L3"];
        assert!(calls.is_object(), "a session of several calls is a task of L3: {native}");
    }
}
