//! Downloads small files from an address that the user gives. Redirects are not followed, and
//! nothing is sent except the request itself.

use crate::http::{BadBaseUrl, BaseUrl, Failure, Network, client, deepest};
use koab_core::sentence::Sentence;
use koab_engine::egress::{Offline, Purpose};
use std::time::Duration;

/// Time limit of one file.
const FILE_TIMEOUT: Duration = Duration::from_secs(300);

/// Reason why a file could not be downloaded.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum DownloadError {
    /// The address is invalid.
    #[error(transparent)]
    Address(#[from] BadBaseUrl),
    /// The address is on another computer, and koab is offline.
    #[error(transparent)]
    Offline(#[from] Offline),
    /// The server does not answer, or the connection broke.
    #[error("{url} cannot be fetched: {why}")]
    Connection {
        /// Address without secrets.
        url: String,
        /// Message of the connection.
        why: Sentence,
    },
    /// The address contains a user name or password, which would be stored with the pack.
    #[error("{url} is given with a user name or password, which would be kept with the pack; leave it out")]
    Secret {
        /// Address without secrets.
        url: String,
    },
    /// The repository does not have the revision, or does not exist.
    #[error(
        "{page} has no revision `{revision}`, or the repository is private or not there (HTTP 404); check both"
    )]
    NoRevision {
        /// URL of the repository's page.
        page: String,
        /// Requested revision.
        revision: String,
    },
    /// The redirects lead to no file.
    #[error("{url} redirects in circles, to nowhere, or to an address without encryption")]
    Redirected {
        /// Address without secrets.
        url: String,
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
    #[error("stopped before it was done")]
    Cancelled,
    /// The answer is not a file.
    #[error("{url} answered HTTP {status}")]
    Status {
        /// Address without secrets.
        url: String,
        /// HTTP status of the answer.
        status: u16,
    },
    /// The file is larger than the caller accepts.
    #[error("{url} is larger than {most} bytes")]
    TooLarge {
        /// Address without secrets.
        url: String,
        /// Maximum number of bytes.
        most: u64,
    },
}

impl DownloadError {
    /// Whether a retry may succeed soon.
    pub(crate) fn passes(&self) -> bool {
        match self {
            Self::Connection { .. } => true,
            Self::Status { status, .. } => matches!(status, 408 | 500 | 502..=504),
            _ => false,
        }
    }
}

/// Downloads the file at `url`, of at most `most` bytes. `purpose` is recorded for the request.
///
/// # Errors
/// When the address cannot be used, the server does not answer, the status is not 200, or the file
/// is too large.
pub async fn fetch(
    network: &Network,
    url: &str,
    most: u64,
    purpose: Purpose,
) -> Result<Vec<u8>, DownloadError> {
    let base = BaseUrl::parse(url)?;
    let address = base.shown();
    let failed = |error: Failure| match error.offline() {
        Some(offline) => offline.clone().into(),
        None => DownloadError::Connection { url: address.clone(), why: deepest(&error.without_url()) },
    };
    let client = client(network, &base, purpose).map_err(|error| failed(error.into()))?;
    let mut answer = client.get(base.itself()).timeout(FILE_TIMEOUT).send().await.map_err(failed)?;
    let status = answer.status().as_u16();
    if status != 200 {
        return Err(DownloadError::Status { url: address, status });
    }
    let mut bytes = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(failed)? {
        bytes.extend_from_slice(&piece);
        if bytes.len() as u64 > most {
            return Err(DownloadError::TooLarge { url: address, most });
        }
    }
    Ok(bytes)
}
