//! Passphrase of the encrypted file in the window, which asks for it once per process.

use crate::Keys;
use crate::file::KeysFile;
use crate::{PASSPHRASE, lock};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::ToSentence;
use koab_workspace::WireError;
use serde::Serialize;
use ts_rs::TS;

/// State of the encrypted file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum KeysFileState {
    /// The file does not exist. Storing a key in it creates it.
    Absent,
    /// The file exists, but its passphrase has not been entered yet.
    Locked,
    /// This process knows the passphrase.
    Open,
}

impl Keys {
    /// Sets the passphrase of the encrypted file until this process ends. An existing file must
    /// open with it; otherwise the first stored key creates the file with this passphrase.
    ///
    /// # Errors
    /// When the passphrase is empty, or does not open the existing file.
    pub async fn unlock(&self, passphrase: Sensitive<String>) -> Result<(), WireError> {
        if passphrase.expose().is_empty() {
            return Err(WireError::bad_request(say!("the passphrase is empty")));
        }
        let file = self.file();
        if file.exists() {
            let word = passphrase.clone();
            tokio::task::spawn_blocking(move || file.open(&word))
                .await
                .map_err(WireError::internal)?
                .map_err(|error| WireError::bad_request(error.to_sentence()))?;
        }
        *lock(&self.held.passphrase) = Some(passphrase);
        Ok(())
    }

    /// The encrypted file.
    pub(crate) fn file(&self) -> KeysFile {
        KeysFile::in_home(self.workspace.home().path())
    }

    /// State of the encrypted file.
    pub(crate) fn file_state(&self) -> KeysFileState {
        if !self.file().exists() {
            KeysFileState::Absent
        } else if lock(&self.held.passphrase).is_some() || std::env::var_os(PASSPHRASE).is_some() {
            KeysFileState::Open
        } else {
            KeysFileState::Locked
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyPlace;
    use koab_workspace::Workspace;

    #[tokio::test]
    async fn the_window_makes_and_opens_the_file_with_a_passphrase() {
        let home = tempfile::tempdir().expect("a folder");
        let open = || Keys::new(Workspace::open(Some(home.path().to_owned())).expect("opened"));
        let word = |text: &str| Sensitive::new(text.to_owned());
        let api = open();
        assert_eq!(api.file_state(), KeysFileState::Absent);
        api.unlock(word("")).await.expect_err("no passphrase");
        api.unlock(word("right")).await.expect("taken");
        let set = api.set("TMAP_APP_KEY", &word("map-1"), KeyPlace::File).await;
        set.expect("kept");
        assert_eq!(api.file_state(), KeysFileState::Open);
        let later = open();
        assert_eq!(later.file_state(), KeysFileState::Locked);
        later.unlock(word("wrong")).await.expect_err("refused");
        assert_eq!(later.file_state(), KeysFileState::Locked);
        later.unlock(word("right")).await.expect("opened");
        assert!(later.named(&["TMAP_APP_KEY"]).await.expect("read").get("TMAP_APP_KEY").is_some());
    }
}
