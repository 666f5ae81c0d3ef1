//! Downloads one file. It continues an earlier download, reconnects after broken connections, and
//! puts only verified content in place.

use crate::http::{Response, deepest};
use crate::hub::{Hub, HubError, HubFile, IDLE_TIMEOUT, Repo, digest};
use crate::reconnect::{Reconnect, Reconnects};
use aws_lc_rs::digest::Context;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::Cancel;
use reqwest::header::CONTENT_RANGE;
use reqwest::{StatusCode, Url};
use std::path::{Path, PathBuf};
use tokio::io::{AsyncWriteExt as _, BufWriter};

/// Callback with the number of bytes of a file so far.
pub type OnBytes<'a> = &'a (dyn Fn(u64) + Send + Sync);

/// A partial download, with the hash of its bytes.
struct Partial {
    path: PathBuf,
    have: u64,
    digest: Context,
}

impl Hub {
    /// Downloads a file of a repository at a commit to `to`, whose folder must exist.
    ///
    /// The bytes are first written to `to` with `.incomplete` appended. If such a file exists from
    /// an earlier download, it is continued. A download that fails or is cancelled leaves it.
    ///
    /// # Errors
    /// When the hub refuses, the connection keeps breaking, the file system reports an error, the
    /// content is not that of the hub's listing, or the download was cancelled.
    pub async fn fetch(
        &self,
        (repo, commit): (Repo<'_>, &str),
        file: &HubFile,
        to: &Path,
        progress: OnBytes<'_>,
        cancel: &Cancel,
    ) -> Result<(), HubError> {
        let url = self.address(repo.kind.prefix(), repo.name, &["resolve", commit], &file.path)?;
        let partial = incomplete(to);
        let mut wrong_once = false;
        loop {
            let existing = open(&partial, file).await?;
            let continued = existing.have > 0;
            let digest = self.fill(existing, &url, (repo, commit), file, progress, cancel).await?;
            match verified(digest, file) {
                Ok(()) => break,
                // Bytes of an earlier download may belong to another file, so a mismatch is retried
                // once from the start.
                Err(_) if continued && !wrong_once => {
                    wrong_once = true;
                    remove(&partial).await?;
                }
                Err(error) => {
                    remove(&partial).await?;
                    return Err(error);
                }
            }
        }
        let disk = |why| HubError::disk(to, &why);
        let whole = tokio::fs::File::open(&partial).await.map_err(disk)?;
        whole.sync_all().await.map_err(disk)?;
        tokio::fs::rename(&partial, to).await.map_err(disk)
    }

    /// Downloads the missing bytes, and returns the hash of the whole file. Connects again after a
    /// broken connection.
    async fn fill(
        &self,
        mut partial: Partial,
        url: &Url,
        (repo, commit): (Repo<'_>, &str),
        file: &HubFile,
        progress: OnBytes<'_>,
        cancel: &Cancel,
    ) -> Result<Context, HubError> {
        progress(partial.have);
        let mut reconnects = Reconnects::default();
        while partial.have < file.size {
            let before = partial.have;
            let from = (before > 0).then_some(before);
            let response = tokio::select! {
                biased;
                () = cancel.cancelled() => return Err(HubError::Cancelled),
                response = tokio::time::timeout(IDLE_TIMEOUT, self.get(url.clone(), from)) => response,
            };
            let response = response.unwrap_or_else(|_| Err(self.unreachable(say!("it does not answer"))));
            let outcome = match response {
                Ok(answer) => self.take(answer, &mut partial, (repo, commit), file, progress, cancel).await,
                Err(error) => Err(error),
            };
            let Err(error) = outcome else { continue };
            if !error.passes() {
                return Err(error);
            }
            // Bytes that were written before the failure count; the hash is computed again from the
            // disk.
            partial = open(&partial.path, file).await?;
            match reconnects.pause(partial.have > before, cancel).await {
                Reconnect::Now => {}
                Reconnect::Cancelled => return Err(HubError::Cancelled),
                Reconnect::Never => return Err(error),
            }
        }
        if partial.have == 0 {
            // Nothing is requested for an empty file.
            tokio::fs::write(&partial.path, b"").await.map_err(|why| HubError::disk(&partial.path, &why))?;
        }
        Ok(partial.digest)
    }

    /// Appends an answer's bytes to the partial file.
    async fn take(
        &self,
        mut answer: Response,
        partial: &mut Partial,
        (repo, commit): (Repo<'_>, &str),
        file: &HubFile,
        progress: OnBytes<'_>,
        cancel: &Cancel,
    ) -> Result<(), HubError> {
        match answer.status() {
            StatusCode::PARTIAL_CONTENT if begins_at(&answer) == Some(partial.have) => {}
            // A server without support for ranges sends the whole file, and so does one that cannot
            // serve this range.
            StatusCode::OK => partial.begin_again(file),
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => {
                remove(&partial.path).await?;
                return Err(self.broken(file, say!("the server began at another place")));
            }
            _ => return Err(self.refused(answer, repo, commit).await),
        }
        let path = partial.path.clone();
        let disk = |why| HubError::disk(&path, &why);
        let mut open = tokio::fs::OpenOptions::new();
        open.create(true).write(true);
        let opened = if partial.have == 0 {
            open.truncate(true).open(&path).await
        } else {
            open.append(true).open(&path).await
        };
        let mut out = BufWriter::with_capacity(1 << 20, opened.map_err(disk)?);
        let outcome = loop {
            let next = tokio::select! {
                biased;
                // A cancellation ends like a broken connection: received bytes are written.
                () = cancel.cancelled() => break Err(HubError::Cancelled),
                next = tokio::time::timeout(IDLE_TIMEOUT, answer.chunk()) => next,
            };
            match next {
                Err(_) => break Err(self.broken(file, say!("nothing came for half a minute"))),
                Ok(Err(error)) => {
                    break Err(match error.offline() {
                        Some(offline) => offline.clone().into(),
                        None => self.broken(file, deepest(&error.without_url())),
                    });
                }
                Ok(Ok(None)) => break Ok(()),
                Ok(Ok(Some(bytes))) => {
                    partial.have += bytes.len() as u64;
                    if partial.have > file.size {
                        out.flush().await.map_err(disk)?;
                        drop(out);
                        remove(&path).await?;
                        return Err(wrong(file, "size", file.size, "more"));
                    }
                    out.write_all(&bytes).await.map_err(disk)?;
                    partial.digest.update(&bytes);
                    progress(partial.have);
                }
            }
        };
        out.flush().await.map_err(disk)?;
        match outcome {
            Ok(()) if partial.have < file.size => Err(self.broken(file, "it ended too early")),
            outcome => outcome,
        }
    }

    fn broken(&self, file: &HubFile, why: impl Into<Sentence>) -> HubError {
        HubError::BrokenOff { file: file.path.clone(), why: why.into() }
    }
}

impl Partial {
    fn begin_again(&mut self, file: &HubFile) {
        self.have = 0;
        self.digest = file.hash.begin(file.size);
    }
}

/// Path of a partial download.
pub(super) fn incomplete(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".incomplete");
    name.into()
}

/// Opens the partial download of a file. One that is longer than the file is deleted, because it
/// belongs to another file.
async fn open(path: &Path, file: &HubFile) -> Result<Partial, HubError> {
    let (path, size, mut digest) = (path.to_owned(), file.size, file.hash.begin(file.size));
    let read = move || {
        let have = match digest::feed(&mut digest, &path) {
            Ok(have) => have,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => 0,
            Err(error) => return Err(HubError::disk(&path, &error)),
        };
        Ok((Partial { path, have, digest }, have <= size))
    };
    let (mut partial, fits) = tokio::task::spawn_blocking(read)
        .await
        .map_err(|error| HubError::disk(Path::new(&file.path), &std::io::Error::other(error)))??;
    if !fits {
        remove(&partial.path).await?;
        partial.begin_again(file);
    }
    Ok(partial)
}

async fn remove(path: &Path) -> Result<(), HubError> {
    match tokio::fs::remove_file(path).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(HubError::disk(path, &error)),
        _ => Ok(()),
    }
}

/// First byte of a partial answer, according to the server.
fn begins_at(answer: &Response) -> Option<u64> {
    let range = answer.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range.strip_prefix("bytes ")?.split('-').next()?.trim().parse().ok()
}

fn verified(digest: Context, file: &HubFile) -> Result<(), HubError> {
    let digest = hex::encode(digest.finish());
    if digest == file.hash.hex() {
        return Ok(());
    }
    let what = match file.hash {
        crate::hub::FileHash::Sha256(_) => "SHA-256",
        crate::hub::FileHash::GitSha1(_) => "git's SHA-1",
    };
    Err(wrong(file, what, file.hash.hex(), &digest))
}

fn wrong(file: &HubFile, what: &'static str, expected: impl ToString, actual: &str) -> HubError {
    HubError::Wrong { file: file.path.clone(), what, wanted: expected.to_string(), found: actual.to_owned() }
}
