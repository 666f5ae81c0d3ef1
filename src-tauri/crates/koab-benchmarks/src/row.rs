//! What scoring says of one reply.

use koab_core::measured::Measured;
use koab_report::ItemRow;
use serde::Serialize;
use serde_json::{Map, Value};

/// One metric of one reply.
#[derive(Clone, Debug)]
pub struct Row {
    /// The metric's name: `ASTAcc`, `ExactCall`.
    pub metric: &'static str,
    /// 0 or 1, or why there is none.
    pub value: Measured<u8>,
    /// Why, in the benchmark's own words.
    pub verdict: Verdict,
}

/// Why a reply is right or wrong, in the benchmark's own fields and words, in the order in which
/// they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Verdict(Map<String, Value>);

impl Row {
    /// As a report keeps it.
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
    /// One with one field more.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.0.insert(field.to_owned(), value.into());
        self
    }

    /// The text of a field, where it is one.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.as_str()
    }

    /// All fields.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(field, value)| (field.as_str(), value))
    }
}
