//! A collector of spans behind OTLP/HTTP, which takes one JSON document per request (the OTLP
//! specification, "OTLP/HTTP").
//!
//! The caller defines the content of the spans. This module does not retry.

use crate::http::{BadBaseUrl, BaseUrl, Client, Network, client, deepest, header, is_roomy};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::egress::{Offline, Purpose};
use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use std::time::Duration;

/// Time limit of one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Client of a collector. Creating one sends nothing.
pub struct Collector {
    client: Client,
    url: Url,
    shown: String,
    headers: HeaderMap,
}

/// Address or header that cannot be used.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum BadCollector {
    /// The address is invalid.
    #[error(transparent)]
    Address(#[from] BadBaseUrl),
    /// The address contains something that may be a secret, and addresses are shown and logged.
    #[error(
        "the collector's address must hold no user name, password or query; a key goes into the environment variable OTEL_EXPORTER_OTLP_HEADERS"
    )]
    SecretInAddress,
    /// The header with this number is invalid. The message does not show its value.
    #[error("header {0} of the collector cannot be sent; write name=value, separated by commas")]
    Header(usize),
    /// TLS could not be set up.
    #[error("no connection to the collector can be made: {0}")]
    Client(Sentence),
}

/// Failure of sending a document to the collector.
#[derive(Debug, thiserror::Error, koab_core::Say)]
#[error("{reason}")]
pub struct CollectorRefusal {
    /// Reason in one sentence without secrets.
    pub reason: Sentence,
    /// Whether the collector may accept the same document later.
    pub may_pass: bool,
    /// Set if the document was not sent because koab is offline.
    pub offline: Option<Offline>,
}

impl Collector {
    /// Creates a client of the collector at `address`.
    ///
    /// Unless `exact` is set, `/v1/traces` is appended if the path does not end with it. `headers`
    /// are `name=value` pairs separated by commas, with percent-encoded values, as in
    /// `OTEL_EXPORTER_OTLP_HEADERS`.
    ///
    /// # Errors
    /// When the address or a header cannot be used.
    pub fn new(
        network: &Network,
        address: &str,
        exact: bool,
        headers: Option<&Sensitive<String>>,
    ) -> Result<Self, BadCollector> {
        let base = BaseUrl::parse(address)?;
        let mut url = base.itself();
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(BadCollector::SecretInAddress);
        }
        if !exact && !url.path().ends_with("/v1/traces") {
            url = base.join("v1/traces");
        }
        let address = url.to_string();
        let mut all = headers.map_or_else(|| Ok(HeaderMap::new()), |text| read_headers(text.expose()))?;
        all.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(Self {
            client: client(network, &base, Purpose::Collector)
                .map_err(|error| BadCollector::Client(deepest(&error)))?,
            url,
            shown: address,
            headers: all,
        })
    }

    /// Address of the collector, without secrets.
    pub fn address(&self) -> &str {
        &self.shown
    }

    /// Sends one document and returns the number of spans in it that the collector rejected.
    ///
    /// # Errors
    /// When the collector did not accept the document.
    pub async fn send(&self, document: &Value) -> Result<u64, CollectorRefusal> {
        let request = self
            .client
            .post(self.url.clone())
            .headers(self.headers.clone())
            .timeout(REQUEST_TIMEOUT)
            .body(document.to_string());
        let answer = request.send().await.map_err(|error| match error.offline() {
            Some(offline) => CollectorRefusal {
                reason: offline.to_sentence(),
                may_pass: true,
                offline: Some(offline.clone()),
            },
            None => CollectorRefusal {
                reason: say!("no collector answers at {}: {}", self.shown, deepest(&error.without_url())),
                may_pass: true,
                offline: None,
            },
        })?;
        let status = answer.status().as_u16();
        let body = answer.text().await.unwrap_or_default();
        if !(200..300).contains(&status) {
            return Err(CollectorRefusal {
                // The collector's message is not shown, because some repeat the headers of the
                // request.
                reason: say!("{} answered HTTP {status}", self.shown),
                may_pass: matches!(status, 429 | 502 | 503 | 504),
                offline: None,
            });
        }
        let body: Value = match is_roomy(body.as_bytes()) {
            Ok(()) => serde_json::from_str(&body).unwrap_or_default(),
            Err(_) => Value::Null,
        };
        let rejected = &body["partialSuccess"]["rejectedSpans"];
        // JSON has 64-bit numbers as texts here, but not every collector writes them so.
        let rejected = rejected.as_u64().or_else(|| rejected.as_str().and_then(|text| text.parse().ok()));
        Ok(rejected.unwrap_or(0))
    }
}

fn read_headers(text: &str) -> Result<HeaderMap, BadCollector> {
    let mut headers = HeaderMap::new();
    let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    for (at, pair) in pairs.enumerate() {
        let bad = || BadCollector::Header(at + 1);
        let (name, value) = pair.split_once('=').ok_or_else(bad)?;
        let name: HeaderName = name.trim().parse().map_err(|_| bad())?;
        let value = percent_encoding::percent_decode_str(value.trim()).decode_utf8().map_err(|_| bad())?;
        headers.insert(name, header(&value).map_err(|_| bad())?);
    }
    Ok(headers)
}
