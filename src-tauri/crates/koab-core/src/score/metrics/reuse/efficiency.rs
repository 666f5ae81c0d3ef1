//! `EffScore` (L6): the request was fulfilled with as few calls as possible.

use super::timeline;
use crate::judge::{Inputs, Verdict, settled};
use crate::score::task_context::TaskContext;
use crate::score::value::{Assessment, Score, unanswered};
use serde_json::{Value, json};
use std::collections::HashSet;

/// Returns the texts for the judges. Under the corrected rules the score is 0.0 without a judge if
/// the answer is the dataset's own.
pub(crate) fn assess(cx: &TaskContext<'_>) -> Assessment {
    if cx.has_seeded_answer() {
        let details = json!({"success": false, "reason": "the model gave no answer of its own"});
        return Assessment::Decided(Score::scored(0.0, details));
    }
    Assessment::Ask(Inputs::new([
        ("query", cx.question()),
        ("final_answer", cx.response()),
        ("tool_calls", cx.calls_for_judge()),
    ]))
}

/// `EffScore` = min(1, minimum calls / calls) if a strict majority of judges says yes, else 0.0.
///
/// If the judges say yes and there is no call, the score is 0.0 under the published rules. It is
/// 1.0 under the corrected rules, since the answer was already in the conversation.
pub(crate) fn conclude(cx: &TaskContext<'_>, verdicts: &[&Verdict]) -> Score {
    let answers: Vec<_> =
        verdicts.iter().map(|verdict| (verdict.judge.as_str(), verdict.published())).collect();
    let open = verdicts.iter().filter(|verdict| cx.is_open(verdict)).count();
    let yes = answers.iter().filter(|(_, (success, ..))| *success).count();
    let no = answers.len() - yes;
    let Some(success) = settled(yes, no - open, open) else {
        return unanswered(verdicts);
    };
    let call_count = cx.calls().len();
    let least = least_calls(cx);
    let mut details = json!({"success": success, "actual_calls": call_count, "minimum_calls": least});
    let score = match (success, call_count) {
        (false, _) => 0.0,
        (true, 0) if cx.is_corrected() => 1.0,
        (true, 0) => 0.0,
        (true, call_count) => {
            let efficiency = f64::min(1.0, least.as_f64().unwrap_or(1.0) / call_count as f64);
            details["efficiency"] = json!(efficiency);
            efficiency
        }
    };
    let votes = answers.iter().enumerate().map(|(i, (judge, (success, ..)))| {
        format!("Judge {} ({judge}): {} (type: none)", i + 1, if *success { "Yes" } else { "No" })
    });
    let vote_list = votes.collect::<Vec<_>>().join(", ");
    details["llm_reason"] = json!(format!("Multi-judge vote: {yes}/{}. {vote_list}", answers.len()));
    details["vote_details"] = json!({"positive": yes, "negative": no, "total": answers.len()});
    details["individual_judges"] = answers
        .iter()
        .enumerate()
        .map(|(i, (judge, (success, _, reason)))| {
            json!({"success": success, "reason": reason, "judge_id": i + 1, "judge_model": judge})
        })
        .collect();
    Score::scored(score, details)
}

/// The minimum number of calls: the number of distinct golden calls, at least 1.
///
/// The corrected rules prefer the number in the dataset, which the published evaluator does not
/// use.
pub(crate) fn least_calls(cx: &TaskContext<'_>) -> Value {
    let minimum_calls = cx.dataset_key("minimum_calls");
    if cx.is_corrected() && minimum_calls.as_f64().is_some_and(|calls| calls > 0.0) {
        return minimum_calls.clone();
    }
    let distinct: HashSet<_> = timeline(cx)
        .into_iter()
        .filter_map(|entry| match entry {
            super::Golden::Call(_, signature) => Some(signature),
            super::Golden::Reuse => None,
        })
        .collect();
    json!(distinct.len().max(1))
}

#[cfg(test)]
mod tests {
    use crate::judge::Verdict;
    use crate::level::Level;
    use crate::protocol::Protocol;
    use crate::score::MetricId;
    use crate::score::testing::{score, score_on, yes};
    use serde_json::{Value, json};

    const ID: MetricId = MetricId::EffScore;

    fn task(calls: usize) -> Value {
        let calls = vec![json!({"tool_name": "A", "success": true}); calls];
        json!({"final_response": "답", "tool_calls": calls,
               "golden_action": [{"tool": "A", "args": {"q": 1}}, {"tool": "A", "args": {"q": 1.0}}]})
    }

    #[test]
    fn a_fulfilled_request_scores_by_its_calls() {
        for (calls, votes, expected) in [
            (2, &[true][..], [Some(1.0); 2]),
            (4, &[true], [Some(0.5); 2]),
            (0, &[true], [Some(0.0), Some(1.0)]),
            (2, &[false], [Some(0.0); 2]),
            (2, &[true, false], [Some(0.0); 2]),
        ] {
            let verdicts: Vec<Verdict> =
                votes.iter().enumerate().map(|(i, vote)| yes(&format!("j{i}"), ID, *vote)).collect();
            let found = [Protocol::Leaderboard, Protocol::Corrected]
                .map(|s| score(ID, s, &task(calls), &verdicts).value());
            assert_eq!(found, expected, "{calls} {votes:?}");
        }
    }

    #[test]
    fn the_datasets_minimum_counts_when_corrected() {
        let dataset = json!({"minimum_calls": 1});
        let found = [Protocol::Leaderboard, Protocol::Corrected].map(|scorer| {
            score_on(&Level::L6, ID, scorer, &task(2), Some(&dataset), &[yes("j", ID, true)]).value()
        });
        assert_eq!(found, [Some(1.0), Some(0.5)]);
    }

    #[test]
    fn an_answer_without_use_is_a_no_as_published_and_none_at_all_is_no_score() {
        for (verdict, scores) in [
            (Verdict::failed("j", ID, "no JSON"), [Some(0.0), None]),
            (Verdict::unanswered("j", ID, "timeout"), [None; 2]),
        ] {
            let found = [Protocol::Leaderboard, Protocol::Corrected]
                .map(|rules| score(ID, rules, &task(1), std::slice::from_ref(&verdict)).value());
            assert_eq!(found, scores);
        }
    }
}
