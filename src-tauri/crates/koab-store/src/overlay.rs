//! Saved responses: answers of live APIs, stored next to a pack. The pack's own records never
//! change.
//!
//! An entry records its origin and time and everything that a published record has, so it can
//! become one. Runs that read only cached responses ignore saved responses, so their numbers stay
//! comparable.

use crate::cache::parse;
use crate::db::Store;
use crate::error::Result;
use crate::{packs, table};
use koab_core::args::NormalizedArgs;
use koab_core::cache_key::published_key;
use koab_core::catalog::ToolCatalog;
use koab_engine::ports::{AnswerOverlay, StoreError};
use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Saved responses of one pack, open for a run.
#[derive(Debug)]
pub struct Overlay {
    connection: Mutex<Connection>,
    pack: String,
    catalog: ToolCatalog,
    origin: String,
}

/// Saved response without its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OverlayEntry {
    /// Tool name.
    pub tool: String,
    /// Canonical arguments of the call.
    pub args: String,
    /// Key of the response in the published layout.
    pub published_key: String,
    /// Run that made the call, such as `run azure_gpt-4o/20261121_180000`.
    pub origin: String,
    /// Time of the call in UTC.
    pub created_at: String,
}

impl Store {
    /// Opens the saved responses of a pack. `catalog` is the pack's, for the keys of new entries.
    /// `origin` names the run that makes the calls.
    ///
    /// # Errors
    /// When the pack is not installed, or the database cannot be opened.
    pub fn overlay(&self, pack: &str, catalog: ToolCatalog, origin: &str) -> Result<Overlay> {
        let connection = self.writer()?;
        packs::require_tasks(&connection, pack)?;
        Ok(Overlay {
            connection: Mutex::new(connection),
            pack: pack.to_owned(),
            catalog,
            origin: origin.to_owned(),
        })
    }

    /// Saved responses of a pack, by tool and arguments.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn overlay_entries(&self, pack: &str) -> Result<Vec<OverlayEntry>> {
        let rows = table::overlay::list(&self.lock(), pack)?.into_iter();
        let entry = |[tool, args, published_key, origin, created_at]: [String; 5]| OverlayEntry {
            tool,
            args,
            published_key,
            origin,
            created_at,
        };
        Ok(rows.map(entry).collect())
    }

    /// Deletes all saved responses of a pack and returns their number.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn clear_overlay(&self, pack: &str) -> Result<usize> {
        table::overlay::clear(&self.lock(), pack)
    }
}

impl Overlay {
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AnswerOverlay for Overlay {
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> std::result::Result<Option<Value>, StoreError> {
        let args = args.canonical();
        Ok(table::overlay::answer(&self.lock(), &self.pack, tool, &args, |text| parse(text, tool))?)
    }

    fn keep(
        &self,
        tool: &str,
        args: &NormalizedArgs,
        raw: &Map<String, Value>,
        answer: &Value,
    ) -> std::result::Result<(), StoreError> {
        let signature = self.catalog.signature(tool).unwrap_or_default();
        Ok(table::overlay::put(
            &self.lock(),
            &table::overlay::OverlayRow {
                pack: &self.pack,
                tool,
                args: &args.canonical(),
                published_key: &published_key(tool, signature, args),
                origin: &self.origin,
                raw_args: &Value::Object(raw.clone()).to_string(),
                data: &answer.to_string(),
            },
        )?)
    }
}
