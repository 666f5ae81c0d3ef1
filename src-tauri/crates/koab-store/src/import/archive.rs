//! Unpacks an archive into a temporary folder that is deleted after the import.
//!
//! Only regular files that a pack needs are written, each once, inside the folder and within the
//! limits. One hostile entry such as `../../.bashrc` refuses the whole archive: the rest of it
//! cannot be trusted.

mod sink;
mod tar;
mod zip;

use super::entry_path::Selection;
use super::roots::open_regular;
use super::watch::Watch;
use crate::error::{Error, Result};
use koab_core::finding::Problem;
use koab_core::say;
use sink::{LIMITS, Limits, Sink};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// An unpacked archive.
#[derive(Debug)]
pub struct Unpacked {
    /// Temporary folder with the files, deleted on drop.
    pub folder: TempDir,
    /// Problems of the entries that were left out.
    pub problems: Vec<Problem>,
    /// Commit that the archive was made from, if git wrote the archive.
    pub commit: Option<String>,
}

/// Unpacks the wanted entries of the archive at `path`. The first bytes determine its format.
/// `watch` is checked at every entry and receives the bytes read so far and the total.
pub(super) fn unpack(path: &Path, wanted: Selection, watch: Watch<'_>) -> Result<Unpacked> {
    unpack_within(path, wanted, LIMITS, watch)
}

/// Whether a file begins with the first bytes of an archive.
pub(super) fn is_archive(path: &Path) -> Result<bool> {
    let mut file = open_regular(path).map_err(|error| Error::io("read", path, &error))?;
    Ok(Form::detect(&first_bytes(&mut file, path)?).is_some())
}

/// Supported archive formats.
#[derive(Clone, Copy)]
enum Form {
    Zip,
    TarGz,
    TarZst,
    Tar,
}

impl Form {
    fn detect(start: &[u8]) -> Option<Self> {
        match start {
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(Self::Zip),
            [0x1f, 0x8b, ..] => Some(Self::TarGz),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::TarZst),
            _ if start.get(257..262) == Some(b"ustar") => Some(Self::Tar),
            _ => None,
        }
    }
}

fn first_bytes(file: &mut File, path: &Path) -> Result<Vec<u8>> {
    let read = |error: io::Error| Error::io("read", path, &error);
    let mut start = Vec::with_capacity(512);
    Read::by_ref(file).take(512).read_to_end(&mut start).map_err(read)?;
    file.rewind().map_err(read)?;
    Ok(start)
}

fn unpack_within(path: &Path, wanted: Selection, limits: Limits, watch: Watch<'_>) -> Result<Unpacked> {
    let mut file = open_regular(path).map_err(|error| Error::io("read", path, &error))?;
    let form = Form::detect(&first_bytes(&mut file, path)?);
    let size = file.metadata().map_or(0, |meta| meta.len());
    let mut sink = Sink::new(path, wanted, limits, watch, size)?;
    let reader = Counted { file, read: Arc::clone(&sink.read) };
    let source = BufReader::with_capacity(1 << 16, reader);
    match form {
        Some(Form::Zip) => zip::unpack(source, &mut sink)?,
        Some(Form::TarGz) => tar::unpack(flate2::bufread::MultiGzDecoder::new(source), &mut sink)?,
        Some(Form::TarZst) => {
            let frames =
                zstd::Decoder::with_buffer(source).map_err(|error| Error::io("read", path, &error))?;
            tar::unpack(frames, &mut sink)?;
        }
        Some(Form::Tar) => tar::unpack(source, &mut sink)?,
        None => {
            return Err(
                sink.refuse(say!("is neither a folder nor a .zip, .tar, .tar.gz or .tar.zst archive"))
            );
        }
    }
    Ok(Unpacked { folder: sink.folder, problems: sink.problems, commit: sink.commit })
}

/// Reader that counts the bytes read from a file.
struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl io::Seek for Counted {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_engine::ports::Cancel;
    use std::io::Write as _;

    const SMALL: Limits =
        Limits { entries: 10, file_bytes: 1 << 20, total_bytes: 3 << 20, stream_bytes: 4 << 20 };

    /// One entry of a test archive.
    enum Entry<'a> {
        File(&'a str, &'a [u8]),
        Link(&'a str, &'a str),
    }
    use Entry::{File as F, Link as L};

    fn tar(entries: &[Entry<'_>]) -> Vec<u8> {
        let mut builder = ::tar::Builder::new(Vec::new());
        for entry in entries {
            let mut header = ::tar::Header::new_gnu();
            let (name, content) = match entry {
                F(name, content) => (name, *content),
                L(name, target) => {
                    header.set_entry_type(::tar::EntryType::Symlink);
                    header.set_link_name(target).expect("a short name");
                    (name, &[][..])
                }
            };
            // Written raw: the builder itself would refuse hostile names.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            builder.append(&header, content).expect("appended");
        }
        builder.into_inner().expect("finished")
    }

    fn gz(content: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content).expect("written");
        encoder.finish().expect("finished")
    }

    fn zst(content: &[u8]) -> Vec<u8> {
        zstd::encode_all(content, 1).expect("compressed")
    }

    fn zip(entries: &[Entry<'_>]) -> Vec<u8> {
        let mut writer = ::zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        let options = ::zip::write::SimpleFileOptions::default();
        for entry in entries {
            match entry {
                F(name, content) => {
                    writer.start_file(*name, options).expect("started");
                    writer.write_all(content).expect("written");
                }
                L(name, target) => writer.add_symlink(*name, *target, options).expect("linked"),
            }
        }
        writer.finish().expect("finished").into_inner()
    }

    /// The files that come out with their sizes and the problems, or the refusal without the
    /// archive's path.
    fn check(archive: &[u8]) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("archive");
        std::fs::write(&path, archive).expect("written");
        match unpack_within(&path, Selection::Pack, SMALL, Watch::only(&Cancel::new())) {
            Err(error) => error.to_string().replace(&path.display().to_string(), "ARCHIVE"),
            Ok(unpacked) => {
                let mut lines = Vec::new();
                list(unpacked.folder.path(), unpacked.folder.path(), &mut lines);
                lines.sort();
                lines.extend(unpacked.problems.iter().map(ToString::to_string));
                lines.join("\n")
            }
        }
    }

    fn list(root: &Path, folder: &Path, lines: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("listed").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                list(root, &entry, lines);
            } else {
                let size = std::fs::metadata(&entry).expect("there").len();
                lines.push(format!("{} {size}", entry.strip_prefix(root).expect("inside").display()));
            }
        }
    }

    fn every_form(entries: &[Entry<'_>]) -> Vec<Vec<u8>> {
        let tar = tar(entries);
        vec![zip(entries), gz(&tar), zst(&tar), tar]
    }

    #[test]
    fn every_form_unpacks_to_the_same_files() {
        let entries =
            [F("r/tasks/L1.json", b"[]"), F("r/logs/x.json", b"xx"), F("r/cache/T/ab/a.json", b"{}")];
        for archive in every_form(&entries) {
            assert_eq!(check(&archive), "r/cache/T/ab/a.json 2\nr/tasks/L1.json 2");
        }
    }

    #[test]
    fn paths_that_lead_out_refuse_the_archive() {
        for (name, why) in [
            ("../tasks/L1.json", "leads out of the archive"),
            ("tasks/../../L1.json", "leads out of the archive"),
            ("/tasks/L1.json", "is an absolute path"),
            ("C:/tasks/L1.json", "names a drive"),
        ] {
            for archive in every_form(&[F("tasks/L2.json", b"[]"), F(name, b"[]")]) {
                let refusal = format!("ARCHIVE has an entry `{name}` that {why}; nothing was imported");
                assert_eq!(check(&archive), refusal);
            }
        }
    }

    #[test]
    fn links_are_left_out_and_said() {
        for archive in
            every_form(&[L("tasks/L1.json", "/etc/passwd"), F("tasks/L2.json", b"[]"), L("a", "b")])
        {
            let problem = "tasks/L1.json: is a link; links in archives are not followed (left out)";
            assert_eq!(check(&archive), format!("tasks/L2.json 2\n{problem}"));
        }
    }

    #[test]
    fn one_name_for_two_entries_refuses_the_archive() {
        let twice = [F("tasks/L1.json", b"[1]"), F("tasks/l1.json", b"[2]")];
        for archive in every_form(&twice) {
            assert_eq!(
                check(&archive),
                "ARCHIVE has two entries named `tasks/l1.json`; nothing was imported"
            );
        }
        // The writer refuses to write the same name twice, so it is patched in.
        let mut archive = zip(&twice);
        for at in 0..archive.len() - 5 {
            if &archive[at..at + 4] == b"/l1." {
                archive[at + 1] = b'L';
            }
        }
        assert_eq!(check(&archive), "ARCHIVE has two entries of the same name; nothing was imported");
    }

    #[test]
    fn bombs_are_stopped_at_the_limits() {
        let big = vec![0; (1 << 20) + 1];
        for archive in every_form(&[F("tasks/L1.json", &big)]) {
            assert_eq!(
                check(&archive),
                "ARCHIVE unpacks to more than 1 MB at `tasks/L1.json`; nothing was imported"
            );
        }
        let (full, names) =
            (vec![0; 1 << 20], ["tasks/1.json", "tasks/2.json", "tasks/3.json", "tasks/4.json"]);
        let all: Vec<Entry<'_>> = names.iter().map(|name| F(name, &full)).collect();
        assert_eq!(
            check(&zip(&all)),
            "ARCHIVE unpacks to more than 3 MB at `tasks/4.json`; nothing was imported"
        );
        let many: Vec<String> = (0..11).map(|i| format!("x/{i}")).collect();
        let many: Vec<Entry<'_>> = many.iter().map(|name| F(name, b"")).collect();
        for archive in every_form(&many) {
            assert_eq!(check(&archive), "ARCHIVE has more than 10 entries; nothing was imported");
        }
        // What no pack needs is not written, but it costs time to decompress.
        let skipped = vec![0; 6 << 20];
        let refusal = check(&gz(&tar(&[F("logs/big", &skipped), F("tasks/L1.json", b"[]")])));
        assert!(refusal.contains("unpacks to more than 4 MB"), "{refusal}");
    }

    #[test]
    fn long_names_are_read_and_endless_ones_are_not() {
        let long = format!("{}/tasks/L1.json", "x".repeat(150));
        let mut builder = ::tar::Builder::new(Vec::new());
        let mut header = ::tar::Header::new_gnu();
        header.set_size(2);
        builder.append_data(&mut header, &long, &b"[]"[..]).expect("appended");
        let archive = builder.into_inner().expect("finished");
        assert_eq!(check(&archive), format!("{long} 2"));
        let mut builder = ::tar::Builder::new(Vec::new());
        let mut header = ::tar::Header::new_gnu();
        header.set_entry_type(::tar::EntryType::GNULongName);
        header.set_size(1 << 20);
        header.set_cksum();
        builder.append(&header, &vec![b'x'; 1 << 20][..]).expect("appended");
        let endless = check(&builder.into_inner().expect("finished"));
        assert_eq!(
            endless,
            "ARCHIVE has an entry with a name of more than 65536 bytes; nothing was imported"
        );
    }

    #[test]
    fn what_is_no_archive_is_said() {
        for content in [&b""[..], b"hello", &[0; 600]] {
            let refusal = "ARCHIVE is neither a folder nor a .zip, .tar, .tar.gz or .tar.zst archive; nothing was imported";
            assert_eq!(check(content), refusal);
        }
        for cut in every_form(&[F("tasks/L1.json", &[7; 9000])]) {
            let refusal = check(&cut[..cut.len() / 2]);
            assert!(refusal.starts_with("ARCHIVE is damaged ("), "{refusal}");
        }
    }
}
