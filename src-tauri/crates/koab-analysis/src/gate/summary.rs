//! Result of the gate with names, and its export as `JUnit` XML for CI and as Markdown for pull
//! requests.

use super::decision::level;
use super::named_flips::NamedFlips;
use super::names::{code, plain, prose};
use super::{GateDecision, GateLook, GateOptions, GateVerdict};
use koab_core::score::MetricId;
use koab_core::sentence::{Language, Sentence};
use koab_core::{say, shown, text};
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};

/// Maximum number of flaky tasks that a text names.
const MAX_NAMED_TASKS: usize = 10;

/// Result of a gate with the names of sides, metric and tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateSummary {
    /// Pass, fail, or inconclusive.
    pub verdict: GateVerdict,
    /// Explanation of the verdict.
    pub sentence: Sentence,
    /// Compared metric.
    pub metric: MetricId,
    /// Name of the baseline.
    pub baseline: String,
    /// Name of the candidate.
    pub candidate: String,
    /// Loss that the user does not accept.
    pub margin: f64,
    /// Chance of a wrong pass or a wrong fail.
    pub alpha: f64,
    /// Chance that a candidate without a loss passes.
    pub power: f64,
    /// Mean of the candidate minus mean of the baseline; null if no look was possible.
    pub difference: Option<f64>,
    /// Ends of the difference's interval, at level `1 − 2 · alpha`.
    pub interval: Option<[f64; 2]>,
    /// All looks, in order.
    pub looks: Vec<GateLook>,
    /// Number of attempts of the gate.
    pub attempts: usize,
    /// Number of attempts of the complete plan.
    pub planned_attempts: usize,
    /// Number of attempts that a test without interim looks needs, as expected from earlier
    /// reports.
    pub fixed_attempts: usize,
    /// Tasks that the candidate solved only sometimes, or whose verdict changes when the judge is
    /// asked again. The tasks that it solved least often come first.
    pub flaky: Vec<NamedFlakyTask>,
    /// Number of compared tasks.
    pub tasks: usize,
    /// Number of tasks of the pack that have the metric.
    pub of: usize,
    /// Seed of the order of the tasks.
    pub seed: u64,
    /// Self-contradiction of the judge; null if no judge is needed or it is unknown.
    pub flips: Option<NamedFlips>,
    /// Rules of the scoring: leaderboard or corrected.
    pub scorer: String,
    /// Number of earlier reports that the plan uses.
    pub earlier: usize,
    /// Reason why the gate was unlikely to decide; null if there was none.
    pub limit: Option<Sentence>,
    /// Differences between the sides in addition to the change, and unknown facts about the sides.
    pub remarks: Vec<Sentence>,
    /// Cost in USD; null if nothing costs money or the price is unknown.
    pub usd: Option<f64>,
    /// Runs that were made for the gate.
    pub runs: Vec<String>,
}

/// Task that is solved only sometimes, or whose verdict changes when the judge is asked again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedFlakyTask {
    /// Name of the task.
    pub task: String,
    /// Number of attempts that have a score.
    pub attempts: usize,
    /// Number of attempts that solved the task.
    pub solved: usize,
    /// Chance that two attempts both solve the task: pass^2.
    pub both: Option<f64>,
    /// Number of answers to the task (on either side) whose verdict changed when the judge was
    /// asked again.
    pub judge_flips: u32,
}

impl NamedFlakyTask {
    /// Number of attempts that solved the task and of all attempts, with the number of changed
    /// verdicts if there are any.
    pub fn counts(&self, lang: Language) -> String {
        let solved = format!("{}/{}", self.solved, self.attempts);
        if self.judge_flips == 0 {
            return solved;
        }
        let count = self.judge_flips;
        format!("{solved}, {}", lang.say(&say!("verdicts changed by the judge: {count}")))
    }
}

/// Names of a gate's metric, sides and tasks.
#[derive(Clone, Copy, Debug)]
pub struct GateNames<'a> {
    /// Compared metric.
    pub metric: MetricId,
    /// Name of the baseline.
    pub baseline: &'a str,
    /// Name of the candidate.
    pub candidate: &'a str,
    /// Names of the tasks, in the plan's order.
    pub tasks: &'a [String],
}

impl GateSummary {
    /// Combines a decision with names.
    pub fn new(
        decision: GateDecision,
        names: GateNames<'_>,
        options: &GateOptions,
        sizes: [usize; 2],
    ) -> Self {
        let with_name = |flaky: super::FlakyTask| NamedFlakyTask {
            task: names.tasks.get(flaky.task).cloned().unwrap_or_default(),
            attempts: flaky.attempts,
            solved: flaky.solved,
            both: flaky.both,
            judge_flips: flaky.judge_flips,
        };
        Self {
            verdict: decision.verdict,
            sentence: decision.sentence,
            metric: names.metric,
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
            flaky: decision.flaky.into_iter().map(with_name).collect(),
            tasks: names.tasks.len(),
            of: names.tasks.len(),
            seed: options.seed,
            flips: options.flips.map(|flips| NamedFlips::new(flips, false)),
            scorer: String::new(),
            earlier: 0,
            limit: None,
            remarks: Vec::new(),
            usd: None,
            runs: Vec::new(),
        }
    }

    /// `JUnit` file with one test case. A failed gate is a failure of the test, an inconclusive
    /// gate is an error.
    pub fn junit(&self, lang: Language) -> String {
        let reason = plain(&lang.say(&self.sentence));
        let remarks = self.notes().map(|one| plain(&lang.say(&one)));
        let remarks = remarks.collect::<Vec<_>>().join("\n");
        let case = format!("{}: {} / {}", self.metric, self.candidate, self.baseline);
        let count = |verdict| u8::from(self.verdict == verdict);
        let body: Markup = html! {
            testsuites {
                testsuite name="koab gate" tests="1" skipped="0" failures=(count(GateVerdict::Fail))
                    errors=(count(GateVerdict::Inconclusive)) {
                    properties {
                        @for (name, value) in self.properties() {
                            // Closed by hand: XML knows no void elements.
                            property name=(name) value=(plain(&value)) {}
                        }
                    }
                    testcase classname="koab.gate" name=(plain(&case)) {
                        @match self.verdict {
                            GateVerdict::Pass => { system-out { (reason) "\n" (remarks) } }
                            GateVerdict::Fail => { failure message=(reason) type="regression" { (reason) } }
                            GateVerdict::Inconclusive => { error message=(reason) type="inconclusive" { (reason) } }
                        }
                        @if !remarks.is_empty() && self.verdict != GateVerdict::Pass {
                            system-out { (remarks) }
                        }
                    }
                }
            }
        };
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", PreEscaped(body.into_string()).0)
    }

    /// Markdown text for a pull request.
    pub fn markdown(&self, lang: Language) -> String {
        let mark = match self.verdict {
            GateVerdict::Pass => text!("passed", "the gate"),
            GateVerdict::Fail => text!("failed", "the gate"),
            GateVerdict::Inconclusive => text!("inconclusive", "the gate"),
        };
        let mut page =
            format!("### koab gate: {}\n\n{}\n\n", lang.text(mark), prose(&lang.say(&self.sentence)));
        let mut row = |name: &str, value: String| page.push_str(&format!("| {name} | {value} |\n"));
        row(self.metric.name(), shown::difference(self.difference));
        row("---", "---".to_owned());
        row(lang.text(text!("baseline")), code(&self.baseline));
        row(lang.text(text!("candidate")), code(&self.candidate));
        if let Some([low, high]) = self.interval {
            let level = level(self.alpha);
            let ends = shown::ends_of_difference(low, high);
            row(&lang.say(&say!("{level} interval")), ends);
        }
        row(lang.text(text!("margin")), shown::difference(Some(-self.margin)));
        row(lang.text(text!("attempts")), format!("{} / {}", self.attempts, self.planned_attempts));
        row(lang.text(text!("tasks")), format!("{} / {}", self.tasks, self.of));
        row(lang.text(text!("seed")), self.seed.to_string());
        if let Some(flips) = &self.flips {
            row(lang.text(text!("verdicts changed by the judge")), flips.counts());
        }
        if !self.flaky.is_empty() {
            let tasks = self
                .flaky
                .iter()
                .take(MAX_NAMED_TASKS)
                .map(|one| format!("{} ({})", code(&one.task), one.counts(lang)));
            row(lang.text(text!("flaky tasks")), tasks.collect::<Vec<_>>().join(", "));
        }
        let notes = self.notes().map(|one| format!("- {}\n", prose(&lang.say(&one))));
        let notes: String = notes.collect();
        if !notes.is_empty() {
            page.push_str(&format!("\n{notes}"));
        }
        page
    }

    /// Remarks that are shown with the verdict.
    pub fn notes(&self) -> impl Iterator<Item = Sentence> {
        let flips = self.flips.as_ref().map(NamedFlips::sentence);
        let others = self.remarks.iter().chain(&self.limit).cloned();
        flips.into_iter().chain(others)
    }

    /// Names and values of the properties in the `JUnit` file.
    fn properties(&self) -> Vec<(&'static str, String)> {
        let mut all = vec![("margin", self.margin.to_string()), ("attempts", self.attempts.to_string())];
        all.extend(self.difference.map(|one| ("difference", one.to_string())));
        if let Some([low, high]) = self.interval {
            all.extend([("interval.low", low.to_string()), ("interval.high", high.to_string())]);
        }
        all.extend(self.flips.iter().flat_map(NamedFlips::properties));
        let otherwise = self.flaky.iter().filter(|one| one.judge_flips > 0);
        let otherwise: Vec<&str> = otherwise.map(|one| one.task.as_str()).collect();
        all.extend((!otherwise.is_empty()).then(|| ("judge.flaky_tasks", otherwise.join(" "))));
        all
    }
}
