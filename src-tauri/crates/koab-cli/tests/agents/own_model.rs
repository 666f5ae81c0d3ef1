//! An agent that asks a model of its own, past the gateway: what is unknown then says so, and no key of koab's reaches it.

use crate::agents::workshop::{attempts, own, results, run_with, written};
use crate::support::http::{Local, model};
use crate::support::{Koab, Ran, read_json};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What it asks its own model with, as long as it has its key, and nothing of koab's.
const AGENT: &str = r#"
import os, sys
sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
from agent import solve
E = os.environ
assert E["OWN_KEY"] == "sk-own-1234567890" and not [name for name in E if "PROXY" in name.upper() or name.startswith("KOAB_AGENT") or name == "OPENAI_API_KEY"]
print("the key is " + E["OWN_KEY"], file=sys.stderr)
for folder in (E["HOME"], os.getcwd()):
    open(os.path.join(folder, "auth.json"), "w").write(E["OWN_KEY"])
open(os.path.join(os.getcwd(), "notes.txt"), "w").write("no key")
print("===FINAL===\n" + solve(sys.argv[1], E["OWN_ADDRESS"], E["KOAB_MCP_URL"], E["KOAB_TOKEN"]) + " " + sys.argv[3] + " " + E["OWN_KEY"])
"#;

/// Its definition, which cannot ask the gateway any other way.
fn definition(folder: &Path, model: &Local) -> PathBuf {
    let script = folder.join("own-model.py");
    std::fs::write(&script, AGENT).expect("written");
    let gateway = json!({"OWN_ADDRESS": "{openai}", "KOAB_MCP_URL": "{mcp}", "KOAB_TOKEN": "{token}"});
    let alone = json!({"OWN_ADDRESS": format!("{}/v1", model.address), "KOAB_MCP_URL": "{mcp}", "KOAB_TOKEN": "{token}"});
    let definition = json!({"name": "own-model", "kind": "command", "env": gateway,
        "command": ["python3", script, "{prompt}", own().parent(), "{model}"],
        "own_model": {"keys": ["OWN_KEY"], "env": alone},
        "answer": {"after": "===FINAL==="}, "failed": {"exit": "nonzero"}});
    written(folder, "own-model", &definition)
}

fn begun() -> (Koab, Local, String) {
    let (koab, model) = (Koab::new(), model("stop"));
    let koab = koab.with("KOAB_AGENT_OWN_KEY", "sk-own-1234567890").with("OPENAI_API_KEY", "sk-of-koab");
    let file = definition(koab.path(), &model).display().to_string();
    (koab, model, file)
}

fn words(file: &str) -> [&str; 6] {
    ["--model", "vendor/great-1", "--agent", file, "--own-model", "--protocol=corrected"]
}

#[test]
fn what_a_model_of_its_own_took_is_unknown_and_not_0() {
    let (koab, _model, file) = begun();
    let tasks = ["--tasks", "L1-001,L3-001,L5-001"];
    let (folder, said) = run_with(&koab, &[&words(&file)[..], &tasks].concat());
    assert_eq!(said["run"]["outcome"], "completed", "{said}");
    assert_eq!(said["run"]["spending"]["usd"], Value::Null, "{said}");
    let spec = &read_json(&folder.join("run.json"))["spec"];
    assert_eq!((&spec["model"], &spec["agent"]["own_model"]), (&"vendor/great-1".into(), &true.into()));
    for attempt in attempts(&folder) {
        assert_eq!(attempt["stop"], "answered", "{attempt}");
        assert_eq!(attempt["agent"]["by_arrival"], true);
        assert_eq!(attempt["final_response"], "비밀스러운 답 great-1 [secret]");
        assert!(attempt["steps"].as_array().is_some_and(|steps| steps.len() == 2));
    }
    for result in results(&folder) {
        assert_eq!(
            (&result["token_usage"], &result["ttft_stats"], &result["steps_by_arrival"]),
            (&Value::Null, &Value::Null, &true.into())
        );
    }
    let console = std::fs::read_to_string(folder.join("agents/L1-001/1/console.log")).expect("a console");
    assert!(console.contains("the key is") && !console.contains("sk-own"), "{console}");
    // Neither in an answer nor in what the agent left.
    let kept = std::process::Command::new("grep")
        .args(["-r", "--exclude=own-model.py", "sk-own-1234567890"])
        .arg(koab.path())
        .output()
        .expect("grep");
    assert!(kept.stdout.is_empty(), "{kept:?}");
    let left = std::fs::read_dir(folder.join("agents/L1-001/1/work")).expect("a folder");
    assert_eq!(left.count(), 1, "what holds no key stays");
    // Scored all the same, but for what hangs on replies.
    let said = koab.json(&["evaluate", &folder.display().to_string(), "--no-judge", "--metrics", "all"]);
    let report = PathBuf::from(said[0]["folder"].as_str().expect("a report"));
    let text = std::fs::read_to_string(report.join("evaluation_report.json")).expect("a report");
    let read: Value = serde_json::from_str(&text).expect("JSON");
    let metric =
        |level: &str, name: &str| read["by_level"][level]["task_evaluations"][0]["metrics"][name].clone();
    for (level, name) in [("L3", "ProvAcc"), ("L5", "AdaptiveRoutingScore")] {
        let said = metric(level, name)["unscored"].to_string();
        assert!(said.contains("steps by arrival"), "{name}: {}", metric(level, name));
    }
    for (level, name) in [("L1", "ToolAcc"), ("L3", "FSM"), ("L5", "FallbackSR")] {
        assert!(metric(level, name)["score"].is_number(), "{name}: {}", metric(level, name));
    }
    let shown = koab.ok(&["runs", "show", &folder.display().to_string()]).stdout;
    assert!(shown.contains("with its own model"), "{shown}");
}

#[test]
fn it_is_said_before_and_after() {
    let (koab, _model, file) = begun();
    let ran = koab.ok(&[&["run"][..], &words(&file), &["--tasks", "L1-001"]].concat());
    assert!(ran.stderr.contains("cannot be compared with runs"), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("a model of its own, past the gateway") && !ran.stdout.contains("0 + 0"),
        "{}",
        ran.stdout
    );
    let plan = koab.ok(&[&["run"][..], &words(&file), &["--tasks", "L1-001", "--dry-run"]].concat());
    assert!(!plan.stdout.contains('$'), "{}", plan.stdout);
}

#[test]
fn what_is_in_the_way_is_one_sentence() {
    let (koab, model, file) = begun();
    let refused = |koab: &Koab, more: &[&str]| -> Ran {
        let ran = koab.run(&[&["run"][..], more, &["--tasks", "L1-001"]].concat());
        assert_ne!(ran.code, 0, "{}", ran.stdout);
        ran
    };
    let said = refused(&koab, &[&words(&file)[..], &["--max-cost-per-day", "1"]].concat());
    assert!(said.stderr.contains("so that caps cannot apply"), "{}", said.stderr);
    let other = refused(&koab, &words("smolagents"));
    assert!(other.stderr.contains("has no `own_model`"), "{}", other.stderr);
    let bare = Koab::new();
    let file = definition(bare.path(), &model).display().to_string();
    let said = refused(&bare, &words(&file));
    assert!(
        said.stderr.contains("put it into the environment variable KOAB_AGENT_OWN_KEY"),
        "{}",
        said.stderr
    );
    bare.ok(&["offline", "on"]);
    let said = refused(&bare, &words(&file));
    assert!(said.stderr.contains("koab is offline"), "{}", said.stderr);
    let mut leads = read_json(Path::new(&file));
    leads["own_model"] = json!({"keys": ["OWN_KEY"]});
    let file = written(bare.path(), "leads", &leads).display().to_string();
    let said = refused(&bare, &words(&file));
    assert!(said.stderr.contains("still names {openai}"), "{}", said.stderr);
    // A server that runs already, whose other body says nothing of the tools.
    let server = json!({"name": "server", "kind": "a2a", "address": "http://127.0.0.1:9/",
        "request": {"tools": "{mcp_token_url}"}, "own_model": {"request": {"model": "{model}"}}});
    let file = written(bare.path(), "server", &server).display().to_string();
    let said = refused(&bare, &words(&file));
    assert!(said.stderr.contains("the `request` of `own_model` has to tell it"), "{}", said.stderr);
}
