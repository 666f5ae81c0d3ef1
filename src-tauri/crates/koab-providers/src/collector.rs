//! A collector of spans behind OTLP/HTTP: takes one JSON document a request (the OTLP
//! specification, "OTLP/HTTP").
//!
//! What the spans say is the caller's. Nothing is sent again here.

use crate::http::{BadBaseUrl, BaseUrl, Client, client, deepest, header, is_roomy};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::egress::{Offline, Purpose};
use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use std::time::Duration;

/// Longest time of one request.
const PATIENCE: Duration = Duration::from_secs(10);

/// A collector that can be sent to. Making one contacts nobody.
pub struct Collector {
    client: Client,
    url: Url,
    shown: String,
    headers: HeaderMap,
}

/// An address or header that cannot be used.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum BadCollector {
    /// The address.
    #[error(transparent)]
    Address(#[from] BadBaseUrl),
    /// What may be a secret stands in the address, which is shown and logged.
    #[error(
        "the collector's address must hold no user name, password or query; a key goes into the environment variable OTEL_EXPORTER_OTLP_HEADERS"
    )]
    SecretInAddress,
    /// A header. Its value is not told.
    #[error("header {0} of the collector cannot be sent; write name=value, separated by commas")]
    Header(usize),
    /// TLS.
    #[error("no connection to the collector can be made: {0}")]
    Client(Sentence),
}

/// A document that the collector did not take.
#[derive(Debug, thiserror::Error, koab_core::Say)]
#[error("{reason}")]
pub struct CollectorRefusal {
    /// Why, in one sentence without secrets.
    pub reason: Sentence,
    /// Whether the same document may be taken later.
    pub may_pass: bool,
    /// Set where it was not sent because koab is offline.
    pub offline: Option<Offline>,
}

impl Collector {
    /// A collector at `address`. Unless `exact`, `/v1/traces` is appended where it does not end so
    /// already. `headers` are `name=value` pairs separated by commas, values percent-encoded, as
    /// `OTEL_EXPORTER_OTLP_HEADERS` has them.
    ///
    /// # Errors
    /// When the address or a header cannot be used.
    pub fn new(
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
        let shown = url.to_string();
        let mut all = headers.map_or_else(|| Ok(HeaderMap::new()), |text| read_headers(text.expose()))?;
        all.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(Self {
            client: client(&base, Purpose::Collector)
                .map_err(|error| BadCollector::Client(deepest(&error)))?,
            url,
            shown,
            headers: all,
        })
    }

    /// Where it is. Holds no secret.
    pub fn address(&self) -> &str {
        &self.shown
    }

    /// Sends one document and gives the number of spans in it that the collector turned away.
    ///
    /// # Errors
    /// When the collector did not take the document.
    pub async fn send(&self, document: &Value) -> Result<u64, CollectorRefusal> {
        let request = self
            .client
            .post(self.url.clone())
            .headers(self.headers.clone())
            .timeout(PATIENCE)
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
                // Not what it says: some repeat the headers they were sent.
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
        // 64-bit numbers are texts in this JSON, and not everybody writes them so.
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
