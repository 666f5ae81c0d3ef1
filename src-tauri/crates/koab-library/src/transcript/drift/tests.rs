use super::{Outcome, call_before};
use koab_core::event::AnswerSource;
use koab_core::run_record::CallRecord;
use serde_json::{Value, json};

fn record(source: AnswerSource, success: bool, result: Option<Value>) -> CallRecord {
    CallRecord {
        step: 2,
        tool: "Search_x".to_owned(),
        arguments: json!({"query": "가"}),
        unreadable_arguments: None,
        success,
        error: (!success).then(|| "it failed".to_owned()),
        owner: None,
        source,
        result,
    }
}

#[test]
fn a_call_is_told_by_how_it_was_answered() {
    let name = |outcome: &Outcome| match outcome {
        Outcome::Result(_) => "result",
        Outcome::NotKept => "not kept",
        Outcome::Miss => "miss",
        Outcome::Injected => "injected",
        Outcome::Error => "error",
    };
    for (source, success, result, outcome) in [
        (AnswerSource::Hit, true, Some(json!(1)), "result"),
        (AnswerSource::Live, true, Some(Value::Null), "result"),
        (AnswerSource::Hit, true, None, "not kept"),
        (AnswerSource::Hit, false, Some(json!("told")), "error"),
        (AnswerSource::Refused, false, None, "error"),
        (AnswerSource::Miss, false, None, "miss"),
        (AnswerSource::Miss, false, Some(json!("told")), "miss"),
        (AnswerSource::Injected, false, None, "injected"),
    ] {
        let (call, error) = call_before(&record(source, success, result.clone()));
        assert_eq!(name(&call.outcome), outcome, "{source:?} {success} {result:?}");
        assert_eq!(error.is_some(), !success);
        assert_eq!((call.step, call.arguments["query"].as_str()), (Some(2), Some("가")));
    }
    let unreadable =
        CallRecord { arguments: json!("no object"), ..record(AnswerSource::Refused, false, None) };
    assert!(call_before(&unreadable).0.arguments.is_empty());
}
