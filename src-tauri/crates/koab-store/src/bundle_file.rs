//! The archive of a bundle: a zip of one form, written the same way every time and read without
//! trusting anything in it.
//!
//! Entries are plain files, packed by deflate, all of one date, without comments or fields beside,
//! one after the other from the first byte to the directory and up to the last byte of the file.
//! What has another form is refused with the entry's name: what one reader would see and another
//! would not is no place for numbers that are to be trusted. What the files mean is
//! `koab_bundle::bundle`'s. Nothing of a bundle is ever written to a path that the bundle names.

mod form;
mod limits;
mod refusal;

pub use limits::{LIMITS, Limits};
pub use refusal::Refusal;

use crate::atomic::make_readable;
use crate::error::{Error, Result};
use crate::import::roots::open_regular;
use koab_core::say;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipArchive, ZipWriter};

/// Bytes that are read at once; a bundle's files are never held whole where that is not needed.
const CHUNK: usize = 1 << 16;

/// Where the content of an entry comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// These bytes.
    Bytes(Vec<u8>),
    /// This file.
    File(PathBuf),
}

/// What an entry holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Bytes.
    pub bytes: u64,
    /// SHA-256, lower-case hex.
    pub sha256: String,
}

impl Source {
    /// Reads it to its end, part by part.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn each(&self, mut visit: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        match self {
            Source::Bytes(bytes) => visit(bytes),
            Source::File(path) => {
                let refuse = |error: io::Error| Error::io("read", path, &error);
                let mut file = open_regular(path).map_err(refuse)?;
                let mut buffer = vec![0; CHUNK];
                loop {
                    match file.read(&mut buffer).map_err(refuse)? {
                        0 => return Ok(()),
                        read => visit(&buffer[..read])?,
                    }
                }
            }
        }
    }

    /// Its size and hash.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn digest(&self) -> Result<Digest> {
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        self.each(|part| {
            hash.update(part);
            bytes += part.len() as u64;
            Ok(())
        })?;
        Ok(Digest { bytes, sha256: hex::encode(hash.finalize()) })
    }
}

/// Writes a bundle: first these entries in this order, each with what it must hold. A file that has
/// changed since its digest was taken ends it. What was at `path` stays until the new one is whole.
///
/// # Errors
/// When the disk refuses, or a file has changed meanwhile.
pub fn write(
    path: &Path,
    entries: &[(String, Source, Digest)],
    mut each: impl FnMut() -> Result<()>,
) -> Result<()> {
    let refuse = |error: io::Error| Error::io("write", path, &error);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(refuse)?;
    let file = tempfile::Builder::new().prefix(".koab-").suffix(".tmp").tempfile_in(folder);
    let mut file = file.map_err(refuse)?;
    let broken = |error: zip::result::ZipError| refuse(io::Error::other(error));
    let mut writer = ZipWriter::new(io::BufWriter::new(file.as_file_mut()));
    for (name, source, wanted) in entries {
        each()?;
        writer.start_file(name.as_str(), options()).map_err(broken)?;
        let mut hash = Sha256::new();
        source.each(|part| {
            hash.update(part);
            writer.write_all(part).map_err(refuse)
        })?;
        if hex::encode(hash.finalize()) != wanted.sha256 {
            return Err(Error::BadFile(say!("{name} was changed while the bundle was made; make it again")));
        }
    }
    let mut inner = writer.finish().map_err(broken)?;
    inner.flush().map_err(refuse)?;
    drop(inner);
    file.as_file().sync_all().map_err(refuse)?;
    make_readable(file.as_file()).map_err(refuse)?;
    file.persist(path).map_err(|error| refuse(error.error))?;
    Ok(())
}

/// The same for every entry on every system.
fn options() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(6))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644)
        .system(System::Unix)
}

/// A bundle that is being read.
pub struct BundleFile {
    archive: ZipArchive<BufReader<File>>,
    limits: Limits,
    /// Size of each entry as the directory states it.
    sizes: BTreeMap<String, u64>,
    names: Vec<String>,
}

impl BundleFile {
    /// Opens a bundle and looks at the form of its archive. Nothing is unpacked yet.
    ///
    /// # Errors
    /// What is wrong with its form.
    pub fn open(path: &Path, limits: Limits) -> std::result::Result<Self, Refusal> {
        let cannot = |error: &io::Error| Refusal::whole(say!("the file cannot be read: {error}"));
        let mut file = open_regular(path).map_err(|error| cannot(&error))?;
        let length = file.metadata().map_err(|error| cannot(&error))?.len();
        let entries = form::directory(&mut file, length, limits)?;
        file.rewind().map_err(|error| cannot(&error))?;
        let source = BufReader::with_capacity(CHUNK, file);
        let archive = ZipArchive::new(source).map_err(|error| damaged("", &error))?;
        let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
        let sizes = entries.into_iter().map(|entry| (entry.name, entry.bytes)).collect();
        Ok(Self { archive, limits, sizes, names })
    }

    /// Names of the entries, in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Size of an entry as the directory states it; null when there is none of this name.
    pub fn stated(&self, name: &str) -> Option<u64> {
        self.sizes.get(name).copied()
    }

    /// Unpacks an entry part by part and gives its size and hash. It ends as soon as more comes out
    /// than was stated.
    ///
    /// # Errors
    /// What is wrong with the entry, or what `visit` says.
    pub fn each(
        &mut self,
        name: &str,
        mut visit: impl FnMut(&[u8]) -> std::result::Result<(), Refusal>,
    ) -> std::result::Result<Digest, Refusal> {
        let stated = self.stated(name);
        let stated = stated.ok_or_else(|| Refusal::at(name, "the bundle has no such entry"))?;
        let mut entry = self.archive.by_name(name).map_err(|error| damaged(name, &error))?;
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        let mut buffer = vec![0; CHUNK];
        loop {
            let read = entry.read(&mut buffer).map_err(|error| damaged(name, &error))?;
            if read == 0 {
                break;
            }
            bytes += read as u64;
            if bytes > stated || bytes > self.limits.bytes_of(name) {
                return Err(Refusal::at(name, say!("unpacks to more than the archive states")));
            }
            hash.update(&buffer[..read]);
            visit(&buffer[..read])?;
        }
        if bytes != stated {
            return Err(Refusal::at(name, say!("unpacks to less than the archive states")));
        }
        Ok(Digest { bytes, sha256: hex::encode(hash.finalize()) })
    }

    /// Unpacks an entry of at most `most` bytes into memory.
    ///
    /// # Errors
    /// What is wrong with the entry.
    pub fn read(&mut self, name: &str, most: u64) -> std::result::Result<Vec<u8>, Refusal> {
        let stated = self.stated(name).unwrap_or_default();
        if stated > most {
            return Err(Refusal::at(name, say!("has {stated} bytes, and at most {most} can be right")));
        }
        let mut content = Vec::with_capacity(stated as usize);
        self.each(name, |part| {
            content.extend_from_slice(part);
            Ok(())
        })?;
        Ok(content)
    }
}

fn damaged(place: &str, error: &dyn std::fmt::Display) -> Refusal {
    Refusal::at(place, say!("the archive is damaged here ({error})"))
}

/// Whether a file begins as a bundle does: a zip whose first entry is the manifest. By this a
/// bundle is known whatever it is called.
pub fn is_bundle(path: &Path) -> bool {
    let mut start = [0; 40];
    let read = open_regular(path).and_then(|mut file| file.read_exact(&mut start));
    let name = koab_bundle::bundle::MANIFEST.as_bytes();
    read.is_ok() && start.starts_with(b"PK\x03\x04") && start[30..].starts_with(name)
}

#[cfg(test)]
mod tests;
