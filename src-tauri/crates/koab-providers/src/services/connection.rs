//! The connection to one service: it sends requests at the service's pace, and names failures
//! without addresses or keys.

use super::info::{BadService, ServiceInfo};
use super::token::IssuedLogin;
use crate::http::{self, BaseUrl, Client, Failure, Network, client, deepest, header, shorten};
use koab_core::say;
use koab_core::secrets::Secrets;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_engine::egress::Purpose;
use koab_engine::ports::ServiceFault;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until};

/// Time limit of one request. The published tools have none for half of the services, which may
/// hang a run.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum bytes of an answer; the largest recorded one has 1.3 MB.
const MAX_BODY_BYTES: usize = 16 << 20;

/// Maximum number of concurrent requests to one service.
const MAX_CONCURRENT: usize = 4;

/// Minimum time between two requests to one service: at most ten per second, which all of them
/// allow.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

/// Connection to a service.
pub(super) struct Connection {
    info: &'static ServiceInfo,
    client: Client,
    base: BaseUrl,
    keys: Vec<Sensitive<String>>,
    secrets: Mutex<Secrets>,
    room: Semaphore,
    next: tokio::sync::Mutex<Instant>,
}

impl Connection {
    pub(super) fn open(
        network: &Network,
        info: &'static ServiceInfo,
        base: BaseUrl,
        keys: Vec<Sensitive<String>>,
    ) -> Result<Self, BadService> {
        let client = client(network, &base, Purpose::Service)
            .map_err(|error| BadService::Client { title: info.title, cause: deepest(&error) })?;
        let secrets = http::secrets_of(keys.iter().map(Sensitive::expose));
        Ok(Self {
            info,
            client,
            base,
            keys,
            secrets: Mutex::new(secrets),
            room: Semaphore::new(MAX_CONCURRENT),
            next: tokio::sync::Mutex::new(Instant::now()),
        })
    }

    pub(super) fn base(&self) -> &BaseUrl {
        &self.base
    }

    /// Network of the requests.
    pub(super) fn network(&self) -> &Network {
        self.client.network()
    }

    /// The key at a position of [`ServiceInfo::keys`].
    pub(super) fn key(&self, at: usize) -> &str {
        self.keys.get(at).map(|key| key.expose().as_str()).unwrap_or_default()
    }

    /// The key at a position of [`ServiceInfo::keys`] as a header value, after a prefix such as
    /// `KakaoAK `.
    pub(super) fn key_header(&self, at: usize, word: &str) -> Result<HeaderValue, BadService> {
        header(&format!("{word}{}", self.key(at)))
            .map_err(|_| BadService::Key { name: self.info.keys.get(at).copied().unwrap_or_default() })
    }

    /// The header value of a bearer login.
    pub(super) fn bearer(&self, token: &Sensitive<String>) -> Result<HeaderValue, ServiceFault> {
        header(&format!("Bearer {}", token.expose()))
            .map_err(|_| self.strange(say!("its login has characters that a request cannot have")))
    }

    /// The login that a service's answer contains.
    pub(super) fn issued_login(&self, answer: &Answer) -> Result<IssuedLogin, ServiceFault> {
        let body = answer.ok_json(self)?;
        match body["access_token"].as_str() {
            Some(token) if !token.is_empty() => Ok(IssuedLogin {
                value: Sensitive::new(token.to_owned()),
                seconds: body["expires_in"].as_u64(),
            }),
            _ => Err(self.reports(&complaint(&body))),
        }
    }

    /// Texts that must not be shown: keys and logins.
    pub(super) fn secrets(&self) -> Secrets {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds a text that must not be shown, such as a login.
    pub(super) fn hide(&self, secret: &Sensitive<String>) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        *secrets = secrets.and(secret.expose());
    }

    pub(super) fn get(&self, path: &str) -> ServiceRequest<'_> {
        self.ask(Method::GET, path)
    }

    pub(super) fn post(&self, path: &str) -> ServiceRequest<'_> {
        self.ask(Method::POST, path)
    }

    fn ask(&self, method: Method, path: &str) -> ServiceRequest<'_> {
        ServiceRequest {
            line: self,
            method,
            url: self.base.join(path),
            headers: HeaderMap::new(),
            body: String::new(),
        }
    }

    /// Fault: the service reports an error.
    pub(super) fn reports(&self, message: &str) -> ServiceFault {
        self.fault(say!("{} reports an error: {}", self.info.title, self.fit(message)))
    }

    /// Fault: the service's answer is invalid.
    pub(super) fn strange(&self, what: impl Into<Sentence>) -> ServiceFault {
        self.fault(say!(
            "the answer of {} cannot be used: {}",
            self.info.title,
            what.into().with_words(&|text| self.fit(text))
        ))
    }

    /// Fault: the arguments are invalid, so no request is sent.
    pub(super) fn refuses(&self, why: impl Into<Sentence>) -> ServiceFault {
        self.fault(why.into())
    }

    fn fault(&self, message: Sentence) -> ServiceFault {
        ServiceFault { message, shown: None, offline: None }
    }

    /// Shortens a service's text for a log. Keys are removed before shortening, since shortening
    /// may leave half of a key.
    fn fit(&self, text: &str) -> String {
        shorten(&self.secrets().text(text))
    }

    async fn enter(&self) -> Option<SemaphorePermit<'_>> {
        let place = self.room.acquire().await.ok();
        let mut next = self.next.lock().await;
        let at = (*next).max(Instant::now());
        *next = at + MIN_INTERVAL;
        drop(next);
        sleep_until(at).await;
        place
    }
}

/// Adds to a fault the value that the model receives instead of the error message.
pub(super) fn showing(mut fault: ServiceFault, shown: Value) -> ServiceFault {
    fault.shown = Some(shown);
    fault
}

/// Builder of a request.
pub(super) struct ServiceRequest<'a> {
    line: &'a Connection,
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: String,
}

impl ServiceRequest<'_> {
    /// Adds a parameter of the query, form-encoded.
    pub(super) fn query(mut self, name: &str, value: impl AsRef<str>) -> Self {
        self.url.query_pairs_mut().append_pair(name, value.as_ref());
        self
    }

    /// Adds a parameter of the query if there is a value.
    pub(super) fn query_if(self, name: &str, value: Option<impl AsRef<str>>) -> Self {
        match value {
            Some(value) => self.query(name, value),
            None => self,
        }
    }

    /// Adds a header by its lower-case name.
    pub(super) fn header(mut self, name: &'static str, value: HeaderValue) -> Self {
        self.headers.insert(HeaderName::from_static(name), value);
        self
    }

    pub(super) fn accept_json(self) -> Self {
        self.header("accept", HeaderValue::from_static("application/json"))
    }

    pub(super) fn json(self, body: &Value) -> Self {
        self.json_as("application/json", body)
    }

    /// Sets a JSON body with a content type in the service's own spelling.
    pub(super) fn json_as(mut self, kind: &'static str, body: &Value) -> Self {
        self.body = body.to_string();
        self.header("content-type", HeaderValue::from_static(kind))
    }

    /// Sets a form as the body.
    pub(super) fn form(mut self, fields: &[(&str, &str)]) -> Self {
        let mut form = self.line.base.join("");
        form.set_query(None);
        form.query_pairs_mut().extend_pairs(fields);
        self.body = form.query().unwrap_or_default().to_owned();
        self.header("content-type", HeaderValue::from_static("application/x-www-form-urlencoded"))
    }

    /// Sends the request at the service's pace, and reads the whole answer.
    pub(super) async fn send(self) -> Result<Answer, ServiceFault> {
        let (line, title) = (self.line, self.line.info.title);
        let _place = line.enter().await;
        let failed = |error: Failure| {
            if let Some(offline) = error.offline() {
                return offline.clone().into();
            }
            line.fault(if error.is_timeout() {
                say!("{title} did not answer within {} s", REQUEST_TIMEOUT.as_secs())
            } else if error.is_connect() {
                say!(
                    "{title} cannot be reached: {}",
                    deepest(&error.without_url()).with_words(&|text| line.fit(text))
                )
            } else {
                say!(
                    "the connection to {title} broke: {}",
                    deepest(&error.without_url()).with_words(&|text| line.fit(text))
                )
            })
        };
        let mut request =
            line.client.request(self.method, self.url).headers(self.headers).timeout(REQUEST_TIMEOUT);
        if !self.body.is_empty() {
            request = request.body(self.body);
        }
        let mut response = request.send().await.map_err(failed)?;
        let (status, html) = (response.status().as_u16(), crate::http::is_html(response.headers()));
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(failed)? {
            body.extend_from_slice(&piece);
            if body.len() > MAX_BODY_BYTES {
                return Err(line.strange(say!("it is larger than 16 MiB")));
            }
        }
        Ok(Answer { status, html, body })
    }
}

/// A whole answer.
pub(super) struct Answer {
    pub(super) status: u16,
    html: bool,
    body: Vec<u8>,
}

impl Answer {
    /// Whether the status is a success.
    pub(super) fn is_ok(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body as JSON; `None` if it is not JSON.
    pub(super) fn parsed(&self) -> Option<Value> {
        crate::http::is_roomy(&self.body).ok()?;
        serde_json::from_slice(&self.body).ok()
    }

    /// The body as text.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON, for any status.
    pub(super) fn json(&self, line: &Connection) -> Result<Value, ServiceFault> {
        match self.parsed() {
            Some(value) => Ok(value),
            None if self.is_ok() && self.body.is_empty() => Err(line.strange(say!("it is empty"))),
            None if self.is_ok() => Err(line.strange(say!("it is not JSON"))),
            None => Err(self.refused(line)),
        }
    }

    /// The body as JSON, if the status is a success.
    pub(super) fn ok_json(&self, line: &Connection) -> Result<Value, ServiceFault> {
        self.checked(line)?.json(line)
    }

    /// The answer, if its status is a success.
    pub(super) fn checked(&self, line: &Connection) -> Result<&Self, ServiceFault> {
        if self.is_ok() { Ok(self) } else { Err(self.refused(line)) }
    }

    /// Fault of an answer whose status is not a success.
    pub(super) fn refused(&self, line: &Connection) -> ServiceFault {
        let message = if self.html {
            "a web page".to_owned()
        } else {
            self.parsed().as_ref().map_or_else(|| self.text(), complaint)
        };
        let message = match message.trim() {
            "" => reqwest::StatusCode::from_u16(self.status)
                .ok()
                .and_then(|status| status.canonical_reason())
                .unwrap_or("no message")
                .to_owned(),
            message => message.to_owned(),
        };
        line.fault(say!("{} answered HTTP {}: {}", line.info.title, self.status, line.fit(&message)))
    }
}

/// The message in an error's body, at any of the places that these services use.
pub(super) fn complaint(body: &Value) -> String {
    const PLACES: [&str; 10] = [
        "/error/message",
        "/error/errorMessage",
        "/errorMessage",
        "/error_description",
        "/message",
        "/msg1",
        "/rsp_msg",
        "/msg",
        "/errorType",
        "/error",
    ];
    PLACES
        .iter()
        .find_map(|place| body.pointer(place)?.as_str())
        .map_or_else(|| body.to_string(), str::to_owned)
}

/// `{"error": …}`, the form of failures in several of the published tools.
pub(super) fn error_object(message: &Sentence) -> Value {
    json!({ "error": message.to_string() })
}
