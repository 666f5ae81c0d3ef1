use super::*;
use crate::normalize::Normalize;
use koab_core::say;

fn recorded(tools: &[&str], calls: Vec<CallForm>) -> Recorded {
    Recorded {
        server: ServerForm {
            tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
            info: r#"{"name":"s","version":"1"}"#.to_owned(),
            ..ServerForm::default()
        },
        calls,
    }
}

fn result(text: &str) -> CallForm {
    CallForm {
        ordinal: 3,
        tool: "t".to_owned(),
        arguments: Some("{}".to_owned()),
        result: Some(text.to_owned()),
        ..CallForm::default()
    }
}

fn error(text: &str) -> CallForm {
    CallForm { error: Some(text.to_owned()), result: None, ..result("") }
}

fn now_of(call: &CallForm, asked: Result<Answered, NoAnswer>) -> ServerCallDrift {
    let then = recorded(&[], Vec::new());
    compared(&then, call, &asked, None, Duration::from_secs(5))
}

fn told(text: &str) -> Result<Answered, NoAnswer> {
    Ok(Answered::Result(raw(text)))
}

fn refused(text: &str) -> Result<Answered, NoAnswer> {
    Ok(Answered::Error(raw(text)))
}

#[test]
fn each_answer_is_held_against_the_recorded_one() {
    let failed = r#"{"isError":true,"content":[]}"#;
    let masked = CallForm { masked: true, ..result(r#""••••""#) };
    for (call, asked, now, places) in [
        (result(r#"{"a":1}"#), told(r#"{"a":1.0}"#), AnswerNow::Same, 0),
        (result(r#"{"a":1,"b":2}"#), told(r#"{"b":2,"a":1}"#), AnswerNow::Same, 0),
        (result(r#"{"a":1}"#), told(r#"{"a":2}"#), AnswerNow::Differs, 1),
        (result(r#"{"a":1}"#), told(failed), AnswerNow::Missing, 3),
        (result(r#"{"a":1}"#), refused(r#"{"code":1}"#), AnswerNow::Missing, 2),
        (error(r#"{"code":1}"#), told(r#"{"a":1}"#), AnswerNow::Found, 2),
        (error(r#"{"code":1}"#), refused(r#"{"code":2}"#), AnswerNow::ErrorThen, 1),
        (error(r#"{"code":1}"#), refused(r#"{"code":1}"#), AnswerNow::Same, 0),
        (result(failed), told(r#"{"isError":true,"content":[1]}"#), AnswerNow::ErrorThen, 1),
        // The same text as a result and as an error are not the same.
        (result(r#"{"code":1}"#), refused(r#"{"code":1}"#), AnswerNow::Missing, 0),
        (masked, told(r#""the value""#), AnswerNow::NotKept, 0),
        (result(r#""at 22:00:01""#), told(r#""at 23:59:59""#), AnswerNow::Same, 0),
    ] {
        let shown = format!("{call:?} {asked:?}");
        let found = now_of(&call, asked);
        assert_eq!((found.now, found.places.shown.len()), (now, places), "{shown}");
        assert_eq!((found.ordinal, found.tool.as_str(), found.arguments.as_str()), (3, "t", "{}"));
        assert_eq!(found.why, None);
    }
}

#[test]
fn no_answer_is_a_missing_one_with_its_reason_and_no_places() {
    for (none, sentence) in [
        (NoAnswer::TimeOver, "no answer came within 5 s"),
        (NoAnswer::Ended(say!("it ended")), "it ended"),
        (NoAnswer::Unreadable(say!("no message")), "no message"),
    ] {
        let found = now_of(&result(r#"{"a":1}"#), Err(none));
        assert_eq!((found.now, found.places.shown.len()), (AnswerNow::Missing, 0));
        assert_eq!(found.why.map(|why| why.to_string()).as_deref(), Some(sentence));
    }
    // Where it failed then as well, it still fails.
    let found = now_of(&error(r#"{"code":1}"#), Err(NoAnswer::TimeOver));
    assert_eq!(found.now, AnswerNow::ErrorThen);
}

#[test]
fn folders_of_then_and_now_count_as_the_same() {
    let mut then = recorded(&[], Vec::new());
    then.server.normalize = Normalize { work: Some("/srv/then".to_owned()), ..Normalize::default() };
    let call = result(r#""/srv/then/a""#);
    let now = |text: &str, here: Option<&str>| {
        let asked = told(text);
        compared(&then, &call, &asked, here, Duration::ZERO).now
    };
    assert_eq!(now(r#""/tmp/now/a""#, Some("/tmp/now")), AnswerNow::Same);
    assert_eq!(now(r#""/tmp/now/b""#, Some("/tmp/now")), AnswerNow::Differs);
    assert_eq!(now(r#""/srv/then/a""#, None), AnswerNow::Same);
    assert_eq!(now(r#""/tmp/now/a""#, None), AnswerNow::Differs);
}

#[test]
fn a_server_is_compatible_when_all_is_answered_and_no_client_must_change() {
    let tool = |name: &str| format!(r#"{{"name":"{name}","inputSchema":{{}}}}"#);
    let (a, b) = (tool("a"), tool("b"));
    let drift = |now: AnswerNow| ServerCallDrift { now, ..now_of(&result("1"), told("1")) };
    for (tools, calls, same, is_compatible) in [
        (vec![a.as_str()], vec![AnswerNow::Same, AnswerNow::NotKept], 2, true),
        (vec![&a, &b], vec![AnswerNow::Same], 1, true),
        (vec![], vec![AnswerNow::Same], 1, false),
        (vec![&a], vec![AnswerNow::Same, AnswerNow::Differs], 1, false),
        (vec![&a], vec![AnswerNow::ErrorThen], 0, false),
        (vec![&a], vec![AnswerNow::Found], 0, false),
        (vec![&a], vec![], 0, true),
    ] {
        let then = recorded(&[&a], Vec::new());
        let now = recorded(&tools, Vec::new()).server;
        let found = verdict("p@1".to_owned(), &then, &now, calls.into_iter().map(drift).collect());
        assert_eq!((found.same, found.compatible), (same, is_compatible), "{tools:?}");
        assert_eq!(
            (found.then["version"].as_str(), found.pack.as_str(), found.updated),
            (Some("1"), "p@1", None)
        );
    }
}
