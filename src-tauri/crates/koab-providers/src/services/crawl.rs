//! Reads the pages behind search results and replaces the service's snippets by their text
//! (`docs/spec/tools.md` §9).
//!
//! Differences from the published code: pages are read in parallel and within one time limit, since
//! one search may name a hundred; only the public internet is accessed; and only the first part of
//! a page is read. If a page cannot be read, the snippet stays, as published.

use super::connection::Connection;
use super::public_addresses::{PublicResolver, may_be_public};
use super::{BadService, ServiceInfo, page_text};
use crate::http::{Client, Failure, Response, deepest, page_client};
use futures_util::stream;
use futures_util::{StreamExt as _, TryStreamExt as _};
use koab_engine::egress::Offline;
use reqwest::Url;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Maximum number of pages that are read in parallel.
const MAX_CONCURRENT: usize = 8;

/// Time limit for all pages of one search.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(20);

const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
const PAGE_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum bytes of a page.
const MAX_PAGE_BYTES: usize = 4 << 20;

/// File extensions of addresses that are not web pages.
const FILES: [&str; 17] = [
    "pdf", "hwp", "zip", "rar", "7z", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "jpg", "jpeg", "png",
    "gif", "mp4", "avi",
];

/// Reader of pages.
pub(super) struct Crawler {
    client: Client,
    /// Whether the search service is on this computer; then its pages may be too.
    at_home: bool,
}

impl Crawler {
    pub(super) fn open(info: &'static ServiceInfo, line: &Connection) -> Result<Self, BadService> {
        let at_home = line.base().is_loopback();
        let network = line.network();
        let may_ask = move |url: &Url| at_home || may_be_public(url);
        let client = page_client(network, may_ask, |builder| {
            if at_home {
                // Nothing on this computer is verified, so no root certificates are read.
                builder.no_proxy().tls_certs_only([])
            } else {
                let (gate, proxies) = (network.gate().clone(), network.proxy().hosts());
                builder.dns_resolver(Arc::new(PublicResolver { gate, proxies }))
            }
        });
        Ok(Self {
            client: client
                .map_err(|error| BadService::Client { title: info.title, cause: deepest(&error) })?,
            at_home,
        })
    }

    /// For every item whose page can be read in time, replaces the field `text` by the text of the
    /// page at `link`.
    ///
    /// # Errors
    /// When koab is offline, because the answer would then differ from what the service would give.
    pub(super) async fn read_pages(
        &self,
        items: &mut [Value],
        link: &str,
        text: &str,
    ) -> Result<(), Offline> {
        let until = Instant::now() + SEARCH_TIMEOUT;
        let links: Vec<(usize, String)> = items
            .iter()
            .enumerate()
            .filter_map(|(at, item)| Some((at, item.get(link)?.as_str()?.to_owned())))
            .collect();
        let pages: Vec<(usize, Option<String>)> = stream::iter(links)
            .map(move |(at, link)| async move {
                let page = timeout_at(until, self.page(&link)).await;
                Ok((at, page.unwrap_or(Ok(None))?))
            })
            .buffer_unordered(MAX_CONCURRENT)
            .try_collect()
            .await?;
        for (at, page) in pages {
            if let (Some(page), Some(item)) = (page, items.get_mut(at)) {
                item[text] = page.into();
            }
        }
        Ok(())
    }

    async fn page(&self, link: &str) -> Result<Option<String>, Offline> {
        let Some(url) = Url::parse(link).ok().filter(|url| !is_file(url) && self.may_ask(url)) else {
            return Ok(None);
        };
        let head = self.client.head(url.clone()).timeout(HEAD_TIMEOUT).send().await;
        let Some(head) = readable(head)? else {
            return Ok(None);
        };
        if !head.status().is_success() || !content_type(&head).contains("text/html") {
            return Ok(None);
        }
        let Some(mut html) = self.html(url.clone()).await? else {
            return Ok(None);
        };
        if link.contains("blog.naver.com")
            && let Some(frame) = page_text::blog_frame(&html)
        {
            let Some(frame) = url.join(&frame).ok().filter(|frame| self.may_ask(frame)) else {
                return Ok(None);
            };
            match self.html(frame).await? {
                Some(framed) => html = framed,
                None => return Ok(None),
            }
        }
        Ok(page_text::of_page(&html))
    }

    async fn html(&self, url: Url) -> Result<Option<String>, Offline> {
        let response = self.client.get(url).timeout(PAGE_TIMEOUT).send().await;
        let Some(mut response) = readable(response)?.filter(|response| response.status().is_success()) else {
            return Ok(None);
        };
        let kind = content_type(&response);
        let mut bytes = Vec::new();
        loop {
            match readable(response.chunk().await)? {
                None => return Ok(None),
                Some(None) => break,
                Some(Some(piece)) => bytes.extend_from_slice(&piece),
            }
            if bytes.len() > MAX_PAGE_BYTES {
                break;
            }
        }
        Ok(Some(page_text::decoded(&bytes, &kind)))
    }

    fn may_ask(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https") && (self.at_home || may_be_public(url))
    }
}

/// The answer, or `None` for a page that cannot be read. Being offline is not a fault of the page,
/// so it is an error.
fn readable<T>(answer: Result<T, Failure>) -> Result<Option<T>, Offline> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Failure::Offline(offline)) => Err(offline),
        Err(Failure::Http(_) | Failure::LimitExceeded(_)) => Ok(None),
    }
}

fn is_file(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    path.rsplit_once('.').is_some_and(|(_, ending)| FILES.contains(&ending))
}

fn content_type(response: &Response) -> String {
    let kind = response.headers().get(CONTENT_TYPE);
    kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned()
}
