//! The product driven by the official clients, of two languages and three versions of the protocol.

use crate::mcp::real::{asked, installed, output, written};
use crate::support::Koab;
use crate::support::http::model_called;
use serde_json::{Value, json};
use std::path::Path;

/// What each of them does: a plan, a run that costs money and one that does not, their ends, and what came of them.
fn calls(address: &str) -> Vec<Value> {
    let paid = json!({ "model": "openai/gpt-4o-mini", "base_url": address, "levels": ["L1"] });
    let mut confirmed = paid.clone();
    confirmed["confirm"] = "@0.confirm".into();
    let gate = json!({
        "baseline": "@5.result.reports.0", "model": "baseline/golden", "baseline_model": "baseline/silent",
        "metric": "ToolAcc", "levels": ["L1"], "margin": "20pp", "max_attempts": 200,
    });
    let call = |tool: &str, arguments: Value| json!({ "tool": tool, "arguments": arguments });
    vec![
        call("plan", paid.clone()),
        call("run", paid),
        call("run", confirmed),
        call("watch", json!({ "run": "@2.run", "wait": 50 })),
        call("run", json!({ "model": "baseline/silent", "levels": ["L1"] })),
        call("watch", json!({ "run": "@4.run", "wait": 50 })),
        call("reports", json!({ "limit": 5 })),
        call("compare", json!({ "reports": ["@3.result.reports.0", "@5.result.reports.0"] })),
        call("failures", json!({ "reports": ["@3.result.reports.0"] })),
        call("transcript", json!({ "run": "@2.run", "task": "L1-001" })),
        call("runs", json!({ "limit": 1 })),
        call("report", json!({ "report": "@3.result.reports.0" })),
        call("plan_gate", gate.clone()),
        call("gate", gate),
        call("watch", json!({ "run": "@13.run", "wait": 50 })),
    ]
}

fn drives(client: &str) {
    let Some(folder) = installed(&format!("the product driven by {client}")) else {
        return;
    };
    let work = tempfile::tempdir().expect("a folder");
    let (model, koab) = (model_called("gpt-4o-mini", "stop"), Koab::new());
    let address = format!("{}/v1", model.address);
    koab.ok(&["models", "connect", "paid", "--provider", "openai", "--base-url", &address]);
    let calls = written(work.path(), &calls(&address));
    let server = [env!("CARGO_BIN_EXE_koab"), "mcp", "--max-cost", "0.05"];
    let said = if client == "javascript" {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/client.mjs");
        let words = [script.into_os_string(), folder.join("now").into_os_string(), calls.into()];
        output(&koab, Path::new("node"), &words, &server)
    } else {
        let python = folder.join(client).join("bin/python");
        asked(&koab, &python, Path::new(&calls), &server)
    };
    assert_eq!(said["tools"].as_array().map(Vec::len), Some(15), "{said}");
    let answers = &said["answers"];
    let text = |place: usize| {
        answers[place]["content"][0]["text"]
            .as_str()
            .unwrap_or_else(|| crate::mcp::panic_with(&answers[place].to_string()))
    };
    let read = |place: usize| serde_json::from_str::<Value>(text(place)).expect("JSON");
    assert_eq!(read(0)["costs_money"], true);
    assert!(answers[1]["isError"] == true && text(1).contains("call plan with the same arguments"), "{said}");
    let (paid, free) = (read(3), read(5));
    assert!(paid["result"]["end"]["outcome"] == "completed", "{paid}");
    for (place, _) in calls_that_succeed(answers) {
        assert!(answers[place]["isError"] != true, "{place}: {}", text(place));
    }
    assert!(paid["over"] == true && free["over"] == true, "{said}");
    // A call and its answer for each task: 200 tokens in and 14 out.
    let usd = paid["result"]["end"]["spending"]["usd"].as_f64().unwrap_or_default();
    assert!(usd > 0.0 && usd < 0.05, "{paid}");
    assert_eq!(read(6)["reports"].as_array().map(Vec::len), Some(2));
    assert!(text(7).contains("gpt-4o-mini") && text(7).contains("silent"), "{}", text(7));
    assert!(text(8).contains("L1"), "{}", text(8));
    assert!(text(9).contains("step 1, model: calls ") && text(9).contains("final answer: "), "{}", text(9));
    assert_eq!((read(10)["runs"].as_array().map(Vec::len), &read(10)["more"]), (Some(1), &1.into()));
    assert!(text(11).contains("ToolAcc"), "{}", text(11));
    assert!(read(12)["plan"]["planned_attempts"].as_u64() > Some(0), "{}", text(12));
    assert_eq!(read(14)["result"]["verdict"], "pass", "{}", text(14));
    let asked = model.requests().iter().filter(|request| request.line.starts_with("POST")).count();
    assert!(asked > 0);
}

fn calls_that_succeed(answers: &Value) -> impl Iterator<Item = (usize, &Value)> {
    let all = answers.as_array().into_iter().flatten().enumerate();
    all.filter(|(place, _)| *place != 1)
}

#[test]
fn a_client_with_a_handshake_drives_the_product() {
    drives("client-1");
}

#[test]
fn a_client_without_a_handshake_drives_the_product() {
    drives("client-2");
}

#[test]
fn a_client_in_javascript_drives_the_product() {
    drives("javascript");
}
