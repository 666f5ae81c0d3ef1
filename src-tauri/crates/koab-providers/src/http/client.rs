//! The HTTP client of one adapter, and headers that hold a key.
//!
//! Clients are built only here (`cargo xtask test --only architecture` checks that). Each client
//! has a purpose, and none can send anything that has not passed the egress gate
//! ([`koab_engine::egress`]).

use crate::http::egress_connections::EgressConnections;
use crate::http::request::Request;
use crate::http::{BaseUrl, Network, host};
use koab_engine::egress::{Offline, Permit, Purpose};
use reqwest::header::{HeaderValue, InvalidHeaderValue};
use reqwest::{ClientBuilder, Method, Url, redirect};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of redirects of a page.
const MAX_PAGE_REDIRECTS: usize = 10;

/// A client that asks the egress gate before each request. Clones are cheap and share their
/// connections.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    inner: reqwest::Client,
    network: Network,
    purpose: Purpose,
}

impl Client {
    pub(crate) fn get(&self, url: Url) -> Request {
        self.request(Method::GET, url)
    }

    pub(crate) fn head(&self, url: Url) -> Request {
        self.request(Method::HEAD, url)
    }

    pub(crate) fn post(&self, url: Url) -> Request {
        self.request(Method::POST, url)
    }

    pub(crate) fn request(&self, method: Method, url: Url) -> Request {
        Request::new(self.inner.request(method, url), self.network.gate().clone(), self.purpose)
    }

    /// The client for a library that sends requests itself.
    ///
    /// The client makes no connection while koab is offline. Each request of the library must be
    /// announced with [`Client::permit`] and end before the permit is dropped.
    pub(crate) fn behind_library(&self) -> reqwest::Client {
        self.inner.clone()
    }

    /// Permit for one request of a library that uses [`Client::behind_library`].
    ///
    /// # Errors
    /// When the address is on another computer and koab is offline.
    pub(crate) fn permit(&self, url: &Url) -> Result<Permit, Offline> {
        self.network.gate().permit(&host(url), self.purpose)
    }

    /// Network that the client was built with.
    pub(crate) fn network(&self) -> &Network {
        &self.network
    }
}

/// Creates the client for one address and purpose.
///
/// # Errors
/// When TLS cannot be set up, for example because the machine has no root certificates.
pub(crate) fn client(network: &Network, base_url: &BaseUrl, purpose: Purpose) -> reqwest::Result<Client> {
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("ko-agentbench-desktop/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true)
        .pool_idle_timeout(Duration::from_secs(30))
        // Compressed streams arrive in larger pieces, so the time to the first token would be that
        // of the first piece.
        .no_gzip()
        // A redirected POST loses its body, and a redirect to another host must not receive the
        // key.
        .redirect(redirect::Policy::none())
        .connector_layer(EgressConnections::new(network.gate().clone(), host(&base_url.itself()), purpose));
    builder = if base_url.is_loopback() {
        itself(builder.no_proxy(), base_url)
    } else {
        network.proxy().apply(builder)?
    };
    if base_url.is_plain_http() {
        // TLS is not used for plain HTTP, so the machine's root certificates need not be read or
        // even exist.
        builder = builder.tls_certs_only([]);
    }
    Ok(Client { inner: builder.build()?, network: network.clone(), purpose })
}

/// Resolves names of this computer, such as `localhost`, without a DNS query. If no file defines
/// them, the system would query a name server even for names that end with `localhost`.
fn itself(builder: ClientBuilder, base_url: &BaseUrl) -> ClientBuilder {
    let any: [SocketAddr; 2] = [(Ipv4Addr::LOCALHOST, 0).into(), (Ipv6Addr::LOCALHOST, 0).into()];
    match base_url.itself().host_str() {
        Some(name) if name.ends_with("localhost") => builder.resolve_to_addrs(name, &any),
        _ => builder,
    }
}

/// Creates a client for web pages, with a browser's user agent, because many servers require one
/// (`docs/spec/tools.md` §9).
///
/// The client follows redirects to addresses that `may_ask` allows. Each of them passes the egress
/// gate again.
///
/// # Errors
/// The errors of [`client`].
pub(crate) fn page_client(
    network: &Network,
    may_ask: impl Fn(&Url) -> bool + Send + Sync + 'static,
    settle: impl FnOnce(ClientBuilder) -> ClientBuilder,
) -> reqwest::Result<Client> {
    const BROWSER: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                           Chrome/91.0.4472.124 Safari/537.36";
    let purpose = Purpose::Page;
    let gate = network.gate().clone();
    let follow = redirect::Policy::custom(move |attempt| {
        if attempt.previous().len() > MAX_PAGE_REDIRECTS {
            return attempt.error("the page points to itself");
        }
        if !may_ask(attempt.url()) {
            return attempt.stop();
        }
        match gate.permit(&host(attempt.url()), purpose) {
            Ok(_) => attempt.follow(),
            Err(offline) => attempt.error(offline),
        }
    });
    let builder = reqwest::Client::builder()
        .user_agent(BROWSER)
        .connect_timeout(CONNECT_TIMEOUT)
        .no_gzip()
        .redirect(follow);
    let inner = settle(network.proxy().apply(builder)?).build()?;
    Ok(Client { inner, network: network.clone(), purpose })
}

/// A header value with a key, which debug output does not show.
///
/// # Errors
/// When the text is not allowed in a header, for example because of a line break.
pub(crate) fn header(text: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let mut value = HeaderValue::try_from(text)?;
    value.set_sensitive(true);
    Ok(value)
}
