//! Reads "Create a model response".

use super::{items, names};
use crate::gateway::forms::fields;
use crate::gateway::forms::openai;
use crate::gateway::refusal::Refusal;
use crate::gateway::request::{AnswerForm, BOOK_KEEPING, GatewayRequest, Manner, Served};
use koab_core::say;
use koab_engine::ports::Message;
use serde_json::{Map, Value, json};

/// How the answer is to be told.
pub(in crate::gateway::forms) fn manner(body: &Value) -> Manner {
    Manner {
        stream: body["stream"] == true,
        usage: true,
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
    if let Some(text) = body.get("instructions").filter(|value| !value.is_null()) {
        let text = fields::text("instructions", Some(text))?;
        asked.messages.push(Message::System(text.to_owned()));
    }
    for (name, value) in body.iter().filter(|(_, value)| !value.is_null()) {
        field(&mut asked, name, value)?;
    }
    if !body
        .get("input")
        .is_some_and(|input| input.is_string() || input.is_array())
    {
        return Err(Refusal::field("input", "must be a text or a list of items"));
    }
    if asked.messages.is_empty() {
        return Err(Refusal::field("input", "must hold at least one message"));
    }
    asked.settle("tool_choice", "text.format")
}

fn field(asked: &mut GatewayRequest, name: &str, value: &Value) -> Result<(), Refusal> {
    // Values that ask for what is done anyway.
    let usual = match name {
        "model" | "instructions" => true,
        "background" => value == false,
        "truncation" => value == "disabled",
        "top_logprobs" => value == 0,
        "stream" | "parallel_tool_calls" if !value.is_boolean() => {
            return Err(Refusal::field(name, say!("must be true or false")));
        }
        "stream" => true,
        "stream_options" => return stream_options(value),
        "parallel_tool_calls" => {
            asked.one_call = value == false;
            true
        }
        "input" => return items::read(asked, value),
        "tools" => return tools(asked, value),
        "tool_choice" => {
            openai::choice(asked, value)?;
            renamed(asked, value);
            true
        }
        "temperature" => return fields::temperature(asked, name, value),
        "max_output_tokens" => {
            asked.max_tokens = fields::limit(name, value)?;
            true
        }
        "reasoning" => return reasoning(asked, value),
        "text" => return text(asked, value),
        "include" => {
            if value.as_array().is_some_and(|list| !list.is_empty()) {
                asked.leave_out(name);
            }
            true
        }
        "top_p" | "client_metadata" | "service_tier" | "prompt_cache_retention" | "max_tool_calls" => {
            asked.leave_out(name);
            true
        }
        // Nothing is stored, which is what false asks for.
        "store" if value == false => true,
        _ if BOOK_KEEPING.contains(&name) => {
            asked.leave_out(name);
            true
        }
        _ => false,
    };
    if usual { Ok(()) } else { Err(fields::unknown(name)) }
}

fn stream_options(value: &Value) -> Result<(), Refusal> {
    for (name, value) in value.as_object().into_iter().flatten() {
        if name != "include_obfuscation" || !value.is_boolean() {
            return Err(Refusal::field(
                &format!("stream_options.{name}"),
                say!("is not known here"),
            ));
        }
    }
    Ok(())
}

/// A choice names tools as they are offered; the model knows them by other names.
fn renamed(asked: &mut GatewayRequest, value: &Value) {
    let name = |tool: &Value| {
        names::upstream(
            tool["namespace"].as_str(),
            tool["name"].as_str().unwrap_or_default(),
        )
    };
    if let crate::gateway::request::Choice::Named(named) = &mut asked.choice {
        *named = name(value);
    }
    if let (Some(allowed), Some(tools)) = (&mut asked.allowed, value["tools"].as_array()) {
        *allowed = tools.iter().map(name).collect();
    }
}

fn reasoning(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (name, value) in fields::object("reasoning", value)?
        .iter()
        .filter(|(_, value)| !value.is_null())
    {
        match name.as_str() {
            "effort" => fields::effort(asked, "reasoning.effort", value)?,
            // Thoughts are not told.
            "summary" | "generate_summary" => asked.leave_out(&format!("reasoning.{name}")),
            _ => return Err(fields::unknown(&format!("reasoning.{name}"))),
        }
    }
    Ok(())
}

fn text(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (name, value) in fields::object("text", value)?
        .iter()
        .filter(|(_, value)| !value.is_null())
    {
        match name.as_str() {
            "format" => asked.answer = answer_form(value)?,
            "verbosity" => asked.leave_out("text.verbosity"),
            _ => return Err(fields::unknown(&format!("text.{name}"))),
        }
    }
    Ok(())
}

fn answer_form(value: &Value) -> Result<Option<AnswerForm>, Refusal> {
    match value["type"].as_str() {
        Some("text") => Ok(None),
        Some("json_object") => Ok(Some(AnswerForm {
            name: "answer".to_owned(),
            schema: json!({"type": "object"}),
            strict: false,
        })),
        Some("json_schema") => {
            let name = fields::text("text.format.name", value.get("name"))?;
            fields::object("text.format.schema", &value["schema"])?;
            Ok(Some(AnswerForm {
                name: name.to_owned(),
                schema: value["schema"].clone(),
                strict: value["strict"] == true,
            }))
        }
        _ => Err(Refusal::field(
            "text.format.type",
            "can be `text`, `json_object` or `json_schema`",
        )),
    }
}

fn tools(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (at, tool) in fields::list("tools", value)?.iter().enumerate() {
        let place = format!("tools[{at}]");
        let fields_of = fields::object(&place, tool)?;
        match tool["type"].as_str() {
            Some("function") => function(asked, &place, None, fields_of)?,
            Some("custom") => custom(asked, &place, None, fields_of)?,
            Some("namespace") => namespace(asked, &place, tool)?,
            Some("tool_search") => {
                return Err(Refusal::field(
                    &place,
                    "is offered by Codex for models that it knows by name alone; configure the model under another name",
                ));
            }
            // Tools that OpenAI's own servers carry out.
            Some(_) => asked.leave_out(&place),
            None => return Err(Refusal::field(&format!("{place}.type"), say!("is missing"))),
        }
    }
    Ok(())
}

fn namespace(asked: &mut GatewayRequest, place: &str, tool: &Value) -> Result<(), Refusal> {
    let namespace = fields::text(&format!("{place}.name"), tool.get("name"))?;
    let inner = format!("{place}.tools");
    for (at, tool) in fields::list(&inner, &tool["tools"])?.iter().enumerate() {
        let place = format!("{inner}[{at}]");
        let fields_of = fields::object(&place, tool)?;
        match tool["type"].as_str() {
            Some("function") => function(asked, &place, Some(namespace), fields_of)?,
            Some("custom") => custom(asked, &place, Some(namespace), fields_of)?,
            _ => {
                return Err(Refusal::field(
                    &place,
                    say!("must be of type `function`; other kinds are not carried"),
                ));
            }
        }
    }
    Ok(())
}

fn function(
    asked: &mut GatewayRequest,
    place: &str,
    namespace: Option<&str>,
    function: &Map<String, Value>,
) -> Result<(), Refusal> {
    let mut spec = fields::function(place, function.get("name"))?;
    spec.name = names::upstream(namespace, &spec.name);
    for (name, value) in function.iter().filter(|(_, value)| !value.is_null()) {
        match (name.as_str(), value) {
            ("name" | "type", _) => {}
            ("description", Value::String(text)) => spec.description.clone_from(text),
            ("parameters", Value::Object(_)) => spec.parameters = value.clone(),
            ("strict", Value::Bool(strict)) => {
                if *strict {
                    asked.strict_tools.push(spec.name.clone());
                }
            }
            ("defer_loading", Value::Bool(false)) => {}
            _ => {
                let place = format!("{place}.{name}");
                return Err(Refusal::field(&place, "is not of a form that is carried"));
            }
        }
    }
    asked.tools.push(spec);
    Ok(())
}

/// A tool whose input is any text: a function with one text.
fn custom(
    asked: &mut GatewayRequest,
    place: &str,
    namespace: Option<&str>,
    tool: &Map<String, Value>,
) -> Result<(), Refusal> {
    let mut spec = fields::function(place, tool.get("name"))?;
    spec.name = names::upstream(namespace, &spec.name);
    if let Some(text) = tool.get("description").and_then(Value::as_str) {
        text.clone_into(&mut spec.description);
    }
    // A grammar cannot be carried; that it helps is all that is lost.
    if tool
        .get("format")
        .is_some_and(|format| format["type"] == "grammar")
    {
        asked.leave_out(&format!("{place}.format"));
    }
    spec.parameters = json!({
        "type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"],
    });
    asked.tools.push(spec);
    Ok(())
}
