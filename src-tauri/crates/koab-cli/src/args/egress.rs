//! `koab offline` and `koab egress`.

use clap::Subcommand;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum OfflineCommand {
    /// Refuse everything that would leave this computer, in all processes of the workspace, at once
    On,
    /// Let it out again
    Off,
    /// Whether it is on, and what makes it so (also without a word)
    Status,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EgressCommand {
    /// Requests to other computers, newest first; those of one minute to one host for one purpose
    /// are one line
    List {
        /// Only from then on: a date, a time, or how long ago, such as 30m, 24h or 7d
        #[arg(long, value_name = "WHEN")]
        since: Option<String>,
        /// Lines at most
        #[arg(long, value_name = "N", default_value_t = 1000)]
        limit: usize,
    },
    /// Remove the log
    Clear {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}
