//! A client that is not ours (`rmcp`) holds the server to the protocol: standard streams, HTTP and the bridge between both, in
//! versions with a handshake and in the one without.

use async_trait::async_trait;
use koab_mcp::bridge::Bridge;
use koab_mcp::http::{self, HttpAnswer};
use koab_mcp::listener::{HttpHandler, HttpRequest, Listener};
use koab_mcp::{RawValue, Server, ServerProfile, ToolAnswer, ToolCall, ToolOffer, Tools, stdio};
use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use std::sync::Arc;
use tokio::io::BufReader;
use tokio_util::sync::CancellationToken;

const TOKEN: &str = "a-token-of-the-test";

struct Echo;

#[async_trait]
impl Tools for Echo {
    fn list(&self) -> Vec<ToolOffer> {
        let schema = r#"{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"number"}}}"#;
        let schema = RawValue::from_string(schema.to_owned()).expect("JSON");
        vec![ToolOffer::new("echo", "says what it hears", &schema)]
    }

    async fn call(&self, call: ToolCall<'_>) -> ToolAnswer {
        let arguments = call.arguments.map_or("{}", RawValue::get);
        match call.name {
            "echo" => ToolAnswer::text(arguments, false),
            "never" => std::future::pending().await,
            _ => ToolAnswer::error(-32602, "there is no such tool"),
        }
    }
}

struct Guard(Server);

#[async_trait]
impl HttpHandler for Guard {
    async fn answer(&self, asked: HttpRequest) -> HttpAnswer {
        match http::token(&asked.headers, &asked.uri) {
            Some(TOKEN) => http::answer(&self.0, &asked.method, &asked.body).await,
            _ => HttpAnswer::refused(401, "no token"),
        }
    }
}

fn server() -> Server {
    Server::new(ServerProfile::ours("koab", "0"), Arc::new(Echo))
}

/// A server of its own, gone with what is returned.
async fn served() -> (String, tokio_util::sync::DropGuard) {
    let listener = Listener::bind("127.0.0.1:0".parse().expect("an address")).await.expect("a port");
    let url = format!("http://{}/mcp", listener.address());
    let stop = CancellationToken::new();
    tokio::spawn(listener.serve(Arc::new(Guard(server())), stop.clone()));
    (url, stop.drop_guard())
}

fn modes() -> Vec<(&'static str, ClientLifecycleMode)> {
    let modern = vec![ProtocolVersion::V_2026_07_28];
    vec![
        ("2025-06-18", ClientLifecycleMode::Initialize),
        ("2025-11-25", ClientLifecycleMode::Initialize),
        ("2026-07-28", ClientLifecycleMode::Discover { preferred_versions: modern }),
    ]
}

fn info(version: &str) -> ClientConfig {
    let version = ProtocolVersion::KNOWN_VERSIONS.iter().find(|known| known.as_str() == version);
    ClientConfig::default().with_protocol_version(version.expect("a version").clone())
}

/// What every client can do with the server, whichever way it came.
macro_rules! holds {
    ($version:expr, $mode:expr, $transport:expr) => {{
        let client = info($version).serve_with_lifecycle($transport, $mode).await.expect("a start");
        let told = client.peer_info().expect("what the server says of itself");
        assert_eq!(told.protocol_version.as_str(), $version);
        let tools = client.list_all_tools().await.expect("tools");
        assert_eq!(tools.len(), 1);
        let arguments = serde_json::json!({ "b": "한글", "a": 1.5 }).as_object().cloned().expect("an object");
        let call = CallToolRequestParams::new("echo").with_arguments(arguments);
        let (one, other) = tokio::join!(client.call_tool(call.clone()), client.call_tool(call));
        for answer in [one, other] {
            let answer = serde_json::to_value(answer.expect("an answer")).expect("JSON");
            assert_eq!(answer["content"][0]["text"], r#"{"b":"한글","a":1.5}"#);
        }
        let refused = client.call_tool(CallToolRequestParams::new("other")).await;
        assert!(refused.is_err_and(|error| error.to_string().contains("no such tool")));
        client.cancel().await.expect("an end");
    }};
}

#[tokio::test]
async fn every_version_on_standard_streams() {
    for (version, mode) in modes() {
        let (near, far) = tokio::io::duplex(1 << 16);
        let serving = tokio::spawn(async move {
            let (read, mut write) = tokio::io::split(far);
            stdio::serve(&server(), &mut BufReader::new(read), &mut write).await
        });
        holds!(version, mode, tokio::io::split(near));
        serving.await.expect("no panic").expect("an end");
    }
}

#[tokio::test]
async fn every_version_over_http() {
    let (url, _stop) = served().await;
    for (version, mode) in modes() {
        let config = StreamableHttpClientTransportConfig::with_uri(url.clone()).auth_header(TOKEN);
        holds!(version, mode, StreamableHttpClientTransport::from_config(config));
        // The token in the path, for clients that can set no header.
        let (_, mode) = modes().into_iter().find(|(other, _)| *other == version).expect("a mode");
        let config = StreamableHttpClientTransportConfig::with_uri(format!("{url}/{TOKEN}"));
        holds!(version, mode, StreamableHttpClientTransport::from_config(config));
    }
}

#[tokio::test]
async fn every_version_over_the_bridge() {
    let (url, _stop) = served().await;
    for (version, mode) in modes() {
        let (near, far) = tokio::io::duplex(1 << 16);
        let url = url.clone();
        let bridging = tokio::spawn(async move {
            let (read, mut write) = tokio::io::split(far);
            let bridge = Bridge::to(&url, Some(TOKEN)).expect("an address");
            bridge.serve(&mut BufReader::new(read), &mut write).await
        });
        holds!(version, mode, tokio::io::split(near));
        bridging.await.expect("no panic").expect("an end");
    }
}

/// The lines that come of some lines.
async fn lines(given: &str) -> Vec<String> {
    let mut output = Vec::new();
    stdio::serve(&server(), &mut given.as_bytes(), &mut output).await.expect("an end");
    String::from_utf8(output).expect("text").lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn what_is_asked_wrongly_gets_the_codes_of_the_protocol() {
    let answers = lines(concat!(
        "rubbish\n",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n",
        "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"resources/list\"}\n",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2031-01-01\"}}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"1999-01-01\"}}\n",
    ))
    .await;
    let codes: Vec<_> = answers
        .iter()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|answer| {
            (
                answer["id"].clone(),
                answer["error"]["code"].clone(),
                answer["result"]["protocolVersion"].clone(),
            )
        })
        .map(|(id, code, version)| format!("{id} {code} {version}"))
        .collect();
    assert_eq!(
        codes,
        [
            "null -32700 null",
            "null -32600 null",
            "\"x\" -32601 null",
            "3 -32602 null",
            "4 -32022 null",
            "5 null \"2025-11-25\"",
        ]
    );
}

#[tokio::test]
async fn a_call_that_is_taken_back_has_no_answer() {
    let answers = lines(concat!(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"never\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n",
    ))
    .await;
    assert_eq!(answers, [r#"{"jsonrpc":"2.0","id":2,"result":{}}"#]);
}

#[tokio::test]
async fn strangers_are_refused_over_http() {
    let (url, _stop) = served().await;
    let http = reqwest::Client::new();
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let status =
        async |request: reqwest::RequestBuilder| request.send().await.expect("an answer").status().as_u16();
    assert_eq!(status(http.post(&url).bearer_auth(TOKEN).body(ping)).await, 200);
    assert_eq!(status(http.post(&url).body(ping)).await, 401);
    assert_eq!(status(http.post(&url).bearer_auth("other").body(ping)).await, 401);
    assert_eq!(status(http.post(format!("{url}/other")).bearer_auth(TOKEN).body(ping)).await, 401);
    assert_eq!(status(http.get(&url).bearer_auth(TOKEN)).await, 405);
    assert_eq!(status(http.delete(&url).bearer_auth(TOKEN)).await, 405);
    assert_eq!(status(http.post(url.replace("/mcp", "/other")).bearer_auth(TOKEN).body(ping)).await, 404);
    let page = http.post(&url).bearer_auth(TOKEN).header("origin", "http://localhost");
    assert_eq!(status(page.body(ping)).await, 403);
    let foreign = http.post(&url).bearer_auth(TOKEN).header("host", "example.org");
    assert_eq!(status(foreign.body(ping)).await, 403);
    assert_eq!(status(http.post(&url).bearer_auth(TOKEN).body(vec![b' '; 2 << 20])).await, 413);
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(status(http.post(&url).bearer_auth(TOKEN).body(notification)).await, 202);
    assert_eq!(status(http.post(&url).bearer_auth(TOKEN).body(format!("[{ping}]"))).await, 400);
}
