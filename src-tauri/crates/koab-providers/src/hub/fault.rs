//! What can go wrong with a hub, one sentence each.

use crate::http::{BadBaseUrl, Response, is_html, is_roomy, shorten};
use crate::hub::{Hub, Repo, RepoKind};
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::egress::Offline;
use reqwest::header::RETRY_AFTER;
use serde_json::Value;
use std::path::Path;

/// Why a hub or one of its files could not be had.
#[derive(Clone, Debug, thiserror::Error, koab_core::Say)]
pub enum HubError {
    /// The hub's address.
    #[error(transparent)]
    Address(#[from] BadBaseUrl),
    /// No name of a repository.
    #[error("`{name}` is not a name of a repository; it looks like {example}")]
    BadRepository {
        /// What was given.
        name: String,
        /// One that is.
        example: &'static str,
    },
    /// No name of a revision.
    #[error("`{0}` is not a name of a branch, tag or commit")]
    BadRevision(String),
    /// A token that cannot be sent.
    #[error("HF_TOKEN holds characters that no token has; set it again")]
    UnusableToken,
    /// The repository is not there, or hidden from whoever shows no token.
    #[error(
        "{hub} has no {kind} {repo}, or it is private; check the name, and for a private one set HF_TOKEN"
    )]
    NoRepository {
        /// The hub.
        hub: String,
        /// What was looked for.
        kind: RepoKind,
        /// The repository.
        repo: String,
    },
    /// The repository is not there, or hidden from the token's account.
    #[error(
        "{hub} has no {kind} {repo}, or it is private to others; check the name, and whose token HF_TOKEN holds"
    )]
    NoRepositoryForToken {
        /// The hub.
        hub: String,
        /// What was looked for.
        kind: RepoKind,
        /// The repository.
        repo: String,
    },
    /// The repository has no such branch, tag or commit.
    #[error("{repo} has no revision `{revision}`; leave it out for the newest")]
    NoRevision {
        /// The repository.
        repo: String,
        /// The revision.
        revision: String,
    },
    /// The repository does not have the file any more.
    #[error("{repo} has no such file at this revision")]
    NoFile {
        /// The repository.
        repo: String,
    },
    /// Terms have to be accepted, and a token shown.
    #[error(
        "{repo} is given out only to those who accepted its terms: accept them at {page}, and set HF_TOKEN to a token of that account"
    )]
    Gated {
        /// The repository.
        repo: String,
        /// Its page.
        page: String,
    },
    /// Terms have to be accepted by the token's account.
    #[error(
        "{repo} is given out only to those who accepted its terms: accept them at {page} with the account of the token in HF_TOKEN"
    )]
    GatedForToken {
        /// The repository.
        repo: String,
        /// Its page.
        page: String,
    },
    /// The token is not accepted.
    #[error("{hub} refuses the token in HF_TOKEN; make a new one there and set it again")]
    Token {
        /// The hub.
        hub: String,
    },
    /// Too many requests.
    #[error(
        "{hub} asks to slow down (HTTP 429); wait a few minutes, or set HF_TOKEN, which has a higher limit"
    )]
    TooMany {
        /// The hub.
        hub: String,
    },
    /// Too many requests, and when they are welcome again.
    #[error(
        "{hub} asks to slow down (HTTP 429) for {seconds} s; wait, or set HF_TOKEN, which has a higher limit"
    )]
    TooManyFor {
        /// The hub.
        hub: String,
        /// The wait that it names.
        seconds: u64,
    },
    /// Any other refusal.
    #[error("{hub} answered HTTP {status}{said}")]
    Status {
        /// The hub.
        hub: String,
        /// The status.
        status: u16,
        /// What it said.
        said: String,
    },
    /// It is on another computer, and koab is offline.
    #[error(transparent)]
    Offline(#[from] Offline),
    /// Nobody answers.
    #[error("{host} cannot be reached: {why}")]
    Connection {
        /// Who.
        host: String,
        /// What the connection said.
        why: Sentence,
    },
    /// The connection broke again and again.
    #[error(
        "the connection broke while {file} was fetched: {why}; what is there is kept, and the next try continues from it"
    )]
    BrokenOff {
        /// The file.
        file: String,
        /// What it said last.
        why: Sentence,
    },
    /// The listing makes no sense.
    #[error("what the hub says about {repo} cannot be used: {why}")]
    Unreadable {
        /// The repository.
        repo: String,
        /// Why.
        why: Sentence,
    },
    /// Other bytes than promised.
    #[error(
        "{file} is not what the hub promised ({what}: {found} instead of {wanted}); it was thrown away, fetch it again"
    )]
    Wrong {
        /// The file.
        file: String,
        /// What differs: its size or hash.
        what: &'static str,
        /// What was promised.
        wanted: String,
        /// What came.
        found: String,
    },
    /// The disk refuses.
    #[error("{path} cannot be written or read: {why}")]
    Disk {
        /// The file.
        path: String,
        /// What the system says.
        why: Sentence,
    },
    /// Whoever wanted the file stopped it.
    #[error("stopped; what is there is kept")]
    Cancelled,
}

impl HubError {
    pub(super) fn bad_repository(repo: Repo<'_>) -> Self {
        Self::BadRepository { name: repo.name.to_owned(), example: repo.kind.example() }
    }

    pub(super) fn disk(path: &Path, why: &std::io::Error) -> Self {
        Self::Disk { path: path.display().to_string(), why: why.to_sentence() }
    }

    /// Whether the same may work in a moment.
    pub(super) fn passes(&self) -> bool {
        match self {
            Self::Connection { .. } | Self::BrokenOff { .. } => true,
            Self::Status { status, .. } => matches!(status, 408 | 500 | 502..=504),
            _ => false,
        }
    }
}

impl Hub {
    /// Names a refusal by its status and by what the hub calls it.
    pub(super) async fn refused(&self, answer: Response, repo: Repo<'_>, revision: &str) -> HubError {
        let (hub, page, kind) = (self.shown(), self.page(repo), repo.kind);
        let repo = repo.name.to_owned();
        let status = answer.status().as_u16();
        let word = |name: &str| {
            let value = answer.headers().get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        let (code, said) = (word("x-error-code"), word("x-error-message"));
        let wait = word(RETRY_AFTER.as_str());
        let has_token = self.token.is_some();
        match (status, code.as_str()) {
            (_, "GatedRepo") => {
                if has_token {
                    HubError::GatedForToken { repo, page }
                } else {
                    HubError::Gated { repo, page }
                }
            }
            (_, "RevisionNotFound") => HubError::NoRevision { repo, revision: revision.to_owned() },
            (_, "EntryNotFound") => HubError::NoFile { repo },
            (401, _) if has_token && code != "RepoNotFound" => HubError::Token { hub },
            (401 | 404, _) if has_token => HubError::NoRepositoryForToken { hub, kind, repo },
            (401 | 404, _) => HubError::NoRepository { hub, kind, repo },
            (429, _) => match wait.parse() {
                Ok(seconds) => HubError::TooManyFor { hub, seconds },
                Err(_) => HubError::TooMany { hub },
            },
            _ => {
                let said = if said.is_empty() { body(answer).await } else { said };
                HubError::Status {
                    hub,
                    status,
                    said: if said.is_empty() { said } else { format!(": {}", shorten(&said)) },
                }
            }
        }
    }
}

/// The sentence in an error's body.
async fn body(answer: Response) -> String {
    if is_html(answer.headers()) {
        return String::new();
    }
    let text = answer.text().await.unwrap_or_default();
    match is_roomy(text.as_bytes()).map(|()| serde_json::from_str::<Value>(&text)) {
        Err(_) => String::new(),
        Ok(Ok(value)) => value["error"].as_str().unwrap_or_default().to_owned(),
        Ok(Err(_)) => text,
    }
}
