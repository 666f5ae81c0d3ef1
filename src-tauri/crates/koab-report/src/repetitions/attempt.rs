//! How attempts were scored. Attempts share equal scores: of a thousand at a task most have the
//! same few.

use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// How one attempt was scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptScores {
    /// 1-based repetition.
    pub repetition: u32,
    /// Whether it ended with an answer, right or wrong.
    pub answered: bool,
    /// What went wrong, when it ended for a technical reason and so says nothing about the model's
    /// skill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub technical: Option<Box<Sentence>>,
    /// Whether its conversation is in the run's files.
    pub kept: bool,
    /// Scores of the metrics that are about the task; none where the conversation was not kept.
    /// Attempts with equal ones share them, so that a hundred thousand take little memory.
    pub scores: Scores,
}

/// One metric of one attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptScore {
    /// The metric.
    pub metric: MetricId,
    /// The score; null when it cannot be told.
    pub value: Option<f64>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Sentence>,
}

impl AttemptScores {
    /// The score of a metric, when the metric is about the task.
    pub fn score(&self, metric: MetricId) -> Option<&AttemptScore> {
        self.scores.iter().find(|score| score.metric == metric)
    }

    /// The number of a metric; of RRR, which has no score of its own, from the answer.
    pub fn value(&self, metric: MetricId) -> Option<f64> {
        if metric == MetricId::Rrr {
            return Some(f64::from(u8::from(self.answered)));
        }
        self.score(metric)?.value
    }
}

/// The scores of an attempt, in memory once for all attempts that have equal ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores(Arc<[AttemptScore]>);

impl From<Vec<AttemptScore>> for Scores {
    fn from(scores: Vec<AttemptScore>) -> Self {
        Self(scores.into())
    }
}

impl Deref for Scores {
    type Target = [AttemptScore];

    fn deref(&self) -> &[AttemptScore] {
        &self.0
    }
}

impl Serialize for Scores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Scores {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

/// Attempts before this one that are looked at; a task with more different scores shares fewer of
/// them.
const LOOKED_AT: usize = 32;

/// These scores, those of an attempt before where one has equal ones.
pub(super) fn among(attempts: &[AttemptScores], scores: Vec<AttemptScore>) -> Scores {
    let before = attempts.iter().rev().take(LOOKED_AT);
    let mut equal = before.filter(|attempt| attempt.scores[..] == scores[..]);
    equal.next().map_or_else(|| scores.into(), |attempt| attempt.scores.clone())
}

/// Reads attempts, sharing what is equal as they come.
pub(super) fn attempts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<AttemptScores>, D::Error> {
    struct Attempts;

    impl<'de> Visitor<'de> for Attempts {
        type Value = Vec<AttemptScores>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("attempts")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut attempts: Vec<AttemptScores> = Vec::new();
            while let Some(mut attempt) = list.next_element::<AttemptScores>()? {
                attempt.scores = among(&attempts, attempt.scores.to_vec());
                attempts.push(attempt);
            }
            Ok(attempts)
        }
    }

    deserializer.deserialize_seq(Attempts)
}
