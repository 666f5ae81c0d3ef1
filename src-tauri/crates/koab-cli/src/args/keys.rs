//! Arguments of `koab keys`.

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// All known names: whether there is a key, and where it comes from
    #[command(alias = "ls")]
    List,
    /// Store a key; it is asked for without showing it, or read from stdin
    Set {
        /// Name, as `koab keys list` shows it; with @ and an address the key is for that server
        /// alone, such as OPENAI_COMPAT_API_KEY@http://gpu1:8000/v1
        name: String,
        /// Only to explain why a key must not be on the command line
        #[arg(hide = true)]
        value: Vec<SecretWord>,
        /// Store the key in a file encrypted with a passphrase instead (KOAB_KEYS_PASSPHRASE, else
        /// asked for)
        #[arg(long)]
        file: bool,
    },
    /// Remove a key from the keychain
    #[command(aliases = ["rm", "remove"])]
    Delete {
        name: String,
        /// Remove the key from the encrypted file instead
        #[arg(long)]
        file: bool,
    },
    /// Take the known keys of a .env file into the keychain
    Import {
        path: PathBuf,
        /// Store the keys; without this option they are only listed
        #[arg(long)]
        yes: bool,
        /// Store the keys in the encrypted file instead
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
