use super::unasked_model;
use crate::definition::Definition;
use crate::library::open;
use crate::own_model::OwnModel;
use crate::tests::{desk::program, refused};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn own(fields: &Value) -> Definition {
    let base = json!({"env": {"A": "1"}, "files": {"{home}/a": "x"}, "request": {"q": 1}});
    let mut definition = program(&["mine"], &base);
    definition.own_model = serde_json::from_value(fields.clone()).expect("a model of its own");
    definition
}

#[test]
fn only_what_a_model_of_its_own_names_is_another_one() {
    let same = |definition: &Definition| {
        let Definition { command, files, env, request, .. } = definition.clone();
        (command, files, env, request)
    };
    let base = own(&Value::Null);
    assert_eq!(same(&base.clone().with_own_model()), same(&base));
    assert_eq!(same(&own(&json!({})).with_own_model()), same(&base));
    let other = own(&json!({"command": ["theirs", "-m"], "env": {"B": "2"}})).with_own_model();
    assert_eq!(other.command, ["theirs", "-m"]);
    assert_eq!(other.env, BTreeMap::from([("B".to_owned(), "2".to_owned())]));
    assert_eq!((other.files, other.request), (base.files.clone(), base.request.clone()));
    let none = own(&json!({"files": {}, "request": {"r": 2}})).with_own_model();
    assert!(none.files.is_empty());
    assert_eq!((none.request, none.command), (Some(json!({"r": 2})), base.command));
}

#[test]
fn a_run_with_a_model_of_its_own_needs_a_definition_that_has_one_and_its_keys() {
    refused(
        own(&Value::Null).check_own_run(&koab_stand_ins::gate()),
        "mine cannot be run with a model of its own: its definition has no `own_model`; leave --own-model out, or add it to a copy",
    );
    own(&json!({})).check_own_run(&koab_stand_ins::gate()).expect("it needs no key");
    let keys = json!({"keys": ["NO_SUCH_KEY_OF_A_TEST"]});
    let why = "the key NO_SUCH_KEY_OF_A_TEST of the agent's own model is missing; put it into the environment variable KOAB_AGENT_NO_SUCH_KEY_OF_A_TEST";
    refused(own(&keys).check_own_run(&koab_stand_ins::gate()), why);
    refused(own(&keys).named_keys().map(drop), why);
    // A variable of koab's own environment is never handed on under its own name.
    refused(
        own(&json!({"keys": ["PATH"]})).keys().map(drop),
        "the key PATH of the agent's own model is missing; put it into the environment variable KOAB_AGENT_PATH",
    );
    assert!(own(&json!({})).keys().expect("none").is_empty());
}

#[test]
fn by_hand_there_is_a_model_of_its_own_always() {
    let by_hand = open("mcp-host").expect("a shipped one");
    assert!(by_hand.can_own_model() && by_hand.is_by_hand());
    by_hand.check_own_run(&koab_stand_ins::gate()).expect("a person needs no key here");
    let codex = open("codex").expect("a shipped one");
    assert!(codex.can_own_model() && !codex.is_by_hand());
    assert!(!program(&["sh"], &Value::Null).can_own_model());
}

#[test]
fn a_field_that_is_none_is_refused() {
    for text in [json!({"key": []}), json!({"keys": "A"}), json!({"command": "sh"})] {
        assert!(serde_json::from_value::<OwnModel>(text.clone()).is_err(), "{text}");
    }
}

#[tokio::test]
async fn the_model_of_such_a_run_answers_nobody() {
    use koab_engine::ports::{AttemptRef, Message, ModelRequest, ToolChoice};
    let messages = [Message::User("x".to_owned())];
    let request = ModelRequest {
        messages: &messages,
        tools: &[],
        tool_choice: ToolChoice::Auto,
        listener: None,
        temperature: 0.0,
        max_tokens: None,
        effort: None,
        seed: None,
        answer_schema: None,
        given: None,
        attempt: AttemptRef::default(),
    };
    let why = unasked_model().complete(request).await.expect_err("nobody is asked");
    assert!(format!("{why:?}").contains("asks a model of its own"), "{why:?}");
}
