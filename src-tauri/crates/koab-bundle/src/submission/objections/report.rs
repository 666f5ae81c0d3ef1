//! Whether the report is what logs and judges' answers give, and texts and row are what the report
//! gives.

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

pub(super) fn check(evidence: &Evidence<'_>, found: &mut Objections) {
    let Some((path, read)) = &evidence.report else {
        return;
    };
    scores(evidence, path, &read.report, found);
    texts(evidence, path, &read.report, found);
    given_row(evidence, path, found);
}

/// Scores again, by the logs and the judges' answers that the report's details hold.
fn scores(evidence: &Evidence<'_>, path: &str, report: &Report, found: &mut Objections) {
    // The corrected scorer needs what no log holds, and is refused as it is.
    if report.scorer != Protocol::Leaderboard || evidence.logs.is_empty() {
        return;
    }
    let logs: Vec<LevelLog> = evidence.logs.iter().map(|log| log.log.clone()).collect();
    let again = recompute(report, true, &logs, &Pack::default(), None, &verdicts_of(report)).report;
    let mut scores: Vec<(FileField, MetricId, [Option<f64>; 2])> = Vec::new();
    // Of several judges' grades of arguments only the mean is left.
    let is_told = |metric: MetricId| metric != MetricId::ArgAcc || report.judges.len() == 1;
    for level in &report.levels {
        let Some(other) = again.level(level.level) else {
            continue;
        };
        let mut all_told = true;
        for task in &level.tasks {
            let at = within(path, &task.id);
            // An error of a judge is a grade to the published evaluator alone; it is refused as it
            // is.
            let is_error = task_verdicts_of(report, task).iter().any(|verdict| verdict.failure().is_some());
            let counted = other.tasks.iter().find(|other| other.id == task.id);
            match counted.filter(|_| !is_error) {
                Some(counted) => {
                    let told = task.scores.iter().filter(|(metric, _)| is_told(*metric));
                    scores.extend(told.map(|(metric, score)| {
                        (at.clone(), *metric, [score.value(), counted.value(*metric)])
                    }));
                }
                None => {
                    all_told = false;
                    if !is_error {
                        found.blocks(FindingCode::MixedRuns, at, other_logs(level.level), ONE_RUN);
                    }
                }
            }
        }
        for mean in level.means.iter().filter(|mean| all_told && is_told(mean.metric)) {
            let at = within(path, level.level.as_str());
            let counted = other.mean(mean.metric).and_then(|mean| mean.figure.value());
            scores.push((at, mean.metric, [mean.figure.value(), counted]));
        }
    }
    scores.retain(|(_, _, values)| match values {
        [Some(told), Some(counted)] => (told - counted).abs() > 1e-12,
        [told, counted] => told.is_some() != counted.is_some(),
    });
    let shown = |value: Option<f64>| value.map_or_else(|| "—".to_owned(), |value| value.to_string());
    for (at, metric, values) in scores.into_iter().take(NAMED) {
        let [told, counted] = values.map(shown);
        let said = say!(
            "{metric} is {told} in the report, and {found} by its logs and the answers of the judges",
            found = counted
        );
        let remedy = say!("score the logs again with `koab evaluate`");
        found.blocks(FindingCode::EditedReport, at, said, remedy);
    }
}

fn texts(evidence: &Evidence<'_>, path: &str, report: &Report, found: &mut Objections) {
    let folder = path.trim_end_matches(paths::REPORT);
    for (name, text) in [(paths::SUMMARY, to_csv(report)), (paths::MARKDOWN, to_markdown(report))] {
        let at = format!("{folder}{name}");
        match evidence.files.get(&at) {
            None => found.blocks(FindingCode::MissingFile, at, gone(), PREPARE_AGAIN),
            Some(content) if content == text.as_bytes() => {}
            Some(_) => {
                let said = say!("the file is not what the report as data gives");
                found.blocks(FindingCode::EditedReport, at, said, PREPARE_AGAIN);
            }
        }
    }
}

fn given_row(evidence: &Evidence<'_>, path: &str, found: &mut Objections) {
    let folder = path.trim_end_matches(paths::REPORT);
    let summary = evidence.files.get(&format!("{folder}{}", paths::SUMMARY));
    let names = &evidence.submission.names;
    let wanted = summary.map(|summary| row(folder, &String::from_utf8_lossy(summary), names));
    let Some(Ok(wanted)) = wanted else {
        return;
    };
    let code = FindingCode::EditedRow;
    match wanted.differences(evidence.files.get(paths::ROW)) {
        None => {
            let said = say!("the row of the combined table is not there or has another header");
            found.blocks(code, paths::ROW, said, PREPARE_AGAIN);
        }
        Some(cells) => {
            for cell in cells.into_iter().take(NAMED) {
                let said = say!(
                    "the row has {told} under {column}, the report gives {found}",
                    told = cell.here,
                    column = cell.column,
                    found = cell.there
                );
                found.blocks(code, within(paths::ROW, &cell.column), said, PREPARE_AGAIN);
            }
        }
    }
}
