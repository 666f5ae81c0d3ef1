//! The gate's answer with names, and as files that others read: `JUnit` XML for a CI, Markdown for
//! a pull request.

use super::decision::level;
use super::named_flips::NamedFlips;
use super::names::{code, plain, prose};
use super::{GateDecision, GateLook, GateOptions, GateVerdict};
use koab_core::sentence::{Language, Sentence};
use koab_core::{say, shown, text};
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
    /// What was compared.
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
    /// The ends of its interval, at one less twice `alpha`.
    pub interval: Option<[f64; 2]>,
    /// All looks.
    pub looks: Vec<GateLook>,
    /// Attempts that were made.
    pub attempts: usize,
    /// Attempts that were planned if it goes to its end.
    pub planned_attempts: usize,
    /// Attempts that a design without looks would take, by earlier reports.
    pub fixed_attempts: usize,
    /// Tasks that the candidate solved sometimes, or whose verdict flips; those that it solved
    /// least often first.
    pub flaky: Vec<NamedFlakyTask>,
    /// Tasks that were compared.
    pub tasks: usize,
    /// Tasks of the pack that have the metric.
    pub of: usize,
    /// Seed of the order of the tasks.
    pub seed: u64,
    /// How often the judge contradicts itself; null where no judge is asked or it is not known.
    pub flips: Option<NamedFlips>,
    /// By which rules attempts were scored.
    pub scorer: String,
    /// Earlier reports that say where attempts are needed.
    pub earlier: usize,
    /// Why it could hardly find an answer.
    pub limit: Option<Sentence>,
    /// What differs between the sides beside the change, or is not known of them.
    pub remarks: Vec<Sentence>,
    /// USD that were spent; null where nothing costs or it is not known.
    pub usd: Option<f64>,
    /// The runs that were made.
    pub runs: Vec<String>,
}

/// A task that is solved sometimes, or whose verdict flips.
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
    /// Its answers, of either side, that were judged otherwise when the judge was asked again.
    pub judge_flips: u32,
}

impl NamedFlakyTask {
    /// How often it was solved of how often it was tried, and how often its verdict flipped.
    pub fn counts(&self, lang: Language) -> String {
        let solved = format!("{}/{}", self.solved, self.attempts);
        if self.judge_flips == 0 {
            return solved;
        }
        let count = self.judge_flips;
        format!("{solved}, {}", lang.say(&say!("judge said otherwise: {count}")))
    }
}

/// What a gate's sides are called.
#[derive(Clone, Copy, Debug)]
pub struct GateNames<'a> {
    /// The metric.
    pub metric: &'a str,
    /// What was compared.
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
            judge_flips: flaky.judge_flips,
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

    /// One test case: a fail is a failure, an open answer an error.
    pub fn junit(&self, lang: Language) -> String {
        let said = plain(&lang.say(&self.sentence));
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
                            GateVerdict::Pass => { system-out { (said) "\n" (remarks) } }
                            GateVerdict::Fail => { failure message=(said) type="regression" { (said) } }
                            GateVerdict::Inconclusive => { error message=(said) type="inconclusive" { (said) } }
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

    /// For a pull request.
    pub fn markdown(&self, lang: Language) -> String {
        let mark = match self.verdict {
            GateVerdict::Pass => text!("passed", "the gate"),
            GateVerdict::Fail => text!("failed", "the gate"),
            GateVerdict::Inconclusive => text!("inconclusive", "the gate"),
        };
        let mut page =
            format!("### koab gate: {}\n\n{}\n\n", lang.text(mark), prose(&lang.say(&self.sentence)));
        let mut row = |name: &str, value: String| page.push_str(&format!("| {name} | {value} |\n"));
        row(&self.metric, shown::difference(self.difference));
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
            row(lang.text(text!("judge said otherwise")), flips.counts());
        }
        if !self.flaky.is_empty() {
            let named = self
                .flaky
                .iter()
                .take(NAMED)
                .map(|one| format!("{} ({})", code(&one.task), one.counts(lang)));
            row(lang.text(text!("flaky tasks")), named.collect::<Vec<_>>().join(", "));
        }
        let notes = self.notes().map(|one| format!("- {}\n", prose(&lang.say(&one))));
        let notes: String = notes.collect();
        if !notes.is_empty() {
            page.push_str(&format!("\n{notes}"));
        }
        page
    }

    /// What is said beside the answer.
    pub fn notes(&self) -> impl Iterator<Item = Sentence> {
        let flips = self.flips.as_ref().map(NamedFlips::sentence);
        let others = self.remarks.iter().chain(&self.limit).cloned();
        flips.into_iter().chain(others)
    }

    /// The figures for a machine that reads a `JUnit` file.
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
