//! A model server that answers as a test says, a gateway in front of it, and a caller that writes HTTP by hand.

use koab_core::sensitive::Sensitive;
use koab_gateway::{AnswersFrom, Gateway, GatewayOptions, RecordedCall, TrialCalls, read_calls};
use koab_keys::{KeyPlace, Keys};
use koab_models::Models;
use koab_workspace::Workspace;
use serde_json::{Value, json};
use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// The keys and models of a workspace in this folder.
pub(crate) fn opened(home: PathBuf) -> (Keys, Models) {
    let workspace = Workspace::open(Some(home)).expect("opened");
    let keys = Keys::new(workspace.clone());
    (keys.clone(), Models::new(workspace, keys))
}

/// The key that may be seen by the model's server alone.
pub(crate) const CANARY: &str = "sk-canary-5f1c0ffee";

/// Status line with headers, and body.
pub(crate) type Reply = (String, String);
type Pending = Pin<Box<dyn Future<Output = Reply> + Send>>;
type Script = Arc<dyn Fn(usize, Value) -> Pending + Send + Sync>;

/// An answer with this message.
pub(crate) fn says(message: Value) -> Reply {
    let finish = if message.get("tool_calls").is_some() { "tool_calls" } else { "stop" };
    let body = json!({
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    });
    ("200 OK\r\n".to_owned(), body.to_string())
}

/// The model's server.
pub(crate) struct Server {
    address: SocketAddr,
    /// Head and body of every question.
    pub(crate) asked: Arc<Mutex<Vec<(String, Value)>>>,
    /// Told when a caller left before its answer.
    pub(crate) left: Arc<Notify>,
}

impl Server {
    /// `script` is given the question's 0-based number and body.
    pub(crate) async fn start<F>(script: impl Fn(usize, Value) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Reply> + Send + 'static,
    {
        let script: Script = Arc::new(move |at, body| Box::pin(script(at, body)));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let server = Server {
            address: listener.local_addr().expect("an address"),
            asked: Arc::default(),
            left: Arc::default(),
        };
        let (asked, left) = (Arc::clone(&server.asked), Arc::clone(&server.left));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&script), Arc::clone(&asked), Arc::clone(&left)));
            }
        });
        server
    }

    /// One that the test itself runs.
    pub(crate) fn at(address: SocketAddr) -> Self {
        Server { address, asked: Arc::default(), left: Arc::default() }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn count(&self) -> usize {
        self.asked.lock().expect("asked").len()
    }

    pub(crate) fn body(&self, at: usize) -> Value {
        self.asked.lock().expect("asked")[at].1.clone()
    }
}

async fn answer(
    mut stream: TcpStream,
    script: Script,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
    left: Arc<Notify>,
) {
    let Some((head, body)) = read_message(&mut stream).await else {
        return;
    };
    let (head_of_reply, body) = if head.starts_with("GET ") {
        ("200 OK\r\n".to_owned(), json!({"data": [{"id": "m"}]}).to_string())
    } else {
        let body: Value = serde_json::from_str(&body).expect("JSON");
        let at = {
            let mut asked = asked.lock().expect("asked");
            asked.push((head, body.clone()));
            asked.len() - 1
        };
        let mut byte = [0];
        tokio::select! {
            reply = script(at, body) => reply,
            _ = stream.read(&mut byte) => {
                left.notify_one();
                return;
            }
        }
    };
    let text = format!(
        "HTTP/1.1 {head_of_reply}content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// A gateway in a workspace of its own.
pub(crate) struct Bench {
    pub(crate) folder: TempDir,
    pub(crate) models: Models,
    pub(crate) gateway: Gateway,
}

impl Bench {
    pub(crate) async fn new(server: &Server) -> Self {
        Self::with(server, |_| {}).await
    }

    /// One with a trial that is recorded as `t`, and its token.
    pub(crate) async fn ready(server: &Server) -> (Self, Sensitive<String>) {
        let bench = Self::new(server).await;
        let token = bench.trial("t");
        (bench, token)
    }

    pub(crate) async fn with(server: &Server, change: impl FnOnce(&mut GatewayOptions)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (keys, models) = opened(folder.path().join("home"));
        let key = CANARY.to_owned().into();
        let set = keys.set("OPENAI_COMPAT_API_KEY", &key, KeyPlace::Session);
        set.await.expect("held");
        let price = models.price_set("openai_compat/m", Some((10.0, 100.0)));
        price.expect("priced");
        let mut options = GatewayOptions {
            base_url: Some(format!("http://{}/v1", server.address)),
            ..GatewayOptions::new("openai_compat/m")
        };
        change(&mut options);
        let gateway = Gateway::start(options, &models).await.expect("started");
        Self { folder, models, gateway }
    }

    /// A gateway that answers from records, in a workspace without keys.
    pub(crate) async fn replaying() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (_, models) = opened(folder.path().join("home"));
        let options =
            GatewayOptions { answers: AnswersFrom::Records, ..GatewayOptions::new("openai/gpt-of-no-key") };
        let gateway = Gateway::start(options, &models).await.expect("started");
        Self { folder, models, gateway }
    }

    /// A trial that is answered from this record, and recorded itself.
    pub(crate) fn replay(&self, from: &Path, to: &str, loose: bool) -> Sensitive<String> {
        let trial = TrialCalls {
            name: "again".to_owned(),
            record_to: Some(self.record(to)),
            replay_from: Some(from.to_owned()),
            loose,
        };
        self.gateway.token_for(trial).expect("a token")
    }

    pub(crate) fn record(&self, trial: &str) -> PathBuf {
        self.folder.path().join(format!("{trial}.jsonl"))
    }

    /// A trial whose calls are recorded under its name.
    pub(crate) fn trial(&self, name: &str) -> Sensitive<String> {
        let trial =
            TrialCalls { name: name.to_owned(), record_to: Some(self.record(name)), ..TrialCalls::default() };
        self.gateway.token_for(trial).expect("a token")
    }

    pub(crate) fn calls(&self, trial: &str) -> Vec<RecordedCall> {
        read_calls(&self.record(trial)).expect("read")
    }

    pub(crate) async fn ask(&self, token: &Sensitive<String>, body: &Value) -> Answered {
        self.post(Some(token.expose()), &body.to_string()).await
    }

    pub(crate) async fn post(&self, token: Option<&str>, body: &str) -> Answered {
        let head = token.map_or_else(String::new, |token| format!("authorization: Bearer {token}\r\n"));
        self.send(&format!(
            "POST /v1/chat/completions HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n{head}content-length: {}\r\n\r\n{body}",
            body.len()
        ))
        .await
    }

    /// Posts to another path, with these header lines.
    pub(crate) async fn post_to(&self, path: &str, headers: &str, body: &Value) -> Answered {
        let body = body.to_string();
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n{body}",
            body.len()
        ))
        .await
    }

    pub(crate) async fn send(&self, request: &str) -> Answered {
        self.send_bytes(request.as_bytes()).await
    }

    pub(crate) async fn send_bytes(&self, request: &[u8]) -> Answered {
        let mut stream = self.connect_with(request).await;
        let (head, body) = read_message(&mut stream).await.expect("an answer");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answered { status: status.expect("a status"), head: head.to_ascii_lowercase(), body }
    }

    /// Sends and reads nothing.
    pub(crate) async fn connect(&self, request: &str) -> TcpStream {
        self.connect_with(request.as_bytes()).await
    }

    async fn connect_with(&self, request: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.gateway.port())).await.expect("connected");
        stream.write_all(request).await.expect("written");
        stream
    }
}

/// What the gateway answered.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    /// In lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answered {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    pub(crate) fn message(&self) -> Value {
        self.json()["choices"][0]["message"].clone()
    }

    /// What the answer tells in events: their names and data.
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        let read = |event: &str| {
            let line = |name: &str| event.lines().find_map(|line| line.strip_prefix(name).map(str::to_owned));
            let data = line("data: ").filter(|data| data != "[DONE]")?;
            let data = serde_json::from_str(&data).expect("JSON");
            Some((line("event: ").unwrap_or_default(), data))
        };
        self.body.split("\n\n").filter_map(read).collect()
    }

    /// Status, code and field of an error.
    pub(crate) fn refusal(&self) -> (u16, String, Option<String>) {
        let error = &self.json()["error"];
        let text = |name: &str| error[name].as_str().map(str::to_owned);
        (self.status, text("code").expect("a code"), text("param"))
    }
}

async fn read_message(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut read = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        if let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&read[..end]).into_owned();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            if read.len() >= end + 4 + length.unwrap_or(0) {
                let body = String::from_utf8_lossy(&read[end + 4..]).into_owned();
                return Some((head, body));
            }
        }
        let count = stream.read(&mut buffer).await.ok().filter(|count| *count > 0)?;
        read.extend_from_slice(&buffer[..count]);
    }
}

/// A header line with the token.
pub(crate) fn bearer(token: &Sensitive<String>) -> String {
    format!("authorization: Bearer {}\r\n", token.expose())
}

/// A question with one message.
pub(crate) fn question(text: &str) -> Value {
    json!({"model": "m", "messages": [{"role": "user", "content": text}]})
}

/// Waits for something that the code under test does by itself, and fails after long enough.
pub(crate) async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(std::time::Duration::from_secs(60), what).await.expect("it never happened")
}
