//! Names of reports, runs and packs as users type them: whole, or only the beginning.
//!
//! Only commands that show something accept a beginning. What deletes or writes needs whole names.

use crate::output::Output;
use koab_api::{Api, ErrorCode, WireError};
use koab_core::nearest::{nearest, only_beginning};
use koab_core::say;

/// The report that a word names, by its id, by its run, or by the beginning of only one report's
/// id.
///
/// # Errors
/// When the word names no report, or its run has none.
pub(super) fn report_id(api: &Api, word: &str, output: Output) -> Result<String, WireError> {
    let error = match api.runs.library.report_id(word) {
        Ok(id) => return Ok(id),
        Err(error) => error,
    };
    if error.code != ErrorCode::NotFound {
        return Err(error);
    }
    let ids = report_ids(api);
    match only_beginning(word, ids.iter().map(String::as_str)) {
        Some(id) => {
            output.remark(&output.lang.say(&say!("report {id}")));
            Ok(id.to_owned())
        }
        None => Err(error),
    }
}

/// The run that a word names, by its id, folder or `last`, or by the beginning of only one run's
/// id.
///
/// # Errors
/// When the word names no run.
pub(super) fn run_id(api: &Api, word: &str, output: Output) -> Result<String, WireError> {
    let error = match api.runs.library.run_meant(word) {
        // Kept as it was typed, because a folder may be outside of the workspace.
        Ok(_) => return Ok(word.to_owned()),
        Err(error) => error,
    };
    if error.code != ErrorCode::NotFound || word == "last" {
        return Err(error);
    }
    let ids = run_ids(api);
    match only_beginning(word, ids.iter().map(String::as_str)) {
        Some(id) => {
            output.remark(&output.lang.say(&say!("run {id}")));
            Ok(id.to_owned())
        }
        None => Err(error),
    }
}

/// Error for a word that names nothing that `koab show` shows. It has the most similar names.
pub(super) fn nothing(api: &Api, word: &str) -> WireError {
    let mut names = report_ids(api);
    names.extend(run_ids(api));
    names.extend(pack_names(api));
    let similar = nearest(word, names.iter().map(String::as_str)).join(", ");
    if similar.is_empty() {
        return WireError::not_found(say!(
            "there is no run, report, pack or fork `{word}`; `koab runs list`, `koab report list` and `koab pack list` show the names"
        ));
    }
    WireError::not_found(say!("there is no run, report, pack or fork `{word}`; did you mean {similar}?"))
}

/// Names of all reports. If the library cannot be read, the list is empty and the first error is
/// shown.
pub(super) fn report_ids(api: &Api) -> Vec<String> {
    let reports = api.runs.library.reports_library().unwrap_or_default();
    reports.into_iter().map(|report| report.id).collect()
}

fn run_ids(api: &Api) -> Vec<String> {
    let runs = api.runs.library.runs_list().unwrap_or_default();
    runs.into_iter().map(|run| run.id).collect()
}

fn pack_names(api: &Api) -> Vec<String> {
    let packs = api.packs.list().unwrap_or_default();
    packs.into_iter().map(|pack| pack.name).collect()
}
