//! The HTTP client of one adapter, and headers that hold a key.

use crate::http::{BaseUrl, Proxy};
use reqwest::header::{HeaderValue, InvalidHeaderValue};
use reqwest::{Client, ClientBuilder, redirect};
use std::time::Duration;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The client for one address.
///
/// # Errors
/// When TLS cannot be set up, for one because the machine has no root certificates.
pub(crate) fn client(base_url: &BaseUrl) -> reqwest::Result<Client> {
    let mut builder = Client::builder()
        .user_agent(concat!("ko-agentbench-desktop/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true)
        .pool_idle_timeout(Duration::from_secs(30))
        // Packed streams come in larger pieces, and the time to the first token would be that of the first piece.
        .no_gzip()
        // A redirected POST loses its body, and a redirect to elsewhere must not carry the key along.
        .redirect(redirect::Policy::none());
    builder = if base_url.is_loopback() {
        builder.no_proxy()
    } else {
        Proxy::apply(builder)?
    };
    if base_url.is_plain_http() {
        // Nothing here is ever verified, so the machine's root certificates need neither be read nor exist.
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}

/// A client for web pages, which many servers give to browsers only (`spec/tools.md` §9).
///
/// # Errors
/// As [`client`].
pub(crate) fn page_client(settle: impl FnOnce(ClientBuilder) -> ClientBuilder) -> reqwest::Result<Client> {
    const BROWSER: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                           Chrome/91.0.4472.124 Safari/537.36";
    let builder = Client::builder()
        .user_agent(BROWSER)
        .connect_timeout(CONNECT_TIMEOUT)
        .no_gzip();
    settle(Proxy::apply(builder)?).build()
}

/// A header's value with a key in it; it is not shown by whoever prints headers.
///
/// # Errors
/// When the text cannot stand in a header, for one because of a line break.
pub(crate) fn header(text: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let mut value = HeaderValue::try_from(text)?;
    value.set_sensitive(true);
    Ok(value)
}
