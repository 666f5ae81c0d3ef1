//! What a sweep found: every cell's mean and its difference from the baseline cell, tested task by
//! task.
//!
//! A task counts once, by the mean of its attempts, so that repetitions make a task surer and do
//! not make it more tasks. A difference has the sign-flip test ([`super::paired::signflip`]) and a
//! percentile bootstrap over tasks; p values of all cells and packs are corrected together by Holm.
//! Seeds are fixed: the same attempts give the same table.

mod markdown;
#[cfg(test)]
mod tests;

use crate::paired::{ALPHA, DRAWS, SEED, holm, signflip};
use koab_core::sentence::Sentence;
use koab_report::interval;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Attempts by task; one without a score is null.
pub type Attempts = BTreeMap<String, Vec<Option<f64>>>;

/// What a sweep found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SweepSummary {
    /// Its name; empty where its file gives none.
    pub name: String,
    /// Name of the metric.
    pub metric: String,
    /// By which rules attempts were scored.
    pub scorer: String,
    /// Judges that were asked.
    pub judges: Vec<String>,
    /// Attempts a task.
    pub repetitions: u32,
    /// `name@version` of each pack.
    pub packs: Vec<String>,
    /// Label of the cell that all others are compared with.
    pub baseline: String,
    /// Settings with their results; those of a sweep that ended early have fewer.
    pub cells: Vec<SweepCell>,
    /// Runs that are complete and scored.
    pub done: usize,
    /// Runs in all.
    pub runs: usize,
    /// Tests that were corrected together.
    pub tests: usize,
    /// Why it ended before its last run; null where it did not.
    pub stopped: Option<Sentence>,
    /// USD that were spent, earlier starts included; null where nothing costs or it is not known.
    pub usd: Option<f64>,
    /// What a reader must know.
    pub notes: Vec<Sentence>,
}

/// One choice of model and settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SweepCell {
    /// The model and the settings that differ between cells.
    pub label: String,
    /// `provider/model`.
    pub model: String,
    /// Sampling temperature; `None` where none was named, which is that of each pack's benchmark.
    pub temperature: Option<f64>,
    /// Reasoning effort; null where it is left to the model.
    pub effort: Option<String>,
    /// Sampling seed.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub seed: Option<u64>,
    /// File of the system prompt; null where there is none.
    pub system_prompt: Option<String>,
    /// File of the tools' texts; null where they are the pack's.
    pub tool_texts: Option<String>,
    /// What it came to, a pack each.
    pub results: Vec<SweepResult>,
}

/// A cell in one pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SweepResult {
    /// `name@version`.
    pub pack: String,
    /// The run.
    pub run: String,
    /// Its report.
    pub report: Option<String>,
    /// Its numbers.
    #[serde(flatten)]
    pub score: SweepScore,
    /// Compared with the baseline; null of the baseline itself and where no task has both scores.
    pub difference: Option<SweepDifference>,
}

/// The numbers of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SweepScore {
    /// Mean over tasks; null where none has a score.
    pub mean: Option<f64>,
    /// Ends of its 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// Tasks with a score.
    pub tasks: usize,
    /// Attempts with a score.
    pub attempts: usize,
    /// Attempts without one.
    pub unscored: usize,
}

/// A cell's difference from the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SweepDifference {
    /// The cell's mean less the baseline's, over tasks that both have.
    pub value: f64,
    /// Ends of its 95 % interval; null where all tasks differ alike.
    pub interval: Option<[f64; 2]>,
    /// Tasks that both have.
    pub tasks: usize,
    /// Tasks that the cell solves better.
    pub won: usize,
    /// Tasks that it solves worse.
    pub lost: usize,
    /// Of the sign-flip test.
    pub p: f64,
    /// The same after Holm's correction over all cells and packs.
    pub corrected_p: f64,
    /// What that comes to.
    pub verdict: SweepVerdict,
}

/// What a test comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum SweepVerdict {
    /// Better than the baseline.
    Better,
    /// Worse.
    Worse,
    /// No significant difference.
    NotSeparated,
}

/// The mean of each task that has a score.
fn means(attempts: &Attempts) -> BTreeMap<&str, f64> {
    attempts
        .iter()
        .filter_map(|(task, attempts)| {
            let scored: Vec<f64> = attempts.iter().copied().flatten().collect();
            let mean = scored.iter().sum::<f64>() / scored.len() as f64;
            (!scored.is_empty()).then_some((task.as_str(), mean))
        })
        .collect()
}

impl SweepScore {
    /// The numbers of these attempts.
    pub fn from_attempts(attempts: &Attempts) -> Self {
        let means: Vec<f64> = means(attempts).into_values().collect();
        let all = attempts.values().flatten();
        let scored = all.clone().flatten().count();
        Self {
            mean: mean(&means),
            interval: interval_of_mean(&means),
            tasks: means.len(),
            attempts: scored,
            unscored: all.count() - scored,
        }
    }
}

impl SweepDifference {
    /// A cell compared with the baseline; nothing where no task has a score on both sides. Not
    /// corrected yet.
    pub fn between(baseline: &Attempts, cell: &Attempts) -> Option<Self> {
        let (baseline, cell) = (means(baseline), means(cell));
        let both = cell.iter().filter_map(|(task, mean)| Some(mean - baseline.get(task)?));
        let differences: Vec<f64> = both.collect();
        let value = mean(&differences)?;
        let (p, _) = signflip::p_value(&differences, SEED, DRAWS);
        Some(Self {
            value,
            interval: interval_of(&differences),
            tasks: differences.len(),
            won: differences.iter().filter(|one| **one > 0.0).count(),
            lost: differences.iter().filter(|one| **one < 0.0).count(),
            p,
            corrected_p: p,
            verdict: SweepVerdict::NotSeparated,
        })
    }
}

impl SweepSummary {
    /// Corrects the p values of all differences together and says what each comes to.
    pub fn correct(&mut self) {
        let results = self.cells.iter_mut().flat_map(|cell| &mut cell.results);
        let mut differences: Vec<&mut SweepDifference> =
            results.filter_map(|result| result.difference.as_mut()).collect();
        let p: Vec<f64> = differences.iter().map(|one| one.p).collect();
        self.tests = p.len();
        for (one, corrected) in differences.iter_mut().zip(holm::holm(&p)) {
            one.corrected_p = corrected;
            one.verdict = match corrected < ALPHA {
                true if one.value > 0.0 => SweepVerdict::Better,
                true => SweepVerdict::Worse,
                false => SweepVerdict::NotSeparated,
            };
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Wilson's where every task counts 0 or 1.
fn interval_of_mean(means: &[f64]) -> Option<[f64; 2]> {
    if means.iter().any(|mean| *mean != 0.0 && *mean != 1.0) {
        return interval_of(means);
    }
    let solved = means.iter().filter(|mean| **mean == 1.0).count();
    let bounds = interval::wilson(solved, means.len()).ok()?;
    Some([bounds.low, bounds.high])
}

fn interval_of(values: &[f64]) -> Option<[f64; 2]> {
    let bounds = interval::bootstrap_mean(values).ok()?;
    Some([bounds.low, bounds.high])
}
