//! Sends the steps of a run as OpenTelemetry spans to a collector that the user chose.
//!
//! Spans are off by default. `--otlp` or `--otlp-endpoint` switches them on. Runs of the window
//! send spans when the settings name a collector. The standard `OTEL_…` environment variables alone
//! switch nothing on. A run is one trace. Its spans are the run, its attempts (`invoke_agent`),
//! their model calls (`chat`) and tool calls (`execute_tool`), named by the `GenAI` semantic
//! conventions 1.41. Texts (prompts, answers, arguments, results, error messages of servers) are
//! left out unless the user requests them.
//!
//! [`tracer`] makes spans from the run's events, [`content`] adds the texts, [`post`] sends. When
//! the collector does not answer, the run only waits a few seconds at its end and reports the
//! number of lost spans.
//!
//! The module does not use the `opentelemetry` crates. It makes spans from past events and sends
//! them with the program's own HTTP client, so it would use only the JSON form of those crates.

mod content;
mod post;
mod span;
mod tracer;

pub(crate) use tracer::RequestFacts;

use content::ContentLog;
use koab_core::event::RunEvent;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::ToSentence;
use koab_engine::ports::{EventSink, RunLog};
use koab_library::{OtlpOptions, SpanDelivery};
use koab_providers::Network;
use koab_providers::collector::Collector;
use koab_workspace::WireError;
use post::Post;
use std::sync::{Arc, Mutex, PoisonError};
use tracer::Tracer;

/// Sender of the spans of one run.
pub(crate) struct Export {
    tracer: Arc<Mutex<Tracer>>,
    post: Post,
    endpoint: String,
    content: bool,
}

/// Returns the configured collector, without contacting it.
///
/// # Errors
/// When no collector is configured, or its address or headers are invalid.
pub(crate) fn collector(options: &OtlpOptions, network: &Network) -> Result<Collector, WireError> {
    collector_in(options, network, &|name| std::env::var(name).ok())
}

fn collector_in(
    options: &OtlpOptions,
    network: &Network,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Collector, WireError> {
    let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
    let general = || variable("OTEL_EXPORTER_OTLP_ENDPOINT").map(|address| (address, false));
    let exact = || variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT").map(|address| (address, true));
    let configured = match &options.endpoint {
        Some(address) => Some((address.clone(), false)),
        None => exact().or_else(general),
    };
    let (address, exact) = configured.ok_or_else(|| {
        WireError::bad_request(say!(
            "--otlp names no collector; set OTEL_EXPORTER_OTLP_ENDPOINT or give --otlp-endpoint"
        ))
    })?;
    let headers = variable("OTEL_EXPORTER_OTLP_TRACES_HEADERS")
        .or_else(|| variable("OTEL_EXPORTER_OTLP_HEADERS"))
        .map(Sensitive::new);
    Collector::new(network, &address, exact, headers.as_ref())
        .map_err(|error| WireError::bad_request(error.to_sentence()))
}

impl Export {
    /// Starts to send spans to `collector`. `facts` are the settings that all model calls of the
    /// run share.
    pub(crate) fn begin(collector: Collector, content: bool, facts: RequestFacts) -> Self {
        let endpoint = collector.address().to_owned();
        Self {
            tracer: Arc::new(Mutex::new(Tracer::new(facts, content))),
            post: Post::begin(collector),
            endpoint,
            content,
        }
    }

    /// Wraps the run's log so that the tracer gets the texts, which events do not contain. Returns
    /// the log unchanged when the user did not request texts.
    pub(crate) fn listening(&self, log: Option<Box<dyn RunLog>>) -> Option<Box<dyn RunLog>> {
        if self.content { Some(Box::new(ContentLog::new(log, Arc::clone(&self.tracer)))) } else { log }
    }

    /// Waits a few seconds for the last spans to be sent.
    pub(crate) async fn end(&self) -> SpanDelivery {
        let (sent, lost, reason) = self.post.end().await;
        SpanDelivery { endpoint: self.endpoint.clone(), sent, lost, reason }
    }
}

impl EventSink for Export {
    fn send(&self, event: &RunEvent) {
        let spans = self.tracer.lock().unwrap_or_else(PoisonError::into_inner).finished_by(event);
        self.post.take(spans);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_named_by_hand_or_by_the_variables() {
        let options =
            |endpoint: Option<&str>| OtlpOptions { endpoint: endpoint.map(str::to_owned), content: false };
        let all = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://all:4318/");
        let traces = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://traces:4318/in");
        let bad_header = ("OTEL_EXPORTER_OTLP_HEADERS", "a=b,secret");
        let network = Network::new(koab_stand_ins::gate(), koab_providers::Proxy::System);
        for (endpoint, variables, expected) in [
            (Some("http://h:4318"), vec![traces], "http://h:4318/v1/traces"),
            (Some("http://h/v1/traces"), vec![], "http://h/v1/traces"),
            (None, vec![all], "http://all:4318/v1/traces"),
            (None, vec![all, traces], "http://traces:4318/in"),
            (
                None,
                vec![],
                "--otlp names no collector; set OTEL_EXPORTER_OTLP_ENDPOINT or give --otlp-endpoint",
            ),
            (
                Some("http://u:pw@h"),
                vec![],
                "the collector's address must hold no user name, password or query; a key goes into the environment variable OTEL_EXPORTER_OTLP_HEADERS",
            ),
            (
                None,
                vec![all, bad_header],
                "header 2 of the collector cannot be sent; write name=value, separated by commas",
            ),
        ] {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            let said = match collector_in(&options(endpoint), &network, &variable) {
                Ok(collector) => collector.address().to_owned(),
                Err(error) => error.message.to_string(),
            };
            assert_eq!(said, expected);
        }
    }
}
