//! `koab agents`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum AgentsCommand {
    /// The tools of a run for an agent that knows only standard streams: lines to the server at KOAB_MCP_URL and back, with the
    /// token in KOAB_MCP_TOKEN
    Bridge,
}
