//! Every kind of outward call of this crate, refused while koab is offline: each with the one error, and none with a
//! connection.
#![allow(clippy::unwrap_used, reason = "this is a test")]

use koab_core::args::normalize;
use koab_core::sensitive::Sensitive;
use koab_core::tool::ToolSpec;
use koab_engine::egress::{Gate, Offline, OfflineReason, Purpose, WorkspaceSwitch};
use koab_engine::ports::{Cancel, Message, ModelError, ModelRequest, ToolChoice, ToolServices as _};
use koab_providers::archive::{self, Archive};
use koab_providers::collector::Collector;
use koab_providers::download::{self, DownloadError};
use koab_providers::hub::{FileHash, Hub, HubError, HubFile, Repo, RepoKind};
use koab_providers::registry;
use koab_providers::services::{LoginTokens, Services};
use koab_providers::{Network, Proxy};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

#[derive(Default)]
struct Lines(Mutex<Vec<(String, Purpose, bool)>>);

impl WorkspaceSwitch for Lines {
    fn is_offline(&self) -> bool {
        false
    }

    fn note(&self, host: &str, purpose: Purpose, allowed: bool) {
        self.0.lock().unwrap().push((host.to_owned(), purpose, allowed));
    }
}

/// A server on this computer that answers every request with what follows its head.
async fn here(head: &'static str, body: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let answer = format!(
                "HTTP/1.1 {head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    address
}

async fn model(network: &Network, purpose: Purpose, id: &str, base_url: &str) -> [Offline; 2] {
    let key = |_: &str| Some(Sensitive::new("a-key".to_owned()));
    let model = registry::open_for(network, purpose, id, Some(base_url), 0, &[], &key).unwrap();
    let messages = [Message::User("?".to_owned())];
    let request = ModelRequest {
        messages: &messages,
        tools: &[],
        tool_choice: ToolChoice::Auto,
        listener: None,
        temperature: 0.0,
        max_tokens: Some(1),
        effort: None,
        seed: None,
        answer_schema: None,
        given: None,
        attempt: Default::default(),
    };
    let offline = |answer: Result<(), ModelError>| match answer {
        Err(ModelError::Offline(offline)) => offline,
        other => panic!("{id}: {other:?}"),
    };
    let asked = offline(model.complete(request).await.map(drop));
    // Some protocols have no question before the first call.
    let checked = match model.check().await {
        Ok(()) => asked.clone(),
        refused => offline(refused),
    };
    [asked, checked]
}

async fn service(
    network: &Network,
    address: &str,
    tool: &str,
    args: Value,
) -> Result<Value, Option<Offline>> {
    let keys = |_: &str| Some(Sensitive::new("a-key".to_owned()));
    let services =
        Services::open(network, keys, |_| Some(address.to_owned()), &LoginTokens::default()).unwrap();
    let spec = ToolSpec {
        name: tool.to_owned(),
        description: String::new(),
        parameters: json!({ "type": "object", "properties": {} }),
    };
    let args = normalize(&spec, args.as_object().unwrap());
    let answer = services.call(tool, &args).await.unwrap();
    answer.map_err(|fault| fault.offline.map(|offline| *offline))
}

#[tokio::test]
async fn everything_is_refused_with_one_error() {
    let lines = Arc::new(Lines::default());
    let gate = Gate::new(Arc::clone(&lines) as Arc<dyn WorkspaceSwitch>);
    gate.force(Some(OfflineReason::Option));
    let network = &Network::new(gate.clone(), Proxy::System);
    let mut met: Vec<(Purpose, Offline)> = Vec::new();

    for (id, purpose) in [
        ("openai_compat/m", Purpose::Model),
        ("openai_compat/m", Purpose::Judge),
        ("azure/m", Purpose::Model),
        ("anthropic/m", Purpose::Judge),
        ("gemini/m", Purpose::Scenario),
        ("bedrock/m", Purpose::Model),
    ] {
        // A name would be looked up, an address connected to.
        for base_url in ["http://model.invalid/v1", "https://192.0.2.1:8443/v1"] {
            met.extend(model(network, purpose, id, base_url).await.map(|offline| (purpose, offline)));
        }
    }

    let repo = Repo { kind: RepoKind::Dataset, name: "org/name" };
    for purpose in [Purpose::Pack, Purpose::Weights] {
        let hub = Hub::new(network, "https://hub.invalid", None, purpose).unwrap();
        let Err(HubError::Offline(offline)) = hub.repository(repo, "main").await else {
            panic!("a listing");
        };
        met.push((purpose, offline));
        let file =
            HubFile { path: "f".to_owned(), size: 1, hash: FileHash::of_hex(&"0".repeat(64)).unwrap() };
        let folder = tempfile();
        let fetched = hub.fetch((repo, "c"), &file, &folder.join("f"), &|_| {}, &Cancel::new()).await;
        let Err(HubError::Offline(offline)) = fetched else {
            panic!("{fetched:?}");
        };
        met.push((purpose, offline));
    }

    // Also where a server on this computer points to another one.
    let moved = here("302 Found\r\nlocation: http://store.invalid/x", String::new()).await;
    for address in ["https://git.invalid/org/name".to_owned(), format!("{moved}/a.tar.gz")] {
        let archive = Archive::named(&address).unwrap();
        let fetched =
            archive::fetch(network, &archive, &tempfile().join("a"), 10, &|_, _| {}, &Cancel::new()).await;
        let Err(DownloadError::Offline(offline)) = fetched else {
            panic!("{fetched:?}");
        };
        met.push((Purpose::Archive, offline));
    }
    let fetched = download::fetch(network, "http://192.0.2.1/index", 10, Purpose::Benchmark).await;
    let Err(DownloadError::Offline(offline)) = fetched else {
        panic!("{fetched:?}");
    };
    met.push((Purpose::Benchmark, offline));

    let collector = Collector::new(network, "http://spans.invalid:4318", false, None).unwrap();
    let refused = collector.send(&json!({})).await.unwrap_err();
    met.push((Purpose::Collector, refused.offline.unwrap()));

    for (tool, args) in [
        ("AddressToCoord_kakao", json!({ "address": "부산" })),
        ("OrderBook_ls", json!({ "shcode": "005490" })),
        ("WebSearch_naver", json!({ "query": "q" })),
    ] {
        let offline = service(network, "https://service.invalid", tool, args).await.unwrap_err();
        met.push((Purpose::Service, offline.unwrap_or_else(|| panic!("{tool} has another fault"))));
    }
    // The search is here, the pages behind it are not: what comes without them is not an answer.
    let found = json!({ "items": [{ "link": "http://192.0.2.1/page", "description": "snippet" }] });
    let search = here("200 OK\r\ncontent-type: application/json", found.to_string()).await;
    let offline = service(network, &search, "WebSearch_naver", json!({ "query": "q" })).await.unwrap_err();
    met.push((Purpose::Page, offline.unwrap()));
    let moved = here("302 Found\r\nlocation: http://192.0.2.1/page", String::new()).await;
    let found = json!({ "items": [{ "link": format!("{moved}/page"), "description": "snippet" }] });
    let search = here("200 OK\r\ncontent-type: application/json", found.to_string()).await;
    let offline = service(network, &search, "WebSearch_naver", json!({ "query": "q" })).await.unwrap_err();
    met.push((Purpose::Page, offline.unwrap()));

    for (purpose, offline) in &met {
        assert_eq!((offline.purpose, offline.because), (*purpose, OfflineReason::Option), "{offline}");
    }
    let lines = lines.0.lock().unwrap();
    assert!(lines.iter().all(|(.., allowed)| !allowed), "{lines:?}");
    for (purpose, offline) in &met {
        let line = (offline.host.clone(), *purpose, false);
        assert!(lines.contains(&line), "{line:?} has no line");
    }
}

fn tempfile() -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("koab-offline-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
