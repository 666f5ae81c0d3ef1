//! Levels as they are typed.

use koab_api::{Level, WireError};
use koab_core::sentence::ToSentence;

/// Reads `--levels`. Unknown ones are an error here: the published tool drops them, and the user wonders.
pub(super) fn levels(words: &[String]) -> Result<Vec<Level>, WireError> {
    read(words, |word| word.parse::<Level>())
}

/// Reads `--levels` of a run, whose pack knows its groups. A name that no group can have is no level either.
pub(super) fn groups(words: &[String]) -> Result<Vec<Level>, WireError> {
    read(words, |word| {
        word.parse::<Level>()
            .or_else(|error| Level::group(word.trim()).map_err(|_| error))
    })
}

fn read<E: ToSentence>(
    words: &[String],
    of: impl Fn(&str) -> Result<Level, E>,
) -> Result<Vec<Level>, WireError> {
    let mut levels = words
        .iter()
        .filter(|word| !word.trim().is_empty())
        .map(|word| of(word).map_err(|error| WireError::bad_request(error.to_sentence())))
        .collect::<Result<Vec<_>, _>>()?;
    levels.sort();
    levels.dedup();
    Ok(levels)
}
