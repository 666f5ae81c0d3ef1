//! Any server that speaks OpenAI's Chat Completions (`docs/spec/adapters.md` §10.1, §10.10).
//!
//! One adapter serves one model at one address. It asks once per call, always streaming, and turns
//! whatever comes back into a [`ModelReply`] or a typed [`ModelError`]. What goes out is in
//! `request`, what comes in is read by `stream` and put together by `assemble`, and every failure
//! is named in `error`.

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

use crate::http::{self, Client, Errors, Request};
use crate::openai_compat::request::Body;
use crate::structured::{self, ObjectMethod, ObjectMethods, ObjectModel};
use async_trait::async_trait;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_engine::ports::{ModelAdapter, ModelError, ModelReply, ModelRequest};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use std::time::Instant;

/// All ways to get an object; which of them a server knows differs from server to server.
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

/// An adapter that could not be made.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum BadEndpoint {
    /// The key holds characters that cannot stand in an HTTP header.
    #[error("the key for {0} holds a line break or another character that cannot be sent; store it again")]
    Key(String),
    /// The address of a protocol that puts paths of its own behind it has a query.
    #[error("the base URL {0} has a query after its `?`, which this provider's paths leave no room for")]
    Query(String),
    /// TLS could not be set up, for one because the machine has no root certificates.
    #[error("no connection to {url} can be prepared: {cause}")]
    Client {
        /// Address.
        url: String,
        /// What the HTTP client said.
        cause: Sentence,
    },
}

impl OpenAiCompat {
    /// Prepares the one client that every call of this adapter shares. Connects to nothing yet.
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
        let client = http::client(&endpoint.base_url, endpoint.purpose)
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
        let asked = async {
            let response = get.send().await.map_err(|error| self.errors.sending(&error))?;
            let listed = self.endpoint.dialect != Dialect::Azure;
            models::judge(response, listed.then_some(&self.endpoint.model), &self.errors).await
        };
        self.errors.in_time(asked).await
    }

    async fn models(&self) -> Result<Option<Vec<String>>, ModelError> {
        let get = self.authorized(self.client.get(self.endpoint.base_url.join("models")));
        let asked = async {
            let response = get.send().await.map_err(|error| self.errors.sending(&error))?;
            models::list(response, &self.errors).await
        };
        self.errors.in_time(asked).await
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
        // The clock starts when all of ours is done: what is measured is the server and the way to
        // it.
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
