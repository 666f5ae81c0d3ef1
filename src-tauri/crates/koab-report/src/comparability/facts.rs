//! Facts about a run and its report that decide the comparability of its numbers.

use super::{
    EARLIER_VERSION, FILE_NAMES_NO_JUDGE, PUBLISHED_JUDGE, PUBLISHED_RECORDS, PUBLISHED_TASKS,
    PUBLISHED_TASKS_A_LEVEL, PUBLISHED_TOOLS,
};
use crate::Report;
use koab_core::judge::Aggregate;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::{AttemptCounts, ChangeRecord, RunSettings};
use koab_core::sentence::Sentence;
use serde::ser::{Error as _, SerializeMap as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Fact, or the reason why it is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Fact<T> {
    /// Value of the fact; null when it is unknown.
    pub value: Option<T>,
    /// Reason why the fact is unknown, as a sentence fragment.
    pub reason: Option<Sentence>,
}

impl<T> Fact<T> {
    /// Creates a known fact.
    pub fn known(value: T) -> Self {
        Self { value: Some(value), reason: None }
    }

    /// Creates an unknown fact with its reason.
    pub fn unknown(reason: impl Into<Sentence>) -> Self {
        Self { value: None, reason: Some(reason.into()) }
    }

    /// Creates a known fact, or an unknown fact with the reason.
    pub fn from_option(value: Option<T>, reason: impl Into<Sentence>) -> Self {
        match value {
            Some(value) => Self::known(value),
            None => Self::unknown(reason),
        }
    }

    /// Value of the fact, or the reason why it is unknown.
    ///
    /// # Errors
    /// The reason; empty without a reason.
    pub fn get(&self) -> Result<&T, &Sentence> {
        self.value.as_ref().ok_or_else(|| self.reason.as_ref().unwrap_or(const { &Sentence::EMPTY }))
    }
}

/// All facts that decide whether numbers can be compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Facts {
    /// Model id.
    pub model: String,
    /// Name and version of the pack.
    pub pack: Fact<PackName>,
    /// Hash of the pack's tasks, computed by [`koab_core::pack_identity::tasks_sha256`].
    pub tasks_sha256: Fact<String>,
    /// Hash of the pack's cached responses.
    pub records_sha256: Fact<String>,
    /// Tools that could be offered, each with the hash of its name, description and schema.
    pub tools: Fact<BTreeMap<String, String>>,
    /// Settings that the run was started with.
    pub settings: Fact<SettingsFacts>,
    /// Source of the answers to the run's tool calls.
    pub cache: Fact<RecordingsUsed>,
    /// Tasks that were run; for a report, the tasks that were scored.
    pub tasks: Fact<Vec<LevelTasks>>,
    /// Counts of the run's attempts.
    pub attempts: Fact<AttemptCounts>,
    /// Number of attempts with a shortened prompt: a part of the conversation did not fit the
    /// model's context. Runs of earlier versions do not record this number.
    #[serde(default)]
    pub shortened: u32,
    /// Changes of the run while it was being made, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<ChangeRecord>>", optional))]
    pub changes: Vec<ChangeRecord>,
    /// Outcomes of the run's tool calls.
    pub calls: Fact<CallFacts>,
    /// Scoring of the report; null for a run alone.
    pub scoring: Option<Scoring>,
}

impl Facts {
    /// Facts that are all unknown except the model's id.
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
            changes: Vec::new(),
            calls: Fact::unknown(reason.clone()),
            scoring: None,
        }
    }

    /// Facts of the published runs.
    pub fn published() -> &'static Self {
        static PUBLISHED: LazyLock<Facts> = LazyLock::new(|| Facts {
            pack: Fact::known(PackName::read("ko-agentbench@1174fed")),
            tasks_sha256: Fact::known(PUBLISHED_TASKS.to_owned()),
            records_sha256: Fact::known(PUBLISHED_RECORDS.to_owned()),
            tools: Fact::known(PUBLISHED_TOOLS.map(|(name, sha256)| (name.into(), sha256.into())).into()),
            settings: Fact::known(SettingsFacts::published()),
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

    /// Pack as `name@version`; `?` where it is unknown.
    pub fn pack_label(&self) -> String {
        let pack = self.pack.value.as_ref();
        pack.map_or_else(|| "?".to_owned(), PackName::label)
    }

    /// Name of the snapshot that answered calls in place of the pack's cached responses.
    pub fn snapshot(&self) -> Option<&str> {
        let cache = self.cache.value.as_ref();
        let cache = cache.filter(|cache| cache.source == RecordingsFrom::Snapshot)?;
        Some(cache.snapshot.as_deref().unwrap_or("?"))
    }
}

/// Name and version of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackName {
    /// Name of the pack.
    pub name: String,
    /// Version of the pack; empty where it is unknown.
    pub version: String,
}

impl PackName {
    /// Parses `name@version`. Without `@` the version is empty.
    pub fn read(label: &str) -> Self {
        let (name, version) = label.rsplit_once('@').unwrap_or((label, ""));
        Self { name: name.to_owned(), version: version.to_owned() }
    }

    /// Name and version as `name@version`.
    pub fn label(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }
}

/// Settings that a run was started with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "RunSettings"))]
pub struct SettingsFacts {
    /// The settings that the user chose.
    #[serde(flatten, serialize_with = "in_order_of_submissions")]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub run: RunSettings,
    /// Whether the decoding made malformed tool calls impossible. This is possible only for a model
    /// inside the application.
    pub constrained: bool,
    /// Whether tool calls were accepted in any markup and as bare JSON, for a model inside the
    /// application. A server accepts only the model's own markup.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub any_form: bool,
    /// Agent that drove the model, with its version and its container image if it has one. `None`
    /// where this program drove the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub agent: Option<Sentence>,
    /// Files of a system prompt and of tools' descriptions that replaced the published ones, with
    /// their hashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub texts: Option<String>,
    /// Whether the tasks were chosen by their information about the model.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub adaptive: bool,
}

impl SettingsFacts {
    /// Settings of the published runs.
    pub fn published() -> Self {
        Self {
            run: RunSettings::published(),
            constrained: false,
            any_form: false,
            agent: None,
            texts: None,
            adaptive: false,
        }
    }
}

/// Writes the settings in the order of fields that submissions have: `full_rollout` after
/// `max_tokens`.
fn in_order_of_submissions<S: Serializer>(run: &RunSettings, serializer: S) -> Result<S::Ok, S::Error> {
    let Value::Object(mut fields) = serde_json::to_value(run).map_err(S::Error::custom)? else {
        return Err(S::Error::custom("settings are an object"));
    };
    let rollout = fields.shift_remove_entry("full_rollout");
    let mut map = serializer.serialize_map(None)?;
    for (name, value) in fields {
        map.serialize_entry(&name, &value)?;
        if name == "max_tokens"
            && let Some((name, value)) = &rollout
        {
            map.serialize_entry(name, value)?;
        }
    }
    map.end()
}

/// Sources that a run's tool calls could be answered from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum RecordingsFrom {
    /// Only the pack's cached responses.
    Pack,
    /// A named snapshot of the cache.
    Snapshot,
    /// The pack's cached responses, then the saved responses.
    Overlay,
    /// The pack's cached responses, the saved responses, then the live APIs.
    Write,
}

/// Sources that answered a run's tool calls, with their identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RecordingsUsed {
    /// Kind of the source.
    pub source: RecordingsFrom,
    /// Name of the snapshot; null if the source is not a snapshot.
    pub snapshot: Option<String>,
    /// Hash of the snapshot or of the saved responses that the run read; null when there are no
    /// such responses, or the run did not record the hash.
    pub sha256: Option<String>,
}

impl RecordingsUsed {
    /// Source that consists only of the pack's cached responses.
    pub const PACK: Self = Self { source: RecordingsFrom::Pack, snapshot: None, sha256: None };
}

/// Tasks of a level that were run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LevelTasks {
    /// Level of the tasks.
    pub level: Level,
    /// Number of tasks.
    pub count: u32,
    /// Ids of the tasks; empty where only the number of tasks is known.
    pub ids: Vec<String>,
}

/// Origin of the facts about calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CallsBasis {
    /// The run recorded how its calls were answered.
    Recorded,
    /// The logged calls were looked up in an installed pack, which shows how a run today would be
    /// answered. The facts are not about the run itself, so no verdict uses them.
    #[serde(rename = "reckoned")]
    Compared,
}

/// Outcomes of a run's tool calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CallFacts {
    /// Origin of the facts.
    pub basis: CallsBasis,
    /// Pack that the calls were looked up in; null for facts that the run recorded.
    pub against: Option<PackName>,
    /// Counts of each level.
    pub levels: Vec<LevelCalls>,
    /// Cache misses by task. Equal calls of a task are listed once.
    pub misses: Vec<MissedCall>,
}

/// Counts of the calls of a level, or of all levels together, by their outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LevelCalls {
    /// Level of the calls; null for all levels together.
    pub level: Option<Level>,
    /// Number of attempts.
    pub attempts: u32,
    /// Number of attempts with at least one cache miss.
    pub touched: u32,
    /// Number of calls that a cached response answered.
    pub hit: u32,
    /// Number of cache misses: calls that no source answered.
    pub miss: u32,
    /// Number of failures that the tasks injected.
    pub injected: u32,
    /// Number of calls that were refused because of their name or arguments, before a cache
    /// look-up.
    pub refused: u32,
    /// Number of calls that a live API answered, with a result or an error.
    pub live: u32,
    /// Number of calls that a saved response answered.
    pub overlay: u32,
}

impl LevelCalls {
    /// Counts of zero.
    pub fn none(level: Option<Level>) -> Self {
        Self { level, attempts: 0, touched: 0, hit: 0, miss: 0, injected: 0, refused: 0, live: 0, overlay: 0 }
    }

    /// Number of calls that were looked up in the cache: all except injected failures and refused
    /// calls.
    pub fn lookups(&self) -> u32 {
        self.hit + self.miss + self.live + self.overlay
    }

    /// Share of the looked-up calls ([`Self::lookups`]) that a cached response answered; `None`
    /// without look-ups.
    pub fn hit_rate(&self) -> Option<f64> {
        (self.lookups() > 0).then(|| f64::from(self.hit) / f64::from(self.lookups()))
    }

    /// Share of the looked-up calls ([`Self::lookups`]) that any source answered; `None` without
    /// look-ups.
    pub fn answered_rate(&self) -> Option<f64> {
        (self.lookups() > 0).then(|| f64::from(self.lookups() - self.miss) / f64::from(self.lookups()))
    }

    /// Share of attempts that have at least one cache miss.
    pub fn lost(&self) -> f64 {
        if self.attempts == 0 {
            return 0.0;
        }
        f64::from(self.touched) / f64::from(self.attempts)
    }
}

impl CallFacts {
    /// Counts of all levels together.
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

/// Cache miss of a task. Equal calls of the task are combined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MissedCall {
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Number of the first repetition that made the call, from 1.
    pub repetition: u32,
    /// Name of the tool.
    pub tool: String,
    /// Arguments of the call, as the model gave them.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub arguments: Value,
    /// Number of times that the task's attempts made this call; omitted in JSON if it is 1.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
    pub times: u32,
}

impl MissedCall {
    /// Suffix such as ` ×3` for a call that was made three times; empty for a call that was made
    /// once.
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

/// Scoring of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Scoring {
    /// Rules of the scoring: leaderboard or corrected.
    pub scorer: Protocol,
    /// Judges of the scoring; empty without judges.
    pub judges: Fact<Vec<String>>,
    /// Base URL of the judges; absent if it was the provider's default or was not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub judges_at: Option<String>,
    /// Number of votes of the first judge on SR.
    pub votes: u32,
    /// Aggregation of several judges' grades: `mean` or `median`.
    pub aggregate: String,
    /// Number of missing scores although judges were called. A score is the value of one metric for
    /// one task.
    pub unscored: u32,
}

impl Scoring {
    /// Facts about the scoring of a report. `names_judges` states whether the report names its
    /// judges.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_written_in_the_order_of_submissions_and_read_back() {
        let settings = SettingsFacts::published();
        let text = r#"{"protocol":"leaderboard","repetitions":1,"max_steps":10,"timeout_s":60.0,"temperature":0.7,"max_tokens":1024,"full_rollout":false,"effort":null,"seed":null,"constrained":false}"#;
        assert_eq!(serde_json::to_string(&settings).expect("written"), text);
        assert_eq!(serde_json::from_str::<SettingsFacts>(text).expect("read"), settings);
    }
}
