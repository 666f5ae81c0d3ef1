//! Downloads archives of repositories from an address that the user gives. The address is that of a
//! file, or of a repository's page, whose host makes the archive.
//!
//! Redirects are followed, since hosts store archives elsewhere. Nothing is sent except the request
//! itself.
//!
//! After a broken connection, the download connects again. If the server supports ranges and the
//! file is unchanged, the download continues at the first missing byte; otherwise it begins again.

use crate::download::DownloadError;
use crate::http::{BaseUrl, Failure, Network, Response, client, deepest, may_follow, origin};
use crate::reconnect::{Reconnect, Reconnects};
use aws_lc_rs::digest::{Context, SHA256};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::egress::Purpose;
use koab_engine::ports::Cancel;
use reqwest::header::{CONTENT_RANGE, ETAG, IF_RANGE, LOCATION, RANGE};
use reqwest::{StatusCode, Url};
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncWriteExt as _, BufWriter};

/// Time limit without a byte. A host takes a while to make an archive.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

const MAX_REDIRECTS: usize = 5;

/// An archive to download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// URL of the archive.
    pub url: String,
    /// URL of the repository's page, or of the file if the address is that of a file.
    pub page: String,
    /// Requested branch, tag or commit; `None` if the address is that of a file.
    pub revision: Option<String>,
}

impl Archive {
    /// Parses `https://host/org/repo@revision`, `https://host/org/repo` (its newest commit) or the
    /// address of an archive.
    ///
    /// The archive of a page has the path that GitHub, Gitea and Forgejo use.
    ///
    /// # Errors
    /// When the text is not an address, or contains a user name or password.
    pub fn named(text: &str) -> Result<Self, DownloadError> {
        let base = BaseUrl::parse(text)?;
        let url = base.itself();
        if !url.username().is_empty() || url.password().is_some() {
            return Err(DownloadError::Secret { url: base.shown() });
        }
        let path = url.path().trim_matches('/').to_owned();
        let (repo, revision) = match path.split_once('@') {
            Some((repo, revision)) => (repo, Some(revision)),
            None => (path.as_str(), None),
        };
        let is_file = is_archive(repo) || revision.is_some_and(is_archive);
        let is_page = repo.split('/').count() == 2 && url.query().is_none() && !is_file;
        if !is_page {
            return Ok(Self { url: url.to_string(), page: base.shown(), revision: None });
        }
        let repo = repo.trim_end_matches(".git");
        let revision = revision.filter(|revision| !revision.is_empty()).unwrap_or("HEAD");
        let mut page = url.clone();
        page.set_path(repo);
        let mut archive = url;
        archive.set_path(&format!("{repo}/archive/{revision}.tar.gz"));
        Ok(Self { url: archive.to_string(), page: page.to_string(), revision: Some(revision.to_owned()) })
    }
}

fn is_archive(path: &str) -> bool {
    [".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst"].iter().any(|ending| path.ends_with(ending))
}

/// A downloaded archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

/// Callback with the number of bytes so far, and the total if the server reports it.
pub type OnBytes<'a> = &'a (dyn Fn(u64, Option<u64>) + Send + Sync);

/// A file that is being downloaded.
struct PartialFile {
    have: u64,
    digest: Context,
    /// The server's entity tag of the content, if there is one.
    tag: Option<String>,
    total: Option<u64>,
}

impl PartialFile {
    fn new() -> Self {
        Self { have: 0, digest: Context::new(&SHA256), tag: None, total: None }
    }
}

/// Downloads an archive of at most `most` bytes to `to`, whose folder must exist.
///
/// # Errors
/// When the address cannot be used, the connection keeps breaking, the answer is not a file or is
/// too large, the disk reports an error, or the download was cancelled.
pub async fn fetch(
    network: &Network,
    archive: &Archive,
    to: &Path,
    most: u64,
    progress: OnBytes<'_>,
    cancel: &Cancel,
) -> Result<Fetched, DownloadError> {
    let mut coming = PartialFile::new();
    let mut reconnects = Reconnects::default();
    loop {
        let before = coming.have;
        let response = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(DownloadError::Cancelled),
            response = tokio::time::timeout(IDLE_TIMEOUT, get(network, archive, &coming)) => response,
        };
        let response = response.unwrap_or_else(|_| Err(archive.broken(say!("it does not answer"))));
        let outcome = match response {
            Ok(answer) => take(archive, answer, &mut coming, (to, most), progress, cancel).await,
            Err(error) => Err(error),
        };
        let error = match outcome {
            Ok(()) => break,
            Err(error) if !error.passes() => return Err(error),
            Err(error) => error,
        };
        let has_progress = coming.have > before;
        if coming.tag.is_none() {
            coming = PartialFile::new();
        }
        match reconnects.pause(has_progress, cancel).await {
            Reconnect::Now => {}
            Reconnect::Cancelled => return Err(DownloadError::Cancelled),
            Reconnect::Never => return Err(error),
        }
    }
    Ok(Fetched { bytes: coming.have, sha256: hex::encode(coming.digest.finish()) })
}

/// Requests the missing bytes, following redirects.
async fn get(network: &Network, archive: &Archive, coming: &PartialFile) -> Result<Response, DownloadError> {
    let mut url = BaseUrl::parse(&archive.url)?.itself();
    for _ in 0..=MAX_REDIRECTS {
        let mut request = client(network, &BaseUrl::parse(&origin(&url))?, Purpose::Archive)
            .map_err(|error| archive.failed(error.into()))?
            .get(url.clone());
        if let Some(tag) = coming.tag.as_ref().filter(|_| coming.have > 0) {
            request = request.header(RANGE, format!("bytes={}-", coming.have)).header(IF_RANGE, tag);
        }
        let answer = request.send().await.map_err(|error| archive.failed(error))?;
        if !answer.status().is_redirection() {
            return Ok(answer);
        }
        url = next(&url, &answer).ok_or_else(|| DownloadError::Redirected { url: archive.page.clone() })?;
    }
    Err(DownloadError::Redirected { url: archive.page.clone() })
}

fn next(url: &Url, answer: &Response) -> Option<Url> {
    let to = answer.headers().get(LOCATION)?.to_str().ok()?;
    url.join(to).ok().filter(|next| may_follow(url, next))
}

/// Appends an answer's bytes to the file.
async fn take(
    archive: &Archive,
    mut answer: Response,
    coming: &mut PartialFile,
    (to, most): (&Path, u64),
    progress: OnBytes<'_>,
    cancel: &Cancel,
) -> Result<(), DownloadError> {
    let word = |name| answer.headers().get(name).and_then(|value| value.to_str().ok());
    match answer.status() {
        StatusCode::PARTIAL_CONTENT => {
            let begin = format!("bytes {}-", coming.have);
            if !word(CONTENT_RANGE).is_some_and(|range| range.starts_with(&begin)) {
                coming.tag = None;
                return Err(archive.broken(say!("the server began at another place")));
            }
        }
        StatusCode::OK => {
            // A weak tag says that two contents are equivalent, not that their bytes are equal.
            let tag = word(ETAG).filter(|tag| tag.starts_with('"')).map(str::to_owned);
            *coming = PartialFile { tag, total: answer.content_length(), ..PartialFile::new() };
        }
        StatusCode::NOT_FOUND => {
            return Err(match archive.revision.clone() {
                Some(revision) => DownloadError::NoRevision { page: archive.page.clone(), revision },
                None => DownloadError::Status { url: archive.shown(), status: 404 },
            });
        }
        status => {
            return Err(DownloadError::Status { url: archive.shown(), status: status.as_u16() });
        }
    }
    let disk =
        |why: std::io::Error| DownloadError::Disk { path: to.display().to_string(), why: why.to_sentence() };
    let mut open = tokio::fs::OpenOptions::new();
    open.create(true).write(true);
    let opened =
        if coming.have == 0 { open.truncate(true).open(to).await } else { open.append(true).open(to).await };
    let mut out = BufWriter::with_capacity(1 << 18, opened.map_err(disk)?);
    let outcome = loop {
        let next = tokio::select! {
            biased;
            () = cancel.cancelled() => break Err(DownloadError::Cancelled),
            next = tokio::time::timeout(IDLE_TIMEOUT, answer.chunk()) => next,
        };
        match next {
            Err(_) => break Err(archive.broken(say!("nothing came for a minute"))),
            Ok(Err(error)) => break Err(archive.failed(error)),
            Ok(Ok(None)) => break Ok(()),
            Ok(Ok(Some(bytes))) => {
                if coming.have + bytes.len() as u64 > most {
                    break Err(DownloadError::TooLarge { url: archive.page.clone(), most });
                }
                out.write_all(&bytes).await.map_err(disk)?;
                coming.have += bytes.len() as u64;
                coming.digest.update(&bytes);
                progress(coming.have, coming.total);
            }
        }
    };
    out.flush().await.map_err(disk)?;
    out.get_mut().sync_data().await.map_err(disk)?;
    outcome
}

impl Archive {
    fn shown(&self) -> String {
        BaseUrl::parse(&self.url).map_or_else(|_| self.page.clone(), |url| url.shown())
    }

    fn failed(&self, error: Failure) -> DownloadError {
        match error.offline() {
            Some(offline) => offline.clone().into(),
            None => self.broken(deepest(&error.without_url())),
        }
    }

    fn broken(&self, why: impl Into<Sentence>) -> DownloadError {
        DownloadError::Connection { url: self.shown(), why: why.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_asked_for_its_archive_and_an_archive_is_taken_as_it_is() {
        for (text, url, revision) in [
            ("https://github.com/org/Repo", "https://github.com/org/Repo/archive/HEAD.tar.gz", Some("HEAD")),
            (
                "https://github.com/org/Repo.git@v1.0",
                "https://github.com/org/Repo/archive/v1.0.tar.gz",
                Some("v1.0"),
            ),
            (
                "https://codeberg.org/org/repo@feature/x",
                "https://codeberg.org/org/repo/archive/feature/x.tar.gz",
                Some("feature/x"),
            ),
            ("https://example.org/files/pack.zip?key=1", "https://example.org/files/pack.zip?key=1", None),
            ("https://example.org/a/b/pack@2.tar.gz", "https://example.org/a/b/pack@2.tar.gz", None),
            ("https://example.org/a/pack@2.zip", "https://example.org/a/pack@2.zip", None),
        ] {
            let archive = Archive::named(text).expect("an address");
            assert_eq!((archive.url.as_str(), archive.revision.as_deref()), (url, revision), "{text}");
        }
        let page = Archive::named("https://github.com/org/Repo@v1").expect("an address").page;
        assert_eq!(page, "https://github.com/org/Repo");
        for bad in ["github.com/org/repo", "ftp://x/y/z", "https://me:pw@host/org/repo"] {
            assert!(Archive::named(bad).is_err(), "{bad}");
        }
    }
}
