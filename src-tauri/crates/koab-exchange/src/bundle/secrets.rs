//! Keeps keys out of bundles. Every file is searched for the values of all keys that this process
//! can read without asking the user.
//!
//! An import of a pack removes service keys from its cached responses, and errors of providers and
//! services are masked before they are written. This search is the last check, because imported
//! logs passed neither of these steps.

use super::SIGNING_KEY;
use crate::Exchange;
use koab_core::say;
use koab_core::secrets::Secrets;
use koab_store::bundle_file::Source;
use koab_workspace::WireError;
use std::collections::BTreeMap;

/// Minimum length of a value to search for, in bytes. A shorter value, such as a region or a
/// version, occurs by chance.
const MIN_SECRET_BYTES: usize = 12;

impl Exchange {
    /// Checks that no file contains a key.
    ///
    /// # Errors
    /// When a file contains the value of a key. The message names the file and the key.
    pub(super) fn hold_back_keys(&self, files: &BTreeMap<String, Source>) -> Result<(), WireError> {
        let values = self.keys.known_values().into_iter();
        let secrets: Vec<(String, Secrets)> = values
            .filter(|(name, _)| is_secret(name))
            .map(|(name, value)| (name, Secrets::new("", MIN_SECRET_BYTES, [value.expose()])))
            .filter(|(_, value)| !value.is_empty())
            .collect();
        for (path, source) in files {
            let mut searches: Vec<_> = secrets.iter().map(|(name, value)| (name, value.search())).collect();
            let mut leaked = None;
            source.each(|part| {
                for (name, search) in &mut searches {
                    if search.finds(part) {
                        leaked.get_or_insert((*name).clone());
                    }
                }
                Ok(())
            })?;
            if let Some(name) = leaked {
                return Err(WireError::bad_file(say!(
                    "{path} holds the value of the key {name}, so no bundle is made of it; take it out of that file first"
                )));
            }
        }
        Ok(())
    }
}

/// Whether a key with this name is a secret. Some keys are settings, such as an address.
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
