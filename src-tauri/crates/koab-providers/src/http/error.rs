//! Converts failures of model servers to errors, in one place.
//!
//! Servers report errors as an HTTP status, in a body with status 200, or in the middle of a
//! stream. This module handles all three. No error contains a key, a password, or more than a few
//! lines of a server's text.

use crate::http::unpack::readable;
use crate::http::{Failure, LimitExceeded, Response, keys, wait};
use koab_core::say;
use koab_core::secrets::Secrets;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::text;
use koab_engine::egress;
use koab_engine::ports::{ModelError, ModelReply};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, LOCATION};
use serde_json::Value;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Maximum number of characters of a server's message.
const MAX_MESSAGE_CHARS: usize = 300;

/// Maximum number of bytes of an error's body.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// Time limit for an answer that is not a call of a run.
const CHECK_TIMEOUT: Duration = Duration::from_secs(10);

/// Message for an error whose body is a web page.
const PAGE: &str = "a web page";

/// Makes errors about one model at one address.
#[derive(Clone, Debug)]
pub(crate) struct Errors {
    url: String,
    model: String,
    /// Usual end of this protocol's addresses, such as `/v1`; may be empty.
    ending: &'static str,
    secrets: Secrets,
    /// Secrets that are removed from answers.
    of_answers: Secrets,
    /// List of the server's models, if it was requested; clones share it.
    models: Arc<OnceLock<String>>,
}

/// An error in the server's words, independent of its JSON form.
struct Complaint {
    message: String,
    /// The error's `code`, `type` and `status`, in lower case. Fields that are not words are left
    /// out.
    word: String,
    /// The error's `code`, if it is an HTTP status.
    status: Option<u16>,
    /// The wait that the error's details ask for.
    wait: Option<Duration>,
}

impl Errors {
    /// Creates the errors of a model at an address without secrets. `secrets` are removed from all
    /// texts of the server.
    pub(crate) fn new(
        url: String,
        model: &str,
        ending: &'static str,
        secrets: impl IntoIterator<Item = Sensitive<String>>,
    ) -> Self {
        let secrets: Vec<String> = secrets.into_iter().map(Sensitive::into_exposed).collect();
        Errors {
            url,
            model: model.to_owned(),
            ending,
            of_answers: keys::secrets_in_answers(&secrets),
            secrets: keys::secrets_of(secrets),
            models: Arc::default(),
        }
    }

    /// A copy that also removes `secret` from texts of the server.
    pub(crate) fn hiding(&self, secret: &Sensitive<String>) -> Self {
        Errors {
            secrets: self.secrets.and(secret.expose()),
            of_answers: self.of_answers.and(secret.expose()),
            ..self.clone()
        }
    }

    /// Removes the keys of the request from a model's reply.
    pub(crate) fn without_keys(&self, reply: ModelReply) -> ModelReply {
        keys::without(&self.of_answers, reply)
    }

    /// A copy for another address.
    pub(crate) fn at(&self, url: String) -> Self {
        Errors { url, ending: "", ..self.clone() }
    }

    /// Error of a server that refuses a token. A 4xx status of such a server always concerns the
    /// credentials.
    pub(crate) async fn refused_key(&self, response: Response) -> ModelError {
        match self.refused(response).await {
            ModelError::Http { url, status, message } if (400..500).contains(&status) => {
                ModelError::Unauthorized { url, status, message }
            }
            error => error,
        }
    }

    /// Limits the time of a request that is not a call of a run.
    pub(crate) async fn in_time<T>(
        &self,
        request: impl Future<Output = Result<T, ModelError>>,
    ) -> Result<T, ModelError> {
        let answer = tokio::time::timeout(CHECK_TIMEOUT, request).await;
        answer.map_err(|_| self.unreachable(say!("no answer within {} s", CHECK_TIMEOUT.as_secs())))?
    }

    /// Error: the server cannot be reached.
    pub(crate) fn unreachable(&self, cause: impl Into<Sentence>) -> ModelError {
        ModelError::Unreachable { url: self.url.clone(), cause: cause.into() }
    }

    /// Error: the answer broke off; a retry may help.
    pub(crate) fn broken(&self, cause: impl Into<Sentence>) -> ModelError {
        ModelError::BadAnswer {
            url: self.url.clone(),
            cause: cause.into().with_words(&|text| self.clean(text)),
            transient: true,
        }
    }

    /// Error: the answer has an unexpected form, and a retry would have the same result.
    pub(crate) fn strange(&self, cause: impl Into<Sentence>) -> ModelError {
        ModelError::BadAnswer {
            url: self.url.clone(),
            cause: cause.into().with_words(&|text| self.clean(text)),
            transient: false,
        }
    }

    /// Stores the list of the server's models. If the server refuses the requested model later, the
    /// error shows the list.
    pub(crate) fn offer(&self, models: &str) {
        let _ = self.models.set(self.clean(models));
    }

    /// Error: the server's list does not contain the model.
    pub(crate) fn unlisted_model(&self, models: &str) -> ModelError {
        self.unknown_model(say!("it has {}; choose one of them", self.clean(models)))
    }

    /// Error: the server refuses the model. This is not a fault of the server, and the message
    /// lists the models to choose from, if known.
    fn refused_model(&self, said: &str) -> ModelError {
        self.unknown_model(match self.models.get() {
            Some(models) => say!("it has {models}; choose one of them; it said: {said}"),
            None => say!("choose a model that it has; it said: {said}"),
        })
    }

    fn unknown_model(&self, message: Sentence) -> ModelError {
        ModelError::UnknownModel { url: self.url.clone(), model: self.model.clone(), message }
    }

    /// Error of a request that got no answer.
    pub(crate) fn sending(&self, error: &Failure) -> ModelError {
        match error {
            Failure::Offline(offline) => offline.clone().into(),
            Failure::Http(error) => self.unsent(error),
            Failure::LimitExceeded(more) => self.strange(more.to_sentence()),
        }
    }

    /// Error of a request of `reqwest` that got no answer. The request may come from another
    /// library that uses `reqwest`.
    pub(crate) fn unsent(&self, error: &reqwest::Error) -> ModelError {
        if let Some(offline) = egress::refusal(error) {
            return offline.into();
        }
        let cause = deepest(error);
        if error.is_connect() {
            match tls_fault(&cause.to_string()) {
                Some(cause) => ModelError::Unsafe { url: self.url.clone(), cause },
                None => self.unreachable(cause),
            }
        } else {
            self.broken(say!("the connection broke before the answer began ({cause})"))
        }
    }

    /// Error of an answer whose body broke off.
    pub(crate) fn reading(&self, error: &(dyn std::error::Error + 'static)) -> ModelError {
        if let Some(offline) = egress::refusal(error) {
            return offline.into();
        }
        if let Some(more) = LimitExceeded::find_in(error) {
            return self.strange(more.to_sentence());
        }
        self.broken(say!("the connection broke in the middle of the answer ({})", deepest(error)))
    }

    /// Error of a response whose status is not a success.
    pub(crate) async fn refused(&self, response: Response) -> ModelError {
        let (status, headers) = (response.status(), response.headers().clone());
        let body = readable(&headers, limited(response).await, MAX_ERROR_BYTES);
        self.refused_with(status, &headers, &body)
    }

    /// Error of a status that is not a success, with a body that was read already.
    pub(crate) fn refused_with(&self, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> ModelError {
        let mut complaint = Complaint::in_body(body, is_html(headers));
        if complaint.message.is_empty() {
            let location = headers.get(LOCATION).and_then(|to| to.to_str().ok());
            complaint.message = match (location, status.canonical_reason()) {
                (Some(to), _) => format!("it points to {}", to.split('?').next().unwrap_or_default()),
                (None, Some(reason)) => reason.to_owned(),
                (None, None) => "no message".to_owned(),
            };
        }
        let wait = wait::from_headers(headers).or(complaint.wait);
        self.named(status.as_u16(), complaint, wait)
    }

    /// Error of an `error` object that came with status 200, in a plain answer or in a stream.
    pub(crate) fn reported(&self, error: &Value) -> ModelError {
        let complaint = Complaint::in_error(error);
        let status = complaint.status.or_else(|| complaint.implied_status());
        match status {
            Some(status) => {
                let wait = complaint.wait;
                self.named(status, complaint, wait)
            }
            None => {
                self.broken(say!("the server reports an error instead of an answer: {}", complaint.message))
            }
        }
    }

    fn named(&self, status: u16, complaint: Complaint, retry_after: Option<Duration>) -> ModelError {
        let (url, message) = (self.url.clone(), self.clean(&complaint.message));
        match status {
            // Gemini answers 400 to an unknown key.
            400 if message.to_ascii_lowercase().contains("api key not valid") => {
                ModelError::Unauthorized { url, status, message }
            }
            // The name is also used if the key belongs to a project without the model (403), or a
            // relay has no host for it (503).
            _ if complaint.names_the_model() => self.refused_model(&message),
            401 | 403 => ModelError::Unauthorized { url, status, message },
            429 => ModelError::RateLimited { url, retry_after, message },
            500..=599 if let Some(retry_after) = retry_after => {
                ModelError::Overloaded { url, status, retry_after, message }
            }
            400..=499 if complaint.is_about_the_model(status, &self.model) => self.refused_model(&message),
            500.. => match retry_after {
                Some(retry_after) => ModelError::Overloaded { url, status, retry_after, message },
                None => ModelError::Http { url, status, message },
            },
            404 if !url.ends_with(self.ending) => ModelError::Http {
                url,
                status,
                message: format!("{message}; is {} missing from the base URL?", self.ending),
            },
            _ => ModelError::Http { url, status, message },
        }
    }

    /// A server's text, fit for a log: one line, short, and without the key, which some servers
    /// quote.
    fn clean(&self, text: &str) -> String {
        shorten(&self.secrets.text(text))
    }
}

impl Complaint {
    fn in_body(body: &[u8], html: bool) -> Self {
        let text = String::from_utf8_lossy(body);
        match serde_json::from_slice::<Value>(body) {
            Ok(json) => {
                let error = first_error(&json);
                Complaint::in_error(error.get("error").filter(|inner| !inner.is_null()).unwrap_or(error))
            }
            Err(_) if html || text.trim_start().starts_with('<') => Complaint::saying(page_title(&text)),
            Err(_) => Complaint::saying(text.into_owned()),
        }
    }

    /// Reads `{message, code, type}`, `{detail}`, `{detail: [{msg}]}`, a bare text, or the first
    /// entry of a list of them.
    fn in_error(error: &Value) -> Self {
        let error = first_error(error);
        let text = |field: &str| error.get(field).and_then(Value::as_str);
        let detail = || {
            let detail = error.get("detail")?;
            detail
                .as_str()
                .map(str::to_owned)
                .or_else(|| Some(detail.get(0)?.get("msg")?.as_str()?.to_owned()))
        };
        let message = error.as_str().or_else(|| text("message")).or_else(|| text("error")).map(str::to_owned);
        let code = error.get("code");
        let number = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
        Complaint {
            message: message.or_else(detail).unwrap_or_else(|| error.to_string()),
            word: [text("code"), text("type"), text("status")]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" ")
                .to_ascii_lowercase(),
            status: number
                .filter(|status| (400..600).contains(status))
                .and_then(|status| u16::try_from(status).ok()),
            wait: wait::in_details(error),
        }
    }

    fn saying(message: String) -> Self {
        Complaint { message, word: String::new(), status: None, wait: None }
    }

    /// HTTP status that corresponds to the error's own words.
    fn implied_status(&self) -> Option<u16> {
        const WORDS: [(&str, u16); 15] = [
            ("rate_limit", 429),
            ("resource_exhausted", 429),
            ("throttling", 429),
            ("quota", 429),
            ("authentication", 401),
            ("unauthenticated", 401),
            ("invalid_api_key", 401),
            ("permission", 403),
            ("not_found", 404),
            ("invalid_request", 400),
            ("invalid_argument", 400),
            ("overloaded", 503),
            ("unavailable", 503),
            ("server_error", 500),
            ("api_error", 500),
        ];
        WORDS.iter().find(|(word, _)| self.word.contains(word)).map(|(_, status)| *status)
    }

    /// Whether the code of the error means that the model is unknown.
    fn names_the_model(&self) -> bool {
        self.word.contains("model_not_found") || self.word.contains("deploymentnotfound")
    }

    /// Whether the status and the message of the error mean that the model is unknown.
    fn is_about_the_model(&self, status: u16, model: &str) -> bool {
        let message = self.message.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|words| message.contains(words));
        // `/models` is a path, not a mention of a model.
        let mentioned = || {
            let mut places = message.match_indices("model");
            places.any(|(at, _)| !message[..at].ends_with('/'))
        };
        match status {
            404 => mentioned() && !message.starts_with(PAGE),
            // Servers also refuse other things with 400, and often because something was not found.
            400 => {
                says(&[
                    "not a valid model",
                    "invalid model",
                    "unknown model",
                    "model identifier is invalid",
                    "model not found",
                    "model not exist",
                ]) || (mentioned() && says(&["does not exist"]))
                    || (mentioned() && says(&["not found"]) && message.contains(&model.to_ascii_lowercase()))
            }
            _ => false,
        }
    }
}

/// The first entry of a list, or the value itself if it is not a list. Some servers put their
/// errors in a list.
pub(crate) fn first_error(json: &Value) -> &Value {
    match json {
        Value::Array(all) => all.first().unwrap_or(json),
        other => other,
    }
}

/// The innermost cause of an error, which has the informative message.
pub(crate) fn deepest(error: &(dyn std::error::Error + 'static)) -> Sentence {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    if let Some(error) = cause.downcast_ref::<std::io::Error>() {
        return error.to_sentence().with_words(&shorten);
    }
    // Only the outermost reqwest error prints a URL, which might hold a password.
    match cause.downcast_ref::<reqwest::Error>() {
        Some(error) if error.url().is_some() => say!("the request could not be sent"),
        _ => shorten(&cause.to_string()).into(),
    }
}

/// Fault of a server's certificate or TLS, from the message of the TLS library, with the remedy.
fn tls_fault(said: &str) -> Option<Sentence> {
    let says = |words: &str| said.contains(words);
    Some(if says("UnknownIssuer") {
        say!(
            "its certificate is of an authority that this computer does not know; if it is your own, name the file with that authority's certificate in the variable SSL_CERT_FILE"
        )
    } else if says("CaUsedAsEndEntity") {
        say!(
            "its certificate is that of an authority (CA:TRUE), which a server may not use; make one for the server with basicConstraints=CA:FALSE"
        )
    } else if says("NotValidForName") {
        say!("its certificate is for another name; use the name that the certificate is for ({said})")
    } else if says("Expired") || says("NotValidYet") {
        say!("its certificate is not valid at this computer's time ({said})")
    } else if says("InvalidContentType") {
        say!("it has no TLS at this port; write http:// for a connection without TLS")
    } else if says("certificate") || says("handshake") {
        say!("its TLS is refused ({said})")
    } else {
        return None;
    })
}

/// Messages of the HTTP client and of the system's name look-up that have no error number. They are
/// listed so that they can be translated.
const _: [&str; 4] = [
    text!("operation timed out"),
    text!("failed to lookup address information: Name or service not known"),
    text!("failed to lookup address information: Temporary failure in name resolution"),
    text!("failed to lookup address information: No address associated with hostname"),
];

/// One line of at most [`MAX_MESSAGE_CHARS`] characters.
pub(crate) fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

pub(crate) fn is_html(headers: &HeaderMap) -> bool {
    let kind = headers.get(reqwest::header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/html"))
}

fn page_title(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let title = lower.find("<title>").and_then(|at| {
        let rest = &html[at + "<title>".len()..];
        rest.get(..rest.to_ascii_lowercase().find("</title>")?)
    });
    match title.map(str::trim).filter(|title| !title.is_empty()) {
        Some(title) => format!("{PAGE} titled `{title}`"),
        None => PAGE.to_owned(),
    }
}

async fn limited(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() >= MAX_ERROR_BYTES {
            break;
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_connection_is_said() {
        for (said, part) in [
            ("invalid peer certificate: UnknownIssuer", Some("SSL_CERT_FILE")),
            ("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))", Some("CA:FALSE")),
            ("invalid peer certificate: NotValidForName", Some("another name")),
            ("invalid peer certificate: Expired", Some("time")),
            ("received corrupt message of type InvalidContentType", Some("http://")),
            ("invalid peer certificate: BadSignature", Some("BadSignature")),
            ("Connection refused (os error 111)", None),
        ] {
            let found = tls_fault(said).map(|why| why.to_string());
            assert_eq!(found.is_some(), part.is_some(), "{said}");
            assert!(found.is_none_or(|why| why.contains(part.unwrap_or_default())), "{said}");
        }
    }
}
