//! `generationConfig`.

use super::keys::{fields as entries, get};
use super::schema;
use crate::gateway::forms::fields;
use crate::gateway::refusal::Refusal;
use crate::gateway::request::{AnswerForm, GatewayRequest};
use serde_json::{Value, json};

/// Reads it.
///
/// # Errors
/// The first field that makes no sense or cannot be carried.
pub(super) fn read(asked: &mut GatewayRequest, config: &Value) -> Result<(), Refusal> {
    for (name, value) in entries(fields::object("generationConfig", config)?) {
        let place = format!("generationConfig.{name}");
        // Values that ask for what is done anyway.
        let usual = match name.as_str() {
            "temperature" => {
                fields::temperature(asked, &place, value)?;
                true
            }
            "seed" => {
                fields::seed(asked, &place, value)?;
                true
            }
            "maxOutputTokens" => {
                fields::limit(asked, &place, value)?;
                true
            }
            "stopSequences" => {
                fields::stops(asked, &place, value, usize::MAX)?;
                true
            }
            "thinkingConfig" => {
                thinking(asked, &place, value)?;
                true
            }
            "topP" | "topK" => {
                asked.leave_out(&place);
                true
            }
            "candidateCount" => value == 1,
            "presencePenalty" | "frequencyPenalty" => value.as_f64() == Some(0.0),
            "responseModalities" => *value == json!(["TEXT"]),
            // Read together.
            "responseMimeType" | "responseSchema" | "responseJsonSchema" => true,
            _ => false,
        };
        if !usual {
            return Err(fields::unknown(&place));
        }
    }
    asked.answer = answer_form(config)?;
    Ok(())
}

fn thinking(asked: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    for (name, value) in entries(fields::object(place, value)?) {
        let place = format!("{place}.{name}");
        match name.as_str() {
            "thinkingBudget" => fields::thinking_budget(asked, &place, value)?,
            "thinkingLevel" => {
                let level = value.as_str().unwrap_or_default().to_ascii_lowercase();
                fields::effort(asked, &place, &level.into())?;
            }
            // Thoughts are not told.
            "includeThoughts" => asked.leave_out("thinkingConfig.includeThoughts"),
            _ => return Err(fields::unknown(&place)),
        }
    }
    Ok(())
}

fn answer_form(config: &Value) -> Result<Option<AnswerForm>, Refusal> {
    let schema = match (get(config, "responseJsonSchema"), get(config, "responseSchema")) {
        (Value::Null, Value::Null) => None,
        (Value::Null, schema) => Some(schema::json_schema(schema)),
        (schema, _) => Some(schema.clone()),
    };
    match get(config, "responseMimeType").as_str() {
        None | Some("text/plain") if schema.is_none() => Ok(None),
        Some("application/json") => Ok(Some(AnswerForm {
            name: "answer".to_owned(),
            strict: schema.is_some(),
            schema: schema.unwrap_or_else(|| json!({"type": "object"})),
        })),
        _ => Err(Refusal::field(
            "generationConfig.responseMimeType",
            "can be `text/plain`, or `application/json`, which schemas need",
        )),
    }
}
