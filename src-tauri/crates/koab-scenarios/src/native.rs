//! Runs a trial on this computer itself, without a container. The scenario has all rights of the
//! user.
//!
//! Only time and output are limited. The scenario gets only the variables in [`INHERITED`] and
//! those in [`Native::environment`], so that it does not get the user's keys. All its processes are
//! in one process group, which is killed at the end.

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

/// Variables that a scenario inherits: paths of programs, user, language, time zone and
/// certificates.
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

/// Deadline of a trial without a time limit: ten years.
const TEN_YEARS: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Maximum time for reading the rest of a scenario's output after its end.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// Number of bytes that are read at a time.
const READ_BYTES: usize = 16 * 1024;

/// A process to be run.
pub struct Native<'a> {
    /// The command and its arguments.
    pub command: &'a [&'a str],
    /// Environment variables in addition to the inherited ones.
    pub environment: &'a BTreeMap<String, String>,
    /// Working folder of the process: the trial's folder.
    pub folder: &'a Path,
    /// Time limit; `None` for no limit.
    pub time: Option<Duration>,
}

impl Native<'_> {
    /// Runs the process until it ends. `on_output` receives each piece of text as it is written to
    /// the console.
    ///
    /// # Errors
    /// When the console cannot be written.
    pub async fn run(
        &self,
        console: &mut Console,
        cancel: &CancellationToken,
        on_output: &mut (dyn FnMut(&str) + Send),
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
        let end = follow(&mut child, &mut output, self.time, console, cancel, on_output).await;
        // Processes that the scenario left running end with it, and only output up to this moment
        // counts.
        group.kill();
        let drained = tokio::time::timeout(DRAIN_TIMEOUT, drain(&mut output, console, on_output)).await;
        let end = end?;
        drained.unwrap_or(Ok(()))?;
        Ok(end)
    }
}

async fn follow(
    child: &mut tokio::process::Child,
    output: &mut Option<tokio::process::ChildStdout>,
    time: Option<Duration>,
    console: &mut Console,
    cancel: &CancellationToken,
    on_output: &mut (dyn FnMut(&str) + Send),
) -> std::io::Result<ProcessEnd> {
    let mut buffer = vec![0; READ_BYTES];
    let deadline = tokio::time::sleep(time.unwrap_or(TEN_YEARS));
    tokio::pin!(deadline);
    loop {
        // A remaining process may keep the output open after the scenario's end, or fill it for
        // ever, so the end is checked before the output.
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
                    bytes => on_output(&console.write(&buffer[..bytes])?),
                }
            }
        }
    }
}

/// Reads the next bytes. Never completes when the output has ended.
async fn read_some(
    output: &mut Option<tokio::process::ChildStdout>,
    buffer: &mut [u8],
) -> std::io::Result<usize> {
    match output {
        Some(output) => output.read(buffer).await,
        None => std::future::pending().await,
    }
}

/// Reads output that was written before the end. Does not wait for a process that left the process
/// group and still holds the pipe.
async fn drain(
    output: &mut Option<tokio::process::ChildStdout>,
    console: &mut Console,
    on_output: &mut (dyn FnMut(&str) + Send),
) -> std::io::Result<()> {
    let mut buffer = vec![0; READ_BYTES];
    while let Ok(read) =
        tokio::time::timeout(Duration::from_millis(200), read_some(output, &mut buffer)).await
    {
        match read? {
            0 => break,
            bytes => on_output(&console.write(&buffer[..bytes])?),
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

/// Process group of a scenario. All its processes are killed when this value is dropped.
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
            // Usually no process is left.
            let _none_left = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
    }
}
