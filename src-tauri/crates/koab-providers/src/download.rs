//! Fetches small files from an address that the user named. Nothing is followed elsewhere, and
//! nothing is sent but the request itself.

use crate::http::{BadBaseUrl, BaseUrl, Failure, client, deepest};
use koab_core::sentence::Sentence;
use koab_engine::egress::{Offline, Purpose};
use std::time::Duration;

/// Longest time of one file.
const PATIENCE: Duration = Duration::from_secs(300);

/// A file that could not be fetched.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum DownloadError {
    /// The address.
    #[error(transparent)]
    Address(#[from] BadBaseUrl),
    /// It is on another computer, and koab is offline.
    #[error(transparent)]
    Offline(#[from] Offline),
    /// Nobody answers, or not to the end.
    #[error("{url} cannot be fetched: {why}")]
    Connection {
        /// The address for people.
        url: String,
        /// What the connection said.
        why: Sentence,
    },
    /// An address that would show a password to whoever sees it.
    #[error("{url} is given with a user name or password, which would be kept with the pack; leave it out")]
    Secret {
        /// The address for people.
        url: String,
    },
    /// A repository without the revision, or none at all.
    #[error(
        "{page} has no revision `{revision}`, or the repository is private or not there (HTTP 404); check both"
    )]
    NoRevision {
        /// The repository's page.
        page: String,
        /// What was asked for.
        revision: String,
    },
    /// Redirects that lead nowhere.
    #[error("{url} redirects in circles, to nowhere, or to an address without encryption")]
    Redirected {
        /// The address for people.
        url: String,
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
    #[error("stopped before it was done")]
    Cancelled,
    /// An answer that is not a file.
    #[error("{url} answered HTTP {status}")]
    Status {
        /// The address for people.
        url: String,
        /// The answer's status.
        status: u16,
    },
    /// More than the caller takes.
    #[error("{url} is larger than {most} bytes")]
    TooLarge {
        /// The address for people.
        url: String,
        /// The limit.
        most: u64,
    },
}

impl DownloadError {
    /// Whether the same may work in a moment.
    pub(crate) fn passes(&self) -> bool {
        match self {
            Self::Connection { .. } => true,
            Self::Status { status, .. } => matches!(status, 408 | 500 | 502..=504),
            _ => false,
        }
    }
}

/// The bytes at `url`, at most `most` of them; `purpose` is what they are for.
///
/// # Errors
/// When the address cannot be used, nobody answers, the answer is not 200 or too large.
pub async fn fetch(url: &str, most: u64, purpose: Purpose) -> Result<Vec<u8>, DownloadError> {
    let base = BaseUrl::parse(url)?;
    let shown = base.shown();
    let failed = |error: Failure| match error.offline() {
        Some(offline) => offline.clone().into(),
        None => DownloadError::Connection { url: shown.clone(), why: deepest(&error.without_url()) },
    };
    let client = client(&base, purpose).map_err(|error| failed(error.into()))?;
    let mut answer = client.get(base.itself()).timeout(PATIENCE).send().await.map_err(failed)?;
    let status = answer.status().as_u16();
    if status != 200 {
        return Err(DownloadError::Status { url: shown, status });
    }
    let mut bytes = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(failed)? {
        bytes.extend_from_slice(&piece);
        if bytes.len() as u64 > most {
            return Err(DownloadError::TooLarge { url: shown, most });
        }
    }
    Ok(bytes)
}
