//! What the tests of agents share: the agent of the tests behind each kind of interface, and what runs left.

use crate::support::{Koab, read_json};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// How much of the pack a test plays. `KOAB_AGENT_TASKS=all` asks every test for all of it, which takes hours: a task is a process of
/// the agent, and of some a second and more.
#[derive(Clone, Copy)]
pub(crate) enum Extent {
    /// Calls side by side and a tool that fails: of a program that another test has with more.
    Two,
    /// The same and a conversation of several turns.
    Three,
    /// Two tasks a level.
    Fourteen,
    All,
}

impl Extent {
    /// Words of `koab run`, and how many tasks they ask for.
    pub(crate) fn words(self) -> (Vec<&'static str>, usize) {
        let tasks = match self {
            _ if std::env::var_os("KOAB_AGENT_TASKS").is_some_and(|asked| asked == "all") => "",
            Self::Two => "L4-001,L5-001",
            Self::Three => "L4-001,L5-001,L7-001",
            Self::Fourteen => {
                "L1-001,L1-002,L2-001,L2-002,L3-001,L3-002,L4-001,L4-002,L5-001,L5-002,L6-001,L6-002,L7-001,L7-002"
            }
            Self::All => "",
        };
        if tasks.is_empty() { (Vec::new(), 91) } else { (vec!["--tasks", tasks], tasks.split(',').count()) }
    }
}

/// What scripts that use the agent of the tests begin with.
pub(crate) const BEGINS: &str = r#"
import json, os, subprocess, sys, time, urllib.error
sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
from agent import post, solve
E = os.environ
prompt, token, mcp, openai = sys.argv[1], E["KOAB_TOKEN"], E["KOAB_MCP_URL"], E["KOAB_OPENAI"]
call = lambda name, token=token, **arguments: post(mcp, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}, token)
tools = lambda: post(mcp, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, token)["result"]["tools"]
ask = lambda: post(openai + "/chat/completions", {"model": "any", "messages": [{"role": "user", "content": prompt}]}, token)
def refused(doing):
    try:
        doing()
    except urllib.error.HTTPError as error:
        return error.code
"#;

/// The agent that needs nothing but Python.
pub(crate) fn own() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../koab-agents/tests/agent.py");
    path.canonicalize().expect("the agent of the tests")
}

/// Variables with which it finds model and tools.
pub(crate) fn variables() -> Value {
    json!({"KOAB_OPENAI": "{openai}", "KOAB_MCP_URL": "{mcp}", "KOAB_TOKEN": "{token}"})
}

/// Its definition behind this kind of interface.
pub(crate) fn definition(kind: &str) -> Value {
    let agent = own();
    let mut definition = json!({"name": format!("own-{kind}"), "kind": kind, "env": variables()});
    let (command, more) = match kind {
        "command" => (
            json!(["python3", agent, "once", "{prompt}"]),
            json!({"answer": {"after": "===FINAL==="}, "failed": {"exit": "nonzero"}}),
        ),
        "acp" => (json!(["python3", agent, "acp"]), json!({})),
        "http" => (
            json!(["python3", agent, "serve", "{port}"]),
            json!({"address": "http://127.0.0.1:{port}/ask", "request": {"prompt": "{prompt}"},
                "answer": {"stdout": "json", "pointer": "/answer"}}),
        ),
        _ => (json!(["python3", agent, "serve", "{port}"]), json!({"address": "http://127.0.0.1:{port}/"})),
    };
    definition["command"] = command;
    for (name, value) in more.as_object().into_iter().flatten() {
        definition[name] = value.clone();
    }
    definition
}

/// The same as one that finds its script wherever it runs, as in a container.
pub(crate) fn carried(folder: &Path, kind: &str) -> PathBuf {
    let mut definition = definition(kind);
    definition["script"] = json!(own());
    definition["command"][1] = json!("{script}");
    written(folder, &format!("carried-{kind}"), &definition)
}

/// A definition of a script of the test's own, as `command`.
pub(crate) fn scripted(folder: &Path, name: &str, script: &str) -> PathBuf {
    let script_path = folder.join(format!("{name}.py"));
    std::fs::write(&script_path, script).expect("written");
    let definition = json!({"name": name, "kind": "command", "env": variables(),
        "command": ["python3", script_path, "{prompt}", own().parent()],
        "answer": {"after": "===FINAL==="}, "failed": {"exit": "nonzero"}});
    written(folder, name, &definition)
}

/// A definition in a file.
pub(crate) fn written(folder: &Path, name: &str, definition: &Value) -> PathBuf {
    let path = folder.join(format!("{name}.json"));
    std::fs::write(&path, definition.to_string()).expect("written");
    path
}

/// The results of a run by its tasks.
pub(crate) fn results(folder: &Path) -> Vec<Value> {
    let mut all = Vec::new();
    for level in 1..=7 {
        let path = folder.join(format!("L{level}.json"));
        if path.exists() {
            let log = read_json(&path);
            all.extend(log["results"].as_array().expect("results").iter().cloned());
        }
    }
    all
}

/// Runs and gives the folder and what the run said of itself.
pub(crate) fn run(koab: &Koab, address: &str, words: &[&str]) -> (PathBuf, Value) {
    let base = format!("{address}/v1");
    let common = ["--model", "openai_compat/m", "--base-url", &base, "--protocol", "corrected"];
    run_with(koab, &[&common[..], words].concat())
}

/// The same with these words and no others.
pub(crate) fn run_with(koab: &Koab, words: &[&str]) -> (PathBuf, Value) {
    let ran = koab.run(&[&["run"], words, &["--json", "--quiet"]].concat());
    let said: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}\n{}", ran.stdout, ran.stderr));
    let folder = said["run"]["folder"].as_str().unwrap_or_default();
    (PathBuf::from(folder), said)
}

/// Containers of a workspace, whatever their state.
pub(crate) fn containers(host: &str, home: &Path) -> usize {
    let locks = home.canonicalize().expect("a home").join("scenario-locks");
    let filter = format!("label=org.koab.locks={}", locks.display());
    let listed = std::process::Command::new("docker")
        .args(["ps", "-aq", "--filter", &filter])
        .env("DOCKER_HOST", host)
        .output()
        .expect("docker");
    assert!(listed.status.success(), "{listed:?}");
    String::from_utf8_lossy(&listed.stdout).lines().count()
}

/// A run's attempts, from its journal.
pub(crate) fn attempts(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("journal.jsonl")).expect("a journal");
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["type"] == "attempt").map(|line| line["record"].clone()).collect()
}

/// What of a task tells how two attempts differ.
pub(crate) fn brief(result: &Value) -> String {
    let calls = result["tool_calls"].as_array().into_iter().flatten();
    let calls = calls.map(|call| format!("{} {} {}", call["step"], call["tool_name"], call["arguments"]));
    let calls: Vec<String> = calls.collect();
    let answer: String = result["final_response"].as_str().unwrap_or("-").chars().take(80).collect();
    let ended = format!("{} {} {}", result["success"], result["steps_taken"], result["error"]);
    format!("{}: {ended} [{}] {answer}", result["task_id"], calls.join("; "))
}
