//! A server in a workspace of its own, and a client that sends exactly the bytes it is told.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "test support")]

use koab_api::{Api, WireError};
use koab_serve::{Limits, Links, Server, Site, Stopped};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

pub struct Running {
    pub port: u16,
    pub links: Links,
    stop: Option<oneshot::Sender<()>>,
    ended: mpsc::Receiver<Stopped>,
    _runtime: Runtime,
    _folder: TempDir,
}

/// A page with a file beside it that is none of anybody's business, and an empty workspace.
pub fn start() -> Running {
    start_with(Duration::from_secs(10))
}

/// The same, where the head of a request may take so long.
pub fn start_with(head: Duration) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("dist");
    std::fs::create_dir_all(page.join("assets")).unwrap();
    std::fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    std::fs::write(page.join("index.html"), "<!doctype html>the page").unwrap();
    std::fs::write(page.join("assets/index-1.js"), "1").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.txt"), page.join("assets/link.txt")).unwrap();
    let api = Api::open(Some(folder.path().join("home"))).unwrap();
    let runtime = Runtime::new().unwrap();
    let limits = Limits { file: 1_000, all: 1_500, head };
    let site = Site::from_folder(&page).unwrap();
    let server = runtime.block_on(Server::bind(api, site, 0, limits)).unwrap();
    let links = server.links();
    let link = links.fresh().unwrap();
    let port = link.trim_start_matches("http://127.0.0.1:").split('/').next().unwrap().parse().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let (tell, ended) = mpsc::channel();
    runtime.spawn(async move {
        let end = server.run(async move { drop(stopped.await) }).await;
        tell.send(end.unwrap()).unwrap();
    });
    Running { port, links, stop: Some(stop), ended, _runtime: runtime, _folder: folder }
}

/// Tries to listen on this port.
pub fn bind(port: u16) -> Result<Server, WireError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "").unwrap();
    let site = Site::from_folder(folder.path())?;
    let api = Api::open(Some(folder.path().join("home")))?;
    let runtime = Runtime::new().unwrap();
    runtime.block_on(Server::bind(api, site, port, Limits::default()))
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

impl Running {
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// A new session.
    pub fn session(&self) -> String {
        let link = self.links.fresh().unwrap();
        let secret = link.split_once("#link=").unwrap().1;
        let answer = self.post("/api/session", None, json!({ "link": secret }));
        answer.json()["session"].as_str().unwrap().to_owned()
    }

    /// Sends these bytes and reads until the server closes. A server that answers before it has read everything may
    /// close in the middle of the sending.
    pub fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let split = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or_else(|| {
            panic!("no answer to {}", String::from_utf8_lossy(&request[..request.len().min(200)]))
        });
        let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
        Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head,
            body: bytes[split + 4..].to_vec(),
        }
    }

    /// Sends a request that ends before it is whole, and waits until the server is done with it.
    pub fn broken_off(&self, request: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    }

    /// Sends the beginning of a head and waits for the end of the connection.
    pub fn half_a_head(&self, beginning: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(beginning).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
    }

    pub fn get(&self, path: &str) -> Answer {
        self.raw(format!("GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", self.host()).as_bytes())
    }

    pub fn post(&self, path: &str, session: Option<&str>, body: Value) -> Answer {
        self.post_bytes(path, session, body.to_string().as_bytes())
    }

    pub fn post_bytes(&self, path: &str, session: Option<&str>, body: &[u8]) -> Answer {
        self.raw(&self.request(path, session, body))
    }

    pub fn call(&self, session: &str, command: &str, args: Value) -> Answer {
        self.post(&format!("/api/call/{command}"), Some(session), args)
    }

    /// All lines of a stream.
    pub fn stream(&self, session: &str, command: &str, args: Value) -> Vec<Value> {
        self.open_stream(session, command, &args).rest()
    }

    pub fn open_stream(&self, session: &str, command: &str, args: &Value) -> Lines {
        let request =
            self.request(&format!("/api/stream/{command}"), Some(session), args.to_string().as_bytes());
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(&request).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line).unwrap();
        }
        Lines(reader)
    }

    /// The lines of a subscription to a run that will be there soon.
    pub fn subscribed(&self, session: &str, run: &str) -> Vec<Value> {
        let begun = Instant::now();
        loop {
            let lines = self.stream(session, "run_subscribe", json!({ "run": run }));
            if lines[0]["error"]["code"] != "not_found" {
                return lines;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "there is no run {run}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// As Ctrl-C does.
    pub fn stop(&mut self) -> Stopped {
        self.stop.take().unwrap().send(()).unwrap();
        self.ended.recv().unwrap()
    }

    pub fn request(&self, path: &str, session: Option<&str>, body: &[u8]) -> Vec<u8> {
        let host = self.host();
        let session = session.map(|s| format!("Authorization: Bearer {s}\r\n")).unwrap_or_default();
        // HTTP/1.0: the body then ends where the connection does.
        let mut request = format!(
            "POST {path} HTTP/1.0\r\nHost: {host}\r\nOrigin: http://{host}\r\n{session}Content-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        request
    }
}

/// A stream's lines as they come.
pub struct Lines(BufReader<TcpStream>);

impl Lines {
    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.0.read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }

    /// Reads until a line is the one.
    pub fn until(&mut self, is_it: impl Fn(&Value) -> bool) {
        while let Some(line) = self.next() {
            if is_it(&line) {
                return;
            }
        }
        panic!("the stream ended");
    }

    pub fn rest(mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.next()).collect()
    }
}

/// A model's server that is there and never answers a question.
pub struct SilentModel(u16);

impl SilentModel {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut first = [0; 4];
                stream.read_exact(&mut first).unwrap();
                if &first == b"GET " {
                    let body = r#"{"object":"list","data":[{"id":"silent"}]}"#;
                    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
                    write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
                    // Read to its end: what is left unread would make the system reset the connection.
                    let mut lines = BufReader::new(&mut stream).lines();
                    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
                } else {
                    held.push(stream);
                }
            }
        });
        Self(port)
    }

    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.0)
    }
}
