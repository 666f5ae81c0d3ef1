//! A server of scripted judges: `a` says yes and grades 5, `b` says no and grades 2, `c` as `a`; `third` as `a`, but for
//! questions marked `[2]`; `shaky` answers each
//! question with prose the first two times. It reports tokens and counts calls.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Tokens that every answer is said to take.
pub(crate) const TOKENS: (u64, u64) = (400, 50);

#[derive(Default)]
struct Heard {
    calls: BTreeMap<String, u64>,
    /// Prompts of each judge, and how often it was asked them.
    prompts: BTreeMap<String, u32>,
}

/// The server; it lives as long as the test's process.
pub(crate) struct Judges {
    pub(crate) url: String,
    heard: Arc<Mutex<Heard>>,
}

impl Judges {
    pub(crate) fn start() -> Self {
        Self::start_with(|_| ())
    }

    /// `on_call` is called with the number of each call, from 1, before the call is answered.
    pub(crate) fn start_with(on_call: impl Fn(u64) + Send + Sync + 'static) -> Self {
        let arrived = AtomicU64::new(0);
        let on_call = Arc::new(move || on_call(arrived.fetch_add(1, Ordering::Relaxed) + 1));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("its address"));
        let heard = Arc::<Mutex<Heard>>::default();
        let ears = Arc::clone(&heard);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (ears, on_call) = (Arc::clone(&ears), Arc::clone(&on_call));
                std::thread::spawn(move || serve(stream, &ears, &*on_call));
            }
        });
        Self { url, heard }
    }

    /// Calls of all judges so far.
    pub(crate) fn calls(&self) -> u64 {
        self.heard.lock().expect("no panic").calls.values().sum()
    }
}

fn serve(mut stream: TcpStream, heard: &Mutex<Heard>, on_call: &dyn Fn()) {
    let mut reader = BufReader::new(stream.try_clone().expect("a clone"));
    let (mut first, mut length) = (String::new(), 0);
    let _ = reader.read_line(&mut first);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    let _ = reader.read_exact(&mut body);
    let answer = if first.starts_with("GET") {
        json!({"data": [{"id": "a"}, {"id": "b"}, {"id": "c"}, {"id": "third"}, {"id": "shaky"}]})
    } else {
        on_call();
        completion(&serde_json::from_slice(&body).unwrap_or_default(), heard)
    };
    let text = answer.to_string();
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
}

fn completion(request: &Value, heard: &Mutex<Heard>) -> Value {
    let model = request["model"].as_str().unwrap_or_default().to_owned();
    let times = {
        let mut heard = heard.lock().expect("no panic");
        *heard.calls.entry(model.clone()).or_default() += 1;
        let times = heard.prompts.entry(format!("{model} {}", request["messages"])).or_default();
        *times += 1;
        *times
    };
    let is_marked = request["messages"].to_string().contains("[2]");
    let says_yes = model != "b" && !(model == "third" && is_marked);
    let grade = if says_yes { 5 } else { 2 };
    let content = if model == "shaky" && times <= 2 {
        "I would say yes.".to_owned()
    } else {
        json!({"reason": format!("{model} says so"), "success": says_yes, "score": grade, "confidence": 1})
            .to_string()
    };
    json!({
        "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": TOKENS.0, "completion_tokens": TOKENS.1, "total_tokens": TOKENS.0 + TOKENS.1,
        },
    })
}
