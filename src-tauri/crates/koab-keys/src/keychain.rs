//! Keychain of the system: Secret Service, Keychain, Credential Manager.
//!
//! Every call runs on its own thread behind `spawn_blocking`: the libraries block, may start their
//! own runtime, and may wait for a person to unlock the keychain. Callers wait for a limited time.
//!
//! Error texts of a keychain never leave this module, because some contain the value that was read.

#[cfg_attr(
    all(unix, not(any(target_os = "macos", target_os = "ios", target_os = "android"))),
    path = "keychain/secret_service.rs"
)]
#[cfg_attr(
    not(all(unix, not(any(target_os = "macos", target_os = "ios", target_os = "android")))),
    path = "keychain/native.rs"
)]
mod system;

use keyring::{Entry, Error};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc;
use std::time::Duration;
use ts_rs::TS;

/// Service name of the entries. An entry's user name is the key's name.
pub(crate) const SERVICE: &str = "ko-agentbench";

/// Maximum time for the keychain to report its state.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum time for a person to unlock the keychain.
const UNLOCK_TIMEOUT: Duration = Duration::from_secs(120);

/// Current state of the keychain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum KeychainState {
    /// The keychain is open.
    Ready,
    /// Linux: the session has no message bus.
    NoBus,
    /// Linux: no service on the bus stores secrets.
    NoService,
    /// Linux: a service stores secrets, but has no keyring for them.
    NoKeyring,
    /// The keychain was not unlocked, or a wrong password was entered. The two look the same
    /// from outside.
    Locked,
    /// The keychain does not answer.
    Silent,
    /// The keychain answers, but refuses access.
    Refuses,
}

impl KeychainState {
    /// Description of the state, without a remedy.
    pub fn finding(self) -> Sentence {
        match self {
            KeychainState::Ready => say!("the keychain is open"),
            KeychainState::NoBus => say!("there is no keychain: this session has no D-Bus"),
            KeychainState::NoService => {
                say!(
                    "there is no keychain: no Secret Service (GNOME Keyring, KWallet, KeePassXC) answers on D-Bus"
                )
            }
            KeychainState::NoKeyring => say!("the keychain has no keyring yet"),
            KeychainState::Locked => {
                say!("the keychain is locked: it was not unlocked, or with a wrong password")
            }
            KeychainState::Silent => say!("the keychain does not answer"),
            KeychainState::Refuses => say!("the keychain refuses access"),
        }
    }

    /// Remedy for the state. Empty when none is needed.
    pub fn remedy(self) -> Sentence {
        match self {
            KeychainState::Ready => Sentence::EMPTY,
            KeychainState::NoBus => say!(
                "start koab in a desktop session, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)"
            ),
            KeychainState::NoService => say!(
                "install and start one, such as gnome-keyring, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)"
            ),
            KeychainState::NoKeyring => say!(
                "log in to the desktop once or make one with `gnome-keyring-daemon --replace --unlock`, which reads its password from stdin, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)"
            ),
            KeychainState::Locked => say!(
                "log in to the desktop or unlock it with `gnome-keyring-daemon --replace --unlock`, which reads its password from stdin, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)"
            ),
            KeychainState::Silent => say!(
                "restart the keychain service, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)"
            ),
            KeychainState::Refuses => say!(
                "allow this application in the keychain's settings, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)"
            ),
        }
    }

    /// Description and remedy in one sentence.
    pub fn sentence(self) -> Sentence {
        let (found, remedy) = (self.finding(), self.remedy());
        if remedy.is_empty() { found } else { say!("{found}; {remedy}") }
    }
}

/// State of the keychain. Never asks a person to unlock it.
pub(crate) async fn state() -> KeychainState {
    limited(ANSWER_TIMEOUT, system::state).await.unwrap_or(KeychainState::Silent)
}

/// The given names that have an entry in the keychain. Reads no value and never asks a person to
/// unlock the keychain.
pub(crate) async fn stored(names: Vec<String>) -> Result<BTreeSet<String>, KeychainState> {
    limited(ANSWER_TIMEOUT, move || system::stored(&names)).await.unwrap_or(Err(KeychainState::Silent))
}

/// Reads the values of the given names. Names without an entry are left out.
pub(crate) async fn read(names: Vec<String>) -> Result<BTreeMap<String, Sensitive<String>>, KeychainState> {
    let job = move || {
        let mut values = BTreeMap::new();
        for name in names {
            match entry(&name)?.get_password() {
                Ok(value) => {
                    values.insert(name, Sensitive::new(value));
                }
                Err(Error::NoEntry) => {}
                Err(error) => return Err(cause(&error)),
            }
        }
        Ok(values)
    };
    limited(UNLOCK_TIMEOUT, job).await.unwrap_or(Err(KeychainState::Silent))
}

/// Stores values under their names. An existing value is replaced.
pub(crate) async fn write(keys: Vec<(String, Sensitive<String>)>) -> Result<(), KeychainState> {
    let job = move || {
        for (name, value) in keys {
            entry(&name)?.set_password(value.expose()).map_err(|error| cause(&error))?;
        }
        Ok(())
    };
    limited(UNLOCK_TIMEOUT, job).await.unwrap_or(Err(KeychainState::Silent))
}

/// Removes the entry of a name. Returns whether there was one.
pub(crate) async fn remove(name: String) -> Result<bool, KeychainState> {
    let job = move || match entry(&name)?.delete_credential() {
        Ok(()) => Ok(true),
        Err(Error::NoEntry) => Ok(false),
        Err(error) => Err(cause(&error)),
    };
    limited(UNLOCK_TIMEOUT, job).await.unwrap_or(Err(KeychainState::Silent))
}

/// The keychain entry of a name.
///
/// The state is checked first, because `keyring` connects only once per process: an early failure
/// would remain even if the user starts the keychain later.
fn entry(name: &str) -> Result<Entry, KeychainState> {
    if let state @ (KeychainState::NoBus | KeychainState::NoService) = system::state() {
        return Err(state);
    }
    Entry::new(SERVICE, name).map_err(|error| cause(&error))
}

/// State of the keychain for an error of `keyring`. The error's text is dropped, because it may
/// quote bytes of a value.
fn cause(error: &Error) -> KeychainState {
    match (error, system::state()) {
        // The keychain is open now, but was not: the person took too long to unlock it, or has just
        // done so.
        (Error::NoStorageAccess(_), KeychainState::Ready) => KeychainState::Locked,
        (Error::NoDefaultStore, KeychainState::Ready) => KeychainState::NoService,
        (_, KeychainState::Ready) => KeychainState::Refuses,
        (_, state) => state,
    }
}

/// Runs a job on its own thread and waits at most for `limit`. `None` when it takes longer. The
/// thread then continues alone, and the end of the program does not wait for it.
async fn limited<T: Send + 'static>(limit: Duration, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let wait = move || {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || sender.send(job()));
        receiver.recv_timeout(limit).ok()
    };
    tokio::task::spawn_blocking(wait).await.ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_but_the_good_one_names_a_remedy_in_one_line() {
        for state in [
            KeychainState::NoBus,
            KeychainState::NoService,
            KeychainState::NoKeyring,
            KeychainState::Locked,
            KeychainState::Silent,
            KeychainState::Refuses,
        ] {
            let sentence = state.sentence();
            assert!(
                sentence.to_string().contains("keychain") && sentence.to_string().contains("; "),
                "{sentence}"
            );
            assert!(
                sentence.to_string().contains("environment variables")
                    && !sentence.to_string().contains('\n'),
                "{sentence}"
            );
        }
        assert_eq!(KeychainState::Ready.sentence(), "the keychain is open");
    }

    #[tokio::test]
    async fn whoever_waits_waits_for_a_limited_time() {
        let never = limited(Duration::from_millis(50), || {
            loop {
                std::thread::park();
            }
        });
        assert!(never.await.is_none_or(|(): ()| false));
        assert_eq!(limited(Duration::from_secs(5), || 1).await, Some(1));
    }
}
