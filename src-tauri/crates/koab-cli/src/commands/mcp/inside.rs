//! Restricts an agent to the runs and reports of its workspace. Other folders of this computer are
//! not accessible.

use koab_api::{Api, WireError};
use koab_core::say;
use std::path::Path;

/// Returns the word unless it is a path outside of the workspace. The check follows links.
///
/// # Errors
/// When the word is a path outside of the workspace.
pub(super) fn of_workspace<'a>(api: &Api, word: &'a str) -> Result<&'a str, WireError> {
    // A word that is no existing path is an id or unknown. The caller's lookup reports unknown
    // ones.
    let Ok(path) = Path::new(word).canonicalize() else {
        return Ok(word);
    };
    let home = api.workspace.home().path();
    let is_inside = home.canonicalize().is_ok_and(|home| path.starts_with(home));
    is_inside.then_some(word).ok_or_else(|| {
        WireError::bad_request(say!(
            "{word} is outside of this workspace; name a run or a report as `runs` and `reports` list them"
        ))
    })
}

/// Id of a report of the workspace. The word is the id of the report or of its run.
///
/// # Errors
/// When there is no such report, or the word is a path outside of the workspace.
pub(super) fn report_id(api: &Api, word: &str) -> Result<String, WireError> {
    api.runs.library.report_id(of_workspace(api, word)?)
}
