//! `POST /api/upload`: receives files into the folder of [`Uploads`].

use crate::answer::{Refusal, json};
use crate::shared::Shared;
use crate::uploads::Uploads;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::StreamExt as _;
use koab_api::WireError;
use koab_core::say;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::io::AsyncWriteExt as _;

/// Maximum length of the list of files in bytes.
const MAX_LIST: usize = 1 << 20;

/// A file in the list of an upload.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Files of one set share a folder, so that they keep their relative paths.
    set: String,
    /// Relative path, with `/` between its parts.
    path: String,
    /// Length of the content.
    bytes: u64,
}

/// `POST /api/upload`. The body is a line of JSON, the list of files as
/// `[{"set": …, "path": …, "bytes": …}, …]`, and then the contents in this order, without anything
/// between them. Thousands of small files take few requests that way.
///
/// The answer is `{"paths": […]}`: for each file its path, or that of the top folder in its
/// relative path. If a file is refused, those before it are kept.
pub(crate) async fn upload(State(shared): State<Arc<Shared>>, body: Body) -> Result<Response, Refusal> {
    let mut content = Content { chunks: body.into_data_stream(), rest: Bytes::new() };
    let list = content.line(MAX_LIST).await?;
    let entries: Vec<Entry> = serde_json::from_slice(&list)
        .map_err(|error| WireError::bad_request(say!("the list of files cannot be read: {error}")))?;
    let mut paths = Vec::with_capacity(entries.len());
    for entry in &entries {
        paths.push(receive(&shared.uploads, entry, &mut content).await?);
    }
    if content.next(u64::MAX).await?.is_some() {
        return Err(WireError::bad_request(say!("the upload has more bytes than its files")).into());
    }
    Ok(json(StatusCode::OK, &serde_json::json!({ "paths": paths })))
}

async fn receive(uploads: &Uploads, entry: &Entry, content: &mut Content) -> Result<String, Refusal> {
    let parts = checked(entry)?;
    let top = uploads.root()?.join(&entry.set);
    let file: PathBuf = top.join(parts.iter().collect::<PathBuf>());
    let folder = file.parent().unwrap_or(&top);
    tokio::fs::create_dir_all(folder).await.map_err(storage)?;
    let opened = tokio::fs::File::create_new(&file).await;
    let opened = opened.map_err(|error| match error.kind() {
        // An existing file of this name must not be mistaken for the new one.
        std::io::ErrorKind::AlreadyExists => WireError::bad_request(say!(
            "this set has a file of this name already; upload the file in a set of its own"
        )),
        _ => storage(error),
    })?;
    let mut coming = PartialUpload { uploads, file: &file, bytes: 0, whole: false };
    write(&mut coming, opened, content, entry.bytes).await?;
    coming.whole = true;
    Ok(top.join(parts[0]).display().to_string())
}

/// The body of an upload, taken piece by piece.
struct Content {
    chunks: BodyDataStream,
    rest: Bytes,
}

impl Content {
    /// Takes at most `most` bytes that are there next. `None` is the end.
    async fn next(&mut self, most: u64) -> Result<Option<Bytes>, WireError> {
        while self.rest.is_empty() {
            match self.chunks.next().await {
                None => return Ok(None),
                Some(chunk) => self.rest = chunk.map_err(|_| cut_off())?,
            }
        }
        let length = usize::try_from(most).unwrap_or(usize::MAX).min(self.rest.len());
        Ok(Some(self.rest.split_to(length)))
    }

    /// Takes the bytes before the next line break, which is taken too.
    async fn line(&mut self, most: usize) -> Result<Vec<u8>, WireError> {
        let mut line = Vec::new();
        loop {
            let Some(mut piece) = self.next(u64::MAX).await? else { return Err(cut_off()) };
            let end = piece.iter().position(|byte| *byte == b'\n');
            line.extend_from_slice(&piece[..end.unwrap_or(piece.len())]);
            if line.len() > most {
                return Err(WireError::bad_request(say!("the list of files is too long")));
            }
            if let Some(end) = end {
                self.rest = piece.split_off(end + 1);
                return Ok(line);
            }
        }
    }
}

fn cut_off() -> WireError {
    WireError::bad_request(say!("the file was cut off on its way"))
}

/// A file that is being received. If the upload is not completed, for example because the client
/// disconnects, the file is removed and its bytes do not count.
struct PartialUpload<'a> {
    uploads: &'a Uploads,
    file: &'a std::path::Path,
    bytes: u64,
    whole: bool,
}

impl Drop for PartialUpload<'_> {
    fn drop(&mut self) {
        if !self.whole {
            self.uploads.brought.fetch_sub(self.bytes, Ordering::Relaxed);
            let _ = std::fs::remove_file(self.file);
        }
    }
}

async fn write(
    coming: &mut PartialUpload<'_>,
    mut file: tokio::fs::File,
    content: &mut Content,
    bytes: u64,
) -> Result<(), Refusal> {
    let (limits, brought) = (coming.uploads.limits, &coming.uploads.brought);
    if bytes > limits.file {
        return Err(Refusal::too_large(limits.file));
    }
    while coming.bytes < bytes {
        let Some(chunk) = content.next(bytes - coming.bytes).await? else { return Err(cut_off().into()) };
        let length = chunk.len() as u64;
        coming.bytes += length;
        let all = brought.fetch_add(length, Ordering::Relaxed) + length;
        if all > limits.all {
            return Err(Refusal::too_large(limits.all));
        }
        file.write_all(&chunk).await.map_err(storage)?;
    }
    file.flush().await.map_err(storage)?;
    Ok(())
}

fn storage(error: std::io::Error) -> WireError {
    WireError::storage(say!("the file cannot be saved: {error}; free some disk space"))
}

/// Splits the path of a file. The set and every part of the path are checked, so that the path
/// cannot lead out of the set's folder.
fn checked(entry: &Entry) -> Result<Vec<&str>, WireError> {
    let Entry { set, path, .. } = entry;
    let plain =
        !set.is_empty() && set.len() <= 64 && set.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if !plain {
        return Err(WireError::bad_request(say!("a set of files is named with letters, digits and hyphens")));
    }
    let parts: Vec<&str> = path.split('/').collect();
    let sound = |part: &&str| {
        !part.is_empty()
            && part.len() <= 255
            && *part != "."
            && *part != ".."
            && !part.contains(['\\', ':'])
            && !part.chars().any(char::is_control)
    };
    if parts.len() > 32 || !parts.iter().all(sound) {
        return Err(WireError::bad_request(say!("{path:?} is not a name for a file")));
    }
    Ok(parts)
}
