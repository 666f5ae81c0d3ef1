//! Arguments of `koab sweep`.

use super::heading::{OUTPUT, WHAT};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct SweepArgs {
    /// File of the sweep: models, settings, packs, repetitions, judges and the baseline cell
    #[arg(help_heading = WHAT, value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Show the runs of the sweep with their estimated calls, cost and minutes, and run nothing
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) dry_run: bool,
    /// Write the table as Markdown
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
}
