//! Entries of a `.tar`, compressed or not.
//!
//! Long names are assembled here rather than by the `tar` crate, which would read a name of any
//! length into memory.

use super::sink::Sink;
use crate::error::Result;
use koab_core::say;
use std::io::{self, Read};
use tar::{Archive, EntryType, PaxExtensions};

const LONGEST_NAME: u64 = 65_536;

pub(super) fn unpack<R: Read>(source: R, sink: &mut Sink<'_>) -> Result<()> {
    let limit = sink.limits.stream_bytes;
    let mut archive = Archive::new(Limited { source, left: limit });
    let broken = |sink: &Sink<'_>, error: io::Error| match error.kind() {
        io::ErrorKind::FileTooLarge => sink.refuse(say!("unpacks to more than {} MB", limit >> 20)),
        _ => sink.broken(error),
    };
    let mut long_name: Option<Vec<u8>> = None;
    for entry in archive.entries().map_err(|error| broken(sink, error))?.raw(true) {
        sink.count()?;
        let mut entry = entry.map_err(|error| broken(sink, error))?;
        match entry.header().entry_type() {
            EntryType::GNULongName => {
                let mut name = attachment(sink, &mut entry)?;
                name.retain(|byte| *byte != 0);
                long_name = Some(name);
            }
            EntryType::XHeader => {
                let attributes = attachment(sink, &mut entry)?;
                let path = PaxExtensions::new(&attributes)
                    .filter_map(io::Result::ok)
                    .find(|attribute| attribute.key_bytes() == b"path");
                long_name = path.map(|path| path.value_bytes().to_vec()).or(long_name);
            }
            // Git's archives begin with a global header whose comment is the commit.
            EntryType::XGlobalHeader => {
                let attributes = attachment(sink, &mut entry)?;
                sink.commit = PaxExtensions::new(&attributes)
                    .filter_map(io::Result::ok)
                    .find(|attribute| attribute.key_bytes() == b"comment")
                    .and_then(|comment| Some(comment.value().ok()?.to_owned()))
                    .filter(|text| text.len() >= 40 && text.bytes().all(|b| b.is_ascii_hexdigit()));
            }
            kind => {
                let name = long_name.take().unwrap_or_else(|| entry.path_bytes().into_owned());
                let name = String::from_utf8_lossy(&name).into_owned();
                match kind {
                    EntryType::Symlink | EntryType::Link => sink.link(&name)?,
                    EntryType::Regular | EntryType::Continuous => {
                        if let Some(path) = sink.place(&name)? {
                            sink.write(&name, &path, &mut entry)?;
                        }
                    }
                    // Folders, devices and the attributes of other entries are skipped.
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// Content of a `.tar` entry that describes the next entry, such as a long name.
fn attachment(sink: &Sink<'_>, entry: &mut dyn Read) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    entry.take(LONGEST_NAME + 1).read_to_end(&mut content).map_err(|error| sink.broken(error))?;
    if content.len() as u64 > LONGEST_NAME {
        return Err(sink.refuse(say!("has an entry with a name of more than {LONGEST_NAME} bytes")));
    }
    Ok(content)
}

/// Reader that fails at a limit of bytes, so that a decompression bomb ends.
struct Limited<R> {
    source: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(read)
    }
}
