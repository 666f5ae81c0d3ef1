//! NAVER Search: web documents, blogs and news (`docs/spec/tools.md` §10.6), with the text of each
//! page (§9).
//!
//! NAVER is moving the service to its API HUB, which takes the keys in other headers. An address
//! that ends in `/search/v1`, as the HUB's does (`https://naverapihub.apigw.ntruss.com/search/v1`),
//! is used in the HUB's way.

use super::args::Args;
use super::connection::Connection;
use super::crawl::Crawler;
use super::service::Service;
use super::token::LoginTokens;
use super::{BadService, ServiceInfo};
use async_trait::async_trait;
use koab_engine::ports::ServiceFault;
use reqwest::header::HeaderValue;
use serde_json::Value;

pub(super) const INFO: ServiceInfo = ServiceInfo {
    name: "naver_search",
    title: "NAVER Search",
    address: "https://openapi.naver.com/v1/search",
    variable: "KOAB_NAVER_SEARCH_URL",
    keys: &["NAVER_CLIENT_ID", "NAVER_CLIENT_SECRET"],
    tools: &["WebSearch_naver", "BlogSearch_naver", "NewsSearch_naver"],
};

struct NaverSearch {
    crawler: Crawler,
    id: HeaderValue,
    secret: HeaderValue,
    hub: bool,
    line: Connection,
}

pub(super) fn open(line: Connection, _: &LoginTokens) -> Result<Box<dyn Service>, BadService> {
    Ok(Box::new(NaverSearch {
        crawler: Crawler::open(&INFO, &line)?,
        id: line.key_header(0, "")?,
        secret: line.key_header(1, "")?,
        hub: line.base().shown().ends_with("/search/v1"),
        line,
    }))
}

#[async_trait]
impl Service for NaverSearch {
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault> {
        let kind = match tool {
            "BlogSearch_naver" => "blog",
            "NewsSearch_naver" => "news",
            _ => "webkr",
        };
        let ask = if self.hub {
            self.line
                .get(kind)
                .header("x-ncp-apigw-api-key-id", self.id.clone())
                .header("x-ncp-apigw-api-key", self.secret.clone())
                .query("format", "json")
        } else {
            self.line
                .get(&format!("{kind}.json"))
                .header("x-naver-client-id", self.id.clone())
                .header("x-naver-client-secret", self.secret.clone())
        };
        // Web search has no `sort`, so its arguments do not contain one either.
        let ask = ["query", "display", "start", "sort"]
            .into_iter()
            .fold(ask, |ask, name| ask.query_if(name, args.written(name)));
        let mut body = ask.send().await?.ok_json(&self.line)?;
        if let Some(items) = body.get_mut("items").and_then(Value::as_array_mut) {
            self.crawler.read_pages(items, "link", "description").await?;
        }
        Ok(body)
    }

    fn line(&self) -> &Connection {
        &self.line
    }
}
