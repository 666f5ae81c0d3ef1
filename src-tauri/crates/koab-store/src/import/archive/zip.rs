//! Entries of a `.zip`.

use super::sink::Sink;
use crate::error::Result;
use koab_core::say;
use std::io::{Read, Seek};
use zip::ZipArchive;

pub(super) fn unpack<R: Read + Seek>(source: R, sink: &mut Sink<'_>) -> Result<()> {
    let mut archive = ZipArchive::new(source).map_err(|error| sink.broken(error))?;
    // When entries share a name, the crate uses the last one and other programs the first.
    if archive.has_duplicate_names() {
        return Err(sink.refuse(say!("has two entries of the same name")));
    }
    for index in 0..archive.len() {
        sink.count()?;
        let mut entry = archive.by_index(index).map_err(|error| sink.broken(error))?;
        let facts = entry.entry();
        let name = facts.name().map_err(|error| sink.broken(error))?.into_owned();
        if facts.is_dir() {
            continue;
        }
        if facts.is_symlink() {
            sink.link(&name)?;
        } else if let Some(path) = sink.place(&name)? {
            sink.write(&name, &path, &mut entry)?;
        }
    }
    Ok(())
}
