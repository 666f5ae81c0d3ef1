//! An answer that the server says was cut off at the output limit, over the real form of Chat Completions.

use crate::support::http::{Local, model};
use crate::support::{Koab, read_json};
use serde_json::{Value, json};
use std::path::Path;

fn run(koab: &Koab, protocol: &str) -> (Value, String) {
    let server = model("length");
    let address = format!("{}/v1", server.address);
    let words = [
        "run",
        "--model",
        "openai_compat/m",
        "--base-url",
        &address,
        "--levels",
        "L1,L6",
        "--protocol",
        protocol,
    ];
    let end = koab.json(&words)["run"].clone();
    (end, koab.ok(&words).stdout)
}

#[test]
fn cut_off_answers_are_counted_and_under_corrected_no_successes() {
    for (protocol, stop, success) in [("leaderboard", "answered", true), ("corrected", "cut_off", false)] {
        let koab = Koab::new();
        let (end, said) = run(&koab, protocol);
        // All of them were answered by the server, so none failed for technical reasons.
        let all = end["planned"].as_u64().expect("a number");
        assert_eq!((&end["cut_off"], &end["failed"]), (&all.into(), &0.into()));
        let line = format!("answers cut off at the output limit: {all} (raise it with --max-tokens)");
        assert!(said.contains(&line), "{said}");
        let folder = Path::new(end["folder"].as_str().expect("a folder"));
        let log = read_json(&folder.join("L1.json"));
        for result in log["results"].as_array().expect("results") {
            assert_eq!(
                (&result["success"], &result["final_response"]),
                (&success.into(), &"비밀스러운 답".into())
            );
            let error = result["error"].as_str();
            assert_eq!(error.is_some_and(|error| error.contains("cut off at the limit of 1024")), !success);
        }
        let journal = std::fs::read_to_string(folder.join("journal.jsonl")).expect("the journal");
        let attempts: Vec<Value> = journal
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("a line"))
            .filter(|line| line["type"] == "attempt")
            .collect();
        assert_eq!(attempts.len() as u64, all);
        for attempt in &attempts {
            let record = &attempt["record"];
            let last = record["steps"].as_array().and_then(|steps| steps.last()).expect("a step");
            assert_eq!((&record["stop"], &last["finish"]), (&stop.into(), &"length".into()));
        }
        let report = koab.json(&["evaluate", "--run", folder.to_str().unwrap(), "--no-judge"]);
        assert!(report.to_string().contains(&format!("{all} answers were cut off")), "{report}");
    }
}

#[test]
fn a_run_in_which_no_tool_was_called_says_so_and_what_the_reason_may_be() {
    let koab = Koab::new();
    let server = Local::start(|_| {
        let message = json!({ "role": "assistant", "content": "답" });
        let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
        (200, json!({ "id": "c", "object": "chat.completion", "model": "m", "choices": [choice] }))
    });
    let address = format!("{}/v1", server.address);
    let words = ["run", "--model", "openai_compat/m", "--base-url", &address, "--levels", "L1"];
    let (end, said) = (koab.json(&words)["run"].clone(), koab.ok(&words).stdout);
    let line = "! no attempt called a tool, although the tasks ask for it: most likely the model or its server does not support tool calls";
    assert_eq!(end["no_tool_called"], true);
    assert!(said.contains("no tool was called\n") && said.contains(line), "{said}");
    let misses = koab.ok(&["cache", "misses", "last"]).stdout;
    assert_eq!(misses.trim(), "no tool was called");
    // The silent baseline does what it is for; the golden one calls tools.
    let silent = ["run", "--model", "baseline/silent", "--levels", "L1", "--lang", "ko"];
    let said = koab.ok(&silent).stdout;
    assert!(said.contains("도구를 호출하지 않았습니다\n") && !said.contains("! 과제에"), "{said}");
    let said = koab.ok(&["run", "--model", "baseline/golden", "--levels", "L1"]).stdout;
    assert!(said.contains("tool calls: ") && !said.contains("no tool was called"), "{said}");
}
