//! Losses caused by judges, or by the input that judges received.

use crate::atlas::attempt::judged;
use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::finding::Finding;
use koab_core::level::Level;
use koab_core::log::LoggedTask;
use koab_core::score::MetricId::{self, ArgAcc, ContextRetention, RefRecall, Sr};
use koab_core::score::{args_of, compare_arguments, tool_of};
use serde_json::Value;

/// Minimum score of a grade that means little or no fault: grade 4 on the scale from 1 to 5.
const LITTLE_FAULT: f64 = 0.75;
/// Relative difference of two values of a field above which the field counts as changed.
const CHANGED: f64 = 0.02;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for metric in judged().filter(|metric| case.lost(*metric)) {
        findings.extend(failed(case, metric));
        findings.extend(split(case, metric));
    }
    findings.extend(against_log(case));
    if *case.attempt.cx.level == Level::L7 && !case.task().answer_is_seeded() {
        findings.extend(first_question(case));
        findings.extend(seeded_turn(case));
        findings.extend(seed_conflict(case));
    }
    findings
}

fn failed(case: &Case<'_>, metric: MetricId) -> Option<Finding> {
    let (judge, why) = case.verdicts(metric).find_map(|one| Some((&one.judge, one.failure()?)))?;
    Some(Finding::new(Cause::JudgeFailed, &[metric]).found(judge.as_str()).quote(&why.to_string()))
}

/// Finding for votes or judges that disagree: they differ on yes or no, or by more than one grade.
fn split(case: &Case<'_>, metric: MetricId) -> Option<Finding> {
    let verdicts: Vec<(bool, i64, String)> = case
        .verdicts(metric)
        .filter(|verdict| verdict.failure().is_none())
        .map(|verdict| verdict.published())
        .collect();
    let yes = verdicts.iter().filter(|(success, ..)| *success).count();
    let is_vote = matches!(metric, Sr | MetricId::EffScore);
    let grades = verdicts.iter().map(|(_, grade, _)| *grade);
    let apart = grades.clone().max().unwrap_or(0) - grades.min().unwrap_or(0);
    let splits = if is_vote { yes > 0 && yes < verdicts.len() } else { apart > 1 };
    splits.then(|| {
        let votes = if is_vote {
            format!("{yes}/{}", verdicts.len())
        } else {
            let grades: Vec<String> = verdicts.iter().map(|(_, grade, _)| grade.to_string()).collect();
            grades.join(", ")
        };
        let other = verdicts.iter().find(|(success, ..)| *success).or(verdicts.last());
        let reason = other.map(|(.., reason)| reason.as_str()).unwrap_or_default();
        Finding::new(Cause::JudgeSplit, &[metric]).found(votes).quote(reason)
    })
}

/// Finding for a low `ArgAcc` although the arguments are equal except for defaults and notation.
fn against_log(case: &Case<'_>) -> Option<Finding> {
    let golden = case.task().list("golden_action").first().filter(|_| case.lost(ArgAcc))?;
    let tool = tool_of(golden)?;
    let place = case.calls().iter().position(|call| call.is_to(tool))?;
    let call = &case.calls()[place];
    let arguments = compare_arguments(&args_of(golden), &call.args, case.task().get("arg_schema"));
    let same = arguments.iter().all(|argument| {
        let cause = super::arguments::cause_of(argument);
        matches!(cause, None | Some(Cause::DefaultArgument | Cause::ArgumentForm))
    });
    same.then(|| {
        let finding = Finding::new(Cause::GradedAgainstLog, &[ArgAcc]).at(place, call);
        finding.expected(&args_of(golden)).found(&call.args)
    })
}

/// Finding for a verdict on the first question of a conversation.
///
/// The published judge receives the first question together with the answer to the last one
/// (`docs/spec/metrics.md` §11, 23). On L6 the last question repeats the first; on L7 it is a
/// different question.
fn first_question(case: &Case<'_>) -> Option<Finding> {
    let first = case.task().get("instruction").as_str()?;
    let last = case.task().last_question()?;
    if case.attempt.cx.is_corrected() || first.trim() == last.trim() || !case.lost(Sr) {
        return None;
    }
    let no = case.verdicts(Sr).find_map(|verdict| {
        let (success, _, reason) = verdict.published();
        (!success && verdict.failure().is_none()).then_some(reason)
    })?;
    let content = [ContextRetention, RefRecall].into_iter().all(|metric| {
        let score = case.attempt.scores.iter().find(|(id, _)| *id == metric);
        score.and_then(|(_, score)| score.value()).is_some_and(|value| value >= LITTLE_FAULT)
    });
    content.then(|| Finding::new(Cause::FirstQuestion, &[Sr]).expected(last).found(first).quote(&no))
}

/// Finding for a result of the tested turn that the dataset already contains (§11, 24).
///
/// The judged conversation then has this turn twice, or the model only repeated the result.
fn seeded_turn(case: &Case<'_>) -> Option<Finding> {
    let messages = case.task().messages();
    let role = |message: &Value| message.get("role").and_then(Value::as_str).map(ToOwned::to_owned);
    let question = messages.iter().rposition(|message| role(message).as_deref() == Some("user"))?;
    let after = &messages[question + 1..];
    let seeded = after.iter().find(|message| {
        let id = message.get("tool_call_id").and_then(Value::as_str);
        id.is_some_and(|id| id.starts_with("seed_call_"))
    })?;
    let own = after.iter().find(|message| role(message).as_deref() == Some("assistant"));
    let quote = own.and_then(|message| message.get("content")?.as_str()).unwrap_or_default();
    let finding = Finding::new(Cause::SeededTurn, &[ContextRetention, RefRecall]);
    Some(finding.expected(seeded.get("content")).quote(quote))
}

/// Finding for a call whose price differs from the dataset's result for the same market. A judge
/// who sees no results takes this for forgetting.
fn seed_conflict(case: &Case<'_>) -> Option<Finding> {
    for (place, call) in case.calls().iter().enumerate().filter(|(_, call)| call.succeeded()) {
        for seeded in seeded_results(case.task()) {
            let same = marker(seeded).is_some_and(|market| marker(&call.result) == Some(market));
            let Some(((_, before), (field, now))) = price(seeded).zip(price(&call.result)).filter(|_| same)
            else {
                continue;
            };
            if (now - before).abs() > before.abs() * CHANGED {
                let finding =
                    Finding::new(Cause::SeedConflict, &[ContextRetention, RefRecall]).at(place, call);
                return Some(finding.argument(field).expected(before.to_string()).found(now.to_string()));
            }
        }
    }
    None
}

/// Fields that contain a current price.
const PRICES: [&str; 5] = ["trade_price", "current_price", "closing_price", "stck_prpr", "price"];

/// Current price in a result, and the field that contains it.
fn price(result: &Value) -> Option<(&'static str, f64)> {
    let first = first(result)?;
    PRICES.into_iter().find_map(|field| Some((field, first.get(field)?.as_f64()?)))
}

fn first(result: &Value) -> Option<&Value> {
    match result {
        Value::Array(list) => list.first(),
        other => Some(other),
    }
}

/// Market that a result's price belongs to.
fn marker(result: &Value) -> Option<&str> {
    let first = first(result)?;
    first.get("market").or_else(|| first.get("symbol"))?.as_str()
}

fn seeded_results(task: &LoggedTask) -> impl Iterator<Item = &Value> {
    let messages = task.messages().iter();
    messages
        .filter(|message| {
            let id = message.get("tool_call_id").and_then(Value::as_str);
            id.is_some_and(|id| id.starts_with("seed_call_"))
        })
        .filter_map(|message| message.get("content"))
}
