//! Our own client of a server: the handshake, the list of tools, and calls.

use crate::form::ServerForm;
use crate::link::{Incoming, Link};
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_mcp::message::{self, Kind};
use koab_mcp::{Message, RawValue, version};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// Pages of a list of tools at most.
const PAGES: usize = 1000;

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
    /// The server is gone.
    Ended(Sentence),
}

impl NoAnswer {
    pub(crate) fn sentence(&self, limit: Duration) -> Sentence {
        match self {
            Self::TimeOver => say!("no answer came within {} s", limit.as_secs()),
            Self::Ended(why) => why.clone(),
        }
    }
}

type Waiting = HashMap<u64, oneshot::Sender<Answered>>;

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
    to: mpsc::UnboundedSender<String>,
    next: AtomicU64,
    shared: Arc<Shared>,
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

#[derive(Deserialize)]
struct Page {
    tools: Vec<Box<RawValue>>,
    #[serde(rename = "nextCursor", default)]
    next: Option<String>,
}

impl Client {
    /// A client of a server that was just started. No answer is waited for longer than `limit`.
    pub(crate) fn new(mut link: Link, limit: Duration) -> Self {
        let shared = Arc::new(Shared::default());
        let to = link.sender();
        let (_, empty) = mpsc::unbounded_channel();
        let from = std::mem::replace(&mut link.from, empty);
        tokio::spawn(hear(from, Arc::clone(&shared), to.downgrade()));
        Self {
            link: Mutex::new(Some(link)),
            to,
            next: AtomicU64::new(1),
            shared,
            limit,
        }
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
        let _ = self.to.send(message::request(id, method, &params));
        match tokio::time::timeout(self.limit, receiver).await {
            Ok(Ok(answered)) => Ok(answered),
            Ok(Err(_)) => {
                let why = self.shared.ended().clone();
                Err(NoAnswer::Ended(why.unwrap_or_else(|| say!("the server ended"))))
            }
            Err(_) => {
                self.shared.waiting().remove(&id);
                let taken_back = json!({ "requestId": id, "reason": "time over" });
                let _ = self.to.send(format!(
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

    /// The handshake and all pages of the list of tools, into what the recording says of the server.
    ///
    /// # Errors
    /// One sentence, when it is no server of tools.
    pub(crate) async fn greet(&self, form: &mut ServerForm) -> Result<(), Sentence> {
        let hello = message::raw(&json!({
            "protocolVersion": version::NEWEST_HANDSHAKE,
            "capabilities": {},
            "clientInfo": { "name": "koab", "version": env!("CARGO_PKG_VERSION") },
        }));
        let no = |why: NoAnswer| self.silent(why);
        match self.ask("initialize", &hello).await.map_err(no)? {
            Answered::Result(result) => {
                greeted(form, &result, false);
                let _ = self
                    .to
                    .send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned());
            }
            Answered::Error(error) => {
                self.shared.modern.store(true, Ordering::Relaxed);
                match self
                    .ask("server/discover", &message::raw(&json!({})))
                    .await
                    .map_err(no)?
                {
                    Answered::Result(result) => greeted(form, &result, true),
                    Answered::Error(_) => return Err(say!("the server refuses to start: {}", error.get())),
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
        let mut tools = Vec::new();
        let mut params = message::raw(&json!({}));
        for _ in 0..PAGES {
            let page = match self.ask("tools/list", &params).await.map_err(no)? {
                Answered::Result(result) => result,
                Answered::Error(error) => return Err(say!("the server has no tools: {}", error.get())),
            };
            match add_page(&mut tools, &page) {
                Some(next) => params = message::raw(&json!({ "cursor": next })),
                None => break,
            }
        }
        listed(form, tools);
        Ok(())
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
            NoAnswer::Ended(why) => {
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

/// Adds a page of tools; the cursor of the next one where there is one.
pub(crate) fn add_page(tools: &mut Vec<String>, result: &RawValue) -> Option<String> {
    let page: Page = serde_json::from_str(result.get()).ok()?;
    tools.extend(page.tools.iter().map(|tool| tool.get().to_owned()));
    page.next.filter(|next| !next.is_empty())
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

async fn hear(
    mut from: mpsc::UnboundedReceiver<Incoming>,
    shared: Arc<Shared>,
    to: mpsc::WeakUnboundedSender<String>,
) {
    let mut why = say!("the server ended");
    while let Some(incoming) = from.recv().await {
        let text = match incoming {
            Incoming::Message(text) => text,
            Incoming::Rubbish => {
                shared.rubbish.fetch_add(1, Ordering::Relaxed);
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
                let waiting = id
                    .get()
                    .parse()
                    .ok()
                    .and_then(|id: u64| shared.waiting().remove(&id));
                let answered = message
                    .result
                    .map(Answered::Result)
                    .or(message.error.map(Answered::Error));
                if let (Some(waiting), Some(answered)) = (waiting, answered) {
                    let _ = waiting.send(answered);
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
                    let _ = to.send(answer);
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
