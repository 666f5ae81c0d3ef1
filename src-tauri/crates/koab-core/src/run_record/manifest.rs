//! `run.json`: the settings and the progress of a run.

use super::summary::is_default;
use super::{AttemptTally, CacheMode, CacheUse, ChangeRecord, RunFormat, RunSpec, TokenUsage, left_out};
use crate::cache_key::sha256_hex;
use crate::cache_source::CacheSource;
use crate::event::{LevelPlan, RunOutcome, Spent};
use crate::price::Price;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The manifest of a run, written when the run starts and when it ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunManifest {
    /// Version of the format of this file and of the journal.
    pub format: RunFormat,
    /// Outcome of the last start; `None` while it is running, or if its process was killed.
    #[serde(rename = "status", with = "status")]
    pub outcome: Option<RunOutcome>,
    /// Reason for an early end, one sentence.
    #[serde(default)]
    pub reason: Option<Sentence>,
    /// Model id as given.
    pub model: String,
    /// Settings of the run, with all changes.
    pub spec: RunSpec,
    /// Changes of the run while it was being made, over all starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeRecord>,
    /// Time of the last start, milliseconds since the Unix epoch.
    pub started_ms: u64,
    /// Time at which this file was written, milliseconds since the Unix epoch.
    pub updated_ms: u64,
    /// Numbers of planned, ended and failed attempts.
    pub attempts: AttemptSums,
    /// Number of model turns without reported tokens, in the attempts that count
    /// ([`Attempts`](super::Attempts)).
    pub steps_without_usage: u32,
    /// Source of the run's cached responses, and numbers of its calls for each source of their
    /// answer.
    pub cache: CacheRecord,
    /// Tokens and cost over all starts; `None` for a model that costs nothing.
    #[serde(default)]
    pub spending: Option<Spending>,
    /// Price of tokens from which the cost in `spending` is computed.
    #[serde(default)]
    pub price: Option<Price>,
    /// Planned tasks by level.
    pub levels: Vec<LevelPlan>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Numbers of a run's attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AttemptCounts {
    /// Number of planned attempts.
    pub planned: u32,
    /// Number of ended attempts.
    pub done: u32,
    /// Number of attempts that ended for technical reasons.
    pub failed: u32,
}

/// Numbers of attempts as `run.json` stores them: [`AttemptCounts`] and further counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptSums {
    /// Planned, ended and failed attempts.
    #[serde(flatten)]
    pub counts: AttemptCounts,
    /// Number of attempts whose last answer was cut off at the output limit.
    #[serde(default)]
    pub cut_off: u32,
    /// Number of attempts with a shortened prompt: a part of the conversation did not fit the
    /// model's context.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shortened: u32,
    /// Number of attempts for each unknown finish reason of a server.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown_endings: BTreeMap<String, u32>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Source of a run's cached responses, and numbers of its calls for each source of their answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheRecord {
    /// Mode of the cache: with or without live calls.
    #[serde(default)]
    pub mode: CacheMode,
    /// Source of the cached responses.
    #[serde(flatten)]
    pub source: CacheSource,
    /// Calls of the attempts that count ([`Attempts`](super::Attempts)), for each source of their
    /// answer.
    #[serde(flatten)]
    pub calls: CacheUse,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Tokens and cost of a run so far, over all its starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spending {
    /// Tokens as the server reported them, including attempts that were interrupted and repeated.
    pub usage: TokenUsage,
    /// Cost of the tokens in `usage` in USD; null if it is unknown.
    pub usd: Option<f64>,
    /// Reason why the cost is unknown or only a lower bound.
    pub note: Option<Sentence>,
    /// Number of calls without reported tokens: the server reported none, or the answer was
    /// interrupted.
    pub calls_without_usage: u32,
    /// Upper bounds over all calls; `None` if tokens were reported for every call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<AtMost>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Upper bounds of the tokens and the cost of calls, including calls without reported tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AtMost {
    /// Maximum number of tokens.
    pub tokens: u64,
    /// Maximum cost in USD; null if no bound is known.
    pub usd: Option<f64>,
}

impl Spending {
    /// Whether the run has sent any model call.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.usage.total_tokens > 0 || self.calls_without_usage > 0
    }

    /// Upper bounds of tokens and cost. The cost is null if the price is unknown, or if a call
    /// without reported tokens has no bound.
    #[must_use]
    pub fn most(&self) -> AtMost {
        self.at_most.unwrap_or(AtMost {
            tokens: self.usage.total_tokens,
            usd: self.usd.filter(|_| self.calls_without_usage == 0),
        })
    }

    /// Adds another spending. The cost is known if both costs are known.
    pub fn add(&mut self, other: &Self) {
        if !other.is_asked() {
            if !self.is_asked() {
                self.usd = self.usd.or(other.usd);
            }
            return;
        }
        if !self.is_asked() {
            // Without calls the cost is 0 at any price.
            self.usd = Some(0.0);
        }
        let sum = |one: Option<f64>, more: Option<f64>| one.zip(more).map(|(one, more)| one + more);
        let (most, more) = (self.most(), other.most());
        self.usd = sum(self.usd, other.usd);
        self.usage += other.usage;
        self.calls_without_usage = self.calls_without_usage.saturating_add(other.calls_without_usage);
        self.at_most = (self.calls_without_usage > 0).then_some(AtMost {
            tokens: most.tokens.saturating_add(more.tokens),
            usd: sum(most.usd, more.usd),
        });
    }

    /// Spending in the form of the run's last event; `None` if no model call was sent.
    #[must_use]
    pub fn spent(&self) -> Option<Spent> {
        let (usage, unreported) = (self.usage, self.calls_without_usage);
        (usage.total_tokens > 0 || unreported > 0).then_some(Spent {
            prompt_tokens: usage.prompt_tokens,
            completion_tokens: usage.completion_tokens,
            usd: self.usd,
            unreported,
        })
    }
}

impl RunManifest {
    /// Creates the manifest of a run without attempts.
    #[must_use]
    pub fn begun(spec: RunSpec, started_ms: u64, levels: Vec<LevelPlan>) -> Self {
        Self {
            format: RunFormat::UNCHANGED,
            outcome: None,
            reason: None,
            model: spec.model.clone(),
            spec,
            changes: Vec::new(),
            started_ms,
            updated_ms: started_ms,
            attempts: AttemptSums::default(),
            steps_without_usage: 0,
            cache: CacheRecord::default(),
            spending: None,
            price: None,
            levels,
            other: Map::new(),
        }
    }

    /// Sets the numbers of attempts from the totals and the number of planned attempts.
    pub fn count(&mut self, planned: usize, tally: &AttemptTally) {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.attempts = AttemptSums {
            counts: AttemptCounts {
                planned: number(planned),
                done: number(tally.done),
                failed: number(tally.failed),
            },
            cut_off: number(tally.cut_off),
            shortened: number(tally.shortened),
            unknown_endings: tally.unknown_endings.clone(),
            other: std::mem::take(&mut self.attempts.other),
        };
        self.steps_without_usage = number(tally.silent_steps);
        self.cache.calls = tally.answers.clone();
    }

    /// Hash of all settings that determine the attempts, as they were before any change. A shard
    /// with another hash belongs to another run.
    pub fn plan_hash(&self) -> String {
        let mut spec = RunSpec {
            run: String::new(),
            concurrency: 0,
            base_url: None,
            max_cost: None,
            max_total_tokens: None,
            ..self.spec.clone()
        };
        self.changes.iter().rev().for_each(|record| record.change.undo_limits(&mut spec));
        let tasks: Vec<&String> = self.tasks().collect();
        sha256_hex(&json!({ "spec": spec, "tasks": tasks }).to_string())
    }

    /// Name of the outcome; `running` before there is an outcome.
    pub fn status(&self) -> &'static str {
        self.outcome.map_or(RUNNING, RunOutcome::as_str)
    }

    /// Sets the changes of the run, and the version of the format that they need.
    #[must_use]
    pub fn changed(self, changes: Vec<ChangeRecord>) -> Self {
        Self { format: RunFormat::of(!changes.is_empty()), changes, ..self }
    }

    /// Tasks whose attempts are not begun any more.
    pub fn left_out(&self) -> BTreeSet<&str> {
        left_out(&self.changes)
    }

    /// Ids of the planned tasks, each once.
    pub fn tasks(&self) -> impl Iterator<Item = &String> {
        self.levels.iter().flat_map(|level| &level.tasks)
    }
}

/// Value of `status` while a run is running.
const RUNNING: &str = "running";

mod status {
    use super::RUNNING;
    use crate::event::RunOutcome;
    use serde::de::IntoDeserializer as _;
    use serde::{Deserialize, Deserializer, Serialize as _, Serializer};

    pub(super) fn serialize<S: Serializer>(outcome: &Option<RunOutcome>, to: S) -> Result<S::Ok, S::Error> {
        match outcome {
            Some(outcome) => outcome.serialize(to),
            None => to.serialize_str(RUNNING),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<RunOutcome>, D::Error> {
        let name = String::deserialize(from)?;
        if name == RUNNING {
            return Ok(None);
        }
        RunOutcome::deserialize(name.into_deserializer()).map(Some)
    }
}
