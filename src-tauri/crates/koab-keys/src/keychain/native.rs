//! macOS and Windows: the keychain belongs to the user's account on the system, so it always
//! exists. Only its entries can refuse access.

use super::{KeychainState, SERVICE, cause};
use keyring::{Entry, Error};
use std::collections::BTreeSet;

pub(super) fn state() -> KeychainState {
    match Entry::store_status() {
        Ok(()) => KeychainState::Ready,
        Err(_) => KeychainState::Refuses,
    }
}

pub(super) fn stored(names: &[String]) -> Result<BTreeSet<String>, KeychainState> {
    let mut entries = BTreeSet::new();
    for name in names {
        let entry = Entry::new(SERVICE, name).map_err(|error| cause(&error))?;
        // Finds the entry without reading its value.
        match entry.inner.get_credential() {
            Ok(_) => {
                entries.insert(name.clone());
            }
            Err(Error::NoEntry) => {}
            Err(error) => return Err(cause(&error)),
        }
    }
    Ok(entries)
}
