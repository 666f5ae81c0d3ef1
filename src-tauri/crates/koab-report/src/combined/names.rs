//! Model names in the combined summary.

use serde::{Deserialize, Serialize};

/// Names of the models and spelling of the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CombinedNames {
    /// Names of the published script: folder names as model names, vendors from its outdated table,
    /// and two misspelt columns.
    #[default]
    Published,
    /// Names of the leaderboard's own file: short model names with their vendors, and the column
    /// names of the published script.
    Leaderboard,
    /// Short model names with their vendors, correct spelling.
    Plain,
}
