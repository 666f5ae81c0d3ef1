//! One span, and its form in OTLP's JSON (`ExportTraceServiceRequest`).
//!
//! The OpenTelemetry crates are not used. A span is made from a past event, so their contexts,
//! samplers and processors have no use here, and one JSON document would need 13 more crates.

use serde_json::{Map, Value, json};

/// Kind of a span, with its number in OTLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpanKind {
    /// Work of this process.
    Internal = 1,
    /// A request to another process.
    Client = 3,
}

/// A finished span.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) trace: u128,
    pub(super) id: u64,
    pub(super) parent: Option<u64>,
    pub(super) name: String,
    pub(super) kind: SpanKind,
    /// Start, milliseconds since the Unix epoch.
    pub(super) start_ms: f64,
    /// End, milliseconds since the Unix epoch.
    pub(super) end_ms: f64,
    /// `error.type`; `None` for a success.
    pub(super) error: Option<String>,
    /// Error message; only if the user allows sending texts.
    pub(super) message: Option<String>,
    pub(super) attributes: Attributes,
}

/// Attributes of a span, in the order of insertion.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes(Map<String, Value>);

impl Attributes {
    /// Adds an attribute: text, integer, float, bool or list of texts. A `null` value adds nothing.
    pub(super) fn note(&mut self, name: &str, value: impl Into<Value>) -> &mut Self {
        let value = value.into();
        if !value.is_null() {
            self.0.insert(name.to_owned(), value);
        }
        self
    }

    /// Adds all attributes of `more`. An attribute of the same name is replaced.
    pub(super) fn extend(&mut self, more: Self) {
        self.0.extend(more.0);
    }

    /// Returns the value of an attribute, or `null`.
    pub(super) fn get(&self, name: &str) -> Value {
        self.0.get(name).cloned().unwrap_or_default()
    }

    fn form(&self) -> Value {
        let pairs = self.0.iter().map(|(key, value)| json!({ "key": key, "value": any_value(value) }));
        pairs.collect()
    }
}

impl Span {
    fn form(&self) -> Value {
        let mut attributes = self.attributes.clone();
        attributes.note("error.type", self.error.clone());
        let mut form = json!({
            "traceId": format!("{:032x}", self.trace),
            "spanId": format!("{:016x}", self.id),
            "name": self.name,
            "kind": self.kind as u8,
            "startTimeUnixNano": nanoseconds(self.start_ms),
            "endTimeUnixNano": nanoseconds(self.end_ms.max(self.start_ms)),
            "attributes": attributes.form(),
            "status": match (&self.error, &self.message) {
                (None, _) => json!({}),
                (Some(_), None) => json!({ "code": 2 }),
                (Some(_), Some(message)) => json!({ "code": 2, "message": message }),
            },
        });
        if let Some(parent) = self.parent {
            form["parentSpanId"] = format!("{parent:016x}").into();
        }
        form
    }
}

/// Returns the OTLP document that contains these spans.
pub(super) fn document(spans: &[Span]) -> Value {
    let mut resource = Attributes::default();
    resource.note("service.name", "koab").note("service.version", env!("CARGO_PKG_VERSION"));
    json!({ "resourceSpans": [{
        "resource": { "attributes": resource.form() },
        "scopeSpans": [{
            "scope": { "name": "koab", "version": env!("CARGO_PKG_VERSION") },
            "spans": spans.iter().map(Span::form).collect::<Vec<_>>(),
        }],
    }] })
}

fn nanoseconds(ms: f64) -> String {
    // An f64 of today's date in milliseconds has little precision left for the fraction, so the
    // whole part is converted separately.
    let whole = ms.max(0.0).floor();
    let rest = ((ms.max(0.0) - whole) * 1e6) as u64;
    (whole as u64 * 1_000_000 + rest).to_string()
}

fn any_value(value: &Value) -> Value {
    match value {
        Value::String(text) => json!({ "stringValue": text }),
        Value::Bool(truth) => json!({ "boolValue": truth }),
        Value::Number(number) if number.is_f64() => json!({ "doubleValue": number }),
        // 64-bit numbers are texts in this JSON.
        Value::Number(number) => json!({ "intValue": number.to_string() }),
        Value::Array(list) => {
            json!({ "arrayValue": { "values": list.iter().map(any_value).collect::<Vec<_>>() } })
        }
        Value::Null | Value::Object(_) => json!({ "stringValue": value.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_the_form_that_collectors_read() {
        let mut attributes = Attributes::default();
        attributes
            .note("text", "가")
            .note("whole", 3_u64)
            .note("fraction", 0.5)
            .note("truth", true)
            .note("list", vec!["stop"])
            .note("nothing", None::<u64>);
        let span = Span {
            trace: 1,
            id: 2,
            parent: Some(3),
            name: "chat m".to_owned(),
            kind: SpanKind::Client,
            start_ms: 1_700_000_000_000.0,
            end_ms: 1_700_000_000_001.5,
            error: Some("rate_limited".to_owned()),
            message: None,
            attributes,
        };
        let form = &document(&[span])["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
        insta::assert_snapshot!(form.to_string(), @r#"{"traceId":"00000000000000000000000000000001","spanId":"0000000000000002","name":"chat m","kind":3,"startTimeUnixNano":"1700000000000000000","endTimeUnixNano":"1700000000001500000","attributes":[{"key":"text","value":{"stringValue":"가"}},{"key":"whole","value":{"intValue":"3"}},{"key":"fraction","value":{"doubleValue":0.5}},{"key":"truth","value":{"boolValue":true}},{"key":"list","value":{"arrayValue":{"values":[{"stringValue":"stop"}]}}},{"key":"error.type","value":{"stringValue":"rate_limited"}}],"status":{"code":2},"parentSpanId":"0000000000000003"}"#);
    }
}
