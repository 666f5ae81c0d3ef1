//! Records the calls between a client and a server on standard streams. Every line is forwarded
//! unchanged.

use crate::capture::{AnsweredCall, Capture};
use crate::client::{Answered, store_hello, store_tools};
use crate::link::{Incoming, Link};
use crate::tool_pages::ToolPages;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_mcp::exchange::{self, LineHandler, StreamError, exchange};
use koab_mcp::lines::Line;
use koab_mcp::message::{self, Kind};
use koab_mcp::params::{CallParams, CancelParams};
use koab_mcp::{Message, RawValue};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

/// Time limit for outstanding answers after the client has closed its input.
const ANSWER_GRACE: Duration = Duration::from_secs(10);
/// Time for the client to read the final error messages.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum number of a client's lines that wait for the server. At this number, no more lines are
/// read from the client.
const MAX_WAITING_LINES: usize = 64;
/// Id of the recorder's own requests, whose answers are not forwarded.
const OWN_ID: &str = "\"koab-tools\"";

/// A request that has not been answered yet.
enum PendingRequest {
    Call { session: u32, tool: String, arguments: Option<Box<RawValue>>, since: Instant },
    Greeting { modern: bool },
    List,
}

/// State of a recording between a client and a server.
struct RecordingBridge<'a> {
    capture: &'a mut Capture,
    link: &'a mut Link,
    /// Lines that wait for the server to read them.
    to_server: VecDeque<String>,
    pending: HashMap<String, PendingRequest>,
    /// Pages of the list of tools that have arrived.
    tools: ToolPages,
    listed: bool,
    /// Deadline for outstanding answers; set when the client closes its input.
    until: Option<tokio::time::Instant>,
    /// Answers that the recorder gives in the server's place.
    own: Vec<String>,
    failed: Option<Sentence>,
}

/// Result of a recording between a client and a server.
pub(crate) struct BridgeEnd {
    /// Reason why the recording ended early.
    pub(crate) failed: Option<Sentence>,
    /// Whether a client has done the handshake.
    pub(crate) greeted: bool,
    /// Whether the whole list of tools has been received.
    pub(crate) listed: bool,
}

/// Forwards lines until the client closes its input, the server ends, or `stop` is cancelled.
///
/// # Errors
/// When the input cannot be read.
pub(crate) async fn run(
    capture: &mut Capture,
    link: &mut Link,
    input: &mut (impl AsyncBufRead + Unpin),
    output: &mut (impl AsyncWrite + Unpin),
    stop: &CancellationToken,
) -> io::Result<BridgeEnd> {
    let mut bridge = RecordingBridge {
        capture,
        link,
        to_server: VecDeque::new(),
        pending: HashMap::new(),
        tools: ToolPages::default(),
        listed: false,
        until: None,
        own: Vec::new(),
        failed: None,
    };
    match exchange(&mut bridge, input, output, stop).await {
        // A client that closed its output first needs no more answers; what was recorded is kept
        // anyway.
        Ok(()) | Err(StreamError::Output(_)) => {}
        Err(StreamError::Input(error)) => return Err(error),
    }
    let RecordingBridge { capture, pending, listed, failed, .. } = bridge;
    if let Some(why) = &failed {
        // Waiting requests get an error. It is not an answer of the server.
        let why = message::error(message::INTERNAL_ERROR, &why.to_string());
        let waiting = pending.into_keys().filter(|id| id != OWN_ID);
        let refusals: Vec<String> =
            waiting.map(|id| message::refusal(Some(&crate::form::raw(&id)), &why)).collect();
        let _ = tokio::time::timeout(REFUSAL_TIMEOUT, exchange::tell(output, &refusals)).await;
    } else {
        for request in pending.into_values() {
            if let PendingRequest::Call { tool, .. } = request {
                capture.unanswered(&tool, &say!("no answer had come by the end of the recording"));
            }
        }
    }
    Ok(BridgeEnd { failed, greeted: !capture.recorded.server.protocol.is_empty(), listed })
}

impl LineHandler for RecordingBridge<'_> {
    fn take(&mut self, line: Line) {
        match line {
            Line::Text(text) => match String::from_utf8(text) {
                Ok(text) => self.asks(text),
                // Forwarding it with replaced characters would change the line, and the recording
                // would not be exact.
                Err(_) => self.refuse(
                    "the message is not UTF-8",
                    say!("the client sent a line that is not UTF-8; it was not passed on"),
                ),
            },
            Line::TooLong => self.refuse(
                "the message is too long",
                say!("the client sent a message that is too long to be passed on"),
            ),
        }
    }

    fn takes(&self) -> bool {
        self.to_server.len() < MAX_WAITING_LINES
    }

    fn closed(&mut self) {
        self.until = Some(tokio::time::Instant::now() + ANSWER_GRACE);
    }

    /// Whether to continue waiting for the server. The server may send messages while there is a
    /// client; after that, only outstanding answers are awaited.
    fn waits(&self) -> bool {
        self.until.is_none() || !self.pending.is_empty() || !self.own.is_empty() || !self.to_server.is_empty()
    }

    async fn next(&mut self) -> Option<Vec<String>> {
        if !self.own.is_empty() {
            return Some(std::mem::take(&mut self.own));
        }
        let deadline = async {
            match self.until {
                Some(until) => tokio::time::sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        let (to, from) = self.link.ends();
        let incoming = tokio::select! {
            () = deadline => return None,
            place = to.reserve(), if !self.to_server.is_empty() => {
                if let (Ok(place), Some(line)) = (place, self.to_server.pop_front()) {
                    place.send(line);
                } else {
                    // A server that has ended is reported by the end of its output.
                    self.to_server.clear();
                }
                return Some(Vec::new());
            }
            incoming = from.recv() => incoming,
        };
        let why = match incoming {
            Some(Incoming::Message(text)) => {
                let is_forwarded = self.answered(&text);
                return Some(is_forwarded.then_some(text).into_iter().collect());
            }
            Some(Incoming::Rubbish) => {
                self.capture.remark(say!(
                    "the server writes lines to standard output that are not messages; they were not passed on"
                ));
                return Some(Vec::new());
            }
            Some(Incoming::Unreadable { id, why }) => return Some(self.unreadable(&id, &why)),
            Some(Incoming::TooLong) => say!("the server sent a message that is too long to be read"),
            Some(Incoming::Ended(why)) => why,
            None => say!("the server ended"),
        };
        self.failed = Some(why);
        None
    }
}

impl RecordingBridge<'_> {
    /// Answers a line that cannot be forwarded with an error. The error has no id, because the line
    /// could not be read.
    fn refuse(&mut self, why: &str, remark: Sentence) {
        let error = message::error(message::INVALID_REQUEST, why);
        self.own.push(message::refusal(None, &error));
        self.capture.remark(remark);
    }

    /// Handles an answer that is not a valid message: the client gets an error from the recorder,
    /// and nothing is recorded.
    fn unreadable(&mut self, id: &str, why: &Sentence) -> Vec<String> {
        match self.pending.remove(id) {
            Some(PendingRequest::Call { tool, .. }) => self.capture.unanswered(&tool, why),
            Some(PendingRequest::Greeting { .. } | PendingRequest::List) | None => {
                self.capture.remark(why.clone())
            }
        }
        if id == OWN_ID {
            return Vec::new();
        }
        let error = message::error(message::INTERNAL_ERROR, &why.to_string());
        vec![message::refusal(Some(&crate::form::raw(id)), &error)]
    }

    /// Handles a line of the client and forwards it to the server.
    fn asks(&mut self, text: String) {
        let Ok(message) = Message::read(text.as_bytes()) else {
            // The server answers invalid lines itself.
            self.to_server.push_back(text);
            return;
        };
        let method = message.method.as_deref().unwrap_or_default();
        match (message.kind(), &message.id) {
            (Kind::Request, Some(id)) => {
                let request = match method {
                    "tools/call" => message.params_as::<CallParams>().map(|call| PendingRequest::Call {
                        session: self.capture.ask(),
                        tool: call.name,
                        arguments: call.arguments,
                        since: Instant::now(),
                    }),
                    "initialize" => {
                        self.capture.begin_session();
                        Some(PendingRequest::Greeting { modern: false })
                    }
                    "server/discover" => {
                        self.capture.begin_session();
                        Some(PendingRequest::Greeting { modern: true })
                    }
                    "tools/list" => Some(PendingRequest::List),
                    "ping" => None,
                    method => {
                        self.capture.pass(method);
                        None
                    }
                };
                if let Some(request) = request {
                    self.pending.insert(id.get().to_owned(), request);
                }
                self.to_server.push_back(text);
            }
            (Kind::Notification, _) => {
                if method == "notifications/cancelled"
                    && let Some(cancelled) = message.params_as::<CancelParams>()
                {
                    self.pending.remove(cancelled.id.get());
                }
                let ready = method == "notifications/initialized";
                self.to_server.push_back(text);
                if ready && !self.listed {
                    self.list(None);
                }
            }
            _ => self.to_server.push_back(text),
        }
    }

    /// Requests the list of tools, or the next page of it.
    fn list(&mut self, cursor: Option<&str>) {
        let params = match cursor {
            Some(cursor) => serde_json::json!({ "cursor": cursor }),
            None => serde_json::json!({}),
        };
        self.to_server.push_back(format!(
            r#"{{"jsonrpc":"2.0","id":{OWN_ID},"method":"tools/list","params":{params}}}"#
        ));
        self.pending.insert(OWN_ID.to_owned(), PendingRequest::List);
    }

    /// Handles a message of the server. Returns whether it is forwarded to the client.
    fn answered(&mut self, text: &str) -> bool {
        let Ok(message) = Message::read(text.as_bytes()) else {
            return true;
        };
        let (Kind::Answer, Some(id)) = (message.kind(), &message.id) else {
            if message.kind() == Kind::Request {
                self.capture.pass(message.method.as_deref().unwrap_or_default());
            }
            return true;
        };
        let own = id.get() == OWN_ID;
        let Some(request) = self.pending.remove(id.get()) else {
            return !own;
        };
        let answer = message.result.map(Answered::Result).or(message.error.map(Answered::Error));
        let Some(answer) = answer else { return !own };
        match (request, &answer) {
            (PendingRequest::Call { session, tool, arguments, since }, answered) => {
                self.capture.keep(&AnsweredCall {
                    session,
                    played: None,
                    tool: &tool,
                    arguments: arguments.as_deref().map(RawValue::get),
                    answered,
                    took: since.elapsed(),
                })
            }
            (PendingRequest::Greeting { modern }, Answered::Result(result)) => {
                store_hello(&mut self.capture.recorded.server, result, modern);
            }
            // Protocol versions without a handshake have no moment for a request of the recorder's
            // own, so the client's lists are used.
            (PendingRequest::List, Answered::Result(result))
                if own || self.capture.recorded.server.modern =>
            {
                match self.tools.add(result) {
                    Ok(Some(next)) if own => self.list(Some(&next)),
                    Ok(Some(_)) => {}
                    Ok(None) => {
                        store_tools(&mut self.capture.recorded.server, self.tools.take());
                        self.listed = true;
                    }
                    Err(why) => self.capture.remark(why),
                }
            }
            _ => {}
        }
        !own
    }
}
