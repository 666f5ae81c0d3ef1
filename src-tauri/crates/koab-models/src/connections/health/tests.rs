use super::*;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_keys::KeyPlace;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const LIST: &str = r#"{"object":"list","data":[{"id":"a"},{"id":"b"}]}"#;
const NO_MODEL: &str = r#"{"error":{"message":"you must provide a model parameter"}}"#;

/// A server that answers by method and path.
struct Server {
    base_url: String,
    requests: Arc<AtomicUsize>,
}

impl Server {
    fn start(answer: impl Fn(&str, &str) -> (u16, &'static str, &'static str) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let requests = Arc::new(AtomicUsize::new(0));
        let count = requests.clone();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = stream.set_read_timeout(Some(std::time::Duration::from_secs(5)));
                let mut bytes = [0; 8192];
                let read = stream.read(&mut bytes).unwrap_or(0);
                let request = String::from_utf8_lossy(&bytes[..read]).into_owned();
                count.fetch_add(1, Ordering::SeqCst);
                let path = request.split(' ').nth(1).unwrap_or_default();
                let (status, kind, body) = answer(path, &request);
                let length = body.len();
                let answer = format!(
                    "HTTP/1.1 {status} Said\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
                );
                let _ = stream.write_all(answer.as_bytes());
                // A socket that is closed with unread bytes would take the answer back.
                let _ = stream.shutdown(std::net::Shutdown::Write);
                let _ = stream.read(&mut bytes);
            }
        });
        Self { base_url, requests }
    }

    /// A server of Chat Completions with the models `a` and `b`.
    fn of_models() -> Self {
        Self::start(|path, _| match path {
            "/v1/models" => (200, "application/json", LIST),
            "/v1/chat/completions" => (400, "application/json", NO_MODEL),
            _ => (404, "application/json", "{}"),
        })
    }
}

fn connected(models: &Models, name: &str, provider: &str, base_url: Option<&str>, of: &[&str]) {
    let connection = Connection {
        name: name.to_owned(),
        provider: provider.to_owned(),
        base_url: base_url.map(str::to_owned),
        models: of.iter().map(|model| (*model).to_owned()).collect(),
    };
    models.connect(connection).expect("kept");
}

async fn checked(base_url: &str, of: &[&str]) -> ConnectionHealth {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    connected(&models, "lab", "openai_compat", Some(base_url), of);
    models.connection_check("lab").await.expect("a result")
}

fn said(sentence: &Option<Sentence>) -> String {
    sentence.as_ref().map(ToString::to_string).unwrap_or_default()
}

#[tokio::test]
async fn a_connection_that_is_well_says_how_fast_and_when() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let server = Server::of_models();
    connected(&models, "lab", "openai_compat", Some(&server.base_url), &["b"]);
    let before = models.connections_health().expect("read");
    assert_eq!((before[0].state, before[0].checked_ms), (ConnectionState::Unchecked, None));
    assert_eq!(server.requests.load(Ordering::SeqCst), 0, "nothing is sent before somebody asks for it");
    let health = models.connection_check(" LAB ").await.expect("a result");
    assert_eq!(
        (health.state, health.listed, said(&health.remedy)),
        (ConnectionState::Well, Some(2), String::new())
    );
    assert!(health.latency_ms.is_some() && health.checked_ms.is_some());
    assert_eq!(health.last_success_ms, health.checked_ms);
    // The workspace keeps it, for another process too.
    assert_eq!(Models::at(folder.path()).connections_health().expect("read"), [health]);
    koab_stand_ins::refused(models.connection_check("other").await, "there is no connection other");
}

#[tokio::test]
async fn an_address_where_nobody_listens_is_a_fault_of_the_address() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let base_url = format!("http://{}/v1", free.local_addr().expect("an address"));
    drop(free);
    let health = checked(&base_url, &["a"]).await;
    assert_eq!((health.state, health.latency_ms), (ConnectionState::Address, None));
    assert_eq!(said(&health.remedy), "start the server, or correct the address");
    assert!(said(&health.detail).starts_with("no server answers at"), "{}", said(&health.detail));
    let moved = Server::start(|_, _| (301, "text/plain", ""));
    assert_eq!(checked(&moved.base_url, &["a"]).await.state, ConnectionState::Address);
}

#[tokio::test]
async fn a_key_that_is_refused_or_missing_is_a_fault_of_the_key() {
    let refusing = Server::start(|_, _| (401, "application/json", r#"{"error":{"message":"wrong key"}}"#));
    let health = checked(&refusing.base_url, &["a"]).await;
    assert_eq!(health.state, ConnectionState::Key);
    assert!(said(&health.detail).ends_with("refuses the key (HTTP 401): wrong key"));
    // Some servers show their list to everybody.
    let open_list = Server::start(|path, _| match path {
        "/v1/models" => (200, "application/json", LIST),
        _ => (401, "application/json", r#"{"error":{"message":"no auth credentials found"}}"#),
    });
    assert_eq!(checked(&open_list.base_url, &["a"]).await.state, ConnectionState::Key);
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    connected(&models, "cloud", "azure", None, &["gpt"]);
    if std::env::var_os("AZURE_API_KEY").is_none() && std::env::var_os("AZURE_API_BASE").is_none() {
        let health = models.connection_check("cloud").await.expect("a result");
        assert_eq!(health.state, ConnectionState::Key);
        assert_eq!(said(&health.remedy), "set AZURE_API_KEY, AZURE_API_BASE");
    }
}

#[tokio::test]
async fn another_protocol_is_a_fault_of_the_protocol() {
    let page = Server::start(|_, _| (200, "text/html", "<html><title>Router</title></html>"));
    let unknown_path = Server::start(|_, _| (404, "text/plain", "404 page not found"));
    let other_json = Server::start(|_, _| (200, "application/json", r#"{"hello":"world"}"#));
    let no_chat = Server::start(|path, _| match path {
        "/v1/models" => (200, "application/json", LIST),
        _ => (404, "application/json", r#"{"detail":"Not Found"}"#),
    });
    for server in [page, unknown_path, other_json, no_chat] {
        let health = checked(&server.base_url, &["a"]).await;
        assert_eq!(health.state, ConnectionState::Protocol, "{}", said(&health.detail));
        assert!(said(&health.remedy).contains("/v1"));
    }
}

#[tokio::test]
async fn a_model_that_the_server_lacks_is_a_fault_of_the_model() {
    let server = Server::of_models();
    let health = checked(&server.base_url, &["a", "gone", "models/B"]).await;
    assert_eq!((health.state, health.missing.as_slice()), (ConnectionState::Model, &["gone".to_owned()][..]));
    assert!(said(&health.remedy).ends_with("it does not have gone"));
    assert_eq!((health.last_success_ms, health.listed), (None, Some(2)));
}

#[tokio::test]
async fn a_server_without_a_list_is_well_and_a_busy_one_has_a_fault_of_its_own() {
    let silent = Server::start(|path, _| match path {
        "/v1/chat/completions" => (422, "application/json", r#"{"detail":"messages: field required"}"#),
        _ => (404, "application/json", r#"{"detail":"Not Found"}"#),
    });
    let health = checked(&silent.base_url, &["any"]).await;
    assert_eq!((health.state, health.listed), (ConnectionState::Well, None));
    for status in [429, 503] {
        let busy =
            Server::start(move |_, _| (status, "application/json", r#"{"error":{"message":"later"}}"#));
        assert_eq!(checked(&busy.base_url, &["a"]).await.state, ConnectionState::Server, "{status}");
    }
}

#[tokio::test]
async fn a_server_of_another_protocol_is_asked_about_each_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let server = Server::start(|path, request| match path {
        _ if !request.contains("x-api-key: sk-own") => (
            401,
            "application/json",
            r#"{"type":"error","error":{"type":"authentication_error","message":"invalid"}}"#,
        ),
        "/v1/models/claude-a" => (200, "application/json", r#"{"type":"model","id":"claude-a"}"#),
        _ => (
            404,
            "application/json",
            r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-b"}}"#,
        ),
    });
    connected(&models, "claude", "anthropic", Some(&server.base_url), &["claude-a", "claude-b"]);
    let key = format!("ANTHROPIC_API_KEY@{}", server.base_url);
    for (value, state) in [("sk-wrong", ConnectionState::Key), ("sk-own", ConnectionState::Model)] {
        models.keys.set(&key, &Sensitive::new(value.to_owned()), KeyPlace::Session).await.expect("kept");
        assert_eq!(models.connection_check("claude").await.expect("a result").state, state);
    }
    assert_eq!(models.connections_health().expect("read")[0].missing, ["claude-b"]);
}

#[tokio::test]
async fn a_result_is_about_one_address_and_the_last_success_outlives_a_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let is_refusing = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let refuses = is_refusing.clone();
    let server = Server::start(move |path, _| match path {
        _ if refuses.load(Ordering::SeqCst) => (401, "application/json", "{}"),
        "/v1/models" => (200, "application/json", LIST),
        _ => (400, "application/json", NO_MODEL),
    });
    connected(&models, "lab", "openai_compat", Some(&server.base_url), &["a"]);
    let well = models.connection_check("lab").await.expect("a result");
    is_refusing.store(true, Ordering::SeqCst);
    let refused = models.connection_check("lab").await.expect("a result");
    assert_eq!((refused.state, refused.last_success_ms), (ConnectionState::Key, well.last_success_ms));
    // A model that is added later is compared with the list of the last check.
    is_refusing.store(false, Ordering::SeqCst);
    models.connection_check("lab").await.expect("a result");
    connected(&models, "lab", "openai_compat", Some(&server.base_url), &["a", "new"]);
    assert_eq!(models.connections_health().expect("read")[0].state, ConnectionState::Model);
    connected(&models, "lab", "openai_compat", Some("http://127.0.0.1:9/v1"), &["a"]);
    let moved = &models.connections_health().expect("read")[0];
    assert_eq!((moved.state, moved.last_success_ms), (ConnectionState::Unchecked, None));
}

#[tokio::test]
async fn offline_nobody_else_is_asked_and_the_last_result_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let server = Server::of_models();
    connected(&models, "here", "openai_compat", Some(&server.base_url), &["a"]);
    connected(&models, "away", "openai_compat", Some("http://192.0.2.1:8000/v1"), &["a"]);
    models.workspace.offline_set(true).expect("offline");
    let names = ["here", "away", "nobody"].map(str::to_owned);
    let results = models.connections_check(&names).await;
    assert_eq!(results[0].as_ref().expect("a result").state, ConnectionState::Well);
    assert_eq!(results[1].as_ref().expect_err("refused").code, ErrorCode::Offline);
    assert_eq!(results[2].as_ref().expect_err("refused").code, ErrorCode::NotFound);
    assert_eq!(models.connections_health().expect("read")[1].state, ConnectionState::Unchecked);
}
