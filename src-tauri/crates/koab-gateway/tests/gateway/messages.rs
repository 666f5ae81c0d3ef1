//! Anthropic's Messages.

use crate::support::{Bench, Server, bearer, says};
use serde_json::{Value, json};

const PATH: &str = "/v1/messages";

fn tool_call(id: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "search", "arguments": arguments}})
}

fn question() -> Value {
    json!({
        "model": "m", "max_tokens": 100,
        "messages": [{"role": "user", "content": "q"}],
        "tools": [{"name": "search", "input_schema": {"type": "object", "properties": {"장소": {"type": "string"}}}}],
    })
}

#[tokio::test]
async fn a_conversation_crosses_and_comes_back() {
    let server = Server::start(|at, _| async move {
        match at {
            0 => {
                let mut call = tool_call("call_a", "{ \"장소\": \"강남\" }");
                call["extra_content"] = json!({"google": {"thought_signature": "sig"}});
                says(json!({"role": "assistant", "content": "찾을게요", "tool_calls": [call, tool_call("call_b", "oops")]}))
            }
            _ => says(json!({"role": "assistant", "content": "끝 END more"})),
        }
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    let key = format!("x-api-key: {}\r\n", token.expose());
    let mut body = question();
    body["system"] = json!([{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}, {"type": "text", "text": "b"}]);
    body["thinking"] = json!({"type": "enabled", "budget_tokens": 8000});
    body["metadata"] = json!({"user_id": "u"});
    body["top_k"] = 5.into();
    let first = bench.post_to(PATH, &key, &body).await;
    assert_eq!(first.status, 200, "{first:?}");
    let mut message = first.json();
    let id = message["id"].take();
    assert!(id.as_str().unwrap().starts_with("msg_"));
    assert_eq!(
        message,
        json!({
            "id": null, "type": "message", "role": "assistant", "model": "m",
            "content": [
                {"type": "text", "text": "찾을게요"},
                {"type": "tool_use", "id": "call_a", "name": "search", "input": {"장소": "강남"}},
                {"type": "tool_use", "id": "call_b", "name": "search", "input": {}},
            ],
            "stop_reason": "tool_use", "stop_sequence": null,
            "usage": {"input_tokens": 100, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
        })
    );
    assert!(
        first.head.contains("x-koab-left-out: metadata, top_k, cache_control, content[].input"),
        "{first:?}"
    );
    let sent = server.body(0);
    assert_eq!(sent["messages"][0], json!({"role": "system", "content": "a\n\nb"}));
    assert_eq!((&sent["reasoning_effort"], &sent["tool_choice"]), (&json!("medium"), &json!("auto")));

    // The turn comes back as a client read it, with thinking that somebody else put there.
    let mut content = message["content"].as_array().unwrap().clone();
    content.truncate(2);
    content.insert(0, json!({"type": "thinking", "thinking": "hm", "signature": "s"}));
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": content}));
    messages.push(json!({"role": "user", "content": [
        {"type": "text", "text": "and?"},
        {"type": "tool_result", "tool_use_id": "call_a", "is_error": true, "content": [{"type": "text", "text": "{}"}]},
    ]}));
    body["stop_sequences"] = json!(["END"]);
    let second = bench.post_to(PATH, &key, &body).await.json();
    assert_eq!(
        (&second["content"], &second["stop_reason"], &second["stop_sequence"]),
        (&json!([{"type": "text", "text": "끝 "}]), &json!("stop_sequence"), &json!("END"))
    );
    let sent = server.body(1);
    assert_eq!(sent["messages"][2]["tool_calls"], json!([tool_call("call_a", "{\"장소\":\"강남\"}")]));
    assert_eq!(sent["messages"][3], json!({"role": "tool", "tool_call_id": "call_a", "content": "{}"}));
    assert_eq!(sent["messages"][4], json!({"role": "user", "content": "and?"}));
    let recorded = &bench.calls("t")[1];
    assert_eq!((&recorded.request, &recorded.response), (&body, &second));
}

#[tokio::test]
async fn a_turn_that_comes_back_whole_is_as_the_model_wrote_it() {
    let call = || {
        let mut call = tool_call("call_a", "{ \"n\": 1.0e2 }");
        call["extra_content"] = json!({"google": {"thought_signature": "sig"}});
        call
    };
    let server = Server::start(move |_, _| async move {
        says(json!({"role": "assistant", "content": "", "tool_calls": [call()]}))
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    let key = format!("x-api-key: {}\r\n", token.expose());
    let mut body = question();
    let answer = bench.post_to(PATH, &key, &body).await.json();
    assert_eq!(answer["content"][0]["input"], json!({"n": 100.0}));
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": answer["content"]}));
    messages.push(json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_a"}]}));
    assert_eq!(bench.post_to(PATH, &key, &body).await.status, 200);
    assert_eq!(server.body(1)["messages"][1]["tool_calls"], json!([call()]));
}

#[tokio::test]
async fn the_choice_of_tools_is_carried_and_looked_after() {
    let server = Server::start(|at, _| async move {
        match at {
            3 => says(json!({"role": "assistant", "content": "no"})),
            _ => says(json!({"role": "assistant", "content": null, "tool_calls": [tool_call("a", "{}"), tool_call("b", "{}")]})),
        }
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    let key = bearer(&token);
    let ask = async |choice: Value| {
        let mut body = question();
        body["tool_choice"] = choice;
        bench.post_to(PATH, &key, &body).await
    };
    let any = ask(json!({"type": "any"})).await;
    assert_eq!((any.status, any.json()["content"].as_array().unwrap().len()), (200, 2));
    assert_eq!(server.body(0)["tool_choice"], "required");
    let one = ask(json!({"type": "tool", "name": "search", "disable_parallel_tool_use": true})).await;
    assert_eq!(one.json()["content"].as_array().unwrap().len(), 1);
    assert!(one.head.contains("x-koab-left-out: calls[1]"), "{one:?}");
    assert_eq!(server.body(1)["tool_choice"], json!({"type": "function", "function": {"name": "search"}}));
    ask(json!({"type": "none"})).await;
    assert_eq!(server.body(2).get("tools"), None);
    let none = ask(json!({"type": "any"})).await;
    assert_eq!((none.status, none.json()["error"]["type"].as_str()), (502, Some("api_error")));
    let other = ask(json!({"type": "tool", "name": "other"})).await;
    assert_eq!(other.status, 400);
    assert_eq!(server.count(), 4, "what is not offered cannot be asked for");
}

#[tokio::test]
async fn events_have_the_names_and_the_order_that_clients_need() {
    let server = Server::start(|_, _| async {
        says(json!({"role": "assistant", "content": "text", "tool_calls": [tool_call("c", "{\"장소\": \"강남\"}")]}))
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    let key = format!("x-api-key: {}\r\n", token.expose());
    let mut body = question();
    body["stream"] = true.into();
    let answer = bench.post_to(PATH, &key, &body).await;
    assert!(answer.head.contains("text/event-stream"), "{answer:?}");
    let told: Vec<String> = answer
        .events()
        .into_iter()
        .map(|(name, mut data)| {
            assert_eq!(data["type"], name);
            if name == "message_start" {
                data["message"]["id"].take();
            }
            data.to_string()
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    {"type":"message_start","message":{"id":null,"type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":100,"output_tokens":1,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}}}
    {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}
    {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"text"}}
    {"type":"content_block_stop","index":0}
    {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c","name":"search","input":{}}}
    {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"장소\":\"강남\"}"}}
    {"type":"content_block_stop","index":1}
    {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":100,"output_tokens":20}}
    {"type":"message_stop"}
    "#);
}

#[tokio::test]
async fn errors_are_those_of_the_vendor_and_name_the_field() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let (bench, token) = Bench::ready(&server).await;
    let key = format!("x-api-key: {}\r\n", token.expose());
    let image = json!([{"role": "user", "content": [{"type": "text", "text": "?"}, {"type": "image", "source": {}}]}]);
    let mut told = Vec::new();
    for (field, value) in [
        ("max_tokens", Value::Null),
        ("messages", image),
        ("messages", json!([])),
        ("tool_choice", json!({"type": "some"})),
        ("output_config", json!({"format": {"type": "json_schema", "schema": {}}})),
        ("container", json!("c")),
        ("model", json!("claude")),
    ] {
        let mut body = question();
        body[field] = value;
        let answer = bench.post_to(PATH, &key, &body).await;
        let error = answer.json();
        assert_eq!(error["type"], "error");
        let message = error["error"]["message"].as_str().unwrap();
        let start: String = message.chars().take(60).collect();
        told.push(format!("{} {}: {start}", answer.status, error["error"]["type"]));
    }
    let refused = bench.post_to(PATH, "x-api-key: wrong\r\n", &question()).await;
    told.push(format!("{} {}", refused.status, refused.json()["error"]["type"]));
    insta::assert_snapshot!(told.join("\n"), @r#"
    400 "invalid_request_error": max_tokens is missing
    400 "invalid_request_error": messages[0].content[1].type must be `text`; images, sound an
    400 "invalid_request_error": messages must be a list with at least one message
    400 "invalid_request_error": tool_choice.type must be `auto`, `any`, `tool` or `none`
    400 "invalid_request_error": output_config.format and tools cannot be carried together: n
    400 "invalid_request_error": container cannot be carried to every model, so this gateway 
    404 "not_found_error": this gateway serves one model, `openai_compat/m`, and not `c
    401 "authentication_error"
    "#);
    assert_eq!(server.count(), 0);
}

#[tokio::test]
async fn tokens_are_counted_without_a_call_and_models_are_listed() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let (bench, token) = Bench::ready(&server).await;
    let key = format!("x-api-key: {}\r\n", token.expose());
    let body = json!({"model": "m", "messages": [{"role": "user", "content": "12345678 "}]});
    let counted = bench.post_to("/v1/messages/count_tokens", &key, &body).await;
    assert_eq!(counted.json(), json!({"input_tokens": 3}));
    assert!(counted.head.contains("x-koab-estimated: 1"), "{counted:?}");
    let list = format!(
        "GET /v1/models HTTP/1.1\r\nhost: g\r\nconnection: close\r\nanthropic-version: 2026-10-21\r\n{key}\r\n"
    );
    let list = bench.send(&list).await.json();
    assert_eq!(
        (&list["data"][0]["type"], &list["data"][0]["id"], &list["has_more"]),
        (&json!("model"), &json!("openai_compat/m"), &json!(false))
    );
    let calls = bench.gateway.end_trial(&token).await.unwrap();
    assert_eq!((calls.count, server.count()), (0, 0));
}
