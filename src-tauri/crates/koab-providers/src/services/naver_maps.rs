//! NAVER Cloud Maps, Directions 5 (`docs/spec/tools.md` §10.1).
//!
//! Waypoints and option are sent as given; the published tool splits them into characters, which
//! the service ignores.

use super::args::Args;
use super::connection::{Connection, showing};
use super::service::Service;
use super::token::LoginTokens;
use super::{BadService, ServiceInfo};
use async_trait::async_trait;
use koab_core::say;
use koab_engine::ports::ServiceFault;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};

pub(super) const INFO: ServiceInfo = ServiceInfo {
    name: "naver_maps",
    title: "NAVER Maps",
    address: "https://maps.apigw.ntruss.com",
    variable: "KOAB_NAVER_MAPS_URL",
    keys: &["Directions_Client_ID", "Directions_Client_Secret"],
    tools: &["Directions_naver"],
};

struct NaverMaps {
    line: Connection,
    id: HeaderValue,
    secret: HeaderValue,
}

pub(super) fn open(line: Connection, _: &LoginTokens) -> Result<Box<dyn Service>, BadService> {
    let (id, secret) = (line.key_header(0, "")?, line.key_header(1, "")?);
    Ok(Box::new(NaverMaps { line, id, secret }))
}

#[async_trait]
impl Service for NaverMaps {
    async fn call(&self, _tool: &str, args: Args<'_>) -> Result<Value, ServiceFault> {
        if args.text("start").is_empty() || args.text("goal").is_empty() {
            let fault = self.line.refuses(say!("start and goal must not be empty"));
            let value = json!({ "error": fault.message.to_string(), "status_code": 400 });
            return Err(showing(fault, value));
        }
        self.route(args).await.map_err(|fault| {
            let value = json!({ "error": fault.message.to_string(), "status": "error" });
            showing(fault, value)
        })
    }

    fn line(&self) -> &Connection {
        &self.line
    }
}

impl NaverMaps {
    async fn route(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let answer = self
            .line
            .get("map-direction/v1/driving")
            .header("x-ncp-apigw-api-key-id", self.id.clone())
            .header("x-ncp-apigw-api-key", self.secret.clone())
            .query("start", args.text("start"))
            .query("goal", args.text("goal"))
            .query_if("waypoints", args.truthy("waypoints"))
            .query_if("option", args.truthy("option"))
            .send()
            .await?;
        // "Nothing found" comes with status 200 and `route: null`, and is an answer.
        answer.ok_json(&self.line)
    }
}
