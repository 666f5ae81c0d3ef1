//! Standing between a client and a server on standard streams: every line goes on as it came, and
//! answers to calls are kept.

use crate::capture::{AnsweredCall, Capture};
use crate::client::{Answered, greeted, listed};
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

/// How long what was asked may still be answered once the client has nothing more to say.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// How long the end waits for a client to read why there is no answer.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Lines of a client that wait for the server to read them; then no more are read.
const LINES: usize = 64;
/// Ids of our own requests, which no client sees the answers to.
const OWN: &str = "\"koab-tools\"";

/// What was asked and is not answered yet.
enum PendingRequest {
    Call { session: u32, tool: String, arguments: Option<Box<RawValue>>, since: Instant },
    Greeting { modern: bool },
    List,
}

/// What goes on between the two.
struct RecordingBridge<'a> {
    capture: &'a mut Capture,
    link: &'a mut Link,
    /// What waits for the server to read it.
    to_server: VecDeque<String>,
    asked: HashMap<String, PendingRequest>,
    /// The list of tools, as far as it has come.
    tools: ToolPages,
    listed: bool,
    /// Whether the client may say more, and else until when what it asked may be answered.
    until: Option<tokio::time::Instant>,
    /// What we answer in the server's place.
    own: Vec<String>,
    failed: Option<Sentence>,
}

/// What was found out about the server by the end.
pub(crate) struct BridgeEnd {
    /// Why it ended early.
    pub(crate) failed: Option<Sentence>,
    /// Whether a client greeted it.
    pub(crate) greeted: bool,
    /// Whether its tools are known.
    pub(crate) listed: bool,
}

/// Hands lines on until the client has nothing more to say, the server ends, or `stop`.
///
/// # Errors
/// When a stream of our own breaks.
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
        asked: HashMap::new(),
        tools: ToolPages::default(),
        listed: false,
        until: None,
        own: Vec::new(),
        failed: None,
    };
    match exchange(&mut bridge, input, output, stop).await {
        // A client that left without a word has heard enough; what it asked is kept all the same.
        Ok(()) | Err(StreamError::Output(_)) => {}
        Err(StreamError::Input(error)) => return Err(error),
    }
    let RecordingBridge { capture, asked, listed, failed, .. } = bridge;
    if let Some(why) = &failed {
        // Whoever waits is not left waiting; none of this is an answer of the server's.
        let why = message::error(message::INTERNAL_ERROR, &why.to_string());
        let waiting = asked.into_keys().filter(|id| id != OWN);
        let refused: Vec<String> =
            waiting.map(|id| message::refusal(Some(&crate::form::raw(&id)), &why)).collect();
        let _ = tokio::time::timeout(LAST_WORDS, exchange::tell(output, &refused)).await;
    } else {
        for asked in asked.into_values() {
            if let PendingRequest::Call { tool, .. } = asked {
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
                // Passed on with other letters it would be another line, and such a recording no
                // longer what was said.
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
        self.to_server.len() < LINES
    }

    fn closed(&mut self) {
        self.until = Some(tokio::time::Instant::now() + LAST_ANSWERS);
    }

    /// The server may speak by itself as long as there is a client, and then what was asked is
    /// still to come.
    fn waits(&self) -> bool {
        self.until.is_none() || !self.asked.is_empty() || !self.own.is_empty() || !self.to_server.is_empty()
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
                    // Who is gone is found out by its end.
                    self.to_server.clear();
                }
                return Some(Vec::new());
            }
            incoming = from.recv() => incoming,
        };
        let why = match incoming {
            Some(Incoming::Message(text)) => {
                let goes_on = self.answered(&text);
                return Some(goes_on.then_some(text).into_iter().collect());
            }
            Some(Incoming::Rubbish) => {
                self.capture.remark(say!(
                    "the server writes lines to standard output that are no messages; they were not passed on"
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
    /// Answers a line in the server's place that cannot be passed on: nobody knows what it asked.
    fn refuse(&mut self, why: &str, told: Sentence) {
        let error = message::error(message::INVALID_REQUEST, why);
        self.own.push(message::refusal(None, &error));
        self.capture.remark(told);
    }

    /// What came for a request is no message: whoever asked hears it from us, and nothing of it is
    /// kept.
    fn unreadable(&mut self, id: &str, why: &Sentence) -> Vec<String> {
        match self.asked.remove(id) {
            Some(PendingRequest::Call { tool, .. }) => self.capture.unanswered(&tool, why),
            Some(PendingRequest::Greeting { .. } | PendingRequest::List) | None => {
                self.capture.remark(why.clone())
            }
        }
        if id == OWN {
            return Vec::new();
        }
        let error = message::error(message::INTERNAL_ERROR, &why.to_string());
        vec![message::refusal(Some(&crate::form::raw(id)), &error)]
    }

    /// Something that the client says, which goes on to the server.
    fn asks(&mut self, text: String) {
        let Ok(message) = Message::read(text.as_bytes()) else {
            // The server says what it thinks of it.
            self.to_server.push_back(text);
            return;
        };
        let method = message.method.as_deref().unwrap_or_default();
        match (message.kind(), &message.id) {
            (Kind::Request, Some(id)) => {
                let asked = match method {
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
                if let Some(asked) = asked {
                    self.asked.insert(id.get().to_owned(), asked);
                }
                self.to_server.push_back(text);
            }
            (Kind::Notification, _) => {
                if method == "notifications/cancelled"
                    && let Some(cancelled) = message.params_as::<CancelParams>()
                {
                    self.asked.remove(cancelled.id.get());
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

    /// Asks for the tools, or for the next page of them.
    fn list(&mut self, cursor: Option<&str>) {
        let params = match cursor {
            Some(cursor) => serde_json::json!({ "cursor": cursor }),
            None => serde_json::json!({}),
        };
        self.to_server
            .push_back(format!(r#"{{"jsonrpc":"2.0","id":{OWN},"method":"tools/list","params":{params}}}"#));
        self.asked.insert(OWN.to_owned(), PendingRequest::List);
    }

    /// Something that the server says; whether it goes on to the client.
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
        let own = id.get() == OWN;
        let Some(asked) = self.asked.remove(id.get()) else {
            return !own;
        };
        let answered = message.result.map(Answered::Result).or(message.error.map(Answered::Error));
        let Some(answered) = answered else { return !own };
        match (asked, &answered) {
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
                greeted(&mut self.capture.recorded.server, result, modern);
            }
            // A version without a handshake has no moment at which we could ask by ourselves: the
            // client's own lists are taken.
            (PendingRequest::List, Answered::Result(result))
                if own || self.capture.recorded.server.modern =>
            {
                match self.tools.add(result) {
                    Ok(Some(next)) if own => self.list(Some(&next)),
                    Ok(Some(_)) => {}
                    Ok(None) => {
                        listed(&mut self.capture.recorded.server, self.tools.take());
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
