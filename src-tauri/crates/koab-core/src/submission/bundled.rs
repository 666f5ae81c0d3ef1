//! A submission inside a bundle: what only it has lies below `submission/`; logs, journal and report are those of the bundle,
//! so that nothing is in it twice. Here is which file is which, and what holds one against the other.

use super::document::Submission;
use super::files::{Files, paths, sha256};
use super::row::row;
use crate::bundle::{CheckName, Findings, Recomputed, Said};
use crate::score::Scorer;
use std::collections::BTreeMap;

/// Where a submission's own files lie in a bundle.
pub const FOLDER: &str = "submission/";

/// Files that no run and no report has, by their place in a bundle.
pub fn own_files(files: &Files) -> Vec<(String, Vec<u8>)> {
    let own = files
        .iter()
        .filter(|(path, _)| is_own(path) || *path == paths::SUBMISSION);
    own.map(|(path, content)| (format!("{FOLDER}{path}"), content.to_vec()))
        .collect()
}

/// The submission in a bundle as it would lie in a folder; `None` when there is none. `read` gives a file of the bundle.
/// A file that is not there is left out, which [`super::check`] objects to.
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

/// Holds a submission's own files against the reports of the bundle, which were scored again.
pub fn recheck(
    own: &BTreeMap<String, Vec<u8>>,
    reports: &BTreeMap<Scorer, Recomputed>,
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
            let error = error.to_string();
            return findings.failed(CheckName::Submission, about, Said::SubmissionBroken { error });
        }
    };
    let scorer = &submission.judged_by.scorer;
    let again = reports.iter().find(|(known, _)| known.as_str() == scorer);
    let Some((_, again)) = again else {
        let scorer = scorer.clone();
        return findings.failed(CheckName::Submission, about, Said::SubmissionNoReport { scorer });
    };
    let results = Submission::results_of(&again.report);
    let levels = results.keys().chain(submission.results.keys());
    let mut differing: Vec<_> = levels
        .filter(|level| results.get(level) != submission.results.get(level))
        .collect();
    differing.sort();
    differing.dedup();
    for level in differing {
        let said = Said::SubmissionResults {
            level: level.to_string(),
        };
        findings.failed(CheckName::Submission, &about, said);
    }
    let columns = check_row(own, &submission, again, findings);
    // What is told above says more than a hash.
    for file in submission.files.iter().filter(|file| is_own(&file.path)) {
        let at = format!("{FOLDER}{}", file.path);
        match own.get(&file.path) {
            None => findings.failed(CheckName::Submission, at, Said::SubmissionGone {}),
            Some(content) if sha256(content) != file.sha256 => {
                findings.failed(CheckName::Submission, at, Said::SubmissionChanged {});
            }
            Some(_) => {}
        }
    }
    if findings.failures() == before {
        let columns = columns.to_string();
        findings.held(CheckName::Submission, about, Said::SubmissionHeld { columns });
    }
}

/// Holds the row against the one that the report gives; how many columns it has.
fn check_row(
    own: &BTreeMap<String, Vec<u8>>,
    submission: &Submission,
    again: &Recomputed,
    findings: &mut Findings,
) -> usize {
    let at = format!("{FOLDER}{}", paths::ROW);
    let Ok(wanted) = row(&submission.model_folder, &again.csv, &submission.names) else {
        findings.failed(CheckName::Submission, at, Said::SubmissionRow {});
        return 0;
    };
    let given = own.get(paths::ROW).map(|given| String::from_utf8_lossy(given));
    if given.as_deref() == Some(wanted.csv.as_str()) {
        return wanted.header.len();
    }
    let given = given.unwrap_or_default();
    let lines: Vec<Vec<&str>> = given.lines().map(|line| line.split(',').collect()).collect();
    let before = findings.failures();
    if let [header, cells] = lines.as_slice()
        && *header == wanted.header
        && cells.len() == wanted.cells.len()
    {
        let differing = wanted.header.iter().zip(cells).zip(&wanted.cells);
        for ((column, here), there) in differing.filter(|((_, here), there)| here != there) {
            let said = Said::SubmissionCell {
                column: column.clone(),
                here: (*here).to_owned(),
                there: there.clone(),
            };
            findings.failed(CheckName::Submission, &at, said);
        }
    }
    // Another header, a quoted cell, or an end of line.
    if findings.failures() == before {
        findings.failed(CheckName::Submission, at, Said::SubmissionRow {});
    }
    wanted.header.len()
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
