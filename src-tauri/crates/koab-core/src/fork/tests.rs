use super::*;
use crate::event::AnswerSource;
use crate::level::Level;
use crate::log::LoggedTask;
use crate::run_record::{AttemptRecord, CallRecord, StepRecord, StopReason};
use serde_json::{Value, json};

fn call(step: u32, tool: &str) -> CallRecord {
    CallRecord {
        step,
        tool: tool.to_owned(),
        arguments: json!({"q": step}),
        unreadable_arguments: None,
        success: true,
        error: None,
        owner: None,
        source: AnswerSource::Hit,
        result: Some(json!({"was": tool})),
    }
}

fn tool(id: &str, of: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": {"was": of}})
}

/// Given: a question, a seeded answer with a result, a question. Then two steps with calls, and an answer.
fn record() -> AttemptRecord {
    let step = |step| StepRecord {
        step,
        phase: 1,
        ttft_s: None,
        latency_s: 1.0,
        usage: None,
        finish: None,
        left_out: None,
        written: None,
    };
    AttemptRecord {
        task: "L6-001".to_owned(),
        level: Level::L6,
        repetition: 1,
        success: true,
        stop: StopReason::Answered,
        error: None,
        took_s: 3.0,
        steps: vec![step(1), step(2), step(3)],
        calls: vec![call(1, "a"), call(1, "b"), call(2, "c")],
        final_response: Some("done".to_owned()),
        messages: vec![
            json!({"role": "user", "content": "first"}),
            json!({"role": "assistant", "content": "seeded"}),
            tool("seed_call_1_1", "seed"),
            json!({"role": "user", "content": "second"}),
            json!({"role": "assistant", "content": ""}),
            tool("1", "a"),
            tool("2", "b"),
            json!({"role": "assistant", "content": "hm"}),
            tool("3", "c"),
            json!({"role": "assistant", "content": "done"}),
        ],
        agent: None,
    }
}

fn text(at: u32, text: &str) -> ForkEdit {
    let text = text.to_owned();
    ForkEdit { at, to: ForkEditTo::Text { text } }
}

fn result(at: u32, json: &str) -> ForkEdit {
    let json = json.to_owned();
    ForkEdit { at, to: ForkEditTo::Result { json } }
}

fn error(at: u32, kind: &str) -> ForkEdit {
    let error_type = kind.to_owned();
    ForkEdit { at, to: ForkEditTo::Error { error_type } }
}

#[test]
fn each_message_knows_its_step_and_its_call() {
    let parts = parts(&record());
    let told: Vec<(Option<u32>, Option<usize>)> = parts.iter().map(|part| (part.step, part.call)).collect();
    assert_eq!(
        told,
        [
            (None, None),
            (None, None),
            (None, None),
            (None, None),
            (Some(1), None),
            (Some(1), Some(0)),
            (Some(1), Some(1)),
            (Some(2), None),
            (Some(2), Some(2)),
            (Some(3), None),
        ]
    );
}

#[test]
fn without_a_change_in_the_step_it_is_asked_anew() {
    let record = record();
    let whole = begin(&record, 1, &[], None).expect("begun");
    assert_eq!((whole.messages.len(), whole.steps.len(), whole.calls.len()), (4, 0, 0));
    assert_eq!(whole.messages, record.messages[..4]);
    let third = begin(&record, 3, &[text(3, "other")], None).expect("begun");
    assert_eq!((third.messages.len(), third.steps.len(), third.calls.len()), (9, 2, 3));
    assert_eq!(third.messages[3]["content"], "other");
    assert_eq!(third.given, 4);
}

#[test]
fn a_change_in_the_step_keeps_it_and_reaches_record_and_conversation() {
    let record = record();
    let first = begin(&record, 1, &[result(6, r#"{"is": 9007199254740993}"#)], None).expect("begun");
    assert_eq!((first.messages.len(), first.steps.len()), (7, 1));
    assert_eq!(first.messages[6]["content"].to_string(), r#"{"is":9007199254740993}"#);
    assert_eq!(first.calls[1].result, Some(first.messages[6]["content"].clone()));
    assert_eq!(first.calls[0], record.calls[0], "its neighbour stays");
    let second = begin(&record, 2, &[error(8, "timeout"), text(7, "then")], None).expect("begun");
    assert_eq!(second.messages[7]["content"], "then");
    assert_eq!(second.messages[8]["content"], json!({"error": "Request timeout", "error_type": "timeout"}));
    let told = &second.calls[2];
    assert_eq!(
        (told.success, told.error.as_deref(), told.source, &told.result),
        (false, Some("Request timeout"), AnswerSource::Injected, &None)
    );
    let seeded = begin(&record, 1, &[result(2, "[]")], None).expect("begun");
    assert_eq!((seeded.messages.len(), &seeded.messages[2]["content"]), (4, &json!([])));
}

#[test]
fn a_system_message_comes_before_everything() {
    let begun = begin(&record(), 2, &[text(0, "other")], Some("be brief")).expect("begun");
    assert_eq!(begun.messages[0], json!({"role": "system", "content": "be brief"}));
    assert_eq!((begun.given, &begun.messages[1]["content"]), (5, &json!("other")));
}

#[test]
fn what_does_not_go_is_said() {
    let mut broken = record();
    broken.messages.remove(5);
    let mut short = record();
    short.messages.drain(1..7);
    for (record, step, edits, said) in [
        (record(), 0, vec![], "the attempt has no step 0; it took 3"),
        (record(), 4, vec![], "the attempt has no step 4; it took 3"),
        (record(), 1, vec![text(8, "")], "message 8 comes after step 1"),
        (record(), 1, vec![text(10, "")], "the conversation has no message 10; it has 10"),
        (record(), 1, vec![text(5, "")], "message 5 is a tool's answer"),
        (record(), 1, vec![result(4, "{}")], "message 4 is not a tool's answer"),
        (record(), 1, vec![result(5, "{")], "the result for message 5 is not JSON: EOF"),
        (record(), 1, vec![error(5, " ")], "the error for message 5 has no kind"),
        (record(), 1, vec![text(0, "a"), text(0, "b")], "message 0 is changed twice"),
        (record(), 3, vec![text(9, "no")], "step 3 is the model's answer, so no model call follows it"),
        (broken, 2, vec![], "the conversation up to step 2 was not recorded completely"),
        (short, 1, vec![], "the conversation up to step 1 was not recorded completely"),
    ] {
        let fault = begin(&record, step, &edits, None).expect_err(said).to_string();
        assert!(fault.starts_with(said), "{fault}");
    }
}

#[test]
fn a_published_log_becomes_a_record_as_far_as_it_tells() {
    let entry = json!({
        "task_id": "L5-001", "success": true, "steps_taken": 4, "execution_time": 2.5, "final_response": "ok",
        "error_injection": {"tool": "a", "error_type": "timeout"},
        "tool_calls": [
            {"step": 1, "tool_name": "a", "arguments": {}, "success": false, "error": "Request timeout"},
            {"step": 3, "tool_name": "b", "arguments": {"q": 1}, "success": true, "error": null, "result": {"x": 1}},
        ],
        "conversation_log": {"messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": ""},
            {"role": "tool", "tool_call_id": "1", "content": "{\"error\": \"Request timeout\"}"},
            {"role": "assistant", "content": "sorry"},
            {"role": "assistant", "content": ""},
            {"role": "tool", "tool_call_id": "2", "content": {"x": 1}},
            {"role": "assistant", "content": "ok"},
        ]},
    });
    let logged = LoggedTask::read(0, &entry).expect("a task");
    let record = from_log(Level::L5, &logged, 10);
    let phases: Vec<u8> = record.steps.iter().map(|step| step.phase).collect();
    assert_eq!(phases, [1, 1, 2, 2]);
    assert_eq!(record.messages[2]["content"], json!({"error": "Request timeout"}));
    assert_eq!(record.calls[0].source, AnswerSource::Injected);
    let begun = begin(&record, 3, &[result(5, "{}")], None).expect("begun");
    assert_eq!((begun.phase, begun.messages.len(), begun.steps.len()), (2, 6, 3));
}
