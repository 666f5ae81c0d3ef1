//! Writes a pack into the database in one transaction.

use super::Watch;
use super::records::{self as reading, Catalog, RecordLine, Unit};
use super::source::{Records, Source};
use crate::db::{self, Store};
use crate::error::Result;
use crate::packs::{self, PackInfo, RecordCounts};
use crate::table;
use koab_core::finding::{Fault, Problem};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::text;
use rusqlite::{Connection, TransactionBehavior};
use std::collections::BTreeMap;

/// Maximum page cache while writing, in KiB. Keys arrive in no order, so pages outside the cache
/// are written to the log again and again.
const MAX_CACHE_KIB: u64 = 1 << 20;
const GENERATION: &str = "generation";
/// Maximum number of unreadable records that are listed one by one.
const MAX_LISTED: usize = 20;

pub(super) fn write(
    store: &Store,
    source: Source,
    problems: &mut Vec<Problem>,
    watch: Watch<'_>,
) -> Result<PackInfo> {
    // A separate connection, so that readers continue and the write lock is short.
    let mut connection = store.writer()?;
    connection.pragma_update(None, "cache_size", cache_pages(&source.records))?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut manifest = source.pack.manifest.clone();
    let name = manifest.name.clone();
    crate::benchmarks::refuse_other_kind(&transaction, &name, None)?;
    packs::set_aside(&transaction, &name, &manifest.version)?;
    table::pack::delete(&transaction, &name)?;
    let id = table::pack::insert(&transaction, &name, &manifest.version, &json(&manifest))?;
    for row in &source.documents {
        table::document::insert(&transaction, id, row)?;
    }
    let mut tally = Tally::default();
    match &source.records {
        Records::Files(units) => {
            let catalog = Catalog::new(&source.pack.tools);
            reading::read_all(units, &catalog, watch, |found| tally.take(&transaction, id, found))?;
        }
        Records::OfPack(other) => {
            let other = packs::require(&transaction, other)?.id;
            tally.counts.seen = table::record::copy(&transaction, other, id)?;
            table::record::elect(&transaction, id)?;
        }
    }
    let counts = tally.finish(&transaction, id, source.promised_records, problems)?;
    manifest.counts.records = counts.kept;
    let generation = next_generation(&transaction)?;
    table::pack::finish(&transaction, id, &json(&manifest), &json(&counts), generation, &json(problems))?;
    if !source.pack.tasks.is_empty() {
        packs::activate_first(&transaction, &name)?;
    }
    transaction.commit()?;
    db::give_space_back(&connection);
    // Computed now because every run needs them. A run that does not find them computes them
    // itself.
    let _ = store.records_hash(&name);
    let _ = store.pack_ref(&name);
    store.pack_info(&name)
}

/// SQLite's `cache_size`, where negative numbers are KiB. A fifth of the input is enough for the
/// indexes.
fn cache_pages(records: &Records) -> i64 {
    let bytes: u64 = match records {
        Records::Files(units) => units.iter().map(Unit::bytes).sum(),
        Records::OfPack(_) => 0,
    };
    let kib = ((bytes / 5) >> 10).clamp(2_000, MAX_CACHE_KIB);
    -i64::try_from(kib).unwrap_or(2_000)
}

pub(crate) fn next_generation(connection: &Connection) -> Result<i64> {
    let last = table::setting::get(connection, GENERATION)?.and_then(|text| text.parse::<i64>().ok());
    let next = last.unwrap_or(0) + 1;
    table::setting::set(connection, GENERATION, Some(&next.to_string()))?;
    Ok(next)
}

pub(super) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("BUG: manifests and counts are JSON")
}

/// Counts and problems of the records read so far.
#[derive(Default)]
struct Tally {
    counts: RecordCounts,
    unreadable: Vec<Problem>,
    misnamed: Vec<String>,
    duplicates: Vec<String>,
}

impl Tally {
    fn take(&mut self, connection: &Connection, pack: i64, found: RecordLine) -> Result<()> {
        self.counts.seen += 1;
        match found {
            RecordLine::Unreadable(problem) => self.unreadable.push(problem),
            RecordLine::Record { row, shown, misnamed } => {
                if !table::record::insert(connection, pack, &row)? {
                    self.duplicates.push(shown);
                } else if misnamed {
                    self.misnamed.push(shown);
                }
            }
        }
        Ok(())
    }

    fn finish(
        mut self,
        connection: &Connection,
        pack: i64,
        promised: u32,
        problems: &mut Vec<Problem>,
    ) -> Result<RecordCounts> {
        let mut orphans = BTreeMap::new();
        self.counts = RecordCounts {
            seen: self.counts.seen,
            ..counted(connection, pack, |tool, count| {
                orphans.insert(tool, count);
            })?
        };
        let counts = &mut self.counts;
        counts.unreadable = self.unreadable.len() as u32;
        counts.duplicate = self.duplicates.len() as u32;
        counts.misnamed = self.misnamed.len() as u32;
        self.unreadable.sort_by(|a, b| a.file.cmp(&b.file));
        let more = self.unreadable.len().saturating_sub(MAX_LISTED);
        problems.extend(self.unreadable.into_iter().take(MAX_LISTED));
        if more > 0 {
            problems.push(
                Fault::Unreadable.rejected(say!("{} more cannot be read", records(more))).in_file("cache"),
            );
        }
        summarize(
            self.duplicates,
            text!("with the same key as another record, which was kept"),
            true,
            problems,
        );
        summarize(
            self.misnamed,
            text!("filed under another key or tool than stated inside"),
            false,
            problems,
        );
        for (tool, count) in orphans {
            let why = say!(
                "{} of a tool that the catalog does not have, so no call finds them",
                records(count as usize)
            );
            problems.push(Fault::Records.warning(why).in_file(format!("cache/{tool}")));
        }
        if counts.stale > 0 {
            let (stale, used) = (records(counts.stale as usize), counts.answering_stale);
            let why = say!(
                "{stale} made under earlier tool definitions, {used} of which answer calls that no current record \
                 answers"
            );
            problems.push(Fault::Records.warning(why).in_file("cache"));
        }
        if promised > 0 && promised != counts.kept {
            let why = say!("states {}, {} can be used", records(promised as usize), counts.kept);
            problems.push(Fault::Count.warning(why).in_file("tasks/pack.json").at("counts"));
        }
        Ok(self.counts)
    }
}

/// Counts the records of a pack. `orphan` is called with each tool that the catalog lacks and its
/// number of records.
pub(crate) fn counted(
    connection: &Connection,
    pack: i64,
    mut orphan: impl FnMut(String, u32),
) -> Result<RecordCounts> {
    let mut counts = RecordCounts::default();
    for tool in table::record::count_by_tool(connection, pack)? {
        counts.kept += tool.records;
        counts.current += tool.current;
        counts.stale += tool.stale;
        counts.orphan += tool.orphan;
        counts.answering += tool.answering;
        if tool.orphan > 0 {
            orphan(tool.tool, tool.orphan);
        }
    }
    counts.answering_stale = table::record::count_answering_stale(connection, pack)?;
    Ok(counts)
}

fn summarize(mut files: Vec<String>, why: &'static str, left_out: bool, problems: &mut Vec<Problem>) {
    files.sort();
    if let Some(first) = files.first() {
        let (records, why) = (records(files.len()), Sentence::from(why));
        let why = say!("{records} {why}, the first is {first}");
        let problem = if left_out { Fault::Records.rejected(why) } else { Fault::Records.warning(why) };
        problems.push(problem.in_file("cache"));
    }
}

fn records(count: usize) -> Sentence {
    match count {
        1 => text!("1 record").into(),
        _ => say!("{count} records"),
    }
}
