//! The protocols of Anthropic, Google and AWS: what goes out, what comes back, and what goes back unchanged.

use crate::support::{self, Script, Server, request};
use koab_core::sensitive::Sensitive;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{
    FinishReason, Message, ModelAdapter, ModelError, ModelReply, ModelRequest, RequestedCall, Usage,
};
use koab_providers::registry::open;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

const KEY: &str = "key-very-secret-0123";

fn adapter(server: &Server, id: &str) -> Arc<dyn ModelAdapter> {
    let keys = |name: &str| {
        let known = matches!(
            name,
            "ANTHROPIC_API_KEY" | "GEMINI_API_KEY" | "AWS_BEARER_TOKEN_BEDROCK"
        );
        known.then(|| Sensitive::new(KEY.to_owned()))
    };
    open(id, Some(&server.base_url()), 0, &[], &keys).expect("an adapter")
}

/// Events as Anthropic names them.
fn named(events: &[Value]) -> String {
    events.iter().fold(String::new(), |mut text, event| {
        let name = event["type"].as_str().expect("a type");
        let _ = write!(text, "event: {name}\ndata: {event}\n\n");
        text
    })
}

fn unnamed(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// One line for every message.
fn pretty(messages: &Value) -> String {
    let lines = |list: &Value| -> String {
        let list = list.as_array().expect("messages").iter();
        list.map(|message| format!("{message}\n")).collect()
    };
    match messages {
        Value::Object(named) => named
            .iter()
            .map(|(name, list)| format!("{name}\n{}", lines(list)))
            .collect(),
        list => lines(list),
    }
}

fn search() -> ToolSpec {
    ToolSpec {
        name: "Search".to_owned(),
        description: "검색".to_owned(),
        parameters: json!({"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}),
    }
}

fn last_body(server: &Server) -> Value {
    support::json(
        &server
            .requests
            .lock()
            .expect("requests")
            .last()
            .expect("a request")
            .1,
    )
}

fn last_head(server: &Server) -> String {
    server
        .requests
        .lock()
        .expect("requests")
        .last()
        .expect("a request")
        .0
        .clone()
}

/// A turn as the engine writes it down, with these results of its calls.
fn and_then(messages: &mut Vec<Message>, reply: &ModelReply, results: &[&str]) {
    messages.push(Message::Assistant {
        content: reply.content.clone(),
        calls: reply.calls.clone(),
        opaque: reply.opaque.clone(),
    });
    for (call, result) in reply.calls.iter().zip(results) {
        messages.push(Message::Tool {
            call_id: call.id.clone(),
            content: (*result).to_owned(),
        });
    }
}

fn thinking_turn() -> String {
    named(&[
        json!({"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 1}}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "음, "}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "찾자"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "redacted_thinking", "data": "ZGF0YQ=="}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "content_block_start", "index": 2, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "text_delta", "text": "볼게요"}}),
        json!({"type": "content_block_stop", "index": 2}),
        json!({"type": "content_block_start", "index": 3, "content_block": {"type": "tool_use", "id": "toolu_1", "name": "Search", "input": {}}}),
        json!({"type": "content_block_delta", "index": 3, "delta": {"type": "input_json_delta", "partial_json": ""}}),
        json!({"type": "content_block_delta", "index": 3, "delta": {"type": "input_json_delta", "partial_json": "{\"q\": \"카"}}),
        json!({"type": "content_block_delta", "index": 3, "delta": {"type": "input_json_delta", "partial_json": "페\"}"}}),
        json!({"type": "content_block_stop", "index": 3}),
        json!({"type": "content_block_start", "index": 4, "content_block": {"type": "tool_use", "id": "toolu_2", "name": "Now", "input": {}}}),
        json!({"type": "content_block_stop", "index": 4}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 20}}),
        json!({"type": "message_stop"}),
    ])
}

fn end_turn(reason: &str) -> String {
    named(&[
        json!({"type": "message_start", "message": {"id": "m"}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "끝"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": reason}}),
        json!({"type": "message_stop"}),
    ])
}

#[tokio::test]
async fn anthropic_thinks_calls_twice_and_gets_its_blocks_back() {
    let server = Server::start(vec![
        Script::stream([thinking_turn()]),
        Script::stream([end_turn("end_turn")]),
    ])
    .await;
    let model = adapter(&server, "anthropic/claude-sonnet-4-5");
    let tools = [search()];
    let mut messages = vec![
        Message::System("짧게".to_owned()),
        Message::User("카페?".to_owned()),
    ];
    let ask = |messages: &'_ [Message]| {
        let messages = messages.to_vec();
        let (model, tools) = (model.clone(), tools.clone());
        async move {
            let asked = ModelRequest {
                tools: &tools,
                effort: Some("low"),
                ..request(&messages)
            };
            model.complete(asked).await.expect("a reply")
        }
    };
    let reply = ask(&messages).await;
    assert_eq!(
        (reply.content.as_str(), &reply.finish),
        ("볼게요", &FinishReason::ToolCalls)
    );
    let calls: Vec<_> = reply
        .calls
        .iter()
        .map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str()))
        .collect();
    assert_eq!(
        calls,
        [
            ("toolu_1", "Search", r#"{"q": "카페"}"#),
            ("toolu_2", "Now", "{}")
        ]
    );
    let counted = Usage {
        prompt_tokens: 15,
        completion_tokens: 20,
        total_tokens: 35,
    };
    assert_eq!(reply.usage, Some(counted));
    let head = last_head(&server);
    assert!(
        head.starts_with("POST /v1/messages ") && head.contains(&format!("x-api-key: {KEY}")),
        "{head}"
    );
    let body = last_body(&server);
    assert_eq!(
        (&body["model"], &body["system"], &body["temperature"]),
        (&json!("claude-sonnet-4-5"), &json!("짧게"), &Value::Null)
    );
    assert_eq!(
        body["thinking"],
        json!({"type": "enabled", "budget_tokens": 1024})
    );
    assert_eq!(body["max_tokens"], 2048);

    and_then(&mut messages, &reply, &[r#"{"n":1}"#, "{}"]);
    let reply = ask(&messages).await;
    assert_eq!((reply.content.as_str(), reply.finish), ("끝", FinishReason::Stop));
    assert_eq!((reply.usage, reply.opaque), (None, None));
    insta::assert_snapshot!(pretty(&last_body(&server)["messages"]), @r#"
    {"role":"user","content":"카페?"}
    {"role":"assistant","content":[{"type":"thinking","thinking":"음, 찾자","signature":"c2ln"},{"type":"redacted_thinking","data":"ZGF0YQ=="},{"type":"text","text":"볼게요"},{"type":"tool_use","id":"toolu_1","name":"Search","input":{"q":"카페"}},{"type":"tool_use","id":"toolu_2","name":"Now","input":{}}]}
    {"role":"user","content":[{"type":"tool_result","content":"{\"n\":1}","tool_use_id":"toolu_1"},{"type":"tool_result","content":"{}","tool_use_id":"toolu_2"}]}
    "#);
}

#[tokio::test]
async fn anthropic_s_ends_are_told_apart() {
    for (script, expected) in [
        (end_turn("max_tokens"), Ok(FinishReason::Length)),
        (end_turn("refusal"), Ok(FinishReason::ContentFilter)),
        (
            end_turn("pause_turn"),
            Ok(FinishReason::Other(Some("pause_turn".to_owned()))),
        ),
        (
            end_turn("end_turn").replace("message_stop", "ping"),
            Err("the stream ended before"),
        ),
        (
            named(&[
                json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            ]),
            Err("answered HTTP 503: Overloaded"),
        ),
        (
            named(&[json!({"type": "error", "error": {"type": "rate_limit_error", "message": "slow"}})]),
            Err("asks for fewer requests (HTTP 429): slow"),
        ),
        (
            "event: message_start\ndata: {\"type\"".to_owned(),
            Err("broke off in the middle of its JSON"),
        ),
    ] {
        let server = Server::start(vec![Script::stream([script])]).await;
        let model = adapter(&server, "anthropic/claude-x");
        let answer = model.complete(request(&[Message::User("?".to_owned())])).await;
        match (answer, expected) {
            (Ok(reply), Ok(finish)) => assert_eq!(reply.finish, finish),
            (Err(error), Err(part)) => {
                assert!(
                    error.to_string().contains(part) && error.is_transient(),
                    "{error}"
                );
            }
            (other, expected) => panic!("{expected:?}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn refusals_are_named_and_hold_no_key() {
    let json = "content-type: application/json\r\n";
    for (id, status, headers, body, expected) in [
        (
            "anthropic/claude-x",
            "401 Unauthorized",
            "",
            format!(r#"{{"type":"error","error":{{"type":"authentication_error","message":"invalid {KEY}"}}}}"#),
            "http://HOST/v1 refuses the key (HTTP 401): invalid ••••",
        ),
        (
            "anthropic/claude-x",
            "404 Not Found",
            "",
            r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}"#.to_owned(),
            "http://HOST/v1 knows no model `claude-x`: model: claude-x",
        ),
        (
            "anthropic/claude-x",
            "529 Overloaded",
            "",
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#.to_owned(),
            "http://HOST/v1 answered HTTP 529: Overloaded",
        ),
        (
            "gemini/gemini-x",
            "400 Bad Request",
            "",
            r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}"#.to_owned(),
            "http://HOST/v1 refuses the key (HTTP 400): API key not valid. Please pass a valid API key.",
        ),
        (
            "gemini/gemini-x",
            "429 Too Many Requests",
            "",
            r#"{"error":{"code":429,"message":"quota","details":[{"retryDelay":"13s"}]}}"#.to_owned(),
            "http://HOST/v1 asks for fewer requests (HTTP 429): quota after 13s",
        ),
        (
            "anthropic/claude-x",
            "429 Too Many Requests",
            "retry-after: 7\r\n",
            r#"{"error":{"type":"rate_limit_error","message":"slow"}}"#.to_owned(),
            "http://HOST/v1 asks for fewer requests (HTTP 429): slow after 7s",
        ),
        (
            "bedrock/a.b",
            "400 Bad Request",
            "",
            r#"{"message":"The provided model identifier is invalid."}"#.to_owned(),
            "http://HOST/v1 knows no model `a.b`: The provided model identifier is invalid.",
        ),
    ] {
        let headers = format!("{json}{headers}");
        let server = Server::start(vec![Script::whole(status, &headers, &body)]).await;
        let error = adapter(&server, id)
            .complete(request(&[Message::User("?".to_owned())]))
            .await
            .expect_err("an error");
        let mut said = server.stable(&error.to_string());
        if let ModelError::RateLimited {
            retry_after: Some(wait),
            ..
        } = error
        {
            let _ = write!(said, " after {wait:?}");
        }
        assert_eq!(said, expected);
    }
}

#[tokio::test]
async fn what_anthropic_refuses_is_left_out_from_then_on() {
    let refused = r#"{"type":"error","error":{"type":"invalid_request_error","message":"temperature is not supported by this model"}}"#;
    let server = Server::start(vec![
        Script::whole("400 Bad Request", "content-type: application/json\r\n", refused),
        Script::stream([end_turn("end_turn")]),
    ])
    .await;
    let model = adapter(&server, "anthropic/claude-x-max");
    let messages = [Message::User("?".to_owned())];
    for _ in 0..2 {
        model.complete(request(&messages)).await.expect("a reply");
    }
    let sent: Vec<Value> = server
        .requests
        .lock()
        .expect("requests")
        .iter()
        .map(|(_, body)| support::json(body))
        .collect();
    let temperatures: Vec<_> = sent.iter().map(|body| body["temperature"].clone()).collect();
    assert_eq!(temperatures, [json!(0.7), Value::Null, Value::Null]);
    // The name is sent as it is, though it ends like an effort.
    assert!(sent.iter().all(|body| body["model"] == "claude-x-max"));
}

#[tokio::test]
async fn an_object_comes_out_of_models_without_schemas() {
    let refused = r#"{"type":"error","error":{"type":"invalid_request_error","message":"output_config.format: Extra inputs are not permitted"}}"#;
    let called = named(&[
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t", "name": "Verdict", "input": {}}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{\"success\":true}"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ]);
    let server = Server::start(vec![
        Script::whole("400 Bad Request", "content-type: application/json\r\n", refused),
        Script::stream([called]),
    ])
    .await;
    let model = adapter(&server, "anthropic/claude-3-5-haiku");
    let schema = json!({"type": "object", "properties": {"success": {"type": "boolean"}}, "required": ["success"], "strict": false});
    let messages = [Message::User("?".to_owned())];
    let asked = ModelRequest {
        answer_schema: Some(("Verdict", &schema)),
        ..request(&messages)
    };
    for _ in 0..2 {
        let reply = model.complete(asked.clone()).await.expect("a reply");
        assert_eq!(
            (reply.content.as_str(), reply.calls.len(), reply.finish),
            (r#"{"success":true}"#, 0, FinishReason::Stop)
        );
    }
    let sent = server.requests.lock().expect("requests").clone();
    let sent: Vec<Value> = sent.iter().map(|(_, body)| support::json(body)).collect();
    assert_eq!(sent.len(), 3);
    assert_eq!(sent[0]["output_config"]["format"]["type"], "json_schema");
    assert_eq!(sent[0]["output_config"]["format"]["schema"].get("strict"), None);
    for body in &sent[1..] {
        assert_eq!(body["tool_choice"], json!({"type": "tool", "name": "Verdict"}));
        assert_eq!(body.get("output_config"), None);
    }
}

#[tokio::test]
async fn gemini_s_signatures_and_ids_go_back_with_their_parts() {
    let turn = unnamed(&[
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "음", "thought": true}]}, "index": 0}]}),
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "볼게요"}]}, "index": 0}]}),
        json!({"candidates": [{"content": {"role": "model", "parts": [
            {"functionCall": {"name": "Search", "args": {"q": "카페"}}, "thoughtSignature": "c2lnMQ=="},
            {"functionCall": {"name": "Search", "args": {"q": "서점"}}},
        ]}, "index": 0}]}),
        json!({"candidates": [{"content": {"role": "model", "parts": []}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 4, "thoughtsTokenCount": 3, "totalTokenCount": 17}}),
    ]);
    let end = unnamed(&[
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "끝"}]}, "finishReason": "STOP"}]}),
    ]);
    let server = Server::start(vec![
        Script::stream([turn.clone()]),
        Script::stream([turn]),
        Script::stream([end]),
    ])
    .await;
    let model = adapter(&server, "gemini/gemini-3-pro");
    let tools = [search()];
    let mut messages = vec![Message::User("카페?".to_owned())];
    let mut ids = std::collections::BTreeSet::new();
    for step in 1..=2 {
        let mut asked = ModelRequest {
            tools: &tools,
            seed: Some(3),
            ..request(&messages)
        };
        asked.attempt.step = step;
        let reply = model.complete(asked).await.expect("a reply");
        assert_eq!(
            (reply.content.as_str(), &reply.finish),
            ("볼게요", &FinishReason::ToolCalls)
        );
        let counted = Usage {
            prompt_tokens: 10,
            completion_tokens: 7,
            total_tokens: 17,
        };
        assert_eq!(reply.usage, Some(counted));
        ids.extend(reply.calls.iter().map(|call| call.id.clone()));
        and_then(&mut messages, &reply, &["1", "2"]);
    }
    assert_eq!(ids.len(), 4, "{ids:?}");
    let reply = model.complete(request(&messages)).await.expect("a reply");
    assert_eq!((reply.finish, reply.usage), (FinishReason::Stop, None));
    let head = last_head(&server);
    assert!(
        head.starts_with("POST /v1/models/gemini-3-pro:streamGenerateContent?alt=sse ")
            && head.contains(&format!("x-goog-api-key: {KEY}")),
        "{head}"
    );
    let body = last_body(&server);
    assert_eq!(
        body["generationConfig"],
        json!({"temperature": 0.7, "maxOutputTokens": 1024})
    );
    assert_eq!(body["contents"][1], body["contents"][3]);
    insta::assert_snapshot!(pretty(&json!(body["contents"].as_array().expect("contents")[..3])), @r#"
    {"role":"user","parts":[{"text":"카페?"}]}
    {"role":"model","parts":[{"text":"볼게요"},{"functionCall":{"name":"Search","args":{"q":"카페"}},"thoughtSignature":"c2lnMQ=="},{"functionCall":{"name":"Search","args":{"q":"서점"}}}]}
    {"role":"user","parts":[{"functionResponse":{"name":"Search","response":{"name":"Search","content":"1"}}},{"functionResponse":{"name":"Search","response":{"name":"Search","content":"2"}}}]}
    "#);
}

#[tokio::test]
async fn gemini_s_ends_are_told_apart() {
    let ended = |reason: &str| {
        unnamed(&[json!({"candidates": [{"content": {"parts": [{"text": "끝"}]}, "finishReason": reason}]})])
    };
    for (script, expected) in [
        (ended("STOP"), Ok(FinishReason::Stop)),
        (ended("MAX_TOKENS"), Ok(FinishReason::Length)),
        (ended("SAFETY"), Ok(FinishReason::ContentFilter)),
        (
            ended("MALFORMED_FUNCTION_CALL"),
            Ok(FinishReason::Other(Some("MALFORMED_FUNCTION_CALL".to_owned()))),
        ),
        (
            unnamed(&[
                json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 3}}),
            ]),
            Ok(FinishReason::ContentFilter),
        ),
        (
            unnamed(&[json!({"candidates": [{"content": {"parts": [{"text": "반"}]}}]})]),
            Err("the stream ended before"),
        ),
        (
            unnamed(&[json!({"usageMetadata": {}})]),
            Err("holds no part of an answer"),
        ),
        (
            unnamed(&[
                json!({"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}),
            ]),
            Err("answered HTTP 503: The model is overloaded."),
        ),
    ] {
        let server = Server::start(vec![Script::stream([script])]).await;
        let model = adapter(&server, "gemini/gemini-2.5-flash");
        let answer = model.complete(request(&[Message::User("?".to_owned())])).await;
        match (answer, expected) {
            (Ok(reply), Ok(finish)) => assert_eq!(reply.finish, finish),
            (Err(error), Err(part)) => {
                assert!(
                    error.to_string().contains(part) && error.is_transient(),
                    "{error}"
                );
            }
            (other, expected) => panic!("{expected:?}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn histories_that_others_wrote_become_valid_ones() {
    let call = |id: &str, arguments: &str| RequestedCall {
        id: id.to_owned(),
        name: "Search".to_owned(),
        arguments: arguments.to_owned(),
    };
    let result = |id: &str| Message::Tool {
        call_id: id.to_owned(),
        content: "{\"n\":1}".to_owned(),
    };
    let messages = [
        Message::User("하나".to_owned()),
        Message::Assistant {
            content: "볼게요".to_owned(),
            calls: vec![
                call("seed_call_2_1", "{\"q\":\"가\"}"),
                call("seed_call_2_2", "{\"q\":\"unanswered\"}"),
            ],
            opaque: None,
        },
        result("seed_call_2_1"),
        Message::User("둘".to_owned()),
        Message::Assistant {
            content: String::new(),
            calls: vec![call("a", "{not json"), call("b", "")],
            // Of another provider: an attempt that was resumed with another model.
            opaque: Some(Arc::new(json!({"reasoning_details": []}))),
        },
        result("a"),
        result("b"),
    ];
    let mut sent = Value::Null;
    for (id, script, field) in [
        ("anthropic/claude-x", end_turn("end_turn"), "messages"),
        (
            "gemini/gemini-x",
            unnamed(&[
                json!({"candidates": [{"content": {"parts": [{"text": "끝"}]}, "finishReason": "STOP"}]}),
            ]),
            "contents",
        ),
    ] {
        let server = Server::start(vec![Script::stream([script])]).await;
        adapter(&server, id)
            .complete(request(&messages))
            .await
            .expect("a reply");
        sent[id] = last_body(&server)[field].clone();
    }
    insta::assert_snapshot!(pretty(&sent), @r#"
    anthropic/claude-x
    {"role":"user","content":"하나"}
    {"role":"assistant","content":[{"type":"text","text":"볼게요"},{"type":"tool_use","id":"seed_call_2_1","name":"Search","input":{"q":"가"}}]}
    {"role":"user","content":[{"type":"tool_result","content":"{\"n\":1}","tool_use_id":"seed_call_2_1"}]}
    {"role":"user","content":"둘"}
    {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Search","input":{"unreadable_arguments":"{not json"}},{"type":"tool_use","id":"b","name":"Search","input":{}}]}
    {"role":"user","content":[{"type":"tool_result","content":"{\"n\":1}","tool_use_id":"a"},{"type":"tool_result","content":"{\"n\":1}","tool_use_id":"b"}]}
    gemini/gemini-x
    {"role":"user","parts":[{"text":"하나"}]}
    {"role":"model","parts":[{"text":"볼게요"},{"functionCall":{"name":"Search","args":{"q":"가"}}}]}
    {"role":"user","parts":[{"functionResponse":{"name":"Search","response":{"name":"Search","content":"{\"n\":1}"}}}]}
    {"role":"user","parts":[{"text":"둘"}]}
    {"role":"model","parts":[{"functionCall":{"name":"Search","args":{"unreadable_arguments":"{not json"}}},{"functionCall":{"name":"Search","args":{}}}]}
    {"role":"user","parts":[{"functionResponse":{"name":"Search","response":{"name":"Search","content":"{\"n\":1}"}}},{"functionResponse":{"name":"Search","response":{"name":"Search","content":"{\"n\":1}"}}}]}
    "#);
}

#[tokio::test]
async fn the_first_token_is_timed_where_it_comes() {
    let pause = Duration::from_millis(120);
    let begin = json!({"type": "message_start", "message": {"id": "m"}});
    let think = named(&[
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "음"}}),
        json!({"type": "content_block_stop", "index": 0}),
    ]);
    let server = Server::start(vec![
        Script::stream([named(&[begin]), think, end_turn("end_turn")]).paused(pause),
    ])
    .await;
    let model = adapter(&server, "anthropic/claude-x");
    let reply = model
        .complete(request(&[Message::User("?".to_owned())]))
        .await
        .expect("a reply");
    // The head and the announcement of the message are no token; the thought is.
    let first = reply.first_token.expect("a first token");
    assert!(first >= 2 * pause && first < 3 * pause, "{first:?}");
    assert!(reply.latency >= 3 * pause, "{reply:?}");
}

#[tokio::test]
async fn a_model_is_asked_about_before_a_run() {
    let json = "content-type: application/json\r\n";
    let none = r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}"#;
    let strange = r#"{"error":{"message":"no such path"}}"#;
    let key = r#"{"error":{"message":"no"}}"#;
    for (status, body, said) in [
        ("200 OK", "{}", None),
        ("404 Not Found", none, Some("knows no model `claude-x`")),
        ("404 Not Found", strange, None),
        ("403 Forbidden", key, Some("refuses the key")),
        ("500 Internal Server Error", "", Some("HTTP 500")),
    ] {
        let server = Server::start(vec![Script::whole(status, json, body)]).await;
        let checked = adapter(&server, "anthropic/claude-x").check().await;
        match said {
            None => assert!(checked.is_ok(), "{status} {checked:?}"),
            Some(part) => assert!(checked.is_err_and(|error| error.to_string().contains(part))),
        }
        assert!(last_head(&server).starts_with("GET /v1/models/claude-x "));
    }
}
