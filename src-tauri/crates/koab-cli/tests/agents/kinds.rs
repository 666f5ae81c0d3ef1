//! The same run, driven by this program and by an agent behind each kind of interface.

use crate::agents::played::played;
use crate::agents::workshop::{Extent, brief, definition, results, run, written};
use crate::support::http::{Refusing, model};
use crate::support::{Koab, read_json, shared};
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What of a task has to be equal. Ends of an agent's answer are trimmed: one of the recorded ones ends with two spaces.
pub(crate) fn did(result: &Value) -> Value {
    let fields = ["task_id", "success", "steps_taken", "tool_calls"];
    let mut did: Vec<Value> = fields.iter().map(|field| result[*field].clone()).collect();
    did.push(result["final_response"].as_str().map(str::trim).into());
    did.into()
}

/// Every score of a run's report that no judge gave, by task.
pub(crate) fn scores(koab: &Koab, folder: &Path) -> Value {
    let folder = folder.display().to_string();
    let said = koab.json(&["evaluate", &folder, "--no-judge", "--scorer", "corrected", "--metrics", "all"]);
    let report = said[0]["folder"].as_str().expect("a report's folder");
    let mut report = read_json(&PathBuf::from(report).join("evaluation_report.json"));
    for name in ["metadata", "model", "run", "timestamp"] {
        if let Some(fields) = report.as_object_mut() {
            fields.shift_remove(name);
        }
    }
    // A report of an agent's run names the agent and the model.
    if let Some(summary) = report["summary"].as_object_mut() {
        summary.shift_remove("model");
    }
    report
}

fn equals_a_native_run(kind: &str, extent: Extent) {
    equals(kind, &definition(kind), extent);
}

fn equals(kind: &str, definition: &Value, extent: Extent) {
    let Some(shared) = shared(&format!("an agent behind {kind}")) else {
        return;
    };
    let koab = Koab::new();
    koab.use_published(&shared);
    let model = played(&shared, "azure_gpt-4o", Duration::ZERO);
    let (tasks, count) = extent.words();
    let (native, _) = run(&koab, &model.address, &[&["--concurrency", "4"], &tasks[..]].concat());
    let expected = results(&native);
    assert_eq!(expected.len(), count);
    let file = written(koab.path(), kind, definition);
    let file = file.display().to_string();
    let words = [&["--agent", &file, "--concurrency", "4"], &tasks[..]].concat();
    let (folder, said) = run(&koab, &model.address, &words);
    assert_eq!(said["run"]["outcome"], "completed", "{said}");
    let found = results(&folder);
    assert_eq!(found.len(), count);
    let pairs = expected.iter().zip(&found);
    let differ: Vec<_> = pairs
        .filter(|(native, agent)| did(native) != did(agent))
        .map(|(native, agent)| format!("{}\n{}\n", brief(native), brief(agent)))
        .collect();
    assert!(differ.is_empty(), "{} differ\n{:.2000}", differ.len(), differ.concat());
    let agent = &read_json(&folder.join("run.json"))["spec"]["agent"];
    assert_eq!((&agent["kind"], &agent["contained"]), (&kind.into(), &false.into()));
    let (expected, found) = (unjudged(&scores(&koab, &native)), unjudged(&scores(&koab, &folder)));
    let level = |report: &Value, level: &str| report["by_level"][level].clone();
    for name in ["L1", "L2", "L3", "L4", "L5", "L6", "L7"] {
        assert_eq!(level(&found, name), level(&expected, name), "{name}");
    }
    assert!(found == expected, "the reports differ outside of the levels");
    let listed = koab.json(&["report", "list"]);
    let named = format!("own-{kind} · openai_compat/m");
    assert!(
        listed.as_array().is_some_and(|all| all.iter().any(|report| report["model"] == named.as_str())),
        "{named}"
    );
}

#[test]
fn a_command_does_what_a_native_run_does() {
    equals_a_native_run("command", Extent::All);
}

#[test]
fn a_program_that_speaks_acp_does_what_a_native_run_does() {
    equals_a_native_run("acp", Extent::Fourteen);
}

#[test]
fn a_server_that_takes_a_post_does_what_a_native_run_does() {
    equals_a_native_run("http", Extent::Fourteen);
}

#[test]
fn a_server_that_speaks_a2a_does_what_a_native_run_does() {
    equals_a_native_run("a2a", Extent::Fourteen);
}

#[test]
fn a_server_that_runs_already_does_what_a_native_run_does() {
    let server = Running::start();
    equals("http", &server.definition("http"), Extent::Fourteen);
}

#[test]
fn an_a2a_server_that_runs_already_does_what_a_native_run_does() {
    let mut server = Running::start();
    equals("a2a", &server.definition("a2a"), Extent::Fourteen);
    let ended = server.child.try_wait().expect("asked");
    assert!(ended.is_none(), "nobody ended it: {ended:?}");
}

/// The user's turns one by one in one session, as a native run plays them.
fn plays_every_turn(kind: &str) {
    let Some(shared) = shared(&format!("a full rollout behind {kind}")) else {
        return;
    };
    let koab = Koab::new();
    koab.use_published(&shared);
    let model = model("stop");
    let words = ["--full-rollout", "--levels", "L6,L7", "--concurrency", "4"];
    let (native, _) = run(&koab, &model.address, &words);
    let file = written(koab.path(), kind, &definition(kind)).display().to_string();
    let (folder, said) = run(&koab, &model.address, &[&words[..], &["--agent", &file]].concat());
    assert_eq!(said["run"]["outcome"], "completed", "{said}");
    let (expected, found) = (results(&native), results(&folder));
    assert!(!found.is_empty());
    let said_of = |result: &Value| -> Vec<Value> {
        let messages = result["conversation_log"]["messages"].as_array();
        let all = messages.into_iter().flatten();
        all.map(|message| serde_json::json!([message["role"], message["content"]])).collect()
    };
    for (native, agent) in expected.iter().zip(&found) {
        assert_eq!(did(native), did(agent));
        // A reply without a text is a null there and a text here.
        let texts = |result: &Value| -> Vec<Value> {
            said_of(result).into_iter().filter(|pair| pair[0] != "assistant" || pair[1] != "").collect()
        };
        assert_eq!(texts(native), texts(agent));
    }
    let id = folder.display().to_string();
    let bundle = koab.path().join("b.koab").display().to_string();
    koab.ok(&["evaluate", &id, "--no-judge"]);
    koab.ok(&["submit", "bundle", &id, "-o", &bundle]);
    let said = koab.ok(&["submit", "verify", &bundle]).stdout;
    assert!(!said.contains("FAILED"), "{said}");
}

#[test]
fn a_program_that_speaks_acp_plays_every_turn() {
    plays_every_turn("acp");
}

#[test]
fn a_server_that_speaks_a2a_plays_every_turn() {
    plays_every_turn("a2a");
}

#[test]
fn a_program_of_one_prompt_plays_no_rollout() {
    let koab = Koab::new();
    let file = written(koab.path(), "once", &definition("command")).display().to_string();
    let ran = koab.run(&["run", "--model", "baseline/golden", "--full-rollout", "--agent", &file]);
    assert!(ran.code != 0 && ran.stderr.contains("takes one prompt"), "{}", ran.stderr);
}

#[test]
fn a_server_that_does_not_run_or_cannot_be_told_is_refused() {
    let koab = Koab::new();
    let refusing = Refusing::new();
    let definition = definition_at(refusing.address.port(), "http");
    let said = |definition: &Value| {
        let file = written(koab.path(), "gone", definition).display().to_string();
        let ran = koab.run(&["run", "--model", "baseline/golden", "--tasks", "L1-001", "--agent", &file]);
        assert_ne!(ran.code, 0);
        ran.stderr + &ran.stdout
    };
    let gone = said(&definition);
    assert!(gone.contains("no server answers at http://127.0.0.1:"), "{gone}");
    let mut untold = definition.clone();
    untold["request"] = serde_json::json!({"prompt": "{prompt}"});
    assert!(said(&untold).contains("put {mcp_token_url} into it"));
    let a2a = definition_at(refusing.address.port(), "a2a");
    assert!(said(&a2a).contains("no server answers at http://127.0.0.1:"));
    untold["kind"] = "a2a".into();
    assert!(said(&untold).contains("put {mcp_token_url} into it"));
}

/// The agent of the tests as a server that nobody started for an attempt.
struct Running {
    child: std::process::Child,
    port: u16,
}

impl Running {
    fn start() -> Self {
        let mut command = std::process::Command::new("python3");
        let command = command
            .arg(crate::agents::workshop::own())
            .args(["serve", "0"])
            .stdout(std::process::Stdio::piped());
        let mut child = command.spawn().expect("python3");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let port = line.trim().parse().expect("a port in its first line");
        Self { child, port }
    }

    fn definition(&self, kind: &str) -> Value {
        definition_at(self.port, kind)
    }
}

/// Definition of an agent that is a server at this port.
fn definition_at(port: u16, kind: &str) -> Value {
    let path = if kind == "http" { "ask" } else { "" };
    let mut definition = serde_json::json!({"name": format!("own-{kind}"), "kind": kind,
        "url": format!("http://127.0.0.1:{port}/{path}"),
        "request": {"openai": "{openai}", "mcp_url": "{mcp}", "token": "{token}"}});
    if kind == "http" {
        definition["request"]["prompt"] = "{prompt}".into();
        definition["answer"] = serde_json::json!({"stdout": "json", "pointer": "/answer"});
    }
    definition
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Scores, without what only clocks and token counts decide.
pub(crate) fn unjudged(report: &Value) -> Value {
    match report {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| !is_of_clock(name))
            .map(|(name, value)| (name.clone(), unjudged(value)))
            .collect(),
        Value::Array(items) => items.iter().map(unjudged).collect(),
        other => other.clone(),
    }
}

fn is_of_clock(name: &str) -> bool {
    let name = name.to_lowercase();
    ["time", "ttft", "tps", "token", "date", "throughput"].iter().any(|part| name.contains(part))
}
