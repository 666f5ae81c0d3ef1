//! `submission.json`: the submission for programs.
//!
//! The names of its fields follow the submissions of τ²-bench where these have such a field
//! (`model_name`, `submission_date`, `contact_info`, `methodology`, `verification`).

use super::Names;
use koab_core::cache_key::sha256_hex;
use koab_core::level::Level;
use koab_core::python::{Dumps, dumps};
use koab_core::score::MetricId;
use koab_core::sentence::in_english;
use koab_report::Report;
use koab_report::comparability::{CallsBasis, Fact, Facts};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Version of the format of `submission.json`.
pub const FORMAT: u32 = 1;

/// Description of a submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// Version of the format, [`FORMAT`].
    pub format: u32,
    /// Model id as it was run.
    pub model_id: String,
    /// Folder of the model, which names the report's and the run's folders.
    pub model_folder: String,
    /// Date of the run, `YYYYMMDD_HHMMSS`.
    pub run: String,
    /// Status of the run in its own words; null when its logs do not have it.
    pub run_status: Option<String>,
    /// Time when the submission was prepared, ISO 8601.
    pub submission_date: String,
    /// `standard`, or `custom` when prompts, tools or rules are not the published ones.
    pub submission_type: String,
    /// Details that a person enters.
    pub names: Names,
    /// Means by level.
    pub results: BTreeMap<Level, LevelResults>,
    /// Method of the evaluation, in the form that other leaderboards use.
    pub methodology: Methodology,
    /// Versions of programs and data.
    pub versions: Versions,
    /// Judges and their votes.
    pub judged_by: JudgedBy,
    /// Sums of how tool calls were answered; null when not known.
    pub calls: Option<CallSums>,
    /// Start and end of the run.
    pub times: Times,
    /// Hardware of a model inside the application, as the run recorded it; null for a model behind
    /// a service.
    pub hardware: Option<Value>,
    /// Facts that decide whether the numbers can be compared.
    pub facts: Facts,
    /// Hash of the judges' prompts ([`koab_core::judge::JudgePrompts::sha256`]).
    pub prompts_sha256: Fact<String>,
    /// All files except this one.
    #[serde(default)]
    pub files: Vec<FileEntry>,
}

/// A file of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "SubmissionFile"))]
pub struct FileEntry {
    /// Path, with `/` between folders.
    pub path: String,
    /// Size in bytes.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub bytes: u64,
    /// SHA-256 of the content, lower-case hex.
    pub sha256: String,
}

/// Means of a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelResults {
    /// Number of scored tasks; null when the report does not have it.
    pub tasks: Option<usize>,
    /// Mean by metric; null for a metric without a mean.
    pub metrics: BTreeMap<String, Option<f64>>,
}

/// Method of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Methodology {
    /// Time of the scoring, ISO 8601 as the report has it.
    pub evaluation_date: String,
    /// Label of the pack, `name@version`; null when not known.
    pub ko_agentbench_version: Option<String>,
    /// Notes of the submitter.
    pub notes: String,
    /// Differences from the questions that the leaderboard asks.
    pub verification: Verification,
}

/// Differences from the questions that the leaderboard asks. Null means not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// Whether tasks, tool texts or the judges' prompts were changed.
    pub modified_prompts: Option<bool>,
    /// Whether tasks were left out.
    pub omitted_questions: Option<bool>,
    /// Explanation of how this can be checked.
    pub details: String,
}

/// Programs and data by version and hash. Null means not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// Version of this product.
    pub koab: String,
    /// Label of the pack, `name@version`.
    pub pack: Option<String>,
    /// Hash of all tasks.
    pub tasks_sha256: Option<String>,
    /// Common hash of the names, descriptions and schemas of all offered tools.
    pub tools_sha256: Option<String>,
    /// Hash of the cached responses.
    pub records_sha256: Option<String>,
    /// Name of the snapshot that was read instead of the pack's cached responses.
    pub snapshot: Option<String>,
    /// Hash of the snapshot.
    pub snapshot_sha256: Option<String>,
}

/// Judges of a report, and how they judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedBy {
    /// Model ids; null when the report does not have them.
    pub judges: Option<Vec<String>>,
    /// Number of votes of the first judge on SR.
    pub votes: usize,
    /// Rules of the report, `leaderboard` or `corrected`.
    pub scorer: String,
}

/// Sums over all tool calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallSums {
    /// Whether the run recorded the sums, or its calls were compared with an installed pack later.
    pub basis: CallsBasis,
    /// Number of calls that a recording answered.
    pub hit: u32,
    /// Number of calls without a recording.
    pub miss: u32,
    /// Number of calls that failed because the task injects a failure.
    pub injected: u32,
    /// Number of calls that the check of name and arguments refused.
    pub refused: u32,
    /// Number of calls that a live API answered.
    pub live: u32,
    /// Number of calls that a saved response answered.
    pub overlay: u32,
    /// Share of the looked-up calls that a recording answered; null when no call was looked up.
    pub hit_rate: Option<f64>,
}

/// Start and end of a run. Null means not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// Start of the run, ISO 8601, UTC.
    pub started: Option<String>,
    /// End of the run, ISO 8601, UTC.
    pub ended: Option<String>,
}

impl Submission {
    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        in_english(&mut value);
        let how = Dumps { ascii: false, sorted: false, indent: Some(2) };
        dumps(&value, how) + "\n"
    }

    /// Files that are missing or not as they were prepared, each with whether it exists.
    pub(super) fn changed_files<'a>(
        &'a self,
        get: impl Fn(&str) -> Option<&'a [u8]>,
    ) -> impl Iterator<Item = (&'a FileEntry, bool)> {
        self.files.iter().filter_map(move |file| match get(&file.path) {
            None => Some((file, false)),
            Some(content) => (sha256_hex(content) != file.sha256).then_some((file, true)),
        })
    }

    /// Means of a report by level.
    pub fn results_of(report: &Report) -> BTreeMap<Level, LevelResults> {
        let levels = report.levels.iter().map(|level| {
            let means = level.means.iter().map(|mean| (mean.metric.to_string(), mean.figure.value()));
            let results = LevelResults { tasks: level.evaluated_tasks, metrics: means.collect() };
            (level.level, results)
        });
        levels.collect()
    }

    /// SR over all evaluated tasks, 0 to 1; `None` when a level has none.
    pub fn success_rate(report: &Report) -> Option<f64> {
        let (mut sum, mut tasks) = (0.0, 0.0);
        for level in &report.levels {
            let count = level.evaluated_tasks? as f64;
            sum += level.mean(MetricId::Sr)?.figure.value()? * count;
            tasks += count;
        }
        (tasks > 0.0).then(|| sum / tasks)
    }
}
