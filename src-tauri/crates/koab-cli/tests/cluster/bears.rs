//! A server in front of another. It bears a number of calls at once and refuses the rest, or it holds answers until the test wants
//! them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Counts of calls.
#[derive(Default)]
struct Counts {
    in_flight: AtomicU32,
    answered: AtomicU32,
    refused: AtomicU32,
}

/// What the server does with calls.
struct Rules {
    /// Calls in flight at once; more are refused.
    max_in_flight: u32,
    /// Answers before the gate closes.
    free_answers: u32,
    is_open: Mutex<bool>,
    opened: Condvar,
    counts: Counts,
}

/// The server. It lives as long as the test's process.
pub(crate) struct Bears {
    pub(crate) base_url: String,
    rules: Arc<Rules>,
}

impl Bears {
    /// A server that refuses calls beyond a number in flight.
    pub(crate) fn start(base_url: &str, max_in_flight: u32) -> Self {
        Self::with(base_url, max_in_flight, u32::MAX)
    }

    /// A server that holds all calls after a number of answers, until [`Bears::open`].
    pub(crate) fn gated(base_url: &str, free_answers: u32) -> Self {
        Self::with(base_url, u32::MAX, free_answers)
    }

    fn with(base_url: &str, max_in_flight: u32, free_answers: u32) -> Self {
        let behind = base_url.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let rules = Arc::new(Rules {
            max_in_flight,
            free_answers,
            is_open: Mutex::new(false),
            opened: Condvar::new(),
            counts: Counts::default(),
        });
        let shared = Arc::clone(&rules);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (rules, behind) = (Arc::clone(&shared), behind.clone());
                std::thread::spawn(move || serve(stream, &behind, &rules));
            }
        });
        Self { base_url: format!("http://{address}/v1"), rules }
    }

    /// Answers and refusals so far.
    pub(crate) fn counts(&self) -> (u32, u32) {
        let read = |count: &AtomicU32| count.load(Ordering::SeqCst);
        let counts = &self.rules.counts;
        (read(&counts.answered), read(&counts.refused))
    }

    /// Whether the gate holds a call.
    pub(crate) fn is_holding(&self) -> bool {
        self.counts().0 > self.rules.free_answers
    }

    /// Lets all calls through, those that were held first.
    pub(crate) fn open(&self) {
        *self.rules.is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.rules.opened.notify_all();
    }
}

impl Rules {
    /// Waits while the gate is closed for a call with this number.
    fn pass(&self, number: u32) {
        if number >= self.free_answers {
            let is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
            drop(self.opened.wait_while(is_open, |is_open| !*is_open));
        }
    }
}

/// One request a connection is enough, and says so.
fn serve(mut stream: TcpStream, behind: &str, rules: &Rules) -> Option<()> {
    let counts = &rules.counts;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
        if !lower.starts_with("connection:") && !lower.starts_with("host:") {
            head.push_str(&line);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    if head.starts_with("POST") {
        let taken = counts.in_flight.fetch_add(1, Ordering::SeqCst);
        if taken >= rules.max_in_flight {
            counts.in_flight.fetch_sub(1, Ordering::SeqCst);
            counts.refused.fetch_add(1, Ordering::SeqCst);
            let body = r#"{"error":{"message":"too many requests","type":"rate_limit_error"}}"#;
            let answer = format!(
                "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            return stream.write_all(answer.as_bytes()).ok();
        }
        rules.pass(counts.answered.fetch_add(1, Ordering::SeqCst));
    }
    let handed = forward(&mut stream, behind, &head, &body);
    if head.starts_with("POST") {
        counts.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
    handed
}

fn forward(stream: &mut TcpStream, behind: &str, head: &str, body: &[u8]) -> Option<()> {
    let mut server = TcpStream::connect(behind).ok()?;
    let head = format!("{head}Host: {behind}\r\nConnection: close\r\n\r\n");
    server.write_all(head.as_bytes()).ok()?;
    server.write_all(body).ok()?;
    let mut answer = Vec::new();
    server.read_to_end(&mut answer).ok()?;
    stream.write_all(&answer).ok()
}
