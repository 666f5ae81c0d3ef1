//! Errors of a hub, one sentence each.

use crate::http::{BadBaseUrl, Response, is_html, is_roomy, shorten};
use crate::hub::{Hub, Repo, RepoKind};
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::egress::Offline;
use reqwest::header::RETRY_AFTER;
use serde_json::Value;
use std::path::Path;

/// Reason why a hub or one of its files is not available.
#[derive(Clone, Debug, thiserror::Error, koab_core::Say)]
pub enum HubError {
    /// The hub's address is invalid.
    #[error(transparent)]
    Address(#[from] BadBaseUrl),
    /// The name is not a valid name of a repository.
    #[error("`{name}` is not a name of a repository; it looks like {example}")]
    BadRepository {
        /// Name that was given.
        name: String,
        /// A valid name.
        example: &'static str,
    },
    /// The name is not a valid name of a revision.
    #[error("`{0}` is not a name of a branch, tag or commit")]
    BadRevision(String),
    /// The token contains characters that cannot be sent.
    #[error("HF_TOKEN holds characters that no token has; set it again")]
    UnusableToken,
    /// The repository does not exist, or is hidden from requests without a token.
    #[error(
        "{hub} has no {kind} {repo}, or it is private; check the name, and for a private one set HF_TOKEN"
    )]
    NoRepository {
        /// Address of the hub.
        hub: String,
        /// Kind of the repository.
        kind: RepoKind,
        /// Name of the repository.
        repo: String,
    },
    /// The repository does not exist, or is hidden from the token's account.
    #[error(
        "{hub} has no {kind} {repo}, or it is private to others; check the name, and whose token HF_TOKEN holds"
    )]
    NoRepositoryForToken {
        /// Address of the hub.
        hub: String,
        /// Kind of the repository.
        kind: RepoKind,
        /// Name of the repository.
        repo: String,
    },
    /// The repository has no such branch, tag or commit.
    #[error("{repo} has no revision `{revision}`; leave it out for the newest")]
    NoRevision {
        /// Name of the repository.
        repo: String,
        /// Requested revision.
        revision: String,
    },
    /// The repository does not have the file at this revision.
    #[error("{repo} has no such file at this revision")]
    NoFile {
        /// Name of the repository.
        repo: String,
    },
    /// The user must accept terms, and set a token.
    #[error(
        "{repo} is given out only to those who accepted its terms: accept them at {page}, and set HF_TOKEN to a token of that account"
    )]
    Gated {
        /// Name of the repository.
        repo: String,
        /// URL of the repository's page.
        page: String,
    },
    /// The token's account must accept terms.
    #[error(
        "{repo} is given out only to those who accepted its terms: accept them at {page} with the account of the token in HF_TOKEN"
    )]
    GatedForToken {
        /// Name of the repository.
        repo: String,
        /// URL of the repository's page.
        page: String,
    },
    /// The hub refuses the token.
    #[error("{hub} refuses the token in HF_TOKEN; make a new one there and set it again")]
    Token {
        /// Address of the hub.
        hub: String,
    },
    /// The hub received too many requests.
    #[error(
        "{hub} asks to slow down (HTTP 429); wait a few minutes, or set HF_TOKEN, which has a higher limit"
    )]
    TooMany {
        /// Address of the hub.
        hub: String,
    },
    /// The hub received too many requests, and names a wait.
    #[error(
        "{hub} asks to slow down (HTTP 429) for {seconds} s; wait, or set HF_TOKEN, which has a higher limit"
    )]
    TooManyFor {
        /// Address of the hub.
        hub: String,
        /// Seconds to wait.
        seconds: u64,
    },
    /// The hub refuses for another reason.
    #[error("{hub} answered HTTP {status}{said}")]
    Status {
        /// Address of the hub.
        hub: String,
        /// HTTP status.
        status: u16,
        /// Message of the hub.
        said: String,
    },
    /// The hub is on another computer, and koab is offline.
    #[error(transparent)]
    Offline(#[from] Offline),
    /// The server cannot be reached.
    #[error("{host} cannot be reached: {why}")]
    Connection {
        /// Host of the server.
        host: String,
        /// Message of the connection.
        why: Sentence,
    },
    /// The connection broke repeatedly.
    #[error(
        "the connection broke while {file} was fetched: {why}; the part that was received is kept, and the next try continues from it"
    )]
    BrokenOff {
        /// Path of the file.
        file: String,
        /// Message of the last failure.
        why: Sentence,
    },
    /// The listing of the repository is invalid.
    #[error("what the hub says about {repo} cannot be used: {why}")]
    Unreadable {
        /// Name of the repository.
        repo: String,
        /// Fault of the listing.
        why: Sentence,
    },
    /// The content is not that of the hub's listing.
    #[error(
        "{file} is not what the hub announced ({what}: {found} instead of {wanted}); it was deleted, so fetch it again"
    )]
    Wrong {
        /// Path of the file.
        file: String,
        /// Property that differs: size or hash.
        what: &'static str,
        /// Value in the listing.
        wanted: String,
        /// Actual value.
        found: String,
    },
    /// The file system reports an error.
    #[error("{path} cannot be written or read: {why}")]
    Disk {
        /// Path of the file.
        path: String,
        /// Error message of the operating system.
        why: Sentence,
    },
    /// The caller cancelled the download.
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

    /// Whether a retry may succeed soon.
    pub(super) fn passes(&self) -> bool {
        match self {
            Self::Connection { .. } | Self::BrokenOff { .. } => true,
            Self::Status { status, .. } => matches!(status, 408 | 500 | 502..=504),
            _ => false,
        }
    }
}

impl Hub {
    /// Converts a refusal to an error, by its status and the hub's error code.
    pub(super) async fn refused(&self, answer: Response, repo: Repo<'_>, revision: &str) -> HubError {
        let (hub, page, kind) = (self.shown(), self.page(repo), repo.kind);
        let repo = repo.name.to_owned();
        let status = answer.status().as_u16();
        let word = |name: &str| {
            let value = answer.headers().get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        let (code, message) = (word("x-error-code"), word("x-error-message"));
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
                let message = if message.is_empty() { body(answer).await } else { message };
                HubError::Status {
                    hub,
                    status,
                    said: if message.is_empty() { message } else { format!(": {}", shorten(&message)) },
                }
            }
        }
    }
}

/// The message in an error's body.
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
