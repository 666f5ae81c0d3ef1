//! Writes a cache state as a pack: an archive with the tasks, tools and prompts of its pack and all
//! records. [`Store::import`](crate::Store::import) installs it like any other pack.
//!
//! The new pack has its own name and version, so that it is not mistaken for the original, and its
//! source explains it. Records are read twice, since a tar archive states the size of a file before
//! its content. So memory use does not grow with their number.

use super::CacheState;
use super::layout::{is_folder_name, record};
use crate::error::{Error, Result};
use crate::import::documents::{PROMPTS, RECORDING, TOOLS};
use flate2::Compression;
use flate2::write::GzEncoder;
use koab_core::cache_key::sha256_hex;
use koab_core::finding::{Fault, Problem};
use koab_core::pack::{PACK_FORMAT, PackManifest};
use koab_core::say;
use koab_core::tool::ToolSpec;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Name and description of the shared pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareAs {
    /// Name of the new pack. It must differ from the original pack's name.
    pub name: String,
    /// Version of the new pack.
    pub version: String,
    /// Title in one line.
    pub title: String,
    /// Source of the data, in words.
    pub source: String,
}

/// Result of writing an archive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Archived {
    /// Name of the pack.
    pub name: String,
    /// Version of the pack.
    pub version: String,
    /// Number of records.
    pub records: u32,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Records that could not be written, each with the reason.
    pub problems: Vec<Problem>,
}

/// File in the archive with the records of one tool.
struct RecordFile {
    tool: String,
    path: String,
    size: u64,
    hash: Sha256,
}

impl CacheState {
    /// Writes the state to `file` as a pack in a `.tar.gz`. An existing file is replaced only when
    /// the new one is complete.
    ///
    /// # Errors
    /// When the name equals the original pack's, or the disk refuses.
    pub fn archive(&self, file: &Path, share: &ShareAs) -> Result<Archived> {
        if share.name == self.manifest().name {
            return Err(Error::BadFile(say!(
                "`{}` is the name of the pack that it was made of; give another one",
                share.name
            )));
        }
        let refuse = |error: io::Error| Error::io("write", file, &error);
        let building = crate::atomic::replacement(file)?;
        let (mut archived, record_files) = self.measure(share)?;
        let mut archive = Archive::new(building.file());
        let manifest =
            self.write_texts(&mut archive, share, &record_files, archived.records).map_err(&refuse)?;
        self.write_records(&mut archive, &record_files, file)?;
        archive
            .text("tasks/pack.json", &pretty(&manifest))
            .and_then(|()| archive.finish())
            .map_err(refuse)?;
        drop(archive);
        archived.bytes = building.file().metadata().map_err(refuse)?.len();
        building.finish().map_err(refuse)?;
        Ok(archived)
    }

    /// First pass: computes the size and hash of each file of records.
    fn measure(&self, share: &ShareAs) -> Result<(Archived, Vec<RecordFile>)> {
        let mut files: Vec<RecordFile> = Vec::new();
        let mut archived = Archived {
            name: share.name.clone(),
            version: share.version.clone(),
            records: 0,
            bytes: 0,
            problems: Vec::new(),
        };
        self.each(true, |answer| {
            if !is_folder_name(answer.tool) {
                let record_name = format!("{}/{}", answer.tool, answer.published_key);
                let why = say!("is of a tool whose name cannot be the name of a folder");
                archived.problems.push(Fault::Form.rejected(why).in_file(record_name));
                return Ok(());
            }
            if files.last().is_none_or(|last| last.tool != answer.tool) {
                files.push(RecordFile {
                    tool: answer.tool.to_owned(),
                    path: format!("cache/{}.jsonl", answer.tool),
                    size: 0,
                    hash: Sha256::new(),
                });
            }
            if let Some(file) = files.last_mut() {
                let line = format!("{}\n", record(answer)?);
                file.size += line.len() as u64;
                file.hash.update(line);
                archived.records += 1;
            }
            Ok(())
        })?;
        Ok((archived, files))
    }

    fn write_texts(
        &self,
        archive: &mut Archive<'_>,
        share: &ShareAs,
        record_files: &[RecordFile],
        records: u32,
    ) -> io::Result<PackManifest> {
        let of = self.manifest();
        let documents = self.documents().map_err(io::Error::other)?;
        let tools: Vec<ToolSpec> = match documents.iter().find(|row| row.path == TOOLS) {
            Some(row) => serde_json::from_str(&row.content).map_err(io::Error::other)?,
            None => Vec::new(),
        };
        let mut manifest = PackManifest {
            format: PACK_FORMAT,
            name: share.name.clone(),
            version: share.version.clone(),
            title: share.title.clone(),
            source: share.source.clone(),
            licence: of.licence.clone(),
            sample: of.sample,
            tool_order: tools.iter().map(|tool| tool.name.clone()).collect(),
            counts: of.counts.clone(),
            ..PackManifest::default()
        };
        manifest.counts.records = records;
        let mut texts: Vec<(String, String)> = documents
            .into_iter()
            .filter(|row| {
                row.path == PROMPTS
                    || row.path.starts_with("tasks/L")
                    || RECORDING.contains(&row.path.as_str())
            })
            .map(|row| (row.path, row.content))
            .collect();
        for (i, tool) in tools.iter().enumerate() {
            // Numbered, because a tool's name need not be a valid file name.
            texts.push((format!("tasks/tools/{:03}.json", i + 1), pretty(tool)));
        }
        for (path, content) in &texts {
            archive.text(path, content)?;
            manifest.sha256.insert(path.clone(), sha256_hex(content));
        }
        for file in record_files {
            manifest.sha256.insert(file.path.clone(), hex::encode(file.hash.clone().finalize()));
        }
        Ok(manifest)
    }

    /// Second pass: writes the records. The read transaction guarantees the same rows in the same
    /// order.
    fn write_records(&self, archive: &mut Archive<'_>, files: &[RecordFile], shown: &Path) -> Result<()> {
        let refuse = |error: io::Error| Error::io("write", shown, &error);
        let (mut files, mut open) = (files.iter(), None::<(&RecordFile, u64)>);
        self.each(true, |answer| {
            if !is_folder_name(answer.tool) {
                return Ok(());
            }
            if open.is_none_or(|(file, _)| file.tool != answer.tool) {
                if let Some((_, written)) = open.take() {
                    archive.pad(written).map_err(refuse)?;
                }
                let Some(file) = files.next() else { return Ok(()) };
                archive.head(&file.path, file.size).map_err(refuse)?;
                open = Some((file, 0));
            }
            if let Some((_, written)) = &mut open {
                let line = format!("{}\n", record(answer)?);
                archive.write(line.as_bytes()).map_err(refuse)?;
                *written += line.len() as u64;
            }
            Ok(())
        })?;
        match open {
            Some((_, written)) => archive.pad(written).map_err(refuse),
            None => Ok(()),
        }
    }
}

/// Writer of a `.tar.gz` whose files are streamed. Without times and owners, equal content gives
/// equal bytes.
struct Archive<'a> {
    out: GzEncoder<BufWriter<&'a File>>,
}

impl<'a> Archive<'a> {
    fn new(file: &'a File) -> Self {
        Self { out: GzEncoder::new(BufWriter::new(file), Compression::default()) }
    }

    fn text(&mut self, path: &str, content: &str) -> io::Result<()> {
        self.head(path, content.len() as u64)?;
        self.write(content.as_bytes())?;
        self.pad(content.len() as u64)
    }

    fn head(&mut self, path: &str, size: u64) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        if header.set_path(path).is_err() {
            // A path too long for the header precedes it as an entry of its own type.
            let mut long = tar::Header::new_gnu();
            long.set_path("././@LongLink")?;
            long.set_entry_type(tar::EntryType::GNULongName);
            long.set_mode(0o644);
            long.set_size(path.len() as u64 + 1);
            long.set_cksum();
            self.write(long.as_bytes())?;
            self.write(path.as_bytes())?;
            self.write(&[0])?;
            self.pad(path.len() as u64 + 1)?;
            let short: String = path.chars().filter(char::is_ascii).take(90).collect();
            header.set_path(short)?;
        }
        header.set_entry_type(tar::EntryType::Regular);
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_size(size);
        header.set_cksum();
        self.write(header.as_bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// Pads the last 512-byte block of a file.
    fn pad(&mut self, written: u64) -> io::Result<()> {
        let rest = (512 - written % 512) % 512;
        self.write(&[0; 512][..rest as usize])
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write(&[0; 1024])?;
        self.out.try_finish()?;
        self.out.get_mut().flush()
    }
}

fn pretty(content: &impl Serialize) -> String {
    serde_json::to_string_pretty(content).expect("BUG: manifests and tool definitions are JSON") + "\n"
}
