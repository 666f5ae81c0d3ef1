//! `POST /api/upload`: receives a file into the folder of [`Uploads`].

use crate::answer::{Refusal, json};
use crate::shared::Shared;
use crate::uploads::Uploads;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::StreamExt as _;
use koab_api::WireError;
use koab_core::say;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::io::AsyncWriteExt as _;

/// `POST /api/upload?set=<name>&path=<relative path>` with the file's bytes as body.
///
/// The answer is `{"path": …}`: the path of the file, or of the top folder in its relative path.
/// Files of one set share a folder, so that they keep their relative paths.
pub(crate) async fn upload(
    State(shared): State<Arc<Shared>>,
    RawQuery(query): RawQuery,
    body: Body,
) -> Result<Response, Refusal> {
    let uploads = &shared.uploads;
    let (set, parts) = named(query.as_deref().unwrap_or_default())?;
    let top = uploads.root()?.join(set);
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
    write(&mut coming, opened, body).await?;
    coming.whole = true;
    let answer = top.join(&parts[0]).display().to_string();
    Ok(json(StatusCode::OK, &serde_json::json!({ "path": answer })))
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

async fn write(coming: &mut PartialUpload<'_>, mut file: tokio::fs::File, body: Body) -> Result<(), Refusal> {
    let (limits, brought) = (coming.uploads.limits, &coming.uploads.brought);
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| WireError::bad_request(say!("the file was cut off on its way")))?;
        let length = chunk.len() as u64;
        coming.bytes += length;
        let all = brought.fetch_add(length, Ordering::Relaxed) + length;
        if coming.bytes > limits.file {
            return Err(Refusal::too_large(limits.file));
        }
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

/// Parses the set and the path in the query. Every part of the path is checked, so that the path
/// cannot lead out of the set's folder.
fn named(query: &str) -> Result<(String, Vec<String>), WireError> {
    let (mut set, mut path) = (String::new(), String::new());
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "set" => set = value.into_owned(),
            "path" => path = value.into_owned(),
            _ => {}
        }
    }
    let plain =
        !set.is_empty() && set.len() <= 64 && set.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if !plain {
        return Err(WireError::bad_request(say!("a set of files is named with letters, digits and hyphens")));
    }
    let parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    let sound = |part: &String| {
        !part.is_empty()
            && part.len() <= 255
            && part != "."
            && part != ".."
            && !part.contains(['\\', ':'])
            && !part.chars().any(char::is_control)
    };
    if parts.len() > 32 || !parts.iter().all(sound) {
        return Err(WireError::bad_request(say!("{path:?} is not a name for a file")));
    }
    Ok((set, parts))
}
