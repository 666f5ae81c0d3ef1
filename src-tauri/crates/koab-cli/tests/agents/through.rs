//! The run of an agent, through everything that there is for runs.

use crate::agents::workshop::{definition, run, written};
use crate::support::http::{Local, model};
use crate::support::{Koab, read_json};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const TASKS: &str = "L1-001,L1-002,L3-001,L5-001,L6-001";

/// A run of the agent and one without it, both scored.
struct Both {
    koab: Koab,
    model: Local,
    file: String,
    agent: String,
    native: String,
    report: String,
}

fn id(folder: &std::path::Path) -> String {
    let parts: Vec<_> = folder.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    format!("{}/{}", parts[1], parts[0])
}

impl Both {
    fn made() -> Self {
        let (koab, model) = (Koab::new(), model("stop"));
        let file = written(koab.path(), "own", &definition("command")).display().to_string();
        let (native, _) = run(&koab, &model.address, &["--tasks", TASKS]);
        let (agent, said) = run(&koab, &model.address, &["--tasks", TASKS, "--agent", &file]);
        assert_eq!(said["run"]["outcome"], "completed", "{said}");
        let score = |folder: &PathBuf| {
            let folder = folder.display().to_string();
            let said = koab.json(&["evaluate", &folder, "--no-judge"]);
            let report = said[0]["folder"].as_str().expect("a report").to_owned();
            PathBuf::from(report).file_name().expect("a name").to_string_lossy().into_owned()
        };
        let (_, report) = (score(&native), score(&agent));
        Self { file, agent: id(&agent), native: id(&native), report, koab, model }
    }

    fn refused(&self, words: &[&str]) -> String {
        let ran = self.koab.run(words);
        assert_ne!(ran.code, 0, "{words:?}: {}", ran.stdout);
        ran.stderr + &ran.stdout
    }
}

#[test]
fn an_agents_run_goes_through_everything() {
    let both = Both::made();
    let koab = &both.koab;
    // The list and the run itself name the agent, and say that it was not contained.
    let listed = koab.ok(&["runs", "list"]).stdout;
    assert!(listed.contains(&format!("{} (own-command)", both.agent)), "{listed}");
    let shown = koab.ok(&["runs", "show", &both.agent]).stdout;
    assert!(shown.contains("own-command (native, not contained)"), "{shown}");
    // Failures by cause, and a page that names both.
    let atlas = koab.ok(&["report", "atlas", &both.report]).stdout;
    assert!(atlas.contains("5 attempts"), "{atlas}");
    let page = koab.path().join("report.html");
    koab.ok(&["report", "export", &both.report, "-o", &page.display().to_string()]);
    let page = std::fs::read_to_string(page).expect("a page");
    for part in ["own-command · openai_compat/m", "own-command (native, not contained)"] {
        assert!(page.contains(part), "{part}");
    }
    // Beside a run without it: shown, and nothing tested.
    let compared = koab.ok(&["report", "compare", &both.native, &both.agent]).stdout;
    for part in ["own-command · openai_compat/m", "are not comparable, so nothing is tested", "no --agent"] {
        assert!(compared.contains(part), "{part}: {compared}");
    }
    // Two of its own kind are tested.
    let (again, _) = run(koab, &both.model.address, &["--tasks", TASKS, "--agent", &both.file]);
    koab.ok(&["evaluate", &id(&again), "--no-judge"]);
    let compared = koab.ok(&["report", "compare", &both.agent, &id(&again)]).stdout;
    assert!(!compared.contains("nothing is tested"), "{compared}");
}

#[test]
fn a_bundle_of_an_agents_run_verifies_and_a_changed_one_does_not() {
    let both = Both::made();
    let koab = &both.koab;
    let bundle = koab.path().join("b.koab").display().to_string();
    koab.ok(&["submit", "bundle", &both.agent, "-o", &bundle]);
    let said = koab.ok(&["submit", "verify", &bundle]).stdout;
    assert!(!said.contains("FAILED"), "{said}");
    // What a journal says of an attempt is compared with its steps.
    let journal = koab.path().join("logs/benchmark_results/by_model").join(&both.agent).join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).expect("a journal");
    let changed: Vec<String> = text.lines().map(changed_answer).collect();
    std::fs::write(&journal, changed.join("\n") + "\n").expect("written");
    let other = koab.path().join("c.koab").display().to_string();
    let said = both.refused(&["submit", "bundle", &both.agent, "-o", &other]);
    assert!(said.contains("would not verify"), "{said}");
}

/// The line of an attempt with another argument of its first call and no checksum.
fn changed_answer(line: &str) -> String {
    let mut read: Value = serde_json::from_str(line).expect("JSON");
    if read["type"] == "attempt" && read["record"]["task"] == "L1-001" {
        read["record"]["calls"][0]["arguments"] = json!({ "changed": true });
        if let Some(fields) = read.as_object_mut() {
            fields.shift_remove("sum");
        }
        return read.to_string();
    }
    line.to_owned()
}

#[test]
fn a_submission_of_an_agents_run_is_refused_for_the_agent_and_for_nothing_untrue() {
    let both = Both::made();
    let folder = both.koab.path().join("submission").display().to_string();
    both.koab.run(&["submit", "prepare", &both.report, "--folder", &folder]);
    let said = both.refused(&["submit", "validate", &folder]);
    assert!(said.contains("an agent drove the model, which no published run has: own-command"), "{said}");
    for untrue in ["mixed_runs", "edited_log", "metadata.model"] {
        assert!(!said.contains(untrue), "{untrue}: {said}");
    }
}

#[test]
fn a_fork_of_an_agents_attempt_is_refused_with_its_reason() {
    let both = Both::made();
    let said = both.refused(&["runs", "fork", &both.agent, "L1-001", "--step", "1", "--error", "timeout"]);
    assert!(said.contains("no agent takes over a conversation that it did not have"), "{said}");
    both.koab.ok(&["runs", "fork", &both.native, "L1-001", "--step", "1", "--error", "timeout"]);
}

#[test]
fn an_estimate_says_whether_an_agents_prompts_are_in_it() {
    let (koab, model) = (Koab::new(), model("stop"));
    let file = written(koab.path(), "own", &definition("command")).display().to_string();
    let base = format!("{}/v1", model.address);
    let from = |words: &[&str]| {
        let plan =
            ["run", "--model", "openai_compat/m", "--base-url", &base, "--tasks", "L1-001", "--dry-run"];
        koab.ok(&[&plan[..], words].concat()).stdout
    };
    let said = from(&["--agent", &file]);
    assert!(said.contains("without the agent's own prompts"), "{said}");
    let (made, _) = run(&koab, &model.address, &["--tasks", "L1-001", "--agent", &file]);
    let made = id(&made);
    let said = from(&["--agent", &file]);
    assert!(said.contains(&made) && !said.contains("without the agent's own prompts"), "{said}");
    // A run of the agent tells nothing of the model without it.
    let said = from(&[]);
    assert!(!said.contains(&made) && !said.contains("prompts"), "{said}");
}

#[test]
fn a_transcript_names_the_agent_and_has_its_calls() {
    let both = Both::made();
    let mut child = both
        .koab
        .command(&["mcp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("koab starts");
    let asked = json!({ "task": "L1-001", "run": both.agent });
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "transcript", "arguments": asked}}),
    ];
    let mut input = child.stdin.take().expect("a pipe");
    for line in lines {
        writeln!(input, "{line}").expect("written");
    }
    drop(input);
    let said = String::from_utf8_lossy(&child.wait_with_output().expect("an end").stdout).into_owned();
    for part in
        ["own-command · openai_compat/m", "step 1, model: calls ", "final answer: 비밀스러운 답", "ToolAcc: "]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn what_no_worker_can_make_of_an_agent_is_refused_at_first_and_when_the_run_is_resumed() {
    let (koab, model) = (Koab::new(), model("stop"));
    let idles = crate::agents::workshop::scripted(koab.path(), "idles", "print('no')");
    let idles = idles.display().to_string();
    let base = format!("{}/v1", model.address);
    let refused = |words: &[&str], only: &str| {
        let ran = koab.run(words);
        assert!(ran.code != 0 && ran.stderr.contains(only), "{words:?}: {}{}", ran.stdout, ran.stderr);
    };
    let hand = ["run", "--model", "vendor/m", "--agent", "mcp-host", "--on", "slurm"];
    refused(&[&hand[..], &["--tasks", "L1-001"]].concat(), "so no worker can run it");
    let words = ["run", "--model", "openai_compat/m", "--base-url", &base];
    // It ends early, with attempts left that could be handed over.
    assert_ne!(koab.run(&[&words[..], &["--levels", "L1", "--agent", &idles]].concat()).code, 0);
    // As if it had been made in containers, which workers have none of.
    let runs = koab.json(&["runs", "list"]);
    let run = Path::new(runs[0]["folder"].as_str().expect("a folder")).join("run.json");
    let mut manifest = read_json(&run);
    manifest["spec"]["agent"]["contained"] = true.into();
    std::fs::write(&run, manifest.to_string()).expect("written");
    refused(
        &["run", "--resume", "last", "--on", "slurm"],
        "on their nodes themselves and not in a container",
    );
}
