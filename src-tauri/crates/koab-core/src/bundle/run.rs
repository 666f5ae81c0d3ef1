//! `run.json` against the journal: settings, outcome, counts. And the pack against what the run wrote down of it.

use super::check::{CheckName, Findings};
use super::contents::Contents;
use super::journal::JournalFacts;
use super::names::{JOURNAL, RUN, TOOLS};
use super::said::Said;
use super::texts::{differences, line};
use crate::comparability::{PackIdentity, tasks_sha256, tool_sha256};
use crate::event::{AnswerSource, LevelPlan};
use crate::record::AttemptRecord;
use serde::Deserialize as _;
use serde_json::{Value, json};

/// The part of a run's settings by which every start of it must agree: another value would be another run.
const OF_ALL_STARTS: [&str; 8] = [
    "pack",
    "model",
    "protocol",
    "repetitions",
    "max_steps",
    "temperature",
    "max_tokens",
    "full_rollout",
];

pub(super) fn check_run(contents: &Contents, findings: &mut Findings) {
    let (run, journal) = match (&contents.run, &contents.journal) {
        (Some(run), Some(journal)) => (run, journal),
        (None, None) => return findings.open(CheckName::Run, RUN, Said::NoDescription {}),
        (run, _) => {
            let place = if run.is_some() { JOURNAL } else { RUN };
            return findings.failed(CheckName::Run, place, Said::HalfDescribed {});
        }
    };
    let before = findings.failures();
    for difference in differences(&run["spec"], journal.spec()) {
        let place = format!("{RUN}, spec.{}", difference.at);
        findings.failed(
            CheckName::Run,
            place,
            Said::RunDiffers {
                here: difference.here,
                there: difference.there,
            },
        );
    }
    let mut hold = |place: String, here: &Value, there: &Value| {
        if here != there {
            let said = Said::RunDiffers {
                here: line(here),
                there: line(there),
            };
            findings.failed(CheckName::Run, place, said);
        }
    };
    let ours = journal.spec();
    for (start, spec) in journal.specs.iter().enumerate() {
        for key in OF_ALL_STARTS {
            hold(
                format!("{JOURNAL}, start {}, spec.{key}", start + 1),
                &spec[key],
                &ours[key],
            );
        }
    }
    hold(format!("{RUN}, model"), &run["model"], &ours["model"]);
    let outcome = journal.outcome.as_deref().unwrap_or("running");
    hold(format!("{RUN}, status"), &run["status"], &json!(outcome));
    hold(
        format!("{RUN}, started_ms"),
        &run["started_ms"],
        &json!(journal.started_ms),
    );
    for (path, count) in counts(run, journal) {
        let here = run.pointer(&format!("/{}", path.replace('.', "/")));
        // What was never counted is not written: overlay and services of runs that ask neither.
        if here.is_some() || count > 0 {
            hold(
                format!("{RUN}, {path}"),
                here.unwrap_or(&Value::Null),
                &json!(count),
            );
        }
    }
    for level in plans(run) {
        let known = contents.pack.tasks.get(&level.level);
        for task in &level.tasks {
            if !known.is_some_and(|tasks| tasks.iter().any(|known| known.id == *task)) {
                hold(
                    format!("{RUN}, levels.{}", level.level),
                    &json!(task),
                    &Value::Null,
                );
            }
        }
    }
    if findings.failures() == before {
        let attempts = journal.attempts.len().to_string();
        findings.held(CheckName::Run, RUN, Said::RunHeld { attempts });
    }
}

/// The levels and tasks that a run planned.
pub(super) fn plans(run: &Value) -> Vec<LevelPlan> {
    Vec::deserialize(&run["levels"]).unwrap_or_default()
}

/// What `run.json` counts, counted again.
fn counts(run: &Value, journal: &JournalFacts) -> Vec<(&'static str, u64)> {
    let attempts = &journal.attempts;
    let number = |is: &dyn Fn(&AttemptRecord) -> bool| attempts.iter().filter(|a| is(a)).count() as u64;
    let answered = |source: AnswerSource| {
        let calls = attempts.iter().flat_map(|attempt| &attempt.calls);
        calls.filter(|call| call.source == source).count() as u64
    };
    let tasks: usize = plans(run).iter().map(|level| level.tasks.len()).sum();
    let repetitions = journal.spec()["repetitions"].as_u64().unwrap_or_default();
    let steps = attempts.iter().flat_map(|attempt| &attempt.steps);
    vec![
        ("attempts.planned", tasks as u64 * repetitions),
        ("attempts.done", number(&|_| true)),
        ("attempts.failed", number(&|attempt| attempt.stop.is_technical())),
        ("attempts.cut_off", number(&AttemptRecord::cut_off)),
        (
            "steps_without_usage",
            steps.filter(|step| step.usage.is_none()).count() as u64,
        ),
        ("cache.hit", answered(AnswerSource::Hit)),
        ("cache.miss", answered(AnswerSource::Miss)),
        ("cache.injected", answered(AnswerSource::Injected)),
        ("cache.refused", answered(AnswerSource::Refused)),
        ("cache.live", answered(AnswerSource::Live)),
        ("cache.overlay", answered(AnswerSource::Overlay)),
    ]
}

pub(super) fn check_pack(contents: &Contents, findings: &mut Findings) {
    let identity = contents
        .run
        .as_ref()
        .and_then(|run| PackIdentity::deserialize(&run["spec"]["identity"]).ok());
    let Some(identity) = identity else {
        return findings.open(CheckName::Pack, "pack", Said::PackUnknown {});
    };
    let before = findings.failures();
    let found = tasks_sha256(&contents.pack.tasks);
    if found != identity.tasks_sha256 {
        let stated = identity.tasks_sha256.clone();
        findings.failed(
            CheckName::Pack,
            "pack/tasks",
            Said::TasksChanged { found, stated },
        );
    }
    for (name, sha256) in &identity.tools {
        let tool = name.clone();
        match contents.pack.tool(name) {
            None => findings.failed(CheckName::Pack, TOOLS, Said::ToolLost { tool }),
            Some(spec) if tool_sha256(spec) != *sha256 => {
                findings.failed(CheckName::Pack, TOOLS, Said::ToolChanged { tool });
            }
            Some(_) => {}
        }
    }
    if findings.failures() == before {
        let said = Said::PackHeld {
            tasks: contents
                .pack
                .tasks
                .values()
                .map(Vec::len)
                .sum::<usize>()
                .to_string(),
            tools: identity.tools.len().to_string(),
        };
        findings.held(CheckName::Pack, "pack", said);
    }
}
