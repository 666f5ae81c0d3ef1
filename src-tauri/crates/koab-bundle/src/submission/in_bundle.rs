//! A submission inside a bundle: what only it has lies below `submission/`; logs, journal and
//! report are those of the bundle, so that nothing is in it twice. Here is which file is which, and
//! what compares one with the other.

use super::document::Submission;
use super::files::{Files, paths};
use super::row::row;
use crate::bundle::{CheckName, Findings, Recomputed};
use koab_core::protocol::Protocol;
use koab_core::say;
use std::collections::BTreeMap;

/// Where a submission's own files lie in a bundle.
pub const FOLDER: &str = "submission/";

/// Files that no run and no report has, by their place in a bundle.
pub fn own_files(files: &Files) -> Vec<(String, Vec<u8>)> {
    let own = files.iter().filter(|(path, _)| is_own(path) || *path == paths::SUBMISSION);
    own.map(|(path, content)| (format!("{FOLDER}{path}"), content.to_vec())).collect()
}

/// The submission in a bundle as it would lie in a folder; `None` when there is none. `read` gives
/// a file of the bundle. A file that is not there is left out, which [`super::check`] objects to.
pub fn of_bundle(mut read: impl FnMut(&str) -> Option<Vec<u8>>) -> Option<Files> {
    let text = read(&format!("{FOLDER}{}", paths::SUBMISSION))?;
    let mut files = Files::new();
    if let Ok(submission) = serde_json::from_slice::<Submission>(&text) {
        for file in &submission.files {
            if let Some(content) = read(&place(&file.path, &submission.judged_by.scorer)) {
                files.put(&file.path, content);
            }
        }
    }
    files.put(paths::SUBMISSION, text);
    Some(files)
}

/// Compares a submission's own files with the reports of the bundle, which were scored again.
pub fn recheck(
    own: &BTreeMap<String, Vec<u8>>,
    reports: &BTreeMap<Protocol, Recomputed>,
    findings: &mut Findings,
) {
    let Some(text) = own.get(paths::SUBMISSION) else {
        return;
    };
    let about = format!("{FOLDER}{}", paths::SUBMISSION);
    let before = findings.failures();
    let submission = match serde_json::from_slice::<Submission>(text) {
        Ok(submission) => submission,
        Err(error) => {
            return findings.failed(
                CheckName::Submission,
                about,
                say!("is not a description of a submission: {error}"),
            );
        }
    };
    let scorer = &submission.judged_by.scorer;
    let again = reports.iter().find(|(known, _)| known.as_str() == scorer);
    let Some((_, again)) = again else {
        let scorer = scorer.clone();
        return findings.failed(
            CheckName::Submission,
            about,
            say!("is of a report by the {scorer} rules, which the bundle does not hold"),
        );
    };
    let results = Submission::results_of(&again.report);
    let levels = results.keys().chain(submission.results.keys());
    let mut differing: Vec<_> =
        levels.filter(|level| results.get(level) != submission.results.get(level)).collect();
    differing.sort();
    differing.dedup();
    for level in differing {
        let said = say!("`results.{level}` is not what computing the report again gives");
        findings.failed(CheckName::Submission, &about, said);
    }
    let columns = check_row(own, &submission, again, findings);
    // What is told above says more than a hash.
    let changed = submission.changed_files(|path| own.get(path).map(Vec::as_slice));
    for (file, is_there) in changed.filter(|(file, _)| is_own(&file.path)) {
        let said = if is_there {
            say!("is not the file that submission.json has the hash of")
        } else {
            say!("submission.json names this file and the bundle does not hold it")
        };
        findings.failed(CheckName::Submission, format!("{FOLDER}{}", file.path), said);
    }
    findings.held_since(
        before,
        CheckName::Submission,
        about,
        say!("the row of {columns} columns, the results and the texts are those of the report"),
    );
}

/// Compares the row with the one that the report gives; how many columns it has.
fn check_row(
    own: &BTreeMap<String, Vec<u8>>,
    submission: &Submission,
    again: &Recomputed,
    findings: &mut Findings,
) -> usize {
    let at = format!("{FOLDER}{}", paths::ROW);
    let wanted = row(&submission.model_folder, &again.csv, &submission.names).ok();
    let given = own.get(paths::ROW).map(Vec::as_slice);
    match wanted.as_ref().and_then(|wanted| wanted.differences(given)) {
        None => {
            let said = say!("is not the row that the report gives");
            findings.failed(CheckName::Submission, at, said);
        }
        Some(cells) => {
            for cell in cells {
                let said = say!(
                    "has {here} under {column}, and the report gives {there}",
                    here = cell.here,
                    column = cell.column,
                    there = cell.there
                );
                findings.failed(CheckName::Submission, &at, said);
            }
        }
    }
    wanted.map_or(0, |wanted| wanted.header.len())
}

fn is_own(path: &str) -> bool {
    path != paths::SUBMISSION && !path.starts_with(paths::REPORTS) && !path.starts_with(paths::LOGS)
}

/// Where a file of the submission lies in the bundle.
fn place(path: &str, scorer: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    if path.starts_with(paths::REPORTS) {
        format!("reports/{scorer}/{name}")
    } else if path.starts_with(paths::LOGS) {
        format!("run/{name}")
    } else {
        format!("{FOLDER}{path}")
    }
}
