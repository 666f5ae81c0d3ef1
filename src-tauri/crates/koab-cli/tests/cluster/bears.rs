//! A server in front of another that bears so many calls at once and refuses the rest.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts of calls.
#[derive(Default)]
struct Counts {
    in_flight: AtomicU32,
    answered: AtomicU32,
    refused: AtomicU32,
}

/// The server. It lives as long as the test's process.
pub(crate) struct Bears {
    pub(crate) base_url: String,
    counts: Arc<Counts>,
}

impl Bears {
    pub(crate) fn start(base_url: &str, most: u32) -> Self {
        let behind = base_url
            .trim_start_matches("http://")
            .trim_end_matches("/v1")
            .to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let counts = Arc::<Counts>::default();
        let kept = Arc::clone(&counts);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (counts, behind) = (Arc::clone(&kept), behind.clone());
                std::thread::spawn(move || serve(stream, &behind, most, &counts));
            }
        });
        Self {
            base_url: format!("http://{address}/v1"),
            counts,
        }
    }

    /// Answers and refusals so far.
    pub(crate) fn counts(&self) -> (u32, u32) {
        let read = |count: &AtomicU32| count.load(Ordering::SeqCst);
        (read(&self.counts.answered), read(&self.counts.refused))
    }
}

/// One request a connection is enough, and says so.
fn serve(mut stream: TcpStream, behind: &str, most: u32, counts: &Counts) -> Option<()> {
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
        if taken >= most {
            counts.in_flight.fetch_sub(1, Ordering::SeqCst);
            counts.refused.fetch_add(1, Ordering::SeqCst);
            let body = r#"{"error":{"message":"too many requests","type":"rate_limit_error"}}"#;
            let answer = format!(
                "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            return stream.write_all(answer.as_bytes()).ok();
        }
        counts.answered.fetch_add(1, Ordering::SeqCst);
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
