//! A question to a judge: the finished prompt, the schema of the answer and the number of votes.

use super::prompts::{Inputs, JudgePrompts};
use crate::cache_key::sha256_hex;
use crate::level::Level;
use crate::python::{Dumps, dumps};
use crate::score::MetricId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Judges of a question, and the number of votes of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Votes {
    /// Only the first judge, who answers the same prompt this many times.
    FirstJudge(usize),
    /// Every judge of the panel answers once.
    EachJudge,
}

/// One question about one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeQuestion {
    /// Level of the task.
    pub level: Level,
    /// Id of the task.
    pub task_id: String,
    /// Metric that the answer is for.
    pub metric: MetricId,
    /// System message.
    pub system: String,
    /// User message.
    pub prompt: String,
    /// Name and JSON Schema of the answer, for structured output.
    pub schema: AnswerSchema,
    /// Judges of the question and their number of votes.
    pub votes: Votes,
}

/// Required form of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerSchema {
    /// Name of the schema in the request's response format.
    pub name: String,
    /// JSON Schema: an object, all properties required, no others allowed.
    pub schema: Value,
}

impl JudgeQuestion {
    /// Creates the question of a metric about a task; `None` if no judge decides the metric.
    pub fn new(
        level: &Level,
        task_id: &str,
        metric: MetricId,
        prompts: &JudgePrompts,
        inputs: &Inputs,
        votes: usize,
    ) -> Option<Self> {
        let (system, prompt) = prompts.fill(metric, inputs)?;
        Some(Self {
            level: level.clone(),
            task_id: task_id.to_owned(),
            metric,
            system,
            prompt,
            schema: AnswerSchema::for_metric(metric)?,
            votes: if metric == MetricId::Sr { Votes::FirstJudge(votes) } else { Votes::EachJudge },
        })
    }

    /// Creates a question with a free-text answer. The first judge answers it `votes` times.
    pub fn in_words(level: &Level, task_id: &str, metric: MetricId, prompt: String, votes: usize) -> Self {
        Self {
            level: level.clone(),
            task_id: task_id.to_owned(),
            metric,
            system: String::new(),
            prompt,
            schema: AnswerSchema { name: "text".to_owned(), schema: Value::Null },
            votes: Votes::FirstJudge(votes),
        }
    }

    /// Whether the answer is free text instead of JSON.
    pub fn is_in_words(&self) -> bool {
        self.schema.schema.is_null()
    }

    /// SHA-256 (lower-case hex) of system text, prompt and schema. Equal questions have the same
    /// hash everywhere; any change of wording changes it.
    ///
    /// A question with a free-text answer is hashed by its prompt alone.
    pub fn hash(&self) -> String {
        if self.is_in_words() {
            return sha256_hex(&self.prompt);
        }
        let content = json!({"prompt": self.prompt, "schema": self.schema.schema, "system": self.system});
        sha256_hex(&dumps(&content, Dumps { sorted: true, ..Dumps::default() }))
    }
}

impl AnswerSchema {
    /// Required form of the answers for a metric; `None` if no judge decides the metric.
    pub fn for_metric(metric: MetricId) -> Option<Self> {
        let flag = || json!({"type": "boolean"});
        let text = || json!({"type": "string"});
        let grade = || json!({"type": "integer", "minimum": 1, "maximum": 5});
        // The order matters to a model that writes the fields as they come: reasons before the
        // verdict in SR.
        let (name, properties): (_, Vec<(&str, Value)>) = match metric {
            MetricId::Sr => ("success_verdict", vec![("reason", text()), ("success", flag())]),
            MetricId::ArgAcc => (
                "argument_grade",
                vec![
                    ("score", grade()),
                    ("confidence", json!({"type": "number", "minimum": 0, "maximum": 1})),
                    ("reason", text()),
                ],
            ),
            MetricId::EffScore => ("completion_verdict", vec![("success", flag()), ("reason", text())]),
            MetricId::ContextRetention | MetricId::RefRecall => {
                ("conversation_grade", vec![("score", grade()), ("reason", text())])
            }
            _ => return None,
        };
        let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
        let properties: serde_json::Map<String, Value> =
            properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
        Some(Self {
            name: name.to_owned(),
            schema: json!({
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            }),
        })
    }

    /// Whether the schema has a field of this name.
    pub fn has(&self, field: &str) -> bool {
        self.schema["properties"].get(field).is_some()
    }
}
