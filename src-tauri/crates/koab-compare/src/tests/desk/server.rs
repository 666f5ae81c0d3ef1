//! A model server on this machine that answers by a script.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Status and text of an answer, by the body of the request.
type Script = dyn Fn(&Value) -> (u16, String) + Send + Sync;

/// The server. It lives as long as the test's process.
pub(crate) struct Server {
    /// Address with the path of the API.
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    /// Serves these models; every chat is answered by the script.
    pub(crate) fn start(
        models: &'static [&'static str],
        script: impl Fn(&Value) -> (u16, String) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let requests = Arc::<Mutex<Vec<Value>>>::default();
        let (kept, script): (_, Arc<Script>) = (Arc::clone(&requests), Arc::new(script));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, script) = (Arc::clone(&kept), Arc::clone(&script));
                std::thread::spawn(move || serve(stream, models, &kept, &*script));
            }
        });
        Self { url, requests }
    }

    /// Bodies of all chats so far.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.requests.lock().expect("the requests").clone()
    }
}

/// The answer of a judge.
pub(crate) fn verdict(success: bool) -> String {
    json!({ "reason": "r", "success": success }).to_string()
}

fn serve(stream: TcpStream, models: &[&str], kept: &Mutex<Vec<Value>>, script: &Script) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut stream = stream;
    while let Some((is_chat, body)) = read(&mut reader) {
        let (status, body) = if is_chat {
            kept.lock().expect("the requests").push(body.clone());
            let (status, text) = script(&body);
            (status, if status == 200 { chat(&text) } else { fault(&text) })
        } else {
            let data: Vec<Value> = models.iter().map(|id| json!({ "id": id })).collect();
            (200, json!({ "object": "list", "data": data }))
        };
        let body = body.to_string();
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        if stream.write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}

fn chat(text: &str) -> Value {
    let message = json!({ "role": "assistant", "content": text });
    let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
    let usage = json!({ "prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107 });
    json!({ "id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage })
}

fn fault(text: &str) -> Value {
    json!({ "error": { "message": text, "type": "invalid_request_error" } })
}

/// Whether a request is a chat, and its body.
fn read(reader: &mut BufReader<TcpStream>) -> Option<(bool, Value)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = header.trim_end().split_once(':') else {
            break;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some((line.starts_with("POST"), body))
}
