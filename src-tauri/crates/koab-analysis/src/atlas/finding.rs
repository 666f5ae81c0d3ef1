//! What a rule found, and where.

use super::cause::Cause;
use koab_core::log::LoggedCall;
use koab_core::python::to_str;
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Characters of a quoted text.
const QUOTE: usize = 240;

/// One cause with the place that shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AtlasFinding"))]
pub struct Finding {
    /// The cause.
    pub cause: Cause,
    /// The call, by its 0-based place among the attempt's calls; null when it is not about one.
    pub call: Option<u32>,
    /// The 1-based step of that call, where the log has it.
    pub step: Option<u32>,
    /// The tool that was called, or the one that should have been.
    pub tool: Option<String>,
    /// The argument.
    pub argument: Option<String>,
    /// What should have been there, cut to 240 characters; null where nothing should.
    pub expected: Option<String>,
    /// What was there, likewise.
    pub found: Option<String>,
    /// The words that show it: of the answer, of an error, or of a judge.
    pub quote: Option<String>,
    /// The lost metrics that it explains.
    pub metrics: Vec<MetricId>,
}

impl Finding {
    /// A cause of these metrics' loss, with no place yet.
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

/// A value that evidence can show.
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
    if text.chars().count() <= QUOTE {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(QUOTE - 1).collect();
    cut.push('…');
    cut
}
