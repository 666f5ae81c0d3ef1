//! Folder of a submission. Writing deletes only files of an earlier submission; reading does not
//! follow links.

use koab_bundle::submission::{Files, Submission, paths};
use koab_core::say;
use koab_engine::files::if_there;
use koab_store::atomic;
use koab_workspace::WireError;
use std::fs;
use std::io;
use std::path::Path;

/// Maximum number of files in a folder. The largest submission has about twenty.
const MAX_FILES: usize = 500;
/// Maximum size of all files together. Logs and journal of 91 tasks take some 5 MB.
const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// Writes the files. Files of an earlier submission are deleted first, so that none of them
/// remains.
pub(super) fn write(folder: &Path, files: &Files) -> Result<(), WireError> {
    clear(folder)?;
    for (path, content) in files.iter() {
        atomic::write(&folder.join(path), content)?;
    }
    Ok(())
}

fn clear(folder: &Path) -> Result<(), WireError> {
    let refuse = |error: &io::Error| {
        WireError::storage(say!("{} cannot be written: {error}; choose another folder", folder.display()))
    };
    if !folder.exists() {
        return Ok(());
    }
    let earlier = fs::read(folder.join(paths::SUBMISSION))
        .ok()
        .and_then(|bytes| serde_json::from_slice::<Submission>(&bytes).ok());
    if let Some(earlier) = earlier {
        let own = earlier.files.iter().map(|file| file.path.as_str());
        for path in own.chain([paths::SUBMISSION]).filter(|path| is_within(path)) {
            if_there(fs::remove_file(folder.join(path))).map_err(|error| refuse(&error))?;
            let mut parent = Path::new(path).parent();
            while let Some(name) = parent.filter(|name| !name.as_os_str().is_empty()) {
                // Fails while the folder has other files, which is intended.
                if fs::remove_dir(folder.join(name)).is_err() {
                    break;
                }
                parent = name.parent();
            }
        }
    }
    let mut entries = fs::read_dir(folder).map_err(|error| refuse(&error))?;
    if entries.next().is_some() {
        return Err(WireError::bad_request(say!(
            "{} holds other files; choose an empty folder or a new one",
            folder.display()
        )));
    }
    Ok(())
}

fn is_within(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    parts.all(|part| matches!(part, std::path::Component::Normal(_)))
}

/// Reads the files of a submission. Links are not followed.
pub(super) fn read(folder: &Path) -> Result<Files, WireError> {
    if !folder.is_dir() {
        return Err(WireError::not_found(say!(
            "{} is not a folder of a submission; `koab submit prepare` makes one",
            folder.display()
        )));
    }
    let mut files = Files::new();
    let mut bytes = 0;
    for name in [
        paths::ROW,
        paths::SUBMISSION,
        paths::README,
        paths::PULL_REQUEST,
        "reports",
        "logs",
        ".eval_results",
    ] {
        take(folder, name, &mut files, &mut bytes)?;
    }
    Ok(files)
}

fn take(root: &Path, path: &str, files: &mut Files, bytes: &mut u64) -> Result<(), WireError> {
    let place = root.join(path);
    let refuse = |error: io::Error| WireError::storage(say!("{} cannot be read: {error}", place.display()));
    let meta = match fs::symlink_metadata(&place) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(refuse(error)),
    };
    if meta.is_dir() {
        for entry in fs::read_dir(&place).map_err(refuse)? {
            let name = entry.map_err(refuse)?.file_name();
            if let Some(name) = name.to_str() {
                take(root, &format!("{path}/{name}"), files, bytes)?;
            }
        }
    } else if meta.is_file() {
        *bytes += meta.len();
        if *bytes > MAX_BYTES || files.iter().count() >= MAX_FILES {
            return Err(WireError::bad_file(say!(
                "{} is larger than a submission can be; give the folder that `koab submit prepare` made",
                root.display()
            )));
        }
        files.put(path, fs::read(&place).map_err(refuse)?);
    }
    Ok(())
}
