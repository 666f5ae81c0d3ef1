//! Arguments of `koab offline` and `koab egress`.

use clap::Subcommand;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum OfflineCommand {
    /// Refuse everything that would leave this computer, in all processes of the workspace, at once
    On,
    /// Allow requests to other computers again
    Off,
    /// Show whether the switch is on, and why (also without a subcommand)
    Status,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EgressCommand {
    /// Requests to other computers, newest first; those of one minute to one host for one purpose
    /// are one line
    #[command(alias = "ls")]
    List {
        /// Only requests since then: a date, a time, or an age such as 30m, 24h or 7d
        #[arg(long, value_name = "WHEN")]
        since: Option<String>,
        /// Maximum number of lines
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
