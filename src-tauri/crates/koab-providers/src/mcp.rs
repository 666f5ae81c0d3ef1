//! Client of an MCP server, which offers tools over streamable HTTP. It sends one message at a
//! time. The caller defines the messages.

use crate::http::{BaseUrl, Client, Network, client, deepest, header};
use koab_core::sensitive::Sensitive;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_core::{say, text};
use koab_engine::egress::Purpose;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName};
use std::sync::{Mutex, PoisonError};

/// Client of an MCP server. It sends the session id that the server has given back with each
/// message.
#[derive(Debug)]
pub struct ToolServer {
    client: Client,
    address: BaseUrl,
    header: Option<(HeaderName, Sensitive<String>)>,
    session: Mutex<Option<String>>,
}

/// HTTP response to one message of the Model Context Protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageAnswer {
    /// HTTP status.
    pub status: u16,
    /// Whether the body is a stream of events.
    pub events: bool,
    /// Text of the body.
    pub body: String,
}

impl ToolServer {
    /// Creates a client of the server at an address. A header may hold a key: `Name: value`, or a
    /// value alone, which becomes `Authorization: Bearer`.
    ///
    /// # Errors
    /// One sentence, if the address or header is invalid.
    pub fn new(
        network: &Network,
        address: &str,
        authorization: Option<&Sensitive<String>>,
    ) -> Result<Self, Sentence> {
        let address = BaseUrl::parse(address).map_err(|error| error.to_sentence())?;
        let client = client(network, &address, Purpose::Service)
            .map_err(|error| say!("no connection can be made: {}", error.to_string()))?;
        let header = authorization.map(|text| {
            let text = text.expose().trim();
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
                return Err(say!("the variable with the header has characters that a header cannot have"));
            }
            Some(header) => header,
            None => None,
        };
        Ok(Self { client, address, header, session: Mutex::default() })
    }

    /// The address, without parts that look like a key.
    pub fn shown(&self) -> String {
        self.address.shown()
    }

    /// Sends one message.
    ///
    /// `version` is the protocol version once it is known.
    ///
    /// # Errors
    /// One sentence, if koab is offline or the server does not answer.
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
        // The answer is kept unchanged: with replaced characters it would be another answer.
        let body = String::from_utf8(body).map_err(|_| failed(text!("its answer is not UTF-8").into()))?;
        Ok(MessageAnswer { status, events, body })
    }
}
