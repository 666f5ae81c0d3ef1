//! Results of a sweep, which runs several cells on several packs. A cell is a combination of a
//! model and settings. Every cell has a mean and a difference from the baseline cell, tested task
//! by task.
//!
//! The score of a task is the mean of its attempts: repetitions make the score more precise and do
//! not count as more tasks. A difference has the sign-flip test ([`super::paired::signflip`]) and a
//! percentile bootstrap interval over tasks. The p values of all cells and packs are corrected
//! together by Holm. Seeds are fixed, so the same attempts give the same table.

mod markdown;
#[cfg(test)]
mod tests;

use crate::paired::{ALPHA, DRAWS, SEED, holm, signflip};
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::interval;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Scores of attempts, by task; null for an attempt without a score.
pub type Attempts = BTreeMap<String, Vec<Option<f64>>>;

/// Results of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SweepSummary {
    /// Name of the sweep; empty if its file has no name.
    pub name: String,
    /// Name of the metric that the cells are compared by.
    pub metric: MetricId,
    /// Rules that attempts were scored by: leaderboard or corrected.
    pub scorer: String,
    /// Judges that scored the attempts.
    pub judges: Vec<String>,
    /// Number of attempts per task.
    pub repetitions: u32,
    /// `name@version` of each pack.
    pub packs: Vec<String>,
    /// Label of the baseline cell. All other cells are compared with it.
    pub baseline: String,
    /// Cells with their results. If the sweep ended early, some results are missing.
    pub cells: Vec<SweepCell>,
    /// Number of runs that are complete and scored.
    pub done: usize,
    /// Number of all runs.
    pub runs: usize,
    /// Number of tests that were corrected together.
    pub tests: usize,
    /// Reason why the sweep ended before its last run; null if all runs were made.
    pub stopped: Option<Sentence>,
    /// Cost in USD, including earlier starts of the same sweep; null if nothing costs money or the
    /// price is unknown.
    pub usd: Option<f64>,
    /// Remarks for the reader.
    pub notes: Vec<Sentence>,
}

/// One combination of a model and settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SweepCell {
    /// Label of the cell: the model and the settings that differ between cells.
    pub label: String,
    /// `provider/model`.
    pub model: String,
    /// Sampling temperature; `None` if the sweep sets none, so that each pack's benchmark
    /// determines it.
    pub temperature: Option<f64>,
    /// Reasoning effort; null for the model's default.
    pub effort: Option<String>,
    /// Sampling seed.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub seed: Option<u64>,
    /// File of the system prompt; null if the sweep sets none.
    pub system_prompt: Option<String>,
    /// File with descriptions of tools; null if those of the pack are used.
    pub tool_texts: Option<String>,
    /// Results of the cell, one per pack.
    pub results: Vec<SweepResult>,
}

/// Result of a cell on one pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SweepResult {
    /// `name@version`.
    pub pack: String,
    /// Run of the cell on this pack.
    pub run: String,
    /// Report of the run; null where there is no report yet.
    pub report: Option<String>,
    /// Scores of the run.
    #[serde(flatten)]
    pub score: SweepScore,
    /// Difference from the baseline cell; null for the baseline itself, and if no task has a score
    /// in both cells.
    pub difference: Option<SweepDifference>,
}

/// Scores of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SweepScore {
    /// Mean score over tasks; null where no task has a score.
    pub mean: Option<f64>,
    /// Ends of the mean's 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// Number of tasks with a score.
    pub tasks: usize,
    /// Number of attempts with a score.
    pub attempts: usize,
    /// Number of attempts without a score.
    pub unscored: usize,
}

/// Difference of a cell from the baseline cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SweepDifference {
    /// Mean of the cell minus mean of the baseline, over the tasks that both have.
    pub value: f64,
    /// Ends of the difference's 95 % interval; null if all tasks have the same difference.
    pub interval: Option<[f64; 2]>,
    /// Number of tasks that both cells have.
    pub tasks: usize,
    /// Number of tasks that the cell solves better than the baseline.
    pub won: usize,
    /// Number of tasks that the cell solves worse than the baseline.
    pub lost: usize,
    /// p value of the sign-flip test.
    pub p: f64,
    /// p value after Holm's correction over all cells and packs.
    pub corrected_p: f64,
    /// Conclusion from the corrected p value.
    pub verdict: SweepVerdict,
}

/// Conclusion of a test against the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum SweepVerdict {
    /// The cell is better than the baseline.
    Better,
    /// The cell is worse than the baseline.
    Worse,
    /// There is no significant difference.
    NotSeparated,
}

/// Mean of each task that has a score.
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
    /// Computes the scores of these attempts.
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
    /// Compares a cell with the baseline; `None` if no task has a score on both sides. The p value
    /// is not corrected yet.
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
    /// Corrects the p values of all differences together and sets their verdicts.
    pub fn correct(&mut self) {
        let results = self.cells.iter_mut().flat_map(|cell| &mut cell.results);
        let mut differences: Vec<&mut SweepDifference> =
            results.filter_map(|result| result.difference.as_mut()).collect();
        let p: Vec<f64> = differences.iter().map(|one| one.p).collect();
        self.tests = p.len();
        for (one, corrected) in differences.iter_mut().zip(holm::holm(&p)) {
            one.corrected_p = corrected;
            one.verdict = if corrected < ALPHA && one.value > 0.0 {
                SweepVerdict::Better
            } else if corrected < ALPHA {
                SweepVerdict::Worse
            } else {
                SweepVerdict::NotSeparated
            };
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Interval of a mean over tasks: Wilson's if every task scores 0 or 1, else the bootstrap
/// interval.
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
