//! The way to a server: lines out and lines in, whatever carries them.

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

/// How long a server may take to end once nobody asks it any more.
const LEAVE: Duration = Duration::from_millis(1500);
/// Lines of what a server says beside its answers that are kept for the sentence about its end.
const LAST: usize = 5;
/// Messages that wait for a server to read them.
const OUTGOING: usize = 64;
/// Messages of a server that wait to be read: each may have 64 MiB.
const INCOMING: usize = 8;
/// Bytes of a line on standard error; longer ones are read over.
const SAID: usize = 4096;
/// Variables that every server is given.
pub(crate) const GIVEN: [&str; 3] = ["PATH", "HOME", "LANG"];

/// How a server is started.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServerStart {
    /// Program and arguments.
    pub(crate) command: Vec<String>,
    /// Names of further variables.
    pub(crate) env: Vec<String>,
    /// The folder that it works in.
    pub(crate) folder: Option<PathBuf>,
}

/// What comes from a server.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A message, as it came.
    Message(String),
    /// A line that is none.
    Rubbish,
    /// What came for one request, by the text of its id, is no message.
    Unreadable {
        /// The id.
        id: String,
        /// Why.
        why: Sentence,
    },
    /// A line that is too long to be read.
    TooLong,
    /// Nothing more will come, and why.
    Ended(Sentence),
}

/// A server that can be asked.
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
    /// One sentence, when it cannot be started.
    pub(crate) fn start(start: &ServerStart, secrets: &Secrets) -> Result<Self, Sentence> {
        let Some((program, arguments)) = start.command.split_first() else {
            return Err(say!("there is no command"));
        };
        let names = GIVEN.into_iter().chain(start.env.iter().map(String::as_str));
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
        let (to, mut outgoing) = mpsc::channel::<String>(OUTGOING);
        let (incoming, from) = mpsc::channel(INCOMING);
        if let Some(mut input) = child.stdin.take() {
            tokio::spawn(async move {
                while let Some(mut line) = outgoing.recv().await {
                    line.push('\n');
                    // A server that does not read any more is found out by its end.
                    if input.write_all(line.as_bytes()).await.is_err() || input.flush().await.is_err() {
                        break;
                    }
                }
            });
        }
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let stderr = child.stderr.take().map(|stderr| {
            let said = Arc::clone(&said);
            tokio::spawn(listen(stderr, said))
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
                    said.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect();
                let why = match last.is_empty() {
                    true => say!("{name} ended"),
                    false => say!("{name} ended; it said: {}", secrets.redact(&last.join(" / "))),
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

    /// A server at an address.
    pub(crate) fn to(server: ToolServer) -> Self {
        let (to, mut outgoing) = mpsc::channel::<String>(OUTGOING);
        let (incoming, from) = mpsc::channel(INCOMING);
        let server = Arc::new(server);
        tokio::spawn(async move {
            let version = Arc::new(Mutex::new(None::<String>));
            while let Some(text) = outgoing.recv().await {
                let asked = Message::read(text.as_bytes()).ok();
                let first = asked.as_ref().is_some_and(|asked| asked.method.as_deref() == Some("initialize"));
                let (server, incoming, version) =
                    (Arc::clone(&server), incoming.clone(), Arc::clone(&version));
                let one = async move {
                    let spoken = version.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    let came = match server.post(text, spoken.as_deref()).await {
                        Ok(answered) => match messages(&answered.body, answered.events) {
                            found if found.is_empty() => {
                                let status = answered.status;
                                Err(say!("the server answered with HTTP {status}"))
                            }
                            found => Ok(found),
                        },
                        Err(why) => Err(why),
                    };
                    let wanted = asked.filter(|asked| asked.kind() == Kind::Request);
                    match came {
                        Ok(found) => {
                            if first {
                                let spoken = found.first().and_then(|text| version_in(text));
                                *version.lock().unwrap_or_else(PoisonError::into_inner) = spoken;
                            }
                            for text in found {
                                let _ = incoming.send(Incoming::Message(text)).await;
                            }
                        }
                        // A server that cannot be greeted is none; of any other request the rest of
                        // the recording knows nothing.
                        Err(why) if first => {
                            let _ = incoming.send(Incoming::Ended(why)).await;
                        }
                        Err(why) => {
                            if let Some(id) = wanted.and_then(|asked| asked.id) {
                                let id = id.get().to_owned();
                                let _ = incoming.send(Incoming::Unreadable { id, why }).await;
                            }
                        }
                    }
                };
                // Nothing may overtake the handshake; whatever follows goes beside each other.
                if first {
                    one.await;
                } else {
                    tokio::spawn(one);
                }
            }
        });
        Self { to, from, process: None }
    }

    /// Lets the server end, and ends it and all that it started where it does not.
    pub(crate) async fn leave(self) {
        let Self { to, from, process } = self;
        drop(to);
        drop(from);
        if let Some(mut process) = process {
            let _ = tokio::time::timeout(LEAVE, process.child.wait()).await;
        }
    }

    /// What sends and what receives, to be waited for beside each other.
    pub(crate) fn ends(&mut self) -> (&mpsc::Sender<String>, &mut mpsc::Receiver<Incoming>) {
        (&self.to, &mut self.from)
    }

    /// What sends, for whoever sends from elsewhere.
    pub(crate) fn sender(&self) -> mpsc::Sender<String> {
        self.to.clone()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group {
            // None left is the usual case.
            let _none_left = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

async fn listen(stderr: ChildStderr, said: Arc<Mutex<VecDeque<String>>>) {
    let mut lines = Lines::new(BufReader::new(stderr), SAID);
    while let Ok(Some(line)) = lines.next().await {
        let Line::Text(line) = line else { continue };
        let line = String::from_utf8_lossy(&line).trim().chars().take(300).collect::<String>();
        if !line.is_empty() {
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            said.push_back(line);
            if said.len() > LAST {
                said.pop_front();
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

/// The messages of a body: itself, or the events of a stream.
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
