//! What checks came to is kept, and what of it cannot be read is said.

use crate::agents::workshop::{definition, scripted, written};
use crate::support::http::model;
use crate::support::{Koab, Ran};
use serde_json::Value;

#[test]
fn an_agent_that_failed_is_refused_also_where_nobody_can_read_that_it_did() {
    let (koab, model) = (Koab::new(), model("stop"));
    let fails = scripted(koab.path(), "fails", "print('===FINAL===\\nnothing')");
    let fails = fails.display().to_string();
    let base = format!("{}/v1", model.address);
    let run = |agent: &str, more: &[&str]| -> Ran {
        let words =
            ["run", "--model", "openai_compat/m", "--base-url", &base, "--tasks", "L1-001", "--agent", agent];
        koab.run(&[&words[..], more].concat())
    };
    assert_ne!(koab.run(&["agents", "check", &fails]).code, 0);
    let ran = run(&fails, &[]);
    assert!(ran.code != 0 && ran.stderr.contains("fails failed its check"), "{}", ran.stderr);
    let file = koab.path().join("agent-checks.json");
    std::fs::write(&file, "{ broken").expect("written");
    let ran = run(&fails, &[]);
    for part in
        ["it is not known whether fails failed its check", "agent-checks.json cannot be read", "--unchecked"]
    {
        assert!(ran.code != 0 && ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let listed = koab.json(&["agents", "list"]);
    let codex = listed["agents"].as_array().and_then(|all| all.iter().find(|agent| agent["name"] == "codex"));
    let codex = codex.expect("codex");
    assert!(codex["checked"]["why"].to_string().contains("cannot be read"), "{codex}");
    // The user can say that it does not matter, and a check makes it known again; the file stays for whoever wants to mend it.
    assert_eq!(run(&fails, &["--unchecked"]).code, 0);
    let own = written(koab.path(), "own", &definition("command")).display().to_string();
    koab.ok(&["agents", "check", &own]);
    assert_eq!(run(&own, &[]).code, 0);
    std::fs::write(&file, "{ again").expect("written");
    koab.ok(&["agents", "check", &own]);
    for (name, text) in
        [("agent-checks.unreadable.json", "{ broken"), ("agent-checks.unreadable-2.json", "{ again")]
    {
        let aside = std::fs::read_to_string(koab.path().join(name));
        assert_eq!(aside.ok().as_deref(), Some(text));
    }
}

#[test]
fn an_agent_that_was_checked_in_a_container_leaves_it_by_choice_alone() {
    let koab = Koab::new().with("DOCKER_HOST", "unix:///nowhere/docker.sock");
    let model = model("stop");
    let base = format!("{}/v1", model.address);
    let own = written(koab.path(), "own", &definition("command")).display().to_string();
    koab.ok(&["agents", "check", &own]);
    let file = koab.path().join("agent-checks.json");
    let text = std::fs::read_to_string(&file).expect("checks");
    // As a check in a container is kept; here is no engine.
    let mut checks: serde_json::Map<String, Value> = serde_json::from_str(&text).expect("JSON");
    let (key, outcome) = checks.clone().into_iter().next().expect("a check");
    checks.insert(format!("{key} in a container"), outcome);
    std::fs::write(&file, Value::Object(checks).to_string()).expect("written");
    let run = |more: &[&str]| {
        let words =
            ["run", "--model", "openai_compat/m", "--base-url", &base, "--tasks", "L1-001", "--agent", &own];
        koab.run(&[&words[..], more].concat())
    };
    let refused = run(&[]);
    assert!(
        refused.code != 0
            && refused.stderr.contains("own-command was checked in a container")
            && refused.stderr.contains("--native"),
        "{}",
        refused.stderr
    );
    let native = run(&["--native"]);
    assert_eq!(native.code, 0, "{}", native.stderr);
    assert_eq!(native.stderr.matches("without a container (--native)").count(), 1, "{}", native.stderr);
}
