//! A model server in a few lines that lets in only who brings the right bearer token.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What the server does besides answering.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manners {
    /// Completions that are answered with status 500 and the token in the message, before one is answered well.
    pub(crate) blurts: usize,
    /// Milliseconds before an answer.
    pub(crate) delay_ms: u64,
}

/// The server and the tokens that it saw, one a request, `-` for none.
pub(crate) struct Server {
    pub(crate) base_url: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(key: &str, manners: Manners) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (key, log) = (key.to_owned(), Arc::clone(&seen));
        let blurts = Arc::new(Mutex::new(manners.blurts));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (key, log, blurts) = (key.clone(), Arc::clone(&log), Arc::clone(&blurts));
                std::thread::spawn(move || answer(stream, &key, &log, &blurts, manners.delay_ms));
            }
        });
        Self { base_url, seen }
    }

    /// The tokens since the last call of this.
    pub(crate) fn seen(&self) -> Vec<String> {
        std::mem::take(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn answer(
    stream: TcpStream,
    key: &str,
    log: &Mutex<Vec<String>>,
    blurts: &Mutex<usize>,
    delay_ms: u64,
) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let (mut token, mut length) = ("-".to_owned(), 0_usize);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => token = value.trim_start_matches("Bearer ").to_owned(),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    log.lock().unwrap_or_else(PoisonError::into_inner).push(token.clone());
    std::thread::sleep(Duration::from_millis(delay_ms));
    let (status, kind, body) = if token != key {
        let said = format!(r#"{{"error": {{"message": "the key {token} is not mine"}}}}"#);
        ("401 Unauthorized", "application/json", said)
    } else if first.starts_with("GET") {
        let list = r#"{"object": "list", "data": [{"id": "m", "object": "model"}]}"#;
        ("200 OK", "application/json", list.to_owned())
    } else if take_one(blurts) {
        let said = format!(r#"{{"error": {{"message": "cannot serve Bearer {token} now"}}}}"#);
        ("500 Internal Server Error", "application/json", said)
    } else {
        ("200 OK", "text/event-stream", completion(&body))
    };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .ok()
}

fn take_one(left: &Mutex<usize>) -> bool {
    let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
    let some = *left > 0;
    *left = left.saturating_sub(1);
    some
}

/// A tool call when tools are offered and none has been answered yet, else a sentence.
fn completion(request: &[u8]) -> String {
    let request: serde_json::Value = serde_json::from_slice(request).unwrap_or_default();
    let tool = request["tools"][0]["function"]["name"].as_str();
    let answered =
        request["messages"].as_array().is_some_and(|messages| messages.iter().any(|m| m["role"] == "tool"));
    let (delta, finish) = match tool {
        Some(tool) if !answered => (
            serde_json::json!({"role": "assistant", "tool_calls": [
                {"index": 0, "id": "call_1", "type": "function", "function": {"name": tool, "arguments": "{}"}}]}),
            "tool_calls",
        ),
        _ => (
            serde_json::json!({"role": "assistant", "content": "{\"score\": 3, \"success\": true, \"confidence\": 1, \"reason\": \"끝\"}"}),
            "stop",
        ),
    };
    let chunk = |delta: serde_json::Value, finish: Option<&str>| {
        let chunk = serde_json::json!({"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
        format!("data: {chunk}\n\n")
    };
    chunk(delta, None) + &chunk(serde_json::json!({}), Some(finish)) + "data: [DONE]\n\n"
}
