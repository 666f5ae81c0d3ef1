//! Recording over HTTP: clients send requests to the recorder, which forwards them to the server
//! and records answers to calls.

use crate::capture::{AnsweredCall, Capture, name_of};
use crate::checked_request::CheckedRequest;
use crate::client::{Answered, Client, NoAnswer};
use crate::form::{ServerForm, raw};
use crate::handshake::rubbish;
use crate::recorder::Recorder;
use crate::request::RecordOutcome;
use async_trait::async_trait;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_mcp::http::{self, HttpAnswer};
use koab_mcp::listener::{HttpHandler, HttpRequest, Listener};
use koab_mcp::message::{self, INTERNAL_ERROR};
use koab_mcp::{RawValue, Server, ServerProfile, ToolAnswer, ToolCall, ToolOffer, Tools};
use koab_workspace::WireError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Time for waiting clients to receive the error when the server has ended.
const ERROR_GRACE: Duration = Duration::from_millis(200);

/// A recorder that clients can connect to.
pub(crate) struct Listening {
    /// URL for clients.
    pub(crate) url: String,
    /// Recorded calls and the server's description of itself.
    pub(crate) capture: Arc<Mutex<Capture>>,
}

impl Recorder {
    /// Records the calls of clients over HTTP until `stop` is cancelled or the server ends.
    pub(crate) async fn listen(
        &self,
        ready: &CheckedRequest,
        listener: Listener,
        listening: impl FnOnce(Listening),
        stop: &CancellationToken,
    ) -> Result<RecordOutcome, WireError> {
        let limit = ready.request.limit;
        let (client, mut capture) = tokio::select! {
            connection = self.connect(ready, limit) => connection?,
            // The server ends when the cancelled handshake is dropped.
            () = stop.cancelled() => {
                let why = say!("stopped before the server had answered");
                return Err(WireError::cancelled(why));
            }
        };
        capture.begin_session();
        let token = token()?;
        let (profile, offers) = (profile(&capture.recorded.server), offers(&capture.recorded.server));
        let (client, capture) = (Arc::new(client), Arc::new(Mutex::new(capture)));
        listening(Listening {
            url: format!("http://{}/mcp/{}", listener.address(), token.expose()),
            capture: Arc::clone(&capture),
        });
        let until = stop.child_token();
        let gone = async {
            client.gone().await;
            tokio::time::sleep(ERROR_GRACE).await;
            until.cancel();
            std::future::pending().await
        };
        let live =
            RecordedTools { client: Arc::clone(&client), capture: Arc::clone(&capture), offers, limit };
        let front = ServerFront { server: Server::new(profile, Arc::new(live)), token };
        tokio::select! {
            () = listener.serve(Arc::new(front), until.clone()) => {}
            () = gone => {}
        }
        let failed = client.ended();
        let mut capture = {
            let mut capture = capture.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *capture, ready.capture())
        };
        rubbish(&mut capture, &client);
        if let Ok(client) = Arc::try_unwrap(client) {
            client.leave().await;
        }
        self.keep(ready, capture, failed)
    }
}

/// Random token of 128 bits, in characters that are valid in a path.
///
/// Clients use the server's tools with the user's rights. The token prevents other users of this
/// computer from doing so.
fn token() -> Result<Sensitive<String>, WireError> {
    let mut bytes = [0; 16];
    aws_lc_rs::rand::fill(&mut bytes)
        .map_err(|_| WireError::internal(say!("the system gives no randomness")))?;
    Ok(Sensitive::new(URL_SAFE_NO_PAD.encode(bytes)))
}

/// HTTP server in front of the server that is recorded.
pub(crate) struct ServerFront {
    server: Server,
    token: Sensitive<String>,
}

#[async_trait]
impl HttpHandler for ServerFront {
    async fn answer(&self, asked: HttpRequest) -> HttpAnswer {
        let token = http::token(&asked.headers, &asked.uri).unwrap_or_default();
        if verify_slices_are_equal(token.as_bytes(), self.token.expose().as_bytes()).is_err() {
            return HttpAnswer::refused(
                401,
                "the address is the one that was shown, with what follows /mcp/",
            );
        }
        http::answer(&self.server, &asked.method, &asked.body).await
    }
}

/// Tools of a server that is being recorded.
pub(crate) struct RecordedTools {
    pub(crate) client: Arc<Client>,
    pub(crate) capture: Arc<Mutex<Capture>>,
    pub(crate) offers: Vec<ToolOffer>,
    pub(crate) limit: Duration,
}

/// Profile with the recorded server's description, so that clients see the same description as from
/// the recorded server.
pub(crate) fn profile(server: &ServerForm) -> ServerProfile {
    ServerProfile {
        info: raw(&server.info),
        capabilities: raw(&server.capabilities),
        instructions: server.instructions.as_deref().map(raw),
        handshake: None,
        modern: true,
    }
}

/// Tools to offer to clients, as the recorded server lists them.
pub(crate) fn offers(server: &ServerForm) -> Vec<ToolOffer> {
    let offer = |tool: &String| ToolOffer { name: name_of(tool).unwrap_or_default(), text: raw(tool) };
    server.tools.iter().map(offer).collect()
}

/// Guard of a call that waits for its answer. If the guard is dropped before the answer arrives,
/// the call is counted as unanswered.
///
/// This happens when the client disconnects or the recording is stopped.
struct CallGuard<'a> {
    live: &'a RecordedTools,
    tool: &'a str,
    over: bool,
}

impl Drop for CallGuard<'_> {
    fn drop(&mut self) {
        if !self.over {
            let why = say!("its client left, or the recording was stopped, before the answer came");
            self.live.unanswered(self.tool, &why);
        }
    }
}

impl RecordedTools {
    fn capture(&self) -> MutexGuard<'_, Capture> {
        self.capture.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unanswered(&self, tool: &str, why: &Sentence) {
        self.capture().unanswered(tool, why);
    }

    fn tool_answer(&self, answered: Result<Answered, NoAnswer>) -> ToolAnswer {
        match answered {
            Ok(Answered::Result(result)) => ToolAnswer::Result(result),
            Ok(Answered::Error(error)) => ToolAnswer::Error(error),
            Err(none) => {
                let why = none.sentence(self.limit);
                ToolAnswer::Error(message::error(INTERNAL_ERROR, &why.to_string()))
            }
        }
    }
}

#[async_trait]
impl Tools for RecordedTools {
    fn list(&self) -> Vec<ToolOffer> {
        self.offers.clone()
    }

    async fn call(&self, call: ToolCall<'_>) -> ToolAnswer {
        let since = Instant::now();
        let session = self.capture().ask();
        let mut guard = CallGuard { live: self, tool: call.name, over: false };
        let result = self.client.call(call.name, call.arguments).await;
        guard.over = true;
        drop(guard);
        match &result {
            Ok(answered) => self.capture().keep(&AnsweredCall {
                session,
                played: None,
                tool: call.name,
                arguments: call.arguments.map(RawValue::get),
                answered,
                took: since.elapsed(),
            }),
            Err(none @ (NoAnswer::TimeOver | NoAnswer::Unreadable(_))) => {
                self.unanswered(call.name, &none.sentence(self.limit));
            }
            // This ends the recording, which reports it.
            Err(NoAnswer::Ended(_)) => {}
        }
        self.tool_answer(result)
    }

    async fn other(&self, method: &str, params: Option<&RawValue>) -> Option<ToolAnswer> {
        if method.starts_with("server/") || method.starts_with("tools/") {
            return None;
        }
        self.capture().pass(method);
        let none = raw("{}");
        let result = self.client.ask(method, params.unwrap_or(&none)).await;
        Some(self.tool_answer(result))
    }
}
