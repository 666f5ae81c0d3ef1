//! Arguments of `koab find`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    /// Words and filters, which must all match, in single quotes: `주가 tool:StockPrice_ls
    /// level:L1`. `~` contains, `=` equals, `-` or NOT before a filter excludes, OR between filters
    /// and brackets combine. Names: tool, level, model, run, task, pack, status. Texts: ask, said,
    /// answer, args, args.NAME, result, error. Numbers: repetition, steps, calls, tokens, seconds,
    /// score:METRIC
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(crate) query: String,
    /// More words, where the query is not in quotes
    // A list whose values may begin with a hyphen would take the options behind it.
    #[arg(value_name = "WORDS", hide = true)]
    pub(crate) more: Vec<String>,
    /// Only the counts
    #[arg(long)]
    pub(crate) count: bool,
    /// Maximum number of attempts that are listed (at most 1000)
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,
    /// Number of attempts to leave out before the first that is listed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: u32,
}
