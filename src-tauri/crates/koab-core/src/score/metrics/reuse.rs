//! Metrics of reuse (L6): `ReuseRate` and `RedundantCallRate`; [`efficiency`] has `EffScore`.
//!
//! The golden path of an L6 task contains calls and `context_used` markers. A marker is a chance to
//! answer from data in the conversation. The results to reuse come from the dataset's own turns,
//! whose calls are not in the log's `tool_calls`; the published rules overlook these calls.

mod efficiency;

pub(crate) use efficiency::{assess as assess_eff_score, conclude as conclude_eff_score, least_calls};

use crate::reason::Reason;
use crate::score::Score;
use crate::score::task_context::{Signature, TaskContext, args_of, call_signature, signature, tool_of};
use serde_json::{Value, json};
use std::collections::HashSet;

/// An entry of the golden path.
enum Golden<'a> {
    Call(&'a str, Signature),
    Reuse,
}

/// The golden path without entries that are neither calls nor markers.
fn timeline<'a>(cx: &TaskContext<'a>) -> Vec<Golden<'a>> {
    cx.golden()
        .iter()
        .filter_map(|entry| match tool_of(entry) {
            Some(tool) => Some(Golden::Call(tool, signature(tool, &args_of(entry)))),
            None => is_marker(entry).then_some(Golden::Reuse),
        })
        .collect()
}

fn is_marker(entry: &Value) -> bool {
    entry.get("action").and_then(Value::as_str) == Some("context_used")
}

fn opportunities(cx: &TaskContext<'_>) -> usize {
    cx.golden().iter().filter(|entry| is_marker(entry)).count()
}

/// Signatures of the successful calls, in order.
fn successful(cx: &TaskContext<'_>) -> Vec<Signature> {
    cx.calls().iter().filter(|call| call.succeeded()).map(call_signature).collect()
}

/// Signatures of the calls in the dataset's own turns; empty under the leaderboard rules.
///
/// They are the first N golden calls, where N is the number of seeded results.
fn seeded(cx: &TaskContext<'_>, timeline: &[Golden<'_>]) -> HashSet<Signature> {
    let count = if cx.is_corrected() { cx.task.seeded_results() } else { 0 };
    let calls = timeline.iter().filter_map(|entry| match entry {
        Golden::Call(_, signature) => Some(signature.clone()),
        Golden::Reuse => None,
    });
    calls.take(count).collect()
}

/// Number of calls that repeat an earlier call, and number of distinct new calls.
fn redundancy(calls: &[Signature], mut seen: HashSet<Signature>) -> (usize, usize) {
    let before = seen.len();
    let redundant = calls.iter().filter(|call| !seen.insert((*call).clone())).count();
    (redundant, seen.len() - before)
}

/// Positions of the calls that `RedundantCallRate` counts as redundant.
pub(crate) fn repeats(cx: &TaskContext<'_>) -> Vec<usize> {
    let mut known_calls = seeded(cx, &timeline(cx));
    let calls = cx.calls().iter().enumerate();
    let successful = calls.filter(|(_, call)| call.succeeded());
    successful.filter(|(_, call)| !known_calls.insert(call_signature(call))).map(|(i, _)| i).collect()
}

/// `RedundantCallRate` = 1 − redundant calls / chances for them; 1.0 without a chance.
///
/// The published score has no lower bound and counts only repeats within the tested turn. The
/// corrected score is at least 0.0, and a repeat of a seeded call is also redundant.
pub(crate) fn redundant_call_rate(cx: &TaskContext<'_>) -> Score {
    let chances = opportunities(cx);
    if chances == 0 {
        return if cx.is_corrected() {
            Score::unscored(Reason::NoChanceToReuse {})
        } else {
            Score::scored(1.0, json!({"reuse_opportunities": 0, "reason": "No reuse opportunities"}))
        };
    }
    let calls = successful(cx);
    let (redundant, unique) = redundancy(&calls, seeded(cx, &timeline(cx)));
    let rate = redundant as f64 / chances as f64;
    let score = if cx.is_corrected() { f64::max(0.0, 1.0 - rate) } else { 1.0 - rate };
    Score::scored(
        score,
        json!({
            "reuse_opportunities": chances,
            "redundant_calls": redundant,
            "non_redundant_calls": chances as i64 - redundant as i64,
            "total_calls": calls.len(),
            "unique_calls": unique,
            "redundant_rate": rate,
            "non_redundant_rate": score,
        }),
    )
}

/// `ReuseRate`: share of the chances to reuse a result that the model took.
///
/// Published: credited chances / chances. A chance is credited if the golden call after it follows
/// the last repeat of the golden call before it. If there is no golden call after it, it is
/// credited if the call before it was made exactly once. Corrected: the documented formula reused /
/// (reused + redundant). A result is reused if it was there and its call was never repeated.
pub(crate) fn reuse_rate(cx: &TaskContext<'_>) -> Score {
    let chances = opportunities(cx);
    let timeline = timeline(cx);
    let calls = successful(cx);
    if cx.is_corrected() {
        return documented_reuse(cx, chances, &timeline, &calls);
    }
    if chances == 0 {
        let details = json!({"reuse_opportunities": 0, "reused": 0, "reason": "No reuse opportunities"});
        return Score::scored(0.0, details);
    }
    let reused = markers(&timeline).filter(|(before, after)| is_credited(*before, *after, &calls)).count();
    let golden: Vec<&str> = timeline
        .iter()
        .filter_map(|entry| match entry {
            Golden::Call(tool, _) => Some(*tool),
            Golden::Reuse => None,
        })
        .collect();
    Score::scored(
        reused as f64 / chances as f64,
        json!({
            "reuse_opportunities": chances,
            "reused": reused,
            "total_actual_calls": calls.len(),
            "golden_tools": golden,
        }),
    )
}

fn documented_reuse(
    cx: &TaskContext<'_>,
    chances: usize,
    timeline: &[Golden<'_>],
    calls: &[Signature],
) -> Score {
    if chances == 0 {
        return Score::unscored(Reason::NoChanceToReuse {});
    }
    let seeded = seeded(cx, timeline);
    let reused = markers(timeline)
        .filter(|(before, _)| {
            before.is_some_and(|before| {
                let count = calls.iter().filter(|call| *call == before).count();
                count + usize::from(seeded.contains(before)) == 1
            })
        })
        .count();
    let (redundant, _) = redundancy(calls, seeded);
    if reused + redundant == 0 {
        return Score::unscored(Reason::NothingReused {});
    }
    Score::scored(
        reused as f64 / (reused + redundant) as f64,
        json!({"reuse_opportunities": chances, "reused": reused, "redundant_calls": redundant}),
    )
}

/// Each `context_used` marker with the nearest golden calls before and after it.
fn markers<'a>(
    timeline: &'a [Golden<'_>],
) -> impl Iterator<Item = (Option<&'a Signature>, Option<&'a Signature>)> {
    fn call<'a>(entry: &'a Golden<'_>) -> Option<&'a Signature> {
        match entry {
            Golden::Call(_, signature) => Some(signature),
            Golden::Reuse => None,
        }
    }
    timeline
        .iter()
        .enumerate()
        .filter(|(_, entry)| matches!(entry, Golden::Reuse))
        .map(|(at, _)| (timeline[..at].iter().rev().find_map(call), timeline[at + 1..].iter().find_map(call)))
}

fn is_credited(before: Option<&Signature>, after: Option<&Signature>, calls: &[Signature]) -> bool {
    let Some(before) = before else { return false };
    match after {
        None => calls.iter().filter(|call| *call == before).count() == 1,
        Some(after) => {
            let last_before = calls.iter().rposition(|call| call == before);
            let last_after = calls.iter().rposition(|call| call == after);
            matches!((last_before, last_after), (Some(before), Some(after)) if after > before)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::score::MetricId;
    use crate::score::testing::both;
    use serde_json::{Value, json};

    const MARK: &str = "*";

    fn task(seeded: bool, golden: &[&str], calls: &[&str]) -> Value {
        let golden: Vec<Value> = golden
            .iter()
            .map(|tool| if *tool == MARK { json!({"action": "context_used"}) } else { json!({"tool": tool}) })
            .collect();
        let calls: Vec<Value> =
            calls.iter().map(|tool| json!({"tool_name": tool, "success": true})).collect();
        let messages =
            if seeded { json!([{"role": "tool", "tool_call_id": "seed_call_2_1"}]) } else { json!([]) };
        json!({"golden_action": golden, "tool_calls": calls, "conversation_log": {"messages": messages}})
    }

    #[test]
    fn reuse_is_credited_for_one_call_as_published_and_for_none_when_it_was_seeded() {
        for (seeded, golden, calls, expected) in [
            (true, &["A", MARK][..], &[][..], [Some(0.0), Some(1.0)]),
            (true, &["A", MARK], &["A"], [Some(1.0), Some(0.0)]),
            (false, &["A", MARK], &["A"], [Some(1.0), Some(1.0)]),
            (false, &["A", MARK], &["A", "A"], [Some(0.0), Some(0.0)]),
            (false, &["A", MARK], &[], [Some(0.0), None]),
            (false, &["A", MARK, "B"], &["A", "B"], [Some(1.0), Some(1.0)]),
            (false, &["A", MARK, "B"], &["B", "A"], [Some(0.0), Some(1.0)]),
            (false, &["A", MARK, "A"], &["A", "A"], [Some(0.0), Some(0.0)]),
            (false, &["A", MARK, MARK], &["A"], [Some(1.0), Some(1.0)]),
            (false, &[MARK, "A"], &["A"], [Some(0.0), None]),
            (false, &["A"], &["A"], [Some(0.0), None]),
        ] {
            let task = task(seeded, golden, calls);
            assert_eq!(both(MetricId::ReuseRate, &task), expected, "{seeded} {golden:?} {calls:?}");
        }
    }

    #[test]
    fn repeats_count_against_the_chances_and_the_corrected_rate_never_falls_below_zero() {
        for (seeded, golden, calls, expected) in [
            (false, &["A", MARK][..], &["A"][..], [Some(1.0), Some(1.0)]),
            (false, &["A", MARK, MARK], &["A", "A"], [Some(0.5), Some(0.5)]),
            (false, &["A", MARK], &["A", "A", "A"], [Some(-1.0), Some(0.0)]),
            (true, &["A", MARK], &["A"], [Some(1.0), Some(0.0)]),
            (true, &["A", MARK], &["B"], [Some(1.0), Some(1.0)]),
            (false, &["A"], &["A", "A"], [Some(1.0), None]),
        ] {
            let task = task(seeded, golden, calls);
            assert_eq!(both(MetricId::RedundantCallRate, &task), expected, "{seeded} {golden:?} {calls:?}");
        }
    }
}
