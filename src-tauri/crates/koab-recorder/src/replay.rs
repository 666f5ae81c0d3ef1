//! Replay of a recorded server without the server.

use crate::capture::specs;
use crate::form::{Recorded, raw};
use crate::listen::{offers, profile};
use crate::live::{Live, LiveServer};
use crate::matching::{AnswerTable, ReplayTurns};
use crate::recorder::Recorder;
use async_trait::async_trait;
use koab_core::args::NormalizedArgs;
use koab_core::catalog::ToolCatalog;
use koab_core::tool::ToolFault;
use koab_mcp::http::{self, HttpAnswer};
use koab_mcp::listener::{HttpHandler, HttpRequest};
use koab_mcp::message::{INVALID_PARAMS, raw as raw_of};
use koab_mcp::{RawValue, Server, ServerProfile, ToolAnswer, ToolCall, ToolOffer, Tools};
use koab_packs::nearest;
use koab_workspace::WireError;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of sessions over HTTP.
const MAX_SESSIONS: usize = 10_000;

/// Order of calls that a replay requires, and the server for calls that were not recorded.
#[derive(Clone, Default)]
pub struct ReplayOptions {
    /// Whether a call is answered only when all earlier calls of its recorded session were made.
    pub strict_order: bool,
    /// Working folder of the caller.
    pub work: Option<String>,
    /// Live server for calls that are not recorded.
    pub live: Option<LiveServer>,
}

/// A call without a matching recorded answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplayMiss {
    /// Tool name.
    pub tool: String,
    /// Arguments of the call, normalized for matching.
    pub arguments: String,
    /// Arguments of the most similar recorded call.
    pub nearest: Option<String>,
    /// Names of the arguments that differ from `nearest`.
    pub differing: Vec<String>,
}

/// Listener of calls without a matching recorded answer.
pub type OnMiss = Arc<dyn Fn(&ReplayMiss) + Send + Sync>;

/// State that all sessions of a replay share.
pub(crate) struct Shared {
    book: AnswerTable,
    recorded: Recorded,
    catalog: ToolCatalog,
    offers: Vec<ToolOffer>,
    strict_order: bool,
    work: Option<String>,
    live: Option<Live>,
    on_miss: OnMiss,
}

impl Shared {
    /// Creates the replay of a pack, by the pack's name without a version.
    ///
    /// # Errors
    /// When there is a live server that may not be used.
    pub(crate) fn new(
        recorder: &Recorder,
        (pack, recorded): (&str, Recorded),
        options: ReplayOptions,
        on_miss: OnMiss,
    ) -> Result<Self, WireError> {
        let catalog = ToolCatalog::new(specs(&recorded.server));
        let here = (options.work.as_deref(), &catalog);
        let live = options.live.map(|live| Live::new(recorder, (pack, &recorded), live, here));
        Ok(Self {
            book: AnswerTable::new(&recorded),
            live: live.transpose()?,
            catalog,
            offers: offers(&recorded.server),
            recorded,
            strict_order: options.strict_order,
            work: options.work,
            on_miss,
        })
    }

    /// Ends the live server, if one was started.
    pub(crate) async fn leave(&self) {
        if let Some(live) = &self.live {
            live.leave().await;
        }
    }

    /// MCP server for one session.
    pub(crate) fn server(self: &Arc<Self>) -> Server {
        let server = &self.recorded.server;
        let tools = serde_json::from_str::<Value>(&server.capabilities);
        let tools = tools.ok().and_then(|all| all.get("tools").cloned());
        let profile = ServerProfile {
            // Only tools are replayed, even if the server had other capabilities.
            capabilities: raw_of(&json!({ "tools": tools.unwrap_or_else(|| json!({})) })),
            modern: server.modern,
            ..profile(server)
        };
        Server::new(profile, Arc::new(Replay { shared: Arc::clone(self), turns: Mutex::default() }))
    }

    fn miss(&self, tool: &str, arguments: String) -> ToolAnswer {
        let args = object(&arguments);
        let recorded: Vec<NormalizedArgs> = self.book.arguments_of(tool).into_iter().map(object).collect();
        let similar = nearest(&args, &recorded);
        let miss = ReplayMiss {
            tool: tool.to_owned(),
            nearest: similar.as_ref().map(|(args, _)| args.canonical()),
            differing: similar.map(|(_, differing)| differing).unwrap_or_default(),
            arguments,
        };
        (self.on_miss)(&miss);
        let fault = ToolFault::NotCached { tool: tool.to_owned(), key: self.catalog.key(tool, &args) };
        ToolAnswer::text(&fault.to_string(), true)
    }

    /// Answer to a call of a tool that the server does not have. If the recording contains such a
    /// call, the recorded answer is used.
    fn unknown(&self, tool: &str) -> ToolAnswer {
        let is_offered = |name: &str| self.offers.iter().any(|offer| offer.name == name);
        match self.book.unknown(is_offered) {
            Some(call) => {
                let escaped = |name: &str| {
                    let quoted = Value::from(name).to_string();
                    quoted[1..quoted.len() - 1].to_owned()
                };
                let text = call.answer().replace(&escaped(&call.tool), &escaped(tool));
                match call.result {
                    Some(_) => ToolAnswer::Result(raw(&text)),
                    None => ToolAnswer::Error(raw(&text)),
                }
            }
            None => ToolAnswer::error(INVALID_PARAMS, &format!("Unknown tool: {tool}")),
        }
    }
}

fn object(text: &str) -> NormalizedArgs {
    NormalizedArgs::from_record(&serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default())
}

/// One session of a replay.
struct Replay {
    shared: Arc<Shared>,
    turns: Mutex<ReplayTurns>,
}

#[async_trait]
impl Tools for Replay {
    fn list(&self) -> Vec<ToolOffer> {
        self.shared.offers.clone()
    }

    async fn call(&self, call: ToolCall<'_>) -> ToolAnswer {
        let shared = &self.shared;
        let (rules, here) = (&shared.recorded.server.normalize, shared.work.as_deref());
        let arguments = rules.arguments(call.arguments.map(RawValue::get), here);
        let answer = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            shared.book.answer(call.name, arguments.clone(), &mut turns, shared.strict_order)
        };
        match answer {
            Some(recorded) => {
                let text = raw(&rules.answer(recorded.answer(), here));
                match recorded.result {
                    Some(_) => ToolAnswer::Result(text),
                    None => ToolAnswer::Error(text),
                }
            }
            None if shared.offers.iter().any(|offer| offer.name == call.name) => {
                let live = match &shared.live {
                    Some(live) => live.answer(call.name, call.arguments).await,
                    None => None,
                };
                live.unwrap_or_else(|| shared.miss(call.name, arguments))
            }
            None => shared.unknown(call.name),
        }
    }
}

/// A replay over HTTP. The path after the server's own path names the session, so that clients can
/// share a session or use separate sessions.
pub(crate) struct Sessions {
    shared: Arc<Shared>,
    open: Mutex<HashMap<String, Arc<Server>>>,
}

impl Sessions {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, open: Mutex::default() }
    }
}

#[async_trait]
impl HttpHandler for Sessions {
    async fn answer(&self, asked: HttpRequest) -> HttpAnswer {
        let name = http::behind_path(&asked.uri).unwrap_or_default();
        let server = {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            if open.len() >= MAX_SESSIONS && !open.contains_key(name) {
                return HttpAnswer::refused(503, "there are too many sessions; start the replay anew");
            }
            let server = open.entry(name.to_owned());
            Arc::clone(server.or_insert_with(|| Arc::new(self.shared.server())))
        };
        http::answer(&server, &asked.method, &asked.body).await
    }
}

#[cfg(test)]
mod tests;
