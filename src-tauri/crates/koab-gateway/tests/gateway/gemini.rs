//! Gemini's generateContent.

use crate::support::{Bench, Server, says};
use serde_json::{Value, json};

const WHOLE: &str = "/v1beta/models/m:generateContent";
const EVENTS: &str = "/v1beta/models/m:streamGenerateContent?alt=sse";

fn tool_call(id: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "search", "arguments": arguments}})
}

/// With both spellings in one body, as Google's own client for Python writes it.
fn question() -> Value {
    json!({
        "contents": [{"role": "user", "parts": [{"text": "q"}]}],
        "systemInstruction": {"role": "user", "parts": [{"text": "s"}]},
        "tools": [{"functionDeclarations": [
            {"name": "search", "parameters_json_schema": {"type": "object", "properties": {"Some_Key": {"type": "string"}}}},
            {"name": "other", "parameters": {"type": "OBJECT", "properties": {
                "n": {"type": "STRING", "nullable": true, "format": "enum", "enum": ["a"]},
                "l": {"type": "ARRAY", "min_items": "2", "items": {"any_of": [{"type": "INTEGER"}]}},
            }}},
        ]}],
        "generationConfig": {
            "temperature": 0.5, "topP": 0.95, "maxOutputTokens": 9, "thinkingConfig": {"thinking_budget": 100, "includeThoughts": true},
        },
    })
}

async fn server() -> Server {
    Server::start(|at, _| async move {
        match at {
            0 => {
                let mut call = tool_call("call_a", "{ \"n\": 1.0e2 }");
                call["extra_content"] = json!({"google": {"thought_signature": "sig"}});
                says(json!({"role": "assistant", "content": "text", "tool_calls": [call, tool_call("call_b", "{}")]}))
            }
            1 => says(json!({"role": "assistant", "content": "끝"})),
            _ => says(json!({"role": "assistant", "content": null, "tool_calls": [tool_call("c", "oops")]})),
        }
    })
    .await
}

#[tokio::test]
async fn a_conversation_crosses_and_comes_back() {
    let server = server().await;
    let (bench, token) = Bench::ready(&server).await;
    let key = format!("x-goog-api-key: {}\r\n", token.expose());
    let mut body = question();
    let first = bench.post_to(WHOLE, &key, &body).await;
    assert_eq!(first.status, 200, "{first:?}");
    assert!(
        first.head.contains("x-koab-left-out: generationconfig.topp, thinkingconfig.includethoughts"),
        "{first:?}"
    );
    let mut answer = first.json();
    answer["responseId"].take();
    assert_eq!(
        answer,
        json!({
            "candidates": [{"content": {"role": "model", "parts": [
                {"text": "text"},
                {"functionCall": {"id": "call_a", "name": "search", "args": {"n": 100.0}}},
                {"functionCall": {"id": "call_b", "name": "search", "args": {}}},
            ]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
            "modelVersion": "m", "responseId": null,
        })
    );
    let sent = server.body(0);
    assert_eq!(sent["messages"][0], json!({"role": "system", "content": "s"}));
    assert_eq!(
        (&sent["temperature"], &sent["max_tokens"], &sent["reasoning_effort"]),
        (&json!(0.5), &json!(9), &json!("low"))
    );
    assert_eq!(
        sent["tools"][0]["function"]["parameters"]["properties"],
        json!({"Some_Key": {"type": "string"}})
    );
    assert_eq!(
        sent["tools"][1]["function"]["parameters"],
        json!({"type": "object", "properties": {
            "n": {"type": ["string", "null"], "enum": ["a"]},
            "l": {"type": "array", "minItems": 2, "items": {"anyOf": [{"type": "integer"}]}},
        }})
    );

    // The answers of the second turn come without ids, and go by name and order.
    let contents = body["contents"].as_array_mut().unwrap();
    contents.push(answer["candidates"][0]["content"].clone());
    contents.push(json!({"role": "user", "parts": [
        {"functionResponse": {"name": "search", "response": {"output": "one"}}},
        {"functionResponse": {"name": "search", "response": {"output": "two", "more": 1}}},
        {"text": "and?"},
    ]}));
    let key = format!("{EVENTS}&key={}", token.expose());
    let second = bench.post_to(&key, "", &body).await;
    assert_eq!(second.status, 200, "{second:?}");
    let messages = &server.body(1)["messages"];
    let mut call = tool_call("call_a", "{ \"n\": 1.0e2 }");
    call["extra_content"] = json!({"google": {"thought_signature": "sig"}});
    assert_eq!(messages[2]["tool_calls"], json!([call, tool_call("call_b", "{}")]));
    assert_eq!(
        (&messages[3], &messages[4], &messages[5]["content"]),
        (
            &json!({"role": "tool", "tool_call_id": "call_a", "content": "one"}),
            &json!({"role": "tool", "tool_call_id": "call_b", "content": "{\"output\":\"two\",\"more\":1}"}),
            &json!("and?")
        )
    );
    let broken = bench.post_to(WHOLE, &format!("x-goog-api-key: {}\r\n", token.expose()), &question()).await;
    assert_eq!(broken.json()["candidates"][0]["finishReason"], "MALFORMED_FUNCTION_CALL");
    assert!(broken.head.contains("functioncall.args"), "{broken:?}");
}

#[tokio::test]
async fn pieces_are_events_or_one_array() {
    let bench_of = server;
    for (path, kind) in
        [(EVENTS, "text/event-stream"), ("/v1beta/models/m:streamGenerateContent", "application/json")]
    {
        let server = bench_of().await;
        let (bench, token) = Bench::ready(&server).await;
        let key = format!("x-goog-api-key: {}\r\n", token.expose());
        let answer = bench.post_to(path, &key, &question()).await;
        assert!(answer.head.contains(&format!("content-type: {kind}")), "{answer:?}");
        let pieces: Vec<Value> = match kind {
            "application/json" => serde_json::from_str(&answer.body).unwrap(),
            _ => answer.events().into_iter().map(|(_, data)| data).collect(),
        };
        let told: Vec<String> = pieces
            .iter()
            .map(|piece| {
                let candidate = &piece["candidates"][0];
                format!("{} {}", candidate["content"]["parts"][0], candidate["finishReason"])
            })
            .collect();
        assert_eq!(
            told,
            [
                "{\"text\":\"text\"} null",
                "{\"functionCall\":{\"id\":\"call_a\",\"name\":\"search\",\"args\":{\"n\":100.0}}} null",
                "{\"functionCall\":{\"id\":\"call_b\",\"name\":\"search\",\"args\":{}}} null",
                "{\"text\":\"\"} \"STOP\"",
            ]
        );
        assert_eq!(pieces[3]["usageMetadata"]["totalTokenCount"], 120);
    }
}

#[tokio::test]
async fn errors_counts_and_lists_are_those_of_the_vendor() {
    let server = server().await;
    let (bench, token) = Bench::ready(&server).await;
    let key = format!("x-goog-api-key: {}\r\n", token.expose());
    let mut told = Vec::new();
    for (field, value) in [
        ("contents", json!([])),
        ("contents", json!([{"parts": [{"inlineData": {"data": ""}}]}])),
        ("contents", json!([{"parts": [{"functionResponse": {"name": "search", "response": {}}}]}])),
        ("cachedContent", json!("c")),
        ("toolConfig", json!({"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["none"]}})),
        ("generationConfig", json!({"candidateCount": 2})),
        ("generationConfig", json!({"responseSchema": {"type": "OBJECT"}})),
    ] {
        let mut body = question();
        body[field] = value;
        let error = bench.post_to(WHOLE, &key, &body).await.json()["error"].clone();
        told.push(format!(
            "{} {} {}",
            error["code"], error["status"], error["details"][0]["fieldViolations"][0]["field"]
        ));
    }
    for (path, key) in [
        ("/v1beta/models/other:generateContent", key.as_str()),
        ("/v1beta/models/m:embedContent", &key),
        (WHOLE, "x-goog-api-key: wrong\r\n"),
    ] {
        let error = bench.post_to(path, key, &question()).await.json()["error"].clone();
        told.push(format!("{} {}", error["code"], error["status"]));
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    400 "INVALID_ARGUMENT" "contents"
    400 "INVALID_ARGUMENT" "contents[0].parts[0].inlineData"
    400 "INVALID_ARGUMENT" "contents[0].parts[0].functionResponse"
    400 "INVALID_ARGUMENT" "cachedContent"
    400 "INVALID_ARGUMENT" "toolConfig.functionCallingConfig"
    400 "INVALID_ARGUMENT" "generationConfig.candidateCount"
    400 "INVALID_ARGUMENT" "generationConfig.responseMimeType"
    404 "NOT_FOUND"
    404 "NOT_FOUND"
    401 "UNAUTHENTICATED"
    "#);
    let body = json!({"contents": [{"parts": [{"text": "12345678 "}]}]});
    let counted = bench.post_to("/v1beta/models/m:countTokens", &key, &body).await;
    assert_eq!(counted.json(), json!({"totalTokens": 3}));
    let list = format!("GET /v1beta/models HTTP/1.1\r\nhost: g\r\nconnection: close\r\n{key}\r\n");
    assert_eq!(bench.send(&list).await.json()["models"][0]["name"], "models/m");
    assert_eq!(server.count(), 0);
}
