//! Arguments of `koab agents`.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the help texts, and a terminal shows no Markdown"
)]

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum AgentsCommand {
    /// Definitions of agents that come with this program
    #[command(alias = "ls")]
    List,
    /// Show a definition as JSON
    Show {
        /// Name of the agent, or file of its definition
        #[arg(value_name = "NAME|FILE")]
        agent: String,
    },
    /// Test an agent with a scripted model, without a key: whether its calls arrive, and what
    /// prevents them
    Check {
        /// Name of the agent, or file of its definition
        #[arg(value_name = "NAME|FILE")]
        agent: String,
        /// Test the agent that is installed on this computer instead of its image
        #[arg(long)]
        native: bool,
    },
    /// Build the image for running an agent in containers: the packages of its definition on a base
    /// with Node and Python
    Image {
        /// Name of the agent, or file of its definition
        #[arg(value_name = "NAME|FILE")]
        agent: String,
        /// Base image to build on; programs that it already has are not fetched. It needs Python,
        /// and npm for agents of npm
        #[arg(long, value_name = "IMAGE")]
        base: Option<String>,
    },
    /// Write a copy of a definition, to be changed
    New {
        /// Definition to begin with
        #[arg(long, value_name = "NAME|FILE")]
        from: String,
        /// File to write; a script is written into the same folder
        #[arg(value_name = "FILE")]
        to: PathBuf,
    },
    /// Serve the tools of a run to an agent that supports standard streams only: relays lines to
    /// the server at KOAB_MCP_URL and back, with the token in KOAB_MCP_TOKEN
    Bridge,
}
