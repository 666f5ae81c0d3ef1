//! Look-up of keys in all places, in this order: environment, session, keychain, file.

use crate::file::Values;
use crate::keychain::{self, KeychainState};
use crate::{Keys, PassphrasePurpose, environment, names};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_providers::registry::ModelId;
use koab_workspace::WireError;
use std::collections::BTreeSet;

/// Keys that were found, and the reason why a place could not be searched.
#[derive(Debug, Default)]
pub struct KeySet {
    keys: Values,
    /// State of the keychain. `None` unless the keychain was needed and could not be searched.
    unasked: Option<KeychainState>,
}

impl KeySet {
    /// The key with the given name, if it was found.
    pub fn get(&self, name: &str) -> Option<Sensitive<String>> {
        self.keys.get(name).cloned()
    }

    /// All keys with their names, for the environment of workers on other machines.
    pub fn into_values(self) -> Vec<(String, Sensitive<String>)> {
        self.keys.into_iter().collect()
    }

    /// Hash that shows whether two models use the same keys. It reveals nothing about the keys, and
    /// `seed` makes it different in every process.
    pub fn fingerprint(&self, seed: &std::hash::RandomState) -> u64 {
        use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
        let mut hasher = seed.build_hasher();
        for (name, value) in &self.keys {
            name.hash(&mut hasher);
            value.expose().hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Adds the reason why a place could not be searched to the message about a missing key.
    pub fn explain(&self, complaint: Sentence) -> Sentence {
        match self.unasked {
            Some(state) => say!("{complaint} ({})", state.finding()),
            None => complaint,
        }
    }
}

impl Keys {
    /// Keys that a model at the given address may need.
    ///
    /// Keys for the address take precedence over the provider's keys. The set is empty for
    /// baselines and for invalid ids.
    ///
    /// # Errors
    /// When a key exists but cannot be read: the keychain or file is locked, or an environment
    /// variable is not a key.
    pub async fn for_model(&self, id: &str, base_url: Option<&str>) -> Result<KeySet, WireError> {
        let Ok(id) = ModelId::parse(id) else {
            return Ok(KeySet::default());
        };
        let names = names::of_provider(id.provider);
        let keys = id.provider.keys.iter();
        let own: Vec<(&str, String)> = base_url
            .map_or_else(Vec::new, |url| keys.map(|key| (*key, names::at_address(key, url))).collect());
        let all_names: Vec<&str> = own.iter().map(|(_, own)| own.as_str()).chain(names).collect();
        let mut key_set = self.named(&all_names).await?;
        let of_address: Values = own
            .iter()
            .filter_map(|(name, own)| Some(((*name).to_owned(), key_set.keys.remove(own)?)))
            .collect();
        // Other keys of the provider would be used before the address's own, so they are removed.
        if !of_address.is_empty() {
            key_set.keys.retain(|name, _| own.iter().all(|(key, _)| key != name));
            key_set.keys.extend(of_address);
        }
        Ok(key_set)
    }

    /// Finds the keys with the given names in any place.
    ///
    /// # Errors
    /// See [`Keys::for_model`].
    pub async fn named(&self, names: &[&str]) -> Result<KeySet, WireError> {
        let mut key_set = KeySet::default();
        let mut missing = BTreeSet::new();
        for name in names {
            match environment::value(name)?.or_else(|| self.held.held(name)) {
                Some(value) => {
                    key_set.keys.insert((*name).to_owned(), value);
                }
                None => {
                    missing.insert((*name).to_owned());
                }
            }
        }
        if missing.is_empty() {
            return Ok(key_set);
        }
        let mut locked = None;
        match keychain::stored(missing.iter().cloned().collect()).await {
            Ok(stored) if stored.is_empty() => {}
            Ok(stored) => match keychain::read(stored.iter().cloned().collect()).await {
                Ok(read) => key_set.keys.extend(read),
                Err(state) => locked = Some((stored, state)),
            },
            Err(state) => key_set.unasked = Some(state),
        }
        missing.retain(|name| !key_set.keys.contains_key(name));
        self.look_in_file(&missing, &mut key_set).await?;
        if let Some((stored, state)) = locked {
            let unread: Vec<String> =
                stored.into_iter().filter(|name| !key_set.keys.contains_key(name)).collect();
            if !unread.is_empty() {
                let message = say!("{} cannot be read: {}", unread.join(", "), state.sentence());
                return Err(WireError::storage(message));
            }
        }
        Ok(key_set)
    }

    async fn look_in_file(&self, missing: &BTreeSet<String>, found: &mut KeySet) -> Result<(), WireError> {
        let file = self.file();
        let names = file.names();
        let to_read = match &names {
            Some(names) => missing.intersection(names).cloned().collect::<Vec<_>>(),
            None => missing.iter().cloned().collect(),
        };
        if to_read.is_empty() {
            return Ok(());
        }
        let Some(keys) = self.open_keys_file(PassphrasePurpose::ToOpen).await? else {
            // Without its list of names, the file may not contain the keys at all, so this is not
            // an error.
            if names.is_none() {
                return Ok(());
            }
            return Err(WireError::storage(say!(
                "{} is in {}, which needs its passphrase; set KOAB_KEYS_PASSPHRASE or start koab on a terminal",
                to_read.join(", "),
                file.path().display()
            )));
        };
        for name in to_read {
            if let Some(value) = keys.get(&name) {
                found.keys.insert(name, value.clone());
            }
        }
        Ok(())
    }
}
