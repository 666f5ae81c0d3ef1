//! A server of tools behind streamable HTTP, asked one message at a time. What the messages say is
//! the caller's.

use crate::http::{BaseUrl, Client, client, deepest, header};
use koab_core::sensitive::Sensitive;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_core::{say, text};
use koab_engine::egress::Purpose;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName};
use std::sync::{Mutex, PoisonError};

/// A server at an address. What it says of its session is sent back with each message.
#[derive(Debug)]
pub struct ToolServer {
    client: Client,
    address: BaseUrl,
    header: Option<(HeaderName, Sensitive<String>)>,
    session: Mutex<Option<String>>,
}

/// What came back for one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageAnswer {
    /// The status.
    pub status: u16,
    /// Whether the body is a stream of events.
    pub events: bool,
    /// The body.
    pub body: String,
}

impl ToolServer {
    /// A server at this address. A header may hold a key: `Name: value`, or a value alone, which is
    /// that of `Authorization: Bearer`.
    ///
    /// # Errors
    /// One sentence, when address or header cannot be one.
    pub fn new(address: &str, given: Option<&Sensitive<String>>) -> Result<Self, Sentence> {
        let address = BaseUrl::parse(address).map_err(|error| error.to_sentence())?;
        let client = client(&address, Purpose::Service)
            .map_err(|error| say!("no connection can be made: {}", error.to_string()))?;
        let header = given.map(|given| {
            let text = given.expose().trim();
            let (name, value) = match text.split_once(": ") {
                Some((name, value)) => (name, value.to_owned()),
                None => ("authorization", format!("Bearer {text}")),
            };
            let name = name.parse::<HeaderName>().ok()?;
            header(&value).ok()?;
            Some((name, Sensitive::new(value)))
        });
        let header = match header {
            Some(None) => {
                return Err(say!("the variable with the header has letters that no header has"));
            }
            Some(header) => header,
            None => None,
        };
        Ok(Self { client, address, header, session: Mutex::default() })
    }

    /// The address, without what looks like a key.
    pub fn shown(&self) -> String {
        self.address.shown()
    }

    /// Sends one message; `version` is that of the protocol once it is known, `method` and `name`
    /// what the newest version repeats in headers.
    ///
    /// # Errors
    /// One sentence, when koab is offline or nothing comes back.
    pub async fn post(&self, message: String, version: Option<&str>) -> Result<MessageAnswer, Sentence> {
        let failed = |why: Sentence| say!("the server at {} cannot be asked: {why}", self.address.shown());
        let mut request = self
            .client
            .post(self.address.itself())
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json")
            .body(message);
        if let Some((name, value)) = &self.header {
            let value =
                header(value.expose()).map_err(|_| failed(text!("its header cannot be sent").into()))?;
            request = request.header(name.clone(), value);
        }
        if let Some(version) = version {
            request = request.header("mcp-protocol-version", version);
        }
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        let response = request.send().await.map_err(|error| failed(deepest(&error)))?;
        let status = response.status().as_u16();
        let text_of = |name: &str| {
            let value = response.headers().get(name).and_then(|value| value.to_str().ok());
            value.map(str::to_owned)
        };
        if let Some(session) = text_of("mcp-session-id") {
            *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
        }
        let events = text_of("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
        let body = response.bytes().await.map_err(|error| failed(deepest(&error)))?;
        // As it came: read with other letters it would be another answer.
        let body = String::from_utf8(body).map_err(|_| failed(text!("its answer is not UTF-8").into()))?;
        Ok(MessageAnswer { status, events, body })
    }
}
