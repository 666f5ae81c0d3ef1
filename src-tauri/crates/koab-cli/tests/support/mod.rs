//! What the tests of the command line share: the binary, a workspace of its own, the reference material beside the
//! checkout, the scripted model server.
#![allow(dead_code, unreachable_pub, clippy::print_stderr, reason = "each test file uses a part")]

#[expect(clippy::unwrap_used, reason = "what fails here fails the test")]
pub mod benchmark_packs;
pub mod dice;
pub mod http;
pub mod hub;
#[expect(clippy::unwrap_used, reason = "what fails here fails the test")]
pub mod imitated;
pub mod logs;
mod published;
pub mod wait;
pub mod watched;

use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Copies a folder; what was write-protected can be written in the copy.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("read") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::write(target, fs::read(entry.path()).expect("read")).expect("written");
        }
    }
}

/// Sends a signal, such as `-INT`.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

/// A workspace in a temporary folder and the binary under test.
pub struct Koab {
    pub home: tempfile::TempDir,
    /// Variables of its calls.
    pub variables: Vec<(String, String)>,
}

/// How a call of the binary ended.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Koab {
    pub fn new() -> Self {
        Self { home: tempfile::tempdir().expect("a temporary folder"), variables: Vec::new() }
    }

    /// The same with a variable in each of its calls.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn path(&self) -> &Path {
        self.home.path()
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_koab"));
        command
            .args(words)
            .env("KOAB_HOME", self.path())
            .env("LC_ALL", "en_US.UTF-8")
            // It may come from the terminal in which the tests are started.
            .env_remove("COLUMNS")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, words: &[&str]) -> Ran {
        ran(self.command(words).output().expect("koab starts"))
    }

    /// Runs and insists on success.
    pub fn ok(&self, words: &[&str]) -> Ran {
        let ran = self.run(words);
        assert_eq!(ran.code, 0, "koab {words:?}\n{}\n{}", ran.stdout, ran.stderr);
        ran
    }

    /// Gives the workspace, which is empty, the published pack and makes it the current one.
    pub fn use_published(&self, shared: &Path) {
        published::copy_into(self, shared);
    }

    /// Runs with `--json` and reads the document.
    pub fn json(&self, words: &[&str]) -> Value {
        let ran = self.ok(&[words, &["--json", "--quiet"]].concat());
        serde_json::from_str(&ran.stdout).expect("one JSON document")
    }
}

pub fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The reference material beside the checkout, or `None` with a line that says what is skipped.
pub fn shared(test: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared");
    if !folder.join("parity").is_dir() {
        skip(test, "../shared beside the checkout");
        return None;
    }
    if python().is_none() {
        skip(test, "python3");
        return None;
    }
    Some(folder)
}

/// The address of the test run's Docker, or `None` with a line that says what is skipped and why there is none.
pub fn docker(test: &str) -> Option<String> {
    let host = std::env::var("KOAB_TEST_DOCKER").ok();
    if host.is_none() {
        let why = std::env::var("KOAB_TEST_DOCKER_WHY");
        let why = why.unwrap_or_else(|_| "KOAB_TEST_DOCKER names its address".to_owned());
        skip(test, &format!("dockerd ({why})"));
    }
    host
}

/// Says that a test cannot be made here, or fails it where everything is required.
pub fn skip(test: &str, needs: &str) {
    let line = format!("SKIP: {test}: needs {needs}");
    assert!(std::env::var_os("KOAB_REQUIRE_ALL").is_none(), "{line}");
    eprintln!("{line}");
    if let Some(file) = std::env::var_os("KOAB_SKIP_FILE") {
        let opened = fs::OpenOptions::new().append(true).create(true).open(file);
        let _ = opened.and_then(|mut f| writeln!(f, "{line}"));
    }
}

fn python() -> Option<()> {
    let found = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    found.is_ok_and(|status| status.success()).then_some(())
}

/// The scripted model server that plays published logs back; ends when dropped.
pub struct ReplayServer {
    child: Child,
    pub base_url: String,
}

impl ReplayServer {
    pub fn start(shared: &Path, options: &[&str]) -> Self {
        let mut child = Command::new("python3")
            .arg(shared.join("tools/replay_llm.py"))
            .arg("--logs")
            .arg(shared.join("parity/logs"))
            .arg("--tasks")
            .arg(shared.join("ko-agentbench/tasks"))
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the scripted server starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("its first line");
        let address = line.split_whitespace().nth(2).expect("an address in its first line");
        Self { base_url: format!("{address}/v1"), child }
    }
}

impl ReplayServer {
    /// The server's counters.
    pub fn stats(&self) -> Value {
        let address = self.base_url.trim_start_matches("http://").trim_end_matches("/v1");
        let mut stream = TcpStream::connect(address).expect("the scripted server is up");
        let request = format!("GET /stats HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("asked");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        let (_, body) = answer.split_once("\r\n\r\n").expect("an HTTP answer");
        serde_json::from_str(body).expect("counters")
    }
}

impl Drop for ReplayServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn read_json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Published model folders, their newest run folder, and the model id their logs state.
pub fn published_runs(shared: &Path) -> Vec<(String, PathBuf, String)> {
    let base = shared.join("parity/logs/benchmark_results/by_model");
    let mut runs = Vec::new();
    for model in fs::read_dir(base).expect("the published logs").flatten() {
        let run = fs::read_dir(model.path()).expect("a model's runs").flatten().next().expect("a run").path();
        let log = read_json(&run.join("L1.json"));
        // Four published folders were renamed without the `:0` of the model id, and the server goes by folder names.
        let id = log["metadata"]["model"].as_str().expect("a model id").trim_end_matches(":0").to_owned();
        runs.push((model.file_name().to_string_lossy().into_owned(), run, id));
    }
    runs.sort();
    runs
}

/// Log without what only the clock decides.
pub fn timeless(mut log: Value) -> Value {
    for key in ["timestamp", "total_execution_time", "average_execution_time", "average_tps", "ttft"] {
        log["metadata"][key] = Value::Null;
    }
    for result in log["results"].as_array_mut().expect("results") {
        result["execution_time"] = Value::Null;
        result["ttft_stats"] = Value::Null;
        for message in result["conversation_log"]["messages"].as_array_mut().expect("messages") {
            // The server numbers its call ids by requests, whichever task they are for.
            if message["tool_call_id"].as_str().is_some_and(|id| !id.starts_with("seed_")) {
                message["tool_call_id"] = Value::Null;
            }
        }
    }
    log
}
