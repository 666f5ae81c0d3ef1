//! Hash of all answers in a pack's cached responses. It is the same in every workspace.
//!
//! A run records it, so that its numbers name their cached responses. Reading every answer takes a
//! while, so the hash is computed once per import, at its end.

use crate::db::Store;
use crate::error::Result;
use crate::snapshots::StateOf;
use crate::{packs, table};

impl Store {
    /// Hash of a pack's cached responses, lower-case hex. A snapshot with the same content has the
    /// same hash.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] when the pack is not installed; an error when the database cannot
    /// be read.
    pub fn records_hash(&self, pack: &str) -> Result<String> {
        let (generation, setting, saved) = {
            let connection = self.lock();
            let row = packs::require(&connection, pack)?;
            // The row id is used because a pack has two names: with and without its version.
            let setting = format!("records_hash/{}", row.id);
            let saved = table::setting::get(&connection, &setting)?;
            (row.generation.to_string(), setting, saved)
        };
        let saved = saved.as_deref().and_then(|saved| saved.split_once(' '));
        if let Some((of, hash)) = saved
            && of == generation
        {
            return Ok(hash.to_owned());
        }
        let hash = self.state(&StateOf::Pack(pack.to_owned()))?.compute_hash()?;
        table::setting::set(&self.lock(), &setting, Some(&format!("{generation} {hash}")))?;
        Ok(hash)
    }
}
