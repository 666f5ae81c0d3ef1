//! Parsers of level names on the command line and in requests.

use koab_api::{Level, WireError};
use koab_core::sentence::ToSentence;

/// Parses `--levels` and the levels in a request. The name of a group is checked later, against the
/// pack, run or report. A name that is possible neither for a level nor for a group is an error.
pub(super) fn groups(words: &[String]) -> Result<Vec<Level>, WireError> {
    let level =
        |word: &str| word.parse::<Level>().or_else(|error| Level::group(word.trim()).map_err(|_| error));
    let mut levels = words
        .iter()
        .filter(|word| !word.trim().is_empty())
        .map(|word| level(word).map_err(|error| WireError::bad_request(error.to_sentence())))
        .collect::<Result<Vec<_>, _>>()?;
    levels.sort();
    levels.dedup();
    Ok(levels)
}
