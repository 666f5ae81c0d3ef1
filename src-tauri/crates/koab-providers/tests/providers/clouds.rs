//! Bedrock and Vertex AI: their addresses, their credentials, and Converse's binary stream.

use crate::providers::support::{self, Script, Server, request};
use koab_core::sensitive::Sensitive;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{FinishReason, Message, ModelAdapter, ModelReply, ModelRequest, Usage};
use koab_providers::registry::open;
use serde_json::{Value, json};
use std::sync::Arc;

fn adapter(server: &Server, id: &str, settings: &[(&str, &str)]) -> Arc<dyn ModelAdapter> {
    let keys = |name: &str| {
        let found = settings.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| Sensitive::new((*value).to_owned()))
    };
    open(&support::network(), id, Some(&server.base_url()), 0, &[], &keys).expect("an adapter")
}

async fn sent(server: &Server) -> (String, Value) {
    let (head, body) = server.requests.lock().expect("requests").last().expect("a request").clone();
    (head, support::json(&body))
}

/// CRC-32 as Ethernet has it.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    })
}

/// One message of `application/vnd.amazon.eventstream`.
fn frame(kind: &str, event: &str, payload: &Value) -> Vec<u8> {
    let mut headers = Vec::new();
    for (name, value) in [(":message-type", kind), (":event-type", event)] {
        headers.push(u8::try_from(name.len()).expect("short"));
        headers.extend(name.as_bytes());
        headers.push(7);
        headers.extend(u16::try_from(value.len()).expect("short").to_be_bytes());
        headers.extend(value.as_bytes());
    }
    let payload = payload.to_string().into_bytes();
    let mut frame = Vec::new();
    frame.extend(u32::try_from(16 + headers.len() + payload.len()).expect("short").to_be_bytes());
    frame.extend(u32::try_from(headers.len()).expect("short").to_be_bytes());
    frame.extend(crc32(&frame).to_be_bytes());
    frame.extend(headers);
    frame.extend(payload);
    frame.extend(crc32(&frame).to_be_bytes());
    frame
}

fn converse(events: &[(&str, Value)]) -> Script {
    Script::stream(events.iter().map(|(event, payload)| frame("event", event, payload)))
}

fn converse_turn() -> Script {
    converse(&[
        ("messageStart", json!({"role": "assistant"})),
        ("contentBlockDelta", json!({"delta": {"reasoningContent": {"text": "음"}}, "contentBlockIndex": 0})),
        (
            "contentBlockDelta",
            json!({"delta": {"reasoningContent": {"signature": "c2ln"}}, "contentBlockIndex": 0}),
        ),
        ("contentBlockStop", json!({"contentBlockIndex": 0})),
        ("contentBlockDelta", json!({"delta": {"text": "볼게요"}, "contentBlockIndex": 1})),
        ("contentBlockStop", json!({"contentBlockIndex": 1})),
        (
            "contentBlockStart",
            json!({"start": {"toolUse": {"toolUseId": "t1", "name": "Search"}}, "contentBlockIndex": 2}),
        ),
        (
            "contentBlockDelta",
            json!({"delta": {"toolUse": {"input": "{\"q\": \"카페\"}"}}, "contentBlockIndex": 2}),
        ),
        ("contentBlockStop", json!({"contentBlockIndex": 2})),
        ("messageStop", json!({"stopReason": "tool_use"})),
        ("metadata", json!({"usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}})),
    ])
}

fn search() -> [ToolSpec; 1] {
    [ToolSpec {
        name: "Search".to_owned(),
        description: "검색".to_owned(),
        parameters: json!({"type": "object", "properties": {"q": {"type": "string"}}}),
    }]
}

#[tokio::test]
async fn bedrock_s_stream_is_read_and_its_turns_alternate() {
    let end = converse(&[
        ("contentBlockDelta", json!({"delta": {"text": "끝"}})),
        ("messageStop", json!({"stopReason": "max_tokens"})),
    ]);
    let server = Server::start(vec![converse_turn(), end]).await;
    let model =
        adapter(&server, "bedrock/us.anthropic.claude-x-v1:0", &[("AWS_BEARER_TOKEN_BEDROCK", "bearer")]);
    let tools = search();
    let mut messages = vec![Message::User("카페?".to_owned())];
    let asked = ModelRequest { tools: &tools, ..request(&messages) };
    let reply: ModelReply = model.complete(asked).await.expect("a reply");
    assert_eq!((reply.content.as_str(), &reply.finish), ("볼게요", &FinishReason::ToolCalls));
    assert_eq!((reply.calls[0].id.as_str(), reply.calls[0].arguments.as_str()), ("t1", r#"{"q": "카페"}"#));
    assert!(reply.first_token.is_some());
    let counted = Usage { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    assert_eq!(reply.usage, Some(counted));
    let (head, body) = sent(&server).await;
    assert!(
        head.starts_with("POST /v1/model/us.anthropic.claude-x-v1%3A0/converse-stream ")
            && head.contains("authorization: Bearer bearer\r\n"),
        "{head}"
    );
    assert_eq!(body["inferenceConfig"], json!({"maxTokens": 1024, "temperature": 0.7}));

    messages.push(Message::Assistant { content: reply.content, calls: reply.calls, opaque: reply.opaque });
    messages.push(Message::Tool { call_id: "t1".to_owned(), content: "{}".to_owned() });
    messages.push(Message::User("그리고?".to_owned()));
    let reply = model.complete(request(&messages)).await.expect("a reply");
    // Cut off is not finished, and counts that did not come are not zero.
    assert_eq!((reply.finish, reply.usage), (FinishReason::Length, None));
    assert_eq!(
        sent(&server).await.1["messages"],
        json!([
            {"role": "user", "content": [{"text": "카페?"}]},
            {"role": "assistant", "content": [
                {"reasoningContent": {"reasoningText": {"text": "음", "signature": "c2ln"}}},
                {"text": "볼게요"},
                {"toolUse": {"toolUseId": "t1", "name": "Search", "input": {"q": "카페"}}},
            ]},
            {"role": "user", "content": [
                {"toolResult": {"toolUseId": "t1", "content": [{"text": "{}"}]}},
                {"text": "그리고?"},
            ]},
        ])
    );
}

#[tokio::test]
async fn bedrock_s_broken_streams_are_no_answers() {
    let exception = frame("exception", "", &json!({"message": "Too many requests"}));
    let mut torn = frame("event", "contentBlockDelta", &json!({"delta": {"text": "끝"}}));
    let last = torn.len() - 1;
    torn[last] ^= 1;
    for (script, part) in [
        (Script::stream([exception]), "Too many requests"),
        (Script::stream([torn]), "CRC"),
        (converse(&[("contentBlockDelta", json!({"delta": {"text": "반"}}))]), "the stream ended before"),
    ] {
        let server = Server::start(vec![script]).await;
        let error = adapter(&server, "bedrock/a.b", &[])
            .complete(request(&[Message::User("?".to_owned())]))
            .await
            .expect_err("an error");
        assert!(error.is_transient() && error.to_string().contains(part), "{error}");
    }
}

#[tokio::test]
async fn bedrock_gives_an_object_through_a_tool_or_in_words() {
    let said = converse(&[
        ("contentBlockDelta", json!({"delta": {"text": "네: {\"success\": true}"}})),
        ("messageStop", json!({"stopReason": "end_turn"})),
    ]);
    let server = Server::start(vec![said]).await;
    let access =
        [("AWS_ACCESS_KEY_ID", "AKID"), ("AWS_SECRET_ACCESS_KEY", "secret"), ("AWS_REGION", "us-west-2")];
    let model = adapter(&server, "bedrock/amazon.nova-lite-v1:0", &access);
    let schema =
        json!({"type": "object", "properties": {"success": {"type": "boolean"}}, "required": ["success"]});
    let messages = [Message::User("?".to_owned())];
    let asked = ModelRequest { answer_schema: Some(("Verdict", &schema)), given: None, ..request(&messages) };
    let reply = model.complete(asked).await.expect("a reply");
    assert_eq!(reply.content, r#"{"success":true}"#);
    let (head, body) = sent(&server).await;
    // Access keys go as the short-term token that they sign.
    assert!(head.contains("authorization: Bearer bedrock-api-key-"), "{head}");
    assert_eq!(body["toolConfig"]["tools"][0]["toolSpec"]["name"], "Verdict");
}

#[tokio::test]
async fn vertex_speaks_gemini_and_claude() {
    let gemini = format!(
        "data: {}\n\n",
        json!({"candidates": [{"content": {"parts": [{"text": "끝"}]}, "finishReason": "STOP"}]})
    );
    let claude = [
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "끝"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "끝"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
        json!({"type": "message_stop"}),
    ];
    let claude: String = claude
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a type")))
        .collect();
    for (id, stream, path) in [
        (
            "vertex_ai/gemini-2.5-flash",
            gemini,
            "POST /v1/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse ",
        ),
        (
            "vertex_ai/claude-sonnet-4-5@20250929",
            claude,
            "POST /v1/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict ",
        ),
    ] {
        // The account's token comes from the same server: first the token, then the answer.
        let server = Server::start(vec![
            Script::json(r#"{"access_token":"ya29.t","expires_in":3600}"#),
            Script::stream([stream]),
        ])
        .await;
        let account = json!({
            "type": "authorized_user", "client_id": "i", "client_secret": "s", "refresh_token": "r",
            "token_uri": format!("http://{}/token", server.address),
        });
        let model = adapter(&server, id, &[("GOOGLE_APPLICATION_CREDENTIALS", &account.to_string())]);
        let messages = [Message::User("?".to_owned())];
        for _ in 0..2 {
            let reply = model.complete(request(&messages)).await.expect("a reply");
            assert_eq!((reply.content.as_str(), reply.finish), ("끝", FinishReason::Stop));
        }
        let requests = server.requests.lock().expect("requests").clone();
        assert_eq!(requests.len(), 3);
        for (head, _) in &requests[1..] {
            assert!(head.starts_with(path) && head.contains("authorization: Bearer ya29.t\r\n"), "{head}");
        }
    }
}

#[tokio::test]
async fn credentials_that_google_refuses_end_the_run() {
    let refused = r#"{"error":"invalid_grant","error_description":"Token has been expired or revoked."}"#;
    let server =
        Server::start(vec![Script::whole("400 Bad Request", "content-type: application/json\r\n", refused)])
            .await;
    let account = json!({
        "type": "authorized_user", "client_id": "i", "client_secret": "s", "refresh_token": "r",
        "token_uri": format!("http://{}/token", server.address),
    });
    let model = adapter(
        &server,
        "vertex_ai/gemini-2.5-flash",
        &[("GOOGLE_APPLICATION_CREDENTIALS", &account.to_string())],
    );
    let error = model.complete(request(&[Message::User("?".to_owned())])).await.expect_err("an error");
    assert_eq!(
        server.stable(&error.to_string()),
        "http://HOST/token refuses the key (HTTP 400): invalid_grant"
    );
}

#[tokio::test]
async fn azure_has_its_own_header_and_addresses() {
    let server = Server::start(vec![Script::json(r#"{"choices":[{"message":{"content":"가"}}]}"#)]).await;
    for (settings, base, path) in [
        (&[][..], "", "POST /openai/v1/chat/completions "),
        (&[], "/v1", "POST /v1/chat/completions "),
        (
            &[("AZURE_API_VERSION", "2025-03-01-preview")],
            "",
            "POST /openai/deployments/my-4o/chat/completions?api-version=2025-03-01-preview ",
        ),
    ] {
        let keys = |name: &str| {
            let key = ("AZURE_API_KEY", "k3y");
            let found = settings.iter().chain([&key]).find(|(known, _)| *known == name);
            found.map(|(_, value)| Sensitive::new((*value).to_owned()))
        };
        let base = format!("http://{}{base}", server.address);
        let model = open(&support::network(), "azure/my-4o", Some(&base), 0, &[], &keys).expect("an adapter");
        model.complete(request(&[Message::User("?".to_owned())])).await.expect("a reply");
        let (head, _) = sent(&server).await;
        assert!(head.starts_with(path) && head.contains("api-key: k3y\r\n"), "{head}");
    }
}
