//! Shipped definitions with `own_model`: agents of others, unmodified, ask a vendor with a key of their own, and do what a native run does.
//! The vendor is a script on this computer, at whose address a copy of the definition asks; nothing else of it is changed.

use super::programs;
use crate::agents::played::{Recorded, playing, recorded};
use crate::agents::workshop::{Extent, attempts, results, run, run_with};
use crate::support::{Koab, shared};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const KEY: &str = "sk-own-canary-5e1f";
/// Where shipped definitions ask, and what stands there at the vendor of the test.
const ADDRESSES: [(&str, &str); 4] = [
    ("https://api.openai.com/v1", "/v1"),
    ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "/v1"),
    ("https://api.anthropic.com", ""),
    ("https://generativelanguage.googleapis.com", ""),
];

/// A vendor on this computer.
struct Vendor(Child, String);

impl Vendor {
    fn start(folder: &Path, tasks: &[Recorded]) -> Self {
        let tasks: Vec<Value> = tasks
            .iter()
            .map(|task| json!({"texts": task.texts, "steps": task.steps, "answer": task.answer}))
            .collect();
        let script = folder.join("tasks-of-vendor.json");
        std::fs::write(&script, json!(tasks).to_string()).expect("written");
        let vendor = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents/real/vendor.py");
        let mut child = Command::new("python3")
            .arg(vendor)
            .arg(script)
            .arg(KEY)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the vendor starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("its address");
        Self(child, line.trim().to_owned())
    }

    /// What it was asked.
    fn seen(&self) -> Value {
        let said = Command::new("curl").args(["-s", "--noproxy", "*", &format!("{}/seen", self.1)]).output();
        serde_json::from_slice(&said.expect("curl").stdout).expect("JSON")
    }
}

impl Drop for Vendor {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Calls by name and arguments, and the answer: where nobody sees the model its turns are not seen, nor the order in them.
fn made(result: &Value) -> Value {
    let calls = result["tool_calls"].as_array().into_iter().flatten();
    let mut calls: Vec<String> = calls
        .map(|call| json!([call["tool_name"], call["arguments"], call["success"]]).to_string())
        .collect();
    calls.sort();
    let answer = result["final_response"].as_str().map(str::trim);
    json!([result["task_id"], result["success"], calls, answer])
}

fn asks_its_vendor(agent: &str, form: &str) {
    let koab = Koab::new();
    let shown = koab.json(&["agents", "show", agent]);
    let install = shown["install"].as_str().unwrap_or_default();
    let Some(programs) = programs(agent, install) else {
        return;
    };
    let Some(shared) = shared(agent) else { return };
    koab.use_published(&shared);
    let tasks = recorded(&shared, "azure_gpt-4o");
    let vendor = Vendor::start(koab.path(), &tasks);
    let native = playing(tasks, Duration::ZERO);
    let (asked, count) = Extent::Two.words();
    let (native, _) = run(&koab, &native.address, &asked);
    // A copy, as somebody makes it whose vendor is at another address.
    let file = koab.path().join("mine.json").display().to_string();
    koab.ok(&["agents", "new", "--from", agent, &file]);
    let text = std::fs::read_to_string(&file).expect("a copy");
    let text =
        ADDRESSES.iter().fold(text, |text, (from, path)| text.replace(from, &format!("{}{path}", vendor.1)));
    assert!(text.contains(&vendor.1), "{agent} names no address of its vendor");
    std::fs::write(&file, text).expect("written");
    let key = shown["own_model"]["keys"][0].as_str().expect("a key").to_owned();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let koab = koab.with("PATH", &path).with(&format!("KOAB_AGENT_{key}"), KEY);
    let name = if form == "Gemini" { "gemini-2.5-flash" } else { "great-1" };
    let words = ["--model", &format!("vendor/{name}"), "--protocol=corrected"];
    let words = [&words[..], &["--agent", &file, "--own-model", "--concurrency=1"], &asked];
    let (folder, said) = run_with(&koab, &words.concat());
    assert_eq!(said["run"]["outcome"], "completed", "{said}");
    let expected: Vec<Value> = results(&native).iter().map(made).collect();
    let found: Vec<Value> = results(&folder).iter().map(made).collect();
    assert_eq!((expected.len(), found.len()), (count, count));
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(expected, found, "{agent}: {said}");
    }
    let seen = vendor.seen();
    eprintln!("{agent}: {seen}");
    assert_eq!(seen["refused"], 0, "{seen}");
    assert_eq!(seen["forms"], json!([form]), "{seen}");
    assert_eq!(seen["models"], json!([name]), "{seen}");
    for attempt in attempts(&folder) {
        assert_eq!(attempt["agent"]["by_arrival"], true, "{attempt}");
        assert_eq!(attempt["usage"]["total_tokens"].as_u64().unwrap_or(0), 0, "{attempt}");
    }
    let kept = Command::new("grep").args(["-r", "-l", KEY]).arg(&folder).output().expect("grep");
    assert!(kept.stdout.is_empty(), "the key is kept: {kept:?}");
}

macro_rules! vendors {
    ($($test:ident: $agent:literal $form:literal,)*) => {
        $(#[test]
        fn $test() {
            asks_its_vendor($agent, $form);
        })*
    };
}

vendors! {
    codex_asks_its_own_model: "codex" "Responses",
    gemini_cli_asks_its_own_model: "gemini-cli" "Gemini",
    gemini_cli_over_acp_asks_its_own_model: "gemini-cli-acp" "Gemini",
    qwen_code_asks_its_own_model: "qwen-code" "Chat",
    qwen_code_over_acp_asks_its_own_model: "qwen-code-acp" "Chat",
    opencode_asks_its_own_model: "opencode" "Chat",
    opencode_over_acp_asks_its_own_model: "opencode-acp" "Chat",
    openai_agents_asks_its_own_model: "openai-agents" "Responses",
    anthropic_loop_asks_its_own_model: "anthropic-loop" "Messages",
    genai_loop_asks_its_own_model: "genai-loop" "Gemini",
    langgraph_asks_its_own_model: "langgraph" "Chat",
    autogen_asks_its_own_model: "autogen" "Chat",
    adk_asks_its_own_model: "adk" "Gemini",
    adk_over_a2a_asks_its_own_model: "adk-a2a" "Gemini",
    pydantic_ai_asks_its_own_model: "pydantic-ai" "Chat",
    strands_asks_its_own_model: "strands" "Chat",
}
