//! The system's keychain: Secret Service, Keychain, Credential Manager.
//!
//! Every call runs on a thread of its own behind `spawn_blocking`: the libraries below block, may
//! start a runtime of their own, and may wait for a person who is asked to unlock the keychain.
//! Whoever waits here waits for a limited time. A keychain's own error texts never leave this
//! module, because some of them hold what was read.

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

/// The service under which the keys stand; the user name of an entry is the key's name.
pub(crate) const SERVICE: &str = "ko-agentbench";

/// How long the keychain may take to say what state it is in.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// How long a person may take to unlock it.
const PERSON_LIMIT: Duration = Duration::from_secs(120);

/// What the keychain can do right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum KeychainState {
    /// It opens.
    Ready,
    /// Linux: the session has no message bus.
    NoBus,
    /// Linux: nobody on the bus keeps secrets.
    NoService,
    /// Linux: somebody would keep secrets, but has no keyring to put them in.
    NoKeyring,
    /// Not unlocked, or tried with a wrong password: from outside the two are one state.
    Locked,
    /// It does not answer.
    Silent,
    /// It answers, but refuses.
    Refuses,
}

impl KeychainState {
    /// What is wrong, without a remedy; for [`KeychainState::Ready`], that nothing is.
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

    /// What to do; empty when there is nothing to do.
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

    /// Both in one line.
    pub fn sentence(self) -> Sentence {
        let (found, remedy) = (self.finding(), self.remedy());
        if remedy.is_empty() { found } else { say!("{found}; {remedy}") }
    }
}

/// Looks at the keychain without asking anybody to unlock it.
pub(crate) async fn state() -> KeychainState {
    limited(ANSWER_LIMIT, system::state).await.unwrap_or(KeychainState::Silent)
}

/// Which of these names have an entry. Reads no value and asks nobody to unlock anything.
pub(crate) async fn stored(names: Vec<String>) -> Result<BTreeSet<String>, KeychainState> {
    limited(ANSWER_LIMIT, move || system::stored(&names)).await.unwrap_or(Err(KeychainState::Silent))
}

/// The values of these names, those without an entry left out.
pub(crate) async fn read(names: Vec<String>) -> Result<BTreeMap<String, Sensitive<String>>, KeychainState> {
    let job = move || {
        let mut found = BTreeMap::new();
        for name in names {
            match entry(&name)?.get_password() {
                Ok(value) => {
                    found.insert(name, Sensitive::new(value));
                }
                Err(Error::NoEntry) => {}
                Err(error) => return Err(cause(&error)),
            }
        }
        Ok(found)
    };
    limited(PERSON_LIMIT, job).await.unwrap_or(Err(KeychainState::Silent))
}

/// Stores or replaces a value.
pub(crate) async fn write(keys: Vec<(String, Sensitive<String>)>) -> Result<(), KeychainState> {
    let job = move || {
        for (name, value) in keys {
            entry(&name)?.set_password(value.expose()).map_err(|error| cause(&error))?;
        }
        Ok(())
    };
    limited(PERSON_LIMIT, job).await.unwrap_or(Err(KeychainState::Silent))
}

/// Removes an entry; whether there was one.
pub(crate) async fn remove(name: String) -> Result<bool, KeychainState> {
    let job = move || match entry(&name)?.delete_credential() {
        Ok(()) => Ok(true),
        Err(Error::NoEntry) => Ok(false),
        Err(error) => Err(cause(&error)),
    };
    limited(PERSON_LIMIT, job).await.unwrap_or(Err(KeychainState::Silent))
}

/// The entry of a name. The state is asked first, because `keyring` connects once in the life of a
/// process, and a failure would then stay although the user started the keychain meanwhile.
fn entry(name: &str) -> Result<Entry, KeychainState> {
    if let state @ (KeychainState::NoBus | KeychainState::NoService) = system::state() {
        return Err(state);
    }
    Entry::new(SERVICE, name).map_err(|error| cause(&error))
}

/// What an error of `keyring` means here: mostly what the keychain itself says of its state. The
/// error's text is dropped, because it may quote bytes of a value.
fn cause(error: &Error) -> KeychainState {
    match (error, system::state()) {
        // Open by now, and yet it was not: whoever was asked to unlock it took too long, or did so
        // just now.
        (Error::NoStorageAccess(_), KeychainState::Ready) => KeychainState::Locked,
        (Error::NoDefaultStore, KeychainState::Ready) => KeychainState::NoService,
        (_, KeychainState::Ready) => KeychainState::Refuses,
        (_, state) => state,
    }
}

/// Does this on a thread of its own and waits so long for it. `None` when it took longer; the
/// thread is then left to itself, and the end of the program does not wait for it.
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
