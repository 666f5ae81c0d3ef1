//! Everything that goes wrong, and what it is called.

use crate::providers::support::{Endless, Script, Server, events, network, request};
use koab_engine::ports::{Message, ModelAdapter, ModelError};
use std::time::Duration;

const KEY: &str = "sk-very-secret-0123456789";

async fn fail(script: Script) -> (ModelError, String) {
    let server = Server::start(vec![script]).await;
    let messages = [Message::User("안녕".to_owned())];
    let error = server.adapter("gpt-x", Some(KEY)).complete(request(&messages)).await.expect_err("an error");
    let told =
        server.stable(&format!("{} ({})", error, if error.is_transient() { "again" } else { "final" }));
    assert!(!told.contains(KEY), "{told}");
    (error, told)
}

#[tokio::test]
async fn statuses_are_named() {
    let json = "content-type: application/json\r\n";
    for (status, body, expected) in [
        (
            "401 Unauthorized",
            format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}."}}}}"#),
            "http://HOST/v1 refuses the key (HTTP 401): Incorrect API key provided: ••••. (final)",
        ),
        (
            "403 Forbidden",
            r#"{"error":"no access"}"#.to_owned(),
            "http://HOST/v1 refuses the key (HTTP 403): no access (final)",
        ),
        (
            "404 Not Found",
            r#"{"detail":"Not Found"}"#.to_owned(),
            "http://HOST/v1 answered HTTP 404: Not Found (final)",
        ),
        (
            "422 Unprocessable Entity",
            r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#.to_owned(),
            "http://HOST/v1 answered HTTP 422: field required (final)",
        ),
        (
            "400 Bad Request",
            r#"{"message":"\"auto\" tool choice requires --enable-auto-tool-choice"}"#.to_owned(),
            "http://HOST/v1 answered HTTP 400: \"auto\" tool choice requires --enable-auto-tool-choice (final)",
        ),
        (
            "429 Too Many Requests",
            r#"{"error":{"message":"slow down"}}"#.to_owned(),
            "http://HOST/v1 asks for fewer requests (HTTP 429): slow down (again)",
        ),
        (
            "500 Internal Server Error",
            String::new(),
            "http://HOST/v1 answered HTTP 500: Internal Server Error (again)",
        ),
        (
            "503 Service Unavailable",
            "<html><head><title>Bad\nGateway</title></head></html>".to_owned(),
            "http://HOST/v1 answered HTTP 503: a web page titled `Bad Gateway` (again)",
        ),
        (
            "501 Not Implemented",
            "plain words".to_owned(),
            "http://HOST/v1 answered HTTP 501: plain words (final)",
        ),
    ] {
        assert_eq!(fail(Script::whole(status, json, &body)).await.1, expected);
    }
    let elsewhere = Script::whole("301 Moved Permanently", "location: https://h.example/v1?token=1\r\n", "");
    assert_eq!(
        fail(elsewhere).await.1,
        "http://HOST/v1 answered HTTP 301: it points to https://h.example/v1 (final)"
    );
}

/// A wrong name is the chooser's to put right, however the server words it, and no fault of the server.
#[tokio::test]
async fn a_model_that_a_server_does_not_know_is_called_so() {
    let json = "content-type: application/json\r\n";
    for (who, status, body, said) in [
        (
            "OpenAI",
            "404 Not Found",
            r#"{"error":{"message":"The model `gpt-x` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
            "The model `gpt-x` does not exist or you do not have access to it.",
        ),
        (
            "OpenAI, with a project's key",
            "403 Forbidden",
            r#"{"error":{"message":"Project `p` does not have access to model `gpt-x`","type":"invalid_request_error","code":"model_not_found"}}"#,
            "Project `p` does not have access to model `gpt-x`",
        ),
        (
            "Azure",
            "404 Not Found",
            r#"{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}"#,
            "The API deployment for this resource does not exist.",
        ),
        (
            "vLLM",
            "404 Not Found",
            r#"{"object":"error","message":"The model `gpt-x` does not exist.","type":"NotFoundError","param":null,"code":404}"#,
            "The model `gpt-x` does not exist.",
        ),
        (
            "vLLM, later",
            "404 Not Found",
            r#"{"error":{"message":"The model `gpt-x` does not exist.","type":"NotFoundError","param":"model","code":404}}"#,
            "The model `gpt-x` does not exist.",
        ),
        (
            "Ollama",
            "404 Not Found",
            r#"{"error":{"message":"model 'gpt-x' not found","type":"not_found_error","param":null,"code":null}}"#,
            "model 'gpt-x' not found",
        ),
        (
            "Ollama, earlier",
            "404 Not Found",
            r#"{"error":"model \"gpt-x\" not found, try pulling it first"}"#,
            "model \"gpt-x\" not found, try pulling it first",
        ),
        (
            "llama.cpp",
            "400 Bad Request",
            r#"{"error":{"code":400,"message":"model 'gpt-x' not found","type":"invalid_request_error"}}"#,
            "model 'gpt-x' not found",
        ),
        (
            "llama.cpp, earlier",
            "400 Bad Request",
            r#"{"error":{"code":400,"message":"model not found","type":"invalid_request_error"}}"#,
            "model not found",
        ),
        (
            "LM Studio",
            "400 Bad Request",
            r#"{"error":{"message":"Invalid model identifier \"gpt-x\". Please specify a valid downloaded model.","type":"invalid_request_error","param":"model","code":null}}"#,
            "Invalid model identifier \"gpt-x\". Please specify a valid downloaded model.",
        ),
        (
            "LiteLLM",
            "400 Bad Request",
            r#"{"error":{"message":"Invalid model name passed in model=gpt-x. Call `/v1/models` to view available models","type":"None","param":"None","code":"400"}}"#,
            "Invalid model name passed in model=gpt-x. Call `/v1/models` to view available models",
        ),
        (
            "OpenRouter",
            "400 Bad Request",
            r#"{"error":{"message":"gpt-x is not a valid model ID","code":400}}"#,
            "gpt-x is not a valid model ID",
        ),
        (
            "DeepSeek",
            "400 Bad Request",
            r#"{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
            "Model Not Exist",
        ),
        (
            "Mistral",
            "400 Bad Request",
            r#"{"object":"error","message":"Invalid model: gpt-x","type":"invalid_model","param":null,"code":"1500"}"#,
            "Invalid model: gpt-x",
        ),
        (
            "Gemini",
            "404 Not Found",
            r#"{"error":{"code":404,"message":"models/gpt-x is not found for API version v1main, or is not supported for generateContent.","status":"NOT_FOUND"}}"#,
            "models/gpt-x is not found for API version v1main, or is not supported for generateContent.",
        ),
        (
            "a relay",
            "503 Service Unavailable",
            r#"{"error":{"message":"No available channel for gpt-x","type":"new_api_error","code":"model_not_found"}}"#,
            "No available channel for gpt-x",
        ),
        (
            "in the middle of an answer",
            "200 OK",
            r#"{"error":{"message":"no gpt-x","type":"invalid_request_error","code":"model_not_found"}}"#,
            "no gpt-x",
        ),
    ] {
        let (_, told) = fail(Script::whole(status, json, body)).await;
        let expected = format!(
            "http://HOST/v1 knows no model `gpt-x`: choose a model that it has; it said: {said} (final)"
        );
        assert_eq!(told, expected, "{who}");
    }
    for (status, kind, body) in [
        ("404 Not Found", json, r#"{"detail":"Not Found"}"#),
        ("404 Not Found", json, r#"{"error":{"message":"Invalid URL (POST /models/chat/completions)"}}"#),
        (
            "404 Not Found",
            "content-type: text/html\r\n",
            "<html><head><title>Model server</title></head></html>",
        ),
        ("400 Bad Request", json, r#"{"error":{"message":"tool `search` not found; this model needs it"}}"#),
    ] {
        let (_, told) = fail(Script::whole(status, kind, body)).await;
        assert!(!told.contains("knows no model"), "{told}");
    }
}

/// What `/models` listed is offered when the server insists on another spelling than the one it was asked for.
#[tokio::test]
async fn a_server_that_has_the_model_under_another_name_is_quoted_with_its_list() {
    let refused = Script::whole(
        "404 Not Found",
        "content-type: application/json\r\n",
        r#"{"error":{"message":"no such model"}}"#,
    );
    let list = Script::json(r#"{"data":[{"id":"z"},{"id":"openai/gpt-x"},{"id":"gpt-y"}]}"#);
    let server = Server::start(vec![list, refused]).await;
    let model = server.adapter("gpt-x", None);
    model.check().await.expect("a model by nearly that name");
    let messages = [Message::User("?".to_owned())];
    let error = model.complete(request(&messages)).await.expect_err("an error");
    assert_eq!(
        server.stable(&error.to_string()),
        "http://HOST/v1 knows no model `gpt-x`: it has `openai/gpt-x`, `gpt-y`, `z`; choose one of them; it said: no such model"
    );
}

#[tokio::test]
async fn a_long_message_is_cut() {
    let (error, _) = fail(Script::whole("500 Internal Server Error", "", &"가나다 ".repeat(500))).await;
    let ModelError::Http { message, .. } = error else { panic!("{error:?}") };
    assert_eq!(message.chars().count(), 301, "{message}");
}

#[tokio::test]
async fn the_wait_that_a_server_asks_for_is_read() {
    let begun = std::time::Instant::now();
    let in_a_minute = jiff::Timestamp::now() + Duration::from_secs(60);
    let date =
        jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&in_a_minute).expect("a date");
    for (headers, low, high) in [
        ("retry-after: 7\r\n".to_owned(), Some(7.0), 7.0),
        ("retry-after: 0.5\r\n".to_owned(), Some(0.5), 0.5),
        ("retry-after: 7\r\nretry-after-ms: 250\r\n".to_owned(), Some(0.25), 0.25),
        (format!("retry-after: {date}\r\n"), Some(59.0), 60.0),
        ("retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n".to_owned(), Some(0.0), 0.0),
        ("retry-after: soon\r\n".to_owned(), None, 0.0),
        ("retry-after: -3\r\n".to_owned(), None, 0.0),
        (String::new(), None, 0.0),
    ] {
        let (error, _) = fail(Script::whole("429 Too Many Requests", &headers, "{}")).await;
        let ModelError::RateLimited { retry_after, .. } = error else { panic!("{error:?}") };
        let seconds = retry_after.map(|wait| wait.as_secs_f64());
        match low {
            Some(low) => {
                // A date is nearer by the time that has passed since.
                let passed = if headers.contains(&date) { begun.elapsed().as_secs_f64() } else { 0.0 };
                let low = low - passed;
                assert!(seconds.is_some_and(|wait| (low..=high).contains(&wait)), "{headers}: {seconds:?}")
            }
            None => assert_eq!(seconds, None, "{headers}"),
        }
    }
}

#[tokio::test]
async fn answers_that_break_off_may_be_asked_for_again() {
    let text = "data: {\"choices\":[{\"delta\":{\"content\":\"가\"}}]}\n\n";
    let cut = |text: &str| text.as_bytes()[..text.len() - 5].to_vec();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n";
    let dropped =
        |body: &str| Script { pieces: vec![format!("{head}{body}").into_bytes()], ..Script::default() };
    let chunked = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let chunk = format!("{chunked}{:x}\r\n{text}\r\n", text.len());
    for (what, script, cause) in [
        ("no end", Script::stream([text]), "the stream ended before the answer did"),
        (
            "half an event",
            Script::stream([text.as_bytes().to_vec(), cut(text)]),
            "it is cut off in the middle of its JSON",
        ),
        ("half a character", Script::stream([&text.as_bytes()[..text.len() - 9]]), "an event cannot be read"),
        (
            "chunks without an end",
            Script { pieces: vec![chunk.into_bytes()], ..Script::default() },
            "the connection broke in the middle of the answer",
        ),
        (
            "a length that is not reached",
            dropped(r#"{"id": "cut"#),
            "the connection broke in the middle of the answer",
        ),
        (
            "half a plain answer",
            Script {
                pieces: vec![b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"choices\":[".to_vec()],
                ..Script::default()
            },
            "it is cut off in the middle of its JSON",
        ),
        ("no answer at all", Script::default(), "the connection broke before the answer began"),
        ("an empty body", Script::json(""), "it is empty"),
        ("no choices", Script::json(r#"{"choices":[],"usage":null}"#), "it holds no choices"),
        ("a stream without choices", Script::stream([events(&[r#"{"choices":[]}"#])]), "it holds no choices"),
        ("choices null", Script::json(r#"{"choices":null}"#), "it holds no choices"),
    ] {
        let (error, told) = fail(script).await;
        assert!(matches!(error, ModelError::BadAnswer { transient: true, .. }), "{what}: {error:?}");
        assert!(told.contains(cause), "{what}: {told}");
    }
}

#[tokio::test]
async fn answers_of_another_kind_are_final() {
    for (what, script, cause) in [
        (
            "a web page",
            Script::whole("200 OK", "content-type: text/html\r\n", "<!doctype html><title>x</title>"),
            "it is a web page; check the base URL",
        ),
        (
            "an unlabelled web page",
            Script::whole("200 OK", "", "  <html>"),
            "it is a web page; check the base URL",
        ),
        (
            "words",
            Script::whole("200 OK", "", "Ollama is running"),
            "it is neither JSON nor an event stream: `Ollama is running`",
        ),
        ("another JSON", Script::json(r#"{"choices":{"a":1}}"#), "it is not what Chat Completions answers"),
        (
            "events that are not JSON",
            Script::stream(["data: hello\n\n"]),
            "it is not what Chat Completions answers",
        ),
    ] {
        let (error, told) = fail(script).await;
        assert!(matches!(error, ModelError::BadAnswer { transient: false, .. }), "{what}: {error:?}");
        assert!(told.contains(cause), "{what}: {told}");
    }
}

#[tokio::test]
async fn errors_that_come_with_status_200_are_errors() {
    let begun = r#"{"choices":[{"delta":{"content":"가"}}]}"#;
    for (what, script, expected) in [
        (
            "plain",
            Script::json(r#"{"error":{"message":"busy","code":503}}"#),
            "http://HOST/v1 answered HTTP 503: busy (again)",
        ),
        (
            "by word",
            Script::json(r#"{"error":{"message":"later","type":"rate_limit_error"}}"#),
            "http://HOST/v1 asks for fewer requests (HTTP 429): later (again)",
        ),
        (
            "in the stream",
            Script::stream([events(&[
                begun,
                r#"{"error":{"code":502,"message":"gone"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}"#,
            ])]),
            "http://HOST/v1 answered HTTP 502: gone (again)",
        ),
        (
            "in a choice",
            Script::stream([events(&[
                begun,
                r#"{"choices":[{"error":{"code":"invalid_api_key","message":"who?"}}]}"#,
            ])]),
            "http://HOST/v1 refuses the key (HTTP 401): who? (final)",
        ),
        (
            "a text",
            Script::stream([events(&[begun, r#"{"error":"out of memory"}"#])]),
            "the answer of http://HOST/v1 cannot be used: the server reports an error instead of an answer: out of memory (again)",
        ),
        (
            "a named event",
            Script::stream(["event: error\ndata: it broke\n\n"]),
            "the answer of http://HOST/v1 cannot be used: the server reports an error instead of an answer: it broke (again)",
        ),
        (
            "of the request",
            Script::json(r#"{"error":{"message":"too long","type":"invalid_request_error"}}"#),
            "http://HOST/v1 answered HTTP 400: too long (final)",
        ),
    ] {
        assert_eq!(fail(script).await.1, expected, "{what}");
    }
}

#[tokio::test]
async fn nobody_there() {
    // Nobody listens at the local port of a connection, and nobody else can get it.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let connection = std::net::TcpStream::connect(listener.local_addr().expect("an address"));
    let connection = connection.expect("a connection");
    let refusing = connection.local_addr().expect("an address");
    for (url, cause) in [
        (format!("http://ann:pw@{refusing}/v1?key=1"), "Connection refused"),
        ("http://no-such-host.invalid/v1".to_owned(), ""),
    ] {
        let adapter =
            koab_providers::registry::open(&network(), "openai_compat/m", Some(&url), 0, &[], &|_| None)
                .expect("an adapter");
        let messages = [Message::User("?".to_owned())];
        for error in [adapter.complete(request(&messages)).await.map(drop), adapter.check().await] {
            let error = error.expect_err("an error");
            let told = error.to_string();
            assert!(matches!(error, ModelError::Unreachable { .. }) && told.contains(cause), "{told}");
            assert!(!told.contains("pw") && !told.contains("key=1"), "{told}");
        }
    }
}

#[tokio::test]
async fn the_check_before_a_run() {
    let list =
        r#"{"data":[{"id":"openai/GPT-X"},{"id":"gpt-x-mini"},{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}]}"#;
    for (model, script, expected) in [
        ("gpt-x", Script::json(list), None),
        ("azure/gpt-x", Script::json(list), None),
        ("gpt-x2", Script::json(list), Some("http://HOST/v1 knows no model `gpt-x2`: it has `gpt-x-mini`")),
        (
            "gpt-x2",
            Script::json(r#"{"data":[{"id":"m"}]}"#),
            Some("http://HOST/v1 knows no model `gpt-x2`: it has `m`; choose one of them"),
        ),
        ("m", Script::json(r#"{"object":"list","data":null}"#), None),
        ("m", Script::json("no list"), None),
        ("m", Script::whole("404 Not Found", "", ""), None),
        ("m", Script::whole("405 Method Not Allowed", "", ""), None),
        ("m", Script::whole("501 Not Implemented", "", ""), None),
        (
            "m",
            Script::whole("401 Unauthorized", "", r#"{"error":"key?"}"#),
            Some("http://HOST/v1 refuses the key (HTTP 401): key?"),
        ),
        (
            "m",
            Script::whole("503 Service Unavailable", "", r#"{"error":{"message":"Loading model"}}"#),
            Some("http://HOST/v1 answered HTTP 503: Loading model"),
        ),
    ] {
        let server = Server::start(vec![script]).await;
        let told =
            server.adapter(model, None).check().await.map_err(|error| server.stable(&error.to_string()));
        match expected {
            None => assert_eq!(told, Ok(()), "{model}"),
            Some(expected) => {
                assert!(told.as_ref().is_err_and(|told| told.starts_with(expected)), "{told:?}")
            }
        }
        assert!(server.requests.lock().expect("requests")[0].0.starts_with("GET /v1/models HTTP/1.1"));
    }
}

/// What a server sends without end is let go as soon as it is more than any answer is. It comes as fast as it is read, and
/// the server counts what it got rid of.
#[tokio::test]
async fn answers_without_end_are_cut_off_and_said_so() {
    const MIB: usize = 1 << 20;
    let json = |body: &'static str| ("application/json", body);
    let stream = |body: &'static str| ("text/event-stream", body);
    let crowd = r#"{"choices":["#;
    for ((kind, beginning), filling, why, most) in [
        (json("{\"choices\":[{\"message\":{\"content\":\""), "x", "it is longer than 32 MiB", 33),
        (json(""), " ", "it is longer than 32 MiB", 33),
        (json(crowd), "{},", "it is longer than 32 MiB", 33),
        (
            stream("data: {\"choices\":[{\"delta\":{\"content\":\""),
            "x",
            "a line of its stream is longer than 8 MiB",
            9,
        ),
        (
            stream("data: x"),
            concat!("\ndata: ", "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"),
            "a line of its stream is longer than 8 MiB",
            9,
        ),
        (
            stream("data: x"),
            concat!("\r\ndata: ", "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"),
            "a line of its stream is longer than 8 MiB",
            9,
        ),
        (
            stream(""),
            "data: {\"choices\":[{\"delta\":{\"content\":\"한국어 문장은 길고 길며 또 길고 길며 또 길고 길며 길다\"}}]}\n\n",
            "the answers of its conversation are longer than 2 MiB together",
            5,
        ),
    ] {
        let server = Endless::start(kind, beginning, filling).await;
        let messages = [Message::User("안녕".to_owned())];
        let error = server.adapter().complete(request(&messages)).await.expect_err("an error");
        assert!(error.to_string().ends_with(why), "{error}");
        assert!(!error.is_transient(), "the same comes again: {error}");
        // What the system holds for both ends of a connection is sent as well.
        let sent = server.sent() / MIB;
        assert!(sent <= most + 16, "{beginning:?}: {sent} MiB");
    }
    // Short and crowded: two bytes of text are a hundred in memory.
    for (crowd, said) in [
        (format!("{{\"choices\":[{}{{}}]}}", "{},".repeat(400_000)), "it holds more than 100000 values"),
        (format!("{{\"usage\":[{}0]}}", "0,".repeat(400_000)), "it holds more than 100000 values"),
        (
            format!("{{\"choices\":[{{\"message\":{{\"content\":\"{}\"}}}}]}}", "x".repeat(9 * MIB)),
            "a text in it is longer than 8 MiB",
        ),
        (
            format!("{{\"choices\":[{{\"message\":{{\"content\":\"{}\"}}}}]}}", "x".repeat(3 * MIB)),
            "the answers of its conversation are longer than 2 MiB together",
        ),
    ] {
        let (_, told) = fail(Script::json(&crowd)).await;
        assert!(told.ends_with(&format!("{said} (final)")), "{told}");
    }
}
