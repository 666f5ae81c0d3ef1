//! A judge's answer to one question, parsed and checked.

use super::question::AnswerSchema;
use crate::reason::Reason;
use crate::score::MetricId;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Answer of one judge about one task for one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Model id of the judge.
    pub judge: String,
    /// Metric that the answer is for.
    pub metric: MetricId,
    /// The answer, or the reason why it is missing.
    pub answer: Answer,
}

/// A usable answer, or the reason why it is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The judge gave a usable answer.
    Answered(Opinion),
    /// The judge could not be reached, or its answer cannot be used.
    Failed {
        /// Reason of the failure, a sentence fragment.
        reason: Sentence,
        /// Whether no answer arrived at all, because of the server, the network or a timeout. Such
        /// a failure says nothing about the judged attempt.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unanswered: bool,
    },
}

/// Fields of an answer. The [`AnswerSchema`] of a metric decides which fields are present.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Opinion {
    /// Yes or no (SR, `EffScore`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    /// Grade from 1 to 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i64>,
    /// Confidence from 0 to 1 (`ArgAcc`). No score depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The judge's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Verdict {
    /// Parses a judge's answer.
    ///
    /// Any text except a JSON object with the metric's fields is a failure, even JSON in a code
    /// fence. Texts of numbers and `4.0` count as whole numbers. Additional keys are ignored.
    pub fn read(judge: &str, metric: MetricId, text: &str) -> Self {
        let answer = match AnswerSchema::for_metric(metric) {
            None => Err(Reason::AsksNoJudge { metric: metric.to_string() }),
            Some(schema) => serde_json::from_str::<Value>(text.trim())
                .map_err(|error| Reason::AnswerNoJson { error: error.to_string().into() })
                .and_then(|answer| read_fields(&schema, &answer)),
        };
        let answer = answer.map_or_else(
            |reason| Answer::Failed { reason: reason.into(), unanswered: false },
            Answer::Answered,
        );
        Self { judge: judge.to_owned(), metric, answer }
    }

    /// Creates a verdict with a free-text answer, which the caller has to interpret.
    pub fn in_words(judge: &str, metric: MetricId, text: &str) -> Self {
        Self {
            judge: judge.to_owned(),
            metric,
            answer: Answer::Answered(Opinion { reason: Some(text.to_owned()), ..Opinion::default() }),
        }
    }

    /// Creates the verdict of a judge whose answer cannot be used.
    pub fn failed(judge: &str, metric: MetricId, reason: impl Into<Sentence>) -> Self {
        Self {
            judge: judge.to_owned(),
            metric,
            answer: Answer::Failed { reason: reason.into(), unanswered: false },
        }
    }

    /// Creates the verdict of a judge that sent no answer.
    pub fn unanswered(judge: &str, metric: MetricId, reason: impl Into<Sentence>) -> Self {
        Self {
            judge: judge.to_owned(),
            metric,
            answer: Answer::Failed { reason: reason.into(), unanswered: true },
        }
    }

    /// Whether the judge sent no answer.
    pub fn is_unanswered(&self) -> bool {
        matches!(self.answer, Answer::Failed { unanswered: true, .. })
    }

    /// Reason why there is no usable answer; `None` if there is one.
    pub fn failure(&self) -> Option<&Sentence> {
        match &self.answer {
            Answer::Answered(_) => None,
            Answer::Failed { reason, .. } => Some(reason),
        }
    }

    /// Success, grade and reason in the form of the published code.
    ///
    /// A failed verdict has no success, the grade 1, and its error as the reason. A missing grade
    /// is 0.
    pub fn published(&self) -> (bool, i64, String) {
        match &self.answer {
            Answer::Answered(opinion) => (
                opinion.success.unwrap_or(false),
                opinion.score.unwrap_or(0),
                opinion.reason.clone().unwrap_or_default(),
            ),
            Answer::Failed { reason, .. } => (false, 1, format!("Error: {reason}")),
        }
    }
}

fn read_fields(schema: &AnswerSchema, answer: &Value) -> Result<Opinion, Reason> {
    let answer = answer.as_object().ok_or(Reason::AnswerNoObject {})?;
    let field = |name: &str| match (schema.has(name), answer.get(name)) {
        (false, _) => Ok(None),
        (true, Some(value)) => Ok(Some(value)),
        (true, None) => Err(Reason::AnswerLacks { field: name.to_owned() }),
    };
    let mut opinion = Opinion::default();
    if let Some(value) = field("success")? {
        opinion.success = Some(flag(value).ok_or_else(|| Reason::NoYesOrNo { value: value.to_string() })?);
    }
    if let Some(value) = field("score")? {
        let grade = whole(value).filter(|grade| (1..=5).contains(grade));
        opinion.score = Some(grade.ok_or_else(|| Reason::NoGrade { value: value.to_string() })?);
    }
    if let Some(value) = field("confidence")? {
        let share = number(value).filter(|share| (0.0..=1.0).contains(share));
        opinion.confidence = Some(share.ok_or_else(|| Reason::NoConfidence { value: value.to_string() })?);
    }
    if let Some(value) = field("reason")? {
        let text = value.as_str().ok_or_else(|| Reason::NoText { value: value.to_string() })?;
        opinion.reason = Some(text.to_owned());
    }
    Ok(opinion)
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn whole(value: &Value) -> Option<i64> {
    number(value).filter(|x| x.fract() == 0.0 && x.abs() < 1e15).map(|x| x as i64)
}

fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "y" | "on" | "t" | "1" => Some(true),
            "false" | "no" | "n" | "off" | "f" | "0" => Some(false),
            _ => None,
        },
        Value::Number(_) => match number(value) {
            Some(1.0) => Some(true),
            Some(0.0) => Some(false),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn answers_are_read_leniently_in_spelling_and_strictly_in_substance() {
        for (metric, text, expected) in [
            (MetricId::Sr, r#"{"reason": "r", "success": true, "more": 1}"#, Ok((Some(true), None))),
            (MetricId::Sr, r#"{"success": true}"#, Err("the answer has no `reason`")),
            (MetricId::RefRecall, r#" {"score": "4", "reason": "r"} "#, Ok((None, Some(4)))),
            (MetricId::RefRecall, r#"{"score": 4.0, "reason": "r"}"#, Ok((None, Some(4)))),
            (
                MetricId::RefRecall,
                r#"{"score": 4.5, "reason": "r"}"#,
                Err("`score` is 4.5, not a whole number from 1 to 5"),
            ),
            (
                MetricId::RefRecall,
                r#"{"score": 6, "reason": "r"}"#,
                Err("`score` is 6, not a whole number from 1 to 5"),
            ),
            (MetricId::RefRecall, "[4]", Err("the answer is not a JSON object")),
            (
                MetricId::ArgAcc,
                r#"{"score": 4, "confidence": 2, "reason": "r"}"#,
                Err("`confidence` is 2, not a number from 0 to 1"),
            ),
            (MetricId::Fsm, "{}", Err("FSM asks no judge")),
        ] {
            let verdict = Verdict::read("judge", metric, text);
            let found = match &verdict.answer {
                Answer::Answered(opinion) => Ok((opinion.success, opinion.score)),
                Answer::Failed { reason, .. } => Err(reason.to_string()),
            };
            assert_eq!(found, expected.map_err(str::to_owned), "{text}");
        }
        let fenced =
            Verdict::read("judge", MetricId::Sr, "```json\n{\"reason\": \"r\", \"success\": true}\n```");
        assert!(
            fenced.failure().is_some_and(|reason| reason.to_string().starts_with("the answer is not JSON"))
        );
    }

    proptest! {
        #[test]
        fn no_text_panics_and_verdicts_survive_storage(text in ".{0,80}", grade in -9i64..9) {
            for text in [text, format!("{{\"score\": {grade}, \"reason\": \"x\"}}")] {
                let verdict = Verdict::read("j", MetricId::ContextRetention, &text);
                let stored = serde_json::to_string(&verdict).unwrap();
                prop_assert_eq!(serde_json::from_str::<Verdict>(&stored).unwrap(), verdict);
            }
        }
    }
}
