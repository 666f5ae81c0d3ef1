//! Records, and answers out of them.

use crate::support::{Bench, Server, bearer, question, says};
use koab_core::sensitive::Sensitive;
use koab_gateway::{Form, TrialCalls, read_calls, request_hash};
use serde_json::{Value, json};

/// A server that never answers the same question alike.
async fn moody() -> Server {
    Server::start(|at, _| async move {
        match at {
            3 => ("429 Too Many Requests\r\nretry-after: 99\r\n".to_owned(), "{}".to_owned()),
            _ => says(json!({"role": "assistant", "content": format!("answer {at}")})),
        }
    })
    .await
}

/// Asks all of these, and says what came: status, the headers that clients go by, and body.
async fn conversation(bench: &Bench, token: &Sensitive<String>, questions: &[Value]) -> Vec<String> {
    let mut told = Vec::new();
    for question in questions {
        let answer = bench.ask(token, question).await;
        let headers: Vec<&str> = answer.head.lines().filter(|line| line.contains("retry")).collect();
        told.push(format!("{} {headers:?} {}", answer.status, answer.body));
    }
    told
}

#[tokio::test]
async fn a_replay_gives_the_same_bytes_twice_without_a_model() {
    let server = moody().await;
    let live = Bench::new(&server).await;
    let token = live.trial("live");
    let mut streamed = question("b");
    streamed["stream"] = true.into();
    let mut refused = question("c");
    refused["n"] = 5.into();
    let questions = [question("a"), question("a"), streamed, question("limited"), refused];
    let told = conversation(&live, &token, &questions).await;
    let recorded = live.gateway.end_trial(&token).await.unwrap();
    assert_eq!((recorded.count, recorded.failed), (5, 2));
    assert!(told[3].starts_with("429") && told[3].contains("retry-after: 99"), "{told:?}");

    let bench = Bench::replaying().await;
    for to in ["first", "second"] {
        let token = bench.replay(&live.record("live"), to, false);
        assert_eq!(conversation(&bench, &token, &questions).await, told);
        let calls = bench.gateway.end_trial(&token).await.unwrap();
        assert_eq!((calls.count, calls.failed, calls.replayed), (5, 2, 5));
        assert_eq!((calls.input_tokens, calls.cost_usd), (recorded.input_tokens, recorded.cost_usd));
    }
    assert_eq!(bench.gateway.spent().usd, Some(0.0));
    let again = read_calls(&bench.record("second")).unwrap();
    assert!(again.iter().all(|call| call.replayed));

    // Another order of different questions, book-keeping and the order of fields do not matter.
    let token = bench.replay(&bench.record("second"), "third", false);
    let mut first = json!({"user": "x", "messages": questions[0]["messages"], "model": "m"});
    assert_eq!(request_hash(Form::Chat, &first), request_hash(Form::Chat, &questions[0]));
    let other = conversation(&bench, &token, &[questions[2].clone(), first.clone()]).await;
    assert_eq!(other, [told[2].clone(), told[0].clone()]);

    first["temperature"] = 0.5.into();
    let differs = bench.ask(&token, &first).await;
    assert_eq!(differs.refusal(), (409, "not_recorded".to_owned(), None));
    assert!(differs.head.contains("x-should-retry: false"));
    insta::assert_snapshot!(differs.json()["error"]["message"].as_str().unwrap(), @"this request is not in the record; nearest is call 2, which differs at temperature: 1.0 was recorded and 0.5 came");
    let long = "0123456789".repeat(20);
    let asked = bench.ask(&token, &question(&format!("{long}x"))).await;
    assert!(asked.body.contains("differs at messages[0].content"), "{asked:?}");
    for _ in 0..2 {
        bench.ask(&token, &question("a")).await;
    }
    let over = bench.ask(&token, &question("a")).await;
    insta::assert_snapshot!(over.json()["error"]["message"].as_str().unwrap(), @"this request was recorded 2 times, and all of these answers were given already");
}

#[tokio::test]
async fn a_record_that_was_cut_off_is_read_up_to_there() {
    let server = moody().await;
    let live = Bench::new(&server).await;
    let token = live.trial("t");
    let told = conversation(&live, &token, &[question("a"), question("b")]).await;
    let path = live.record("t");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 10]).unwrap();
    assert_eq!(read_calls(&path).unwrap().len(), 1);
    let bench = Bench::replaying().await;
    let token = bench.replay(&path, "again", false);
    assert_eq!(conversation(&bench, &token, &[question("a")]).await, told[..1]);
    assert_eq!(bench.ask(&token, &question("b")).await.status, 409);

    let text = String::from_utf8(bytes).unwrap().replacen("\"call\":1", "\"call\":\"x\"", 1);
    std::fs::write(&path, text).unwrap();
    let refused = read_calls(&path).unwrap_err().message;
    assert!(refused.to_string().contains("line 1 is no recorded model call"), "{refused}");
}

#[tokio::test]
async fn a_gateway_of_records_asks_for_one_and_one_of_models_for_none() {
    let bench = Bench::replaying().await;
    let refused = bench.gateway.token_for(TrialCalls::default()).err().unwrap();
    assert!(refused.message.to_string().contains("answers from records alone"), "{refused}");
    let server = moody().await;
    let live = Bench::new(&server).await;
    let trial = TrialCalls { replay_from: Some("calls.jsonl".into()), ..TrialCalls::default() };
    assert!(live.gateway.token_for(trial).is_err());
}

/// The two requests of an attempt in each form, with ids of calls that begin so: a question, and it again with what was called.
fn attempt(path: &str, said: &str, id: &str) -> [Value; 2] {
    let parameters = json!({"type": "object", "properties": {"장소": {"type": "string"}}});
    let mut first = match path {
        CHAT => json!({
            "model": "m", "max_tokens": 99, "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": said}],
            "tools": [{"type": "function", "function": {"name": "search", "parameters": parameters}}],
        }),
        RESPONSES => json!({
            "model": "m", "max_output_tokens": 99, "instructions": "s", "prompt_cache_key": id,
            "input": [{"role": "user", "content": [{"type": "input_text", "text": said}]}],
            "tools": [{"type": "function", "name": "search", "parameters": parameters}],
        }),
        MESSAGES => json!({
            "model": "m", "max_tokens": 99, "system": "s", "messages": [{"role": "user", "content": said}],
            "tools": [{"name": "search", "input_schema": parameters}], "metadata": {"user_id": id},
        }),
        _ => json!({
            "systemInstruction": {"parts": [{"text": "s"}]}, "contents": [{"role": "user", "parts": [{"text": said}]}],
            "tools": [{"functionDeclarations": [{"name": "search", "parametersJsonSchema": parameters}]}],
            "generationConfig": {"maxOutputTokens": 99},
        }),
    };
    let question = first.clone();
    let arguments = "{\"장소\":\"강남\"}";
    let (list, more) = match path {
        CHAT => (
            "messages",
            json!([
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": id, "type": "function", "function": {"name": "search", "arguments": arguments}},
                ]},
                {"role": "tool", "tool_call_id": id, "content": "r"},
            ]),
        ),
        RESPONSES => (
            "input",
            json!([
                {"type": "function_call", "call_id": id, "name": "search", "arguments": arguments},
                {"type": "function_call_output", "call_id": id, "output": "r"},
            ]),
        ),
        MESSAGES => (
            "messages",
            json!([
                {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "search", "input": {"장소": "강남"}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "r"}]},
            ]),
        ),
        _ => (
            "contents",
            json!([
                {"role": "model", "parts": [{"functionCall": {"name": "search", "args": {"장소": "강남"}}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "search", "response": {"output": "r"}}}]},
            ]),
        ),
    };
    let list = first[list].as_array_mut().unwrap();
    list.extend(more.as_array().unwrap().clone());
    [question, first]
}

const CHAT: &str = "/v1/chat/completions";
const RESPONSES: &str = "/v1/responses";
const MESSAGES: &str = "/v1/messages";
const GEMINI: &str = "/v1beta/models/m:generateContent";

/// What was called and what was said, by an answer of a form.
fn reply(path: &str, answer: &Value) -> (Value, Value) {
    let at = |pointer: &str| answer.pointer(pointer).cloned().unwrap_or_default();
    match path {
        CHAT => (at("/choices/0/message/tool_calls/0/function/name"), at("/choices/0/message/content")),
        RESPONSES => (at("/output/0/name"), at("/output/0/content/0/text")),
        MESSAGES => (at("/content/0/name"), at("/content/0/text")),
        _ => {
            (at("/candidates/0/content/parts/0/functionCall/name"), at("/candidates/0/content/parts/0/text"))
        }
    }
}

/// A server that calls, and then says the end.
async fn agent_like() -> Server {
    Server::start(|_, body| async move {
        match body["messages"].as_array().unwrap().last().unwrap()["role"].as_str() {
            Some("tool") => says(json!({"role": "assistant", "content": "끝"})),
            _ => says(json!({"role": "assistant", "content": null, "tool_calls": [
                {"id": "call_x", "type": "function", "function": {"name": "search", "arguments": "{ \"장소\": \"강남\" }"}},
            ]})),
        }
    })
    .await
}

#[tokio::test]
async fn a_record_made_through_one_form_answers_every_other() {
    let paths = [CHAT, RESPONSES, MESSAGES, GEMINI];
    for from in paths {
        let server = agent_like().await;
        let (live, token) = Bench::ready(&server).await;
        for body in attempt(from, "q", "call_x") {
            let answer = live.post_to(from, &bearer(&token), &body).await;
            assert_eq!(answer.status, 200, "{from} {answer:?}");
        }
        live.gateway.end_trial(&token).await.unwrap();
        let hashes: Vec<_> = live.calls("t").into_iter().map(|call| call.hash).collect();
        let bench = Bench::replaying().await;
        for to in paths {
            let name = format!("to{}", to.len());
            let token = bench.replay(&live.record("t"), &name, false);
            let [first, second] = attempt(to, "q", "another_id");
            let called = bench.post_to(to, &bearer(&token), &first).await;
            assert_eq!(called.status, 200, "{from} to {to}: {called:?}");
            assert_eq!(reply(to, &called.json()).0, "search", "{from} to {to}: {called:?}");
            let said = bench.post_to(to, &bearer(&token), &second).await;
            assert_eq!(reply(to, &said.json()).1, "끝", "{from} to {to}: {said:?}");
            bench.gateway.end_trial(&token).await.unwrap();
            let again: Vec<_> = bench.calls(&name).into_iter().map(|call| call.hash).collect();
            assert_eq!(again, hashes, "{from} to {to}");
        }
    }
}

#[tokio::test]
async fn a_prompt_that_changes_is_matched_by_what_was_called_where_that_is_asked_for() {
    let server = agent_like().await;
    let (live, token) = Bench::ready(&server).await;
    for body in attempt(CHAT, "it is 10:00", "call_x") {
        assert_eq!(live.ask(&token, &body).await.status, 200);
    }
    live.gateway.end_trial(&token).await.unwrap();
    let bench = Bench::replaying().await;
    let strict = bench.replay(&live.record("t"), "strict", false);
    let [first, second] = attempt(MESSAGES, "it is 11:30", "toolu_1");
    assert_eq!(bench.post_to(MESSAGES, &bearer(&strict), &first).await.status, 409);
    let loose = bench.replay(&live.record("t"), "loose", true);
    // The second request first: what it answers tells it apart.
    let said = bench.post_to(MESSAGES, &bearer(&loose), &second).await;
    assert_eq!(reply(MESSAGES, &said.json()).1, "끝", "{said:?}");
    let called = bench.post_to(MESSAGES, &bearer(&loose), &first).await;
    assert_eq!(reply(MESSAGES, &called.json()).0, "search", "{called:?}");
    let over = bench.post_to(MESSAGES, &bearer(&loose), &first).await;
    assert_eq!(over.status, 409, "each answer is given once");
    bench.gateway.end_trial(&loose).await.unwrap();
    let recorded = std::fs::read_to_string(bench.record("loose")).unwrap();
    let matched: Vec<Value> = recorded
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["matched"].clone())
        .collect();
    assert_eq!(matched, [json!("loosely"), json!("loosely"), Value::Null]);
    // What the record has to the letter is no loose match.
    let exact = bench.replay(&live.record("t"), "exact", true);
    bench.ask(&exact, &attempt(CHAT, "it is 10:00", "any")[0]).await;
    assert_eq!(bench.calls("exact")[0].matched, None);
}
