//! Arguments of `koab show`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A report, run, pack or fork: its name as a table shows it, or its beginning; `last` is the
    /// newest run
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Show every call without a cached response instead of one line for each tool (`--json` has
    /// all)
    #[arg(long)]
    pub(crate) problems: bool,
}
