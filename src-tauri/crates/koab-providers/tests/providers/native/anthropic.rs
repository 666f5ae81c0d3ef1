//! The Messages protocol of Anthropic.

use super::*;

#[tokio::test]
async fn anthropic_thinks_calls_twice_and_gets_its_blocks_back() {
    let server =
        Server::start(vec![Script::stream([thinking_turn()]), Script::stream([end_turn("end_turn")])]).await;
    let model = adapter(&server, "anthropic/claude-sonnet-4-5");
    let tools = [search()];
    let mut messages = vec![Message::System("짧게".to_owned()), Message::User("카페?".to_owned())];
    let ask = |messages: &'_ [Message]| {
        let messages = messages.to_vec();
        let (model, tools) = (model.clone(), tools.clone());
        async move {
            let asked = ModelRequest { tools: &tools, effort: Some("low"), ..request(&messages) };
            model.complete(asked).await.expect("a reply")
        }
    };
    let reply = ask(&messages).await;
    assert_eq!((reply.content.as_str(), &reply.finish), ("볼게요", &FinishReason::ToolCalls));
    let calls: Vec<_> = reply
        .calls
        .iter()
        .map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str()))
        .collect();
    assert_eq!(calls, [("toolu_1", "Search", r#"{"q": "카페"}"#), ("toolu_2", "Now", "{}")]);
    let counted = Usage { prompt_tokens: 15, completion_tokens: 20, total_tokens: 35 };
    assert_eq!(reply.usage, Some(counted));
    let head = last_head(&server);
    assert!(head.starts_with("POST /v1/messages ") && head.contains(&format!("x-api-key: {KEY}")), "{head}");
    let body = last_body(&server);
    assert_eq!(
        (&body["model"], &body["system"], &body["temperature"]),
        (&json!("claude-sonnet-4-5"), &json!("짧게"), &Value::Null)
    );
    assert_eq!(body["thinking"], json!({"type": "enabled", "budget_tokens": 1024}));
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
        (end_turn("pause_turn"), Ok(FinishReason::Other(Some("pause_turn".to_owned())))),
        (end_turn("end_turn").replace("message_stop", "ping"), Err("the stream ended before")),
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
        ("event: message_start\ndata: {\"type\"".to_owned(), Err("cut off in the middle of its JSON")),
    ] {
        ends("anthropic/claude-x", script, expected).await;
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
    let sent: Vec<Value> =
        server.requests.lock().expect("requests").iter().map(|(_, body)| support::json(body)).collect();
    let temperatures: Vec<_> = sent.iter().map(|body| body["temperature"].clone()).collect();
    assert_eq!(temperatures, [json!(0.7), Value::Null, Value::Null]);
    // The name is sent as it is, though it ends like an effort.
    assert!(sent.iter().all(|body| body["model"] == "claude-x-max"));
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
    let server =
        Server::start(vec![Script::stream([named(&[begin]), think, end_turn("end_turn")]).paused(pause)])
            .await;
    let model = adapter(&server, "anthropic/claude-x");
    let reply = model.complete(request(&[Message::User("?".to_owned())])).await.expect("a reply");
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
