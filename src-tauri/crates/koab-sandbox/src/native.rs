//! A repetition on this computer itself, without a container: whatever the scenario does, it does
//! here.
//!
//! Only time and output are limited. The scenario gets an environment of its own: the names in
//! [`INHERITED`] from ours and what it is given, so that keys that happen to be set here do not
//! reach it. Everything it starts is in one process group, which is killed at the end.

use koab_core::say;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use crate::console::Console;
use crate::process_end::ProcessEnd;

/// What a scenario inherits of our environment: where programs are, whose files, which language and
/// time.
pub const INHERITED: [&str; 11] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// A time that no trial takes.
const FOR_EVER: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// How long what a stopped scenario wrote last is read.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Bytes read at a time.
const PIECE: usize = 16 * 1024;

/// A process to be run.
pub struct Native<'a> {
    /// The command and its arguments.
    pub command: &'a [&'a str],
    /// The environment, beside what is inherited.
    pub environment: &'a BTreeMap<String, String>,
    /// The repetition's folder, where it runs.
    pub folder: &'a Path,
    /// How long it may take.
    pub time: Option<Duration>,
}

impl Native<'_> {
    /// Runs it to its end. `seen` is given each piece of text as it is written to the console.
    ///
    /// # Errors
    /// When the console cannot be written.
    pub async fn run(
        &self,
        console: &mut Console,
        cancel: &CancellationToken,
        seen: &mut (dyn FnMut(&str) + Send),
    ) -> std::io::Result<ProcessEnd> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Ok(ProcessEnd::NotStarted { why: say!("there is no command") });
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .envs(INHERITED.iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
            .env("PYTHONUNBUFFERED", "1")
            .envs(self.environment)
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                return Ok(ProcessEnd::NotStarted { why: say!("{program} could not be started: {error}") });
            }
        };
        let group = Group::new(&child);
        let mut output = child.stdout.take();
        let ended = follow(&mut child, &mut output, self.time, console, cancel, seen).await;
        // What the scenario left running ends with it, and what was written until then is all there
        // is.
        group.kill();
        let drained = tokio::time::timeout(LAST_WORDS, drain(&mut output, console, seen)).await;
        let ended = ended?;
        drained.unwrap_or(Ok(()))?;
        Ok(ended)
    }
}

async fn follow(
    child: &mut tokio::process::Child,
    output: &mut Option<tokio::process::ChildStdout>,
    time: Option<Duration>,
    console: &mut Console,
    cancel: &CancellationToken,
    seen: &mut (dyn FnMut(&str) + Send),
) -> std::io::Result<ProcessEnd> {
    let mut buffer = vec![0; PIECE];
    let deadline = tokio::time::sleep(time.unwrap_or(FOR_EVER));
    tokio::pin!(deadline);
    loop {
        // A process left behind may hold the output open after the scenario's end, or fill it for
        // ever: the end comes before what there is to read.
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(ProcessEnd::Cancelled),
            () = &mut deadline => return Ok(ProcessEnd::TimedOut),
            status = child.wait() => {
                return Ok(ProcessEnd::Exited { code: code(status?), out_of_memory: false });
            }
            read = read_some(output, &mut buffer) => {
                match read? {
                    0 => *output = None,
                    bytes => seen(&console.write(&buffer[..bytes])?),
                }
            }
        }
    }
}

/// The next bytes; never ends when there is no output any more.
async fn read_some(
    output: &mut Option<tokio::process::ChildStdout>,
    buffer: &mut [u8],
) -> std::io::Result<usize> {
    match output {
        Some(output) => output.read(buffer).await,
        None => std::future::pending().await,
    }
}

/// What was written before the end and not yet read. Whoever left the group and still holds the
/// pipe is not waited for.
async fn drain(
    output: &mut Option<tokio::process::ChildStdout>,
    console: &mut Console,
    seen: &mut (dyn FnMut(&str) + Send),
) -> std::io::Result<()> {
    let mut buffer = vec![0; PIECE];
    while let Ok(read) =
        tokio::time::timeout(Duration::from_millis(200), read_some(output, &mut buffer)).await
    {
        match read? {
            0 => break,
            bytes => seen(&console.write(&buffer[..bytes])?),
        }
    }
    Ok(())
}

fn code(status: std::process::ExitStatus) -> i64 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + i64::from(signal);
    }
    status.code().map_or(-1, i64::from)
}

/// The processes that a scenario started, killed also when this is dropped.
struct Group {
    #[cfg(unix)]
    id: Option<rustix::process::Pid>,
}

impl Group {
    #[cfg(unix)]
    fn new(child: &tokio::process::Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self { id: id.and_then(rustix::process::Pid::from_raw) }
    }

    #[cfg(not(unix))]
    fn new(_child: &tokio::process::Child) -> Self {
        Self {}
    }

    fn kill(self) {
        drop(self);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(id) = self.id {
            // None left is the usual case.
            let _none_left = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
    }
}
