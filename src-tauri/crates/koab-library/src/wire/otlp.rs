//! Sending the spans of a run to an OpenTelemetry collector: the user's options, and the numbers of
//! accepted and lost spans.

use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Options for sending the spans of a run.
#[derive(Clone, Debug, Default)]
pub struct OtlpOptions {
    /// Base address of the collector; `/v1/traces` is appended. `None` means the address in
    /// `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub endpoint: Option<String>,
    /// Whether texts are sent too: prompts, answers, arguments and results.
    pub content: bool,
}

/// Result of sending a run's spans.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SpanDelivery {
    /// Address of the collector.
    pub endpoint: String,
    /// Number of spans that the collector accepted.
    #[ts(type = "number")]
    pub sent: u64,
    /// Number of spans that the collector did not accept.
    #[ts(type = "number")]
    pub lost: u64,
    /// Reason for the last loss of spans.
    pub reason: Option<Sentence>,
}
