//! Agents that speak A2A (`Agent2Agent`) over JSON-RPC, in the version that the agent's card names:
//! 1.0, or 0.3 and earlier.

use super::{POLL_INTERVAL, address, before_its_end, started, there};
use crate::answer::{cleaned, excerpt};
use crate::kinds::ended_from_here;
use crate::kinds::web::{self, Address};
use crate::program_end::ProgramEnd;
use crate::setup::{AgentResult, Setup};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Value, json};

/// Paths of an agent's card, the newer path first.
const CARDS: [&str; 2] = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

/// Runs an attempt with an A2A server.
///
/// # Errors
/// When the server cannot be started, or its address is not valid.
pub(crate) async fn run(setup: &Setup<'_>) -> Result<AgentResult, Sentence> {
    let base = address(setup)?;
    let (response, over) = if setup.definition.command.is_empty() {
        let response = there(setup, &base, ask(setup, &base)).await?;
        (response.map(Option::flatten), ProgramEnd::default())
    } else {
        let mut running = started(setup).await?;
        let base = base.within(running.ports());
        let response = before_its_end(setup, &mut running, ask(setup, &base)).await;
        let over = running.end().await?;
        (response?, over)
    };
    let (answer, why) = match response {
        Ok(answer) => (answer, None),
        Err(why) => (None, Some(why)),
    };
    let answer = answer.map(|text| cleaned(&text)).filter(|text| !text.is_empty());
    Ok(ended_from_here(setup, answer, why, &over))
}

/// Address and version of the agent, from its card.
struct Interface {
    at: Address,
    is_new: bool,
}

/// Sends the user's turns one after the other in one context. Returns the answer to the last turn.
async fn ask(setup: &Setup<'_>, base: &Address) -> Result<Option<String>, Sentence> {
    let card = card(base).await;
    let spoken = spoken(&card, base);
    let mut context = Value::Null;
    let mut answer = say_turn(setup, &spoken, (0, setup.prompt), &mut context).await?;
    for (turn, text) in setup.later_turns.iter().enumerate() {
        setup.turn_ended(answer.as_deref().unwrap_or_default());
        answer = say_turn(setup, &spoken, (turn + 1, text), &mut context).await?;
    }
    Ok(answer)
}

/// Sends a turn of the user and waits for the answer. `context` is the context of the earlier
/// turns, and is updated.
async fn say_turn(
    setup: &Setup<'_>,
    spoken: &Interface,
    (turn, text): (usize, &str),
    context: &mut Value,
) -> Result<Option<String>, Sentence> {
    let id = setup.values.fill(&format!("{{attempt}}-{turn}"));
    let (method, mut message) = if spoken.is_new {
        ("SendMessage", json!({"messageId": id, "role": "ROLE_USER", "parts": [{"text": text}]}))
    } else {
        (
            "message/send",
            json!({"kind": "message", "messageId": id, "role": "user",
                "parts": [{"kind": "text", "text": text}]}),
        )
    };
    if let Some(request) = &setup.definition.request {
        message["metadata"] = setup.values.fill_value(request);
    }
    if !context.is_null() {
        message["contextId"] = context.clone();
    }
    let mut result = spoken.call(method, json!({"message": message})).await?;
    loop {
        let reply = task_or_message(&result);
        if !reply["contextId"].is_null() {
            *context = reply["contextId"].clone();
        }
        match state(reply) {
            State::Done => return Ok(text_of(reply).map(|text| cleaned(&text))),
            State::Failed(state) => {
                return Err(say!(
                    "its task ended as {}: {}",
                    excerpt(&state),
                    excerpt(&text_of(&reply["status"]["message"]).unwrap_or_default())
                ));
            }
            State::Working => {}
        }
        tokio::time::sleep(POLL_INTERVAL).await;
        let method = if spoken.is_new { "GetTask" } else { "tasks/get" };
        let params = json!({"id": reply["id"]});
        result = spoken.call(method, params).await?;
    }
}

/// Waits for the agent's card. When the card is available, the server is ready.
async fn card(base: &Address) -> Value {
    loop {
        for place in CARDS {
            if let Ok(text) = web::get(&base.at(place)).await
                && let Ok(card) = serde_json::from_str(&text)
            {
                return card;
            }
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

fn spoken(card: &Value, base: &Address) -> Interface {
    let interfaces = card["supportedInterfaces"].as_array();
    let rpc = |interface: &&Value| interface["protocolBinding"].as_str() == Some("JSONRPC");
    let of = |interface: &Value| interface["protocolVersion"].as_str().unwrap_or("1.0").to_owned();
    let interface = interfaces.and_then(|all| all.iter().find(rpc));
    let version = interface.map_or_else(|| of(card), of);
    let is_new = !version.starts_with("0.");
    let url = interface.unwrap_or(card)["url"].as_str();
    // A server that does not know its own name may give an address that does not lead to it. Only
    // the path is taken from that, because the port is known.
    let path = url.and_then(|url| Address::read(url).ok()).map(|named| named.path().to_owned());
    Interface {
        at: base.at(path.as_deref().unwrap_or("/")),
        is_new: is_new && card["protocolVersion"].as_str().is_none_or(|version| !version.starts_with("0.")),
    }
}

impl Interface {
    async fn call(&self, method: &str, params: Value) -> Result<Value, Sentence> {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let version: &[(&str, &str)] = if self.is_new { &[("A2A-Version", "1.0")] } else { &[] };
        let text = web::post(&self.at, &body, version).await?;
        let answer: Value = serde_json::from_str(&text)
            .map_err(|error| say!("its answer to {method} is not JSON: {error}"))?;
        match answer.get("error").filter(|error| !error.is_null()) {
            Some(error) => {
                let message = error["message"].as_str().unwrap_or("no reason");
                let message = cleaned(&message.chars().take(500).collect::<String>());
                Err(say!("it refused {method}: {message}"))
            }
            None => Ok(answer["result"].clone()),
        }
    }
}

/// Task or message in a result. The newer protocol version has it in a field named `task` or
/// `message`.
fn task_or_message(result: &Value) -> &Value {
    ["task", "message"].into_iter().find_map(|name| result.get(name)).unwrap_or(result)
}

enum State {
    Done,
    Working,
    Failed(String),
}

fn state(found: &Value) -> State {
    let Some(state) = found["status"]["state"].as_str() else {
        // A message is the answer itself.
        return State::Done;
    };
    let plain = state.trim_start_matches("TASK_STATE_").to_lowercase().replace('-', "_");
    match plain.as_str() {
        "completed" => State::Done,
        "submitted" | "working" => State::Working,
        _ => State::Failed(plain),
    }
}

/// Text of a task or message. Sources in order of preference: the artifacts, the status, the
/// message itself, the agent's last message.
fn text_of(found: &Value) -> Option<String> {
    let parts = |value: &Value| -> String {
        let parts = value["parts"].as_array().into_iter().flatten();
        parts.filter_map(|part| part["text"].as_str()).collect()
    };
    let artifacts: String = found["artifacts"].as_array().into_iter().flatten().map(parts).collect();
    let of_agent = |message: &&Value| matches!(message["role"].as_str(), Some("agent" | "ROLE_AGENT"));
    let history = found["history"].as_array().and_then(|all| all.iter().rev().find(of_agent));
    let texts =
        [artifacts, parts(&found["status"]["message"]), parts(found), history.map(parts).unwrap_or_default()];
    texts.into_iter().find(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests;
