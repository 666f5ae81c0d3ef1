//! Arguments of `koab pack record` and `koab pack replay`, and of the server in `koab cache drift`.

use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Address of a server and the folder that it works in.
#[derive(Debug, Args)]
pub(crate) struct ServerArgs {
    #[command(flatten)]
    pub(crate) at: ServerAtArgs,
    /// Folder that the server works in; a replay can use another folder in its place in arguments
    /// and answers
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
}

/// Access to a server.
#[derive(Debug, Args)]
pub(crate) struct ServerAtArgs {
    /// Address of a running server (streamable HTTP), instead of a command
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    pub(crate) url: Option<String>,
    /// Environment variable that contains a header for the server: `Name: value`, or the token
    /// after `Authorization: Bearer`
    #[arg(long, value_name = "NAME", requires = "url")]
    pub(crate) header_env: Option<String>,
    /// Environment variable to pass to the server, in addition to PATH, HOME and LANG
    #[arg(long, value_name = "NAME", conflicts_with = "url")]
    pub(crate) env: Vec<String>,
    /// Time limit of an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) timeout: u64,
    /// The server: program and arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct PackRecordArgs {
    /// Name of the pack; an existing pack gets its next version
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
    /// Make the calls of this file (-: standard input), lines such as {"tool": "echo", "arguments":
    /// {"message": "hi"}} (default: relay between a client on standard streams and the server)
    #[arg(long, value_name = "FILE", conflicts_with = "listen")]
    pub(crate) calls: Option<PathBuf>,
    /// Make each call twice in a row, and name the tools whose answers differ
    #[arg(long, requires = "calls")]
    pub(crate) twice: bool,
    /// Relay between HTTP clients and the server until Ctrl-C
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    pub(crate) listen: Option<SocketAddr>,
    /// Record answers that contain a value of the server's settings or of the environment, with the
    /// value replaced
    #[arg(long)]
    pub(crate) mask: bool,
    /// Place in a tool's answers that `koab cache drift` ignores, such as
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
    /// Ask the server for calls that are not recorded, and save its answers with the pack (the
    /// overlay)
    #[arg(long)]
    pub(crate) live: bool,
    #[command(flatten)]
    pub(crate) server: ServerAtArgs,
    /// Folder that replaces the recorded one in arguments and answers
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    /// Answer over HTTP until Ctrl-C (default: on standard streams); each path /mcp/NAME is a
    /// session of its own
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    pub(crate) listen: Option<SocketAddr>,
}
