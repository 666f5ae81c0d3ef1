//! Attempt with its losses, and with values that several rules need. Each value is computed once.

use super::attempt::{Attempt, injected, judged, wanted};
use super::facts::{ShownText, strip_markup};
use super::loss::Losses;
use koab_core::judge::Verdict;
use koab_core::log::{LoggedCall, LoggedTask};
use koab_core::python::{to_str, truthy};
use koab_core::score::{GoldenEntry, Matching, MetricId};
use serde_json::Value;
use std::cell::OnceCell;

/// Attempt with the values that the rules share.
pub(super) struct Case<'a> {
    pub(super) attempt: &'a Attempt<'a>,
    pub(super) losses: &'a Losses,
    pub(super) matching: Matching,
    known: OnceCell<ShownText>,
}

impl<'a> Case<'a> {
    pub(super) fn new(attempt: &'a Attempt<'a>, losses: &'a Losses) -> Self {
        Self {
            matching: Matching::new(attempt.cx.level, attempt.cx.task),
            attempt,
            losses,
            known: OnceCell::new(),
        }
    }

    pub(super) fn task(&self) -> &'a LoggedTask {
        self.attempt.cx.task
    }

    pub(super) fn calls(&self) -> &'a [LoggedCall] {
        &self.attempt.cx.task.calls
    }

    /// Whether the metric lost points.
    pub(super) fn lost(&self, metric: MetricId) -> bool {
        self.losses.lost_of(metric) > 0.0
    }

    /// Whether a metric that judges decide lost points.
    pub(super) fn lost_by_judges(&self) -> bool {
        judged().any(|metric| self.lost(metric))
    }

    /// Final response as text; empty without a response.
    pub(super) fn answer(&self) -> String {
        match self.task().get("final_response") {
            response if truthy(response) => to_str(response),
            _ => String::new(),
        }
    }

    /// Golden calls that the model had to make itself.
    pub(super) fn wanted(&self) -> impl Iterator<Item = &GoldenEntry> {
        wanted(self.attempt.cx.level, &self.matching)
    }

    /// Verdicts on a metric.
    pub(super) fn verdicts(&self, metric: MetricId) -> impl Iterator<Item = &'a Verdict> {
        self.attempt.verdicts.iter().filter(move |verdict| verdict.metric == metric)
    }

    /// Tool whose failure the task injects.
    pub(super) fn injected(&self) -> Option<&'a str> {
        injected(self.task())
    }

    /// Texts that the answer can be based on: results, the conversation, and the task itself.
    pub(super) fn sources(&self) -> &ShownText {
        self.known.get_or_init(|| {
            let mut texts = vec![to_str(self.task().get("instruction"))];
            let answer = self.answer();
            for message in self.task().messages() {
                let content = message.get("content").unwrap_or(&Value::Null);
                // The model's own last answer is the text that is checked.
                let own = message.get("role").and_then(Value::as_str) == Some("assistant");
                match content {
                    Value::String(text) if own && *text == answer => {}
                    Value::String(text) => texts.push(text.clone()),
                    Value::Null => {}
                    other => texts.push(without_clock(other)),
                }
            }
            for call in self.calls() {
                texts.push(call.args.to_string());
                if !call.result.is_null() {
                    texts.push(without_clock(&call.result));
                }
            }
            ShownText::new(&strip_markup(&texts.join("\n")))
        })
    }
}

/// Result as text without its creation time, since that date is not a fact about the question.
fn without_clock(result: &Value) -> String {
    match result {
        Value::Object(map) => {
            let mut map = map.clone();
            map.retain(|key, _| !["lastBuildDate", "currentDateTime"].contains(&key.as_str()));
            Value::Object(map).to_string()
        }
        other => other.to_string(),
    }
}
