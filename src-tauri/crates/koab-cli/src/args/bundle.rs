//! Arguments of bundles, below `koab submit`.

use super::name::RunName;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct BundleArgs {
    #[command(flatten)]
    pub(crate) of: RunName,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Report of the run to include (default: the fullest of each scorer)
    #[arg(long = "report", value_name = "ID")]
    pub(crate) reports: Vec<String>,
    /// Sign it with the key of `koab submit key`
    #[arg(long)]
    pub(crate) sign: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Bundle (.koab)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Public key that must have signed the bundle, or a file with the key
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
}
