//! Parsers of level names on the command line and in requests.

use koab_api::{Level, WireError};
use koab_core::level::UnknownGroup;
use koab_core::sentence::ToSentence;

/// Parses `--levels`. A group's name is checked later, by the pack, run or report. A name that
/// neither a level nor a group can have is an error.
pub(super) fn groups(words: &[String]) -> Result<Vec<Level>, WireError> {
    read(words, |word| word.parse::<Level>().or_else(|error| Level::group(word.trim()).map_err(|_| error)))
}

/// Parses the levels of a request to a long-running process. Unknown names are errors, since such a
/// process must not store them.
pub(super) fn known_groups(words: &[String]) -> Result<Vec<Level>, WireError> {
    let find = |word: &str| Level::find(word.trim()).ok_or_else(|| UnknownGroup(word.trim().to_owned()));
    read(words, |word| word.parse::<Level>().or_else(|_| find(word)))
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
