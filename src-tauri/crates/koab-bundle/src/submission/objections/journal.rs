//! Checks that the logs and the description of the run agree with its journal.

use super::evidence::{Evidence, Log};
use super::list::Objections;
use super::remedies::{BRING_JOURNAL, NAMED, PREPARE_AGAIN, within};
use crate::bundle::{RebuiltLogs, by_task};
use crate::submission::files::paths;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::published::LogHeader;
use koab_core::run_record::{AttemptSummary, CacheUse, Journal};
use koab_core::say;
use koab_core::task::Task;
use koab_report::comparability::{CallsBasis, FindingCode};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

pub(super) fn check(evidence: &Evidence<'_>, objections: &mut Objections) {
    let Some((path, journal)) = &evidence.journal else {
        let sentence =
            say!("there is no journal, so it cannot be checked whether the logs are as the run left them");
        return objections.warns(FindingCode::NoJournal, paths::LOGS, sentence, BRING_JOURNAL);
    };
    for line in evidence.broken.iter().take(NAMED) {
        let sentence = say!("line {line} of the journal cannot be read");
        objections.blocks(FindingCode::Unreadable, path, sentence, BRING_JOURNAL);
    }
    if journal.attempts.is_empty() {
        return;
    }
    for log in &evidence.logs {
        for (task, field) in edited(evidence, journal, log).into_iter().take(NAMED) {
            let at = task.map_or_else(|| log.path.as_str().into(), |task| within(&log.path, &task));
            let sentence = say!("`{field}` of the log is not what the journal of the run has");
            objections.blocks(FindingCode::EditedLog, at, sentence, BRING_JOURNAL);
        }
    }
    calls(evidence, journal, objections);
    changes(evidence, journal, objections);
}

/// Fields of a log that differ from the log that is rebuilt from the journal.
///
/// Each field has the id of its task, or none for figures of the log itself. The texts of tasks are
/// those of the pack if it is available, otherwise those of the log.
fn edited(
    evidence: &Evidence<'_>,
    journal: &Journal<AttemptSummary>,
    log: &Log,
) -> Vec<(Option<String>, String)> {
    let results = || log.document["results"].as_array().into_iter().flatten();
    let id = |result: &Value| result["task_id"].as_str().unwrap_or_default().to_owned();
    let logged: BTreeSet<String> = results().map(id).collect();
    let of_level = journal.attempts.iter().filter(|record| record.level == log.level);
    let tried: BTreeSet<String> = of_level.map(|record| record.task.to_string()).collect();
    let of_one = logged.symmetric_difference(&tried);
    let of_one: Vec<_> = of_one.map(|task| (Some(task.clone()), "results".to_owned())).collect();
    if !of_one.is_empty() {
        return of_one;
    }
    let pack = evidence.pack.and_then(|pack| pack.get(&log.level));
    let tasks: Vec<Task> = results()
        .map(|result| {
            let of_pack = pack.and_then(|tasks| tasks.iter().find(|task| task.id == id(result)));
            of_pack.cloned().unwrap_or_else(|| stated(log.level.clone(), id(result), result))
        })
        .collect();
    let settings = evidence.submission.facts.settings.value.as_ref();
    let header = LogHeader {
        model: evidence.model_of_logs(),
        timestamp: log.document["metadata"]["timestamp"].as_str().unwrap_or_default(),
        protocol: settings.map_or(Protocol::Leaderboard, |settings| settings.run.protocol),
        repetitions: settings.map_or(1, |settings| settings.run.repetitions),
    };
    let rebuilt = RebuiltLogs { journal, first: &evidence.first };
    let mut expected = rebuilt.of_level(&header, &log.level, &tasks);
    if pack.is_none() {
        // The tools that an L7 task offers follow from its turns, which only the pack has.
        for (ours, theirs) in expected["results"].as_array_mut().into_iter().flatten().zip(results()) {
            ours["expected_tools"] = theirs["expected_tools"].clone();
        }
    }
    let name = |at: &str| at.split(['.', '[']).next().unwrap_or_default().to_owned();
    let [tasks, around] = by_task(&log.document, &expected);
    let mut fields: Vec<_> = if tasks.is_empty() {
        let parts = around.iter().map(|change| change.at.split_once('.').unwrap_or((&change.at, "")));
        parts.map(|(part, field)| (None, format!("{part}.{}", name(field)))).collect()
    } else {
        let parts = tasks.iter().map(|change| change.at.split_once('.').unwrap_or((&change.at, "results")));
        parts.map(|(task, field)| (Some(task.to_owned()), name(field))).collect()
    };
    fields.dedup();
    fields
}

/// A task with the texts that its log contains.
fn stated(level: Level, id: String, result: &Value) -> Task {
    let mut raw = Map::new();
    for (key, from) in [
        ("instruction", "instruction"),
        ("task_level", "level"),
        ("task_category", "category"),
        ("golden_action", "golden_action"),
        ("minimum_steps", "minimum_steps"),
        ("data_flow", "data_flow"),
        ("error_injection", "error_injection"),
        ("fallback_options", "fallback_options"),
        ("resp_schema", "resp_schema"),
        ("arg_schema", "arg_schema"),
    ] {
        if let Some(value) = result.get(from) {
            raw.insert(key.to_owned(), value.clone());
        }
    }
    Task { id, level, raw }
}

/// Compares the changes of the run in `submission.json` with those in the journal.
fn changes(evidence: &Evidence<'_>, journal: &Journal<AttemptSummary>, objections: &mut Objections) {
    if evidence.submission.facts.changes != journal.changes {
        let sentence =
            say!("the changes of the run while it was being made are not those that its journal has");
        let at = within(paths::SUBMISSION, "facts.changes");
        objections.blocks(FindingCode::EditedFacts, at, sentence, PREPARE_AGAIN);
    }
}

/// Compares the counts of answered calls in `submission.json` with counts from the journal.
fn calls(evidence: &Evidence<'_>, journal: &Journal<AttemptSummary>, objections: &mut Objections) {
    let calls = evidence.submission.facts.calls.value.as_ref();
    let Some(calls) = calls.filter(|calls| calls.basis == CallsBasis::Recorded) else {
        return;
    };
    let mut in_journal = CacheUse::default();
    for attempt in journal.attempts.iter() {
        in_journal.add(&attempt.answers());
    }
    let whole = calls.whole();
    for (told, in_journal, what) in [
        (whole.hit, in_journal.hit, say!("calls answered from the cache")),
        (whole.miss, in_journal.miss, say!("calls without an answer")),
        (whole.live, in_journal.live, say!("calls answered by live APIs")),
        (whole.overlay, in_journal.overlay, say!("calls answered by saved responses")),
    ] {
        if told != in_journal {
            let sentence =
                say!("submission.json says {told} {what}, the journal has {found}", found = in_journal);
            let at = within(paths::SUBMISSION, "facts.calls");
            objections.blocks(FindingCode::EditedFacts, at, sentence, PREPARE_AGAIN);
        }
    }
}
