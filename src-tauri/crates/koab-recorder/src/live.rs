//! The real server behind a replay: it is asked for what is not recorded, and its answers are kept
//! beside the pack.
//!
//! It is started when a first call misses, and then answers for all sessions. It has seen nothing
//! of what the recording answered.

use crate::checked_request::CheckedRequest;
use crate::client::{Answered, Client, NoAnswer};
use crate::form::{CallForm, OnRecordingEvent, Recorded, RecordingEvent, raw};
use crate::recorder::Recorder;
use crate::request::{RecordRequest, ServerAt};
use crate::secrets::Secrets;
use koab_core::args::NormalizedArgs;
use koab_core::catalog::ToolCatalog;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::AnswerOverlay as _;
use koab_mcp::{RawValue, ToolAnswer};
use koab_store::overlay::Overlay;
use koab_workspace::WireError;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// Letters of a tool's name in a sentence.
const TOOL: usize = 100;
/// Who asked, as the overlay tells it.
const ORIGIN: &str = "pack replay --live";

/// The server that a replay asks for what is not recorded.
#[derive(Clone)]
pub struct LiveServer {
    /// Where it is.
    pub server: ServerAt,
    /// Names of variables that it is given beside PATH, HOME and LANG.
    pub env: Vec<String>,
    /// How long one answer may take.
    pub limit: Duration,
    /// Who hears what was not answered or not kept, and why.
    pub heard: OnRecordingEvent,
}

/// It, as a replay needs it.
pub(crate) struct Live {
    recorder: Recorder,
    ready: CheckedRequest,
    secrets: Secrets,
    catalog: ToolCatalog,
    overlay: Overlay,
    heard: OnRecordingEvent,
    begun: Mutex<Option<Arc<Client>>>,
}

impl Live {
    /// The server of a replay of this pack, by its name without a version; `work` is the folder of
    /// whoever calls.
    ///
    /// # Errors
    /// When the request makes no sense, koab is offline, or the workspace cannot be opened.
    pub(crate) fn new(
        recorder: &Recorder,
        (pack, recorded): (&str, &Recorded),
        live: LiveServer,
        (work, catalog): (Option<&str>, &ToolCatalog),
    ) -> Result<Self, WireError> {
        let rules = &recorded.server.normalize;
        let ready = recorder.ready(RecordRequest {
            name: pack.to_owned(),
            server: live.server,
            env: live.env,
            mask: false,
            work: work.or(rules.work.as_deref()).map(PathBuf::from),
            ignore: Vec::new(),
            limit: live.limit,
            heard: None,
            update: false,
        })?;
        let store = recorder.workspace.store()?;
        Ok(Self {
            overlay: store.overlay(pack, catalog.clone(), ORIGIN)?,
            recorder: recorder.clone(),
            secrets: ready.secrets(),
            catalog: catalog.clone(),
            heard: live.heard,
            ready,
            begun: Mutex::default(),
        })
    }

    /// The answer to a call that is not recorded: the one that was kept of an earlier call, else
    /// the server's; nothing where it gives none.
    pub(crate) async fn answer(&self, tool: &str, arguments: Option<&RawValue>) -> Option<ToolAnswer> {
        let args = serde_json::from_str::<Map<String, Value>>(arguments.map_or("{}", RawValue::get));
        let args = args.unwrap_or_default();
        let normalized = self.catalog.normalized(tool, &args).ok();
        if let Some(normalized) = &normalized {
            match self.overlay.lookup(tool, normalized) {
                Ok(Some(kept)) => return Some(ToolAnswer::Result(raw(&kept.to_string()))),
                Ok(None) => {}
                Err(error) => self.tell(&error.0),
            }
        }
        let named = self.secrets.clipped(tool, TOOL);
        let client = match self.client().await {
            Ok(client) => client,
            Err(error) => {
                self.tell(&error.message);
                return None;
            }
        };
        match client.call(tool, arguments).await {
            Ok(Answered::Error(error)) => Some(ToolAnswer::Error(error)),
            Ok(Answered::Result(result)) => {
                if let Some(normalized) = &normalized {
                    self.keep(tool, (normalized, &args), &result, &named);
                }
                Some(ToolAnswer::Result(result))
            }
            Err(none) => {
                if matches!(none, NoAnswer::Ended(_)) {
                    // The next call that misses starts it anew.
                    self.begun.lock().await.take();
                }
                let why = none.sentence(self.ready.request.limit);
                self.tell(&say!("the server gave no answer to {named}: {why}"));
                None
            }
        }
    }

    /// Lets the server end.
    pub(crate) async fn leave(&self) {
        let begun = self.begun.lock().await.take();
        if let Some(client) = begun.and_then(Arc::into_inner) {
            client.leave().await;
        }
    }

    /// The server, which is started where it is not.
    async fn client(&self) -> Result<Arc<Client>, WireError> {
        let mut begun = self.begun.lock().await;
        if let Some(client) = &*begun {
            return Ok(Arc::clone(client));
        }
        let (client, _) = self.recorder.greeted(&self.ready, self.ready.request.limit).await?;
        Ok(Arc::clone(begun.insert(Arc::new(client))))
    }

    /// Keeps an answer beside the pack, but for one that says that something went wrong and one
    /// that holds what the server was given.
    fn keep(
        &self,
        tool: &str,
        (normalized, args): (&NormalizedArgs, &Map<String, Value>),
        result: &RawValue,
        named: &str,
    ) {
        let call = CallForm { result: Some(result.get().to_owned()), ..CallForm::default() };
        let Ok(answer) = serde_json::from_str::<Value>(result.get()) else {
            return;
        };
        if call.is_error() {
            return;
        }
        let asked = Value::Object(args.clone()).to_string();
        let is_secret = [asked.as_str(), result.get()].iter().any(|text| self.secrets.find(text).is_some());
        if is_secret {
            return self.tell(&say!(
                "an answer of {named} was not kept: it holds a value that the server was given, or shows the environment"
            ));
        }
        if let Err(error) = self.overlay.keep(tool, normalized, args, &answer) {
            self.tell(&error.0);
        }
    }

    fn tell(&self, what: &Sentence) {
        (self.heard)(RecordingEvent::Remark(what));
    }
}
