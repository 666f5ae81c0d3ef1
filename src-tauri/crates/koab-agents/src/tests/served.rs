//! Agents that are servers of the test, which ask the gateway for their model and the attempt for its tools.

use super::desk::{Asked, Desk, Ended, PROMPT, TOOL, post, program, running, serve};
use crate::attempt_file::attempt_file;
use crate::run::{forms, spent};
use koab_core::run_record::StopReason;
use koab_stand_ins::Scripted;
use serde_json::{Value, json};

/// What a server is told of an attempt.
fn told() -> Value {
    json!({"prompt": "{prompt}", "mcp": "{mcp_token_url}", "openai": "{openai}", "anthropic": "{anthropic}",
        "token": "{token}"})
}

fn word(body: &Value, name: &str) -> String {
    body[name].as_str().unwrap_or_default().to_owned()
}

/// Asks the model.
async fn chat(body: &Value, messages: &Value) -> (u16, Value) {
    let url = format!("{}/chat/completions", word(body, "openai"));
    let schema = json!({"type": "object", "properties": {"place": {"type": "string"}}});
    let tools = json!([{"type": "function", "function": {"name": TOOL, "parameters": schema}}]);
    let request = json!({"model": "any", "messages": messages, "tools": tools});
    post(&url, &word(body, "token"), &request).await
}

/// Speaks to the server of the task's tools.
async fn tools(body: &Value, method: &str, params: &Value) -> (u16, Value) {
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    post(&word(body, "mcp"), "", &message).await
}

async fn answered(attempt: impl Future<Output = Result<Ended, String>>) -> Ended {
    attempt.await.expect("a record")
}

#[tokio::test]
async fn a_server_s_answer_is_read_and_its_failures_are_told() {
    for (status, text, answer, why) in [
        (200, json!({"answer": "42"}).to_string(), Some("42"), None),
        (200, json!({"other": "42"}).to_string(), None, None),
        (500, "out of\u{7} order".to_owned(), None, Some("its server answered 500: out of order")),
        (404, String::new(), None, Some("its server answered 404: ")),
    ] {
        let port = serve(move |_| std::future::ready((status, text.clone()))).await;
        let definition = running("http", &format!("http://127.0.0.1:{port}/ask"), &told());
        let ended = answered(Desk::new(definition).attempt()).await;
        assert_eq!((ended.answer.as_deref(), ended.failed.as_deref()), (answer, why), "{status}");
    }
}

#[tokio::test]
async fn a_server_that_nobody_started_ends_the_run() {
    let definition = running("http", "http://127.0.0.1:1/ask", &told());
    let why = Desk::new(definition).attempt().await.err().expect("nobody listens");
    let wanted = "no server answers at http://127.0.0.1:1/ask; start the agent's server first, or give its definition a `command`";
    assert!(why.contains(wanted), "{why}");
}

#[tokio::test]
async fn a_server_that_ends_before_it_answers_is_told() {
    let fields = json!({"kind": "http", "address": "http://127.0.0.1:{port}/", "request": {}});
    let ended = answered(Desk::new(program(&["sh", "-c", "exit 0"], &fields)).attempt()).await;
    assert_eq!(ended.failed.as_deref(), Some("its server ended before it answered"));
}

/// Asks the model until it has an answer, and makes its calls.
async fn drive(asked: Asked) -> (u16, String) {
    let mut messages = vec![json!({"role": "user", "content": asked.body["prompt"]})];
    loop {
        let (_, reply) = chat(&asked.body, &messages.clone().into()).await;
        let message = reply["choices"][0]["message"].clone();
        let Some(calls) = message["tool_calls"].as_array().cloned().filter(|all| !all.is_empty()) else {
            return (200, json!({"answer": message["content"]}).to_string());
        };
        messages.push(message);
        for call in calls {
            let arguments = call["function"]["arguments"].as_str().unwrap_or("{}");
            let arguments: Value = serde_json::from_str(arguments).expect("arguments");
            let params = json!({"name": call["function"]["name"], "arguments": arguments});
            let (_, result) = tools(&asked.body, "tools/call", &params).await;
            let text = &result["result"]["content"][0]["text"];
            messages.push(json!({"role": "tool", "tool_call_id": call["id"], "content": text}));
        }
    }
}

#[tokio::test]
async fn steps_calls_and_tokens_are_those_that_the_gateway_saw() {
    let port = serve(drive).await;
    let desk = Desk::new(running("http", &format!("http://127.0.0.1:{port}/ask"), &told()))
        .with_turns(vec![Scripted::Calls(vec![(TOOL, r#"{"place": "제주"}"#)]), Scripted::Text("forty-two")]);
    let record = answered(desk.attempt()).await.record;
    assert_eq!((record.final_response.as_deref(), record.stop), (Some("forty-two"), StopReason::Answered));
    let calls: Vec<(&str, bool)> =
        record.calls.iter().map(|call| (call.tool.as_str(), call.success)).collect();
    assert_eq!(calls, [(TOOL, true)]);
    let facts = record.agent.clone().expect("facts of an agent");
    assert_eq!((facts.model_calls, facts.by_agent, facts.unmade, facts.changed), (2, 0, 0, 0));
    // What is spent is counted from what was kept of the calls.
    let folder = desk.folder.path();
    let spent_in_all = spent(folder, None).expect("kept");
    assert_eq!(spent_in_all, record.usage());
    assert_eq!(spent(folder, Some(vec![("L1-001".to_owned(), 1)])).expect("kept"), spent_in_all);
    let other = spent(folder, Some(vec![("L1-001".to_owned(), 2), ("L1-002".to_owned(), 1)]));
    assert_eq!(other.expect("kept").total_tokens, 0);
    assert_eq!(forms(folder).expect("kept"), ["chat"]);
    let file = attempt_file(folder, "L1-001", 1).expect("an attempt's file");
    assert_eq!((file.after_end, file.outlived, file.tools_listed), (0, false, false));
    assert_eq!((file.hosts, file.hosts_of_run), (Some(Vec::new()), true));
}

#[tokio::test]
async fn the_server_of_tools_answers_for_the_attempt_alone() {
    let look = |asked: Asked| async move {
        let body = &asked.body;
        let (_, offered) = tools(body, "tools/list", &json!({})).await;
        let (_, unknown) = tools(body, "tools/none", &json!({})).await;
        let call = json!({"name": TOOL, "arguments": {"place": "제주"}});
        let (_, called) = tools(body, "tools/call", &call).await;
        let elsewhere = word(body, "mcp").replace("sk-koab-", "sk-koab-0");
        let (foreign, _) =
            post(&elsewhere, "", &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
        let url = format!("{}/chat/completions", word(body, "openai"));
        let (stranger, _) = post(&url, "sk-koab-0", &json!({"messages": []})).await;
        let found = json!({"tools": offered["result"]["tools"], "unknown": unknown["error"]["code"],
            "id": unknown["id"], "called": called["result"], "foreign": foreign, "stranger": stranger});
        (200, json!({"answer": found.to_string()}).to_string())
    };
    let port = serve(look).await;
    let desk = Desk::new(running("http", &format!("http://127.0.0.1:{port}/ask"), &told()));
    let ended = answered(desk.attempt()).await;
    let found: Value = serde_json::from_str(&ended.answer.expect("an answer")).expect("JSON");
    assert_eq!(found["tools"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["tools"][0]["name"], TOOL);
    assert_eq!(found["tools"][0]["inputSchema"]["required"], json!(["place"]));
    assert_eq!((&found["unknown"], &found["id"]), (&(-32601).into(), &7.into()));
    assert_eq!(found["called"]["isError"], false, "{found}");
    assert_eq!((&found["foreign"], &found["stranger"]), (&401.into(), &401.into()));
    let file = attempt_file(desk.folder.path(), "L1-001", 1).expect("an attempt's file");
    assert!(file.tools_listed);
    assert_eq!(ended.record.agent.expect("facts of an agent").by_agent, 1, "its model asked for none");
}

#[tokio::test]
async fn an_a2a_server_is_asked_in_the_version_of_its_card() {
    for (card, method, role) in [
        (json!({"protocolVersion": "0.3.0", "url": "http://0.0.0.0:1/rpc"}), "message/send", "user"),
        (
            json!({"supportedInterfaces": [{"protocolBinding": "GRPC", "url": "x"},
                {"protocolBinding": "JSONRPC", "protocolVersion": "1.0", "url": "http://localhost/rpc"}]}),
            "SendMessage",
            "ROLE_USER",
        ),
    ] {
        let answer = move |asked: Asked| {
            let card = card.clone();
            async move {
                let is_card = asked.path == "/.well-known/agent-card.json";
                if is_card {
                    return (200, card.to_string());
                }
                assert_eq!(asked.path, "/rpc");
                let message = &asked.body["params"]["message"];
                let has_version = asked.head.contains("a2a-version: 1.0");
                let state = match asked.body["method"].as_str() {
                    Some("GetTask" | "tasks/get") => "completed",
                    _ => "working",
                };
                let said = match state {
                    "completed" => json!([{"parts": [{"text": "forty-"}, {"text": "two"}]}]),
                    _ => json!([]),
                };
                if state == "working" {
                    assert_eq!(asked.body["method"], method);
                    assert_eq!(
                        (&message["role"], &message["parts"][0]["text"]),
                        (&role.into(), &PROMPT.into())
                    );
                    assert_eq!(message["messageId"], "L1-001-1-0");
                    assert!(
                        message["metadata"]["mcp"].as_str().is_some_and(|url| url.contains("/mcp/sk-koab-"))
                    );
                    assert_eq!(has_version, method == "SendMessage");
                }
                let task =
                    json!({"id": "t-1", "contextId": "c-1", "status": {"state": state}, "artifacts": said});
                (200, json!({"jsonrpc": "2.0", "id": 1, "result": {"task": task}}).to_string())
            }
        };
        let port = serve(answer).await;
        let definition = running("a2a", &format!("http://127.0.0.1:{port}/"), &told());
        let ended = answered(Desk::new(definition).attempt()).await;
        assert_eq!((ended.answer.as_deref(), ended.failed), (Some("forty-two"), None));
    }
}

#[tokio::test]
async fn an_a2a_server_that_refuses_or_fails_is_told() {
    for (result, why) in [
        (json!({"error": {"code": -1, "message": "busy"}}), "it refused message/send: busy"),
        (json!({"error": {"code": -1}}), "it refused message/send: no reason"),
        (
            json!({"result": {"id": "t", "status": {"state": "failed",
                "message": {"parts": [{"text": "no model"}]}}}}),
            "its task ended as failed: no model",
        ),
        (
            json!({"result": {"id": "t", "status": {"state": "TASK_STATE_INPUT_REQUIRED"}}}),
            "its task ended as input_required:",
        ),
    ] {
        let answer = move |asked: Asked| {
            let text = match asked.path.as_str() {
                "/.well-known/agent.json" => json!({"protocolVersion": "0.2"}).to_string(),
                "/" => result.to_string(),
                _ => return std::future::ready((404, String::new())),
            };
            std::future::ready((200, text))
        };
        let port = serve(answer).await;
        let definition = running("a2a", &format!("http://127.0.0.1:{port}/"), &told());
        let ended = answered(Desk::new(definition).attempt()).await;
        assert_eq!(ended.failed.as_deref().map(str::trim_end), Some(why));
    }
}

#[tokio::test]
async fn with_a_model_of_its_own_the_gateway_has_none() {
    let ask = |asked: Asked| async move {
        let (status, reply) = chat(&asked.body, &json!([{"role": "user", "content": "x"}])).await;
        (200, json!({"answer": format!("{status} {reply}")}).to_string())
    };
    let port = serve(ask).await;
    let request = json!({"mcp": "{mcp_token_url}", "token": "{token}"});
    let mut definition = running("http", &format!("http://127.0.0.1:{port}/ask"), &request);
    definition.own_model = Some(crate::own_model::OwnModel::default());
    definition.request = Some(json!({"mcp": "{mcp_token_url}", "token": "{token}", "openai": "{openai}"}));
    let ended = answered(Desk::new(definition).with_own_model().attempt()).await;
    let answer = ended.answer.expect("an answer");
    assert!(answer.starts_with("4"), "{answer}");
    assert!(!answer.contains("the model's answer"), "{answer}");
}
