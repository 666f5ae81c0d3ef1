//! What a server of tools answered, kept as a pack of the user's own (`docs/design/mcp.md`).
//!
//! The answers stand twice: letter for letter in texts of the pack, which go out and come in with
//! it as they are, and as records, so that runs, the editor, snapshots and drift find them as any
//! pack's. Only tools that a pack can have get records.

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

/// A recording, ready to be kept.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Name of the pack.
    pub name: String,
    /// What it says about itself.
    pub head: DraftHead,
    /// Tools, in the server's order.
    pub tools: Vec<ToolSpec>,
    /// What the server said of itself, JSON.
    pub server: String,
    /// Its answers in their order, a line each.
    pub calls: String,
    /// The answers as a model sees them; of one call the first.
    pub records: Vec<DraftRecord>,
    /// Files of tasks by level; where there is none of a level, that of the version before stays.
    pub tasks: BTreeMap<Level, String>,
    /// Judge prompts where the version before has none.
    pub judge_prompts: String,
}

/// How a recording ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingOutcome {
    /// The pack as it is installed now.
    pub pack: PackInfo,
    /// Whether the version before said the same, so that nothing was kept.
    pub same: bool,
}

impl Store {
    /// Keeps a recording as the next version of its pack.
    ///
    /// # Errors
    /// [`Error::Busy`] when a pack of that name was not made here, or the disk refuses; nothing is
    /// kept then.
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
            rows.push(documents::row(documents::level_path(*level), text.clone()));
        }
        let mut before = Vec::new();
        if let Some(pack) = table::pack::find(&transaction, name)? {
            let version = packs::manifest(&pack)?.version;
            if !table::pack_version::has(&transaction, name, &version)? {
                return Err(Error::Busy(say!(
                    "there is a pack {name} that was not made here and never changes; give the recording another name"
                )));
            }
            before = table::document::of_pack(&transaction, pack.id)?;
        }
        // Tasks that were written on top of an earlier recording stay.
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
        let made = own_versions::build(&transaction, &parts, |id| {
            for record in &recording.records {
                if let Some(row) = written(record, &catalog) {
                    table::record::insert(&transaction, id, &row)?;
                }
            }
            Ok(())
        })?;
        let same = made.install(&transaction, name, &DraftChanges::default())?.is_some();
        if !same {
            transaction.commit()?;
        }
        Ok(RecordingOutcome { pack: self.pack_info(name)?, same })
    }

    /// What a recorded server said of itself and its answers, letter for letter; `None` for packs
    /// that are no recording.
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
