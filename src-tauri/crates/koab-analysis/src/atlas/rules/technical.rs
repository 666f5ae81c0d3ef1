//! Attempts that ended before they could be judged, and answers that are not there.

use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::finding::Finding;
use crate::atlas::loss::{error_of, technical};
use koab_core::python::truthy;
use koab_core::run_record::StopReason;
use koab_core::score::MetricId::{self, ContextRetention, EffScore, EprCvr, PassAtK, RefRecall, RespOk, Sr};
use serde_json::Value;

/// Tokens at which the published runner cuts an answer off.
const OUTPUT_LIMIT: u64 = 1024;
/// Steps after which the published runner ends an attempt.
const STEPS: u64 = 10;
/// Fewer characters are no answer, to the published judges either.
const SHORTEST: usize = 3;

const OF_NO_ANSWER: [MetricId; 7] = [Sr, PassAtK, RespOk, EffScore, ContextRetention, RefRecall, EprCvr];

pub(super) fn find(seen: &Case<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(ended(seen));
    found.extend(repetitions(seen));
    found.extend(no_answer(seen));
    found.extend(step_limit(seen));
    found.extend(cut_off(seen));
    found
}

/// Why an attempt ended that says nothing about its model; it explains all that was lost.
fn ended(seen: &Case<'_>) -> Option<Finding> {
    if !technical(seen.attempt) {
        return None;
    }
    let error = error_of(seen.task()).unwrap_or_default();
    let words = error.to_lowercase();
    let cause = match seen.attempt.stop {
        Some(StopReason::TimedOut) => Cause::TimedOut,
        Some(StopReason::BudgetSpent | StopReason::Cancelled) => Cause::Stopped,
        _ if ["timeout", "timed out", "time limit"].iter().any(|word| words.contains(word)) => {
            Cause::TimedOut
        }
        _ => Cause::ModelFailed,
    };
    let all: Vec<MetricId> = seen.losses.all.iter().map(|loss| loss.metric).collect();
    Some(Finding::new(cause, &all).quote(error))
}

fn repetitions(seen: &Case<'_>) -> Option<Finding> {
    let results = seen.task().ends();
    let failed = results.iter().skip(1).position(|answered| !answered)?;
    Some(
        Finding::new(Cause::RepetitionFailed, &[PassAtK])
            .expected("true")
            .found(&Value::Bool(false))
            .quote(&format!("repetition_results[{}]", failed + 1)),
    )
}

fn no_answer(seen: &Case<'_>) -> Option<Finding> {
    if technical(seen.attempt) {
        return None;
    }
    let answer = seen.answer();
    if seen.attempt.cx.level.is_multi_turn() && seen.task().answer_is_seeded() {
        return Some(Finding::new(Cause::SeededAnswer, &OF_NO_ANSWER).quote(&answer));
    }
    let characters = answer.trim().chars().count();
    (characters < SHORTEST).then(|| {
        Finding::new(Cause::EmptyAnswer, &OF_NO_ANSWER[..6]).found(match seen.task().get("final_response") {
            Value::Null => "null".to_owned(),
            other => other.to_string(),
        })
    })
}

/// Without a journal: as many steps as the published limit, the last of them calling a tool, and no
/// answer after it.
fn step_limit(seen: &Case<'_>) -> Option<Finding> {
    let steps = seen.task().get("steps_taken").as_u64();
    let last = seen.calls().iter().rposition(|_| true)?;
    let call = &seen.calls()[last];
    let by_log = steps.is_some_and(|steps| steps >= STEPS && call.step.as_u64() == Some(steps));
    let limit = match seen.attempt.stop {
        Some(stop) => stop == StopReason::StepLimit,
        None => by_log,
    };
    limit.then(|| {
        Finding::new(Cause::StepLimit, &OF_NO_ANSWER[..6])
            .at(last, call)
            .found(steps.map(|steps| steps.to_string()))
    })
}

fn cut_off(seen: &Case<'_>) -> Option<Finding> {
    let answer = seen.answer();
    let said = seen.attempt.stop == Some(StopReason::CutOff) || truthy(seen.task().get("cut_off"));
    let tokens = seen.task().get("token_usage").get("completion_tokens").and_then(Value::as_u64);
    let long = tokens.is_some_and(|tokens| tokens >= OUTPUT_LIMIT);
    // An attempt whose last step called a tool has no answer that could be cut off.
    let steps = seen.task().get("steps_taken");
    let called = seen.calls().last().is_some_and(|call| call.step == *steps);
    let guessed = long && !called && ends_within_a_sentence(&answer) && seen.lost_by_judges();
    (said || guessed).then(|| {
        let tail: Vec<char> = answer.trim().chars().rev().take(60).collect();
        let tail: String = tail.into_iter().rev().collect();
        Finding::new(Cause::CutOff, &[Sr, PassAtK, EffScore, ContextRetention, RefRecall])
            .found(tokens.map(|tokens| tokens.to_string()))
            .quote(&tail)
    })
}

fn ends_within_a_sentence(answer: &str) -> bool {
    let answer = answer.trim_end();
    // Bold that is closed ends a title, and a pictogram a friendly answer.
    let open_bold = answer.matches("**").count() % 2 == 1;
    let last = answer.chars().next_back();
    open_bold || last.is_some_and(|last| last.is_alphanumeric() || ":,-·/&=".contains(last))
}
