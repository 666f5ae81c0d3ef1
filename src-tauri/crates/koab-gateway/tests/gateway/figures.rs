//! What the gateway costs: time to the first word, many streams at once, memory, time a call.
//!
//! Each prints a line of figures, which `cargo xtask bench --only gateway` reads from a release build and compares with its targets. The
//! tests assert no times: a machine that does other things as well would fail them. They show by order and count that the gateway
//! neither waits nor keeps what it should not.
#![allow(clippy::print_stdout, reason = "figures are read by the benchmark")]

use crate::support::{Bench, Server, bearer, soon};
use koab_core::sensitive::Sensitive;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Barrier, Notify};

/// Streams at once.
const STREAMS: usize = 200;
/// Calls after which memory is looked at first: more turns than are kept of a trial.
const FIRST_CALLS: usize = 1200;
/// Calls in all, where the benchmark does not ask for more.
const CALLS: usize = 2400;

const FORMS: [(&str, &str, &str); 4] = [
    ("chat", "/v1/chat/completions", "/v1/chat/completions"),
    ("responses", "/v1/responses", "/v1/responses"),
    ("messages", "/v1/messages", "/v1/messages"),
    ("gemini", "/v1beta/models/m:generateContent", "/v1beta/models/m:streamGenerateContent?alt=sse"),
];

fn figure(name: &str, value: f64, unit: &str) {
    println!("figure: {name}: {value:.3} {unit}");
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn question(path: &str, stream: bool) -> Value {
    match path {
        "/v1/responses" => json!({"model": "m", "input": "q", "stream": stream}),
        _ if path.starts_with("/v1beta") => json!({"contents": [{"parts": [{"text": "q"}]}]}),
        _ => {
            json!({"model": "m", "max_tokens": 9, "stream": stream, "messages": [{"role": "user", "content": "q"}]})
        }
    }
}

fn request(path: &str, token: &Sensitive<String>, body: &Value) -> String {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nhost: g\r\nconnection: close\r\n{}content-length: {}\r\n\r\n{body}",
        bearer(token),
        body.len()
    )
}

/// A server whose answers are as `script` says, on connections of one request each. It keeps nothing.
async fn server<F>(script: impl Fn(TcpStream) -> F + Send + Sync + 'static) -> Server
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server::at(listener.local_addr().unwrap());
    let script = Arc::new(script);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            stream.set_nodelay(true).unwrap();
            let script = Arc::clone(&script);
            tokio::spawn(async move {
                let head = head(&mut stream).await;
                if head.starts_with("GET ") {
                    let list = json!({"data": [{"id": "m"}]}).to_string();
                    let _ = stream.write_all(whole(&list).as_bytes()).await;
                    return;
                }
                script(stream).await;
            });
        }
    });
    server
}

/// Reads a request to its end.
async fn head(stream: &mut TcpStream) -> String {
    let (mut read, mut buffer) = (Vec::new(), [0; 8192]);
    loop {
        let text = String::from_utf8_lossy(&read);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return head.to_owned();
            }
        }
        match stream.read(&mut buffer).await {
            Ok(count) if count > 0 => read.extend_from_slice(&buffer[..count]),
            _ => return String::new(),
        }
    }
}

fn whole(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn chunk(delta: &Value, finish: &Value) -> String {
    let chunk = json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    format!("data: {chunk}\n\n")
}

const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

fn rest() -> String {
    chunk(&json!({"content": " 세상"}), &Value::Null)
        + &chunk(&json!({}), &json!("stop"))
        + "data: [DONE]\n\n"
}

/// Reads on until this was said; false when the answer ends before.
async fn hear(stream: &mut TcpStream, heard: &mut Vec<u8>, until: &str) -> bool {
    let mut buffer = [0; 8192];
    while !heard.windows(until.len()).any(|window| window == until.as_bytes()) {
        match stream.read(&mut buffer).await {
            Ok(count) if count > 0 => heard.extend_from_slice(&buffer[..count]),
            _ => return false,
        }
    }
    true
}

async fn connected(bench: &Bench, request: &str) -> TcpStream {
    let stream = bench.connect(request).await;
    stream.set_nodelay(true).unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_word_is_told_before_the_rest_comes() {
    for (form, _, path) in FORMS {
        let sent = Arc::new(Mutex::new(Instant::now()));
        let heard_first = Arc::new(Notify::new());
        let (come, rest_may_come) = (Arc::clone(&sent), Arc::clone(&heard_first));
        let server = server(move |mut stream| {
            let (come, rest_may_come) = (Arc::clone(&come), Arc::clone(&rest_may_come));
            async move {
                stream.write_all(EVENTS.as_bytes()).await.unwrap();
                let first = chunk(&json!({"content": "안녕"}), &Value::Null);
                *come.lock().unwrap() = Instant::now();
                stream.write_all(first.as_bytes()).await.unwrap();
                rest_may_come.notified().await;
                let _ = stream.write_all(rest().as_bytes()).await;
            }
        })
        .await;
        let (bench, token) = Bench::ready(&server).await;
        let mut times = Vec::new();
        for _ in 0..20 {
            let mut stream = connected(&bench, &request(path, &token, &question(path, true))).await;
            let mut heard = Vec::new();
            assert!(soon(hear(&mut stream, &mut heard, "안녕")).await);
            times.push(sent.lock().unwrap().elapsed().as_secs_f64() * 1000.0);
            assert!(!String::from_utf8_lossy(&heard).contains("세상"), "{form}");
            heard_first.notify_one();
            assert!(soon(hear(&mut stream, &mut heard, "세상")).await, "{form}");
        }
        let typical = median(times.clone());
        let worst = times.into_iter().fold(0.0, f64::max);
        figure(&format!("first word, {form}, median"), typical, "ms");
        figure(&format!("first word, {form}, longest of 20"), worst, "ms");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_streams_at_once_are_all_told() {
    let (together, release) = (Arc::new(Barrier::new(STREAMS + 1)), Arc::new(Notify::new()));
    let (all, go) = (Arc::clone(&together), Arc::clone(&release));
    let server = server(move |mut stream| {
        let (all, go) = (Arc::clone(&all), Arc::clone(&go));
        async move {
            let go_on = go.notified();
            tokio::pin!(go_on);
            go_on.as_mut().enable();
            all.wait().await;
            let first = EVENTS.to_owned() + &chunk(&json!({"content": "안녕"}), &Value::Null);
            stream.write_all(first.as_bytes()).await.unwrap();
            go_on.await;
            let _ = stream.write_all(rest().as_bytes()).await;
        }
    })
    .await;
    let bench = Bench::with(&server, |options| options.concurrency = Some(STREAMS as u32)).await;
    let token = bench.trial("t");
    let mut streams = Vec::new();
    for at in 0..STREAMS {
        let (_, _, path) = FORMS[at % FORMS.len()];
        streams.push(connected(&bench, &request(path, &token, &question(path, true))).await);
    }
    // Every one of them is asked of the model before any is answered.
    soon(together.wait()).await;
    let begun = Instant::now();
    let mut heard: Vec<Vec<u8>> = vec![Vec::new(); STREAMS];
    for (stream, heard) in streams.iter_mut().zip(&mut heard) {
        assert!(soon(hear(stream, heard, "안녕")).await);
    }
    figure("200 streams, all have their first word", begun.elapsed().as_secs_f64() * 1000.0, "ms");
    release.notify_waiters();
    for (stream, heard) in streams.iter_mut().zip(&mut heard) {
        // To its end: who leaves before is no caller that was told all.
        soon(hear(stream, heard, "\0")).await;
        assert!(String::from_utf8_lossy(heard).contains("세상"));
    }
    figure("200 streams, all are told", begun.elapsed().as_secs_f64() * 1000.0, "ms");
    drop(streams);
    let calls = soon(bench.gateway.end_trial(&token)).await.unwrap();
    assert_eq!((calls.count, calls.failed), (STREAMS as u32, 0));
}

/// Memory of this process that is not shared, KiB.
#[cfg(target_os = "linux")]
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let number = line.unwrap().split_whitespace().next().unwrap();
    number.parse().unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_is_flat_over_ten_thousand_calls() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (number, padding) = (AtomicUsize::new(0), "x".repeat(2000));
    let server = server(move |mut stream| {
        let id = format!("call_{}", number.fetch_add(1, Ordering::Relaxed));
        let message = json!({"role": "assistant", "content": null, "tool_calls": [{
            "id": id, "type": "function", "function": {"name": "search", "arguments": json!({"q": padding}).to_string()},
            "extra_content": {"google": {"thought_signature": padding}},
        }]});
        let body = json!({
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        });
        async move {
            let _ = stream.write_all(whole(&body.to_string()).as_bytes()).await;
        }
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    let (bench, token) = (Arc::new(bench), Arc::new(token));
    let asked = std::env::var("KOAB_TEST_CALLS").ok();
    let all = asked.and_then(|calls| calls.parse().ok()).unwrap_or(CALLS);
    let first = FIRST_CALLS;
    let mut before = 0.0;
    let begun = Instant::now();
    for (from, to) in [(0, first), (first, all)] {
        let mut callers = tokio::task::JoinSet::new();
        for caller in 0..8 {
            let (bench, token) = (Arc::clone(&bench), Arc::clone(&token));
            callers.spawn(async move {
                for at in (from + caller..to).step_by(8) {
                    let (_, path, _) = FORMS[at % FORMS.len()];
                    let mut stream = bench.connect(&request(path, &token, &question(path, false))).await;
                    assert!(hear(&mut stream, &mut Vec::new(), "search").await);
                }
            });
        }
        callers.join_all().await;
        if to == first {
            before = memory();
        }
    }
    let grown = (memory() - before) / 1024.0;
    figure(&format!("memory from call {first} to {all}"), grown, "MiB");
    figure("calls a second, 8 at once", all as f64 / begun.elapsed().as_secs_f64(), "");
    let calls = bench.gateway.end_trial(&token).await.unwrap();
    assert_eq!((calls.count as usize, calls.failed), (all, 0));
    // Each reply alone has 4 kB: kept, they would be as many as there are calls.
    assert!(grown < 4.0, "{grown} MiB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_is_answered_in_every_form_and_its_cost_is_measured() {
    let is_measured = std::env::var_os("KOAB_TEST_CALLS").is_some();
    let times = if is_measured { 200 } else { 5 };
    let answer = json!({
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "안녕"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    })
    .to_string();
    let server = server(move |mut stream| {
        let answer = whole(&answer);
        async move {
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    })
    .await;
    let (bench, token) = Bench::ready(&server).await;
    let direct = async |path: &str| {
        let begun = Instant::now();
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        let asked = request(path, &token, &question(path, false));
        stream.write_all(asked.as_bytes()).await.unwrap();
        assert!(hear(&mut stream, &mut Vec::new(), "안녕").await);
        begun.elapsed().as_secs_f64() * 1000.0
    };
    let through = async |path: &str| {
        let begun = Instant::now();
        let mut stream = bench.connect(&request(path, &token, &question(path, false))).await;
        assert!(hear(&mut stream, &mut Vec::new(), "안녕").await);
        begun.elapsed().as_secs_f64() * 1000.0
    };
    for (form, path, _) in FORMS {
        let (mut bare, mut whole) = (Vec::new(), Vec::new());
        for _ in 0..times {
            // In turns, so that both meet the same machine.
            bare.push(direct("/v1/chat/completions").await);
            whole.push(through(path).await);
        }
        let cost = median(whole) - median(bare);
        figure(&format!("a call, {form}, median"), cost, "ms");
    }
}
