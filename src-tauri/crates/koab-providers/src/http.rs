//! HTTP as every adapter here shares it: addresses, the client, and the names of failures.
//!
//! What is asked and how an answer is read is each protocol's own.

mod base_url;
mod client;
mod error;
mod gated;
mod limits;
mod proxy;
mod redirect;
mod request;
mod wait;

pub use base_url::{BadBaseUrl, BaseUrl};
pub(crate) use client::{Client, client, header, host, page_client};
pub(crate) use error::{Errors, deepest, is_html, shorten};
pub(crate) use limits::{BODY_BYTES, TooMuch, append, in_lines, is_roomy};
pub use proxy::{Proxy, use_proxy};
pub(crate) use redirect::{may_follow, origin};
pub(crate) use request::{Failure, Request, Response};
