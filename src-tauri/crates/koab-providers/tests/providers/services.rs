//! Every tool against an imitation of its service: the request is the specification's, the answer is shaped as there, each
//! documented failure is one, and no key comes back.

mod books;
mod coins;
mod places;
mod search;
mod securities;

use crate::providers::support::{self, Script, Server};
use koab_core::args::NormalizedArgs;
use koab_core::sensitive::Sensitive;
use koab_engine::ports::{ServiceFault, ToolServices};
use koab_providers::services::{self, LoginTokens, Services};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What every key of the imitations begins with.
const CANARY: &str = "canary/";

/// One server that plays every service.
pub(crate) struct Imitation {
    server: Server,
    services: Services,
}

impl Imitation {
    pub(crate) async fn start(scripts: Vec<Script>) -> Self {
        Self::with(scripts, &LoginTokens::default()).await
    }

    pub(crate) async fn with(scripts: Vec<Script>, tokens: &LoginTokens) -> Self {
        let server = Server::start(scripts).await;
        let services = open(&format!("http://{}", server.address), tokens);
        Imitation { server, services }
    }

    /// Calls a tool with arguments that are normalized already.
    pub(crate) async fn call(&self, tool: &str, args: Value) -> Result<Value, ServiceFault> {
        let args = NormalizedArgs::from_record(args.as_object().expect("arguments"));
        let answer = self.services.call(tool, &args).await.expect("a service");
        let told = format!("{answer:?}");
        assert!(!told.contains(CANARY) && !told.contains("canary%2F"), "a key comes back: {told}");
        answer
    }

    /// What was asked the `at`th time: method and path, the query's pairs decoded, the headers that matter, the body.
    pub(crate) fn asked(&self, at: usize) -> String {
        let requests = self.server.requests.lock().expect("requests");
        let (head, body) = &requests[at];
        let mut lines = head.lines();
        let mut start = lines.next().expect("a request line").split(' ');
        let (method, target) = (start.next().expect("a method"), start.next().expect("a target"));
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut told = vec![format!("{method} {path}")];
        told.extend(query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let spaced = pair.replace('+', " ");
            format!("? {}", percent_decode_str(&spaced).decode_utf8().expect("UTF-8"))
        }));
        const OF_HTTP: [&str; 3] = ["host", "user-agent", "content-length"];
        let mut headers: Vec<&str> = lines
            .filter(|line| *line != "accept: */*")
            .filter(|line| !OF_HTTP.contains(&line.split(':').next().unwrap_or_default()))
            .collect();
        headers.sort_unstable();
        told.extend(headers.iter().map(|line| line.trim().to_owned()));
        if !body.is_empty() {
            told.push(body.clone());
        }
        told.join("\n")
    }

    pub(crate) fn requests(&self) -> usize {
        self.server.requests.lock().expect("requests").len()
    }

    /// The imitation's address, for pages.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("http://{}/{path}", self.server.address)
    }
}

/// All services at one address, with all keys.
fn open(address: &str, tokens: &LoginTokens) -> Services {
    let below = |variable: &str| match variable {
        "KOAB_NAVER_SEARCH_URL" => format!("{address}/v1/search"),
        "KOAB_ALADIN_URL" => format!("{address}/ttb/api"),
        _ => address.to_owned(),
    };
    let key = |name: &str| Some(Sensitive::new(format!("{CANARY}{name}")));
    Services::open(&support::network(), key, |variable| Some(below(variable)), tokens).expect("services")
}

/// A refusal whose body quotes what it was sent, as some gateways do.
pub(crate) fn refusal(status: &str, body: &str) -> Script {
    Script::whole(status, "content-type: application/json\r\n", body)
}

/// The one call's answer of a service that says only this.
pub(crate) async fn answer(tool: &str, args: Value, body: Value) -> Result<Value, ServiceFault> {
    let imitation = Imitation::start(vec![Script::json(&body.to_string())]).await;
    imitation.call(tool, args).await
}

/// The fault of a call that must fail: its sentence, and what a model is shown in place of the plain error.
pub(crate) async fn fault(tool: &str, args: Value, scripts: Vec<Script>) -> (String, Option<Value>) {
    let fault = Imitation::start(scripts).await.call(tool, args).await;
    let ServiceFault { message, shown, .. } = fault.expect_err("a fault");
    (message.to_string(), shown)
}

#[test]
fn every_tool_of_the_specification_has_its_service_and_keys() {
    let Some(path) = support::shared("spec/tools.json") else {
        return;
    };
    let text = std::fs::read_to_string(path).expect("read");
    let tools: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let mut known: BTreeSet<&str> = services::list().flat_map(|info| info.tools).copied().collect();
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name");
        let info = services::of_tool(name).expect("a service");
        assert_eq!(tool["service"], info.name, "{name}");
        assert_eq!(tool["provider_env"], json!(info.keys), "{name}");
        let endpoint = tool["endpoint"].as_str().expect("an endpoint");
        assert!(endpoint.starts_with(info.address), "{name}: {endpoint}");
        assert!(known.remove(name), "{name} twice");
    }
    assert_eq!((tools.len(), known.len()), (33, 0));
}

#[tokio::test]
async fn a_service_without_its_keys_is_not_asked() {
    let only = |name: &str| (name == "TMAP_APP_KEY").then(|| Sensitive::new("k".to_owned()));
    let services = Services::open(
        &support::network(),
        only,
        |_| Some("http://127.0.0.1:9".to_owned()),
        &LoginTokens::default(),
    );
    let services = services.expect("services");
    let args = NormalizedArgs::from_record(&serde_json::Map::new());
    assert_eq!(services.call("StockPrice_ls", &args).await, None);
    assert_eq!(services.call("Calculator", &args).await, None);
    let refused = services.call("WalkRoute_tmap", &args).await.expect("asked");
    let message = refused.expect_err("nobody listens").message;
    assert!(message.to_string().starts_with("TMAP cannot be reached: "), "{message}");
}

#[test]
fn an_address_or_key_that_cannot_be_used_is_named() {
    let open = |key: &'static str, address: &'static str| {
        let opened = Services::open(
            &support::network(),
            |name| (name == "TMAP_APP_KEY").then(|| Sensitive::new(key.to_owned())),
            |variable| (variable == "KOAB_TMAP_URL").then(|| address.to_owned()),
            &LoginTokens::default(),
        );
        opened.err().expect("refused").to_string()
    };
    insta::assert_snapshot!(open("k", "localhost:9"), @"the address in KOAB_TMAP_URL cannot be used: the base URL `localhost:9` has no scheme; write http://localhost:9 or https://localhost:9");
    insta::assert_snapshot!(open("a\nb", "http://localhost:9"), @"the key TMAP_APP_KEY cannot be sent; store it again with `koab keys set TMAP_APP_KEY`");
}
