//! Attempts that ended before they could be judged, and missing answers.

use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::finding::Finding;
use crate::atlas::loss::{error_of, technical};
use koab_core::python::truthy;
use koab_core::run_record::StopReason;
use koab_core::score::MetricId::{self, ContextRetention, EffScore, EprCvr, PassAtK, RefRecall, RespOk, Sr};
use serde_json::Value;

/// Output limit of the published runner, in tokens.
const MAX_OUTPUT_TOKENS: u64 = 1024;
/// Step limit of the published runner.
const MAX_STEPS: u64 = 10;
/// Minimum length of an answer, in characters. The published judges use the same minimum.
const MIN_ANSWER_CHARS: usize = 3;

const OF_NO_ANSWER: [MetricId; 7] = [Sr, PassAtK, RespOk, EffScore, ContextRetention, RefRecall, EprCvr];

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(ended(case));
    findings.extend(repetitions(case));
    findings.extend(no_answer(case));
    findings.extend(step_limit(case));
    findings.extend(cut_off(case));
    findings
}

/// Finding for an attempt that ended for a reason that gives no information about the model. The
/// finding explains all losses.
fn ended(case: &Case<'_>) -> Option<Finding> {
    if !technical(case.attempt) {
        return None;
    }
    let error = error_of(case.task()).unwrap_or_default();
    let words = error.to_lowercase();
    let cause = match case.attempt.stop {
        Some(StopReason::TimedOut) => Cause::TimedOut,
        Some(StopReason::BudgetSpent | StopReason::Cancelled) => Cause::Stopped,
        _ if ["timeout", "timed out", "time limit"].iter().any(|word| words.contains(word)) => {
            Cause::TimedOut
        }
        _ => Cause::ModelFailed,
    };
    let all: Vec<MetricId> = case.losses.all.iter().map(|loss| loss.metric).collect();
    Some(Finding::new(cause, &all).quote(error))
}

fn repetitions(case: &Case<'_>) -> Option<Finding> {
    let results = case.task().ends();
    let failed = results.iter().skip(1).position(|answered| !answered)?;
    Some(
        Finding::new(Cause::RepetitionFailed, &[PassAtK])
            .expected("true")
            .found(&Value::Bool(false))
            .quote(&format!("repetition_results[{}]", failed + 1)),
    )
}

fn no_answer(case: &Case<'_>) -> Option<Finding> {
    if technical(case.attempt) {
        return None;
    }
    let answer = case.answer();
    if case.attempt.cx.level.is_multi_turn() && case.task().answer_is_seeded() {
        return Some(Finding::new(Cause::SeededAnswer, &OF_NO_ANSWER).quote(&answer));
    }
    let characters = answer.trim().chars().count();
    (characters < MIN_ANSWER_CHARS).then(|| {
        Finding::new(Cause::EmptyAnswer, &OF_NO_ANSWER[..6]).found(match case.task().get("final_response") {
            Value::Null => "null".to_owned(),
            other => other.to_string(),
        })
    })
}

/// Finding for an attempt that reached its step limit.
///
/// Without a journal, the log shows this: the attempt has as many steps as the published limit, and
/// the last step calls a tool.
fn step_limit(case: &Case<'_>) -> Option<Finding> {
    let steps = case.task().get("steps_taken").as_u64();
    let last = case.calls().iter().rposition(|_| true)?;
    let call = &case.calls()[last];
    let by_log = steps.is_some_and(|steps| steps >= MAX_STEPS && call.step.as_u64() == Some(steps));
    let limit = match case.attempt.stop {
        Some(stop) => stop == StopReason::StepLimit,
        None => by_log,
    };
    limit.then(|| {
        Finding::new(Cause::StepLimit, &OF_NO_ANSWER[..6])
            .at(last, call)
            .found(steps.map(|steps| steps.to_string()))
    })
}

fn cut_off(case: &Case<'_>) -> Option<Finding> {
    let answer = case.answer();
    let is_recorded = case.attempt.stop == Some(StopReason::CutOff) || truthy(case.task().get("cut_off"));
    let tokens = case.task().get("token_usage").get("completion_tokens").and_then(Value::as_u64);
    let long = tokens.is_some_and(|tokens| tokens >= MAX_OUTPUT_TOKENS);
    // An attempt whose last step called a tool has no answer that could be cut off.
    let steps = case.task().get("steps_taken");
    let called = case.calls().last().is_some_and(|call| call.step == *steps);
    let guessed = long && !called && ends_within_a_sentence(&answer) && case.lost_by_judges();
    (is_recorded || guessed).then(|| {
        let tail: Vec<char> = answer.trim().chars().rev().take(60).collect();
        let tail: String = tail.into_iter().rev().collect();
        Finding::new(Cause::CutOff, &[Sr, PassAtK, EffScore, ContextRetention, RefRecall])
            .found(tokens.map(|tokens| tokens.to_string()))
            .quote(&tail)
    })
}

fn ends_within_a_sentence(answer: &str) -> bool {
    let answer = answer.trim_end();
    // Closed bold type ends a title, and a pictogram ends a friendly answer.
    let open_bold = answer.matches("**").count() % 2 == 1;
    let last = answer.chars().next_back();
    open_bold || last.is_some_and(|last| last.is_alphanumeric() || ":,-·/&=".contains(last))
}
