//! The file that is written: beside its final name until it is complete.

use koab_core::say;
use koab_engine::files::if_there;
use koab_engine::files::name_of;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::record::Hashed;

/// A file on its way. Dropped before it is finished, it is gone.
pub(super) struct Output {
    file: Option<BufWriter<File>>,
    sha256: Sha256,
    bytes: u64,
    part: PathBuf,
    whole: PathBuf,
}

impl Output {
    /// Starts one. What a broken-off conversion left is overwritten; one that is still at work is
    /// [`io::ErrorKind::WouldBlock`].
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

    /// Puts the file in its place, once the disk has it. `stale` told of the one that was there
    /// before, and goes.
    pub(super) fn finish(mut self, stale: &Path) -> io::Result<Hashed> {
        let name = name_of(&self.whole);
        if let Some(writer) = self.file.take() {
            // From here on the guard would remove nothing that is not replaced or reported anyway.
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
        let written = file.write(bytes)?;
        self.sha256.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // Without writing what is still in the buffer: the file goes.
            drop(file.into_parts());
            fs::remove_file(&self.part).ok();
        }
    }
}

/// Makes a rename last, where a folder can be flushed.
fn sync_folder(of: &Path) {
    if cfg!(unix)
        && let Some(folder) = of.parent()
        && let Ok(folder) = File::open(folder)
    {
        folder.sync_all().ok();
    }
}
