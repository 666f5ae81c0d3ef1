//! Any server of OpenAI's Chat Completions (`docs/spec/adapters.md` §10.1, §10.10).
//!
//! One adapter serves one model at one address. It makes one request per call, always streaming,
//! and converts the answer to a [`ModelReply`] or a typed [`ModelError`]. `request` writes the
//! request, `stream` reads the answer, `assemble` puts it together, and `error` converts failures.

mod assemble;
mod calls;
mod chunk;
mod endpoint;
mod models;
mod opaque;
mod request;
mod stream;

pub use crate::http::{BadBaseUrl, BaseUrl};
pub use endpoint::{Dialect, Endpoint};
pub(crate) use models::listed_models;
pub use models::lists;

use crate::empty_request::{self, EMPTY_REQUEST};
use crate::http::{self, Client, Errors, Request};
use crate::openai_compat::request::Body;
use crate::structured::{self, ObjectMethod, ObjectMethods, ObjectModel};
use async_trait::async_trait;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_engine::ports::{ModelAdapter, ModelError, ModelReply, ModelRequest, ServerCheck};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use std::time::Instant;

/// All methods to get an object. No server needs to support all of them.
const WAYS: &[ObjectMethod] =
    &[ObjectMethod::Schema, ObjectMethod::Tool, ObjectMethod::Object, ObjectMethod::Words];

/// A model behind an OpenAI-compatible server.
#[derive(Debug)]
pub struct OpenAiCompat {
    client: Client,
    endpoint: Endpoint,
    key: Option<(HeaderName, HeaderValue)>,
    errors: Errors,
    ways: ObjectMethods,
}

/// Reason why an adapter could not be created.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum BadEndpoint {
    /// The key contains characters that an HTTP header cannot have.
    #[error("the key for {0} holds a line break or another character that cannot be sent; store it again")]
    Key(String),
    /// The address has a query, but the protocol appends paths to the address.
    #[error("the base URL {0} has a query after its `?`, which this provider's paths do not allow")]
    Query(String),
    /// TLS could not be set up, for example because the machine has no root certificates.
    #[error("no connection to {url} can be prepared: {cause}")]
    Client {
        /// Address of the server.
        url: String,
        /// Message of the HTTP client.
        cause: Sentence,
    },
}

impl OpenAiCompat {
    /// Creates the one client that all calls of this adapter share. Nothing is sent yet.
    ///
    /// # Errors
    /// When the key cannot be sent or the machine's TLS cannot be set up.
    pub fn new(endpoint: Endpoint) -> Result<Self, BadEndpoint> {
        let url = endpoint.base_url.shown();
        let header = |key: &Sensitive<String>| {
            let key = key.expose().trim();
            match endpoint.dialect {
                Dialect::Azure => http::header(key).map(|value| (HeaderName::from_static("api-key"), value)),
                _ => http::header(&format!("Bearer {key}")).map(|value| (AUTHORIZATION, value)),
            }
        };
        let key = endpoint.key.as_ref().map(header).transpose();
        let key = key.map_err(|_| BadEndpoint::Key(url.clone()))?;
        let client = http::client(&endpoint.network, &endpoint.base_url, endpoint.purpose)
            .map_err(|error| BadEndpoint::Client { url: url.clone(), cause: http::deepest(&error) })?;
        let errors = Errors::new(url, &endpoint.model, "/v1", endpoint.key.clone());
        Ok(OpenAiCompat { client, endpoint, key, errors, ways: ObjectMethods::new(WAYS) })
    }

    fn authorized(&self, request: Request) -> Request {
        match &self.key {
            Some((name, key)) => request.header(name, key),
            None => request,
        }
    }
}

#[async_trait]
impl ModelAdapter for OpenAiCompat {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        structured::complete(self, &request).await
    }

    async fn check(&self) -> Result<(), ModelError> {
        let get = self.authorized(self.client.get(self.endpoint.base_url.join("models")));
        let outcome = async {
            let response = get.send().await.map_err(|error| self.errors.sending(&error))?;
            let is_listed = self.endpoint.dialect != Dialect::Azure;
            models::judge(response, is_listed.then_some(&self.endpoint.model), &self.errors).await
        };
        self.errors.in_time(outcome).await
    }

    async fn models(&self) -> Result<Option<Vec<String>>, ModelError> {
        let get = self.authorized(self.client.get(self.endpoint.base_url.join("models")));
        let names = async {
            let response = get.send().await.map_err(|error| self.errors.sending(&error))?;
            models::list(response, &self.errors).await
        };
        self.errors.in_time(names).await
    }

    async fn check_server(&self) -> Result<ServerCheck, ModelError> {
        let post = self.client.post(self.endpoint.base_url.join("chat/completions"));
        let post = self.authorized(post).header(CONTENT_TYPE, "application/json").body(EMPTY_REQUEST);
        let answers = async {
            // Some servers list their models to everybody, so the key is checked where runs use it.
            let (names, refusal) = tokio::join!(self.models(), post.send());
            let names = names?;
            let refusal = refusal.map_err(|error| self.errors.sending(&error))?;
            empty_request::judge(refusal, names.is_some(), &self.errors).await?;
            Ok(match names {
                // Azure lists what could be deployed, not what is.
                Some(names) if self.endpoint.dialect != Dialect::Azure => ServerCheck::Lists(names),
                _ => ServerCheck::NoList,
            })
        };
        self.errors.in_time(answers).await
    }
}

#[async_trait]
impl ObjectModel for OpenAiCompat {
    async fn ask_once(
        &self,
        request: &ModelRequest<'_>,
        way: Option<ObjectMethod>,
    ) -> Result<ModelReply, ModelError> {
        let body = Body::new(&self.endpoint, &self.ways.learned, request, way).to_json();
        let post = self.client.post(self.endpoint.base_url.join("chat/completions"));
        let post = self.authorized(post).header(CONTENT_TYPE, "application/json").body(body);
        // The clock starts after all local work: the measurement covers the server and the
        // connection.
        let sent = Instant::now();
        let response = post.send().await.map_err(|error| self.errors.sending(&error))?;
        if !response.status().is_success() {
            return Err(self.errors.refused(response).await);
        }
        stream::read(response, sent, request, &self.errors).await
    }

    fn ways(&self) -> &ObjectMethods {
        &self.ways
    }

    fn errors(&self) -> &Errors {
        &self.errors
    }
}
