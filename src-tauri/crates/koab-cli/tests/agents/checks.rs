//! What checks came to is kept, and what of it cannot be read is said.

use crate::agents::workshop::{BEGINS, definition, scripted, written};
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
        let words = [
            "run",
            "--model",
            "openai_compat/m",
            "--base-url",
            &base,
            "--tasks",
            "L1-001",
            "--agent",
            agent,
        ];
        koab.run(&[&words[..], more].concat())
    };
    assert_ne!(koab.run(&["agents", "check", &fails]).code, 0);
    let ran = run(&fails, &[]);
    assert!(
        ran.code != 0 && ran.stderr.contains("fails failed its check"),
        "{}",
        ran.stderr
    );
    let file = koab.path().join("agent-checks.json");
    std::fs::write(&file, "{ broken").expect("written");
    let ran = run(&fails, &[]);
    for part in [
        "it is not known whether fails failed its check",
        "agent-checks.json cannot be read",
        "--unchecked",
    ] {
        assert!(
            ran.code != 0 && ran.stderr.contains(part),
            "{part}: {}",
            ran.stderr
        );
    }
    let listed = koab.json(&["agents", "list"]);
    let codex = listed["agents"]
        .as_array()
        .and_then(|all| all.iter().find(|agent| agent["name"] == "codex"));
    let codex = codex.expect("codex");
    assert!(
        codex["checked"]["why"].to_string().contains("cannot be read"),
        "{codex}"
    );
    // The user can say that it does not matter, and a check makes it known again; the file stays for whoever wants to mend it.
    assert_eq!(run(&fails, &["--unchecked"]).code, 0);
    let own = written(koab.path(), "own", &definition("command"))
        .display()
        .to_string();
    koab.ok(&["agents", "check", &own]);
    assert_eq!(run(&own, &[]).code, 0);
    std::fs::write(&file, "{ again").expect("written");
    koab.ok(&["agents", "check", &own]);
    for (name, text) in [
        ("agent-checks.unreadable.json", "{ broken"),
        ("agent-checks.unreadable-2.json", "{ again"),
    ] {
        let aside = std::fs::read_to_string(koab.path().join(name));
        assert_eq!(aside.ok().as_deref(), Some(text));
    }
}

#[test]
fn an_agent_that_was_checked_in_a_container_leaves_it_by_choice_alone() {
    let koab = Koab::new().with("DOCKER_HOST", "unix:///nowhere/docker.sock");
    let model = model("stop");
    let base = format!("{}/v1", model.address);
    let own = written(koab.path(), "own", &definition("command"))
        .display()
        .to_string();
    koab.ok(&["agents", "check", &own]);
    let file = koab.path().join("agent-checks.json");
    let text = std::fs::read_to_string(&file).expect("checks");
    // As a check in a container is kept; here is no engine.
    let mut checks: serde_json::Map<String, Value> = serde_json::from_str(&text).expect("JSON");
    let (key, outcome) = checks.clone().into_iter().next().expect("a check");
    checks.insert(format!("{key} in a container"), outcome);
    std::fs::write(&file, Value::Object(checks).to_string()).expect("written");
    let run = |more: &[&str]| {
        let words = [
            "run",
            "--model",
            "openai_compat/m",
            "--base-url",
            &base,
            "--tasks",
            "L1-001",
            "--agent",
            &own,
        ];
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
    assert_eq!(
        native.stderr.matches("is not contained (--native)").count(),
        1,
        "{}",
        native.stderr
    );
}

/// What agents of a table begin with: `go` has the model's calls made by `make`, whose text is what the model is told.
const GOES: &str = r#"
def go(make, offered):
    messages = [{"role": "user", "content": prompt}]
    while True:
        body = {"model": "any", "messages": messages, "tools": offered}
        reply = post(openai + "/chat/completions", body, token)["choices"][0]["message"]
        messages.append(reply)
        if not reply.get("tool_calls"):
            return print("===FINAL===\n" + reply["content"])
        for asked in reply["tool_calls"]:
            told = make(asked["function"]["name"], json.loads(asked["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": asked["id"], "content": told})
offer = lambda name, schema={"type": "object"}: {"type": "function", "function": {"name": name, "parameters": schema}}
task = lambda: [offer(tool["name"], tool["inputSchema"]) for tool in tools()]
result = lambda name, arguments: call(name, **arguments)["result"]
plain = lambda name, arguments: result(name, arguments)["content"][0]["text"]
def stops(name, arguments):
    found = result(name, arguments)
    if found.get("isError"):
        sys.exit("the tool failed")
    return found["content"][0]["text"]
def repeats(name, arguments):
    found = result(name, arguments)
    for _ in range(2):
        if found.get("isError"):
            found = result(name, arguments)
    return found["content"][0]["text"]
"#;

/// What an agent does, whether it passes, whether it goes on after failures, and the one sentence that it is told, in parts.
type Trap = (
    &'static str,
    &'static str,
    bool,
    Option<bool>,
    &'static [&'static str],
);

const TRAPS: [Trap; 10] = [
    ("plain", "go(plain, task())", true, Some(true), &[]),
    (
        "no-approval",
        "go(lambda *call: 'requires approval, but approval policy is never', task())",
        false,
        None,
        &[
            "nobody approved it",
            "choose an approval mode without questions",
            "approval policy is never",
        ],
    ),
    (
        "wants-arguments",
        "go(lambda *call: 'Argument day is required', task())",
        false,
        None,
        &[
            "refuses the call for its arguments",
            "switch its own check",
            "Argument day is required",
        ],
    ),
    (
        "drops",
        "go(lambda *call: sys.exit(print('===FINAL===\\nI cannot')), task())",
        false,
        None,
        &[
            "neither made it nor told its model why",
            "look for an approval mode",
        ],
    ),
    (
        "hides",
        "tools(); go(plain, [offer('shell'), offer('tool_search')])",
        false,
        None,
        &["a search for them (tool_search)", "switch its tool search off"],
    ),
    (
        "allows-few",
        "tools(); go(plain, [offer('shell'), offer('web_search')])",
        false,
        None,
        &[
            "has the list of the task's tools",
            "look for a list of tools that are allowed",
        ],
    ),
    (
        "asks-no-list",
        "go(plain, [offer('shell')])",
        false,
        None,
        &[
            "never asked for the task's tools",
            "look at the MCP server in its settings",
        ],
    ),
    (
        "changes",
        "go(lambda name, arguments: plain(name, {**arguments, 'day': 'today'}), task())",
        true,
        Some(true),
        &[
            "changes the arguments of calls",
            "today",
            "switch off what fills in",
        ],
    ),
    (
        "stops",
        "go(stops, task())",
        true,
        Some(false),
        &["ends at a failed call", "raise the number of its retries"],
    ),
    (
        "repeats",
        "go(repeats, task())",
        true,
        Some(true),
        &[
            "repeats a failed call by itself (4 times)",
            "set its own retries of tools to 0",
        ],
    ),
];

#[test]
fn a_check_names_what_is_in_the_way_of_a_call_and_what_helps() {
    let koab = Koab::new();
    for (name, does, passed, goes_on, parts) in TRAPS {
        let file = scripted(koab.path(), name, &format!("{BEGINS}{GOES}{does}\n"));
        let ran = koab.run(&["agents", "check", &file.display().to_string(), "--json"]);
        let checked: Value = serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|error| panic!("{name}: {error}: {}{}", ran.stdout, ran.stderr));
        assert_eq!(
            (ran.code == 0, &checked["passed"]),
            (passed, &passed.into()),
            "{checked}"
        );
        assert_eq!(checked["goes_on_after_error"], Value::from(goes_on), "{checked}");
        let traps = checked["traps"].as_array().expect("traps");
        assert_eq!(traps.len(), usize::from(!parts.is_empty()), "{name}: {checked}");
        for part in parts {
            assert!(traps[0].to_string().contains(part), "{name}, {part}: {checked}");
        }
    }
}
