//! Agents in containers that do what they should not: each is one outcome, nothing gets out, and no container is left.

use crate::agents::contained::contained;
use crate::agents::workshop::{BEGINS, attempts, containers, own, run, variables, written};
use crate::support::http::{Local, model};
use crate::support::{Koab, docker, read_json};
use serde_json::{Value, json};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

struct Trouble {
    koab: Koab,
    host: String,
    model: Local,
}

impl Trouble {
    fn new(test: &str) -> Option<Self> {
        let host = docker(test)?;
        Some(Self { koab: contained(&host), host, model: model("stop") })
    }

    /// Runs an agent of this script on one task in a container; what its attempt came to, and the run's folder.
    fn once(&self, name: &str, script: &str, more: &Value, words: &[&str]) -> (Value, PathBuf) {
        let folder = self.koab.path();
        std::fs::write(folder.join("script.py"), format!("{BEGINS}{script}")).expect("written");
        let agent = std::fs::read_to_string(own()).expect("the agent of the tests");
        let mut definition = json!({"name": name, "kind": "command", "script": "script.py", "env": variables(),
            "files": {"{home}/own/agent.py": agent}, "command": ["python3", "{script}", "{prompt}", "{home}/own"],
            "answer": {"after": "===FINAL==="}, "failed": {"exit": "nonzero"}});
        for (field, value) in more.as_object().into_iter().flatten() {
            definition[field] = value.clone();
        }
        let file = written(folder, name, &definition).display().to_string();
        self.koab.ok(&["agents", "image", &file, "--base", "koab-test"]);
        let common = ["--agent", &file, "--concurrency", "1", "--tasks", "L1-001"];
        let (folder, said) = run(&self.koab, &self.model.address, &[&common[..], words].concat());
        assert_eq!(containers(&self.host, self.koab.path()), 0, "{name}: a container is left");
        let spec = &read_json(&folder.join("run.json"))["spec"];
        assert_eq!(spec["agent"]["contained"], true);
        let mut attempts = attempts(&folder);
        assert_eq!(attempts.len(), 1, "{name}: {said}");
        (attempts.remove(0), folder)
    }
}

fn attempt_file(folder: &Path) -> Value {
    read_json(&folder.join("agents/L1-001/1/attempt.json"))
}

#[test]
fn one_that_hangs_is_ended_with_its_container() {
    let Some(trouble) = Trouble::new("one_that_hangs_is_ended_with_its_container") else {
        return;
    };
    let script = r#"
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
solve(prompt, openai, mcp, token)
subprocess.Popen(["sleep", "600"], start_new_session=True)
time.sleep(600)
"#;
    let (attempt, _) = trouble.once("hangs", script, &json!({}), &["--timeout", "15"]);
    assert_eq!(attempt["stop"], "timed_out", "{attempt}");
    assert_eq!(attempt["calls"].as_array().map(Vec::len), Some(1), "calls so far count");
}

#[test]
fn one_that_crashes_failed_by_itself_and_what_it_started_goes_with_it() {
    let Some(trouble) = Trouble::new("one_that_crashes_failed_by_itself_and_what_it_started_goes_with_it")
    else {
        return;
    };
    let script = r#"
subprocess.Popen(["sleep", "600"], start_new_session=True)
print(solve(prompt, openai, mcp, token)); sys.exit(3)
"#;
    let (attempt, _) = trouble.once("crashes", script, &json!({}), &[]);
    assert_eq!(attempt["stop"], "agent_failed", "{attempt}");
    assert!(attempt["error"].to_string().contains(r#""code":3"#), "{attempt}");
}

#[test]
fn one_that_takes_all_memory_is_told_so_and_one_that_lost_a_child_to_it_is_not() {
    let test = "one_that_takes_all_memory_is_told_so_and_one_that_lost_a_child_to_it_is_not";
    let Some(trouble) = Trouble::new(test) else {
        return;
    };
    // Its server listens, and takes memory when it is asked; it has called nobody by then.
    let server = r#"
import http.server
class Eats(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        held = []
        while True:
            held.append(b"x" * (64 << 20))
http.server.HTTPServer(("127.0.0.1", int(sys.argv[3])), Eats).serve_forever()
"#;
    let more = json!({"kind": "http", "address": "http://127.0.0.1:{port}/", "request": {"input": "{prompt}"},
        "command": ["python3", "{script}", "{prompt}", "{home}/own", "{port}"], "answer": {"stdout": "json", "pointer": "/answer"}});
    let (attempt, _) = trouble.once("eats", server, &more, &[]);
    assert_eq!(attempt["stop"], "agent_failed", "{attempt}");
    assert!(attempt["error"].to_string().contains("more memory"), "{attempt}");
    let child = r#"
eats = "held = []\nwhile True: held.append(b'x' * (64 << 20))"
subprocess.run([sys.executable, "-c", "open('/proc/self/oom_score_adj', 'w').write('1000')\n" + eats])
print("===FINAL===\n" + solve(prompt, openai, mcp, token))
"#;
    let (attempt, _) = trouble.once("child", child, &json!({}), &[]);
    assert_eq!(attempt["error"], Value::Null, "{attempt}");
}

#[test]
fn floods_of_calls_and_of_text_end_at_their_limits() {
    let Some(trouble) = Trouble::new("floods_of_calls_and_of_text_end_at_their_limits") else {
        return;
    };
    let script = r#"
sys.stderr.write("x" * (40 << 20))
print("key " + token, flush=True)
name = tools()[0]["name"]
for number in range(10000):
    call(name, query=str(number))
print("===FINAL===\nnever")
"#;
    let (attempt, folder) = trouble.once("floods", script, &json!({}), &[]);
    assert_eq!(attempt["stop"], "step_limit", "{attempt}");
    let console = folder.join("agents/L1-001/1/console.log");
    assert!(console.metadata().expect("a console").len() < (17 << 20));
    let text = std::fs::read_to_string(console).expect("text");
    assert!(!text.contains("sk-koab-"));
}

#[test]
fn one_that_writes_everywhere_writes_in_its_own_folder_alone() {
    let Some(trouble) = Trouble::new("one_that_writes_everywhere_writes_in_its_own_folder_alone") else {
        return;
    };
    let secret = trouble.koab.path().join("secret.txt");
    std::fs::write(&secret, "canary").expect("written");
    let script = format!(
        r#"
solve(prompt, openai, mcp, token)
wrote = []
for place in ["/", "/etc", "/usr/bin", "/koab", "/proc/sys/kernel", "/attempt", "/attempt/work", E["HOME"], "/tmp"]:
    try:
        open(place + "/koab-was-here", "w").write("x")
        wrote.append(place)
    except OSError:
        pass
found = [path for path in [{secret:?}, "/var/run/docker.sock"] if os.path.exists(path)]
os.symlink("/etc", "/attempt/work/out")
print("===FINAL===\n" + json.dumps([wrote, found, os.getuid() == 0, os.getcwd()]))
"#
    );
    let (attempt, folder) = trouble.once("writes", &script, &json!({}), &[]);
    let answer = r#"[["/attempt", "/attempt/work", "/attempt/home", "/tmp"], [], false, "/attempt/work"]"#;
    assert_eq!(attempt["final_response"], answer, "{attempt}");
    // Of what it wrote to, this is the place that this user has as well.
    assert!(!Path::new("/tmp/koab-was-here").exists());
    let own = folder.join("agents/L1-001/1/inside");
    let uid = |path: &Path| path.symlink_metadata().expect("a file").uid();
    for path in ["work/koab-was-here", "home/koab-was-here", "koab-was-here"] {
        assert_eq!(uid(&own.join(path)), uid(&folder), "{path}");
    }
}

#[test]
fn an_answer_s_file_behind_a_link_is_no_answer() {
    let Some(trouble) = Trouble::new("an_answer_s_file_behind_a_link_is_no_answer") else {
        return;
    };
    let script = r#"
solve(prompt, openai, mcp, token)
os.rmdir("/attempt/work")
os.symlink("/etc", "/attempt/work")
"#;
    let more = json!({"answer": {"file": "{work}/hostname"}});
    let (attempt, _) = trouble.once("leads", script, &more, &[]);
    assert_eq!(attempt["final_response"], Value::Null, "{attempt}");
    assert_eq!(attempt["stop"], "agent_failed");
}

#[test]
fn connections_reach_nothing_and_hosts_are_known() {
    let Some(trouble) = Trouble::new("connections_reach_nothing_and_hosts_are_known") else {
        return;
    };
    let port = trouble.model.address.rsplit_once(':').expect("a port").1;
    let script = format!(
        r#"
import socket, urllib.request
solve(prompt, openai, mcp, token)
reached = []
for host, port in [("1.1.1.1", 80), ("127.0.0.1", {port}), ("localhost", 22)]:
    try:
        socket.create_connection((host, port), 2)
        reached.append(host)
    except OSError:
        pass
for url in ["http://telemetry.example/x", "https://other.example/", "http://127.0.0.1:{port}/v1/models"]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({{"http": E["HTTP_PROXY"], "https": E["HTTPS_PROXY"]}}))
    os.environ.pop("NO_PROXY", None), os.environ.pop("no_proxy", None)
    try:
        opener.open(url, timeout=5)
        reached.append(url)
    except OSError:
        pass
print("===FINAL===\n" + json.dumps(reached))
"#
    );
    let (attempt, folder) = trouble.once("connects", &script, &json!({}), &[]);
    assert_eq!(attempt["final_response"], "[]", "{attempt}");
    assert_eq!(
        attempt_file(&folder)["hosts_asked_for"],
        json!(["127.0.0.1", "other.example", "telemetry.example"])
    );
}
