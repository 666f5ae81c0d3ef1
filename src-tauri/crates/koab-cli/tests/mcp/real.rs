//! Eight servers of others, pinned: recorded, replayed without them, asked by two unlike clients.

use crate::mcp::{result_of, session_with, words};
use crate::support::{Koab, skip};
use serde_json::Value;
use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::Command;

const FROM_NPM: [&str; 5] = [
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-sequential-thinking@2026.8.31",
];
/// An earlier version of the first.
const EARLIER: &str = "@modelcontextprotocol/server-everything@2026.1.26";
const FROM_PYPI: [(&str, &[&str]); 6] = [
    ("time", &["mcp-server-time==2026.10.10", "mcp==1.30.0"]),
    ("git", &["mcp-server-git==2026.10.10", "mcp==1.30.0"]),
    ("sqlite", &["mcp-server-sqlite==2025.4.25", "mcp==1.30.0"]),
    ("calculator", &["mcp-server-calculator==0.2.0", "mcp==1.30.0"]),
    ("client-1", &["mcp==1.30.0"]),
    ("client-2", &["mcp==2.3.0"]),
];

/// Where the servers are, which nobody takes away meanwhile.
pub(crate) struct Installed {
    folder: PathBuf,
    lock: File,
}

impl Deref for Installed {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.folder
    }
}

impl Installed {
    /// Takes all of them away, once no other test uses them, until what is returned is dropped.
    fn taken_away(self) -> TakenAway {
        self.lock.unlock().expect("unlocked");
        self.lock.lock().expect("locked");
        for place in places() {
            let away = away(&self.folder, place);
            std::fs::rename(self.folder.join(place), away).expect("taken away");
        }
        TakenAway(self)
    }
}

/// Servers that are not where they were installed.
struct TakenAway(Installed);

impl Drop for TakenAway {
    fn drop(&mut self) {
        put_back(&self.0.folder);
    }
}

/// Folders of servers.
fn places() -> impl Iterator<Item = &'static str> {
    ["now", "earlier"].into_iter().chain(FROM_PYPI.iter().map(|(place, _)| *place))
}

fn away(folder: &Path, place: &str) -> PathBuf {
    folder.join(format!("{place}.away"))
}

/// Puts back what was taken away, also by a test that was killed.
fn put_back(folder: &Path) {
    for place in places() {
        let _there = std::fs::rename(away(folder, place), folder.join(place));
    }
}

/// All that is installed, by name and version.
fn versions() -> String {
    let packages = FROM_PYPI.iter().flat_map(|(_, packages)| packages.iter());
    let all = FROM_NPM.iter().chain([&EARLIER]).chain(packages);
    all.copied().collect::<Vec<_>>().join("\n")
}

/// A folder with all of them: the one that `KOAB_MCP_SERVERS` names, or one in the user's cache, which the tests share, where
/// everything is required.
pub(crate) fn installed(test: &str) -> Option<Installed> {
    let there = std::env::var_os("KOAB_MCP_SERVERS").map(PathBuf::from);
    let required = std::env::var_os("KOAB_REQUIRE_ALL").is_some_and(|value| value == "1");
    let folder = match there {
        Some(folder) => folder,
        None if required => koab_programs::kept("mcp-servers", &versions(), |_| ()),
        None => {
            skip(test, "servers from npm and PyPI, which are installed where everything is required");
            return None;
        }
    };
    std::fs::create_dir_all(&folder).expect("made");
    // Whoever comes first installs, the others wait.
    let lock = File::create(folder.join("lock")).expect("made");
    lock.lock().expect("locked");
    put_back(&folder);
    let run = |program: &Path, words: &[&str]| {
        let status = Command::new(program).args(words).current_dir(&folder).status();
        assert!(status.is_ok_and(|status| status.success()), "{} {words:?}", program.display());
    };
    std::thread::scope(|scope| {
        for (place, servers) in [("now", &FROM_NPM[..]), ("earlier", &[EARLIER][..])] {
            if !folder.join(place).join("node_modules").is_dir() {
                let install = ["install", "--silent", "--no-save", "--prefix", place];
                scope.spawn(move || run(Path::new("npm"), &[&install[..], servers].concat()));
            }
        }
        for (place, packages) in FROM_PYPI {
            let folder = &folder;
            // Scripts of an environment name its folder, so that one that was moved is made anew.
            let made = folder.join(place).display().to_string();
            let done = folder.join(place).join("done");
            if std::fs::read_to_string(&done).map_or(true, |known| known != made) {
                scope.spawn(move || {
                    run(Path::new("python3"), &["-m", "venv", "--clear", place]);
                    let python = folder.join(place).join("bin/python");
                    run(&python, &[&["-m", "pip", "install", "--quiet"][..], packages].concat());
                    std::fs::write(done, made).expect("written");
                });
            }
        }
    });
    lock.unlock().expect("unlocked");
    lock.lock_shared().expect("locked");
    Some(Installed { folder, lock })
}

struct Real {
    name: &'static str,
    command: Vec<String>,
    calls: Vec<Value>,
    /// Answers that are not recorded, as they show the environment.
    left_out: usize,
    /// Tools that a second call shows not to be steady.
    unsteady: Value,
}

fn servers(folder: &Path, data: &Path) -> Vec<Real> {
    let npm = |name: &str| folder.join("now/node_modules/.bin").join(name).to_string_lossy().into_owned();
    let pypi =
        |name: &str| folder.join(name).join(format!("bin/mcp-server-{name}")).to_string_lossy().into_owned();
    let at = |name: &str| data.join(name).to_string_lossy().into_owned();
    let call = |tool: &str, arguments: Value| serde_json::json!({ "tool": tool, "arguments": arguments });
    use serde_json::json;
    let thought = |number: u32| json!({"thought": "생각", "nextThoughtNeeded": number < 2, "thoughtNumber": number, "totalThoughts": 2});
    let person =
        json!({"entities": [{"name": "민수", "entityType": "person", "observations": ["likes tea"]}]});
    vec![
        Real {
            name: "everything",
            command: vec![npm("mcp-server-everything"), "stdio".to_owned()],
            calls: vec![
                call("echo", json!({"message": "한글 \"q\" é"})),
                call("get-sum", json!({"a": 2, "b": 3.5})),
                call("get-structured-content", json!({"location": "New York"})),
                call("get-annotated-message", json!({"messageType": "error", "includeImage": true})),
                call("get-tiny-image", json!({})),
                call("get-resource-links", json!({"count": 3})),
                call("trigger-long-running-operation", json!({"duration": 1, "steps": 2})),
                call("get-env", json!({})),
                call("nothing", json!({})),
                call("get-sum", json!({"a": "x"})),
            ],
            left_out: 1,
            unsteady: json!({}),
        },
        Real {
            name: "filesystem",
            command: vec![npm("mcp-server-filesystem"), at("files")],
            calls: vec![
                call("list_allowed_directories", json!({})),
                call("read_text_file", json!({"path": at("files/a.txt")})),
                call("get_file_info", json!({"path": at("files/a.txt")})),
                call("write_file", json!({"path": at("files/b.txt"), "content": "x"})),
                call("list_directory", json!({"path": at("files")})),
                call("read_text_file", json!({"path": "/etc/hostname"})),
            ],
            left_out: 0,
            unsteady: json!({}),
        },
        Real {
            name: "memory",
            command: vec![npm("mcp-server-memory")],
            calls: vec![
                call("read_graph", json!({})),
                call("create_entities", person.clone()),
                call("read_graph", json!({})),
                call("search_nodes", json!({"query": "tea"})),
            ],
            left_out: 0,
            unsteady: json!({"create_entities": "counts"}),
        },
        Real {
            name: "thinking",
            command: vec![npm("mcp-server-sequential-thinking")],
            calls: vec![call("sequentialthinking", thought(1)), call("sequentialthinking", thought(2))],
            left_out: 0,
            unsteady: json!({"sequentialthinking": "counts"}),
        },
        Real {
            name: "time",
            command: vec![pypi("time")],
            calls: vec![
                call("get_current_time", json!({"timezone": "Asia/Seoul"})),
                call("get_current_time", json!({"timezone": "Nowhere/City"})),
                call(
                    "convert_time",
                    json!({"source_timezone": "Asia/Seoul", "time": "14:30", "target_timezone": "America/New_York"}),
                ),
            ],
            left_out: 0,
            unsteady: json!({"get_current_time": "time"}),
        },
        Real {
            name: "git",
            command: vec![pypi("git")],
            calls: vec![
                call("git_status", json!({"repo_path": at("repo")})),
                call("git_log", json!({"repo_path": at("repo")})),
                call("git_create_branch", json!({"repo_path": at("repo"), "branch_name": "other"})),
                call("git_branch", json!({"repo_path": at("repo"), "branch_type": "local"})),
                call("git_status", json!({"repo_path": "/nowhere"})),
            ],
            left_out: 0,
            unsteady: json!({"git_create_branch": "counts"}),
        },
        Real {
            name: "sqlite",
            command: vec![pypi("sqlite"), "--db-path".to_owned(), at("x.db")],
            calls: vec![
                call("list_tables", json!({})),
                call("create_table", json!({"query": "CREATE TABLE IF NOT EXISTS t (a TEXT)"})),
                call("write_query", json!({"query": "INSERT INTO t VALUES ('한')"})),
                call("read_query", json!({"query": "SELECT * FROM t"})),
                call("read_query", json!({"query": "SELEC"})),
            ],
            left_out: 0,
            unsteady: json!({}),
        },
        Real {
            name: "calculator",
            command: vec![pypi("calculator")],
            calls: vec![
                call("calculate", json!({"expression": "2*(3+4)"})),
                call("calculate", json!({"expression": "1/0"})),
            ],
            left_out: 0,
            unsteady: json!({}),
        },
    ]
}

/// What the servers work on, made anew.
fn data(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder.join("files")).expect("made");
    std::fs::write(folder.join("files/a.txt"), "안녕 hello").expect("written");
    let repo = folder.join("repo");
    std::fs::create_dir_all(&repo).expect("made");
    std::fs::write(repo.join("f"), "x").expect("written");
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
    for words in [&["init", "-q"][..], &["add", "f"], &["commit", "-q", "-m", "one"]] {
        let ran = Command::new("git").args(who).args(words).current_dir(&repo).output();
        assert!(ran.is_ok_and(|ran| ran.status.success()), "git {words:?}");
    }
}

/// What a pack keeps of the answers, in their order: tool, arguments, whether it is a result, its text.
fn kept(koab: &Koab, pack: &str) -> Vec<(String, Option<String>, Option<String>)> {
    let archive = koab.path().join(format!("{pack}.zip"));
    let archive = archive.to_str().expect("a path");
    koab.ok(&["pack", "export", pack, "-o", archive, "--force"]);
    let script =
        "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read('tasks/mcp/calls.jsonl').decode())";
    let ran = Command::new("python3").args(["-c", script, archive]).output().expect("python3 runs");
    let text = String::from_utf8(ran.stdout).expect("text");
    let lines = text.lines().filter(|line| !line.is_empty());
    let text_of = |call: &Value, field: &str| call[field].as_str().map(str::to_owned);
    lines
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .map(|call| {
            (text_of(&call, "tool").expect("a tool"), text_of(&call, "arguments"), text_of(&call, "result"))
        })
        .collect()
}

/// The answers that a client prints.
pub(crate) fn asked(koab: &Koab, python: &Path, calls: &Path, server: &[&str]) -> Value {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/client.py");
    let words = [client.as_os_str(), calls.as_os_str()].map(std::ffi::OsStr::to_owned);
    output(koab, python, &words, server)
}

/// What a client prints that is started with these words.
pub(crate) fn output(koab: &Koab, program: &Path, words: &[std::ffi::OsString], server: &[&str]) -> Value {
    let ran = Command::new(program)
        .args(words)
        .args(server)
        .env("KOAB_HOME", koab.path())
        .env("LC_ALL", "en_US.UTF-8")
        .env("OPENAI_API_KEY", "not-a-key-at-all")
        .output()
        .expect("the client runs");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let last = text.lines().last().unwrap_or_default();
    serde_json::from_str(last)
        .unwrap_or_else(|_| crate::mcp::panic_with(&String::from_utf8_lossy(&ran.stderr)))
}

#[test]
fn eight_servers_are_recorded_and_replayed_letter_for_letter() {
    let Some(folder) = installed("eight_servers_are_recorded_and_replayed_letter_for_letter") else {
        return;
    };
    let work = tempfile::tempdir().expect("a folder");
    let koab = Koab::new();
    let (mut packs, mut recorded) = (Vec::new(), 0);
    for server in servers(&folder, &work.path().join("data")) {
        let memory = work.path().join("data/memory.json");
        let variables = [("MEMORY_FILE_PATH", memory.to_str().expect("a path"))];
        let (name, calls) = (server.name, written(work.path(), &server.calls));
        let record =
            ["pack", "record", name, "--calls", &calls, "--env", "MEMORY_FILE_PATH", "--json", "--quiet"];
        let made = |more: &[&str]| -> Value {
            data(&work.path().join("data"));
            let ran =
                koab.command(&words(&[&record[..], more].concat(), &server.command)).envs(variables).output();
            let ran = crate::mcp::ran(ran.expect("koab starts"));
            serde_json::from_str(&ran.stdout).unwrap_or_else(|_| crate::mcp::panic_with(&ran.stderr))
        };
        // Each call twice: which tools count, and which tell the time; people are told the rule under which that does not matter.
        assert_eq!(made(&["--twice"])["unsteady"], server.unsteady, "{name}");
        // A call waits a second before its second time, so this is shown of those servers only that have something to tell.
        let unsteady: Vec<_> = server.unsteady.as_object().into_iter().flatten().collect();
        if !unsteady.is_empty() {
            data(&work.path().join("data"));
            let shown = shown(&koab, &server, &calls, variables);
            for (tool, what) in unsteady {
                let rule = match what.as_str() {
                    Some("time") => "its answers hold the time; drift counts times as the same",
                    _ => "the second answer was different; a replay gives the answers in their order",
                };
                assert!(shown.contains(&format!("{tool}: {rule}")), "{name}: {shown}");
            }
        }
        let told = made(&[]);
        assert_eq!(told["calls"], server.calls.len() - server.left_out, "{name} {told}");
        assert_eq!(told["left_out"], server.left_out, "{name} {told}");
        packs.push((server, kept(&koab, name)));
    }
    // Without the servers: their folders are gone, nothing is on the path, and nothing may leave this computer.
    let _away = folder.taken_away();
    for (server, kept) in packs {
        let name = server.name;
        let started = koab.run(&words(&["cache", "drift", name], &server.command));
        assert!(
            started.code != 0 && started.stderr.contains("there is no program"),
            "{name} is still there: {}",
            started.stderr
        );
        let numbered = kept.iter().zip(1..);
        let lines: Vec<String> = numbered
            .map(|((tool, arguments, _), id)| {
                crate::mcp::call(id, tool, arguments.as_deref().unwrap_or("{}"))
            })
            .collect();
        let replayed = session_with(&koab, &["--offline", "pack", "replay", name], &lines, &[("PATH", "")]);
        for (id, (tool, _, result)) in (1..).zip(&kept) {
            if let Some(result) = result {
                assert_eq!(&result_of(&replayed, id), result, "{name} {tool}");
                recorded += 1;
            }
        }
    }
    assert!(recorded >= 34, "{recorded} answers were compared");
}

/// What people are told of a server whose calls are made twice.
fn shown(koab: &Koab, server: &Real, calls: &str, variables: [(&str, &str); 1]) -> String {
    let record = ["pack", "record", server.name, "--calls", calls, "--twice", "--env", "MEMORY_FILE_PATH"];
    let ran = koab.command(&words(&record, &server.command)).envs(variables).output();
    crate::mcp::ran(ran.expect("koab starts")).stdout
}

/// A client sees in the replay what it saw of the server.
fn sees_the_same(test: &str, client: &str) {
    let Some(folder) = installed(test) else {
        return;
    };
    let work = tempfile::tempdir().expect("a folder");
    let (koab, program) = (Koab::new(), env!("CARGO_BIN_EXE_koab"));
    let python = folder.join(client).join("bin/python");
    for server in servers(&folder, &work.path().join("data")) {
        data(&work.path().join("data"));
        let calls = written(work.path(), &server.calls);
        let record = [program, "pack", "record", server.name, "--env", "PATH", "--mask"];
        let live = asked(&koab, &python, Path::new(&calls), &words(&record, &server.command));
        let again = asked(&koab, &python, Path::new(&calls), &[program, "pack", "replay", server.name]);
        assert_eq!(live["tools"], again["tools"], "{}", server.name);
        let answers = |told: &Value| told["answers"].as_array().cloned().unwrap_or_default();
        let (live, again) = (answers(&live), answers(&again));
        assert_eq!((live.len(), again.len()), (server.calls.len(), server.calls.len()));
        for ((live, again), call) in live.iter().zip(&again).zip(&server.calls) {
            if call["tool"] != "get-env" {
                assert_eq!(live, again, "{} {call}", server.name);
            }
        }
    }
}

#[test]
fn a_client_with_a_handshake_sees_the_servers_in_their_replays() {
    sees_the_same("a_client_with_a_handshake_sees_the_servers_in_their_replays", "client-1");
}

#[test]
fn a_client_without_a_handshake_sees_the_servers_in_their_replays() {
    sees_the_same("a_client_without_a_handshake_sees_the_servers_in_their_replays", "client-2");
}

/// Calls as a file of lines.
pub(crate) fn written(folder: &Path, calls: &[Value]) -> String {
    let lines: Vec<String> = calls.iter().map(Value::to_string).collect();
    let file = folder.join("calls.jsonl");
    std::fs::write(&file, lines.join("\n")).expect("written");
    file.to_string_lossy().into_owned()
}

#[test]
fn two_versions_of_a_server_differ_and_the_rules_make_times_the_same() {
    let test = "two_versions_of_a_server_differ_and_the_rules_make_times_the_same";
    let Some(folder) = installed(test) else {
        return;
    };
    let work = tempfile::tempdir().expect("a folder");
    let koab = Koab::new();
    for server in servers(&folder, &work.path().join("data")) {
        if !["everything", "filesystem", "time"].contains(&server.name) {
            continue;
        }
        data(&work.path().join("data"));
        let steady = server.calls.iter().filter(|call| call["tool"] != "get-env");
        let calls = written(work.path(), &steady.cloned().collect::<Vec<_>>());
        koab.ok(&words(&["pack", "record", server.name, "--calls", &calls], &server.command));
        // Made anew, files and clocks tell other times; by the rules they are the same.
        data(&work.path().join("data"));
        let drift = koab.run(&words(&["cache", "drift", server.name], &server.command));
        assert_eq!(drift.code, 0, "{}\n{}", drift.stdout, drift.stderr);
    }
    let earlier = folder.join("earlier/node_modules/.bin/mcp-server-everything");
    let earlier = [earlier.to_string_lossy().into_owned(), "stdio".to_owned()];
    let ran = koab.run(&words(&["cache", "drift", "everything", "--json", "--quiet"], &earlier));
    let drift: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| crate::mcp::panic_with(&ran.stderr));
    assert_eq!((ran.code, &drift["compatible"]), (1, &Value::Bool(false)), "{drift}");
    // The newer schemas say whether there may be other arguments, and a refusal is told otherwise.
    let change = serde_json::json!({
        "tool": "echo", "kind": "schema", "place": "/additionalProperties", "then": null, "now": false,
    });
    assert!(drift["tools"].as_array().is_some_and(|tools| tools.contains(&change)), "{drift}");
    let calls = drift["calls"].as_array().map(Vec::len).unwrap_or_default();
    assert_eq!(drift["same"].as_u64(), u64::try_from(calls - 1).ok(), "{drift}");
}
