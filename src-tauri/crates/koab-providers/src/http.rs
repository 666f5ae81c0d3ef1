//! HTTP for all adapters of this crate: addresses, the client, and the names of failures.
//!
//! Each protocol's module defines its requests and parses its answers.

mod base_url;
mod client;
mod egress_connections;
mod error;
mod keys;
mod limits;
mod lines;
mod network;
mod proxy;
mod redirect;
mod request;
#[cfg(test)]
pub(crate) mod testing;
mod turn;
mod unpack;
mod wait;

pub(crate) use base_url::host;
pub use base_url::{BadBaseUrl, BaseUrl};
pub(crate) use client::{Client, client, header, page_client};
pub(crate) use error::{Errors, deepest, first_error, is_html, shorten};
pub(crate) use keys::secrets_of;
pub(crate) use limits::{BODY_BYTES, KEPT_BYTES, LINE_BYTES, LimitExceeded, is_roomy, kept_of, size, text};
pub(crate) use lines::in_lines;
pub use network::Network;
pub use proxy::Proxy;
pub(crate) use redirect::{may_follow, origin};
pub(crate) use request::{Failure, Request, Response};
pub(crate) use turn::{Body, turn_of_values};
pub(crate) use unpack::Packing;
