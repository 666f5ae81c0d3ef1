//! Whether the logs and what is said of the run are what its journal has.

use super::evidence::{Evidence, Log};
use super::list::Objections;
use super::remedies::{BRING_JOURNAL, NAMED, PREPARE_AGAIN, within};
use crate::bundle::{MadeLogs, by_task};
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

pub(super) fn check(evidence: &Evidence<'_>, found: &mut Objections) {
    let Some((path, journal)) = &evidence.journal else {
        let said =
            say!("there is no journal, so it cannot be checked whether the logs are as the run left them");
        return found.warns(FindingCode::NoJournal, paths::LOGS, said, BRING_JOURNAL);
    };
    for line in evidence.broken.iter().take(NAMED) {
        let said = say!("line {line} of the journal cannot be read");
        found.blocks(FindingCode::Unreadable, path, said, BRING_JOURNAL);
    }
    if journal.attempts.is_empty() {
        return;
    }
    for log in &evidence.logs {
        for (task, field) in edited(evidence, journal, log).into_iter().take(NAMED) {
            let at = task.map_or_else(|| log.path.as_str().into(), |task| within(&log.path, &task));
            let said = say!("`{field}` of the log is not what the journal of the run has");
            found.blocks(FindingCode::EditedLog, at, said, BRING_JOURNAL);
        }
    }
    calls(evidence, journal, found);
}

/// What of a log is not what its journal makes: the task, or none for the log's own figures, and
/// the field. Tasks of the pack are taken where they are known; without them the log's own
/// statement of a task is believed.
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
            of_pack.cloned().unwrap_or_else(|| stated(log.level, id(result), result))
        })
        .collect();
    let settings = evidence.submission.facts.settings.value.as_ref();
    let header = LogHeader {
        model: evidence.model_of_logs(),
        timestamp: log.document["metadata"]["timestamp"].as_str().unwrap_or_default(),
        protocol: settings.map_or(Protocol::Leaderboard, |settings| settings.protocol),
        repetitions: settings.map_or(1, |settings| settings.repetitions),
    };
    let made = MadeLogs { journal, first: &evidence.first };
    let mut wanted = made.of_level(&header, log.level, &tasks);
    if pack.is_none() {
        // Which tools an L7 task offers is told by its turns, and those by the pack alone.
        for (ours, theirs) in wanted["results"].as_array_mut().into_iter().flatten().zip(results()) {
            ours["expected_tools"] = theirs["expected_tools"].clone();
        }
    }
    let name = |at: &str| at.split(['.', '[']).next().unwrap_or_default().to_owned();
    let [tasks, around] = by_task(&log.document, &wanted);
    let mut found: Vec<_> = match tasks.is_empty() {
        false => {
            let parts = tasks.iter().map(|found| found.at.split_once('.').unwrap_or((&found.at, "results")));
            parts.map(|(task, field)| (Some(task.to_owned()), name(field))).collect()
        }
        true => {
            let parts = around.iter().map(|found| found.at.split_once('.').unwrap_or((&found.at, "")));
            parts.map(|(part, field)| (None, format!("{part}.{}", name(field)))).collect()
        }
    };
    found.dedup();
    found
}

/// A task as its log states it.
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

/// How the calls were answered, as submission.json and the journal have it.
fn calls(evidence: &Evidence<'_>, journal: &Journal<AttemptSummary>, found: &mut Objections) {
    let calls = evidence.submission.facts.calls.value.as_ref();
    let Some(calls) = calls.filter(|calls| calls.basis == CallsBasis::Recorded) else {
        return;
    };
    let mut counted = CacheUse::default();
    for attempt in journal.attempts.iter() {
        counted.add(&attempt.answers());
    }
    let whole = calls.whole();
    for (told, counted, what) in [
        (whole.hit, counted.hit, say!("calls answered by records")),
        (whole.miss, counted.miss, say!("calls without an answer")),
        (whole.live, counted.live, say!("calls answered by live APIs")),
        (whole.overlay, counted.overlay, say!("calls answered by saved responses")),
    ] {
        if told != counted {
            let said = say!("submission.json says {told} {what}, the journal has {found}", found = counted);
            let at = within(paths::SUBMISSION, "facts.calls");
            found.blocks(FindingCode::EditedFacts, at, said, PREPARE_AGAIN);
        }
    }
}
