//! Keys of model providers and of the services behind tools: storage, look-up and commands.
//!
//! A key is looked up in the environment, in this process (set in the window, without a keychain),
//! in the system's keychain, and in a file that is encrypted with a passphrase, if the user created
//! it; see `docs/design/keys.md`.
//!
//! Values enter through [`Keys::set`] and [`Keys::import`], and are sent only to the server that
//! they belong to. No type for the UI contains a value.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod dotenv;
mod environment;
mod file;
mod import;
mod keychain;
mod names;
mod passphrase;
mod places;
mod value;

pub use import::{Import, ImportPreview};
pub use keychain::KeychainState;
pub use names::SIGNING_KEY;
pub use passphrase::KeysFileState;
pub use places::KeySet;

use file::Values;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_workspace::{WireError, Workspace, commands};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use ts_rs::TS;

/// Environment variable with the passphrase of the file, for runs without a terminal.
const PASSPHRASE: &str = "KOAB_KEYS_PASSPHRASE";

/// Place to store a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum KeyPlace {
    /// The system's keychain.
    Keychain,
    /// The encrypted file in the workspace.
    File,
    /// The memory of this process, until it ends.
    Session,
}

/// Place where a key was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum KeyOrigin {
    /// The environment variable with the same name as the key. It takes precedence over all other
    /// places.
    Environment,
    /// The memory of this process.
    Session,
    /// The system's keychain.
    Keychain,
    /// The encrypted file.
    File,
}

/// A known name of a key, without its value.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct KeyRow {
    /// Name of the key.
    pub name: String,
    /// Provider or service that uses the key.
    pub asked_by: String,
    /// Whether this is a key. Otherwise it is a setting, such as an address or a region.
    pub is_key: bool,
    /// Whether a value is set.
    pub present: bool,
    /// Place of the value. `None` when it is not set.
    pub source: Option<KeyOrigin>,
}

/// All known names, with the state of the keychain.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct KeysView {
    /// State of the keychain.
    pub keychain: KeychainState,
    /// State of the keychain in one sentence, with a remedy if one is needed.
    pub keychain_sentence: Sentence,
    /// State of the encrypted file.
    pub file: KeysFileState,
    /// All known names.
    pub keys: Vec<KeyRow>,
}

/// Result of storing or deleting a key.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct KeyChange {
    /// Name of the key in koab's spelling.
    pub name: String,
    /// Place where the key was stored or deleted.
    pub place: KeyPlace,
    /// Whether an environment variable of the same name overrides the stored key.
    pub environment_wins: bool,
}

/// Reason for asking for a passphrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassphrasePurpose {
    /// The passphrase opens an existing file.
    ToOpen,
    /// The passphrase is for a new file. The prompt should ask for it twice.
    ToMake,
}

/// Asks a person for the passphrase. `None` when nobody is present or nothing was typed. May block.
pub type PassphrasePrompt = dyn Fn(PassphrasePurpose) -> Option<Sensitive<String>> + Send + Sync;

/// Keys of a workspace and of this process. A clone is cheap and shares everything.
#[derive(Clone)]
pub struct Keys {
    workspace: Workspace,
    held: Arc<KeyState>,
}

/// Keys and passphrase in the memory of one process.
#[derive(Default)]
struct KeyState {
    session: Mutex<Values>,
    prompt: OnceLock<Box<PassphrasePrompt>>,
    /// Passphrase that opened the file. A process asks for it only once.
    passphrase: Mutex<Option<Sensitive<String>>>,
}

impl KeyState {
    /// The key with the given name in the memory of this process.
    fn held(&self, name: &str) -> Option<Sensitive<String>> {
        lock(&self.session).get(name).cloned()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Keys {
    /// Opens the keys of a workspace. Reads nothing yet.
    pub fn new(workspace: Workspace) -> Self {
        Self { workspace, held: Arc::default() }
    }

    /// Values that are available without asking a person: from the environment and this process,
    /// each with its name. The search for leaked keys compares texts with them.
    pub fn known_values(&self) -> Vec<(String, Sensitive<String>)> {
        let value = |name: &str| match environment::value(name) {
            Ok(Some(value)) => Some(value),
            _ => self.held.held(name),
        };
        // Even when the settings cannot be read, the values in memory are included.
        let names = self.names().unwrap_or_else(|_| names::all()).into_iter();
        names.filter_map(|key| Some((key.name.clone(), value(&key.name)?))).collect()
    }

    /// All known names: those of koab, and those of servers with a connection.
    fn names(&self) -> Result<Vec<names::KeyName>, WireError> {
        let mut names = names::all();
        names.extend(names::of_connections(&self.workspace.connections()?));
        Ok(names)
    }

    /// Sets the prompt that asks a person for the file's passphrase. Without it, only
    /// `KOAB_KEYS_PASSPHRASE` opens the file.
    pub fn ask_passphrase_with(&self, prompt: Box<PassphrasePrompt>) {
        let _ = self.held.prompt.set(prompt);
    }

    /// State of the keychain. Never asks a person to unlock it.
    pub async fn keychain_state(&self) -> KeychainState {
        keychain::state().await
    }

    /// All known names, with the place of each key.
    ///
    /// # Errors
    /// When the workspace's settings cannot be read. An unavailable keychain is part of the result.
    pub async fn list(&self) -> Result<KeysView, WireError> {
        let mut rows = self.names()?;
        // Keys for servers without a connection are included too, as far as a place can list its
        // names.
        let in_file = self.file().names().unwrap_or_default();
        let session_names: Vec<String> = lock(&self.held.session).keys().cloned().collect();
        for name in session_names.into_iter().chain(in_file.iter().cloned()) {
            if let (Some(asked_by), false) =
                (names::server_of(&name), rows.iter().any(|one| one.name == name))
            {
                let asked_by = asked_by.to_owned();
                rows.push(names::KeyName { name, asked_by });
            }
        }
        let state = keychain::state().await;
        let in_keychain = match state {
            KeychainState::NoBus | KeychainState::NoService | KeychainState::Silent => BTreeSet::new(),
            _ => keychain::stored(rows.iter().map(|known| known.name.clone()).collect())
                .await
                .unwrap_or_default(),
        };
        let keys = rows.into_iter().map(|known| {
            let source = if environment::value(&known.name).is_ok_and(|value| value.is_some()) {
                Some(KeyOrigin::Environment)
            } else if self.held.held(&known.name).is_some() {
                Some(KeyOrigin::Session)
            } else if in_keychain.contains(&known.name) {
                Some(KeyOrigin::Keychain)
            } else {
                in_file.contains(&known.name).then_some(KeyOrigin::File)
            };
            KeyRow {
                is_key: names::is_key(&known.name),
                name: known.name,
                asked_by: known.asked_by,
                present: source.is_some(),
                source,
            }
        });
        Ok(KeysView {
            keychain: state,
            keychain_sentence: state.sentence(),
            file: self.file_state(),
            keys: keys.collect(),
        })
    }

    /// Finds the known name for the text that a user typed.
    ///
    /// # Errors
    /// When the name is unknown. The error suggests similar names.
    pub fn name(&self, typed: &str) -> Result<String, WireError> {
        names::find(typed).map_err(WireError::bad_request)
    }

    /// Stores a key, replacing an existing one.
    ///
    /// # Errors
    /// When the name is unknown, the value cannot be a key, or the place is not available.
    pub async fn set(
        &self,
        name: &str,
        value: &Sensitive<String>,
        place: KeyPlace,
    ) -> Result<KeyChange, WireError> {
        let name = self.name(name)?;
        let value = value::check(value.expose())
            .map_err(|why| WireError::bad_request(say!("the value of {name} {why}")))?;
        self.store_keys(BTreeMap::from([(name.clone(), value)]), place).await?;
        Ok(change(&name, place))
    }

    /// Removes a key from one place.
    ///
    /// # Errors
    /// When the name is unknown, there is no such key, or the place is not available.
    pub async fn delete(&self, name: &str, place: KeyPlace) -> Result<KeyChange, WireError> {
        let name = self.name(name)?;
        let (removed, of) = match place {
            KeyPlace::Keychain => {
                (keychain::remove(name.clone()).await.map_err(no_keychain)?, "the keychain".to_owned())
            }
            KeyPlace::Session => {
                (lock(&self.held.session).remove(&name).is_some(), "this session".to_owned())
            }
            KeyPlace::File => (
                self.change_keys_file(|keys| keys.remove(&name).is_some(), false).await?,
                self.file().path().display().to_string(),
            ),
        };
        if removed {
            Ok(change(&name, place))
        } else {
            Err(WireError::not_found(say!("{name} is not in {of}")))
        }
    }

    async fn store_keys(&self, keys: Values, place: KeyPlace) -> Result<(), WireError> {
        match place {
            KeyPlace::Keychain => keychain::write(keys.into_iter().collect()).await.map_err(no_keychain),
            KeyPlace::Session => {
                lock(&self.held.session).extend(keys);
                Ok(())
            }
            KeyPlace::File => self.change_keys_file(|file| file.extend(keys), true).await,
        }
    }

    /// Decrypts the file of keys. `None` when no passphrase is available.
    async fn open_keys_file(&self, asked: PassphrasePurpose) -> Result<Option<Values>, WireError> {
        let Some(passphrase) = self.passphrase(asked).await? else {
            return Ok(None);
        };
        let (file, word) = (self.file(), passphrase.clone());
        let opened = tokio::task::spawn_blocking(move || file.open(&word))
            .await
            .map_err(WireError::internal)?
            .map_err(WireError::storage)?;
        *lock(&self.held.passphrase) = Some(passphrase);
        Ok(Some(opened))
    }

    /// Decrypts the file of keys, changes its content, and writes it back. `make` allows creating
    /// the file if it does not exist.
    async fn change_keys_file<T>(
        &self,
        change: impl FnOnce(&mut Values) -> T,
        make: bool,
    ) -> Result<T, WireError> {
        let file = self.file();
        let locked = || {
            WireError::bad_request(say!(
                "{} needs a passphrase; set {PASSPHRASE} or start koab on a terminal",
                file.path().display()
            ))
        };
        let mut keys = match (file.exists(), make) {
            (true, _) => self.open_keys_file(PassphrasePurpose::ToOpen).await?.ok_or_else(locked)?,
            (false, true) => Values::new(),
            (false, false) => {
                return Err(WireError::not_found(say!(
                    "there is no file of keys at {}",
                    file.path().display()
                )));
            }
        };
        let passphrase = self.passphrase(PassphrasePurpose::ToMake).await?.ok_or_else(locked)?;
        let changed = change(&mut keys);
        let (written, word) = (file.clone(), passphrase.clone());
        tokio::task::spawn_blocking(move || written.write(&keys, &word))
            .await
            .map_err(WireError::internal)?
            .map_err(WireError::storage)?;
        *lock(&self.held.passphrase) = Some(passphrase);
        Ok(changed)
    }

    /// The passphrase of the file: the one that has already opened it, else the one in the
    /// environment, else one that a person types.
    async fn passphrase(&self, asked: PassphrasePurpose) -> Result<Option<Sensitive<String>>, WireError> {
        if let Some(known) = lock(&self.held.passphrase).clone() {
            return Ok(Some(known));
        }
        if let Some(set) = std::env::var(PASSPHRASE).ok().filter(|word| !word.is_empty()) {
            return Ok(Some(Sensitive::new(set)));
        }
        let state = Arc::clone(&self.held);
        let ask = move || state.prompt.get().and_then(|prompt| prompt(asked));
        let typed = tokio::task::spawn_blocking(ask).await.map_err(WireError::internal)?;
        Ok(typed.filter(|word| !word.expose().is_empty()))
    }
}

fn change(name: &str, place: KeyPlace) -> KeyChange {
    KeyChange {
        name: name.to_owned(),
        place,
        environment_wins: environment::value(name).is_ok_and(|value| value.is_some()),
    }
}

fn no_keychain(state: KeychainState) -> WireError {
    WireError::storage(state.sentence())
}

commands! { Keys: keys, sink;
    slow keys_list() -> KeysView [reads Keys] = keys.list().await;
    slow key_set(name: String, value: String, place: KeyPlace) -> KeyChange [writes Keys] =
        keys.set(&name, &value.into(), place).await;
    slow key_delete(name: String, place: KeyPlace) -> KeyChange [writes Keys] = keys.delete(&name, place).await;
    slow keys_unlock(passphrase: String) -> () [writes Keys] = keys.unlock(passphrase.into()).await;
    disk keys_preview(path: PathBuf) -> ImportPreview [touches nothing] = keys.preview(&path);
    slow keys_import(path: PathBuf, place: KeyPlace) -> ImportPreview [writes Keys] =
        keys.import_file(&path, place).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_key_of_the_session_is_used_and_never_written() {
        let home = tempfile::tempdir().expect("a folder");
        let api = Keys::new(Workspace::open(Some(home.path().to_owned())).expect("opened"));
        let key = Sensitive::new(" map-1\n".to_owned());
        let set = api.set("tmap_app_key", &key, KeyPlace::Session).await;
        assert_eq!(set.expect("held").name, "TMAP_APP_KEY");
        let found = api.named(&["TMAP_APP_KEY"]).await.expect("looked up");
        // Whoever has this variable set has it win, here too.
        let expected = std::env::var("TMAP_APP_KEY").unwrap_or("map-1".to_owned());
        assert_eq!(found.get("TMAP_APP_KEY").map(Sensitive::into_exposed), Some(expected));
        assert!(!format!("{found:?}").contains("map-1"));
        let files = std::fs::read_dir(home.path()).expect("listed").count();
        assert_eq!(files, 0);
        api.delete("TMAP_APP_KEY", KeyPlace::Session).await.expect("deleted");
        let again = api.delete("TMAP_APP_KEY", KeyPlace::Session).await;
        assert!(again.expect_err("gone").message.to_string().contains("this session"));
    }

    #[tokio::test]
    async fn baselines_and_what_is_no_model_ask_for_no_key() {
        let home = tempfile::tempdir().expect("a folder");
        let api = Keys::new(Workspace::open(Some(home.path().to_owned())).expect("opened"));
        for id in ["baseline/golden", "nonsense", "nobody/m"] {
            let found = api.for_model(id, None).await.expect("nothing to find");
            assert_eq!(found.explain(say!("so")), "so");
        }
    }

    #[tokio::test]
    async fn a_server_is_sent_its_own_key_and_no_other_is() {
        let home = tempfile::tempdir().expect("a folder");
        let api = Keys::new(Workspace::open(Some(home.path().to_owned())).expect("opened"));
        for (name, value) in
            [("HUGGINGFACE_API_KEY", "of-all"), ("huggingface_api_key@http://gpu1:8000/v1/", "of-gpu1")]
        {
            let value = Sensitive::new(value.to_owned());
            api.set(name, &value, KeyPlace::Session).await.expect("held");
        }
        for (base_url, expected) in [
            (None, "of-all"),
            (Some("http://gpu1:8000/v1"), "of-gpu1"),
            (Some(" http://gpu1:8000/v1/ "), "of-gpu1"),
            (Some("http://gpu1:8000/v2"), "of-all"),
            (Some("http://gpu2:8000/v1"), "of-all"),
        ] {
            let found = api.for_model("huggingface/m", base_url).await.expect("found");
            let key = found.get("HUGGINGFACE_API_KEY").map(Sensitive::into_exposed);
            assert_eq!(key.as_deref(), Some(expected), "{base_url:?}");
        }
    }
}
