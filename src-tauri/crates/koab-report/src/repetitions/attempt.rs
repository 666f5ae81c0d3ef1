//! Scores of attempts. Attempts with equal scores share them in memory, since most of a thousand
//! attempts at a task have one of few combinations of scores.

use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Scores and end of one attempt at a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptScores {
    /// Number of the repetition, from 1.
    pub repetition: u32,
    /// Whether the attempt ended with an answer, right or wrong.
    pub answered: bool,
    /// Description of the technical failure that ended the attempt; `None` without such a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub technical: Option<Box<Sentence>>,
    /// Whether the run's files contain the conversation.
    pub kept: bool,
    /// Scores of the metrics that apply to the task; empty where the run's files lack the
    /// conversation.
    ///
    /// Attempts with equal scores share them, so that a hundred thousand attempts need little
    /// memory.
    pub scores: Scores,
}

/// Score of one attempt under one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptScore {
    /// Metric of the score.
    pub metric: MetricId,
    /// Value of the score; null when it is unknown.
    pub value: Option<f64>,
    /// Reason why there is no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Sentence>,
}

impl AttemptScores {
    /// Score of a metric, if the metric applies to the task.
    pub fn score(&self, metric: MetricId) -> Option<&AttemptScore> {
        self.scores.iter().find(|score| score.metric == metric)
    }

    /// Value of a metric. The value for RRR is whether there is an answer.
    pub fn value(&self, metric: MetricId) -> Option<f64> {
        if metric == MetricId::Rrr {
            return Some(f64::from(u8::from(self.answered)));
        }
        self.score(metric)?.value
    }
}

/// Scores of an attempt, stored once for all attempts with equal scores.
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

/// Number of earlier attempts at a task that are searched for equal scores. If the task has more
/// combinations of scores than that, some equal scores are stored more than once.
const MAX_SEARCHED_ATTEMPTS: usize = 32;

/// Shared scores of an earlier attempt with equal scores, or else these scores.
pub(super) fn among(attempts: &[AttemptScores], scores: Vec<AttemptScore>) -> Scores {
    let before = attempts.iter().rev().take(MAX_SEARCHED_ATTEMPTS);
    let mut equal = before.filter(|attempt| attempt.scores[..] == scores[..]);
    equal.next().map_or_else(|| scores.into(), |attempt| attempt.scores.clone())
}

/// Reads attempts. Equal scores are shared in memory.
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
