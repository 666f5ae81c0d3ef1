//! `submission.json`: what is handed in, for programs. The names of its fields follow the
//! submissions of τ²-bench where there is one to follow (`model_name`, `submission_date`,
//! `contact_info`, `methodology`, `verification`).

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

/// Version of the form.
pub const FORMAT: u32 = 1;

/// A submission without its files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// [`FORMAT`].
    pub format: u32,
    /// The model's id as it was run.
    pub model_id: String,
    /// Folder of the model, which names the report's and the run's folders.
    pub model_folder: String,
    /// The run's date, `YYYYMMDD_HHMMSS`.
    pub run: String,
    /// How the run ended, in its own word; null when its logs do not say it.
    pub run_status: Option<String>,
    /// When this was put together, ISO 8601.
    pub submission_date: String,
    /// `standard`, or `custom` when prompts, tools or rules are not the published ones.
    pub submission_type: String,
    /// What a person says.
    pub names: Names,
    /// Means by level.
    pub results: BTreeMap<Level, LevelResults>,
    /// How it was made, for those who know other leaderboards' forms.
    pub methodology: Methodology,
    /// Programs and data.
    pub versions: Versions,
    /// Who judged.
    pub judged_by: JudgedBy,
    /// How tool calls were answered, in sums; null when that is not known.
    pub calls: Option<CallSums>,
    /// When it ran and was scored.
    pub times: Times,
    /// What it ran on: of a model inside the application what the run wrote down; null for a model
    /// behind a service.
    pub hardware: Option<Value>,
    /// Everything that decides whether the numbers can be compared.
    pub facts: Facts,
    /// Hash of the prompts that judges are asked with ([`koab_core::judge::JudgePrompts::sha256`]).
    pub prompts_sha256: Fact<String>,
    /// Every file but this one.
    #[serde(default)]
    pub files: Vec<FileEntry>,
}

/// A file of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "SubmissionFile"))]
pub struct FileEntry {
    /// Where it lies; `/` parts folders.
    pub path: String,
    /// Bytes.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub bytes: u64,
    /// SHA-256, lower-case hex.
    pub sha256: String,
}

/// A level's means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelResults {
    /// Tasks scored; null when the report does not say.
    pub tasks: Option<usize>,
    /// Metric to mean; null where there is none.
    pub metrics: BTreeMap<String, Option<f64>>,
}

/// How an evaluation was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Methodology {
    /// When it was scored, ISO 8601 as the report has it.
    pub evaluation_date: String,
    /// The pack, `name@version`; null when it is not known.
    pub ko_agentbench_version: Option<String>,
    /// What the submitter says.
    pub notes: String,
    /// Whether what was asked is what the leaderboard asks.
    pub verification: Verification,
}

/// Whether what was asked is what the leaderboard asks. Null is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// Whether tasks, tool texts or the judge's prompts are others.
    pub modified_prompts: Option<bool>,
    /// Whether tasks were left out.
    pub omitted_questions: Option<bool>,
    /// How one can see it.
    pub details: String,
}

/// Programs and data by version and hash. What is null is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// This product's.
    pub koab: String,
    /// `name@version` of the pack.
    pub pack: Option<String>,
    /// Hash of all tasks.
    pub tasks_sha256: Option<String>,
    /// One hash of all offered tools' names, descriptions and schemas.
    pub tools_sha256: Option<String>,
    /// Hash of the cached responses.
    pub records_sha256: Option<String>,
    /// Name of the snapshot that answered instead.
    pub snapshot: Option<String>,
    /// Its hash.
    pub snapshot_sha256: Option<String>,
}

/// Who judged, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedBy {
    /// Model ids; null when the report does not say.
    pub judges: Option<Vec<String>>,
    /// Votes of the first on SR.
    pub votes: usize,
    /// `leaderboard` or `corrected`.
    pub scorer: String,
}

/// Sums over all tool calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallSums {
    /// Whether the run wrote it down, or its calls were compared with an installed pack afterwards.
    pub basis: CallsBasis,
    /// Answered by a record.
    pub hit: u32,
    /// No answer recorded.
    pub miss: u32,
    /// The task's injected failure.
    pub injected: u32,
    /// Refused by the check of name and arguments.
    pub refused: u32,
    /// Answered by the live API.
    pub live: u32,
    /// Answered by the saved responses.
    pub overlay: u32,
    /// Share of looked-up calls that a record answered; null when nothing was looked up.
    pub hit_rate: Option<f64>,
}

/// When a run was made. What is null is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// ISO 8601, UTC.
    pub started: Option<String>,
    /// ISO 8601, UTC.
    pub ended: Option<String>,
}

impl Submission {
    /// As it lies in the file.
    pub fn to_json(&self) -> String {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        in_english(&mut value);
        let how = Dumps { ascii: false, sorted: false, indent: Some(2) };
        dumps(&value, how) + "\n"
    }

    /// The files that are not as they were prepared, each with whether it is there at all.
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
