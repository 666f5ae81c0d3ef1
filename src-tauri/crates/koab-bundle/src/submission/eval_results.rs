//! Results for the repository of a model with open weights: `.eval_results/*.yaml` of the Hugging
//! Face hub.
//!
//! The format is described at `https://huggingface.co/docs/hub/eval-results` (as of November 2026),
//! whose authors call it work in progress. Each entry needs `dataset.id`, `dataset.task_id` and
//! `value`; `date`, `source` (with a `url`) and `notes` are optional. Task ids are those of the
//! dataset's `eval.yaml`. The benchmark's dataset has no such file yet, so the task ids are the
//! names of its splits. The hub shows the entries as soon as the owners of the dataset register it.

use super::Submission;
use koab_core::score::MetricId;
use koab_report::Report;
use std::fmt::Write as _;

/// Dataset of the benchmark on the hub.
pub const DATASET: &str = "huggingface-KREW/Ko-AgentBench";

/// Results file for the model's repository, with one entry per level and its SR in per cent.
///
/// `None` when the weights are not open or have no repository, or when no level has an SR.
pub fn eval_results(submission: &Submission, report: &Report) -> Option<String> {
    if !submission.names.has_repository() {
        return None;
    }
    let mut text = format!(
        "# For {}, as .eval_results/ko-agentbench.yaml. Value: SR (success rate) of the level, per cent.\n",
        submission.names.repo.trim(),
    );
    let day: String = report.evaluation_date.chars().take(10).collect();
    let judges = submission.judged_by.judges.as_deref().unwrap_or_default().join(", ");
    let mut notes = format!(
        "SR by {} votes of {judges}, {} scorer",
        submission.judged_by.votes, submission.judged_by.scorer
    );
    if let Some(pack) = &submission.versions.pack {
        let _ = write!(notes, ", pack {pack}");
    }
    let mut has_any = false;
    for level in &report.levels {
        let Some(rate) = level.mean(MetricId::Sr).and_then(|mean| mean.figure.value()) else {
            continue;
        };
        has_any = true;
        let _ = writeln!(text, "- dataset:\n    id: {DATASET}\n    task_id: {}", level.level);
        let _ = writeln!(text, "  value: {:.2}", rate * 100.0);
        if day.len() == 10 {
            let _ = writeln!(text, "  date: {}", quoted(&day));
        }
        let url = submission.names.source_url.trim();
        if !url.is_empty() {
            let _ = writeln!(
                text,
                "  source:\n    url: {}\n    name: {}",
                quoted(url),
                quoted("Ko-AgentBench transcripts")
            );
        }
        let _ = writeln!(text, "  notes: {}", quoted(&notes));
    }
    has_any.then_some(text)
}

/// Quotes a text for YAML, where every JSON string is a double-quoted scalar.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
