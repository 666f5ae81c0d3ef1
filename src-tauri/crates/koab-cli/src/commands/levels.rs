//! Levels as they are typed.

use koab_api::{Level, WireError};
use koab_core::sentence::ToSentence;

/// Reads `--levels`. Unknown ones are an error here: the published tool drops them, and the user wonders.
pub(super) fn levels(words: &[String]) -> Result<Vec<Level>, WireError> {
    let mut levels = words
        .iter()
        .filter(|word| !word.trim().is_empty())
        .map(|word| {
            word.parse::<Level>()
                .map_err(|error| WireError::bad_request(error.to_sentence()))
        })
        .collect::<Result<Vec<_>, _>>()?;
    levels.sort();
    levels.dedup();
    Ok(levels)
}
