//! Connection to a server: messages in both directions, over standard streams or HTTP.

use crate::secrets::Secrets;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_mcp::Message;
use koab_mcp::exchange::LINE;
use koab_mcp::lines::{Line, Lines};
use koab_mcp::message::Kind;
use koab_providers::mcp::ToolServer;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::mpsc;

/// Time for a server to end after its input has been closed.
const EXIT_TIMEOUT: Duration = Duration::from_millis(1500);
/// Number of last lines of standard error that are quoted when the server ends.
const LAST_LINES: usize = 5;
/// Maximum number of messages that wait for the server to read them.
const OUTGOING_MESSAGES: usize = 64;
/// Maximum number of the server's messages that wait to be read; each may have 64 MiB.
const INCOMING_MESSAGES: usize = 8;
/// Maximum number of bytes of a line on standard error; longer lines are skipped.
const MAX_STDERR_LINE_BYTES: usize = 4096;
/// Names of the environment variables that every server gets.
pub(crate) const BASE_VARIABLES: [&str; 3] = ["PATH", "HOME", "LANG"];

/// Command and environment of a server.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServerStart {
    /// Program of the server, and its arguments.
    pub(crate) command: Vec<String>,
    /// Names of further environment variables.
    pub(crate) env: Vec<String>,
    /// Working folder of the server.
    pub(crate) folder: Option<PathBuf>,
}

/// Event from a server.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A message, as received.
    Message(String),
    /// A line that is not a message.
    Rubbish,
    /// The response to one request was not a message.
    Unreadable {
        /// Id of the request, as JSON text.
        id: String,
        /// Reason why the response is not a message.
        why: Sentence,
    },
    /// A line that is too long to be read.
    TooLong,
    /// The server has ended, for this reason.
    Ended(Sentence),
}

/// Connection to a server.
pub(crate) struct Link {
    to: mpsc::Sender<String>,
    pub(crate) from: mpsc::Receiver<Incoming>,
    process: Option<Process>,
}

struct Process {
    child: Child,
    #[cfg(unix)]
    group: Option<rustix::process::Pid>,
}

impl Link {
    /// Starts a server.
    ///
    /// # Errors
    /// One sentence, when the server cannot be started.
    pub(crate) fn start(start: &ServerStart, secrets: &Secrets) -> Result<Self, Sentence> {
        let Some((program, arguments)) = start.command.split_first() else {
            return Err(say!("there is no command"));
        };
        let names = BASE_VARIABLES.into_iter().chain(start.env.iter().map(String::as_str));
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .envs(names.filter_map(|name| Some((name, std::env::var_os(name)?))))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        if let Some(folder) = &start.folder {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                say!("there is no program {program}; install it, or give its full path")
            }
            _ => say!("{program} could not be started: {error}"),
        })?;
        let (to, mut outgoing) = mpsc::channel::<String>(OUTGOING_MESSAGES);
        let (incoming, from) = mpsc::channel(INCOMING_MESSAGES);
        if let Some(mut input) = child.stdin.take() {
            tokio::spawn(async move {
                while let Some(mut line) = outgoing.recv().await {
                    line.push('\n');
                    // A server that no longer reads is reported by the end of its output.
                    if input.write_all(line.as_bytes()).await.is_err() || input.flush().await.is_err() {
                        break;
                    }
                }
            });
        }
        let stderr_lines = Arc::new(Mutex::new(VecDeque::new()));
        let stderr = child.stderr.take().map(|stderr| {
            let stderr_lines = Arc::clone(&stderr_lines);
            tokio::spawn(listen(stderr, stderr_lines))
        });
        if let Some(output) = child.stdout.take() {
            let secrets = secrets.clone();
            let name = program.clone();
            tokio::spawn(async move {
                let output = BufReader::with_capacity(1 << 16, output);
                let mut lines = Lines::new(output, LINE);
                loop {
                    let came = match lines.next().await {
                        Ok(Some(Line::Text(text))) => message(text),
                        Ok(Some(Line::TooLong)) => Incoming::TooLong,
                        Ok(None) | Err(_) => break,
                    };
                    if incoming.send(came).await.is_err() {
                        return;
                    }
                }
                if let Some(stderr) = stderr {
                    let _ = tokio::time::timeout(Duration::from_millis(200), stderr).await;
                }
                let last: Vec<String> =
                    stderr_lines.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect();
                let why = if last.is_empty() {
                    say!("{name} ended")
                } else {
                    say!("{name} ended; its last output: {}", secrets.redact(&last.join(" / ")))
                };
                let _ = incoming.send(Incoming::Ended(why)).await;
            });
        }
        #[cfg(unix)]
        let group = {
            let id = child.id().and_then(|id| i32::try_from(id).ok());
            id.and_then(rustix::process::Pid::from_raw)
        };
        Ok(Self {
            to,
            from,
            process: Some(Process {
                child,
                #[cfg(unix)]
                group,
            }),
        })
    }

    /// Connects to a server at a URL.
    pub(crate) fn to(server: ToolServer) -> Self {
        let (to, mut outgoing) = mpsc::channel::<String>(OUTGOING_MESSAGES);
        let (incoming, from) = mpsc::channel(INCOMING_MESSAGES);
        let server = Arc::new(server);
        tokio::spawn(async move {
            let version = Arc::new(Mutex::new(None::<String>));
            while let Some(text) = outgoing.recv().await {
                let request = Message::read(text.as_bytes()).ok();
                let first =
                    request.as_ref().is_some_and(|request| request.method.as_deref() == Some("initialize"));
                let (server, incoming, version) =
                    (Arc::clone(&server), incoming.clone(), Arc::clone(&version));
                let one = async move {
                    let spoken = version.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    let came = match server.post(text, spoken.as_deref()).await {
                        Ok(response) => match messages(&response.body, response.events) {
                            messages if messages.is_empty() => {
                                let status = response.status;
                                Err(say!("the server answered with HTTP {status}"))
                            }
                            messages => Ok(messages),
                        },
                        Err(why) => Err(why),
                    };
                    let awaited = request.filter(|request| request.kind() == Kind::Request);
                    match came {
                        Ok(messages) => {
                            if first {
                                let spoken = messages.first().and_then(|text| version_in(text));
                                *version.lock().unwrap_or_else(PoisonError::into_inner) = spoken;
                            }
                            for text in messages {
                                let _ = incoming.send(Incoming::Message(text)).await;
                            }
                        }
                        // A server without a handshake cannot be recorded. Any other failed request
                        // does not affect the rest of the recording.
                        Err(why) if first => {
                            let _ = incoming.send(Incoming::Ended(why)).await;
                        }
                        Err(why) => {
                            if let Some(id) = awaited.and_then(|request| request.id) {
                                let id = id.get().to_owned();
                                let _ = incoming.send(Incoming::Unreadable { id, why }).await;
                            }
                        }
                    }
                };
                // No request may overtake the handshake; later ones are concurrent.
                if first {
                    one.await;
                } else {
                    tokio::spawn(one);
                }
            }
        });
        Self { to, from, process: None }
    }

    /// Closes the connection and waits for the server to end. After a time limit, the server's
    /// process group is killed.
    pub(crate) async fn leave(self) {
        let Self { to, from, process } = self;
        drop(to);
        drop(from);
        if let Some(mut process) = process {
            let _ = tokio::time::timeout(EXIT_TIMEOUT, process.child.wait()).await;
        }
    }

    /// Sender of messages to the server and receiver of its events, so that a caller can use both
    /// at once.
    pub(crate) fn ends(&mut self) -> (&mpsc::Sender<String>, &mut mpsc::Receiver<Incoming>) {
        (&self.to, &mut self.from)
    }

    /// Another sender of messages to the server.
    pub(crate) fn sender(&self) -> mpsc::Sender<String> {
        self.to.clone()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group {
            // Usually no process is left.
            let _none_left = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

async fn listen(stderr: ChildStderr, last_lines: Arc<Mutex<VecDeque<String>>>) {
    let mut lines = Lines::new(BufReader::new(stderr), MAX_STDERR_LINE_BYTES);
    while let Ok(Some(line)) = lines.next().await {
        let Line::Text(line) = line else { continue };
        let line = String::from_utf8_lossy(&line).trim().chars().take(300).collect::<String>();
        if !line.is_empty() {
            let mut last_lines = last_lines.lock().unwrap_or_else(PoisonError::into_inner);
            last_lines.push_back(line);
            if last_lines.len() > LAST_LINES {
                last_lines.pop_front();
            }
        }
    }
}

fn message(text: Vec<u8>) -> Incoming {
    match String::from_utf8(text) {
        Ok(text) if Message::read(text.as_bytes()).is_ok() => Incoming::Message(text),
        _ => Incoming::Rubbish,
    }
}

/// Messages in a response body. The body is either one message or a stream of events with a message
/// each.
fn messages(body: &str, events: bool) -> Vec<String> {
    let is_message = |text: &String| Message::read(text.as_bytes()).is_ok();
    if !events {
        return Some(body.trim().to_owned()).filter(is_message).into_iter().collect();
    }
    let body = body.replace("\r\n", "\n");
    let of_event = |event: &str| {
        let data = event.lines().filter_map(|line| line.strip_prefix("data:"));
        let data: Vec<&str> = data.map(|data| data.strip_prefix(' ').unwrap_or(data)).collect();
        data.join("\n")
    };
    body.split("\n\n").map(of_event).filter(is_message).collect()
}

fn version_in(text: &str) -> Option<String> {
    let message = Message::read(text.as_bytes()).ok()?;
    let result: serde_json::Value = serde_json::from_str(message.result?.get()).ok()?;
    Some(result.get("protocolVersion")?.as_str()?.to_owned())
}
