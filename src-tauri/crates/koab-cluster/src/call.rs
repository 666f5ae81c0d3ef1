//! Calls of an engine's command-line program.

use crate::error::ClusterError;
use crate::words::clean;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

/// Longest time for one call of an engine's program. A busy controller answers within some seconds.
const CALL_TIMEOUT: Duration = Duration::from_secs(90);

/// Exit status and output of a program.
#[derive(Debug)]
pub(crate) struct ProgramOutput {
    pub(crate) succeeded: bool,
    pub(crate) stdout: String,
    stderr: String,
}

impl ProgramOutput {
    /// Returns the error messages of the program in one line.
    pub(crate) fn complaint(&self) -> String {
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().map(clean);
            let bare =
                lines.map(|line| line.rsplit_once("error: ").map_or(line.clone(), |(_, why)| why.to_owned()));
            bare.filter(|line| !line.is_empty()).collect()
        };
        let mut messages = lines(&self.stderr);
        if messages.is_empty() {
            messages = lines(&self.stdout);
        }
        if messages.is_empty() {
            return "it does not say why".to_owned();
        }
        clean(&messages.join("; "))
    }

    /// Returns the whole error output, to search it for known messages.
    pub(crate) fn stderr(&self) -> &str {
        &self.stderr
    }
}

/// Environment variables of the program, by name. Only this program gets them.
pub(crate) type Values = [(String, Sensitive<String>)];

/// Runs a program to its end.
///
/// # Errors
/// When the program is missing or takes too long. An exit status other than 0 is not an error here.
pub(crate) async fn call(
    program: &'static str,
    words: &[String],
    values: &Values,
    input: Option<&str>,
) -> Result<ProgramOutput, ClusterError> {
    let failed = |error: std::io::Error| {
        ClusterError::Missing(say!(
            "`{program}` cannot be started: {error}; run koab on the machine from which jobs are submitted"
        ))
    };
    let mut command = Command::new(program);
    command
        .args(words)
        .env("LC_ALL", "C")
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    for (name, value) in values {
        command.env(name, value.expose());
    }
    let mut child = command.spawn().map_err(failed)?;
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // A program that does not read its input reports that by its exit status.
        let _ = stdin.write_all(input.as_bytes()).await;
    }
    let output = tokio::time::timeout(CALL_TIMEOUT, child.wait_with_output())
        .await
        .map_err(|_| {
            let seconds = CALL_TIMEOUT.as_secs();
            ClusterError::Missing(say!("`{program}` has not answered within {seconds} seconds"))
        })?
        .map_err(failed)?;
    Ok(ProgramOutput {
        succeeded: output.status.success(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}
