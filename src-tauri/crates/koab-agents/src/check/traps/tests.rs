use super::{not_made, not_offered, of_call, of_failures};
use crate::check::model::{ANSWER, FAILED, Observation};
use crate::definition::Definition;
use crate::tests::desk::{failed_check, program};
use koab_core::level::Level;
use koab_core::run_record::{AgentFacts, AttemptRecord, StopReason};
use koab_core::say;
use serde_json::json;

fn record(answer: Option<&str>, facts: AgentFacts) -> AttemptRecord {
    AttemptRecord {
        task: "CHECK-1".to_owned(),
        level: Level::L1,
        repetition: 1,
        success: answer.is_some(),
        stop: StopReason::Answered,
        error: None,
        took_s: 1.0,
        steps: Vec::new(),
        calls: Vec::new(),
        final_response: answer.map(str::to_owned),
        messages: Vec::new(),
        agent: Some(Box::new(facts)),
    }
}

fn asked() -> AgentFacts {
    AgentFacts { model_calls: 1, ..AgentFacts::default() }
}

/// The sentences for a check whose call arrived.
fn told(
    definition: &Definition,
    version: Option<&str>,
    answer: Option<&str>,
    error: Option<&'static str>,
) -> Vec<String> {
    let mut checked = failed_check(definition, "is not looked at");
    checked.version = version.map(str::to_owned);
    checked.offered_as = Some("koab_check_value".to_owned());
    checked.call_arrived = true;
    checked.answer_equal = answer == Some(ANSWER);
    let record = AttemptRecord { error: error.map(|why| say!("{why}")), ..record(answer, asked()) };
    let traps = of_call(definition, &checked, &record, &Observation::default(), true);
    traps.iter().map(ToString::to_string).collect()
}

#[test]
fn an_answer_that_differs_is_shown_and_one_that_is_not_found_is_said() {
    let definition = program(&["sh"], &json!({}));
    let long = "가".repeat(300);
    for (answer, error, sentences) in [
        (Some(ANSWER), None, vec![]),
        (Some(ANSWER), Some("a warning"), vec![]),
        (Some("other"), None, vec!["its answer is not what the model said: other".to_owned()]),
        (Some(&*long), None, vec![format!("its answer is not what the model said: {}", "가".repeat(200))]),
        (
            None,
            Some("it ended with exit code 1"),
            vec![
                "no answer was found where the definition looks for it".to_owned(),
                "it ended with exit code 1".to_owned(),
            ],
        ),
    ] {
        assert_eq!(told(&definition, None, answer, error), sentences);
    }
}

#[test]
fn another_version_than_the_one_that_was_tried_is_said() {
    let tried = program(&["sh"], &json!({"verified": "1.2.0"}));
    for (definition, version, is_said) in [
        (&tried, Some("1.2.1"), true),
        (&tried, Some("1.2.0"), false),
        (&tried, None, false),
        (&program(&["sh"], &json!({})), Some("1.2.1"), false),
    ] {
        let said = told(definition, version, Some(ANSWER), None);
        let sentence = "the definition was tried with version 1.2.0; this is another one";
        assert_eq!(said.contains(&sentence.to_owned()), is_said, "{said:?}");
    }
}

#[test]
fn a_search_is_named_only_where_the_list_of_tools_was_read() {
    let mut checked = failed_check(&program(&["sh"], &json!({})), "is not looked at");
    for (tools, listed, part) in [
        (&["tool_search"][..], true, "a search for them (tool_search)"),
        (&["shell", "search_tools"], true, "a search for them (search_tools)"),
        (&["web_search"], true, "has the list of the task's tools"),
        (&["tool_search"], false, "never asked for the task's tools"),
    ] {
        checked.own_tools = tools.iter().map(|name| (*name).to_owned()).collect();
        let why = not_offered(&checked, listed).to_string();
        assert!(why.contains(part), "{why}");
    }
}

#[test]
fn words_of_a_refusal_are_found_in_whatever_case_and_cut() {
    for (answer, part) in [
        (Some("PERMISSION Denied"), "because nobody approved it"),
        (Some("User cancelled"), "because nobody approved it"),
        (Some("not allowed: invalid arguments"), "because nobody approved it"),
        (Some("Input should be VALID"), "because of its arguments"),
        (Some("schema mismatch"), "because of its arguments"),
        (Some("boom"), "did not make it"),
        (Some(""), "did not make it"),
        (None, "neither made it nor told its model why"),
    ] {
        let why = not_made(answer).to_string();
        assert!(why.contains(part), "{answer:?}: {why}");
    }
    let long = not_made(Some(&"x".repeat(2000))).to_string();
    assert!(long.ends_with(&"x".repeat(500)) && !long.contains(&"x".repeat(501)));
}

#[test]
fn failures_are_gone_on_after_only_with_the_sentence_of_the_model() {
    for (answer, repeated, goes_on, count) in [
        (Some(FAILED), 0, true, 0),
        (Some(FAILED), 2, true, 1),
        (Some(ANSWER), 0, false, 1),
        (None, 3, false, 2),
    ] {
        let facts = AgentFacts { by_agent: repeated, ..asked() };
        let (is_on, traps) = of_failures(&record(answer, facts));
        assert_eq!((is_on, traps.len()), (goes_on, count), "{answer:?}");
        let said: Vec<String> = traps.iter().map(ToString::to_string).collect();
        let times = format!("({repeated} times)");
        assert_eq!(said.iter().any(|trap| trap.contains(&times)), repeated > 0, "{said:?}");
    }
}
