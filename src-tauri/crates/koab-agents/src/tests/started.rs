//! Programs that are started with their prompt and end with their answer.

use super::desk::{Desk, Ended, PROMPT, is_free_of, program};
use koab_core::run_record::StopReason;
use serde_json::{Value, json};

async fn ran(script: &str, fields: &Value) -> Ended {
    let desk = Desk::new(program(&["sh", "-c", script, "sh", "{prompt}"], fields));
    desk.attempt().await.expect("a record")
}

#[tokio::test]
async fn an_answer_is_read_where_the_definition_says() {
    for (script, fields, answer) in [
        ("printf '%s' \"$1\"", json!({}), PROMPT),
        ("echo on errors >&2; echo said", json!({}), "said"),
        ("cat ../prompt.txt", json!({}), PROMPT),
        ("cat \"$FILE\"", json!({"env": {"FILE": "{prompt_file}"}}), PROMPT),
        ("echo noise; echo ===; echo 42", json!({"answer": {"after": "==="}}), "42"),
        ("echo log; echo 42 > ../answer.txt", json!({"answer": {"file": "{answer_file}"}}), "42"),
        (
            "echo '{\"a\": {\"b\": \"deep\"}}'",
            json!({"answer": {"stdout": "json", "pointer": "/a/b"}}),
            "deep",
        ),
        ("cat {work}/given", json!({"files": {"{work}/given": "{model}"}}), "koab-model"),
        ("sh {script}", json!({"script_text": "echo script"}), "script"),
    ] {
        let ended = ran(script, &fields).await;
        assert_eq!(ended.answer.as_deref(), Some(answer), "{script}: {}", ended.last_words);
        assert_eq!(ended.failed, None, "{script}");
    }
}

#[tokio::test]
async fn a_program_that_failed_says_how() {
    let nonzero = json!({"failed": {"exit": "nonzero"}});
    let text = json!({"failed": {"stdout_has": "FATAL"}});
    for (script, fields, why) in [
        ("echo x; exit 3", &nonzero, Some("it ended with exit code 3")),
        ("echo x; kill -9 $$", &nonzero, Some("it ended with exit code 137")),
        ("echo x; exit 0", &nonzero, None),
        ("echo x; exit 3", &json!({}), None),
        ("echo a FATAL b", &text, Some("it wrote FATAL")),
        ("echo a FATAL b >&2; echo fine", &text, None),
        (
            "echo FATAL; exit 4",
            &json!({"failed": {"stdout_has": "FATAL", "exit": "nonzero"}}),
            Some("it ended with exit code 4"),
        ),
    ] {
        let ended = ran(script, fields).await;
        assert_eq!(ended.failed.as_deref(), why, "{script}");
        assert!(ended.answer.is_some(), "{script}: what it said is there all the same");
        assert!(!ended.record.success, "{script}: it called neither its model nor a tool");
    }
}

#[tokio::test]
async fn a_part_of_a_long_answer_is_none() {
    let whole = "head -c 16777216 /dev/zero | tr '\\0' x";
    let longer = "head -c 16777217 /dev/zero | tr '\\0' x";
    let in_file = json!({"answer": {"file": "{answer_file}"}});
    for (script, fields, letters) in [
        (whole.to_owned(), &json!({}), Some(16 << 20)),
        (longer.to_owned(), &json!({}), None),
        (format!("{whole} > ../answer.txt"), &in_file, Some(16 << 20)),
        (format!("{longer} > ../answer.txt"), &in_file, None),
        (format!("{longer}; echo 42 > ../answer.txt"), &in_file, Some(2)),
    ] {
        let ended = ran(&script, fields).await;
        let said = ended.answer.map(|answer| answer.len());
        assert_eq!(said, letters, "{script}");
        let why = ended.failed.unwrap_or_default();
        assert_eq!(
            why.contains("its answer is longer than the limit of 16 MiB"),
            letters.is_none(),
            "{script}: {why}"
        );
    }
}

#[tokio::test]
async fn a_program_that_calls_nobody_failed_and_its_last_words_are_told() {
    let ended = ran("echo 'Error: no such model' >&2", &json!({})).await;
    assert_eq!((ended.answer, ended.failed), (None, None));
    let error = ended.record.error.expect("an error").to_string();
    let wanted = "the agent called neither the model nor a tool; its last output: Error: no such model";
    assert_eq!(error, wanted);
}

#[tokio::test]
async fn a_program_that_cannot_be_started_ends_the_run_and_says_how_it_is_installed() {
    let install = json!({"install": "npm install -g mine"});
    let desk = Desk::new(program(&["koab-no-such-program"], &install));
    let why = desk.attempt().await.err().expect("not started");
    assert!(why.contains("koab-no-such-program could not be started: "), "{why}");
    assert!(why.contains("; install it with `npm install -g mine`"), "{why}");
}

#[tokio::test]
async fn a_program_finds_its_own_environment_and_nothing_of_koab_s() {
    let ended = ran(
        "echo \"${CARGO_MANIFEST_DIR:-none} $CI $TERM $MINE $NO_PROXY\"; cd ~ && pwd; env | grep -ci _proxy=",
        &json!({"env": {"MINE": "own {model}"}}),
    )
    .await;
    let answer = ended.answer.expect("an answer");
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines[0], "none 1 dumb own koab-model 127.0.0.1,localhost,::1");
    assert!(lines[1].ends_with("agents/L1-001/1/home"), "{}", lines[1]);
    // Six variables lead to the proxy that leads nowhere, two past it.
    assert_eq!(lines[2], "8");
}

#[tokio::test]
async fn an_agent_whose_time_is_up_is_ended_with_all_that_it_started() {
    let script = "sh -c 'sleep 60; touch late' & echo $! > child; trap '' TERM; sleep 60";
    let desk = Desk::new(program(&["sh", "-c", script], &json!({}))).with_timeout(10.0);
    let ended = desk.attempt().await.expect("a record");
    assert_eq!(ended.record.stop, StopReason::TimedOut);
    let child = desk.file("work/child");
    let child = rustix::process::Pid::from_raw(child.trim().parse().expect("a process")).expect("a process");
    assert!(rustix::process::test_kill_process(child).is_err(), "its child still runs");
}

#[tokio::test]
async fn what_an_agent_leaves_running_is_ended_and_told() {
    for (script, outlived) in [("sleep 60 & echo done", true), ("echo done", false)] {
        let desk = Desk::new(program(&["sh", "-c", script], &json!({})));
        desk.attempt().await.expect("a record");
        let told: Value = serde_json::from_str(&desk.file("attempt.json")).expect("JSON");
        assert_eq!(told["outlived"], outlived, "{script}: {told}");
        assert_eq!((&told["exit"], &told["task"]), (&0.into(), &"L1-001".into()));
        assert_eq!(crate::run::outlived(desk.folder.path()), outlived);
    }
}

#[tokio::test]
async fn the_token_of_an_attempt_is_in_nothing_that_is_kept() {
    let script = "echo \"$TOKEN\"; echo \"$TOKEN\" >&2; exit 1";
    let fields = json!({"env": {"TOKEN": "{token}"}, "failed": {"exit": "nonzero"}});
    let desk = Desk::new(program(&["sh", "-c", script], &fields));
    let ended = desk.attempt().await.expect("a record");
    assert_eq!(
        (ended.answer.as_deref(), ended.last_words.as_str()),
        (Some("[secret]"), "[secret]\n[secret]")
    );
    assert!(is_free_of(desk.folder.path(), "sk-koab-"));
    assert_eq!(desk.file("console.log"), "[secret]\n[secret]\n");
}
