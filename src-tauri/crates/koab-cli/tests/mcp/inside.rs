//! An agent was given one workspace. Runs of another are not its to read, whatever they are called.

use crate::mcp::product::Agent;
use crate::support::Koab;
use serde_json::json;

#[test]
fn an_agent_reads_nothing_outside_of_its_workspace() {
    let elsewhere = Koab::new();
    let made = elsewhere.json(&["run", "--model", "baseline/silent", "--tasks", "L1-001", "--evaluate"]);
    let folder = made["run"]["folder"].as_str().expect("a folder");
    let koab = Koab::new();
    let link = koab.path().join("link");
    std::os::unix::fs::symlink(folder, &link).expect("a link");
    let linked = link.to_str().expect("text");
    let up = "../".repeat(koab.path().components().count() - 1);
    let climbing = format!("{}/{up}{}", koab.path().display(), folder.trim_start_matches('/'));
    let mut agent = Agent::start(&koab, &["mcp"]);
    for path in [folder, linked, &climbing] {
        for (tool, arguments) in [
            ("transcript", json!({ "task": "L1-001", "run": path })),
            ("report", json!({ "report": path })),
            ("compare", json!({ "reports": [path, "last"] })),
            ("failures", json!({ "reports": [path] })),
            ("plan_gate", json!({ "baseline": path, "model": "baseline/golden" })),
        ] {
            let (said, failed) = agent.ask(tool, &arguments);
            let is_refused = said.contains("is outside of this workspace");
            assert!(failed && is_refused, "{tool} {path}: {said}");
        }
    }
}
