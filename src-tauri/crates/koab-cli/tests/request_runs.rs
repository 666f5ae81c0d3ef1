//! Runs of benchmarks whose items are one request and one reply: what is asked, what is kept, and that a killed run goes on.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::benchmark_packs::{self, installed};
use crate::support::http::{Local, Request, completion, models, says};
use crate::support::read_json;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Doubled keys and all: they decide verdicts.
const ARGUMENTS: &str = r#"{"n": 1, "n": 3.0}"#;

/// Four items of BFCL in two groups.
fn bfcl(below: &Path) -> PathBuf {
    benchmark_packs::bfcl(below, &[("multiple", 3), ("irrelevance", 1)])
}

/// Two items of `FunctionChat`, one with a history of calls that share an id.
fn functionchat(below: &Path) -> PathBuf {
    let call = json!({"id": "random_id", "type": "function", "function": {"name": "now", "arguments": "{}"}});
    let history = json!([
        {"role": "system", "content": "도우미"},
        {"role": "user", "content": "몇 시야?"},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "random_id", "name": "now", "content": "{\"time\": 9}"},
    ]);
    let tools =
        json!([{"type": "function", "function": {"name": "now", "description": "시각", "parameters": {}}}]);
    let greeting = json!([{"role": "user", "content": "안녕"}]);
    let items = [("REJECT", "relevance", greeting, tools.clone()), ("SLOT", "slot", history, tools)];
    benchmark_packs::functionchat(below, &items)
}

/// A model that calls the first tool on offer where its name is BFCL's, and speaks otherwise.
fn answer(request: &Request) -> (u16, Value) {
    if request.line.starts_with("GET") {
        return models(&["m"]);
    }
    let name = &request.body["tools"][0]["function"]["name"];
    let message = match name == "math_square" {
        true => {
            let function = json!({"name": name, "arguments": ARGUMENTS});
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": "random_id", "type": "function", "function": function}]})
        }
        false => says(""),
    };
    (200, completion(&message))
}

fn words<'a>(pack: &'a str, address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["run", "--pack", pack, "--model", "openai_compat/m", "--base-url", address];
    [&words, more].concat()
}

fn asked(server: &Local) -> Vec<Value> {
    let posts = server.requests().into_iter();
    let posts = posts.filter(|request| request.line.starts_with("POST"));
    posts.map(|request| request.body).collect()
}

fn folder(run: &Value) -> PathBuf {
    PathBuf::from(run["folder"].as_str().unwrap())
}

/// What a log says of each item: its id and the last message.
fn replies(log: &Path) -> Vec<(String, Value)> {
    let log = read_json(log);
    let results = log["results"].as_array().unwrap().iter();
    let reply = |result: &Value| {
        let messages = result["conversation_log"]["messages"].as_array().unwrap();
        (result["task_id"].as_str().unwrap().to_owned(), messages.last().unwrap().clone())
    };
    results.map(reply).collect()
}

#[test]
fn an_item_is_one_request_and_its_reply_is_kept_letter_for_letter() {
    let (koab, _folder) = installed(bfcl);
    let server = Local::start(answer);
    let base = format!("{}/v1", server.address);
    let run = koab.json(&words("bfcl", &base, &["--concurrency", "1"]))["run"].clone();
    assert_eq!((&run["done"], &run["failed"]), (&json!(4), &json!(0)), "{run}");
    let sent = asked(&server);
    assert_eq!(sent.len(), 4, "one request an item");
    for body in &sent {
        assert_eq!(body["temperature"], 0.001, "the benchmark's own");
        assert_eq!(body["messages"].as_array().unwrap().len(), 1, "no system message");
        assert_eq!(body.get("tool_choice"), None);
        assert_eq!(
            (body.get("max_tokens"), body.get("max_completion_tokens")),
            (None, None),
            "the authors send no limit"
        );
        let parameters = &body["tools"][0]["function"]["parameters"];
        assert_eq!(parameters["type"], "object");
    }
    let folder = folder(&run);
    let kept = replies(&folder.join("groups/multiple.json"));
    assert_eq!(
        kept.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(),
        ["multiple_0", "multiple_1", "multiple_2"]
    );
    for (_, reply) in &kept {
        assert_eq!(reply["tool_calls"][0]["function"]["arguments"], ARGUMENTS);
        assert_eq!((&reply["content"], &reply["role"]), (&Value::Null, &json!("assistant")));
    }
    let log = read_json(&folder.join("groups/multiple.json"));
    assert_eq!(log["results"][0]["tool_calls"], json!([]), "nothing is executed");
    assert_eq!(log["results"][0]["steps_taken"], 1);
    assert_eq!(log["metadata"]["level"], "multiple");
    assert!(folder.join("groups/irrelevance.json").is_file());
    let record = read_json(&folder.join("run.json"));
    assert_eq!(record["max_tokens"], Value::Null, "nor says the record one: {record}");

    let shown = koab.json(&["runs", "show", run["run"].as_str().unwrap_or("last")]);
    assert_eq!(shown["pack"].as_str().map(|pack| &pack[..5]), Some("bfcl@"), "{shown}");
    let own = koab.json(&words(
        "bfcl",
        &base,
        &["--levels", "irrelevance", "--temperature", "0.5", "--max-tokens", "99"],
    ));
    assert_eq!(own["run"]["done"], 1);
    let sent = asked(&server).pop().unwrap();
    assert_eq!((&sent["temperature"], &sent["max_tokens"]), (&json!(0.5), &json!(99)), "the user's");
}

#[test]
fn a_history_of_calls_goes_out_as_the_benchmark_has_it() {
    let (koab, _folder) = installed(functionchat);
    let server = Local::start(answer);
    let base = format!("{}/v1", server.address);
    let plan = koab.json(&words("functionchat", &base, &["--dry-run"]));
    let groups: Vec<_> = plan["levels"].as_array().unwrap().iter().map(|row| &row["level"]).collect();
    assert_eq!(groups, ["CallDecision.REJECT", "CallDecision.SLOT"]);
    assert_eq!(plan["estimate"]["calls"], 2.0, "{plan}");
    let judges = ["openai/gpt-4o", "openai/gpt-4.1"].map(|judge| ["--judge-models", judge]);
    let judges = [&["--dry-run", "--evaluate"], &judges[0], &judges[1]].map(|two| &two[..]);
    let plan = koab.json(&words("functionchat", &base, &judges.concat()));
    let [first, second] = [0, 1].map(|at| &plan["judges"][at]);
    assert_eq!(
        (&first["calls"], &second["calls"]),
        (&json!(2.0), &json!(0.0)),
        "each item is asked about once at most, and of the first judge: {plan}"
    );
    assert!(
        first["usd"].as_f64().unwrap() > 0.0 && first["prompt_tokens"].as_f64().unwrap() > 20.0,
        "{plan}"
    );
    let run = koab.json(&words("functionchat", &base, &["--concurrency", "1"]))["run"].clone();
    let sent = asked(&server);
    let history = &sent[1]["messages"];
    assert_eq!(history[2]["content"], Value::Null);
    assert_eq!(history[2]["tool_calls"][0]["id"], "random_id");
    assert_eq!((&history[3]["name"], &history[3]["tool_call_id"]), (&json!("now"), &json!("random_id")));
    assert_eq!(sent[1]["tools"][0]["function"]["parameters"], json!({}));
    let kept = replies(&folder(&run).join("groups/CallDecision.SLOT.json"));
    assert_eq!(kept[0].1, json!({"role": "assistant", "content": ""}), "the empty text is not null");
}

#[test]
fn a_killed_run_goes_on_and_asks_nothing_twice() {
    let (koab, _folder) = installed(bfcl);
    let (reached, third) = channel();
    let (let_go, go) = channel::<()>();
    let state = Mutex::new((0, Some((reached, go))));
    let server = Local::start(move |request| {
        if request.line.starts_with("POST") {
            let held = {
                let mut state = state.lock().unwrap();
                state.0 += 1;
                (state.0 == 3).then(|| state.1.take()).flatten()
            };
            if let Some((reached, go)) = held {
                let _ = reached.send(());
                let _ = go.recv();
            }
        }
        answer(request)
    });
    let base = format!("{}/v1", server.address);
    let mut child = koab
        .command(&words("bfcl", &base, &["--concurrency", "1", "--quiet"]))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    third.recv_timeout(Duration::from_secs(60)).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    drop(let_go);
    let resumed = koab.json(&["run", "--resume", "last", "--base-url", &base])["run"].clone();
    assert_eq!((&resumed["done"], &resumed["failed"]), (&json!(4), &json!(0)), "{resumed}");
    let bodies: Vec<String> = asked(&server).iter().map(|body| body["messages"].to_string()).collect();
    assert_eq!(bodies.len(), 5, "only what was in flight is asked again: {bodies:?}");
    let folder = folder(&resumed);
    assert_eq!(replies(&folder.join("groups/multiple.json")).len(), 3);
    assert_eq!(replies(&folder.join("groups/irrelevance.json")).len(), 1);
}

#[test]
fn what_makes_no_sense_is_one_sentence_and_makes_no_folder() {
    let (koab, _folder) = installed(bfcl);
    for (more, told) in [
        (&["--levels", "live_simple"][..], "has no group live_simple; its groups are irrelevance, multiple"),
        (&["--levels", "L1"], "has no group L1; its groups are irrelevance, multiple"),
        (
            &["--model", "baseline/golden"],
            "has no golden calls that baseline/golden could make; take baseline/silent",
        ),
        (&["--full-rollout"], "leave --full-rollout out"),
        (&["--with-overlay"], "leave --with-overlay out"),
        (&["--tasks", "multiple_9"], "has no task multiple_9"),
    ] {
        let model = &["--model", "baseline/silent"][..if more[0] == "--model" { 0 } else { 2 }];
        let ran = koab.run(&[&["run", "--pack", "bfcl"], model, more].concat());
        assert_ne!(ran.code, 0, "{more:?} {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{more:?} {}", ran.stderr);
        assert_eq!(ran.stderr.trim_end().lines().count(), 1, "{}", ran.stderr);
    }
    let ran = koab.run(&["run", "--model", "baseline/silent", "--levels", "live_simple"]);
    assert!(ran.stderr.contains("`live_simple` is not a level; levels are L1 to L7"), "{}", ran.stderr);
    assert_eq!(koab.json(&["runs", "list"]), json!([]));
}

#[test]
fn a_sweep_over_items_wants_a_judge_only_where_the_benchmark_asks_one() {
    let (koab, folder) = installed(bfcl);
    koab.ok(&["pack", "import", &functionchat(folder.path()).display().to_string()]);
    let server = Local::start(answer);
    let file = folder.path().join("sweep.toml");
    let told = |pack: &str, group: &str| {
        let text = format!(
            r#"name = "items"
packs = ["{pack}"]
levels = ["{group}"]
metric = "SR"
[[models]]
id = "openai_compat/m"
base_url = "{}/v1"
[settings]
temperature = [0.0, 1.0]
[baseline]
temperature = 0.0
"#,
            server.address
        );
        std::fs::write(&file, text).unwrap();
        koab.run(&["sweep", file.to_str().unwrap(), "--json"])
    };
    let swept = told("bfcl", "multiple");
    assert_eq!(swept.code, 0, "{}", swept.stderr);
    let table: Value = serde_json::from_str(&swept.stdout).unwrap();
    assert_eq!((&table["done"], &table["runs"]), (&json!(2), &json!(2)), "{table}");
    assert_eq!(asked(&server).len(), 6, "three items at two temperatures");
    for (pack, group, why) in [
        ("functionchat", "CallDecision.SLOT", "SR is judged: name a judge under [judges]"),
        ("bfcl", "live_simple", "has no group live_simple; its groups are irrelevance, multiple"),
        ("bfcl", "CallDecision.SLOT", "has no group CallDecision.SLOT; its groups are irrelevance, multiple"),
    ] {
        let refused = told(pack, group);
        assert_ne!(refused.code, 0, "{}", refused.stdout);
        assert!(refused.stderr.contains(why), "{}", refused.stderr);
    }
    assert_eq!(asked(&server).len(), 6);
}
