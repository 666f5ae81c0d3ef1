//! Models with their own protocols: Anthropic Messages, Gemini, Vertex AI, Bedrock Converse
//! (`docs/spec/adapters.md` §10.3–10.5, §10.9).
//!
//! The `genai` crate writes the requests, parses the streams and knows how each model expresses
//! effort. The modules here do the rest: the conversation in its types (`request`), the reply with
//! its time to first token (`reply`), the parts that are sent back unchanged (`opaque`), size
//! limits (`watch`), and error conversion (`fault`). `docs/design/providers.md` has a table of the
//! division of work per provider.

mod endpoint;
mod fault;
mod opaque;
mod reply;
mod request;
mod watch;

pub(crate) use endpoint::NativeEndpoint;
pub use endpoint::Protocol;

use crate::credentials::Credential;
use crate::empty_request::{self, EMPTY_REQUEST};
use crate::http::{self, Client, Errors, Request, Response};
use crate::openai_compat::BadEndpoint;
use crate::structured::{self, ObjectMethod, ObjectMethods, ObjectModel};
use async_trait::async_trait;
use genai::resolver::{AuthData, Endpoint};
use genai::{ModelIden, ServiceTarget};
use koab_core::say;
use koab_engine::ports::{ModelAdapter, ModelError, ModelReply, ModelRequest, ServerCheck};
use reqwest::StatusCode;
use reqwest::header::CONTENT_TYPE;
use std::time::Instant;

/// A model behind its own protocol.
#[derive(Debug)]
pub(crate) struct Native {
    endpoint: NativeEndpoint,
    folder: String,
    http: Client,
    genai: genai::Client,
    errors: Errors,
    ways: ObjectMethods,
}

impl Native {
    /// Creates the client that all calls share. Nothing is sent yet.
    ///
    /// # Errors
    /// When the key cannot be sent, the address has a query, or TLS cannot be set up.
    pub(crate) fn new(endpoint: NativeEndpoint) -> Result<Self, BadEndpoint> {
        let url = endpoint.base_url.shown();
        if let Credential::Key(key) = &endpoint.credential {
            http::header(key.expose().trim()).map_err(|_| BadEndpoint::Key(url.clone()))?;
        }
        let folder = endpoint.base_url.as_folder();
        let folder = folder.ok_or_else(|| BadEndpoint::Query(url.clone()))?;
        let http = http::client(&endpoint.network, &endpoint.base_url, endpoint.purpose)
            .map_err(|error| BadEndpoint::Client { url: url.clone(), cause: http::deepest(&error) })?;
        let genai = genai::Client::builder().with_reqwest(http.behind_library()).build();
        let genai = genai
            .map_err(|error| BadEndpoint::Client { url: url.clone(), cause: error.to_string().into() })?;
        let errors =
            Errors::new(url, &endpoint.model, endpoint.protocol.ending(), endpoint.credential.secrets());
        let ways = endpoint.protocol.ways(endpoint.protocol.maker(&endpoint.model));
        Ok(Native { endpoint, folder, http, genai, errors, ways: ObjectMethods::new(ways) })
    }

    /// Asks the server about this one model; `None` if the protocol has no such request. The answer
    /// is better than a list of models: lists contain no aliases, and come in pages.
    async fn ask_about(&self) -> Result<Option<Response>, ModelError> {
        let get = self.http.get(self.endpoint.base_url.join(&format!("models/{}", self.endpoint.model)));
        let Some(get) = self.authorized(get).await? else {
            return Ok(None);
        };
        get.send().await.map(Some).map_err(|error| self.errors.sending(&error))
    }

    /// A request with the key. `None` for protocols where a key without further rights is only for
    /// calls of models.
    async fn authorized(&self, request: Request) -> Result<Option<Request>, ModelError> {
        let header = match self.endpoint.protocol {
            Protocol::Anthropic => "x-api-key",
            Protocol::Gemini => "x-goog-api-key",
            Protocol::Vertex | Protocol::Bedrock => return Ok(None),
        };
        let token = self.endpoint.credential.token(&self.errors).await?;
        let token =
            http::header(token.expose()).map_err(|_| self.errors.strange(say!("the key cannot be sent")))?;
        Ok(Some(request.header(header, token).header("anthropic-version", "2023-06-01")))
    }

    /// Checks the model before a run. In case of doubt the run may begin.
    async fn check_model(&self) -> Result<(), ModelError> {
        let Some(response) = self.ask_about().await? else {
            return Ok(());
        };
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let error = self.errors.refused(response).await;
        let certain = match &error {
            ModelError::Unauthorized { .. } | ModelError::RateLimited { .. } => true,
            ModelError::UnknownModel { .. } => self.is_about_model(&error),
            _ => status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED,
        };
        if certain { Err(error) } else { Ok(()) }
    }

    /// Whether the server does not know the model. A server that lacks the path says nothing
    /// against the model.
    fn is_about_model(&self, error: &ModelError) -> bool {
        matches!(error, ModelError::UnknownModel { message, .. } if message.to_string().contains(&self.endpoint.model))
    }

    async fn ask_server(&self) -> Result<ServerCheck, ModelError> {
        let Some(response) = self.ask_about().await? else {
            return Ok(ServerCheck::NotAsked);
        };
        if response.status().is_success() && !http::is_html(response.headers()) {
            return Ok(ServerCheck::KnowsModel);
        }
        let error = self.errors.refused(response).await;
        let is_path = matches!(&error, ModelError::Http { .. } | ModelError::UnknownModel { .. });
        if !is_path || self.is_about_model(&error) {
            return Err(error);
        }
        let path = match self.endpoint.protocol {
            Protocol::Anthropic => "messages".to_owned(),
            _ => format!("models/{}:generateContent", self.endpoint.model),
        };
        let post = self.http.post(self.endpoint.base_url.join(&path));
        let post = post.header(CONTENT_TYPE, "application/json").body(EMPTY_REQUEST);
        let Some(post) = self.authorized(post).await? else {
            return Ok(ServerCheck::NotAsked);
        };
        let refusal = post.send().await.map_err(|error| self.errors.sending(&error))?;
        empty_request::judge(refusal, false, &self.errors).await?;
        Ok(ServerCheck::NoList)
    }
}

#[async_trait]
impl ModelAdapter for Native {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        structured::complete(self, &request).await
    }

    fn own_limit(&self) -> Option<u32> {
        request::own_limit(&self.endpoint)
    }

    fn most_output(&self, request: &ModelRequest<'_>) -> u32 {
        request::most_output(&self.endpoint, request)
    }

    async fn check(&self) -> Result<(), ModelError> {
        self.errors.in_time(self.check_model()).await
    }

    async fn check_server(&self) -> Result<ServerCheck, ModelError> {
        self.errors.in_time(self.ask_server()).await
    }
}

#[async_trait]
impl ObjectModel for Native {
    async fn ask_once(
        &self,
        request: &ModelRequest<'_>,
        way: Option<ObjectMethod>,
    ) -> Result<ModelReply, ModelError> {
        let token = self.endpoint.credential.token(&self.errors).await?;
        let target = ServiceTarget {
            endpoint: Endpoint::from_owned(self.folder.as_str()),
            auth: AuthData::from_single(token.expose().as_str()),
            model: ModelIden::new(self.endpoint.protocol.kind(), self.endpoint.model.as_str()),
        };
        let errors = self.errors.hiding(&token);
        let chat = request::conversation(self.endpoint.protocol, request);
        let (options, watch) = request::options(&self.endpoint, &self.ways.learned, request, way);
        let permit = self.http.permit(&self.endpoint.base_url.itself())?;
        let reply = async {
            // The request is sent when the stream is first polled; all local work is done by then.
            let stream = self.genai.exec_chat_stream(target, chat, Some(&options)).await;
            let stream = stream.map_err(|error| fault::named(error, &errors))?.stream;
            reply::read(stream, Instant::now(), request, self.endpoint.protocol, &watch, &errors).await
        };
        permit.while_online(reply).await?
    }

    fn ways(&self) -> &ObjectMethods {
        &self.ways
    }

    fn errors(&self) -> &Errors {
        &self.errors
    }
}
