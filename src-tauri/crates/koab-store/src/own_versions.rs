//! Saving of drafts: a saved draft becomes a new version of its pack. An installed version never
//! changes.
//!
//! A version is a number and the first digits of the hash of its content, such as `2+3fa9c1d2e4b5`.
//! So `mine@2+3fa9c1d2e4b5` in a run names one content everywhere. The previous version stays
//! installed.
//!
//! Saving is one transaction: a draft that cannot be saved changes nothing.

use crate::db::Store;
use crate::draft::{self, CheckedDraft, DraftChanges, DraftHead, pretty};
use crate::drafts::{self, DraftRecord, StoredDraft};
use crate::error::Result;
use crate::import::records::{self as reading, Catalog};
use crate::import::{documents, redact, write};
use crate::packs::{self, PackInfo};
use crate::table::pack_version::{self, VersionRow};
use crate::table::record::{RecordRow, Standing};
use crate::table::{self, document::DocumentRow};
use koab_core::cache_key::sha256_hex;
use koab_core::level::Level;
use koab_core::pack::{PACK_FORMAT, PackCounts, PackManifest};
use koab_core::sanitize::sanitize;
use koab_core::tool::ToolSpec;
use rusqlite::{Connection, TransactionBehavior};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Number of hash digits in a version.
const VERSION_HASH_DIGITS: usize = 12;

/// Version of a pack that the user wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct OwnPackVersion {
    /// Number of the version: 1, 2, …
    pub number: u32,
    /// Version as runs name it: the number and the first digits of the content's hash.
    pub version: String,
    /// SHA-256 of the whole content.
    pub sha256: String,
    /// Changes from the previous version.
    pub changes: DraftChanges,
    /// Time of saving, UTC, ISO 8601.
    pub saved_at: String,
    /// Whether this version is installed.
    pub installed: bool,
}

/// Draft that was saved as a version of its pack.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedVersion {
    /// The installed pack.
    pub pack: PackInfo,
    /// SHA-256 of all texts and records, lower-case hex.
    pub sha256: String,
    /// New revision of the draft. The draft now continues the new version.
    pub revision: i64,
}

/// Outcome of saving a draft.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftSaving {
    /// The draft was saved as a version.
    Saved(Box<SavedVersion>),
    /// The draft has faults. Nothing was saved.
    Refused(CheckedDraft),
    /// The draft equals the installed version with this label. Nothing was saved.
    Same(String),
    /// The draft had been changed after the revision that the caller saw; this is its current
    /// revision. Nothing was saved.
    Stale(i64),
}

impl Store {
    /// Saves the draft as a new version of its pack, if its revision is still `seen`. The new
    /// version becomes the one that is used under the pack's name.
    ///
    /// # Errors
    /// When there is no such draft, the pack that it continues is not installed, or the disk
    /// refuses. Nothing is saved then.
    pub fn save_draft(&self, name: &str, seen: i64, changes: &DraftChanges) -> Result<DraftSaving> {
        let mut connection = self.writer()?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let stored = drafts::stored(&transaction, name)?;
        if stored.info.revision != seen {
            return Ok(DraftSaving::Stale(stored.info.revision));
        }
        let content = stored.content();
        let checked = draft::check(&content);
        if !checked.is_sound() {
            return Ok(DraftSaving::Refused(checked));
        }
        let pack = make(&transaction, &stored, &checked.specs())?;
        let label = format!("{name}@{}", pack.manifest.version);
        if let Some(version) = pack.install(&transaction, name, changes)? {
            return Ok(DraftSaving::Same(version));
        }
        table::draft::set_base(&transaction, name, &label)?;
        table::draft::settle(&transaction, name)?;
        table::draft::raise(&transaction, name, seen)?;
        transaction.commit()?;
        Ok(DraftSaving::Saved(Box::new(SavedVersion {
            pack: self.pack_info(name)?,
            sha256: pack.sha256,
            revision: seen + 1,
        })))
    }

    /// All versions of the user's own packs, by the pack's name, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn own_versions(&self) -> Result<Vec<(String, OwnPackVersion)>> {
        let connection = self.lock();
        let rows = pack_version::all(&connection)?.into_iter();
        rows.map(|row| {
            let label = format!("{}@{}", row.pack, row.version);
            let version = OwnPackVersion {
                installed: packs::require(&connection, &label).is_ok(),
                changes: serde_json::from_str(&row.changes).unwrap_or_default(),
                number: row.number,
                version: row.version,
                sha256: row.sha256,
                saved_at: row.saved_at,
            };
            Ok((row.pack, version))
        })
        .collect()
    }

    /// Number of the next version of a pack.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn next_version(&self, name: &str) -> Result<u32> {
        next_number(&self.lock(), name)
    }

    /// SHA-256 of an installed pack's documents and records. Equal content from any source has
    /// an equal hash.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] when the pack is not installed.
    pub fn content_hash(&self, name: &str) -> Result<String> {
        let connection = self.reader()?;
        let row = packs::require(&connection, name)?;
        let documents = table::document::of_pack(&connection, row.id)?;
        content_hash(&connection, row.id, &packs::manifest(&row)?, &documents)
    }
}

/// New version that is in the database under a temporary name until it is installed.
pub(crate) struct NewPack {
    scaffold: String,
    pub(crate) manifest: PackManifest,
    number: u32,
    pub(crate) sha256: String,
}

impl NewPack {
    /// Replaces the previous version, which stays installed under its label. If the content is the
    /// same, does nothing and returns the previous version.
    pub(crate) fn install(
        &self,
        transaction: &Connection,
        name: &str,
        changes: &DraftChanges,
    ) -> Result<Option<String>> {
        let version = &self.manifest.version;
        if let Some(before) = table::pack::find(transaction, name)? {
            let before = packs::manifest(&before)?.version;
            if hash_of(&before) == hash_of(version) {
                return Ok(Some(before));
            }
        }
        packs::set_aside(transaction, name, version)?;
        table::pack::delete(transaction, name)?;
        table::pack::rename(transaction, &self.scaffold, name)?;
        pack_version::insert(
            transaction,
            &VersionRow {
                pack: name.to_owned(),
                number: self.number,
                version: version.clone(),
                sha256: self.sha256.clone(),
                changes: json(changes),
                saved_at: String::new(),
            },
        )?;
        if !self.manifest.counts.tasks.is_empty() {
            packs::activate_first(transaction, name)?;
        }
        Ok(None)
    }
}

/// Content of a new version, except its records.
pub(crate) struct Parts<'a> {
    pub(crate) name: &'a str,
    pub(crate) head: &'a DraftHead,
    pub(crate) sample: bool,
    pub(crate) rows: &'a [DocumentRow],
    pub(crate) tools: &'a [ToolSpec],
}

fn make(connection: &Connection, stored: &StoredDraft, tools: &[ToolSpec]) -> Result<NewPack> {
    let mut rows = rows(stored, tools);
    let mut sample = false;
    if let Some(base) = &stored.info.base {
        let base = packs::of_label(connection, base)?;
        // A copy of invented data is invented too.
        sample = packs::manifest(&base)?.sample;
        let of_base = table::document::of_pack(connection, base.id)?.into_iter();
        rows.extend(of_base.filter(|row| documents::RECORDING.contains(&row.path.as_str())));
    }
    let parts = Parts { name: &stored.info.name, head: &stored.info.head, sample, rows: &rows, tools };
    build(connection, &parts, |id| records(connection, id, stored, tools))
}

/// Writes a new version into the database under a temporary name. `records` adds its records.
pub(crate) fn build(
    connection: &Connection,
    parts: &Parts<'_>,
    records: impl FnOnce(i64) -> Result<()>,
) -> Result<NewPack> {
    let Parts { name, head, sample, rows, tools } = *parts;
    let number = next_number(connection, name)?;
    let mut manifest = PackManifest {
        format: PACK_FORMAT,
        name: name.to_owned(),
        title: head.title.clone(),
        source: head.source.clone(),
        licence: head.licence.clone(),
        sample,
        tool_order: tools.iter().map(|tool| tool.name.clone()).collect(),
        sha256: rows
            .iter()
            .filter(|row| row.path != documents::TOOLS)
            .map(|row| (row.path.clone(), row.sha256.clone()))
            .collect(),
        ..PackManifest::default()
    };
    // No pack can have this name. Every transaction ends with another name or not at all.
    let scaffold = format!("{name}@");
    let id = table::pack::insert(connection, &scaffold, "", "{}")?;
    for row in rows {
        table::document::insert(connection, id, row)?;
    }
    records(id)?;
    table::record::elect(connection, id)?;
    let counts = write::counted(connection, id, |_, _| ())?;
    let sha256 = content_hash(connection, id, &manifest, rows)?;
    manifest.version = format!("{number}+{}", &sha256[..VERSION_HASH_DIGITS]);
    let (pack, problems) = documents::read(manifest, rows);
    let mut manifest = pack.manifest.clone();
    manifest.counts =
        PackCounts { tasks: pack.task_counts(), tools: pack.tools.len() as u32, records: counts.kept };
    table::pack::set_version(connection, id, &manifest.version)?;
    let generation = write::next_generation(connection)?;
    table::pack::finish(connection, id, &json(&manifest), &json(&counts), generation, &json(&problems))?;
    Ok(NewPack { scaffold, manifest, number, sha256 })
}

/// Documents of the new version. All texts of a checked draft are JSON.
fn rows(stored: &StoredDraft, tools: &[ToolSpec]) -> Vec<DocumentRow> {
    let content = stored.content();
    let mut rows = Vec::new();
    for level in Level::ALL {
        let tasks = content.level(&level);
        if !tasks.is_empty() {
            let text = pretty(&Value::Array(tasks));
            rows.push(documents::row(documents::level_path(&level), text));
        }
    }
    rows.push(documents::row(documents::TOOLS, json(&tools)));
    if !content.judge_prompts.trim().is_empty() {
        rows.push(documents::row(documents::PROMPTS, content.judge_prompts));
    }
    rows
}

/// Adds the cached responses of the pack that the draft continues, for tools that still exist.
/// Responses written by hand replace them.
///
/// Whether a record is current or stale is computed again, because a change of a tool's definition
/// makes the tool's records stale.
fn records(connection: &Connection, id: i64, stored: &StoredDraft, tools: &[ToolSpec]) -> Result<()> {
    let catalog = Catalog::new(tools);
    if let Some(base) = &stored.info.base {
        // Another version has most of the responses too, under the same arguments.
        let base = packs::of_label(connection, base)?.id;
        table::record::each(connection, base, |row| {
            if catalog.has(&row.tool) {
                table::record::insert(connection, id, &reading::restated(row, &catalog))?;
            }
            Ok(())
        })?;
    }
    for (_, record) in stored.own_records() {
        let args = reading::lookup_args(&record.tool, &record.args, &catalog);
        table::record::delete_call(connection, id, &record.tool, &args.canonical())?;
        if let Some(row) = written(&record, &catalog) {
            table::record::insert(connection, id, &row)?;
        }
    }
    Ok(())
}

fn next_number(connection: &Connection, name: &str) -> Result<u32> {
    let last = pack_version::last(connection, name)?;
    // An imported version also counts, so that the next number differs from it.
    let installed = match table::pack::find(connection, name)? {
        Some(row) => packs::manifest(&row)?.version,
        None => String::new(),
    };
    let number = installed.split('+').next().and_then(|number| number.parse().ok());
    Ok(last.max(number.unwrap_or(0)) + 1)
}

/// Hash of a pack's title, source, licence, documents and records.
fn content_hash(
    connection: &Connection,
    id: i64,
    manifest: &PackManifest,
    documents: &[DocumentRow],
) -> Result<String> {
    let mut sorted: Vec<&DocumentRow> = documents.iter().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    let mut all = json(&[&manifest.title, &manifest.source, &manifest.licence]);
    for row in sorted {
        all.push_str(&format!("\n{} {}", row.path, row.sha256));
    }
    for fingerprint in table::record::fingerprints(connection, id)? {
        all.push('\n');
        all.push_str(&fingerprint);
    }
    Ok(sha256_hex(&all))
}

fn hash_of(version: &str) -> Option<&str> {
    version.split_once('+').map(|(_, hash)| hash)
}

pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("BUG: packs are JSON")
}

/// Converts a response that was written by hand to a record for the given catalog. `None` when the
/// response has no answer, or its tool does not exist.
pub(crate) fn written(record: &DraftRecord, catalog: &Catalog<'_>) -> Option<RecordRow> {
    let mut data = record.data.clone()?;
    let (args, key) = reading::arguments(&record.tool, &record.args, catalog);
    redact(&mut data);
    let recorded = data.to_string();
    let (data, original) =
        if sanitize(&record.tool, &mut data) { (data.to_string(), Some(recorded)) } else { (recorded, None) };
    let mut row = RecordRow {
        tool: record.tool.clone(),
        args: args.canonical(),
        published_key: key?,
        standing: Standing::Current,
        sha256: String::new(),
        created_at: record.created_at.clone(),
        input_params: args.as_value().to_string(),
        raw_args: Value::Object(record.args.clone()).to_string(),
        original,
        data,
    };
    row.sha256 = reading::fingerprint(&row);
    Some(row)
}
