//! Agents that do what they should not: each is one outcome, and nothing is left of it.

use crate::agents::workshop::{BEGINS, attempts, run, scripted};
use crate::support::Koab;
use crate::support::http::{Local, model};
use crate::support::wait::until;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

struct Trouble {
    koab: Koab,
    model: Local,
}

impl Trouble {
    fn new() -> Self {
        Self { koab: Koab::new(), model: model("stop") }
    }

    /// Runs an agent of this script on one task; what its attempt came to, and what the run said.
    fn run(&self, name: &str, script: &str, words: &[&str]) -> (Vec<Value>, Value, PathBuf) {
        let file = scripted(self.koab.path(), name, &format!("{BEGINS}{script}"));
        let file = file.display().to_string();
        let words = [&["--agent", &file, "--concurrency", "1"], words].concat();
        let (folder, said) = run(&self.koab, &self.model.address, &words);
        let script = self.koab.path().join(format!("{name}.py"));
        assert_eq!(processes(&script.display().to_string()), 0, "{name}: a process is left");
        (attempts(&folder), said, folder)
    }

    /// The same on one task.
    fn once(&self, name: &str, script: &str, words: &[&str]) -> (Value, PathBuf) {
        let (mut attempts, said, folder) = self.run(name, script, &[&["--tasks", "L1-001"], words].concat());
        assert_eq!(attempts.len(), 1, "{name}: {said}");
        (attempts.remove(0), folder)
    }
}

/// Processes whose command line has this text.
fn processes(text: &str) -> usize {
    let listed = Command::new("ps").args(["-eo", "args"]).output().expect("ps");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    listed.lines().filter(|line| line.contains(text)).count()
}

fn error(attempt: &Value) -> String {
    attempt["error"].to_string()
}

#[test]
fn an_agent_that_hangs_is_ended_with_all_that_it_started() {
    let script = r#"
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
solve(prompt, openai, mcp, token)
subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)", __file__])
time.sleep(600)
"#;
    let (attempt, _) = Trouble::new().once("hangs", script, &["--timeout", "4"]);
    assert_eq!(attempt["stop"], "timed_out", "{attempt}");
    assert_eq!(attempt["calls"].as_array().map(Vec::len), Some(1), "calls so far count");
}

#[test]
fn an_agent_that_crashes_failed_by_itself() {
    let (attempt, _) =
        Trouble::new().once("crashes", "print(solve(prompt, openai, mcp, token)); sys.exit(3)", &[]);
    assert_eq!((&attempt["stop"], &attempt["success"]), (&"agent_failed".into(), &false.into()));
    assert!(error(&attempt).contains(r#""code":3"#), "{attempt}");
    assert_eq!(attempt["final_response"], Value::Null);
}

#[test]
fn an_agent_whose_calls_do_not_come_is_named_and_not_its_model() {
    let Trouble { koab, model } = Trouble::new();
    let file = scripted(koab.path(), "idles", &format!("{BEGINS}ask()\nprint('===FINAL===\\nI know')"));
    let (file, base) = (file.display().to_string(), format!("{}/v1", model.address));
    let words = ["run", "--agent", &file, "--model", "openai_compat/m", "--base-url", &base];
    let ran = koab.ok(&[&words[..], &["--tasks", "L1-001"]].concat());
    assert!(ran.stdout.contains("`koab agents check`"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("models probe"), "{}", ran.stdout);
}

/// koab cannot say goodbye: its agents, and what they started, are ended all the same.
#[test]
fn no_agent_outlives_a_koab_that_is_killed_outright() {
    let trouble = Trouble::new();
    let script = r#"
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)", __file__])
time.sleep(600)
"#;
    let file = scripted(trouble.koab.path(), "outlives", &format!("{BEGINS}{script}"));
    let script = trouble.koab.path().join("outlives.py").display().to_string();
    let (file, base) = (file.display().to_string(), format!("{}/v1", trouble.model.address));
    let model = ["run", "--model", "openai_compat/m", "--base-url", &base];
    let words = ["--agent", &file, "--levels", "L1", "--concurrency", "2"];
    let mut koab = trouble.koab.command(&[&model[..], &words].concat());
    let koab = koab.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut koab = koab.spawn().expect("koab starts");
    let all = |count: usize| {
        until("the processes of its agents", MINUTE, || match processes(&script) {
            found if found == count => Ok(()),
            found => Err(format!("{found} instead of {count}")),
        });
    };
    // Two attempts, each a program and its child.
    all(4);
    koab.kill().expect("killed");
    koab.wait().expect("ended");
    all(0);
}

#[test]
fn a_flood_of_calls_ends_at_the_step_limit() {
    let script = r#"
name = tools()[0]["name"]
for number in range(10000):
    call(name, query=str(number))
print("===FINAL===\nnever")
"#;
    let (attempt, _) = Trouble::new().once("floods", script, &[]);
    assert_eq!(attempt["stop"], "step_limit", "{attempt}");
    assert_eq!(attempt["calls"].as_array().map(Vec::len), Some(10));
    assert_eq!(attempt["agent"]["by_agent"], 10);
}

#[test]
fn large_arguments_and_foreign_tokens_are_refused_and_change_nothing() {
    let script = r#"
name = tools()[0]["name"]
codes = [refused(lambda: call(name, query="x" * 50_000_000)), refused(lambda: call(name, token="sk-koab-" + "0" * 64)),
    refused(lambda: post(openai + "/chat/completions", {}, "sk-koab-" + "0" * 64))]
answer = solve(prompt, openai, mcp, token)
print("===FINAL===\n" + json.dumps(codes))
"#;
    let (attempt, _) = Trouble::new().once("intrudes", script, &[]);
    assert_eq!(attempt["final_response"], "[413, 401, 401]", "{attempt}");
    assert_eq!(attempt["calls"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_an_agent_prints_without_end_costs_no_disk() {
    let script = r#"
solve(prompt, openai, mcp, token)
sys.stderr.write("x" * (40 << 20))
print("key " + token)
print("===FINAL===\nanswer")
"#;
    let trouble = Trouble::new();
    let (attempt, folder) = trouble.once("prints", script, &[]);
    assert_eq!(attempt["final_response"], "answer", "{attempt}");
    let console = folder.join("agents/L1-001/1/console.log");
    assert!(console.metadata().expect("a console").len() < (17 << 20));
    assert!(!std::fs::read_to_string(console).expect("text").contains("sk-koab-"));
}

#[test]
fn a_call_behind_the_answer_finds_nobody() {
    let trouble = Trouble::new();
    let folder = trouble.koab.path();
    let (said, begun) = (folder.join("late.txt"), folder.join("begun.txt"));
    // The listener of an attempt is there a moment longer than its program. A list of tools, unlike a call, is no part of the attempt.
    // Each attempt waits for the late call of the one before, so the run goes on meanwhile.
    let script = format!(
        r#"
def lines(path):
    try:
        return len(open(path).readlines())
    except FileNotFoundError:
        return 0
if len(sys.argv) > 3:
    parent = int(sys.argv[3])
    while os.getppid() == parent:
        time.sleep(0.01)
    said = None
    while said is None:
        try:
            said = refused(tools)
        except OSError:
            said = "gone"
    open({said:?}, "a").write(str(said) + "\n")
    sys.exit()
earlier = lines({begun:?})
open({begun:?}, "a").write("begun\n")
while lines({said:?}) < earlier:
    time.sleep(0.01)
answer = solve(prompt, openai, mcp, token)
subprocess.Popen([sys.executable, __file__, prompt, sys.argv[2], str(os.getpid())], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print("===FINAL===\n" + answer)
"#
    );
    let file = scripted(trouble.koab.path(), "late", &format!("{BEGINS}{script}"));
    let words =
        ["--agent", &file.display().to_string(), "--concurrency", "1", "--tasks", "L1-001,L1-002,L1-003"];
    let (folder, _) = run(&trouble.koab, &trouble.model.address, &words);
    for attempt in attempts(&folder) {
        assert_eq!(
            (&attempt["stop"], attempt["calls"].as_array().map(Vec::len)),
            (&"answered".into(), Some(1))
        );
    }
    let lines = until("all of them call late", MINUTE, || {
        let lines = std::fs::read_to_string(&said).unwrap_or_default();
        if lines.lines().count() == 3 { Ok(lines) } else { Err(lines) }
    });
    // Those of the first two called while the run went on; that of the last may find no listener at all.
    assert!(lines.starts_with("401\n401\n"), "{lines}");
    let ended = crate::support::read_json(&folder.join("agents/L1-001/1/attempt.json"));
    assert_eq!(ended["after_end"], 1, "{ended}");
    let shown = trouble.koab.json(&["runs", "show", "last"]);
    assert!(shown["conduct"]["after_end"].as_u64() >= Some(1), "{shown}");
    assert!(lines.lines().all(|line| ["401", "gone"].contains(&line)), "{lines}");
}

/// Natively nothing holds it; what keeps to the proxy is named.
#[test]
fn the_hosts_of_connections_that_an_agent_opens_are_named() {
    let script = r#"
import urllib.request
answer = solve(prompt, openai, mcp, token)
refusals = []
for address in ["https://chat.invalid/login", "http://files.invalid/a?b=c", "https://chat.invalid/again"]:
    try:
        urllib.request.urlopen(address, timeout=5)
    except OSError as error:
        refusals.append("403" in str(error))
print("===FINAL===\n" + json.dumps(refusals))
"#;
    let trouble = Trouble::new();
    let (attempt, folder) = trouble.once("opens", script, &[]);
    assert_eq!(
        (&attempt["stop"], &attempt["final_response"]),
        (&"answered".into(), &"[true, true, true]".into())
    );
    let told = crate::support::read_json(&folder.join("agents/L1-001/1/attempt.json"));
    let hosts = serde_json::json!(["chat.invalid", "files.invalid"]);
    assert_eq!(told["hosts_asked_for_so_far"], hosts, "{told}");
    let shown = trouble.koab.json(&["runs", "show", "last"]);
    assert_eq!(shown["conduct"]["hosts"], hosts, "{shown}");
}

/// Somebody else ends it, as an out-of-memory killer does: that is its one outcome, and the rest of the run is made.
#[cfg(unix)]
#[test]
fn an_agent_that_is_killed_has_one_outcome_and_its_run_goes_on() {
    let trouble = Trouble::new();
    let folder = trouble.koab.path();
    let (pid, go) = (folder.join("pid"), folder.join("go"));
    let script = format!(
        r#"
answer = solve(prompt, openai, mcp, token)
if not os.path.exists({go:?}):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", __file__])
    with open({pid:?} + ".new", "w") as file:
        file.write(str(os.getpid()))
    os.rename({pid:?} + ".new", {pid:?})
    time.sleep(600)
print("===FINAL===\n" + answer)
"#
    );
    let file = scripted(folder, "killed", &format!("{BEGINS}{script}"));
    let script = folder.join("killed.py").display().to_string();
    let (file, base) = (file.display().to_string(), format!("{}/v1", trouble.model.address));
    let words = [
        "run",
        "--model",
        "openai_compat/m",
        "--base-url",
        &base,
        "--agent",
        &file,
        "--concurrency",
        "1",
        "--tasks",
        "L1-001,L1-002,L1-003",
    ];
    let mut koab = trouble.koab.command(&words);
    let koab = koab.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut koab = koab.spawn().expect("koab starts");
    // The agent of the first task, then that of the second.
    let agent = |after: Option<&str>| {
        until("an agent begins", MINUTE, || {
            let found = std::fs::read_to_string(&pid).unwrap_or_default();
            let is_next = !found.is_empty() && Some(found.as_str()) != after;
            is_next.then_some(found)
        })
    };
    let first = agent(None);
    let killed = Command::new("kill").args(["-KILL", &first]).status();
    assert!(killed.expect("kill").success());
    agent(Some(&first));
    koab.kill().expect("killed");
    koab.wait().expect("ended");
    std::fs::write(&go, "").expect("written");
    let said = trouble.koab.json(&["run", "--resume", "last"]);
    assert_eq!(said["run"]["outcome"], "completed", "{said}");
    let made = attempts(&PathBuf::from(said["run"]["folder"].as_str().expect("a folder")));
    let ends: Vec<_> = made.iter().map(|made| (made["task"].clone(), made["stop"].clone())).collect();
    let end = |task: &str, stop: &str| (Value::from(task), Value::from(stop));
    assert_eq!(ends, [end("L1-001", "agent_failed"), end("L1-002", "answered"), end("L1-003", "answered")]);
    assert_eq!(made[0]["calls"].as_array().map(Vec::len), Some(1), "calls so far count");
    until("no process is left", MINUTE, || processes(&script) == 0);
}

#[test]
fn an_agent_that_calls_nobody_ends_the_run_after_three() {
    let (attempts, said, _) =
        Trouble::new().run("idles", "print('please log in first')", &["--levels", "L1"]);
    assert_eq!(said["run"]["outcome"], "failed");
    let reason = said["run"]["reason"].to_string();
    assert!(reason.contains("does not start") && reason.contains("log in first"), "{reason}");
    assert!(attempts.len() >= 3 && attempts.iter().all(|attempt| attempt["stop"] == "agent_failed"));
}

#[test]
fn model_calls_without_end_are_refused() {
    let script = r#"
answered = 0
try:
    while True:
        ask()
        answered += 1
except urllib.error.HTTPError as error:
    print("===FINAL===\n", error.code, answered)
"#;
    let (attempt, _) = Trouble::new().once("asks", script, &["--max-steps", "1"]);
    assert_eq!(attempt["stop"], "agent_failed", "{attempt}");
    assert_eq!(attempt["agent"]["side_calls"], 28);
    assert!(error(&attempt).contains("28 times"), "{attempt}");
}

#[test]
fn the_leaderboard_protocol_and_unknown_agents_are_refused() {
    let trouble = Trouble::new();
    let base = ["run", "--model", "baseline/golden", "--agent"];
    let ran = trouble.koab.run(&[&base[..], &["codex", "--protocol", "leaderboard"]].concat());
    assert!(ran.code != 0 && ran.stderr.contains("corrected"), "{}", ran.stderr);
    let ran = trouble.koab.run(&[&base[..], &["nobody"]].concat());
    assert!(ran.code != 0 && ran.stderr.contains("there is no agent `nobody`"), "{}", ran.stderr);
}
