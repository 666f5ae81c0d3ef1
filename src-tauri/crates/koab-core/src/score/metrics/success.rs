//! SR (all levels): judges decide whether the request was fulfilled.

use crate::judge::{Inputs, Verdict, settled};
use crate::level::Level;
use crate::python::{Dumps, dumps, to_str};
use crate::score::task_context::TaskContext;
use crate::score::{Assessment, Score, path};
use serde_json::{Map, Value, json};

/// Text for the judge if no tool results are known.
const NO_GOLDEN_CONTEXT: &str = "(도구 호출 결과에서 추출된 정보 없음)";
/// Reason in the published details of an L5 task whose fallback tools were not called.
const NO_FALLBACK: &str = "L5 task with fallback options but none were invoked";
const NO_RESPONSE: &str = "응답이 생성되지 않음";

/// Returns the texts for the judge. The score is 0.0 without a judge for a response below 3
/// characters, and for an L5 task whose fallbacks were not called.
///
/// Otherwise the first judge votes (`docs/spec/metrics.md` §4).
pub(crate) fn assess(cx: &TaskContext<'_>) -> Assessment {
    if is_error_task(cx) {
        let fallbacks = cx.fallback_tools();
        let tried = cx.calls().iter().any(|call| call.name().is_some_and(|name| fallbacks.contains(&name)));
        if !fallbacks.is_empty() && !tried {
            return Assessment::Decided(unasked(NO_FALLBACK));
        }
    }
    let response = cx.response();
    if response.trim().chars().count() < 3 {
        return Assessment::Decided(unasked(NO_RESPONSE));
    }
    Assessment::Ask(Inputs::new([
        ("instruction", cx.question()),
        ("final_response", response),
        ("tool_calls", cx.calls_for_judge()),
        ("golden_context", golden_context(cx).unwrap_or_else(|| NO_GOLDEN_CONTEXT.to_owned())),
    ]))
}

/// Success if more votes are yes than no. Under the leaderboard rules an unusable answer counts as
/// no. While votes are missing, there is a score only if they cannot change it.
pub(crate) fn conclude(cx: &TaskContext<'_>, verdicts: &[&Verdict]) -> Score {
    let answers: Vec<_> = verdicts.iter().map(|verdict| verdict.published()).collect();
    let open = verdicts.iter().filter(|verdict| cx.is_open(verdict)).count();
    let yes = answers.iter().filter(|(success, ..)| *success).count();
    let no = answers.len() - yes;
    let Some(success) = settled(yes, no - open, open) else {
        return crate::score::value::unanswered(verdicts);
    };
    let verdict = if success { "성공" } else { "실패" };
    Score::scored(
        if success { 1.0 } else { 0.0 },
        json!({
            "success": success,
            "votes": answers.iter().map(|(success, ..)| *success).collect::<Vec<_>>(),
            "vote_count": {"success": yes, "fail": no},
            "reasons": answers.iter().map(|(.., reason)| reason.as_str()).collect::<Vec<_>>(),
            "final_reason": format!("{yes}/{} 투표로 {verdict} 판정", answers.len()),
        }),
    )
}

fn unasked(reason: &str) -> Score {
    Score::scored(
        0.0,
        json!({
            "success": false,
            "votes": [],
            "vote_count": {"success": 0, "fail": 0},
            "reasons": [reason],
            "final_reason": reason,
        }),
    )
}

/// Whether the task belongs to L5. The published rule reads the task's own level, which is missing
/// in one L5 task; the corrected rule uses the level of the file.
fn is_error_task(cx: &TaskContext<'_>) -> bool {
    if cx.is_corrected() {
        return *cx.level == Level::L5;
    }
    match cx.task.get("level") {
        Value::Number(number) => number.as_f64() == Some(5.0),
        Value::String(text) => matches!(text.trim().to_ascii_uppercase().as_str(), "5" | "L5"),
        _ => false,
    }
}

/// Values of the decisive fields in the results of successful calls, as indented JSON; `None`
/// without such values.
///
/// The published evaluator does not use `golden_fields`, so its judges never see these values.
fn golden_context(cx: &TaskContext<'_>) -> Option<String> {
    if !cx.is_corrected() {
        return None;
    }
    let golden_fields = cx.dataset_key("golden_fields").as_array()?;
    let mut results = Vec::new();
    for call in cx.calls().iter().filter(|call| call.succeeded() && !call.result.is_null()) {
        let paths = golden_fields
            .iter()
            .filter(|entry| entry.get("tool") == Some(&call.tool))
            .filter_map(|entry| entry.get("fields").and_then(Value::as_array))
            .flatten()
            .map(to_str);
        let values: Map<String, Value> = paths
            .filter_map(|path| path::resolve(&call.result, &path).cloned().map(|value| (path, value)))
            .collect();
        if !values.is_empty() {
            results.push(json!({"tool": call.tool, "fields": values}));
        }
    }
    (!results.is_empty())
        .then(|| dumps(&Value::Array(results), Dumps { indent: Some(2), ..Dumps::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Panel;
    use crate::log::LoggedTask;
    use crate::protocol::Protocol;
    use crate::score::MetricId;
    use crate::score::testing::{score_on, yes};

    fn sr(level: &Level, scorer: Protocol, task: &Value, verdicts: &[Verdict]) -> Option<f64> {
        score_on(level, MetricId::Sr, scorer, task, None, verdicts).value()
    }

    #[test]
    fn three_votes_decide_by_majority() {
        let task = json!({"final_response": "답변입니다"});
        for (votes, expected) in
            [([true, true, false], 1.0), ([true, false, false], 0.0), ([true, true, true], 1.0)]
        {
            let verdicts = votes.map(|vote| yes("j", MetricId::Sr, vote));
            for scorer in [Protocol::Leaderboard, Protocol::Corrected] {
                assert_eq!(sr(&Level::L1, scorer, &task, &verdicts), Some(expected));
            }
        }
    }

    #[test]
    fn a_failed_answer_votes_no_for_the_leaderboard_and_leaves_an_open_vote_unscored_when_corrected() {
        let task = json!({"final_response": "답변입니다"});
        let failed = Verdict::failed("j", MetricId::Sr, "no JSON");
        let none = Verdict::unanswered("j", MetricId::Sr, "timeout");
        let vote = |success| yes("j", MetricId::Sr, success);
        for (verdicts, expected) in [
            ([vote(true), vote(true), failed.clone()], [Some(1.0), Some(1.0)]),
            ([vote(true), vote(false), failed.clone()], [Some(0.0), None]),
            ([vote(true), vote(true), none.clone()], [Some(1.0), Some(1.0)]),
            ([vote(true), vote(false), none.clone()], [None; 2]),
            ([vote(false), failed.clone(), none.clone()], [Some(0.0), None]),
            ([none.clone(), none.clone(), none], [None; 2]),
            ([failed.clone(), failed.clone(), failed], [Some(0.0), None]),
        ] {
            let found = [Protocol::Leaderboard, Protocol::Corrected]
                .map(|scorer| sr(&Level::L1, scorer, &task, &verdicts));
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn no_judge_is_needed_for_an_empty_answer_or_an_untried_fallback() {
        let fallback = json!([{"tool": "B"}]);
        for (level, task, expected) in [
            (Level::L1, json!({"final_response": null}), [Some(0.0); 2]),
            (Level::L1, json!({"final_response": " 네 "}), [Some(0.0); 2]),
            (Level::L1, json!({"final_response": "충분히 길다"}), [None; 2]),
            (
                Level::L5,
                json!({"level": 5, "final_response": "답변입니다", "fallback_options": fallback}),
                [Some(0.0); 2],
            ),
            // L5-016 has no level of its own, so the published rule overlooks it.
            (
                Level::L5,
                json!({"level": 0, "final_response": "답변입니다", "fallback_options": fallback}),
                [None, Some(0.0)],
            ),
            (
                Level::L5,
                json!({"level": 5, "final_response": "답변입니다", "fallback_options": fallback,
                       "tool_calls": [{"tool_name": "B"}]}),
                [None; 2],
            ),
        ] {
            let found =
                [Protocol::Leaderboard, Protocol::Corrected].map(|scorer| sr(&level, scorer, &task, &[]));
            assert_eq!(found, expected, "{task}");
        }
    }

    #[test]
    fn the_corrected_question_is_the_last_one_and_shows_the_golden_fields() {
        let task = LoggedTask::read(
            0,
            &json!({
                "instruction": "first", "final_response": "답변입니다", "steps_taken": 1,
                "conversation_log": {"messages": [
                    {"role": "user", "content": "first"}, {"role": "assistant", "content": "x"},
                    {"role": "user", "content": "last"}, {"role": "assistant", "content": "답변입니다"},
                ]},
                "tool_calls": [{"tool_name": "A", "success": true, "result": {"p": [{"n": "값"}]}}],
            }),
        )
        .unwrap();
        let dataset = json!({"golden_fields": [{"tool": "A", "fields": ["p[0].n", "p[1].n"]}]});
        let ask = |scorer| {
            let panel = Panel::default();
            let cx = TaskContext {
                level: &Level::L6,
                task: &task,
                dataset: Some(&dataset),
                scorer,
                panel: &panel,
            };
            match assess(&cx) {
                Assessment::Ask(inputs) => {
                    ["instruction", "golden_context"].map(|name| inputs.get(name).unwrap().to_owned())
                }
                Assessment::Decided(score) => panic!("decided: {score:?}"),
            }
        };
        assert_eq!(ask(Protocol::Leaderboard), ["first", NO_GOLDEN_CONTEXT]);
        let [question, context] = ask(Protocol::Corrected);
        assert_eq!(question, "last");
        let context: Value = serde_json::from_str(&context).unwrap();
        assert_eq!(context, json!([{"tool": "A", "fields": {"p[0].n": "값"}}]));
    }
}
