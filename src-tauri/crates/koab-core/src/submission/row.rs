//! The row of the combined table that the leaderboard would show.

use super::Names;
use crate::report::{CombineError, CombinedNames, combined_row};

/// A row with its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Names of the columns, as published.
    pub header: Vec<String>,
    /// As many cells.
    pub cells: Vec<String>,
    /// Header and row as a CSV file.
    pub csv: String,
}

/// The row of a report, from its `evaluation_summary.csv` and under these names. `folder` is named in errors.
///
/// # Errors
/// When the text is no summary.
pub fn row(folder: &str, summary: &str, names: &Names) -> Result<Row, CombineError> {
    let table = combined_row(folder, summary, names.of_row(), CombinedNames::Leaderboard)?;
    Ok(Row {
        csv: table.to_csv(),
        cells: table.rows.into_iter().next().unwrap_or_default(),
        header: table.header,
    })
}
