//! The protocol of Gemini.

use super::*;

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
    let server =
        Server::start(vec![Script::stream([turn.clone()]), Script::stream([turn]), Script::stream([end])])
            .await;
    let model = adapter(&server, "gemini/gemini-3-pro");
    let tools = [search()];
    let mut messages = vec![Message::User("카페?".to_owned())];
    let mut ids = std::collections::BTreeSet::new();
    for step in 1..=2 {
        let mut asked = ModelRequest { tools: &tools, seed: Some(3), ..request(&messages) };
        asked.attempt.step = step;
        let reply = model.complete(asked).await.expect("a reply");
        assert_eq!((reply.content.as_str(), &reply.finish), ("볼게요", &FinishReason::ToolCalls));
        let counted = Usage { prompt_tokens: 10, completion_tokens: 7, total_tokens: 17 };
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
    assert_eq!(body["generationConfig"], json!({"temperature": 0.7, "maxOutputTokens": 1024}));
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
        (unnamed(&[json!({"usageMetadata": {}})]), Err("holds no part of an answer")),
        (
            unnamed(&[
                json!({"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}),
            ]),
            Err("answered HTTP 503: The model is overloaded."),
        ),
    ] {
        ends("gemini/gemini-2.5-flash", script, expected).await;
    }
}
