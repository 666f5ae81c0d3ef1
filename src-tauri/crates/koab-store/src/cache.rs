//! Look-ups in one pack's recorded responses.

use crate::db::Store;
use crate::error::{Error, Result};
use crate::{packs, table};
use koab_core::args::NormalizedArgs;
use koab_engine::ports::{ResponseCache, StoreError};
use rusqlite::Connection;
use serde::Serialize;
use serde_json::Value;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The recorded responses of a pack as they were when this was opened: an import that happens meanwhile changes
/// nothing here, so all attempts of a run read the same snapshot.
#[derive(Debug)]
pub struct PackCache {
    connection: Mutex<Connection>,
    pack: i64,
    generation: i64,
}

/// A record as `koab cache lookup` shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundRecord {
    /// Tool name.
    pub tool: String,
    /// The canonical arguments it was found by.
    pub args: String,
    /// Its key in the published layout.
    pub published_key: String,
    /// `current`, or `stale` when it was recorded under an earlier description or schema.
    pub standing: &'static str,
    /// When it was recorded, UTC.
    pub created_at: String,
    /// The answer as a model sees it.
    pub data: Value,
}

impl Store {
    /// Opens the recorded responses of a pack.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn cache(&self, pack: &str) -> Result<PackCache> {
        let connection = self.reader()?;
        // A read transaction that is never ended pins the snapshot; with a write-ahead log it blocks no writer.
        connection.execute_batch("BEGIN")?;
        let row = packs::require(&connection, pack)?;
        Ok(PackCache {
            connection: Mutex::new(connection),
            pack: row.id,
            generation: row.generation,
        })
    }
}

impl PackCache {
    /// The generation that was read.
    pub fn generation(&self) -> i64 {
        self.generation
    }

    /// The record that answers a call, with where it comes from.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<FoundRecord>> {
        let row = table::record::find(&self.lock(), self.pack, tool, &args.canonical())?;
        row.map(|row| {
            Ok(FoundRecord {
                data: parse(&row.data, tool)?,
                standing: row.standing.as_str(),
                tool: row.tool,
                args: row.args,
                published_key: row.published_key,
                created_at: row.created_at,
            })
        })
        .transpose()
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResponseCache for PackCache {
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> std::result::Result<Option<Value>, StoreError> {
        let args = args.canonical();
        // The lock is gone before the answer is parsed, which takes longer than finding it.
        let text = table::record::answer(&self.lock(), self.pack, tool, &args)?;
        Ok(text.map(|text| parse(&text, tool)).transpose()?)
    }
}

fn parse(text: &str, tool: &str) -> Result<Value> {
    let damaged = |error| {
        Error::BadFile(format!(
            "a record of {tool} in koab.sqlite is no JSON ({error}); import the pack again"
        ))
    };
    serde_json::from_str(text).map_err(damaged)
}
