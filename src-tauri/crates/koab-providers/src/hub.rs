//! Models and datasets on a Hugging Face hub: lists a repository's files and downloads them.
//!
//! This is implemented over the client of this crate, not with the `hf-hub` crate. Version 1.0 of
//! that crate brings 73 more crates and a client of its own for a second protocol, which ignores
//! the proxy and the limits of this crate and restarts an interrupted file from its first byte.
//! Version 0.5 brings a second `reqwest`. The protocol consists of two kinds of GET.
//!
//! The caller chooses the paths on the disk. A file is written next to its target with the
//! extension `.incomplete`, and is renamed only when its size and hash are those of the hub's
//! listing.

mod addresses;
mod digest;
mod fault;
mod fetch;
mod listing;

pub use digest::{FileHash, hash_of};
pub use fault::HubError;
pub use fetch::OnBytes;
pub use listing::{HubFile, Repository};

use crate::http::{BaseUrl, Client, Failure, Network, Response, client, deepest, may_follow, origin};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_engine::egress::Purpose;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderValue, LOCATION, RANGE};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The default hub.
pub const OFFICIAL: &str = "https://huggingface.co";

/// Time limit without a byte.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum number of redirects of one file: one to its storage, and a few more that mirrors add.
const MAX_REDIRECTS: usize = 5;

/// Kind of a repository. A hub lists each kind separately, so two repositories may have the same
/// name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepoKind {
    /// A model's weights.
    Model,
    /// A dataset.
    Dataset,
}

impl RepoKind {
    /// Path segments before a repository's name in the URLs of its files and its page.
    fn prefix(self) -> &'static [&'static str] {
        match self {
            Self::Model => &[],
            Self::Dataset => &["datasets"],
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Self::Model => "models",
            Self::Dataset => "datasets",
        }
    }

    fn example(self) -> &'static str {
        match self {
            Self::Model => "Qwen/Qwen2.5-7B-Instruct",
            Self::Dataset => "huggingface-KREW/Ko-AgentBench",
        }
    }
}

impl std::fmt::Display for RepoKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Model => "model",
            Self::Dataset => "dataset",
        })
    }
}

/// A repository by its kind and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repo<'a> {
    /// Kind of the repository.
    pub kind: RepoKind,
    /// Name in the form `org/name`.
    pub name: &'a str,
}

/// Client of a hub.
#[derive(Debug)]
pub struct Hub {
    base: BaseUrl,
    network: Network,
    token: Option<Sensitive<String>>,
    purpose: Purpose,
    /// One client for each origin of files.
    clients: Mutex<HashMap<String, Client>>,
}

impl Hub {
    /// Creates a client of the hub at an address such as [`OFFICIAL`]. Nothing is sent yet.
    ///
    /// # Errors
    /// When the address cannot be used.
    pub fn new(
        network: &Network,
        endpoint: &str,
        token: Option<Sensitive<String>>,
        purpose: Purpose,
    ) -> Result<Self, HubError> {
        let base = BaseUrl::parse(endpoint)?;
        Ok(Self { base, network: network.clone(), token, purpose, clients: Mutex::default() })
    }

    /// The hub's address without secrets.
    pub fn shown(&self) -> String {
        self.base.shown()
    }

    /// URL of a repository's page.
    pub fn page(&self, repo: Repo<'_>) -> String {
        let before: String = repo.kind.prefix().iter().map(|word| format!("{word}/")).collect();
        format!("{}/{before}{}", self.shown(), repo.name)
    }

    /// Requests a file from byte `from` on, following redirects. The token is sent only to the hub
    /// itself.
    async fn get(&self, url: Url, from: Option<u64>) -> Result<Response, HubError> {
        let mut url = url;
        for _ in 0..=MAX_REDIRECTS {
            let mut request = self.client(&url)?.get(url.clone());
            if let Some(token) = self.token.as_ref().filter(|_| self.may_see_token(&url)) {
                let mut value = HeaderValue::try_from(format!("Bearer {}", token.expose().trim()))
                    .map_err(|_| HubError::UnusableToken)?;
                value.set_sensitive(true);
                request = request.header(AUTHORIZATION, value);
            }
            if let Some(from) = from {
                request = request.header(RANGE, format!("bytes={from}-"));
            }
            let answer = request.send().await.map_err(|error| failed(origin(&url), error))?;
            if !answer.status().is_redirection() {
                return Ok(answer);
            }
            let next = answer
                .headers()
                .get(LOCATION)
                .and_then(|to| url.join(to.to_str().ok()?).ok())
                .ok_or_else(|| self.unreachable(say!("it redirects without an address")))?;
            if !may_follow(&url, &next) {
                return Err(self.unreachable(say!("it redirects to an address without encryption")));
            }
            url = next;
        }
        Err(self.unreachable(say!("it redirects in circles")))
    }

    fn may_see_token(&self, url: &Url) -> bool {
        origin(url) == origin(&self.base.itself()) && (url.scheme() == "https" || self.base.is_loopback())
    }

    fn client(&self, url: &Url) -> Result<Client, HubError> {
        let place = origin(url);
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&place) {
            return Ok(client.clone());
        }
        let new_client = client(&self.network, &BaseUrl::parse(&place)?, self.purpose)
            .map_err(|error| self.unreachable(deepest(&error)))?;
        clients.insert(place, new_client.clone());
        Ok(new_client)
    }

    fn unreachable(&self, why: impl Into<Sentence>) -> HubError {
        HubError::Connection { host: self.base.shown(), why: why.into() }
    }
}

fn failed(host: String, error: Failure) -> HubError {
    match error.offline() {
        Some(offline) => offline.clone().into(),
        None => HubError::Connection { host, why: deepest(&error.without_url()) },
    }
}
