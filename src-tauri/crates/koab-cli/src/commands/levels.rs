//! Levels as they are typed.

use koab_api::{Level, WireError};
use koab_core::level::UnknownGroup;
use koab_core::sentence::ToSentence;

/// Reads `--levels`. Whether there is such a group is said by the pack, run or report that it is
/// of; a name that no group can have is no level either.
pub(super) fn groups(words: &[String]) -> Result<Vec<Level>, WireError> {
    read(words, |word| word.parse::<Level>().or_else(|error| Level::group(word.trim()).map_err(|_| error)))
}

/// The same of a request to a process that goes on: names that nobody knows are not kept.
pub(super) fn known_groups(words: &[String]) -> Result<Vec<Level>, WireError> {
    let known = |word: &str| Level::find(word.trim()).ok_or_else(|| UnknownGroup(word.trim().to_owned()));
    read(words, |word| word.parse::<Level>().or_else(|_| known(word)))
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
