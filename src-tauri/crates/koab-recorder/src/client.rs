//! The recorder's own client of a server, which does the handshake, lists the tools and makes
//! calls.

use crate::form::ServerForm;
use crate::link::{Incoming, Link};
use crate::secrets::Secrets;
use crate::tool_pages::ToolPages;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_mcp::message::{self, Kind};
use koab_mcp::{Message, RawValue, version};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// Maximum number of characters of a server's error message.
const MAX_MESSAGE_CHARS: usize = 500;

/// First id of this client's requests. An earlier client on the same connection uses smaller ids.
const FIRST_ID: u64 = 1 << 40;

/// An answer of the server, as received.
#[derive(Debug)]
pub(crate) enum Answered {
    Result(Box<RawValue>),
    Error(Box<RawValue>),
}

/// Reason why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// The answer did not arrive in time.
    TimeOver,
    /// The response is not a valid message; the server may still answer other requests.
    Unreadable(Sentence),
    /// The server has ended.
    Ended(Sentence),
}

impl NoAnswer {
    pub(crate) fn sentence(&self, limit: Duration) -> Sentence {
        match self {
            Self::TimeOver => say!("no answer came within {} s", limit.as_secs()),
            Self::Unreadable(why) | Self::Ended(why) => why.clone(),
        }
    }
}

type Waiting = HashMap<u64, oneshot::Sender<Result<Answered, Sentence>>>;

/// State that all requests of a client share.
#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    ended: Mutex<Option<Sentence>>,
    /// Number of lines from the server that were not messages.
    rubbish: AtomicU64,
    modern: AtomicBool,
    /// Cancelled once the server has ended.
    over: CancellationToken,
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self) -> MutexGuard<'_, Option<Sentence>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client. Requests may be concurrent.
pub(crate) struct Client {
    link: Mutex<Option<Link>>,
    to: mpsc::Sender<String>,
    next: AtomicU64,
    shared: Arc<Shared>,
    /// Secrets that no message may contain.
    secrets: Secrets,
    limit: Duration,
}

#[derive(Deserialize)]
struct Hello {
    #[serde(rename = "protocolVersion", default)]
    version: String,
    #[serde(default)]
    capabilities: Option<Box<RawValue>>,
    #[serde(rename = "serverInfo", default)]
    info: Option<Box<RawValue>>,
    #[serde(default)]
    instructions: Option<Box<RawValue>>,
    #[serde(rename = "_meta", default)]
    meta: Option<HelloMeta>,
}

#[derive(Deserialize)]
struct HelloMeta {
    #[serde(rename = "io.modelcontextprotocol/serverInfo", default)]
    info: Option<Box<RawValue>>,
}

impl Client {
    /// Creates a client of a server that was just started. `limit` is the time limit of each
    /// answer.
    pub(crate) fn new(mut link: Link, secrets: Secrets, limit: Duration) -> Self {
        let shared = Arc::new(Shared::default());
        let to = link.sender();
        let (_, empty) = mpsc::channel(1);
        let from = std::mem::replace(&mut link.from, empty);
        tokio::spawn(hear(from, Arc::clone(&shared), to.downgrade()));
        Self { link: Mutex::new(Some(link)), to, next: AtomicU64::new(FIRST_ID), shared, secrets, limit }
    }

    /// Sends a request and waits for the answer.
    ///
    /// # Errors
    /// When the server has ended, takes too long or sends an unreadable answer.
    pub(crate) async fn ask(&self, method: &str, params: &RawValue) -> Result<Answered, NoAnswer> {
        if let Some(why) = self.shared.ended().clone() {
            return Err(NoAnswer::Ended(why));
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        self.shared.waiting().insert(id, sender);
        let is_modern = self.shared.modern.load(Ordering::Relaxed);
        let params = if is_modern { with_meta(params) } else { params.to_owned() };
        let request = message::request(id, method, &params);
        let answer = async {
            // The time limit includes waiting for a server that does not read.
            let _ = self.to.send(request).await;
            receiver.await
        };
        match tokio::time::timeout(self.limit, answer).await {
            Ok(Ok(answered)) => answered.map_err(NoAnswer::Unreadable),
            Ok(Err(_)) => {
                let why = self.shared.ended().clone();
                Err(NoAnswer::Ended(why.unwrap_or_else(|| say!("the server ended"))))
            }
            Err(_) => {
                self.shared.waiting().remove(&id);
                let cancelled = json!({ "requestId": id, "reason": "time over" });
                let _ = self.to.try_send(format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{cancelled}}}"#
                ));
                Err(NoAnswer::TimeOver)
            }
        }
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// The errors of [`Client::ask`].
    pub(crate) async fn call(&self, tool: &str, arguments: Option<&RawValue>) -> Result<Answered, NoAnswer> {
        let name = message::raw(&tool);
        let params = match arguments {
            Some(arguments) => format!(r#"{{"name":{name},"arguments":{arguments}}}"#),
            None => format!(r#"{{"name":{name}}}"#),
        };
        self.ask("tools/call", &crate::form::raw(&params)).await
    }

    /// Does the handshake and requests all pages of the list of tools. Stores the server's answers
    /// in `form`, the description of the server that a recording contains.
    ///
    /// # Errors
    /// One sentence, when the server is not an MCP server with tools.
    pub(crate) async fn greet(&self, form: &mut ServerForm) -> Result<(), Sentence> {
        let hello = |version: &str| {
            message::raw(&json!({
                "protocolVersion": version,
                "capabilities": {},
                "clientInfo": { "name": "koab", "version": env!("CARGO_PKG_VERSION") },
            }))
        };
        let no = |why: NoAnswer| self.silent(why);
        let mut answer = self.ask("initialize", &hello(version::NEWEST_HANDSHAKE)).await.map_err(no)?;
        if let Answered::Error(error) = &answer
            && let Some(spoken) = spoken_version(error)
        {
            answer = self.ask("initialize", &hello(spoken)).await.map_err(no)?;
        }
        match answer {
            Answered::Result(result) => {
                store_hello(form, &result, false);
                let _ = self
                    .to
                    .send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned())
                    .await;
            }
            Answered::Error(error) => {
                self.shared.modern.store(true, Ordering::Relaxed);
                match self.ask("server/discover", &message::raw(&json!({}))).await.map_err(no)? {
                    Answered::Result(result) => store_hello(form, &result, true),
                    Answered::Error(_) => {
                        return Err(say!("the server refuses to start: {}", self.refusal(&error)));
                    }
                }
            }
        }
        self.list(form).await
    }

    /// Requests all pages of the list of tools.
    ///
    /// # Errors
    /// One sentence, when the server does not list its tools.
    pub(crate) async fn list(&self, form: &mut ServerForm) -> Result<(), Sentence> {
        let no = |why: NoAnswer| self.silent(why);
        let mut pages = ToolPages::default();
        let mut params = message::raw(&json!({}));
        loop {
            let page = match self.ask("tools/list", &params).await.map_err(no)? {
                Answered::Result(result) => result,
                Answered::Error(error) => {
                    return Err(say!("the server has no tools: {}", self.refusal(&error)));
                }
            };
            match pages.add(&page)? {
                Some(next) => params = message::raw(&json!({ "cursor": next })),
                None => break,
            }
        }
        store_tools(form, pages.take());
        Ok(())
    }

    /// Message of a server's error for the user. Secrets are removed, because the server may repeat
    /// them.
    fn refusal(&self, error: &RawValue) -> String {
        #[derive(Deserialize)]
        struct ErrorBody {
            #[serde(default)]
            message: String,
        }
        let message = serde_json::from_str::<ErrorBody>(error.get()).map(|body| body.message);
        match message {
            Ok(message) if !message.trim().is_empty() => {
                self.secrets.clipped(message.trim(), MAX_MESSAGE_CHARS)
            }
            _ => "no reason".to_owned(),
        }
    }

    /// Error message for the user about a server that does not answer, with advice.
    fn silent(&self, why: NoAnswer) -> Sentence {
        match why {
            NoAnswer::TimeOver if self.rubbish() > 0 => say!(
                "the server answers with lines that are not messages; give a command that starts an MCP server on standard streams"
            ),
            NoAnswer::TimeOver => say!(
                "the server does not answer within {} s; give a command that starts an MCP server on standard streams",
                self.limit.as_secs()
            ),
            NoAnswer::Unreadable(why) | NoAnswer::Ended(why) => {
                say!("the server does not answer: {why}; run its command in a terminal to see what it lacks")
            }
        }
    }

    /// Number of lines from the server that were not messages.
    pub(crate) fn rubbish(&self) -> u64 {
        self.shared.rubbish.load(Ordering::Relaxed)
    }

    /// Reason why the server has ended; `None` while it runs.
    pub(crate) fn ended(&self) -> Option<Sentence> {
        self.shared.ended().clone()
    }

    /// Waits until the server has ended.
    pub(crate) async fn gone(&self) {
        self.shared.over.cancelled().await;
    }

    /// Ends the connection and the server.
    pub(crate) async fn leave(self) {
        let link = self.link.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(self.to);
        if let Some(link) = link {
            link.leave().await;
        }
    }
}

/// Stores the answer to `initialize`, or with `modern` to `server/discover`, in `form`. `modern` is
/// the version without a handshake.
pub(crate) fn store_hello(form: &mut ServerForm, result: &RawValue, modern: bool) {
    let Ok(hello) = serde_json::from_str::<Hello>(result.get()) else {
        return;
    };
    let info = hello.info.or_else(|| hello.meta.and_then(|meta| meta.info));
    let text = |raw: Option<Box<RawValue>>| raw.map_or_else(|| "{}".to_owned(), |raw| raw.get().to_owned());
    form.info = text(info);
    form.capabilities = text(hello.capabilities);
    form.instructions = hello.instructions.map(|raw| raw.get().to_owned());
    form.modern = modern;
    form.protocol = if modern { version::MODERN.to_owned() } else { hello.version };
}

/// Stores the complete list of tools in `form`.
pub(crate) fn store_tools(form: &mut ServerForm, tools: Vec<String>) {
    form.tools_sha256 = sha256_hex(&tools.join("\n"));
    form.tools = tools;
}

/// Parameters with metadata. Protocol versions without a handshake require the metadata in each
/// request.
fn with_meta(params: &RawValue) -> Box<RawValue> {
    let meta = json!({
        version::META_VERSION: version::MODERN,
        "io.modelcontextprotocol/clientInfo": { "name": "koab", "version": env!("CARGO_PKG_VERSION") },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let rest = params.get().trim_start().trim_start_matches('{').trim_start();
    let comma = if rest.starts_with('}') { "" } else { "," };
    crate::form::raw(&format!(r#"{{"_meta":{meta}{comma}{rest}"#))
}

async fn hear(mut from: mpsc::Receiver<Incoming>, shared: Arc<Shared>, to: mpsc::WeakSender<String>) {
    let mut why = say!("the server ended");
    while let Some(incoming) = from.recv().await {
        let text = match incoming {
            Incoming::Message(text) => text,
            Incoming::Rubbish => {
                shared.rubbish.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            Incoming::Unreadable { id, why } => {
                let id = id.parse().ok();
                if let Some(waiting) = id.and_then(|id: u64| shared.waiting().remove(&id)) {
                    let _ = waiting.send(Err(why));
                }
                continue;
            }
            Incoming::TooLong => {
                why = say!("the server sent a message that is too long to be read");
                break;
            }
            Incoming::Ended(ended) => {
                why = ended;
                break;
            }
        };
        let Ok(message) = Message::read(text.as_bytes()) else {
            continue;
        };
        match (message.kind(), message.id) {
            (Kind::Answer, Some(id)) => {
                let waiting = id.get().parse().ok().and_then(|id: u64| shared.waiting().remove(&id));
                let answer = message.result.map(Answered::Result).or(message.error.map(Answered::Error));
                if let (Some(waiting), Some(answer)) = (waiting, answer) {
                    let _ = waiting.send(Ok(answer));
                }
            }
            // Of a server's requests, only `ping` is supported.
            (Kind::Request, Some(id)) => {
                let answer = match message.method.as_deref() {
                    Some("ping") => message::answer(&id, &message::raw(&json!({}))),
                    _ => message::refusal(
                        Some(&id),
                        &message::error(message::METHOD_NOT_FOUND, "the client has no such method"),
                    ),
                };
                if let Some(to) = to.upgrade() {
                    // A server that sends requests without reading gets no answer.
                    let _ = to.try_send(answer);
                }
            }
            _ => {}
        }
    }
    *shared.ended() = Some(why);
    // Dropping the senders tells waiting requests that the server has ended.
    shared.waiting().clear();
    shared.over.cancel();
}

/// Newest protocol version that this client supports and that a server's error message lists as
/// supported.
fn spoken_version(error: &RawValue) -> Option<&'static str> {
    let error: Value = serde_json::from_str(error.get()).ok()?;
    let supported = error.pointer("/data/supported")?;
    let is_listed = |version: &&&str| match supported {
        Value::Array(all) => all.iter().any(|one| one == **version),
        one => one == **version,
    };
    version::HANDSHAKE.iter().rev().find(is_listed).copied()
}
