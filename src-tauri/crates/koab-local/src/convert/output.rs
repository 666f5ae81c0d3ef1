//! The output file. It has a temporary name until it is complete.

use koab_core::say;
use koab_engine::atomic::sync_folder;
use koab_engine::files::if_there;
use koab_engine::files::name_of;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::record::Hashed;

/// A file that is being written. If it is dropped before it is finished, it is deleted.
pub(super) struct Output {
    file: Option<BufWriter<File>>,
    sha256: Sha256,
    bytes: u64,
    part: PathBuf,
    whole: PathBuf,
}

impl Output {
    /// Creates a file. The partial file of an interrupted conversion is overwritten. If another
    /// conversion is writing it, the error is [`io::ErrorKind::WouldBlock`].
    pub(super) fn create(whole: &Path) -> io::Result<Self> {
        let mut part = whole.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = File::options().write(true).create(true).truncate(false).open(&part)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if file.metadata()?.is_file() {
            file.set_len(0)?;
        }
        let file = Some(BufWriter::with_capacity(1 << 20, file));
        Ok(Self { file, sha256: Sha256::new(), bytes: 0, part, whole: whole.into() })
    }

    /// Flushes the file and moves it to its final name. `stale`, the record of the previous file,
    /// is deleted.
    pub(super) fn finish(mut self, stale: &Path) -> io::Result<Hashed> {
        let name = name_of(&self.whole);
        if let Some(writer) = self.file.take() {
            // From here on, the drop guard would delete nothing that is not replaced or reported
            // anyway.
            let placed = writer.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| {
                file.sync_all()?;
                if_there(fs::remove_file(stale))?;
                fs::rename(&self.part, &self.whole)
            });
            if placed.is_err() {
                fs::remove_file(&self.part).ok();
            }
            placed?;
        }
        sync_folder(&self.whole);
        let sha256 = hex::encode(std::mem::take(&mut self.sha256).finalize());
        Ok(Hashed { name, bytes: self.bytes, sha256 })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(file) = &mut self.file else {
            return Err(io::Error::other(say!("the file is finished")));
        };
        let length = file.write(bytes)?;
        self.sha256.update(&bytes[..length]);
        self.bytes += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // The file is deleted, so the buffer is not written.
            drop(file.into_parts());
            fs::remove_file(&self.part).ok();
        }
    }
}
