//! One state of cached responses, open for reading: what answers a call, and the hash of all that
//! does.

use crate::cache::{MAPPED, parse};
use crate::error::Result;
use crate::import::documents;
use crate::recorded_turns::RecordedTurns;
use crate::table::document::DocumentRow;
use crate::table::state::{self, Answer, SideAnswers};
use crate::{packs, table};
use koab_core::args::NormalizedArgs;
use koab_core::cache_key::sha256_hex;
use koab_core::pack::{Pack, PackManifest};
use koab_core::python::{Dumps, dumps};
use koab_engine::ports::{ResponseCache, StoreError};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the hash of a state begins with: the form of what follows.
const FORM: &[u8] = b"koab-snapshot 1\n";

/// Cached responses as they were when this was opened, whatever is written meanwhile.
#[derive(Debug)]
pub struct CacheState {
    connection: Mutex<Connection>,
    pub(super) pack: i64,
    pub(super) beside: SideAnswers,
    manifest: PackManifest,
    turns: RecordedTurns,
}

/// Answers of a state for one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SnapshotTool {
    /// Tool name.
    pub tool: String,
    /// Calls that the pack's own records answer.
    pub recorded: u32,
    /// Calls that only what lies beside the pack answers.
    pub added: u32,
}

/// What a state answers to a call.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedAnswer {
    /// As a model sees it.
    pub data: Value,
    /// Its key in the published layout.
    pub published_key: String,
    /// When it was recorded, UTC.
    pub created_at: String,
    /// Who asked; null for the pack's own records.
    pub origin: Option<String>,
}

impl CacheState {
    pub(super) fn open(
        connection: Connection,
        which: impl FnOnce(&Connection) -> Result<(i64, SideAnswers)>,
    ) -> Result<Self> {
        connection.pragma_update(None, "mmap_size", MAPPED)?;
        // Never ended: it pins what is read, and with a write-ahead log it blocks no writer.
        connection.execute_batch("BEGIN")?;
        let (pack, beside) = which(&connection)?;
        let manifest = packs::manifest(&table::pack::by_id(&connection, pack)?)?;
        Ok(Self {
            connection: Mutex::new(connection),
            pack,
            beside,
            manifest,
            turns: RecordedTurns::default(),
        })
    }

    /// What the pack beneath says about itself.
    pub fn manifest(&self) -> &PackManifest {
        &self.manifest
    }

    /// The pack beneath, with its tasks and tools.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn pack(&self) -> Result<Pack> {
        Ok(documents::read(self.manifest.clone(), &self.documents()?).0)
    }

    /// How many calls are answered, by tool.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tools(&self) -> Result<Vec<SnapshotTool>> {
        let counts = state::count_by_tool(&self.lock(), self.pack, &self.beside)?.into_iter();
        Ok(counts.map(|(tool, recorded, added)| SnapshotTool { tool, recorded, added }).collect())
    }

    /// The answer to a call, with where it comes from.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<RecordedAnswer>> {
        let args = args.canonical();
        let connection = self.lock();
        if let Some(row) = table::record::find(&connection, self.pack, tool, &args)? {
            return Ok(Some(RecordedAnswer {
                data: parse(row.data.as_bytes(), tool)?,
                published_key: row.published_key,
                created_at: row.created_at,
                origin: None,
            }));
        }
        state::find_beside(&connection, &self.beside, tool, &args, |answer| {
            Ok(RecordedAnswer {
                data: parse(answer.data.as_bytes(), tool)?,
                published_key: answer.published_key.to_owned(),
                created_at: answer.created_at.to_owned(),
                origin: answer.origin.map(str::to_owned),
            })
        })
    }

    /// Hash of what is answered, lower-case hex: SHA-256 over a line for each call, by tool and
    /// arguments. A line is the JSON list of the tool, the canonical arguments, the key in the
    /// published layout, and the SHA-256 of the answer as a model sees it. Where an answer lies,
    /// when it was recorded and who asked does not matter.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn compute_hash(&self) -> Result<String> {
        let mut hash = Sha256::new();
        hash.update(FORM);
        self.each(false, |answer| {
            let line =
                json!([answer.tool, answer.args, answer.published_key, sha256_hex(answer.data.as_bytes())]);
            hash.update(dumps(&line, Dumps::default()));
            hash.update(b"\n");
            Ok(())
        })?;
        Ok(hex::encode(hash.finalize()))
    }

    /// Gives every answer that a call finds to `visit`, by tool and arguments; with `all` every
    /// record, by tool and key.
    pub(super) fn each(&self, all: bool, mut visit: impl FnMut(&Answer<'_>) -> Result<()>) -> Result<()> {
        let connection = self.lock();
        let mut statement = state::prepare(&connection, &self.beside, all)?;
        let mut rows = state::query(&mut statement, self.pack, &self.beside)?;
        while let Some(row) = rows.next()? {
            visit(&state::read(row)?)?;
        }
        Ok(())
    }

    pub(super) fn documents(&self) -> Result<Vec<DocumentRow>> {
        table::document::of_pack(&self.lock(), self.pack)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResponseCache for CacheState {
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> std::result::Result<Option<Value>, StoreError> {
        let args = args.canonical();
        let connection = self.lock();
        let own = table::record::answer(&connection, self.pack, tool, &args, |text| parse(text, tool))?;
        if own.is_some() {
            return Ok(own);
        }
        Ok(state::find_beside(&connection, &self.beside, tool, &args, |answer| {
            parse(answer.data.as_bytes(), tool)
        })?)
    }

    fn lookup_again(
        &self,
        tool: &str,
        args: &NormalizedArgs,
        made: usize,
    ) -> std::result::Result<Option<Value>, StoreError> {
        let Some(first) = self.lookup(tool, args)? else {
            return Ok(None);
        };
        let connection = self.lock();
        Ok(Some(self.turns.answer((&connection, self.pack), (tool, args), made, first)?))
    }
}
