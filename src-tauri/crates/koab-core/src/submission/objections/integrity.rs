//! Whether everything is of one run and as it left it: logs against the journal, the report against logs and judges'
//! answers, texts and row against the report, files against their hashes.

use super::evidence::{Evidence, Log};
use super::{ObjectionCode, Objections, Told, within};
use crate::comparability::CallsBasis;
use crate::judge::Panel;
use crate::log::LevelLog;
use crate::protocol::Protocol;
use crate::report::{
    Dataset, EvaluationOptions, Report, evaluate, task_verdicts_of, to_csv, to_markdown, verdicts_of,
};
use crate::score::{MetricId, Scorer};
use crate::submission::attempts::{Attempts, Written};
use crate::submission::files::{paths, sha256};
use crate::submission::row::row;

/// Places that are named one by one; what is edited everywhere needs no longer list.
const NAMED: usize = 5;

pub(super) fn check(evidence: &Evidence<'_>, found: &mut Objections) {
    one_run(evidence, found);
    match &evidence.journal {
        None => found.asked(
            ObjectionCode::NoJournal,
            paths::LOGS,
            Told::NoJournal {},
            Told::BringJournal {},
        ),
        Some((path, attempts)) => journal(evidence, path, attempts, found),
    }
    if let Some((path, read)) = &evidence.report {
        scores(evidence, path, &read.report, found);
        texts(evidence, path, &read.report, found);
    }
    files(evidence, found);
}

fn one_run(evidence: &Evidence<'_>, found: &mut Objections) {
    let code = ObjectionCode::MixedRuns;
    let mut folders = evidence.files.folders(paths::LOGS);
    folders.extend(evidence.files.folders(paths::REPORTS));
    let runs: Vec<String> = folders
        .iter()
        .filter(|folder| folder.starts_with(paths::LOGS))
        .cloned()
        .collect();
    if runs.len() > 1 || folders.len() > runs.len() + 1 {
        let said = Told::SeveralRuns {
            folders: folders.join(", "),
        };
        found.blocks(code, paths::LOGS, said, Told::OneRun {});
    }
    let report = evidence.report.as_ref().map(|(_, read)| &read.report);
    let model = report.map_or(&evidence.submission.model_id, |report| &report.model);
    for log in &evidence.logs {
        let of = log.log.metadata.get("model").and_then(serde_json::Value::as_str);
        if let Some(of) = of.filter(|of| of != model) {
            let said = Told::OtherModels {
                one: model.clone(),
                other: of.to_owned(),
            };
            found.blocks(code, within(&log.path, "metadata.model"), said, Told::OneRun {});
        }
        before_run(evidence, log, found);
        if let Some(level) = report.and_then(|report| report.level(log.level))
            && level.metadata != log.log.metadata
        {
            let said = Told::OfOtherLogs {
                level: log.level.to_string(),
            };
            found.blocks(code, within(&log.path, "metadata"), said, Told::OneRun {});
        }
    }
}

/// A log is written after its run began, in whose folder it lies.
fn before_run(evidence: &Evidence<'_>, log: &Log, found: &mut Objections) {
    let run = &evidence.submission.run;
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).take(14).collect() };
    let time = log
        .log
        .metadata
        .get("timestamp")
        .and_then(serde_json::Value::as_str)
        .unwrap_or_default();
    let (began, written) = (digits(run), digits(time));
    if began.len() == 14 && written.len() == 14 && written < began {
        let said = Told::BeforeRun {
            time: time.to_owned(),
            run: run.clone(),
        };
        let at = within(&log.path, "metadata.timestamp");
        found.blocks(ObjectionCode::MixedRuns, at, said, Told::OneRun {});
    }
}

fn journal(evidence: &Evidence<'_>, path: &str, attempts: &Attempts, found: &mut Objections) {
    for line in attempts.broken.iter().take(NAMED) {
        let said = Told::JournalCut {
            line: line.to_string(),
        };
        found.blocks(ObjectionCode::Unreadable, path, said, Told::BringJournal {});
    }
    let facts = &evidence.submission.facts;
    if attempts.is_empty() {
        return;
    }
    let settings = facts.settings.value.as_ref();
    let written = Written {
        model: &evidence.submission.model_id,
        protocol: settings.map_or(Protocol::Leaderboard, |settings| settings.protocol),
        repetitions: settings.map_or(1, |settings| settings.repetitions),
    };
    for log in &evidence.logs {
        let pack = evidence
            .pack
            .and_then(|pack| pack.get(&log.level))
            .map(Vec::as_slice);
        let departures = attempts.departures(log.level, &log.document, &written, pack);
        for departure in departures.into_iter().take(NAMED) {
            let at = departure
                .task
                .map_or_else(|| log.path.clone(), |task| within(&log.path, &task));
            let said = Told::EditedLog {
                field: departure.field,
            };
            found.blocks(ObjectionCode::EditedLog, at, said, Told::BringJournal {});
        }
    }
    let Some(calls) = facts
        .calls
        .value
        .as_ref()
        .filter(|calls| calls.basis == CallsBasis::Recorded)
    else {
        return;
    };
    let whole = calls.whole();
    let told = [whole.hit, whole.miss, whole.live, whole.overlay];
    let what = [
        Told::CallsAnswered {},
        Told::CallsMissed {},
        Told::CallsLive {},
        Told::CallsOverlay {},
    ];
    for ((told, counted), what) in told.into_iter().zip(attempts.answered()).zip(what) {
        if told != counted {
            let said = Told::OtherFacts {
                what: what.to_string(),
                told: told.to_string(),
                found: counted.to_string(),
            };
            let at = within(paths::SUBMISSION, "facts.calls");
            found.blocks(ObjectionCode::EditedFacts, at, said, Told::PrepareAgain {});
        }
    }
}

/// Scores are reckoned again from the logs and the judges' answers that the report's details hold.
fn scores(evidence: &Evidence<'_>, path: &str, report: &Report, found: &mut Objections) {
    // The corrected scorer needs what no log holds, and is refused as it is.
    if report.scorer != Scorer::Leaderboard || evidence.logs.is_empty() {
        return;
    }
    let logs: Vec<LevelLog> = evidence
        .logs
        .iter()
        .filter(|log| report.level(log.level).is_some())
        .map(|log| log.log.clone())
        .collect();
    let options = EvaluationOptions {
        model: Some(report.model.clone()),
        scorer: report.scorer,
        metrics: report.metrics,
        panel: Panel {
            judges: report.judges.clone(),
            votes: report.votes,
            aggregate: report.aggregate,
        },
        execution_date: report.execution_date.clone(),
        evaluation_date: report.evaluation_date.clone(),
        sample_size: report.sample_size,
    };
    let again = evaluate(&logs, &Dataset::none(), &verdicts_of(report), &options);
    let mut differing: Vec<(String, MetricId, Option<f64>, Option<f64>)> = Vec::new();
    // Of several judges' grades of arguments only the mean is left.
    let is_told = |metric: MetricId| metric != MetricId::ArgAcc || report.judges.len() == 1;
    for level in &report.levels {
        let Some(other) = again.level(level.level) else {
            continue;
        };
        let mut all_told = true;
        for task in &level.tasks {
            // An error of a judge is a grade to the published evaluator alone; it is refused as it is.
            if task_verdicts_of(report, task)
                .iter()
                .any(|verdict| verdict.failure().is_some())
            {
                all_told = false;
                continue;
            }
            let Some(counted) = other.tasks.iter().find(|other| other.id == task.id) else {
                let said = Told::OfOtherLogs {
                    level: level.level.to_string(),
                };
                found.blocks(
                    ObjectionCode::MixedRuns,
                    within(path, &task.id),
                    said,
                    Told::OneRun {},
                );
                all_told = false;
                continue;
            };
            for (metric, score) in task.scores.iter().filter(|(metric, _)| is_told(*metric)) {
                let at = within(path, &task.id);
                differing.push((at, *metric, score.value(), counted.value(*metric)));
            }
        }
        for mean in level.means.iter().filter(|mean| all_told && is_told(mean.metric)) {
            let at = within(path, level.level.as_str());
            let counted = other.mean(mean.metric).and_then(|mean| mean.value);
            differing.push((at, mean.metric, mean.value, counted));
        }
    }
    differing.retain(|(_, _, told, counted)| match (told, counted) {
        (Some(told), Some(counted)) => (told - counted).abs() > 1e-12,
        (told, counted) => told.is_some() != counted.is_some(),
    });
    let shown = |value: Option<f64>| value.map_or_else(|| "—".to_owned(), |value| value.to_string());
    for (at, metric, told, counted) in differing.into_iter().take(NAMED) {
        let said = Told::OtherScore {
            metric: metric.to_string(),
            told: shown(told),
            found: shown(counted),
        };
        found.blocks(ObjectionCode::EditedReport, at, said, Told::ScoreLogs {});
    }
}

fn texts(evidence: &Evidence<'_>, path: &str, report: &Report, found: &mut Objections) {
    let folder = path.trim_end_matches(paths::REPORT);
    let made = [
        (paths::SUMMARY, to_csv(report)),
        (paths::MARKDOWN, to_markdown(report)),
    ];
    for (name, made) in made {
        let at = format!("{folder}{name}");
        match evidence.files.get(&at) {
            None => found.blocks(
                ObjectionCode::MissingFile,
                at,
                Told::Gone {},
                Told::PrepareAgain {},
            ),
            Some(content) if content == made.as_bytes() => {}
            Some(_) => {
                found.blocks(
                    ObjectionCode::EditedReport,
                    at,
                    Told::OtherText {},
                    Told::PrepareAgain {},
                );
            }
        }
    }
    let wanted = evidence
        .files
        .get(&format!("{folder}{}", paths::SUMMARY))
        .and_then(|summary| {
            row(
                folder,
                &String::from_utf8_lossy(summary),
                &evidence.submission.names,
            )
            .ok()
        });
    let (Some(wanted), given) = (wanted, evidence.files.get(paths::ROW)) else {
        return;
    };
    let given = given
        .map(|given| String::from_utf8_lossy(given).into_owned())
        .unwrap_or_default();
    if given == wanted.csv {
        return;
    }
    let lines: Vec<Vec<&str>> = given.lines().map(|line| line.split(',').collect()).collect();
    let code = ObjectionCode::EditedRow;
    match lines.as_slice() {
        [header, cells] if *header == wanted.header && cells.len() == wanted.cells.len() => {
            let differing = wanted.header.iter().zip(cells).zip(&wanted.cells);
            for ((column, told), counted) in differing
                .filter(|((_, told), counted)| *told != counted)
                .take(NAMED)
            {
                let said = Told::OtherRow {
                    column: column.clone(),
                    told: (*told).to_owned(),
                    found: counted.clone(),
                };
                found.blocks(code, within(paths::ROW, column), said, Told::PrepareAgain {});
            }
        }
        _ => found.blocks(code, paths::ROW, Told::NoRow {}, Told::PrepareAgain {}),
    }
}

fn files(evidence: &Evidence<'_>, found: &mut Objections) {
    for entry in &evidence.submission.files {
        match evidence.files.get(&entry.path) {
            None => found.blocks(
                ObjectionCode::MissingFile,
                &entry.path,
                Told::Gone {},
                Told::PrepareAgain {},
            ),
            Some(content) if sha256(content) == entry.sha256 => {}
            Some(_) => found.blocks(
                ObjectionCode::ChangedFile,
                &entry.path,
                Told::Changed {},
                Told::PrepareAgain {},
            ),
        }
    }
}
