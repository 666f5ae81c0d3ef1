//! Checks that the logs and the report belong to one run.

use super::evidence::{Evidence, Log};
use super::list::Objections;
use super::remedies::{ONE_RUN, other_logs, within};
use crate::submission::files::paths;
use koab_core::say;
use koab_report::comparability::FindingCode;
use serde_json::Value;

pub(super) fn check(evidence: &Evidence<'_>, objections: &mut Objections) {
    let code = FindingCode::MixedRuns;
    let runs = evidence.files.folders(paths::LOGS);
    let reports = evidence.files.folders(paths::REPORTS);
    if runs.len() > 1 || reports.len() > 1 {
        let folders = [runs, reports].concat().join(", ");
        let sentence = say!("the logs are in several folders of runs: {folders}");
        objections.blocks(code, paths::LOGS, sentence, ONE_RUN);
    }
    let report = evidence.report.as_ref().map(|(_, read)| &read.report);
    // Another check finds a report of another model than the submission's.
    let is_same = report.is_none_or(|report| report.model == evidence.submission.model_id);
    let one = match report.filter(|_| !is_same) {
        Some(report) => report.model.as_str(),
        None => evidence.model_of_logs(),
    };
    for log in &evidence.logs {
        let other = log.log.metadata.get("model").and_then(Value::as_str);
        if let Some(other) = other.filter(|other| *other != one) {
            let sentence = say!("the logs are of different models: {one}, {other}");
            objections.blocks(code, within(&log.path, "metadata.model"), sentence, ONE_RUN);
        }
        before_run(evidence, log, objections);
        if let Some(level) = report.and_then(|report| report.level(&log.level))
            && level.metadata != log.log.metadata
        {
            objections.blocks(code, within(&log.path, "metadata"), other_logs(&log.level), ONE_RUN);
        }
    }
}

/// Objects to a log that was written before its run began.
fn before_run(evidence: &Evidence<'_>, log: &Log, objections: &mut Objections) {
    let run = &evidence.submission.run;
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).take(14).collect() };
    let time = log.log.metadata.get("timestamp").and_then(Value::as_str).unwrap_or_default();
    let (began, written) = (digits(run), digits(time));
    if began.len() == 14 && written.len() == 14 && written < began {
        let sentence = say!("the log was written at {time}, before the run {run} began");
        objections.blocks(FindingCode::MixedRuns, within(&log.path, "metadata.timestamp"), sentence, ONE_RUN);
    }
}
