//! How the combined summary names models.

use serde::{Deserialize, Serialize};

/// How models are named and which spelling the header has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CombinedNames {
    /// As the published script writes it: folder names, vendors from its stale table, two misspelt
    /// columns.
    #[default]
    Published,
    /// As the leaderboard's own file stands there: short model names with their vendors, the
    /// script's header.
    Leaderboard,
    /// Short model names with their vendors, right spelling.
    Plain,
}
