use super::{AGENTS, forms, outlived, spent};
use crate::folder::{ATTEMPT, MODEL_CALLS, of_attempt};
use crate::tests::refused_with;
use koab_core::run_record::TokenUsage;
use koab_gateway::{Form, RecordedCall};
use serde_json::json;
use std::fs;
use std::path::Path;

/// A line of a record of model calls.
fn call(form: Form, tokens: Option<u64>) -> RecordedCall {
    let usage = tokens.map(|tokens| TokenUsage {
        prompt_tokens: tokens,
        completion_tokens: 1,
        total_tokens: tokens + 1,
    });
    RecordedCall { form, usage, ..RecordedCall::default() }
}

fn write(folder: &Path, task: &str, repetition: u32, name: &str, calls: &[RecordedCall]) {
    let attempt = of_attempt(&folder.join(AGENTS), task, repetition);
    fs::create_dir_all(&attempt).expect("made");
    let lines: Vec<String> = calls.iter().map(|call| format!("{}\n", json!(call))).collect();
    fs::write(attempt.join(name), lines.concat()).expect("written");
}

fn tokens(usage: TokenUsage) -> (u64, u64, u64) {
    (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens)
}

#[test]
fn calls_of_attempts_that_were_broken_off_are_paid_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    write(path, "A", 1, MODEL_CALLS, &[call(Form::Chat, Some(10)), call(Form::Chat, None)]);
    write(path, "A", 1, "model_calls.1.jsonl", &[call(Form::Chat, Some(100))]);
    write(path, "A", 2, MODEL_CALLS, &[call(Form::Messages, Some(1000))]);
    write(path, "B", 1, MODEL_CALLS, &[]);
    // What an agent wrote itself is no record of ours.
    for place in ["work", "home", "inside"] {
        let own = of_attempt(&path.join(AGENTS), "A", 1).join(place);
        fs::create_dir_all(&own).expect("made");
        fs::write(own.join(MODEL_CALLS), format!("{}\n", json!(call(Form::Gemini, Some(1 << 40)))))
            .expect("written");
    }
    assert_eq!(tokens(spent(path, None).expect("read")), (1110, 3, 1113));
    let part = |of: &[(&str, u32)]| {
        let part = of.iter().map(|(task, repetition)| ((*task).to_owned(), *repetition)).collect();
        tokens(spent(path, Some(part)).expect("read"))
    };
    assert_eq!(part(&[("A", 1)]), (110, 2, 112));
    assert_eq!(part(&[("A", 2), ("B", 1), ("C", 1)]), (1000, 1, 1001));
    assert_eq!(part(&[]), (0, 0, 0));
    let mut all = forms(path).expect("read");
    all.sort_unstable();
    assert_eq!(all, ["chat", "messages"]);
}

#[test]
fn half_a_last_line_is_passed_over_and_a_broken_one_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    write(path, "A", 1, MODEL_CALLS, &[call(Form::Chat, Some(10))]);
    let file = of_attempt(&path.join(AGENTS), "A", 1).join(MODEL_CALLS);
    let whole = fs::read_to_string(&file).expect("there");
    fs::write(&file, format!("{whole}{{\"at_ms\": 2, \"us")).expect("written");
    assert_eq!(tokens(spent(path, None).expect("read")), (10, 1, 11));
    fs::write(&file, format!("broken\n{whole}")).expect("written");
    refused_with(spent(path, None), "line 1 is no recorded model call");
    refused_with(forms(path), "line 1 is no recorded model call");
}

#[test]
fn a_run_without_agents_has_spent_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(tokens(spent(folder.path(), None).expect("nothing")), (0, 0, 0));
    assert!(forms(folder.path()).expect("nothing").is_empty());
    assert!(!outlived(folder.path()));
}

#[test]
fn one_attempt_that_something_outlived_is_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    for (repetition, told, is_so) in
        [(1, "{\"outlived\": false}", false), (2, "broken", false), (3, "{\"outlived\": true}", true)]
    {
        write(folder.path(), "A", repetition, MODEL_CALLS, &[]);
        let file = of_attempt(&folder.path().join(AGENTS), "A", repetition).join(ATTEMPT);
        fs::write(file, told).expect("written");
        assert_eq!(outlived(folder.path()), is_so, "{told}");
    }
}
