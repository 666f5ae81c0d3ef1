//! Baseline that makes random calls: the lower bound of the metrics for a model that calls tools.
//! `SilentBaseline` is the lower bound without calls.

use super::dice::Dice;
use super::{Move, TEXTS, conversation};
use async_trait::async_trait;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{ModelAdapter, ModelError, ModelReply, ModelRequest, RequestedCall};
use serde_json::{Map, Value};
use std::time::Instant;

const PREFIX: &str = "random_";

/// Maximum number of turns with tool calls.
const MAX_TURNS: usize = 3;

/// Probability that a turn calls a tool instead of ending the attempt.
const CALL_PROBABILITY: f64 = 0.7;

/// Maximum nesting depth of random values.
const MAX_DEPTH: u32 = 4;

/// A model that calls offered tools at random, with arguments of the right shape, and then answers
/// with a fixed text.
///
/// The calls depend only on the seed, the task, the repetition and the step.
#[derive(Clone, Copy, Debug)]
pub struct RandomBaseline {
    seed: u64,
}

impl RandomBaseline {
    /// Creates a model whose dice have this seed.
    pub fn new(seed: u64) -> Self {
        RandomBaseline { seed }
    }
}

#[async_trait]
impl ModelAdapter for RandomBaseline {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let start = Instant::now();
        let attempt = request.attempt;
        let mut dice = Dice::new(self.seed, attempt.task, attempt.repetition, attempt.step);
        let calls_tool =
            conversation::played(request.messages, PREFIX) < MAX_TURNS && dice.chance(CALL_PROBABILITY);
        let chosen = dice.pick(request.tools).filter(|_| calls_tool);
        let next = match chosen {
            Some(tool) => {
                let words: Vec<&str> = conversation::last_user(request.messages).split_whitespace().collect();
                let arguments = arguments(tool, &mut dice, &words).to_string();
                let id = format!("{PREFIX}{}_1", attempt.step);
                Move::Call(vec![RequestedCall { id, name: tool.name.clone(), arguments }])
            }
            None => Move::Say(TEXTS.random.clone()),
        };
        Ok(next.reply(start))
    }
}

/// Every required argument, and each optional one with a probability of one half.
fn arguments(tool: &ToolSpec, dice: &mut Dice, words: &[&str]) -> Value {
    object(&tool.parameters, dice, words, MAX_DEPTH)
}

fn object(schema: &Value, dice: &mut Dice, words: &[&str], depth: u32) -> Value {
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut fields = Map::new();
    for (name, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if required.iter().any(|needed| needed == name) || dice.chance(0.5) {
            fields.insert(name.clone(), value(schema, dice, words, depth - 1));
        }
    }
    Value::Object(fields)
}

fn value(schema: &Value, dice: &mut Dice, words: &[&str], depth: u32) -> Value {
    if let Some(choice) = schema.get("enum").and_then(Value::as_array).and_then(|choices| dice.pick(choices))
    {
        return choice.clone();
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => {
            kinds.iter().find_map(|kind| kind.as_str().filter(|kind| *kind != "null"))
        }
        kind => kind.and_then(Value::as_str),
    };
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let low = bound("minimum").unwrap_or(1.0);
    let high = bound("maximum").unwrap_or(low + 99.0).max(low);
    match kind {
        Some("integer") => dice.between(low.ceil() as i64, high.floor() as i64).into(),
        Some("number") => (low + dice.unit() * (high - low)).into(),
        Some("boolean") => dice.chance(0.5).into(),
        Some("array") if depth > 0 => match schema.get("items") {
            Some(items) => Value::Array(vec![value(items, dice, words, depth - 1)]),
            None => Value::Array(Vec::new()),
        },
        Some("array") => Value::Array(Vec::new()),
        Some("object") if depth > 0 => object(schema, dice, words, depth),
        Some("object") => Value::Object(Map::new()),
        // The user's own words at least resemble a search text.
        _ => dice.pick(words).copied().unwrap_or("a").into(),
    }
}
