//! Answers that are told while they come.

use crate::support::{Bench, Server, soon};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// A model's server that says one word, waits, and then says the rest or breaks off.
async fn slow(rest: Option<Value>, go_on: Arc<Notify>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server::at(listener.local_addr().unwrap());
    let asked = Arc::clone(&server.asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (rest, go_on, asked) = (rest.clone(), Arc::clone(&go_on), Arc::clone(&asked));
            tokio::spawn(async move {
                let mut buffer = [0; 65536];
                let count = stream.read(&mut buffer).await.unwrap();
                let head = String::from_utf8_lossy(&buffer[..count]).into_owned();
                let respond = |kind: &str| {
                    format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n")
                };
                if head.starts_with("GET ") {
                    let list = respond("application/json") + &json!({"data": [{"id": "m"}]}).to_string();
                    stream.write_all(list.as_bytes()).await.unwrap();
                    return;
                }
                asked.lock().unwrap().push((head, Value::Null));
                let chunk = |delta: Value, finish: Value| {
                    format!(
                        "data: {}\n\n",
                        json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
                    )
                };
                let first = respond("text/event-stream") + &chunk(json!({"content": "안녕"}), Value::Null);
                stream.write_all(first.as_bytes()).await.unwrap();
                go_on.notified().await;
                if let Some(rest) = rest {
                    let rest =
                        chunk(rest, Value::Null) + &chunk(json!({}), json!("stop")) + "data: [DONE]\n\n";
                    stream.write_all(rest.as_bytes()).await.unwrap();
                }
            });
        }
    });
    server
}

const FORMS: [(&str, &str); 5] = [
    ("/v1/chat/completions", ""),
    ("/v1/responses", ""),
    ("/v1/messages", ""),
    ("/v1beta/models/m:streamGenerateContent?alt=sse", ""),
    ("/v1beta/models/m:streamGenerateContent", "array"),
];

fn question(path: &str) -> Value {
    match path {
        "/v1/responses" => json!({"model": "m", "input": "q", "stream": true, "metadata": {"a": "b"}}),
        _ if path.starts_with("/v1beta") => {
            json!({"contents": [{"parts": [{"text": "q"}]}], "labels": {"a": "b"}})
        }
        _ => json!({
            "model": "m", "max_tokens": 9, "stream": true, "metadata": {"a": "b"},
            "messages": [{"role": "user", "content": "q"}],
        }),
    }
}

async fn begin(bench: &Bench, path: &str, token: &str) -> TcpStream {
    let body = question(path).to_string();
    bench
        .connect(&format!(
            "POST {path} HTTP/1.1\r\nhost: g\r\nconnection: close\r\nauthorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        ))
        .await
}

/// Reads on until this was said.
async fn hear(stream: &mut TcpStream, heard: &mut Vec<u8>, until: &str) {
    let mut buffer = [0; 8192];
    while !String::from_utf8_lossy(heard).contains(until) {
        let count = soon(stream.read(&mut buffer)).await.unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(heard));
        heard.extend_from_slice(&buffer[..count]);
    }
}

#[tokio::test]
async fn a_word_is_told_before_the_next_comes_in_every_form() {
    for (path, array) in FORMS {
        let go_on = Arc::new(Notify::new());
        let server = slow(Some(json!({"content": " 세상"})), Arc::clone(&go_on)).await;
        let (bench, token) = Bench::ready(&server).await;
        let mut stream = begin(&bench, path, token.expose()).await;
        let mut heard = Vec::new();
        hear(&mut stream, &mut heard, "안녕").await;
        let first = String::from_utf8_lossy(&heard).into_owned();
        assert!(!first.contains("세상"), "{first}");
        assert!(first.contains("x-koab-left-out: "), "{first}");
        let kind = if array.is_empty() { "text/event-stream" } else { "application/json" };
        assert!(first.contains(&format!("content-type: {kind}")), "{first}");
        go_on.notify_one();
        let end = match path {
            "/v1/chat/completions" => "[DONE]",
            "/v1/responses" => "response.completed\"",
            "/v1/messages" => "message_stop\"",
            _ => "\"STOP\"",
        };
        hear(&mut stream, &mut heard, end).await;
        let calls = soon(bench.gateway.end_trial(&token)).await.unwrap();
        assert_eq!((calls.count, calls.failed), (1, 0));
        let recorded = &bench.calls("t")[0];
        assert!(recorded.response.to_string().contains("안녕 세상"), "{path}");
        assert!(recorded.stream);
    }
}

#[tokio::test]
async fn what_breaks_off_ends_with_the_forms_own_error_and_is_not_asked_again() {
    for (path, _) in FORMS {
        let go_on = Arc::new(Notify::new());
        let server = slow(None, Arc::clone(&go_on)).await;
        let (bench, token) = Bench::ready(&server).await;
        let mut stream = begin(&bench, path, token.expose()).await;
        let mut heard = Vec::new();
        hear(&mut stream, &mut heard, "안녕").await;
        go_on.notify_one();
        let error = match path {
            "/v1/responses" => "event: response.failed",
            "/v1/messages" => "event: error",
            _ => "{\"error\":{",
        };
        hear(&mut stream, &mut heard, error).await;
        soon(bench.gateway.end_trial(&token)).await.unwrap();
        assert_eq!(server.count(), 1, "{path}");
        let recorded = &bench.calls("t")[0];
        assert_eq!((recorded.status, recorded.cost_usd), (Some(502), None), "{path}");
    }
}

#[tokio::test]
async fn a_caller_that_leaves_in_the_middle_ends_the_call() {
    let go_on = Arc::new(Notify::new());
    let server = slow(Some(json!({"content": "x"})), go_on).await;
    let (bench, token) = Bench::ready(&server).await;
    let mut stream = begin(&bench, "/v1/messages", token.expose()).await;
    hear(&mut stream, &mut Vec::new(), "안녕").await;
    drop(stream);
    soon(async {
        while std::fs::read_to_string(bench.record("t")).unwrap().is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    })
    .await;
    assert_eq!(bench.calls("t")[0].status, None);
}
