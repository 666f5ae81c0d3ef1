//! Reader of `generationConfig`.

use super::keys::{fields as entries, get};
use super::schema;
use crate::forms::fields;
use crate::refusal::Refusal;
use crate::request::{AnswerForm, GatewayRequest};
use serde_json::{Value, json};

/// Reads `generationConfig`.
///
/// # Errors
/// When a field is invalid or cannot be forwarded; the first such field is named.
pub(super) fn read(request: &mut GatewayRequest, config: &Value) -> Result<(), Refusal> {
    for (name, value) in entries(fields::object("generationConfig", config)?) {
        let place = format!("generationConfig.{name}");
        // Whether the field is read elsewhere, not forwarded, or has a default value; otherwise it
        // is refused.
        let usual = match name.as_str() {
            "temperature" => {
                fields::temperature(request, &place, value)?;
                true
            }
            "seed" => {
                fields::seed(request, &place, value)?;
                true
            }
            "maxOutputTokens" => {
                fields::limit(request, &place, value)?;
                true
            }
            "stopSequences" => {
                fields::stops(request, &place, value, usize::MAX)?;
                true
            }
            "thinkingConfig" => {
                thinking(request, &place, value)?;
                true
            }
            "topP" | "topK" => {
                request.leave_out(&place);
                true
            }
            "candidateCount" => value == 1,
            "presencePenalty" | "frequencyPenalty" => value.as_f64() == Some(0.0),
            "responseModalities" => *value == json!(["TEXT"]),
            // Read together after the loop.
            "responseMimeType" | "responseSchema" | "responseJsonSchema" => true,
            _ => false,
        };
        if !usual {
            return Err(fields::unknown(&place));
        }
    }
    request.answer = answer_form(config)?;
    Ok(())
}

fn thinking(request: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    for (name, value) in entries(fields::object(place, value)?) {
        let place = format!("{place}.{name}");
        match name.as_str() {
            "thinkingBudget" => fields::thinking_budget(request, &place, value)?,
            "thinkingLevel" => {
                let level = value.as_str().unwrap_or_default().to_ascii_lowercase();
                fields::effort(request, &place, &level.into())?;
            }
            // Thoughts are never part of an answer.
            "includeThoughts" => request.leave_out("thinkingConfig.includeThoughts"),
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
