//! An installed pack as an archive in the starter layout, which `koab pack import` reads.
//!
//! Importing the archive again gives an equal pack: the same texts, tools and records, version and
//! content hash. A pack always gives the same archive, byte for byte.

use crate::benchmarks::{BenchmarkCounts, PackHeader};
use crate::db::Store;
use crate::draft::{is_callable, pretty, tool_text};
use crate::error::{Error, Result};
use crate::import::documents;
use crate::packs;
use crate::table;
use crate::table::record::RecordRow;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Pack exported as an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackArchive {
    /// Suggested file name, such as `mine-2.zip`.
    pub file_name: String,
    /// `name@version` of the pack.
    pub label: String,
    /// The archive: a ZIP file.
    pub bytes: Vec<u8>,
}

impl Store {
    /// Exports the pack with this name or label as an archive. Saved responses are not part of it.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is not installed, [`Error::BadFile`] when a tool's name is not
    /// valid as a file name.
    pub fn export_pack(&self, name: &str) -> Result<PackArchive> {
        let connection = self.reader()?;
        let row = packs::require(&connection, name)?;
        let rows = table::document::of_pack(&connection, row.id)?;
        let (pack, _) = documents::read(packs::manifest(&row)?, &rows);
        let counts = BenchmarkCounts::stated(&row.manifest);
        let label = pack.label();
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for row in rows {
            if row.path != documents::TOOLS {
                files.insert(row.path, row.content);
            }
        }
        for tool in &pack.tools {
            if !is_callable(&tool.name) {
                let name = &tool.name;
                return Err(Error::BadFile(say!(
                    "{label} cannot be exported: the tool name `{name}` cannot be that of a file"
                )));
            }
            files.insert(format!("tasks/tools/{}.json", tool.name), tool_text(tool));
        }
        table::record::each(&connection, row.id, |record| {
            if is_callable(&record.tool) {
                let lines = files.entry(format!("cache/{}.jsonl", record.tool)).or_default();
                lines.push_str(&line(&record));
                lines.push('\n');
            }
            Ok(())
        })?;
        let mut manifest = pack.manifest;
        manifest.tool_order = pack.tools.iter().map(|tool| tool.name.clone()).collect();
        manifest.sha256 = files.iter().map(|(path, content)| (path.clone(), sha256_hex(content))).collect();
        let header = PackHeader { manifest: &manifest, counts: counts.as_ref() };
        let header = serde_json::to_value(&header).expect("BUG: manifests are JSON");
        files.insert("tasks/pack.json".to_owned(), pretty(&header));
        let number = manifest.version.split('+').next().unwrap_or_default();
        Ok(PackArchive {
            file_name: format!("{}-{number}.zip", manifest.name),
            bytes: archive(&files)
                .map_err(|error| Error::Disk(say!("the archive of {label} could not be made: {error}")))?,
            label,
        })
    }
}

/// A record as a line of its tool's file, in the published form.
fn line(record: &RecordRow) -> String {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut fields = Map::new();
    fields.insert("key".to_owned(), record.published_key.as_str().into());
    fields.insert("tool".to_owned(), record.tool.as_str().into());
    fields.insert("created_at".to_owned(), record.created_at.as_str().into());
    // A record without arguments after defaults is identified by the arguments that the model gave.
    if record.input_params != "{}" || record.raw_args == "{}" {
        fields.insert("input_params".to_owned(), parsed(&record.input_params));
    }
    fields.insert("raw_args".to_owned(), parsed(&record.raw_args));
    let recorded = record.original.as_deref().unwrap_or(&record.data);
    fields.insert("data".to_owned(), parsed(recorded));
    Value::Object(fields).to_string()
}

/// Makes a ZIP archive of files, given as path and content.
///
/// # Errors
/// [`Error::BadFile`] when a name or the size is not possible in an archive.
pub fn zip_of<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> Result<Vec<u8>> {
    let refuse = |error: &dyn std::fmt::Display| Error::BadFile(say!("the archive cannot be made: {error}"));
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in files {
        writer.start_file(path, SimpleFileOptions::default()).map_err(|error| refuse(&error))?;
        writer.write_all(content).map_err(|error| refuse(&error))?;
    }
    let finished = writer.finish().map_err(|error| refuse(&error))?;
    Ok(finished.into_inner())
}

fn archive(files: &BTreeMap<String, String>) -> zip::result::ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in files {
        writer.start_file(path.as_str(), SimpleFileOptions::default())?;
        writer.write_all(content.as_bytes())?;
    }
    Ok(writer.finish()?.into_inner())
}
