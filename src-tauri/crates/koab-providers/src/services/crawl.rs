//! Reads the pages behind search results and puts their text in the place of the service's snippets (`spec/tools.md` §9).
//!
//! What differs from the published code: pages are read side by side and all of them within one limit, since one search
//! may name a hundred; only the public internet is asked; and a page is not read beyond its first part. A page that
//! cannot be read leaves the snippet, as published.

use super::public_addresses::{PublicOnly, may_be_public};
use super::{BadService, ServiceInfo, page_text};
use crate::http::{BaseUrl, Proxy, deepest, page_client};
use futures_util::StreamExt as _;
use futures_util::stream;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response, Url};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Pages that are read side by side.
const AT_ONCE: usize = 8;

/// Longest time for all pages of one search.
const ALL_PAGES: Duration = Duration::from_secs(20);

const HEAD_PATIENCE: Duration = Duration::from_secs(5);
const PAGE_PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of a page that are read.
const MOST_BYTES: usize = 4 << 20;

/// Endings of addresses that are no pages.
const FILES: [&str; 17] = [
    "pdf", "hwp", "zip", "rar", "7z", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "jpg", "jpeg", "png",
    "gif", "mp4", "avi",
];

/// Reads pages.
pub(super) struct Crawler {
    client: Client,
    /// Whether the search service is on this computer: then its pages may be too.
    at_home: bool,
}

impl Crawler {
    pub(super) fn open(info: &'static ServiceInfo, base: &BaseUrl) -> Result<Self, BadService> {
        let at_home = base.is_loopback();
        let client = page_client(|builder| {
            let builder = builder.redirect(reqwest::redirect::Policy::custom(move |attempt| {
                if attempt.previous().len() > 10 {
                    attempt.error("the page points to itself")
                } else if at_home || may_be_public(attempt.url()) {
                    attempt.follow()
                } else {
                    attempt.stop()
                }
            }));
            if at_home {
                // Nothing on this computer is verified, so no root certificates are read.
                builder.no_proxy().tls_certs_only([])
            } else {
                builder.dns_resolver(Arc::new(PublicOnly {
                    proxies: Proxy::hosts(),
                }))
            }
        });
        Ok(Self {
            client: client.map_err(|error| BadService::Client {
                title: info.title,
                cause: deepest(&error),
            })?,
            at_home,
        })
    }

    /// Puts the text of the page at `link` into `text`, for every item whose page can be read in time.
    pub(super) async fn read_pages(&self, items: &mut [Value], link: &str, text: &str) {
        let until = Instant::now() + ALL_PAGES;
        let links: Vec<(usize, String)> = items
            .iter()
            .enumerate()
            .filter_map(|(at, item)| Some((at, item.get(link)?.as_str()?.to_owned())))
            .collect();
        let pages: Vec<(usize, Option<String>)> =
            stream::iter(links)
                .map(move |(at, link)| async move {
                    (at, timeout_at(until, self.page(&link)).await.ok().flatten())
                })
                .buffer_unordered(AT_ONCE)
                .collect()
                .await;
        for (at, page) in pages {
            if let (Some(page), Some(item)) = (page, items.get_mut(at)) {
                item[text] = page.into();
            }
        }
    }

    async fn page(&self, link: &str) -> Option<String> {
        let url = Url::parse(link).ok()?;
        if is_file(&url) || !self.may_ask(&url) {
            return None;
        }
        let head = self
            .client
            .head(url.clone())
            .timeout(HEAD_PATIENCE)
            .send()
            .await
            .ok()?;
        if !head.status().is_success() || !content_type(&head).contains("text/html") {
            return None;
        }
        let mut html = self.html(url.clone()).await?;
        if link.contains("blog.naver.com")
            && let Some(frame) = page_text::blog_frame(&html)
        {
            let frame = url.join(&frame).ok().filter(|frame| self.may_ask(frame))?;
            html = self.html(frame).await?;
        }
        page_text::of_page(&html)
    }

    async fn html(&self, url: Url) -> Option<String> {
        let mut response = self.client.get(url).timeout(PAGE_PATIENCE).send().await.ok()?;
        if !response.status().is_success() {
            return None;
        }
        let kind = content_type(&response);
        let mut bytes = Vec::new();
        while let Some(piece) = response.chunk().await.ok()? {
            bytes.extend_from_slice(&piece);
            if bytes.len() > MOST_BYTES {
                break;
            }
        }
        Some(page_text::decoded(&bytes, &kind))
    }

    fn may_ask(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https") && (self.at_home || may_be_public(url))
    }
}

fn is_file(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| FILES.contains(&ending))
}

fn content_type(response: &Response) -> String {
    let kind = response.headers().get(CONTENT_TYPE);
    kind.and_then(|kind| kind.to_str().ok())
        .unwrap_or_default()
        .to_owned()
}
