//! Parsers of level names on the command line and in requests.

use koab_api::{Level, WireError};
use koab_core::level::UnknownGroup;
use koab_core::sentence::ToSentence;

/// Parses `--levels`. The name of a group is checked later, against the pack, run or report. A name
/// that is possible neither for a level nor for a group is an error.
pub(super) fn groups(words: &[String]) -> Result<Vec<Level>, WireError> {
    read(words, |word| word.parse::<Level>().or_else(|error| Level::group(word.trim()).map_err(|_| error)))
}

/// Parses the levels in a request to a process that runs for long. Unknown names are an error,
/// because storing each of them would use memory for the lifetime of the process.
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
