//! A submission inside a bundle. Its own files are in the folder `submission/`. Logs, journal and
//! report are those of the bundle, so that no file is stored twice.
//!
//! This module converts between the paths in a submission and in a bundle, and compares the files.

use super::document::Submission;
use super::files::{Files, paths};
use super::row::row;
use crate::bundle::{CheckName, Findings, Recomputed};
use koab_core::protocol::Protocol;
use koab_core::say;
use std::collections::BTreeMap;

/// Folder of a submission's own files in a bundle.
pub const FOLDER: &str = "submission/";

/// Files of a submission that belong neither to the run nor to the report, by their path in a
/// bundle.
pub fn own_files(files: &Files) -> Vec<(String, Vec<u8>)> {
    let own = files.iter().filter(|(path, _)| is_own(path) || *path == paths::SUBMISSION);
    own.map(|(path, content)| (format!("{FOLDER}{path}"), content.to_vec())).collect()
}

/// The submission in a bundle, with the paths that its files have in a folder; `None` if there is
/// none.
///
/// `read` returns a file of the bundle. A missing file is left out, and [`super::check`] reports
/// the missing file.
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

/// Compares a submission's own files with the reports of the bundle. These reports were scored
/// again before.
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
        let sentence = say!("`results.{level}` is not what computing the report again gives");
        findings.failed(CheckName::Submission, &about, sentence);
    }
    let columns = check_row(own, &submission, again, findings);
    // Hashes are checked last, because the findings above are more precise.
    let changed = submission.changed_files(|path| own.get(path).map(Vec::as_slice));
    for (file, is_there) in changed.filter(|(file, _)| is_own(&file.path)) {
        let sentence = if is_there {
            say!("is not the file that submission.json has the hash of")
        } else {
            say!("submission.json names this file and the bundle does not hold it")
        };
        findings.failed(CheckName::Submission, format!("{FOLDER}{}", file.path), sentence);
    }
    findings.held_since(
        before,
        CheckName::Submission,
        about,
        say!("the row of {columns} columns, the results and the texts are those of the report"),
    );
}

/// Compares the row with a row that is built from the report. Returns its number of columns.
fn check_row(
    own: &BTreeMap<String, Vec<u8>>,
    submission: &Submission,
    again: &Recomputed,
    findings: &mut Findings,
) -> usize {
    let at = format!("{FOLDER}{}", paths::ROW);
    let expected = row(&submission.model_folder, &again.csv, &submission.names).ok();
    let content = own.get(paths::ROW).map(Vec::as_slice);
    match expected.as_ref().and_then(|expected| expected.differences(content)) {
        None => {
            let sentence = say!("is not the row that the report gives");
            findings.failed(CheckName::Submission, at, sentence);
        }
        Some(cells) => {
            for cell in cells {
                let sentence = say!(
                    "has {here} under {column}, and the report gives {there}",
                    here = cell.here,
                    column = cell.column,
                    there = cell.there
                );
                findings.failed(CheckName::Submission, &at, sentence);
            }
        }
    }
    expected.map_or(0, |expected| expected.header.len())
}

fn is_own(path: &str) -> bool {
    path != paths::SUBMISSION && !path.starts_with(paths::REPORTS) && !path.starts_with(paths::LOGS)
}

/// Path that a file of the submission has in a bundle.
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
