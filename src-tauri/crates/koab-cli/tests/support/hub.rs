//! An imitation of a Hugging Face hub: models and datasets with small files as git names them and large ones (LFS) that it hands on to
//! a storage at another address, ranges, and every refusal that the tests want. Archives of repositories as GitHub gives them out,
//! too: they are handed on as large files are.
#![allow(dead_code, reason = "each test file uses a part")]

use super::{Koab, Ran, ran};
use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256, digest};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// A workspace whose hub and cache are the test's own.
pub(crate) struct Here {
    pub(crate) koab: Koab,
    pub(crate) hub: Hub,
}

impl Here {
    pub(crate) fn new() -> Self {
        Self { koab: Koab::new(), hub: Hub::start() }
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.koab.path().join("hf/hub")
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.koab.command(words);
        for name in
            ["HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_TOKEN", "HUGGINGFACE_API_KEY", "HF_HUB_OFFLINE"]
        {
            command.env_remove(name);
        }
        command.env("HF_ENDPOINT", &self.hub.address).env("HF_HOME", self.koab.path().join("hf"));
        command
    }

    pub(crate) fn run_with(&self, words: &[&str], environment: &[(&str, &str)]) -> Ran {
        let mut command = self.command(words);
        command.envs(environment.iter().copied());
        ran(command.output().expect("koab starts"))
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        self.run_with(words, &[])
    }

    pub(crate) fn ok(&self, words: &[&str]) -> Value {
        let ran = self.run(&[words, &["--json", "--quiet"]].concat());
        assert_eq!(ran.code, 0, "koab {words:?}\n{}\n{}", ran.stdout, ran.stderr);
        serde_json::from_str(&ran.stdout).expect("one JSON document")
    }

    /// Runs, insists on a failure, and gives its sentence without what differs from run to run.
    pub(crate) fn sentence(&self, words: &[&str]) -> String {
        let ran = self.run(&[words, &["--quiet"]].concat());
        assert_ne!(ran.code, 0, "koab {words:?} worked: {}", ran.stdout);
        self.plain(ran.stderr.trim())
    }

    /// The text without the addresses and folders of this test.
    pub(crate) fn plain(&self, text: &str) -> String {
        text.replace(&self.hub.address, "HUB").replace(&self.koab.path().display().to_string(), "HOME")
    }

    /// Names of the installed packs.
    pub(crate) fn packs(&self) -> Vec<String> {
        let packs = self.ok(&["pack", "list"]);
        let name = |pack: &Value| pack["name"].as_str().expect("a name").to_owned();
        packs.as_array().expect("a list").iter().map(name).collect()
    }
}

/// The commit of every repository here.
pub(crate) const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// What a repository does instead of giving out a file.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// Sends this many bytes of the rest and hangs up, once.
    Break(usize),
    /// Sends this many bytes of the rest and nothing more.
    Hang(usize),
    /// As `Break`, and refuses with this status from then on until somebody lifts it.
    BreakAndRefuse(usize, u16),
    /// Refuses with a status and what the hub calls it.
    Refuse(u16, &'static str),
    /// Sends other bytes of the same length.
    Lie,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HubRequest {
    /// Method and path.
    pub(crate) line: String,
    pub(crate) range: Option<String>,
    pub(crate) token: Option<String>,
    /// Whether the storage was asked, and not the hub.
    pub(crate) storage: bool,
}

#[derive(Default)]
struct State {
    /// Whether the storage sends all of a file whatever part is asked for, and does not say what it is called.
    forgetful: bool,
    files: HashMap<String, Vec<(String, Vec<u8>)>>,
    card: HashMap<String, Value>,
    faults: HashMap<String, Fault>,
    requests: Vec<HubRequest>,
    storage: String,
}

/// A hub on this machine. It lives as long as the test's process.
#[derive(Clone)]
pub(crate) struct Hub {
    pub(crate) address: String,
    state: Arc<Mutex<State>>,
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex::encode(digest(&SHA256, bytes))
}

pub(crate) fn git_sha1(bytes: &[u8]) -> String {
    let blob = [format!("blob {}\0", bytes.len()).as_bytes(), bytes].concat();
    hex::encode(digest(&SHA1_FOR_LEGACY_USE_ONLY, &blob))
}

/// Large files are what git does not keep itself.
fn is_large(path: &str) -> bool {
    let endings = [".safetensors", ".gguf", ".parquet", ".tar.gz"];
    endings.iter().any(|ending| path.ends_with(ending)) || path == "tokenizer.json"
}

impl Hub {
    pub(crate) fn start() -> Self {
        let state = Arc::<Mutex<State>>::default();
        let address = listen(&state, false);
        let storage = listen(&state, true);
        state.lock().expect("state").storage = storage;
        Self { address, state }
    }

    pub(crate) fn repository(&self, repo: &str, card: Value, files: &[(&str, Vec<u8>)]) {
        let mut state = self.state.lock().expect("state");
        let files = files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.clone()));
        state.files.insert(repo.to_owned(), files.collect());
        state.card.insert(repo.to_owned(), card);
    }

    pub(crate) fn dataset(&self, repo: &str, card: Value, files: &[(&str, Vec<u8>)]) {
        self.repository(&format!("datasets/{repo}"), card, files);
    }

    /// The archive of a repository at a revision, at the address that GitHub has for it.
    pub(crate) fn archive(&self, repo: &str, revision: &str, bytes: Vec<u8>) {
        self.repository(repo, Value::Null, &[(&format!("archive/{revision}.tar.gz"), bytes)]);
    }

    pub(crate) fn forget_ranges(&self) {
        self.state.lock().expect("state").forgetful = true;
    }

    /// `None` lifts it.
    pub(crate) fn fault(&self, file: &str, fault: Option<Fault>) {
        let mut state = self.state.lock().expect("state");
        match fault {
            Some(fault) => state.faults.insert(file.to_owned(), fault),
            None => state.faults.remove(file),
        };
    }

    /// What was asked since the last time.
    pub(crate) fn requests(&self) -> Vec<HubRequest> {
        std::mem::take(&mut self.state.lock().expect("state").requests)
    }
}

fn listen(state: &Arc<Mutex<State>>, storage: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let state = Arc::clone(state);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let state = Arc::clone(&state);
            std::thread::spawn(move || serve(stream, &state, storage));
        }
    });
    address
}

fn serve(stream: TcpStream, state: &Mutex<State>, storage: bool) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut stream = stream;
    while let Some(request) = read(&mut reader, storage) {
        let answer = {
            let mut state = state.lock().expect("state");
            state.requests.push(request.clone());
            answer(&mut state, &request)
        };
        let sent = stream.write_all(&answer.bytes).and_then(|()| stream.flush());
        if sent.is_err() || answer.hangs_up {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>, storage: bool) -> Option<HubRequest> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut request = HubRequest {
        line: line.trim_end().trim_end_matches(" HTTP/1.1").to_owned(),
        range: None,
        token: None,
        storage,
    };
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = header.trim_end().split_once(':') else {
            return Some(request);
        };
        match name.to_ascii_lowercase().as_str() {
            "range" => request.range = Some(value.trim().to_owned()),
            "authorization" => request.token = Some(value.trim().to_owned()),
            _ => {}
        }
    }
}

struct Answer {
    bytes: Vec<u8>,
    hangs_up: bool,
}

fn plain(status: u16, headers: &str, body: &[u8]) -> Answer {
    let head = format!("HTTP/1.1 {status} Said\r\n{headers}content-length: {}\r\n\r\n", body.len());
    Answer { bytes: [head.as_bytes(), body].concat(), hangs_up: false }
}

fn refusal(status: u16, code: &str) -> Answer {
    let body = json!({ "error": "no" }).to_string();
    plain(status, &format!("x-error-code: {code}\r\n"), body.as_bytes())
}

fn answer(state: &mut State, request: &HubRequest) -> Answer {
    let (method, path) = request.line.split_once(' ').unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let listed = path.strip_prefix("/api/models/").map(str::to_owned).or_else(|| {
        Some(path.strip_prefix("/api/")?.to_owned()).filter(|rest| rest.starts_with("datasets/"))
    });
    if let Some(rest) = &listed {
        let (repo, revision) = rest.split_once("/revision/").unwrap_or((rest, "main"));
        let Some(files) = state.files.get(repo) else {
            return refusal(if request.token.is_some() { 404 } else { 401 }, "RepoNotFound");
        };
        if ![COMMIT, "main", "v1"].contains(&revision) {
            return refusal(404, "RevisionNotFound");
        }
        let name = repo.trim_start_matches("datasets/");
        let body = listing(name, files, &state.card[repo]);
        return plain(200, "content-type: application/json\r\n", body.to_string().as_bytes());
    }
    let (repo, file) = match path.trim_start_matches('/').split_once("/resolve/") {
        Some((repo, rest)) => (repo.to_owned(), rest.split_once('/').map_or("", |(_, file)| file).to_owned()),
        None if request.storage => {
            let (repo, file) = path.trim_start_matches("/stored/").split_once("//").unwrap_or_default();
            (repo.to_owned(), file.to_owned())
        }
        None => {
            let (repo, file) = path.split_once("/archive/").unwrap_or_default();
            (repo.trim_start_matches('/').to_owned(), format!("archive/{file}"))
        }
    };
    let Some((_, content)) =
        state.files.get(&repo).and_then(|files| files.iter().find(|(name, _)| *name == file))
    else {
        return refusal(404, "EntryNotFound");
    };
    let mut content = content.clone();
    let (etag, size) =
        if is_large(&file) { (sha256(&content), content.len()) } else { (git_sha1(&content), content.len()) };
    let facts = match state.forgetful {
        true => String::new(),
        false => format!("x-repo-commit: {COMMIT}\r\netag: \"{etag}\"\r\n"),
    };
    if !request.storage && is_large(&file) {
        let facts = format!(
            "{facts}x-linked-etag: \"{etag}\"\r\nx-linked-size: {size}\r\nlocation: {}/stored/{repo}//{file}\r\n",
            state.storage
        );
        return match state.faults.get(&file) {
            Some(Fault::Refuse(status, code)) => refusal(*status, code),
            _ => plain(302, &facts, b""),
        };
    }
    if method == "HEAD" {
        let head = format!("HTTP/1.1 200 OK\r\n{facts}content-length: {size}\r\n\r\n");
        return Answer { bytes: head.into_bytes(), hangs_up: false };
    }
    let mut hangs_up_after = None;
    match state.faults.get(&file).cloned() {
        Some(Fault::Refuse(status, code)) => return refusal(status, code),
        Some(Fault::Lie) => content.iter_mut().for_each(|byte| *byte ^= 1),
        Some(Fault::Break(after)) => {
            state.faults.remove(&file);
            hangs_up_after = Some(after);
        }
        Some(Fault::Hang(after)) => {
            let head = format!("HTTP/1.1 200 OK\r\n{facts}content-length: {size}\r\n\r\n");
            return Answer { bytes: [head.as_bytes(), &content[..after]].concat(), hangs_up: false };
        }
        Some(Fault::BreakAndRefuse(after, status)) => {
            state.faults.insert(file.clone(), Fault::Refuse(status, ""));
            hangs_up_after = Some(after);
        }
        None => {}
    }
    let asked_for = request.range.as_ref().filter(|_| !state.forgetful);
    let from =
        asked_for.and_then(|range| range.strip_prefix("bytes=")?.trim_end_matches('-').parse::<usize>().ok());
    let (status, range) = match from {
        Some(from) => (206, format!("content-range: bytes {from}-{}/{size}\r\n", size - 1)),
        None => (200, String::new()),
    };
    let rest = &content[from.unwrap_or(0)..];
    let head = format!("HTTP/1.1 {status} Said\r\n{facts}{range}content-length: {}\r\n\r\n", rest.len());
    let sent = &rest[..hangs_up_after.unwrap_or(rest.len())];
    Answer { bytes: [head.as_bytes(), sent].concat(), hangs_up: hangs_up_after.is_some() }
}

fn listing(repo: &str, files: &[(String, Vec<u8>)], card: &Value) -> Value {
    let sibling = |(path, bytes): &(String, Vec<u8>)| {
        let mut file = json!({ "rfilename": path, "size": bytes.len(), "blobId": git_sha1(bytes) });
        if is_large(path) {
            file["lfs"] = json!({ "sha256": sha256(bytes), "size": bytes.len(), "pointerSize": 130 });
        }
        file
    };
    let mut listing = json!({
        "id": repo,
        "sha": COMMIT,
        "siblings": files.iter().map(sibling).collect::<Vec<_>>(),
        "gated": false,
        "private": false,
    });
    for (name, value) in card.as_object().into_iter().flatten() {
        listing[name] = value.clone();
    }
    listing
}
