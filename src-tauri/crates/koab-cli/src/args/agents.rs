//! `koab agents`.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the help texts, and a terminal shows no Markdown"
)]

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum AgentsCommand {
    /// Definitions of agents that come with this program
    List,
    /// A definition, as JSON
    Show {
        /// Its name, or its file
        #[arg(value_name = "NAME|FILE")]
        agent: String,
    },
    /// Try an agent with a scripted model, without a key: whether its calls really arrive, and what
    /// is in the way
    Check {
        /// Its name, or the file of its definition
        #[arg(value_name = "NAME|FILE")]
        agent: String,
        /// Try what is installed on this computer, and not the agent's image
        #[arg(long)]
        native: bool,
    },
    /// Build the image by which an agent runs in containers: what its definition installs, on a
    /// base with Node and Python
    Image {
        /// Its name, or the file of its definition
        #[arg(value_name = "NAME|FILE")]
        agent: String,
        /// Image to build on instead; what it has already is not fetched. It needs Python, and npm
        /// for agents of npm
        #[arg(long, value_name = "IMAGE")]
        base: Option<String>,
    },
    /// Write a copy of a definition, to be changed
    New {
        /// Definition to begin with
        #[arg(long, value_name = "NAME|FILE")]
        from: String,
        /// File to write; a script is put beside it
        #[arg(value_name = "FILE")]
        to: PathBuf,
    },
    /// The tools of a run for an agent that knows only standard streams: lines to the server at
    /// KOAB_MCP_URL and back, with the token in KOAB_MCP_TOKEN
    Bridge,
}
