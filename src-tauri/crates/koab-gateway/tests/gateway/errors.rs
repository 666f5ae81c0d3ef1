//! What goes wrong behind the gateway, as each vendor's clients are told it.

use crate::support::{Bench, Server, bearer, says};
use koab_models::SpendingCaps;
use serde_json::{Value, json};
use std::io::Write as _;

const PATHS: [&str; 4] =
    ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1beta/models/m:generateContent"];

fn question(path: &str) -> Value {
    match path {
        "/v1/responses" => json!({"model": "m", "input": "q"}),
        _ if path.starts_with("/v1beta") => json!({"contents": [{"parts": [{"text": "q"}]}]}),
        _ => json!({"model": "m", "max_tokens": 50, "messages": [{"role": "user", "content": "q"}]}),
    }
}

/// What tells errors apart for programs.
fn kind(error: &Value) -> String {
    let error = &error["error"];
    let said = ["type", "code", "status"].map(|name| match &error[name] {
        Value::Null => String::new(),
        value => format!(" {name}={value}"),
    });
    said.concat()
}

#[tokio::test]
async fn a_spent_budget_is_402_in_every_form_and_a_full_server_is_429() {
    let mut told = Vec::new();
    for path in PATHS {
        let server = Server::start(|at, _| async move {
            match at {
                0 => ("429 Too Many Requests\r\nretry-after: 120\r\n".to_owned(), "{}".to_owned()),
                1 => ("500 Internal Server Error\r\n".to_owned(), "{}".to_owned()),
                _ => says(json!({"role": "assistant", "content": "a"})),
            }
        })
        .await;
        let bench = Bench::with(&server, |options| {
            options.caps = SpendingCaps { max_total_tokens: Some(900), ..SpendingCaps::default() };
            options.max_tokens = 50;
        })
        .await;
        let token = bench.trial("t");
        let key = bearer(&token);
        let mut last = String::new();
        while !last.starts_with("402") {
            let answer = bench.post_to(path, &key, &question(path)).await;
            if answer.status == 200 {
                continue;
            }
            let headers = answer.head.lines().filter(|line| line.contains("retry"));
            let headers = headers.collect::<Vec<_>>().join(", ");
            last = format!("{}{} ({headers})", answer.status, kind(&answer.json()));
            told.push(format!("{path}: {last}"));
        }
        let calls = bench.gateway.end_trial(&token).await.unwrap();
        assert_eq!(bench.calls("t").last().unwrap().cost_usd, Some(0.0), "{calls:?}");
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    /v1/chat/completions: 429 type="rate_limit_error" code="rate_limit_exceeded" (retry-after: 120, x-should-retry: true)
    /v1/chat/completions: 402 type="insufficient_quota" code="budget_exhausted" (x-should-retry: false)
    /v1/responses: 429 type="rate_limit_error" code="rate_limit_exceeded" (retry-after: 120, x-should-retry: true)
    /v1/responses: 402 type="insufficient_quota" code="budget_exhausted" (x-should-retry: false)
    /v1/messages: 429 type="rate_limit_error" (retry-after: 120, x-should-retry: true)
    /v1/messages: 402 type="billing_error" (x-should-retry: false)
    /v1beta/models/m:generateContent: 429 code=429 status="RESOURCE_EXHAUSTED" (retry-after: 120, x-should-retry: true)
    /v1beta/models/m:generateContent: 402 code=402 status="FAILED_PRECONDITION" (x-should-retry: false)
    "#);
}

#[tokio::test]
async fn a_path_that_is_nowhere_is_said_in_the_form_of_who_asks() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let (bench, token) = Bench::ready(&server).await;
    let key = bearer(&token);
    for path in
        ["/v1/embeddings", "/v1/messages/batches", "/v1beta/models/m:embedContent", "/v1/v1/responses"]
    {
        let answer = bench.post_to(path, &key, &json!({})).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(!kind(&answer.json()).is_empty(), "{path}");
    }
    let twice = bench.post_to("/v1/v1/messages", &key, &json!({})).await;
    assert!(twice.body.contains("leave it out of the base URL"), "{twice:?}");
    let two = format!("{key}x-api-key: other\r\n");
    assert_eq!(bench.post_to("/v1/messages", &two, &question("/v1/messages")).await.status, 401);
}

#[tokio::test]
async fn a_record_of_one_form_answers_no_other_and_its_own_to_the_byte() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let live = Bench::new(&server).await;
    let token = live.trial("t");
    let key = |token: &str| format!("authorization: Bearer {token}\r\n");
    let mut told = Vec::new();
    for path in PATHS {
        told.push(live.post_to(path, &key(token.expose()), &question(path)).await.body);
    }
    live.gateway.end_trial(&token).await.unwrap();
    let bench = Bench::replaying().await;
    let token = bench.replay(&live.record("t"), "again", false);
    // The bodies of Chat Completions and Messages are the same here.
    for (path, told) in PATHS.into_iter().zip(&told).rev() {
        let again = bench.post_to(path, &key(token.expose()), &question(path)).await;
        assert_eq!(&again.body, told, "{path}");
    }
}

#[tokio::test]
async fn packed_bodies_are_unpacked_as_far_as_the_limit_goes() {
    let server = Server::start(|_, _| async { says(json!({"role": "assistant", "content": "a"})) }).await;
    let (bench, token) = Bench::ready(&server).await;
    let gzip = |body: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap()
    };
    let body = question(PATHS[1]).to_string();
    let large = vec![b' '; 9 << 20];
    for (packing, packed, status) in [
        ("gzip", gzip(body.as_bytes()), 200),
        ("zstd", zstd::encode_all(body.as_bytes(), 1).unwrap(), 200),
        ("gzip", gzip(&large), 413),
        ("zstd", zstd::encode_all(&large[..], 1).unwrap(), 413),
        ("gzip", b"no gzip".to_vec(), 400),
        ("br", body.clone().into_bytes(), 415),
    ] {
        let head = format!(
            "POST {} HTTP/1.1\r\nhost: g\r\nconnection: close\r\nauthorization: Bearer {}\r\ncontent-encoding: {packing}\r\ncontent-length: {}\r\n\r\n",
            PATHS[1],
            token.expose(),
            packed.len()
        );
        let answer = bench.send_bytes(&[head.as_bytes(), &packed].concat()).await;
        assert_eq!(answer.status, status, "{packing} {answer:?}");
    }
    assert_eq!(bench.calls("t")[0].request, question(PATHS[1]));
}
