//! Any server that speaks OpenAI's Chat Completions (`spec/adapters.md` §10.1, §10.10).
//!
//! One adapter serves one model at one address. It asks once per call, always streaming, and turns whatever comes
//! back into a [`ModelReply`] or a typed [`ModelError`]. What goes out is in `request`, what comes in is read by
//! `stream` and put together by `assemble`, and every failure is named in `error`.

mod assemble;
mod base_url;
mod chunk;
mod error;
mod models;
mod request;
mod stream;

pub use base_url::{BadBaseUrl, BaseUrl};

use crate::openai_compat::error::Errors;
use crate::openai_compat::request::Body;
use async_trait::async_trait;
use koab_core::sensitive::Sensitive;
use koab_engine::ports::{ModelAdapter, ModelError, ModelReply, ModelRequest};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder, redirect};
use std::time::{Duration, Instant};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long [`ModelAdapter::check`] waits for the list of models.
const CHECK_TIMEOUT: Duration = Duration::from_secs(10);

/// What a server calls the fields that servers do not agree on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `max_tokens`, which every compatible server knows.
    #[default]
    Common,
    /// OpenAI itself: `max_completion_tokens`, and no temperature for its reasoning models, which refuse both the
    /// old name and any temperature but the default (§10.1).
    OpenAi,
}

/// Where a model is and how it is asked.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Address up to and without `/chat/completions`.
    pub base_url: BaseUrl,
    /// Model name as the server knows it.
    pub model: String,
    /// Sent as bearer token when given.
    pub key: Option<Sensitive<String>>,
    /// Field names.
    pub dialect: Dialect,
}

/// A model behind an OpenAI-compatible server.
#[derive(Debug)]
pub struct OpenAiCompat {
    client: Client,
    endpoint: Endpoint,
    bearer: Option<HeaderValue>,
    errors: Errors,
}

/// An adapter that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BadEndpoint {
    /// The key holds characters that cannot stand in an HTTP header.
    #[error("the key for {0} holds a line break or another character that cannot be sent; store it again")]
    Key(String),
    /// TLS could not be set up, for one because the machine has no root certificates.
    #[error("no connection to {url} can be prepared: {cause}")]
    Client {
        /// Address.
        url: String,
        /// What the HTTP client said.
        cause: String,
    },
}

impl OpenAiCompat {
    /// Prepares the one client that every call of this adapter shares. Connects to nothing yet.
    ///
    /// # Errors
    /// When the key cannot be sent or the machine's TLS cannot be set up.
    pub fn new(endpoint: Endpoint) -> Result<Self, BadEndpoint> {
        let url = endpoint.base_url.shown();
        let bearer = endpoint.key.as_ref().map(|key| bearer(key.expose())).transpose();
        let bearer = bearer.map_err(|_| BadEndpoint::Key(url.clone()))?;
        let client = client(&endpoint.base_url).map_err(|error| BadEndpoint::Client {
            url,
            cause: error::deepest(&error),
        })?;
        let errors = Errors::new(&endpoint);
        Ok(OpenAiCompat {
            client,
            endpoint,
            bearer,
            errors,
        })
    }

    fn authorized(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.bearer {
            Some(bearer) => request.header(AUTHORIZATION, bearer),
            None => request,
        }
    }
}

#[async_trait]
impl ModelAdapter for OpenAiCompat {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let body = Body::new(&self.endpoint, &request).to_json();
        let post = self.client.post(self.endpoint.base_url.join("chat/completions"));
        let post = self
            .authorized(post)
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        // The clock starts when all of ours is done: what is measured is the server and the way to it.
        let sent = Instant::now();
        let response = post.send().await.map_err(|error| self.errors.sending(&error))?;
        let status = response.status();
        if !status.is_success() {
            return Err(self.errors.refused(response).await);
        }
        stream::read(response, sent, &request, &self.errors).await
    }

    async fn check(&self) -> Result<(), ModelError> {
        let get = self.authorized(self.client.get(self.endpoint.base_url.join("models")));
        let asked = async {
            let response = get.send().await.map_err(|error| self.errors.sending(&error))?;
            models::judge(response, &self.endpoint.model, &self.errors).await
        };
        let timed_out = |_| {
            self.errors
                .unreachable(format!("no answer within {} s", CHECK_TIMEOUT.as_secs()))
        };
        tokio::time::timeout(CHECK_TIMEOUT, asked)
            .await
            .map_err(timed_out)?
    }
}

fn bearer(key: &str) -> Result<HeaderValue, reqwest::header::InvalidHeaderValue> {
    let mut value = HeaderValue::try_from(format!("Bearer {}", key.trim()))?;
    value.set_sensitive(true);
    Ok(value)
}

fn client(base_url: &BaseUrl) -> reqwest::Result<Client> {
    let mut builder = Client::builder()
        .user_agent(concat!("ko-agentbench-desktop/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true)
        .pool_idle_timeout(Duration::from_secs(30))
        // A redirected POST loses its body, and a redirect to elsewhere must not carry the key along.
        .redirect(redirect::Policy::none());
    if base_url.is_loopback() {
        builder = builder.no_proxy();
    }
    if base_url.is_plain_http() {
        // Nothing here is ever verified, so the machine's root certificates need neither be read nor exist.
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}
