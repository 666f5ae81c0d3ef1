//! Models and datasets on a Hugging Face hub: what a repository holds, and fetching its files.
//!
//! Written here over the client that everything else uses, and not with the `hf-hub` crate: version
//! 1.0 brings 73 crates more, a client of its own for a second protocol that knows neither our
//! proxy nor our limits, and begins an interrupted file again from its first byte; 0.5 brings a
//! second `reqwest`. The protocol is two kinds of GET.
//!
//! Where files belong on the disk is the caller's affair. A file is written beside its target as
//! `.incomplete`, and is put there only when its size and hash are what the hub promised.

mod addresses;
mod digest;
mod fault;
mod fetch;
mod listing;

pub use digest::{FileHash, hash_of};
pub use fault::HubError;
pub use fetch::OnBytes;
pub use listing::{HubFile, Repository};

use crate::http::{BaseUrl, Client, Failure, Response, client, deepest, may_follow, origin};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_engine::egress::Purpose;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderValue, LOCATION, RANGE};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The hub that is asked when nobody names another.
pub const OFFICIAL: &str = "https://huggingface.co";

/// Longest time without a byte.
const SILENCE: Duration = Duration::from_secs(30);

/// Redirects of one file: to its storage, and a few more that mirrors add.
const REDIRECTS: usize = 5;

/// How long is waited before a broken connection is made again; each byte that arrives begins anew.
const WAITS: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
    Duration::from_secs(15),
];

/// What a repository is for; a hub keeps the two apart, and they may have the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepoKind {
    /// Weights of a model.
    Model,
    /// Data.
    Dataset,
}

impl RepoKind {
    /// What stands before a repository's name in addresses of its files and its page.
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

/// A repository by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repo<'a> {
    /// What it is for.
    pub kind: RepoKind,
    /// `org/name`.
    pub name: &'a str,
}

/// A hub, and who asks it.
#[derive(Debug)]
pub struct Hub {
    base: BaseUrl,
    token: Option<Sensitive<String>>,
    purpose: Purpose,
    /// One client for each place that files come from.
    clients: Mutex<HashMap<String, Client>>,
}

impl Hub {
    /// The hub at an address such as [`OFFICIAL`], and what is wanted of it; nothing is contacted
    /// yet.
    ///
    /// # Errors
    /// When the address cannot be used.
    pub fn new(endpoint: &str, token: Option<Sensitive<String>>, purpose: Purpose) -> Result<Self, HubError> {
        Ok(Self { base: BaseUrl::parse(endpoint)?, token, purpose, clients: Mutex::default() })
    }

    /// The hub's address for people.
    pub fn shown(&self) -> String {
        self.base.shown()
    }

    /// The page of a repository.
    pub fn page(&self, repo: Repo<'_>) -> String {
        let before: String = repo.kind.prefix().iter().map(|word| format!("{word}/")).collect();
        format!("{}/{before}{}", self.shown(), repo.name)
    }

    /// Asks for a file, following redirects; `from` is the first byte that is wanted. The token
    /// goes to the hub alone.
    async fn get(&self, url: Url, from: Option<u64>) -> Result<Response, HubError> {
        let mut url = url;
        for _ in 0..=REDIRECTS {
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
                .ok_or_else(|| self.unreachable(say!("it redirects to nowhere")))?;
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
        let made = client(&BaseUrl::parse(&place)?, self.purpose)
            .map_err(|error| self.unreachable(deepest(&error)))?;
        clients.insert(place, made.clone());
        Ok(made)
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
