//! A model that plays a published run back, whoever asks: it finds the task by its texts in any user message, counts only replies with
//! the task's calls, and calls a tool by the name under which it is offered.

use crate::support::http::Local;
use crate::support::read_json;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// What was recorded of a task.
pub(crate) struct Recorded {
    /// What its user says, in order.
    pub(crate) texts: Vec<String>,
    /// Calls, a step each.
    pub(crate) steps: Vec<Vec<(String, String)>>,
    pub(crate) answer: String,
}

/// Plays the run of a model back; each answer takes as long as `delay` says.
pub(crate) fn played(shared: &Path, model: &str, delay: Duration) -> Local {
    playing(recorded(shared, model), delay)
}

/// Plays these tasks.
pub(crate) fn playing(recorded: Vec<Recorded>, delay: Duration) -> Local {
    Local::start(move |request| {
        if !request.line.starts_with("POST") {
            return (200, json!({"object": "list", "data": [{"id": "m"}]}));
        }
        std::thread::sleep(delay);
        (200, reply(&recorded, &request.body))
    })
}

/// What the model says to this request.
pub(crate) fn reply(recorded: &[Recorded], body: &Value) -> Value {
    let messages: Vec<&Value> = body["messages"].as_array().into_iter().flatten().collect();
    let said: String = messages
        .iter()
        .filter(|message| message["role"] == "user")
        .map(|message| text(&message["content"]) + "\n")
        .collect();
    // Turns behind the tested one are never said.
    let fits = recorded.iter().filter(|task| said.contains(task.texts[0].as_str()));
    let length = |task: &&Recorded| -> usize {
        let there = task.texts.iter().filter(|text| said.contains(text.as_str()));
        there.map(String::len).sum()
    };
    // A title or the like is asked for without tools.
    let is_beside = body["tools"].as_array().is_none_or(Vec::is_empty);
    let (content, calls) = match fits.max_by_key(length) {
        Some(_) if is_beside => ("제목".to_owned(), Vec::new()),
        None => ("this task was not recorded".to_owned(), Vec::new()),
        Some(task) => {
            let made = messages.iter().filter(|message| is_of(task, message)).count();
            match task.steps.get(made) {
                Some(step) => (String::new(), step.iter().map(|call| offered(body, call)).collect()),
                None => (task.answer.clone(), Vec::new()),
            }
        }
    };
    let finish = if calls.is_empty() { "stop" } else { "tool_calls" };
    let mut message = json!({"role": "assistant", "content": content});
    if !calls.is_empty() {
        let number = messages.len();
        let calls = calls.iter().enumerate().map(|(place, (name, arguments))| {
            json!({"id": format!("call_{number}_{place}"), "type": "function",
                "function": {"name": name, "arguments": arguments}})
        });
        message["tool_calls"] = calls.collect();
    }
    json!({"id": "c", "object": "chat.completion", "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}})
}

/// Whether a message is a reply with calls that the task has; what is seeded is none.
fn is_of(task: &Recorded, message: &Value) -> bool {
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    message["role"] == "assistant"
        && calls
            .filter(|call| !call["id"].as_str().unwrap_or_default().starts_with("seed_call"))
            .filter_map(|call| call["function"]["name"].as_str())
            .any(|name| task.steps.iter().flatten().any(|(tool, _)| name.ends_with(tool.as_str())))
}

fn offered(body: &Value, (tool, arguments): &(String, String)) -> (String, String) {
    let offered = body["tools"].as_array().into_iter().flatten();
    let mut names = offered.filter_map(|tool| tool["function"]["name"].as_str());
    let name = names.find(|name| name.ends_with(tool.as_str()));
    (name.unwrap_or(tool).to_owned(), arguments.clone())
}

fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        parts => {
            let parts = parts.as_array().into_iter().flatten();
            parts.filter_map(|part| part["text"].as_str()).collect()
        }
    }
}

/// What the run of a model did.
pub(crate) fn recorded(shared: &Path, model: &str) -> Vec<Recorded> {
    let folder = shared.join("parity/logs/benchmark_results/by_model").join(model);
    let run = std::fs::read_dir(folder).expect("its runs").flatten().next().expect("a run").path();
    let mut all = Vec::new();
    for level in 1..=7 {
        let log = read_json(&run.join(format!("L{level}.json")));
        let tasks = read_json(&shared.join(format!("ko-agentbench/tasks/L{level}.json")));
        for result in log["results"].as_array().expect("results") {
            let task =
                tasks.as_array().into_iter().flatten().find(|task| task["task_id"] == result["task_id"]);
            all.push(of_result(result, task.expect("its task")));
        }
    }
    all
}

fn of_result(result: &Value, task: &Value) -> Recorded {
    let mut steps: Vec<(u64, Vec<(String, String)>)> = Vec::new();
    for call in result["tool_calls"].as_array().into_iter().flatten() {
        let step = call["step"].as_u64().unwrap_or_default();
        let name = call["tool_name"].as_str().unwrap_or_default().to_owned();
        let made = (name, call["arguments"].to_string());
        match steps.last_mut() {
            Some((last, calls)) if *last == step => calls.push(made),
            _ => steps.push((step, vec![made])),
        }
    }
    // Where the task has a conversation, what its user says; else the instruction.
    let turns = task["conversation_tracking"]["turns"].as_array();
    let turns = turns.into_iter().flatten().filter(|turn| turn["role"] == "user");
    let mut texts: Vec<String> = turns.map(|turn| text(&turn["content"])).collect();
    if texts.is_empty() {
        texts.push(text(&task["instruction"]));
    }
    Recorded {
        texts,
        steps: steps.into_iter().map(|(_, calls)| calls).collect(),
        answer: text(&result["final_response"]),
    }
}
