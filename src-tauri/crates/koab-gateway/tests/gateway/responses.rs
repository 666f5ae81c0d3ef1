//! OpenAI's Responses.

use crate::support::{Bench, Server, bearer, says};
use serde_json::{Value, json};

const PATH: &str = "/v1/responses";

fn tool_call(id: &str, name: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

/// As Codex offers its tools.
fn question() -> Value {
    json!({
        "model": "m", "instructions": "i", "input": "q", "parallel_tool_calls": true, "tool_choice": "auto",
        "include": ["reasoning.encrypted_content"], "store": false, "reasoning": {"summary": "auto", "effort": "low"},
        "tools": [
            {"type": "function", "name": "exec", "strict": false, "parameters": {"type": "object", "properties": {}}},
            {"type": "namespace", "name": "mcp__koab", "description": "d", "tools": [
                {"type": "function", "name": "search", "parameters": {"type": "object", "properties": {}}},
            ]},
            {"type": "custom", "name": "apply_patch", "format": {"type": "grammar", "syntax": "lark", "definition": "x"}},
            {"type": "web_search"},
        ],
    })
}

async fn server() -> Server {
    Server::start(|at, _| async move {
        match at {
            0 => says(json!({"role": "assistant", "content": "text", "tool_calls": [
                tool_call("call_a", "mcp__koab__search", "{ \"n\": 1.0e2 }"),
                tool_call("call_b", "apply_patch", "{\"input\": \"*** 패치\"}"),
            ]})),
            _ => says(json!({"role": "assistant", "content": "끝"})),
        }
    })
    .await
}

#[tokio::test]
async fn a_conversation_crosses_and_comes_back() {
    let server = server().await;
    let (bench, token) = Bench::ready(&server).await;
    let key = bearer(&token);
    let mut body = question();
    let first = bench.post_to(PATH, &key, &body).await;
    assert_eq!(first.status, 200, "{first:?}");
    assert!(
        first.head.contains("x-koab-left-out: include, reasoning.summary, tools[2].format, tools[3]"),
        "{first:?}"
    );
    let answer = first.json();
    let sent = server.body(0);
    let offered: Vec<&Value> =
        sent["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(offered, ["exec", "mcp__koab__search", "apply_patch"]);
    assert_eq!(
        sent["messages"],
        json!([{"role": "system", "content": "i"}, {"role": "user", "content": "q"}])
    );
    let mut output = answer["output"].as_array().unwrap().clone();
    for item in &mut output {
        item["id"].take();
    }
    assert_eq!(
        json!(output),
        json!([
            {"type": "message", "id": null, "status": "completed", "role": "assistant",
             "content": [{"type": "output_text", "text": "text", "annotations": [], "logprobs": []}]},
            {"type": "function_call", "id": null, "call_id": "call_a", "name": "search", "arguments": "{ \"n\": 1.0e2 }",
             "status": "completed", "namespace": "mcp__koab"},
            {"type": "custom_tool_call", "id": null, "call_id": "call_b", "name": "apply_patch", "input": "*** 패치",
             "status": "completed"},
        ])
    );
    assert_eq!(
        answer["usage"],
        json!({
            "input_tokens": 100, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 120,
        })
    );
    for field in
        ["object", "created_at", "error", "incomplete_details", "metadata", "temperature", "top_p", "tools"]
    {
        assert!(answer.get(field).is_some(), "{field}");
    }

    let mut input = vec![
        json!({"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]}),
        json!({"role": "user", "content": "q"}),
        json!({"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": null}),
    ];
    input.extend(answer["output"].as_array().unwrap().clone());
    input.push(json!({"type": "function_call_output", "call_id": "call_a", "output": [
        {"type": "input_text", "text": "Wall time"}, {"type": "input_text", "text": "{}"},
    ]}));
    input.push(json!({"type": "custom_tool_call_output", "call_id": "call_b", "output": "done"}));
    body["input"] = input.into();
    let second = bench.post_to(PATH, &key, &body).await.json();
    assert_eq!(second["output"][0]["content"][0]["text"], "끝");
    let messages = &server.body(1)["messages"];
    assert_eq!(
        messages[3],
        json!({"role": "assistant", "content": "text", "tool_calls": [
            tool_call("call_a", "mcp__koab__search", "{ \"n\": 1.0e2 }"),
            tool_call("call_b", "apply_patch", "{\"input\": \"*** 패치\"}"),
        ]})
    );
    assert_eq!(messages[1]["content"], "a\n\nb");
    assert_eq!(messages[4]["content"], "Wall time\n\n{}");
    assert_eq!(messages[5], json!({"role": "tool", "tool_call_id": "call_b", "content": "done"}));
}

#[tokio::test]
async fn events_are_all_told_in_their_order() {
    let server = server().await;
    let (bench, token) = Bench::ready(&server).await;
    let key = bearer(&token);
    let mut body = question();
    body["stream"] = true.into();
    let answer = bench.post_to(PATH, &key, &body).await;
    let events = answer.events();
    for (at, (name, data)) in events.iter().enumerate() {
        assert_eq!((&data["type"], &data["sequence_number"]), (&json!(name), &json!(at)));
    }
    let told: Vec<String> = events
        .iter()
        .map(|(name, data)| {
            let said = data.get("delta").or_else(|| data.get("item").map(|item| &item["status"]));
            format!("{name} {} {}", data["output_index"], said.unwrap_or(&data["response"]["status"]))
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    response.created null "in_progress"
    response.in_progress null "in_progress"
    response.output_item.added 0 "in_progress"
    response.content_part.added 0 null
    response.output_text.delta 0 "text"
    response.output_text.done 0 null
    response.content_part.done 0 null
    response.output_item.done 0 "completed"
    response.output_item.added 1 "in_progress"
    response.function_call_arguments.delta 1 "{ \"n\": 1.0e2 }"
    response.function_call_arguments.done 1 null
    response.output_item.done 1 "completed"
    response.output_item.added 2 "in_progress"
    response.custom_tool_call_input.delta 2 "*** 패치"
    response.custom_tool_call_input.done 2 null
    response.output_item.done 2 "completed"
    response.completed null "completed"
    "#);
    let whole = &events.last().unwrap().1["response"];
    assert_eq!(whole["output"].as_array().unwrap().len(), 3);
    assert_eq!(&bench.calls("t")[0].response, whole);
    assert!(!answer.body.contains("[DONE]"));
}

#[tokio::test]
async fn what_cannot_be_carried_is_refused_by_its_name() {
    let server = server().await;
    let (bench, token) = Bench::ready(&server).await;
    let key = bearer(&token);
    let mut told = Vec::new();
    for (field, value) in [
        ("input", Value::Null),
        ("input", json!([])),
        ("input", json!([{"type": "item_reference", "id": "x"}])),
        ("input", json!([{"role": "user", "content": [{"type": "input_image", "image_url": "data:"}]}])),
        ("previous_response_id", json!("resp_1")),
        ("background", json!(true)),
        ("conversation", json!("c")),
        ("tools", json!([{"type": "tool_search", "execution": "client"}])),
        ("tool_choice", json!({"type": "function", "name": "other"})),
        ("text", json!({"format": {"type": "grammar"}})),
        ("model", json!("gpt-4o")),
    ] {
        let mut body = question();
        body["instructions"] = Value::Null;
        body[field] = value;
        let (status, code, param) = bench.post_to(PATH, &key, &body).await.refusal();
        told.push(format!("{field}: {status} {code} {}", param.unwrap_or_default()));
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    input: 400 unsupported_value input
    input: 400 unsupported_value input
    input: 400 unsupported_value input[0].type
    input: 400 unsupported_value input[0].content[0].type
    previous_response_id: 400 unsupported_value previous_response_id
    background: 400 unsupported_value background
    conversation: 400 unsupported_value conversation
    tools: 400 unsupported_value tools[0]
    tool_choice: 400 unsupported_value tool_choice
    text: 400 unsupported_value text.format.type
    model: 404 model_not_found model
    "#);
    assert_eq!(server.count(), 0);
    // Names of tools that are longer than models take find their way back, and so does a choice of them.
    let long = "장".repeat(80);
    let mut body = question();
    body["tools"] =
        json!([{"type": "namespace", "name": "n", "tools": [{"type": "function", "name": long}]}]);
    body["tool_choice"] = json!({"type": "function", "namespace": "n", "name": long});
    assert_eq!(bench.post_to(PATH, &key, &body).await.status, 502, "it calls another");
    let sent = server.body(0);
    assert_eq!(sent["tool_choice"]["function"]["name"], sent["tools"][0]["function"]["name"]);
}
