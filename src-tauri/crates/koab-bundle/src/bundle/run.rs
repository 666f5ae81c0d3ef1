//! Compares `run.json` with the journal (settings, outcome and counts). Also compares the pack with
//! the hashes that the run recorded.

use super::check::{CheckName, Findings};
use super::contents::Contents;
use super::names::{JOURNAL, RUN, TOOLS};
use super::texts::{differences, line};
use koab_core::pack_identity::{tasks_sha256, tool_sha256};
use koab_core::run_record::{AttemptSummary, AttemptTally, ChangeRecord, Journal, RunChange, RunManifest};
use koab_core::say;
use serde_json::{Value, json};

/// Settings that are the same for all starts of a run. With another value the run would be a
/// different one.
const OF_ALL_STARTS: [&str; 8] =
    ["pack", "model", "protocol", "repetitions", MAX_STEPS, "temperature", "max_tokens", "full_rollout"];
/// Setting of [`OF_ALL_STARTS`] that may be changed while the run is being made.
const MAX_STEPS: &str = "max_steps";

pub(super) fn check_run(contents: &Contents, findings: &mut Findings) {
    let (run, journal) = match (&contents.run, &contents.journal) {
        (Some(run), Some(journal)) => (run, journal),
        (None, None) => return findings.open(CheckName::Run, RUN, say!("the run was made elsewhere: there is neither run.json nor a journal, so the logs are compared only with each other and the reports")),
        (run, _) => {
            let place = if run.is_some() { JOURNAL } else { RUN };
            let sentence = say!("run.json and journal.jsonl belong together, and one of them is missing");
            return findings.failed(CheckName::Run, place, sentence);
        }
    };
    let before = findings.failures();
    let specs: Vec<Value> = journal.starts.iter().map(|start| json!(start.spec)).collect();
    let ours = specs.last().unwrap_or(&Value::Null);
    for difference in differences(&json!(run.spec), &json!(journal.spec())) {
        let place = format!("{RUN}, spec.{}", difference.at);
        let sentence =
            say!("says {here}, and the journal {there}", here = difference.here, there = difference.there);
        findings.failed(CheckName::Run, place, sentence);
    }
    let mut hold = |place: String, here: &Value, there: &Value| {
        if here != there {
            let sentence =
                say!("says {here}, and the journal {there}", here = line(here), there = line(there));
            findings.failed(CheckName::Run, place, sentence);
        }
    };
    let is_of_steps = |record: &ChangeRecord| matches!(record.change, RunChange::MaxSteps { .. });
    let changes_steps = journal.changes.iter().any(is_of_steps);
    for (start, spec) in specs.iter().enumerate() {
        for key in OF_ALL_STARTS {
            if key == MAX_STEPS && changes_steps {
                continue;
            }
            hold(format!("{JOURNAL}, start {}, spec.{key}", start + 1), &spec[key], &ours[key]);
        }
    }
    hold(format!("{RUN}, changes"), &json!(run.changes), &json!(journal.changes));
    let (here, there) = (json!(run), json!(counted(run, journal)));
    for path in COUNTED {
        let at = format!("/{}", path.replace('.', "/"));
        let (here, there) = (here.pointer(&at), there.pointer(&at));
        hold(format!("{RUN}, {path}"), here.unwrap_or(&Value::Null), there.unwrap_or(&Value::Null));
    }
    for level in &run.levels {
        let pack_tasks = contents.pack.tasks.get(&level.level);
        for task in &level.tasks {
            if !pack_tasks.is_some_and(|tasks| tasks.iter().any(|known| known.id == *task)) {
                hold(format!("{RUN}, levels.{}", level.level), &json!(task), &Value::Null);
            }
        }
    }
    let attempts = journal.attempts.len();
    let sentence =
        say!("agrees with the journal on the settings, the outcome and the counts of {attempts} attempts");
    findings.held_since(before, CheckName::Run, RUN, sentence);
}

/// Values of `run.json` that are computed from the journal.
const COUNTED: [&str; 14] = [
    "model",
    "status",
    "started_ms",
    "attempts.planned",
    "attempts.done",
    "attempts.failed",
    "attempts.cut_off",
    "steps_without_usage",
    "cache.hit",
    "cache.miss",
    "cache.injected",
    "cache.refused",
    "cache.live",
    "cache.overlay",
];

/// The run's manifest with the values that are computed from the journal.
fn counted(run: &RunManifest, journal: &Journal<AttemptSummary>) -> RunManifest {
    let mut manifest = run.clone();
    let last = journal.starts.last();
    let repetitions = last.map_or(0, |start| start.spec.settings.repetitions as usize);
    let tally = AttemptTally::count_all(journal.attempts.iter());
    let left_out = run.left_out().into_iter().map(|task| repetitions - journal.attempts.of_task(task).len());
    manifest.count(run.tasks().count() * repetitions - left_out.sum::<usize>(), &tally);
    manifest.model = last.map(|start| start.spec.model.clone()).unwrap_or_default();
    manifest.started_ms = last.map_or(0, |start| start.at_ms);
    manifest.outcome = journal.outcome;
    manifest
}

pub(super) fn check_pack(contents: &Contents, findings: &mut Findings) {
    let identity = contents.run.as_ref().and_then(|run| run.spec.identity.as_ref());
    let Some(identity) = identity else {
        let sentence = say!(
            "the run did not write down the hashes of its tasks and tools, because it was made elsewhere or by an earlier version"
        );
        return findings.open(CheckName::Pack, "pack", sentence);
    };
    let before = findings.failures();
    let tasks_hash = tasks_sha256(&contents.pack.tasks);
    if tasks_hash != identity.tasks_sha256 {
        let recorded_hash = identity.tasks_sha256.clone();
        let sentence = say!(
            "the tasks are not those of the run: their hash is {found}, the run wrote down {stated}",
            found = tasks_hash,
            stated = recorded_hash
        );
        findings.failed(CheckName::Pack, "pack/tasks", sentence);
    }
    for (name, sha256) in &identity.tools {
        let tool = name.clone();
        match contents.pack.tool(name) {
            None => findings.failed(
                CheckName::Pack,
                TOOLS,
                say!("the tool {tool}, which the run offered, is not in the catalog"),
            ),
            Some(spec) if tool_sha256(spec) != *sha256 => {
                let sentence = say!("the text of the tool {tool} is not the one that the run offered");
                findings.failed(CheckName::Pack, TOOLS, sentence);
            }
            Some(_) => {}
        }
    }
    let sentence = say!(
        "{tasks} tasks and {tools} tools are those that the run wrote down",
        tasks = contents.pack.tasks.values().map(Vec::len).sum::<usize>(),
        tools = identity.tools.len()
    );
    findings.held_since(before, CheckName::Pack, "pack", sentence);
}
