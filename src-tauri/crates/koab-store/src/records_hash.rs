//! The hash of all that a pack's cached responses answer, the same in every workspace.
//!
//! A run writes it down, so that a number says which recordings it came from. Reading every answer
//! takes a moment, so it is computed once for each import, when it ends.

use crate::db::Store;
use crate::error::Result;
use crate::snapshots::StateOf;
use crate::{packs, table};

impl Store {
    /// Hash of the cached responses of a pack, lower-case hex: that of a snapshot which holds the
    /// same.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] when the pack is not installed, or when the database cannot be
    /// read.
    pub fn records_hash(&self, pack: &str) -> Result<String> {
        let (generation, setting, kept) = {
            let connection = self.lock();
            let row = packs::require(&connection, pack)?;
            // A pack goes by its name alone and by its name with the version.
            let setting = format!("records_hash/{}", row.id);
            let kept = table::setting::get(&connection, &setting)?;
            (row.generation.to_string(), setting, kept)
        };
        let kept = kept.as_deref().and_then(|kept| kept.split_once(' '));
        if let Some((of, hash)) = kept
            && of == generation
        {
            return Ok(hash.to_owned());
        }
        let hash = self.state(&StateOf::Pack(pack.to_owned()))?.compute_hash()?;
        table::setting::set(&self.lock(), &setting, Some(&format!("{generation} {hash}")))?;
        Ok(hash)
    }
}
