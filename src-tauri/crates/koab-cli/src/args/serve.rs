//! Arguments of `koab serve`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Port on the loopback address (0: any free one)
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Open the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Folder with the built page (default: the one in the program, else ui/dist of the checkout)
    #[arg(long, value_name = "DIR")]
    pub(crate) ui: Option<PathBuf>,
}
