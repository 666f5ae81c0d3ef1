//! `koab mcp`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// USD that all runs and judgings together may cost; without it only what costs nothing is made
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
}
