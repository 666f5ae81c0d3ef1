//! The vendors' own clients for Python and JavaScript, of pinned versions, read what the gateway writes.
#![allow(clippy::print_stderr, reason = "a test that has nothing to work on says so")]

use crate::support::{Bench, Reply, Server, says};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const FOR_PYTHON: [&str; 3] = ["openai==3.54.0", "anthropic==2.12.0", "google-genai==2.34.0"];
const FOR_NODE: [&str; 3] = ["openai@6.49.0", "@anthropic-ai/sdk@1.12.0", "@google/genai@2.32.0"];

/// Whether the clients are to be installed: where everything is required.
fn installs() -> bool {
    let required = std::env::var_os("KOAB_REQUIRE_ALL").is_some_and(|value| value == "1");
    if !required {
        eprintln!("SKIP: the vendors' clients are asked where everything is required");
    }
    required
}

/// A Python that has the clients: the one that `KOAB_SDK_PYTHON` names, or one that is kept in the user's cache.
fn python() -> Option<PathBuf> {
    if let Some(python) = std::env::var_os("KOAB_SDK_PYTHON") {
        return Some(python.into());
    }
    installs().then(|| koab_programs::python("clients-python", &FOR_PYTHON).join("bin/python"))
}

/// A folder whose `node_modules` has the clients: the one that `KOAB_SDK_NODE` names, or one that is kept in the user's cache.
fn node() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("KOAB_SDK_NODE") {
        return Some(folder.into());
    }
    installs().then(|| koab_programs::node("clients-node", &FOR_NODE))
}

fn call(at: usize, arguments: &str) -> Value {
    json!({"id": format!("call_{at}"), "type": "function", "function": {"name": "search", "arguments": arguments}})
}

/// What the model says to each question.
fn answer(question: &str) -> Reply {
    let calls = |calls: &[Value]| says(json!({"role": "assistant", "content": null, "tool_calls": calls}));
    let text = |text: &str| says(json!({"role": "assistant", "content": text}));
    match question {
        "text" => text("안녕 세상"),
        "call" => calls(&[call(0, "{\"장소\": \"강남\"}")]),
        "three" => calls(&[
            call(0, "{\"장소\": \"가\"}"),
            call(1, "{\"장소\": \"나\"}"),
            call(2, "{\"장소\": \"다\"}"),
        ]),
        "empty" => calls(&[call(0, "{}")]),
        "nothing" => text(""),
        "cut" => {
            let (head, body) = text("안녕");
            (head, body.replace("\"stop\"", "\"length\""))
        }
        _ => ("400 Bad Request\r\n".to_owned(), json!({"error": {"message": "no"}}).to_string()),
    }
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gateway").join(name)
}

#[tokio::test]
async fn the_clients_for_python_read_the_same_in_every_form() {
    let Some(python) = python() else { return };
    let mut asks = Command::new(python);
    asks.arg(script("sdks.py"));
    read_the_same(asks).await;
}

#[tokio::test]
async fn the_clients_for_javascript_read_the_same_in_every_form() {
    let Some(clients) = node() else { return };
    let mut asks = Command::new("node");
    asks.arg(script("sdks.mjs")).env("CLIENTS", clients);
    read_the_same(asks).await;
}

async fn read_the_same(mut asks: Command) {
    let server = Server::start(|_, body| async move {
        let question = body["messages"].as_array().unwrap().last().unwrap()["content"].clone();
        answer(question.as_str().unwrap())
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    asks.env("GATEWAY", format!("http://127.0.0.1:{}", bench.gateway.port())).env("TOKEN", token.expose());
    let output = tokio::task::spawn_blocking(move || asks.output()).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let said: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let place = |place: &str| json!(["search", {"장소": place}]);
    let mut expected = Vec::new();
    for form in ["chat", "responses", "messages", "gemini"] {
        for way in ["whole", "streamed"] {
            for (question, answer) in [
                ("text", json!(["안녕 세상", [], "stop"])),
                ("call", json!(["", [place("강남")], "tool_calls"])),
                ("three", json!(["", [place("가"), place("나"), place("다")], "tool_calls"])),
                ("empty", json!(["", [["search", {}]], "tool_calls"])),
                ("nothing", json!(["", [], "stop"])),
                ("cut", json!(["안녕", [], "length"])),
                ("refused", json!(400)),
            ] {
                expected.push(json!([format!("{form}_{way}"), question, answer]));
            }
        }
    }
    expected.push(json!(["count", "messages", 2]));
    expected.push(json!(["count", "gemini", 2]));
    expected.push(json!(["models", "openai", ["openai_compat/m"]]));
    expected.push(json!(["models", "anthropic", ["openai_compat/m"]]));
    expected.push(json!(["models", "gemini", ["models/m"]]));
    for (said, expected) in said.iter().zip(&expected) {
        assert_eq!(said, expected);
    }
    assert_eq!(said.len(), expected.len());
}
