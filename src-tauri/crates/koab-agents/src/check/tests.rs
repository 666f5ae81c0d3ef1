//! Checks of agents that are servers of the test: each has one thing in its way, and is told it.

use super::check;
use crate::check_result::AgentCheck;
use crate::isolation::Isolation;
use crate::tests::desk::{Asked, post, program, running, serve};
use crate::tests::refused_with;
use koab_core::say;
use serde_json::{Value, json};

/// What an agent does with a call that its model asks for.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    Makes,
    /// Tells the model this in the place of the call.
    Tells(&'static str),
    /// Ends in the place of the call.
    Drops,
    /// Makes it with one more argument.
    Changes,
    /// Ends at a failed call.
    Stops,
    /// Makes a failed call twice more.
    Repeats,
    /// Answers in its own words.
    Rephrases,
    /// Asks the model for something else before.
    Titles,
}

/// The tools that an agent offers to its model.
#[derive(Clone, Copy)]
enum Offer {
    Task,
    Own(&'static [&'static str]),
    /// The same without ever having asked for those of the task.
    Unlisted(&'static [&'static str]),
    /// It never asks its model.
    NoModel,
}

async fn tools(body: &Value, method: &str, params: &Value) -> Value {
    let url = body["mcp"].as_str().expect("an address");
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    post(url, "", &message).await.1["result"].clone()
}

async fn chat(body: &Value, messages: &[Value], offered: &Value) -> Value {
    let url = format!("{}/chat/completions", body["openai"].as_str().expect("an address"));
    let request = json!({"model": "any", "messages": messages, "tools": offered});
    let token = body["token"].as_str().expect("a token");
    post(&url, token, &request).await.1["choices"][0]["message"].clone()
}

fn function(name: &Value, schema: &Value) -> Value {
    json!({"type": "function", "function": {"name": name, "parameters": schema}})
}

async fn offered(body: &Value, offer: Offer) -> Option<Value> {
    let named = |names: &[&str]| {
        names.iter().map(|name| function(&json!(name), &json!({"type": "object"}))).collect()
    };
    if let Offer::Unlisted(names) = offer {
        return Some(named(names));
    }
    let listed = tools(body, "tools/list", &json!({})).await;
    let listed = listed["tools"].as_array().expect("tools").clone();
    match offer {
        Offer::Task => {
            Some(listed.iter().map(|tool| function(&tool["name"], &tool["inputSchema"])).collect())
        }
        Offer::Own(names) | Offer::Unlisted(names) => Some(named(names)),
        Offer::NoModel => None,
    }
}

/// What the model is told of a call, if the agent goes on.
async fn made(body: &Value, habit: Habit, call: &Value) -> Option<String> {
    let arguments = call["function"]["arguments"].as_str().unwrap_or("{}");
    let mut arguments: Value = serde_json::from_str(arguments).expect("arguments");
    if habit == Habit::Changes {
        arguments["day"] = "today".into();
    }
    let params = json!({"name": call["function"]["name"], "arguments": arguments});
    match habit {
        Habit::Tells(text) => return Some(text.to_owned()),
        Habit::Drops => return None,
        _ => {}
    }
    let mut result = tools(body, "tools/call", &params).await;
    let failed = |result: &Value| result["isError"] == true;
    for _ in 0..2 {
        if habit == Habit::Repeats && failed(&result) {
            result = tools(body, "tools/call", &params).await;
        }
    }
    let goes_on = habit != Habit::Stops || !failed(&result);
    goes_on.then(|| result["content"][0]["text"].as_str().unwrap_or_default().to_owned())
}

async fn drive(asked: Asked, habit: Habit, offer: Offer) -> String {
    let body = &asked.body;
    let mut messages = vec![json!({"role": "user", "content": body["prompt"]})];
    let Some(offered) = offered(body, offer).await else {
        return "I know".to_owned();
    };
    if habit == Habit::Titles {
        chat(body, &[json!({"role": "user", "content": "a title"})], &json!([])).await;
    }
    loop {
        let reply = chat(body, &messages, &offered).await;
        let calls = reply["tool_calls"].as_array().cloned().unwrap_or_default();
        if calls.is_empty() {
            let content = reply["content"].as_str().unwrap_or_default();
            return match habit {
                Habit::Rephrases => format!("In short: {content}"),
                _ => content.to_owned(),
            };
        }
        messages.push(reply);
        for call in calls {
            let Some(told) = made(body, habit, &call).await else {
                return "I cannot".to_owned();
            };
            messages.push(json!({"role": "tool", "tool_call_id": call["id"], "content": told}));
        }
    }
}

async fn checked(habit: Habit, offer: Offer) -> AgentCheck {
    let answer = move |asked: Asked| async move {
        let answer = drive(asked, habit, offer).await;
        (200, json!({"answer": answer}).to_string())
    };
    let port = serve(answer).await;
    let request =
        json!({"prompt": "{prompt}", "mcp": "{mcp_token_url}", "openai": "{openai}", "token": "{token}"});
    let definition = running("http", &format!("http://127.0.0.1:{port}/ask"), &request);
    let checked = check(&definition, Isolation::Native(say!("as the test wants"))).await;
    checked.unwrap_or_else(|error| panic!("{}", error.message))
}

#[tokio::test]
async fn an_agent_that_does_what_it_should_passes() {
    let checked = checked(Habit::Makes, Offer::Task).await;
    let traps: Vec<String> = checked.traps.iter().map(ToString::to_string).collect();
    assert!(traps.is_empty(), "{traps:?}");
    assert!(checked.passed && checked.call_arrived && checked.answer_equal && checked.offered_at_once);
    assert_eq!(checked.goes_on_after_error, Some(true));
    assert_eq!(checked.offered_as.as_deref(), Some("koab_check_value"));
    assert_eq!(checked.wire.as_deref(), Some("chat"));
    assert_eq!((checked.side_calls, checked.outlived, checked.contained), (0, false, false));
    assert!(checked.own_tools.is_empty() && checked.hosts_asked_for.is_empty());
    assert!(checked.startup_s.is_some_and(|seconds| seconds >= 0.0 && seconds <= checked.seconds));
}

/// An agent, whether it passes, whether it goes on after failures, and parts of the one sentence that it is told.
type Trap = (Habit, Offer, bool, Option<bool>, &'static [&'static str]);

const OWN: &[&str] = &["shell", "web_search"];
const SEARCH: &[&str] = &["shell", "tool_search"];

const TRAPS: [Trap; 14] = [
    (
        Habit::Tells("requires approval, but approval policy is never"),
        Offer::Task,
        false,
        None,
        &["nobody approved it", "choose an approval mode without questions", "approval policy is never"],
    ),
    (
        Habit::Tells("Tool call REJECTED"),
        Offer::Task,
        false,
        None,
        &["nobody approved it", "Tool call REJECTED"],
    ),
    (
        Habit::Tells("Argument day is required"),
        Offer::Task,
        false,
        None,
        &[
            "refuses the call because of its arguments",
            "switch off the agent's own check",
            "Argument day is required",
        ],
    ),
    (
        Habit::Tells("something else"),
        Offer::Task,
        false,
        None,
        &["asked for the call and the agent did not make it", "told: something else"],
    ),
    (
        Habit::Drops,
        Offer::Task,
        false,
        None,
        &["neither made it nor told its model why", "look for an approval mode"],
    ),
    (
        Habit::Makes,
        Offer::Own(SEARCH),
        false,
        None,
        &["a search for them (tool_search)", "switch off the agent's tool search"],
    ),
    (
        Habit::Makes,
        Offer::Own(OWN),
        false,
        None,
        &["has the list of the task's tools", "look for a list of tools that are allowed"],
    ),
    (
        Habit::Makes,
        Offer::Unlisted(OWN),
        false,
        None,
        &["never asked for the task's tools", "look at the MCP server in its settings"],
    ),
    (Habit::Makes, Offer::Unlisted(SEARCH), false, None, &["never asked for the task's tools"]),
    (Habit::Makes, Offer::NoModel, false, None, &["never called the model", "the address and the key"]),
    (
        Habit::Changes,
        Offer::Task,
        true,
        Some(true),
        &["changes the arguments of calls", "today", "switch off the feature that fills in"],
    ),
    (
        Habit::Stops,
        Offer::Task,
        true,
        Some(false),
        &["ends at a failed call", "raise the number of its retries"],
    ),
    (
        Habit::Repeats,
        Offer::Task,
        true,
        Some(true),
        &["repeats a failed call by itself (4 times)", "set the agent's own retries of tools to 0"],
    ),
    (
        Habit::Rephrases,
        Offer::Task,
        false,
        None,
        &["its answer is not what the model said: In short: 점검 결과"],
    ),
];

#[tokio::test]
async fn a_check_names_what_is_in_the_way_of_a_call_and_what_helps() {
    for (at, (habit, offer, passed, goes_on, parts)) in TRAPS.into_iter().enumerate() {
        let checked = checked(habit, offer).await;
        let traps: Vec<String> = checked.traps.iter().map(ToString::to_string).collect();
        assert_eq!(checked.passed, passed, "{at}: {traps:?}");
        assert_eq!(checked.goes_on_after_error, goes_on, "{at}: {traps:?}");
        for part in parts {
            assert!(traps[0].contains(part), "{at}, {part}: {traps:?}");
        }
        // Of one that called nobody the run says so as well.
        let called_nobody = matches!(offer, Offer::NoModel);
        assert_eq!(traps.len(), 1 + usize::from(called_nobody), "{at}: {traps:?}");
    }
}

#[tokio::test]
async fn tools_of_its_own_and_calls_beside_the_task_are_named_and_no_fault() {
    let found = checked(Habit::Makes, Offer::Own(OWN)).await;
    assert_eq!(
        (found.own_tools, found.offered_as, found.offered_at_once),
        (vec!["shell".to_owned(), "web_search".to_owned()], None, false)
    );
    let found = checked(Habit::Titles, Offer::Task).await;
    assert!(found.passed);
    assert_eq!((found.side_calls, found.offered_at_once), (1, false), "its first call had no tools");
}

#[tokio::test]
async fn what_cannot_be_checked_is_refused() {
    let native = || Isolation::Native(say!("as the test wants"));
    let text = json!({"name": "mine", "kind": "mcp-host"}).to_string();
    let by_hand = crate::definition::Definition::read(&text, "mine").expect("a definition");
    refused_with(
        check(&by_hand, native()).await,
        "mine is used by hand, so it cannot be checked; make a run of one task instead",
    );
    let missing = program(&["koab-no-such-program"], &json!({}));
    refused_with(check(&missing, native()).await, "mine cannot be checked: ");
}
