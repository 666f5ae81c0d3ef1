//! What an agent may name: runs and reports of the workspace that it was given, not folders
//! elsewhere on this computer.

use koab_api::{Api, WireError};
use koab_core::say;
use std::path::Path;

/// The word itself, unless it is the path of something outside of the workspace. Links are
/// followed.
///
/// # Errors
/// When it leads out of the workspace.
pub(super) fn of_workspace<'a>(api: &Api, word: &'a str) -> Result<&'a str, WireError> {
    // What is no path of anything is an id, or nothing at all, which is said where it is looked
    // for.
    let Ok(meant) = Path::new(word).canonicalize() else {
        return Ok(word);
    };
    let home = api.workspace.home().path();
    let is_inside = home.canonicalize().is_ok_and(|home| meant.starts_with(home));
    is_inside.then_some(word).ok_or_else(|| {
        WireError::bad_request(say!(
            "{word} is outside of this workspace; name a run or a report as `runs` and `reports` list them"
        ))
    })
}

/// The id of a report of the workspace, by its own name or its run's.
///
/// # Errors
/// When there is none, or the word leads out of the workspace.
pub(super) fn report_id(api: &Api, word: &str) -> Result<String, WireError> {
    api.runs.library.report_id(of_workspace(api, word)?)
}
