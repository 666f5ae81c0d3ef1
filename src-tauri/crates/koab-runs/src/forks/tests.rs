use super::start::plain;
use crate::tests::desk::{Desk, refused};
use crate::tests::pack::of_small;
use koab_core::event::RunOutcome;
use koab_core::fork::{ForkEdit, ForkEditTo, Speaker};
use koab_engine::ports::Cancel;
use koab_library::{ForkRequest, ForkState, ForkView};
use koab_workspace::WireError;
use koab_workspace::commands::Nobody;
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;

/// Where the small pack's attempts have the tool's answer: behind the instruction and the call.
const TOOL_ANSWER: u32 = 2;

/// A desk with a run of the small pack, and the run's id.
async fn desk_with_run() -> (Desk, String) {
    let desk = Desk::with_pack();
    let run = desk.run(of_small()).await;
    (desk, run)
}

/// A request to fork a task's first attempt at its first step.
fn at_first_step(run: &str, task: &str) -> ForkRequest {
    ForkRequest { run: run.to_owned(), task: task.to_owned(), step: 1, ..ForkRequest::default() }
}

fn edit(at: u32, to: ForkEditTo) -> Vec<ForkEdit> {
    vec![ForkEdit { at, to }]
}

fn result(json: &str) -> ForkEditTo {
    ForkEditTo::Result { json: json.to_owned() }
}

async fn made(desk: &Desk, request: ForkRequest) -> Result<ForkView, WireError> {
    desk.runs.fork_make(request, Arc::new(Nobody), Cancel::new()).await
}

/// What the tool answered at the first call of a fork's original and of the fork.
fn first_results(view: &ForkView) -> [Value; 2] {
    [Some(&view.original), view.forked.as_ref()].map(|transcript| {
        let attempt = transcript.and_then(|transcript| transcript.attempt.as_ref()).unwrap();
        serde_json::to_value(&attempt.calls[0].result).unwrap()
    })
}

#[tokio::test]
async fn what_can_be_changed_is_the_conversation_to_the_end_of_the_step() {
    let (desk, run) = desk_with_run().await;
    let offer = desk.runs.fork_offer(&run, "L1-001", None, 1).unwrap();
    assert_eq!((offer.step, offer.steps), (1, 2));
    assert_eq!(offer.model, "baseline/golden");
    let roles: Vec<_> = offer.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Speaker::User, Speaker::Assistant, Speaker::Tool]);
    assert_eq!(offer.messages[0].text, "가를 찾아줘");
    let answer = &offer.messages[TOOL_ANSWER as usize];
    assert_eq!((answer.at, answer.step), (TOOL_ANSWER, Some(1)));
    assert_eq!(answer.tool.as_deref(), Some("Search_x"));
    assert_eq!(answer.arguments.as_deref(), Some(r#"{"query":"가"}"#));
    assert_eq!(serde_json::from_str::<Value>(&answer.text).unwrap(), json!({"found": "하나"}));
    let whole = desk.runs.fork_offer(&run, "L1-001", Some(1), 2).unwrap();
    assert_eq!(whole.messages.len(), 4, "the model's answer belongs to the second step");
}

#[tokio::test]
async fn what_is_not_there_is_refused_by_name() {
    let (desk, run) = desk_with_run().await;
    for (of, task, repetition, step, why) in [
        ("none", "L1-001", None, 1, "none"),
        (&run, "L9-001", None, 1, "L9-001"),
        (&run, "L1-001", None, 3, "the attempt has no step 3; it took 2"),
        (&run, "L1-001", None, 0, "the attempt has no step 0; it took 2"),
        (&run, "L1-001", Some(2), 1, "has no finished attempt 2 at L1-001"),
        ("fork:none", "L1-001", None, 1, "none"),
    ] {
        refused(desk.runs.fork_offer(of, task, repetition, step), why);
    }
    let ready = at_first_step(&run, "L1-001");
    for (request, why) in [
        (ForkRequest { temperature: Some(2.5), ..ready.clone() }, "the temperature must be from 0 to 2"),
        (
            ForkRequest { edits: edit(TOOL_ANSWER, result("{")), ..ready.clone() },
            "the result for message 2 is not JSON",
        ),
        (
            ForkRequest { edits: edit(3, ForkEditTo::Text { text: "끝".to_owned() }), ..ready.clone() },
            "message 3 comes after step 1; fork at the step it belongs to",
        ),
        (
            ForkRequest {
                edits: edit(TOOL_ANSWER, ForkEditTo::Error { error_type: " ".to_owned() }),
                ..ready.clone()
            },
            "the error for message 2 has no kind; name one, such as timeout",
        ),
    ] {
        refused(desk.runs.fork_plan(&request), why);
        refused(made(&desk, request).await, why);
    }
    assert!(desk.runs.forks_list(None, None).unwrap().forks.is_empty(), "what is refused leaves nothing");
}

#[tokio::test]
async fn a_plan_names_what_is_set_otherwise_and_no_address_with_a_secret() {
    let (desk, run) = desk_with_run().await;
    let plan = |request: &ForkRequest| desk.runs.fork_plan(request).unwrap();
    let same = plan(&at_first_step(&run, "L1-001"));
    assert_eq!((same.kept_steps, same.settings.len(), same.changes.len()), (0, 0, 0));
    assert_eq!(same.model, "baseline/golden");
    let other = ForkRequest {
        model: Some(" test/other ".to_owned()),
        base_url: Some("http://127.0.0.1:9/v1?key=s3cret".to_owned()),
        temperature: Some(0.25),
        seed: Some(7),
        system: Some("짧게 답해라".to_owned()),
        edits: edit(TOOL_ANSWER, result(r#"{"found":"셋"}"#)),
        ..at_first_step(&run, "L1-001")
    };
    let plan = plan(&other);
    assert_eq!(plan.kept_steps, 1, "a step that is changed is kept");
    let settings: Vec<_> = plan
        .settings
        .iter()
        .map(|set| (set.setting.as_str(), set.before.as_deref(), set.after.as_deref()))
        .collect();
    assert_eq!(
        settings,
        [
            ("model", Some("baseline/golden"), Some("test/other")),
            ("base_url", None, Some("http://127.0.0.1:9/v1?…")),
            ("temperature", Some("0.7"), Some("0.25")),
            ("seed", None, Some("7")),
        ]
    );
    let changes = serde_json::to_value(&plan.changes).unwrap();
    assert_eq!(changes[0]["role"], "system");
    assert_eq!((&changes[0]["at"], &changes[0]["before"]), (&Value::Null, &Value::Null));
    assert_eq!(changes[1]["at"], TOOL_ANSWER);
    assert_eq!(changes[1]["tool"], "Search_x");
    assert_eq!(changes[1]["after"], json!({"found": "셋"}));
}

#[tokio::test]
async fn the_rest_is_made_from_what_was_changed_and_the_original_stays() {
    let (desk, run) = desk_with_run().await;
    let changed = ForkRequest {
        edits: edit(TOOL_ANSWER, result(r#"{"found":"셋"}"#)),
        name: Some(" 표시 ".to_owned()),
        ..at_first_step(&run, "L1-001")
    };
    let view = made(&desk, changed).await.unwrap();
    let found = |found: &str| json!({"found": found});
    assert_eq!(first_results(&view), [found("하나"), found("셋")]);
    assert_eq!((view.kept_steps, view.fork.new_steps), (1, Some(1)));
    assert_eq!((view.fork.state, view.fork.name.as_str()), (ForkState::Completed, "표시"));
    let [was, is] = [&view.original, view.forked.as_ref().unwrap()].map(|transcript| {
        let call = &transcript.attempt.as_ref().unwrap().calls[0];
        call.source.is_some()
    });
    assert_eq!((was, is), (true, false), "a changed answer has no source");

    let of_fork = ForkRequest { step: 2, ..at_first_step(&format!("fork:{}", view.fork.id), "L1-001") };
    let again = made(&desk, of_fork).await.unwrap();
    assert_eq!(first_results(&again), [found("셋"), found("셋")]);
    let of = &again.fork.of;
    assert_eq!((of.run.as_str(), of.fork.as_deref()), (run.as_str(), Some(view.fork.id.as_str())));

    let failing = ForkRequest {
        edits: edit(TOOL_ANSWER, ForkEditTo::Error { error_type: "timeout".to_owned() }),
        ..at_first_step(&run, "L1-001")
    };
    let failed = made(&desk, failing).await.unwrap();
    let call = serde_json::to_value(&failed.forked.unwrap().attempt.unwrap().calls[0]).unwrap();
    assert_eq!(call["error"], "Request timeout");
}

#[tokio::test]
async fn forks_are_listed_named_thrown_away_and_brought_back() {
    let (desk, run) = desk_with_run().await;
    let first = made(&desk, at_first_step(&run, "L1-001")).await.unwrap().fork.id;
    let second = made(&desk, at_first_step(&run, "L1-002")).await.unwrap().fork.id;
    let ids = |run: Option<&str>, task: Option<&str>| {
        let mut ids: Vec<_> =
            desk.runs.forks_list(run, task).unwrap().forks.into_iter().map(|fork| fork.id).collect();
        ids.sort();
        ids
    };
    let both = {
        let mut both = [first.clone(), second.clone()];
        both.sort();
        both
    };
    assert_eq!(ids(None, None), both);
    assert_eq!(ids(Some(&run), None), both);
    assert_eq!(ids(Some(&run), Some("L1-002")), std::slice::from_ref(&second));
    assert!(ids(Some("none"), None).is_empty());
    assert_eq!(desk.runs.fork_rename(&first, "이름").unwrap().name, "이름");
    assert_eq!(desk.runs.fork_show(&first).unwrap().fork.name, "이름");
    desk.runs.fork_trash(&first).unwrap();
    assert_eq!(ids(None, None), std::slice::from_ref(&second));
    refused(desk.runs.fork_show(&first), &first);
    refused(desk.runs.fork_trash(&first), &first);
    desk.runs.fork_restore(&first).unwrap();
    assert_eq!(ids(None, None), both);
    let file = desk.runs.workspace.home().forks().join(&second).join("fork.json");
    std::fs::write(&file, "{").unwrap();
    let list = desk.runs.forks_list(Some(&run), None).unwrap();
    assert_eq!(list.forks.len(), 1, "the others are still listed");
    let [why] = &list.unreadable[..] else { panic!("{:?}", list.unreadable) };
    assert!(why.to_string().contains(&file.display().to_string()), "{why}");
}

#[tokio::test]
async fn a_fork_stands_as_its_file_says() {
    let (desk, run) = desk_with_run().await;
    let id = made(&desk, at_first_step(&run, "L1-001")).await.unwrap().fork.id;
    let file = desk.runs.forks().read(&id).unwrap();
    let manifest = file.run.clone().unwrap();
    for (outcome, state) in [
        (Some(RunOutcome::Completed), ForkState::Completed),
        (Some(RunOutcome::Cancelled), ForkState::Cancelled),
        (Some(RunOutcome::BudgetSpent), ForkState::BudgetSpent),
        (Some(RunOutcome::Failed), ForkState::Failed),
        (None, ForkState::BrokenOff),
    ] {
        let mut manifest = manifest.clone();
        manifest.outcome = outcome;
        let file = koab_core::fork::ForkFile { run: Some(manifest), ..file.clone() };
        assert_eq!(desk.runs.fork_summary(&file, false).state, state);
        assert_eq!(desk.runs.fork_summary(&file, true).state, ForkState::Going);
    }
}

#[tokio::test]
async fn what_broke_off_or_lost_its_settings_is_not_forked_again() {
    let (desk, run) = desk_with_run().await;
    let id = made(&desk, at_first_step(&run, "L1-001")).await.unwrap().fork.id;
    let path = desk.folder.path().join("forks").join(&id).join("fork.json");
    let whole: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for (missing, why) in [
        ("record", "has not come to an end, so nothing can be forked in it"),
        ("run", "its settings were not saved"),
    ] {
        let mut file = whole.clone();
        file[missing] = Value::Null;
        fs::write(&path, file.to_string()).unwrap();
        refused(desk.runs.fork_offer(&format!("fork:{id}"), "L1-001", None, 1), why);
    }
}

#[test]
fn a_tasks_id_in_a_folders_name_has_letters_digits_and_dashes() {
    for (task, part) in [("L1-001", "L1-001"), ("가 나/다", "가_나_다"), ("../..", "_____"), ("", "")] {
        assert_eq!(plain(task), part);
    }
    assert_eq!(plain(&"가".repeat(100)).chars().count(), 60);
}
