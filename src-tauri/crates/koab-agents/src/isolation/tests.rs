use super::{Isolation, engine_and_image, outlook, remark};
use crate::check_history::remember;
use crate::definition::Definition;
use crate::library::open;
use crate::tests::desk::{failed_check, program, running};
use crate::tests::refused_with;
use koab_core::say;
use koab_workspace::{Home, WireError};
use serde_json::{Value, json};
use tempfile::TempDir;

fn home() -> (TempDir, Home) {
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home::resolve(Some(folder.path().to_owned())).expect("a home");
    (folder, home)
}

/// Why an agent is in no container, where no engine answers.
async fn why(definition: &Definition) -> String {
    let no_engine = Ok(Err(say!("no engine answers")));
    match engine_and_image(definition, &no_engine).await {
        Ok(Err(why)) => why.to_string(),
        Ok(Ok(_)) => "a container".to_owned(),
        Err(error) => error.message.to_string(),
    }
}

#[tokio::test]
async fn an_agent_is_in_no_container_for_the_first_reason_that_holds() {
    let bridge = "its definition starts koab itself, which its container does not have";
    for (definition, reason) in [
        (open("mcp-host").expect("a shipped one"), "it is used by hand"),
        (running("http", "http://127.0.0.1:1/", &json!({"t": "{token}"})), "its server runs already"),
        (program(&["sh", "{mcp_stdio}"], &Value::Null), bridge),
        (program(&["{koab}"], &Value::Null), bridge),
        (program(&["sh"], &json!({"env": {"B": "{koab}"}})), bridge),
        (program(&["sh"], &json!({"files": {"{home}/c": "run {mcp_stdio}"}})), bridge),
        (program(&["sh"], &Value::Null), "no engine answers"),
    ] {
        assert_eq!(why(&definition).await, reason);
    }
    let refused = Err(WireError::bad_request(say!("the engine refuses")));
    refused_with(
        engine_and_image(&program(&["sh"], &Value::Null), &refused).await.map(drop),
        "the engine refuses",
    );
}

#[tokio::test]
async fn an_agent_that_was_contained_leaves_its_container_by_choice_alone() {
    let (_folder, home) = home();
    let definition = program(&["sh"], &Value::Null);
    let no_engine = Ok(Err(say!("no engine answers")));
    let mut checked = failed_check(&definition, "fails");
    remember(&home, &checked).expect("kept");
    assert!(outlook(&definition, &home, &no_engine).await.expect("no refusal").is_err());
    checked.contained = true;
    remember(&home, &checked).expect("kept");
    let sentence = "mine was checked in a container and would now run on this computer itself, without a container (no engine answers); fix that, or add --native";
    refused_with(outlook(&definition, &home, &no_engine).await.map(drop), sentence);
    let said = remark(&definition, &home, &koab_stand_ins::gate(), &no_engine)
        .await
        .map(|remark| remark.to_string());
    assert_eq!(said.as_deref(), Some(sentence), "a list says what a run would be refused with");
    let other = program(&["sh"], &json!({"timeout_s": 1}));
    assert!(outlook(&other, &home, &no_engine).await.is_ok(), "another definition was never checked");
}

#[tokio::test]
async fn a_run_that_goes_on_stays_where_it_was() {
    let (_folder, home) = home();
    let gate = koab_stand_ins::gate();
    let definition = program(&["sh"], &Value::Null);
    for (native, was_contained, reason) in [
        (false, Some(false), "the run began this way"),
        (true, Some(false), "the run began this way"),
        (true, None, "--native"),
    ] {
        let isolation =
            Isolation::choose(&definition, &home, &gate, native, was_contained).await.expect("a place");
        assert!(!isolation.is_contained() && !isolation.is_own_model());
        assert_eq!(isolation.image(), None);
        let remark = isolation.remark(&definition, &gate).expect("a remark").to_string();
        assert_eq!(remark, format!("mine runs on this computer itself, without a container ({reason})"));
    }
    let running = running("http", "http://127.0.0.1:1/", &json!({"t": "{token}"}));
    refused_with(
        Isolation::choose(&running, &home, &gate, false, Some(true)).await.map(drop),
        "the run was made in containers, and cannot continue in them: its server runs already",
    );
}

#[tokio::test]
async fn a_model_of_its_own_is_remarked_with_what_is_not_known_then() {
    let definition = program(&["sh"], &Value::Null);
    let isolation = Isolation::OwnModel;
    assert!(isolation.is_own_model() && !isolation.is_contained());
    let remark = isolation.remark(&definition, &koab_stand_ins::gate()).expect("a remark").to_string();
    assert!(
        remark.starts_with("mine calls a model of its own, with its own key, on this computer itself: "),
        "{remark}"
    );
    assert_eq!(isolation.version(&definition).await.expect("asked"), None);
}
