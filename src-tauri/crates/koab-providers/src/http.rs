//! HTTP as every adapter here shares it: addresses, the client, and the names of failures.
//!
//! What is asked and how an answer is read is each protocol's own.

mod base_url;
mod client;
mod error;
mod proxy;
mod redirect;
mod wait;

pub use base_url::{BadBaseUrl, BaseUrl};
pub(crate) use client::{client, header, page_client};
pub(crate) use error::{Errors, deepest, is_html, shorten};
pub use proxy::{Proxy, use_proxy};
pub(crate) use redirect::{may_follow, origin};
