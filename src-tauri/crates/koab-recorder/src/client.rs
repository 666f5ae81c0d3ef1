//! Our own client of a server: the handshake, the list of tools, and calls.

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

/// Letters of what a server says when it refuses.
const LETTERS: usize = 500;

/// Our first id: a client that asked on the same link before us counts from below.
const FIRST: u64 = 1 << 40;

/// An answer, its parts as they came.
#[derive(Debug)]
pub(crate) enum Answered {
    Result(Box<RawValue>),
    Error(Box<RawValue>),
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// Not in time.
    TimeOver,
    /// What came is no message; others may be answered.
    Unreadable(Sentence),
    /// The server is gone.
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

/// What all that ask share.
#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    ended: Mutex<Option<Sentence>>,
    /// Lines that were no message.
    rubbish: AtomicU64,
    modern: AtomicBool,
    /// Over once nothing more will come.
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

/// A client. Requests may be made at the same time.
pub(crate) struct Client {
    link: Mutex<Option<Link>>,
    to: mpsc::Sender<String>,
    next: AtomicU64,
    shared: Arc<Shared>,
    /// What no sentence may tell.
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
    /// A client of a server that was just started. No answer is waited for longer than `limit`.
    pub(crate) fn new(mut link: Link, secrets: Secrets, limit: Duration) -> Self {
        let shared = Arc::new(Shared::default());
        let to = link.sender();
        let (_, empty) = mpsc::channel(1);
        let from = std::mem::replace(&mut link.from, empty);
        tokio::spawn(hear(from, Arc::clone(&shared), to.downgrade()));
        Self { link: Mutex::new(Some(link)), to, next: AtomicU64::new(FIRST), shared, secrets, limit }
    }

    /// Asks for one thing.
    ///
    /// # Errors
    /// When the server is gone or takes too long.
    pub(crate) async fn ask(&self, method: &str, params: &RawValue) -> Result<Answered, NoAnswer> {
        if let Some(why) = self.shared.ended().clone() {
            return Err(NoAnswer::Ended(why));
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        self.shared.waiting().insert(id, sender);
        let params = match self.shared.modern.load(Ordering::Relaxed) {
            true => with_meta(params),
            false => params.to_owned(),
        };
        let request = message::request(id, method, &params);
        let asked = async {
            // A server that reads nothing has its time too.
            let _ = self.to.send(request).await;
            receiver.await
        };
        match tokio::time::timeout(self.limit, asked).await {
            Ok(Ok(answered)) => answered.map_err(NoAnswer::Unreadable),
            Ok(Err(_)) => {
                let why = self.shared.ended().clone();
                Err(NoAnswer::Ended(why.unwrap_or_else(|| say!("the server ended"))))
            }
            Err(_) => {
                self.shared.waiting().remove(&id);
                let taken_back = json!({ "requestId": id, "reason": "time over" });
                let _ = self.to.try_send(format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{taken_back}}}"#
                ));
                Err(NoAnswer::TimeOver)
            }
        }
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// As [`Client::ask`].
    pub(crate) async fn call(&self, tool: &str, arguments: Option<&RawValue>) -> Result<Answered, NoAnswer> {
        let name = message::raw(&tool);
        let params = match arguments {
            Some(arguments) => format!(r#"{{"name":{name},"arguments":{arguments}}}"#),
            None => format!(r#"{{"name":{name}}}"#),
        };
        self.ask("tools/call", &crate::form::raw(&params)).await
    }

    /// The handshake and all pages of the list of tools, into what the recording says of the
    /// server.
    ///
    /// # Errors
    /// One sentence, when it is no server of tools.
    pub(crate) async fn greet(&self, form: &mut ServerForm) -> Result<(), Sentence> {
        let hello = |version: &str| {
            message::raw(&json!({
                "protocolVersion": version,
                "capabilities": {},
                "clientInfo": { "name": "koab", "version": env!("CARGO_PKG_VERSION") },
            }))
        };
        let no = |why: NoAnswer| self.silent(why);
        let mut answered = self.ask("initialize", &hello(version::NEWEST_HANDSHAKE)).await.map_err(no)?;
        if let Answered::Error(error) = &answered
            && let Some(spoken) = spoken_version(error)
        {
            answered = self.ask("initialize", &hello(spoken)).await.map_err(no)?;
        }
        match answered {
            Answered::Result(result) => {
                greeted(form, &result, false);
                let _ = self
                    .to
                    .send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned())
                    .await;
            }
            Answered::Error(error) => {
                self.shared.modern.store(true, Ordering::Relaxed);
                match self.ask("server/discover", &message::raw(&json!({}))).await.map_err(no)? {
                    Answered::Result(result) => greeted(form, &result, true),
                    Answered::Error(_) => {
                        return Err(say!("the server refuses to start: {}", self.refusal(&error)));
                    }
                }
            }
        }
        self.list(form).await
    }

    /// All pages of the list of tools.
    ///
    /// # Errors
    /// One sentence, when there is none.
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
        listed(form, pages.take());
        Ok(())
    }

    /// What a server says when it refuses, for people: its message alone, which may repeat what it
    /// was given.
    fn refusal(&self, error: &RawValue) -> String {
        #[derive(Deserialize)]
        struct ErrorBody {
            #[serde(default)]
            message: String,
        }
        let said = serde_json::from_str::<ErrorBody>(error.get()).map(|said| said.message);
        match said {
            Ok(message) if !message.trim().is_empty() => self.secrets.clipped(message.trim(), LETTERS),
            _ => "no reason".to_owned(),
        }
    }

    /// Why a server cannot be recorded that does not answer, and what to do.
    fn silent(&self, why: NoAnswer) -> Sentence {
        match why {
            NoAnswer::TimeOver if self.rubbish() > 0 => say!(
                "the server answers with lines that are no messages; give a command that starts an MCP server on standard streams"
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

    /// Lines of the server that were no message.
    pub(crate) fn rubbish(&self) -> u64 {
        self.shared.rubbish.load(Ordering::Relaxed)
    }

    /// Why the server is gone, where it is.
    pub(crate) fn ended(&self) -> Option<Sentence> {
        self.shared.ended().clone()
    }

    /// Waits until the server is gone.
    pub(crate) async fn gone(&self) {
        self.shared.over.cancelled().await;
    }

    /// Lets the server end.
    pub(crate) async fn leave(self) {
        let link = self.link.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(self.to);
        if let Some(link) = link {
            link.leave().await;
        }
    }
}

/// What an answer to `initialize` or `server/discover` says of the server.
pub(crate) fn greeted(form: &mut ServerForm, result: &RawValue, modern: bool) {
    let Ok(hello) = serde_json::from_str::<Hello>(result.get()) else {
        return;
    };
    let info = hello.info.or_else(|| hello.meta.and_then(|meta| meta.info));
    let text = |raw: Option<Box<RawValue>>| raw.map_or_else(|| "{}".to_owned(), |raw| raw.get().to_owned());
    form.info = text(info);
    form.capabilities = text(hello.capabilities);
    form.instructions = hello.instructions.map(|raw| raw.get().to_owned());
    form.modern = modern;
    form.protocol = match modern {
        true => version::MODERN.to_owned(),
        false => hello.version,
    };
}

/// The whole list of tools.
pub(crate) fn listed(form: &mut ServerForm, tools: Vec<String>) {
    form.tools_sha256 = sha256_hex(&tools.join("\n"));
    form.tools = tools;
}

/// Parameters with what a version without a handshake says in each.
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
                let answered = message.result.map(Answered::Result).or(message.error.map(Answered::Error));
                if let (Some(waiting), Some(answered)) = (waiting, answered) {
                    let _ = waiting.send(Ok(answered));
                }
            }
            // What a server asks of its client: only whether it is there.
            (Kind::Request, Some(id)) => {
                let answer = match message.method.as_deref() {
                    Some("ping") => message::answer(&id, &message::raw(&json!({}))),
                    _ => message::refusal(
                        Some(&id),
                        &message::error(message::METHOD_NOT_FOUND, "the client has no such method"),
                    ),
                };
                if let Some(to) = to.upgrade() {
                    // One that asks and does not read gets no answer.
                    let _ = to.try_send(answer);
                }
            }
            _ => {}
        }
    }
    *shared.ended() = Some(why);
    // Whoever waits hears of it by the end of what it waits for.
    shared.waiting().clear();
    shared.over.cancel();
}

/// The newest version of those that a server lists in its refusal which is spoken here, too.
fn spoken_version(error: &RawValue) -> Option<&'static str> {
    let error: Value = serde_json::from_str(error.get()).ok()?;
    let listed = error.pointer("/data/supported")?;
    let is_listed = |version: &&&str| match listed {
        Value::Array(all) => all.iter().any(|one| one == **version),
        one => one == **version,
    };
    version::HANDSHAKE.iter().rev().find(is_listed).copied()
}
