//! Requests that vendors' own SDKs and real agents sent, out of the reference material.
#![allow(clippy::print_stderr, reason = "a test that has nothing to work on says so")]

use crate::support::{Bench, Server, bearer, says};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// `../shared/wire` beside the repository. Without it the test prints a `SKIP:` line, or fails when everything is required.
fn wire() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/wire");
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1"),
        "the reference material wire is not beside the repository"
    );
    eprintln!("SKIP: ../shared/wire is not beside the checkout");
    None
}

/// Requests of all folders whose names begin so, with their places.
fn requests(wire: &Path, prefix: &str) -> Vec<(String, Value)> {
    let mut requests = Vec::new();
    for folder in std::fs::read_dir(wire).unwrap() {
        let folder = folder.unwrap();
        let name = folder.file_name().into_string().unwrap();
        if !name.starts_with(prefix) || !folder.path().is_dir() {
            continue;
        }
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "json") {
                let request: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
                requests.push((path.strip_prefix(wire).unwrap().display().to_string(), request));
            }
        }
    }
    requests.sort_by(|a, b| a.0.cmp(&b.0));
    requests
}

/// Calls what must be called, answers in the form that is wanted, and else with a text.
fn obedient(body: &Value) -> (String, String) {
    let call = |name: &Value| {
        json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": name, "arguments": "{}"}},
        ]})
    };
    match (&body["tool_choice"], &body["response_format"]) {
        (Value::String(choice), _) if choice == "required" => {
            says(call(&body["tools"][0]["function"]["name"]))
        }
        (Value::Object(choice), _) => says(call(&choice["function"]["name"])),
        (_, Value::Object(_)) => {
            says(json!({"role": "assistant", "content": "{\"reason\": \"r\", \"success\": true}"}))
        }
        _ => says(json!({"role": "assistant", "content": "a"})),
    }
}

/// The request with the name of the model that is served here, in its body or in its path.
fn renamed(mut request: Value) -> Value {
    let path = request["path"].as_str().unwrap();
    if let Some((_, method)) = path.strip_prefix("/v1beta/models/").and_then(|rest| rest.split_once(':')) {
        request["path"] = format!("/v1beta/models/m:{method}").into();
    } else if request["body"].is_object() {
        request["body"]["model"] = "m".into();
    }
    request
}

async fn all_are_read(prefix: &str, at_least: usize) {
    let Some(wire) = wire() else { return };
    let server = Server::start(|_, body| async move { obedient(&body) }).await;
    let (bench, token) = Bench::ready(&server).await;
    let key = bearer(&token);
    let (mut read, mut failed) = (0, Vec::new());
    for (place, request) in requests(&wire, prefix) {
        let request = renamed(request);
        let path = request["path"].as_str().unwrap();
        let is_ours = ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1beta/", "/v1/models"];
        if !is_ours.iter().any(|ours| path.starts_with(ours)) {
            continue;
        }
        let answer = match request["method"].as_str() {
            Some("GET") => {
                bench.send(&format!("GET {path} HTTP/1.1\r\nhost: g\r\nconnection: close\r\n{key}\r\n")).await
            }
            _ => bench.post_to(path, &key, &request["body"]).await,
        };
        read += 1;
        if answer.status != 200 {
            failed.push(format!("{place}: {} {}", answer.status, answer.body));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(read >= at_least, "only {read} requests");
}

#[tokio::test]
async fn requests_of_sdks_are_all_read() {
    all_are_read("sdk-", 43).await;
}

#[tokio::test]
async fn requests_of_agents_are_all_read() {
    all_are_read("agent-", 50).await;
}
