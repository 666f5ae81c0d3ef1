//! A cache state that is open for reading: the answers to calls, and the hash of all answers.

use crate::cache::{MMAP_BYTES, parse};
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

/// First line of the hashed text. It names the format of the lines after it.
const HASH_HEADER: &[u8] = b"koab-snapshot 1\n";

/// Cached responses of a pack or snapshot, frozen when they were opened. Later writes change
/// nothing here.
#[derive(Debug)]
pub struct CacheState {
    connection: Mutex<Connection>,
    pub(super) pack: i64,
    pub(super) beside: SideAnswers,
    manifest: PackManifest,
    turns: RecordedTurns,
}

/// Number of calls to one tool that a state answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SnapshotTool {
    /// Tool name.
    pub tool: String,
    /// Number of calls that the pack's own records answer.
    pub recorded: u32,
    /// Number of calls that only saved responses answer.
    pub added: u32,
}

/// Answer of a state to a call.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedAnswer {
    /// Answer in the form that a model sees.
    pub data: Value,
    /// Key of the answer in the published layout.
    pub published_key: String,
    /// Time of recording, in UTC.
    pub created_at: String,
    /// Run that made the call. Null for the pack's own records.
    pub origin: Option<String>,
}

impl CacheState {
    pub(super) fn open(
        connection: Connection,
        which: impl FnOnce(&Connection) -> Result<(i64, SideAnswers)>,
    ) -> Result<Self> {
        connection.pragma_update(None, "mmap_size", MMAP_BYTES)?;
        // A transaction that never ends pins the snapshot. With a write-ahead log it blocks no
        // writer.
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

    /// Manifest of the underlying pack.
    pub fn manifest(&self) -> &PackManifest {
        &self.manifest
    }

    /// The underlying pack with its tasks and tools.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn pack(&self) -> Result<Pack> {
        Ok(documents::read(self.manifest.clone(), &self.documents()?).0)
    }

    /// Number of answered calls for each tool.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tools(&self) -> Result<Vec<SnapshotTool>> {
        let counts = state::count_by_tool(&self.lock(), self.pack, &self.beside)?.into_iter();
        Ok(counts.map(|(tool, recorded, added)| SnapshotTool { tool, recorded, added }).collect())
    }

    /// Answer to a call, with its origin.
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

    /// SHA-256 of all answers, lower-case hex.
    ///
    /// The hashed text has one line per call, ordered by tool and arguments. A line is the JSON
    /// list of the tool, the canonical arguments, the key in the published layout, and the SHA-256
    /// of the answer as a model sees it. It does not depend on an answer's place, time or origin.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn compute_hash(&self) -> Result<String> {
        let mut hash = Sha256::new();
        hash.update(HASH_HEADER);
        self.each(false, |answer| {
            let line =
                json!([answer.tool, answer.args, answer.published_key, sha256_hex(answer.data.as_bytes())]);
            hash.update(dumps(&line, Dumps::default()));
            hash.update(b"\n");
            Ok(())
        })?;
        Ok(hex::encode(hash.finalize()))
    }

    /// Passes all answers that calls can find to `visit`, by tool and arguments. With `all` it
    /// passes all records, by tool and key.
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
