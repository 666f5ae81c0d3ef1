//! Human overrides, as they are shown. An override is a person's answer that replaces the verdict
//! of one judge or of all judges on a question.

use crate::Library;
use crate::wire::{OverrideAnswer, OverrideRow};
use koab_core::judge::Opinion;
use koab_store::overrides::Override;
use koab_workspace::WireError;

impl Library {
    /// Returns all overrides that are in effect.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn holding(&self) -> Result<Vec<Override>, WireError> {
        let mut all = self.workspace.store()?.overrides()?;
        all.retain(Override::holds);
        Ok(all)
    }
}

/// Returns an override as it is shown. `applies` is whether the question is unchanged.
pub fn row(entry: &Override, applies: Option<bool>) -> OverrideRow {
    let opinion: Opinion = serde_json::from_value(entry.answer.clone()).unwrap_or_default();
    OverrideRow {
        place: entry.place.clone(),
        answer: OverrideAnswer {
            success: opinion.success,
            score: opinion.score.and_then(|score| u8::try_from(score).ok()),
            by: entry.by.clone(),
            why: entry.why.clone(),
        },
        at: entry.at.clone(),
        applies,
    }
}

/// Removes duplicates. An override of two questions (one per scorer) is a single override for the
/// user.
pub fn distinct(rows: impl Iterator<Item = OverrideRow>) -> Vec<OverrideRow> {
    let mut unique = Vec::new();
    for row in rows {
        if !unique.contains(&row) {
            unique.push(row);
        }
    }
    unique
}
