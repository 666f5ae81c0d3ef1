//! Arguments of `koab mcp`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Maximum cost in USD of all runs and judgings together; without it only those without a cost
    /// are made
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
}
