//! `ContextRetention` and `RefRecall` (L7): judges read the conversation and grade what the model
//! remembered.

use crate::judge::{Inputs, Verdict, scale};
use crate::python::truthy;
use crate::score::task_context::TaskContext;
use crate::score::value::{Assessment, Score, unanswered};
use serde_json::{Value, json};

/// Maximum number of characters of an assistant message in a judge's prompt.
const MAX_MESSAGE_CHARS: usize = 500;

/// Returns the texts for the judge. Without a conversation the score is 0.0 without a judge; under
/// the corrected rules also if the last answer is the dataset's.
pub(crate) fn assess(cx: &TaskContext<'_>) -> Assessment {
    if !truthy(cx.task.get("conversation_log")) {
        return Assessment::Decided(Score::scored(0.0, json!({"reason": "no conversation"})));
    }
    if cx.has_seeded_answer() {
        let details = json!({"reason": "the model gave no answer of its own"});
        return Assessment::Decided(Score::scored(0.0, details));
    }
    match transcript(cx) {
        Ok(transcript) => Assessment::Ask(Inputs::new([("formatted_messages", transcript)])),
        Err(error) => Assessment::Decided(Score::Errored { error }),
    }
}

/// Score `max(0, (grade − 1) / 4)`, where `grade` is the rounded average of the judges' grades.
pub(crate) fn conclude(cx: &TaskContext<'_>, verdicts: &[&Verdict]) -> Score {
    if verdicts.iter().any(|verdict| cx.is_open(verdict)) {
        return unanswered(verdicts);
    }
    let answers: Vec<_> =
        verdicts.iter().map(|verdict| (verdict.judge.as_str(), verdict.published())).collect();
    let grades: Vec<i64> = answers.iter().map(|(_, (_, grade, _))| *grade).collect();
    let Some(scale) = scale(&grades, cx.panel.aggregate) else {
        return unanswered(verdicts);
    };
    let grade_list = answers
        .iter()
        .enumerate()
        .map(|(i, (judge, (_, grade, _)))| format!("Judge {} ({judge}): {grade}/5", i + 1))
        .collect::<Vec<_>>()
        .join(", ");
    let messages = cx.task.messages();
    let evaluated =
        messages.iter().filter(|message| message.get("role").and_then(Value::as_str) != Some("tool")).count();
    let judges: Vec<Value> = answers
        .iter()
        .enumerate()
        .map(|(i, (judge, (_, grade, reason)))| {
            json!({"score": grade, "reason": reason, "judge_id": i + 1, "judge_model": judge})
        })
        .collect();
    Score::scored(
        scale.normalized,
        json!({
            "raw_score": scale.rounded,
            "normalized_score": scale.normalized,
            "average_score": scale.average,
            "reason": format!("Multi-judge average: {:.2}/5. {grade_list}", scale.average),
            "total_messages": messages.len(),
            "evaluated_messages": evaluated,
            "individual_judges": judges,
        }),
    )
}

/// The conversation as text, with one line for each user and assistant message. Numbers count all
/// messages, including tool messages.
///
/// # Errors
/// The error that the published code raises at an assistant message without text.
fn transcript(cx: &TaskContext<'_>) -> Result<String, String> {
    let mut lines = Vec::new();
    for (i, message) in cx.task.messages().iter().enumerate() {
        let content = message.get("content").unwrap_or(&Value::Null);
        let line = match message.get("role").and_then(Value::as_str) {
            Some("user") => format!("{}. 사용자: {}", i + 1, content.as_str().unwrap_or_default()),
            Some("assistant") => match content.as_str() {
                Some(text) => format!("{}. 어시스턴트: {}", i + 1, shortened(text)),
                None if cx.is_corrected() => format!("{}. 어시스턴트:", i + 1),
                None => return Err("object of type 'NoneType' has no len()".to_owned()),
            },
            _ => continue,
        };
        lines.push(line);
    }
    Ok(lines.join("\n"))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_MESSAGE_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Panel;
    use crate::level::Level;
    use crate::log::LoggedTask;
    use crate::protocol::Protocol;
    use crate::score::MetricId;
    use crate::score::testing::{grade, score};

    const ID: MetricId = MetricId::RefRecall;

    fn task(messages: Value) -> Value {
        json!({"final_response": "가", "steps_taken": 1, "conversation_log": {"messages": messages}})
    }

    #[test]
    fn grades_become_shares_and_a_missing_conversation_scores_nothing() {
        let asked = task(json!([{"role": "user", "content": "q"}, {"role": "assistant", "content": "가"}]));
        for (task, grades, expected) in [
            (&asked, &[5][..], Some(1.0)),
            (&asked, &[1], Some(0.0)),
            (&asked, &[4, 5], Some(0.75)),
            (&asked, &[], None),
            (&json!({"conversation_log": {}}), &[], Some(0.0)),
        ] {
            let verdicts: Vec<Verdict> =
                grades.iter().enumerate().map(|(i, g)| grade(&format!("j{i}"), ID, *g)).collect();
            assert_eq!(score(ID, Protocol::Leaderboard, task, &verdicts).value(), expected, "{grades:?}");
            assert_eq!(score(ID, Protocol::Corrected, task, &verdicts).value(), expected, "{grades:?}");
        }
    }

    #[test]
    fn a_seeded_answer_is_no_answer_when_corrected() {
        let task = task(json!([
            {"role": "user", "content": "q"}, {"role": "assistant", "content": "가"},
            {"role": "tool", "tool_call_id": "seed_call_2_1", "content": {}},
        ]));
        let verdicts = [grade("j", ID, 4)];
        let found =
            [Protocol::Leaderboard, Protocol::Corrected].map(|s| score(ID, s, &task, &verdicts).value());
        assert_eq!(found, [Some(0.75), Some(0.0)]);
    }

    #[test]
    fn the_transcript_leaves_tool_messages_out_and_cuts_long_answers() {
        let long = "가".repeat(501);
        let task = LoggedTask::read(
            0,
            &task(json!([
                {"role": "user", "content": "q"}, {"role": "tool", "content": {"x": 1}},
                {"role": "assistant", "content": long},
            ])),
        )
        .unwrap();
        let panel = Panel::default();
        let cx = TaskContext {
            level: &Level::L7,
            task: &task,
            dataset: None,
            scorer: Protocol::Leaderboard,
            panel: &panel,
        };
        assert_eq!(transcript(&cx).unwrap(), format!("1. 사용자: q\n3. 어시스턴트: {}...", "가".repeat(500)));
    }
}
