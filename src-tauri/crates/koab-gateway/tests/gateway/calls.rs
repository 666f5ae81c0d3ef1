//! What crosses: conversations, tools, forms, errors, money.

use crate::support::{Bench, CANARY, Server, bearer, question, says, soon};
use koab_models::SpendingCaps;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Barrier;

/// Arguments that any parsing and writing again would change.
const ARGUMENTS: &str = "{ \"장소\":\"\\uac15남\", \"n\": 1.0e2,\"deep\":{\"b\":[{\"a\":null}, 9007199254740993],\"a\":\"\\\"x\\\"\"} }";

fn tool_call(id: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "search", "arguments": arguments}})
}

#[tokio::test]
async fn tool_calls_cross_in_both_directions_as_they_were_written() {
    let server = Server::start(|at, _| async move {
        match at {
            0 => {
                let mut call = tool_call("call_a", ARGUMENTS);
                // What Google wants back with the call, and its client may not know.
                call["extra_content"] = json!({"google": {"thought_signature": "sig"}});
                says(json!({"role": "assistant", "content": null, "tool_calls": [call, tool_call("call_b", "not json")]}))
            }
            _ => says(json!({"role": "assistant", "content": "끝"})),
        }
    })
    .await;
    let bench = Bench::new(&server).await;
    let token = bench.trial("tools");
    let tools = json!([{"type": "function", "function": {
        "name": "search", "description": "찾기",
        "parameters": {"type": "object", "properties": {"장소": {"type": "string"}}, "required": ["장소"]},
    }}]);
    let mut body = json!({
        "model": "openai_compat/m", "tools": tools, "tool_choice": "auto", "seed": 7, "temperature": 0.25,
        "max_tokens": 99, "reasoning_effort": "low", "top_p": 1, "n": 1, "user": "somebody",
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "u"}]}],
    });
    let first = bench.ask(&token, &body).await;
    assert_eq!(first.status, 200, "{first:?}");
    assert!(first.head.contains("x-koab-left-out: user"), "{first:?}");
    let message = first.message();
    assert_eq!(
        message["tool_calls"],
        json!([tool_call("call_a", ARGUMENTS), tool_call("call_b", "not json")])
    );
    assert_eq!(first.json()["choices"][0]["finish_reason"], "tool_calls");
    let sent = server.body(0);
    for (field, value) in [
        ("tools", &tools),
        ("seed", &json!(7)),
        ("temperature", &json!(0.25)),
        ("max_tokens", &json!(99)),
        ("reasoning_effort", &json!("low")),
        ("user", &Value::Null),
    ] {
        assert_eq!(&sent[field], value, "{field}");
    }
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(message);
    messages.push(json!({"role": "tool", "tool_call_id": "call_a", "content": "{\"ok\": 1}"}));
    messages.push(json!({"role": "user", "name": "critic", "content": "more"}));
    let second = bench.ask(&token, &body).await;
    assert_eq!(second.message()["content"], "끝");
    let sent = server.body(1);
    let mut call = tool_call("call_a", ARGUMENTS);
    call["extra_content"] = json!({"google": {"thought_signature": "sig"}});
    assert_eq!(sent["messages"][2]["tool_calls"], json!([call, tool_call("call_b", "not json")]));
    assert_eq!(
        sent["messages"][3],
        json!({"role": "tool", "tool_call_id": "call_a", "content": "{\"ok\": 1}"})
    );
    assert_eq!(sent["messages"][4]["content"], "critic said:\nmore");
    let calls = bench.gateway.end_trial(&token).await.unwrap();
    assert_eq!((calls.count, calls.failed, calls.input_tokens, calls.output_tokens), (2, 0, 200, 40));
    assert_eq!((calls.cost_usd, calls.note), (Some(0.006), None));
    assert_eq!(bench.gateway.spent().usd, Some(0.006));
    let recorded = bench.calls("tools");
    assert_eq!(recorded[1].request, body, "as it came, the fields that stayed here included");
    assert_eq!(
        recorded[0].response["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"],
        ARGUMENTS
    );
    assert_eq!(
        (recorded[0].cost_usd, recorded[0].left_out.as_slice()),
        (Some(0.003), &["user".to_owned()][..])
    );
}

#[tokio::test]
async fn streams_tell_the_same_answer_as_events() {
    let server = Server::start(|_, _| async {
        says(json!({"role": "assistant", "content": "text", "tool_calls": [tool_call("c", "{}")]}))
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    let mut body = question("q");
    body["stream"] = true.into();
    body["stream_options"] = json!({"include_usage": true});
    let answer = bench.ask(&token, &body).await;
    assert!(answer.head.contains("content-type: text/event-stream"), "{answer:?}");
    let chunks: Vec<Value> = answer
        .body
        .trim()
        .split("\n\n")
        .map(|event| event.strip_prefix("data: ").unwrap())
        .filter(|data| *data != "[DONE]")
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    assert!(answer.body.ends_with("data: [DONE]\n\n"));
    let told: Vec<String> = chunks
        .iter()
        .map(|chunk| {
            format!(
                "{} {} {}",
                chunk["choices"][0]["delta"], chunk["choices"][0]["finish_reason"], chunk["usage"]
            )
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    {"role":"assistant","content":""} null null
    {"content":"text"} null null
    {"tool_calls":[{"id":"c","type":"function","function":{"name":"search","arguments":"{}"},"index":0}]} null null
    {} "tool_calls" null
    null null {"prompt_tokens":100,"completion_tokens":20,"total_tokens":120}
    "#);
    assert!(
        chunks
            .iter()
            .all(|chunk| chunk["id"] == chunks[0]["id"] && chunk["object"] == "chat.completion.chunk")
    );
    let recorded = &bench.calls("t")[0];
    assert_eq!(recorded.response["object"], "chat.completion");
    body["messages"] = json!([]);
    let refused = bench.ask(&token, &body).await;
    assert_eq!(refused.refusal().0, 400, "an error is no stream");
}

#[tokio::test]
async fn calls_of_several_trials_at_once_are_kept_apart() {
    let together = Arc::new(Barrier::new(6));
    let server = Server::start(move |_, body| {
        let together = Arc::clone(&together);
        async move {
            together.wait().await;
            says(json!({"role": "assistant", "content": format!("re: {}", body["messages"][0]["content"].as_str().unwrap())}))
        }
    })
    .await;
    let bench = Bench::new(&server).await;
    let tokens = [bench.trial("a"), bench.trial("b")];
    let ask = async |at: usize| {
        let text = format!("{} of {}", at / 2, ["a", "b"][at % 2]);
        let answer = bench.ask(&tokens[at % 2], &question(&text)).await;
        assert_eq!(answer.message()["content"], format!("re: {text}"));
    };
    soon(async { tokio::join!(ask(0), ask(1), ask(2), ask(3), ask(4), ask(5)) }).await;
    for (at, trial) in ["a", "b"].into_iter().enumerate() {
        let calls = bench.calls(trial);
        let numbers: Vec<u32> = calls.iter().map(|call| call.call).collect();
        assert_eq!(numbers, [1, 2, 3]);
        assert!(calls.iter().all(|call| call.request.to_string().contains(&format!("of {trial}"))));
        assert_eq!(bench.gateway.end_trial(&tokens[at]).await.unwrap().count, 3);
    }
}

#[tokio::test]
async fn a_spent_budget_refuses_and_sends_nothing() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let bench = Bench::with(&server, |options| {
        options.caps = SpendingCaps { max_total_tokens: Some(900), ..SpendingCaps::default() };
        options.max_tokens = 50;
    })
    .await;
    let token = bench.trial("t");
    for _ in 0..2 {
        assert_eq!(bench.ask(&token, &question("q")).await.status, 200);
    }
    let refused = bench.ask(&token, &question("q")).await;
    assert_eq!(refused.refusal(), (402, "budget_exhausted".to_owned(), None));
    assert!(refused.head.contains("x-should-retry: false"));
    assert!(refused.body.contains("the budget of 900 tokens is spent: 240 are used"), "{refused:?}");
    assert_eq!(server.count(), 2);
    let calls = bench.gateway.end_trial(&token).await.unwrap();
    assert_eq!((calls.count, calls.failed, calls.cost_usd), (3, 1, Some(0.006)));
    let last = &bench.calls("t")[2];
    assert_eq!((last.status, last.cost_usd), (Some(402), Some(0.0)));
}

#[tokio::test]
async fn errors_of_the_provider_arrive_as_openai_has_them_and_without_the_key() {
    let server = Server::start(|at, _| async move {
        let echoed = json!({"error": {"message": format!("bad key {CANARY}")}}).to_string();
        match at {
            0 => ("401 Unauthorized\r\n".to_owned(), echoed),
            1 => ("429 Too Many Requests\r\nretry-after: 120\r\n".to_owned(), echoed),
            2 => ("400 Bad Request\r\n".to_owned(), echoed),
            3 => (
                "404 Not Found\r\n".to_owned(),
                json!({"error": {"message": "no model m", "code": "model_not_found"}}).to_string(),
            ),
            _ => ("200 OK\r\n".to_owned(), "{}".to_owned()),
        }
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    let mut told = Vec::new();
    for _ in 0..4 {
        let answer = bench.ask(&token, &question("q")).await;
        assert!(!answer.body.contains(CANARY) && !answer.head.contains(CANARY), "{answer:?}");
        let headers = answer.head.lines();
        let headers: Vec<&str> = headers.filter(|line| line.contains("retry")).collect();
        let (status, code, _) = answer.refusal();
        told.push(format!("{status} {code} {}", headers.join(", ")));
    }
    insta::assert_snapshot!(told.join("\n"), @r"
    502 provider_refuses_key x-should-retry: false
    429 rate_limit_exceeded retry-after: 120, x-should-retry: true
    400 provider_error x-should-retry: false
    502 provider_lacks_model x-should-retry: false
    ");
    let seen = server.asked.lock().unwrap()[0].0.clone();
    assert!(seen.contains(CANARY), "the key went where it belongs: {seen}");
    let record = std::fs::read_to_string(bench.record("t")).unwrap();
    assert!(!record.contains(CANARY) && !record.contains(token.expose()), "{record}");
    assert_eq!(bench.gateway.end_trial(&token).await.unwrap().cost_usd, Some(0.0));
}

#[tokio::test]
async fn what_cannot_be_carried_is_refused_by_its_name() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let (bench, token) = Bench::ready(&server).await;
    let tool = json!([{"type": "function", "function": {"name": "f"}}]);
    let image = json!([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]}]);
    let mut told = Vec::new();
    for (field, value) in [
        ("model", json!("gpt-4o")),
        ("model", Value::Null),
        ("messages", json!([])),
        ("messages", image),
        ("messages", json!([{"role": "function", "name": "f", "content": ""}])),
        ("messages", json!([{"role": "assistant", "audio": {"id": "a"}}])),
        ("messages", json!([{"role": "tool", "content": ""}])),
        ("temperature", json!(3)),
        ("max_tokens", json!(0)),
        ("seed", json!(-1)),
        ("n", json!(2)),
        ("logprobs", json!(true)),
        ("tool_choice", json!("required")),
        ("tools", json!([{"type": "web_search"}])),
        ("response_format", json!({"type": "grammar"})),
        ("stop", json!([""])),
        ("parallel_tool_calls", json!("no")),
        ("a_field_of_tomorrow", json!({})),
    ] {
        let mut body = question("q");
        body[field] = value.clone();
        let answer = bench.ask(&token, &body).await;
        let (status, _, param) = answer.refusal();
        told.push(format!("{field}={value}: {status} {}", param.unwrap_or_default()));
    }
    let mut both = question("q");
    both["tools"] = tool;
    both["response_format"] = json!({"type": "json_object"});
    assert_eq!(bench.ask(&token, &both).await.refusal().2.as_deref(), Some("response_format"));
    assert_eq!(bench.post(Some(token.expose()), "{\"model\"").await.refusal().1, "invalid_json");
    insta::assert_snapshot!(told.join("\n"), @r#"
    model="gpt-4o": 404 model
    model=null: 400 model
    messages=[]: 400 messages
    messages=[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}]: 400 messages[0].content[0].type
    messages=[{"role":"function","name":"f","content":""}]: 400 messages[0].role
    messages=[{"role":"assistant","audio":{"id":"a"}}]: 400 messages[0].audio
    messages=[{"role":"tool","content":""}]: 400 messages[0].tool_call_id
    temperature=3: 400 temperature
    max_tokens=0: 400 max_tokens
    seed=-1: 400 seed
    n=2: 400 n
    logprobs=true: 400 logprobs
    tool_choice="required": 400 tool_choice
    tools=[{"type":"web_search"}]: 400 tools[0]
    response_format={"type":"grammar"}: 400 response_format.type
    stop=[""]: 400 stop
    parallel_tool_calls="no": 400 parallel_tool_calls
    a_field_of_tomorrow={}: 400 a_field_of_tomorrow
    "#);
    assert_eq!(server.count(), 0);
    assert_eq!(bench.calls("t").len(), 20, "refusals are calls, too");
}

#[tokio::test]
async fn stops_and_strict_forms_are_kept_whatever_the_server_does() {
    let server = Server::start(|at, _| async move {
        let text = ["one END two", "{\"a\": 1}", "{\"a\": \"x\"}"][at.min(2)];
        says(json!({"role": "assistant", "content": text}))
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    let mut body = question("q");
    body["stop"] = json!(["END", "never"]);
    let answer = bench.ask(&token, &body).await;
    assert_eq!(answer.message()["content"], "one ");
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    let mut body = question("q");
    body["response_format"] =
        json!({"type": "json_schema", "json_schema": {"name": "n", "schema": schema, "strict": true}});
    assert_eq!(bench.ask(&token, &body).await.message()["content"], "{\"a\": 1}");
    assert_eq!(server.body(1)["response_format"]["json_schema"]["schema"], schema);
    let broken = bench.ask(&token, &body).await;
    assert_eq!(broken.refusal(), (502, "form_not_kept".to_owned(), None));
    let recorded = &bench.calls("t")[2];
    assert_eq!(recorded.cost_usd, Some(0.003), "it was paid for all the same");
}

#[tokio::test]
async fn a_caller_that_leaves_ends_its_call_which_is_written_down() {
    let server = Server::start(|_, _| std::future::pending()).await;
    let (bench, token) = Bench::ready(&server).await;
    let body = question("q").to_string();
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: g\r\nauthorization: Bearer {}\r\ncontent-length: {}\r\n\r\n{body}",
        token.expose(),
        body.len()
    );
    let stream = bench.connect(&request).await;
    let waiting = bench.connect(&request).await;
    soon(async {
        while server.count() < 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
    drop(stream);
    soon(server.left.notified()).await;
    // The other one is ended with its trial.
    let calls = soon(bench.gateway.end_trial(&token)).await.unwrap();
    soon(server.left.notified()).await;
    assert_eq!((calls.count, calls.failed, calls.cost_usd), (2, 2, None));
    assert!(calls.note.unwrap().to_string().contains("interrupted"));
    for call in bench.calls("t") {
        assert_eq!((call.status, call.cost_usd), (None, None));
    }
    drop(waiting);
}

#[tokio::test]
async fn a_limit_above_what_the_model_gives_is_lowered_and_named() {
    let server = Server::start(|_, body| async move {
        match body["max_tokens"].as_u64().unwrap() {
            asked @ 16_385.. => {
                let message = format!(
                    "max_tokens is too large: {asked}. This model supports at most 16384 completion tokens, whereas you provided {asked}."
                );
                let error = json!({"error": {"message": message, "param": "max_tokens"}});
                ("400 Bad Request\r\n".to_owned(), error.to_string())
            }
            _ => says(json!({"role": "assistant", "content": "a"})),
        }
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    let message = json!([{"role": "user", "content": "q"}]);
    let stream = json!({"model": "m", "max_completion_tokens": 32_000, "stream": true, "messages": message});
    for (path, body, field) in [
        ("/v1/chat/completions", stream, "max_completion_tokens"),
        (
            "/v1/responses",
            json!({"model": "m", "max_output_tokens": 20_000, "input": "q"}),
            "max_output_tokens",
        ),
        ("/v1/messages", json!({"model": "m", "max_tokens": 32_000, "messages": message}), "max_tokens"),
        (
            "/v1beta/models/m:generateContent",
            json!({"contents": [{"parts": [{"text": "q"}]}], "generationConfig": {"maxOutputTokens": 65_536}}),
            "generationconfig.maxoutputtokens",
        ),
    ] {
        let answer = bench.post_to(path, &bearer(&token), &body).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let named = format!("x-koab-left-out: {field} above 16384");
        assert!(answer.head.contains(&named), "{answer:?}");
    }
    assert_eq!(server.count(), 5, "asked too much once, and never again");
    assert_eq!(server.body(1)["max_tokens"], 16_384);
    let calls = bench.gateway.end_trial(&token).await.unwrap();
    assert_eq!((calls.count, calls.failed), (4, 0));
    // A limit that the model can give stays as it is, and is named nowhere.
    let token = bench.trial("fine");
    let mut body = question("q");
    body["max_tokens"] = 16_384.into();
    let answer = bench.ask(&token, &body).await;
    assert!(!answer.head.contains("x-koab-left-out"), "{answer:?}");
}
