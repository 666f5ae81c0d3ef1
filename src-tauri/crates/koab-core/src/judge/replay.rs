//! Verdicts by task and metric, and a document with recorded verdicts (a judge replay).

use super::verdict::{Answer, Opinion, Verdict};
use crate::level::Level;
use crate::say;
use crate::score::MetricId;
use crate::sentence::Sentence;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

/// The verdicts of an evaluation, in the order of the judges' answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdicts(HashMap<(String, MetricId), Vec<Verdict>>);

/// A replay document that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum ReplayError {
    /// The document has neither levels nor model folders at its top.
    #[error(
        "a judge replay holds L1 to L7 at its top, or one such object for each model; this one holds {found}"
    )]
    Shape {
        /// Description of the content that the document has instead.
        found: String,
    },
    /// The document is divided by model folders and does not contain the folder of the model.
    #[error("the judge replay has no answers for `{model}`; it has {known}")]
    UnknownModel {
        /// Name of the model's folder.
        model: String,
        /// Folder names in the document.
        known: String,
    },
    /// An entry does not have the required form.
    #[error("the judge replay at {at}: {problem}")]
    Entry {
        /// Level, task and metric of the entry, joined by dots.
        at: String,
        /// Description of the fault.
        problem: Sentence,
    },
}

impl Verdicts {
    /// An empty collection of verdicts. Metrics without judges can still be scored.
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether there are no verdicts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a verdict about a task after the existing ones.
    pub fn add(&mut self, task_id: &str, verdict: Verdict) {
        self.0.entry((task_id.to_owned(), verdict.metric)).or_default().push(verdict);
    }

    /// Replaces the verdicts about a task for a metric.
    pub fn replace(&mut self, task_id: &str, metric: MetricId, verdicts: Vec<Verdict>) {
        self.0.insert((task_id.to_owned(), metric), verdicts);
    }

    /// The verdicts about a task for a metric, in order.
    pub fn about(&self, task_id: &str, metric: MetricId) -> &[Verdict] {
        self.0.get(&(task_id.to_owned(), metric)).map_or(&[], Vec::as_slice)
    }

    /// A copy with each verdict converted by `read`.
    #[must_use]
    pub fn map(&self, read: impl Fn(&Verdict) -> Verdict) -> Self {
        let each = self.0.iter();
        Self(each.map(|(key, verdicts)| (key.clone(), verdicts.iter().map(&read).collect())).collect())
    }

    /// Names of the judges that gave verdicts, each once, sorted.
    pub fn judges(&self) -> Vec<String> {
        let names: BTreeSet<&str> = self.0.values().flatten().map(|verdict| verdict.judge.as_str()).collect();
        names.into_iter().map(ToOwned::to_owned).collect()
    }

    /// Reads recorded answers of the form `{level: {task: {metric: [answer, …]}}}`.
    ///
    /// The document may also have such an object for each model folder; then the object of `model`
    /// is read. An empty list means that no judge was called. An answer is `{judge, success or
    /// score, reason}`, or `{judge, error}` for a failure.
    ///
    /// # Errors
    /// [`ReplayError`] with the place of the fault.
    pub fn from_replay(document: &Value, model: &str) -> Result<Self, ReplayError> {
        let top = document.as_object().ok_or_else(|| ReplayError::Shape { found: "no object".to_owned() })?;
        let levels = if top.keys().all(|key| is_level(key)) {
            top
        } else {
            top.get(model)
                .or_else(|| top.get(&model.replace('/', "_")))
                .ok_or_else(|| ReplayError::UnknownModel {
                    model: model.to_owned(),
                    known: top.keys().cloned().collect::<Vec<_>>().join(", "),
                })?
                .as_object()
                .filter(|levels| levels.keys().all(|key| is_level(key)))
                .ok_or_else(|| ReplayError::Shape { found: format!("something else under `{model}`") })?
        };
        let mut verdicts = Self::none();
        for (level, tasks) in levels {
            for (task, metrics) in entries(tasks, level)? {
                let at = format!("{level}.{task}");
                for (metric, answers) in entries(metrics, &at)? {
                    let at = format!("{at}.{metric}");
                    let id: MetricId = metric.parse().map_err(|error| entry(&at, format!("{error}")))?;
                    let answers = answers.as_array().ok_or_else(|| entry(&at, "no list of answers"))?;
                    for answer in answers {
                        verdicts.add(task, read_answer(id, answer).map_err(|problem| entry(&at, problem))?);
                    }
                }
            }
        }
        Ok(verdicts)
    }
}

fn is_level(key: &str) -> bool {
    key.starts_with('L') && key.parse::<Level>().is_ok()
}

fn entry(at: &str, problem: impl Into<Sentence>) -> ReplayError {
    ReplayError::Entry { at: at.to_owned(), problem: problem.into() }
}

fn entries<'a>(value: &'a Value, at: &str) -> Result<&'a Map<String, Value>, ReplayError> {
    value.as_object().ok_or_else(|| entry(at, say!("not an object")))
}

fn read_answer(metric: MetricId, answer: &Value) -> Result<Verdict, Sentence> {
    let judge =
        answer.get("judge").and_then(Value::as_str).ok_or_else(|| say!("an answer without `judge`"))?;
    if let Some(reason) = answer.get("error").and_then(Value::as_str) {
        return Ok(Verdict::failed(judge, metric, reason));
    }
    let opinion = Opinion {
        success: answer.get("success").and_then(Value::as_bool),
        score: answer.get("score").and_then(Value::as_i64),
        confidence: answer.get("confidence").and_then(Value::as_f64),
        reason: answer.get("reason").and_then(Value::as_str).map(ToOwned::to_owned),
    };
    if opinion.success.is_none() && opinion.score.is_none() {
        return Err(say!("an answer without `success`, `score` or `error`"));
    }
    Ok(Verdict { judge: judge.to_owned(), metric, answer: Answer::Answered(opinion) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_document_forms_are_read_and_wrong_ones_name_the_place() {
        let one = json!({"L1": {"L1-001": {"SR": [{"judge": "j", "success": true}], "ArgAcc": []}}});
        let all = json!({"a_b": one});
        let verdicts = Verdicts::from_replay(&one, "x").unwrap();
        assert_eq!(verdicts, Verdicts::from_replay(&all, "a/b").unwrap());
        assert_eq!(verdicts.about("L1-001", MetricId::Sr).len(), 1);
        assert!(verdicts.about("L1-001", MetricId::ArgAcc).is_empty());
        for (document, message) in [
            (all, "the judge replay has no answers for `x`; it has a_b"),
            (json!({"L1": {"L1-001": {"XX": []}}}), "the judge replay at L1.L1-001.XX: `XX` is not a metric"),
            (
                json!({"L1": {"L1-001": {"SR": [{"judge": "j"}]}}}),
                "the judge replay at L1.L1-001.SR: an answer without `success`, `score` or `error`",
            ),
        ] {
            assert_eq!(Verdicts::from_replay(&document, "x").unwrap_err().to_string(), message);
        }
    }
}
