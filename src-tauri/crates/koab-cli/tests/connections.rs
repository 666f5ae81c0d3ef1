//! Nothing leaves the machine unless the user named where to: every address that a command so much as tries is seen by
//! `strace`, name look-ups included.
#![cfg(target_os = "linux")]

use crate::support::Koab;
use crate::support::http::{Local, model};
use crate::support::watched::{can_watch, watch};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn only(address: &str) -> BTreeSet<String> {
    BTreeSet::from([address.trim_start_matches("http://").to_owned()])
}

fn run_words<'a>(address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["run", "--model", "openai_compat/m", "--base-url", address, "--levels", "L1"];
    [&words, more].concat()
}

#[test]
fn a_run_connects_to_the_model_s_server_and_nowhere_else() {
    if !can_watch("a_run_connects_to_the_model_s_server_and_nowhere_else") {
        return;
    }
    let (koab, model) = (Koab::new(), model("stop"));
    let address = format!("{}/v1", model.address);
    let made = watch(&koab, &run_words(&address, &["--json", "--quiet"]));
    assert_eq!((made.code, &made.tried), (0, &only(&model.address)), "{}", made.stdout);
    let document: Value = serde_json::from_str(&made.stdout).expect("one document");
    let folder = document["run"]["folder"].as_str().expect("a folder");
    let asked = model.requests().len();
    for words in [
        &["evaluate", "--run", folder, "--no-judge"][..],
        &["evaluate", "--run", folder],
        &["run", "--model", "baseline/golden", "--evaluate", "--quiet"],
        &["run", "--model", "openai/gpt-4o", "--dry-run"],
        &["runs", "list"],
        &["report", "list"],
        &["pack", "verify"],
        &["models", "list"],
        &["models", "prices"],
        &["cache", "stats"],
        &["doctor"],
    ] {
        let made = watch(&koab, words);
        assert_eq!((made.code, made.tried), (0, BTreeSet::new()), "koab {words:?}: {}", made.stdout);
    }
    assert_eq!(model.requests().len(), asked);
}

/// Without this nobody would know whether the test above sees anything.
#[test]
fn what_the_user_names_is_connected_to_and_seen() {
    if !can_watch("what_the_user_names_is_connected_to_and_seen") {
        return;
    }
    let (koab, model) = (Koab::new(), model("stop"));
    let collector = Local::start(|_| (200, json!({})));
    let address = format!("{}/v1", model.address);
    let made = watch(&koab, &run_words(&address, &["--quiet", "--otlp-endpoint", &collector.address]));
    let both = &only(&model.address) | &only(&collector.address);
    assert_eq!((made.code, made.tried), (0, both));
    // A name is looked up before it is connected to, and that is seen as well.
    let named = "http://collector.invalid:4318";
    let made = watch(&koab, &run_words(&address, &["--quiet", "--otlp-endpoint", named]));
    let beyond = &made.tried - &only(&model.address);
    assert!(made.code == 0 && beyond.iter().any(|address| address.ends_with(":53")), "{beyond:?}");
}
