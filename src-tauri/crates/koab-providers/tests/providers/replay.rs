//! The adapter against the scripted server of the reference material, which plays published logs back.

use crate::providers::support::{self, request};
use koab_engine::ports::{FinishReason, Message, ModelError, ModelRequest};
use koab_providers::registry::open;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

struct Replay {
    process: Child,
    base_url: String,
}

impl Drop for Replay {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts the server, or says why not.
fn start(options: &[&str]) -> Option<Replay> {
    let shared = support::shared("tools/replay_llm.py")?;
    let folder = |path: &str| support::shared(path);
    let mut command = Command::new("python3");
    command
        .arg(shared)
        .arg("--logs")
        .arg(folder("parity/logs")?)
        .arg("--tasks")
        .arg(folder("ko-agentbench/tasks")?);
    let process = command.args(["--port", "0"]).args(options).stdout(Stdio::piped()).spawn();
    let Ok(mut process) = process else {
        support::skip("python3 cannot be started");
        return None;
    };
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("its output")).read_line(&mut line).expect("its first line");
    let address = line.split_whitespace().nth(2).expect("an address").to_owned();
    Some(Replay { process, base_url: format!("{address}/v1") })
}

impl Replay {
    /// The address of one of its protocols.
    fn over(&self, provider: &str) -> String {
        match provider {
            "gemini" => format!("{}beta", self.base_url),
            _ => self.base_url.clone(),
        }
    }
}

const FIRST: &str =
    "판교역(127.111221,37.395441)에서 잠실야구장(127.071707,37.514085)까지 자차로 몇 분 걸릴까?";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn published_models_are_asked_and_answer() {
    let Some(replay) = start(&[]) else { return };
    let adapter =
        open(&support::network(), "openai_compat/azure/gpt-4o", Some(&replay.base_url), 0, &[], &|_| None)
            .expect("an adapter");
    adapter.check().await.expect("the model is listed");
    let unknown =
        open(&support::network(), "openai_compat/azure/gpt-9", Some(&replay.base_url), 0, &[], &|_| None)
            .expect("an adapter");
    assert!(matches!(unknown.check().await, Err(ModelError::UnknownModel { .. })));

    let messages = vec![Message::User(FIRST.to_owned())];
    let reply = adapter.complete(request(&messages)).await.expect("a reply");
    assert_eq!(reply.calls[0].name, "Directions_naver");
    assert!(
        reply.finish == FinishReason::ToolCalls && reply.usage.is_some_and(|usage| usage.prompt_tokens > 0)
    );
    assert!(reply.first_token.is_some_and(|first| first <= reply.latency), "{reply:?}");

    let schema = support::json(r#"{"type":"object","properties":{"success":{"type":"boolean"}}}"#);
    let judged =
        ModelRequest { answer_schema: Some(("Verdict", &schema)), given: None, ..request(&messages) };
    assert_eq!(adapter.complete(judged).await.expect("a reply").content, r#"{"success": true}"#);

    let begin = Instant::now();
    for _ in 0..300 {
        adapter.complete(request(&messages)).await.expect("a reply");
    }
    eprintln!("300 calls to the replay server in {:?}", begin.elapsed());
}

#[tokio::test]
async fn every_protocol_gives_the_same_answer() {
    let Some(replay) = start(&[]) else { return };
    let schema = support::json(r#"{"type":"object","properties":{"success":{"type":"boolean"}}}"#);
    let messages = vec![Message::User(FIRST.to_owned())];
    for provider in ["openai_compat", "anthropic", "gemini"] {
        let base_url = replay.over(provider);
        let id = format!("{provider}/azure_gpt-4o");
        let adapter = open(&support::network(), &id, Some(&base_url), 0, &[], &|_| None).expect("an adapter");
        adapter.check().await.expect("nothing against it");
        let reply = adapter.complete(request(&messages)).await.expect("a reply");
        assert_eq!(
            (reply.calls.len(), reply.calls[0].name.as_str(), &reply.finish),
            (1, "Directions_naver", &FinishReason::ToolCalls),
            "{id}"
        );
        let arguments = support::json(&reply.calls[0].arguments);
        assert_eq!(arguments["start"], "127.111221,37.395441", "{id}");
        assert!(reply.usage.is_some_and(|usage| usage.prompt_tokens > 0), "{id}");
        assert!(reply.first_token.is_some_and(|first| first <= reply.latency), "{id}");
        let judged =
            ModelRequest { answer_schema: Some(("Verdict", &schema)), given: None, ..request(&messages) };
        let verdict = adapter.complete(judged).await.expect("a reply").content;
        assert_eq!(support::json(&verdict), support::json(r#"{"success":true}"#), "{id}");
    }
}

#[tokio::test]
async fn injected_failures_are_named() {
    for (option, expected) in
        [("--fail-429", "HTTP 429"), ("--fail-500", "HTTP 500"), ("--drop", "in the middle of the answer")]
    {
        let Some(replay) = start(&[option, "1"]) else {
            return;
        };
        for provider in ["openai_compat", "anthropic", "gemini"] {
            let id = format!("{provider}/azure_gpt-4o");
            let adapter = open(&support::network(), &id, Some(&replay.over(provider)), 0, &[], &|_| None)
                .expect("an adapter");
            let error =
                adapter.complete(request(&[Message::User(FIRST.to_owned())])).await.expect_err("an error");
            assert!(error.is_transient() && error.to_string().contains(expected), "{id}: {error}");
            if let ModelError::RateLimited { retry_after, .. } = error {
                assert_eq!(retry_after, Some(std::time::Duration::from_secs(1)), "{id}");
            }
        }
    }
}
