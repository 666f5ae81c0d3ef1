//! Requests that pass the egress gate when they are sent, and responses that are read only while
//! koab is online.

use crate::http::base_url::host;
use crate::http::limits::{LimitExceeded, text};
use crate::http::turn::Body as Pieces;
use bytes::Bytes;
use futures_util::Stream;
use koab_engine::egress::{self, Gate, Offline, Permit, Purpose};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Body, RequestBuilder};
use std::fmt;
use std::ops::Deref;
use std::time::Duration;

/// Builder of a request.
pub(crate) struct Request {
    inner: RequestBuilder,
    gate: Gate,
    purpose: Purpose,
}

impl Request {
    pub(super) fn new(inner: RequestBuilder, gate: Gate, purpose: Purpose) -> Self {
        Self { inner, gate, purpose }
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

    /// Sends the request, if the egress gate permits it.
    ///
    /// # Errors
    /// When koab is offline, and the errors of `reqwest`.
    pub(crate) async fn send(self) -> Result<Response, Failure> {
        let (client, request) = self.inner.build_split();
        let request = request?;
        let permit = self.gate.permit(&host(request.url()), self.purpose)?;
        let inner = permit.while_online(client.execute(request)).await??;
        Ok(Response { inner, permit })
    }
}

/// A response. Status and headers are those of `reqwest`; the body can be read while koab is
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

    /// Reads the whole body.
    ///
    /// # Errors
    /// When the body is too long, or the connection breaks.
    pub(crate) async fn bytes(mut self) -> Result<Vec<u8>, Failure> {
        let mut body = Pieces::default();
        self.rest(&mut body).await?;
        Ok(body.into_vec())
    }

    /// Reads the whole body as text; invalid UTF-8 is replaced.
    ///
    /// # Errors
    /// When the body is too long, or the connection breaks.
    pub(crate) async fn text(mut self) -> Result<String, Failure> {
        let mut body = Pieces::default();
        self.rest(&mut body).await?;
        Ok(text(body.bytes())?.into_owned())
    }

    /// Reads the rest of a body to its end.
    pub(crate) async fn rest(&mut self, body: &mut Pieces) -> Result<(), Failure> {
        while let Some(piece) = self.chunk().await? {
            body.push(&piece).await?;
        }
        Ok(())
    }

    /// The pieces of the body as they arrive.
    pub(crate) fn bytes_stream(self) -> impl Stream<Item = Result<Bytes, Failure>> {
        futures_util::stream::try_unfold(self, |mut response| async move {
            let piece = response.chunk().await?;
            Ok(piece.map(|piece| (piece, response)))
        })
    }
}

/// Reason why there is no response, or only a part of it.
#[derive(Debug)]
pub(crate) enum Failure {
    /// koab is offline.
    Offline(Offline),
    /// The HTTP client failed.
    Http(reqwest::Error),
    /// The response exceeds a size limit.
    LimitExceeded(LimitExceeded),
}

impl Failure {
    /// The refusal of a request while koab is offline; `None` for any other failure.
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

    /// The error without the address, which may hold a key.
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
        // The client wraps the gate's refusal of a connection or a redirect.
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
