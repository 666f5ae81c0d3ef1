//! Recordings of MCP servers, stored as packs of the user (`docs/design/mcp.md`).
//!
//! The answers are stored twice. Documents of the pack contain them letter for letter, for export
//! and import. Records contain them for runs, the editor, snapshots and the check for drift
//! (whether a live server still gives the same answers), as in any other pack. A tool whose
//! definition is not valid in a pack gets no records.

use crate::db::Store;
use crate::draft::{DraftChanges, DraftHead};
use crate::drafts::DraftRecord;
use crate::error::{Error, Result};
use crate::import::documents::{self, PROMPTS, RECORDING, TOOLS};
use crate::import::records::Catalog;
use crate::own_versions::{self, Parts, json, written};
use crate::packs::{self, PackInfo};
use crate::table;
use koab_core::level::Level;
use koab_core::say;
use koab_core::tool::ToolSpec;
use rusqlite::TransactionBehavior;
use std::collections::BTreeMap;

/// Recording that is ready to be stored.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Name of the pack.
    pub name: String,
    /// Title, source and licence of the pack.
    pub head: DraftHead,
    /// Tools, in the server's order.
    pub tools: Vec<ToolSpec>,
    /// The server's description of itself, as JSON.
    pub server: String,
    /// Answers of the server in their order, one per line.
    pub calls: String,
    /// Answers in the form that a model sees. For each call there is only the first answer.
    pub records: Vec<DraftRecord>,
    /// Files of tasks, by level. Levels without a file keep the tasks of the previous version.
    pub tasks: BTreeMap<Level, String>,
    /// Judge prompts for a pack whose previous version has none.
    pub judge_prompts: String,
}

/// Outcome of storing a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingOutcome {
    /// The installed pack.
    pub pack: PackInfo,
    /// Whether the previous version has the same content, so that nothing was stored.
    pub same: bool,
}

impl Store {
    /// Stores a recording as the next version of its pack.
    ///
    /// # Errors
    /// [`Error::Busy`] when the installed pack of that name was not made here; an error when the
    /// disk refuses. Nothing is stored then.
    pub fn keep_recording(&self, recording: &Recording) -> Result<RecordingOutcome> {
        let name = &recording.name;
        let mut connection = self.writer()?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut rows = vec![
            documents::row(TOOLS, json(&recording.tools)),
            documents::row(RECORDING[0], recording.server.clone()),
            documents::row(RECORDING[1], recording.calls.clone()),
        ];
        for (level, text) in &recording.tasks {
            rows.push(documents::row(documents::level_path(level), text.clone()));
        }
        let mut before = Vec::new();
        if let Some(pack) = table::pack::find(&transaction, name)? {
            let version = packs::manifest(&pack)?.version;
            if !table::pack_version::has(&transaction, name, &version)? {
                return Err(Error::Busy(say!(
                    "the installed pack {name} was not made here and cannot be changed; give the recording another name"
                )));
            }
            before = table::document::of_pack(&transaction, pack.id)?;
        }
        // Keep tasks that were written for an earlier recording.
        for row in before {
            let is_text = row.path == PROMPTS || row.path.starts_with("tasks/L");
            if is_text && !rows.iter().any(|other| other.path == row.path) {
                rows.push(row);
            }
        }
        if !recording.judge_prompts.is_empty() && !rows.iter().any(|row| row.path == PROMPTS) {
            rows.push(documents::row(PROMPTS, recording.judge_prompts.clone()));
        }
        let parts =
            Parts { name, head: &recording.head, sample: false, rows: &rows, tools: &recording.tools };
        let catalog = Catalog::new(&recording.tools);
        let pack = own_versions::build(&transaction, &parts, |id| {
            for record in &recording.records {
                if let Some(row) = written(record, &catalog) {
                    table::record::insert(&transaction, id, &row)?;
                }
            }
            Ok(())
        })?;
        let same = pack.install(&transaction, name, &DraftChanges::default())?.is_some();
        if !same {
            transaction.commit()?;
        }
        Ok(RecordingOutcome { pack: self.pack_info(name)?, same })
    }

    /// Description and answers of a recorded server, letter for letter. `None` for packs that are
    /// not recordings.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn recording(&self, pack: &str) -> Result<Option<(String, String)>> {
        let rows = {
            let connection = self.lock();
            let row = packs::require(&connection, pack)?;
            table::document::of_pack(&connection, row.id)?
        };
        let mut texts = RECORDING.map(|_| None);
        for row in rows {
            if let Some(place) = RECORDING.iter().position(|path| *path == row.path) {
                texts[place] = Some(row.content);
            }
        }
        let [server, calls] = texts;
        Ok(server.map(|server| (server, calls.unwrap_or_default())))
    }
}
