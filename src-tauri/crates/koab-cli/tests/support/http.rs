//! HTTP servers within a test: one that keeps what it is sent, and a model that plays a simple part.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Request {
    /// Method and path.
    pub line: String,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body; null when it is not JSON.
    pub body: Value,
}

/// An address at which connections are refused. Its port stays in use, as the local port of a connection, so no other server can get it.
pub struct Refusing {
    /// Such as `127.0.0.1:4318`.
    pub address: SocketAddr,
    _connection: TcpStream,
    _listener: TcpListener,
}

impl Refusing {
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let connection = TcpStream::connect(listener.local_addr().expect("an address"));
        let connection = connection.expect("a connection");
        Self {
            address: connection.local_addr().expect("an address"),
            _connection: connection,
            _listener: listener,
        }
    }
}

/// A server on this machine. It lives as long as the test's process.
pub struct Local {
    /// Such as `http://127.0.0.1:4318`.
    pub address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Local {
    /// Answers every request with the status and body that `answer` gives.
    pub fn start(answer: impl Fn(&Request) -> (u16, Value) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::<Mutex<Vec<Request>>>::default();
        let (kept, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &kept, &*answer, &|_| true));
            }
        });
        Self { address, requests }
    }

    /// The same for so many requests. Then the address has no server any more, as where one is killed.
    pub fn mortal(
        requests: usize,
        answer: impl Fn(&Request) -> (u16, Value) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let kept = Arc::<Mutex<Vec<Request>>>::default();
        let answer: Arc<Answer> = Arc::new(answer);
        let requests_of_server = Arc::clone(&kept);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if requests_of_server.lock().expect("the requests").len() >= requests {
                    return;
                }
                let (kept, answer) = (Arc::clone(&requests_of_server), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let alive = |answered: usize| answered < requests;
                    serve(stream, &kept, &*answer, &alive);
                    // The last connection wakes whoever waits for the next one.
                    if !alive(kept.lock().expect("the requests").len()) {
                        let _ = TcpStream::connect(address);
                    }
                });
            }
        });
        Self { address: format!("http://{address}"), requests: kept }
    }

    /// What came so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("the requests").clone()
    }
}

type Answer = dyn Fn(&Request) -> (u16, Value) + Send + Sync;

/// Answers one connection as long as `alive` of the number of requests so far.
fn serve(stream: TcpStream, kept: &Mutex<Vec<Request>>, answer: &Answer, alive: &dyn Fn(usize) -> bool) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut stream = stream;
    while let Some(request) = read(&mut reader) {
        let before = {
            let mut kept = kept.lock().expect("the requests");
            kept.push(request.clone());
            kept.len() - 1
        };
        if !alive(before) {
            return;
        }
        let (status, body) = answer(&request);
        let body = body.to_string();
        let head = format!(
            "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        if stream.write_all((head + &body).as_bytes()).is_err() || !alive(before + 1) {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = header.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request {
        line: line.trim_end().to_owned(),
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

/// The list of a server's models.
pub fn models(ids: &[&str]) -> (u16, Value) {
    let data: Vec<_> = ids.iter().map(|id| json!({ "id": id })).collect();
    (200, json!({ "object": "list", "data": data }))
}

/// A model's message that is text.
pub fn says(text: &str) -> Value {
    json!({ "role": "assistant", "content": text })
}

/// A model's message that is one call.
pub fn calls(tool: &str, arguments: &str) -> Value {
    let function = json!({ "name": tool, "arguments": arguments });
    let call = json!({ "id": "call_x", "type": "function", "function": function });
    json!({ "role": "assistant", "content": null, "tool_calls": [call] })
}

/// The answer with such a message, in the form of Chat Completions.
pub fn completion(message: &Value) -> Value {
    let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
    let usage = json!({ "prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107 });
    json!({ "id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage })
}

/// The answer that is text.
pub fn chat(text: &str) -> Value {
    completion(&says(text))
}

/// A model in the form of Chat Completions that calls the first tool it is offered and then answers. The answer ends for
/// the reason `finish`.
pub fn model(finish: &'static str) -> Local {
    model_called("m", finish)
}

/// The same under a name that has a price.
pub fn model_called(name: &'static str, finish: &'static str) -> Local {
    Local::start(move |request| played(request, name, finish))
}

/// The model of [`model`], whose server dies at so many requests.
pub fn mortal_model(requests: usize) -> Local {
    Local::mortal(requests, |request| played(request, "m", "stop"))
}

fn played(request: &Request, name: &str, finish: &str) -> (u16, Value) {
    if !request.line.starts_with("POST") {
        return models(&[name]);
    }
    let answered = request.body["messages"]
        .as_array()
        .and_then(|all| all.last())
        .is_some_and(|last| last["role"] == "tool");
    let tool = &request.body["tools"][0]["function"]["name"];
    let (message, finish) = match tool.as_str() {
        Some(tool) if !answered => (calls(tool, "{}"), "tool_calls"),
        _ => (says("비밀스러운 답"), finish),
    };
    let mut answer = completion(&message);
    answer["choices"][0]["finish_reason"] = finish.into();
    (200, answer)
}

/// What a model of [`model`] at an address answers to a body.
pub fn ask(address: &str, body: &Value) -> Value {
    let host = address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).expect("the model is up");
    let body = body.to_string();
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("asked");
    let answer = read(&mut BufReader::new(stream)).expect("answered");
    answer.body
}
