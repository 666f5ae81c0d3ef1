//! The file `submission.json`, which describes a submission for programs.
//!
//! The fields have the names of the same fields in submissions of τ²-bench (`model_name`,
//! `submission_date`, `contact_info`, `methodology`, `verification`).

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
    /// Id of the model that the run used.
    pub model_id: String,
    /// Name of the model's folder, which is part of the paths of the report and of the run.
    pub model_folder: String,
    /// Date of the run, `YYYYMMDD_HHMMSS`.
    pub run: String,
    /// Status of the run, as its logs name it; null when the logs have none.
    pub run_status: Option<String>,
    /// Time when the submission was prepared, ISO 8601.
    pub submission_date: String,
    /// `standard`, or `custom` when prompts, tools or rules differ from the published ones.
    pub submission_type: String,
    /// Details that a person enters.
    pub names: Names,
    /// Means by level.
    pub results: BTreeMap<Level, LevelResults>,
    /// Method of the evaluation, in the structure that other leaderboards use.
    pub methodology: Methodology,
    /// Versions of programs and data.
    pub versions: Versions,
    /// Judges of the report, and the number of their votes.
    pub judged_by: JudgedBy,
    /// Counts of how tool calls were answered; null when not known.
    pub calls: Option<CallSums>,
    /// Start and end of the run.
    pub times: Times,
    /// Hardware of a model inside the application, as the run recorded it; null for a model that a
    /// service runs.
    pub hardware: Option<Value>,
    /// Facts that decide whether the numbers can be compared.
    pub facts: Facts,
    /// Hash of the judges' prompts ([`koab_core::judge::JudgePrompts::sha256`]).
    pub prompts_sha256: Fact<String>,
    /// All files of the submission except `submission.json` itself.
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
    /// Number of scored tasks; null when the report does not contain it.
    pub tasks: Option<usize>,
    /// Mean by metric; null for a metric without a mean.
    pub metrics: BTreeMap<String, Option<f64>>,
}

/// Method of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Methodology {
    /// Time of the scoring in ISO 8601, as the report contains it.
    pub evaluation_date: String,
    /// Label of the pack, `name@version`; null when not known.
    pub ko_agentbench_version: Option<String>,
    /// Notes of the submitter.
    pub notes: String,
    /// Differences from the published questions of the leaderboard.
    pub verification: Verification,
}

/// Differences from the published questions of the leaderboard. Null means that a fact is not
/// known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// Whether tasks, tool texts or the judges' prompts were changed.
    pub modified_prompts: Option<bool>,
    /// Whether tasks were left out.
    pub omitted_questions: Option<bool>,
    /// Explanation of how a reader can check the statements about prompts and questions.
    pub details: String,
}

/// Versions and hashes (SHA-256 in lower-case hex) of programs and data. Null means that a fact is
/// not known.
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

/// Judges of a report, their votes, and the rules of scoring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedBy {
    /// Model ids of the judges; null when the report does not contain them.
    pub judges: Option<Vec<String>>,
    /// Number of votes of the first judge on SR.
    pub votes: usize,
    /// Rules of the report, `leaderboard` or `corrected`.
    pub scorer: String,
}

/// Counts over all tool calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallSums {
    /// Whether the run recorded the counts, or they were computed later by comparing its calls with
    /// an installed pack.
    pub basis: CallsBasis,
    /// Number of calls that a cached response answered.
    pub hit: u32,
    /// Number of calls without a cached response.
    pub miss: u32,
    /// Number of calls that failed because the task injects a failure.
    pub injected: u32,
    /// Number of calls that the check of name and arguments refused.
    pub refused: u32,
    /// Number of calls that a live API answered.
    pub live: u32,
    /// Number of calls that a saved response answered.
    pub overlay: u32,
    /// Share of calls that a cached response answered, among the calls that were looked up; null
    /// when no call was looked up.
    pub hit_rate: Option<f64>,
}

/// Start and end of a run. Null means that a time is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// Start of the run, ISO 8601, UTC.
    pub started: Option<String>,
    /// End of the run, ISO 8601, UTC.
    pub ended: Option<String>,
}

impl Submission {
    /// Text of `submission.json`.
    pub fn to_json(&self) -> String {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        in_english(&mut value);
        let how = Dumps { ascii: false, sorted: false, indent: Some(2) };
        dumps(&value, how) + "\n"
    }

    /// Files that are missing or were changed since they were prepared, each with whether the file
    /// exists.
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
            (level.level.clone(), results)
        });
        levels.collect()
    }

    /// SR over all evaluated tasks, 0 to 1; `None` when a level has no SR.
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
