//! An agent of somebody else's on the nodes of a Slurm: what it does is what it does on one computer.

use crate::cluster::slurm::{CANARY, Desk, at_slurm, holding};
use crate::support::{Koab, read_json};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

const TASKS: &str = "L1-001,L1-002,L2-001,L3-001,L3-002,L4-001,L5-001";
const LIMIT: Duration = Duration::from_secs(240);

/// The agent of the tests, which leaves where it ran. With a model of its own it asks this address with its key.
fn agent(koab: &Koab, own: &str) -> String {
    let solver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../koab-agents/tests/agent.py");
    let solver = solver.canonicalize().expect("the agent of the tests");
    let script = "import os, sys\nsys.path.insert(0, sys.argv[2])\nsys.dont_write_bytecode = True\nfrom agent import solve\n\
        E = os.environ\nprint('===FINAL===\\n' + solve(sys.argv[1], E['ASKED'], E['KOAB_MCP_URL'], E['KOAB_TOKEN']))\n\
        assert 'OWNED' not in E or len(E['OWN_KEY']) == 14\n";
    let env = |asked: &str| json!({"ASKED": asked, "KOAB_MCP_URL": "{mcp}", "KOAB_TOKEN": "{token}"});
    let mut owned = env(own);
    owned["OWNED"] = json!("1");
    let definition = json!({"name": "on-nodes", "kind": "command", "script": "on-nodes.py", "env": env("{openai}"),
        "command": ["python3", "{script}", "{prompt}", solver.parent()],
        "own_model": {"keys": ["OWN_KEY"], "env": owned},
        "answer": {"after": "===FINAL==="}, "failed": {"exit": "nonzero"}});
    std::fs::write(koab.path().join("on-nodes.py"), script).expect("written");
    let path = koab.path().join("on-nodes.json");
    std::fs::write(&path, definition.to_string()).expect("written");
    path.display().to_string()
}

/// What an attempt did, by task.
fn did(folder: &Path) -> Vec<Value> {
    let levels = (1..=5).map(|level| read_json(&folder.join(format!("L{level}.json"))));
    let results = levels.flat_map(|log| log["results"].as_array().expect("results").clone());
    let of = |result: Value| {
        let calls = result["tool_calls"].as_array().into_iter().flatten();
        let calls: Vec<Value> =
            calls.map(|call| json!([call["step"], call["tool_name"], call["arguments"]])).collect();
        json!([result["task_id"], result["success"], calls, result["final_response"]])
    };
    results.map(of).collect()
}

fn there(desk: &Desk<'_>, words: &[&str]) -> (Value, PathBuf) {
    let common = ["run", "--model", "azure/gpt-4o", "--on", "slurm", "--protocol=corrected"];
    let more = ["--tasks", TASKS, "--shards", "4", "--at-once", "2"];
    let handed = desk.json(&[&common, words, &more].concat());
    let run = handed["run"].as_str().expect("an id");
    (desk.ended(run, LIMIT), desk.folder(run))
}

#[test]
fn an_agent_on_nodes_does_what_it_does_here() {
    at_slurm!(an_agent_on_nodes_does_what_it_does_here, slurm, desk, server, "5");
    let file = agent(&desk.koab, &server.base_url);
    let words = ["--agent", &file, "--native"];
    let here =
        desk.calm(&server.base_url, &[&words[..], &["--protocol", "corrected", "--tasks", TASKS]].concat());
    let (ended, folder) = there(&desk, &[&words[..], &["--base-url", &server.base_url]].concat());
    assert_eq!(ended["complete"], true, "{ended}");
    let here = PathBuf::from(here["folder"].as_str().expect("a folder"));
    assert_eq!(did(&here), did(&folder));
    let (here, spec) = (
        read_json(&here.join("run.json"))["spec"]["agent"].clone(),
        read_json(&folder.join("run.json"))["spec"]["agent"].clone(),
    );
    assert_eq!(here, spec);
    // Each attempt has its own folder, wherever it was made; the gateway saw its model.
    let calls = folder.join("agents/L3-001/1/model_calls.jsonl");
    assert!(calls.is_file(), "{}", calls.display());
    assert!(holding(&folder, CANARY).is_empty());
}

#[test]
fn the_key_of_its_own_model_reaches_the_nodes_and_no_file() {
    at_slurm!(the_key_of_its_own_model_reaches_the_nodes_and_no_file, slurm, desk, server, "5");
    let file = agent(&desk.koab, &server.base_url);
    let refused = desk.refused(&[
        "run",
        "--model",
        "azure/gpt-4o",
        "--agent",
        &file,
        "--own-model",
        "--protocol=corrected",
        "--on=slurm",
    ]);
    assert!(refused.contains("KOAB_AGENT_OWN_KEY"), "{refused}");
    let key = CANARY.replace("canary", "own");
    let koab = desk.koab.with("KOAB_AGENT_OWN_KEY", &key);
    let desk = Desk { koab, slurm: &slurm };
    let (ended, folder) = there(&desk, &["--agent", &file, "--own-model"]);
    assert_eq!(ended["complete"], true, "{ended}");
    assert!(ended["spending"]["usd"].is_null(), "{ended}");
    let found = did(&folder);
    assert!(found.iter().all(|task| task[1] == true), "{found:?}");
    assert!(read_json(&folder.join("L1.json"))["results"][0]["steps_by_arrival"] == true);
    assert_eq!(holding(desk.koab.path(), &key), Vec::<PathBuf>::new());
}

#[test]
fn a_program_with_a_window_is_on_no_node() {
    at_slurm!(a_program_with_a_window_is_on_no_node, slurm, desk);
    let words = [
        "run",
        "--model",
        "azure/gpt-4o",
        "--agent",
        "mcp-host",
        "--tasks=L1-001",
        "--protocol=corrected",
        "--on=slurm",
    ];
    let refused = desk.refused(&words);
    assert!(refused.contains("by hand"), "{refused}");
}
