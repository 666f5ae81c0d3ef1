//! The vendors' own clients for Python, of pinned versions, read what the gateway writes.
#![allow(clippy::print_stderr, reason = "a test that has nothing to work on says so")]

use crate::support::{Bench, Reply, Server, says};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const CLIENTS: [&str; 3] = ["openai==3.54.0", "anthropic==2.12.0", "google-genai==2.34.0"];

/// A Python that has the clients: the one that `KOAB_SDK_PYTHON` names, or one that is made where everything is required.
fn python(folder: &Path) -> Option<PathBuf> {
    if let Some(python) = std::env::var_os("KOAB_SDK_PYTHON") {
        return Some(python.into());
    }
    if std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1") {
        eprintln!(
            "SKIP: the vendors' clients are asked where everything is required, or with KOAB_SDK_PYTHON"
        );
        return None;
    }
    let python = folder.join("bin/python");
    let run = |program: &Path, arguments: &[&str]| {
        let status = Command::new(program).args(arguments).status().unwrap();
        assert!(status.success(), "{arguments:?}");
    };
    run(Path::new("python3"), &["-m", "venv", folder.to_str().unwrap()]);
    let mut install = vec!["-m", "pip", "install", "--quiet"];
    install.extend(CLIENTS);
    run(&python, &install);
    Some(python)
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
        _ => (
            "400 Bad Request\r\n".to_owned(),
            json!({"error": {"message": "no"}}).to_string(),
        ),
    }
}

#[tokio::test]
async fn the_vendors_clients_read_the_same_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let Some(python) = python(folder.path()) else {
        return;
    };
    let server = Server::start(|_, body| async move {
        let question = body["messages"].as_array().unwrap().last().unwrap()["content"].clone();
        answer(question.as_str().unwrap())
    })
    .await;
    let bench = Bench::new(&server).await;
    let token = bench.trial("t");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gateway/sdks.py");
    let mut asks = Command::new(python);
    asks.arg(script)
        .env("GATEWAY", format!("http://127.0.0.1:{}", bench.gateway.port()))
        .env("TOKEN", token.expose());
    let output = tokio::task::spawn_blocking(move || asks.output())
        .await
        .unwrap()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let place = |place: &str| json!(["search", {"장소": place}]);
    let mut expected = Vec::new();
    for form in ["chat", "responses", "messages", "gemini"] {
        for way in ["whole", "streamed"] {
            for (question, answer) in [
                ("text", json!(["안녕 세상", [], "stop"])),
                ("call", json!(["", [place("강남")], "tool_calls"])),
                (
                    "three",
                    json!(["", [place("가"), place("나"), place("다")], "tool_calls"]),
                ),
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
