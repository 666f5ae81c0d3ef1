//! Arguments of `koab pack record` and `koab pack replay`, and of the server in `koab cache drift`.

use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Where a server is and what it is given.
#[derive(Debug, Args)]
pub(crate) struct ServerArgs {
    #[command(flatten)]
    pub(crate) at: ServerAtArgs,
    /// Folder that the server works in; where it stands in arguments and answers, others may work
    /// elsewhere
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
}

/// How a server is reached.
#[derive(Debug, Args)]
pub(crate) struct ServerAtArgs {
    /// Address of a server that listens (streamable HTTP), in the place of a command
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    pub(crate) url: Option<String>,
    /// Environment variable that holds a header for it: `Name: value`, or what follows
    /// `Authorization: Bearer`
    #[arg(long, value_name = "NAME", requires = "url")]
    pub(crate) header_env: Option<String>,
    /// Environment variable that the server is given; of all others it gets PATH, HOME and LANG
    #[arg(long, value_name = "NAME", conflicts_with = "url")]
    pub(crate) env: Vec<String>,
    /// Longest time for one answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) timeout: u64,
    /// The server: program and arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct PackRecordArgs {
    /// Name of the pack; recorded again, it gets its next version
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
    /// Make the calls of this file, lines such as {"tool": "echo", "arguments": {"message": "hi"}}; -
    /// is standard input (default: stand between a client on standard streams and the server)
    #[arg(long, value_name = "FILE", conflicts_with = "listen")]
    pub(crate) calls: Option<PathBuf>,
    /// Make each call twice in a row and name the tools that do not answer the same
    #[arg(long, requires = "calls")]
    pub(crate) twice: bool,
    /// Stand between clients that come over HTTP and the server, until Ctrl-C
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    pub(crate) listen: Option<SocketAddr>,
    /// Record answers that hold a value the server was given, or the environment, with the value
    /// replaced
    #[arg(long)]
    pub(crate) mask: bool,
    /// Place of a tool's answers that `koab cache drift` does not look at, such as
    /// get_time:/structuredContent/now
    #[arg(long, value_name = "TOOL:/PATH")]
    pub(crate) ignore: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct PackReplayArgs {
    /// The recorded pack, also as NAME@VERSION
    pub(crate) name: String,
    /// Answer a call only when all recorded calls before it were made
    #[arg(long, conflicts_with = "live")]
    pub(crate) strict_order: bool,
    /// Ask the server for calls that are not recorded, and keep its answers beside the pack (the
    /// overlay)
    #[arg(long)]
    pub(crate) live: bool,
    #[command(flatten)]
    pub(crate) server: ServerAtArgs,
    /// Folder in the place of the one that was recorded, in arguments and answers
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    /// Answer over HTTP until Ctrl-C (default: on standard streams); each path /mcp/NAME is a
    /// session of its own
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    pub(crate) listen: Option<SocketAddr>,
}
