//! Arguments of `koab trash`.

use super::words::{Word, one_of};
use clap::{Args, Subcommand};
use koab_api::TrashKind;

const KINDS: &[Word<TrashKind>] = &[
    ("run", "", TrashKind::Run),
    ("report", "", TrashKind::Report),
    ("fork", "", TrashKind::Fork),
    ("pack", "", TrashKind::Pack),
];

#[derive(Debug, Subcommand)]
pub(crate) enum TrashCommand {
    /// Deleted runs, reports, forks and packs, the last deleted first
    #[command(alias = "ls")]
    List,
    /// Put a deleted run, report, fork or pack back
    #[command(after_help = "Example:\n  koab trash restore azure_gpt-4o/20251219_113310")]
    Restore(TrashName),
    /// Remove a deleted run, report, fork or pack for good
    #[command(
        aliases = ["rm", "remove"],
        after_help = "Example:\n  koab trash delete azure_gpt-4o/20251219_113310 --yes"
    )]
    Delete {
        #[command(flatten)]
        of: TrashName,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Remove everything in the trash for good
    #[command(after_help = "Example:\n  koab trash empty --yes")]
    Empty {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

/// A thing in the trash.
#[derive(Debug, Args)]
pub(crate) struct TrashName {
    /// Id of the thing, as `koab trash list` shows it; of several with this id, the last deleted
    /// one
    #[arg(value_name = "ID")]
    pub(crate) name: String,
    /// Kind of the thing, if things of several kinds had this id
    #[arg(long, value_parser = one_of(KINDS))]
    pub(crate) kind: Option<TrashKind>,
}
