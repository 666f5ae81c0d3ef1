//! `koab keys`.

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// All known names: whether there is a key, and where it comes from
    List,
    /// Store a key; it is asked for without showing it, or read from stdin
    Set {
        /// As `koab keys list` shows it; with @ and an address it is for that server alone, such as
        /// OPENAI_COMPAT_API_KEY@http://gpu1:8000/v1
        name: String,
        /// Here only to say why a key must not stand here
        #[arg(hide = true)]
        value: Vec<SecretWord>,
        /// Into a file encrypted with a passphrase instead (KOAB_KEYS_PASSPHRASE, else asked for)
        #[arg(long)]
        file: bool,
    },
    /// Remove a key from the keychain
    Delete {
        name: String,
        /// From the encrypted file instead
        #[arg(long)]
        file: bool,
    },
    /// Take the known keys of a .env file into the keychain
    Import {
        path: PathBuf,
        /// Store them; without, only show which
        #[arg(long)]
        yes: bool,
        /// Into the encrypted file instead
        #[arg(long)]
        file: bool,
    },
}

/// Placeholder for an argument that must not be stored, so that nothing can print it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecretWord;

impl From<&str> for SecretWord {
    fn from(_: &str) -> Self {
        Self
    }
}
