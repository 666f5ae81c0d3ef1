//! The protocols of Anthropic, Google and AWS: what goes out, what comes back, and what goes back unchanged. Here is what they
//! share; what only one of them does is in its own file.

mod anthropic;
mod choice;
mod gemini;

use crate::providers::support::{self, Endless, Script, Server, request};
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
        let known = matches!(name, "ANTHROPIC_API_KEY" | "GEMINI_API_KEY" | "AWS_BEARER_TOKEN_BEDROCK");
        known.then(|| Sensitive::new(KEY.to_owned()))
    };
    open(&support::network(), id, Some(&server.base_url()), 0, &[], &keys).expect("an adapter")
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

/// What becomes of a stream: the answer ends like this, or there is an error that says so and that is worth another try.
async fn ends(model: &str, stream: String, expected: Result<FinishReason, &str>) {
    let server = Server::start(vec![Script::stream([stream])]).await;
    let model = adapter(&server, model);
    let answer = model.complete(request(&[Message::User("?".to_owned())])).await;
    match (answer, expected) {
        (Ok(reply), Ok(finish)) => assert_eq!(reply.finish, finish),
        (Err(error), Err(part)) => {
            assert!(error.to_string().contains(part) && error.is_transient(), "{error}");
        }
        (other, expected) => panic!("{expected:?}: {other:?}"),
    }
}

/// One line for every message.
fn pretty(messages: &Value) -> String {
    let lines = |list: &Value| -> String {
        let list = list.as_array().expect("messages").iter();
        list.map(|message| format!("{message}\n")).collect()
    };
    match messages {
        Value::Object(named) => named.iter().map(|(name, list)| format!("{name}\n{}", lines(list))).collect(),
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
    support::json(&server.requests.lock().expect("requests").last().expect("a request").1)
}

fn last_head(server: &Server) -> String {
    server.requests.lock().expect("requests").last().expect("a request").0.clone()
}

/// A turn as the engine writes it down, with these results of its calls.
fn and_then(messages: &mut Vec<Message>, reply: &ModelReply, results: &[&str]) {
    messages.push(Message::Assistant {
        content: reply.content.clone(),
        calls: reply.calls.clone(),
        opaque: reply.opaque.clone(),
    });
    for (call, result) in reply.calls.iter().zip(results) {
        messages.push(Message::Tool { call_id: call.id.clone(), content: (*result).to_owned() });
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
            "http://HOST/v1 knows no model `claude-x`: choose a model that it has; it said: model: claude-x",
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
            "http://HOST/v1 knows no model `a.b`: choose a model that it has; it said: The provided model identifier is invalid.",
        ),
        (
            "gemini/gemini-x",
            "404 Not Found",
            "",
            r#"{"error":{"code":404,"message":"models/gemini-x is not found for API version v1beta, or is not supported for generateContent.","status":"NOT_FOUND"}}"#.to_owned(),
            "http://HOST/v1 knows no model `gemini-x`: choose a model that it has; it said: models/gemini-x is not found for API version v1beta, or is not supported for generateContent.",
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
    let asked = ModelRequest { answer_schema: Some(("Verdict", &schema)), given: None, ..request(&messages) };
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
async fn histories_that_others_wrote_become_valid_ones() {
    let call = |id: &str, arguments: &str| RequestedCall {
        id: id.to_owned(),
        name: "Search".to_owned(),
        arguments: arguments.to_owned(),
    };
    let result = |id: &str| Message::Tool { call_id: id.to_owned(), content: "{\"n\":1}".to_owned() };
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
        adapter(&server, id).complete(request(&messages)).await.expect("a reply");
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

/// Whatever `genai` joins to an event is counted, whether it is output, unseen thinking or nothing at all.
#[tokio::test]
async fn events_without_end_are_cut_off_and_said_so() {
    const MIB: usize = 1 << 20;
    let words = "한국어 문장은 길고 길다".repeat(1000);
    let text =
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": words}});
    let redacted = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "redacted_thinking", "data": words}});
    let part =
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": words}]}, "index": 0}]});
    let together = "the answers of its conversation are longer than 2 MiB together";
    for (id, event, why, most) in [
        ("anthropic/claude-x", named(&[text]), together, 3),
        ("anthropic/claude-x", named(&[redacted]), "it is longer than 32 MiB", 33),
        ("gemini/gemini-x", unnamed(&[part]), together, 3),
    ] {
        let endless = Endless::start("text/event-stream", "", &event).await;
        let error = adapter(&endless.server, id)
            .complete(request(&[Message::User("?".to_owned())]))
            .await
            .expect_err("an error");
        assert!(error.to_string().ends_with(why), "{error}");
        assert!(!error.is_transient(), "the same comes again: {error}");
        // What the system holds for both ends of a connection is sent as well.
        let sent = endless.sent() / MIB;
        assert!(sent <= most + 16, "{id}: {sent} MiB");
    }
    let crowd = json!({"candidates": [], "crowd": vec![0; 300_000]});
    let end = json!({"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}]});
    let server = Server::start(vec![Script::stream([unnamed(&[crowd, end])])]).await;
    let error = adapter(&server, "gemini/gemini-x")
        .complete(request(&[Message::User("?".to_owned())]))
        .await
        .expect_err("an error");
    let why = "it holds more than 100000 values";
    assert!(error.to_string().ends_with(why), "{error}");
}
