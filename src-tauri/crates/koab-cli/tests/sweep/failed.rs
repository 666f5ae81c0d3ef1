//! Runs and attempts that fail.

use crate::support::http::Local;
use crate::sweep::{chat, prepared, small, swept};
use serde_json::json;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_failed_run_and_failed_attempts_are_told_beside_the_rest() {
    let asked = Arc::new(AtomicUsize::new(0));
    let server = Local::start(move |request| {
        if !request.line.starts_with("POST") {
            let models = json!([{ "id": "warm" }, { "id": "cold" }]);
            return (200, json!({ "object": "list", "data": models }));
        }
        let refused = json!({ "error": { "message": "no", "type": "invalid_request_error" } });
        match request.body["model"].as_str() {
            Some("warm") => (401, refused),
            _ if asked.fetch_add(1, Ordering::SeqCst) % 3 == 1 => (400, refused),
            _ => (200, chat("모르겠습니다.")),
        }
    });
    let (koab, file) = prepared(&format!("{}/v1", server.address));
    let sound = small(&fs::read_to_string(&file).expect("the file"));
    fs::write(&file, &sound).expect("written");
    let word = file.to_str().expect("UTF-8");
    let planned = koab.json(&["sweep", word, "--dry-run"])["runs"][1]["attempts"].clone();
    let (code, table) = swept(&koab, word);
    assert!(code != 0 && table["stopped"].is_string(), "{table}");
    assert_eq!(
        (&table["done"], &table["runs"]),
        (&json!(1), &json!(2)),
        "{table}"
    );
    assert!(
        table["notes"]
            .to_string()
            .contains("openai_compat/warm on second@"),
        "{table}"
    );
    let cold = &table["cells"][1]["results"][0];
    let (tasks, unscored) = (cold["tasks"].as_u64(), cold["unscored"].as_u64());
    assert!(unscored > Some(0), "{table}");
    assert_eq!(
        tasks.zip(unscored).map(|(tasks, not)| tasks + not),
        planned.as_u64()
    );
}
