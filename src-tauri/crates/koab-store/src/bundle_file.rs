//! Archive of a bundle: a zip in a fixed form. Writing it is deterministic, and reading it trusts
//! nothing in it.
//!
//! Entries are regular files, packed by deflate, all with the same date, without comments or extra
//! fields. They follow each other from the first byte to the directory, which ends at the last byte
//! of the file. Any other form is refused, with the name of the entry: two zip readers could see
//! different content in it. `koab_bundle::bundle` defines the meaning of the files. No path in a
//! bundle is ever used as a path on disk.

mod form;
mod limits;
mod refusal;

pub use limits::{LIMITS, Limits};
pub use refusal::Refusal;

use crate::error::{Error, Result};
use crate::import::roots::open_regular;
use koab_core::say;
use koab_engine::atomic::{Readers, Replacement};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipArchive, ZipWriter};

/// Size of the read buffer in bytes. Files of a bundle are streamed where possible.
const CHUNK_BYTES: usize = 1 << 16;

/// Source of an entry's content.
#[derive(Clone, Debug)]
pub enum Source {
    /// Bytes in memory.
    Bytes(Vec<u8>),
    /// Path of a file on disk.
    File(PathBuf),
}

/// Size and hash of an entry's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256, lower-case hex.
    pub sha256: String,
}

impl Source {
    /// Reads the content to its end, one chunk at a time.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn each(&self, mut visit: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        match self {
            Source::Bytes(bytes) => visit(bytes),
            Source::File(path) => {
                let refuse = |error: io::Error| Error::io("read", path, &error);
                let mut file = open_regular(path).map_err(refuse)?;
                let mut buffer = vec![0; CHUNK_BYTES];
                loop {
                    match file.read(&mut buffer).map_err(refuse)? {
                        0 => return Ok(()),
                        read => visit(&buffer[..read])?,
                    }
                }
            }
        }
    }

    /// Computes the size and hash of the content.
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

/// Writes a bundle with these entries in this order.
///
/// Each content must match its digest, so a file that has changed since then is an error. The
/// previous file at `path` stays until the new one is whole. `each` is called before every entry
/// and can cancel.
///
/// # Errors
/// When the disk refuses, a file has changed meanwhile, or `each` cancels.
pub fn write(
    path: &Path,
    entries: &[(String, Source, Digest)],
    mut each: impl FnMut() -> Result<()>,
) -> Result<()> {
    let refuse = |error: io::Error| Error::io("write", path, &error);
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(refuse)?;
    let file = Replacement::of(path, Readers::Everyone).map_err(refuse)?;
    let broken = |error: zip::result::ZipError| refuse(io::Error::other(error));
    let mut writer = ZipWriter::new(io::BufWriter::new(file.file()));
    for (name, source, digest) in entries {
        each()?;
        writer.start_file(name.as_str(), options()).map_err(broken)?;
        let mut hash = Sha256::new();
        source.each(|part| {
            hash.update(part);
            writer.write_all(part).map_err(refuse)
        })?;
        if hex::encode(hash.finalize()) != digest.sha256 {
            return Err(Error::BadFile(say!("{name} was changed while the bundle was made; make it again")));
        }
    }
    let mut inner = writer.finish().map_err(broken)?;
    inner.flush().map_err(refuse)?;
    drop(inner);
    file.finish().map_err(refuse)
}

/// Options of a zip entry, identical for every entry on every system.
fn options() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(6))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644)
        .system(System::Unix)
}

/// Bundle that is open for reading.
pub struct BundleFile {
    archive: ZipArchive<BufReader<File>>,
    limits: Limits,
    /// Uncompressed size of each entry, according to the zip directory.
    sizes: BTreeMap<String, u64>,
    names: Vec<String>,
}

impl BundleFile {
    /// Opens a bundle and checks the structure of its archive. Nothing is unpacked yet.
    ///
    /// # Errors
    /// The fault in the archive's structure.
    pub fn open(path: &Path, limits: Limits) -> std::result::Result<Self, Refusal> {
        let cannot = |error: &io::Error| Refusal::whole(say!("the file cannot be read: {error}"));
        let mut file = open_regular(path).map_err(|error| cannot(&error))?;
        let length = file.metadata().map_err(|error| cannot(&error))?.len();
        let entries = form::directory(&mut file, length, limits)?;
        file.rewind().map_err(|error| cannot(&error))?;
        let source = BufReader::with_capacity(CHUNK_BYTES, file);
        let archive = ZipArchive::new(source).map_err(|error| damaged("", &error))?;
        let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
        let sizes = entries.into_iter().map(|entry| (entry.name, entry.bytes)).collect();
        Ok(Self { archive, limits, sizes, names })
    }

    /// Names of the entries, in the archive's order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Uncompressed size of an entry, according to the zip directory. `None` when there is no such
    /// entry.
    pub fn stated(&self, name: &str) -> Option<u64> {
        self.sizes.get(name).copied()
    }

    /// Unpacks an entry chunk by chunk and returns its size and hash. Stops at the first byte
    /// beyond the stated size.
    ///
    /// # Errors
    /// The fault of the entry, or the error of `visit`.
    pub fn each(
        &mut self,
        name: &str,
        mut visit: impl FnMut(&[u8]) -> std::result::Result<(), Refusal>,
    ) -> std::result::Result<Digest, Refusal> {
        let size = self.stated(name);
        let size = size.ok_or_else(|| Refusal::at(name, "the bundle has no such entry"))?;
        let mut entry = self.archive.by_name(name).map_err(|error| damaged(name, &error))?;
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            let read = entry.read(&mut buffer).map_err(|error| damaged(name, &error))?;
            if read == 0 {
                break;
            }
            bytes += read as u64;
            if bytes > size || bytes > self.limits.bytes_of(name) {
                return Err(Refusal::at(name, say!("unpacks to more than the archive states")));
            }
            hash.update(&buffer[..read]);
            visit(&buffer[..read])?;
        }
        if bytes != size {
            return Err(Refusal::at(name, say!("unpacks to less than the archive states")));
        }
        Ok(Digest { bytes, sha256: hex::encode(hash.finalize()) })
    }

    /// Unpacks an entry of at most `most` bytes into memory.
    ///
    /// # Errors
    /// The fault of the entry.
    pub fn read(&mut self, name: &str, most: u64) -> std::result::Result<Vec<u8>, Refusal> {
        let size = self.stated(name).unwrap_or_default();
        if size > most {
            let why = say!("has {stated} bytes, more than the limit of {most} for this file", stated = size);
            return Err(Refusal::at(name, why));
        }
        let mut content = Vec::with_capacity(size as usize);
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

/// Whether a file begins like a bundle: a zip whose first entry is the manifest. The file's name
/// does not matter.
pub fn is_bundle(path: &Path) -> bool {
    let mut start = [0; 40];
    let read = open_regular(path).and_then(|mut file| file.read_exact(&mut start));
    let name = koab_bundle::bundle::MANIFEST.as_bytes();
    read.is_ok() && start.starts_with(b"PK\x03\x04") && start[30..].starts_with(name)
}

#[cfg(test)]
mod tests;
