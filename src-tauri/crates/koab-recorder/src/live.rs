//! The live server that a replay calls. It answers calls that are not recorded, and its answers are
//! saved next to the pack.
//!
//! The server is started at the first call that is not recorded, and then answers such calls of all
//! sessions. It never receives the calls that the recording has answered.

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

/// Maximum number of characters of a tool's name in a message.
const MAX_TOOL_CHARS: usize = 100;
/// Origin of the saved answers, as the overlay of saved answers stores it.
const ORIGIN: &str = "pack replay --live";

/// Live server for calls that a recording does not contain.
#[derive(Clone)]
pub struct LiveServer {
    /// Command or URL of the server.
    pub server: ServerAt,
    /// Names of environment variables that the server gets in addition to PATH, HOME and LANG.
    pub env: Vec<String>,
    /// Time limit of one answer.
    pub limit: Duration,
    /// Listener for calls that were not answered or not saved.
    pub heard: OnRecordingEvent,
}

/// Live server of a replay, with the answers that were saved earlier.
pub(crate) struct Live {
    recorder: Recorder,
    ready: CheckedRequest,
    secrets: Secrets,
    catalog: ToolCatalog,
    overlay: Overlay,
    heard: OnRecordingEvent,
    started: Mutex<Option<Arc<Client>>>,
}

impl Live {
    /// Live server for a replay of a pack, by the pack's name without a version. `work` is the
    /// caller's working folder.
    ///
    /// # Errors
    /// When the request is invalid, koab is offline, or the workspace cannot be opened.
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
            started: Mutex::default(),
        })
    }

    /// Answer to a call that is not recorded: the saved answer of an earlier call, otherwise the
    /// server's answer. `None` when the server does not answer.
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
        let display_name = self.secrets.clipped(tool, MAX_TOOL_CHARS);
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
                    self.keep(tool, (normalized, &args), &result, &display_name);
                }
                Some(ToolAnswer::Result(result))
            }
            Err(none) => {
                if matches!(none, NoAnswer::Ended(_)) {
                    // The next call that misses starts the server again.
                    self.started.lock().await.take();
                }
                let why = none.sentence(self.ready.request.limit);
                self.tell(&say!("the server gave no answer to {named}: {why}", named = display_name));
                None
            }
        }
    }

    /// Ends the server.
    pub(crate) async fn leave(&self) {
        let client = self.started.lock().await.take();
        if let Some(client) = client.and_then(Arc::into_inner) {
            client.leave().await;
        }
    }

    /// Client of the server, which is started if necessary.
    async fn client(&self) -> Result<Arc<Client>, WireError> {
        let mut started = self.started.lock().await;
        if let Some(client) = &*started {
            return Ok(Arc::clone(client));
        }
        let (client, _) = self.recorder.connect(&self.ready, self.ready.request.limit).await?;
        Ok(Arc::clone(started.insert(Arc::new(client))))
    }

    /// Saves an answer next to the pack, except errors and answers that contain secrets.
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
        let arguments = Value::Object(args.clone()).to_string();
        let is_secret =
            [arguments.as_str(), result.get()].iter().any(|text| self.secrets.find(text).is_some());
        if is_secret {
            return self.tell(&say!(
                "an answer of {named} was not kept: it contains a value that the server was given, or shows environment variables"
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
