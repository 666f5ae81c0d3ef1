//! Runs the program of an agent: starts it with only the given environment, reads its output, and
//! ends it with all processes that it started.

mod output;
#[cfg(unix)]
mod watch;

pub(crate) use output::Output;

use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::process::{Child, ChildStdin, Command};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

/// Time that a program may take to end after a request to end.
const GRACE: Duration = Duration::from_secs(5);
/// Maximum time for reading the rest of a program's output after its end.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Time between two checks whether the processes of a program have ended.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A program to start.
pub(crate) struct Program<'a> {
    pub(crate) command: &'a [String],
    pub(crate) environment: &'a BTreeMap<String, String>,
    pub(crate) folder: &'a Path,
    /// Whether koab writes to the program's standard input.
    pub(crate) spoken_to: bool,
}

/// A running program. When this value is dropped, the program and all processes of its group are
/// ended.
pub(crate) struct Process {
    child: Child,
    group: Group,
    pub(crate) stdin: Option<ChildStdin>,
    readers: Vec<JoinHandle<()>>,
}

impl Program<'_> {
    /// Starts the program. Its output is written to `output`.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub(crate) fn start(&self, output: &Output) -> Result<Process, Sentence> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Err(say!("there is no command"));
        };
        let stdin = if self.spoken_to { Stdio::piped() } else { Stdio::null() };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .envs(self.environment)
            .current_dir(self.folder)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| say!("{program} could not be started: {error}"))?;
        let group = Group::new(&child);
        let stdin = child.stdin.take();
        let mut readers = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            readers.push(tokio::spawn(output.clone().read(stdout, true)));
        }
        if let Some(stderr) = child.stderr.take() {
            readers.push(tokio::spawn(output.clone().read(stderr, false)));
        }
        Ok(Process { child, group, stdin, readers })
    }
}

impl Process {
    /// Waits until the program ends by itself, and returns its exit status.
    pub(crate) async fn ended(&mut self) -> Option<ExitStatus> {
        self.child.wait().await.ok()
    }

    /// Ends the program and all processes that it started, first by request, then by force.
    ///
    /// Returns the program's exit status, and whether another process was still running after the
    /// program's end.
    pub(crate) async fn end(mut self) -> (Option<ExitStatus>, bool) {
        drop(self.stdin.take());
        let before = self.child.try_wait().ok().flatten();
        self.group.ask();
        let status = match timeout(GRACE, self.child.wait()).await {
            Ok(status) => status.ok(),
            Err(_) => None,
        };
        // Processes that it started may outlive it.
        let outlived = before.is_some() && self.group.is_there();
        let until = Instant::now() + GRACE;
        while self.group.is_there() && status.is_some() && Instant::now() < until {
            sleep(POLL_INTERVAL).await;
        }
        self.group.kill();
        let status = match status {
            Some(status) => Some(status),
            None => self.child.wait().await.ok(),
        };
        for reader in self.readers.drain(..) {
            // A process that left the group and keeps the output open is not waited for.
            let handle = reader.abort_handle();
            if timeout(LAST_WORDS, reader).await.is_err() {
                handle.abort();
            }
        }
        (status, outlived)
    }
}

/// The process group of a program.
struct Group {
    #[cfg(unix)]
    id: Option<rustix::process::Pid>,
}

#[cfg(unix)]
impl Group {
    fn new(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let id = id.and_then(rustix::process::Pid::from_raw);
        if let Some(id) = id {
            watch::begin(id);
        }
        Self { id }
    }

    fn ask(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    fn kill(&self) {
        self.signal(rustix::process::Signal::KILL);
    }

    fn is_there(&self) -> bool {
        self.id.is_some_and(|id| rustix::process::test_kill_process_group(id).is_ok())
    }

    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(id) = self.id {
            // It is an error if no process is left, which is the usual case.
            let _none_left = rustix::process::kill_process_group(id, signal);
        }
    }
}

#[cfg(not(unix))]
impl Group {
    fn new(_child: &Child) -> Self {
        Self {}
    }

    fn ask(&self) {}

    fn kill(&self) {}

    fn is_there(&self) -> bool {
        false
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        #[cfg(unix)]
        if let Some(id) = self.id {
            watch::end(id);
        }
    }
}

#[cfg(test)]
mod tests;
