//! Finding of a rule, with its place.

use super::cause::Cause;
use koab_core::log::LoggedCall;
use koab_core::python::to_str;
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Maximum length of a quoted text, in characters.
const MAX_QUOTE_CHARS: usize = 240;

/// Cause of a loss, with the place that shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AtlasFinding"))]
pub struct Finding {
    /// Cause of the loss.
    pub cause: Cause,
    /// Index of the call among the attempt's calls, from 0; null when the finding is not about a
    /// call.
    pub call: Option<u32>,
    /// Step of the call, from 1, if the log contains it.
    pub step: Option<u32>,
    /// Tool that was called, or that should have been called.
    pub tool: Option<String>,
    /// Name of the argument.
    pub argument: Option<String>,
    /// Expected value, cut to 240 characters; null where no value is expected.
    pub expected: Option<String>,
    /// Actual value, cut to 240 characters.
    pub found: Option<String>,
    /// Words of the answer, of an error or of a judge that show the cause.
    pub quote: Option<String>,
    /// Metrics whose loss the cause explains.
    pub metrics: Vec<MetricId>,
}

impl Finding {
    /// Creates a finding for the loss of these metrics, without a place.
    pub(super) fn new(cause: Cause, metrics: &[MetricId]) -> Self {
        Self {
            cause,
            call: None,
            step: None,
            tool: None,
            argument: None,
            expected: None,
            found: None,
            quote: None,
            metrics: metrics.to_vec(),
        }
    }

    pub(super) fn at(mut self, place: usize, call: &LoggedCall) -> Self {
        self.call = u32::try_from(place).ok();
        self.step = call.step.as_u64().and_then(|step| u32::try_from(step).ok());
        self.tool = call.name().map(ToOwned::to_owned);
        self
    }

    pub(super) fn tool(mut self, tool: &str) -> Self {
        self.tool = Some(tool.to_owned());
        self
    }

    pub(super) fn argument(mut self, name: &str) -> Self {
        self.argument = Some(name.to_owned());
        self
    }

    pub(super) fn expected(mut self, value: impl AsQuote) -> Self {
        self.expected = value.shown();
        self
    }

    pub(super) fn found(mut self, value: impl AsQuote) -> Self {
        self.found = value.shown();
        self
    }

    pub(super) fn quote(mut self, text: &str) -> Self {
        self.quote = Some(cut(text.trim())).filter(|text| !text.is_empty());
        self
    }
}

/// Value that a finding can quote.
pub(super) trait AsQuote {
    fn shown(self) -> Option<String>;
}

impl AsQuote for &str {
    fn shown(self) -> Option<String> {
        Some(cut(self))
    }
}

impl AsQuote for String {
    fn shown(self) -> Option<String> {
        Some(cut(&self))
    }
}

impl AsQuote for &Value {
    fn shown(self) -> Option<String> {
        Some(cut(&match self {
            Value::String(text) => text.clone(),
            Value::Object(_) | Value::Array(_) => self.to_string(),
            other => to_str(other),
        }))
    }
}

impl<T: AsQuote> AsQuote for Option<T> {
    fn shown(self) -> Option<String> {
        self.and_then(AsQuote::shown)
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_QUOTE_CHARS {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(MAX_QUOTE_CHARS - 1).collect();
    cut.push('…');
    cut
}
