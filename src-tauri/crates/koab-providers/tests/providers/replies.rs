//! What servers answer, and what the adapter makes of it.

use crate::providers::support::{self, Script, Server, events, request};
use koab_engine::ports::{FinishReason, Message, ModelAdapter, ModelReply, RequestedCall, Usage};
use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

fn user() -> [Message; 1] {
    [Message::User("안녕".to_owned())]
}

/// A reply without its times, on a few lines.
fn summary(reply: &ModelReply) -> String {
    let mut told = format!("{:?} {:?}", reply.content, reply.finish);
    if let Some(usage) = reply.usage {
        let _ = write!(told, " {}+{}={}", usage.prompt_tokens, usage.completion_tokens, usage.total_tokens);
    }
    for call in &reply.calls {
        let _ = write!(told, " | {} {}{}", call.id, call.name, call.arguments);
    }
    told
}

async fn ask(script: Script) -> ModelReply {
    let server = Server::start(vec![script]).await;
    server.adapter("m", None).complete(request(&user())).await.expect("a reply")
}

#[tokio::test]
async fn streams_are_read_as_servers_write_them() {
    let delta =
        |delta: &str| format!(r#"{{"choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#);
    let end =
        |reason: &str| format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#);
    let usage = r#"{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}"#;
    let calls = |calls: &str| delta(&format!(r#"{{"tool_calls":[{calls}]}}"#));
    let table: &[(&str, Vec<String>, &str)] = &[
        (
            "text with usage",
            vec![delta(r#"{"role":"assistant","content":""}"#), delta(r#"{"content":"안"}"#), delta(r#"{"content":"녕"}"#), end("stop"), usage.to_owned()],
            r#""안녕" Stop 10+5=15"#,
        ),
        (
            "two calls by index, pieces interleaved",
            vec![
                calls(r#"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}"#),
                calls(r#"{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":"{\"y\""}}"#),
                calls(r#"{"index":0,"function":{"arguments":"{\"x\":1"}},{"index":1,"function":{"arguments":":2}"}}"#),
                calls(r#"{"index":0,"function":{"arguments":"}"}}"#),
                end("tool_calls"),
            ],
            r#""" ToolCalls | a f{"x":1} | b g{"y":2}"#,
        ),
        (
            "calls in the wrong order, a name in every piece",
            vec![
                calls(r#"{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}"#),
                calls(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#),
                calls(r#"{"index":1,"id":"b","function":{"name":"g","arguments":"}"}}"#),
                end("tool_calls"),
            ],
            r#""" ToolCalls | a f{} | b g{}"#,
        ),
        (
            "no ids: made of the step and the place",
            vec![calls(r#"{"index":0,"function":{"name":"f","arguments":"{}"}},{"index":1,"id":"","function":{"name":"g","arguments":"{}"}}"#), end("tool_calls")],
            r#""" ToolCalls | call_2_1 f{} | call_2_2 g{}"#,
        ),
        (
            "one id for both calls",
            vec![calls(r#"{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"c","function":{"name":"f","arguments":"{}"}}"#), end("tool_calls")],
            r#""" ToolCalls | c f{} | call_2_2 f{}"#,
        ),
        (
            "no index, whole calls, arguments as objects, stop as reason",
            vec![
                calls(r#"{"function":{"name":"f","arguments":{"x":1,"가":[2]}}}"#),
                calls(r#"{"function":{"name":"f","arguments":{"x":2}}}"#),
                end("stop"),
            ],
            r#""" ToolCalls | call_2_1 f{"x":1,"가":[2]} | call_2_2 f{"x":2}"#,
        ),
        (
            "no index and no ids, arguments in pieces",
            vec![
                calls(r#"{"function":{"name":"f","arguments":"{\"x\""}}"#),
                calls(r#"{"function":{"arguments":":1}"}}"#),
                calls(r#"{"function":{"name":"g","arguments":"{}"}}"#),
                end("tool_calls"),
            ],
            r#""" ToolCalls | call_2_1 f{"x":1} | call_2_2 g{}"#,
        ),
        (
            "index 0 for every call",
            vec![
                calls(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#),
                calls(r#"{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}"#),
                end("tool_calls"),
            ],
            r#""" ToolCalls | a f{} | b g{}"#,
        ),
        (
            "arguments that are not JSON are kept as they are",
            vec![calls(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{not json"}}"#), end("tool_calls")],
            r#""" ToolCalls | a f{not json"#,
        ),
        ("null content and parts", vec![delta(r#"{"content":null}"#), delta(r#"{"content":[{"type":"text","text":"가"},{"type":"text","text":"나"}]}"#), end("stop")], r#""가나" Stop"#),
        ("thinking is not part of the answer", vec![delta(r#"{"reasoning_content":"음"}"#), delta(r#"{"reasoning":"흠"}"#), delta(r#"{"content":"답"}"#), end("stop")], r#""답" Stop"#),
        ("a refusal is what was said", vec![delta(r#"{"refusal":"안 "}"#), delta(r#"{"refusal":"돼요"}"#), end("content_filter")], r#""안 돼요" ContentFilter"#),
        ("cut off", vec![delta(r#"{"content":"가"}"#), end("length")], r#""가" Length"#),
        ("an unknown reason", vec![delta(r#"{"content":"가"}"#), end("paused")], r#""가" Other(Some("paused"))"#),
        ("no reason but the closing mark", vec![delta(r#"{"content":"가"}"#)], r#""가" Other(None)"#),
        ("half of a usage is none, unless the total tells", vec![delta(r#"{"content":"가"}"#), end("stop"), r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":null}}"#.to_owned()], r#""가" Stop"#),
        ("usage by total", vec![delta(r#"{"content":"가"}"#), end("stop"), r#"{"choices":[],"usage":{"prompt_tokens":3,"total_tokens":5}}"#.to_owned()], r#""가" Stop 3+2=5"#),
        ("usage null in every event", vec![r#"{"choices":[{"delta":{"content":"가"}}],"usage":null,"error":null}"#.to_owned(), end("stop")], r#""가" Stop"#),
        ("fields of unknown kinds", vec![r#"{"id":7,"choices":[{"index":"0","delta":{"content":"가","audio":{"x":1},"tool_calls":null},"logprobs":[1]}],"x_groq":{}}"#.to_owned(), end("stop")], r#""가" Stop"#),
    ];
    for (what, data, expected) in table {
        let data: Vec<&str> = data.iter().map(String::as_str).collect();
        assert_eq!(summary(&ask(Script::stream([events(&data)])).await), *expected, "{what}");
    }
}

#[tokio::test]
async fn event_streams_in_every_dress() {
    let first = r#"{"choices":[{"delta":{"content":"가나"}}]}"#;
    let last = r#"{"choices":[{"delta":{"content":"다"},"finish_reason":"stop"}]}"#;
    for (what, body) in [
        ("carriage returns", format!("data: {first}\r\n\r\ndata: {last}\r\n\r\ndata: [DONE]\r\n\r\n")),
        ("old Macs", format!("data: {first}\r\rdata: {last}\r\rdata: [DONE]\r\r")),
        ("no space after the colon", format!("data:{first}\n\ndata:{last}\n\ndata:[DONE]\n\n")),
        (
            "comments and pings",
            format!(
                ": OPENROUTER PROCESSING\n\n:\n\nevent: ping\ndata: x\n\ndata: {first}\n\nevent: ping\ndata: {{\"type\":\"ping\"}}\n\ndata: {last}\n\ndata: [DONE]\n\n"
            ),
        ),
        (
            "named events and ids",
            format!("id: 1\nevent: message\nretry: 5\ndata: {first}\n\nevent: chunk\ndata: {last}\n\n"),
        ),
        (
            "several data lines",
            format!("data: {}\ndata: {}\n\ndata: {last}\n\ndata: [DONE]\n\n", &first[..11], &first[11..]),
        ),
        ("a byte order mark", format!("\u{feff}data: {first}\n\ndata: {last}\n\n")),
        ("no closing mark", format!("data: {first}\n\ndata: {last}\n\n")),
        ("no blank line at the end", format!("data: {first}\n\ndata: {last}")),
        ("an empty event", format!("data:\n\ndata: {first}\n\ndata: \n\ndata: {last}\n\n")),
        ("blank lines first", format!("\n\n\ndata: {first}\n\ndata: {last}\n\n")),
    ] {
        assert_eq!(summary(&ask(Script::stream([body])).await), r#""가나다" Stop"#, "{what}");
    }
}

#[tokio::test]
async fn pieces_may_end_anywhere() {
    let body = events(&[
        r#"{"choices":[{"delta":{"content":"가😀"}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"q\":\"나\"}"}}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
    ])
    .replace('\n', "\r\n");
    for size in [1, 2, 3, 5, 7, 11, 64] {
        let script = Script::stream(body.as_bytes().chunks(size)).paused(Duration::from_micros(20));
        assert_eq!(
            summary(&ask(script).await),
            r#""가😀" ToolCalls | a f{"q":"나"}"#,
            "pieces of {size} bytes"
        );
    }
}

#[tokio::test]
async fn plain_answers_are_read_and_have_no_first_token() {
    for (body, expected) in [
        (
            r#"{"choices":[{"message":{"role":"assistant","content":"가"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
            r#""가" Stop 1+2=3"#,
        ),
        (
            r#" {"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{bad"}},{"function":{"name":"f","arguments":{"x":1}}}]},"finish_reason":"tool_calls"}]}"#,
            r#""" ToolCalls | a f{bad | call_2_2 f{"x":1}"#,
        ),
        (r#"{"choices":[{"message":{"content":[{"type":"text","text":"가"}]}}]}"#, r#""가" Other(None)"#),
    ] {
        let reply = ask(Script::json(body)).await;
        assert_eq!((summary(&reply), reply.first_token), (expected.to_owned(), None));
    }
    let mislabelled = Script::whole(
        "200 OK",
        "content-type: text/plain\r\n",
        &events(&[r#"{"choices":[{"delta":{"content":"가"},"finish_reason":"stop"}]}"#]),
    );
    let reply = ask(mislabelled).await;
    assert!(reply.content == "가" && reply.first_token.is_some(), "{reply:?}");
}

#[tokio::test]
async fn ids_stay_unique_in_the_conversation() {
    let call = RequestedCall { id: "call_0".to_owned(), name: "f".to_owned(), arguments: "{}".to_owned() };
    let messages = [
        Message::User("?".to_owned()),
        Message::Assistant { content: String::new(), calls: vec![call], opaque: None },
        Message::Tool { call_id: "call_0".to_owned(), content: "1".to_owned() },
    ];
    let again = r#"{"choices":[{"message":{"tool_calls":[{"id":"call_0","function":{"name":"g","arguments":"{}"}}]}}]}"#;
    let server = Server::start(vec![Script::json(again)]).await;
    let reply = server.adapter("m", None).complete(request(&messages)).await.expect("a reply");
    assert_eq!(reply.calls[0].id, "call_2_1");
}

#[tokio::test]
async fn the_first_token_is_the_first_output() {
    const PAUSE: Duration = Duration::from_millis(10);
    // What follows comes so much later that no busy machine takes it for the first.
    const LATER: Duration = Duration::from_secs(2);
    let role = r#"data: {"choices":[{"delta":{"role":"assistant","content":""}}]}"#;
    let table = [
        ("text", r#"{"content":"가"}"#, 3),
        ("thinking", r#"{"reasoning_content":"음"}"#, 3),
        ("a tool call", r#"{"tool_calls":[{"index":0,"function":{"name":"f","arguments":""}}]}"#, 3),
        ("nothing yet", r#"{"content":"","tool_calls":[],"reasoning":null}"#, 4),
    ];
    let asked = table.map(async |(what, first, pauses)| {
        let pieces = [
            format!("{role}\n\n"),
            ": ping\n\n".to_owned(),
            format!("data: {{\"choices\":[{{\"delta\":{first}}}]}}\n\n"),
            "data: {\"choices\":[{\"delta\":{\"content\":\"나\"},\"finish_reason\":\"stop\"}]}\n\n"
                .to_owned(),
            "data: [DONE]\n\n".to_owned(),
        ];
        let script = Script::stream(pieces).paused(PAUSE);
        let reply = ask(script.paused_before(pauses as usize + 1, LATER)).await;
        let first_token = reply.first_token.expect("a first token");
        assert!(first_token >= PAUSE * pauses && first_token < LATER, "{what}: {first_token:?}");
        assert!(reply.latency >= PAUSE * pauses + LATER, "{what}: {:?}", reply.latency);
    });
    futures_util::future::join_all(asked).await;
}

#[tokio::test]
async fn a_stream_of_nothing_but_an_end_has_no_first_token() {
    let reply = ask(Script::stream([events(&[
        r#"{"choices":[{"delta":{"role":"assistant"},"finish_reason":"stop"}]}"#,
    ])]))
    .await;
    assert_eq!((reply.content.as_str(), reply.finish, reply.first_token), ("", FinishReason::Stop, None));
    assert_eq!(reply.usage, None::<Usage>);
}

#[tokio::test]
async fn the_key_is_sent_as_bearer_and_only_when_there_is_one() {
    let answer = Script::json(r#"{"choices":[{"message":{"content":"가"}}]}"#);
    let server = Server::start(vec![answer]).await;
    server.adapter("m", Some(" k-1\n")).complete(request(&user())).await.expect("a reply");
    server.adapter("m", None).complete(request(&user())).await.expect("a reply");
    let requests = server.requests.lock().expect("requests");
    assert!(requests[0].0.starts_with("POST /v1/chat/completions HTTP/1.1"), "{}", requests[0].0);
    assert!(requests[0].0.to_lowercase().contains("authorization: bearer k-1\r\n"), "{}", requests[0].0);
    assert!(!requests[1].0.to_lowercase().contains("authorization"), "{}", requests[1].0);
    assert_eq!(support::json(&requests[1].1)["stream"], true);
}

#[tokio::test]
async fn dropping_the_call_ends_it() {
    let piece = "data: {\"choices\":[{\"delta\":{\"content\":\"가\"}}]}\n\n";
    let server = Server::start(vec![Script::stream([piece; 200]).paused(Duration::from_millis(20))]).await;
    let adapter = server.adapter("m", None);
    let messages = user();
    let call = tokio::time::timeout(Duration::from_millis(60), adapter.complete(request(&messages)));
    assert!(call.await.is_err(), "the stream is longer than that");
    let begin = Instant::now();
    while server.abandoned.load(Ordering::SeqCst) == 0 {
        assert!(begin.elapsed() < Duration::from_secs(60), "the connection is still open");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A run of 91 tasks makes about 300 calls. What the adapter adds to each is measured by the benchmarks, not here.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_share_connections() {
    let mut data = vec![r#"{"choices":[{"delta":{"content":"가나다라마바사아"}}]}"#; 40];
    data.push(r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#);
    let body = events(&data);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let chunked = |body: &str| format!("{:x}\r\n{body}\r\n", body.len());
    let split = body.len() / 2 + 1;
    let split = (split..).find(|at| body.is_char_boundary(*at)).expect("a boundary");
    let pieces = [head.to_owned(), chunked(&body[..split]), chunked(&body[split..]), "0\r\n\r\n".to_owned()];
    let pieces = pieces.map(String::into_bytes).to_vec();
    let server = Server::start(vec![Script { pieces, keep: true, ..Script::default() }]).await;
    let adapter = server.adapter("m", None);
    let messages = user();
    adapter.complete(request(&messages)).await.expect("a reply");
    for _ in 0..300 {
        let reply = adapter.complete(request(&messages)).await.expect("a reply");
        assert_eq!(reply.content, "가나다라마바사아".repeat(40));
    }
    // One would do; now and then the next call is quicker than the old connection's way back into the pool.
    let connections = server.connections.load(Ordering::SeqCst);
    assert!(connections < 30, "{connections} connections");
}
