//! What a rule finds.

use koab_core::sentence::Sentence;
use serde::Serialize;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "ScenarioSeverity")
)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// It may have changed the result.
    Warning,
    /// The result most likely says nothing about the scenario.
    Error,
}

/// Something in a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "ScenarioFinding")
)]
pub struct Finding {
    /// Which rule, in lower case with hyphens.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// First line, from 1.
    pub line: usize,
    /// Last line.
    pub line_end: usize,
    /// What the rule saw, one sentence without its full stop.
    pub what: Sentence,
}
