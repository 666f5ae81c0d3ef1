//! Reads "Create chat completion".

use super::messages;
use crate::gateway::forms::{fields, openai};
use crate::gateway::refusal::Refusal;
use crate::gateway::request::{AnswerForm, BOOK_KEEPING, GatewayRequest, Manner, Served};
use koab_core::say;
use koab_core::tool::ToolSpec;
use serde_json::{Map, Value, json};

/// Stop sequences that OpenAI allows.
const STOPS: usize = 4;

/// How the answer is to be told.
pub(in crate::gateway::forms) fn manner(body: &Value) -> Manner {
    let is = |pointer: &str| body.pointer(pointer) == Some(&Value::Bool(true));
    Manner {
        stream: is("/stream"),
        usage: is("/stream_options/include_usage"),
        array: false,
    }
}

/// Reads a request. `max_tokens` counts where it names none.
///
/// # Errors
/// The first field that makes no sense or cannot be carried.
pub(in crate::gateway::forms) fn read(
    body: &Value,
    served: &Served,
    max_tokens: u32,
) -> Result<GatewayRequest, Refusal> {
    let body = fields::body(body)?;
    fields::model(body.get("model"), served)?;
    let mut asked = GatewayRequest::new(max_tokens);
    // Null is how clients write a field that is not there.
    for (name, value) in body.iter().filter(|(_, value)| !value.is_null()) {
        field(&mut asked, name, value)?;
    }
    if asked.messages.is_empty() {
        return Err(Refusal::field(
            "messages",
            say!("must be a list with at least one message"),
        ));
    }
    output_limit(&mut asked, body)?;
    asked.settle("tool_choice", "response_format")
}

fn field(asked: &mut GatewayRequest, name: &str, value: &Value) -> Result<(), Refusal> {
    if let Some(known) = BOOK_KEEPING.iter().find(|known| **known == name) {
        asked.leave_out(known);
        return Ok(());
    }
    // Values that ask for what is done anyway.
    let usual = match name {
        "n" => value.as_f64() == Some(1.0),
        "presence_penalty" | "frequency_penalty" => value.as_f64() == Some(0.0),
        "logprobs" => value == false,
        "service_tier" => value == "auto" || value == "default",
        "modalities" => *value == json!(["text"]),
        "logit_bias" => value.as_object().is_some_and(Map::is_empty),
        "functions" => value.as_array().is_some_and(Vec::is_empty),
        "stream" => value.is_boolean(),
        "stream_options" => return stream_options(value),
        "model" | "max_tokens" | "max_completion_tokens" => true,
        "messages" => {
            asked.messages = messages::read(value, &mut asked.left_out)?;
            return Ok(());
        }
        "tools" => return tools(asked, value),
        "tool_choice" => return openai::choice(asked, value),
        "parallel_tool_calls" => {
            asked.one_call = value == false;
            value.is_boolean()
        }
        "top_p" => {
            if value.as_f64() != Some(1.0) {
                asked.leave_out(name);
            }
            value.is_number()
        }
        "temperature" => return fields::temperature(asked, name, value),
        "seed" => return fields::seed(asked, name, value),
        "stop" => return stop(asked, value),
        "reasoning_effort" => return fields::effort(asked, name, value),
        "response_format" => return response_format(asked, value),
        _ => false,
    };
    if usual {
        return Ok(());
    }
    Err(match name {
        "stream" => Refusal::field(name, say!("must be true or false")),
        _ => fields::unknown(name),
    })
}

fn stream_options(value: &Value) -> Result<(), Refusal> {
    for (name, value) in value.as_object().into_iter().flatten() {
        if !(matches!(name.as_str(), "include_usage" | "include_obfuscation") && value.is_boolean()) {
            return Err(Refusal::field(
                &format!("stream_options.{name}"),
                say!("is not known here"),
            ));
        }
    }
    Ok(())
}

fn stop(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    let refused = || {
        Refusal::field(
            "stop",
            say!("must be a text or up to 4 texts, none of them empty"),
        )
    };
    asked.stop = fields::stops(value)
        .filter(|texts| texts.len() <= STOPS)
        .ok_or_else(refused)?;
    Ok(())
}

fn output_limit(asked: &mut GatewayRequest, body: &Map<String, Value>) -> Result<(), Refusal> {
    let mut given = None;
    for name in ["max_tokens", "max_completion_tokens"] {
        let Some(value) = body.get(name).filter(|value| !value.is_null()) else {
            continue;
        };
        let limit = fields::limit(name, value)?;
        if given.is_some_and(|given| given != limit) {
            return Err(Refusal::field(name, "differs from max_tokens; give one of them"));
        }
        given = Some(limit);
    }
    asked.max_tokens = given.unwrap_or(asked.max_tokens);
    Ok(())
}

fn tools(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (at, tool) in fields::list("tools", value)?.iter().enumerate() {
        let place = format!("tools[{at}]");
        let function = tool.get("function").and_then(Value::as_object);
        let (Some("function"), Some(function)) = (tool.get("type").and_then(Value::as_str), function) else {
            return Err(Refusal::field(
                &place,
                say!("must be of type `function`; other kinds are not carried"),
            ));
        };
        let mut spec = ToolSpec {
            name: String::new(),
            description: String::new(),
            parameters: json!({"type": "object", "properties": {}}),
        };
        let mut strict = false;
        for (name, value) in function.iter().filter(|(_, value)| !value.is_null()) {
            match (name.as_str(), value) {
                ("name", Value::String(text)) => spec.name.clone_from(text),
                ("description", Value::String(text)) => spec.description.clone_from(text),
                ("parameters", Value::Object(_)) => spec.parameters = value.clone(),
                ("strict", Value::Bool(value)) => strict = *value,
                _ => {
                    let place = format!("{place}.function.{name}");
                    return Err(Refusal::field(&place, "is not of a form that is carried"));
                }
            }
        }
        if spec.name.is_empty() {
            return Err(Refusal::field(
                &format!("{place}.function.name"),
                say!("is missing"),
            ));
        }
        if strict {
            asked.strict_tools.push(spec.name.clone());
        }
        asked.tools.push(spec);
    }
    Ok(())
}

fn response_format(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    let form = match value.get("type").and_then(Value::as_str) {
        Some("text") => None,
        Some("json_object") => Some(AnswerForm {
            name: "answer".to_owned(),
            schema: json!({"type": "object"}),
            strict: false,
        }),
        Some("json_schema") => {
            let named = &value["json_schema"];
            let (Some(name), schema @ Value::Object(_)) = (named["name"].as_str(), &named["schema"]) else {
                return Err(Refusal::field(
                    "response_format.json_schema",
                    "needs a name and a schema",
                ));
            };
            Some(AnswerForm {
                name: name.to_owned(),
                schema: schema.clone(),
                strict: named["strict"] == true,
            })
        }
        _ => {
            return Err(Refusal::field(
                "response_format.type",
                "can be `text`, `json_object` or `json_schema`",
            ));
        }
    };
    asked.answer = form;
    Ok(())
}
