//! Checks that the report agrees with the logs and the judges' answers, and that the texts and the
//! row agree with the report.

use super::evidence::Evidence;
use super::list::{FileField, Objections};
use super::remedies::{NAMED, ONE_RUN, PREPARE_AGAIN, gone, other_logs, within};
use crate::bundle::recompute;
use crate::submission::files::paths;
use crate::submission::row::row;
use koab_core::log::LevelLog;
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_report::comparability::FindingCode;
use koab_report::{Report, task_verdicts_of, to_csv, to_markdown, verdicts_of};

pub(super) fn check(evidence: &Evidence<'_>, objections: &mut Objections) {
    let Some((path, read)) = &evidence.report else {
        return;
    };
    scores(evidence, path, &read.report, objections);
    texts(evidence, path, &read.report, objections);
    given_row(evidence, path, objections);
}

/// Scores the logs again with the judges' answers that the report contains, and compares the
/// scores.
fn scores(evidence: &Evidence<'_>, path: &str, report: &Report, objections: &mut Objections) {
    // The corrected scorer needs data that no log has. Its reports are refused by another check.
    if report.scorer != Protocol::Leaderboard || evidence.logs.is_empty() {
        return;
    }
    let logs: Vec<LevelLog> = evidence.logs.iter().map(|log| log.log.clone()).collect();
    let again = recompute(report, true, &logs, &Pack::default(), None, &verdicts_of(report)).report;
    let mut scores: Vec<(FileField, MetricId, [Option<f64>; 2])> = Vec::new();
    // With several judges, a report has only the mean of their grades of arguments.
    let is_told = |metric: MetricId| metric != MetricId::ArgAcc || report.judges.len() == 1;
    for level in &report.levels {
        let Some(other) = again.level(&level.level) else {
            continue;
        };
        let mut all_told = true;
        for task in &level.tasks {
            let at = within(path, &task.id);
            // Only the published evaluator counts an error of a judge as a grade. Another check
            // refuses it.
            let is_error = task_verdicts_of(report, task).iter().any(|verdict| verdict.failure().is_some());
            let again_scored = other.tasks.iter().find(|other| other.id == task.id);
            match again_scored.filter(|_| !is_error) {
                Some(again_scored) => {
                    let reported = task.scores.iter().filter(|(metric, _)| is_told(*metric));
                    scores.extend(reported.map(|(metric, score)| {
                        (at.clone(), *metric, [score.value(), again_scored.value(*metric)])
                    }));
                }
                None => {
                    all_told = false;
                    if !is_error {
                        objections.blocks(FindingCode::MixedRuns, at, other_logs(&level.level), ONE_RUN);
                    }
                }
            }
        }
        for mean in level.means.iter().filter(|mean| all_told && is_told(mean.metric)) {
            let at = within(path, level.level.as_str());
            let again_scored = other.mean(mean.metric).and_then(|mean| mean.figure.value());
            scores.push((at, mean.metric, [mean.figure.value(), again_scored]));
        }
    }
    scores.retain(|(_, _, values)| match values {
        [Some(told), Some(again_scored)] => (told - again_scored).abs() > 1e-12,
        [told, again_scored] => told.is_some() != again_scored.is_some(),
    });
    let text_of = |value: Option<f64>| value.map_or_else(|| "—".to_owned(), |value| value.to_string());
    for (at, metric, values) in scores.into_iter().take(NAMED) {
        let [told, again_scored] = values.map(text_of);
        let sentence = say!(
            "{metric} is {told} in the report, and {found} by its logs and the answers of the judges",
            found = again_scored
        );
        let remedy = say!("score the logs again with `koab score`");
        objections.blocks(FindingCode::EditedReport, at, sentence, remedy);
    }
}

fn texts(evidence: &Evidence<'_>, path: &str, report: &Report, objections: &mut Objections) {
    let folder = path.trim_end_matches(paths::REPORT);
    for (name, text) in [(paths::SUMMARY, to_csv(report)), (paths::MARKDOWN, to_markdown(report))] {
        let at = format!("{folder}{name}");
        match evidence.files.get(&at) {
            None => objections.blocks(FindingCode::MissingFile, at, gone(), PREPARE_AGAIN),
            Some(content) if content == text.as_bytes() => {}
            Some(_) => {
                let sentence = say!("the file differs from the data of the report");
                objections.blocks(FindingCode::EditedReport, at, sentence, PREPARE_AGAIN);
            }
        }
    }
}

fn given_row(evidence: &Evidence<'_>, path: &str, objections: &mut Objections) {
    let folder = path.trim_end_matches(paths::REPORT);
    let summary = evidence.files.get(&format!("{folder}{}", paths::SUMMARY));
    let names = &evidence.submission.names;
    let expected = summary.map(|summary| row(folder, &String::from_utf8_lossy(summary), names));
    let Some(Ok(expected)) = expected else {
        return;
    };
    let code = FindingCode::EditedRow;
    match expected.differences(evidence.files.get(paths::ROW)) {
        None => {
            let sentence = say!("the row of the combined table is not there or has another header");
            objections.blocks(code, paths::ROW, sentence, PREPARE_AGAIN);
        }
        Some(cells) => {
            for cell in cells.into_iter().take(NAMED) {
                let sentence = say!(
                    "the row has {told} under {column}, the report gives {found}",
                    told = cell.here,
                    column = cell.column,
                    found = cell.there
                );
                objections.blocks(code, within(paths::ROW, &cell.column), sentence, PREPARE_AGAIN);
            }
        }
    }
}
