//! Recording and replay of MCP tool servers (`docs/design/mcp.md`).
//!
//! [`Recorder`] starts or connects to a server, records the calls of a client or of a file, and
//! saves the answers exactly, as one of the user's packs.
//!
//! [`Recorder`] also replays such a pack without the server, and reports the drift of a newer
//! server.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod bridge;
mod calls;
mod capture;
mod checked_request;
mod client;
mod command_keys;
mod current;
mod drift;
mod form;
mod handshake;
mod link;
mod listen;
mod live;
mod matching;
mod normalize;
mod pack;
mod recorder;
mod replay;
mod request;
mod secrets;
mod tasks;
mod tool_changes;
mod tool_pages;
mod window;
mod wire;

pub use capture::unsteady;
pub use drift::{AnswerNow, ServerCallDrift, ServerDrift};
pub use form::{CallForm, OnRecordingEvent, Recorded, RecordingEvent, ServerForm};
pub use live::LiveServer;
pub use recorder::Recorder;
pub use replay::{OnMiss, ReplayMiss, ReplayOptions};
pub use request::{DriftRequest, RecordOutcome, RecordRequest, ServerAt};
pub use tool_changes::{ToolChange, ToolChangeKind};
pub use wire::{
    CallOutcome, RecordedCall, RecordedFacts, RecordingPhase, RecordingRequest, RecordingServer,
    RecordingSummary, RecordingView,
};

use capture::Capture;
use client::Client;
use handshake::{rubbish, unusable};
use koab_core::say;
use koab_mcp::listener::Listener;
use koab_mcp::stdio;
use koab_workspace::WireError;
use replay::{Sessions, Shared};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

impl Recorder {
    /// Makes the calls in a text, one per line, and records the answers. Messages use the name
    /// `shown` for the text.
    ///
    /// # Errors
    /// When the request is invalid, the server cannot be started or has no tools, or the disk
    /// refuses. A server that ends early is not an error; the answers before its end are saved.
    pub async fn record_calls(
        &self,
        request: RecordRequest,
        (calls, shown): (&str, &str),
        twice: bool,
        stop: &CancellationToken,
    ) -> Result<RecordOutcome, WireError> {
        let calls = calls::read(calls, shown)?;
        let ready = self.ready(request)?;
        let limit = ready.request.limit;
        let (client, mut capture) = self.connect(&ready, limit).await?;
        let failed = calls::play(&mut capture, &client, &calls, twice, limit, stop).await;
        if twice {
            capture.find_unsteady();
        }
        rubbish(&mut capture, &client);
        client.leave().await;
        self.keep(&ready, capture, failed)
    }

    /// Records the calls of a client on these streams, until the client closes its input or `stop`
    /// is cancelled.
    ///
    /// # Errors
    /// The errors of [`Recorder::record_calls`].
    pub async fn record_between(
        &self,
        request: RecordRequest,
        input: &mut (impl tokio::io::AsyncBufRead + Unpin),
        output: &mut (impl tokio::io::AsyncWrite + Unpin),
        stop: &CancellationToken,
    ) -> Result<RecordOutcome, WireError> {
        let ready = self.ready(request)?;
        let mut link = ready.link().map_err(unusable)?;
        let mut capture = ready.capture();
        let end =
            bridge::run(&mut capture, &mut link, input, output, stop).await.map_err(WireError::internal)?;
        let limit = Duration::from_secs(5).min(ready.request.limit);
        let client = Client::new(link, ready.secrets(), limit);
        if end.failed.is_none() && !end.listed {
            let form = &mut capture.recorded.server;
            let result = if end.greeted { client.list(form).await } else { client.greet(form).await };
            if let Err(why) = result {
                capture.remark(why);
            }
        }
        client.leave().await;
        self.keep(&ready, capture, end.failed)
    }

    /// Records the calls of clients over HTTP until `stop` is cancelled. `listening` receives the
    /// URL for clients.
    ///
    /// # Errors
    /// The errors of [`Recorder::record_calls`]; also when listening on the address fails.
    pub async fn record_listening(
        &self,
        request: RecordRequest,
        address: SocketAddr,
        listening: impl FnOnce(&str),
        stop: &CancellationToken,
    ) -> Result<RecordOutcome, WireError> {
        let ready = self.ready(request)?;
        let listener = bound(address).await?;
        self.listen(&ready, listener, |at| listening(&at.url), stop).await
    }

    /// The recording that a pack contains.
    ///
    /// # Errors
    /// When the pack does not exist, is not a recording, or cannot be read.
    pub fn recorded(&self, pack: &str) -> Result<Recorded, WireError> {
        let texts = self.workspace.store()?.recording(pack)?;
        let texts = texts.ok_or_else(|| {
            WireError::bad_request(say!(
                "the pack {pack} was not recorded from a server; record one with `koab pack record`"
            ))
        })?;
        Recorded::read(pack, &texts)
    }

    /// Replays a recording on these streams. Calls that are not recorded go to the live server, if
    /// the options name one.
    ///
    /// # Errors
    /// The errors of [`Recorder::recorded`]; also when a stream breaks or the live server may not
    /// be used.
    pub async fn replay_between(
        &self,
        pack: &str,
        options: ReplayOptions,
        on_miss: OnMiss,
        input: &mut (impl tokio::io::AsyncBufRead + Unpin),
        output: &mut (impl tokio::io::AsyncWrite + Unpin),
    ) -> Result<(), WireError> {
        let shared = self.shared(pack, options, on_miss)?;
        let server = shared.server();
        let served = stdio::serve(&server, input, output).await;
        shared.leave().await;
        served.map_err(WireError::internal)
    }

    /// Replays a recording over HTTP until `stop` is cancelled. `listening` receives the URL.
    ///
    /// # Errors
    /// The errors of [`Recorder::recorded`]; also when listening on the address fails.
    pub async fn replay_listening(
        &self,
        pack: &str,
        options: ReplayOptions,
        on_miss: OnMiss,
        (address, listening): (SocketAddr, impl FnOnce(&str)),
        stop: &CancellationToken,
    ) -> Result<(), WireError> {
        let shared = self.shared(pack, options, on_miss)?;
        let listener = bound(address).await?;
        listening(&format!("http://{}/mcp", listener.address()));
        let sessions = Arc::new(Sessions::new(Arc::clone(&shared)));
        listener.serve(sessions, stop.clone()).await;
        shared.leave().await;
        Ok(())
    }

    fn shared(&self, pack: &str, options: ReplayOptions, on_miss: OnMiss) -> Result<Arc<Shared>, WireError> {
        let recorded = self.recorded(pack)?;
        let name = self.workspace.store()?.pack_info(pack)?.manifest.name;
        let shared = Shared::new(self, (&name, recorded), options, on_miss)?;
        Ok(Arc::new(shared))
    }

    /// Compares a newer version of a server with the recording of the server. With `update`, the
    /// new answers become the pack's next version.
    ///
    /// # Errors
    /// The errors of [`Recorder::recorded`]; also when the server cannot be started.
    pub async fn drift(&self, request: DriftRequest) -> Result<ServerDrift, WireError> {
        let then = self.recorded(&request.pack)?;
        let store = self.workspace.store()?;
        let manifest = store.pack_info(&request.pack)?.manifest;
        let label = format!("{}@{}", manifest.name, manifest.version);
        let mut sessions: Vec<Vec<&CallForm>> = Vec::new();
        for call in &then.calls {
            match sessions.last_mut() {
                Some(session) if session[0].session == call.session => session.push(call),
                _ => sessions.push(vec![call]),
            }
        }
        let here = request.work.clone();
        let ready = self.ready(request.into_record(manifest.name, &then))?;
        let limit = ready.request.limit;
        let mut calls = Vec::new();
        let mut whole: Option<Capture> = None;
        // Each session gets a new server, as in the recording.
        for session in sessions.iter().map(Vec::as_slice).chain(sessions.is_empty().then_some(&[][..])) {
            let (client, capture) = self.connect(&ready, limit).await?;
            let capture = whole.get_or_insert(capture);
            calls.extend(drift::session(&then, session, (&client, capture), here.as_deref(), limit).await);
            client.leave().await;
        }
        let capture = whole.unwrap_or_else(|| ready.capture());
        let mut drift = drift::verdict(label, &then, &capture.recorded.server, calls);
        if ready.request.update {
            check_complete(&drift, &capture)?;
            let outcome = self.keep(&ready, capture, None)?;
            drift.updated = Some(outcome.label);
        }
        Ok(drift)
    }
}

/// Fails when some calls were not answered or not recorded, because these calls would be missing in
/// the new version of the pack.
fn check_complete(drift: &ServerDrift, capture: &Capture) -> Result<(), WireError> {
    let unanswered = drift.calls.iter().find_map(|call| Some((call.ordinal, call.why.as_ref()?)));
    match unanswered {
        Some((number, why)) => {
            Err(unusable(say!("the pack was not updated: call {number} was not answered: {why}")))
        }
        None => match capture.remarks.first() {
            Some(why) if capture.left_out > 0 => Err(unusable(say!("the pack was not updated: {why}"))),
            _ => Ok(()),
        },
    }
}

async fn bound(address: SocketAddr) -> Result<Listener, WireError> {
    if address.ip().is_unspecified() {
        return Err(unusable(say!(
            "{address} means every network of this computer; name one of its addresses, such as 127.0.0.1:0"
        )));
    }
    Listener::bind(address).await.map_err(|error| unusable(say!("{address} cannot be listened on: {error}")))
}
