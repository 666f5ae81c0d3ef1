//! Arguments of `koab report atlas`.

use super::words::{Word, one_of};
use clap::{Args, ValueEnum};
use koab_api::AtlasBy;
use std::path::PathBuf;

/// Format of the atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AtlasFormatArg {
    Table,
    Csv,
    Json,
    Markdown,
    Svg,
}

const COLUMNS: &[Word<AtlasBy>] = &[("level", "", AtlasBy::Level), ("model", "", AtlasBy::Model)];

#[derive(Debug, Args)]
pub(crate) struct AtlasArgs {
    /// Reports, or runs that were not scored: ids, `last` for the newest run, or folders of runs
    #[arg(required_unless_present = "causes", value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// Only these levels, such as L1,L5
    #[arg(long = "level", value_delimiter = ',', value_name = "LEVELS")]
    pub(crate) levels: Vec<String>,
    /// Only attempts with one of these causes; `--causes` lists them
    #[arg(long = "cause", value_delimiter = ',', value_name = "CAUSES")]
    pub(crate) wanted: Vec<String>,
    /// Columns
    #[arg(long, value_parser = one_of(COLUMNS), default_value = "level")]
    pub(crate) by: AtlasBy,
    /// Format
    #[arg(long, value_enum, default_value_t = AtlasFormatArg::Table)]
    pub(crate) format: AtlasFormatArg,
    /// File to write (default: the terminal)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// List the causes and their rules
    #[arg(long, conflicts_with_all = ["ids", "levels", "wanted", "output"])]
    pub(crate) causes: bool,
}
