//! `run.json`: what was run, and how far it came.

use super::summary::is_default;
use super::{AttemptTally, CacheMode, CacheUse, RunFormat, RunSpec, TokenUsage};
use crate::cache_key::sha256_hex;
use crate::cache_source::CacheSource;
use crate::event::{LevelPlan, RunOutcome, Spent};
use crate::price::Price;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The description of a run: written when it starts and when it ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunManifest {
    /// Form of this file and of the journal.
    pub format: RunFormat,
    /// How the last start ended; `None` while it goes on, or when it was killed.
    #[serde(rename = "status", with = "status")]
    pub outcome: Option<RunOutcome>,
    /// Why it ended early, in one sentence.
    #[serde(default)]
    pub reason: Option<Sentence>,
    /// Model id as given.
    pub model: String,
    /// The settings.
    pub spec: RunSpec,
    /// When the last start was, milliseconds since the Unix epoch.
    pub started_ms: u64,
    /// When this was written, likewise.
    pub updated_ms: u64,
    /// Attempts that count.
    pub attempts: AttemptSums,
    /// Model turns of theirs without reported tokens.
    pub steps_without_usage: u32,
    /// The responses that it reads, and how its calls were answered.
    pub cache: CacheRecord,
    /// What was spent over all starts; `None` for a model that costs nothing.
    #[serde(default)]
    pub spending: Option<Spending>,
    /// The price behind that.
    #[serde(default)]
    pub price: Option<Price>,
    /// The tasks that it plans, by level.
    pub levels: Vec<LevelPlan>,
    /// What this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Attempts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AttemptCounts {
    /// Those that were to be made.
    pub planned: u32,
    /// Those that ended.
    pub done: u32,
    /// Those that ended for technical reasons.
    pub failed: u32,
}

/// [`AttemptCounts`] as `run.json` has them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptSums {
    /// By how they ended.
    #[serde(flatten)]
    pub counts: AttemptCounts,
    /// Those whose last answer was cut off at the output limit.
    #[serde(default)]
    pub cut_off: u32,
    /// Those of which a prompt left something of the conversation out, since the model's context
    /// was full.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shortened: u32,
    /// Words of servers for how answers ended that nothing is known of, and the attempts of each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown_endings: BTreeMap<String, u32>,
    /// What this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Which cached responses a run reads, and how its calls were answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheRecord {
    /// Whether services may be asked.
    #[serde(default)]
    pub mode: CacheMode,
    /// Where the responses are from.
    #[serde(flatten)]
    pub source: CacheSource,
    /// The calls of the attempts that count.
    #[serde(flatten)]
    pub calls: CacheUse,
    /// What this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What a run has spent so far, over all its starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spending {
    /// Tokens as the server reported them, attempts that were broken off and repeated included.
    pub usage: TokenUsage,
    /// USD for those tokens; null when that cannot be said.
    pub usd: Option<f64>,
    /// Why there is no sum, or why it is a lower bound.
    pub note: Option<Sentence>,
    /// Calls whose tokens nobody reported: the server said none, or the answer broke off.
    pub calls_without_usage: u32,
    /// The most that all calls can have taken; nothing where every call was reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<AtMost>,
    /// What this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The most that calls can have taken, those that nobody reported included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AtMost {
    /// Tokens.
    pub tokens: u64,
    /// USD; null where no bound is known.
    pub usd: Option<f64>,
}

impl Spending {
    /// Whether anybody was asked.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.usage.total_tokens > 0 || self.calls_without_usage > 0
    }

    /// The most that was taken. USD are null where a price is not known, or no bound of the calls
    /// that nobody reported.
    #[must_use]
    pub fn most(&self) -> AtMost {
        self.at_most.unwrap_or(AtMost {
            tokens: self.usage.total_tokens,
            usd: self.usd.filter(|_| self.calls_without_usage == 0),
        })
    }

    /// Takes what another one has taken to this; USD are known where both are.
    pub fn add(&mut self, other: &Self) {
        if !other.is_asked() {
            if !self.is_asked() {
                self.usd = self.usd.or(other.usd);
            }
            return;
        }
        if !self.is_asked() {
            // Who was asked nothing has cost nothing, whatever the price.
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

    /// As the run's last event tells it; `None` where no call is known of.
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
    /// The description of a run that has made nothing yet.
    #[must_use]
    pub fn begun(spec: RunSpec, started_ms: u64, levels: Vec<LevelPlan>) -> Self {
        Self {
            format: RunFormat::CURRENT,
            outcome: None,
            reason: None,
            model: spec.model.clone(),
            spec,
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

    /// Puts in what its attempts come to, of `planned` ones.
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

    /// A hash of all that decides what its attempts are: parts of a run that were made by another
    /// one are not of this run.
    pub fn plan_hash(&self) -> String {
        let spec = RunSpec {
            run: String::new(),
            concurrency: 0,
            base_url: None,
            max_cost: None,
            max_total_tokens: None,
            ..self.spec.clone()
        };
        let tasks: Vec<&String> = self.tasks().collect();
        sha256_hex(&json!({ "spec": spec, "tasks": tasks }).to_string())
    }

    /// The outcome by its name, and `running` where there is none.
    pub fn status(&self) -> &'static str {
        self.outcome.map_or(RUNNING, RunOutcome::as_str)
    }

    /// Tasks that are planned, without repetitions.
    pub fn tasks(&self) -> impl Iterator<Item = &String> {
        self.levels.iter().flat_map(|level| &level.tasks)
    }
}

/// What `status` says while a run goes on.
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
