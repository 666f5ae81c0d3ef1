//! A sweep that is killed twice is the same table.

use crate::sweep::{prepared, server};
use serde_json::json;
use std::fs;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[test]
fn a_sweep_that_is_killed_twice_is_the_same_table_and_asks_nothing_twice() {
    let (server, asked) = server();
    let url = format!("{}/v1", server.address);
    let (calm, file) = prepared(&url);
    let word = file.to_str().expect("UTF-8");
    let plan = calm.json(&["sweep", word, "--dry-run"]);
    assert_eq!(plan["runs"].as_array().map(Vec::len), Some(12), "{plan}");
    let attempts = plan["attempts"].as_u64().expect("a number");
    assert!(plan["refusal"].is_null() && plan["runs"][0]["state"] == "new", "{plan}");
    assert_eq!(asked.load(Ordering::SeqCst), 0, "a plan asks nobody");
    let page = calm.path().join("sweep.md");
    let page_word = page.to_str().expect("UTF-8");
    let whole = calm.json(&["sweep", word, "--markdown", page_word]);
    let calls = asked.load(Ordering::SeqCst);
    assert_eq!(calls as u64, attempts);
    assert_eq!((&whole["done"], &whole["tests"]), (&json!(12), &json!(10)));
    let warm = &whole["cells"][1]["results"][0];
    assert_eq!((&warm["mean"], &warm["difference"]["verdict"]), (&json!(1.0), &json!("better")));
    let cold = &whole["cells"][3]["results"][1];
    assert_eq!((&cold["mean"], &cold["difference"]["verdict"]), (&json!(0.0), &json!("not_separated")));
    assert!(whole["cells"][4]["results"][0]["difference"].is_null(), "the baseline itself");

    // Again: nothing is asked, and the table is the same.
    let again = calm.json(&["sweep", word, "--markdown", page_word]);
    assert_eq!(asked.load(Ordering::SeqCst), calls);
    assert_eq!(again["cells"], whole["cells"]);
    let done = calm.json(&["sweep", word, "--dry-run"]);
    assert_eq!((&done["attempts"], &done["calls"]), (&json!(0), &json!(0.0)));
    assert!(done["spent"].is_null(), "its models have no price: {done}");
    // Under a name of their own the judges are still those of the file.
    calm.ok(&["models", "connect", "lab", "--base-url", &url, "--model", "judge"]);
    assert_eq!(calm.json(&["sweep", word, "--dry-run"])["calls"], 0.0);
    calm.ok(&["models", "disconnect", "lab"]);
    // One judge more: no attempt is made, and all of them are judged.
    let sound = fs::read_to_string(&file).expect("the file");
    let judges = "[\"openai_compat/judge\", \"openai_compat/warm\"]";
    fs::write(&file, sound.replace("[\"openai_compat/judge\"]", judges)).expect("written");
    let plan = calm.json(&["sweep", word, "--dry-run"]);
    assert!(plan["attempts"] == 0 && plan["calls"].as_f64() > Some(0.0), "{plan}");
    fs::write(&file, sound).expect("written");

    let (rough, file) = prepared(&url);
    let word = file.to_str().expect("UTF-8");
    for stop in [attempts / 5, attempts / 2] {
        let before = asked.load(Ordering::SeqCst) as u64 - calls as u64;
        let words = ["sweep", word, "--quiet", "--json"];
        let mut child =
            rough.command(&words).stdout(std::process::Stdio::null()).spawn().expect("koab starts");
        let begun = Instant::now();
        while (asked.load(Ordering::SeqCst) as u64) < calls as u64 + stop.max(before + 1) {
            assert!(begun.elapsed() < Duration::from_secs(120), "it makes attempts");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    let plan = rough.json(&["sweep", word, "--dry-run"]);
    let states: Vec<&str> =
        plan["runs"].as_array().expect("runs").iter().filter_map(|run| run["state"].as_str()).collect();
    assert!(states.contains(&"made") && states.contains(&"new"), "{states:?}");
    let page_of_rough = rough.path().join("sweep.md");
    rough.json(&["sweep", word, "--markdown", page_of_rough.to_str().expect("UTF-8")]);
    let read = |path| fs::read_to_string(path).expect("a page");
    assert_eq!(read(&page_of_rough), read(&page));
    // What was under way when it was killed is made again, and no more.
    let more = asked.load(Ordering::SeqCst) - 2 * calls;
    assert!(more <= 8, "{more} more than {calls}");
    let runs = rough.json(&["runs", "list"]);
    assert_eq!(runs.as_array().map(Vec::len), Some(12), "{runs}");
}
