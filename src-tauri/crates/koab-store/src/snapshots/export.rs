//! Writes a cache state as a folder in the published layout: `<tool>/<first two digits of the
//! key>/<key>.json`.
//!
//! The files are byte for byte those of the published runner, which reads the folder when
//! `KOAB_CACHE_DIR` names it. The runner finds only records whose key belongs to today's tool
//! definitions. Records of earlier definitions are exported too, under their own keys.

use super::CacheState;
use super::layout::{no_place, record};
use crate::error::{Error, Result};
use crate::run_log::PUBLISHED;
use koab_core::finding::{Fault, Problem};
use koab_core::python::dumps;
use koab_core::say;
use serde::Serialize;
use std::fs;
use std::path::Path;

/// Result of an export.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exported {
    /// Number of records, which is also the number of files.
    pub files: u32,
    /// Total size in bytes.
    pub bytes: u64,
    /// Records that could not be written in this form, each with the reason.
    pub problems: Vec<Problem>,
}

impl CacheState {
    /// Writes every record of this state below `folder`, which must be empty or missing. On an
    /// error the folder is unchanged.
    ///
    /// # Errors
    /// When the folder is not empty, or the disk refuses.
    pub fn export(&self, folder: &Path) -> Result<Exported> {
        require_empty(folder)?;
        let parent = match folder.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, &error))?;
        let building = tempfile::Builder::new()
            .prefix(".koab-export-")
            .tempdir_in(parent)
            .map_err(|error| Error::io("write into", parent, &error))?;
        let exported = self.write_below(building.path())?;
        make_readable(building.path())?;
        if folder.exists() {
            fs::remove_dir(folder).map_err(|error| Error::io("replace", folder, &error))?;
        }
        fs::rename(building.path(), folder).map_err(|error| Error::io("write", folder, &error))?;
        // The folder has been moved, so there is nothing to delete.
        let _ = building.keep();
        Ok(exported)
    }

    fn write_below(&self, folder: &Path) -> Result<Exported> {
        let mut exported = Exported { files: 0, bytes: 0, problems: Vec::new() };
        self.each(true, |answer| {
            let record_name = format!("{}/{}", answer.tool, answer.published_key);
            if let Some(why) = no_place(answer) {
                exported.problems.push(Fault::Form.rejected(why).in_file(record_name));
                return Ok(());
            }
            let key = answer.published_key;
            let place = folder.join(answer.tool).join(&key[..2]);
            fs::create_dir_all(&place).map_err(|error| Error::io("create", &place, &error))?;
            let path = place.join(format!("{key}.json"));
            if path.exists() {
                let why = say!("has the same key as another record, which was written instead");
                exported.problems.push(Fault::Form.rejected(why).in_file(record_name));
                return Ok(());
            }
            let content = dumps(&record(answer)?, PUBLISHED);
            fs::write(&path, &content).map_err(|error| Error::io("write", &path, &error))?;
            exported.files += 1;
            exported.bytes += content.len() as u64;
            Ok(())
        })?;
        Ok(exported)
    }
}

fn require_empty(folder: &Path) -> Result<()> {
    let holds = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => true,
        Err(error) => return Err(Error::io("read", folder, &error)),
    };
    if holds {
        return Err(Error::BadFile(say!(
            "{} is there already and not empty; name a new folder",
            folder.display()
        )));
    }
    Ok(())
}

/// Makes a temporary folder readable by other users. It is created private, but exports are read by
/// others.
#[cfg(unix)]
fn make_readable(folder: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
        .map_err(|error| Error::io("write", folder, &error))
}

#[cfg(not(unix))]
fn make_readable(_: &Path) -> Result<()> {
    Ok(())
}
