//! The user's overlay: answers of the live APIs, kept beside a pack whose own records never change.
//!
//! An entry says who asked and when, and holds what a published record holds, so that it can become
//! one. Runs that read cached responses only do not see the overlay: their numbers stay comparable
//! with everybody's.

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

/// One pack's overlay, open for a run.
#[derive(Debug)]
pub struct Overlay {
    connection: Mutex<Connection>,
    pack: String,
    catalog: ToolCatalog,
    origin: String,
}

/// An entry without its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OverlayEntry {
    /// Tool name.
    pub tool: String,
    /// The canonical arguments it is found by.
    pub args: String,
    /// Its key in the published layout.
    pub published_key: String,
    /// Who asked, such as `run azure_gpt-4o/20261121_180000`.
    pub origin: String,
    /// When, UTC.
    pub created_at: String,
}

impl Store {
    /// Opens the overlay of a pack. `catalog` is the pack's, for the keys of new entries; `origin`
    /// says who asks.
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

    /// What is kept beside a pack, by tool and arguments.
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

    /// Forgets everything that is kept beside a pack, and answers how much that was.
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
