//! Writes a state as a folder in the published layout: `<tool>/<first two digits of the
//! key>/<key>.json`.
//!
//! The bytes are those of the published tool, which reads the folder when `KOAB_CACHE_DIR` names
//! it. It looks records up by the key of today's tool texts only; those made under earlier ones are
//! written all the same, under their own keys.

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

/// What was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exported {
    /// Records, a file each.
    pub files: u32,
    /// Their bytes.
    pub bytes: u64,
    /// Records that could not be written in this form, each with why.
    pub problems: Vec<Problem>,
}

impl CacheState {
    /// Writes every record of this state below `folder`, which must be empty or not there. Either
    /// all of them are there afterwards or the folder is as it was.
    ///
    /// # Errors
    /// When the folder holds something, or the disk refuses.
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
        let written = self.write_below(building.path())?;
        make_readable(building.path())?;
        if folder.exists() {
            fs::remove_dir(folder).map_err(|error| Error::io("replace", folder, &error))?;
        }
        fs::rename(building.path(), folder).map_err(|error| Error::io("write", folder, &error))?;
        // Nothing is there any more for it to remove.
        let _ = building.keep();
        Ok(written)
    }

    fn write_below(&self, folder: &Path) -> Result<Exported> {
        let mut written = Exported { files: 0, bytes: 0, problems: Vec::new() };
        self.each(true, |answer| {
            let shown = format!("{}/{}", answer.tool, answer.published_key);
            if let Some(why) = no_place(answer) {
                written.problems.push(Fault::Form.rejected(why).in_file(shown));
                return Ok(());
            }
            let key = answer.published_key;
            let place = folder.join(answer.tool).join(&key[..2]);
            fs::create_dir_all(&place).map_err(|error| Error::io("create", &place, &error))?;
            let path = place.join(format!("{key}.json"));
            if path.exists() {
                let why = say!("has the key of another record, which was written");
                written.problems.push(Fault::Form.rejected(why).in_file(shown));
                return Ok(());
            }
            let content = dumps(&record(answer)?, PUBLISHED);
            fs::write(&path, &content).map_err(|error| Error::io("write", &path, &error))?;
            written.files += 1;
            written.bytes += content.len() as u64;
            Ok(())
        })?;
        Ok(written)
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

/// Temporary folders are private; what is exported is to be read by others as usual.
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
