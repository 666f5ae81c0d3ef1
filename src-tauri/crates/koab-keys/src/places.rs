//! Looks a key up where it may be: environment, session, keychain, file, in this order.

use crate::file::Values;
use crate::keychain::{self, KeychainState};
use crate::{Keys, PassphrasePurpose, environment, names};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_providers::registry::ModelId;
use koab_workspace::WireError;
use std::collections::BTreeSet;

/// The keys that were found, and why some place could not be looked at.
#[derive(Debug, Default)]
pub struct KeySet {
    keys: Values,
    /// The keychain, when it could not be asked.
    unasked: Option<KeychainState>,
}

impl KeySet {
    /// The key of this name.
    pub fn get(&self, name: &str) -> Option<Sensitive<String>> {
        self.keys.get(name).cloned()
    }

    /// All of them, each with its name: for the environment of workers elsewhere.
    pub fn into_values(self) -> Vec<(String, Sensitive<String>)> {
        self.keys.into_iter().collect()
    }

    /// Tells whether two models are asked with the same keys, and nothing about the keys: it is
    /// another one in every process (`seed`).
    pub fn fingerprint(&self, seed: &std::hash::RandomState) -> u64 {
        use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
        let mut hasher = seed.build_hasher();
        for (name, value) in &self.keys {
            name.hash(&mut hasher);
            value.expose().hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Adds to the complaint about a missing key where it was not looked for.
    pub fn explain(&self, complaint: Sentence) -> Sentence {
        match self.unasked {
            Some(state) => say!("{complaint} ({})", state.finding()),
            None => complaint,
        }
    }
}

impl Keys {
    /// The keys that a model of this id may need at this address. What is kept for the address goes
    /// before the provider's. Nothing is asked for baselines, nor for what is not an id.
    ///
    /// # Errors
    /// When a key is there but cannot be read: a locked keychain or file, an environment variable
    /// that is not a key.
    pub async fn for_model(&self, id: &str, base_url: Option<&str>) -> Result<KeySet, WireError> {
        let Ok(id) = ModelId::parse(id) else {
            return Ok(KeySet::default());
        };
        let names = names::of_provider(id.provider);
        let keys = id.provider.keys.iter();
        let own: Vec<(&str, String)> = base_url
            .map_or_else(Vec::new, |url| keys.map(|key| (*key, names::at_address(key, url))).collect());
        let asked: Vec<&str> = own.iter().map(|(_, own)| own.as_str()).chain(names).collect();
        let mut found = self.named(&asked).await?;
        let of_address: Values = own
            .iter()
            .filter_map(|(name, own)| Some(((*name).to_owned(), found.keys.remove(own)?)))
            .collect();
        // Another key of the provider's would be asked with before the address's own.
        if !of_address.is_empty() {
            found.keys.retain(|name, _| own.iter().all(|(key, _)| key != name));
            found.keys.extend(of_address);
        }
        Ok(found)
    }

    /// The keys of these names, as far as they are anywhere.
    ///
    /// # Errors
    /// As [`Keys::for_model`].
    pub async fn named(&self, names: &[&str]) -> Result<KeySet, WireError> {
        let mut found = KeySet::default();
        let mut missing = BTreeSet::new();
        for name in names {
            match environment::value(name)?.or_else(|| self.held.held(name)) {
                Some(value) => {
                    found.keys.insert((*name).to_owned(), value);
                }
                None => {
                    missing.insert((*name).to_owned());
                }
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let mut locked = None;
        match keychain::stored(missing.iter().cloned().collect()).await {
            Ok(stored) if stored.is_empty() => {}
            Ok(stored) => match keychain::read(stored.iter().cloned().collect()).await {
                Ok(read) => found.keys.extend(read),
                Err(state) => locked = Some((stored, state)),
            },
            Err(state) => found.unasked = Some(state),
        }
        missing.retain(|name| !found.keys.contains_key(name));
        self.look_in_file(&missing, &mut found).await?;
        if let Some((stored, state)) = locked {
            let unread: Vec<String> =
                stored.into_iter().filter(|name| !found.keys.contains_key(name)).collect();
            if !unread.is_empty() {
                let message = say!("{} cannot be read: {}", unread.join(", "), state.sentence());
                return Err(WireError::storage(message));
            }
        }
        Ok(found)
    }

    async fn look_in_file(&self, missing: &BTreeSet<String>, found: &mut KeySet) -> Result<(), WireError> {
        let file = self.file();
        let listed = file.names();
        let wanted = match &listed {
            Some(listed) => missing.intersection(listed).cloned().collect::<Vec<_>>(),
            None => missing.iter().cloned().collect(),
        };
        if wanted.is_empty() {
            return Ok(());
        }
        let Some(keys) = self.open_keys_file(PassphrasePurpose::ToOpen).await? else {
            // Without its list the file may hold anything or nothing: no reason to stop.
            if listed.is_none() {
                return Ok(());
            }
            return Err(WireError::storage(say!(
                "{} is in {}, which needs its passphrase; set KOAB_KEYS_PASSPHRASE or start koab on a terminal",
                wanted.join(", "),
                file.path().display()
            )));
        };
        for name in wanted {
            if let Some(value) = keys.get(&name) {
                found.keys.insert(name, value.clone());
            }
        }
        Ok(())
    }
}
