//! What was asked, and what answered the tools: tasks, texts of tools, prompts, recordings.

use super::evidence::Evidence;
use super::{ObjectionCode, ObjectionSeverity, Objections, Told, within};
use crate::comparability::{
    CallsBasis, Facts, HIT_RATE_COMPARABLE, HIT_RATE_LIMITED, LOST_COMPARABLE, LOST_LIMITED,
    PUBLISHED_PROMPTS, PUBLISHED_RECORDS, PUBLISHED_TASKS, PackName, RecordingsFrom, Said, published_tool,
};
use crate::submission::files::paths;

pub(super) fn check(evidence: &Evidence<'_>, found: &mut Objections) {
    let facts = &evidence.submission.facts;
    asked_with(facts, found);
    prompts(evidence, found);
    recordings(facts, found);
    calls(facts, found);
}

fn place(field: &str) -> String {
    within(paths::SUBMISSION, &format!("facts.{field}"))
}

fn label(facts: &Facts) -> String {
    facts
        .pack
        .value
        .as_ref()
        .map_or_else(|| "?".to_owned(), PackName::label)
}

fn not_known(found: &mut Objections, field: &str, sentence: Said) {
    found.asked(ObjectionCode::NotKnown, place(field), sentence, Said::RunHere {});
}

fn asked_with(facts: &Facts, found: &mut Objections) {
    let pack = label(facts);
    match facts.tasks_sha256.get() {
        Ok(sha256) if sha256 == PUBLISHED_TASKS => {}
        Ok(_) => found.blocks(
            ObjectionCode::OtherTasks,
            place("tasks_sha256"),
            Said::OtherTasks { pack },
            Said::UsePublished {},
        ),
        Err(reason) => {
            let reason = reason.to_owned();
            not_known(found, "tasks_sha256", Said::TasksUnknown { reason });
        }
    }
    match facts.tools.get() {
        Ok(tools) => {
            let others = tools
                .iter()
                .filter(|(name, sha256)| published_tool(name) != Some(sha256.as_str()));
            let others: Vec<&str> = others.map(|(name, _)| name.as_str()).collect();
            if !others.is_empty() {
                let said = Said::OtherTools {
                    tools: others.join(", "),
                };
                found.blocks(
                    ObjectionCode::OtherTools,
                    place("tools"),
                    said,
                    Said::UsePublished {},
                );
            }
        }
        Err(reason) => {
            let reason = reason.to_owned();
            not_known(found, "tools", Said::ToolsUnknown { reason });
        }
    }
}

fn prompts(evidence: &Evidence<'_>, found: &mut Objections) {
    let at = within(paths::SUBMISSION, "prompts_sha256");
    match evidence.submission.prompts_sha256.get() {
        Ok(sha256) if sha256 == PUBLISHED_PROMPTS => {}
        Ok(_) => found.blocks(
            ObjectionCode::OtherPrompts,
            at,
            Told::OtherPrompts {},
            Said::UsePublished {},
        ),
        Err(reason) => {
            let reason = reason.to_owned();
            let said = Told::PromptsUnknown { reason };
            found.asked(ObjectionCode::NotKnown, at, said, Said::UsePublished {});
        }
    }
}

fn recordings(facts: &Facts, found: &mut Objections) {
    let code = ObjectionCode::OtherRecordings;
    let cache = facts.cache.value.as_ref();
    if let Some(cache) = cache.filter(|cache| cache.source == RecordingsFrom::Snapshot) {
        if cache.sha256.as_deref() != Some(PUBLISHED_RECORDS) {
            let name = cache.snapshot.clone().unwrap_or_else(|| "?".to_owned());
            found.asked(
                code,
                place("cache"),
                Said::FromSnapshot { name },
                Said::SameTime {},
            );
        }
        return;
    }
    match facts.records_sha256.get() {
        Ok(sha256) if sha256 == PUBLISHED_RECORDS => {}
        Ok(_) => {
            let said = Said::OtherRecords { pack: label(facts) };
            found.asked(code, place("records_sha256"), said, Said::UsePublished {});
        }
        Err(reason) => {
            let reason = reason.to_owned();
            not_known(found, "records_sha256", Said::RecordsUnknown { reason });
        }
    }
}

fn calls(facts: &Facts, found: &mut Objections) {
    let calls = match facts.calls.get() {
        Ok(calls) if calls.basis == CallsBasis::Recorded => calls,
        calls => {
            let reason = calls
                .err()
                .map_or_else(|| Said::MadeElsewhere {}.to_string(), str::to_owned);
            return not_known(found, "calls", Said::CallsUnknown { reason });
        }
    };
    let whole = calls.whole();
    let rate = whole.answered_rate().unwrap_or(1.0);
    let is_low = whole.lost() > LOST_LIMITED || rate < HIT_RATE_LIMITED;
    if is_low || whole.lost() > LOST_COMPARABLE || rate < HIT_RATE_COMPARABLE {
        let [miss, asked, touched, attempts] =
            [whole.miss, whole.asked(), whole.touched, whole.attempts].map(|count| count.to_string());
        let rate = crate::comparability::percent(rate);
        let (severity, said) = if is_low {
            let said = Said::ManyMisses {
                miss,
                asked,
                rate,
                touched,
                attempts,
            };
            (ObjectionSeverity::Blocks, said)
        } else {
            let said = Said::SomeMisses {
                miss,
                asked,
                rate,
                touched,
                attempts,
            };
            (ObjectionSeverity::Asked, said)
        };
        let code = ObjectionCode::LowHitRate;
        found.push(code, severity, place("calls"), said, Said::FillMisses {});
    }
    let outside = whole.live + whole.overlay;
    if outside > 0 {
        let said = Said::LiveAnswers {
            count: outside.to_string(),
            asked: whole.asked().to_string(),
        };
        found.asked(
            ObjectionCode::OtherRecordings,
            place("calls"),
            said,
            Said::SameTime {},
        );
    }
}
