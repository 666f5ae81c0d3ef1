//! The gate's answer with names, and as files that others read: `JUnit` XML for a CI, Markdown for a pull request.

use super::{GateDecision, GateLook, GateOptions, GateVerdict};
use koab_core::sentence::{Language, Sentence};
use koab_core::{shown, text};
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};

/// Flaky tasks that a text names.
const NAMED: usize = 10;

/// The answer with names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateSummary {
    /// Pass, fail, or neither.
    pub verdict: GateVerdict,
    /// Why.
    pub sentence: Sentence,
    /// Name of the metric.
    pub metric: String,
    /// What was held against.
    pub baseline: String,
    /// What was changed.
    pub candidate: String,
    /// The loss that is too much.
    pub margin: f64,
    /// How often a pass or a fail may be wrong.
    pub alpha: f64,
    /// How often a candidate without a loss is to pass.
    pub power: f64,
    /// Candidate less baseline; null where no look was possible.
    pub difference: Option<f64>,
    /// The ends of its interval.
    pub interval: Option<[f64; 2]>,
    /// All looks.
    pub looks: Vec<GateLook>,
    /// Attempts that were made.
    pub attempts: usize,
    /// Attempts that were planned if it goes to its end.
    pub planned_attempts: usize,
    /// Attempts that a design without looks would take, by earlier reports.
    pub fixed_attempts: usize,
    /// Tasks that the candidate solved sometimes, those that it solved least often first.
    pub flaky: Vec<NamedFlakyTask>,
    /// USD that were spent; null where nothing costs or it is not known.
    pub usd: Option<f64>,
    /// The runs that were made.
    pub runs: Vec<String>,
}

/// A task that is solved sometimes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedFlakyTask {
    /// The task.
    pub task: String,
    /// Attempts that have a score.
    pub attempts: usize,
    /// Of these solved.
    pub solved: usize,
    /// The chance that two attempts both solve it, pass^2.
    pub both: Option<f64>,
}

/// What a gate's sides are called.
#[derive(Clone, Copy, Debug)]
pub struct GateNames<'a> {
    /// The metric.
    pub metric: &'a str,
    /// What was held against.
    pub baseline: &'a str,
    /// What was changed.
    pub candidate: &'a str,
    /// The tasks, in the plan's order.
    pub tasks: &'a [String],
}

impl GateSummary {
    /// A decision with names.
    pub fn new(
        decision: GateDecision,
        names: GateNames<'_>,
        options: &GateOptions,
        sizes: [usize; 2],
    ) -> Self {
        let named = |flaky: super::FlakyTask| NamedFlakyTask {
            task: names.tasks.get(flaky.task).cloned().unwrap_or_default(),
            attempts: flaky.attempts,
            solved: flaky.solved,
            both: flaky.both,
        };
        Self {
            verdict: decision.verdict,
            sentence: decision.sentence,
            metric: names.metric.to_owned(),
            baseline: names.baseline.to_owned(),
            candidate: names.candidate.to_owned(),
            margin: options.margin,
            alpha: options.alpha,
            power: options.power,
            difference: decision.difference,
            interval: decision.interval,
            looks: decision.looks,
            attempts: decision.attempts,
            planned_attempts: sizes[0],
            fixed_attempts: sizes[1],
            flaky: decision.flaky.into_iter().map(named).collect(),
            usd: None,
            runs: Vec::new(),
        }
    }

    /// One test case: a fail is a failure, an open answer an error.
    pub fn junit(&self, lang: Language) -> String {
        let said = plain(&lang.say(&self.sentence));
        let case = format!("{}: {} / {}", self.metric, self.candidate, self.baseline);
        let count = |verdict| u8::from(self.verdict == verdict);
        let body: Markup = html! {
            testsuites {
                testsuite name="koab gate" tests="1" skipped="0" failures=(count(GateVerdict::Fail))
                    errors=(count(GateVerdict::Inconclusive)) {
                    testcase classname="koab.gate" name=(plain(&case)) {
                        @match self.verdict {
                            GateVerdict::Pass => { system-out { (said) } }
                            GateVerdict::Fail => { failure message=(said) type="regression" { (said) } }
                            GateVerdict::Inconclusive => { error message=(said) type="inconclusive" { (said) } }
                        }
                    }
                }
            }
        };
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n",
            PreEscaped(body.into_string()).0
        )
    }

    /// For a pull request.
    pub fn markdown(&self, lang: Language) -> String {
        let mark = match self.verdict {
            GateVerdict::Pass => text!("passed", "the gate"),
            GateVerdict::Fail => text!("failed", "the gate"),
            GateVerdict::Inconclusive => text!("inconclusive", "the gate"),
        };
        let cell = |text: &str| plain(text).replace('|', "\\|").replace(['\n', '\r'], " ");
        let mut page = format!(
            "### koab gate: {}\n\n{}\n\n",
            lang.text(mark),
            cell(&lang.say(&self.sentence))
        );
        let mut row = |name: &str, value: String| page.push_str(&format!("| {name} | {} |\n", cell(&value)));
        row(&self.metric, shown::difference(self.difference));
        row("---", "---".to_owned());
        row(lang.text(text!("baseline")), self.baseline.clone());
        row(lang.text(text!("candidate")), self.candidate.clone());
        if let Some([low, high]) = self.interval {
            row(lang.text(text!("interval")), shown::ends_of_difference(low, high));
        }
        row(lang.text(text!("margin")), shown::difference(Some(-self.margin)));
        row(
            lang.text(text!("attempts")),
            format!("{} / {}", self.attempts, self.planned_attempts),
        );
        if !self.flaky.is_empty() {
            let named = self
                .flaky
                .iter()
                .take(NAMED)
                .map(|one| format!("{} ({}/{})", one.task, one.solved, one.attempts));
            row(
                lang.text(text!("flaky tasks")),
                named.collect::<Vec<_>>().join(", "),
            );
        }
        page
    }
}

/// Without characters that XML cannot hold.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|one| !one.is_control() || *one == '\n')
        .collect()
}
