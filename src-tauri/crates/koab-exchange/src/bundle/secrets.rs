//! No key gets into a bundle: what is put in is searched for the values of all keys that this
//! process can see unasked.
//!
//! Recorded answers lose the keys of their services when a pack is imported, and errors of
//! providers and services are masked before they are written down. This is the last door: logs that
//! came from elsewhere went through none of it.

use super::SIGNING_KEY;
use crate::Exchange;
use koab_core::say;
use koab_core::secrets::Secrets;
use koab_store::bundle_file::Source;
use koab_workspace::WireError;
use std::collections::BTreeMap;

/// Shorter values could stand anywhere by chance: a region, a version.
const SHORTEST: usize = 12;

impl Exchange {
    /// # Errors
    /// When a file holds the value of a key, with both names.
    pub(super) fn hold_back_keys(&self, files: &BTreeMap<String, Source>) -> Result<(), WireError> {
        let known = self.keys.known_values().into_iter();
        let values: Vec<(String, Secrets)> = known
            .filter(|(name, _)| is_secret(name))
            .map(|(name, value)| (name, Secrets::new("", SHORTEST, [value.expose()])))
            .filter(|(_, value)| !value.is_empty())
            .collect();
        for (path, source) in files {
            let mut searches: Vec<_> = values.iter().map(|(name, value)| (name, value.search())).collect();
            let mut found = None;
            source.each(|part| {
                for (name, search) in &mut searches {
                    if search.finds(part) {
                        found.get_or_insert((*name).clone());
                    }
                }
                Ok(())
            })?;
            if let Some(name) = found {
                return Err(WireError::bad_file(say!(
                    "{path} holds the value of the key {name}, so no bundle is made of it; take it out of that file first"
                )));
            }
        }
        Ok(())
    }
}

/// Names of keys whose values are no secret but settings.
fn is_secret(name: &str) -> bool {
    let setting = [
        "_BASE",
        "_VERSION",
        "_REGION",
        "_REGION_NAME",
        "_PROJECT",
        "_LOCATION",
        "_URL",
        "_TITLE",
        "_REFERER",
        "_ENABLED",
    ];
    name == SIGNING_KEY || !setting.iter().any(|ending| name.ends_with(ending))
}
