//! Import of an archive from the web: the archive of a repository at a revision, or any archive by
//! its URL.

use crate::Packs;
use crate::pull::download::Download;
use crate::wire::{PackPullRequest, PackPulled, PulledFrom};
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_engine::ports::Cancel;
use koab_providers::archive::{Archive, fetch};
use koab_providers::download::DownloadError;
use koab_store::import::{self, Origin};
use koab_workspace::{ErrorCode, WireError};
use std::path::Path;

/// Maximum size of an archive in bytes. The published repository's archive has 40 MB.
const MAX_ARCHIVE_BYTES: u64 = 1 << 30;

pub(super) async fn pull(
    packs: &Packs,
    request: &PackPullRequest,
    cancel: &Cancel,
) -> Result<PackPulled, WireError> {
    let archive = Archive::named(request.from.trim()).map_err(wire_error)?;
    let network = packs.workspace.network()?;
    let folder = tempfile::Builder::new().prefix("koab-pull-").tempdir().map_err(WireError::storage)?;
    let path = folder.path().join("archive");
    let download = Download::begin(packs, &archive.page, cancel);
    let progress = download.progress();
    let fetched = fetch(&network, &archive, &path, MAX_ARCHIVE_BYTES, &progress, cancel).await;
    drop(progress);
    let fetched = download.finish(fetched.map_err(wire_error))?;
    let (to_unpack, stop) = (path.clone(), cancel.clone());
    let unpacked = tokio::task::spawn_blocking(move || import::unpack_pack(&to_unpack, &stop))
        .await
        .map_err(WireError::internal)?
        .map_err(|error| named_after(error.into(), &path, &archive.page))?;
    check_commit(&archive, unpacked.commit.as_deref())?;
    let from = PulledFrom {
        name: archive.page.clone(),
        page: archive.page.clone(),
        revision: archive.revision.clone(),
        commit: unpacked.commit.clone(),
        files: 1,
        bytes: fetched.bytes,
        sha256: Some(fetched.sha256),
    };
    let at = unpacked.commit.as_ref().or(archive.revision.as_ref());
    let origin = Origin {
        name: name_of(&archive.page),
        source: at.map_or_else(|| archive.page.clone(), |at| format!("{}@{at}", archive.page)),
        licence: None,
    };
    let import = move |store: &koab_store::Store, watch: import::Watch<'_>| {
        store.import_fetched(unpacked.folder.path(), unpacked.problems.clone(), &origin, watch)
    };
    let imported = packs.import_pulled(Path::new(&archive.page), cancel, import).await?.into();
    Ok(PackPulled::Pack { from, imported })
}

/// Refuses an archive of another commit than the requested one.
fn check_commit(archive: &Archive, found: Option<&str>) -> Result<(), WireError> {
    let requested = archive
        .revision
        .as_deref()
        .filter(|revision| revision.len() == 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit()));
    match (requested, found) {
        (Some(asked), Some(found)) if !asked.eq_ignore_ascii_case(found) => Err(WireError::bad_file(say!(
            "{} was asked for commit {asked} and sent {found}; nothing was imported",
            archive.page
        ))),
        _ => Ok(()),
    }
}

fn name_of(page: &str) -> String {
    let name = Origin::name_of(page);
    let endings = [".tar.gz", ".tar.zst", ".tgz", ".tar", ".zip"];
    let plain = endings.iter().find_map(|ending| name.strip_suffix(ending));
    plain.unwrap_or(&name).to_owned()
}

/// Replaces the path of a temporary file in an error message with the page it came from.
fn named_after(error: WireError, path: &Path, page: &str) -> WireError {
    WireError::new(
        error.code,
        error.message.with_words(&|text| text.replace(&path.display().to_string(), page)),
    )
}

fn wire_error(error: DownloadError) -> WireError {
    let code = match &error {
        DownloadError::Address(_) | DownloadError::Secret { .. } => ErrorCode::BadRequest,
        DownloadError::NoRevision { .. } | DownloadError::Status { status: 404, .. } => ErrorCode::NotFound,
        DownloadError::Connection { .. }
        | DownloadError::Status { .. }
        | DownloadError::Redirected { .. } => ErrorCode::ModelUnreachable,
        DownloadError::Offline(_) => ErrorCode::Offline,
        DownloadError::TooLarge { .. } => ErrorCode::BadFile,
        DownloadError::Disk { .. } => ErrorCode::Storage,
        DownloadError::Cancelled => ErrorCode::Cancelled,
    };
    WireError::new(code, error.to_sentence())
}

#[cfg(test)]
mod tests;
