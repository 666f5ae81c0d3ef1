//! A scripted HTTP server: it writes exactly the bytes it is given, in the pieces it is given, and breaks off where
//! it is told to. One script per connection request, in order; the last one repeats.

use koab_core::sensitive::Sensitive;
use koab_engine::ports::{AttemptRef, Message, ModelRequest, ToolChoice};
use koab_providers::openai_compat::{BaseUrl, Dialect, Endpoint, OpenAiCompat};
use koab_providers::{Network, Proxy};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A network without a workspace, which refuses and logs nothing.
pub(crate) fn network() -> Network {
    Network::new(koab_stand_ins::gate(), Proxy::System)
}

/// What the server writes for one request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) pieces: Vec<Vec<u8>>,
    /// Pause before every piece but the first.
    pub(crate) pause: Duration,
    /// A longer pause before one piece, counted from the head.
    pub(crate) long_pause: Option<(usize, Duration)>,
    /// Whether the connection stays open for another request.
    pub(crate) keep: bool,
}

impl Script {
    /// An answer in one piece, then the connection closes.
    pub(crate) fn whole(status: &str, headers: &str, body: &str) -> Self {
        let length = body.len();
        let text = format!(
            "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        Script { pieces: vec![text.into_bytes()], ..Script::default() }
    }

    pub(crate) fn json(body: &str) -> Self {
        Script::whole("200 OK", "content-type: application/json\r\n", body)
    }

    /// An event stream whose body comes in these pieces and ends with the connection.
    pub(crate) fn stream<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Self {
        let head =
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n".to_vec();
        let pieces = [head].into_iter().chain(pieces.into_iter().map(|piece| piece.as_ref().to_vec()));
        Script { pieces: pieces.collect(), ..Script::default() }
    }

    pub(crate) fn paused(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    pub(crate) fn paused_before(mut self, piece: usize, pause: Duration) -> Self {
        self.long_pause = Some((piece, pause));
        self
    }
}

/// Server-sent events, one per text, with the closing mark.
pub(crate) fn events(data: &[&str]) -> String {
    data.iter().chain(&["[DONE]"]).map(|data| format!("data: {data}\n\n")).collect()
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) connections: Arc<AtomicUsize>,
    /// Head and body of every request.
    pub(crate) requests: Arc<Mutex<Vec<(String, String)>>>,
    /// Connections that the client closed while an answer was under way.
    pub(crate) abandoned: Arc<AtomicUsize>,
}

impl Server {
    pub(crate) async fn start(scripts: Vec<Script>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let server = Server {
            address: listener.local_addr().expect("an address"),
            connections: Arc::default(),
            requests: Arc::default(),
            abandoned: Arc::default(),
        };
        let (connections, requests, abandoned) =
            (server.connections.clone(), server.requests.clone(), server.abandoned.clone());
        let (scripts, next) = (Arc::new(scripts), Arc::new(AtomicUsize::new(0)));
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                // Otherwise small pieces wait for acknowledgements, which the client's system delays by 40 ms.
                socket.set_nodelay(true).expect("an open connection");
                let (scripts, next) = (scripts.clone(), next.clone());
                tokio::spawn(serve(socket, scripts, next, requests.clone(), abandoned.clone()));
            }
        });
        server
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub(crate) fn adapter(&self, model: &str, key: Option<&str>) -> OpenAiCompat {
        let base_url = BaseUrl::parse(&self.base_url()).expect("a base URL");
        let key = key.map(|key| Sensitive::new(key.to_owned()));
        let endpoint = Endpoint {
            base_url,
            model: model.to_owned(),
            key,
            dialect: Dialect::Common,
            network: network(),
            purpose: koab_engine::egress::Purpose::Model,
        };
        OpenAiCompat::new(endpoint).expect("an adapter")
    }

    /// Without the port, which differs from run to run.
    pub(crate) fn stable(&self, text: &str) -> String {
        text.replace(&self.address.to_string(), "HOST")
    }
}

async fn serve(
    mut socket: TcpStream,
    scripts: Arc<Vec<Script>>,
    next: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<(String, String)>>>,
    abandoned: Arc<AtomicUsize>,
) {
    while let Some(request) = read_request(&mut socket).await {
        requests.lock().expect("requests").push(request);
        let at = next.fetch_add(1, Ordering::SeqCst).min(scripts.len() - 1);
        let script = &scripts[at];
        for (n, piece) in script.pieces.iter().enumerate() {
            let pause = match script.long_pause {
                Some((piece, pause)) if piece == n => pause,
                _ => script.pause,
            };
            if n > 0 && !pause.is_zero() {
                let mut byte = [0];
                // Nothing more is due from the client, so any end of reading means it has left.
                let left = tokio::time::timeout(pause, socket.read(&mut byte)).await.is_ok();
                if left {
                    abandoned.fetch_add(1, Ordering::SeqCst);
                    return;
                }
            }
            if socket.write_all(piece).await.is_err() || socket.flush().await.is_err() {
                abandoned.fetch_add(1, Ordering::SeqCst);
                return;
            }
            if n > 0 {
                tokio::task::yield_now().await;
            }
        }
        if !script.keep {
            let _ = socket.shutdown().await;
            return;
        }
    }
}

/// A server whose answers have no end. It stores nothing of them.
pub(crate) struct Endless {
    pub(crate) server: Server,
    sent: Arc<AtomicUsize>,
}

impl Endless {
    pub(crate) async fn start(kind: &str, beginning: &str, filling: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let server = Server {
            address: listener.local_addr().expect("an address"),
            connections: Arc::default(),
            requests: Arc::default(),
            abandoned: Arc::default(),
        };
        let sent = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&sent);
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n{beginning}");
        let filling = filling.repeat((1 << 16) / filling.len());
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let (head, filling, counted) = (head.clone(), filling.clone(), Arc::clone(&counted));
                tokio::spawn(async move {
                    if read_request(&mut socket).await.is_none() {
                        return;
                    }
                    let mut next = head.as_bytes();
                    while socket.write_all(next).await.is_ok() {
                        counted.fetch_add(next.len(), Ordering::SeqCst);
                        next = filling.as_bytes();
                    }
                });
            }
        });
        Self { server, sent }
    }

    pub(crate) fn adapter(&self) -> OpenAiCompat {
        self.server.adapter("gpt-x", None)
    }

    /// Bytes that the system took.
    pub(crate) fn sent(&self) -> usize {
        self.sent.load(Ordering::SeqCst)
    }
}

async fn read_request(socket: &mut TcpStream) -> Option<(String, String)> {
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
        let count = socket.read(&mut buffer).await.ok().filter(|count| *count > 0)?;
        read.extend_from_slice(&buffer[..count]);
    }
}

/// A request with these messages and nothing else.
pub(crate) fn request(messages: &[Message]) -> ModelRequest<'_> {
    ModelRequest {
        messages,
        tools: &[],
        tool_choice: ToolChoice::Auto,
        listener: None,
        temperature: 0.7,
        max_tokens: Some(1024),
        effort: None,
        seed: None,
        answer_schema: None,
        given: None,
        attempt: AttemptRef { task: "L1-001", repetition: 1, step: 2, phase: 1 },
    }
}

/// The folder of reference material beside the repository, when a test can have it.
pub(crate) fn shared(path: &str) -> Option<std::path::PathBuf> {
    let root =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the repository's root");
    let path = root.join("../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    skip(&format!("no {}", path.display()));
    None
}

/// The published tasks: beside the repository, or as `cargo xtask setup parity` fetched them.
pub(crate) fn published_tasks() -> Option<std::path::PathBuf> {
    let root =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the repository's root");
    let fetched = std::env::var_os("KOAB_PARITY").map_or_else(|| root.join("target/parity"), Into::into);
    let places = [root.join("../shared/ko-agentbench/tasks"), fetched.join("published-tasks")];
    let there = places.into_iter().find(|place| place.is_dir());
    if there.is_none() {
        skip("no ../shared/ko-agentbench/tasks; `cargo xtask setup parity` fetches them");
    }
    there
}

/// Says that a test was skipped, or fails it where everything is required.
#[expect(clippy::print_stderr, reason = "a skipped test says so where the test run is read")]
pub(crate) fn skip(why: &str) {
    assert!(std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1"), "required, but {why}");
    eprintln!("SKIP: {why}");
}

/// Parses JSON that a test wrote itself.
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}
