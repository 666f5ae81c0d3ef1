//! A request that crosses the gate when it is sent, and an answer that is read only while koab is
//! online.

use crate::http::base_url::host;
use crate::http::limits::{LimitExceeded, text};
use crate::http::turn::Body as Pieces;
use bytes::Bytes;
use futures_util::Stream;
use koab_engine::egress::{self, Offline, Permit, Purpose};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Body, RequestBuilder};
use std::fmt;
use std::ops::Deref;
use std::time::Duration;

/// A request being put together.
pub(crate) struct Request {
    inner: RequestBuilder,
    purpose: Purpose,
}

impl Request {
    pub(super) fn new(inner: RequestBuilder, purpose: Purpose) -> Self {
        Self { inner, purpose }
    }

    pub(crate) fn header<N, V>(self, name: N, value: V) -> Self
    where
        HeaderName: TryFrom<N>,
        <HeaderName as TryFrom<N>>::Error: Into<http::Error>,
        HeaderValue: TryFrom<V>,
        <HeaderValue as TryFrom<V>>::Error: Into<http::Error>,
    {
        self.with(|inner| inner.header(name, value))
    }

    pub(crate) fn headers(self, headers: HeaderMap) -> Self {
        self.with(|inner| inner.headers(headers))
    }

    pub(crate) fn timeout(self, limit: Duration) -> Self {
        self.with(|inner| inner.timeout(limit))
    }

    pub(crate) fn body(self, body: impl Into<Body>) -> Self {
        self.with(|inner| inner.body(body))
    }

    fn with(self, change: impl FnOnce(RequestBuilder) -> RequestBuilder) -> Self {
        Self { inner: change(self.inner), ..self }
    }

    /// Sends it, if it may leave.
    ///
    /// # Errors
    /// When koab is offline, and as `reqwest` fails.
    pub(crate) async fn send(self) -> Result<Response, Failure> {
        let (client, request) = self.inner.build_split();
        let request = request?;
        let permit = egress::permit(&host(request.url()), self.purpose)?;
        let inner = permit.while_online(client.execute(request)).await??;
        Ok(Response { inner, permit })
    }
}

/// An answer. Status and headers are as `reqwest` has them; the body comes as long as koab is
/// online.
#[derive(Debug)]
pub(crate) struct Response {
    inner: reqwest::Response,
    permit: Permit,
}

impl Deref for Response {
    type Target = reqwest::Response;

    fn deref(&self) -> &reqwest::Response {
        &self.inner
    }
}

impl Response {
    /// The next piece of the body.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Failure> {
        Ok(self.permit.while_online(self.inner.chunk()).await??)
    }

    /// The whole body, as far as it is not too long.
    pub(crate) async fn bytes(mut self) -> Result<Vec<u8>, Failure> {
        let mut body = Pieces::default();
        self.rest(&mut body).await?;
        Ok(body.into_vec())
    }

    /// The whole body as text, as far as it is not too long; what is not UTF-8 is replaced.
    pub(crate) async fn text(mut self) -> Result<String, Failure> {
        let mut body = Pieces::default();
        self.rest(&mut body).await?;
        Ok(text(body.bytes())?.into_owned())
    }

    /// A body that began like this, to its end.
    pub(crate) async fn rest(&mut self, body: &mut Pieces) -> Result<(), Failure> {
        while let Some(piece) = self.chunk().await? {
            body.push(&piece).await?;
        }
        Ok(())
    }

    /// The pieces of the body as they come.
    pub(crate) fn bytes_stream(self) -> impl Stream<Item = Result<Bytes, Failure>> {
        futures_util::stream::try_unfold(self, |mut response| async move {
            let piece = response.chunk().await?;
            Ok(piece.map(|piece| (piece, response)))
        })
    }
}

/// Why there is no answer, or none to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It was not let out, or its answer not in.
    Offline(Offline),
    /// What the HTTP client said.
    Http(reqwest::Error),
    /// There is more of it than is taken in.
    LimitExceeded(LimitExceeded),
}

impl Failure {
    /// The refusal, where that is what it was.
    pub(crate) fn offline(&self) -> Option<&Offline> {
        match self {
            Self::Offline(offline) => Some(offline),
            Self::Http(_) | Self::LimitExceeded(_) => None,
        }
    }

    pub(crate) fn is_connect(&self) -> bool {
        matches!(self, Self::Http(error) if error.is_connect())
    }

    pub(crate) fn is_timeout(&self) -> bool {
        matches!(self, Self::Http(error) if error.is_timeout())
    }

    /// The same without the address, which may hold a key.
    pub(crate) fn without_url(self) -> Self {
        match self {
            Self::Http(error) => Self::Http(error.without_url()),
            other => other,
        }
    }
}

impl From<Offline> for Failure {
    fn from(offline: Offline) -> Self {
        Self::Offline(offline)
    }
}

impl From<LimitExceeded> for Failure {
    fn from(more: LimitExceeded) -> Self {
        Self::LimitExceeded(more)
    }
}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        // A connection or a redirect that was refused comes back in the client's wrapping.
        egress::refusal(&error).map_or(Self::Http(error), Self::Offline)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offline(offline) => offline.fmt(f),
            Self::Http(error) => error.fmt(f),
            Self::LimitExceeded(more) => more.fmt(f),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Offline(offline) => Some(offline),
            Self::Http(error) => Some(error),
            Self::LimitExceeded(more) => Some(more),
        }
    }
}
