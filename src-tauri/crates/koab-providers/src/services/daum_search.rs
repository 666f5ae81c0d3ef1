//! Daum Search: web documents, with the text of each page, and videos (`docs/spec/tools.md` §10.7,
//! §9).

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
    name: "daum_search",
    title: "Daum Search",
    address: "https://dapi.kakao.com",
    variable: "KOAB_DAUM_SEARCH_URL",
    keys: &["DAUM_API_KEY"],
    tools: &["WebSearch_daum", "VideoSearch_daum"],
};

struct DaumSearch {
    crawler: Crawler,
    key: HeaderValue,
    line: Connection,
}

pub(super) fn open(line: Connection, _: &LoginTokens) -> Result<Box<dyn Service>, BadService> {
    Ok(Box::new(DaumSearch {
        crawler: Crawler::open(&INFO, &line)?,
        key: line.key_header(0, "KakaoAK ")?,
        line,
    }))
}

#[async_trait]
impl Service for DaumSearch {
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault> {
        let videos = tool == "VideoSearch_daum";
        let path = if videos { "v2/search/vclip" } else { "v2/search/web" };
        let ask = self.line.get(path).header("authorization", self.key.clone());
        let ask = ["query", "sort", "page", "size"]
            .into_iter()
            .fold(ask, |ask, name| ask.query_if(name, args.written(name)));
        let mut body = ask.send().await?.ok_json(&self.line)?;
        if !videos && let Some(documents) = body.get_mut("documents").and_then(Value::as_array_mut) {
            self.crawler.read_pages(documents, "url", "contents").await?;
        }
        Ok(body)
    }

    fn line(&self) -> &Connection {
        &self.line
    }
}
