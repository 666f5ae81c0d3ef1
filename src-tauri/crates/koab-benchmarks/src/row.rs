//! Results of scoring one reply.

use koab_core::measured::Measured;
use koab_report::ItemRow;
use serde::Serialize;
use serde_json::{Map, Value};

/// Result of one metric for one reply.
#[derive(Clone, Debug)]
pub struct Row {
    /// Name of the metric: `ASTAcc`, `ExactCall`.
    pub metric: &'static str,
    /// Value of the metric, 0 or 1, or the reason for its absence.
    pub value: Measured<u8>,
    /// Explanation of the value, in the benchmark's own words.
    pub verdict: Verdict,
}

/// Explanation of a result: fields in display order, in the benchmark's own words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Verdict(Map<String, Value>);

impl Row {
    /// Converts the row to the form that a report stores.
    pub fn to_item_row(&self) -> ItemRow {
        ItemRow {
            metric: self.metric.to_owned(),
            value: self.value.as_ref().ok().copied(),
            reason: self.value.as_ref().err().cloned(),
            verdict: self.verdict.0.clone(),
        }
    }
}

impl Verdict {
    /// Explanation with one more field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.0.insert(field.to_owned(), value.into());
        self
    }

    /// Text of a field, if the field is a text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.as_str()
    }

    /// All fields of the explanation.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(field, value)| (field.as_str(), value))
    }
}
