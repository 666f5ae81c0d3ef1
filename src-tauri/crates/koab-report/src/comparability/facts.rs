//! What has to be known of a run and its report before its numbers are compared.

use super::{
    EARLIER_VERSION, FILE_NAMES_NO_JUDGE, PUBLISHED_JUDGE, PUBLISHED_RECORDS, PUBLISHED_TASKS,
    PUBLISHED_TASKS_A_LEVEL, PUBLISHED_TOOLS,
};
use crate::Report;
use koab_core::judge::Aggregate;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::AttemptCounts;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Something that is known, or why it is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Fact<T> {
    /// What is known; null when nothing is.
    pub value: Option<T>,
    /// Why nothing is known, one sentence fragment.
    pub reason: Option<Sentence>,
}

impl<T> Fact<T> {
    /// Something known.
    pub fn known(value: T) -> Self {
        Self { value: Some(value), reason: None }
    }

    /// Something unknown.
    pub fn unknown(reason: impl Into<Sentence>) -> Self {
        Self { value: None, reason: Some(reason.into()) }
    }

    /// Known, or the reason why not.
    pub fn from_option(value: Option<T>, reason: impl Into<Sentence>) -> Self {
        match value {
            Some(value) => Self::known(value),
            None => Self::unknown(reason),
        }
    }

    /// The value, else the reason.
    ///
    /// # Errors
    /// The reason; empty when there is none.
    pub fn get(&self) -> Result<&T, &Sentence> {
        self.value.as_ref().ok_or_else(|| self.reason.as_ref().unwrap_or(const { &Sentence::EMPTY }))
    }
}

/// All that decides whether numbers can be compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Facts {
    /// Model id.
    pub model: String,
    /// The pack by name.
    pub pack: Fact<PackName>,
    /// Hash of the pack's tasks ([`koab_core::pack_identity::tasks_sha256`]).
    pub tasks_sha256: Fact<String>,
    /// Hash of the pack's cached responses.
    pub records_sha256: Fact<String>,
    /// The tools that could be offered, each with the hash of its name, description and schema.
    pub tools: Fact<BTreeMap<String, String>>,
    /// How the run was started.
    pub settings: Fact<RunSettings>,
    /// Where its tool calls were answered from.
    pub cache: Fact<RecordingsUsed>,
    /// The tasks that were run; of a report, those that were scored.
    pub tasks: Fact<Vec<LevelTasks>>,
    /// Its attempts.
    pub attempts: Fact<AttemptCounts>,
    /// Attempts of which a prompt left something of the conversation out, since the model's context
    /// was full. Runs of earlier versions do not say it.
    #[serde(default)]
    pub shortened: u32,
    /// How its tool calls were answered.
    pub calls: Fact<CallFacts>,
    /// How it was scored; null for a run alone.
    pub scoring: Option<Scoring>,
}

impl Facts {
    /// Nothing is known but the model.
    pub fn unknown(model: &str, reason: &Sentence) -> Self {
        Self {
            model: model.to_owned(),
            pack: Fact::unknown(reason.clone()),
            tasks_sha256: Fact::unknown(reason.clone()),
            records_sha256: Fact::unknown(reason.clone()),
            tools: Fact::unknown(reason.clone()),
            settings: Fact::unknown(reason.clone()),
            cache: Fact::unknown(reason.clone()),
            tasks: Fact::unknown(reason.clone()),
            attempts: Fact::unknown(reason.clone()),
            shortened: 0,
            calls: Fact::unknown(reason.clone()),
            scoring: None,
        }
    }

    /// What the published runs had.
    pub fn published() -> &'static Self {
        static PUBLISHED: LazyLock<Facts> = LazyLock::new(|| Facts {
            pack: Fact::known(PackName::read("ko-agentbench@1174fed")),
            tasks_sha256: Fact::known(PUBLISHED_TASKS.to_owned()),
            records_sha256: Fact::known(PUBLISHED_RECORDS.to_owned()),
            tools: Fact::known(PUBLISHED_TOOLS.map(|(name, sha256)| (name.into(), sha256.into())).into()),
            settings: Fact::known(RunSettings::published()),
            cache: Fact::known(RecordingsUsed::PACK),
            tasks: Fact::known(
                PUBLISHED_TASKS_A_LEVEL
                    .map(|(level, count)| LevelTasks { level, count, ids: Vec::new() })
                    .into(),
            ),
            scoring: Some(Scoring {
                scorer: Protocol::Leaderboard,
                judges: Fact::known(vec![PUBLISHED_JUDGE.to_owned()]),
                judges_at: None,
                votes: 3,
                aggregate: "mean".to_owned(),
                unscored: 0,
            }),
            ..Facts::unknown("", &EARLIER_VERSION.into())
        });
        &PUBLISHED
    }

    /// The pack as `name@version`; `?` where it is not known.
    pub fn pack_label(&self) -> String {
        let pack = self.pack.value.as_ref();
        pack.map_or_else(|| "?".to_owned(), PackName::label)
    }

    /// Name of the snapshot that calls were answered from in the place of the pack's recordings.
    pub fn snapshot(&self) -> Option<&str> {
        let cache = self.cache.value.as_ref();
        let cache = cache.filter(|cache| cache.source == RecordingsFrom::Snapshot)?;
        Some(cache.snapshot.as_deref().unwrap_or("?"))
    }
}

/// A pack by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackName {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl PackName {
    /// Reads `name@version`; without a version it is empty.
    pub fn read(label: &str) -> Self {
        let (name, version) = label.rsplit_once('@').unwrap_or((label, ""));
        Self { name: name.to_owned(), version: version.to_owned() }
    }

    /// `name@version`.
    pub fn label(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }
}

/// How a run was started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RunSettings {
    /// Rules.
    pub protocol: Protocol,
    /// Attempts a task.
    pub repetitions: u32,
    /// Model turns an attempt.
    pub max_steps: u32,
    /// Seconds a task.
    pub timeout_s: f64,
    /// Sampling temperature.
    pub temperature: f64,
    /// Output tokens a model call; null when no limit was sent.
    pub max_tokens: Option<u32>,
    /// L6/L7: whether the model played every turn.
    pub full_rollout: bool,
    /// Reasoning effort; null when none was set.
    pub effort: Option<String>,
    /// Sampling seed.
    pub seed: Option<u64>,
    /// Whether tool calls could not be malformed, which a model inside the application can be held
    /// to.
    pub constrained: bool,
    /// Whether tool calls of a model inside the application were taken from any markup in its text,
    /// and from bare JSON; a server takes those of the model's own form alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub any_form: bool,
    /// The agent that drove the model, with its version, whether it was contained and in which
    /// image; nothing where this program did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub agent: Option<Sentence>,
    /// Files of a system prompt and of tools' descriptions in the place of the published ones, with
    /// their hashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub texts: Option<String>,
    /// Whether its tasks were chosen by how much they tell of the model.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub adaptive: bool,
}

impl RunSettings {
    /// Those of the published runs.
    pub fn published() -> Self {
        Self {
            protocol: Protocol::Leaderboard,
            repetitions: 1,
            max_steps: 10,
            timeout_s: 60.0,
            temperature: 0.7,
            max_tokens: Some(1024),
            full_rollout: false,
            effort: None,
            seed: None,
            constrained: false,
            any_form: false,
            agent: None,
            texts: None,
            adaptive: false,
        }
    }
}

/// Where a run's tool calls could be answered from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum RecordingsFrom {
    /// The pack's cached responses alone.
    Pack,
    /// A named snapshot.
    Snapshot,
    /// The pack's records, then the saved responses.
    Overlay,
    /// The pack's records, the saved responses, then the live APIs.
    Write,
}

/// What a run's tool calls could be answered from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RecordingsUsed {
    /// Where from.
    pub source: RecordingsFrom,
    /// Name of the snapshot.
    pub snapshot: Option<String>,
    /// Hash of the snapshot or of the overlay as the run read it; null when it has none or does not
    /// say.
    pub sha256: Option<String>,
}

impl RecordingsUsed {
    /// The pack's cached responses alone.
    pub const PACK: Self = Self { source: RecordingsFrom::Pack, snapshot: None, sha256: None };
}

/// Tasks of a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LevelTasks {
    /// The level.
    pub level: Level,
    /// How many.
    pub count: u32,
    /// Their ids; empty where only the number is known.
    pub ids: Vec<String>,
}

/// How it is known how calls were answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CallsBasis {
    /// The run wrote it down.
    Recorded,
    /// The logged calls were compared with an installed pack's recordings: what a run without keys
    /// would find today. It says nothing of how the run itself was answered, and so enters no
    /// verdict.
    #[serde(rename = "reckoned")]
    Compared,
}

/// How a run's tool calls were answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CallFacts {
    /// How it is known.
    pub basis: CallsBasis,
    /// The pack whose recordings the calls were looked up in; null for recorded ones.
    pub against: Option<PackName>,
    /// Level by level.
    pub levels: Vec<LevelCalls>,
    /// The calls that found no answer, by task; equal calls of a task stand once.
    pub misses: Vec<MissedCall>,
}

/// How the calls of a level, or of all levels together, were answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LevelCalls {
    /// The level; null for all together.
    pub level: Option<Level>,
    /// Attempts.
    pub attempts: u32,
    /// Attempts with at least one call that found no answer.
    pub touched: u32,
    /// Answered by a record.
    pub hit: u32,
    /// No answer recorded.
    pub miss: u32,
    /// The task's injected failure.
    pub injected: u32,
    /// Refused by the check of its name and arguments, before anything was looked up.
    pub refused: u32,
    /// Asked of the live API.
    pub live: u32,
    /// Answered by the saved responses.
    pub overlay: u32,
}

impl LevelCalls {
    /// Nothing counted yet.
    pub fn none(level: Option<Level>) -> Self {
        Self { level, attempts: 0, touched: 0, hit: 0, miss: 0, injected: 0, refused: 0, live: 0, overlay: 0 }
    }

    /// Calls that looked for a recorded answer: all but injected failures and refused ones.
    pub fn lookups(&self) -> u32 {
        self.hit + self.miss + self.live + self.overlay
    }

    /// Share of [`Self::lookups`] that a record answered; `None` when nothing was asked.
    pub fn hit_rate(&self) -> Option<f64> {
        (self.lookups() > 0).then(|| f64::from(self.hit) / f64::from(self.lookups()))
    }

    /// Share of calls that did not go without an answer; `None` when nothing was asked.
    pub fn answered_rate(&self) -> Option<f64> {
        (self.lookups() > 0).then(|| f64::from(self.lookups() - self.miss) / f64::from(self.lookups()))
    }

    /// Share of attempts that lost a call to a missing record.
    pub fn lost(&self) -> f64 {
        if self.attempts == 0 {
            return 0.0;
        }
        f64::from(self.touched) / f64::from(self.attempts)
    }
}

impl CallFacts {
    /// All levels together.
    pub fn whole(&self) -> LevelCalls {
        self.levels.iter().fold(LevelCalls::none(None), |sum, level| LevelCalls {
            level: None,
            attempts: sum.attempts + level.attempts,
            touched: sum.touched + level.touched,
            hit: sum.hit + level.hit,
            miss: sum.miss + level.miss,
            injected: sum.injected + level.injected,
            refused: sum.refused + level.refused,
            live: sum.live + level.live,
            overlay: sum.overlay + level.overlay,
        })
    }
}

/// A call that found no cached response, with the equal ones of its task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MissedCall {
    /// Its level.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// 1-based repetition; the first of those that made the call.
    pub repetition: u32,
    /// Tool.
    pub tool: String,
    /// Arguments as the model gave them.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub arguments: Value,
    /// How often the task's attempts made this call; left out where it is once.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
    pub times: u32,
}

impl MissedCall {
    /// ` ×3` behind a call that was made three times, nothing behind one that was made once.
    pub fn how_often(&self) -> String {
        match self.times {
            1 => String::new(),
            times => format!(" ×{times}"),
        }
    }
}

fn once() -> u32 {
    1
}

fn is_once(times: &u32) -> bool {
    *times == 1
}

/// How a report was scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Scoring {
    /// Rules.
    pub scorer: Protocol,
    /// Judges; an empty list when none was asked.
    pub judges: Fact<Vec<String>>,
    /// Address where the judges answered; left out where it was their provider's own, or nobody
    /// wrote it down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub judges_at: Option<String>,
    /// Votes of the first judge on SR.
    pub votes: u32,
    /// How several judges' grades were combined: `mean` or `median`.
    pub aggregate: String,
    /// Scores, of a task and a metric each, that are missing although judges were asked.
    pub unscored: u32,
}

impl Scoring {
    /// What a report says of it; `names_judges` tells whether it says who judged.
    pub fn from_report(report: &Report, names_judges: bool) -> Self {
        let means = report.levels.iter().flat_map(|level| &level.means);
        let unscored = means.filter(|mean| mean.metric.is_in_head()).map(|mean| mean.unscored as u32);
        Self {
            scorer: report.scorer,
            judges: Fact::from_option(names_judges.then(|| report.judges.clone()), FILE_NAMES_NO_JUDGE),
            judges_at: report.judge_base_url.clone(),
            votes: report.votes as u32,
            aggregate: match report.aggregate {
                Aggregate::Mean => "mean".to_owned(),
                Aggregate::Median => "median".to_owned(),
            },
            unscored: if report.judges.is_empty() { 0 } else { unscored.sum() },
        }
    }
}
